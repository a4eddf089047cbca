-- InsertHeader: types that are read into a literal.
CREATE TABLE ih (id int PRIMARY KEY);
INSERT INTO ih VALUES (1);
