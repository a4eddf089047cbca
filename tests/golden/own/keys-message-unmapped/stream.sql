INSERT INTO k VALUES (2, '{[1,2)}', 'b'); INSERT INTO k2 VALUES (2, '{[1,2)}', 'b');
UPDATE k SET v = 'c' WHERE id = 1; UPDATE k2 SET v = 'c' WHERE id = 1;
DELETE FROM k WHERE id = 1; DELETE FROM k2 WHERE id = 1;
