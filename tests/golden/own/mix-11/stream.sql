INSERT INTO t1 VALUES ('2024-02-29 12:34:56.123456+05', DEFAULT, 'a:1 b:2A', '{08:00:2b:01:02:03}', '77', '{4,5}', 'a@b.c', '{ab,c}', DEFAULT);
INSERT INTO t1 VALUES ('12024-01-01Z', '1 mon -1 day', 'a:1 b:2A', '{08:00:2b:01:02:03}', NULL, '{4,5}', DEFAULT, NULL, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
INSERT INTO t2 VALUES ('zażółć 😀', 0, '(1,x)', '[5,50000000000)', '{a,abc}', DEFAULT, '1969-12-31 23:59:59.999');
INSERT INTO t2 VALUES (' ', 0, '(1,x)', '[5,50000000000)', '{a,abc}', DEFAULT, '2024-02-29 12:34:56.123');
DELETE FROM t2 WHERE id = 'plain';
