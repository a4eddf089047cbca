"""The position is gone or the publication is: status 4 (or 3) with the way out, never a silent gap; `when_needed` mends itself."""
from harness.consumer import lines_of
from harness.faults import PATIENT, FaultTest


class Position(FaultTest):
    conf = "max_slot_wal_keep_size = 16MB\nmin_wal_size = 32MB\nmax_wal_size = 64MB\nwal_keep_size = 0"

    def output(self):
        return ("--output", self.out)

    def lost(self, words, *more):
        """The run ends with status 4, prints nothing, and its error has the words."""
        before = self.out.read_bytes()
        done = self.run_cdc("stream", *PATIENT, "--until", "now", *self.output(), *more, json_log=False)
        self.assert_status(done, 4)
        for word in words:
            self.assertIn(word.lower(), done.err.lower())
        self.assertEqual(self.out.read_bytes(), before, "nothing may be written after the gap")
        self.assertLessEqual(len(done.err.strip().splitlines()), 8, done.err)

    def mended(self):
        """snapshot.mode=when_needed takes a new snapshot and says so; the consumer then holds what the database has."""
        before = len(lines_of([self.out]))       # a new snapshot cannot tell what was deleted meanwhile: the consumer starts anew with it
        done = self.drain(*self.output(), "-s", "snapshot.mode=when_needed")
        self.assertTrue([e for e in done.events if e["event"] == "snapshot_started"], done.err)
        self.work(20)
        self.drain(*self.output())
        replica = self.reckon(lines_of([self.out])[before:])
        self.assertGreater(replica.reads, 0)

    def test_slot_dropped_while_stopped(self):
        self.work(20)
        self.drain(*self.output())
        self.value(f"SELECT pg_drop_replication_slot('{self.slot}')")
        self.work(20)
        self.lost([self.slot, "when_needed"])
        self.assertEqual(self.slots(), "0", "a failed run leaves no new slot")
        self.mended()

    def test_slot_dropped_and_made_again(self):
        """PG-TRAP-SLOT-08: the new slot is ahead of what was delivered: the gap must be seen."""
        self.work(20)
        self.drain(*self.output())
        self.value(f"SELECT pg_drop_replication_slot('{self.slot}')")
        self.work(20)
        self.sql("SELECT pg_switch_wal();")
        self.value(f"SELECT pg_create_logical_replication_slot('{self.slot}', 'pgoutput')")
        self.lost([self.slot])

    def test_wal_lost(self):
        """wal_status = lost (max_slot_wal_keep_size, PG-FAIL-04)."""
        self.work(20)
        self.drain(*self.output())
        self.sql("CREATE TABLE filler (id serial, t text);")
        for _ in range(40):
            self.sql("INSERT INTO filler (t) SELECT repeat(md5(i::text), 30) FROM generate_series(1, 5000) i; SELECT pg_switch_wal(); CHECKPOINT;")
            if self.value(f"SELECT wal_status FROM pg_replication_slots WHERE slot_name = '{self.slot}'") == "lost":
                break
        else:
            self.fail("the slot never got lost: the test proves nothing")
        self.sql("DROP TABLE filler;")
        self.lost([self.slot, "max_slot_wal_keep_size"])

    def test_publication_dropped_while_stopped(self):
        self.work(20)
        self.drain(*self.output())
        self.sql("DROP PUBLICATION dbz_publication;")
        self.work(20)
        done = self.run_cdc("stream", *PATIENT, "--until", "now", *self.output(), "-s", "publication.autocreate.mode=disabled", json_log=False)
        self.assertIn(done.status, (2, 3, 4), done.err)
        self.assertIn("dbz_publication", done.err)
        self.reported_or_whole()

    def test_publication_dropped_while_streaming(self):
        self.work(20)
        cdc = self.stream(*PATIENT, *self.output(), out=self.folder / "stdout", )
        cdc.wait_streaming()
        self.work(20)
        self.wait_confirmed()
        self.sql("DROP PUBLICATION dbz_publication;")
        self.work(5)
        status = cdc.wait(60)
        self.assertIn(status, (3, 4), cdc.stderr_tail())
        self.assertIn("dbz_publication", cdc.stderr)
        self.reported_or_whole()

    def reported_or_whole(self):
        """Made again, the server may or may not decode the older changes; what it cannot give must be an error, not a gap."""
        done = self.run_cdc("stream", *PATIENT, "--until", "now", *self.output(), "-s", "errors.max.retries=0", json_log=False)
        if done.status == 0:
            self.reckon_files("out.ndjson")
        else:
            self.assertIn(done.status, (3, 4), done.err)
            self.assertIn("dbz_publication", done.err)

    def test_slot_moved_on_by_someone(self):
        """Someone advanced the slot while we were away, beyond a checkpoint: what lies between is gone."""
        self.work(20)
        self.drain(*self.output())
        then = self.server.wal_now()
        for _ in range(10):
            self.work(20)
            self.sql(f"SELECT pg_switch_wal(); CHECKPOINT; SELECT pg_replication_slot_advance('{self.slot}', pg_current_wal_lsn());")
            if self.value(f"SELECT restart_lsn > '{then}' FROM pg_replication_slots WHERE slot_name = '{self.slot}'") == "t":
                break
        else:
            self.fail("restart_lsn never moved: the test proves nothing")
        self.lost([self.slot])
