-- A hash and a truncation over a value that the log does not carry.
CREATE TABLE mt (id int PRIMARY KEY, v int, b text NOT NULL, c text);
ALTER TABLE mt ALTER b SET STORAGE EXTERNAL, ALTER c SET STORAGE EXTERNAL;
INSERT INTO mt VALUES (1, 1, repeat('b', 3000), repeat('c', 3000));
