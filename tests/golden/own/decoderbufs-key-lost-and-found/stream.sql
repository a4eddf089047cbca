INSERT INTO loses VALUES (2, 'b'); INSERT INTO gains VALUES (2, 'b'); INSERT INTO grows VALUES (2, 2, 'b');
-- @wait
ALTER TABLE loses DROP CONSTRAINT loses_pkey;
ALTER TABLE gains ADD PRIMARY KEY (id);
ALTER TABLE grows DROP CONSTRAINT grows_pkey, ADD PRIMARY KEY (a, b);
-- @wait
INSERT INTO loses VALUES (3, 'c'); INSERT INTO gains VALUES (3, 'c'); INSERT INTO grows VALUES (3, 3, 'c');
UPDATE loses SET v = 'bb' WHERE id = 2; UPDATE gains SET v = 'bb' WHERE id = 2; UPDATE grows SET b = 22 WHERE b = 2;
DELETE FROM loses WHERE id = 1; DELETE FROM gains WHERE id = 1; DELETE FROM grows WHERE a = 1;
-- @wait
ALTER TABLE loses ADD COLUMN w int; ALTER TABLE gains ADD COLUMN w int; ALTER TABLE grows ADD COLUMN w int;
-- @wait
INSERT INTO loses VALUES (4, 'd', 4); INSERT INTO gains VALUES (4, 'd', 4); INSERT INTO grows VALUES (4, 4, 'd', 4);
DELETE FROM loses WHERE id = 2; DELETE FROM gains WHERE id = 2; DELETE FROM grows WHERE a = 2;
