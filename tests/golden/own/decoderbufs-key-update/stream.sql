UPDATE one SET id = 2 WHERE id = 1;
UPDATE one SET id = id, v = 'same' WHERE id = 2;
UPDATE two SET b = 2 WHERE b = 1;
UPDATE two SET a = 'q', v = 'y' WHERE b = 2;
UPDATE two SET v = 'z';
UPDATE full_row SET id = 7, v = 'new';
UPDATE full_row SET n = NULL;
UPDATE by_index SET v = 'y';
UPDATE keyless SET a = 2;
-- @wait
BEGIN;
INSERT INTO one VALUES (10, 'in', NULL);
UPDATE one SET id = 11 WHERE id = 10;
DELETE FROM one WHERE id = 11;
DELETE FROM two;
DELETE FROM full_row;
DELETE FROM keyless;
COMMIT;
