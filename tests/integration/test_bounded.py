"""Runs that end by themselves: for cron, for scripts; and --from, --dry-run."""
import json
import subprocess
import time

from harness.suite import PgTest

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text);"


class Bounded(PgTest):
    def ops(self, text):
        return [json.loads(x)["op"] for x in text.splitlines()]

    def test_until_now_drains_and_exits(self):
        self.sql(TABLE + "INSERT INTO t SELECT i, 'a' FROM generate_series(1, 10) i;")
        first = self.run_cdc("stream", "--until", "now")
        self.assert_status(first, 0)
        self.assertEqual(self.ops(first.out), ["r"] * 10)
        self.sql("INSERT INTO t SELECT i, 'b' FROM generate_series(11, 300) i;")
        second = self.run_cdc("stream", "--until", "now")
        self.assert_status(second, 0)
        self.assertEqual(self.ops(second.out), ["c"] * 290)
        third = self.run_cdc("stream", "--until", "now")
        self.assert_status(third, 0)
        self.assertEqual(third.out, "")

    def test_until_lsn(self):
        """Everything committed up to the position comes; what was committed after it comes in the next run."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        self.sql("INSERT INTO t VALUES (1, 'in');")
        position = self.server.wal_now()
        self.sql("INSERT INTO t VALUES (2, 'out');")
        done = self.run_cdc("stream", "--until", position)
        self.assert_status(done, 0)
        self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], [1])
        rest = self.run_cdc("stream", "--until", "now")
        self.assertEqual([json.loads(x)["after"]["id"] for x in rest.out.splitlines()], [2])

    def test_until_timestamp(self):
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        self.sql("INSERT INTO t VALUES (1, 'in');")
        moment = self.value("SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
        self.sql("SELECT pg_sleep(0.05); INSERT INTO t VALUES (2, 'out');")
        done = self.run_cdc("stream", "--until", moment)
        self.assert_status(done, 0)
        self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], [1])

    def test_max_events(self):
        """Exactly N events; the next run goes on with the N+1st, inside the same transaction."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        self.sql("INSERT INTO t SELECT i, 'x' FROM generate_series(1, 10) i;")
        got = []
        for wanted in (4, 4, 2):
            done = self.run_cdc("stream", "--max-events", "4", *(["--until", "now"] if wanted < 4 else []))
            self.assert_status(done, 0)
            ids = [json.loads(x)["after"]["id"] for x in done.out.splitlines()]
            self.assertEqual(len(ids), wanted)
            got += ids
        self.assertEqual(got, list(range(1, 11)))

    def test_idle_exit(self):
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        began = time.monotonic()
        done = self.run_cdc("stream", "--idle-exit", "1s")
        self.assert_status(done, 0)
        self.assertEqual(len(done.out.splitlines()), 1)
        self.assertGreaterEqual(time.monotonic() - began, 1)
        self.assertLess(time.monotonic() - began, 10)

    def test_idle_exit_counts_events_only(self):
        """Changes that keep coming keep it alive; --idle-exit starts anew with each."""
        self.sql(TABLE)
        cdc = self.stream("--idle-exit", "1500ms")
        cdc.wait_streaming()
        for i in range(5):
            self.sql(f"INSERT INTO t VALUES ({i}, 'x'); SELECT pg_sleep(0.6);")
            self.assertTrue(cdc.running(), cdc.stderr)
        self.assertEqual(cdc.wait(10), 0)
        self.assertEqual(len(cdc.lines()), 5)

    def test_max_time(self):
        self.sql(TABLE)
        began = time.monotonic()
        done = self.run_cdc("stream", "--max-time", "1500ms")
        self.assert_status(done, 0)
        self.assertGreaterEqual(time.monotonic() - began, 1.4)
        self.assertLess(time.monotonic() - began, 10)
        self.assertTrue([e for e in done.events if e["event"] == "stopped"])

    def test_from_now(self):
        """--from now: no snapshot, nothing of what lies before the start."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'old');")
        cdc = self.stream("--from", "now")
        cdc.wait_streaming()
        self.sql("INSERT INTO t VALUES (2, 'new');")
        cdc.wait_lines(1)
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual([(r["op"], r["after"]["id"]) for r in cdc.records()], [("c", 2)])

    def test_from_now_overrides_the_stored_offset(self):
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        self.sql("INSERT INTO t VALUES (1, 'skipped on request');")
        cdc = self.stream("--from", "now")
        cdc.wait_streaming()
        self.sql("INSERT INTO t VALUES (2, 'new');")
        cdc.wait_lines(1)
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual([r["after"]["id"] for r in cdc.records()], [2])

    def test_from_beginning_is_what_the_slot_still_has(self):
        """--from beginning, also when nothing comes: the position that is stored is one the server has."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        for wanted in ([], [1]):
            for id in wanted:
                self.sql(f"INSERT INTO t VALUES ({id}, 'x');")
            done = self.run_cdc("stream", "--from", "beginning", "--until", "now")
            self.assert_status(done, 0)
            self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], wanted)
        self.sql("INSERT INTO t VALUES (2, 'then');")
        done = self.run_cdc("stream", "--until", "now")
        self.assert_status(done, 0)
        self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], [2])

    def test_from_a_position(self):
        """--from LSN: what was committed after it comes; a position that the slot has left, or that is not yet, is refused and changes no state."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        self.sql("INSERT INTO t VALUES (1, 'before');")
        position = self.server.wal_now()
        self.sql("INSERT INTO t VALUES (2, 'after');")
        for wrong, status, words in (("0/1", 4, "no longer available"), ("FFFFFFFF/0", 2, "stands at")):
            done = self.run_cdc("stream", "--from", wrong, "--until", "now", json_log=False)
            self.assert_status(done, status)
            self.assertIn(f"--from {wrong}", done.err)
            self.assertIn(words, done.err)
        done = self.run_cdc("stream", "--from", position, "--until", "now")
        self.assert_status(done, 0)
        self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], [2])
        self.sql("INSERT INTO t VALUES (3, 'then');")
        done = self.run_cdc("stream", "--until", "now")
        self.assert_status(done, 0)
        self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], [3])

    def test_from_a_position_before_a_new_slot(self):
        """A slot that this very run would make has nothing of the past: refused, and nothing is made."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'old');")
        done = self.run_cdc("stream", "--from", "0/1000028", "--until", "now", json_log=False)
        self.assert_status(done, 4)
        self.assertIn("does not exist", done.err)
        self.assertEqual(self.slots(), "0")

    def test_dry_run_changes_nothing(self):
        """--dry-run names what would be captured; no slot, no publication, no state, no output."""
        self.sql(TABLE + "CREATE TABLE other (id int PRIMARY KEY); INSERT INTO t VALUES (1, 'a');")
        done = self.run_cdc("stream", "--dry-run", "--table", r"public\.t", json_log=False)
        self.assert_status(done, 0)
        self.assertIn("public.t", done.out + done.err)
        self.assertNotIn("public.other", done.out)
        self.assertEqual(self.slots(), "0")
        self.assertEqual(self.value("SELECT count(*) FROM pg_publication"), "0")
        self.assertFalse(self.state.exists())

    def test_snapshot_then_stream_is_whole(self):
        """PG-T-02: writers insert all the time while the slot and the snapshot are made: each id comes exactly once."""
        self.sql(TABLE)
        work = self.folder / "work.sql"
        work.write_text("".join(f"INSERT INTO t VALUES ({i}, 'w');\n" + "SELECT pg_sleep(0.01);\n" * (i % 20 == 0) for i in range(1, 3001)))
        p = subprocess.Popen(self.server.psql_command(self.db, "-f", work), stdout=subprocess.DEVNULL)
        self.server.wait_sql("SELECT count(*) > 50 FROM t", self.db)
        cdc = self.stream()
        cdc.wait_streaming()
        p.wait(60)
        cdc.wait_lines(3000)
        self.assertEqual(cdc.stop(), 0)
        ids = [r["after"]["id"] for r in cdc.records()]
        self.assertEqual(sorted(ids), list(range(1, 3001)))
        self.assertTrue(any(r["op"] == "c" for r in cdc.records()), "the test proves something only when both kinds came")
