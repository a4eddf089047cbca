-- The same with transaction metadata and notifications.
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
CREATE TABLE ia (id int PRIMARY KEY, v text);
INSERT INTO ia SELECT i, 'v'||i FROM generate_series(1,3) i;
