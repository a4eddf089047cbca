BEGIN; INSERT INTO t1 VALUES (true, '{1,NULL,3}', B'0', '{"\\x0102"}', '{1.5,2e10}', '[5,50000000000)', 123456789012345678901234567890.12, false); INSERT INTO t1 VALUES (false, NULL, B'1', '{"\\x0102"}', '{1.5,2e10}', '[5,50000000000)', 0, NULL); INSERT INTO t2 VALUES ('2024-02-29', '"k q"=>"v\"w"', '{A,b}', '23:59:59.999999', '1601-10-10', '[5,50000000000)', '(1,1),(0,0)', '{"[1,3)"}'); COMMIT;
BEGIN; INSERT INTO t2 VALUES ('1600-01-01', '"k q"=>"v\"w"', '{A,b}', '23:59:59.999999', '2024-02-29 12:34:56.123456', '[5,50000000000)', '(1,1),(0,0)', '{"[1,3)"}'); INSERT INTO t3 VALUES ('2024-02-29', '<a>x</a>', NULL, DEFAULT); COMMIT;
BEGIN; INSERT INTO t3 VALUES ('1600-01-01', '<a>x</a>', '{12:34:56+02}', DEFAULT); UPDATE t3 SET c2 = NULL WHERE id = '9999-12-31'; COMMIT;
BEGIN; DELETE FROM t2 WHERE id = '1600-01-01'; DELETE FROM t2 WHERE id = '2024-02-29'; COMMIT;
UPDATE t3 SET c2 = '{12:34:56+02}' WHERE id = '2024-02-29';
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2", "public.t3"]}');
-- @wait
INSERT INTO sig VALUES ('s2', 'execute-snapshot', '{"data-collections": ["public.t1"]}');
