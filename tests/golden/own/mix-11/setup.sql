-- Random columns, modes and statements: column.include.list, column.mask.hash.v2.MD5.with.salt.abc, decimal.handling.mode, field.name.adjustment.mode, transforms.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id timestamptz PRIMARY KEY, c1 interval DEFAULT '1 day 02:00', c2 tsvector NOT NULL, c3 macaddr[], c4 xid, c5 posint[], c6 emailt NOT NULL DEFAULT 'd@e.f', c7 varchar(5)[], c8 uuid DEFAULT '00000000-0000-0000-0000-000000000001');
ALTER TABLE t1 REPLICA IDENTITY NOTHING;
CREATE TABLE t2 (id text PRIMARY KEY, c1 money2 NOT NULL, c2 pair, c3 int8range, c4 char(3)[], c5 time(3) DEFAULT '12:00', c6 timestamp(3));
ALTER TABLE t2 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES ('-infinity', '-00:00:00.000001', 'a:1 b:2A', '{08:00:2b:01:02:03}', '77', NULL, 'a@b.c', NULL, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
INSERT INTO t1 VALUES ('infinity', '-00:00:00.000001', 'a:1 b:2A', NULL, NULL, '{4,5}', 'a@b.c', '{ab,c}', DEFAULT);
INSERT INTO t2 VALUES ('', 0, '(1,x)', NULL, '{a,abc}', '12:34:56.7', '1969-12-31 23:59:59.999');
INSERT INTO t2 VALUES ('plain', 12.34, '(1,x)', '[5,50000000000)', '{a,abc}', NULL, 'infinity');
