-- Random columns, modes and statements: incremental.snapshot.chunk.size, incremental.snapshot.watermarking.strategy, key.converter.schemas.enable, signal.data.collection, snapshot.mode, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id smallint PRIMARY KEY, c1 daterange NOT NULL, c2 double precision, c3 int8range NOT NULL, c4 box, c5 "char" NOT NULL DEFAULT 'z', c6 date[]);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id numeric(10,2) PRIMARY KEY, c1 bit(3)[], c2 char(6), c3 posint DEFAULT 9, c4 numeric(10,2)[], c5 int8range, c6 timestamptz, c7 time(0), c8 timestamp[]);
ALTER TABLE t2 REPLICA IDENTITY NOTHING;
CREATE TABLE t3 (id varchar(20) PRIMARY KEY, c1 uuid NOT NULL, c2 bit varying(5) DEFAULT B'11', c3 real[], c4 bigint[], c5 tsvector NOT NULL);
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
