"""A snapshot where the slot is older than it (PG-SNAP-04, PG-FAIL-19): nothing missing between table and stream, nothing twice, and nothing waits
for transactions of others. And columns that differ only by case (PG-SNAP-17)."""
import json

from harness.server import Session
from harness.suite import PgTest

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text); ALTER TABLE t REPLICA IDENTITY FULL; INSERT INTO t VALUES (1, 'a');"
PLUGINS = ("pgoutput", "decoderbufs")


def seen(lines):
    return [(e["op"], (e["after"] or e["before"])["id"]) for e in map(json.loads, lines)]


class SecondSnapshot(PgTest):
    def make_slot(self, plugin):
        self.sql(TABLE)
        self.state = self.out.parent / "first.db"
        self.assert_status(self.run_cdc("stream", "--until", "now", "-s", f"plugin.name={plugin}"), 0)
        self.state = self.out.parent / "second.db"

    def each_plugin(self, check):
        for plugin in filter(self.server.has_library, PLUGINS):
            with self.subTest(plugin):
                self.folder.joinpath(plugin).mkdir()
                self.out = self.folder / plugin / "out"
                self.server.create_database(self.db)
                try:
                    check(plugin)
                finally:
                    for process in self.running:
                        process.kill()

    def test_running_transactions(self):
        """PG-T-04: one runs while the tables are read; the slot's backlog is in them already. Stopped and started in between."""
        self.each_plugin(self.running_transactions)

    def running_transactions(self, plugin):
        self.make_slot(plugin)
        self.sql("INSERT INTO t VALUES (2, 'backlog');")
        other = Session(self.server, self.db)
        try:
            other.query("BEGIN")
            other.query("INSERT INTO t VALUES (3, 'running')")
            self.sql("INSERT INTO t VALUES (4, 'backlog'); UPDATE t SET v = 'changed' WHERE id = 2;")
            cdc = self.stream("-s", f"plugin.name={plugin}")
            cdc.wait_streaming()
            self.assertEqual(sorted(seen(cdc.wait_lines(3))), [("r", 1), ("r", 2), ("r", 4)])
            self.assert_status(cdc.stop(), 0)
            cdc = self.stream("-s", f"plugin.name={plugin}")
            cdc.wait_streaming()
            other.query("COMMIT")
        finally:
            other.close()
        self.sql("INSERT INTO t VALUES (5, 'later');")
        self.assertEqual(seen(cdc.wait_lines(5))[3:], [("c", 3), ("c", 5)])
        self.assert_status(cdc.stop(), 0)
        self.assert_status(self.run_cdc("stream", "--until", "now", "-s", f"plugin.name={plugin}", "-o", self.out.parent / "rest"), 0)
        self.assertEqual("".join(p.read_text() for p in self.out.parent.glob("rest*")), "", "nothing is left")

    def test_commit_in_the_log_not_yet_seen(self):
        """Its commit record lies before the snapshot, but it waits for a synchronous standby: no query sees it. The stream must bring it."""
        self.each_plugin(self.waiting_for_standby)

    def waiting_for_standby(self, plugin):
        self.make_slot(plugin)
        self.sql("ALTER ROLE postgres SET synchronous_commit = local")
        other = Session(self.server, self.db)
        try:
            other.query("SET synchronous_commit = on")
            self.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'; SELECT pg_reload_conf();")
            self.server.wait_sql("SELECT current_setting('synchronous_standby_names') = 'nobody'")
            other.p.stdin.write("INSERT INTO t VALUES (2, 'waits');\n")
            other.p.stdin.flush()
            self.server.wait_sql("SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            self.sql("INSERT INTO t VALUES (3, 'seen');")
            cdc = self.stream("-s", f"plugin.name={plugin}")
            cdc.wait_streaming()
            self.assertEqual(seen(cdc.wait_lines(3)), [("r", 1), ("r", 3), ("c", 2)])
        finally:
            self.sql("ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf();")
            self.sql("ALTER ROLE postgres RESET synchronous_commit")
            other.close()
        self.sql("INSERT INTO t VALUES (4, 'later');")
        self.assertEqual(seen(cdc.wait_lines(4))[3:], [("c", 4)])
        self.assert_status(cdc.stop(), 0)

    def test_snapshot_interrupted(self):
        """PG-FAIL-19: killed between the slot and the end of the first snapshot: taken anew, and what came meanwhile is in it once."""
        self.sql(TABLE + "INSERT INTO t SELECT g, 'x' FROM generate_series(2, 50000) g;")
        cdc = self.stream("-s", "snapshot.delay.ms=60000")
        self.server.wait_sql(f"SELECT count(*) = 1 FROM pg_replication_slots WHERE slot_name = '{self.slot}' AND confirmed_flush_lsn IS NOT NULL")
        cdc.kill()
        self.sql("INSERT INTO t VALUES (60000, 'meanwhile'); DELETE FROM t WHERE id = 7;")
        self.server.wait_sql(f"SELECT NOT active FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
        done = self.run_cdc("stream", "--until", "now")
        self.assert_status(done, 0)
        self.assert_nothing_twice(self.assert_replica(done.out.splitlines(), "public.t"))
        self.assertEqual({json.loads(x)["op"] for x in done.out.splitlines()}, {"r"})


class CasePair(PgTest):
    def test_appears_while_streaming(self):
        """The stream stops at the first row that has it, says what to look at, and the next start goes on there."""
        for plugin in filter(self.server.has_library, PLUGINS):
            with self.subTest(plugin):
                self.server.create_database(self.db)
                self.out = self.folder / plugin
                self.state = self.folder / f"{plugin}.db"
                self.sql(TABLE)
                options = ["-s", f"plugin.name={plugin}", "-s", "column.mask.with.4.chars=public.t.v"]
                cdc = self.stream(*options)
                cdc.wait_streaming()
                self.sql("INSERT INTO t VALUES (2, 'b');")
                cdc.wait_lines(2)
                self.sql("ALTER TABLE t ADD COLUMN \"V\" text; INSERT INTO t VALUES (3, 'c', 'C'); INSERT INTO t VALUES (4, 'd', 'D');")
                self.assert_status(cdc.wait(), 6)
                failed = cdc.find("failed")[0]
                for word in ("public.t", "V", "only by case"):
                    self.assertIn(word, failed["message"])
                self.assertIn("started again", failed["hint"])
                self.assertEqual(len(cdc.lines()), 2)

                again = self.stream(*options)
                again.wait_streaming()
                self.sql("INSERT INTO t VALUES (5, 'e', 'E');")
                rows = [json.loads(x)["after"] for x in again.wait_lines(5)]
                self.assertEqual([r["id"] for r in rows], [1, 2, 3, 4, 5])
                self.assertEqual(rows[4], {"id": 5, "v": "****", "V": "****"})
                self.assertTrue([w for w in again.warnings() if "only by case" in w])
                self.assert_status(again.stop(), 0)

    def test_was_renamed_meanwhile(self):
        """The rows that were written with both names still come: whoever starts again has decided."""
        self.sql(TABLE)
        cdc = self.stream()
        cdc.wait_streaming()
        self.sql("ALTER TABLE t ADD COLUMN \"V\" text; INSERT INTO t VALUES (3, 'c', 'C');")
        self.assert_status(cdc.wait(), 6)
        self.sql("ALTER TABLE t RENAME COLUMN \"V\" TO w; INSERT INTO t VALUES (4, 'd', 'D');")
        done = self.run_cdc("stream", "--until", "now")
        self.assert_status(done, 0)
        self.assertEqual([json.loads(x)["after"] for x in done.out.splitlines()], [{"id": 3, "v": "c", "V": "C"}, {"id": 4, "v": "d", "w": "D"}])
