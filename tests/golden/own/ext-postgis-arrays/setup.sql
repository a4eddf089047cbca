-- Arrays of geometry and geography, whose elements are divided by colons; several elements, NULL, empty.
CREATE EXTENSION postgis;
CREATE TABLE g (id int PRIMARY KEY, a geometry[], b geography[], c geometry(Point,4326)[]);
INSERT INTO g VALUES (1, ARRAY['POINT(1 2)'::geometry, 'SRID=4326;POINT(3 4)'], ARRAY['POINT(1 2)'::geography, 'POINT(3 4)'], NULL);
