INSERT INTO t1 VALUES ('', NULL, '9999-12-31', 'infinity', NULL, NULL, '23:59:59.999999Z', NULL);
INSERT INTO t1 VALUES ('abc', '[5,50000000000)', '9999-12-31', '2024-02-29 12:34:56.123456', NULL, '', NULL, '{2024-02-29,1999-01-01}');
INSERT INTO t2 VALUES ('plain', '{2024-02-29 12:34:56.5+00}', 'a@b.c', '(1,x)', '{2024-02-29 12:34:56.5+00}', '<a>x</a>', '{101,000}', '{"\\x0102"}');
INSERT INTO t2 VALUES ('line
break	tab', NULL, 'a@b.c', '(1,x)', '{2024-02-29 12:34:56.5+00}', '<a>x</a>', NULL, NULL);
INSERT INTO t3 VALUES (2147483647, 'Top.Science', '1969-12-31 23:59:59.999999Z', '{a,abc}', 'ok', '{"[1,3)"}', '{A,b}', '{2024-02-29 12:34:56.5+00}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
INSERT INTO t3 VALUES (0, 'Top.Science', 'infinity', '{a,abc}', 'sad', '{"[1,3)"}', NULL, '{2024-02-29 12:34:56.5+00}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
UPDATE t1 SET c2 = '9999-12-31' WHERE id = 'abc';
UPDATE t3 SET c1 = 'Top.Science' WHERE id = 2147483647;
