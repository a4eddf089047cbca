-- Random columns, modes and statements: binary.handling.mode, column.exclude.list, column.mask.hash.SHA-256.with.salt.CzQ, schema.name.adjustment.mode.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id timestamptz PRIMARY KEY, c1 jsonb, c2 integer, c3 macaddr8 NOT NULL, c4 real, c5 date[] NOT NULL, c6 money, c7 pg_lsn, c8 bytea[]);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id text PRIMARY KEY, c1 boolean[], c2 smallint, c3 bit(8) NOT NULL, c4 time(3), c5 inet);
CREATE TABLE t3 (id numeric(10,2) PRIMARY KEY, c1 xid NOT NULL, c2 numeric(10,2)[], c3 bit varying(5), c4 numeric(10,2), c5 bit(3)[], c6 mood NOT NULL);
