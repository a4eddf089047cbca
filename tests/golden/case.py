"""Runs one golden case: makes its database, drives its SQL beside a running cdc, judges what came.
CASES.md describes the files of a case; run.py chooses cases and prints the table."""
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness.process import Cdc, run as run_cdc  # noqa: E402
from harness.server import SqlError  # noqa: E402

spec = importlib.util.spec_from_file_location("compare", HERE / "compare.py")
compare = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compare)

QUIET = 0.15     # seconds without a new line, after the server has sent all its log, that mean "nothing more comes"
LONGEST = 30     # seconds a phase may last
BASE = {         # what every case was recorded with (CASES.md)
    "name": "golden", "connector.class": "io.debezium.connector.postgresql.PostgresConnector", "topic.prefix": "cdc",
    "database.user": "postgres", "database.password": "x", "database.dbname": "golden", "plugin.name": "pgoutput",
    "slot.name": "golden", "key.converter.schemas.enable": "false", "value.converter.schemas.enable": "false",
    "header.converter.schemas.enable": "false", "errors.max.retries": "0", "poll.interval.ms": "50",
}


class Failed(Exception):
    """The case did not pass; the text says why, in one line or more."""


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.name = folder.name
        self.family = self.name.split("-")[0]
        self.setup = self.text("setup.sql")
        self.stream = self.text("stream.sql")
        self.correction = HERE / "corrected" / self.name
        self.note = self.text("note.md")
        head = self.setup.split("\n", 2)
        self.title = " ".join(head[:2] if head[0].startswith("-- @createdb") else head[:1])
        self.server_kind = "pg18" if "Needs PostgreSQL 18." in self.title else "pg15"
        self.createdb = re.sub(r"\s--\s.*", "", "".join(re.findall(r"\A--\s*@createdb\s+(.+)", self.setup)))
        self.unordered = "unordered" in self.title
        self.corrected = bool(list(folder.glob("correct.ndjson*")))
        self.given_judge = next(iter(sorted(folder.glob("correct.ndjson*" if self.corrected else "expected.ndjson*"))))
        ours = self.correction / "correct.ndjson"
        self.judge = ours if ours.exists() else self.given_judge

    def text(self, name):
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def verdicts(self, runs):
        """For each run True (must fail), False (must not) or None (not judged)."""
        recorded = self._failing(self.text("expected.error"), runs)
        if (self.folder / "correct.error").exists():
            return [n in self._failing(self.text("correct.error"), runs) for n in range(1, runs + 1)]
        if not self.corrected:
            return [n in recorded for n in range(1, runs + 1)]
        if "must not fail" in self.note:
            return [False] * runs
        return [None if n in recorded else False for n in range(1, runs + 1)]

    @staticmethod
    def _failing(text, runs):
        if not text.strip():
            return set()
        numbers = {int(n) for n in re.findall(r"^RUN (\d+)", text, re.M)}
        return numbers or set(range(1, runs + 1))

    def wanted_warnings(self):
        return re.findall(r"^Warn:\s*(.+)", self.note, re.M)


def runs_of(stream):
    """stream.sql cut at '-- @stop' and '-- @start': [[SQL while it streams, SQL while it is down or None, changes of properties for the runs that follow]]."""
    out, down = [["", None, {}]], 0
    for line in stream.splitlines(keepends=True):
        m = re.match(r"--\s*@(stop|start|set)\b\s*([^=\n]*)(=?)(.*)", line)
        if not m:
            out[-1][down] += line
        elif m[1] == "stop":
            out[-1][1], down = "", 1
        elif m[1] == "start":
            out.append(["", None, {}])
            down = 0
        else:
            out[-1][2][m[2].strip()] = m[4].strip() if m[3] else None
    return out


def phases(sql):
    """Cuts at '-- @wait', '-- @sleep S' and '-- @signal JSON': yields (SQL, what ends it, its argument)."""
    part = ""
    for line in sql.splitlines(keepends=True):
        m = re.match(r"--\s*@(wait|sleep|signal)\b\s*(.*)", line)
        if m:
            yield part, m[1], m[2].strip()
            part = ""
        else:
            part += line
    yield part, "wait", ""


class Properties:
    """The case's configuration as .properties text, changed line by line like a user would."""

    def __init__(self, *texts):
        self.values = {}
        for text in texts:
            for line in text.splitlines():
                if line.strip() and not line.lstrip().startswith("#"):
                    key, _, value = line.partition("=")
                    self.values[key.strip()] = value.strip()

    def change(self, key, value):
        self.values.pop(key, None)
        if value is not None:
            self.values[key] = value

    def write(self, path):
        path.write_text("".join(f"{k}={v}\n" for k, v in self.values.items()), encoding="utf-8")


class Runner:
    """Drives one case on one server; `session` is a psql that stays, for questions to the server."""

    def __init__(self, case, server, session, folder):
        self.case, self.server, self.session, self.folder = case, server, session, folder
        self.background = []
        self.warnings = []
        self.cdc = None

    # --- SQL --------------------------------------------------------------------------------------
    def fresh_database(self):
        drop_slots = "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active"
        for attempt in range(100):
            try:
                self.session.query("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active")
                self.session.query(drop_slots)
                self.session.query("DROP DATABASE IF EXISTS golden WITH (FORCE)")
                self.session.query("CREATE DATABASE golden " + self.case.createdb)
                return
            except SqlError as e:
                if attempt == 99:
                    raise Failed(f"cannot make the database anew: {e}")
                time.sleep(0.05)

    def sql(self, text):
        if not re.sub(r"--.*", "", text).strip():
            return
        if text.lstrip().startswith("-- @async"):
            thread = threading.Thread(target=self.server.sql, args=(text, "golden"), daemon=True)
            thread.start()
            self.background.append(thread)
            time.sleep(0.3)    # it shall have begun
            return
        self.server.sql(text, "golden")

    # --- waiting ----------------------------------------------------------------------------------
    def quiet(self, seconds):
        """Until nothing more comes: every walsender has sent the log up to now and cdc has read it, and then neither the output nor the log grows for
        a while (an incremental snapshot writes into both)."""
        end = time.monotonic() + LONGEST
        target = record_end(self.session.query("SELECT pg_current_wal_insert_lsn()"))
        state, since = None, time.monotonic()
        while time.monotonic() < end:
            if not self.cdc.running():
                return
            sent = self.session.query(f"SELECT count(*) > 0 AND bool_and(sent_lsn >= '{target}') FROM pg_stat_replication r "
                                      "JOIN pg_replication_slots s ON s.active_pid = r.pid WHERE s.slot_type = 'logical'") == "t"
            sent = sent and self.server.unread_bytes() == 0
            new = (sent, self.cdc.out_path.stat().st_size, self.session.query("SELECT pg_current_wal_insert_lsn()"))
            if new != state:
                state, since = new, time.monotonic()
            elif time.monotonic() - since >= (seconds if sent else max(seconds, 3)):
                return    # not sent for 3 s: no walsender (a snapshot alone), or one that waits for a transaction
            time.sleep(0.03)

    def pause(self, kind, argument, seconds):
        if kind == "sleep":
            time.sleep(float(argument))
            return
        self.quiet(seconds)
        if kind == "signal":
            with open(self.folder / "signals", "a", encoding="utf-8") as f:
                f.write(argument + "\n")

    # --- the case ---------------------------------------------------------------------------------
    def prepare(self):
        c = self.case
        base = dict(BASE, **{"database.hostname": self.server.host, "database.port": str(self.server.port),
                             "slot.drop.on.stop": "true"})
        self.restarts = "@stop" in c.stream or (c.folder / "offsets.dat").exists()
        if self.restarts:
            base["slot.drop.on.stop"] = "false"
        config = Properties(c.text("config.properties").replace("@PORT@", str(self.server.port)))
        self.quiet_seconds = QUIET
        if "file" in config.values.get("signal.enabled.channels", ""):
            base["signal.file"] = str(self.folder / "signals")
            (self.folder / "signals").touch()
            self.quiet_seconds = 0.3 + int(config.values.get("signal.poll.interval.ms", "5000")) / 1000
        elif "signal.data.collection" in config.values:
            self.quiet_seconds = 0.3
        base_file = self.folder / "base.properties"
        Properties("".join(f"{k}={v}\n" for k, v in base.items())).write(base_file)
        self.common = [base_file] + [p for p in [c.folder.parent / "common.properties"] if p.exists()]
        return config

    def arguments(self, config):
        path = self.folder / "config.properties"
        config.write(path)
        out = []
        for file in [*self.common, path]:
            out += ["-c", file]
        return out + ["--state", self.folder / "state.db"]

    def run(self):
        """Raises Failed; else the case passed."""
        plan = runs_of(self.case.stream)
        verdicts = self.case.verdicts(len(plan))
        config = self.prepare()
        self.out = self.folder / "out.ndjson"
        self.out.touch()
        self.fresh_database()
        problems = []
        if self.restarts:
            self.server.hold_background_writer(True)
        try:
            self.sql(self.case.setup)
            if (self.case.folder / "offsets.dat").exists():
                self.import_offsets(config)
            for number, ((up, down, changes), must_fail) in enumerate(zip(plan, verdicts), 1):
                problem = self.one_run(up, config, must_fail, last=number == len(plan))
                if problem:
                    problems.append(f"run {number}: {problem}" if len(plan) > 1 else problem)
                for part, kind, argument in phases(down or ""):
                    self.sql(part)
                    if kind == "sleep":
                        time.sleep(float(argument))
                for key, value in changes.items():
                    config.change(key, value and value.replace("STORE", str(self.folder)))
        finally:
            if self.restarts:
                self.server.hold_background_writer(False)
            if self.cdc:
                self.cdc.kill()
            for thread in self.background:
                thread.join(60)
            if (self.case.folder / "after.sql").exists():
                self.server.sql(self.case.text("after.sql"), "golden")
        different = self.differences(self.case.judge)
        if self.case.judge != self.case.given_judge and not self.differences(self.case.given_judge):
            different.append("equals the case's own lines: the correction of ours has nothing to say any more, remove it")
        missing = [f"warning missing: {w}" for w in self.missing_warnings()]
        if problems or different or missing:
            raise Failed("\n".join(problems + different + missing))

    def import_offsets(self, config):
        done = run_cdc(["offsets", "import", *self.arguments(config), self.case.folder / "offsets.dat"])
        if done.status:
            raise Failed(f"offsets import: status {done.status}: {done.err[-400:]}")

    def one_run(self, up, config, must_fail, last):
        """One start to stop; a text when its end was not the right one."""
        self.cdc = Cdc(["stream", *self.arguments(config), "--format", "record"], out_path=self.out)
        try:
            streaming = self.cdc.wait_event_or_end("streaming", LONGEST)
            if streaming or self.cdc.wait() == 0:
                if streaming:
                    self.quiet(self.quiet_seconds)
                for part, kind, argument in phases(up):
                    self.sql(part)
                    self.pause(kind, argument, self.quiet_seconds)
                if last and self.background:       # what runs beside it belongs to the case
                    for thread in self.background:
                        thread.join(LONGEST)
                    self.quiet(self.quiet_seconds)
            if must_fail and self.cdc.running():
                try:
                    self.cdc.process.wait(5)
                except subprocess.TimeoutExpired:
                    pass
            ended_by_itself = not self.cdc.running()
            status = self.cdc.stop()
        except AssertionError as e:
            return str(e)
        finally:
            self.cdc.kill()
            self.warnings += self.cdc.warnings()
            (self.folder / "stderr").write_text(self.cdc.stderr + "\n")
        if must_fail:
            if status == 0:
                return "must fail, but ended with status 0" if ended_by_itself else "must fail, but went on"
            if not self.cdc.stderr.strip():
                return f"failed (status {status}) without a word on stderr"
        elif must_fail is False and status != 0:
            return f"status {status}\n{self.cdc.stderr_tail(4)}"
        return None

    def differences(self, judge):
        """What is written against the lines of `judge`; nothing where all are equal."""
        try:
            judged = self.folder / "judged.ndjson"
            judged.write_text("".join(map(without_context_headers, lines_of(self.out))), encoding="utf-8")
            want, got = compare.load(str(judge), compare.Mask()), compare.load(str(judged), compare.Mask())
        except (SystemExit, UnicodeDecodeError, ValueError) as e:
            return [str(e)]
        if self.case.unordered:
            want, got = compare.lanes(compare.last(want)), compare.lanes(compare.last(got))
        out = []
        for i in range(max(len(want), len(got))):
            w = want[i][:2] if i < len(want) else None
            g = got[i][:2] if i < len(got) else None
            if w != g:
                out.append(describe(i + 1, w, g))
        if out:
            out.insert(0, f"{len(want)} lines expected, {len(got)} written, {len(out)} different")
        return out

    def missing_warnings(self):
        return [w for w in self.case.wanted_warnings() if not given(self.warnings, w)]


def record_end(lsn):
    """Where the last log record ended, given where the next one will begin: at the start of a page a header lies between. (The insert position
    counts: a message outside a transaction is not flushed at once.)"""
    high, low = (int(x, 16) for x in lsn.split("/"))
    return f"{high:X}/{low - low % 8192 if low % 8192 in (24, 40) else low:X}"


def lines_of(path):
    """Lines with their ends; not splitlines: JSON text may hold U+2028."""
    return [line + "\n" for line in path.read_bytes().decode("utf-8").split("\n") if line]


def without_context_headers(line):
    """The recorded lines were written without the headers `__debezium.context.*` (CORE-HDR-03), which name the run."""
    if "__debezium.context." not in line:
        return line
    members = compare.members(line)
    kept = {k: v for k, v in compare.members(members["headers"]).items() if not k.startswith("__debezium.context.")} if "headers" in members else {}
    members["headers"] = "{" + ",".join(f'"{k}":{v}' for k, v in kept.items()) + "}"
    return "{" + ",".join(f'"{k}":{v}' for k, v in members.items()) + "}\n"


def describe(number, want, got):
    text = f"line {number}:\n      expected " + ("\t".join(want) if want else "nothing") + "\n      written  " + ("\t".join(got) if got else "nothing")
    if want and got:
        x, y = "\t".join(want), "\t".join(got)
        at = next((k for k in range(min(len(x), len(y))) if x[k] != y[k]), min(len(x), len(y)))
        text += f"\n      first difference at {at}: {x[max(0, at - 40):at + 60]!r} / {y[max(0, at - 40):at + 60]!r}"
    return text


def given(warnings, wanted):
    """Whether the log has the wanted warning: for each object that the note names before its colon, one that names it and shares some of the
    words; without objects, one that shares most of the words."""
    names = re.findall(r"\b[a-z]\w*(?:\.\w+)+", wanted.split(":")[0])
    want = stems(wanted)
    if names:
        return all(any(set(name.lower().split(".")) <= set(re.findall(r"\w+", w.lower())) and len(want & stems(w)) * 3 >= len(want) for w in warnings)
                   for name in names)
    return any(len(want & stems(w)) * 2 >= len(want) for w in warnings)


def stems(text):
    return {w[:6] for w in re.findall(r"[^\W\d]\w+", text.lower()) if len(w) > 3}


def clean(folder):
    shutil.rmtree(folder, ignore_errors=True)
