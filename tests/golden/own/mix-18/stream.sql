INSERT INTO t1 VALUES (-99999999.99, '77', NULL, '16/B374D848', 1e308, '{}', 'q"uote\ back/', '{A,b}', NULL);
BEGIN; INSERT INTO t1 VALUES (1.5, '77', NULL, '16/B374D848', 1.5, '{1,2}', ' ', NULL, '{08:00:2b:01:02:03}'); INSERT INTO t2 VALUES (0, '[5,50000000000)', '1900-01-01', '{0.1,1e21}', '{t,f,NULL}', NULL, '2024-02-29 12:34:56', '{1.5,-2.25,NULL}', '[2020-01-01Z,2020-01-02Z)'); INSERT INTO t3 VALUES (-32768, '', '{08:00:2b:01:02:03}', '(0,0)', 1e7, NULL); INSERT INTO t3 VALUES (32767, 'ab', '{08:00:2b:01:02:03}', '(1.5,-2)', NULL, B''); UPDATE t1 SET c7 = NULL WHERE id = -99999999.99; COMMIT;
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2", "public.t3"], "type": "INCREMENTAL"}');
-- @wait
INSERT INTO sig VALUES ('s2', 'execute-snapshot', '{"data-collections": ["public.t1"]}');
