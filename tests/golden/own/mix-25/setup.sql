-- Random columns, modes and statements: column.exclude.list, incremental.snapshot.chunk.size, publication.autocreate.mode, signal.data.collection, snapshot.mode, time.precision.mode, transforms, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id char(6) PRIMARY KEY, c1 timetz[], c2 varchar(5)[], c3 numeric(10,2) DEFAULT 3.10);
ALTER TABLE t1 REPLICA IDENTITY FULL;
CREATE TABLE t2 (id varchar(20) PRIMARY KEY, c1 numeric(30,10) DEFAULT 1, c2 mood, c3 double precision DEFAULT 2.5);
ALTER TABLE t2 REPLICA IDENTITY FULL;
INSERT INTO t2 VALUES ('', -12345678901234567890.0123456789, 'sad', 'NaN');
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
