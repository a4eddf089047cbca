-- Random columns, modes and statements: incremental.snapshot.chunk.size, notification.enabled.channels, notification.sink.topic.name, signal.data.collection, table.exclude.list, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id numeric(10,2) PRIMARY KEY, c1 varchar(20) DEFAULT 'vc', c2 "char", c3 "char", c4 point NOT NULL, c5 integer[] NOT NULL, c6 int4multirange, c7 mood, c8 bigint[] NOT NULL);
ALTER TABLE t1 REPLICA IDENTITY NOTHING;
CREATE TABLE t2 (id uuid PRIMARY KEY, c1 double precision[], c2 oid, c3 citext, c4 tsrange NOT NULL);
ALTER TABLE t2 REPLICA IDENTITY NOTHING;
CREATE TABLE t3 (id timestamptz NOT NULL, c1 uuid[], c2 timestamp DEFAULT '2020-01-02 03:04:05.6', c3 bit varying NOT NULL, c4 "char");
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES (0, NULL, 'a', NULL, '(1e300,NaN)', '[2:3]={7,8}', '{[1,3),[5,7)}', 'sad', '{1,2}');
INSERT INTO t3 VALUES ('-infinity', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', 'infinity', B'1011', 'a');
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
