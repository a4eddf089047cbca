BEGIN;
INSERT INTO sig VALUES ('p1', 'execute-snapshot', '{"data-collections": ["public.ia"]}');
INSERT INTO sig VALUES ('p2', 'pause-snapshot', '{}');
COMMIT;
-- @stop
-- @start
-- @sleep 3
INSERT INTO ia VALUES (10, 'up');
