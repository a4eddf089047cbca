-- Random columns, modes and statements: column.exclude.list, column.propagate.source.type, unavailable.value.placeholder, value.converter.replace.null.with.default, value.converter.schemas.enable.
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TYPE mood AS ENUM ('sad','ok','happy'); CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE DOMAIN emailt AS varchar(30); CREATE DOMAIN money2 AS numeric(12,2); CREATE TYPE pair AS (a int, b text);
CREATE TABLE t1 (id bigint PRIMARY KEY, c1 regclass, c2 numeric[], c3 smallint);
CREATE TABLE t2 (id bigint PRIMARY KEY, c1 numeric(10,2), c2 text[], c3 bit(70) NOT NULL, c4 bit(8) NOT NULL DEFAULT B'00000001', c5 bit varying);
INSERT INTO t1 VALUES (0, NULL, NULL, -32768);
INSERT INTO t2 VALUES (-9223372036854775808, 0, '{}', B'1010101010101010101010101010101010101010101010101010101010101010101010', B'00000000', B'');
INSERT INTO t2 VALUES (0, 0, '{a,NULL,"NULL","q\"x","c,d",""}', B'1010101010101010101010101010101010101010101010101010101010101010101010', DEFAULT, B'');
