#!/usr/bin/env python3
"""The golden test: cdc must write, line by line, what was recorded (CASES.md).

    run.py [--filter REGEX] [--show N] [--server pg15|pg18] [-j N] [--keep DIR] [--list]

Prints a table by case family, the failing cases by name, and as its last line `N passed, N failed`; exit status 0 when none
failed. Cases listed in not_yet.txt (`NAME REASON`) are run and judged all the same: one that passes must be taken off the
list (a failure), one that fails is counted apart. Cases under corrected/ are judged by the lines there (README.md), and named. CDC names the
binary (default: the release build).
"""
import argparse
import collections
import pathlib
import re
import shutil
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
from case import Case, Failed, Runner, clean  # noqa: E402
from harness import paths  # noqa: E402
from harness.server import Server, Session  # noqa: E402

PASSED, FAILED, NOT_YET, RIPE = "passed", "failed", "not yet", "passes, but is listed in not_yet.txt"


def not_yet():
    """{name: reason} of not_yet.txt."""
    out = {}
    path = HERE / "not_yet.txt"
    for line in path.read_text().splitlines() if path.exists() else []:
        name, _, reason = line.strip().partition(" ")
        if name and not name.startswith("#"):
            out[name] = reason.strip()
    return out


class Results:
    def __init__(self, listed, show, verbose):
        self.lock = threading.Lock()
        self.listed, self.show, self.verbose = listed, show, verbose
        self.of = {}            # name -> (family, state, seconds)
        self.corrected = []     # names of those that a correction of ours judges

    def add(self, case, problem, seconds):
        if case.judge != case.given_judge:
            self.corrected.append(case.name)
        reason = self.listed.get(case.name)
        state = (NOT_YET if reason is not None else FAILED) if problem else (RIPE if reason is not None else PASSED)
        with self.lock:
            self.of[case.name] = (case.family, state, seconds)
            if state in (FAILED, RIPE) or self.verbose:
                print(f"{'ok  ' if state == PASSED else state.upper() if state == NOT_YET else 'FAIL'} {case.name} ({seconds:.1f} s)"
                      + (f": {RIPE}" if state == RIPE else ""), flush=True)
            if state == FAILED or problem and self.verbose:
                self._print_problem(problem)

    def _print_problem(self, problem):
        shown = 0
        for line in problem.split("\n"):
            shown += line.startswith("line ")
            if shown > self.show:
                break
            print("    " + line[:1500], flush=True)

    def table(self):
        families = collections.defaultdict(collections.Counter)
        for family, state, _ in self.of.values():
            families[family][state if state != RIPE else FAILED] += 1
        print(f"\n{'family':<16}{'passed':>8}{'failed':>8}{'not yet':>9}")
        total = collections.Counter()
        for family in sorted(families):
            row = families[family]
            total.update(row)
            print(f"{family:<16}{row[PASSED]:>8}{row[FAILED]:>8}{row[NOT_YET]:>9}")
        print(f"{'all':<16}{total[PASSED]:>8}{total[FAILED]:>8}{total[NOT_YET]:>9}")
        for state in (FAILED, RIPE, NOT_YET):
            names = sorted(n for n, r in self.of.items() if r[1] == state)
            if names:
                print(f"\n{state}:\n  " + "\n  ".join(f"{n}  ({self.listed[n]})" if state == NOT_YET else n for n in names))
        if self.corrected:
            print("\njudged by our own correction (tests/golden/corrected): " + ", ".join(sorted(self.corrected)))
        print(f"\n{total[PASSED]} passed, {total[FAILED]} failed")
        return total[FAILED] == 0


class Worker(threading.Thread):
    """Takes cases from the queue; has a cluster of its own of each kind it meets (the database's name is fixed)."""

    def __init__(self, queue, take, results, keep):
        super().__init__(daemon=True)
        self.queue, self.take, self.results, self.keep = queue, take, results, keep
        self.servers = {}
        self.error = None

    def server(self, kind):
        if kind not in self.servers:
            server = Server(kind)
            self.servers[kind] = [server, None]
            server.start()
            self.servers[kind][1] = Session(server)
        return self.servers[kind]

    def run(self):
        try:
            while True:
                case, kind = self.take(self.queue)
                if case is None:
                    return
                self.one(case, kind)
        except BaseException as e:
            self.error = e
            raise

    def one(self, case, kind):
        server, session = self.server(kind)
        folder = paths.scratch("golden")
        started = time.monotonic()
        runner = Runner(case, server, session, folder)
        problem = None
        try:
            runner.run()
        except Failed as e:
            problem = str(e)
        except Exception as e:  # a case that cannot be driven has not passed
            problem = f"{type(e).__name__}: {e}"
        self.results.add(case, problem, time.monotonic() - started)
        if self.keep and problem:
            target = pathlib.Path(self.keep) / case.name
            clean(target)
            shutil.move(folder, target)
        else:
            clean(folder)

    def close(self):
        for server, session in self.servers.values():
            if session:
                session.close()
            server.destroy()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--filter", default="", help="only cases whose name matches (searched)")
    ap.add_argument("--show", type=int, default=2, help="differing lines to show of a case")
    ap.add_argument("--server", default="", help="run on this server alone: pg15 leaves out what needs 18, pg18 runs everything there")
    ap.add_argument("--only-needing", default="", metavar="KIND", help="only the cases recorded on this server")
    ap.add_argument("-j", type=int, default=2, help="cases at a time")
    ap.add_argument("--keep", default="", metavar="DIR", help="keep output, log and configuration of cases that failed")
    ap.add_argument("--list", action="store_true")
    ap.add_argument("-v", action="store_true", help="a line for every case")
    a = ap.parse_args()
    paths.binary()
    cases = [Case(p) for folder in ("postgresql", "own") for p in sorted((HERE / folder).iterdir()) if (p / "setup.sql").exists()]
    listed = not_yet()
    known = {c.name for c in cases}
    corrections = {p.name for p in (HERE / "corrected").iterdir()}
    for where, names in (("not_yet.txt", set(listed)), ("corrected/", corrections)):
        if names - known:
            sys.exit(f"{where} names cases that do not exist: {', '.join(sorted(names - known))}")
    cases = [c for c in cases if re.search(a.filter, c.name)]
    if a.only_needing or a.server == "pg15":
        cases = [c for c in cases if c.server_kind == (a.only_needing or "pg15")]
    if a.list:
        print("\n".join(c.name for c in cases))
        return
    if a.keep:
        pathlib.Path(a.keep).mkdir(parents=True, exist_ok=True)
    queue = collections.deque(sorted(((c, a.server or c.server_kind) for c in cases), key=lambda x: (x[1], x[0].name)))
    lock = threading.Lock()

    def from_left(q):
        with lock:
            return q.popleft() if q else (None, None)

    def from_right(q):
        with lock:
            return q.pop() if q else (None, None)

    results = Results(listed, a.show, a.v)
    started = time.monotonic()
    # one worker begins with the newest server's cases, so that most of the time each kind runs once
    workers = [Worker(queue, from_right if n % 2 else from_left, results, a.keep) for n in range(max(1, min(a.j, len(cases))))]
    try:
        for w in workers:
            w.start()
        for w in workers:
            while w.is_alive():
                w.join(0.5)
    finally:
        queue.clear()
        for w in workers:
            w.join(60)
            w.close()
    errors = [w.error for w in workers if w.error]
    if errors:
        sys.exit(f"the harness failed: {errors[0]!r}")
    print(f"{len(results.of)} cases in {time.monotonic() - started:.0f} s", flush=True)
    sys.exit(0 if results.table() else 1)


if __name__ == "__main__":
    main()
