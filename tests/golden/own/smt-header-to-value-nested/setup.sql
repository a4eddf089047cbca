-- HeaderToValue without ExtractNewRecordState: order of the fields in a nested struct.
CREATE TABLE ho (id int PRIMARY KEY, v text);
INSERT INTO ho VALUES (1, 'a');
