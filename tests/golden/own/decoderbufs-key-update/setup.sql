-- decoderbufs: the primary key's value changes: one column, two columns, identity FULL, identity of an index, no change of value; schemas of keys on.
ALTER SYSTEM SET autovacuum = off;  -- decoderbufs sends its empty transactions too, they move sequence
SELECT pg_reload_conf();
CREATE TABLE one (id int PRIMARY KEY, v text NOT NULL DEFAULT 'd', n int);
CREATE TABLE two (a text, b bigint, v text, PRIMARY KEY (b, a));
CREATE TABLE full_row (id int PRIMARY KEY, v text NOT NULL, n numeric(6,2)); ALTER TABLE full_row REPLICA IDENTITY FULL;
CREATE TABLE by_index (id int PRIMARY KEY, code varchar(5) NOT NULL, v text); CREATE UNIQUE INDEX by_index_code ON by_index (code);
ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_code;
CREATE TABLE keyless (a int, b text); ALTER TABLE keyless REPLICA IDENTITY FULL;
INSERT INTO one VALUES (1, 'x', 1); INSERT INTO two VALUES ('p', 1, 'x'); INSERT INTO full_row VALUES (1, 'x', 1.5); INSERT INTO by_index VALUES (1, 'c1', 'x'); INSERT INTO keyless VALUES (1, 'x');
