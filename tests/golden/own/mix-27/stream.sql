BEGIN; INSERT INTO t1 VALUES ('ąę', '', NULL, NULL); INSERT INTO t1 VALUES ('abc', NULL, '{1,2}', B'1'); COMMIT;
INSERT INTO t2 VALUES ('plain', '-infinity', '{"{\"a\": 1}"}', NULL, 'MiXed');
INSERT INTO t2 VALUES ('line
break	tab', '1969-12-31 23:59:59.999999', '{"{\"a\": 1}"}', NULL, 'MiXed');
BEGIN; INSERT INTO t3 VALUES ('9999-12-31', '[]', NULL, false, NULL, DEFAULT, 123456789.125, '0'); INSERT INTO t3 VALUES ('1970-01-01', 'null', '{12:34:56+02}', true, NULL, '2024-02-29', NULL, '$1,234.56'); COMMIT;
ALTER TABLE t2 ADD COLUMN x6 text DEFAULT 'added';
UPDATE t3 SET c1 = '[]' WHERE id = '9999-12-31';
UPDATE t1 SET c1 = '' WHERE id = 'ąę';
UPDATE t2 SET id = ' ' WHERE id = 'line
break	tab';
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2", "public.t3"], "type": "INCREMENTAL"}');
-- @wait
