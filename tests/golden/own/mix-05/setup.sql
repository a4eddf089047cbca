-- Random columns, modes and statements: decimal.handling.mode, schema.name.adjustment.mode, transforms, value.converter.decimal.format.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id integer PRIMARY KEY, c1 bytea NOT NULL DEFAULT '\x0102', c2 numeric(10,2) NOT NULL, c3 "char" DEFAULT 'z', c4 money2, c5 point DEFAULT '(1,2)', c6 macaddr8 NOT NULL, c7 macaddr8, c8 cidr);
CREATE TABLE t2 (id boolean PRIMARY KEY, c1 varchar(5)[] NOT NULL, c2 timestamp[] NOT NULL, c3 timestamp[] NOT NULL, c4 hstore DEFAULT 'd=>1', c5 hstore, c6 bytea[]);
CREATE TABLE t3 (id boolean NOT NULL, c1 numeric(10,2)[], c2 bit(1) NOT NULL DEFAULT B'1', c3 timetz[], c4 citext[], c5 posint[]);
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES (42, '\x00ff10', 1.5, DEFAULT, 0, '(1.5,-2)', '08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03:04:05', NULL);
INSERT INTO t1 VALUES (0, DEFAULT, 1.5, '', 0, '(1.5,-2)', '08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03:04:05', '10.0.0.0/8');
