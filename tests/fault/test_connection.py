"""The connection breaks, stalls, the server restarts or stops answering: go on where it was, or end with status 3 by a deadline."""
import os
import signal
import time

from harness.faults import PATIENT, FaultTest
from harness.proxy import Proxy
from harness.workload import Writer


class Connection(FaultTest):
    def setUp(self):
        super().setUp()
        self.proxy = None

    def tearDown(self):
        if self.proxy:
            self.proxy.close()
        super().tearDown()

    def through_proxy(self):
        self.proxy = Proxy(self.server.port)
        return self.server.url(self.db, port=self.proxy.port)

    def whole_in_the_end(self, cdc):
        """Everything up to now arrives at the running cdc; then it stops in order."""
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.reckon_files("out.ndjson", twice=False)

    def into_file(self, **options):
        cdc = self.stream(*PATIENT, "--output", self.out, out=self.folder / "stdout", **options)
        cdc.wait_streaming()
        return cdc

    def test_backend_terminated(self):
        self.work(10)
        cdc = self.into_file()
        with Writer(self.server, self.db):
            for n in range(1, 6):
                time.sleep(0.2)
                self.server.value("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_replication")
                cdc.wait_streaming(n + 1)
        self.assertTrue(cdc.find("reconnecting"))
        self.whole_in_the_end(cdc)

    def test_cut_in_the_middle_of_messages(self):
        url = self.through_proxy()
        self.work(10)
        cdc = self.into_file(url=url)
        with Writer(self.server, self.db):
            for n in range(1, 9):
                self.proxy.cut_after = self.proxy.bytes_to_client + self.random.randint(1, 60_000)
                cdc.wait_streaming(n + 1)
        self.whole_in_the_end(cdc)

    def test_cut_and_refused_for_a_while(self):
        """Back-off: it does not spin while nobody answers, and comes back by itself."""
        url = self.through_proxy()
        self.work(10)
        cdc = self.into_file(url=url)
        self.proxy.refusing = True
        self.proxy.cut()
        self.work(30)
        time.sleep(3)
        self.assertTrue(cdc.running(), cdc.stderr_tail())
        tries = len(cdc.find("reconnecting"))
        self.assertTrue(1 <= tries <= 60, f"{tries} tries in 3 s")
        self.proxy.refusing = False
        cdc.wait_streaming(2)
        self.whole_in_the_end(cdc)

    def test_retries_end(self):
        """errors.max.retries=2: then status 3, with the server's address."""
        url = self.through_proxy()
        cdc = self.stream(*PATIENT, "-s", "errors.max.retries=2", "--output", self.out, out=self.folder / "stdout", url=url)
        cdc.wait_streaming()
        self.proxy.refusing = True
        self.proxy.cut()
        self.assertEqual(cdc.wait(30), 3, cdc.stderr_tail())
        self.assertIn(str(self.proxy.port), cdc.stderr)

    def test_server_restarted(self):
        """A fast shutdown waits for no lagging client (PG-FAIL-14); afterwards everything goes on."""
        self.work(10)
        cdc = self.into_file()
        for n in range(1, 4):
            self.work(50)
            began = time.monotonic()
            self.server.stop("fast")
            self.assertLess(time.monotonic() - began, 20, "the shutdown hung on us")
            time.sleep(0.3)
            self.server.start()
            cdc.wait_streaming(n + 1)
        self.work(50)
        self.whole_in_the_end(cdc)

    def test_server_killed(self):
        """Immediate shutdown (crash recovery), in the middle of traffic."""
        self.work(10)
        cdc = self.into_file()
        with Writer(self.server, self.db) as writer:
            time.sleep(0.5)
            self.server.stop("immediate")
            writer.process.wait(20)
        self.server.start()
        cdc.wait_streaming(2)
        self.work(20)
        self.whole_in_the_end(cdc)

    def test_stalled_then_flowing(self):
        url = self.through_proxy()
        self.work(10)
        cdc = self.into_file(url=url)
        self.proxy.stall()
        self.work(100)
        time.sleep(2)
        self.proxy.resume()
        self.whole_in_the_end(cdc)

    def test_server_that_stops_answering(self):
        """The walsender hangs (SIGSTOP) and then the whole server seems dead: noticed by a deadline, never a hang; a stop request is
        obeyed meanwhile."""
        url = self.through_proxy()
        self.work(10)
        cdc = self.stream(*PATIENT, "-s", "errors.max.retries=0", "-s", "status.update.interval.ms=1000", "--output", self.out, out=self.folder / "stdout", url=url)
        cdc.wait_streaming()
        pids = self.server.signal_walsenders(signal.SIGSTOP)
        self.proxy.stall()
        try:
            status = cdc.wait(150)
            self.assertEqual(status, 3, cdc.stderr_tail())
        finally:
            self.proxy.resume()
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGCONT)
                except ProcessLookupError:
                    pass
        self.proxy.cut()
        self.drain("--output", self.out)
        self.reckon_files("out.ndjson")

    def test_stop_while_nobody_answers(self):
        url = self.through_proxy()
        cdc = self.into_file(url=url)
        self.proxy.stall()
        began = time.monotonic()
        status = cdc.stop(signal.SIGTERM, 30)
        self.assertLess(time.monotonic() - began, 25)
        self.assertIn(status, (0, 3))

    def test_snapshot_connection_lost(self):
        """PG-FAIL-17: cut in the middle of the snapshot: it is whole in the end."""
        self.sql("INSERT INTO journal SELECT 10000000 + i, repeat('x', 300) FROM generate_series(1, 100000) i;")
        url = self.through_proxy()
        self.proxy.cut_after = 5_000_000
        cdc = self.stream(*PATIENT, "--output", self.out, out=self.folder / "stdout", url=url)
        cdc.wait_for_event("streaming", seconds=90)
        self.assertIsNone(self.proxy.cut_after, "the cut never happened")
        self.work(20)
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.assertTrue(cdc.find("reconnecting"))
        self.reckon_files("out.ndjson")

    def test_connection_of_a_snapshot_alone_lost(self):
        """cdc snapshot ends with status 3 and says that the next run goes on; it does, and the file has every row once."""
        self.sql("INSERT INTO journal SELECT 10000000 + i, repeat('x', 300) FROM generate_series(1, 100000) i;")
        url = self.through_proxy()
        self.proxy.cut_after = 20_000_000
        job = ("snapshot", "-s", "offset.flush.interval.ms=20", "--output", self.out)
        done = self.run_cdc(*job, url=url)
        self.assert_status(done, 3)
        self.assertIn("the next run goes on", done.err)
        self.assertFalse(self.out.exists(), "half a snapshot must not look like one")
        done = self.run_cdc(*job)
        self.assert_status(done, 0)
        self.assertIn("interrupted", done.err)
        self.reckon_files("out.ndjson")

    def test_clock_goes_backwards(self):
        """PG-FAIL-20: the host's clock is set back a day between two runs: positions are what count."""
        library = next((p for p in ("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1")
                        if os.path.exists(p)), None)
        if not library:
            self.skipTest("no libfaketime (scripts/install-deps)")
        output = ("--output", self.out)
        self.work(30)
        self.drain(*output)
        self.work(30)
        self.drain(*output, env={"LD_PRELOAD": library, "FAKETIME": "-1d", "FAKETIME_DONT_FAKE_MONOTONIC": "1"})
        self.work(30)
        self.drain(*output)
        self.reckon_files("out.ndjson")
