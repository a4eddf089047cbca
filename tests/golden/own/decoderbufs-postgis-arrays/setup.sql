-- The same by decoderbufs.
CREATE EXTENSION postgis;
CREATE TABLE g (id int PRIMARY KEY, a geometry[]);
