-- Random columns, modes and statements: column.mask.hash.v2.MD5.with.salt.abc, incremental.snapshot.chunk.size, money.fraction.digits, signal.data.collection, snapshot.fetch.size, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id boolean PRIMARY KEY, c1 integer[], c2 bit(1) DEFAULT B'1', c3 bytea[] NOT NULL, c4 real[], c5 int8range, c6 numeric NOT NULL, c7 boolean);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id date NOT NULL, c1 hstore, c2 citext[], c3 time, c4 timestamp, c5 int8range NOT NULL, c6 box NOT NULL, c7 int4range[]);
ALTER TABLE t2 REPLICA IDENTITY FULL;
CREATE TABLE t3 (id date PRIMARY KEY, c1 xml, c2 timetz[], c3 posint DEFAULT 9);
INSERT INTO t3 VALUES ('9999-12-31', '<a>x</a>', '{12:34:56+02}', 5);
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
