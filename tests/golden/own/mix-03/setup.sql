-- Random columns, modes and statements: column.propagate.source.type, provide.transaction.metadata, unavailable.value.placeholder, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id uuid PRIMARY KEY, c1 cidr, c2 int4range, c3 timetz[]);
ALTER TABLE t1 REPLICA IDENTITY NOTHING;
CREATE TABLE t2 (id uuid NOT NULL, c1 bigint, c2 interval[], c3 hstore, c4 cidr, c5 macaddr8);
ALTER TABLE t2 REPLICA IDENTITY FULL;
CREATE TABLE t3 (id bigint PRIMARY KEY, c1 varchar(5)[], c2 double precision[], c3 numeric DEFAULT 1.25, c4 varchar(5)[], c5 integer[] NOT NULL DEFAULT '{1,2}', c6 int4multirange NOT NULL);
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t3 VALUES (9223372036854775807, '{ab,c}', '{0.1,1e21}', NULL, NULL, DEFAULT, '{[1,3),[5,7)}');
INSERT INTO t3 VALUES (0, '{ab,c}', '{0.1,1e21}', 0, '{ab,c}', DEFAULT, '{[1,3),[5,7)}');
