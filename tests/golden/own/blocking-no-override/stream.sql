INSERT INTO sig VALUES ('w1', 'execute-snapshot', '{"data-collections": ["public.ba"], "type": "blocking"}');
-- @wait
INSERT INTO ba VALUES (3);
