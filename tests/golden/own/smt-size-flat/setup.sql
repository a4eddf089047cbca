-- EnforceRecordSize leaves flattened records alone.
CREATE TABLE sz (id int PRIMARY KEY, a text);
INSERT INTO sz VALUES (1, repeat('a', 9000));
