UPDATE mo SET i = false;
