"""Tables that change under us: dropped in the middle of the snapshot, replica identity changed, columns added and dropped."""
import json

from harness.faults import PATIENT, FaultTest


class Tables(FaultTest):
    def test_dropped_in_the_middle_of_the_snapshot(self):
        """A table that goes before its turn: the snapshot is consistent (it holds the table's lock) or says what it left out; the rest is whole."""
        self.sql("INSERT INTO journal SELECT 10000000 + i, repeat('x', 300) FROM generate_series(1, 100000) i; CREATE TABLE zz_late (id int PRIMARY KEY); INSERT INTO zz_late VALUES (1);")
        cdc = self.stream(*PATIENT, "--output", self.out, out=self.folder / "stdout")
        cdc.wait_for_event("snapshot_started")
        self.sql("DROP TABLE zz_late;", timeout=60)
        if cdc.wait_event_or_end("streaming", 60):
            self.work(20)
            self.wait_confirmed()
            self.assertEqual(cdc.stop(), 0)
        else:
            self.assertIn(cdc.wait(), (1, 3, 6))
            self.assertIn("zz_late", cdc.stderr)
            self.assertIn("anew", cdc.stderr)
            self.work(20)
            self.drain("--output", self.out)
        self.reckon_files("out.ndjson")

    def test_dropped_while_streaming(self):
        self.work(10)
        self.sql("CREATE TABLE gone (id int PRIMARY KEY, v text);")
        self.drain("--output", self.out)
        self.sql("INSERT INTO gone VALUES (1, 'a'); UPDATE gone SET v = 'b'; DROP TABLE gone;")
        self.work(10)
        self.drain("--output", self.out)
        events = [json.loads(x) for x in self.out.read_text().splitlines()]
        self.assertEqual([e["op"] for e in events if e["source"]["table"] == "gone"], ["c", "u"], "PG-FAIL-15: events from the relation message")
        self.reckon_files("out.ndjson")

    def test_replica_identity_changed(self):
        """default -> full -> index -> nothing -> default, rows changed in each."""
        self.sql("CREATE TABLE ri (id int PRIMARY KEY, code int NOT NULL, v text); CREATE UNIQUE INDEX ri_code ON ri (code); INSERT INTO ri VALUES (1, 10, 'a'), (2, 20, 'b');")
        self.drain("--output", self.out)
        cdc = self.stream(*PATIENT, "--output", self.out, out=self.folder / "stdout")
        cdc.wait_streaming()
        befores = {}
        for n, identity in enumerate(("FULL", "USING INDEX ri_code", "DEFAULT")):
            self.sql(f"ALTER TABLE ri REPLICA IDENTITY {identity}; UPDATE ri SET v = v || '{n}' WHERE id = 1; INSERT INTO ri VALUES ({n + 3}, {n + 30}, 'n');")
            if "INDEX" not in identity:      # there a delete carries no id: no consumer could apply it
                self.sql(f"DELETE FROM ri WHERE id = {n + 3};")
        self.sql("ALTER TABLE ri REPLICA IDENTITY NOTHING; INSERT INTO ri VALUES (9, 90, 'last');")
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.assert_replica(self.out.read_text().splitlines(), "public.ri")
        for line in self.out.read_text().splitlines():
            event = json.loads(line)
            if event["source"]["table"] == "ri" and event["op"] == "u":
                befores[event["after"]["v"]] = event["before"]
        self.assertEqual(befores["a0"], {"id": 1, "code": 10, "v": "a"}, "FULL has the old row")
        self.assertIsNone(befores["a012"], "DEFAULT has none when the key stays")

    def test_columns_change_under_load(self):
        self.work(10)
        self.drain("--output", self.out)
        cdc = self.stream(*PATIENT, "--output", self.out, out=self.folder / "stdout")
        cdc.wait_streaming()
        for ddl in ("ALTER TABLE account ADD COLUMN extra int DEFAULT 5", "ALTER TABLE account ALTER COLUMN n TYPE bigint", "ALTER TABLE journal RENAME COLUMN what TO text"):
            self.work(5)
            self.sql(ddl + ";")
            self.work(5) if "RENAME" not in ddl else self.sql("INSERT INTO journal VALUES (-1, 'renamed');")
        self.sql("UPDATE account SET extra = id;")
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        lines = self.out.read_text().splitlines()
        replica = self.assert_replica(lines, "public.account")
        self.assertIn(-1, replica.tables["public.journal"])
        self.assertEqual(replica.tables["public.journal"][-1], {"id": -1, "text": "renamed"})
