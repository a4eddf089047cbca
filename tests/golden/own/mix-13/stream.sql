INSERT INTO t1 VALUES (42, '{4,5}', 'a@b.c', '{A,b}', NULL, 100000, NULL, NULL, '{2024-02-29 12:34:56.123456}');
INSERT INTO t1 VALUES (0, '{4,5}', 'a@b.c', '{A,b}', 'abcdef', 1.5, '[1.5,2.5]', NULL, '{2024-02-29 12:34:56.123456}');
INSERT INTO t2 VALUES ('ąę', '(,)', false, '-Infinity', '{08:00:2b:01:02:03}', '{A,b}');
UPDATE t2 SET c5 = NULL WHERE id = '';
DELETE FROM t2 WHERE id = 'ąę';
UPDATE t2 SET c3 = 0.1 WHERE id = 'abc';
DELETE FROM t1 WHERE id = -2147483648;
UPDATE t2 SET c4 = '{08:00:2b:01:02:03}' WHERE id = 'abc';
