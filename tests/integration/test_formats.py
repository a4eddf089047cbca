"""--format value, record, keyed, cloudevents; --schemas; --flatten: the same changes in each form."""
import json

from harness.suite import PgTest

SETUP = "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'tab\there');"
CHANGES = "UPDATE t SET v = 'x' WHERE id = 1; UPDATE t SET id = 2 WHERE id = 1; DELETE FROM t WHERE id = 2;"


class Formats(PgTest):
    def lines(self, *more):
        self.sql(SETUP)
        self.assert_status(self.run_cdc("stream", "--until", "now", "--output", self.folder / "first", *more), 0)
        self.sql(CHANGES)
        done = self.run_cdc("stream", "--until", "now", *more)
        self.assert_status(done, 0)
        return (self.folder / "first").read_text().splitlines(), done.out.splitlines()

    def test_value(self):
        """One document a line; tombstones are not printed."""
        first, then = self.lines()
        self.assertEqual([json.loads(x)["op"] for x in first], ["r"])
        values = [json.loads(x) for x in then]
        self.assertEqual([v["op"] for v in values], ["u", "d", "c", "d"])
        self.assertEqual(list(values[0]), ["before", "after", "source", "transaction", "op", "ts_ms", "ts_us", "ts_ns"])

    def test_record(self):
        """Everything, tombstones and headers of a key change included."""
        first, then = self.lines("--format", "record")
        records = [json.loads(x) for x in then]
        self.assertEqual([(r["key"]["id"], r["value"] and r["value"]["op"]) for r in records],
                         [(1, "u"), (1, "d"), (1, None), (2, "c"), (2, "d"), (2, None)])
        self.assertEqual({r["topic"] for r in records}, {"cdc.public.t"})
        self.assertEqual(records[1]["headers"]["__debezium.newkey"], {"id": 2})
        self.assertEqual(records[3]["headers"]["__debezium.oldkey"], {"id": 1})
        for r in records:
            self.assertTrue({"topic", "key", "value", "headers", "offset"} <= set(r) | {"headers"}, r)
            self.assertIn("offset", r)

    def test_keyed(self):
        """key TAB value, as kcat -K reads; a tombstone has an empty value; a TAB inside is escaped by JSON."""
        first, then = self.lines("--format", "keyed")
        self.assertEqual(len(first[0].split("\t")), 2)
        pairs = [x.split("\t") for x in then]
        self.assertEqual([json.loads(k)["id"] for k, _ in pairs], [1, 1, 1, 2, 2, 2])
        self.assertEqual([i for i, (_, v) in enumerate(pairs) if v in ("", "null")], [2, 5])

    def test_cloudevents(self):
        first, then = self.lines("--format", "cloudevents")
        for line in first + then:
            event = json.loads(line)
            self.assertEqual(event["specversion"], "1.0")
            self.assertTrue({"id", "source", "type", "data"} <= set(event), list(event))

    def test_schemas(self):
        first, _ = self.lines("--schemas")
        document = json.loads(first[0])
        self.assertEqual(set(document), {"schema", "payload"})
        self.assertEqual(document["schema"]["name"], "cdc.public.t.Envelope")

    def test_flatten(self):
        first, _ = self.lines("--flatten")
        self.assertEqual(json.loads(first[0]), {"id": 1, "v": "tab\there"})
