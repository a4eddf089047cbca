INSERT INTO t1 VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '-Infinity', NULL, '{1.50}', '<a>x</a>', 'Top.Science', '{a,abc}', '{ab,c}');
INSERT INTO t2 VALUES ('', DEFAULT, '08:00:2b:01:02:03', '{"{\"a\": 1}"}', '[1,5)', 'null', '(1,1),(0,0)', 1e-45);
BEGIN; INSERT INTO t2 VALUES ('abcdef', 'a=>1, b=>NULL', '08:00:2b:01:02:03', NULL, 'empty', '"s"', '(1,1),(0,0)', '-Infinity'); INSERT INTO t3 VALUES ('q"uote\ back/', 'ab', '{A,b}', '08:00:2b:01:02:03', '{"\\x0102"}', NULL, NULL, '{2024-02-29,1999-01-01}', '{4,5}'); INSERT INTO t3 VALUES ('plain', '', NULL, '08:00:2b:01:02:03', '{"\\x0102"}', '<a>x</a>', NULL, '{2024-02-29,1999-01-01}', '{4,5}'); COMMIT;
UPDATE t1 SET c3 = '{1.50}' WHERE id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
UPDATE t3 SET c3 = '08:00:2b:01:02:03' WHERE id = 'q"uote\ back/';
DELETE FROM t3 WHERE id = 'zażółć 😀';
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2", "public.t3"], "type": "INCREMENTAL"}');
-- @wait
INSERT INTO sig VALUES ('s2', 'execute-snapshot', '{"data-collections": ["public.t1"]}');
