"""What a major release of the server brings to capture, each on the first release that has it and all later ones. Runs on
every server of scripts/test-servers; what a server is too old for is left out and named."""
import json

from harness.suite import PgTest, since

ONE_TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text);"
PARTITIONED = """CREATE TABLE p (id int, region text, v text, PRIMARY KEY (id, region)) PARTITION BY LIST (region);
    CREATE TABLE p_north PARTITION OF p FOR VALUES IN ('n');
    CREATE TABLE p_south PARTITION OF p FOR VALUES IN ('s');"""
OWN_PUBLICATION = ("-s", "publication.name=mine", "-s", "publication.autocreate.mode=disabled")


class ServerVersions(PgTest):
    def streamed(self, setup, work, *settings):
        """Events of `work` on a stream that began after `setup`; the log of that run is in self.done."""
        self.sql(setup)
        settings = ("-s", "snapshot.mode=no_data", "--until", "now", *settings)
        self.assert_status(self.run_cdc("stream", *settings), 0)
        self.sql(work)
        self.done = self.run_cdc("stream", *settings)
        self.assert_status(self.done, 0)
        return [json.loads(line) for line in self.done.out.splitlines()]

    def told(self, *words):
        return any(all(w in e["message"] for w in words) for e in self.done.events if e["event"] == "warning")

    # --- 10 ---------------------------------------------------------------------------------------
    def test_10_changes(self):
        """pgoutput version 1: inserts, updates (also of the key) and deletes, as everywhere."""
        events = self.streamed(ONE_TABLE, "INSERT INTO t VALUES (1, 'a'), (2, 'b'); UPDATE t SET v = 'c' WHERE id = 1; UPDATE t SET id = 3 WHERE id = 2; DELETE FROM t;")
        self.assertEqual([(e["op"], (e["after"] or e["before"])["id"]) for e in events if e],
                         [("c", 1), ("c", 2), ("u", 1), ("d", 2), ("c", 3), ("d", 1), ("d", 3)])

    def test_10_truncate(self):
        """From 11 on a TRUNCATE is published; 10 cannot, which is told when truncates are asked for, and nothing is made up."""
        events = self.streamed(ONE_TABLE + "INSERT INTO t VALUES (1, 'a');", "TRUNCATE t; INSERT INTO t VALUES (2, 'b');", "-s", "skipped.operations=none")
        self.assertEqual([e["op"] for e in events], ["c"] if self.server.major < 11 else ["t", "c"])
        self.assertEqual(self.told("TRUNCATE", "PostgreSQL 11"), self.server.major < 11, self.done.err)

    def test_10_skipped_operations(self):
        """The publication is made with the operations that this server knows."""
        self.streamed(ONE_TABLE, "SELECT 1;", "-s", "skipped.operations=d")
        self.assertEqual(self.value("SELECT pubinsert, pubupdate, pubdelete FROM pg_publication"), "t|t|f")

    # --- 13 ---------------------------------------------------------------------------------------
    PARTITION_WORK = "INSERT INTO p VALUES (1, 'n', 'a'), (2, 's', 'b'); UPDATE p SET v = 'c' WHERE id = 1; UPDATE p SET region = 's' WHERE id = 1; DELETE FROM p WHERE id = 2;"

    @since(13)
    def test_13_partition_root(self):
        """publish.via.partition.root: everything under the name of the root; a row that moves to another partition is deleted and inserted."""
        events = self.streamed(PARTITIONED, self.PARTITION_WORK, "-s", "publish.via.partition.root=true", "--table", r"public\.p")
        self.assertEqual({e["source"]["table"] for e in events if e}, {"p"})
        self.assertEqual([(e["op"], (e["after"] or e["before"])["id"]) for e in events if e], [("c", 1), ("c", 2), ("u", 1), ("d", 1), ("c", 1), ("d", 2)])
        self.assertEqual(self.value("SELECT pubviaroot FROM pg_publication"), "t")

    @since(13)
    def test_13_partition_root_columns_in_another_order(self):
        """PG-TRAP-DEC-05: a partition made elsewhere and attached has its columns in an order of its own."""
        other = """CREATE TABLE p (id int PRIMARY KEY, a text, b int) PARTITION BY RANGE (id);
            CREATE TABLE p_other (gone int, b int, id int NOT NULL, a text); ALTER TABLE p_other DROP gone;
            ALTER TABLE p ATTACH PARTITION p_other FOR VALUES FROM (0) TO (100); ALTER TABLE p_other REPLICA IDENTITY FULL;"""
        events = self.streamed(other, "INSERT INTO p VALUES (1, 'x', 7); UPDATE p SET b = 8;", "-s", "publish.via.partition.root=true", "--table", r"public\.p")
        self.assertEqual([(e["source"]["table"], e["before"], e["after"]) for e in events],
                         [("p", None, {"id": 1, "a": "x", "b": 7}), ("p", {"id": 1, "a": "x", "b": 7}, {"id": 1, "a": "x", "b": 8})])

    @since(11)
    def test_11_partitions(self):
        """Without it: under the names of the partitions."""
        events = self.streamed(PARTITIONED, self.PARTITION_WORK)
        self.assertEqual([(e["op"], e["source"]["table"]) for e in events if e],
                         [("c", "p_north"), ("c", "p_south"), ("u", "p_north"), ("d", "p_north"), ("c", "p_south"), ("d", "p_south")])

    # --- 14 ---------------------------------------------------------------------------------------
    MESSAGES = """BEGIN; INSERT INTO t VALUES (1, 'a'); SELECT pg_logical_emit_message(true, 'in', 'one'); COMMIT;
        SELECT pg_logical_emit_message(false, 'out', 'two'); BEGIN; SELECT pg_logical_emit_message(true, 'in', 'gone'); ROLLBACK;
        INSERT INTO t VALUES (2, 'b');"""

    def test_14_logical_messages(self):
        """Through pgoutput from 14 on; earlier servers send none, and the stream goes on."""
        events = self.streamed(ONE_TABLE, self.MESSAGES)
        got = [(e["op"], e["message"]["prefix"]) if e["op"] == "m" else (e["op"], e["after"]["id"]) for e in events]
        self.assertEqual(got, [("c", 1), ("m", "in"), ("m", "out"), ("c", 2)] if self.server.major >= 14 else [("c", 1), ("c", 2)])

    @since(14)
    def test_14_binary_option(self):
        """slot.stream.params: values are text always (PG-STR-01). What would bring them in another form is refused by name, not misread."""
        self.option_refused("binary=true", "binary")

    @since(14)
    def test_14_streaming_option(self):
        """Parts of transactions that may yet be rolled back are not events."""
        self.option_refused("streaming=on", "streaming")

    def option_refused(self, option, word):
        self.sql(ONE_TABLE)
        done = self.run_cdc("stream", "--until", "now", "-s", f"slot.stream.params={option}")
        self.assert_status(done, 2)
        self.assertIn(word, done.err)
        self.assertIn("slot.stream.params", done.err)
        self.assertEqual(done.out, "")

    @since(14)
    def test_14_large_transactions(self):
        """A transaction that a streaming client would get in parts comes whole, and one that is rolled back never."""
        many = "SELECT i, repeat('x', 200) FROM generate_series({}) i;"
        events = self.streamed(ONE_TABLE + "ALTER SYSTEM SET logical_decoding_work_mem = '64kB'; SELECT pg_reload_conf();",
                               f"BEGIN; INSERT INTO t {many.format('1, 3000')} ROLLBACK; BEGIN; INSERT INTO t {many.format('4001, 7000')} COMMIT;")
        self.assertEqual([e["after"]["id"] for e in events], list(range(4001, 7001)))

    # --- 15 ---------------------------------------------------------------------------------------
    @since(15)
    def test_15_row_filter(self):
        """PG-T-44: a publication with WHERE: only what it lets through, a row that comes into the filter or leaves it is an insert or a
        delete, and it is told that the publication holds rows back."""
        events = self.streamed("CREATE TABLE t (id int PRIMARY KEY, n int); ALTER TABLE t REPLICA IDENTITY FULL; CREATE PUBLICATION mine FOR TABLE t WHERE (n > 10);",
                               "INSERT INTO t VALUES (1, 5), (2, 20); UPDATE t SET n = 30 WHERE id = 1; UPDATE t SET n = 1 WHERE id = 2;", *OWN_PUBLICATION)
        self.assertEqual([(e["op"], (e["after"] or e["before"])["id"]) for e in events if e], [("c", 2), ("c", 1), ("d", 2)])
        self.assertTrue(self.told("public.t", "row filter"), self.done.err)

    @since(15)
    def test_15_column_list(self):
        """PG-STR-08: columns outside the list are not in the events, and it is told."""
        events = self.streamed("CREATE TABLE t (id int PRIMARY KEY, v text, secret text); CREATE PUBLICATION mine FOR TABLE t (id, v);",
                               "INSERT INTO t VALUES (1, 'a', 's'); UPDATE t SET secret = 'x', v = 'b';", *OWN_PUBLICATION)
        self.assertEqual([e["after"] for e in events], [{"id": 1, "v": "a"}, {"id": 1, "v": "b"}])
        self.assertTrue(self.told("public.t", "column"), self.done.err)

    @since(15)
    def test_15_tables_of_a_schema(self):
        """FOR TABLES IN SCHEMA: also a table that is made later."""
        self.sql("CREATE SCHEMA s; CREATE PUBLICATION mine FOR TABLES IN SCHEMA s;")
        events = self.streamed(ONE_TABLE, "CREATE TABLE s.late (id int PRIMARY KEY); INSERT INTO s.late VALUES (1); INSERT INTO t VALUES (1, 'a');", *OWN_PUBLICATION)
        self.assertEqual([e["source"]["table"] for e in events], ["late"])

    # --- 16 ---------------------------------------------------------------------------------------
    @since(16)
    def test_16_origin_none(self):
        """PG-T-17: slot.stream.params=origin=none leaves out what came from another node."""
        events = self.streamed(ONE_TABLE + "SELECT pg_replication_origin_create(current_database());",
                               "SELECT pg_replication_origin_session_setup(current_database()); INSERT INTO t VALUES (1, 'far'); "
                               "SELECT pg_replication_origin_session_reset(); INSERT INTO t VALUES (2, 'here');", "-s", "slot.stream.params=origin=none")
        self.assertEqual([e["after"]["id"] for e in events], [2])

    # --- 18 ---------------------------------------------------------------------------------------
    @since(12)
    def test_12_generated_columns(self):
        """PG-SNAP-15: in the snapshot; not in what pgoutput streams, unless (18) the publication says so."""
        self.sql("CREATE TABLE t (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED); INSERT INTO t VALUES (1);")
        read = self.run_cdc("stream", "--until", "now")
        self.assert_status(read, 0)
        self.sql("INSERT INTO t VALUES (2);")
        done = self.run_cdc("stream", "--until", "now")
        self.assertEqual([json.loads(x)["after"] for x in (read.out + done.out).splitlines()], [{"id": 1, "twice": 2}, {"id": 2}])

    @since(18)
    def test_18_generated_columns_published(self):
        """publish_generated_columns = stored: streamed; virtual ones never are. An incremental snapshot brings the same columns."""
        events = self.streamed("""CREATE TABLE t (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED, thrice int GENERATED ALWAYS AS (id * 3) VIRTUAL);
            CREATE TABLE sig (id text PRIMARY KEY, type text, data text); INSERT INTO t VALUES (1);
            CREATE PUBLICATION mine FOR ALL TABLES WITH (publish_generated_columns = stored);""",
                               """INSERT INTO t VALUES (2); UPDATE t SET id = 3 WHERE id = 2; DELETE FROM t WHERE id = 3;""", *OWN_PUBLICATION)
        self.assertEqual([(e["op"], e["before"], e["after"]) for e in events if e],
                         [("c", None, {"id": 2, "twice": 4}), ("d", {"id": 2, "twice": None}, None), ("c", None, {"id": 3, "twice": 6}), ("d", {"id": 3, "twice": None}, None)])
        cdc = self.stream(*OWN_PUBLICATION, "-s", "signal.data.collection=public.sig")
        cdc.wait_streaming()
        self.sql("""INSERT INTO sig VALUES ('s', 'execute-snapshot', '{"data-collections": ["public.t"]}');""")
        cdc.wait_for_event("incremental_snapshot_completed")
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual([e["after"] for e in cdc.records() if e["op"] == "r"], [{"id": 1, "twice": 2}])

    @since(18)
    def test_18_generated_columns_in_a_column_list(self):
        """A column list that names them publishes them too."""
        events = self.streamed("CREATE TABLE t (id int PRIMARY KEY, v text, twice int GENERATED ALWAYS AS (id * 2) STORED); CREATE PUBLICATION mine FOR TABLE t (id, twice);",
                               "INSERT INTO t VALUES (1, 'a');", *OWN_PUBLICATION)
        self.assertEqual([e["after"] for e in events], [{"id": 1, "twice": 2}])
