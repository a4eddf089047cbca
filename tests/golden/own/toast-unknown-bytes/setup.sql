-- Unchanged TOAST in types without mapping, as bytes.
CREATE TYPE ct AS (a text, b int);
CREATE TABLE t (id int PRIMARY KEY, n int, a ct, b ct NOT NULL, c path);
ALTER TABLE t ALTER c SET STORAGE EXTERNAL;
INSERT INTO t SELECT 1, 1, ROW((SELECT string_agg(md5(g::text), '') FROM generate_series(1,300) g),1)::ct, ROW((SELECT string_agg(md5(g::text), '') FROM generate_series(1,300) g),1)::ct, ('('||(SELECT string_agg('('||g||',1)',',') FROM generate_series(1,400) g)||')')::path;
