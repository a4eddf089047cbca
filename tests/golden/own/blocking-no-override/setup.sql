-- snapshot.select.statement.overrides are for the snapshot at the start: a blocking one reads all rows.
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
CREATE TABLE ba (id int PRIMARY KEY);
INSERT INTO ba VALUES (1), (2);
