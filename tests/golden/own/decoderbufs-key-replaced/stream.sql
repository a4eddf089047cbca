INSERT INTO seen VALUES (2, 'b', 2);
INSERT INTO quiet VALUES (2, 'b', 2);
-- @wait
ALTER TABLE seen DROP CONSTRAINT seen_pkey, ADD PRIMARY KEY (code);
ALTER TABLE quiet DROP CONSTRAINT quiet_pkey, ADD PRIMARY KEY (code);
-- @wait
INSERT INTO seen VALUES (3, 'c', 3);
INSERT INTO quiet VALUES (3, 'c', 3);
-- @wait
UPDATE seen SET v = 5 WHERE code = 'a';
UPDATE quiet SET v = 5 WHERE code = 'a';
-- @wait
UPDATE seen SET code = 'aa' WHERE code = 'a';
UPDATE quiet SET code = 'aa' WHERE code = 'a';
-- @wait
DELETE FROM seen WHERE code = 'b';
DELETE FROM quiet WHERE code = 'b';
-- @wait
INSERT INTO seen VALUES (4, 'd', 3);
INSERT INTO quiet VALUES (4, 'd', 3);
