-- decoderbufs: columns come, go and are renamed mid-stream, the key's too, in front and at the end, with an event of each kind after each.
ALTER SYSTEM SET autovacuum = off;  -- decoderbufs sends its empty transactions too, they move sequence
SELECT pg_reload_conf();
CREATE TABLE c (gone int, id int PRIMARY KEY, a text NOT NULL DEFAULT 'dd', z int);
INSERT INTO c VALUES (0, 1, 'x', 1); INSERT INTO c VALUES (0, 2, 'y', 2); INSERT INTO c VALUES (0, 3, 'y', 2);
