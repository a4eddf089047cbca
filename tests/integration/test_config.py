"""Configurations written for Debezium load unchanged; `cdc config` shows what is in force and hides secrets."""
import json

from harness.process import run
from harness.suite import PgTest


class Config(PgTest):
    def setUp(self):
        super().setUp()
        self.sql("CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE u (id int PRIMARY KEY); INSERT INTO t VALUES (1, 'a'); INSERT INTO u VALUES (1);")
        self.properties = {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector", "topic.prefix": "shop",
            "database.hostname": "127.0.0.1", "database.port": str(self.server.port), "database.user": "postgres",
            "database.password": "s3cret-word", "database.dbname": self.db, "plugin.name": "pgoutput", "slot.name": self.slot,
            "table.include.list": r"public\.t", "tasks.max": "1",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter", "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false", "value.converter.schemas.enable": "false",
        }

    def works(self, path):
        done = run(["stream", "-c", path, "--state", self.state, "--until", "now"])
        self.assert_status(done, 0)
        sources = [json.loads(x)["source"] for x in done.out.splitlines()]
        self.assertEqual([(s["name"], s["table"]) for s in sources], [("shop", "t")])

    def test_connector_json(self):
        path = self.folder / "connector.json"
        path.write_text(json.dumps({"name": "shop", "config": self.properties}, indent=2))
        self.works(path)

    def test_bare_json(self):
        path = self.folder / "bare.json"
        path.write_text(json.dumps(self.properties))
        self.works(path)

    def test_application_properties(self):
        """Debezium Server's file: debezium.source. before each."""
        path = self.folder / "application.properties"
        text = ["debezium.sink.type=http", "debezium.format.value=json", "quarkus.log.level=INFO"]
        text += [f"debezium.source.{k}={v}".replace("\\", "\\\\") for k, v in self.properties.items() if "converter" not in k]
        path.write_text("\n".join(text) + "\n")
        self.works(path)

    def test_yaml_nested_and_flat(self):
        path = self.folder / "shop.yaml"
        path.write_text(f"""
connector.class: postgresql
topic:
  prefix: shop
database:
  hostname: 127.0.0.1
  port: {self.server.port}
  user: postgres
  dbname: {self.db}
slot.name: {self.slot}
table.include.list: public\\.t
""")
        self.works(path)

    def test_references(self):
        """${env:NAME}, ${file:/path}, ${file:/path:key}."""
        (self.folder / "user").write_text("postgres\n")
        (self.folder / "secrets.properties").write_text(f"db={self.db}\n")
        path = self.folder / "r.properties"
        path.write_text(f"connector.class=postgresql\ntopic.prefix=shop\ndatabase.hostname=${{env:CDC_T_HOST}}\ndatabase.port={self.server.port}\n"
                        f"database.user=${{file:{self.folder}/user}}\ndatabase.dbname=${{file:{self.folder}/secrets.properties:db}}\nslot.name={self.slot}\n"
                        "table.include.list=public\\\\.t\n")
        done = run(["stream", "-c", path, "--state", self.state, "--until", "now"], env={"CDC_T_HOST": "127.0.0.1"})
        self.assert_status(done, 0)
        self.assertEqual(len(done.out.splitlines()), 1)

    def test_later_wins(self):
        first, second = self.folder / "1.json", self.folder / "2.properties"
        first.write_text(json.dumps(self.properties))
        second.write_text("table.include.list=public\\\\.u\n")
        done = run(["stream", "-c", first, "-c", second, "-s", "topic.prefix=last", "--state", self.state, "--until", "now"])
        self.assert_status(done, 0)
        self.assertEqual([(json.loads(x)["source"]["name"], json.loads(x)["source"]["table"]) for x in done.out.splitlines()], [("last", "u")])

    def test_shown_with_origin_and_without_secrets(self):
        path = self.folder / "connector.json"
        path.write_text(json.dumps({"name": "shop", "config": self.properties}, indent=2))
        done = run(["config", "-c", path, "-s", "slot.name=other"], json_log=False)
        self.assert_status(done, 0)
        self.assertIn("connector.json", done.out)
        self.assertIn("command line", done.out)
        self.assertIn("other", done.out)
        self.assertNotIn("s3cret-word", done.out + done.err)

    def test_differences(self):
        done = run(["config", "--differences"], json_log=False)
        self.assert_status(done, 0)
        self.assertGreater(len(done.out.splitlines()), 3)

    def test_version_and_help(self):
        version = run(["--version"], json_log=False)
        self.assert_status(version, 0)
        self.assertRegex(version.out, r"\d+\.\d+\.\d+")
        for args in (["--help"], ["stream", "--help"], ["snapshot", "--help"], ["config", "--help"], ["offsets", "--help"]):
            done = run(args, json_log=False)
            self.assert_status(done, 0)
            self.assertGreater(len(done.out.splitlines()), 5, args)
