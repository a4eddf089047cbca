"""Configurations and signals that cannot be meant so: told before anything is asked of a server, or, once a stream runs, told, counted and passed
over. And what a role may not read."""
import json
import os

from harness.process import run
from harness.suite import PgTest

NOBODY = "postgres://nobody@127.0.0.1:1/nothing"      # nothing listens there: asking it would be status 3
TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'secret');"
UNWRAP = ["-s", "transforms=u", "-s", "transforms.u.type=io.debezium.transforms.ExtractNewRecordState"]
ROUTE = ["-s", "transforms=r", "-s", "transforms.r.type=org.apache.kafka.connect.transforms.RegexRouter", "-s", "transforms.r.replacement=x"]
WRONG = [
    ([*UNWRAP, "-s", "transforms.u.delete.tombstone.handling.mod=drop"], "transforms.u.delete.tombstone.handling.mod"),
    ([*UNWRAP, "-s", "transforms.u.delete.tombstone.handling.mode=perhaps"], "perhaps"),
    (["-s", "transforms=u"], "transforms.u.type"),
    (["-s", "transforms=u", "-s", "transforms.u.type=org.example.Mine"], "org.example.Mine"),
    ([*ROUTE, "-s", "transforms.r.regex=(x"], "transforms.r.regex"),
    ([*ROUTE, "-s", "transforms.r.regex=x", "-s", "transforms.r.predicate=p", "-s", "predicates=p",
      "-s", "predicates.p.type=org.apache.kafka.connect.transforms.predicates.TopicNameMatches", "-s", "predicates.p.pattern=["], "predicates.p.pattern"),
    (["-s", r"table.include.list=public\.(t"], "table.include.list"),
    (["-s", r"column.exclude.list=public\.t\.["], "column.exclude.list"),
    (["-s", r"column.mask.with.4.chars=public\.t\.(v"], "column.mask.with.4.chars"),
    (["-s", "message.key.columns=public.t"], "message.key.columns"),
    (["-s", "message.key.columns=public.(t:id"], "message.key.columns"),
    (["-s", "column.mask.hash.NOPE.with.salt.x=public.t.v"], "NOPE"),
]


class BeforeAnyConnection(PgTest):
    def test_wrong_rules(self):
        for settings, word in WRONG:
            with self.subTest(settings[-1]):
                done = run(["stream", NOBODY, "--name", "cdc", "--state", self.folder / "s.json", *settings], json_log=False, seconds=20)
                self.assertEqual(done.status, 2, done.err)
                self.assertIn(word, done.err)
                self.assertEqual(done.out, "")

    def test_lists_of_yaml(self):
        """What is a list in YAML is one."""
        path = self.folder / "c.yaml"
        path.write_text("""
transforms: [a, b]
transforms.a: {type: org.apache.kafka.connect.transforms.InsertHeader, header: one, value.literal: "1"}
transforms.b:
  type: org.apache.kafka.connect.transforms.InsertHeader
  header: two
  value.literal: "2"
  predicate: p
predicates:
  - p
predicates.p: {type: org.apache.kafka.connect.transforms.predicates.TopicNameMatches, pattern: .*t}
post.processors: [again]
again: {type: io.debezium.processors.reselect.ReselectColumnsPostProcessor, reselect.columns.include.list: ["public.t:v", "public.u:w"]}
table.include.list: ['public\\.t', 'public\\.u']
skipped.operations: [t, d]
""")
        self.sql(TABLE)
        done = self.run_cdc("stream", "-c", path, "--until", "now", "--format", "record")
        self.assert_status(done, 0)
        headers = json.loads(done.out.splitlines()[0])["headers"]
        self.assertEqual({k: headers[k] for k in ("one", "two")}, {"one": 1, "two": 2})


class WhileStreaming(PgTest):
    def test_rules_that_miss(self):
        """A mask on a key column leaves the key in clear, and a key column that is not there is not in the key: both are told, nothing stops."""
        self.sql(TABLE)
        done = self.run_cdc("stream", "--until", "now", "--format", "record", "-s", r"column.mask.with.4.chars=public\.t\.(v|k)", "-s",
                            "message.key.columns=public.t:v,nope")
        self.assert_status(done, 0)
        record = json.loads(done.out)
        self.assertEqual((record["key"], record["value"]["after"]), ({"v": "secret"}, {"id": 1, "v": "****"}))
        warnings = [e["message"] for e in done.events if e["event"] == "warning"]
        self.assertTrue([w for w in warnings if "public.t.v" in w and "column.mask.with.4.chars" in w and "clear" in w], warnings)
        self.assertTrue([w for w in warnings if "public.t" in w and "nope" in w], warnings)

    def test_wrong_signals(self):
        self.sql(TABLE + "CREATE TABLE sig (id text PRIMARY KEY, type text, data text);")
        metrics = self.folder / "metrics.prom"
        cdc = self.stream("-s", "signal.data.collection=public.sig", "--metrics-file", metrics)
        cdc.wait_streaming()
        wrong = {"w1": ("no-such-type", "{}"), "w2": ("execute-snapshot", "{broken"), "w3": ("execute-snapshot", '{"data-collections": []}'),
                 "w4": ("execute-snapshot", '{"data-collections": ["public.["]}'), "w5": ("log", "{}"),
                 "w6": ("execute-snapshot", '{"data-collections": ["public.t"], "type": "sideways"}')}
        for name, (kind, data) in wrong.items():
            self.sql(f"INSERT INTO sig VALUES ('{name}', '{kind}', '{data}');")
        self.sql("INSERT INTO t VALUES (2, 'after');")
        cdc.wait_lines(1 + len(wrong) + 1)
        said = [w for w in cdc.warnings() if "signal" in w]
        for name in wrong:
            self.assertTrue([w for w in said if name in w], f"{name}: {said}")
        self.assert_status(cdc.stop(), 0)
        counted = [line for line in metrics.read_text().splitlines() if "NumberOfErroneousEvents" in line and 'context="streaming"' in line and line[0] != "#"]
        self.assertGreaterEqual(int(float(counted[0].split()[-1])), len(wrong), counted)


class Rights(PgTest):
    def test_tables_that_may_not_be_read(self):
        """One error with all tables and the statements that help, before a slot or a publication is made."""
        role = f"reader_{os.getpid()}"
        self.server.psql("postgres", "-c", f"CREATE ROLE {role} LOGIN REPLICATION")
        self.sql(TABLE + f"""CREATE SCHEMA hidden; CREATE TABLE hidden.h (id int PRIMARY KEY); CREATE TABLE u (id int PRIMARY KEY, w text);
CREATE TABLE part (id int PRIMARY KEY, x text); GRANT SELECT (id) ON part TO {role}; CREATE TABLE fine (id int PRIMARY KEY); GRANT SELECT ON fine TO {role};
GRANT SELECT ON hidden.h TO {role}; CREATE PUBLICATION dbz_publication FOR ALL TABLES;""")
        url = self.server.url(self.db, role)
        done = self.run_cdc("stream", "--until", "now", url=url, json_log=False)
        self.assert_status(done, 3)
        for word in ("public.t", "public.u", "hidden.h", f"GRANT USAGE ON SCHEMA hidden TO {role}", "GRANT SELECT ON"):
            self.assertIn(word.replace('"', ""), done.err.replace('"', ""))
        self.assertNotIn("public.fine", done.err)
        self.assertNotIn("public.part", done.err)
        self.assertEqual((done.out, self.slots()), ("", "0"))
        again = self.run_cdc("snapshot", "--table", r"public\.fine", url=url, state=self.folder / "other.db")
        self.assert_status(again, 0)
        # The stream needs no right to read.
        self.assert_status(self.run_cdc("stream", "--until", "now", "-s", "snapshot.mode=no_data", url=url, state=self.folder / "third.db"), 0)
        self.sql(f"GRANT USAGE ON SCHEMA hidden TO {role}; GRANT SELECT ON t, u, part TO {role};")
        self.assert_status(self.run_cdc("stream", "--until", "now", url=url), 0)
