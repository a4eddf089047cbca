-- Random columns, modes and statements: column.exclude.list, datatype.propagate.source.type, decimal.handling.mode, publication.autocreate.mode, skip.messages.without.change, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id integer PRIMARY KEY, c1 posint[], c2 emailt, c3 citext[], c4 char(6), c5 real, c6 numrange, c7 tsvector, c8 timestamp[]);
CREATE TABLE t2 (id varchar(20) NOT NULL, c1 tstzrange NOT NULL, c2 boolean, c3 real, c4 macaddr[], c5 citext[]);
ALTER TABLE t2 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES (2147483647, '{4,5}', NULL, '{A,b}', 'ab', NULL, '[1.5,2.5]', 'a:1 b:2A', '{2024-02-29 12:34:56.123456}');
INSERT INTO t1 VALUES (-2147483648, '{4,5}', 'a@b.c', '{A,b}', 'abcdef', 1e-45, NULL, 'a:1 b:2A', '{2024-02-29 12:34:56.123456}');
INSERT INTO t2 VALUES ('abc', '(,)', false, NULL, NULL, NULL);
INSERT INTO t2 VALUES ('', '(,)', false, 3.4e38, '{08:00:2b:01:02:03}', '{A,b}');
