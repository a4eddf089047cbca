-- Random columns, modes and statements: hstore.handling.mode, provide.transaction.metadata, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id date PRIMARY KEY, c1 timestamptz[], c2 real NOT NULL, c3 int4range[] NOT NULL, c4 char(3)[]);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id numeric(10,2) NOT NULL, c1 posint[], c2 xml, c3 timestamp[], c4 json[] NOT NULL, c5 tsvector NOT NULL, c6 json, c7 ltree);
ALTER TABLE t2 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES ('1600-01-01', NULL, 1.5, '{"[1,3)"}', NULL);
INSERT INTO t1 VALUES ('1970-01-01', '{2024-02-29 12:34:56.5+00}', 0.1, '{"[1,3)"}', '{a,abc}');
INSERT INTO t2 VALUES (1.5, NULL, NULL, '{2024-02-29 12:34:56.123456}', '{"{\"a\": 1}",null}', '', '"s"', NULL);
INSERT INTO t2 VALUES (0.01, NULL, NULL, '{2024-02-29 12:34:56.123456}', '{"{\"a\": 1}",null}', 'a:1 b:2A', NULL, 'Top.Science');
