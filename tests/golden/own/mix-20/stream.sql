INSERT INTO t1 VALUES (-99999999.99, '', NULL, NULL, '(1e300,NaN)', '{1,NULL,3}', '{[1,3),[5,7)}', NULL, '{}');
BEGIN; INSERT INTO t1 VALUES (1.5, NULL, NULL, 'a', '(1e300,NaN)', '{1,NULL,3}', NULL, 'sad', '{1,2}'); INSERT INTO t2 VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{0.1,1e21}', 1, 'MiXed', '[2020-01-01,2020-01-02)'); COMMIT;
INSERT INTO t3 VALUES ('1969-12-31 23:59:59.999999Z', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', 'infinity', B'', 'a');
INSERT INTO t3 VALUES ('infinity', NULL, '2024-02-29 12:34:56.123456', B'1011', 'a');
ALTER TABLE t3 ADD COLUMN x5 text DEFAULT 'added';
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2", "public.t3"], "type": "INCREMENTAL"}');
-- @wait
INSERT INTO sig VALUES ('s2', 'execute-snapshot', '{"data-collections": ["public.t1"]}');
