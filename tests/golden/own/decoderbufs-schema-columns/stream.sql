UPDATE c SET a = 'w' WHERE id = 1;
-- @wait
ALTER TABLE c DROP COLUMN gone;
-- @wait
UPDATE c SET id = 10 WHERE id = 1;
-- @wait
ALTER TABLE c RENAME COLUMN id TO key;
-- @wait
UPDATE c SET key = 11 WHERE key = 10;
DELETE FROM c WHERE key = 2;
INSERT INTO c VALUES (20, DEFAULT, 5);
-- @wait
ALTER TABLE c DROP COLUMN z, ADD COLUMN z text;
-- @wait
DELETE FROM c WHERE key = 3;
INSERT INTO c VALUES (21, DEFAULT, 'z');
-- @wait
ALTER TABLE c DROP COLUMN z, ADD COLUMN z varchar(4) NOT NULL DEFAULT 'four';
-- @wait
UPDATE c SET key = 30 WHERE key = 20;
INSERT INTO c VALUES (22);
-- @wait
ALTER TABLE c RENAME COLUMN a TO tmp;
ALTER TABLE c RENAME COLUMN z TO a;
ALTER TABLE c RENAME COLUMN tmp TO z;
-- @wait
INSERT INTO c (key, a, z) VALUES (23, 'aa', 'zz');
DELETE FROM c WHERE key = 22;
