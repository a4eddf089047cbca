INSERT INTO t1 VALUES ('2024-02-29', '{2024-02-29 12:34:56.5+00}', 1e-45, '{"[1,3)"}', '{a,abc}');
INSERT INTO t1 VALUES ('9999-12-31', '{2024-02-29 12:34:56.5+00}', 'NaN', '{"[1,3)"}', '{a,abc}');
INSERT INTO t2 VALUES (-99999999.99, '{4,5}', '<a>x</a>', '{2024-02-29 12:34:56.123456}', '{"{\"a\": 1}",null}', 'a:1 b:2A', 'null', 'Top.Science');
INSERT INTO t2 VALUES (0, '{4,5}', '<a>x</a>', '{2024-02-29 12:34:56.123456}', '{"{\"a\": 1}",null}', '', NULL, 'Top.Science');
ALTER TABLE t1 ADD COLUMN x4 text DEFAULT 'added';
DELETE FROM t2 WHERE id = 0.01;
DELETE FROM t2 WHERE id = 1.5;
ALTER TABLE t1 ADD COLUMN x7 text DEFAULT 'added';
TRUNCATE t2;
