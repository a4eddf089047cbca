-- Truncation of defaults and fallbacks in a partial before: bytea, varchar, jsonb, uuid; a nullable column is left alone.
CREATE TABLE hp (id int PRIMARY KEY, b bytea NOT NULL DEFAULT '\x010203040506', v varchar(30) NOT NULL DEFAULT 'long default text', d text DEFAULT 'nullable default', j jsonb NOT NULL DEFAULT '{"a": "long default"}', u uuid NOT NULL);
INSERT INTO hp VALUES (1, '\x0a0b0c0d', 'b', NULL, '{"b": 1}', '00000000-0000-0000-0000-000000000001');
