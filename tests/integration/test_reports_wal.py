"""User reports (doc/user-reports.md) on what a capture keeps on the server: WAL behind an idle table, positions that go back, long, prepared
and partly rolled back transactions, a slot that the server gives up."""
import subprocess
import time

from harness.reports import QUICK, SHORT_QUEUE, TABLE, ReportTest
from harness.suite import slow, since

QUIET = ("--table", r"public\.t", "-s", "publication.autocreate.mode=filtered")
BUSY = "INSERT INTO busy SELECT i, repeat('x', 500) FROM generate_series(1, 4000) i;"      # some 2 MB of WAL


class Idle(ReportTest):
    def wait_wal_let_go(self, write):
        """Whatever is written elsewhere, the slot follows: what was confirmed and what is kept."""
        began = self.server.wal_now()
        for _ in range(20):
            write()
            written = self.server.wal_now()
            self.server.sql("CHECKPOINT;")              # logs the running transactions: from there on a slot can decode
            self.wait_confirmed(written)
            if self.slot_value(f"restart_lsn > '{began}'") == "t":
                return
        self.fail(f"the slot keeps WAL from {self.slot_value('restart_lsn')}, writing began at {began}")

    def test_pg_10_idle_table_in_a_busy_database(self):
        """No heartbeat is configured, no captured row comes: WAL is let go, and the stored position goes along."""
        self.sql(TABLE + "CREATE TABLE busy (n int, pad text);")
        cdc = self.live(*QUIET)
        self.wait_wal_let_go(lambda: self.sql(BUSY))
        self.sql("INSERT INTO t VALUES (1, 'at last');")
        cdc.wait_lines(1)
        self.assertEqual(cdc.stop(), 0)
        self.sql(BUSY + "INSERT INTO t VALUES (2, 'while away');")
        self.assertEqual(self.ids(self.drain(*QUIET)), [2])
        self.assertEqual(self.warned("slot is ahead"), [])

    def test_pg_10_idle_database_on_a_busy_server(self):
        self.sql(TABLE)
        other = self.db[:50] + "_busy"
        self.server.create_database(other)
        try:
            self.server.sql("CREATE TABLE busy (n int, pad text);", other)
            cdc = self.live(*QUIET)
            self.wait_wal_let_go(lambda: self.server.sql(BUSY, other))
            self.assertEqual(cdc.stop(), 0)
            self.assertEqual(self.drain(*QUIET), [])
        finally:
            self.server.drop_database(other)

    def test_pg_10_killed_while_idle(self):
        """kill -9 after a quiet time: the stored position is the one that was confirmed, so the next start sees no gap."""
        self.sql(TABLE + "CREATE TABLE busy (n int, pad text);")
        for n in (1, 2):
            cdc = self.live(*QUIET)
            self.sql(BUSY)
            self.wait_confirmed()
            cdc.kill()
            self.wait_released()
            self.sql(f"INSERT INTO t VALUES ({n}, 'x');")
            self.assertEqual(self.ids(self.drain(*QUIET)), [n])
            self.assertEqual(self.warned("slot is ahead"), [])

    @since(11)
    def test_pg_10_not_past_what_is_queued(self):
        """Nobody reads the pipe while other tables are busy: nothing is confirmed beyond what was taken; after kill -9 all of it comes."""
        self.sql(TABLE + "CREATE TABLE busy (n int, pad text);")
        self.drain(*QUIET)
        before = self.server.wal_now()
        self.sql("INSERT INTO t SELECT i, repeat('x', 200) FROM generate_series(1, 1500) i;")
        first = self.server.wal_now()
        cdc, pipe = self.into_pipe(*QUICK, *QUIET)
        cdc.wait_streaming()
        self.sql(BUSY)
        written = self.server.wal_now()
        self.server.wait_sql(f"SELECT sent_lsn >= '{written}' FROM pg_stat_replication")
        moment = self.server.value("SELECT clock_timestamp()")
        self.server.wait_sql(f"SELECT reply_time > '{moment}'::timestamptz + interval '1 s' FROM pg_stat_replication")    # it had several occasions to confirm
        self.assertEqual(self.slot_value(f"confirmed_flush_lsn < '{first}'"), "t", f"confirmed {self.slot_value('confirmed_flush_lsn')}, rows end at {first}, began at {before}")
        cdc.kill()
        text = pipe.text()
        taken = self.events(text[:text.rfind("\n") + 1])
        self.wait_released()
        self.assertEqual(set(self.ids(taken + self.drain(*QUIET))), set(range(1, 1501)))

    @since(11)
    def test_pg_11_positions_never_go_back(self):
        """What is reported as written, flushed and applied, polled while a captured and another table are busy."""
        self.sql(TABLE + "CREATE TABLE busy (n int, pad text);")
        cdc = self.live(*QUIET)
        writers = [self.session().p for _ in range(2)]
        for writer, statement in zip(writers, ("INSERT INTO t VALUES (i, 'x')", "INSERT INTO busy VALUES (i, 'y')")):
            writer.stdin.write(f"DO $$ BEGIN FOR i IN 1..400 LOOP {statement}; COMMIT; PERFORM pg_sleep(0.005); END LOOP; END $$;\n")
            writer.stdin.flush()
        poll = self.session("postgres")
        seen = []
        while len(seen) < 60 or len(cdc.lines()) < 400:
            seen.append(poll.query("SELECT write_lsn - '0/0', flush_lsn - '0/0', replay_lsn - '0/0' FROM pg_stat_replication"))
            self.assertLess(len(seen), 3000, cdc.stderr_tail())
            time.sleep(0.02)
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        points = [[int(x or 0) for x in row.split("|")] for row in seen if row]
        self.assertGreater(len({p[1] for p in points}), 5)
        for earlier, later in zip(points, points[1:]):
            self.assertTrue(all(a <= b for a, b in zip(earlier, later)), (earlier, later))


class Transactions(ReportTest):
    def test_long_transaction(self):
        """It is open over several commits of others, a kill -9 and a stop: they are not held up by it, and its rows come once, after its commit."""
        self.sql(TABLE)
        output = ("--output", self.folder / "t.ndjson")
        read = lambda: self.ids(self.events((self.folder / "t.ndjson").read_text()))    # noqa: E731
        self.drain(*output)
        long = self.session()
        long.query("BEGIN; INSERT INTO t VALUES (1, 'long')")
        cdc = self.stream(*QUICK, *output, stdout=subprocess.DEVNULL)
        cdc.wait_streaming()
        self.sql("INSERT INTO t VALUES (2, 'short'); SELECT pg_switch_wal(); CHECKPOINT;")
        self.wait_confirmed()
        cdc.kill()
        self.wait_released()
        long.query("UPDATE t SET v = 'changed in it' WHERE id = 2; INSERT INTO t VALUES (3, 'long')")
        self.sql("INSERT INTO t VALUES (4, 'short'); SELECT pg_switch_wal(); CHECKPOINT;")
        self.drain(*output)
        long.query("INSERT INTO t VALUES (5, 'long'); COMMIT")
        self.sql("INSERT INTO t VALUES (6, 'short');")
        self.drain(*output)
        self.assertEqual(self.drain(*output), [])
        self.assertEqual(read(), [2, 4, 1, 2, 3, 5, 6])

    def test_stopped_inside_a_long_transaction(self):
        """Its first rows lie before commits that were delivered before it: these do not come again, also when the server was told nothing."""
        self.sql(TABLE)
        manual = ("-s", "lsn.flush.mode=manual")
        self.drain(*manual)
        long = self.session()
        long.query("BEGIN; INSERT INTO t VALUES (1, 'long'), (2, 'long')")
        self.sql("INSERT INTO t VALUES (3, 'short');" + "INSERT INTO t VALUES (4, 'short');")
        long.query("INSERT INTO t VALUES (5, 'long'); COMMIT")
        got = []
        for count in (1, 2, 1, 1):
            got.append(self.ids(self.drain(*manual, "--max-events", count)))
        self.assertEqual(got, [[3], [4, 1], [2], [5]])
        self.assertEqual(self.drain(*manual), [])

    def test_long_transaction_at_the_first_start(self):
        """The slot can only be made when it has ended: cdc says for whom it waits, can be stopped meanwhile, and has its rows once."""
        self.sql(TABLE)
        long = self.session()
        long.query("BEGIN; INSERT INTO t VALUES (1, 'long')")
        pid = long.query("SELECT pg_backend_pid()")
        cdc = self.stream(*QUICK)
        told = self.wait_told(cdc, "waits for")
        self.assertIn(pid, told)
        self.assertEqual(cdc.stop(), 0)
        self.server.wait_sql(f"SELECT count(*) = 0 FROM pg_replication_slots WHERE database = '{self.db}'")
        again = self.stream(*QUICK)
        self.wait_told(again, "waits for")
        self.sql("INSERT INTO t VALUES (2, 'short');")
        long.query("COMMIT")
        again.wait_lines(2)
        again.wait_streaming()
        self.sql("INSERT INTO t VALUES (3, 'later');")
        again.wait_lines(3)
        self.assertEqual(again.stop(), 0)
        self.assertEqual(sorted(self.ids(again.records())), [1, 2, 3])

    def test_prepared_transactions(self):
        """Two-phase: the rows come at COMMIT PREPARED, whole and once, over kills and a restart of the server; what is rolled back never comes."""
        self.sql(TABLE + "INSERT INTO t VALUES (0, 'start');")
        output = ("--output", self.folder / "t.ndjson")
        self.drain(*output)
        self.sql("BEGIN; INSERT INTO t SELECT i, 'one' FROM generate_series(1, 3000) i; UPDATE t SET v = 'in one' WHERE id = 0; PREPARE TRANSACTION 'one';"
                 "BEGIN; INSERT INTO t SELECT i, 'two' FROM generate_series(4000, 6000) i; PREPARE TRANSACTION 'two';"
                 "INSERT INTO t VALUES (9001, 'between');")
        self.drain(*output)
        self.server.stop("fast")
        self.server.start()
        cdc = self.stream(*QUICK, *output, stdout=subprocess.DEVNULL)
        cdc.wait_streaming()
        self.sql("ROLLBACK PREPARED 'two'; COMMIT PREPARED 'one'; INSERT INTO t VALUES (9002, 'after');")
        cdc.kill()
        self.wait_released()
        self.drain(*output)
        events = self.events((self.folder / "t.ndjson").read_text())
        self.assertEqual(self.ids(events), [0, 9001, *range(1, 3001), 0, 9002])
        self.assert_replica((self.folder / "t.ndjson").read_text().splitlines(), "public.t")

    def test_prepared_transaction_at_the_first_start(self):
        """It holds up the making of a slot like a running one, but no session shows it: it is named."""
        self.sql(TABLE + "BEGIN; INSERT INTO t VALUES (1, 'prepared'); PREPARE TRANSACTION 'forgotten one';")
        cdc = self.stream(*QUICK)
        told = self.wait_told(cdc, "waits for")
        self.assertIn("forgotten one", told)
        self.sql("COMMIT PREPARED 'forgotten one';")
        cdc.wait_streaming()
        self.sql("INSERT INTO t VALUES (2, 'later');")
        cdc.wait_lines(2)
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(self.ids(cdc.records()), [1, 2])

    @since(11)
    def test_savepoints(self):
        """Subtransactions in one transaction that the server spills to disk: what was rolled back, however deep, never comes."""
        self.sql(TABLE)
        self.drain()
        rows = lambda first: f"INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series({first}, {first + 1999}) i;"    # noqa: E731
        self.sql("SET logical_decoding_work_mem = '64kB'; BEGIN;" + rows(10000) + "SAVEPOINT a;" + rows(20000) + "SAVEPOINT b;" + rows(30000) +
                 "UPDATE t SET v = 'never' WHERE id < 11000; ROLLBACK TO b;" + rows(40000) + "RELEASE b; ROLLBACK TO a;" + rows(50000) +
                 "SAVEPOINT c; UPDATE t SET v = 'kept' WHERE id = 10000; RELEASE c; COMMIT;"
                 """DO $$ BEGIN FOR i IN 1..300 LOOP BEGIN INSERT INTO t VALUES (i, 'tried'); IF i % 3 = 0 THEN RAISE 'no'; END IF;
                 EXCEPTION WHEN raise_exception THEN NULL; END; END LOOP; END $$;""")
        events = self.drain()
        self.assertEqual(self.ids(events), [*range(10000, 12000), *range(50000, 52000), 10000, *(i for i in range(1, 301) if i % 3)])
        self.assert_replica([line for line in self.done.out.splitlines()], "public.t")


class Interleaved(ReportTest):
    """Sessions whose transactions overlap, with savepoints and two phases, while cdc is killed: every committed row once, no other."""

    LOOP = """DO $$ BEGIN FOR n IN 1..{steps} LOOP
                 FOR k IN 1..6 LOOP
                   INSERT INTO t VALUES ({base} + n * 10 + k, 'w'); IF k % 2 = 0 THEN PERFORM pg_sleep({pause}); END IF;
                   BEGIN INSERT INTO t VALUES (-({base} + n * 10 + k), 'never'); RAISE 'no'; EXCEPTION WHEN raise_exception THEN NULL; END;
                 END LOOP;
                 IF n % 5 = 0 THEN ROLLBACK; ELSE COMMIT; END IF; END LOOP; END $$;"""

    def interleave(self, steps, kills, pause):
        self.sql(TABLE)
        output = ("--output", self.folder / "t.ndjson")
        self.drain(*output)
        writers = [self.session().p for _ in range(4)]
        for number, writer in enumerate(writers[:3]):
            writer.stdin.write(self.LOOP.format(base=(number + 1) * 1_000_000, steps=steps, pause=pause * (number + 1)) + "\n")
        for n in range(steps):
            end = "ROLLBACK" if n % 4 == 0 else "COMMIT"
            writers[3].stdin.write(f"BEGIN; INSERT INTO t SELECT {9_000_000 + n * 10} + g, 'p' FROM generate_series(1, 4) g; SELECT pg_sleep({pause});\n"
                                   f"PREPARE TRANSACTION 'p{n}'; SELECT pg_sleep({pause}); {end} PREPARED 'p{n}';\n")
        for writer in writers:
            writer.stdin.write("SELECT 'over';\n")
            writer.stdin.flush()
        for n in range(kills):
            cdc = self.stream(*QUICK, *output, stdout=subprocess.DEVNULL)
            if n % 3:
                cdc.wait_streaming()
            time.sleep(0.02 + 0.05 * (n % 7))
            self.assertTrue(cdc.running(), cdc.stderr_tail())
            cdc.kill()
        for writer in writers:
            while writer.stdout.readline() not in ("over\n", ""):
                pass
        self.drain(*output)
        got = self.ids(self.events((self.folder / "t.ndjson").read_text()))
        held = [r["id"] for r in self.rows("SELECT id FROM t")]
        self.assertEqual((len(got), sorted(got)), (len(held), sorted(held)))
        self.assertGreater(len(held), steps * 10)

    @since(11)                                         # COMMIT inside DO
    def test_interleaved_transactions_and_kills(self):
        self.interleave(steps=60, kills=6, pause=0.003)

    @since(11)
    @slow
    def test_interleaved_transactions_and_many_kills(self):
        self.interleave(steps=1500, kills=100, pause=0.003)


class Bounded(ReportTest):
    since = 13
    conf = "max_slot_wal_keep_size = 16MB\nmin_wal_size = 32MB\nmax_wal_size = 48MB"

    def lose_the_slot(self):
        for _ in range(40):
            self.sql(BUSY * 4 + "SELECT pg_switch_wal(); CHECKPOINT;")
            if self.slot_value("wal_status = 'lost'") == "t":
                return
        self.fail("the slot never got lost: the test proves nothing")

    def assert_told_and_mended(self, cdc, status):
        """Status 4 with the setting's name, at once and not after blind retries; when_needed makes it good, a plain start does not."""
        self.assertEqual(status, 4, cdc.stderr_tail())
        self.assertIn("max_slot_wal_keep_size", cdc.stderr)
        self.assertIn(self.slot, cdc.find("failed")[0]["message"])
        self.assertLessEqual(len(cdc.find("reconnecting")), 2)
        self.assertEqual(self.drain(*QUIET, status=4), [])
        self.drain(*QUIET, "-s", "snapshot.mode=when_needed")
        self.assert_replica(self.done.out.splitlines(), "public.t")
        self.assertEqual(self.slot_value("wal_status = 'reserved'"), "t")

    def test_max_slot_wal_keep_size_while_streaming(self):
        """The server gives the slot up under a running capture (which may not confirm: lsn.flush.mode=manual)."""
        self.sql(TABLE + "CREATE TABLE busy (n int, pad text);")
        cdc = self.live(*QUIET, "-s", "lsn.flush.mode=manual")
        self.sql("INSERT INTO t VALUES (1, 'a');")
        cdc.wait_lines(1)
        self.lose_the_slot()
        self.assert_told_and_mended(cdc, cdc.wait(20))

    @slow
    def test_max_slot_wal_keep_size_and_a_slow_reader(self):
        """The same behind a pipe that nobody reads: what was taken has no gap. (The server needs some 15 s to end its process.)"""
        self.sql(TABLE + "CREATE TABLE busy (n int, pad text);")
        self.drain(*QUIET)
        cdc, pipe = self.into_pipe(*QUICK, *QUIET, *SHORT_QUEUE)
        cdc.wait_streaming()
        self.sql("INSERT INTO t SELECT i, repeat('x', 300) FROM generate_series(1, 20000) i;")
        self.lose_the_slot()
        pipe.start_reading()
        status = cdc.wait(20)
        ids = self.ids(self.events(pipe.text()))
        self.assertEqual(ids, list(range(1, len(ids) + 1)), "a gap in what was delivered before the end")
        self.assert_told_and_mended(cdc, status)
