-- TimestampConverter: SSS before a zone takes all digits, as milliseconds.
CREATE TABLE tc (id int PRIMARY KEY, a text, b text, c text, d text);
INSERT INTO tc VALUES (1, '2020-02-29 01:02:03.456789', '2020-02-29 01:02:03.456789Z', '2020-02-29 01:02:03.5', '2020-02-29T01:02:03.456000+0200'), (2, '2020-02-29 01:02:03.45', '2020-02-29 01:02:03.4Z', '2020-02-29 01:02:03.123456789', '2020-02-29T01:02:03.4567-0200');
