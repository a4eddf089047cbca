"""Tests with two servers: the cluster of the class and a hot standby of it."""
import contextlib
import shutil
import threading

from .server import Server
from .suite import PgTest


class StandbyTest(PgTest):
    """PgTest with `standby`, cloned from `server` once for the class. A test that promotes it sets `lasts = False` in its
    class: then each test has two servers of its own."""

    since = 16             # logical slots on a standby
    standby_conf = ""
    lasts = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if cls.lasts:
            cls.standby = cls.make_standby()
        else:
            cls.server.destroy()

    @classmethod
    def tearDownClass(cls):
        if cls.lasts:
            cls.standby.destroy()
        super().tearDownClass()

    def setUp(self):
        if not self.lasts:
            type(self).server = Server(self.kind, self.conf)
        super().setUp()
        if not self.lasts:
            self.standby = self.make_standby()
        self.standby.wait_replayed(self.server)

    def tearDown(self):
        if self.lasts:
            return super().tearDown()
        for process in self.running:
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.standby.destroy()
        self.server.destroy()

    @classmethod
    def make_standby(cls):
        standby = Server(cls.kind, cls.conf + "\n" + cls.standby_conf)
        try:
            return standby.start_standby(cls.server)
        except BaseException:
            standby.destroy()
            raise

    @property
    def standby_url(self):
        return self.standby.url(self.db)

    @contextlib.contextmanager
    def standby_snapshots(self):
        """Meanwhile the primary logs its running transactions again and again, as a busy one does by itself every 15 s: a slot on
        a standby begins at such a record (PG-TRAP-SLOT-04), and one that is synchronised becomes usable at it."""
        over = threading.Event()

        def log():
            while not over.wait(0.2):
                self.server.value("SELECT pg_log_standby_snapshot()")

        thread = threading.Thread(target=log)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
