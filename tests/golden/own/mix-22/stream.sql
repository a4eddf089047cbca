INSERT INTO t1 VALUES (32767, '[2020-01-01,2020-02-01)', 4.9e-324, '[5,50000000000)', NULL, '', '{2024-02-29,1999-01-01}');
INSERT INTO t1 VALUES (-32768, '[2020-01-01,2020-02-01)', 'Infinity', '[5,50000000000)', NULL, 'a', '{2024-02-29,1999-01-01}');
BEGIN; INSERT INTO t2 VALUES (1.5, '{101,000}', 'ab', NULL, '{1.5,-2.25,NULL}', NULL, '1969-12-31 23:59:59.999999Z', '01:02:03', NULL); INSERT INTO t2 VALUES (0.01, '{101,000}', 'ab', 5, '{}', '[5,50000000000)', NULL, NULL, '{2024-02-29 12:34:56.123456}'); INSERT INTO t3 VALUES ('ąę', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', B'101', NULL, '{1,2}', ''); COMMIT;
INSERT INTO t3 VALUES ('', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', NULL, '{1.5,2e10}', '{}', '');
DELETE FROM t3 WHERE id = 'ąę';
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2", "public.t3"], "type": "INCREMENTAL"}');
-- @wait
INSERT INTO sig VALUES ('s2', 'execute-snapshot', '{"data-collections": ["public.t1"]}');
