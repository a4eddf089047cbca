-- A key column that is nullable and has a default: NULL in the key and in the headers of a key change, each by its own converter's rule.
CREATE TABLE h (code text DEFAULT 'none', v int); CREATE UNIQUE INDEX h_code ON h (code); ALTER TABLE h REPLICA IDENTITY FULL;
INSERT INTO h VALUES (NULL, 1);
