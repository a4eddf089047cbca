-- Random columns, modes and statements: include.unknown.datatypes, skip.messages.without.change, transforms, value.converter.decimal.format, value.converter.replace.null.with.default.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id text PRIMARY KEY, c1 numeric(5) NOT NULL, c2 pg_lsn NOT NULL, c3 bytea NOT NULL, c4 inet[], c5 text[], c6 numeric(5) DEFAULT 12, c7 mood DEFAULT 'ok', c8 numeric(10,2));
CREATE TABLE t2 (id smallint PRIMARY KEY, c1 date NOT NULL, c2 varchar(20) DEFAULT 'vc', c3 posint DEFAULT 9, c4 mood);
CREATE TABLE t3 (id uuid NOT NULL, c1 inet[], c2 timestamp(3), c3 tsrange NOT NULL, c4 timestamp(0), c5 varchar(20));
ALTER TABLE t3 REPLICA IDENTITY FULL;
