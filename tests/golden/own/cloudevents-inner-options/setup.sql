-- CloudEvents: the options of the converter inside it, and those that it does not look at.
CREATE TABLE ce (id int PRIMARY KEY, n numeric(6,2) DEFAULT 1.5, "odd name" text DEFAULT 'dd', v int);
INSERT INTO ce VALUES (1, 2.25, NULL, NULL);
