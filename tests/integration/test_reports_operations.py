"""User reports (doc/user-reports.md) on running it day by day: the end of a run, what stands on stdout and in logs, connections, memory,
publications, a standby."""
import json
import os
import subprocess
import time

from harness.process import run
from harness.proxy import Proxy
from harness.reports import QUICK, TABLE, ReportTest
from harness.server import Server
from harness.suite import since

SECRET = "s3cret-Word/%41"


class Operations(ReportTest):
    def test_op_01_a_snapshot_ends_by_itself(self):
        """Exit status 0 and a reason, soon after the last row; a script can tell a complete one from none captured and from a stopped one."""
        self.sql(TABLE + "INSERT INTO t SELECT i, 'a' FROM generate_series(1, 10) i;")
        began = time.monotonic()
        done = self.run_cdc("snapshot")
        self.assertLess(time.monotonic() - began, 10)
        self.assert_status(done, 0)
        self.assertEqual(len(done.out.splitlines()), 10)
        self.assertEqual([e["event"] for e in done.events if e["event"].startswith("snapshot_c")], ["snapshot_completed"])
        only = self.run_cdc("stream", "-s", "snapshot.mode=initial_only", state=self.folder / "only.db")
        self.assert_status(only, 0)
        self.assertEqual(len(only.out.splitlines()), 10)
        none = self.run_cdc("snapshot", "--table", r"public\.nothing")
        self.assertEqual(none.out, "")
        self.assertTrue(self.warned("no table is captured", events=none.events))

    def test_op_01_a_stopped_snapshot_is_not_complete(self):
        """SIGTERM in the middle: the log says so, no file has its final name; a failure has a status of its own."""
        self.sql(TABLE + "INSERT INTO t SELECT i, repeat('x', 300) FROM generate_series(1, 200000) i;")
        path = self.folder / "t.ndjson"
        cdc = self.start("snapshot", "--output", path, out=self.folder / "stdout")
        cdc.wait_for_event("snapshot_started")
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(cdc.find("snapshot_completed"), [])
        self.assertNotIn("completed", cdc.find("stopped")[0]["reason"])
        self.assertFalse(path.exists())
        cdc = self.start("snapshot", "--output", path, out=self.folder / "stdout")
        cdc.wait_for_event("snapshot_started")
        self.server.wait_sql(f"SELECT count(pg_terminate_backend(pid)) > 0 FROM pg_stat_activity WHERE datname = '{self.db}' AND query LIKE 'COPY%' AND state = 'active'")
        self.assertEqual(cdc.wait(), 3)
        self.assertFalse(path.exists())

    def test_op_02_nothing_but_events_on_stdout(self):
        """Log level debug, connections lost, a terminal on stderr or not: jq never complains, and each line is an event."""
        self.sql(TABLE)
        with open(self.out, "wb") as out:
            jq = subprocess.Popen(["jq", "-c", "--unbuffered", ".op"], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE)
        cdc = self.stream(*QUICK, "--log-level", "debug", "--stats", "100ms", stdout=jq.stdin)
        jq.stdin.close()
        cdc.out_path = self.out
        cdc.wait_streaming()
        self.lose_connection(cdc, 3)
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(jq.wait(10), 0, jq.stderr.read())
        jq.stderr.close()
        self.assertEqual(self.out.read_text(), '"c"\n' * 3)

    def test_op_04_a_reader_that_leaves_in_the_middle(self):
        """head -n 5 takes some of the pipe and goes; the next reader begins with a whole line and in the end every row was there."""
        self.sql(TABLE)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        cdc = self.live("--output", f"fifo:{pipe}")
        self.sql("INSERT INTO t SELECT i, repeat('x', 3000) FROM generate_series(1, 200) i;")
        head = subprocess.run(["head", "-n", "5", pipe], stdout=subprocess.PIPE, timeout=30)
        self.assertEqual(self.ids(self.events(head.stdout.decode())), [1, 2, 3, 4, 5])
        got = []
        while not got or got[-1]["after"]["id"] < 200:
            with open(pipe, "rb") as reader:           # one that comes while cdc lets go of the pipe sees its end at once
                for line in reader:
                    got.append(json.loads(line))
                    if got[-1]["after"]["id"] == 200:
                        break
        self.assertEqual(cdc.stop(), 0)
        ids = self.ids(got)
        self.assertEqual(ids, list(range(ids[0], 201)))
        self.assertLessEqual(ids[0], 200)

    def test_op_06_a_store_that_fails_stops_the_stream(self):
        """The state's folder goes away under us: no event is confirmed that is not stored, the run ends with a status that is not 0, and all
        of it comes again."""
        self.sql(TABLE)
        self.state = self.folder / "state" / "state.json"
        self.state.parent.mkdir()
        self.drain()
        cdc = self.live()
        self.state.parent.rename(self.folder / "moved")
        confirmed = self.slot_value("confirmed_flush_lsn")
        self.sql("INSERT INTO t SELECT i, 'x' FROM generate_series(1, 100) i;")
        status = cdc.wait(20)
        self.assertNotEqual(status, 0, cdc.stderr_tail())
        self.assertIn("state.json", cdc.stderr)
        self.assertEqual(self.slot_value(f"confirmed_flush_lsn <= '{confirmed}'"), "t")
        (self.folder / "moved").rename(self.state.parent)
        self.wait_released()
        self.assertEqual(self.ids(self.drain()), list(range(1, 101)))

    def test_op_07_no_secret_in_any_text(self):
        """A password in the URL, the environment, a YAML file and a connector JSON; right and wrong; debug log, configuration, errors."""
        hba = self.server.dir / "data" / "pg_hba.conf"
        role = f"guarded_{self.db[:20]}"
        hba.write_text(f"host all {role} 127.0.0.1/32 scram-sha-256\nhost replication {role} 127.0.0.1/32 scram-sha-256\n" + hba.read_text())
        self.server.psql("postgres", "-c", "SELECT pg_reload_conf()", "-c", "SET password_encryption = 'scram-sha-256'",
                         "-c", f"CREATE ROLE {role} LOGIN SUPERUSER PASSWORD '{SECRET}'")
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        fixed = {"connector.class": "postgresql", "topic.prefix": "cdc", "database.hostname": self.server.host, "database.port": str(self.server.port),
                 "database.user": role, "database.dbname": self.db, "slot.name": self.slot}
        quoted = SECRET.replace("%", "%25").replace("/", "%2F")
        yaml, connector, referring = (self.folder / n for n in ("shop.yaml", "shop.json", "env.yaml"))
        yaml.write_text("".join(f"{k}: '{v}'\n" for k, v in {**fixed, "database.password": SECRET}.items()))
        connector.write_text(json.dumps({"name": "shop", "config": {**fixed, "database.password": SECRET}}))
        referring.write_text("".join(f"{k}: '{v}'\n" for k, v in {**fixed, "database.password": "${env:CDC_T_SECRET}"}.items()))
        ways = {"url": [f"postgres://{role}:{quoted}@{self.server.host}:{self.server.port}/{self.db}", "--name", "cdc", "-s", f"slot.name={self.slot}"],
                "yaml": ["-c", yaml], "json": ["-c", connector], "environment": ["-c", referring],
                "flag": ["-c", referring, "-s", f"database.password={SECRET}"]}
        env = {"CDC_T_SECRET": SECRET}
        for name, source in ways.items():
            with self.subTest(name):
                state = ["--state", self.folder / f"{name}.db"]
                good = run(["stream", *source, *state, "--until", "now", "--log-level", "debug", "-s", "slot.drop.on.stop=true"], env=env)
                self.assert_status(good, 0)
                shown = run(["config", *source], env=env, json_log=False)
                self.assert_status(shown, 0)
                bad = run(["stream", *source, *state, "--log-level", "debug", "-s", "slot.name=Wrong-Name"], env=env)
                refused = run(["stream", *source, *state, "--until", "now", "--log-level", "debug", "-s", "database.dbname=nowhere"], env=env)
                for done in (good, shown, bad, refused):
                    for word in (SECRET, quoted, SECRET[:10]):
                        self.assertNotIn(word, done.out + done.err)
                for path in self.folder.glob(f"{name}.db*"):
                    self.assertNotIn(SECRET.encode(), path.read_bytes())

    def test_pg_23_a_new_table_outside_the_publication(self):
        """`filtered` alters it at the start; `disabled` compares and names what is captured but absent; both at the next start too."""
        self.sql("CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY); CREATE TABLE c (id int PRIMARY KEY); CREATE PUBLICATION p FOR TABLE a;")
        settings = ("--table", r"public\.(a|b|c)", "-s", "publication.name=p", "-s", "snapshot.mode=no_data")
        for _ in range(2):
            self.drain(*settings, "-s", "publication.autocreate.mode=disabled")
            told = self.warned("'p'", "public.b", "public.c")
            self.assertEqual(len(told), 1, self.done.err)
            self.assertNotIn("public.a", told[0])
        self.drain(*settings, "-s", "publication.autocreate.mode=filtered")
        self.sql("INSERT INTO b VALUES (1);")
        self.assertEqual([e["source"]["table"] for e in self.drain(*settings, "-s", "publication.autocreate.mode=filtered")], ["b"])
        self.assertEqual(self.warned("public.b"), [])

    def test_pg_24_memory_of_a_large_transaction(self):
        """One statement, 300,000 rows of 400 bytes (120 MB): the memory does not grow with it."""
        self.sql(TABLE)
        self.drain()
        self.sql("INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(1, 300000) i;")
        cdc = self.stream(*QUICK, stdout=subprocess.DEVNULL)
        self.wait_confirmed(seconds=60)
        peak = cdc.peak_rss_kib()
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(cdc.find("stopped")[0]["events"], 300000)
        self.assertLess(peak, 64 * 1024)

    @since(12)
    def test_pg_47_a_standby_without_the_slot(self):
        """The name leads to a node in recovery for a while (a fail-over): the position is not lost, so no status 4 and no new snapshot; it
        says what it met, tries again, and after the promotion the missing slot is told as what it is."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        self.drain()
        standby = Server(self.kind)
        try:
            standby.start_standby(self.server)
            url = standby.url(self.db)
            standby.wait_sql("SELECT count(*) = 1 FROM pg_publication", self.db)
            with Proxy(self.server.port) as proxy:
                cdc = self.live("-s", "snapshot.mode=when_needed", url=self.server.url(self.db, port=proxy.port))
                proxy.target = (proxy.target[0], standby.port)
                proxy.cut()
                cdc.wait_for_event("reconnecting", 3)
                self.assertTrue(cdc.running() and any("recovery" in e["message"] for e in cdc.find("reconnecting")), cdc.stderr_tail())
                self.sql("INSERT INTO t VALUES (2, 'b');")
                proxy.target = (proxy.target[0], self.server.port)
                cdc.wait_streaming(2)
                cdc.wait_lines(1)
                self.assertEqual(cdc.stop(), 0)
                self.assertEqual(self.ids(cdc.records()), [2])
            done = self.run_cdc("stream", *QUICK, "--until", "now", "-s", "snapshot.mode=when_needed", "-s", "errors.max.retries=0", url=url)
            self.assert_status(done, 3)
            self.assertEqual(done.out, "")
            self.assertIn("recovery", done.err)
            standby.promote()
            done = self.run_cdc("stream", *QUICK, "--until", "now", url=url)
            self.assert_status(done, 4)
            self.assertIn(self.slot, done.err)
        finally:
            standby.destroy()
            self.server.wait_sql("SELECT count(*) = 0 FROM pg_replication_slots WHERE slot_type = 'physical' AND active")
            self.server.value("SELECT count(pg_drop_replication_slot(slot_name)) FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT active")


class Connections(ReportTest):
    conf = "log_statement = all\nlog_line_prefix = 'app=%a '"

    def statements(self, work):
        """How many statements cdc sent while `work` ran."""
        log = self.server.dir / "log"
        before = log.stat().st_size
        work()
        text = log.read_bytes()[before:].decode(errors="replace")
        return sum(1 for line in text.splitlines() if line.startswith("app=cdc") and ("statement:" in line or "execute" in line or "received replication command" in line))

    def test_pg_22_two_connections_and_one_catalogue_query(self):
        """3,000 types more: not one statement more, and two sessions while it streams."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        start = lambda name: self.statements(lambda: self.drain("-s", "slot.drop.on.stop=true", state=self.folder / name))    # noqa: E731
        start("first.db")      # makes the publication
        few = start("few.db")
        self.assertGreater(few, 3, "no statement was counted: proves nothing")
        self.sql("".join(f"CREATE TYPE e{n} AS ENUM ('a'); CREATE TYPE c{n} AS (a int);" for n in range(1500)))
        began = time.monotonic()
        self.assertEqual(start("many.db"), few)
        self.assertLess(time.monotonic() - began, 5)
        cdc = self.live()
        self.assertEqual(self.value(f"SELECT string_agg(backend_type, ',' ORDER BY 1) FROM pg_stat_activity WHERE datname = '{self.db}' AND pid <> pg_backend_pid() "
                                    "AND backend_type IN ('client backend', 'walsender')"), "client backend,walsender")
        self.assertEqual(cdc.stop(), 0)
