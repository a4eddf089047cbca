"""The reader of the pipe goes away or is slow: nothing missing for the next reader, bounded memory, a living connection."""
import os
import subprocess
import time

from harness import paths
from harness.faults import PATIENT, FaultTest
from harness.workload import Writer


class Reader(FaultTest):
    def test_reader_that_reads_to_the_end(self):
        """A reader that stops cdc and then reads what is still in the pipe has everything, once: SIGTERM loses and repeats nothing."""
        self.work(20)
        lines = self.drain().out.split("\n")[:-1]
        with Writer(self.server, self.db):
            for _ in range(10):
                p = subprocess.Popen([paths.binary(), *map(str, self.args("stream", *PATIENT))], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
                for _ in range(self.random.randint(1, 200)):
                    lines.append(p.stdout.readline().decode().rstrip("\n"))
                p.terminate()
                lines += p.stdout.read().decode().split("\n")[:-1]
                p.stdout.close()
                self.assertEqual(p.wait(20), 0)
        lines += self.drain().out.split("\n")[:-1]
        self.reckon(lines)

    def test_reader_goes_away_again_and_again(self):
        """Readers that take some bytes and go, most often within a line and with the pipe full: each run ends silently, and what they took out
        together is everything: the position is stored only for what was taken out of the pipe."""
        self.work(20)
        lines = self.drain().out.split("\n")[:-1]
        with Writer(self.server, self.db):
            for _ in range(15):
                p = subprocess.Popen([paths.binary(), *map(str, self.args("stream", *PATIENT))], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, bufsize=0)
                taken, wanted = b"", self.random.randint(1, 300_000)
                while len(taken) < wanted:
                    block = os.read(p.stdout.fileno(), min(65536, wanted - len(taken)))
                    self.assertTrue(block)
                    taken += block
                time.sleep(self.random.choice([0, 0.3, 1.2]))      # the pipe fills; a commit comes due meanwhile
                p.stdout.close()
                lines += taken.decode().split("\n")[:-1]
                err = p.stderr.read().decode()
                p.stderr.close()
                self.assertIn(p.wait(20), (141, -13), err)
                self.assertNotIn("error", err)
        lines += self.drain().out.split("\n")[:-1]
        self.reckon(lines, twice=True)

    def test_slow_reader(self):
        """Nobody reads for a while: memory stays bounded, the server is not let go, all comes in the end (PG-FAIL-07)."""
        self.work(5)
        self.drain("--output", self.folder / "first")
        cdc, pipe = self.into_pipe(*PATIENT)
        cdc.wait_streaming()
        self.sql("INSERT INTO journal SELECT 10000000 + i, repeat('z', 500) FROM generate_series(1, 150000) i;")
        time.sleep(4)
        self.assertTrue(cdc.running(), cdc.stderr_tail())
        self.assertLess(cdc.peak_rss_kib(), 160 * 1024)
        count = 0
        while count < 150000:
            chunk = pipe.take(1 << 20)
            self.assertTrue(chunk, cdc.stderr_tail())
            count += chunk.count(b"\n")
        self.assertEqual(cdc.stop(), 0)
        self.reckon((self.folder / "first").read_text().split("\n")[:-1] + pipe.text().split("\n")[:-1])
