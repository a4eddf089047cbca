-- Random columns, modes and statements: column.include.list, flush.lsn.source, money.fraction.digits, skipped.operations, unavailable.value.placeholder, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id bigint PRIMARY KEY, c1 macaddr8 NOT NULL, c2 cidr, c3 timestamp(0), c4 varchar(5)[], c5 xid NOT NULL);
CREATE TABLE t2 (id integer PRIMARY KEY, c1 posint, c2 uuid[], c3 posint, c4 point[], c5 smallint NOT NULL, c6 macaddr);
INSERT INTO t1 VALUES (0, '08:00:2b:01:02:03:04:05', '10.0.0.0/8', '1900-01-01', NULL, '77');
INSERT INTO t2 VALUES (0, NULL, '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', NULL, '{"(1,2)"}', 32767, '08:00:2b:01:02:03');
