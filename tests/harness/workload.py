"""A writer that changes a database all the time, in a way in which every lost, repeated or reordered event shows:
`journal` only grows (each id exactly once), `account` is inserted, updated and deleted, in transactions over both."""
import subprocess

from harness.server import SqlError

SCHEMA = """
CREATE TABLE journal (id int PRIMARY KEY, what text);
CREATE TABLE account (id int PRIMARY KEY, n int, pad text);
CREATE SEQUENCE step;
CREATE PROCEDURE work(steps int, pause float) LANGUAGE plpgsql AS $$
DECLARE k int; i int;
BEGIN
  FOR s IN 1..steps LOOP
    k := nextval('step');
    INSERT INTO journal SELECT k * 100 + g, 'step ' || k FROM generate_series(0, (k * 37) % 20) g;   -- one statement, many rows, one LSN apart or none
    FOR i IN 1..3 LOOP
      INSERT INTO account VALUES ((k * 31 + i * 7) % 200, k, repeat(chr(97 + k % 26), k % 300)) ON CONFLICT (id) DO UPDATE SET n = excluded.n, pad = excluded.pad;
    END LOOP;
    DELETE FROM account WHERE id = (k * 17) % 200 AND k % 3 = 0;
    IF k % 11 = 0 THEN ROLLBACK; ELSE COMMIT; END IF;
    IF pause > 0 THEN PERFORM pg_sleep(pause); END IF;
  END LOOP;
END $$;
"""


class Writer:
    """`with Writer(server, db):` changes the database until the block ends."""

    def __init__(self, server, db, steps=1_000_000, pause=0.002):
        self.server, self.db, self.steps, self.pause = server, db, steps, pause

    def __enter__(self):
        self.process = subprocess.Popen(self.server.psql_command(self.db, "-c", f"CALL work({self.steps}, {self.pause})"),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            try:
                self.server.value("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'CALL work%'")
            except SqlError:
                pass                                   # the server died, and the session with it
        self.process.wait()


def work(server, db, steps):
    """That many transactions, done when this returns."""
    server.psql(db, "-c", f"CALL work({steps}, 0)")
