"""The state file is truncated, garbled or read-only: explained, left as it is, and nothing is lost by it."""
import os
import stat
import subprocess

from harness.faults import PATIENT, FaultTest


class StateFile(FaultTest):
    def broken(self, *more):
        """A run on the broken state: not status 0, names the file, writes nothing, leaves the slot alone."""
        confirmed = self.value(f"SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
        before = self.out.read_bytes()
        done = self.run_cdc("stream", *PATIENT, "--until", "now", "--output", self.out, *more, json_log=False)
        self.assertIn(done.status, (1, 2), done.err)
        self.assertIn(self.state.name, done.err)
        self.assertEqual(self.out.read_bytes(), before)
        self.assertEqual(self.value(f"SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '{self.slot}'"), confirmed)

    def truncated(self, keep):
        self.work(20)
        self.drain("--output", self.out)
        whole = self.state.read_bytes()
        for name in (self.state.name + "-wal", self.state.name + "-shm"):
            if (self.folder / name).exists():
                os.unlink(self.folder / name)
        self.state.write_bytes(whole[:int(len(whole) * keep)])
        self.work(20)
        self.broken()
        self.state.write_bytes(whole)
        self.drain("--output", self.out)
        self.reckon_files("out.ndjson")

    def test_sqlite_truncated(self):
        self.truncated(0.4)

    def test_json_truncated(self):
        self.state = self.folder / "state.json"
        self.truncated(0.5)

    def test_json_emptied(self):
        self.state = self.folder / "state.json"
        self.truncated(0)

    def test_read_only(self):
        """As an ordinary user: the file, then its folder."""
        self.work(20)
        self.drain("--output", self.out)
        if os.geteuid() == 0:
            p = subprocess.run(["chattr", "+i", self.state], stderr=subprocess.PIPE, text=True)
            if p.returncode:
                self.skipTest(f"root, and no immutable files here: {p.stderr.strip()}")
            undo = ["chattr", "-i", self.state]
        else:
            self.state.chmod(stat.S_IRUSR)
            undo = ["chmod", "u+w", self.state]
        try:
            self.work(20)
            self.broken()
        finally:
            subprocess.run(undo, check=True)
        self.drain("--output", self.out)
        self.reckon_files("out.ndjson")

    def test_vanished(self):
        """No state but a slot that has confirmed something: a new snapshot makes it whole (PG-FAIL-19), nothing is skipped."""
        self.work(20)
        self.drain("--output", self.out)
        for path in self.folder.glob("state.db*"):
            path.unlink()
        self.work(20)
        self.drain("--output", self.folder / "second.ndjson")
        self.reckon_files("second.ndjson")
