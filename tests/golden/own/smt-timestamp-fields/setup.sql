-- TimestampConverter over several fields and target types.
CREATE TABLE tc (id int PRIMARY KEY, a timestamp DEFAULT '2020-01-01', b timestamptz, c bigint, d date, e text);
INSERT INTO tc VALUES (1, '2020-02-29 01:02:03.456789', '2020-02-29 01:02:03.456+02', 1582938123456, '2020-02-29', '2020-02-29T01:02:03Z');
