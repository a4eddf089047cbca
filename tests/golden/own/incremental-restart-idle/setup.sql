-- An incremental snapshot that was paused when the connector stopped goes on after a restart although nothing happens in the database (CORE-INC-13).
CREATE TABLE sig (id varchar(60) PRIMARY KEY, type varchar(32), data varchar(2048));
CREATE TABLE ia (id int PRIMARY KEY, v text);
INSERT INTO ia SELECT i, 'v'||i FROM generate_series(1,3) i;
