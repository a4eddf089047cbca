-- Random columns, modes and statements: decimal.handling.mode, provide.transaction.metadata, schema.name.adjustment.mode, time.precision.mode, unavailable.value.placeholder.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id timestamptz PRIMARY KEY, c1 bit(1), c2 daterange NOT NULL, c3 uuid);
CREATE TABLE t2 (id char(6) PRIMARY KEY, c1 bit(3)[], c2 daterange NOT NULL, c3 xml, c4 uuid[]);
ALTER TABLE t2 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES ('infinity', B'1', '[2020-01-01,2020-02-01)', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
INSERT INTO t1 VALUES ('-infinity', B'0', '[2020-01-01,2020-02-01)', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11');
INSERT INTO t2 VALUES ('abcdef', NULL, '[2020-01-01,2020-02-01)', '<a>x</a>', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}');
