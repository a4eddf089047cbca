-- Random columns, modes and statements: field.name.adjustment.mode, incremental.snapshot.chunk.size, notification.enabled.channels, notification.sink.topic.name, signal.data.collection, snapshot.mode, table.exclude.list.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id varchar(20) PRIMARY KEY, c1 numeric, c2 bigint DEFAULT 9000000000, c3 numeric[] NOT NULL);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id numeric(10,2) PRIMARY KEY, c1 interval[], c2 int4range[], c3 money2 DEFAULT 1.00, c4 int8range, c5 interval[], c6 date[], c7 hstore NOT NULL DEFAULT 'd=>1', c8 jsonb[] NOT NULL);
ALTER TABLE t2 REPLICA IDENTITY FULL;
CREATE TABLE t3 (id uuid PRIMARY KEY, c1 numeric NOT NULL DEFAULT 1.25, c2 xid, c3 inet[], c4 pair NOT NULL, c5 citext DEFAULT 'Def', c6 int4multirange, c7 bit(3)[]);
INSERT INTO t1 VALUES ('', NULL, DEFAULT, '{1.5,100}');
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
