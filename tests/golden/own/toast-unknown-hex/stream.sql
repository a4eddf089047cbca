UPDATE t SET n = 2;
