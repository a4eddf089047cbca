"""A full disk (a small tmpfs), for the output and for the state; then space again: nothing missing, nothing twice."""
import json
import os
import subprocess
import time
import unittest

from harness.consumer import lines_of
from harness.faults import PATIENT, FaultTest


class SmallDisk:
    """A tmpfs of the given size; `grow` gives it space."""

    def __init__(self, folder, size="2m"):
        folder.mkdir()
        self.folder = folder
        p = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "tmpfs", folder], stderr=subprocess.PIPE, text=True)
        if p.returncode:
            raise unittest.SkipTest(f"cannot mount a tmpfs here: {p.stderr.strip()}")

    def grow(self, size="200m"):
        subprocess.run(["mount", "-o", f"remount,size={size}", self.folder], check=True)

    def close(self):
        for _ in range(50):
            if subprocess.run(["umount", self.folder], stderr=subprocess.DEVNULL).returncode == 0:
                return
            time.sleep(0.1)


class FullDisk(FaultTest):
    def setUp(self):
        super().setUp()
        self.disk = None

    def tearDown(self):
        for process in self.running:
            process.kill()
        if self.disk:
            self.disk.close()
        super().tearDown()

    def full_and_free_again(self, disk, output):
        """Streams into it until it is full. Either cdc ends with status 5 and says so, or it waits; in both cases all is there in the end."""
        self.drain(*output)
        cdc = self.stream(*PATIENT, *output, stdout=subprocess.DEVNULL)
        cdc.wait_streaming()
        self.sql("INSERT INTO journal SELECT 10000000 + i, repeat(md5(i::text), 10) FROM generate_series(1, 20000) i;")
        end = time.monotonic() + 20
        while cdc.running() and time.monotonic() < end and not any("space" in w for w in cdc.warnings()):
            time.sleep(0.05)
        self.assertIn("space", cdc.stderr, "it says nothing of the full disk")
        if not cdc.running():
            self.assertEqual(cdc.wait(), 5, cdc.stderr_tail())
            self.assertIn("failed", [e["event"] for e in cdc.events])
        disk.grow()
        self.work(20)
        if cdc.running():
            self.wait_confirmed()
            self.assertEqual(cdc.stop(), 0)
        self.drain(*output)

    def test_output(self):
        self.disk = SmallDisk(self.folder / "disk")
        self.full_and_free_again(self.disk, ("--output", self.disk.folder / "all.ndjson"))
        self.reckon_files("disk/*")

    def test_compressed_output(self):
        self.disk = SmallDisk(self.folder / "disk", "256k")
        self.full_and_free_again(self.disk, ("--output", self.disk.folder / "all-{seq}.ndjson.zst", "--rotate-events", "3000"))
        self.reckon_files("disk/*")

    def test_snapshot_output(self):
        self.disk = SmallDisk(self.folder / "disk")
        self.sql("INSERT INTO journal SELECT i, repeat(md5(i::text), 10) FROM generate_series(1, 20000) i;")
        command = ("snapshot", "--output", self.disk.folder / "{table}.ndjson")
        full = self.run_cdc(*command, seconds=60)
        self.assert_status(full, 5)
        self.disk.grow()
        self.assert_status(self.run_cdc(*command), 0)
        ids = [json.loads(x)["after"]["id"] for x in lines_of(sorted(self.disk.folder.glob("journal*")))]
        self.assertEqual(sorted(ids), list(range(1, 20001)))

    def test_state(self):
        """The state cannot be written: nothing is confirmed to the server, and nothing is missing or twice afterwards."""
        self.disk = SmallDisk(self.folder / "disk", "1m")
        self.state = self.disk.folder / "state.db"
        output = ("--output", self.folder / "out" / "all.ndjson")
        self.drain(*output)
        ballast = os.open(self.disk.folder / "ballast", os.O_WRONLY | os.O_CREAT)
        try:
            while True:
                os.write(ballast, bytes(4096))
        except OSError:
            os.close(ballast)
        confirmed = self.value(f"SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
        cdc = self.stream(*PATIENT, *output, stdout=subprocess.DEVNULL)
        self.work(300)
        end = time.monotonic() + 15
        while cdc.running() and time.monotonic() < end:
            time.sleep(0.05)
        if not cdc.running():
            self.assertIn(cdc.wait(), (1, 5), cdc.stderr_tail())
            self.assertIn(str(self.state), cdc.stderr)
        cdc.kill()
        self.disk.grow("20m")
        stored = self.value(f"SELECT confirmed_flush_lsn >= '{confirmed}' FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
        self.assertEqual(stored, "t")
        self.drain(*output)
        self.reckon_files()
