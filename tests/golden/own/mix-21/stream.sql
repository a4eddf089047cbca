BEGIN; INSERT INTO t1 VALUES ('ąę', NULL, NULL, NULL, '-infinity', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', NULL, '{1}', B''); INSERT INTO t2 VALUES (0, '[2020-01-01,2020-02-01)', NULL, NULL, NULL, -32768, 0); COMMIT;
BEGIN; INSERT INTO t2 VALUES (9223372036854775807, '[2020-01-01,2020-02-01)', NULL, '{sad,ok}', '01:02:03', 7, 0); UPDATE t1 SET c6 = '"k q"=>"v\"w"' WHERE id = 'abc'; COMMIT;
DELETE FROM t1 WHERE id = '';
DELETE FROM t2 WHERE id = 9223372036854775807;
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2"]}');
-- @wait
INSERT INTO sig VALUES ('s2', 'execute-snapshot', '{"data-collections": ["public.t1"]}');
