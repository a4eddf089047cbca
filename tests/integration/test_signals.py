"""Signals on a running capture: incremental snapshots beside a busy stream, blocking ones, `cdc signal`."""
import json
import socket
import threading
import time
import urllib.request

from harness.process import run
from harness.suite import PgTest, since

SIGNALS = "CREATE TABLE sig (id varchar(64) PRIMARY KEY, type varchar(32), data varchar(2048)); ALTER TABLE sig REPLICA IDENTITY FULL;"
TABLE = SIGNALS + "CREATE TABLE t (id int PRIMARY KEY, v text);"
BY_TABLE = ["-s", "signal.data.collection=public.sig"]
NO_DATA = ["-s", "snapshot.mode=no_data"]
NOTES = ["-s", "notification.enabled.channels=log"]


class Signals(PgTest):
    conf = "wal_sender_timeout = 3s"

    def signal(self, *words, settings=(), **options):
        """`cdc signal WORDS` with the test's source."""
        source = [x for k, v in {"database.hostname": self.server.host, "database.port": self.server.port, "database.user": "postgres",
                                 "database.dbname": self.db, "topic.prefix": "cdc"}.items() for x in ("-s", f"{k}={v}")]
        return run(["signal", *words, *source, *settings], **options)

    def read(self, out=None):
        lines = [json.loads(x) for x in (out or self.out).read_text().splitlines() if x]
        return [x for x in lines if "op" in x and x["source"]["table"] == "t"]

    def assert_state(self, out=None):
        """The newest event of each key says what the table holds; reads never bring back what an event of the log had ended."""
        state, ended = {}, {}
        for line in self.read(out):
            row = line["after"] or line["before"]
            if line["op"] == "r":
                self.assertFalse(ended.get(row["id"]), f"a deleted row came back: {line}")
                self.assertFalse(row["v"] == "old" and row["id"] in state, f"an older row came after a change: {line}")
            ended[row["id"]] = line["op"] == "d"
            state[row["id"]] = None if line["op"] == "d" else line["after"]["v"]
        held = {r["id"]: r["v"] for r in self.rows("SELECT id, v FROM t")}
        self.assertEqual({k: v for k, v in state.items() if v is not None}, held)

    def busy(self, settings, send):
        """Every row of the table is changed while it is read."""
        self.sql(TABLE + "INSERT INTO t SELECT i, 'old' FROM generate_series(1, 6000) i;")
        process = self.stream(*NO_DATA, "-s", "incremental.snapshot.chunk.size=150", *settings)
        process.wait_streaming()
        send()
        for step in range(12):
            self.sql(f"UPDATE t SET v = 'new{step}' WHERE id % 12 = {step};")
            self.sql(f"DELETE FROM t WHERE id % 24 = {step}; INSERT INTO t VALUES ({10000 + step}, 'late');")
        process.wait_for_event("incremental_snapshot_completed", seconds=60)
        self.wait_confirmed()
        self.assertEqual(process.stop(), 0)
        self.assert_state()

    def order(self):
        self.sql("""INSERT INTO sig VALUES ('one', 'execute-snapshot', '{"data-collections": ["public.t"]}');""")

    def test_busy_insert_insert(self):
        self.busy(BY_TABLE, self.order)

    def test_busy_insert_delete(self):
        self.busy([*BY_TABLE, "-s", "incremental.snapshot.watermarking.strategy=insert_delete"], self.order)
        self.assertEqual(self.value("SELECT count(*) FROM sig"), "1")

    @since(13)
    def test_busy_read_only(self):
        file = ["-s", "signal.enabled.channels=file", "-s", f"signal.file={self.folder / 'signals'}"]
        settings = [*file, "-s", "read.only=true", "-s", "signal.poll.interval.ms=50"]
        self.busy(settings, lambda: self.assert_status(self.signal("execute-snapshot", "public.t", settings=file), 0))

    def test_killed_in_the_middle(self):
        """Each restart goes on behind the last stored row; nothing is missing in the end."""
        self.sql(TABLE + "INSERT INTO t SELECT i, 'x' FROM generate_series(1, 4000) i;")
        file = self.folder / "kept.ndjson"
        settings = [*NO_DATA, *BY_TABLE, "-s", "incremental.snapshot.chunk.size=20", "-s", "offset.flush.interval.ms=20", "-o", str(file)]

        def size():
            return file.stat().st_size if file.exists() else 0

        process = self.stream(*settings)
        process.wait_streaming()
        self.order()
        for _ in range(3):
            enough = size() + 50_000
            end = time.monotonic() + 20
            while size() < enough and time.monotonic() < end:
                time.sleep(0.005)
            process.kill()
            self.server.wait_sql(f"SELECT NOT active FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
            process = self.stream(*settings)
            process.wait_streaming()
        process.wait_for_event("incremental_snapshot_completed", seconds=60)
        time.sleep(0.3)
        self.assertEqual(process.stop(), 0)
        reads = [x["after"]["id"] for x in self.read(file)]
        self.assertEqual(set(reads), set(range(1, 4001)))
        self.assertEqual(len(reads), 4000)    # the file was cut back to the stored length each time

    def test_blocking_outlives_the_server_s_patience(self):
        """The link is kept alive while the tables are read for longer than wal_sender_timeout."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        process = self.stream(*NO_DATA, *BY_TABLE)
        process.wait_streaming()
        self.sql("""INSERT INTO sig VALUES ('b', 'execute-snapshot', '{"type": "blocking", "data-collections": ["public.t"],
                 "additional-conditions": [{"data-collection": "public.t", "filter": "SELECT t.* FROM t, pg_sleep(7)"}]}');""")
        self.sql("INSERT INTO t VALUES (2, 'b');")
        process.wait_for_event("snapshot_completed", seconds=30)
        self.wait_confirmed()
        self.assertEqual(process.stop(), 0)
        self.assertEqual([(x["op"], x["after"]["id"]) for x in self.read()][-1], ("c", 2))
        self.assertNotIn("reconnecting", process.stderr)

    def test_blocking_that_fails_leaves_the_stream_healthy(self):
        """The server refuses its SELECT: that is told, the stream goes on, and /healthz says streaming again."""
        self.sql(TABLE)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = "127.0.0.1:%d" % free.getsockname()[1]
        process = self.stream(*NO_DATA, *BY_TABLE, "--metrics-listen", address)
        process.wait_streaming()
        self.sql("""INSERT INTO sig VALUES ('b', 'execute-snapshot', '{"type": "blocking", "data-collections": ["public.t"],
                 "additional-conditions": [{"data-collection": "public.t", "filter": "SELECT * FROM nowhere"}]}');
                 INSERT INTO t VALUES (1, 'a');""")
        process.wait_streaming(2)
        self.wait_confirmed()
        with urllib.request.urlopen(f"http://{address}/healthz", timeout=10) as page:
            self.assertEqual(json.load(page), {"status": "streaming"})
        self.assertEqual(process.stop(), 0)
        self.assertIn("the blocking snapshot failed", process.stderr)
        self.assertIn("nowhere", process.stderr)
        self.assertEqual([(x["op"], x["after"]["id"]) for x in self.read()], [("c", 1)])

    def test_stopped_while_a_standby_holds_a_commit_back(self):
        """It is in the log and was streamed, but no query shows it before the synchronous standby has it, which is gone: the chunk waits.
        A stop does not, and the next run reads the table to its end."""
        self.sql(TABLE + f"INSERT INTO t SELECT i, 'a' FROM generate_series(1, 50) i; ALTER DATABASE {self.db} SET synchronous_commit = local;")
        settings = [*NO_DATA, *BY_TABLE]
        process = self.stream(*settings)
        process.wait_streaming()
        self.synchronous_standby("nobody")
        writer = threading.Thread(target=lambda: self.sql("SET synchronous_commit = on; INSERT INTO t VALUES (99, 'held');"))
        writer.start()
        try:
            process.wait_lines(1)
            self.order()
            process.wait_for_event("incremental_snapshot_started")
            # It asks again and again.
            for _ in range(3):
                self.server.wait_sql("SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE '%txid_current_snapshot%' AND application_name LIKE 'cdc%'")
            self.assertFalse(process.find("incremental_snapshot_completed"))
            begun = time.monotonic()
            self.assertEqual(process.stop(), 0)
            self.assertLess(time.monotonic() - begun, 3)
            self.assertEqual([x["op"] for x in self.read()], ["c"])
        finally:
            self.synchronous_standby("")
            writer.join()
        process = self.stream(*settings)
        process.wait_for_event("incremental_snapshot_completed")
        self.assertEqual(process.stop(), 0)
        self.assertEqual({x["after"]["id"] for x in self.read() if x["op"] == "r"}, {*range(1, 51), 99})

    def synchronous_standby(self, name):
        for statement in (f"ALTER SYSTEM SET synchronous_standby_names = '{name}'", "SELECT pg_reload_conf()"):
            self.server.sql("SET synchronous_commit = local; " + statement + ";")
        self.server.wait_sql(f"SELECT current_setting('synchronous_standby_names') = '{name}'")

    def test_command_line(self):
        """Type and data are checked before anything is sent; the id is printed."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        process = self.stream(*NO_DATA, *BY_TABLE, *NOTES)
        process.wait_streaming()
        done = self.signal("execute-snapshot", "--id", "mine", "public.t", settings=BY_TABLE)
        self.assert_status(done, 0)
        self.assertEqual(done.out, "mine\n")
        process.wait_for_event("incremental_snapshot_completed")
        self.assert_status(self.signal("log", "here: {}", settings=BY_TABLE), 0)
        self.assertIn('here: {"', process.wait_for_event("signal")["message"])
        self.assertEqual(process.stop(), 0)
        self.assertEqual([x["op"] for x in self.read()], ["r"])

    def test_command_line_wrong(self):
        self.sql(TABLE)
        for words, settings, part in (
                (["execute-snapshot"], BY_TABLE, "data-collections"),
                (["execute-snapshot", "public.t"], [], "signal.data.collection"),
                (["execute-snapshot", "public.["], BY_TABLE, "regular expression"),
                (["execute-snapshot", "public.t", "--condition", "id > 1"], BY_TABLE, "--condition"),
                (["execute-snapshot", "public.t"], ["-s", "signal.data.collection=public.nowhere"], "public.nowhere"),
                (["pause-snapshot", "--channel", "file"], BY_TABLE, "signal.enabled.channels"),
                (["log"], BY_TABLE, "message")):
            with self.subTest(" ".join(words)):
                done = self.signal(*words, settings=settings)
                self.assert_status(done, 2)
                self.assertIn(part, done.err)
        self.assertEqual(self.value("SELECT count(*) FROM sig"), "0")
        quoted = self.signal("init", settings=["-s", "signal.data.collection=public.Sig 3"])
        self.assertIn('CREATE TABLE public."Sig 3" (', quoted.out)
        made = self.signal("init", settings=["-s", "signal.data.collection=public.sig2"])
        self.assert_status(made, 0)
        self.sql(made.out)
        self.assertEqual(self.value("SELECT count(*) FROM sig2"), "0")

    def test_not_published(self):
        """user report: the signal table is not in the publication, so that no window ever closes. The stream goes on, and it is told."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a'); CREATE PUBLICATION p FOR TABLE t;")
        process = self.stream(*NO_DATA, *BY_TABLE, "-s", "publication.name=p", "-s", "publication.autocreate.mode=disabled")
        process.wait_streaming()
        self.order()
        self.sql("INSERT INTO t VALUES (2, 'b');")
        process.wait_lines(1)
        self.assertEqual(process.stop(), 0)
        self.assertTrue(any("public.sig" in w for w in process.warnings()), process.warnings())
