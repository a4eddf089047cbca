"""A throw-away PostgreSQL cluster (tests/servers/pg.sh), a second one as its standby, and SQL against it through psql."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from . import paths


class SqlError(Exception):
    """psql said no; the text is the server's."""


class Session:
    """One psql that stays: a query costs a round trip, not a process. Not for scripts that must have a session of their own."""

    def __init__(self, server, db="postgres"):
        self.p = subprocess.Popen(server.psql_command(db, "-v", "ON_ERROR_STOP=0"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
        self.count = 0
        os.set_blocking(self.p.stderr.fileno(), False)

    def query(self, text):
        """Output of one statement; SqlError when the server refused it."""
        self.count += 1
        mark = f"--done-{self.count}--"
        self.p.stdin.write(f"{text}\n;\n\\echo :ERROR {mark}\n")
        self.p.stdin.flush()
        out = []
        for line in self.p.stdout:
            if line.endswith(mark + "\n"):
                if line.startswith("true"):
                    raise SqlError(self.p.stderr.read() or "failed")
                return "".join(out).strip()
            out.append(line)
        raise SqlError("the session ended")

    def close(self):
        self.p.stdin.close()
        self.p.wait()
        self.p.stdout.close()
        self.p.stderr.close()


def binaries(kind):
    """The PG_BIN of a major; fetched when it is not there yet."""
    get = subprocess.run([paths.SERVERS / "get", kind], stdout=subprocess.PIPE, text=True)
    if get.returncode:
        raise RuntimeError(f"tests/servers/get {kind} failed")
    return get.stdout.strip()


def clients(kind, servers):
    """Where psql and pg_basebackup are: bare servers come without, and pg_basebackup clones no server newer than itself."""
    if os.path.exists(servers + "/psql"):
        return servers
    return binaries("pg15" if int(kind[2:]) <= 15 else "pg18")


class Server:
    """One cluster of the given kind (pg15, pg18, ...). `with Server("pg15") as s:` removes it at the end. Started with
    start(), or as the hot standby of another one with start_standby(primary), which promote() ends."""

    def __init__(self, kind="pg15", conf=""):
        self.kind = kind
        self.bin = binaries(kind)
        self.major = int(kind[2:])
        client = clients(kind, self.bin)
        self.psql_path = client + "/psql"
        self.env = dict(os.environ, PG_BIN=self.bin, PG_CLIENT=client)
        if conf:
            self.env["PG_CONF"] = conf
        self.folder = paths.scratch(kind)
        self.dir = self.folder / "server"
        self.port = paths.free_port()
        self.host = "127.0.0.1"

    def _pg(self, *args, check=True):
        return subprocess.run([paths.SERVERS / "pg.sh", args[0], self.dir, *map(str, args[1:])], env=self.env, check=check,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL if not check else None, stdin=subprocess.DEVNULL)

    def _launch(self, *args):
        done = subprocess.run([paths.SERVERS / "pg.sh", args[0], self.dir, *map(str, args[1:])], env=self.env, encoding="utf-8",
                              errors="replace", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise RuntimeError(f"{self.kind} did not start: {done.stderr[-1000:]}")
        return self

    def start(self):
        return self._launch("start", self.port)

    def start_standby(self, primary):
        """A hot standby of a running cluster: cloned on first use, else started as it is. On 17+ it takes over failover slots."""
        return self._launch("standby", self.port, primary.dir)

    def promote(self):
        """The standby becomes a primary, on a timeline of its own."""
        self._pg("promote")

    def keep_copy(self):
        """Sets aside a copy of the stopped cluster's files, slots and all."""
        subprocess.run(["cp", "-a", self.dir / "data", self.folder / "copy"], check=True)

    def restore_copy(self):
        """Puts them back: the stopped cluster is what it was then."""
        shutil.rmtree(self.dir / "data")
        (self.folder / "copy").rename(self.dir / "data")

    def stop(self, mode="fast"):
        self._pg("stop", mode)

    def destroy(self):
        self._pg("destroy", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.destroy()

    def configure(self, lines):
        """Appends to the configuration; takes effect at the next start or reload()."""
        with open(self.dir / "data" / "local.conf", "a") as f:
            f.write(lines + "\n")

    def psql_command(self, db, *args):
        return [self.psql_path, "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-h", self.host, "-p", str(self.port), "-U", "postgres",
                "-d", db, *args]

    def psql(self, db, *args, stdin=None, timeout=120):
        """Runs psql; its output. Raises SqlError with the server's words."""
        feed = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
        p = subprocess.run(self.psql_command(db, *args), encoding="utf-8", errors="replace", stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=timeout, **feed)
        if p.returncode:
            raise SqlError(p.stderr.strip())
        return p.stdout

    def sql(self, text, db="postgres", timeout=120):
        """Runs a script (statements commit one by one)."""
        return self.psql(db, "-f", "-", stdin=text, timeout=timeout)

    def value(self, query, db="postgres"):
        return self.psql(db, "-c", query).strip()

    def rows(self, query, db="postgres"):
        """Rows of a query as parsed JSON objects."""
        text = self.psql(db, "-c", f"SELECT coalesce(json_agg(q), '[]') FROM ({query}) q").strip()
        return json.loads(text)

    def drop_database(self, name):
        """Gone, and its slots with it; who still uses them is thrown out."""
        for attempt in range(100):
            try:
                self.psql("postgres", "-c", f"SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active AND database = '{name}'",
                          "-c", f"SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active AND database = '{name}'",
                          "-c", f"DROP DATABASE IF EXISTS \"{name}\"" + (" WITH (FORCE)" if self.major >= 13 else ""))
                return
            except SqlError:
                if attempt == 99:
                    raise
                time.sleep(0.1)

    def create_database(self, name, options=""):
        """The database, made anew."""
        self.drop_database(name)
        self.psql("postgres", "-c", f"CREATE DATABASE \"{name}\" {options}")

    def url(self, db, user="postgres", port=None):
        return f"postgres://{user}@{self.host}:{port or self.port}/{db}"

    def has_library(self, name):
        """Is that output plugin or extension installed? Bare servers have only what PostgreSQL itself brings."""
        return (pathlib.Path(self.value("SELECT setting FROM pg_config WHERE name = 'PKGLIBDIR'")) / f"{name}.so").exists()

    def wal_now(self):
        return self.value("SELECT pg_current_wal_lsn()")

    def wait_replayed(self, primary, seconds=30):
        """Until this standby shows everything that the primary holds now."""
        self.wait_sql(f"SELECT pg_last_wal_replay_lsn() >= '{primary.wal_now()}'", seconds=seconds)

    def unread_bytes(self):
        """Bytes that this server sent and its clients have not read from their sockets yet."""
        port, total = f":{self.port:04X}", 0
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            try:
                with open(table) as f:
                    lines = f.readlines()[1:]
            except OSError:
                continue
            for words in map(str.split, lines):
                if words[3] == "01" and words[2].endswith(port):
                    total += int(words[4].split(":")[1], 16)
        return total

    def walsender_pids(self):
        return [int(x) for x in self.value("SELECT pid FROM pg_stat_replication").split()]

    def wait_sql(self, query, db="postgres", seconds=20):
        """Polls until the query gives t."""
        end = time.monotonic() + seconds
        while self.value(query, db) != "t":
            if time.monotonic() > end:
                raise AssertionError(f"never true: {query}")
            time.sleep(0.03)

    def hold_background_writer(self, held):
        """Every 15 s it writes the running transactions to the log, which lets the restart_lsn of slots move on: where that would decide a
        case, it is stopped meanwhile."""
        for pid in self.value("SELECT pid FROM pg_stat_activity WHERE backend_type = 'background writer'").split():
            os.kill(int(pid), signal.SIGSTOP if held else signal.SIGCONT)

    def signal_walsenders(self, number=signal.SIGSTOP):
        pids = self.walsender_pids()
        for pid in pids:
            os.kill(pid, number)
        return pids
