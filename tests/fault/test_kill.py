"""kill -9 at random moments: exactly once in files, nothing missing in pipes. CDC_FAULT_KILLS (25; the full run takes 200) moments each."""
import json
import os
import subprocess
import threading
import time

from harness import paths
from harness.consumer import lines_of
from harness.faults import PATIENT, FaultTest
from harness.workload import Writer

KILLS = int(os.environ.get("CDC_FAULT_KILLS", "25"))


class KilledStream(FaultTest):
    def kill_again_and_again(self, *output):
        with Writer(self.server, self.db):
            for _ in range(KILLS):
                cdc = self.stream(*PATIENT, *output, stdout=subprocess.DEVNULL)
                # half of the moments lie in the start, half in the stream
                if self.random.random() < 0.5:
                    cdc.wait_streaming()
                time.sleep(self.random.uniform(0, 0.25))
                self.assertTrue(cdc.running(), f"it ended by itself\n{cdc.stderr_tail()}")
                cdc.kill()
        self.drain(*output)

    def begin(self, *output):
        """The initial snapshot, in peace."""
        self.work(20)
        self.drain(*output)

    def test_into_a_file(self):
        output = ("--output", self.folder / "out" / "all.ndjson")
        self.begin(*output)
        self.kill_again_and_again(*output)
        self.reckon_files()

    def test_into_compressed_rotated_files(self):
        output = ("--output", self.folder / "out" / "all-{seq}.ndjson.zst", "--rotate-events", "500")
        self.begin(*output)
        self.kill_again_and_again(*output)
        self.reckon_files()

    def test_into_a_file_per_table_with_json_state(self):
        self.state = self.folder / "state.json"
        output = ("--output", self.folder / "out" / "{table}.ndjson")
        self.begin(*output)
        self.kill_again_and_again(*output)
        self.reckon_files()

    def test_large_transactions(self):
        """Kills inside transactions much larger than a batch (PG-T-07): by COPY-like multi-row inserts and by single ones."""
        output = ("--output", self.folder / "out" / "all.ndjson")
        self.begin(*output)
        for n in range(max(2, KILLS // 8)):
            base = 10_000_000 + n * 100_000
            self.sql(f"BEGIN; INSERT INTO journal SELECT {base} + i, repeat('y', 200) FROM generate_series(1, 20000) i;"
                     f"DO $$ BEGIN FOR i IN 20001..25000 LOOP INSERT INTO journal VALUES ({base} + i, 'single'); END LOOP; END $$; COMMIT;")
            for _ in range(4):
                cdc = self.stream(*PATIENT, *output, stdout=subprocess.DEVNULL)
                time.sleep(self.random.uniform(0.02, 0.3))
                cdc.kill()
        self.drain(*output)
        self.reckon_files()

    def test_into_a_pipe(self):
        """At least once: no event missing; what came twice does no harm to a consumer that applies in order."""
        self.work(20)
        lines = self.drain().out.splitlines()
        with Writer(self.server, self.db):
            for _ in range(KILLS):
                p = subprocess.Popen([paths.binary(), *map(str, self.args("stream", *PATIENT))], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
                data = []
                reader = threading.Thread(target=lambda p=p, data=data: data.append(p.stdout.read()))
                reader.start()
                time.sleep(self.random.uniform(0.05, 0.4))
                p.kill()
                reader.join()                        # with what was in the pipe when it died
                p.stdout.close()
                p.wait()
                lines += data[0].decode().split("\n")[:-1]
        lines += self.drain().out.split("\n")[:-1]
        self.reckon(lines, twice=True)


class KilledSnapshot(FaultTest):
    ROWS = 200_000

    def setUp(self):
        super().setUp()
        self.sql(f"CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT i, repeat(chr(97 + i % 26), 200) FROM generate_series(1, {self.ROWS}) i;"
                 "CREATE TABLE pair (a text, b int, v int, PRIMARY KEY (a, b)); INSERT INTO pair SELECT 'k' || i % 50, i, i FROM generate_series(1, 20000) i; ANALYZE;")

    def rounds(self, *more):
        """Snapshots killed at random moments and resumed, until enough kills have been made; each ends whole."""
        kills = n = 0
        while kills < KILLS:
            n += 1
            folder = self.folder / f"round{n}"
            command = ("snapshot", *PATIENT, "--output", folder / "{table}.ndjson", *more)
            state = self.folder / f"round{n}.db"
            for _ in range(12):
                cdc = self.start(*command, state=state, stdout=subprocess.DEVNULL)
                time.sleep(self.random.uniform(0.01, 0.25))
                if not cdc.running():
                    self.assertEqual(cdc.wait(), 0, cdc.stderr_tail())
                    break
                cdc.kill()
                kills += 1
            self.assert_status(self.run_cdc(*command, state=state, seconds=120), 0)
            ids = [json.loads(x)["after"]["id"] for x in lines_of(sorted(folder.glob("t.ndjson*")))]
            self.assertEqual((len(ids), len(set(ids))), (self.ROWS, self.ROWS), f"round {n} of table t")
            pairs = [(lambda r: (r["a"], r["b"]))(json.loads(x)["after"]) for x in lines_of(sorted(folder.glob("pair.ndjson*")))]
            self.assertEqual((len(pairs), len(set(pairs))), (20000, 20000), f"round {n} of table pair")
            for path in folder.iterdir():
                path.unlink()

    def test_resumed(self):
        self.rounds()

    def test_resumed_with_four_threads(self):
        self.rounds("--threads", "4")

    def test_initial_snapshot_of_a_stream(self):
        """Killed inside the initial snapshot of `cdc stream`: it is taken again; with changes meanwhile nothing is missing."""
        self.sql("DROP TABLE pair;")    # the replica wants a key called id
        output = ("--output", self.folder / "out" / "all.ndjson")
        with Writer(self.server, self.db):
            for _ in range(max(3, KILLS // 3)):
                cdc = self.stream(*PATIENT, *output, stdout=subprocess.DEVNULL)
                time.sleep(self.random.uniform(0.01, 0.4))
                cdc.kill()
        self.drain(*output, seconds=120)
        replica = self.reckon_files(twice=True)
        self.assert_replica(replica, "public.t")
