"""Capture from a hot standby (PostgreSQL 16 and later, PG-HA-02, PG-T-36): the slot lives on the standby, everything else is made on
the primary. Report PG-15: read-only incremental snapshots, which go on after a crash, there and on a primary."""
import json
import time

from harness.process import run
from harness.standby import StandbyTest
from harness.suite import PgTest

SETUP = "CREATE TABLE t (id int PRIMARY KEY, v text); CREATE PUBLICATION dbz_publication FOR ALL TABLES;"
QUICK = ("-s", "status.update.interval.ms=100", "-s", "offset.flush.interval.ms=50")


class FromStandby(StandbyTest):
    def prepare(self, setup=SETUP):
        self.sql(setup)
        self.standby.wait_replayed(self.server)

    def from_standby(self, *more, **options):
        """A stream from the standby that has begun."""
        cdc = self.stream(*QUICK, *more, url=self.standby_url, **options)
        with self.standby_snapshots():
            cdc.wait_streaming()
        return cdc

    def caught_up(self):
        """Everything that the primary holds now was delivered from the standby."""
        self.sql("SELECT pg_switch_wal();")       # what was written last is flushed and sent
        self.standby.wait_sql(f"SELECT confirmed_flush_lsn >= '{self.server.wal_now()}' FROM pg_replication_slots WHERE slot_name = '{self.slot}'")


class Standby(FromStandby):
    def test_snapshot_and_stream(self):
        """The slot is on the standby alone; rows read have no transaction; one run goes on where the other ended."""
        self.prepare(SETUP + "INSERT INTO t SELECT i, 'old' FROM generate_series(1, 100) i;")
        cdc = self.from_standby()
        for part in range(3):
            self.sql(f"INSERT INTO t SELECT i, 'new' FROM generate_series({part * 100 + 101}, {part * 100 + 200}) i; UPDATE t SET v = 'u' || v WHERE id % 7 = {part}; DELETE FROM t WHERE id % 11 = {part};")
            cdc.wait_lines(100 * (part + 2))
            self.assertEqual(cdc.stop(), 0)
            cdc = self.from_standby()
        self.caught_up()
        self.assertEqual(cdc.stop(), 0)
        self.assert_nothing_twice(self.assert_replica(cdc.lines(), "public.t"))
        reads = [e for e in cdc.records() if e["op"] == "r"]
        self.assertEqual((len(reads), {e["source"]["txId"] for e in reads}), (100, {None}))
        self.assertEqual(self.slots(), "0")

    def test_until_now(self):
        """What the standby has received is "now"."""
        self.prepare()
        self.from_standby().stop()
        self.sql("INSERT INTO t SELECT i FROM generate_series(1, 50) i;")
        self.standby.wait_replayed(self.server)
        done = self.run_cdc("stream", "--until", "now", url=self.standby_url)
        self.assert_status(done, 0)
        self.assertEqual(len(done.out.splitlines()), 50)

    def test_no_publication(self):
        """PG-PUB-09: none can be made on a standby, and it is said where to."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY);")
        self.standby.wait_replayed(self.server)
        for mode in ("all_tables", "filtered", "disabled"):
            with self.subTest(mode), self.standby_snapshots():
                done = self.run_cdc("stream", "--until", "now", "-s", f"publication.autocreate.mode={mode}", url=self.standby_url, state=self.folder / f"{mode}.db")
                self.assert_status(done, 3)
                self.assertIn("dbz_publication", done.err)
                failed = next(e for e in done.events if e["event"] == "failed")
                self.assertIn("primary", failed["message"] + failed["hint"])

    def test_signal_table(self):
        """PG-TRAP-INC-06: nothing can be written on a standby; a signal that needs it is told, and the stream goes on."""
        self.prepare(SETUP + "CREATE TABLE sig (id varchar(64) PRIMARY KEY, type varchar(32), data varchar(2048)); INSERT INTO t VALUES (1, 'a');")
        cdc = self.from_standby("-s", "snapshot.mode=no_data", "-s", "signal.data.collection=public.sig")
        self.sql("""INSERT INTO sig VALUES ('s', 'execute-snapshot', '{"data-collections": ["public.t"]}'); INSERT INTO t VALUES (2, 'b');""")
        cdc.wait_lines(1)
        self.caught_up()
        self.assertEqual(cdc.stop(), 0)
        self.assertTrue([w for w in cdc.warnings() + [e["message"] for e in cdc.events if e.get("level") == "error"] if "read.only" in w], cdc.stderr_tail())

    def test_invalidated_by_recovery(self):
        """PG-FAIL-04: without hot_standby_feedback the primary may remove catalog rows that the slot needs: status 4 and the setting."""
        self.prepare()
        cdc = self.from_standby()
        self.assertEqual(cdc.stop(), 0)
        self.standby.configure("hot_standby_feedback = off")
        self.standby.value("SELECT pg_reload_conf()")
        try:
            self.server.wait_sql("SELECT bool_and(catalog_xmin IS NULL AND xmin IS NULL) FROM pg_replication_slots WHERE slot_type = 'physical'")
            self.sql("CREATE TABLE gone (id int); DROP TABLE gone; VACUUM FULL pg_class; VACUUM FULL pg_attribute; INSERT INTO t VALUES (1, 'a'); SELECT pg_switch_wal();")
            self.standby.wait_sql(f"SELECT conflicting FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
            done = self.run_cdc("stream", "--until", "now", url=self.standby_url)
            self.assert_status(done, 4)
            self.assertIn("hot_standby_feedback", done.err)
            self.assertEqual(done.out, "")
        finally:
            self.standby.configure("hot_standby_feedback = on")
            self.standby.value("SELECT pg_reload_conf()")


class ReadOnlySnapshots:
    """Report PG-15, for either kind of server."""

    ROWS, CHUNK = 6000, 100

    def signal(self, *words):
        source = [x for k, v in {"database.hostname": self.server.host, "database.port": self.server.port, "database.user": "postgres",
                                 "database.dbname": self.db, "topic.prefix": "cdc", **self.channel()}.items() for x in ("-s", f"{k}={v}")]
        self.assert_status(run(["signal", *words, *source]), 0)

    def channel(self):
        return {"signal.enabled.channels": "file", "signal.file": str(self.folder / "signals")}

    def capture(self):
        settings = {**self.channel(), "read.only": "true", "signal.poll.interval.ms": 50, "snapshot.mode": "no_data", "incremental.snapshot.chunk.size": self.CHUNK}
        return self.begin(*(x for k, v in settings.items() for x in ("-s", f"{k}={v}")), "-o", self.folder / "kept.ndjson")

    def kept(self):
        path = self.folder / "kept.ndjson"
        return path.read_text().splitlines() if path.exists() else []

    def read_only_snapshot(self):
        self.prepare(SETUP + f"INSERT INTO t SELECT i, 'old' FROM generate_series(1, {self.ROWS}) i;")
        cdc = self.capture()
        self.signal("execute-snapshot", "public.t")
        end = time.monotonic() + 30
        while len(self.kept()) < 10 * self.CHUNK and time.monotonic() < end:
            time.sleep(0.002)
        cdc.kill()
        stopped_at = len(self.kept())
        self.assertLess(stopped_at, self.ROWS, "it was over before it could be killed")
        self.sql("UPDATE t SET v = 'new' WHERE id % 3 = 0; DELETE FROM t WHERE id % 50 = 0;")
        cdc = self.capture()
        self.sql(f"INSERT INTO t VALUES ({self.ROWS + 1}, 'late'); UPDATE t SET v = 'newer' WHERE id % 5 = 0;")
        cdc.wait_for_event("incremental_snapshot_completed", seconds=60)
        self.caught_up()
        self.assertEqual(cdc.stop(), 0)
        events = [json.loads(line) for line in self.kept()]
        newest = {}
        for e in events:
            if e is None or e["source"]["table"] != "t":
                continue
            row = e["after"] or e["before"]
            self.assertFalse(e["op"] == "r" and e["after"]["v"] == "old" and row["id"] in newest, f"an older row came after a change: {e}")
            newest[row["id"]] = None if e["op"] == "d" else e["after"]["v"]
        self.assertEqual({k: v for k, v in newest.items() if v is not None}, {r["id"]: r["v"] for r in self.rows("SELECT id, v FROM t")})
        reads = [e["after"]["id"] for e in events if e["op"] == "r"]
        self.assertEqual(len(reads), len(set(reads)), "a chunk was delivered twice")


class ReadOnlyOnAStandby(ReadOnlySnapshots, FromStandby):
    begin = FromStandby.from_standby

    def test_pg_15_read_only_snapshot_on_a_standby(self):
        self.read_only_snapshot()


class ReadOnlyOnAPrimary(ReadOnlySnapshots, PgTest):
    since = 13

    def prepare(self, setup):
        self.sql(setup)

    def begin(self, *settings):
        cdc = self.stream(*QUICK, *settings)
        cdc.wait_streaming()
        return cdc

    def caught_up(self):
        self.wait_confirmed()

    def test_pg_15_read_only_snapshot_goes_on_after_a_crash(self):
        self.read_only_snapshot()
