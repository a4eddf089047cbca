-- Columns of types that no mask can hide: the mappers act in the order truncate, mask, propagate, hash; the first alone marks the schema.
CREATE TABLE mo (id int PRIMARY KEY, a int, b bit(8), c uuid[], d timestamptz, e bytea, f numeric(6,2), g jsonb, h date, i boolean);
INSERT INTO mo VALUES (1, 5, B'00000001', NULL, '2024-01-01Z', '\x01020304', 1.5, '{"a": 1}', '2024-01-01', true);
