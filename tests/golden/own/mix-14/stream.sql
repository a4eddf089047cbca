INSERT INTO t1 VALUES ('2024-02-29', '\xdeadbeef0102030405', '', '10.1.2.3', 123456789012345678901234567890.12);
INSERT INTO t1 VALUES ('1970-01-01', DEFAULT, '"k q"=>"v\"w"', '::1/128', 1000000);
INSERT INTO t2 VALUES ('', '{"{\"a\": 1}",null}', '{a,NULL,"NULL","q\"x","c,d",""}', NULL);
INSERT INTO t2 VALUES ('zażółć 😀', '{"{\"a\": 1}",null}', '{a,NULL,"NULL","q\"x","c,d",""}', '{"a": 1,  "b":[1,2]}');
INSERT INTO t3 VALUES ('abc', '{1 day,02:00}', NULL, '{101,000}', B'0', '{A,b}', '[]', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', '(1,x)');
INSERT INTO t3 VALUES ('ąę', '{1 day,02:00}', '(,)', '{101,000}', B'0', '{A,b}', '[]', NULL, '(1,x)');
ALTER TABLE t3 ADD COLUMN x6 text DEFAULT 'added';
UPDATE t3 SET c3 = NULL WHERE id = 'ąę';
