INSERT INTO t1 VALUES (false, '{08:00:2b:01:02:03}', 'ab', NULL, 42, '{0.1,1e21}', '<a>x</a>');
INSERT INTO t2 VALUES ('2024-02-29', '{1.5,NaN}', '{sad,ok}', NULL);
INSERT INTO t2 VALUES ('1970-01-01', '{1.5,NaN}', NULL, '[1.5,2.5]');
INSERT INTO t3 VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', DEFAULT, '{a,NULL,"NULL","q\"x","c,d",""}', '{"[1,3)"}', DEFAULT, NULL, NULL, '{1.5,NaN}', NULL);
DELETE FROM t3 WHERE id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
UPDATE t1 SET c5 = '{0.1,1e21}' WHERE id = true;
UPDATE t1 SET c4 = -2147483648 WHERE id = true;
UPDATE t2 SET c3 = '[1.5,2.5]' WHERE id = '2024-02-29';
