"""What the fault tests share: a workload, a cdc with patient retries and quick commits, and the final reckoning."""
import os
import random

from .consumer import Replica, lines_of
from .suite import PgTest
from .workload import SCHEMA, work

SEED = int(os.environ.get("CDC_FAULT_SEED", "20260730"))
# after a kill the old walsender may still hold the slot for a moment
PATIENT = ("-s", "slot.max.retries=100", "-s", "slot.retry.delay.ms=100", "-s", "offset.flush.interval.ms=20",
           "-s", "retriable.restart.connector.wait.ms=100")


class FaultTest(PgTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(f"{SEED} {self.id()}")
        self.sql(SCHEMA)

    def work(self, steps):
        work(self.server, self.db, steps)

    def drain(self, *more, status=0, **options):
        """A run that takes what is there and ends."""
        done = self.run_cdc("stream", *PATIENT, "--until", "now", *more, **options)
        self.assert_status(done, status)
        return done

    def reckon(self, lines, twice=False):
        """Nothing missing, nothing made up, order kept; and, unless `twice` may be, nothing twice."""
        replica = Replica()
        for line in lines:
            replica.apply_line(line)
        self.assert_replica(replica, "public.journal")
        self.assert_replica(replica, "public.account")
        if not twice:
            self.assert_nothing_twice(replica)
        return replica

    def reckon_files(self, pattern="out/*", twice=False):
        paths = sorted(p for p in self.folder.glob(pattern) if p.is_file())
        self.assertTrue(paths, f"no file {pattern}")
        return self.reckon(lines_of(paths), twice)
