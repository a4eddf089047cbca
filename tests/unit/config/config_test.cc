// What a Config says after loading: types, precedence, origins, old names, families, defaults.
#include "support.h"

using namespace cdc;
using namespace cdc::test;

using Strings = std::vector<std::string>;

TEST_CASE("typed getters and defaults") {
  const Config config =
      *config_of({{"max.queue.size.in.bytes", "64M"},
                  {"max.time", "90"},
                  {"heartbeat.interval.ms", "0"},
                  {"status.update.interval.ms", "5s"},
                  {"table.include.list", " public\\.a , x{1\\,2} "},
                  {"database.initial.statements", "SET a=1; SELECT ';;'"},
                  {"slot.drop.on.stop", "TRUE"},
                  {"snapshot.mode", "No_Data"},
                  {"topic.naming.strategy", "io.debezium.schema.DefaultTopicNamingStrategy"}});
  CHECK(config.integer("max.queue.size.in.bytes") == 64 * 1024 * 1024);
  CHECK(config.milliseconds("max.time").count() == 90000);
  CHECK(config.milliseconds("status.update.interval.ms").count() == 5000);
  CHECK(config.list("table.include.list") == Strings{"public\\.a", "x{1,2}"});
  CHECK(config.list("database.initial.statements") == Strings{"SET a=1", "SELECT ';'"});
  CHECK(config.boolean("slot.drop.on.stop"));
  CHECK(config.text("snapshot.mode") == "no_data");
  CHECK(config.text("topic.naming.strategy") == "DefaultTopicNamingStrategy");
  CHECK(config.text("slot.name") == "debezium");
  CHECK_FALSE(config.is_set("slot.name"));
  CHECK(config.origin("slot.name") == "default");
  CHECK(config.is_set("max.time"));
  CHECK(config.integer("errors.max.retries") == -1);
  CHECK(config.integer("offset.flush.bytes") == 64LL << 20);
  CHECK(config.milliseconds("internal.create.slot.command.timeout").count() == 90000);
  CHECK(config.source() == "postgresql");
  CHECK_FALSE(config.debezium_form());
  CHECK(Config().integer("max.batch.size") == 2048);
}

TEST_CASE("later layers win: files in order, URL, -s, flags; origins tell") {
  const Folder folder;
  ConfigInput input;
  input.files = {
      folder.write("a.yaml", "topic.prefix: a\nslot.name: s1\ndatabase.user: u1\nmax.batch.size: 10\n"),
      folder.write("b.properties", "slot.name=s2\ndatabase.port=1\ntopic.prefix=b\n")};
  input.url = "postgres://u2@h:2/db";
  input.settings = {"topic.prefix=c", "max.batch.size=20"};
  input.flags = {{"topic.prefix", "d", "--name"}, {"name", "d", "--name"}};
  const ConfigReport report = read(input);
  CHECK(errors(report) == "");
  CHECK(report.config.text("slot.name") == "s2");
  CHECK(report.config.origin("slot.name") == input.files[1] + ":1");
  CHECK(report.config.text("database.user") == "u2");
  CHECK(report.config.origin("database.user") == "URL");
  CHECK(report.config.integer("database.port") == 2);
  CHECK(report.config.integer("max.batch.size") == 20);
  CHECK(report.config.origin("max.batch.size") == "command line");
  CHECK(report.config.text("topic.prefix") == "d");
  CHECK(report.config.origin("topic.prefix") == "--name");
  CHECK(report.config.capture_name() == "d");
}

TEST_CASE("flags: repeated lists add up, keyed ones fill the name, --schemas sets three") {
  ConfigInput input;
  input.url = "postgres://h/shop";
  input.flags = {{"table.include.list", "a", "--table"},
                 {"table.include.list", "b", "--table"},
                 {"snapshot.where.<table>", "public.a=x = 1", "--where"},
                 {"schemas", "true", "--schemas"}};
  input.settings = {"value.converter.schemas.enable=false"};
  const ConfigReport report = read(input);
  CHECK(errors(report) == "");
  CHECK(report.config.list("table.include.list") == Strings{"a", "b"});
  CHECK(report.config.entries_matching("snapshot.where.<table>")[0].parts == Strings{"public.a"});
  CHECK(report.config.text("snapshot.where.public.a") == "x = 1");
  CHECK(report.config.boolean("key.converter.schemas.enable"));
  CHECK(report.config.boolean("value.converter.schemas.enable"));
  CHECK_FALSE(Config().boolean("value.converter.schemas.enable"));
  input.flags = {{"schemas", "value", "--schemas"}, {"snapshot.where.<table>", "nonsense", "--where"}};
  const ConfigReport second = read(input);
  CHECK_FALSE(second.config.boolean("key.converter.schemas.enable"));
  CHECK(second.config.boolean("value.converter.schemas.enable"));
  CHECK(contains(errors(second), "--where: 'nonsense'"));
}

TEST_CASE("`schemas` yields to the three it stands for, wherever they stand in the file") {
  const Folder folder;
  ConfigInput input;
  input.files = {
      folder.write("a.yaml", "value.converter.schemas.enable: false\nschemas: true\ntopic.prefix: a\n")};
  const ConfigReport report = read(input);
  CHECK(report.config.boolean("key.converter.schemas.enable"));
  CHECK_FALSE(report.config.boolean("value.converter.schemas.enable"));
}

TEST_CASE("CORE-NAME-01 topic.prefix: as set, else name, else the database; required for Debezium's form") {
  ConfigInput input;
  input.url = "postgres://h/my%20shop";
  ConfigReport report = read(input);
  CHECK(errors(report) == "");
  CHECK(report.config.text("topic.prefix") == "my_shop");
  CHECK(report.config.origin("topic.prefix") == "default, from database.dbname");
  CHECK_FALSE(report.config.is_set("topic.prefix"));
  CHECK(report.config.capture_name() == "my_shop");
  input.settings = {"name=other"};
  report = read(input);
  CHECK(report.config.text("topic.prefix") == "other");
  input.settings = {"name=other", "connector.class=io.debezium.connector.postgresql.PostgresConnector"};
  report = read(input);
  CHECK(report.config.debezium_form());
  CHECK(contains(errors(report), "'topic.prefix'"));
  CHECK(contains(errors(read(ConfigInput{})), "'topic.prefix'"));
  CHECK(contains(errors(read_settings({"topic.prefix=my prefix"})), "only the underscore, hyphen, dot"));
}

TEST_CASE("old names work with a warning; the new name counts") {
  ConfigReport report =
      read_settings({"table.whitelist=public.a", "sanitize.field.names=true", "flush.lsn.source=false",
                     "internal.slot.seek.to.known.offset.on.start=true"});
  CHECK(errors(report) == "");
  CHECK(report.config.text("table.include.list") == "public.a");
  CHECK(report.config.text("field.name.adjustment.mode") == "avro");
  CHECK(report.config.text("lsn.flush.mode") == "manual");
  CHECK(report.config.text("offset.mismatch.strategy") == "trust_offset");
  CHECK(contains(all_lines(report), "The 'table.whitelist' property is called 'table.include.list' now"));
  report = read_settings({"lsn.flush.mode=connector", "flush.lsn.source=false"});
  CHECK(report.config.text("lsn.flush.mode") == "connector");
  CHECK(contains(all_lines(report), "both set"));
  CHECK(read_settings({"database.server.name=x"}).config.text("topic.prefix") == "cdc");
}

TEST_CASE("families come in order of appearance, with their parts") {
  ConfigReport report =
      read_settings({"snapshot.select.statement.overrides=public.b,public.a",
                     "snapshot.select.statement.overrides.public.b=SELECT 1",
                     "snapshot.select.statement.overrides.public.a=", "driver.connectTimeout=5"});
  CHECK(errors(report) == "");
  const auto entries = report.config.entries_matching("snapshot.select.statement.overrides.<table>");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].parts == Strings{"public.b"});
  CHECK(entries[0].value == "SELECT 1");
  CHECK(entries[1].value.empty());
  CHECK(report.config.entries_with_prefix("driver.")[0].name == "driver.connect_timeout");
  report = read_settings({"column.mask.with.4.chars=a", "column.mask.hash.MD5.with.salt.s.a.l.t=b",
                          "column.mask.hash.v2.SHA-1.with.salt.\xC3\xA9=c", "column.truncate.to.0.chars=d"});
  CHECK(report.config.entries_matching("column.mask.with.<N>.chars")[0].parts == Strings{"4"});
  CHECK(report.config.entries_matching("column.mask.hash.<ALG>.with.salt.<SALT>")[0].parts ==
        Strings{"MD5", "s.a.l.t"});
  CHECK(report.config.entries_matching("column.mask.hash.v2.<ALG>.with.salt.<SALT>")[0].parts ==
        Strings{"SHA-1", "é"});
  CHECK(report.config.entries_matching("column.truncate.to.<N>.chars")[0].parts == Strings{"0"});
}

TEST_CASE("YAML: a family without its list opens the list; a list of ; properties is joined by ;") {
  const Folder folder;
  ConfigInput input;
  input.files = {folder.write("a.yaml",
                              "topic.prefix: a\nsnapshot.select.statement.overrides:\n  public.x: SELECT 1\n"
                              "  public.y: SELECT 2\nmessage.key.columns: ['public.a:x,y', 'public.b:z']\n"
                              "table.include.list: ['a{1,2}', 'b\\,c']\n")};
  const ConfigReport report = read(input);
  CHECK(errors(report) == "");
  CHECK(report.config.list("snapshot.select.statement.overrides") == Strings{"public.x", "public.y"});
  CHECK(report.config.list("message.key.columns") == Strings{"public.a:x,y", "public.b:z"});
  CHECK(report.config.list("table.include.list") == Strings{"a{1,2}", "b,c"});
}

TEST_CASE("a connector's JSON loads unchanged, with one notice about NULL and schemas each") {
  const Folder folder;
  ConfigInput input;
  input.files = {folder.write("connector.json", R"({"name":"inventory","config":{
    "connector.class":"io.debezium.connector.postgresql.PostgresConnector","tasks.max":"1","topic.prefix":"shop",
    "database.hostname":"db","database.port":"5432","database.user":"u","database.password":"secret",
    "database.dbname":"inventory","plugin.name":"pgoutput","key.converter":"org.apache.kafka.connect.json.JsonConverter",
    "topic.creation.default.partitions":"1","errors.tolerance":"all","tabel.include.list":"x"}})")};
  const ConfigReport report = read(input);
  CHECK(errors(report) == "");
  CHECK(report.config.debezium_form());
  CHECK(report.config.capture_name() == "inventory");
  const std::string lines = all_lines(report);
  CHECK(contains(lines,
                 "Without Kafka these have no meaning and are ignored: topic.creation.default.partitions, "
                 "errors.tolerance"));
  CHECK(contains(lines, "value.converter.replace.null.with.default=true"));
  CHECK(contains(lines, "did you mean 'table.include.list'? (ignored, as Debezium does)"));
}

TEST_CASE("a bare connector configuration may have names that begin with config.") {
  const Folder folder;
  ConfigInput input;
  input.files = {folder.write("connector.json", R"({"connector.class":"postgresql","topic.prefix":"shop",
    "database.dbname":"d","config.action.reload":"none"})")};
  const ConfigReport report = read(input);
  CHECK(errors(report) == "");
  CHECK(report.config.text("topic.prefix") == "shop");
}

TEST_CASE("CORE-NOT-01: the sink channel without a topic is one error") {
  const ConfigReport report = read_settings({"notification.enabled.channels=sink"});
  CHECK(contains(errors(report), "notification.sink.topic.name"));
  CHECK(std::count_if(report.problems.begin(), report.problems.end(), [](const ConfigProblem& p) {
          return p.severity == ConfigProblem::Severity::error;
        }) == 1);
}

TEST_CASE("a time beyond all measure can still be added to a moment") {
  const ConfigReport report = read_settings({"max.time=9223372036854775s", "slot.retry.delay.ms=5"});
  CHECK(errors(report) == "");
  const auto now = std::chrono::steady_clock::now();
  CHECK(now + report.config.milliseconds("max.time") > now + std::chrono::hours(24 * 365 * 50));
  CHECK(report.config.milliseconds("slot.retry.delay.ms").count() == 5);
}

TEST_CASE("Debezium Server's application.properties loads unchanged") {
  const Folder folder;
  ConfigInput input;
  input.files = {
      folder.write("application.properties",
                   "debezium.sink.type=kinesis\n"
                   "debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
                   "debezium.source.offset.storage.file.filename=data/offsets.dat\n"
                   "debezium.source.offset.flush.interval.ms=0\n"
                   "debezium.source.database.dbname=d\ndebezium.source.topic.prefix=tutorial\n"
                   "debezium.source.plugin.name=pgoutput\n")};
  const ConfigReport report = read(input);
  CHECK(errors(report) == "");
  CHECK(report.config.text("topic.prefix") == "tutorial");
  CHECK(report.config.milliseconds("offset.flush.interval.ms").count() == 0);
  CHECK(report.config.origin("topic.prefix") == input.files[0] + ":6");
}

TEST_CASE("CloudEvents by value.converter") {
  const ConfigReport report = read_settings({"value.converter=io.debezium.converters.CloudEventsConverter",
                                             "value.converter.json.schemas.enable=false"});
  CHECK(errors(report) == "");
  CHECK(report.config.text("value.converter") == "cloudevents");
  CHECK_FALSE(report.config.boolean("value.converter.json.schemas.enable"));
}
