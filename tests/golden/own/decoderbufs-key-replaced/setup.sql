-- decoderbufs: the primary key is replaced by other columns, the new one nullable before (seen by its optionality) and not.
ALTER SYSTEM SET autovacuum = off;  -- decoderbufs sends its empty transactions too, they move sequence
SELECT pg_reload_conf();
CREATE TABLE seen (id int PRIMARY KEY, code text, v int);
CREATE TABLE quiet (id int PRIMARY KEY, code text NOT NULL, v int);
INSERT INTO seen VALUES (1, 'a', 1); INSERT INTO quiet VALUES (1, 'a', 1);
