"""publication.autocreate.mode x what is there already (PG-T-26): what is made, what is altered, what is refused."""
import json

from harness.suite import PgTest

SETUP = "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY);"
NONE, MATCHING, OTHER, ALL = "none", "FOR TABLE a", "FOR TABLE b", "FOR ALL TABLES"
# (mode, publication before, starts?, tables published afterwards)
MATRIX = [
    ("all_tables", NONE, True, "a,b"), ("all_tables", MATCHING, True, "a"), ("all_tables", ALL, True, "a,b"),
    ("filtered", NONE, True, "a"), ("filtered", MATCHING, True, "a"), ("filtered", OTHER, True, "a"), ("filtered", ALL, False, "a,b"),
    ("disabled", NONE, False, ""), ("disabled", MATCHING, True, "a"), ("disabled", ALL, True, "a,b"),
    ("no_tables", NONE, True, ""), ("no_tables", MATCHING, True, "a"),
]
PUBLISHED = "SELECT coalesce(string_agg(tablename, ',' ORDER BY tablename), '') FROM pg_publication_tables WHERE pubname = 'dbz_publication'"


class Publication(PgTest):
    def test_matrix(self):
        for n, (mode, before, starts, after) in enumerate(MATRIX):
            with self.subTest(f"{mode}, {before}"):
                self.server.create_database(self.db)
                self.sql(SETUP)
                if before != NONE:
                    self.sql(f"CREATE PUBLICATION dbz_publication {before};")
                done = self.run_cdc("stream", "--table", r"public\.a", "--until", "now", "-s", f"publication.autocreate.mode={mode}",
                                    state=self.folder / f"{n}.db")
                if starts:
                    self.assert_status(done, 0)
                else:
                    self.assertIn(done.status, (2, 3), done.err)
                    self.assertIn("dbz_publication", done.err)
                self.assertEqual(self.value(PUBLISHED), after)

    def test_skipped_operations(self):
        """PG-PUB-04: `publish` only when the user set skipped.operations; the default leaves truncate published."""
        truncates = self.server.major >= 11
        flags = f"SELECT pubinsert, pubupdate, pubdelete, {'pubtruncate' if truncates else 'NULL'} FROM pg_publication"
        for n, (value, wanted) in enumerate([(None, "t|t|t|t"), ("c", "f|t|t|t"), ("u,d", "t|f|f|t"), ("none", "t|t|t|t"), ("t", "t|t|t|f")]):
            with self.subTest(value):
                self.server.create_database(self.db)
                self.sql(SETUP)
                more = ["-s", f"skipped.operations={value}"] if value else []
                self.assert_status(self.run_cdc("stream", "--until", "now", *more, state=self.folder / f"{n}.db"), 0)
                self.assertEqual(self.value(flags), wanted if truncates else wanted[:-1])

    def test_unlogged_tables_are_left_out(self):
        """PG-PUB-07: one of them would fail the whole statement."""
        self.sql(SETUP + "CREATE UNLOGGED TABLE u (id int PRIMARY KEY);")
        done = self.run_cdc("stream", "--until", "now", "-s", "publication.autocreate.mode=filtered")
        self.assert_status(done, 0)
        self.assertEqual(self.value(PUBLISHED), "a,b")
        self.assertTrue([e for e in done.events if e["event"] == "warning" and "u" in e["message"]], done.err)

    def test_captured_but_not_published(self):
        """PG-PUB-11: a warning that lists the names; the rest is streamed."""
        self.sql(SETUP + "CREATE PUBLICATION dbz_publication FOR TABLE a;")
        done = self.run_cdc("stream", "--until", "now")
        self.assert_status(done, 0)
        self.assertTrue([e for e in done.events if e["event"] == "warning" and "public.b" in e["message"]], done.err)

    def test_names_that_need_quotes(self):
        """PG-PUB-10, PG-SLOT-01."""
        self.sql('CREATE TABLE "My.T" ("Id" int PRIMARY KEY);')
        cdc = self.stream("-s", 'publication.name=My "Pub"', "-s", f"slot.name={self.db[:40]}_1")
        cdc.wait_streaming()
        self.sql('INSERT INTO "My.T" VALUES (1);')
        cdc.wait_lines(1)
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual(json.loads(cdc.lines()[0])["source"]["table"], "My.T")
