INSERT INTO t1 VALUES ('ąę', 123456789012345678901234567890.12, 0, '{1.5,100}');
BEGIN; INSERT INTO t1 VALUES ('abc', 0.00, 9223372036854775807, '{1.5,100}'); INSERT INTO t2 VALUES (0, NULL, NULL, 0, NULL, '{1 day,02:00}', NULL, DEFAULT, '{"{\"a\": 1}"}'); INSERT INTO t2 VALUES (-99999999.99, '{1 day,02:00}', '{"[1,3)"}', 12.34, '[5,50000000000)', '{1 day,02:00}', NULL, '', '{"{\"a\": 1}"}'); COMMIT;
INSERT INTO t3 VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 123456789012345678901234567890.12, '77', '{10.0.0.1,::1}', '(1,x)', 'MiXed', NULL, NULL);
DELETE FROM t3 WHERE id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
ALTER TABLE t2 ADD COLUMN x6 text DEFAULT 'added';
ALTER TABLE t1 ADD COLUMN x7 text DEFAULT 'added';
ALTER TABLE t1 ADD COLUMN x8 text DEFAULT 'added';
-- @wait
INSERT INTO sig VALUES ('s1', 'execute-snapshot', '{"data-collections": ["public.t1", "public.t2", "public.t3"], "type": "INCREMENTAL"}');
-- @wait
INSERT INTO sig VALUES ('s2', 'execute-snapshot', '{"data-collections": ["public.t1"]}');
