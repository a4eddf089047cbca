-- Random columns, modes and statements: binary.handling.mode, field.name.adjustment.mode, provide.transaction.metadata.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id boolean PRIMARY KEY, c1 macaddr[] NOT NULL, c2 char(6) NOT NULL, c3 ltree, c4 integer, c5 double precision[], c6 xml);
CREATE TABLE t2 (id date NOT NULL, c1 real[], c2 mood[], c3 numrange);
ALTER TABLE t2 REPLICA IDENTITY FULL;
CREATE TABLE t3 (id uuid PRIMARY KEY, c1 double precision NOT NULL DEFAULT '-Infinity', c2 text[] DEFAULT '{x,y}', c3 int4range[], c4 interval DEFAULT '1 day 02:00', c5 timetz[], c6 inet, c7 real[], c8 tstzrange);
INSERT INTO t1 VALUES (true, '{08:00:2b:01:02:03}', '', 'Top.Science', 2147483647, '{0.1,1e21}', '<a>x</a>');
