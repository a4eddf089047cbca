UPDATE ho SET v = 'b';
