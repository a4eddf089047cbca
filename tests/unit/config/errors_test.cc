// Everything a user can get wrong: one line each, naming place, property, value and the way out.
#include <fstream>
#include <map>
#include <sstream>

#include "config/catalogue.h"
#include "config/loaders.h"
#include "config/values.h"
#include "support.h"

using namespace cdc;
using namespace cdc::test;

TEST_CASE("CORE-ERR-08 all errors come together, each with file and line") {
  const Folder folder;
  ConfigInput input;
  input.files = {folder.write("bad.yaml",
                              "topic.prefix: a b\n"
                              "slot.name: My-Slot\n"
                              "max.batch.size: many\n"
                              "decimal.handling.mode: exact\n"
                              "tabel.include.list: x\n"
                              "database:\n"
                              "  prot: 5432\n")};
  const std::string& file = input.files[0];
  const std::string lines = errors(read(input));
  CHECK(contains(lines, file + ":1: The 'topic.prefix' value is invalid: 'a b' has invalid format"));
  CHECK(
      contains(lines, file + ":2: The 'slot.name' value is invalid: 'My-Slot'. Valid replication slot name"));
  CHECK(contains(
      lines, file + ":3: The 'max.batch.size' value is invalid: 'many' is not a whole number of at least 1"));
  CHECK(contains(
      lines,
      file +
          ":4: The 'decimal.handling.mode' value is invalid: 'exact' is not one of precise, double, string"));
  CHECK(contains(lines,
                 file + ":5: There is no property 'tabel.include.list'; did you mean 'table.include.list'?"));
  CHECK(contains(lines, file + ":7: There is no property 'database.prot'; did you mean 'database.port'?"));
  const auto loaded = load_config(input);
  REQUIRE_FALSE(loaded.has_value());
  CHECK(loaded.error().kind == ErrorKind::usage);
  CHECK(loaded.error().message + "\n" == lines);
}

TEST_CASE("an unknown name is an error in cdc's own forms, a warning in files written for Debezium") {
  CHECK(contains(errors(read_settings({"tabel.include.list=x"})), "did you mean 'table.include.list'?"));
  CHECK(contains(errors(read_settings({"zzz=x"})), "There is no property 'zzz'\n"));
  const Folder folder;
  ConfigInput input;
  input.files = {folder.write("a.properties", "topic.prefix=a\ntabel.include.list=x\n")};
  CHECK(errors(read(input)) == "");
  CHECK(contains(all_lines(read(input)), ":2: There is no property 'tabel.include.list'"));
}

TEST_CASE("CORE-PP-01 post-processors: what is not reselect, has no type or has both lists") {
  const std::string reselect = "re.type=io.debezium.processors.reselect.ReselectColumnsPostProcessor";
  CHECK(errors(read_settings({"post.processors=re", reselect})) == "");
  CHECK(contains(errors(read_settings(
                     {"post.processors=re", "re.type=io.debezium.ai.embeddings.EmbeddingsPostProcessor"})),
                 "The 're.type' value is invalid: there is no "
                 "'io.debezium.ai.embeddings.EmbeddingsPostProcessor' here; known are "
                 "reselect"));
  CHECK(contains(errors(read_settings({"post.processors=re"})),
                 "The 'post.processors' value is invalid: 're' has no re.type"));
  CHECK(contains(errors(read_settings({"post.processors=re", reselect, "re.reselect.columns.include.list=a:b",
                                       "re.reselect.columns.exclude.list=a:c"})),
                 "The 're.reselect.columns.exclude.list' value is invalid: "
                 "\"re.reselect.columns.include.list\" is already "
                 "specified"));
}

TEST_CASE("CORE-FLT-04 both lists of a kind") {
  for (const std::string kind : {"table", "schema", "column", "message.prefix"}) {
    const std::string lines = errors(read_settings({kind + ".include.list=a", kind + ".exclude.list=b"}));
    CHECK(contains(lines, "The '" + kind + ".exclude.list' value is invalid: \"" + kind +
                              ".include.list\" is already specified"));
  }
  CHECK(errors(read_settings({"table.include.list=a", "table.exclude.list="})) == "");
}

TEST_CASE("single values that are wrong, renamed or refused") {
  const std::map<std::string, std::string> wrong = {
      {"table.include.list=public.(a", "no valid regular expression"},
      {"table.include.list=a\\", "single backslash"},
      {"plugin.name=wal2json", "pgoutput and decoderbufs"},
      {"snapshot.mode=never", "is called no_data now"},
      {"snapshot.mode=schema_only_recovery", "recovery"},
      {"snapshot.mode=exported", "initial"},
      {"snapshot.mode=sometimes", "is not one of always, initial"},
      {"snapshot.mode=custom", "'snapshot.mode.custom.name'"},
      {"skipped.operations=c,x", "'x' is not one of"},
      {"skipped.operations=none,c", "none stands alone"},
      {"topic.delimiter=/", "only the underscore"},
      {"topic.heartbeat.prefix=my heart", "only the underscore"},
      {"max.queue.size=10", "must be larger than max.batch.size (2048)"},
      {"poll.interval.ms=0", "at least 1"},
      {"heartbeat.interval.ms=-5", "at least 0"},
      {"database.port=70000", "from 1 to 65535"},
      {"message.key.columns=public.a=id", "expecting table-regex:column"},
      {"message.key.columns=public.a:id,id", "stands twice"},
      {"message.key.columns=public.(a:id", "no valid regular expression"},
      {"replica.identity.autoset.values=public.a=FULL", "invalid format"},
      {"column.mask.hash.NOPE-1.with.salt.x=a", "no hash algorithm 'NOPE-1'"},
      {"notification.enabled.channels=sink", "'notification.sink.topic.name'"},
      {"value.converter=io.confluent.connect.avro.AvroConverter", "set it to json"},
      {"connector.class=io.debezium.connector.mysql.MySqlConnector", "PostgreSQL only"},
      {"connector.class=com.example.Foo", "known are postgresql, mysql"},
      {"snapshot.query.mode=custom", "snapshot.select.statement.overrides"},
      {"transforms.x.type=io.debezium.transforms.NoSuchThing", "known are ExtractNewRecordState"},
      {"unavailable.value.placeholder=hex:0g", "hexadecimal"},
      {"topic.naming.strategy=SchemaRegexTopicNamingStrategy", "'topic.regex'"},
      {"driver.targetServerType=x", ""},
      {"slot.name=" + std::string(64, 'a'), "length <= 63"},
      {"database.connection.factory.class=x.Y", "database.password.command"},
      {"signal.enabled.channels=kafka", "file"},
      {"max.time=soon", "such as 30s"},
      {"rotate.size=1X", "such as 64M"},
      {"topic.key.field.regex=a", "topic.key.field.replacement must be set"},
  };
  for (const auto& row : wrong) {
    const std::string& setting = row.first;
    const std::string& expected = row.second;
    CAPTURE(setting);
    const std::string lines = errors(read_settings({setting}));
    if (expected.empty()) continue;
    CHECK(contains(lines, expected));
    CHECK(contains(lines, "command line: "));
  }
}

TEST_CASE("what is allowed stays allowed") {
  for (const std::string setting :
       {"column.truncate.to.0.chars=", "message.key.columns=public.a:nope",
        "snapshot.mode=when_needed_no_data",
        "replica.identity.autoset.values=public.a:FULL,public.(a|b):NOTHING,public.c:INDEX nope",
        "slot.stream.params=proto_version=9;nonsense", "skipped.operations=none", "slot.name=123",
        "decimal.handling.mode=precise", "source.struct.version=v2",
        "header.converter=org.apache.kafka.connect.storage.SimpleHeaderConverter"}) {
    CAPTURE(setting);
    CHECK(errors(read_settings({setting})) == "");
  }
  const ConfigReport custom =
      read_settings({"snapshot.mode=custom", "snapshot.mode.custom.name=when_needed_no_data"});
  CHECK(errors(custom) == "");
  CHECK(custom.config.text("snapshot.mode") == "when_needed_no_data");
}

TEST_CASE("what this version cannot is said once for a whole family, and only when it matters") {
  for (const config::Topic& topic : config::topics())
    for (const config::Property& property : topic.properties) {
      if (property.disposition != config::Disposition::not_yet || property.fallback.empty() ||
          property.name.find('<') != std::string_view::npos)
        continue;
      CAPTURE(property.name);
      CHECK(errors(read_settings({std::string(property.name) + "=" + std::string(property.fallback)})) == "");
    }
}

TEST_CASE("properties of other sources have no effect, with a warning") {
  const ConfigReport report =
      read_settings({"database.include.list=a", "schema.history.internal.kafka.topic=x"});
  CHECK(errors(report) == "");
  CHECK(contains(all_lines(report), "The 'database.include.list' property has no effect on PostgreSQL"));
  CHECK(contains(all_lines(report), "ignored: schema.history.internal.kafka.topic"));
}

TEST_CASE("a secret never stands in a message") {
  const Folder folder;
  ConfigInput input;
  input.settings = {"topic.prefix=a", "database.port=${env:PORT}", "database.password=${env:NONE}"};
  input.environment = [](const char* name) -> const char* {
    return std::string_view(name) == "PORT" ? "hunter2" : nullptr;
  };
  const std::string lines = errors(read(input));
  CHECK(contains(lines, "'database.port' value is invalid"));
  CHECK_FALSE(contains(lines, "hunter2"));
  CHECK(contains(lines, "'database.password' value cannot be resolved: the environment variable 'NONE'"));
}

TEST_CASE("a huge file of nonsense is refused in reasonable time") {
  const Folder folder;
  std::string text = "{\"topic.prefix\":\"a\"";
  for (int i = 0; i < 50000; ++i) text += ",\"tabel.include.list" + std::to_string(i) + "\":1";
  ConfigInput input;
  input.files = {folder.write("a.json", text + "}")};
  CHECK(read(input).problems.size() == 50000);
}

TEST_CASE("files that cannot be read, and settings without =") {
  ConfigInput input;
  input.files = {"/nowhere/x.yaml", "/"};
  input.settings = {"nonsense"};
  const std::string lines = errors(read(input));
  CHECK(contains(lines, "The file '/nowhere/x.yaml' cannot be read: No such file"));
  CHECK(contains(lines, "'/' is a directory"));
  CHECK(contains(lines, "-s 'nonsense'"));
}

TEST_CASE("a property that stands twice in a file is mentioned; the last counts") {
  const Folder folder;
  ConfigInput input;
  input.files = {folder.write("a.properties", "topic.prefix=a\nslot.name=x\nslot.name=y\n")};
  const ConfigReport report = read(input);
  CHECK(report.config.text("slot.name") == "y");
  CHECK(contains(all_lines(report), ":3: The 'slot.name' property is set twice"));
}

TEST_CASE("the catalogue itself: every default is valid, every alias and rule points at a row") {
  std::map<std::string_view, int> count;
  for (const config::Topic& topic : config::topics())
    for (const config::Property& property : topic.properties) {
      CAPTURE(property.name);
      CHECK(++count[property.name] == 1);
      CHECK_FALSE(property.doc.empty());
      CHECK(property.doc.back() != '.');
      if (!property.fallback.empty()) CHECK(config::canonical_value(property, property.fallback).has_value());
      const bool needs_remark = property.disposition == config::Disposition::refused ||
                                property.disposition == config::Disposition::no_effect ||
                                property.disposition == config::Disposition::adapted;
      if (needs_remark) CHECK_FALSE(property.remark.empty());
    }
  for (const config::Alias& alias : config::aliases()) {
    CAPTURE(alias.old_name);
    CHECK(config::find_property(alias.new_name).has_value());
    CHECK(config::find_row(alias.old_name) == nullptr);
  }
  for (const config::ValueRule& rule : config::value_rules()) {
    CAPTURE(rule.property);
    CHECK(config::find_row(rule.property) != nullptr);
  }
  for (const FlagRow& row : flag_rows()) {
    CAPTURE(row.flag);
    CHECK(config::find_row(row.property) != nullptr);
  }
}
