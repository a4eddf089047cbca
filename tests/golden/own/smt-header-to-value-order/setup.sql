-- HeaderToValue: fields come in the order of the record's headers, whatever the order of the option.
CREATE TABLE ho (id int PRIMARY KEY, v text);
INSERT INTO ho VALUES (1, 'a');
