"""A running cdc: its output, its log events, its end. Waiting is for events, never for a fixed time."""
import collections
import fcntl
import json
import os
import pathlib
import signal
import struct
import subprocess
import termios
import threading
import time

from . import paths

DEADLINE = float(os.environ.get("CDC_TEST_DEADLINE", "30"))  # seconds after which waiting for an event is a failure


class Pipe:
    """What a process writes, kept from it until the test reads."""

    def __init__(self):
        self.reader, self.writer = os.pipe()
        self.taken = bytearray()
        self.rest = None

    def writer_started(self):
        """The process has the end to write to; ours would keep the pipe open."""
        os.close(self.writer)

    def take(self, size):
        """At most so many bytes, when there are any."""
        piece = os.read(self.reader, size)
        self.taken += piece
        return piece

    def waiting(self):
        """How many bytes nobody has read."""
        return struct.unpack("i", fcntl.ioctl(self.reader, termios.FIONREAD, bytes(4)))[0]

    def start_reading(self):
        """A thread takes all that comes from now on."""
        self.rest = threading.Thread(target=self._take_all, daemon=True)
        self.rest.start()

    def _take_all(self):
        while self.take(1 << 20):
            pass

    def text(self):
        """All that was written, once the writer has closed it."""
        if not self.rest:
            self.start_reading()
        self.rest.join(DEADLINE)
        if self.rest.is_alive():
            raise AssertionError("the pipe was not closed")
        self.close()
        return self.taken.decode()

    def close(self):
        if self.reader >= 0:
            os.close(self.reader)
        self.reader = -1


class Cdc:
    """cdc with the given arguments. stdout goes to `out_path` (a file) unless `stdout` is given; stderr is read
    line by line as JSON log events."""

    def __init__(self, args, out_path=None, stdout=None, env=None, cwd=None, json_log=True, stdin=subprocess.DEVNULL):
        self.args = [paths.binary(), *map(str, args)]
        if json_log:
            self.args += ["--log-format", "json"]
        self.events = []          # parsed stderr lines that are JSON objects with an `event`
        self.stderr_lines = []    # every line of stderr
        self._changed = threading.Condition()
        self.out_path = pathlib.Path(out_path) if out_path else None
        self._out = open(out_path, "ab") if out_path else stdout if stdout is not None else subprocess.DEVNULL
        full_env = {**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}
        self.started = time.monotonic()
        self.process = subprocess.Popen(self.args, stdin=stdin, stdout=self._out, stderr=subprocess.PIPE, env=full_env, cwd=cwd)
        if out_path:
            self._out.close()
        self._reader = threading.Thread(target=self._read_stderr, daemon=True)
        self._reader.start()

    def _read_stderr(self):
        for raw in self.process.stderr:
            line = raw.decode(errors="replace").rstrip("\n")
            event = None
            if line.startswith("{"):
                try:
                    event = json.loads(line)
                except ValueError:
                    pass
            with self._changed:
                self.stderr_lines.append(line)
                if isinstance(event, dict) and "event" in event:
                    self.events.append(event)
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    # --- log events -------------------------------------------------------------------------------
    def find(self, name):
        return [e for e in self.events if e["event"] == name]

    def wait_for_event(self, name, count=1, seconds=None):
        """The count-th event of that name; fails when cdc ends first or the deadline passes."""
        end = time.monotonic() + (seconds or DEADLINE)
        with self._changed:
            while True:
                found = self.find(name)
                if len(found) >= count:
                    return found[count - 1]
                if not self._reader.is_alive() and self.process.poll() is not None:
                    raise AssertionError(f"cdc ended with status {self.process.returncode} before event '{name}'\n{self.stderr_tail()}")
                if time.monotonic() > end:
                    raise AssertionError(f"no event '{name}' within {seconds or DEADLINE} s\n{self.stderr_tail()}")
                self._changed.wait(0.2)

    def wait_streaming(self, count=1):
        return self.wait_for_event("streaming", count)

    def wait_event_or_end(self, name, seconds=None):
        """True when the event came, False when cdc ended without it."""
        try:
            self.wait_for_event(name, seconds=seconds)
            return True
        except AssertionError:
            if self.process.poll() is None:
                raise
            return False

    def warnings(self):
        return [e.get("message", "") for e in self.events if e.get("level") in ("warn", "warning") or e["event"] == "warning"]

    @property
    def stderr(self):
        return "\n".join(self.stderr_lines)

    def stderr_tail(self, lines=12):
        return "\n".join("    " + line[:600] for line in self.stderr_lines[-lines:])

    # --- output -----------------------------------------------------------------------------------
    def lines(self):
        """Complete lines written so far to out_path."""
        data = self.out_path.read_bytes() if self.out_path.exists() else b""
        data = data[:data.rfind(b"\n") + 1]
        return data.decode().split("\n")[:-1]

    def records(self):
        return [json.loads(line) for line in self.lines()]

    def wait_lines(self, count, seconds=None):
        """At least that many complete lines; fails when cdc ends with fewer or the deadline passes."""
        end = time.monotonic() + (seconds or DEADLINE)
        while True:
            over = self.process.poll() is not None
            lines = self.lines()
            if len(lines) >= count:
                return lines
            if over:
                raise AssertionError(f"cdc ended with status {self.process.returncode} after {len(lines)} of {count} lines\n{self.stderr_tail()}")
            if time.monotonic() > end:
                raise AssertionError(f"{len(lines)} of {count} lines after {seconds or DEADLINE} s\n{self.stderr_tail()}")
            time.sleep(0.02)

    # --- end --------------------------------------------------------------------------------------
    def running(self):
        return self.process.poll() is None

    def wait(self, seconds=None):
        """Exit status; a hang is a failure (and killed)."""
        try:
            status = self.process.wait(seconds or DEADLINE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"cdc still runs after {seconds or DEADLINE} s\n{self.stderr_tail()}")
        self._reader.join(5)
        return status

    def stop(self, number=signal.SIGTERM, seconds=None):
        """Asks it to stop; its exit status."""
        if self.running():
            self.process.send_signal(number)
        return self.wait(seconds)

    def kill(self):
        """kill -9, and gone when this returns."""
        if self.running():
            self.process.kill()
        self.process.wait()
        self._reader.join(5)

    def peak_rss_kib(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
        return 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


Done = collections.namedtuple("Done", "status out err events")


def run(args, input=None, seconds=60, json_log=True, env=None, cwd=None):
    """Runs cdc to its end: status, stdout text, stderr text, log events."""
    command = [paths.binary(), *map(str, args)] + (["--log-format", "json"] if json_log else [])
    try:
        feed = {"stdin": subprocess.DEVNULL} if input is None else {"input": input}
        p = subprocess.run(command, **feed, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, encoding="utf-8", errors="replace", timeout=seconds,
                           env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}, cwd=cwd)
    except subprocess.TimeoutExpired as e:
        raise AssertionError(f"cdc {' '.join(map(str, args))} still ran after {seconds} s\n{(e.stderr or b'')[-2000:]!r}")
    events = []
    for line in p.stderr.splitlines():
        if line.startswith("{"):
            try:
                e = json.loads(line)
            except ValueError:
                continue
            if isinstance(e, dict) and "event" in e:
                events.append(e)
    return Done(p.returncode, p.stdout, p.stderr, events)
