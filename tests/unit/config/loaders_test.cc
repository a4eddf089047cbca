// The three file forms and URLs: odd syntax, lines, errors.
#include "config/loaders.h"
#include "support.h"

using namespace cdc;
using namespace cdc::config;
using namespace cdc::test;

namespace {

std::string value_of(const Loaded& loaded, std::string_view name) {
  for (const RawEntry& entry : loaded.entries)
    if (entry.name == name) return entry.value;
  return "(none)";
}

std::string origin_of(const Loaded& loaded, std::string_view name) {
  for (const RawEntry& entry : loaded.entries)
    if (entry.name == name) return entry.origin;
  return "(none)";
}

std::string first_problem(const Loaded& loaded) {
  return loaded.problems.empty() ? "" : problem_line(loaded.problems.front());
}

}  // namespace

TEST_CASE("YAML: flat and nested names, with lines") {
  const Loaded loaded = load_yaml(
      "# a comment\n"
      "topic.prefix: shop\n"
      "database:\n"
      "  hostname: db.example\n"
      "  port: 5433\n"
      "slot: {name: s1, drop.on.stop: yes}\n"
      "table.include.list:\n"
      "  - public\\.a\n"
      "  - 'public.b{1,2}'\n"
      "name: ~\n",
      "shop.yaml");
  CHECK(loaded.problems.empty());
  CHECK(value_of(loaded, "database.port") == "5433");
  CHECK(origin_of(loaded, "database.port") == "shop.yaml:5");
  CHECK(value_of(loaded, "slot.drop.on.stop") == "yes");
  CHECK(value_of(loaded, "name") == "(none)");
  REQUIRE(loaded.entries.back().elements.has_value());
  CHECK(*loaded.entries.back().elements == std::vector<std::string>{"public\\.a", "public.b{1,2}"});
}

TEST_CASE("YAML: what is wrong names the line") {
  CHECK(contains(first_problem(load_yaml("a: b\n c: [d\n", "x.yaml")), "x.yaml:"));
  CHECK(contains(first_problem(load_yaml("- a\n- b\n", "x.yaml")), "`property: value`"));
  CHECK(contains(first_problem(load_yaml("a: 1\ntransforms:\n  - {x: y}\n", "x.yaml")), "x.yaml:2"));
  CHECK(contains(first_problem(load_yaml("a: 1\n---\nb: 2\n", "x.yaml")), "second document"));
  CHECK(load_yaml("", "x.yaml").problems.empty());
}

TEST_CASE("YAML: aliases of aliases do not blow up") {
  std::string bomb = "a0: &a0 {x: 1}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    bomb += "a" + n + ": &a" + n + " {l: *a" + before + ", r: *a" + before + "}\n";
  }
  CHECK(contains(first_problem(load_yaml(bomb, "x.yaml")), "too"));
}

TEST_CASE("YAML: a KafkaConnector resource") {
  const Loaded loaded = load_yaml(
      "apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaConnector\nmetadata:\n  name: inventory\nspec:\n"
      "  class: io.debezium.connector.postgresql.PostgresConnector\n  tasksMax: 1\n  config:\n"
      "    topic.prefix: shop\n",
      "k.yaml");
  CHECK(value_of(loaded, "name") == "inventory");
  CHECK(value_of(loaded, "connector.class") == "io.debezium.connector.postgresql.PostgresConnector");
  CHECK(value_of(loaded, "topic.prefix") == "shop");
  CHECK(origin_of(loaded, "topic.prefix") == "k.yaml:9");
}

TEST_CASE("JSON: a connector with name and config, and the bare configuration") {
  const Loaded wrapped = load_json(
      "{\n \"name\": \"inventory\",\n \"config\": {\n  \"topic.prefix\": \"shop\",\n  \"max.batch.size\": "
      "100,\n"
      "  \"tombstones.on.delete\": false, \"name\": \"inner\", \"x\": null\n },\n \"tasks\": [], \"type\": "
      "\"source\"\n}",
      "c.json");
  CHECK(wrapped.problems.empty());
  CHECK(value_of(wrapped, "topic.prefix") == "shop");
  CHECK(origin_of(wrapped, "topic.prefix") == "c.json:4");
  CHECK(value_of(wrapped, "max.batch.size") == "100");
  CHECK(origin_of(wrapped, "max.batch.size") == "c.json:5");
  CHECK(value_of(wrapped, "tombstones.on.delete") == "false");
  CHECK(value_of(wrapped, "x") == "(none)");
  CHECK(value_of(wrapped, "type") == "(none)");
  const Loaded bare = load_json("{\"slot.name\":\"s\",\"a\":{\"b\":[\"x\",1]}}", "c.json");
  CHECK(value_of(bare, "slot.name") == "s");
  CHECK(bare.entries.back().name == "a.b");
  CHECK(*bare.entries.back().elements == std::vector<std::string>{"x", "1"});
}

TEST_CASE("JSON: what is wrong names the line") {
  CHECK(contains(first_problem(load_json("{\n\"a\": 1,\n\"b\": tru }", "c.json")), "c.json:3"));
  CHECK(contains(first_problem(load_json("[1]", "c.json")), "JSON object"));
  CHECK(contains(first_problem(load_json("\"a\"", "c.json")), "JSON object"));
  CHECK(contains(first_problem(load_json("{\"a\":[{}]}", "c.json")), "plain values"));
  CHECK(contains(first_problem(load_json("", "c.json")), "no valid JSON"));
  CHECK(contains(first_problem(load_json("{} {}", "c.json")), "no valid JSON"));
  CHECK_FALSE(load_json(std::string(200000, '['), "c.json").problems.empty());
}

TEST_CASE("properties: comments, separators, continued lines and escapes as Java reads them") {
  const Loaded loaded = load_properties(
      "# comment \\\n"
      "! another\n"
      "  a=1\n"
      "b : two words  \n"
      "c three\n"
      "d\\ e\\:f=x=y\n"
      "list=a,\\\n"
      "     b,\\\r\n"
      "     c\n"
      "regex=public\\\\.a\n"
      "uni=\\u00e9 \\uD83D\\uDE00 \\uD83D|\n"
      "tab=\\ta\\nb\\q\n"
      "utf=\xC3\xA9\n"
      "empty=\n"
      "alone\n"
      "even=a\\\\\n"
      "last=z\\",
      "a.properties");
  CHECK(loaded.problems.empty());
  CHECK(value_of(loaded, "a") == "1");
  CHECK(origin_of(loaded, "a") == "a.properties:3");
  CHECK(value_of(loaded, "b") == "two words  ");
  CHECK(value_of(loaded, "c") == "three");
  CHECK(value_of(loaded, "d e:f") == "x=y");
  CHECK(value_of(loaded, "list") == "a,b,c");
  CHECK(origin_of(loaded, "list") == "a.properties:7");
  CHECK(origin_of(loaded, "regex") == "a.properties:10");
  CHECK(value_of(loaded, "regex") == "public\\.a");
  CHECK(value_of(loaded, "uni") == "é 😀 \xEF\xBF\xBD|");
  CHECK(value_of(loaded, "tab") == "\ta\nbq");
  CHECK(value_of(loaded, "utf") == "é");
  CHECK(value_of(loaded, "empty").empty());
  CHECK(value_of(loaded, "alone").empty());
  CHECK(value_of(loaded, "even") == "a\\");
  CHECK(value_of(loaded, "last") == "z");
}

TEST_CASE("properties: a broken \\u names the line") {
  CHECK(first_problem(load_properties("a=1\nb=\\u12g4\n", "a.properties")).substr(0, 15) ==
        "a.properties:2:");
}

TEST_CASE("the form of a file: by extension, else by content") {
  CHECK(form_of("a.YML", "{") == Form::yaml);
  CHECK(form_of("a.json", "a: b") == Form::json);
  CHECK(form_of("a.properties", "a: b") == Form::properties);
  CHECK(form_of("conf", "\n  {\"a\":1}") == Form::json);
  CHECK(form_of("conf", "# c\na.b=c\n") == Form::properties);
  CHECK(form_of("conf", "# c\na.b: c=d\n") == Form::yaml);
  CHECK(form_of("conf", "a:\n  b: c\n") == Form::yaml);
}

TEST_CASE("URL: user, password, hosts, ports, database, options") {
  const Loaded loaded = load_url(
      "postgres://cdc%40x:p%3Aw@h1:5433,[::1],h3:5434/my%20db?sslmode=require&connect_timeout=3&sslrootcert=/"
      "a%2Fb");
  CHECK(loaded.problems.empty());
  CHECK(value_of(loaded, "source") == "postgresql");
  CHECK(value_of(loaded, "database.user") == "cdc@x");
  CHECK(value_of(loaded, "database.password") == "p:w");
  CHECK(value_of(loaded, "database.hostname") == "h1,::1,h3");
  CHECK(value_of(loaded, "database.port") == "5433,5432,5434");
  CHECK(value_of(loaded, "database.dbname") == "my db");
  CHECK(value_of(loaded, "database.sslmode") == "require");
  CHECK(value_of(loaded, "database.sslrootcert") == "/a/b");
  CHECK(value_of(loaded, "driver.connect_timeout") == "3");
  CHECK(origin_of(loaded, "database.user") == "URL");
  CHECK(value_of(load_url("postgresql://%2Fvar%2Frun/db"), "database.hostname") == "/var/run");
  CHECK(value_of(load_url("postgres:///db"), "database.hostname") == "(none)");
  CHECK(value_of(load_url("postgres:///db?host=/tmp&port=1"), "database.port") == "1");
}

TEST_CASE("URL: what is wrong is said") {
  for (const char* url : {"postgres://u:pa/ss@h:1/d", "postgres://u:p@ss/word@h/d",
                          "postgres://u:se?cret@h/d", "postgres://u:12?x@h/d", "postgres://u/x:pass@h"}) {
    const Loaded loaded = load_url(url);
    CAPTURE(url);
    CHECK(contains(first_problem(loaded), "%2F or %3F or %40"));
    CHECK(loaded.problems.size() == 1);
    CHECK(value_of(loaded, "database.hostname") == "(none)");
    CHECK(value_of(loaded, "database.port") == "(none)");
  }
  CHECK(value_of(load_url("postgres://h:1/d?application_name=me@here"), "driver.application_name") ==
        "me@here");
  CHECK(value_of(load_url("postgres://h?application_name=me@here"), "database.hostname") == "h");
  CHECK(contains(first_problem(load_url("db.example")), "must be a URL"));
  CHECK(contains(first_problem(load_url("redis://x/y")), "postgres://"));
  CHECK(contains(first_problem(load_url("postgres://u@h/d?nope=1")), "'nope'"));
  CHECK(contains(first_problem(load_url("postgres://u:p%4@h/d")), "%25"));
  CHECK(contains(first_problem(load_url("postgres://u:p#w@h/d")), "%23"));
}

TEST_CASE("references: environment, files, properties in files; everything else stays") {
  const Folder folder;
  const std::string secret = folder.write("secret", "s3cret\n");
  const std::string keys = folder.write("keys.properties", "user=mara\npass=a\\u0062c\n");
  const Environment environment = [](const char* name) -> const char* {
    return std::string_view(name) == "PW" ? "pw" : nullptr;
  };
  auto resolve = [&](const std::string& value) { return resolve_references(value, environment); };
  CHECK(*resolve("x-${env:PW}-y") == "x-pw-y");
  CHECK(*resolve("${env:PW:x}${env:NONE:a:b}") == "pwa:b");
  CHECK(*resolve("${file:" + secret + "}") == "s3cret");
  CHECK(*resolve("${file:" + keys + ":pass}") == "abc");
  CHECK(*resolve("outbox.${routedByValue}.$1") == "outbox.${routedByValue}.$1");
  CHECK(contains(resolve("${env:NONE}").error().message, "'NONE'"));
  CHECK(contains(resolve("${file:/nowhere/x}").error().message, "/nowhere/x"));
  CHECK(contains(resolve("${file:" + keys + ":nope}").error().message, "'nope'"));
  CHECK(contains(resolve("${env:PW").error().message, "'}'"));
  CHECK_FALSE(resolve("${vault:a:b}").has_value());
}

TEST_CASE("Debezium Server's names become the connector's") {
  Loaded loaded = load_properties(
      "debezium.source.topic.prefix=shop\n"
      "debezium.format.value=json\n"
      "debezium.format.schemas.enable=false\n"
      "debezium.format.value.schemas.enable=true\n"
      "debezium.transforms=unwrap\n"
      "debezium.transforms.unwrap.type=t\n"
      "debezium.source.database.password=${DB_PASSWORD}\n"
      "debezium.source.database.user=${DB_USER:postgres}\n"
      "debezium.transforms.unwrap.x=a.${routedByValue}\n"
      "debezium.sink.type=kafka\n"
      "quarkus.log.level=INFO\n",
      "application.properties");
  translate_server_names(loaded);
  CHECK(value_of(loaded, "topic.prefix") == "shop");
  CHECK(value_of(loaded, "value.converter") == "json");
  CHECK(value_of(loaded, "key.converter.schemas.enable") == "false");
  CHECK(value_of(loaded, "transforms.unwrap.type") == "t");
  CHECK(value_of(loaded, "database.password") == "${env:DB_PASSWORD}");
  CHECK(value_of(loaded, "database.user") == "${env:DB_USER:postgres}");
  CHECK(value_of(loaded, "transforms.unwrap.x") == "a.${routedByValue}");
  REQUIRE(loaded.problems.size() == 1);
  CHECK(loaded.problems[0].severity == ConfigProblem::Severity::warning);
  CHECK(contains(loaded.problems[0].message, "debezium.sink.type, quarkus.log.level"));
}
