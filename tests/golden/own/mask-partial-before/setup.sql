-- A hash and a truncation act on what stands in for NOT NULL columns in a partial before.
CREATE TABLE hp (id int PRIMARY KEY, a text NOT NULL, b text NOT NULL DEFAULT 'long default text');
INSERT INTO hp VALUES (1, 'a', 'b');
