-- Cast to string of many types under time.precision.mode=connect.
CREATE TABLE cs (id int PRIMARY KEY, a text, b text, c text, d bool, e float8, f real, g bigint, h numeric(6,2), i date, j timestamptz, k timestamp(3), l bytea, m time(3));
INSERT INTO cs VALUES (1, 'TRUE', '-12', '1e3', false, 1e21, 3.4e38, 9223372036854775807, 12.30, '1969-12-31', '2020-01-01 00:00+00', '2020-01-01 00:00:00.5', '\x01ff', '10:00');
