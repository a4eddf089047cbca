-- Cast to string of a date in the key.
CREATE TABLE ck (d date, v int, PRIMARY KEY (d));
INSERT INTO ck VALUES ('1950-06-01', 1), ('2020-02-29', 2);
