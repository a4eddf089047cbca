-- Random columns, modes and statements: provide.transaction.metadata, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id date PRIMARY KEY, c1 bytea DEFAULT '\x0102', c2 hstore, c3 inet NOT NULL, c4 numeric);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id text PRIMARY KEY, c1 json[] NOT NULL, c2 text[], c3 json);
CREATE TABLE t3 (id varchar(20) PRIMARY KEY, c1 interval[], c2 tstzrange, c3 bit(3)[], c4 bit(1) NOT NULL, c5 citext[] NOT NULL, c6 jsonb NOT NULL DEFAULT '{"k":1}', c7 uuid[], c8 pair);
ALTER TABLE t3 REPLICA IDENTITY FULL;
INSERT INTO t1 VALUES ('9999-12-31', '\xdeadbeef0102030405', '', '192.168.0.0/24', 1);
INSERT INTO t1 VALUES ('1600-01-01', DEFAULT, '"k q"=>"v\"w"', '10.1.2.3', NULL);
INSERT INTO t3 VALUES ('', '{1 day,02:00}', '(,)', '{101,000}', B'1', '{A,b}', '[]', NULL, NULL);
