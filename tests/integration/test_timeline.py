"""Another history of the server: promoted standbys, copies of its files restored to an older state. What is stored is either still true
for the server, and capture goes on with nothing missing and nothing twice; or the run ends with status 4 and the way out."""
import json

from harness.process import run
from harness.standby import StandbyTest
from harness.suite import PgTest

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text);"


class Histories:
    """What both kinds of tests do."""

    def one_run(self, *more, status=0, **options):
        done = self.run_cdc("stream", "--until", "now", "-o", self.out, *more, **options)
        self.assert_status(done, status)
        return done

    def insert(self, server, first, last, text="x"):
        """One transaction a row."""
        server.sql("".join(f"INSERT INTO t VALUES ({i}, '{text}');" for i in range(first, last + 1)), self.db)

    def lost(self, words, *more, **options):
        """Status 4 with the way out; nothing is written and nothing confirmed."""
        before = self.out.read_bytes()
        failed = next(e for e in self.one_run(*more, status=4, **options).events if e["event"] == "failed")
        self.assertEqual(self.out.read_bytes(), before)
        for word in (*words, "cdc offsets reset"):
            self.assertIn(word, failed["message"] + failed["hint"])

    def start_over(self, server, **options):
        """The way out: the offset is forgotten, a new snapshot gives what this server holds."""
        self.assert_status(run(["offsets", "reset", "--name", "cdc", "--state", self.state]), 0)
        self.out.unlink()
        self.one_run("-s", "snapshot.mode=initial", **options)
        self.assertEqual(sorted(e["after"]["id"] for e in map(json.loads, self.out.read_text().splitlines())), [r["id"] for r in server.rows("SELECT id FROM t ORDER BY id", self.db)])

    def whole(self, server):
        lines = self.out.read_text().splitlines()
        ids = [json.loads(line)["after"]["id"] for line in lines]
        self.assertEqual(ids, [r["id"] for r in server.rows("SELECT id FROM t ORDER BY id", self.db)])


class RestoredCopy(Histories, PgTest):
    """The files of the stopped server are set aside with their slots, and put back after it went on."""

    def captured_beyond_the_copy(self):
        self.sql(TABLE)
        self.insert(self.server, 1, 5)
        self.one_run()
        self.server.stop()
        self.server.keep_copy()
        self.server.start()
        self.insert(self.server, 6, 10)
        self.one_run()
        self.whole(self.server)
        self.server.stop()
        self.server.restore_copy()

    def test_copy_that_is_behind(self):
        self.captured_beyond_the_copy()
        self.server.start()
        self.lost(["ahead of the server", "restored copy"])
        self.start_over(self.server)

    def test_copy_that_went_on(self):
        """It wrote other rows, and is beyond the stored position by now, on the same timeline."""
        self.captured_beyond_the_copy()
        self.server.start()
        self.insert(self.server, 101, 150, "y" * 50)
        self.lost(["restored to an older state"])
        self.lost(["restored to an older state"])      # the first did not move the slot
        self.start_over(self.server)

    def test_copy_that_went_on_with_the_same_rows(self):
        """As many bytes as before, at the same positions, with the same transaction numbers."""
        self.captured_beyond_the_copy()
        self.server.start()
        self.insert(self.server, 6, 30)
        self.lost(["restored to an older state"])

    def test_copy_of_the_very_state(self):
        """Nothing was captured after the copy: it is the same history."""
        self.sql(TABLE)
        self.insert(self.server, 1, 5)
        self.one_run()
        self.server.stop()
        self.server.keep_copy()
        self.server.restore_copy()
        self.server.start()
        self.insert(self.server, 6, 10)
        self.one_run()
        self.whole(self.server)

    def test_server_crash_takes_the_slot_back(self):
        """After a crash the slot stands where the last checkpoint saw it: what was delivered since is passed over, what is new comes."""
        self.sql(TABLE)
        self.insert(self.server, 1, 5)
        self.one_run()
        self.server.value("CHECKPOINT")
        self.insert(self.server, 6, 40)
        self.one_run()
        self.server.stop("immediate")
        self.server.start()
        self.insert(self.server, 41, 50)
        self.one_run()
        self.whole(self.server)
        self.one_run()
        self.whole(self.server)


class RestoredCopyNewTimeline(RestoredCopy):
    """The copy is brought up through recovery and promoted, as a restored backup is."""

    since = 12

    def recovered(self):
        (self.server.dir / "data" / "standby.signal").touch()
        self.server.start()
        self.server.promote()
        self.server.wait_sql("SELECT NOT pg_is_in_recovery()")

    def test_recovered_copy_that_went_on(self):
        self.captured_beyond_the_copy()
        self.recovered()
        self.insert(self.server, 101, 150, "y" * 50)
        self.lost(["timeline 1", "timeline 2", "restored copy"])
        self.start_over(self.server)

    def test_back_to_the_timeline_before(self):
        """The promoted server was captured; then the old one is there again and writes past the stored position."""
        self.sql(TABLE)
        self.insert(self.server, 1, 5)
        self.one_run()
        self.server.stop()
        self.server.keep_copy()
        self.recovered()
        self.insert(self.server, 6, 10)
        self.one_run()
        self.whole(self.server)
        self.server.stop()
        self.server.restore_copy()
        self.server.start()
        self.insert(self.server, 101, 150, "y" * 50)
        self.lost(["timeline 2", "not in this server's history"])
        self.start_over(self.server)

    def test_recovered_with_everything(self):
        """Another timeline, the same history up to the switch: nothing is missing, nothing comes twice, and it is told."""
        self.sql(TABLE)
        self.insert(self.server, 1, 5)
        self.one_run()
        self.insert(self.server, 6, 10)
        self.server.stop()
        self.recovered()
        self.insert(self.server, 11, 20)
        done = self.one_run()
        self.whole(self.server)
        self.assertTrue([e for e in done.events if e["event"] == "warning" and "promoted" in e["message"]], done.err)
        self.assertFalse([e for e in self.one_run().events if "promoted" in e.get("message", "")], "told once")


for name in [n for n in vars(RestoredCopy) if n.startswith("test_")]:    # those of the base class ran there
    setattr(RestoredCopyNewTimeline, name, None)


class PromotedStandby(Histories, StandbyTest):
    """Before failover slots (PG-HA-01): the new primary has no slot, or one made by hand."""

    since = 13
    lasts = False

    def promoted_without(self, first, last):
        """Rows that only the old primary had, and the capture; then it is gone."""
        self.standby.stop()
        self.insert(self.server, first, last)
        self.one_run()
        self.server.stop("immediate")
        self.standby.start_standby(self.server)
        self.standby.promote()
        self.standby.wait_sql("SELECT NOT pg_is_in_recovery()")

    def begin(self):
        self.sql(TABLE)
        self.insert(self.server, 1, 5)
        self.one_run()
        self.standby.wait_replayed(self.server)

    def test_behind(self):
        self.begin()
        self.promoted_without(6, 30)
        self.lost(["lacks the last changes"], url=self.standby_url)

    def test_went_on(self):
        """A slot was made there at once, and the server is beyond the stored position by now: its log is another one all the same."""
        self.begin()
        self.promoted_without(6, 10)
        self.standby.value(f"SELECT pg_create_logical_replication_slot('{self.slot}', 'pgoutput')", self.db)
        self.insert(self.standby, 101, 200, "y" * 50)
        self.lost(["timeline 1", "lacks the last changes"], url=self.standby_url)
        self.start_over(self.standby, url=self.standby_url)

    def test_slot_made_by_hand(self):
        """It has everything, but its slot begins later than the stored position: told, and the gap only when it is accepted."""
        self.begin()
        self.server.stop()
        self.standby.promote()
        self.standby.wait_sql("SELECT NOT pg_is_in_recovery()")
        done = self.one_run(status=4, url=self.standby_url)
        self.assertIn(f"slot '{self.slot}' does not exist", done.err)
        self.standby.value(f"SELECT pg_create_logical_replication_slot('{self.slot}', 'pgoutput')", self.db)
        self.insert(self.standby, 6, 10)
        self.assertIn("trust_slot", self.one_run(status=4, url=self.standby_url).err)
        self.one_run("-s", "offset.mismatch.strategy=trust_slot", url=self.standby_url)
        self.whole(self.standby)
