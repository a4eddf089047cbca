-- Hashes of fallbacks in a partial before, by type; the column length cuts the hash of the default.
CREATE TYPE mood AS ENUM ('ok','sad');
CREATE TABLE mp (id int PRIMARY KEY, a char(4) NOT NULL, b varchar(40) NOT NULL DEFAULT 'dflt', m mood NOT NULL, u uuid NOT NULL, bb bytea NOT NULL, n int NOT NULL DEFAULT 5, nul text, x xml NOT NULL, ar text[] NOT NULL, j jsonb NOT NULL, t text NOT NULL DEFAULT 'it is long');
INSERT INTO mp VALUES (1, 'a', 'b', 'ok', '00000000-0000-0000-0000-000000000001', '\x01', 1, NULL, '<a/>', '{}', '{}', 't');
