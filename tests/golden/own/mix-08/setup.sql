-- Random columns, modes and statements: column.exclude.list, column.truncate.to.4.chars, provide.transaction.metadata, schema.name.adjustment.mode, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id varchar(20) PRIMARY KEY, c1 int8range, c2 date NOT NULL, c3 timestamp NOT NULL, c4 tsrange, c5 char(6), c6 timetz, c7 date[]);
CREATE TABLE t2 (id text PRIMARY KEY, c1 timestamptz[], c2 emailt DEFAULT 'd@e.f', c3 pair NOT NULL, c4 timestamptz[], c5 xml, c6 bit(3)[], c7 bytea[]);
ALTER TABLE t2 REPLICA IDENTITY FULL;
CREATE TABLE t3 (id integer PRIMARY KEY, c1 ltree NOT NULL, c2 timestamptz NOT NULL, c3 char(3)[] NOT NULL, c4 mood NOT NULL, c5 int4range[], c6 citext[], c7 timestamptz[], c8 uuid NOT NULL);
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t2 VALUES ('zażółć 😀', '{2024-02-29 12:34:56.5+00}', NULL, '(1,x)', NULL, NULL, '{101,000}', '{"\\x0102"}');
INSERT INTO t2 VALUES ('q"uote\ back/', '{2024-02-29 12:34:56.5+00}', 'a@b.c', '(1,x)', '{2024-02-29 12:34:56.5+00}', '<a>x</a>', NULL, '{"\\x0102"}');
INSERT INTO t3 VALUES (-2147483648, 'Top.Science', '-infinity', '{a,abc}', 'ok', NULL, NULL, '{2024-02-29 12:34:56.5+00}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
INSERT INTO t3 VALUES (42, 'Top.Science', '2024-02-29 12:34:56.123456+05', '{a,abc}', 'ok', '{"[1,3)"}', '{A,b}', '{2024-02-29 12:34:56.5+00}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
