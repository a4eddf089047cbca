"""plugin.name=decoderbufs (PG-DBUF): what the golden cases do not show: whole runs, changes of the replica identity, refusals."""
import json
import unittest

from harness.suite import PgTest

PLUGIN = ("-s", "plugin.name=decoderbufs")


class Decoderbufs(PgTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not cls.server.has_library("decoderbufs"):
            cls.tearDownClass()
            raise unittest.SkipTest("this server comes without decoderbufs")

    def events(self, done):
        self.assert_status(done, 0)
        return [json.loads(line) for line in done.out.splitlines()]

    def read(self, *more):
        return self.run_cdc("stream", "--until", "now", *PLUGIN, *more)

    def test_runs_go_on_without_publication(self):
        """PG-DBUF-02: no publication is made, and one run goes on where the other ended."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY, v text, n bigint); INSERT INTO t SELECT i, 'a', i FROM generate_series(1, 5) i;")
        lines = self.read().out.splitlines()
        self.assertEqual(self.value("SELECT plugin FROM pg_replication_slots"), "decoderbufs")
        for part in range(3):
            self.sql(f"INSERT INTO t SELECT i, 'b', i FROM generate_series({part * 100 + 10}, {part * 100 + 99}) i;"
                     "UPDATE t SET v = v || 'x', n = n + 1 WHERE id % 7 = 0; DELETE FROM t WHERE id % 11 = 0; UPDATE t SET id = id + 1000 WHERE id % 13 = 0;")
            done = self.read()
            self.assert_status(done, 0)
            lines += done.out.splitlines()
        self.assert_nothing_twice(self.assert_replica(lines, "public.t"))
        self.assertEqual(self.value("SELECT count(*) FROM pg_publication"), "0")

    def test_identity_changes_between_rows(self):
        """No message tells the replica identity: old rows are what they are, however the catalog has changed since."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY, a text NOT NULL, b text); INSERT INTO t SELECT i, 'a', NULL FROM generate_series(1, 9) i;")
        self.assertEqual(len(self.events(self.read())), 9)
        cdc = self.stream(*PLUGIN)
        cdc.wait_streaming()
        self.sql("DELETE FROM t WHERE id = 1;")
        cdc.wait_lines(1)
        self.sql("ALTER TABLE t REPLICA IDENTITY FULL;")
        self.sql("DELETE FROM t WHERE id = 2; UPDATE t SET b = 'new' WHERE id = 3;")
        cdc.wait_lines(3)
        self.sql("ALTER TABLE t REPLICA IDENTITY DEFAULT;")
        self.sql("DELETE FROM t WHERE id = 4; UPDATE t SET b = 'new' WHERE id = 5;")
        cdc.wait_lines(5)
        self.assertEqual(cdc.stop(), 0)
        before = [json.loads(line)["before"] for line in cdc.lines()]
        self.assertEqual(before[0], {"id": 1, "a": "", "b": None})      # what the key alone makes of a NOT NULL column
        self.assertEqual(before[1], {"id": 2, "a": "a", "b": None})
        self.assertEqual(before[2], {"id": 3, "a": "a", "b": None})
        self.assertEqual(before[3], {"id": 4, "a": "", "b": None})
        self.assertIsNone(before[4])

    def test_backlog_of_another_identity(self):
        """The same, read when the catalog shows only the last of them."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY, a text NOT NULL, b text); INSERT INTO t SELECT i, 'a', 'b' FROM generate_series(1, 9) i;")
        self.assertEqual(len(self.events(self.read())), 9)
        self.sql("DELETE FROM t WHERE id = 1;")
        self.sql("ALTER TABLE t REPLICA IDENTITY FULL;")
        self.sql("DELETE FROM t WHERE id = 2;")
        self.sql("ALTER TABLE t REPLICA IDENTITY DEFAULT;")
        self.sql("DELETE FROM t WHERE id = 3;")
        before = [event["before"] for event in self.events(self.read())]
        self.assertEqual(before, [{"id": 1, "a": "", "b": None}, {"id": 2, "a": "a", "b": "b"}, {"id": 3, "a": "", "b": None}])

    def test_debug_mode_is_refused(self):
        """PG-DBUF-02: text for people; before anything is made on the server."""
        done = self.read("-s", "slot.stream.params=debug-mode=on")
        self.assert_status(done, 2)
        self.assertIn("debug-mode=on", done.err)
        self.assertEqual(self.slots(), "0")
        self.assert_status(self.read("-s", "slot.stream.params=debug-mode=off"), 0)

    def test_slot_of_the_other_plugin(self):
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        done = self.read("--state", str(self.folder / "other.db"))
        self.assert_status(done, 3)
        self.assertIn("made for plugin pgoutput", done.err)

    def test_encodings_that_nobody_converts(self):
        """The server converts text for pgoutput only: wrong letters are worse than none."""
        self.server.drop_database(self.db)
        self.server.create_database(self.db, "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        done = self.read()
        self.assert_status(done, 3)
        self.assertIn("LATIN1", done.err)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)

    def test_plugin_that_the_server_does_not_allow(self):
        """Spec 1.3: newer minor releases list the libraries they load."""
        if not self.value("SELECT 1 FROM pg_settings WHERE name = 'output_plugin_libraries'"):
            self.skipTest("this server has no output_plugin_libraries")
        for statement in ("ALTER SYSTEM SET output_plugin_libraries = pgoutput", "SELECT pg_reload_conf()"):
            self.server.sql(statement + ";")
        try:
            self.server.wait_sql("SELECT current_setting('output_plugin_libraries') = 'pgoutput'")
            done = self.read()
            self.assert_status(done, 3)
            self.assertIn("output_plugin_libraries = pgoutput, decoderbufs", done.err)
        finally:
            for statement in ("ALTER SYSTEM RESET output_plugin_libraries", "SELECT pg_reload_conf()"):
                self.server.sql(statement + ";")
