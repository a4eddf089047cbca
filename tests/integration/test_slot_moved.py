"""Somebody else moves, drops, makes anew or invalidates the slot: reports PG-03 to PG-07 and PG-09 of PostgreSQL's users. The
right answer or status 4 with the way out, never a silent gap."""
import json

from harness.suite import PgTest, since

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (0, 'first');"


class SlotTest(PgTest):
    def one_run(self, *more, status=0):
        done = self.run_cdc("stream", "--until", "now", *more)
        self.assert_status(done, status)
        return done

    def ids(self, done):
        return [json.loads(line)["after"]["id"] for line in done.out.splitlines()]

    def slot_state(self, column):
        return self.value(f"SELECT {column} FROM pg_replication_slots WHERE slot_name = '{self.slot}'")

    def advance(self):
        self.value(f"SELECT pg_replication_slot_advance('{self.slot}', pg_current_wal_lsn())")

    def insert(self, first, last):
        self.sql(f"INSERT INTO t SELECT i, 'x' FROM generate_series({first}, {last}) i;")

    def drop_slot(self):
        self.value(f"SELECT pg_drop_replication_slot('{self.slot}')")

    def make_slot(self):
        self.value(f"SELECT pg_create_logical_replication_slot('{self.slot}', 'pgoutput')")

    def lost(self, words, *more):
        """Status 4, no event, no change to the stored position; the message has the words."""
        done = self.one_run(*more, status=4)
        self.assertEqual(done.out, "")
        failed = next(e for e in done.events if e["event"] == "failed")
        for word in words:
            self.assertIn(word, failed["message"] + failed["hint"])
        return done


class SlotMoved(SlotTest):
    # --- PG-03 ------------------------------------------------------------------------------------
    @since(11)
    def test_pg_03_slot_advanced_while_stopped(self):
        """Nothing was lost (only the slot went ahead, over nothing of ours): everything that comes then is delivered."""
        self.sql(TABLE)
        self.one_run()
        self.advance()
        self.insert(1, 1000)
        self.assertEqual(self.ids(self.one_run()), list(range(1, 1001)))
        self.assertEqual(self.one_run().out, "")

    @since(11)
    def test_pg_03_slot_advanced_over_changes(self):
        """The position that is stored is behind the slot: told at the least, refused where asked for; no row is dropped in silence."""
        self.sql(TABLE)
        self.one_run()
        self.insert(1, 1000)
        self.advance()
        self.insert(1001, 2000)
        self.lost(["trust_slot", self.slot_state("confirmed_flush_lsn")], "-s", "offset.mismatch.strategy=trust_offset")
        done = self.one_run()
        told = [e["message"] for e in done.events if e["event"] == "warning" and "lost" in e["message"]]
        self.assertTrue(told and self.slot in told[0], done.err)
        self.assertEqual(self.ids(done), list(range(1001, 2001)))

    # --- PG-04 ------------------------------------------------------------------------------------
    def recreate(self):
        self.sql(TABLE)
        self.one_run()
        self.drop_slot()
        self.insert(99, 99)
        self.make_slot()
        self.insert(100, 100)

    def test_pg_04_slot_made_anew(self):
        """Both positions are named, and the two ways out."""
        self.recreate()
        self.lost([self.slot, self.slot_state("restart_lsn"), "snapshot.mode=when_needed", "trust_slot"])

    def test_pg_04_new_snapshot(self):
        self.recreate()
        done = self.one_run("-s", "snapshot.mode=when_needed")
        self.assertEqual(sorted(self.ids(done)), [0, 99, 100])

    def test_pg_04_gap_accepted(self):
        self.recreate()
        done = self.one_run("-s", "offset.mismatch.strategy=trust_slot")
        self.assertEqual(self.ids(done), [100])
        self.assertTrue([e for e in done.events if e["event"] == "warning" and "skipped" in e["message"]], done.err)

    # --- PG-05 ------------------------------------------------------------------------------------
    def test_pg_05_only_other_tables_changed(self):
        """Keepalives moved the slot while nothing of ours changed: no strategy takes that for a fault, and none moves the slot back."""
        for strategy in ("no_validation", "trust_offset", "trust_slot", "trust_greater_lsn"):
            with self.subTest(strategy):
                self.server.create_database(self.db)
                self.sql(TABLE + "CREATE TABLE b (id int); CREATE PUBLICATION only_t FOR TABLE t;")
                settings = ("-s", "publication.name=only_t", "-s", "publication.autocreate.mode=disabled", "-s", f"offset.mismatch.strategy={strategy}",
                            "-s", "status.update.interval.ms=100")
                out, state = self.folder / f"{strategy}.ndjson", self.folder / f"{strategy}.db"
                cdc = self.stream(*settings, out=out, state=state)
                cdc.wait_streaming()
                self.sql("INSERT INTO b SELECT generate_series(1, 1000);")
                self.wait_confirmed()
                cdc.kill()
                self.server.wait_sql(f"SELECT NOT active FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
                before = self.slot_state("confirmed_flush_lsn")
                self.insert(1, 1)
                done = self.run_cdc("stream", "--until", "now", *settings, state=state)
                self.assert_status(done, 0)
                self.assertEqual(self.ids(done), [1])
                self.assertFalse([e for e in done.events if e["event"] == "warning" and self.slot in e["message"]], done.err)
                self.assertEqual(self.value(f"SELECT confirmed_flush_lsn >= '{before}' FROM pg_replication_slots WHERE slot_name = '{self.slot}'"), "t")

    # --- PG-06 ------------------------------------------------------------------------------------
    def test_pg_06_slot_without_offset(self):
        """Nothing is stored, but the slot holds changes: they come, and it is said where the stream begins."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY, v text); CREATE PUBLICATION dbz_publication FOR ALL TABLES;")
        self.make_slot()
        self.insert(1, 100)
        done = self.one_run("-s", "snapshot.mode=no_data")
        self.assertEqual(self.ids(done), list(range(1, 101)))
        self.assertTrue([e for e in done.events if e["event"] == "info" and self.slot in e["message"] and "no position is stored" in e["message"]], done.err)


class SlotLost(SlotTest):
    """PG-09: the server takes the WAL away."""
    conf = "max_slot_wal_keep_size = 16MB\nmin_wal_size = 32MB\nmax_wal_size = 64MB"
    since = 13

    def test_pg_09_slot_lost(self):
        """Found before streaming, at once: the reason, and the setting to raise; when_needed mends it."""
        self.sql(TABLE)
        self.one_run()
        self.sql("CREATE TABLE filler (id serial, t text);")
        for _ in range(40):
            self.sql("INSERT INTO filler (t) SELECT repeat(md5(i::text), 30) FROM generate_series(1, 5000) i; SELECT pg_switch_wal(); CHECKPOINT;")
            if self.slot_state("wal_status") == "lost":
                break
        else:
            self.fail("the slot never got lost: the test proves nothing")
        done = self.lost([self.slot, "max_slot_wal_keep_size", "when_needed"])
        self.assertFalse([e for e in done.events if e["event"] in ("reconnecting", "streaming")], done.err)
        self.sql("DROP TABLE filler;")
        self.assertEqual(self.ids(self.one_run("-s", "snapshot.mode=when_needed")), [0])


class SlotIdle(SlotTest):
    """PG-09, the other way to lose a slot: it was idle for longer than the server allows."""
    conf = "idle_replication_slot_timeout = 1s"
    since = 18

    def test_pg_09_slot_idle_for_too_long(self):
        self.sql(TABLE)
        self.one_run()
        self.insert(1, 5)
        for _ in range(100):                # looked at by checkpoints only
            self.server.value("CHECKPOINT")
            if self.slot_state("invalidation_reason") == "idle_timeout":
                break
            self.value("SELECT pg_sleep(0.2)")
        else:
            self.fail("the slot was never invalidated: the test proves nothing")
        done = self.lost([self.slot, "idle for too long", "idle_replication_slot_timeout", "when_needed"])
        self.assertFalse([e for e in done.events if e["event"] in ("reconnecting", "streaming")], done.err)
        self.assertEqual(sorted(self.ids(self.one_run("-s", "snapshot.mode=when_needed"))), list(range(6)))
