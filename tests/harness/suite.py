#!/usr/bin/env python3
"""Tests on a real server: the base class, and the runner of a folder of test_*.py files.

    suite.py DIR [--filter REGEX] [-j N] [--server KIND] [--slow]

Every file runs in a process and on a cluster of its own. Prints one line a test; last line `N passed, N failed`. Tests marked
@slow run only with --slow (or CDC_SLOW=1) and are named when they are left out.
"""
import argparse
import concurrent.futures
import contextlib
import functools
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import traceback
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import paths  # noqa: E402
from harness.consumer import Replica  # noqa: E402
from harness.process import Cdc, Pipe, run  # noqa: E402
from harness.server import Server, SqlError  # noqa: E402

KIND = os.environ.get("CDC_TEST_SERVER", "pg15")
FILE_TIMEOUT = 1500    # seconds; a file that hangs is a failure, not a hanging build


def slow(test):
    """Left out of the short run."""
    @functools.wraps(test)
    def wrapper(self):
        if os.environ.get("CDC_SLOW", "0") != "1":
            self.skipTest("slow: set CDC_SLOW=1")
        test(self)
    return wrapper


def since(major):
    """Left out on older servers, which cannot do what it needs."""
    def mark(test):
        @functools.wraps(test)
        def wrapper(self):
            if self.server.major < major:
                self.skipTest(f"needs PostgreSQL {major}")
            test(self)
        return wrapper
    return mark


def not_yet(reason):
    """The behaviour is promised, but not there yet. The test runs: one that passes must lose this mark (a failure), one that
    fails is named and counted apart."""
    def mark(test):
        @functools.wraps(test)
        def wrapper(self):
            try:
                test(self)
            except AssertionError:
                self.skipTest(f"not yet: {reason}")
            self.fail("passes: take its @not_yet off")
        return wrapper
    return mark


class PgTest(unittest.TestCase):
    """One database, one folder, one slot a test; the cluster is shared by the tests of a class."""

    conf = ""              # extra postgresql.conf lines of the class's cluster
    since = 10             # the oldest server that can do what the class is about
    kind = KIND
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        if int(cls.kind[2:]) < cls.since:
            raise unittest.SkipTest(f"needs PostgreSQL {cls.since}")
        cls.server = Server(cls.kind, cls.conf)
        try:
            cls.server.start()
        except BaseException:
            cls.server.destroy()
            raise

    @classmethod
    def tearDownClass(cls):
        cls.server.destroy()

    def setUp(self):
        self.db = re.sub(r"\W", "_", self.id().split(".")[-1].lower())[:60]
        self.slot = self.db
        self.folder = paths.scratch("test")
        self.state = self.folder / "state.db"
        self.out = self.folder / "out.ndjson"
        self.running = []
        self.server.start()          # a test may have left it stopped; else this does nothing
        self.server.create_database(self.db)

    def tearDown(self):
        for process in self.running:
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        try:
            self.server.drop_database(self.db)      # with its slots: a cluster has only so many
        except SqlError:
            pass                                    # the server is down: setUp starts it

    # --- SQL --------------------------------------------------------------------------------------
    def sql(self, text, timeout=120):
        return self.server.sql(text, self.db, timeout)

    def value(self, query):
        return self.server.value(query, self.db)

    def rows(self, query):
        return self.server.rows(query, self.db)

    def slots(self):
        return self.value(f"SELECT count(*) FROM pg_replication_slots WHERE database = '{self.db}'")

    # --- cdc --------------------------------------------------------------------------------------
    @property
    def url(self):
        return self.server.url(self.db)

    def args(self, command, *more, url=None, state=None):
        """The command with this test's source, name, state and slot; `more` comes last and so wins."""
        return [command, url or self.url, "--name", "cdc", "--state", state or self.state, "-s", f"slot.name={self.slot}", *more]

    def start(self, command, *more, out=None, **options):
        """cdc in the background; its stdout goes to self.out unless told otherwise."""
        keys = {k: options.pop(k) for k in ("url", "state") if k in options}
        if "stdout" not in options:
            options["out_path"] = out or self.out
        process = Cdc(self.args(command, *more, **keys), **options)
        self.running.append(process)
        return process

    def stream(self, *more, **options):
        return self.start("stream", *more, **options)

    def bytes_in(self, pattern):
        """Of the files of the test's folder that are called so; one may take another's place while they are counted."""
        total = 0
        for path in self.folder.glob(pattern):
            with contextlib.suppress(FileNotFoundError):
                total += path.stat().st_size
        return total

    def into_pipe(self, *more):
        """A stream into a pipe, and the pipe: nobody reads it before the test does."""
        pipe = Pipe()
        cdc = self.stream(*more, stdout=pipe.writer)
        pipe.writer_started()
        self.addCleanup(pipe.close)
        return cdc, pipe

    def run_cdc(self, command, *more, **options):
        """cdc to its end."""
        keys = {k: options.pop(k) for k in ("url", "state") if k in options}
        return run(self.args(command, *more, **keys), **options)

    # --- judging ----------------------------------------------------------------------------------
    def assert_status(self, done, status):
        got = done if isinstance(done, int) else done.status
        text = "" if isinstance(done, int) else done.err[-1500:]
        self.assertEqual(got, status, f"exit status\n{text}")

    def assert_replica(self, lines, table, key="id", prefix="cdc."):
        """The lines, applied in order, give the table as it is now. Returns the replica."""
        replica = lines if isinstance(lines, Replica) else Replica(key, prefix)
        if not isinstance(lines, Replica):
            for line in lines:
                replica.apply_line(line)
        wrong = replica.difference(table, self.rows(f"SELECT * FROM {table}"))
        self.assertEqual(wrong, "", f"{table}: what the consumer holds differs from the database")
        return replica

    def assert_nothing_twice(self, replica):
        repeated = replica.repeated()
        self.assertFalse(repeated, f"{len(repeated)} events came more than once, e.g. {list(repeated.items())[:3]}")

    def wait_confirmed(self, lsn=None, seconds=30):
        """Until the slot's confirmed position has reached lsn (default: now). The last commit's own record is confirmed when something
        follows it, or with the next status."""
        lsn = lsn or self.server.wal_now()
        self.server.wait_sql(f"SELECT pg_wal_lsn_diff(confirmed_flush_lsn, '{lsn}') > -200 FROM pg_replication_slots WHERE slot_name = '{self.slot}'", seconds=seconds)


# --- the runner -----------------------------------------------------------------------------------
class Lines(unittest.TestResult):
    """One line a test; why a failure failed below it."""

    def __init__(self, label):
        super().__init__()
        self.label, self.passed, self.failed = label, 0, 0

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()
        self.problems = []

    def _name(self, test):
        return f"{self.label}.{getattr(test, '_testMethodName', str(test))}"

    def addError(self, test, error):
        self._problem(test, error)

    def addFailure(self, test, error):
        self._problem(test, error)

    def addSubTest(self, test, subtest, error):
        if error:
            self._problem(subtest, error, subtest._subDescription())

    def _problem(self, test, error, what=""):
        if issubclass(error[0], AssertionError):
            text = f"{error[1]}"
            frame = next((f for f in reversed(traceback.extract_tb(error[2])) if "test_" in f.filename), None)
            where = f" ({pathlib.Path(frame.filename).name}:{frame.lineno})" if frame else ""
        else:
            text, where = "".join(traceback.format_exception(*error)), ""
        text = f"{what}: {text}" if what else text
        if hasattr(self, "problems") and getattr(test, "_testMethodName", None) or what:
            self.problems.append(text + where)
        else:                # setUpClass and the like
            self.failed += 1
            print(f"FAIL {self.label} {test}\n" + indent(text), flush=True)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.problems = None
        print(f"skip {self._name(test)}: {reason}", flush=True)

    def stopTest(self, test):
        super().stopTest(test)
        if self.problems is None:
            return
        seconds = time.monotonic() - self.began
        if self.problems:
            self.failed += 1
            print(f"FAIL {self._name(test)} ({seconds:.1f} s)\n" + "\n".join(map(indent, self.problems)), flush=True)
        else:
            self.passed += 1
            print(f"ok   {self._name(test)} ({seconds:.1f} s)", flush=True)


def indent(text):
    return "\n".join("    " + line[:1000] for line in text.strip().splitlines()[:40])


def run_file(path, pattern):
    """In the child: the tests of one file; prints a last line for the parent."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    result = Lines(path.stem.removeprefix("test_"))
    for case in list(unittest.TestLoader().loadTestsFromModule(module)):
        tests = [t for t in case if re.search(pattern, t.id())]
        if tests:
            unittest.TestSuite(tests).run(result)
    print(f"@@ {result.passed} {result.failed} {len(result.skipped)}", flush=True)


def child(path, a):
    command = [sys.executable, __file__, "--file", str(path), "--filter", a.filter]
    env = dict(os.environ, CDC_TEST_SERVER=a.server, CDC_SLOW="1" if a.slow else os.environ.get("CDC_SLOW", "0"), PYTHONDONTWRITEBYTECODE="1")
    try:
        p = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=FILE_TIMEOUT)
        text = p.stdout
    except subprocess.TimeoutExpired as e:
        text = (e.stdout or b"").decode(errors="replace") + f"\n{path.name} did not end within {FILE_TIMEOUT} s\n"
    m = re.search(r"^@@ (\d+) (\d+) (\d+)\n", text, re.M)
    if not m:
        return text + f"FAIL {path.stem}: the file did not run to its end\n", 0, 1, 0
    return text.replace(m[0], ""), *map(int, m.groups())


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir", nargs="?", type=pathlib.Path)
    ap.add_argument("--filter", default="", help="only tests whose id (file.Class.test) matches")
    ap.add_argument("--server", default=KIND)
    ap.add_argument("--slow", action="store_true")
    ap.add_argument("-j", type=int, default=2)
    ap.add_argument("--file", type=pathlib.Path, help=argparse.SUPPRESS)
    a = ap.parse_args()
    if a.file:
        return run_file(a.file, a.filter)
    paths.binary()
    files = sorted(a.dir.glob("test_*.py"))
    subprocess.run([paths.SERVERS / "get", a.server], check=True, stdout=subprocess.DEVNULL)
    passed = failed = skipped = 0
    with concurrent.futures.ThreadPoolExecutor(a.j) as pool:
        for done in concurrent.futures.as_completed([pool.submit(child, f, a) for f in files]):
            text, p, f, s = done.result()
            print(text, end="", flush=True)
            passed, failed, skipped = passed + p, failed + f, skipped + s
    if skipped:
        print(f"{skipped} left out: slow, not yet there, or not for this server")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
