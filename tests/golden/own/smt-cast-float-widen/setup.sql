-- Cast of float32 to float64 widens the binary value.
CREATE TABLE cf (id int PRIMARY KEY, e real, f real, g float8, h real);
INSERT INTO cf VALUES (1, 1.1, -0.1, 1.1, 3.4e38), (2, 'NaN', 'Infinity', 1e300, 1e-40);
