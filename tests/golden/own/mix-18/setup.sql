-- Random columns, modes and statements: column.mask.hash.SHA-256.with.salt.CzQ, column.truncate.to.4.chars, incremental.snapshot.chunk.size, key.converter.schemas.enable, notification.enabled.channels, notification.sink.topic.name, signal.data.collection, snapshot.mode.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id numeric(10,2) PRIMARY KEY, c1 xid, c2 integer, c3 pg_lsn, c4 double precision, c5 bigint[] NOT NULL, c6 text NOT NULL, c7 citext[], c8 macaddr[]);
CREATE TABLE t2 (id bigint PRIMARY KEY, c1 int8range, c2 timestamp(0), c3 double precision[], c4 boolean[] NOT NULL, c5 tsvector, c6 timestamp(0), c7 numeric(10,2)[], c8 tstzrange);
ALTER TABLE t2 REPLICA IDENTITY NOTHING;
CREATE TABLE t3 (id smallint PRIMARY KEY, c1 char(6) NOT NULL DEFAULT 'x', c2 macaddr[] NOT NULL, c3 point NOT NULL, c4 real, c5 bit varying(5));
ALTER TABLE t3 REPLICA IDENTITY NOTHING;
INSERT INTO t1 VALUES (0, '77', 0, '16/B374D848', 'Infinity', '{}', ' ', '{A,b}', '{08:00:2b:01:02:03}');
INSERT INTO t2 VALUES (-9223372036854775808, '[5,50000000000)', '1900-01-01', NULL, '{t,f,NULL}', 'a:1 b:2A', NULL, NULL, NULL);
INSERT INTO t2 VALUES (9223372036854775807, NULL, NULL, NULL, '{t,f,NULL}', 'a:1 b:2A', NULL, NULL, NULL);
INSERT INTO t3 VALUES (7, 'abcdef', '{08:00:2b:01:02:03}', '(1.5,-2)', NULL, B'101');
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
