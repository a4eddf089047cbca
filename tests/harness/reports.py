"""What the tests of user reports (doc/user-reports.md) share: a capture that stores and confirms quickly, a reader of its pipe that
can stop at any line, sessions that hold a transaction open."""
import json
import subprocess

from . import paths
from .server import Session
from .suite import PgTest

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text);"
SIGNALS = "CREATE TABLE sig (id varchar(64) PRIMARY KEY, type varchar(32), data varchar(2048)); ALTER TABLE sig REPLICA IDENTITY FULL;"
BY_TABLE = ("-s", "signal.data.collection=public.sig")
# after a kill the old walsender may still hold the slot for a moment
QUICK = ("-s", "offset.flush.interval.ms=20", "-s", "status.update.interval.ms=200", "-s", "slot.max.retries=100",
         "-s", "slot.retry.delay.ms=100", "-s", "retriable.restart.connector.wait.ms=100")
SHORT_QUEUE = ("-s", "max.queue.size=500", "-s", "max.batch.size=100")


class Piped:
    """cdc that writes into a pipe, line by line as the test asks for them."""

    def __init__(self, args):
        self.process = subprocess.Popen([paths.binary(), *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def read(self, count):
        return [json.loads(self.process.stdout.readline()) for _ in range(count)]

    def kill(self):
        """kill -9; what was left in the pipe is what its reader still gets."""
        if self.process.stdout.closed:
            return []
        self.process.kill()
        rest = self.process.stdout.read().decode().split("\n")[:-1]
        self.process.stdout.close()
        self.process.wait()
        return [json.loads(line) for line in rest]


class ReportTest(PgTest):
    def setUp(self):
        super().setUp()
        self.sessions = []

    def tearDown(self):
        for session in self.sessions:
            session.p.kill()
            session.close()
        super().tearDown()

    def session(self, db=None):
        """A psql that stays connected; it is closed with the test."""
        session = Session(self.server, db or self.db)
        self.sessions.append(session)
        return session

    def drain(self, *more, status=0, **options):
        """A run that takes what is there and ends; its events."""
        self.done = self.run_cdc("stream", *QUICK, "--until", "now", *more, **options)
        self.assert_status(self.done, status)
        return self.events(self.done.out)

    def live(self, *more, **options):
        cdc = self.stream(*QUICK, *more, **options)
        cdc.wait_streaming()
        return cdc

    def lose_connection(self, cdc, times=3):
        """A row, and when it came out the connection is lost; so often, with the ids 1, 2, ..."""
        for n in range(1, times + 1):
            self.sql(f"INSERT INTO t VALUES ({n}, 'line\nbreak \x1f');")
            cdc.wait_lines(n)
            self.server.value("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_replication")
            cdc.wait_streaming(n + 1)

    def piped(self, *more):
        piped = Piped(self.args("stream", *QUICK, *more))
        self.running.append(piped)
        return piped

    @staticmethod
    def events(text):
        return [json.loads(line) for line in text.splitlines()]

    def ids(self, events, op=None):
        return [(e["after"] or e["before"])["id"] for e in events if op is None or e["op"] in op]

    def slot_value(self, expression):
        return self.value(f"SELECT {expression} FROM pg_replication_slots WHERE slot_name = '{self.slot}'")

    def wait_slot(self, condition, seconds=30):
        self.server.wait_sql(f"SELECT {condition} FROM pg_replication_slots WHERE slot_name = '{self.slot}'", seconds=seconds)

    def wait_released(self):
        """Until no session holds the slot (after a kill the server needs a moment)."""
        self.wait_slot("NOT active")

    @staticmethod
    def wait_told(cdc, words):
        """The first warning that holds the words."""
        for count in range(1, 100):
            message = cdc.wait_for_event("warning", count)["message"]
            if words in message:
                return message

    def warned(self, *words, events=None):
        """The warnings that hold all the words."""
        texts = [e["message"] for e in (events if events is not None else self.done.events) if e.get("level") in ("warn", "warning", "error")]
        return [t for t in texts if all(w in t for w in words)]
