"""Output into files: templates, rotation, compression, named pipes, exactly once."""
import json
import os
import re
import subprocess
import threading
import time

from harness.consumer import lines_of, read_text
from harness.suite import PgTest

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text);"


class Files(PgTest):
    def files(self, pattern="*"):
        return sorted(p for p in (self.folder / "out").rglob(pattern) if p.is_file())

    def ids(self, paths):
        return [json.loads(x)["after"]["id"] for x in lines_of(paths)]

    def test_template_per_table(self):
        self.sql(TABLE + "CREATE SCHEMA s; CREATE TABLE s.u (id int PRIMARY KEY); INSERT INTO t VALUES (1, 'a'), (2, 'b'); INSERT INTO s.u VALUES (7);")
        done = self.run_cdc("snapshot", "--output", self.folder / "out" / "{schema}.{table}.ndjson")
        self.assert_status(done, 0)
        self.assertEqual([p.name for p in self.files()], ["public.t.ndjson", "s.u.ndjson"])
        self.assertEqual(self.ids(self.files("public*")), [1, 2])
        self.assertEqual(self.ids(self.files("s.u*")), [7])

    def test_zstd(self):
        self.sql(TABLE + "INSERT INTO t SELECT i, repeat('z', 100) FROM generate_series(1, 5000) i;")
        path = self.folder / "out" / "all.ndjson.zst"
        self.assert_status(self.run_cdc("snapshot", "--output", path), 0)
        self.assertEqual(self.ids([path]), list(range(1, 5001)))
        self.assertLess(path.stat().st_size, 400_000)

    def test_zstd_is_readable_after_kill(self):
        """A frame a commit: what was committed can be read back from a file that kill -9 left, and the next run makes it whole."""
        self.sql(TABLE)
        path = self.folder / "out" / "t.ndjson.zst"
        more = ("--output", path, "-s", "offset.flush.interval.ms=100")
        cdc = self.stream(*more)
        cdc.wait_streaming()
        self.sql("INSERT INTO t SELECT i, 'a' FROM generate_series(1, 500) i;")
        self.wait_confirmed()
        cdc.kill()
        left = self.files()
        self.assertEqual(len(left), 1, left)
        raw = subprocess.run(["zstd", "-dcq"], stdin=open(left[0], "rb"), stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()
        self.assertEqual([json.loads(x)["after"]["id"] for x in raw.splitlines()], list(range(1, 501)))
        self.sql("INSERT INTO t SELECT i, 'b' FROM generate_series(501, 900) i;")
        self.assert_status(self.run_cdc("stream", "--until", "now", *more), 0)
        self.assertEqual(self.ids([path]), list(range(1, 901)))

    def test_rotate_by_events(self):
        self.sql(TABLE + "INSERT INTO t SELECT i, 'a' FROM generate_series(1, 100) i;")
        self.assert_status(self.run_cdc("stream", "--until", "now", "--output", self.folder / "out" / "t-{seq}.ndjson", "--rotate-events", "30"), 0)
        files = self.files()
        self.assertEqual([len(lines_of([p])) for p in files], [30, 30, 30, 10])
        self.assertEqual(self.ids(files), list(range(1, 101)))

    def test_rotate_by_size(self):
        self.sql(TABLE + "INSERT INTO t SELECT i, repeat('x', 1000) FROM generate_series(1, 500) i;")
        self.assert_status(self.run_cdc("stream", "--until", "now", "--output", self.folder / "out" / "t-{seq}.ndjson", "--rotate-size", "100K"), 0)
        files = self.files()
        self.assertGreaterEqual(len(files), 6)
        for p in files:
            self.assertLessEqual(p.stat().st_size, 110 * 1024, p)
            self.assertTrue(read_text(p).endswith("\n"))
        self.assertEqual(self.ids(files), list(range(1, 501)))

    def test_rotate_by_time(self):
        self.sql(TABLE)
        cdc = self.stream("--output", self.folder / "out" / "t-{seq}.ndjson", "--rotate-time", "1s")
        cdc.wait_streaming()
        for i in range(1, 4):
            self.sql(f"INSERT INTO t VALUES ({i}, 'x'); SELECT pg_sleep(1.2);")
        self.assertEqual(cdc.stop(), 0)
        self.assertGreaterEqual(len(self.files()), 2)
        self.assertEqual(self.ids(self.files()), [1, 2, 3])

    def test_final_names_are_atomic(self):
        """Under its final name a file is always whole: while it grows it has another."""
        self.sql(TABLE)
        cdc = self.stream("--output", self.folder / "out" / "t-{seq}.ndjson", "--rotate-events", "10", "-s", "offset.flush.interval.ms=50")
        cdc.wait_streaming()
        self.sql("INSERT INTO t SELECT i, 'x' FROM generate_series(1, 25) i;")
        self.wait_confirmed()
        final = [p for p in self.files() if re.fullmatch(r"t-\d+\.ndjson", p.name)]
        self.assertEqual([len(lines_of([p])) for p in final], [10, 10])
        self.assertEqual(cdc.stop(), 0)
        final = [p for p in self.files() if re.fullmatch(r"t-\d+\.ndjson", p.name)]
        self.assertEqual(self.ids(final), list(range(1, 26)))
        self.assertEqual(self.files(), final)

    def test_appends_over_runs(self):
        self.sql(TABLE)
        path = self.folder / "out" / "t.ndjson"
        for i in range(1, 4):
            self.sql(f"INSERT INTO t VALUES ({i}, 'x');")
            self.assert_status(self.run_cdc("stream", "--until", "now", "--output", path), 0)
        self.assertEqual(self.ids([path]), [1, 2, 3])

    def test_longer_tail_is_cut(self):
        """Bytes behind the committed length (a crash between write and commit) are cut at the next start."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'x');")
        path = self.folder / "out" / "t.ndjson"
        cdc = self.stream("--output", path, "-s", "offset.flush.interval.ms=50")
        cdc.wait_streaming()
        self.sql("INSERT INTO t VALUES (2, 'x');")
        self.wait_confirmed()
        cdc.kill()
        growing = self.files()[0]
        with open(growing, "ab") as f:
            f.write(b'{"half a li')
        self.sql("INSERT INTO t VALUES (3, 'x');")
        self.assert_status(self.run_cdc("stream", "--until", "now", "--output", path), 0)
        self.assertEqual(self.ids([path]), [1, 2, 3])


class Fifo(PgTest):
    def test_reader_comes_late_and_goes(self):
        """The pipe is made if missing; without a reader nothing is lost; a reader that goes and comes again misses nothing."""
        self.sql(TABLE + "INSERT INTO t VALUES (1, 'a');")
        path = self.folder / "pipe"
        cdc = self.stream("--output", f"fifo:{path}")
        end = time.monotonic() + 10
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertTrue(path.is_fifo())
        first = self.read(path, 1)
        self.assertEqual(first, [1])
        self.sql("INSERT INTO t SELECT i, 'b' FROM generate_series(2, 50) i;")
        got = first + self.read(path, 49)
        self.sql("INSERT INTO t SELECT i, 'c' FROM generate_series(51, 60) i;")
        while max(got) < 60:
            got += self.read(path, 1)
        self.assertTrue(cdc.running(), cdc.stderr)
        self.assertEqual(sorted(set(got)), list(range(1, 61)))
        self.assertEqual(cdc.stop(), 0)

    def read(self, path, count):
        """A reader that opens the pipe, takes at least count lines and goes."""
        out = []

        def work():
            # everything it takes out of the pipe counts: a reader that throws away what it has read is no concern of cdc
            data = b""
            with open(path, "rb", buffering=0) as f:
                while data.count(b"\n") < count or not data.endswith(b"\n"):
                    chunk = f.read(65536)
                    if not chunk:
                        break
                    data += chunk
            out.extend(json.loads(line)["after"]["id"] for line in data.decode().split("\n")[:-1])
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(20)
        self.assertFalse(thread.is_alive(), f"the reader got {len(out)} of {count} lines\n{self.running[-1].stderr_tail()}")
        return out

    def test_not_a_pipe(self):
        (self.folder / "file").write_text("mine")
        done = self.run_cdc("stream", "--output", f"fifo:{self.folder / 'file'}", json_log=False)
        self.assertIn(done.status, (2, 5))
        self.assertEqual((self.folder / "file").read_text(), "mine")
        self.assertIn(os.fspath(self.folder / "file"), done.err)
