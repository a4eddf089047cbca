-- Two columns that have one name after adjustment: an error, not an object with a member twice.
CREATE TABLE t (id int PRIMARY KEY, "a.b" int, "a-b" int);
INSERT INTO t VALUES (1,2,3);
