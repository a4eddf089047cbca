"""When output and position are stored: by amount, by time, slowly, and with what comes before a failure."""
import contextlib
import json
import sqlite3
import threading

from harness.process import run
from harness.suite import PgTest

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text);"


class Commits(PgTest):
    def stored(self):
        """The stored offset, also of a capture that runs."""
        done = run(["offsets", "show", "--name", "cdc", "--state", self.state, "--json"], json_log=False)
        return json.loads(done.out)["offset"] if done.status == 0 else None

    def insert(self, first, last, size=10):
        self.sql(f"INSERT INTO t SELECT i, repeat('x', {size}) FROM generate_series({first}, {last}) i;")

    def ids(self, lines):
        return [x["after"]["id"] for x in map(json.loads, lines)]

    def wait_until(self, true, seconds=20):
        over = threading.Event()
        for _ in range(seconds * 20):
            if true():
                return
            over.wait(0.05)
        self.fail("never came true")

    def test_flush_by_bytes(self):
        """offset.flush.bytes: nothing is due by time, so that the amount alone decides."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        before = self.stored()
        cdc = self.stream("-s", "offset.flush.interval.ms=10m", "-s", "status.update.interval.ms=10m", "-s", "offset.flush.bytes=256K")
        cdc.wait_streaming()
        self.insert(1, 20)
        cdc.wait_lines(20)
        self.assertEqual(self.stored(), before, "stored before it was due")
        self.insert(21, 320, size=1000)
        cdc.wait_lines(320)
        self.wait_until(lambda: self.stored() != before)
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(self.ids(cdc.lines()), list(range(1, 321)))

    @contextlib.contextmanager
    def locked_state(self):
        """Somebody else writes into the state's database, and takes his time."""
        other = sqlite3.connect(self.state, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()

    def test_slow_commit(self):
        """offset.flush.timeout.ms: told, and nothing else happens to the capture."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        cdc = self.stream("-s", "offset.flush.interval.ms=10", "-s", "offset.flush.timeout.ms=150")
        cdc.wait_streaming()
        with self.locked_state():
            self.insert(1, 10)
            cdc.wait_lines(1)               # what is written behind it waits for the commit
            threading.Event().wait(0.4)     # how long the commit takes is what the test is about
        self.wait_until(lambda: any("offset.flush.timeout.ms=150" in w for w in cdc.warnings()))
        cdc.wait_lines(10)
        self.insert(11, 20)
        cdc.wait_lines(20)
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(self.ids(cdc.lines()), list(range(1, 21)))
        self.assertEqual(self.run_cdc("stream", "--until", "now").out, "")

    def test_heartbeats_where_nothing_happens(self):
        """CORE-HB-01, PG-HB-01: the timer is looked at on idle turns too, whatever the server says or does not say."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        cdc = self.stream("--format", "record", "-s", "heartbeat.interval.ms=200", "-s", "status.update.interval.ms=10m")
        cdc.wait_streaming()
        lines = [json.loads(x) for x in cdc.wait_lines(8, seconds=5)]
        beats = [x for x in lines if x["topic"] == "__debezium-heartbeat.cdc"]
        self.assertGreaterEqual(len(beats), 7)
        self.assertEqual(cdc.stop(), 0)

    def test_rows_before_a_failing_heartbeat(self):
        """PG-HB: the action query fails for good. What was read before is delivered, and the position says so."""
        self.sql(TABLE + "CREATE TABLE beats (n int);")
        file = self.folder / "kept.ndjson"
        beating = ("-o", file, "-s", "heartbeat.interval.ms=50", "-s", "errors.max.retries=0", "-s", "heartbeat.action.query=INSERT INTO beats VALUES (1)",
                   "-s", "table.include.list=public.t")
        self.insert(1, 300)
        cdc = self.stream(*beating)
        cdc.wait_streaming()
        self.insert(301, 400)
        self.server.wait_sql("SELECT count(*) > 0 FROM beats", self.db)
        self.sql("BEGIN; DROP TABLE beats; INSERT INTO t SELECT i, 'y' FROM generate_series(401, 1000) i; COMMIT;")
        status = cdc.wait(seconds=20)
        self.assertNotEqual(status, 0)
        self.assertIn("beats", cdc.stderr)
        before = self.rows_in(file)
        self.assertGreaterEqual(len(before), 400)
        self.assertEqual(before, list(range(1, len(before) + 1)))
        self.insert(1001, 1100)
        self.assert_status(self.run_cdc("stream", "--until", "now", "-o", file, "-s", "table.include.list=public.t"), 0)
        self.assertEqual(self.rows_in(file), list(range(1, 1101)))

    def test_rows_before_a_failing_heartbeat_of_the_snapshot(self):
        """The first heartbeat comes when the snapshot is complete."""
        self.sql(TABLE)
        self.insert(1, 300)
        done = self.run_cdc("stream", "--until", "now", "-s", "heartbeat.interval.ms=50", "-s", "errors.max.retries=0",
                            "-s", "heartbeat.action.query=INSERT INTO nowhere VALUES (1)")
        self.assertNotEqual(done.status, 0)
        self.assertIn("nowhere", done.err)
        self.assertEqual([x["after"]["id"] for x in map(json.loads, done.out.splitlines()) if "after" in x], list(range(1, 301)))

    def rows_in(self, file):
        return [x["after"]["id"] for x in map(json.loads, file.read_text().splitlines()) if "after" in x]
