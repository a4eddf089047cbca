"""User reports (doc/user-reports.md) on values, keys and table shapes. Most of them are golden cases; here is what no golden case has."""
import json

from harness.reports import BY_TABLE, QUICK, SIGNALS, TABLE, ReportTest
from harness.suite import since

PLACEHOLDER = "__debezium_unavailable_value"
NO_DATA = ("-s", "snapshot.mode=no_data")


class Values(ReportTest):
    def incremental(self, table, *more, rows, key="id", extra=""):
        """The rows that an incremental snapshot of the table reads, in order."""
        cdc = self.live(*NO_DATA, *BY_TABLE, *more, state=self.folder / "inc.db", out=self.folder / "inc.out")
        self.sql(f"""INSERT INTO sig VALUES ('s', 'execute-snapshot', '{{"data-collections": ["public.{table}"]{extra}}}');""")
        cdc.wait_for_event("incremental_snapshot_completed")
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        got = [e["after"] for e in cdc.records() if e["op"] == "r"]
        self.assertEqual(len(got), rows, cdc.stderr_tail())
        return got

    def test_pg_26_unchanged_toast(self):
        """Eight kinds of large column, another one updated: each has the placeholder of its own kind, no field is missing; under REPLICA
        IDENTITY FULL each has its value."""
        columns = {"t": ("text", "repeat('x', 10000)"), "b": ("bytea", "decode(repeat('0f', 10000), 'hex')"),
                   "ta": ("text[]", "array_agg('e' || g)"), "ia": ("int[]", "array_agg(g)"), "ba": ("bigint[]", "array_agg(g::bigint)"),
                   "ua": ("uuid[]", "array_agg(md5(g::text)::uuid)"), "j": ("jsonb", "to_jsonb(array_agg(g))"), "da": ("date[]", "array_agg('2024-01-01'::date + g)"),
                   "h": ("hstore", "hstore('k', repeat('y', 10000))")}
        self.sql("CREATE EXTENSION IF NOT EXISTS hstore; CREATE TABLE t (id int PRIMARY KEY, n int, " + ", ".join(f"{c} {t}" for c, (t, _) in columns.items()) + ");"
                 + "".join(f"ALTER TABLE t ALTER {c} SET STORAGE EXTERNAL;" for c in columns)
                 + "INSERT INTO t SELECT 1, 1, " + ", ".join(v for _, v in columns.values()) + " FROM generate_series(1, 3000) g;")
        read = self.drain()[0]["after"]
        self.sql("UPDATE t SET n = 2; ALTER TABLE t REPLICA IDENTITY FULL; UPDATE t SET n = 3;")
        toasted, full = (e["after"] for e in self.drain())
        self.assertEqual(list(toasted), ["id", "n", *columns], "no field is dropped")
        # as the golden cases toast-* and types-toast-* show them, one by one
        self.assertEqual({c: toasted[c] for c in ("t", "ta", "j")}, {"t": PLACEHOLDER, "ta": [PLACEHOLDER], "j": PLACEHOLDER})
        self.assertTrue(all(toasted[c] is not None and len(json.dumps(toasted[c])) < 400 for c in columns), toasted)
        self.assertEqual(full, {**read, "n": 3})

    def test_pg_30_nan_in_a_key(self):
        """numeric NaN (and infinities) sort above all: chunks, parallel parts and resumed parts have every row once."""
        special = ["'NaN'"] + (["'Infinity'", "'-Infinity'"] if self.server.major >= 14 else [])
        self.sql(SIGNALS + "CREATE TABLE q (k numeric PRIMARY KEY, v numeric(10,2)); INSERT INTO q VALUES " + ", ".join(f"({k}, 'NaN')" for k in special)
                 + "; INSERT INTO q SELECT g, g + 0.5 FROM generate_series(1, 7) g;")
        rows = 7 + len(special)
        for size in (1, 2, 4):
            with self.subTest(size):
                self.sql("DELETE FROM sig;")
                (self.folder / "inc.out").unlink(missing_ok=True)
                got = self.incremental("q", "-s", "decimal.handling.mode=string", "-s", f"incremental.snapshot.chunk.size={size}", rows=rows)
                keys = [r["k"] for r in got]
                self.assertEqual(len(set(keys)), rows)
                self.assertEqual(keys[-1], "NAN")
        done = self.run_cdc("snapshot", "--table", r"public\.q", "--threads", "4", "-s", "decimal.handling.mode=string")
        self.assert_status(done, 0)
        self.assertEqual(len({e["after"]["k"] for e in self.events(done.out)}), rows)

    def test_pg_32_same_type_name_in_two_schemas(self):
        """By oid only: an enum, a domain of the same name elsewhere, a name with a dot; a label added while streaming is in `allowed` at once."""
        self.sql("""CREATE SCHEMA s1; CREATE SCHEMA s2; CREATE TYPE s1.kind AS ENUM ('a'); CREATE DOMAIN s2.kind AS int; CREATE TYPE "x.y" AS ENUM ('n', 'o');
                 CREATE TABLE t (id int PRIMARY KEY, e s1.kind, d s2.kind, q "x.y", es s1.kind[]); INSERT INTO t VALUES (1, 'a', 5, 'n', '{a}');""")
        field = lambda e, name: next(f for b in e["schema"]["fields"] if b["field"] == "after" for f in b["fields"] if f["field"] == name)    # noqa: E731
        cdc = self.live("--schemas")
        self.sql("ALTER TYPE s1.kind ADD VALUE 'b';")
        self.sql("INSERT INTO t VALUES (2, 'b', 6, 'o', '{a,b}');")
        cdc.wait_lines(2)
        self.assertEqual(cdc.stop(), 0)
        first, second = cdc.records()
        self.assertEqual([e["payload"]["after"] for e in (first, second)], [{"id": 1, "e": "a", "d": 5, "q": "n", "es": ["a"]}, {"id": 2, "e": "b", "d": 6, "q": "o", "es": ["a", "b"]}])
        self.assertEqual([field(first, "e")["parameters"]["allowed"], field(second, "e")["parameters"]["allowed"]], ["a", "a,b"])
        self.assertEqual(field(second, "es")["items"]["parameters"]["allowed"], "a,b")
        self.assertEqual((field(first, "d")["type"], field(first, "q")["parameters"]["allowed"]), ("int32", "n,o"))

    @since(12)
    def test_pg_33_generated_columns(self):
        """Debezium 3.6 has stored generated columns in the snapshot and not in the stream (golden snapshot-generated-columns), and so have we;
        a row that is read incrementally is like a streamed one, so that the schema does not go back and forth."""
        self.sql(SIGNALS + "CREATE TABLE g (id int PRIMARY KEY, d text GENERATED ALWAYS AS ('k') STORED, n int); INSERT INTO g (id, n) VALUES (1, 1);")
        cdc = self.live("--schemas", "--table", r"public\.g", *BY_TABLE)
        self.sql("INSERT INTO g (id, n) VALUES (2, 2);")
        self.sql("""INSERT INTO sig VALUES ('s', 'execute-snapshot', '{"data-collections": ["public.g"]}');""")
        cdc.wait_for_event("incremental_snapshot_completed")
        self.sql("INSERT INTO g (id, n) VALUES (3, 3);")
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        mine = [e for e in cdc.records() if e["payload"].get("source", {}).get("table") == "g"]
        self.assertEqual([e["payload"]["op"] for e in mine], ["r", "c", "r", "r", "c"])
        self.assertEqual([tuple(e["payload"]["after"]) for e in mine], [("id", "d", "n"), *[("id", "n")] * 4])
        self.assertEqual(len({json.dumps(e["schema"]) for e in mine[1:]}), 1)

    def test_pg_42_tables_without_columns_or_key(self):
        """Neither hinders the snapshot; an incremental snapshot without a key is refused with the way out, and goes with it."""
        self.sql(SIGNALS + "CREATE TABLE t1 (); INSERT INTO t1 DEFAULT VALUES; CREATE TABLE t2 (a int, b int); INSERT INTO t2 SELECT i, i FROM generate_series(1, 5) i;")
        self.assertEqual(len(self.drain("--table", r"public\.t.")), 6)
        cdc = self.live(*NO_DATA, *BY_TABLE, state=self.folder / "a.db")
        self.sql("""INSERT INTO sig VALUES ('s', 'execute-snapshot', '{"data-collections": ["public.t2"]}'); INSERT INTO t2 VALUES (6, 6);""")
        cdc.wait_lines(1)
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual([e["op"] for e in cdc.records() if e["source"]["table"] == "t2"], ["c"])
        self.assertTrue(self.warned("public.t2", "surrogate-key", events=cdc.events), cdc.stderr_tail())
        self.sql("DELETE FROM sig;")
        got = self.incremental("t2", "-s", "incremental.snapshot.chunk.size=2", rows=6, extra=', "surrogate-key": "a"')
        self.assertEqual(sorted(r["a"] for r in got), [1, 2, 3, 4, 5, 6])

    def test_pg_43_conversion_failures(self):
        """A timestamp outside time.precision.mode=nanoseconds: `fail` ends the run and names table, column, key and position, streamed or
        read; `warn` and `skip` write null and go on."""
        self.sql("CREATE TABLE f (id int PRIMARY KEY, at timestamp);")
        nano = ("-s", "time.precision.mode=nanoseconds")
        mode = lambda name: (*nano, "-s", f"event.converting.failure.handling.mode={name}")    # noqa: E731
        self.drain(*nano)
        self.sql("INSERT INTO f VALUES (1, '2024-01-01'), (77, '9999-12-31'), (3, '2024-01-03');")
        self.assertEqual(self.ids(self.drain(*mode("fail"), status=6)), [1])
        failed = next(e for e in self.done.events if e["event"] == "failed")["message"]
        for word in ("public.f.at", "9999-12-31", "id=77", "0/"):
            self.assertIn(word, failed)
        after = {}
        for name in ("warn", "skip"):
            events = self.drain(*mode(name), "--max-events", "1")
            after[name] = events[0]["after"]
            self.assertEqual(bool(self.warned("public.f.at")), name == "warn", self.done.err)
            if name == "warn":
                self.assertEqual(self.ids(self.drain(*mode(name))), [3])
                self.sql("INSERT INTO f VALUES (78, '1600-01-01');")
        self.assertEqual(after, {"warn": {"id": 77, "at": None}, "skip": {"id": 78, "at": None}})
        done = self.run_cdc("snapshot", *mode("fail"))
        self.assert_status(done, 6)
        for word in ("public.f.at", "id=77"):
            self.assertIn(word, next(e for e in done.events if e["event"] == "failed")["message"])

    def test_pg_35_defaults(self):
        """Only constants are defaults in the schema; casts go, doubled quotes are one quote, and NULL is no text."""
        self.sql("""CREATE SCHEMA s1; CREATE TYPE s1.kind AS ENUM ('a', 'b'); CREATE TABLE t (id serial PRIMARY KEY, n varchar DEFAULT NULL::varchar, x text DEFAULT 'NULL',
                 q text DEFAULT 'can''t', b bit(3) DEFAULT B'101', i int[] DEFAULT '{1,2}'::int[], w timestamp DEFAULT now(), e s1.kind DEFAULT 'a'::s1.kind); INSERT INTO t (id) VALUES (1);""")
        event = self.drain("--schemas")[0]
        fields = {f["field"]: f.get("default", "none") for b in event["schema"]["fields"] if b["field"] == "after" for f in b["fields"]}
        self.assertEqual({c: fields[c] for c in ("n", "x", "q", "e")}, {"n": "none", "x": "NULL", "q": "can't", "e": "a"})
        self.assertEqual(event["payload"]["after"]["q"], "can't")

    def test_pg_36_pg_41_one_name_for_a_type(self):
        """serial and a type outside the search path: Debezium 3.6 spells some names in two ways, and so do we (parity, as recorded); the
        values and everything but that parameter are equal in both phases."""
        self.sql("CREATE SCHEMA lib; CREATE DOMAIN lib.amount AS int; CREATE TABLE s (id serial PRIMARY KEY, b bigserial, n int, p lib.amount); INSERT INTO s (n, p) VALUES (1, 7);")
        cdc = self.live("--schemas", "-s", "column.propagate.source.type=.*")
        self.sql("INSERT INTO s (n, p) VALUES (2, 8);")
        cdc.wait_lines(2)
        self.assertEqual(cdc.stop(), 0)
        fields = [[f for b in e["schema"]["fields"] if b["field"] == "after" for f in b["fields"]] for e in cdc.records()]
        names = [{f["field"]: f["parameters"].pop("__debezium.source.column.type") for f in phase} for phase in fields]
        self.assertEqual(fields[0], fields[1])
        self.assertEqual([names[0]["n"], names[1]["n"]], ["INT4", "INT4"])
        self.assertTrue(all(n["id"] in ("SERIAL", "INT4") and n["b"] in ("BIGSERIAL", "INT8") for n in names), names)


class Incremental(ReportTest):
    """PG-45: the small things of incremental snapshots."""

    def order(self, data, identity="s"):
        self.sql(f"INSERT INTO sig VALUES ('{identity}', 'execute-snapshot', $${data}$$);")

    def test_pg_45_enum_key_restarted_after_each_chunk(self):
        self.sql(SIGNALS + "CREATE TYPE size AS ENUM ('xs', 's', 'm', 'l', 'xl'); CREATE TABLE t (id size PRIMARY KEY, v int);"
                 "INSERT INTO t VALUES ('m', 3), ('xl', 5), ('xs', 1), ('l', 4), ('s', 2);")
        self.restarted("public.t", lambda row: row["v"], [1, 2, 3, 4, 5])

    def test_pg_45_four_columns_in_the_key(self):
        """Mixed types and directions; message.key.columns in an order of its own."""
        self.sql(SIGNALS + "CREATE TABLE t (a text, b int, c date, d numeric, v int, PRIMARY KEY (c, a, d, b));"
                 "INSERT INTO t SELECT 'k' || g % 2, g % 3, '2024-01-01'::date + g % 2, g / 2.0, g FROM generate_series(1, 11) g;")
        self.restarted("public.t", lambda row: row["v"], list(range(1, 12)))

    def restarted(self, table, value, wanted):
        """An incremental snapshot by chunks of two, each run ended after four events (the two rows of a chunk and the two marks of its window): every row once."""
        settings = (*NO_DATA, *BY_TABLE, "-s", "incremental.snapshot.chunk.size=2", "--table", table.replace(".", r"\."))
        self.drain(*settings)
        self.order(f'{{"data-collections": ["{table}"]}}')
        got = []
        for _ in range(2 * len(wanted)):
            done = self.run_cdc("stream", *QUICK, *settings, "--max-events", "4", "--idle-exit", "700ms")
            self.assert_status(done, 0)
            got += [value(e["after"]) for e in self.events(done.out) if e["op"] == "r"]
            if len(got) >= len(wanted):
                break
        self.assertEqual(sorted(got), wanted, done.err)

    def test_pg_45_malformed_signal_is_told_once(self):
        """By table and by file: one line each, however often the file is looked at; the stream goes on and the next good one works."""
        self.sql(SIGNALS + TABLE + "INSERT INTO t VALUES (1, 'a');")
        file = self.folder / "signals"
        file.write_text('{"id": "f", "type": "execute-snapshot", "data": {"data-collections": [["public.t"]]}}\n')
        cdc = self.live(*NO_DATA, *BY_TABLE, "-s", "signal.enabled.channels=source,file", "-s", f"signal.file={file}", "-s", "signal.poll.interval.ms=20")
        self.order('{"data-collections": [["public.t"]]}', "bad")
        self.sql("INSERT INTO t VALUES (2, 'b');")
        cdc.wait_lines(2)
        self.order('{"data-collections": ["public.t"]}', "good")
        cdc.wait_for_event("incremental_snapshot_completed")
        self.assertEqual(cdc.stop(), 0)
        told = self.warned("data-collections", events=cdc.events)
        self.assertEqual(len(told), 2, told)
        self.assertEqual(sum(e["op"] == "r" for e in cdc.records() if e["source"]["table"] == "t"), 2)

    def test_pg_45_pattern_that_matches_nothing(self):
        self.sql(SIGNALS + TABLE + "INSERT INTO t VALUES (1, 'a');")
        cdc = self.live(*NO_DATA, *BY_TABLE)
        self.order('{"data-collections": ["public.nothing_.*"]}')
        self.sql("INSERT INTO t VALUES (2, 'b');")
        self.order('{"data-collections": ["public.t"]}', "good")
        cdc.wait_for_event("incremental_snapshot_completed")
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.assertTrue(self.warned("nothing_", events=cdc.events), cdc.stderr_tail())
        self.assertEqual([e["op"] for e in cdc.records() if e["source"]["table"] == "t"], ["c", "r", "r"])

    def test_pg_45_empty_tables(self):
        """An empty table, and none at all to read: it comes to its end."""
        self.sql(SIGNALS + TABLE)
        cdc = self.live(*NO_DATA, *BY_TABLE, "-s", "notification.enabled.channels=log")
        self.order('{"data-collections": ["public.t"]}')
        cdc.wait_for_event("incremental_snapshot_completed")
        self.assertEqual(cdc.stop(), 0)

    def test_pg_45_connection_closed_by_the_server(self):
        """The session that reads the chunks is ended in the middle: the snapshot goes on with another, nothing is missing."""
        self.sql(SIGNALS + TABLE + "INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1, 6000) i;")
        cdc = self.live(*NO_DATA, *BY_TABLE, "-s", "incremental.snapshot.chunk.size=50")
        self.order('{"data-collections": ["public.t"]}')
        cdc.wait_lines(500)
        ended = self.server.value(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{self.db}' AND backend_type = 'client backend' AND pid <> pg_backend_pid()")
        self.assertNotEqual(ended, "0")
        cdc.wait_for_event("incremental_snapshot_completed", seconds=60)
        self.wait_confirmed()
        self.assertEqual(cdc.stop(), 0)
        self.assertEqual({e["after"]["id"] for e in cdc.records() if e["op"] == "r"}, set(range(1, 6001)))
