"""Failover slots (PostgreSQL 17 and later, PG-HA-03, PG-T-35): the primary dies under a running capture, its standby is promoted, and cdc
goes on against the new primary: nothing is missing, and nothing comes twice."""
import json

from harness.standby import StandbyTest
from harness.workload import SCHEMA, Writer, work

QUICK = ("-s", "slot.failover=true", "-s", "status.update.interval.ms=100", "-s", "offset.flush.interval.ms=50",
         "-s", "retriable.restart.connector.wait.ms=200", "-s", "errors.retry.delay.initial.ms=100", "-s", "errors.retry.delay.max.ms=300")


class Failover(StandbyTest):
    since = 17
    lasts = False

    def setUp(self):
        super().setUp()
        self.sql(SCHEMA)
        self.standby.wait_replayed(self.server)

    @property
    def either_url(self):
        """Both servers by name; the one that takes writes is meant."""
        hosts = ",".join(f"{s.host}:{s.port}" for s in (self.server, self.standby))
        return f"postgres://postgres@{hosts}/{self.db}"

    def hold_back_for_standby(self):
        """What PG-HA-03 advises: logical slots never get ahead of the standby."""
        self.server.configure(f"synchronized_standby_slots = 'phys_{self.standby.port}'")
        self.server.value("SELECT pg_reload_conf()")

    def begin(self):
        """A capture whose slot the standby holds too, ready for a promotion."""
        cdc = self.stream(*QUICK, "-s", "driver.targetServerType=primary", "-s", "errors.max.retries=-1", url=self.either_url)
        cdc.wait_streaming()
        self.assertEqual(self.value(f"SELECT failover FROM pg_replication_slots WHERE slot_name = '{self.slot}'"), "t")
        with self.standby_snapshots():
            self.standby.wait_sql(f"SELECT count(*) = 1 FROM pg_replication_slots WHERE slot_name = '{self.slot}' AND synced AND NOT temporary AND invalidation_reason IS NULL", seconds=60)
        return cdc

    def promote(self):
        self.server.stop("immediate")
        self.standby.promote()
        self.standby.wait_sql("SELECT NOT pg_is_in_recovery()")

    def check(self, cdc):
        """Stopped in order, the consumer holds what the new primary has."""
        lsn = self.standby.wal_now()
        self.standby.wait_sql(f"SELECT confirmed_flush_lsn >= '{lsn}' FROM pg_replication_slots WHERE slot_name = '{self.slot}'", seconds=60)
        self.assertEqual(cdc.stop(), 0)
        self.server, old = self.standby, self.server
        try:
            for table in ("journal", "account"):
                self.assert_nothing_twice(self.assert_replica(cdc.lines(), f"public.{table}"))
        finally:
            self.server = old

    def test_primary_dies_while_streaming(self):
        """A writer is at work until the end. The running capture finds the new primary by itself."""
        self.hold_back_for_standby()
        cdc = self.begin()
        with Writer(self.server, self.db):
            cdc.wait_lines(300)
            self.server.stop("immediate")
        self.promote()
        work(self.standby, self.db, 30)
        cdc.wait_streaming(2)
        self.check(cdc)

    def test_promotion_while_stopped(self):
        """Changes that nobody had read yet come from the new primary."""
        self.hold_back_for_standby()
        cdc = self.begin()
        work(self.server, self.db, 10)
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        work(self.server, self.db, 20)
        self.standby.wait_replayed(self.server)
        self.promote()
        work(self.standby, self.db, 20)
        cdc = self.stream(*QUICK, url=self.standby_url)
        cdc.wait_streaming()
        self.check(cdc)

    def test_standby_before_its_promotion(self):
        """The name leads to the standby while it still follows: its copy of the slot serves nobody yet, and nothing is
        lost: status 3, which a supervisor tries again, and not 4."""
        self.hold_back_for_standby()
        cdc = self.begin()
        work(self.server, self.db, 10)
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.standby.wait_replayed(self.server)
        done = self.run_cdc("stream", "--until", "now", *QUICK, url=self.standby_url)
        self.assert_status(done, 3)
        self.assertIn("recovery", done.err)
        self.assertEqual(done.out, "")
        self.promote()
        work(self.standby, self.db, 10)
        cdc = self.stream(*QUICK, url=self.standby_url)
        cdc.wait_streaming()
        self.check(cdc)

    def test_capture_is_ahead_of_the_standby(self):
        """Without synchronized_standby_slots the capture may have delivered what the new primary never had: status 4, also when that is
        beyond the stored position by now. No line of the other history is written."""
        cdc = self.begin()
        work(self.server, self.db, 5)
        self.standby.wait_replayed(self.server)
        self.standby.stop()
        work(self.server, self.db, 20)
        self.wait_confirmed()
        self.server.stop("immediate")
        self.standby.start_standby(self.server)
        self.standby.promote()
        self.standby.wait_sql("SELECT NOT pg_is_in_recovery()")
        work(self.standby, self.db, 60)
        self.assertEqual(cdc.wait(), 4, cdc.stderr_tail())
        self.assertIn("lacks the last changes", cdc.stderr)
        lines = len(cdc.lines())
        done = self.run_cdc("stream", "--until", "now", *QUICK, url=self.standby_url)
        self.assert_status(done, 4)
        self.assertEqual(done.out, "")
        self.assertGreater(lines, 0)

    def test_only_confirmed_ahead_of_the_standby(self):
        """The standby lacks the end of the log, in which nothing was ours: everything that was delivered is there, so capture goes on."""
        cdc = self.begin()
        work(self.server, self.db, 5)
        self.wait_confirmed()
        self.standby.wait_replayed(self.server)
        self.standby.stop()
        self.server.sql("CREATE TABLE elsewhere (id int); INSERT INTO elsewhere SELECT generate_series(1, 1000);")
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.server.stop("immediate")
        self.standby.start_standby(self.server)
        self.standby.promote()
        self.standby.wait_sql("SELECT NOT pg_is_in_recovery()")
        work(self.standby, self.db, 30)
        cdc = self.stream(*QUICK, url=self.standby_url)
        cdc.wait_streaming()
        self.check(cdc)
        self.assertTrue([w for w in cdc.warnings() if "promoted" in w], cdc.stderr_tail())
