-- rewrite-with-tombstone: the op header of the tombstone has another schema than that of the delete.
CREATE TABLE th (id int PRIMARY KEY, v text);
INSERT INTO th VALUES (1, 'a');
