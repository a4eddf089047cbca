-- Random columns, modes and statements: key.converter.schemas.enable, provide.transaction.metadata, unavailable.value.placeholder, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id integer PRIMARY KEY, c1 macaddr8, c2 cidr[] NOT NULL, c3 jsonb[] NOT NULL);
CREATE TABLE t2 (id text PRIMARY KEY, c1 box NOT NULL, c2 money2 NOT NULL DEFAULT 1.00, c3 timetz, c4 citext[], c5 varchar(20) DEFAULT 'vc', c6 point, c7 char(3)[], c8 json[]);
ALTER TABLE t2 REPLICA IDENTITY NOTHING;
CREATE TABLE t3 (id char(6) PRIMARY KEY, c1 numeric(5), c2 timestamptz, c3 bigint NOT NULL, c4 box, c5 pair, c6 tsvector NOT NULL, c7 int4multirange, c8 real[]);
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES (42, '08:00:2b:01:02:03:04:05', '{10.0.0.0/8}', '{"{\"a\": 1}"}');
INSERT INTO t2 VALUES ('q"uote\ back/', '(1,1),(0,0)', 12.34, NULL, NULL, '', NULL, '{a,abc}', '{"{\"a\": 1}",null}');
