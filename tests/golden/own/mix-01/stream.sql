INSERT INTO t1 VALUES (2147483647, NULL, '{10.0.0.0/8}', '{"{\"a\": 1}"}');
INSERT INTO t1 VALUES (0, '08:00:2b:01:02:03:04:05', '{10.0.0.0/8}', '{"{\"a\": 1}"}');
INSERT INTO t2 VALUES (' ', '(1,1),(0,0)', 0, '12:34:56.789+02', '{A,b}', DEFAULT, '(1e300,NaN)', '{a,abc}', '{"{\"a\": 1}",null}');
INSERT INTO t2 VALUES ('', '(1,1),(0,0)', 12.34, '23:59:59.999999Z', NULL, 'ąę', '(1e300,NaN)', '{a,abc}', '{"{\"a\": 1}",null}');
INSERT INTO t3 VALUES ('abcdef', NULL, '0044-03-15 10:00Z BC', 9223372036854775807, '(1,1),(0,0)', '(1,x)', '', '{[1,3),[5,7)}', '{1.5,NaN}');
INSERT INTO t3 VALUES ('', NULL, '2024-02-29 12:34:56.123456+05', 0, NULL, '(1,x)', 'a:1 b:2A', NULL, '{1.5,NaN}');
UPDATE t3 SET id = 'ab' WHERE id = '';
DELETE FROM t3 WHERE id = 'abcdef';
