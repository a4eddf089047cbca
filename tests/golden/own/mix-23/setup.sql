-- Random columns, modes and statements: column.mask.hash.v2.MD5.with.salt.abc, incremental.snapshot.chunk.size, key.converter.schemas.enable, notification.enabled.channels, notification.sink.topic.name, signal.data.collection, snapshot.mode.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id date PRIMARY KEY, c1 smallint[], c2 text, c3 time(3) NOT NULL, c4 bit varying NOT NULL, c5 tstzrange, c6 numeric(10,2)[], c7 timestamp(0) NOT NULL);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id bigint PRIMARY KEY, c1 xml, c2 point[] NOT NULL, c3 oid[], c4 smallint[] NOT NULL, c5 money, c6 timestamptz NOT NULL, c7 bit varying(5) DEFAULT B'11');
CREATE TABLE t3 (id text PRIMARY KEY, c1 ltree NOT NULL, c2 smallint[], c3 int4multirange, c4 smallint, c5 time DEFAULT '12:00');
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES ('9999-12-31', NULL, NULL, '23:59:59.999', B'1011', '(,)', NULL, '2024-02-29 12:34:56');
INSERT INTO t2 VALUES (-9223372036854775808, '<a>x</a>', '{"(1,2)"}', '{1,2}', '{1}', '0', '12024-01-01Z', DEFAULT);
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
