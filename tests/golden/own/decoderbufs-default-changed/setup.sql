-- decoderbufs: defaults change mid-stream: alone (nobody notices), then with a column that comes.
ALTER SYSTEM SET autovacuum = off;  -- decoderbufs sends its empty transactions too, they move sequence
SELECT pg_reload_conf();
CREATE TABLE d (id int PRIMARY KEY, a text NOT NULL DEFAULT 'one', b int DEFAULT 1, c int NOT NULL);
INSERT INTO d VALUES (1, 'x', 1, 1);
