-- Random columns, modes and statements: column.mask.hash.SHA-256.with.salt.CzQ, decimal.handling.mode, hstore.handling.mode, incremental.snapshot.chunk.size, interval.handling.mode, notification.enabled.channels, notification.sink.topic.name, signal.data.collection, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id uuid PRIMARY KEY, c1 real DEFAULT 0.5, c2 regclass, c3 money[], c4 xml NOT NULL, c5 ltree, c6 char(3)[], c7 varchar(5)[]);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id char(6) PRIMARY KEY, c1 hstore DEFAULT 'd=>1', c2 macaddr NOT NULL, c3 jsonb[], c4 int4range, c5 json DEFAULT '{}', c6 box, c7 real);
CREATE TABLE t3 (id text PRIMARY KEY, c1 char(6), c2 citext[], c3 macaddr NOT NULL, c4 bytea[] NOT NULL, c5 xml, c6 boolean, c7 date[], c8 posint[] NOT NULL);
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t3 VALUES ('zażółć 😀', 'ab', '{A,b}', '08:00:2b:01:02:03', '{"\\x0102"}', '<a>x</a>', true, '{2024-02-29,1999-01-01}', '{4,5}');
INSERT INTO t3 VALUES (' ', '', NULL, '08:00:2b:01:02:03', '{"\\x0102"}', NULL, true, '{2024-02-29,1999-01-01}', '{4,5}');
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
