"""cdc snapshot: whole, consistent, parallel, resumable, many tables."""
import json
import signal
import subprocess
import time

from harness.consumer import lines_of
from harness.suite import PgTest, slow

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text);"


class Snapshot(PgTest):
    def test_complete_and_exit_0(self):
        self.sql(TABLE + "INSERT INTO t SELECT i, 'a' FROM generate_series(1, 1000) i; CREATE TABLE nokey (a int); INSERT INTO nokey VALUES (1), (1);")
        done = self.run_cdc("snapshot")
        self.assert_status(done, 0)
        records = [json.loads(x) for x in done.out.splitlines()]
        self.assertEqual(len(records), 1002)
        self.assertEqual({r["op"] for r in records}, {"r"})
        self.assertEqual([r["source"]["snapshot"] for r in records].count("last"), 1)
        self.assertEqual(records[-1]["source"]["snapshot"], "last")
        self.assertEqual(self.slots(), "0")

    def test_empty_database(self):
        """PG-T-06."""
        for _ in range(2):
            done = self.run_cdc("snapshot")
            self.assert_status(done, 0)
            self.assertEqual(done.out, "")

    def test_run_twice(self):
        """PG-T-06: a completed snapshot is not taken again by the stream's offset, but `cdc snapshot` asked for anew takes one or says why not."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        self.assert_status(self.run_cdc("snapshot"), 0)
        second = self.run_cdc("snapshot")
        self.assert_status(second, 0)
        self.assertIn(len(second.out.splitlines()), (0, 1))

    def test_where(self):
        self.sql(TABLE + "INSERT INTO t SELECT i, 'a' FROM generate_series(1, 100) i;")
        done = self.run_cdc("snapshot", "--where", "public.t=id % 10 = 0")
        self.assert_status(done, 0)
        self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], list(range(10, 101, 10)))

    def test_where_and_threads(self):
        self.sql(TABLE + "INSERT INTO t SELECT i, 'a' FROM generate_series(1, 30000) i; ANALYZE;")
        done = self.run_cdc("snapshot", "--where", "public.t=id % 10 = 0 OR id = 7 -- and nothing else", "--threads", "4")
        self.assert_status(done, 0)
        self.assertEqual(sorted(json.loads(x)["after"]["id"] for x in done.out.splitlines()), [7, *range(10, 30001, 10)])

    def test_conditions_that_cannot_be(self):
        """A condition without effect is an error, and one that the server refuses is shown with its table."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        override = ("-s", "snapshot.select.statement.overrides=public.t", "-s", "snapshot.select.statement.overrides.public.t=SELECT id, v FROM t WHERE 1 / (id - 1) > 0")
        for more, words, statuses in ((("--where", "public.tt=id > 1"), ["public.tt"], (2,)),
                                      (("--where", "public.t=id >> v"), ["public.t", "id >> v"], (2, 3)),
                                      (("--where", "public.t=1 / (id - 1) > 0"), ["public.t", "division by zero", "1 / (id - 1) > 0"], (2, 3)),
                                      (override, ["public.t", "division by zero", "1 / (id - 1) > 0"], (2, 3)),
                                      ((*override, "--where", "public.t=id > 1"), ["public.t", "override"], (2,))):
            with self.subTest(" ".join(more)):
                done = self.run_cdc("snapshot", *more, json_log=False)
                self.assertIn(done.status, statuses, done.err)
                self.assertEqual(done.out, "")
                for word in words:
                    self.assertIn(word, done.err)
                said = [line for line in done.err.splitlines() if line.startswith(("error:", "hint:"))]
                self.assertTrue(1 <= len(said) <= 3, done.err)

    def test_table_filter(self):
        self.sql(TABLE + "CREATE TABLE other (id int PRIMARY KEY); INSERT INTO t VALUES (1, 'a'); INSERT INTO other VALUES (1);")
        done = self.run_cdc("snapshot", "--table", r"public\.t")
        self.assertEqual({json.loads(x)["source"]["table"] for x in done.out.splitlines()}, {"t"})

    def test_parallel_is_consistent(self):
        """PG-T-03: --threads 4 while pairs of rows in two tables change in one transaction: every pair is equal in the snapshot."""
        self.sql("CREATE TABLE a (id int PRIMARY KEY, n int, pad text); CREATE TABLE b (id int PRIMARY KEY, n int, pad text);"
                 "INSERT INTO a SELECT i, 0, repeat('x', 200) FROM generate_series(1, 20000) i; INSERT INTO b SELECT i, 0, repeat('x', 200) FROM generate_series(1, 20000) i; ANALYZE;")
        work = self.folder / "work.sql"
        work.write_text("".join("BEGIN; " + "".join(f"UPDATE {t} SET n = {k} WHERE id = {1 + k * 7919 % 20000}; " for t in "ab") + "COMMIT;\n" for k in range(1, 100_000)))
        writer = subprocess.Popen(self.server.psql_command(self.db, "-f", work), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.server.wait_sql("SELECT max(n) > 50 FROM a", self.db)
            cdc = self.start("snapshot", "--threads", "4")
            self.assertEqual(cdc.wait(60), 0)
        finally:
            writer.kill()
            writer.wait()
            self.server.value(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{self.db}'")
        rows = {"a": {}, "b": {}}
        for line in cdc.lines():
            r = json.loads(line)
            table = rows[r["source"]["table"]]
            self.assertNotIn(r["after"]["id"], table, "a row came twice")
            table[r["after"]["id"]] = r["after"]["n"]
        self.assertEqual((len(rows["a"]), len(rows["b"])), (20000, 20000))
        different = [i for i in rows["a"] if rows["a"][i] != rows["b"][i]]
        self.assertEqual(different, [])
        self.assertGreater(max(rows["a"].values()), 0)
        markers = [json.loads(x)["source"]["snapshot"] for x in cdc.lines()]
        self.assertEqual(markers.count("last"), 1)

    def test_resumes_after_kill(self):
        """kill -9 in the middle; the next run goes on: no row missing, none twice in the file."""
        self.sql(TABLE + "INSERT INTO t SELECT i, repeat('x', 300) FROM generate_series(1, 300000) i; ANALYZE;")
        path = self.folder / "t.ndjson"
        cdc = self.start("snapshot", "--output", path, "-s", "offset.flush.interval.ms=50")
        end = time.monotonic() + 20
        while cdc.running() and time.monotonic() < end and self.bytes_in("t.ndjson*") < 20_000_000:
            time.sleep(0.01)
        self.assertTrue(cdc.running(), "it was over before it could be killed:\n" + cdc.stderr)
        cdc.kill()
        again = self.run_cdc("snapshot", "--output", path)
        self.assert_status(again, 0)
        ids = [json.loads(x)["after"]["id"] for x in lines_of([path])]
        self.assertEqual(len(ids), 300000)
        self.assertEqual(sorted(ids), list(range(1, 300001)))

    def test_no_resume_starts_over(self):
        self.sql(TABLE + "INSERT INTO t SELECT i, repeat('x', 300) FROM generate_series(1, 300000) i;")
        cdc = self.start("snapshot", "--output", self.folder / "t.ndjson", "-s", "offset.flush.interval.ms=50")
        cdc.wait_for_event("snapshot_started")
        cdc.kill()
        again = self.run_cdc("snapshot", "--no-resume")
        self.assert_status(again, 0)
        self.assertEqual(len(again.out.splitlines()), 300000)

    def test_every_night_replaces_the_last(self):
        """From cron, into plain names: the file is last night's until tonight's is complete; a table that is empty now has an empty file."""
        self.sql(TABLE + "CREATE TABLE u (id int PRIMARY KEY); INSERT INTO t VALUES (1, 'a'), (2, 'b'); INSERT INTO u VALUES (7);")
        job = ("snapshot", "--output", self.folder / "{table}.ndjson")
        ids = lambda name: [json.loads(x)["after"]["id"] for x in lines_of([self.folder / name])]    # noqa: E731
        self.assert_status(self.run_cdc(*job), 0)
        self.assertEqual((ids("t.ndjson"), ids("u.ndjson")), ([1, 2], [7]))
        self.sql("DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (3, 'c'); DELETE FROM u;")
        self.assert_status(self.run_cdc(*job), 0)
        self.assertEqual((ids("t.ndjson"), ids("u.ndjson")), ([2, 3], []))
        self.assertEqual(sorted(p.name for p in self.folder.glob("*.ndjson*")), ["t.ndjson", "u.ndjson"])
        (self.folder / "t.ndjson").write_text("its reader's own\n")
        self.assert_status(self.run_cdc(*job), 0)
        self.assertEqual(ids("t.ndjson"), [2, 3])

    def test_an_unfinished_snapshot_replaces_nothing(self):
        """Stopped or killed in the middle: last night's file stays; the next run goes on, and then replaces it. In one file, compressed too."""
        self.sql(TABLE + "INSERT INTO t SELECT i, md5(i::text) || md5(i::text || 'x') || repeat('x', 240) FROM generate_series(1, 200000) i; ANALYZE;")
        for name in ("t.ndjson", "t.ndjson.zst"):
            with self.subTest(name):
                path, state = self.folder / name, self.folder / f"{name}.db"
                path.write_text("last night\n")
                for number in (signal.SIGTERM, signal.SIGKILL):
                    cdc = self.start("snapshot", "--output", path, "-s", "offset.flush.interval.ms=20", state=state, out=self.folder / "stdout")
                    part, size = self.folder / f"{name}.part", 0
                    end = time.monotonic() + 20
                    before = part.stat().st_size if part.exists() else 0
                    while cdc.running() and time.monotonic() < end and size < before + 300_000:
                        size = part.stat().st_size if part.exists() else 0
                        time.sleep(0.005)
                    self.assertTrue(cdc.running(), "it was over before it could be stopped:\n" + cdc.stderr)
                    cdc.process.send_signal(number)
                    self.assertEqual(cdc.wait(), 0 if number == signal.SIGTERM else -9)
                    self.assertEqual(path.read_text(), "last night\n")
                done = self.run_cdc("snapshot", "--output", path, state=state)
                self.assert_status(done, 0)
                self.assertIn("interrupted", done.err)
                ids = [json.loads(x)["after"]["id"] for x in lines_of([path])]
                self.assertEqual(ids, list(range(1, 200001)))
                self.assertFalse(part.exists())

    def test_interrupted_and_then_elsewhere(self):
        """The rest of an interrupted snapshot in another file would be no snapshot: it starts over, and says so."""
        self.sql(TABLE + "INSERT INTO t SELECT i, repeat('x', 300) FROM generate_series(1, 400000) i; ANALYZE;")
        first = self.folder / "monday.ndjson"
        cdc = self.start("snapshot", "--output", first, "-s", "offset.flush.interval.ms=20", out=self.folder / "stdout")
        end = time.monotonic() + 20
        while cdc.running() and time.monotonic() < end and self.bytes_in("monday*") < 60_000_000:  # many commits
            time.sleep(0.005)
        self.assertTrue(cdc.running(), cdc.stderr)
        cdc.kill()
        done = self.run_cdc("snapshot", "--output", self.folder / "tuesday.ndjson")
        self.assert_status(done, 0)
        self.assertIn("another output", done.err)
        self.assertEqual(len(lines_of([self.folder / "tuesday.ndjson"])), 400000)
        self.assertFalse(first.exists())

    def test_config_file_and_template(self):
        """The nightly job: one YAML file, one template."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        config = self.folder / "shop.yaml"
        config.write_text(f"connector.class: postgresql\ntopic.prefix: shop\ndatabase:\n  hostname: 127.0.0.1\n  port: {self.server.port}\n"
                          f"  user: postgres\n  dbname: {self.db}\ntable.include.list: public\\.t\n")
        from harness.process import run
        done = run(["snapshot", "--config", config, "--state", self.state, "--output", self.folder / "out" / "{schema}.{table}.ndjson.zst"])
        self.assert_status(done, 0)
        self.assertEqual(len(lines_of([self.folder / "out" / "public.t.ndjson.zst"])), 1)

    @slow
    def test_ten_thousand_tables(self):
        """Empty but one: start to first row within the issue's two seconds (generous here: 10)."""
        self.sql("\n".join(f"CREATE TABLE t{i} (id int PRIMARY KEY, v text);" for i in range(10000)), timeout=300)
        self.sql("INSERT INTO t7777 VALUES (1, 'the one');")
        began = time.monotonic()
        cdc = self.start("snapshot")
        cdc.wait_lines(1, 60)
        first = time.monotonic() - began
        self.assertEqual(cdc.wait(60), 0)
        self.assertEqual([r["source"]["table"] for r in cdc.records()], ["t7777"])
        self.assertLess(first, 10)
