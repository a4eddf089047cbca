"""The state: one file, one owner, one server; SQLite and JSON; looked at with `cdc offsets show`."""
import json
import os
import shutil

from harness.process import run
from harness.server import Server
from harness.suite import PgTest

TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a');"


class State(PgTest):
    def test_two_processes_one_state(self):
        """The second refuses to start, naming the first's pid; the first is not disturbed."""
        self.sql(TABLE)
        for state in (self.state, self.folder / "state.json"):
            with self.subTest(state.name):
                first = self.stream(state=state, out=self.folder / f"{state.name}.out")
                first.wait_streaming()
                second = self.run_cdc("stream", state=state, json_log=False, seconds=20)
                self.assertIn(second.status, (1, 2, 3), second.err)
                self.assertNotEqual(second.status, 0)
                self.assertIn(str(first.process.pid), second.err)
                self.assertEqual(second.out, "")
                self.sql("INSERT INTO t SELECT max(id) + 1, 'b' FROM t;")
                first.wait_lines(2)
                self.assertEqual(first.stop(), 0)
                self.value(f"SELECT pg_drop_replication_slot('{self.slot}')")

    def test_lock_ends_with_the_process(self):
        self.sql(TABLE)
        first = self.stream()
        first.wait_streaming()
        first.kill()
        self.server.wait_sql(f"SELECT NOT active FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)

    def test_json_state(self):
        self.sql(TABLE)
        state = self.folder / "state.json"
        self.assert_status(self.run_cdc("stream", "--until", "now", state=state), 0)
        document = json.loads(state.read_text())
        self.assertTrue(document)
        self.sql("INSERT INTO t VALUES (2, 'b');")
        done = self.run_cdc("stream", "--until", "now", state=state)
        self.assert_status(done, 0)
        self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], [2])
        self.assertEqual([p.name for p in self.folder.iterdir() if "tmp" in p.name], [])

    def test_state_none(self):
        """Nothing is kept: each run takes its snapshot."""
        self.sql(TABLE)
        for _ in range(2):
            done = self.run_cdc("stream", "--until", "now", "-s", "slot.drop.on.stop=true", state="none")
            self.assert_status(done, 0)
            self.assertEqual(json.loads(done.out.splitlines()[0])["op"], "r")

    def test_default_place(self):
        """$XDG_STATE_HOME/cdc/NAME.db."""
        self.sql(TABLE)
        done = run(["stream", self.url, "--name", "shop", "--until", "now", "-s", f"slot.name={self.slot}"], env={"XDG_STATE_HOME": os.fspath(self.folder)})
        self.assert_status(done, 0)
        self.assertTrue((self.folder / "cdc" / "shop.db").exists(), list(self.folder.rglob("*")))
        asked = run(["offsets", "show"], env={"XDG_STATE_HOME": os.fspath(self.folder)})
        self.assert_status(asked, 2)
        self.assertIn(f"in {self.folder}/cdc there is shop.db", asked.err)
        self.assertNotIn(".lock", asked.err)

    def test_state_of_another_server(self):
        """PG-SLOT-11: the offset is of another cluster: exit 4, both named, nothing printed."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        with Server(self.kind) as other:
            other.create_database(self.db)
            other.sql(TABLE, self.db)
            done = self.run_cdc("stream", "--until", "now", url=other.url(self.db), json_log=False)
            self.assert_status(done, 4)
            self.assertEqual(done.out, "")
            other_id = other.value("SELECT system_identifier FROM pg_control_system()")
            own_id = self.server.value("SELECT system_identifier FROM pg_control_system()")
            self.assertIn(other_id, done.err)
            self.assertIn(own_id, done.err)

    def test_offsets_show(self):
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        done = run(["offsets", "show", "--name", "cdc", "--state", self.state], json_log=False)
        self.assert_status(done, 0)
        self.assertIn("lsn", done.out)

    def test_offsets_of_two_servers_under_one_name(self):
        """A new topic.prefix is a new partition (CORE-OFF-11): set and export mean the capture that would run, not the one before."""
        def offsets(command, *words, prefix=None):
            capture = ["-s", "name=shop", "-s", f"topic.prefix={prefix}"] if prefix else ["--name", "shop"]
            return run(["offsets", command, "--state", self.state, *capture, *words], json_log=False)
        self.assert_status(offsets("set", '{"lsn":1}', prefix="old"), 0)
        self.assert_status(offsets("set", '{"lsn":2}', prefix="new"), 0)
        held = {x["partition"]["server"]: x["offset"]["lsn"] for x in map(json.loads, offsets("show", "--json").out.splitlines())}
        self.assertEqual(held, {"old": 1, "new": 2})
        unclear = offsets("set", '{"lsn":3}')
        self.assert_status(unclear, 2)
        self.assertIn("topic.prefix", unclear.err)
        self.assert_status(offsets("reset", prefix="old"), 0)
        self.assert_status(offsets("set", '{"lsn":4}'), 0)
        self.assertEqual([json.loads(x)["offset"]["lsn"] for x in offsets("show", "--json").out.splitlines()], [4])

    def test_not_a_state_file(self):
        """A file that is none of ours is left alone."""
        self.sql(TABLE)
        self.state.write_bytes(b"SQLite format 3\0" + os.urandom(3000))
        before = self.state.read_bytes()
        done = self.run_cdc("stream", "--until", "now", json_log=False)
        self.assertIn(done.status, (1, 2), done.err)
        self.assertIn(str(self.state), done.err)
        self.assertEqual(self.state.read_bytes(), before)
        self.assertEqual(self.slots(), "0")

    def test_copied_state_of_an_older_moment(self):
        """An older copy of the state (restored backup): the slot has moved on, what lies between is gone: exit 4, not a silent gap."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        shutil.copy(self.state, self.folder / "old.db")
        then = self.server.wal_now()
        for n in range(10):
            self.sql(f"INSERT INTO t SELECT i, 'x' FROM generate_series({100 * n + 2}, {100 * n + 50}) i; SELECT pg_switch_wal(); CHECKPOINT;")
            self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
            if self.value(f"SELECT restart_lsn > '{then}' FROM pg_replication_slots WHERE slot_name = '{self.slot}'") == "t":
                break
        else:
            self.fail("the slot's restart_lsn never moved: the test proves nothing")
        old = self.run_cdc("stream", "--until", "now", state=self.folder / "old.db", json_log=False)
        self.assert_status(old, 4)
        self.assertEqual(old.out, "")

    def test_another_server_on_purpose(self):
        """PG-SLOT-11: --from, or offset.mismatch.strategy=trust_slot, goes on where this server stands, with a warning; then it is the known one."""
        self.sql(TABLE)
        for number, force in enumerate((["--from", "beginning"], ["-s", "offset.mismatch.strategy=trust_slot"])):
            with self.subTest(force[0]), Server(self.kind) as other:
                state = self.folder / f"{number}.db"
                self.assert_status(self.run_cdc("stream", "--until", "now", state=state), 0)
                url = other.url(self.db)
                other.create_database(self.db)
                other.sql(TABLE, self.db)
                self.assert_status(self.run_cdc("stream", "--until", "now", url=url, state="none"), 0)
                other.sql("INSERT INTO t VALUES (9, 'there');", self.db)
                self.assert_status(self.run_cdc("stream", "--until", "now", url=url, state=state), 4)
                done = self.run_cdc("stream", "--until", "now", *force, url=url, state=state)
                self.assert_status(done, 0)
                self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()][-1:], [9])
                self.assertTrue([e for e in done.events if e["event"] == "warning" and "system identifier" in e["message"]])
                other.sql("INSERT INTO t VALUES (10, 'then');", self.db)
                done = self.run_cdc("stream", "--until", "now", url=url, state=state)
                self.assert_status(done, 0)
                self.assertEqual([json.loads(x)["after"]["id"] for x in done.out.splitlines()], [10])
