-- Random columns, modes and statements: datatype.propagate.source.type, decimal.handling.mode, provide.transaction.metadata, skipped.operations, table.exclude.list, transforms, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id uuid PRIMARY KEY, c1 bytea[], c2 char(3)[], c3 citext[]);
CREATE TABLE t2 (id integer PRIMARY KEY, c1 mood NOT NULL DEFAULT 'ok', c2 xml NOT NULL, c3 varchar(5)[] NOT NULL, c4 jsonb, c5 numeric, c6 emailt NOT NULL);
CREATE TABLE t3 (id boolean PRIMARY KEY, c1 numeric(30,10) DEFAULT 1, c2 timestamp, c3 text[] DEFAULT '{x,y}', c4 timestamp(3), c5 citext[] NOT NULL, c6 json[]);
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t2 VALUES (42, 'ok', '<a>x</a>', '{ab,c}', 'null', NULL, 'a@b.c');
INSERT INTO t2 VALUES (2147483647, 'sad', '<a>x</a>', '{ab,c}', NULL, -1.50, 'a@b.c');
