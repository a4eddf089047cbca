UPDATE h SET code = 'a';
UPDATE h SET code = NULL;
