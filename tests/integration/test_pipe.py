"""A person at a shell: cdc in a pipe, stopped with Ctrl-C, gone on with later."""
import json
import signal
import subprocess
import time

from harness import paths
from harness.suite import PgTest

ORDERS = "CREATE TABLE orders (id int PRIMARY KEY, item text, qty int); INSERT INTO orders VALUES (1, 'plum', 3), (2, 'fig', 5);"


class Pipe(PgTest):
    def test_into_jq(self):
        """cdc stream URL --table T | jq -c .after prints the table and then its changes."""
        self.sql(ORDERS)
        with open(self.out, "wb") as out:
            jq = subprocess.Popen(["jq", "-c", "--unbuffered", ".after"], stdin=subprocess.PIPE, stdout=out)
        cdc = self.stream("--table", r"public\.orders", stdout=jq.stdin)
        jq.stdin.close()
        cdc.wait_streaming()
        self.sql("INSERT INTO orders VALUES (3, 'kiwi', 1); UPDATE orders SET qty = 4 WHERE id = 1; DELETE FROM orders WHERE id = 2;")
        cdc.out_path = self.out
        cdc.wait_lines(5)
        self.assertEqual(cdc.stop(signal.SIGINT), 0)
        jq.wait(10)
        self.assertEqual(self.out.read_text().splitlines(),
                         ['{"id":1,"item":"plum","qty":3}', '{"id":2,"item":"fig","qty":5}', '{"id":3,"item":"kiwi","qty":1}',
                          '{"id":1,"item":"plum","qty":4}', "null"])

    def test_stopped_and_gone_on(self):
        """After Ctrl-C the next run repeats nothing and misses nothing."""
        self.sql(ORDERS)
        cdc = self.stream()
        cdc.wait_streaming()
        self.sql("INSERT INTO orders VALUES (3, 'kiwi', 1);")
        cdc.wait_lines(3)
        self.assertEqual(cdc.stop(signal.SIGINT), 0)
        stopped = cdc.find("stopped")
        self.assertEqual(len(stopped), 1, "one event 'stopped'")
        self.assertTrue({"reason", "position", "events"} <= set(stopped[0]), stopped[0])
        self.sql("UPDATE orders SET qty = 9 WHERE id = 3; DELETE FROM orders WHERE id = 1; INSERT INTO orders VALUES (4, 'pear', 2);")
        again = self.stream()
        again.wait_lines(6)
        self.sql("INSERT INTO orders VALUES (5, 'lime', 2);")
        again.wait_lines(7)
        self.assertEqual(again.stop(), 0)
        self.assertEqual([json.loads(x)["op"] for x in again.lines()], ["r", "r", "c", "u", "d", "c", "c"])
        self.assert_nothing_twice(self.assert_replica(again.lines(), "public.orders"))

    def test_second_signal_aborts(self):
        """A first Ctrl-C that cannot finish (nobody reads the pipe) is followed by a second that ends the process at once."""
        self.sql("CREATE TABLE big (id int PRIMARY KEY, t text); INSERT INTO big SELECT i, repeat('x', 1000) FROM generate_series(1, 20000) i;")
        cdc, _ = self.into_pipe()
        cdc.wait_for_event("snapshot_started")
        cdc.process.send_signal(signal.SIGINT)
        try:
            cdc.process.wait(1.5)
        except subprocess.TimeoutExpired:
            cdc.process.send_signal(signal.SIGINT)
        self.assertIsNotNone(cdc.wait(5))

    def test_stop_while_the_pipe_is_full(self):
        """SIGTERM while nobody reads: it ends by executor.shutdown.timeout.ms; what was not taken is there in the next run."""
        self.sql("CREATE TABLE big (id int PRIMARY KEY, t text);")
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        self.sql("INSERT INTO big SELECT i, repeat('x', 1000) FROM generate_series(1, 20000) i;")
        cdc, pipe = self.into_pipe("-s", "executor.shutdown.timeout.ms=1500")
        cdc.wait_streaming()
        end = time.monotonic() + 20
        while pipe.waiting() < 60_000 and time.monotonic() < end:
            time.sleep(0.01)
        self.assertGreaterEqual(pipe.waiting(), 60_000, cdc.stderr_tail())
        began = time.monotonic()
        cdc.process.send_signal(signal.SIGTERM)
        status = cdc.wait(10)
        self.assertIn(status, (0, 5), cdc.stderr_tail())
        self.assertLess(time.monotonic() - began, 6)
        taken = pipe.text()
        rest = self.run_cdc("stream", "--until", "now")
        self.assert_status(rest, 0)
        self.assert_replica(taken.split("\n")[:-1] + rest.out.splitlines(), "public.big")

    def test_one_line_is_enough(self):
        """cdc stream | head -1, before the snapshot is over: nothing is stored, the next run begins anew."""
        self.sql("CREATE TABLE big (id int PRIMARY KEY, t text); INSERT INTO big SELECT i, repeat('x', 1000) FROM generate_series(1, 20000) i;")
        p = subprocess.Popen([paths.binary(), *map(str, self.args("stream"))], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        with p:
            p.stdout.readline()
            p.stdout.close()
            self.assertIn(p.wait(30), (141, -signal.SIGPIPE), p.stderr.read())
        rest = self.run_cdc("stream", "--until", "now")
        self.assert_status(rest, 0)
        self.assert_replica(rest.out.splitlines(), "public.big")

    def test_reader_gone(self):
        """The reader of stdout goes away: a silent end by the rules of SIGPIPE, no error text."""
        self.sql("CREATE TABLE big (id int PRIMARY KEY, t text); INSERT INTO big SELECT i, repeat('x', 1000) FROM generate_series(1, 20000) i;")
        for extra, wanted in (([], (141, -signal.SIGPIPE)), (["--pipe-ok"], (0,))):
            with self.subTest(extra):
                p = subprocess.Popen([paths.binary(), *map(str, self.args("stream", *extra, state=self.folder / f"s{len(extra)}.db"))],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
                p.stdout.readline()
                p.stdout.close()
                err = p.stderr.read().decode()
                self.assertIn(p.wait(30), wanted, err)
                self.assertNotIn("error", err.lower())
                p.stderr.close()
                self.server.wait_sql(f"SELECT NOT bool_or(active) FROM pg_replication_slots WHERE database = '{self.db}'")
                self.value(f"SELECT pg_drop_replication_slot('{self.slot}')")

    def test_quiet_says_nothing(self):
        self.sql(ORDERS)
        done = self.run_cdc("stream", "--quiet", "--until", "now", json_log=False)
        self.assert_status(done, 0)
        self.assertEqual(done.err, "")
        self.assertEqual(len(done.out.splitlines()), 2)

    def test_stable_events(self):
        """What scripts rely on: starting, snapshot_started, snapshot_table, snapshot_completed, streaming, stopped, in that order."""
        self.sql(ORDERS)
        cdc = self.stream()
        streaming = cdc.wait_streaming()
        self.assertIn("position", streaming)
        self.assertEqual(cdc.stop(), 0)
        wanted = ["starting", "snapshot_started", "snapshot_table", "snapshot_completed", "streaming", "stopped"]
        names = [e["event"] for e in cdc.events if e["event"] in wanted]
        self.assertEqual(names, wanted)
        table = cdc.find("snapshot_table")[0]
        self.assertEqual((table["table"], table["rows"]), ("public.orders", 2))
        for event in cdc.events:
            self.assertTrue({"ts", "level", "event", "message"} <= set(event), event)
        for line in cdc.stderr_lines:
            json.loads(line)

    def test_stats_lines(self):
        """--stats 200ms: one JSON line each on stderr."""
        self.sql(ORDERS)
        cdc = self.stream("--stats", "200ms")
        cdc.wait_streaming()
        self.sql("INSERT INTO orders VALUES (3, 'kiwi', 1);")
        cdc.wait_lines(3)
        count = lambda: sum('"metrics":{' in line for line in cdc.stderr_lines)    # noqa: E731
        before, end = count(), time.monotonic() + 10
        while count() < before + 3 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(cdc.stop(), 0)
        lines = [json.loads(line) for line in cdc.stderr_lines if '"metrics":{' in line]
        self.assertGreaterEqual(len(lines), 3)
        self.assertGreaterEqual(lines[-1]["metrics"]["TotalNumberOfEventsSeen"], 1)
