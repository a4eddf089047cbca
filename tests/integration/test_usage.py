"""Wrong input: one error of one to three lines that says what, where and how to mend it; the right exit status; nothing on stdout."""
import re
import socket
import threading
import time

from harness.process import run
from harness.suite import PgTest

URL = "postgres://postgres@127.0.0.1:1/db"      # nobody listens there: usage must be judged before any connection
STREAM = ["stream", URL, "--name", "cdc", "--state", "none"]


def setting(text):
    return STREAM + ["-s", text]


# (what the user typed, words that the error must have (any case), exit status)
WRONG = [
    ([], ["usage", "stream"], 2),
    (["strem", URL], ["strem", "stream"], 2),
    (STREAM + ["--tabel", "x"], ["--tabel"], 2),
    (["stream"], ["url"], 2),
    (["stream", "foo://host/db", "--name", "cdc"], ["foo", "postgres"], 2),
    (["stream", "mysql://host/db", "--name", "cdc"], ["mysql"], 2),
    (["stream", "postgres://host:99999/db", "--name", "cdc"], ["99999"], 2),
    (STREAM + ["--table", r"public\.("], ["--table", r"public\.("], 2),
    (setting("table.include.lst=x"), ["table.include.lst", "table.include.list"], 2),
    (setting("decimal.handling.mode=precice"), ["decimal.handling.mode", "precice", "precise", "double", "string"], 2),
    (setting("max.batch.size=many"), ["max.batch.size", "many"], 2),
    (setting("max.queue.size=10") + ["-s", "max.batch.size=20"], ["max.queue.size", "max.batch.size"], 2),
    (setting("table.include.list=a") + ["-s", "table.exclude.list=b"], ["table.include.list", "table.exclude.list"], 2),
    (setting("snapshot.mode=never"), ["snapshot.mode", "never", "no_data"], 2),
    (setting("slot.name=My-Slot"), ["slot.name", "My-Slot"], 2),
    (setting("plugin.name=wal2json"), ["plugin.name", "wal2json", "pgoutput"], 2),
    (setting("message.key.columns=public.a=id"), ["message.key.columns", "public.a=id"], 2),
    (setting("skipped.operations=x"), ["skipped.operations"], 2),
    (setting("database.password=${env:CDC_TEST_NOT_SET}"), ["CDC_TEST_NOT_SET"], 2),
    (setting("database.password=${file:/nonexistent/secret}"), ["/nonexistent/secret"], 2),
    (setting("no-equals-sign"), ["no-equals-sign", "="], 2),
    (["stream", "-c", "/nonexistent/shop.yaml"], ["/nonexistent/shop.yaml"], 2),
    (STREAM + ["--format", "xml"], ["xml", "value", "record", "keyed"], 2),
    (STREAM + ["--max-time", "10parsecs"], ["--max-time", "10parsecs"], 2),
    (STREAM + ["--idle-exit", "soon"], ["--idle-exit", "soon"], 2),
    (STREAM + ["--max-events", "-1"], ["--max-events", "-1"], 2),
    (STREAM + ["--rotate-size", "1Q", "-o", "x.ndjson"], ["--rotate-size", "1Q"], 2),
    (STREAM + ["--output", "out/{tabel}.ndjson"], ["{tabel}", "{table}"], 2),
    (STREAM + ["--log-level", "loud"], ["loud"], 2),
    (["config", "--markdown"], ["--markdown", "--reference"], 2),
    (["snapshot", URL, "--name", "cdc", "--threads", "0"], ["--threads"], 2),
    (["snapshot", URL, "--name", "cdc", "--where", "no condition"], ["--where"], 2),
    (["stream", "postgres://postgres@127.0.0.1:1/db", "--name", "c d"], ["--name"], 2),
    (STREAM, ["127.0.0.1", "1"], 3),
]

FILES = [   # (file name, content, words)
    ("broken.yaml", "database:\n  hostname: [x\n", ["broken.yaml"]),
    ("broken.json", '{"name": "x", "config": {', ["broken.json"]),
    ("value.yaml", "topic.prefix: cdc\ndatabase.hostname: h\ndatabase.dbname: d\nconnector.class: postgresql\ndecimal.handling.mode: wrong\n",
     ["value.yaml:5", "decimal.handling.mode", "wrong"]),
]


class WrongInput(PgTest):
    def check(self, args, words, status):
        done = run(args, json_log=False, seconds=30)
        text = done.err.strip()
        self.assertEqual(done.status, status, f"exit status\n{text}")
        self.assertEqual(done.out, "")
        for word in words:
            self.assertIn(word.lower(), text.lower())
        lines = text.splitlines()
        if args:
            self.assertTrue(1 <= len(lines) <= 3, f"{len(lines)} lines:\n{text}")

    def test_table_of_wrong_arguments(self):
        for args, words, status in WRONG:
            with self.subTest(" ".join(args).replace(URL, "URL")):
                self.check(args, words, status)

    def test_wrong_files(self):
        for name, content, words in FILES:
            with self.subTest(name):
                (self.folder / name).write_text(content)
                self.check(["stream", URL, "-c", str(self.folder / name), "--state", "none"], words, 2)

    def test_state_that_is_a_folder(self):
        self.check(["stream", self.url, "--name", "cdc", "--state", str(self.folder)], [str(self.folder)], 2)

    def test_positions_that_are_none(self):
        """What a position looks like is the source's to know; nothing is made on the server before it is judged."""
        for flag, value in (("--until", "someday"), ("--from", "somewhere")):
            with self.subTest(flag):
                done = self.run_cdc("stream", flag, value, json_log=False)
                self.assert_status(done, 2)
                self.assertIn(value, done.err)
                self.assertEqual(self.slots(), "0")

    def test_unknown_property_of_a_debezium_file(self):
        """A file written for Debezium loads as it does there: unknown names are passed over, with a warning that names the place and the nearest one."""
        path = self.folder / "unknown.properties"
        path.write_text("topic.prefix=cdc\n\nslot.nam=x\n")
        done = self.run_cdc("stream", "-c", path, "--until", "now", json_log=False)
        self.assert_status(done, 0)
        for word in ("unknown.properties:3", "slot.nam", "slot.name"):
            self.assertIn(word, done.err)

    def test_output_that_cannot_be_written(self):
        """Judged before a slot is made."""
        done = self.run_cdc("stream", "--output", "/proc/nowhere/out.ndjson", json_log=False)
        self.assert_status(done, 5)
        self.assertIn("/proc/nowhere", done.err)
        self.assertEqual(self.slots(), "0")


class Refused(PgTest):
    """The server says no: exit 3, its words and the way out; nothing left behind."""

    def refused(self, words, *more, status=3, **options):
        done = self.run_cdc("stream", *more, json_log=False, **options)
        self.assertEqual(done.status, status, done.err)
        self.assertEqual(done.out, "")
        for word in words:
            self.assertIn(word.lower(), done.err.lower())
        said = [line for line in done.err.strip().splitlines() if not re.match(r"\d{4}-\d\d-\d\dT", line)]    # log lines have a time
        self.assertTrue(1 <= len(said) <= 3, done.err)
        return done

    def test_wrong_password(self):
        hba = self.server.dir / "data" / "pg_hba.conf"
        hba.write_text("host all locked 127.0.0.1/32 scram-sha-256\n" + hba.read_text())
        self.server.value("SELECT pg_reload_conf()")
        self.server.psql("postgres", "-c", "SET password_encryption = 'scram-sha-256'",
                         "-c", "CREATE ROLE locked LOGIN SUPERUSER PASSWORD 'right'")
        url = f"postgres://locked:bad-word@127.0.0.1:{self.server.port}/{self.db}"
        done = self.refused(["locked", "password"], url=url)
        self.assertNotIn("bad-word", done.err)
        right = self.run_cdc("stream", "--until", "now", url=url.replace("bad-word", "right"))
        self.assert_status(right, 0)

    def test_database_that_is_not_there(self):
        self.refused(["nowhere"], url=self.server.url("nowhere"))

    def test_role_that_is_not_there(self):
        self.refused(["nobody_here"], url=self.server.url(self.db, "nobody_here"))

    def test_role_without_replication(self):
        self.server.psql("postgres", "-c", f"CREATE ROLE plain_{self.db[:20]} LOGIN")
        self.sql("CREATE TABLE t (id int PRIMARY KEY); GRANT SELECT ON t TO PUBLIC;")
        self.refused(["replication"], url=self.server.url(self.db, f"plain_{self.db[:20]}"))
        self.assertEqual(self.slots(), "0")

    def test_one_file_for_two_things(self):
        """Output, state, metrics and signals in one file: refused before any of them is touched, by whatever name it is called."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1);")
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        before = self.state.read_bytes()
        link = self.folder / "link"
        link.symlink_to(self.state)
        for flags in (["--output", self.state], ["--output", link], ["--output", "out.ndjson", "--metrics-file", self.folder / ".." / self.folder.name / self.state.name]):
            done = self.run_cdc("stream", "--until", "now", *flags, json_log=False)
            self.assert_status(done, 2)
            self.assertIn("are the same file", done.err)
        self.assertEqual(self.state.read_bytes(), before)
        config = self.folder / "c.yaml"
        config.write_text("format: value\n")
        self.assert_status(self.run_cdc("snapshot", "-c", config, "--output", config), 2)
        self.assertEqual(config.read_text(), "format: value\n")
        self.assert_status(self.run_cdc("snapshot", "-c", config, "-c", config), 0)

    def test_names_that_stand_for_nothing(self):
        """A slip in a filter or a mask is told at the start; with the schema where that is what is missing."""
        self.sql("CREATE TABLE orders (id int PRIMARY KEY, mail text); CREATE TABLE other (id int PRIMARY KEY);")
        done = self.run_cdc("snapshot", "--table", r"public\.orders,orders,public\.nope", "-s", r"column.mask.with.3.chars=public\.orders\.(mail|id),.*\.maill",
                            "-s", r"column.exclude.list=public\.other\.id")
        self.assert_status(done, 0)
        told = [e["message"] for e in done.events if e["event"] == "warning" and " matches no " in e["message"]]
        self.assertEqual(told, [r"table.include.list: 'orders' matches no table (names are matched with their schema: public.orders)",
                                r"table.include.list: 'public\.nope' matches no table",
                                r"column.exclude.list: 'public\.other\.id' matches no column of a captured table",
                                r"column.mask.with.3.chars: '.*\.maill' matches no column of a captured table"])

    def test_table_without_select_right(self):
        role = f"noselect_{self.db[:20]}"
        self.server.psql("postgres", "-c", f"CREATE ROLE {role} LOGIN REPLICATION")
        self.sql("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1); CREATE PUBLICATION dbz_publication FOR ALL TABLES;")
        self.refused(["public.t", "select"], url=self.server.url(self.db, role))

    def test_no_table_for_a_filtered_publication(self):
        """PG-PUB-06."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY);")
        done = self.run_cdc("stream", "--table", r"public\.nothing", "-s", "publication.autocreate.mode=filtered", json_log=False)
        self.assertIn(done.status, (2, 3), done.err)
        self.assertIn("dbz_publication", done.err)
        self.assertEqual(self.slots(), "0")

    def test_publication_missing_and_not_to_be_made(self):
        self.sql("CREATE TABLE t (id int PRIMARY KEY);")
        done = self.run_cdc("stream", "-s", "publication.autocreate.mode=disabled", "-s", "publication.name=mine", json_log=False)
        self.assertIn(done.status, (2, 3), done.err)
        self.assertIn("mine", done.err)
        self.assertEqual(self.slots(), "0")

    def test_slot_in_use(self):
        """PG-SLOT-08, PG-FAIL-06: retried as often as asked, then the pid of the holder."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY);")
        holder = self.stream()
        holder.wait_streaming()
        pid = self.value(f"SELECT active_pid FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
        began = time.monotonic()
        self.refused([self.slot, pid], "-s", "slot.max.retries=2", "-s", "slot.retry.delay.ms=200", "-s", "errors.max.retries=0",
                     state=self.folder / "other.db")
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(holder.stop(), 0)

    def test_slot_of_another_database(self):
        """PG-SLOT-02: the name is taken: which database has it."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY);")
        self.server.psql("postgres", "-c", f"SELECT pg_create_logical_replication_slot('{self.slot}', 'pgoutput')")
        try:
            self.refused([self.slot, "postgres"])
        finally:
            self.server.psql("postgres", "-c", f"SELECT pg_drop_replication_slot('{self.slot}')")

    def test_server_that_accepts_and_says_nothing(self):
        """A deadline, not a hang."""
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen(8)
            began = time.monotonic()
            done = self.run_cdc("stream", "-s", "errors.max.retries=0", json_log=False, seconds=90,
                                url=f"postgres://postgres@127.0.0.1:{silent.getsockname()[1]}/x?connect_timeout=3")
            self.assertEqual(done.status, 3, done.err)
            self.assertLess(time.monotonic() - began, 60)

    def test_server_too_old(self):
        """A server that says it is 9.6: refused by its version, before anything is tried on it."""
        with FakeServer("9.6.24") as port:
            done = self.run_cdc("stream", "-s", "errors.max.retries=0", url=f"postgres://postgres@127.0.0.1:{port}/x?sslmode=disable", json_log=False)
            self.assertIn(done.status, (2, 3), done.err)
            self.assertIn("9.6", done.err)
            self.assertIn("10", done.err)


class NotLogical(PgTest):
    conf = "wal_level = replica\nmax_replication_slots = 4"

    def test_wal_level(self):
        self.sql("CREATE TABLE t (id int PRIMARY KEY);")
        done = self.run_cdc("stream", json_log=False)
        self.assert_status(done, 3)
        self.assertIn("wal_level", done.err)
        self.assertIn("logical", done.err)

    def test_snapshot_needs_no_wal_level(self):
        """PG-SLOT-06: a snapshot alone makes no slot."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2);")
        done = self.run_cdc("snapshot")
        self.assert_status(done, 0)
        self.assertEqual(len(done.out.splitlines()), 2)


class FakeServer:
    """Speaks just enough of the protocol to be connected to; answers every query with an error."""

    def __init__(self, version):
        self.version = version

    def __enter__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()
        return self.socket.getsockname()[1]

    def __exit__(self, *_):
        self.socket.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    @staticmethod
    def message(kind, body):
        return kind + (len(body) + 4).to_bytes(4, "big") + body

    def _talk(self, c):
        with c:
            try:
                length = int.from_bytes(c.recv(4), "big")
                if c.recv(length - 4)[:4] == (80877103).to_bytes(4, "big"):    # SSLRequest
                    c.sendall(b"N")
                    length = int.from_bytes(c.recv(4), "big")
                    c.recv(length - 4)
                hello = self.message(b"R", bytes(4))
                for name, value in (("server_version", self.version), ("client_encoding", "UTF8"), ("server_encoding", "UTF8"),
                                    ("integer_datetimes", "on"), ("standard_conforming_strings", "on")):
                    hello += self.message(b"S", name.encode() + b"\0" + value.encode() + b"\0")
                ready = self.message(b"Z", b"I")
                c.sendall(hello + self.message(b"K", bytes(8)) + ready)
                while True:
                    kind = c.recv(1)
                    if not kind or kind == b"X":
                        return
                    text = c.recv(int.from_bytes(c.recv(4), "big") - 4)
                    if kind == b"Q" and text.upper().startswith(b"SET"):
                        c.sendall(self.message(b"C", b"SET\0") * max(1, text.upper().count(b"SET ")) + ready)
                    elif kind in (b"Q", b"S"):
                        c.sendall(self.message(b"E", b"SERROR\0C0A000\0Mthis server answers nothing\0\0") + ready)
            except OSError:
                return
