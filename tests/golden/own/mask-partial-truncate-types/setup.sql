-- Truncation of defaults in after and before, by type.
CREATE TYPE mood AS ENUM ('ok','sad');
CREATE TABLE mp (id int PRIMARY KEY, a char(4) NOT NULL DEFAULT 'abcd', b varchar(40) NOT NULL DEFAULT 'dflt', m mood NOT NULL DEFAULT 'sad', u uuid NOT NULL DEFAULT '12345678-0000-0000-0000-000000000001', bb bytea NOT NULL DEFAULT '\x01020304', n int NOT NULL DEFAULT 5, nul text, x xml NOT NULL DEFAULT '<abc/>', ar text[] NOT NULL DEFAULT '{abc}', j jsonb NOT NULL DEFAULT '{"abc": 1}', t text NOT NULL DEFAULT 'it is long', bt bit(8) NOT NULL DEFAULT B'10101010', ts timestamptz NOT NULL DEFAULT '2020-01-01 00:00:00+00', tz timetz NOT NULL DEFAULT '10:00:00+00', h inet NOT NULL DEFAULT '10.0.0.1');
INSERT INTO mp (id) VALUES (1);
