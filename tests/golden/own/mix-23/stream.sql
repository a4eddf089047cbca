BEGIN; INSERT INTO t1 VALUES ('1600-01-01', '{1}', NULL, '12:34:56.7', B'', '[2020-01-01Z,2020-01-02Z)', '{}', '2024-02-29 12:34:56'); INSERT INTO t1 VALUES ('1970-01-01', NULL, ' ', '12:34:56.7', B'', '[2020-01-01Z,2020-01-02Z)', '{1.5,-2.25,NULL}', '2024-02-29 12:34:56'); INSERT INTO t2 VALUES (9223372036854775807, '<a>x</a>', '{"(1,2)"}', '{1,2}', '{1}', NULL, '12024-01-01Z', B''); INSERT INTO t2 VALUES (0, '<a>x</a>', '{"(1,2)"}', '{1,2}', '{1}', NULL, '-infinity', B''); INSERT INTO t3 VALUES ('line
break	tab', 'Top.Science', '{1}', '{[1,3),[5,7)}', 32767, '23:59:59.999999'); COMMIT;
BEGIN; INSERT INTO t3 VALUES ('', 'Top.Science', '{1}', '{[1,3),[5,7)}', -32768, '00:00'); UPDATE t1 SET c2 = ' ' WHERE id = '1600-01-01'; TRUNCATE t1; UPDATE t3 SET c4 = 7 WHERE id = ''; UPDATE t3 SET c5 = NULL WHERE id = ''; COMMIT;
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2", "public.t3"], "type": "INCREMENTAL"}');
-- @wait
