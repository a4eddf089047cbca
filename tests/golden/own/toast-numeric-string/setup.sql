-- Unchanged TOAST in numeric under decimal.handling.mode=string.
CREATE DOMAIN dn AS numeric; CREATE DOMAIN dn2 AS numeric(1000,2);
CREATE TABLE t (id int PRIMARY KEY, n int, a numeric, b numeric(1000,2), c dn, d dn2);
ALTER TABLE t ALTER a SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL, ALTER c SET STORAGE EXTERNAL, ALTER d SET STORAGE EXTERNAL;
ALTER TABLE t SET (toast_tuple_target=128);
INSERT INTO t SELECT 1, 1, ('1'||repeat('73',6000))::numeric, repeat('73',490)::numeric, ('1'||repeat('73',6000))::numeric, repeat('73',490)::numeric;
