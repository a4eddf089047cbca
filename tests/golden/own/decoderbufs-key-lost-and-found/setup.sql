-- decoderbufs: a primary key is dropped (identity FULL), given to a table without, and becomes one of two columns; a unique index comes and goes.
ALTER SYSTEM SET autovacuum = off;  -- decoderbufs sends its empty transactions too, they move sequence
SELECT pg_reload_conf();
CREATE TABLE loses (id int PRIMARY KEY, v text NOT NULL); ALTER TABLE loses REPLICA IDENTITY FULL;
CREATE TABLE gains (id int NOT NULL, v text NOT NULL); ALTER TABLE gains REPLICA IDENTITY FULL;
CREATE TABLE grows (a int NOT NULL, b int NOT NULL, v text, CONSTRAINT grows_pkey PRIMARY KEY (a)); ALTER TABLE grows REPLICA IDENTITY FULL;
INSERT INTO loses VALUES (1, 'a'); INSERT INTO gains VALUES (1, 'a'); INSERT INTO grows VALUES (1, 1, 'a');
