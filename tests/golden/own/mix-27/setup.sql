-- Random columns, modes and statements: incremental.snapshot.chunk.size, incremental.snapshot.watermarking.strategy, publication.autocreate.mode, signal.data.collection.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id varchar(20) PRIMARY KEY, c1 tsvector, c2 bigint[], c3 bit(1));
CREATE TABLE t2 (id text PRIMARY KEY, c1 timestamp, c2 jsonb[], c3 daterange, c4 citext NOT NULL);
ALTER TABLE t2 REPLICA IDENTITY FULL;
CREATE TABLE t3 (id date PRIMARY KEY, c1 jsonb DEFAULT '{"k":1}', c2 timetz[], c3 boolean DEFAULT false, c4 macaddr[], c5 date DEFAULT '2020-01-02', c6 double precision, c7 money NOT NULL DEFAULT '$5.00');
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t2 VALUES ('zażółć 😀', '-infinity', '{"{\"a\": 1}"}', NULL, 'MiXed');
INSERT INTO t2 VALUES ('', NULL, '{"{\"a\": 1}"}', '[2020-01-01,2020-02-01)', 'MiXed');
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
