-- Random columns, modes and statements: binary.handling.mode, incremental.snapshot.chunk.size, incremental.snapshot.watermarking.strategy, notification.enabled.channels, notification.sink.topic.name, signal.data.collection, snapshot.mode.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id varchar(20) PRIMARY KEY, c1 time(0), c2 time[], c3 timetz[], c4 timestamptz, c5 uuid[], c6 hstore, c7 smallint[] NOT NULL, c8 bit varying(5));
CREATE TABLE t2 (id bigint PRIMARY KEY, c1 daterange NOT NULL, c2 emailt, c3 mood[], c4 time(0), c5 smallint, c6 numeric(10,2));
INSERT INTO t1 VALUES ('', NULL, '{12:34:56.5}', '{12:34:56+02}', 'infinity', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', 'a=>1, b=>NULL', '{1}', B'101');
INSERT INTO t1 VALUES ('abc', '01:02:03', '{12:34:56.5}', '{12:34:56+02}', NULL, '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', '', '{1}', B'101');
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
