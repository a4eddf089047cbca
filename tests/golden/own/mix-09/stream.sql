INSERT INTO t1 VALUES ('12024-01-01Z', '{"\\x0102"}', '[1.5,2.5]', 'Top.Science', '\x', NULL, '10.0.0.0/8', '{"{\"a\": 1}",null}', 1);
INSERT INTO t1 VALUES ('-infinity', '{"\\x0102"}', '[1.5,2.5]', 'Top.Science', NULL, false, NULL, '{"{\"a\": 1}",null}', 4294967295);
INSERT INTO t2 VALUES (-32768, NULL, 0, '08:00:2b:01:02:03:04:05', '{"{\"a\": 1}"}', '{1,2}', NULL);
INSERT INTO t2 VALUES (7, false, 2147483647, NULL, '{"{\"a\": 1}"}', '{1,2}', '[5,50000000000)');
UPDATE t2 SET c3 = NULL WHERE id = -32768;
UPDATE t1 SET c6 = NULL WHERE id = '-infinity';
ALTER TABLE t2 ADD COLUMN x6 text DEFAULT 'added';
UPDATE t1 SET c6 = NULL WHERE id = '12024-01-01Z';
