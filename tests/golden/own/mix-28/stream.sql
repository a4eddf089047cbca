INSERT INTO t1 VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"\\x0102"}', '{a,abc}', NULL);
INSERT INTO t2 VALUES (0, DEFAULT, '<a>x</a>', '{ab,c}', NULL, NULL, 'a@b.c');
BEGIN; INSERT INTO t2 VALUES (-2147483648, 'ok', '<a>x</a>', '{ab,c}', NULL, NULL, 'a@b.c'); INSERT INTO t3 VALUES (false, DEFAULT, '1601-10-10', '{}', '2024-02-29 12:34:56.123', '{A,b}', '{"{\"a\": 1}",null}'); INSERT INTO t3 VALUES (true, 0, '9999-12-31 23:59:59.999', DEFAULT, '1969-12-31 23:59:59.999', '{A,b}', '{"{\"a\": 1}",null}'); UPDATE t2 SET c3 = '{ab,c}' WHERE id = 2147483647; COMMIT;
BEGIN; UPDATE t2 SET c2 = '<a>x</a>' WHERE id = 0; UPDATE t1 SET c1 = NULL WHERE id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'; UPDATE t1 SET c2 = NULL WHERE id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'; COMMIT;
BEGIN; UPDATE t2 SET c6 = 'a@b.c' WHERE id = 42; UPDATE t3 SET c2 = 'infinity' WHERE id = false; COMMIT;
