-- message.key.columns names a column without mapping, alone and beside another one.
CREATE TABLE k (id int PRIMARY KEY, m int4multirange, v text);
CREATE TABLE k2 (id int PRIMARY KEY, m int4multirange, v text);
INSERT INTO k VALUES (1, '{[1,2)}', 'a'); INSERT INTO k2 VALUES (1, '{[1,2)}', 'a');
