-- Random columns, modes and statements: datatype.propagate.source.type, hstore.handling.mode, incremental.snapshot.chunk.size, incremental.snapshot.watermarking.strategy, key.converter.schemas.enable, notification.enabled.channels, notification.sink.topic.name, schema.refresh.mode, signal.data.collection, snapshot.mode, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id bigint NOT NULL, c1 double precision[], c2 int4multirange, c3 text NOT NULL, c4 timestamp(0));
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id numeric(10,2) NOT NULL, c1 integer[] NOT NULL, c2 numeric, c3 bytea[], c4 oid DEFAULT 7, c5 oid, c6 bit varying, c7 tsvector);
ALTER TABLE t2 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES (0, NULL, NULL, 'line
break	tab', NULL);
INSERT INTO t2 VALUES (0.01, '{1,NULL,3}', 0, NULL, 4294967295, 1, B'1011', 'a:1 b:2A');
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
