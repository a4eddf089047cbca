INSERT INTO t1 VALUES ('ab', '{12:34:56+02}', '{ab,c}', NULL);
INSERT INTO t1 VALUES ('', '{12:34:56+02}', NULL, 0.01);
INSERT INTO t2 VALUES ('abc', 0, NULL, 1e308);
INSERT INTO t2 VALUES ('ąę', 1.5, 'sad', 'NaN');
ALTER TABLE t1 ADD COLUMN x4 text DEFAULT 'added';
ALTER TABLE t2 ADD COLUMN x5 text DEFAULT 'added';
BEGIN; DELETE FROM t2 WHERE id = 'ąę'; UPDATE t2 SET x5 = 'q"uote\ back/' WHERE id = 'abc'; COMMIT;
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2"], "type": "INCREMENTAL"}');
-- @wait
INSERT INTO sig VALUES ('s2', 'execute-snapshot', '{"data-collections": ["public.t1"]}');
