"""The reader of the pipe goes away or is slow: nothing missing for the next reader, bounded memory, a living connection."""
import os
import subprocess
import time

from harness import paths
from harness.faults import PATIENT, FaultTest
from harness.workload import Writer


class Reader(FaultTest):
    def test_reader_goes_away_again_and_again(self):
        """head -n K: every next run goes on so that the union has everything (at least once on pipes)."""
        self.work(20)
        lines = self.drain().out.splitlines()
        with Writer(self.server, self.db):
            for _ in range(10):
                p = subprocess.Popen([paths.binary(), *map(str, self.args("stream", *PATIENT))], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
                for _ in range(self.random.randint(1, 200)):
                    lines.append(p.stdout.readline().decode().rstrip("\n"))
                p.stdout.close()
                err = p.stderr.read().decode()
                p.stderr.close()
                self.assertIn(p.wait(20), (141, -13), err)
        lines += self.drain().out.splitlines()
        self.reckon(lines, twice=True)

    def test_slow_reader(self):
        """Nobody reads for a while: memory stays bounded, the server is not let go, all comes in the end (PG-FAIL-07)."""
        self.drain("--output", self.folder / "first")
        reader, writer = os.pipe()
        cdc = self.stream(*PATIENT, stdout=writer)
        os.close(writer)
        cdc.wait_streaming()
        self.sql("INSERT INTO journal SELECT 10000000 + i, repeat('z', 500) FROM generate_series(1, 150000) i;")
        time.sleep(4)
        self.assertTrue(cdc.running(), cdc.stderr_tail())
        self.assertLess(cdc.peak_rss_kib(), 160 * 1024)
        data = bytearray()
        with os.fdopen(reader, "rb") as f:
            while data.count(b"\n") < 150000:
                chunk = f.read1(1 << 20)
                self.assertTrue(chunk, cdc.stderr_tail())
                data += chunk
            self.assertEqual(cdc.stop(), 0)
        self.reckon(data.decode().split("\n")[:-1] + (self.folder / "first").read_text().splitlines())
