"""post.processors with reselect (CORE-PP-01): keys of many types, rows that are gone and columns that cannot be read."""
import json
import threading

from harness.server import Server
from harness.suite import PgTest

RESELECT = ("-s", "post.processors=re", "-s", "re.type=io.debezium.processors.reselect.ReselectColumnsPostProcessor", "-s", "re.reselect.null.values=false")
PLACEHOLDER = "__debezium_unavailable_value"


class Reselect(PgTest):
    def drain(self, *more, status=0):
        done = self.run_cdc("stream", "--until", "now", *RESELECT, *more)
        self.assert_status(done, status)
        return [json.loads(x)["after"] for x in done.out.splitlines()], done.err

    def test_keys_of_many_types(self):
        self.sql("CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN positive AS int CHECK (VALUE > 0); CREATE EXTENSION IF NOT EXISTS citext;")
        keys = {"numeric": "1.50", "timestamptz": "2024-02-29 12:00:00.5+02", "bytea": "\\x00ff", "uuid": "5d0c8e5e-2f6c-4ac5-8d3c-6b1c0b1f2a3d", "mood": "sad",
                "positive": "7", "citext": "Ann", "int[]": "{1,2}", "char(5)": "ab", "interval": "1 mon 2 days", "float8": "0.1", "int4range": "[1,5)", "bit(3)": "101"}
        for number, (name, key) in enumerate(keys.items()):
            self.sql(f"CREATE TABLE t{number} (a {name}, \"B c\" text, n int, big text, PRIMARY KEY (a, \"B c\")); ALTER TABLE t{number} ALTER big SET STORAGE EXTERNAL;"
                     f"INSERT INTO t{number} VALUES ('{key}', 'o''k', 1, repeat('{number},', 2000));")
        self.drain()
        for number in range(len(keys)):
            self.sql(f"UPDATE t{number} SET n = 2;")
        after, said = self.drain()
        self.assertEqual([(a["n"], a["big"][:12]) for a in after], [(2, (f"{number}," * 2000)[:12]) for number in range(len(keys))], said)
        self.assertNotIn("not read again", said)

    def test_gone_and_refused(self):
        """The event keeps its placeholder and a line says why; with mode fail the run ends at the event and comes back to it."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY, n int, big text); ALTER TABLE t ALTER big SET STORAGE EXTERNAL; INSERT INTO t SELECT i, 1, repeat('x', 3000) FROM generate_series(1, 2) i;")
        self.drain()
        self.sql("UPDATE t SET n = 2 WHERE id = 1; DELETE FROM t WHERE id = 1;")
        after, said = self.drain()
        self.assertEqual(after[0]["big"], PLACEHOLDER)
        self.assertIn("re: big of public.t (id=1) not read again, what the log says is written: the row is no longer there", said)
        self.sql("UPDATE t SET n = 3; ALTER TABLE t RENAME big TO large;")
        after, said = self.drain("-s", "re.reselect.error.handling.mode=fail", status=6)
        self.assertEqual(after, [])
        self.assertIn("re.reselect.error.handling.mode=fail", said)
        after, said = self.drain()
        self.assertEqual([a["n"] for a in after], [3])
        self.assertIn("(id=2) not read again", said)

    def test_commit_that_others_do_not_see_yet(self):
        """The log tells of a commit before other sessions see it, here for as long as no synchronous standby has it: the row is read when it is there."""
        with Server(self.kind) as server:
            server.create_database(self.db)
            server.sql("CREATE TABLE t (id int PRIMARY KEY, n int, big text); ALTER TABLE t ALTER big SET STORAGE EXTERNAL; INSERT INTO t VALUES (1, 1, repeat('x', 3000));", self.db)
            cdc = self.stream(*RESELECT, url=server.url(self.db))
            cdc.wait_streaming()
            cdc.wait_lines(1)
            server.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", self.db)
            server.sql("SELECT pg_reload_conf()", self.db)
            server.wait_sql("SELECT current_setting('synchronous_standby_names') = 'nobody'", self.db)
            writer = threading.Thread(target=server.sql, args=("UPDATE t SET id = 2;", self.db))
            writer.start()
            server.wait_sql("SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'", self.db)
            server.wait_sql("SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE '%transactionid%' AND pid <> pg_backend_pid()", self.db)
            self.assertEqual(len(cdc.lines()), 1)
            server.sql("ALTER SYSTEM RESET synchronous_standby_names", self.db)
            server.sql("SELECT pg_reload_conf()", self.db)
            writer.join(30)
            cdc.wait_lines(3)
            self.assertEqual(cdc.stop(), 0)
            self.assertEqual(cdc.records()[-1]["after"], {"id": 2, "n": 1, "big": "x" * 3000})
