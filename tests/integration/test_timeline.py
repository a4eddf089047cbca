"""Another history of the server: promoted standbys, copies of its files restored to an older state. What is stored is either still true
for the server, and capture goes on with nothing missing and nothing twice; or the run ends with status 4 and the way out."""
import json
import unittest

from harness.process import run
from harness.server import Session
from harness.standby import StandbyTest
from harness.suite import PgTest

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text);"


class Histories:
    """What both kinds of tests do."""

    plugin = "pgoutput"

    def one_run(self, *more, status=0, **options):
        done = self.run_cdc("stream", "--until", "now", "-o", self.out, "-s", f"plugin.name={self.plugin}", *more, **options)
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

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if cls.plugin != "pgoutput" and not cls.server.has_library(cls.plugin):
            cls.tearDownClass()
            raise unittest.SkipTest(f"this server comes without {cls.plugin}")

    def leave_position(self):
        """After the last run on the true server."""

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
        self.leave_position()
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
        self.leave_position()
        self.server.stop("immediate")
        self.server.start()
        self.insert(self.server, 41, 50)
        self.one_run()
        self.whole(self.server)
        self.one_run()
        self.whole(self.server)


class RestoredCopyDecoderbufs(RestoredCopy):
    """Its messages tell a transaction by its first record, and where it ends only with the commit."""

    plugin = "decoderbufs"

    def test_transactions_that_overlap(self):
        """One that began first and ended last, before and behind the position that is met again."""
        self.sql(TABLE)
        self.one_run()
        self.server.value("CHECKPOINT")
        early, late = Session(self.server, self.db), Session(self.server, self.db)
        early.query("BEGIN; INSERT INTO t VALUES (1, 'x')")
        late.query("BEGIN; INSERT INTO t VALUES (2, 'x')")
        self.insert(self.server, 3, 5)
        early.query("COMMIT")
        self.insert(self.server, 6, 6)
        self.one_run()
        self.insert(self.server, 7, 7)
        late.query("COMMIT")
        early.close(), late.close()
        self.server.stop("immediate")
        self.server.start()
        self.one_run()
        ids = [json.loads(line)["after"]["id"] for line in self.out.read_text().splitlines()]
        self.assertEqual(ids, [3, 4, 5, 1, 6, 7, 2])


class ImportedPosition(RestoredCopy):
    """The position is Debezium's: that of the last row, as recorded ones have it (data/handover)."""

    def leave_position(self):
        source = json.loads(self.out.read_text().splitlines()[-1])["source"]
        commit = json.loads(source["sequence"])[0]
        self.import_offset({"lsn": source["lsn"], "lsn_proc": source["lsn"], "lsn_commit": int(commit), "messageType": "INSERT",
                            "txId": source["txId"], "ts_usec": source["ts_us"]})

    def import_offset(self, offset):
        for old in self.folder.glob("state.db*"):
            old.unlink()
        made, file = self.folder / "made.json", self.folder / "offsets.dat"
        for command in (["set", "--name", "cdc", "--state", made, json.dumps(offset)], ["export", "--name", "cdc", "--state", made, file],
                        ["import", "--name", "cdc", "--state", self.state, file]):
            self.assert_status(run(["offsets", *command]), 0)

    def unchecked(self, done):
        return [e["message"] for e in done.events if e["event"] == "info" and "cannot be checked" in e["message"]]

    def test_position_that_names_nothing(self):
        """That of a snapshot: nothing of the log was delivered. Told, once."""
        self.sql(TABLE)
        self.one_run("-s", "snapshot.mode=no_data")
        lsn = int(self.value(f"SELECT confirmed_flush_lsn - '0/0' FROM pg_replication_slots WHERE slot_name = '{self.slot}'"))
        self.import_offset({"last_snapshot_record": True, "lsn": lsn, "txId": 7, "ts_usec": 1, "snapshot": "INITIAL", "snapshot_completed": True})
        self.insert(self.server, 1, 5)
        told = self.unchecked(self.one_run())
        self.assertEqual(len(told), 1)
        self.assertIn("snapshot", told[0])
        self.insert(self.server, 6, 9)
        self.assertEqual(self.unchecked(self.one_run()), [])
        self.whole(self.server)

    def test_position_that_names_a_row(self):
        """Nothing to tell where it is checked."""
        self.sql(TABLE)
        self.one_run("-s", "snapshot.mode=no_data")
        # A server that crashes may or may not have written down where the slot stands: here it has not.
        self.server.stop("fast")
        slot = self.server.dir / "data" / "pg_replslot" / self.slot / "state"
        written = slot.read_bytes()
        self.server.start()
        self.insert(self.server, 1, 5)
        self.one_run()
        self.leave_position()
        self.server.stop("immediate")
        slot.write_bytes(written)
        self.server.start()
        self.insert(self.server, 6, 9)
        self.assertEqual(self.unchecked(self.one_run()), [])
        self.whole(self.server)


class ImportedPositionDecoderbufs(ImportedPosition):
    plugin = "decoderbufs"


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
