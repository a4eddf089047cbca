-- Random columns, modes and statements: column.truncate.to.4.chars, hstore.handling.mode, provide.transaction.metadata, snapshot.mode, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id timestamptz PRIMARY KEY, c1 bytea[], c2 numrange, c3 ltree NOT NULL, c4 bytea, c5 boolean, c6 cidr, c7 json[] NOT NULL, c8 oid);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id smallint PRIMARY KEY, c1 boolean, c2 integer NOT NULL, c3 macaddr8, c4 jsonb[] NOT NULL, c5 oid[] NOT NULL, c6 int8range);
ALTER TABLE t2 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES ('1969-12-31 23:59:59.999999Z', '{"\\x0102"}', '[1.5,2.5]', 'Top.Science', '\xdeadbeef0102030405', true, '10.0.0.0/8', '{"{\"a\": 1}",null}', NULL);
INSERT INTO t2 VALUES (32767, true, 0, NULL, '{"{\"a\": 1}"}', '{1,2}', NULL);
