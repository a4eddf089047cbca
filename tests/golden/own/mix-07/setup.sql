-- Random columns, modes and statements: provide.transaction.metadata, skipped.operations, snapshot.mode, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id uuid PRIMARY KEY, c1 numeric(10,2) DEFAULT 3.10, c2 xid NOT NULL, c3 numeric(10,2)[] NOT NULL, c4 jsonb DEFAULT '{"k":1}', c5 bytea NOT NULL, c6 numeric(10,2), c7 xid, c8 inet[]);
CREATE TABLE t2 (id varchar(20) PRIMARY KEY, c1 real, c2 xid, c3 json[], c4 integer, c5 int4multirange, c6 box NOT NULL);
CREATE TABLE t3 (id boolean NOT NULL, c1 xml, c2 interval NOT NULL, c3 numeric(10,2)[], c4 boolean[], c5 jsonb);
ALTER TABLE t3 REPLICA IDENTITY FULL;
