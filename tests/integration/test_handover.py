"""From Debezium to cdc and back (CORE-OFF-10, PG-T-08). data/handover/ holds offset files of hand-overs under writes between the real Debezium 3.6.1
and cdc, in which no event was missing or came twice: debezium-*.dat are Debezium's after a stop in order (messageType INSERT, UPDATE),
exported.dat is cdc's, from which Debezium went on. Their positions are those of servers that are gone; here they are filled in anew."""
import json
import pathlib
import unittest

from harness.process import run
from harness.suite import KIND, PgTest

DATA = pathlib.Path(__file__).parent / "data" / "handover"
TABLE = "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 0);"
CHANGES = """
INSERT INTO t VALUES (2, 0);
BEGIN; INSERT INTO t VALUES (3, 0); UPDATE t SET v = 1 WHERE id = 2; DELETE FROM t WHERE id = 1; COMMIT;
COPY t FROM stdin;
10\t0
11\t0
12\t0
\\.
BEGIN; UPDATE t SET id = 4 WHERE id = 3; INSERT INTO t VALUES (5, 0); COMMIT;
UPDATE t SET v = 2 WHERE id = 2;
"""


def position(record):
    """What tells one record from all others."""
    value = record["value"]
    return value["op"], (value["after"] or value["before"])["id"], value["source"]["lsn"]


@unittest.skipIf(KIND == "pg10", "slots cannot be copied")
class FromDebezium(PgTest):
    conf = "max_replication_slots = 40\nmax_wal_senders = 40"

    def offset_as_recorded(self, name):
        state = self.folder / f"{name}.json"
        self.assert_status(run(["offsets", "import", "--name", "cdc", "--state", state, DATA / name]), 0)
        return json.loads(run(["offsets", "show", "--name", "cdc", "--state", state, "--json"], json_log=False).out)["offset"]

    def import_at(self, record, template):
        """A state with Debezium's offset after this record, by way of an offset file."""
        source = record["value"]["source"]
        commit = json.loads(source["sequence"])[0]
        offset = dict(template, lsn=source["lsn"], lsn_proc=source["lsn"], txId=source["txId"], ts_usec=source["ts_us"],
                      messageType={"c": "INSERT", "u": "UPDATE", "d": "DELETE"}[record["value"]["op"]])
        offset.pop("lsn_commit", None)
        if commit is not None:
            offset["lsn_commit"] = int(commit)
        file, made, state = self.folder / "offsets.dat", self.folder / "made.json", self.folder / "imported.db"
        for path in self.folder.glob("made*"), self.folder.glob("imported*"):
            for old in path:
                old.unlink()
        self.assert_status(run(["offsets", "set", "--name", "cdc", "--state", made, json.dumps(offset)]), 0)
        self.assert_status(run(["offsets", "export", "--name", "cdc", "--state", made, file]), 0)
        self.assert_status(run(["offsets", "import", "--name", "cdc", "--state", state, file]), 0)
        return state

    def check(self, plugin, template):
        self.sql(TABLE)
        options = ["-s", f"plugin.name={plugin}", "--format", "record", "-s", "snapshot.mode=no_data", "-s", "tombstones.on.delete=false"]
        self.assert_status(self.run_cdc("stream", "--until", "now", *options, state="none"), 0)
        self.value(f"SELECT pg_copy_logical_replication_slot('{self.slot}', '{self.slot}_w')")
        self.sql(CHANGES)
        witness = self.run_cdc("stream", "--until", "now", *options, "-s", f"slot.name={self.slot}_w", state="none")
        self.assert_status(witness, 0)
        records = [json.loads(line) for line in witness.out.splitlines()]
        self.assertEqual([r["value"]["op"] for r in records], list("ccudcccdccu"))
        for at, record in enumerate(records):
            with self.subTest(plugin, after=position(record)):
                # COPY wrote three rows at one position, the change of a key is two records: they come again together.
                shared = [i for i, r in enumerate(records) if r["value"]["source"]["lsn"] == record["value"]["source"]["lsn"]]
                rest = records[at + 1 if len(shared) == 1 else shared[0]:]
                slot = f"{self.slot}_{at}"
                self.value(f"SELECT pg_copy_logical_replication_slot('{self.slot}', '{slot}')")
                done = self.run_cdc("stream", "--until", "now", *options, "-s", f"slot.name={slot}", state=self.import_at(record, template))
                self.assert_status(done, 0)
                self.assertEqual([position(json.loads(line)) for line in done.out.splitlines()], [position(r) for r in rest])
                self.value(f"SELECT pg_drop_replication_slot('{slot}')")

    def test_stopped_after_each_record(self):
        self.check("pgoutput", self.offset_as_recorded("debezium-insert.dat"))

    def test_stopped_after_each_record_decoderbufs(self):
        if not self.server.has_library("decoderbufs"):
            self.skipTest("this server comes without decoderbufs")
        self.check("decoderbufs", self.offset_as_recorded("debezium-update.dat"))


class ToDebezium(PgTest):
    def test_exported_file_is_the_recorded_one(self):
        """The very bytes from which the real Debezium went on."""
        state, file = self.folder / "state.json", self.folder / "again.dat"
        self.assert_status(run(["offsets", "import", "--name", "cdc", "--state", state, DATA / "exported.dat"]), 0)
        self.assert_status(run(["offsets", "export", "--name", "cdc", "--state", state, "--engine-name", "hand", file]), 0)
        self.assertEqual(file.read_bytes(), (DATA / "exported.dat").read_bytes())

    def test_members_that_debezium_reads(self):
        """After a stop in order the offset is that of a commit: Debezium asks for what comes behind it, and skips nothing."""
        self.sql(TABLE)
        self.assert_status(self.run_cdc("stream", "--until", "now"), 0)
        self.sql("INSERT INTO t VALUES (2, 0);")
        done = self.run_cdc("stream", "--until", "now")
        self.assert_status(done, 0)
        source = json.loads(done.out)["source"]
        file, other = self.folder / "offsets.dat", self.folder / "other.json"
        self.assert_status(run(["offsets", "export", "--name", "cdc", "--state", self.state, "--engine-name", "e", file]), 0)
        before = self.state.read_bytes()
        self.assert_status(run(["offsets", "export", "--name", "cdc", "--state", self.state, self.state]), 2)   # never over the state
        self.assertEqual(self.state.read_bytes(), before)
        self.assert_status(run(["offsets", "import", "--name", "cdc", "--state", other, file]), 0)
        offset = json.loads(run(["offsets", "show", "--name", "cdc", "--state", other, "--json"], json_log=False).out)["offset"]
        self.assertEqual(offset["messageType"], "COMMIT")
        self.assertEqual(offset["lsn_proc"], offset["lsn_commit"])
        self.assertGreater(offset["lsn_commit"], source["lsn"])
        self.assertEqual(offset["txId"], source["txId"])
