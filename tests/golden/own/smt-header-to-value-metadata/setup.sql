-- HeaderToValue over metadata headers of ExtractNewRecordState, in another order than they stand there.
CREATE TABLE ho (id int PRIMARY KEY, v text);
INSERT INTO ho VALUES (1, 'a');
