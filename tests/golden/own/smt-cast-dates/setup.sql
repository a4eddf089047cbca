-- Cast to string of Connect dates, times and timestamps: what is printed goes by the value.
CREATE TABLE cd (id int PRIMARY KEY, i date, k timestamp(3), m time(3));
INSERT INTO cd VALUES (1, '1969-12-31', '1960-05-05 10:11:12.5', '10:00'), (2, '1970-01-01', '2020-01-01 00:00:00', '00:00'), (3, '1970-01-02', '1970-01-01 05:00:00', '23:59:59.999'), (4, '1500-03-01', '1500-03-01 01:02:03', NULL), (5, '0001-01-01', '0001-01-01', NULL);
