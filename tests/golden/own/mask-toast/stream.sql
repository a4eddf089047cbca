UPDATE mt SET v = 2;
