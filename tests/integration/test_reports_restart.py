"""User reports (doc/user-reports.md) on loss and repetition at a restart. Each test is named after its report."""
import json
import os
import re
import signal
import subprocess
import time

from harness.proxy import Proxy
from harness.reports import BY_TABLE, QUICK, SHORT_QUEUE, SIGNALS, TABLE, ReportTest
from harness.server import Server
from harness.suite import since


class Restart(ReportTest):
    def copy(self, count, first=1):
        """Rows by one COPY: many of them share one position in the log."""
        self.sql("COPY t FROM STDIN;\n" + "".join(f"{i}\trow {i}\n" for i in range(first, first + count)) + "\\.\n")

    def test_pg_01_rows_of_one_position_into_a_pipe(self):
        self.sql(TABLE)
        self.drain()
        self.copy(2000)
        cdc = self.piped()
        first = cdc.read(500)
        first += cdc.kill()
        self.assertGreater(len({e["source"]["lsn"] for e in first}), 0)
        self.assertLess(len({e["source"]["lsn"] for e in first}), 400, "the rows must share positions, or the test proves nothing")
        rest = self.drain()
        self.assertEqual(sorted(set(self.ids(first + rest))), list(range(1, 2001)))

    def test_pg_01_rows_of_one_position_into_a_file(self):
        """Every key exactly once, wherever in the transaction the kill comes."""
        self.sql(TABLE)
        output = ("--output", self.folder / "t.ndjson")
        self.drain(*output)
        self.copy(60_000)
        for part in (500_000, 4_000_000):
            cdc = self.stream(*QUICK, *output, stdout=subprocess.DEVNULL)
            while cdc.running() and self.bytes_in("t.ndjson*") < part:
                time.sleep(0.002)
            cdc.kill()
        self.drain(*output)
        self.assertEqual(self.ids(self.events((self.folder / "t.ndjson").read_text())), list(range(1, 60_001)))

    def test_pg_01_stopped_at_every_row(self):
        """The same with an ordered stop after each few rows: nothing twice, nothing missing."""
        self.sql(TABLE)
        self.drain()
        self.copy(10)
        got = []
        for count in (1, 2, 3, 1):
            got += self.drain("--max-events", count)
        got += self.drain()
        self.assertEqual(self.ids(got), list(range(1, 11)))

    @since(14)
    def test_pg_08_messages_at_a_restart(self):
        """A message that was stored does not come again, and the row behind it does come, whatever kind of message it is."""
        self.sql(TABLE)
        self.drain()
        self.sql("BEGIN; SELECT pg_logical_emit_message(true, 'audit', 'm1'); INSERT INTO t VALUES (1); COMMIT;"
                 "BEGIN; INSERT INTO t VALUES (2); SELECT pg_logical_emit_message(false, 'audit', 'm2'); INSERT INTO t VALUES (3); COMMIT;"
                 "SELECT pg_logical_emit_message(false, 'audit', 'm3'); INSERT INTO t VALUES (4);")
        got = []
        while len(got) < 7:
            one = self.drain("--max-events", "1")
            self.assertEqual(len(one), 1, self.done.err)
            got += one
        self.assertEqual(self.drain(), [])
        told = [e["message"]["prefix"] if e["op"] == "m" else e["after"]["id"] for e in got]
        self.assertEqual(told, ["audit", 1, "audit", 2, 3, "audit", 4])    # m2 is outside its transaction and reaches us before it

    @since(14)
    def test_pg_08_a_message_that_was_the_last(self):
        """Nothing comes after it: it is not told again at each start."""
        self.sql(TABLE)
        self.drain()
        for transactional in ("true", "false"):
            self.sql(f"SELECT pg_logical_emit_message({transactional}, 'audit', 'last'); CHECKPOINT;")    # outside a transaction nothing else writes it out soon
            self.assertEqual([e["op"] for e in self.drain()], ["m"])
            self.assertEqual((self.drain(), self.drain()), ([], []))
        self.sql("INSERT INTO t VALUES (1);")
        self.assertEqual(self.ids(self.drain()), [1])

    def test_pg_12_clean_stop_confirms(self):
        """SIGTERM long before the next flush is due: what was written is stored and confirmed, and nothing comes twice."""
        self.sql(TABLE)
        cdc = self.stream("-s", "offset.flush.interval.ms=600000", "-s", "status.update.interval.ms=600000")
        cdc.wait_streaming()
        self.sql("INSERT INTO t SELECT i, 'x' FROM generate_series(1, 300) i;")
        last = json.loads(cdc.wait_lines(300)[-1])["source"]["lsn"]
        self.assertEqual(self.slot_value(f"confirmed_flush_lsn - '0/0' > {last}"), "f", "it confirmed before it was asked to stop: proves nothing")
        self.assertEqual(cdc.stop(signal.SIGTERM), 0)
        self.assertEqual(self.slot_value(f"confirmed_flush_lsn - '0/0' > {last} AND NOT active"), "t")
        self.assertEqual(self.drain(), [])

    def test_pg_12_shutdown_while_nobody_reads(self):
        """The reader of the pipe stands still, and the server is to be shut down: it is not held up by our unread backlog. Afterwards all
        goes on by itself, nothing missing, nothing twice."""
        self.sql(TABLE)
        self.drain()
        self.sql("INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(1, 50000) i;")
        cdc, pipe = self.into_pipe(*QUICK, *SHORT_QUEUE)
        cdc.wait_streaming()
        pipe.take(1000)
        began = time.monotonic()
        self.server.stop("fast")
        self.assertLess(time.monotonic() - began, 20, "the shutdown hung on us")
        self.server.start()
        pipe.start_reading()
        cdc.wait_streaming(2)
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(self.ids(self.events(pipe.text())), list(range(1, 50001)))

    def test_pg_13_retries_start_anew_after_success(self):
        """errors.max.retries=1: each loss of the connection has a try of its own, once something came in between."""
        self.sql(TABLE)
        cdc = self.live("-s", "errors.max.retries=1")
        self.lose_connection(cdc, 4)
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(self.ids(cdc.records()), [1, 2, 3, 4])

    def test_pg_13_slot_held_by_another(self):
        """Retried for a bounded time, then who holds it, from where, and the query that ends it."""
        self.sql(TABLE)
        holder = self.live()
        pid = self.slot_value("active_pid")
        done = self.run_cdc("stream", "-s", "slot.max.retries=1", "-s", "slot.retry.delay.ms=100", "-s", "errors.max.retries=0",
                            state=self.folder / "other.db", json_log=False)
        self.assert_status(done, 3)
        for word in (pid, self.server.host, f"pg_terminate_backend({pid})"):
            self.assertIn(word, done.err)
        self.assertEqual(holder.stop(), 0)

    @since(11)
    def test_pg_16_a_lost_worker_fails_the_snapshot(self):
        """One of four readers loses its connection: its part is never read under another snapshot; the whole is taken anew."""
        self.sql("CREATE TABLE debit (id int PRIMARY KEY, n int, pad text); CREATE TABLE credit (id int PRIMARY KEY, n int, pad text);"
                 "INSERT INTO debit SELECT i, 0, repeat('x', 2500) FROM generate_series(1, 15000) i; INSERT INTO credit SELECT * FROM debit; ANALYZE;")
        writer = self.session().p
        writer.stdin.write("DO $$ BEGIN FOR k IN 1..1000000 LOOP UPDATE debit SET n = k WHERE id = 1 + k % 15000; UPDATE credit SET n = k WHERE id = 1 + k % 15000; COMMIT; END LOOP; END $$;\n")
        writer.stdin.flush()
        self.server.wait_sql("SELECT max(n) > 50 FROM debit", self.db)
        # nobody reads it, so that the readers stand in the middle of their tables
        cdc, pipe = self.into_pipe(*QUICK, *SHORT_QUEUE, "-s", "snapshot.max.threads=4")
        cdc.wait_for_event("snapshot_started")
        pipe.take(1000)
        readers = f"FROM pg_stat_activity WHERE datname = '{self.db}' AND query LIKE 'COPY%' AND state = 'active'"
        self.server.wait_sql(f"SELECT count(*) > 1 {readers}")
        self.server.value(f"SELECT pg_terminate_backend(max(pid)) {readers}")
        pipe.start_reading()
        cdc.wait_for_event("reconnecting")
        cdc.wait_streaming()
        self.value(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{self.db}' AND query LIKE 'DO %'")
        self.assertEqual(cdc.stop(), 0)
        reads = [e for e in self.events(pipe.text()) if e["op"] == "r"][-30000:]
        rows = {"debit": {}, "credit": {}}
        for e in reads:
            rows[e["source"]["table"]][e["after"]["id"]] = e["after"]["n"]
        self.assertEqual((len(rows["debit"]), len(rows["credit"])), (15000, 15000))
        self.assertEqual([i for i in rows["debit"] if rows["debit"][i] != rows["credit"][i]], [])

    def test_pg_16_connections_that_reach_two_servers(self):
        """An address that spreads connections: the snapshot of one server cannot be read on the other, and nothing else is read instead; the
        reason is told."""
        setup = TABLE + "INSERT INTO t SELECT i, 'x' FROM generate_series(1, 100) i;"
        self.sql(setup)
        with Server(self.kind) as other:
            other.create_database(self.db)
            other.sql(setup, self.db)
            for first in (2, 3):
                with self.subTest(first), Proxy(self.server.port) as proxy:
                    proxy.later_targets = [self.server.port] * (first - 1) + [other.port]
                    done = self.run_cdc("stream", *QUICK, "-s", "snapshot.max.threads=3", "--until", "now", url=self.server.url(self.db, port=proxy.port))
                    self.assert_status(done, 3)
                    self.assertEqual(done.out, "")
                    self.assertIn("different servers", next(e for e in done.events if e["event"] == "failed")["hint"])

    def test_pg_17_completion_is_stored_on_an_idle_source(self):
        """Nothing is written after the snapshot; the flush interval never passes, and yet it is stored as complete at
        once: after kill -9 it is not taken again."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a'), (2, 'b');")
        for name, output in (("stdout", ()), ("file", ("--output", self.folder / "t.ndjson"))):
            with self.subTest(name):
                self.slot, state = f"{self.db}_{name}", self.folder / f"{name}.json"
                never = ("-s", "offset.flush.interval.ms=600000", "-s", "slot.max.retries=100", "-s", "slot.retry.delay.ms=100")
                cdc = self.stream(*never, *output, state=state, out=self.folder / f"{name}.out")
                cdc.wait_streaming()
                end = time.monotonic() + 10
                while not re.search(r'"snapshot_completed": ?true', state.read_text()) and time.monotonic() < end:
                    time.sleep(0.01)
                cdc.kill()
                done = self.run_cdc("stream", *never, *output, "--until", "now", state=state)
                self.assert_status(done, 0)
                self.assertEqual([e for e in done.events if e["event"] == "snapshot_started"], [])
                self.assertEqual(done.out, "")
        self.assertEqual(self.ids(self.events((self.folder / "t.ndjson").read_text())), [1, 2])

    def test_pg_18_crash_before_the_snapshot_was_read(self):
        """The reader of a pipe stops after 1,000 lines, both are killed: the next start brings every row."""
        self.sql(TABLE + "INSERT INTO t SELECT i, repeat('x', 50) FROM generate_series(1, 60000) i;")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        cdc = self.stream(*QUICK, "--output", f"fifo:{pipe}", stdout=subprocess.DEVNULL)
        with open(pipe, "rb") as reader:
            for _ in range(1000):
                self.assertTrue(reader.readline())
            cdc.kill()
        self.sql("INSERT INTO t VALUES (60001, 'meanwhile');")
        cdc = self.stream(*QUICK, "--output", f"fifo:{pipe}", stdout=subprocess.DEVNULL)
        with open(pipe, "rb") as reader:
            got = [json.loads(reader.readline()) for _ in range(60001)]
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(sorted(self.ids(got)), list(range(1, 60002)))

    def test_pg_19_no_slot_is_left_behind(self):
        """Killed during the first, a blocking and an incremental snapshot: only the one named slot is there."""
        self.sql(SIGNALS + TABLE + "INSERT INTO t SELECT i, repeat('x', 200) FROM generate_series(1, 100000) i;")
        left = f"SELECT string_agg(slot_name || ' ' || temporary, ',') FROM pg_replication_slots WHERE database = '{self.db}'"
        cdc = self.stream(*QUICK)
        cdc.wait_lines(100)
        cdc.kill()
        self.server.wait_sql(f"SELECT NOT bool_or(temporary OR active) FROM pg_replication_slots WHERE database = '{self.db}'")
        self.assertEqual(self.value(left), f"{self.slot} false")
        for n, kind in enumerate(("blocking", "incremental")):
            out = self.folder / f"{kind}.out"
            cdc = self.live("-s", "snapshot.mode=no_data", "-s", "incremental.snapshot.chunk.size=100", *BY_TABLE, state=self.folder / f"{n}.db", out=out)
            self.sql(f"""INSERT INTO sig VALUES ('{kind}', 'execute-snapshot', '{{"type": "{kind}", "data-collections": ["public.t"]}}');""")
            cdc.wait_lines(500)
            cdc.kill()
            self.wait_released()
            self.assertEqual(self.value(left), f"{self.slot} false", kind)

    def test_pg_20_offset_with_unknown_members(self):
        """A stored offset of a newer version: an unknown messageType and an unknown member are no reason to stop."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        state = self.folder / "state.json"
        self.drain(state=state)
        self.sql("INSERT INTO t VALUES (2, 'b');")
        self.drain(state=state)
        text = state.read_text()
        self.assertIn("messageType", text)
        document = json.loads(text)

        def newer(value):
            if "messageType" in value:
                value.update(messageType="NOOP", brand_new={"a": [1]})
            for member in value.values() if isinstance(value, dict) else value:
                if isinstance(member, (dict, list)):
                    newer(member)
            return value
        state.write_text(json.dumps(newer(document)))
        self.assertIn("NOOP", state.read_text())
        self.sql("INSERT INTO t VALUES (3, 'c');")
        self.assertEqual(self.ids(self.drain(state=state)), [3])

    def test_pg_21_no_session_idle_in_transaction(self):
        """After the snapshot no session of it is left: not while it streams, not after initial_only."""
        self.sql(TABLE + "CREATE TABLE u (id int PRIMARY KEY); INSERT INTO t VALUES (1, 'a'); INSERT INTO u VALUES (1);")
        mine = f"FROM pg_stat_activity WHERE datname = '{self.db}' AND pid <> pg_backend_pid() AND backend_type IN ('client backend', 'walsender')"
        cdc = self.live("-s", "snapshot.max.threads=3")
        self.assertEqual(self.value(f"SELECT count(*) {mine} AND state LIKE 'idle in transaction%'"), "0")
        self.assertEqual(cdc.stop(), 0)
        done = self.run_cdc("stream", "-s", "snapshot.mode=initial_only", state=self.folder / "only.db")
        self.assert_status(done, 0)
        self.assertEqual(len(done.out.splitlines()), 2)
        self.server.wait_sql(f"SELECT count(*) = 0 {mine}")

    @since(11)
    def test_pg_49_slot_made_again(self):
        """Dropped, a row inserted, started with a new snapshot, rows coming all the time: each exactly once, read or streamed."""
        self.sql(TABLE)
        for n in range(4):
            with self.subTest(n):
                self.sql("TRUNCATE t;")
                writer = self.session().p
                writer.stdin.write("DO $$ BEGIN FOR i IN 2..400 LOOP INSERT INTO t VALUES (i, 'w'); COMMIT; PERFORM pg_sleep(0.0005); END LOOP; END $$;\n")
                writer.stdin.flush()
                self.sql("INSERT INTO t VALUES (1, 'first');")
                events = self.drain(state=self.folder / f"{n}.db")
                self.server.wait_sql("SELECT count(*) = 400 FROM t", self.db)
                events += self.drain(state=self.folder / f"{n}.db")
                self.assertEqual(sorted(self.ids(events, "rc")), list(range(1, 401)))
                self.value(f"SELECT pg_drop_replication_slot('{self.slot}')")

    def test_my_30_the_position_does_not_pass_a_failure(self):
        """An event that cannot be processed stops the run, each time anew, until the configuration is another; then it comes first."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY, n numeric(6,2));")
        fail = ("-s", "event.converting.failure.handling.mode=fail")
        self.drain(*fail)
        self.sql("INSERT INTO t VALUES (1, 1), (2, 'NaN'), (3, 3);")
        got = self.drain(*fail, status=6)
        for _ in range(2):
            self.assertEqual(self.drain(*fail, status=6), [])
        got += self.drain("-s", "decimal.handling.mode=string")
        self.assertEqual(self.ids(got), [1, 2, 3])
        self.assertEqual(got[1]["after"]["n"], "NAN")

    def test_mo_06_conditions_outlive_a_restart(self):
        """An incremental snapshot with a condition, ended after each few events: 250 rows in the end, not 1,000."""
        self.sql(SIGNALS + TABLE + "INSERT INTO t SELECT i, 'x' FROM generate_series(0, 999) i;")
        settings = ("-s", "snapshot.mode=no_data", "-s", "incremental.snapshot.chunk.size=50", *BY_TABLE)
        self.drain(*settings)
        self.sql("""INSERT INTO sig VALUES ('s', 'execute-snapshot', '{"data-collections": ["public.t"], "additional-conditions":
                 [{"data-collection": "public.t", "filter": "id < 250"}]}');""")
        reads = []
        for _ in range(8):
            done = self.run_cdc("stream", *QUICK, *settings, "--max-events", "60", "--idle-exit", "1s")
            self.assert_status(done, 0)
            reads += [e["after"]["id"] for e in self.events(done.out) if e["op"] == "r"]
            if len(set(reads)) >= 250:
                break
        reads += [e["after"]["id"] for e in self.events(self.run_cdc("stream", *QUICK, *settings, "--idle-exit", "1s").out) if e["op"] == "r"]
        self.assertEqual(sorted(reads), list(range(250)))

    def test_mo_04_source_of_a_parallel_snapshot(self):
        """Several readers at once: each event names the table that its topic names, and has its columns."""
        self.sql("".join(f"CREATE TABLE t{n} (id int PRIMARY KEY, c{n} int); INSERT INTO t{n} SELECT i, {n} FROM generate_series(1, 5000) i;" for n in range(4)))
        done = self.run_cdc("snapshot", "--threads", "4", "--format", "record")
        self.assert_status(done, 0)
        seen = {}
        for record in self.events(done.out):
            table = record["value"]["source"]["table"]
            self.assertEqual(record["topic"], f"cdc.public.{table}")
            self.assertEqual(record["value"]["after"]["c" + table[1:]], int(table[1:]))
            seen[table] = seen.get(table, 0) + 1
        self.assertEqual(seen, {f"t{n}": 5000 for n in range(4)})

    def test_mo_14_nothing_is_left_on_the_server(self):
        """Started and stopped ten times: sessions and slots are as many as before."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        for n in range(10):
            self.drain("-s", "slot.drop.on.stop=true", state="none")
        self.server.wait_sql(f"SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = '{self.db}' AND pid <> pg_backend_pid() AND backend_type IN ('client backend', 'walsender')")
        self.assertEqual(self.slots(), "0")


class Watched(ReportTest):
    """A server that gives up a silent client after two seconds."""
    conf = "wal_sender_timeout = 2s"

    def test_pg_13_server_process_that_stands_still(self):
        """The walsender is stopped for longer than its timeout: the capture goes on by itself, nothing missing, nothing twice in a file."""
        self.sql(TABLE)
        output = ("--output", self.folder / "t.ndjson")
        cdc = self.stream(*QUICK, *output, stdout=subprocess.DEVNULL)
        cdc.wait_streaming()
        self.sql("INSERT INTO t VALUES (1, 'before');")
        self.wait_confirmed()
        pids = self.server.signal_walsenders(signal.SIGSTOP)
        try:
            self.sql("INSERT INTO t SELECT i, 'meanwhile' FROM generate_series(2, 100) i;")
            time.sleep(4)                    # the fault itself lasts so long
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
        self.sql("INSERT INTO t VALUES (101, 'after');")
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(self.ids(self.events((self.folder / "t.ndjson").read_text())), list(range(1, 102)))

    def test_pg_24_a_slow_reader_keeps_the_connection(self):
        """Nobody reads for longer than the server's patience, inside one large transaction: keepalives are answered all the while."""
        self.sql(TABLE)
        self.drain()
        self.sql("INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(1, 30000) i;")
        cdc, pipe = self.into_pipe(*QUICK, *SHORT_QUEUE)
        cdc.wait_streaming()
        time.sleep(5)                        # the fault itself lasts so long
        pipe.start_reading()
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(self.ids(self.events(pipe.text())), list(range(1, 30001)))
        self.assertEqual(cdc.find("reconnecting"), [], cdc.stderr_tail())
