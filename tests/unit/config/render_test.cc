// `cdc config`: YAML with origins that loads again, hidden secrets, the reference, the differences.
#include "support.h"

using namespace cdc;
using namespace cdc::test;

TEST_CASE("CORE-ERR-07 secrets are hidden, by type, by name and by custom.sanitize.pattern") {
  ConfigInput input;
  input.url = "postgres://mara:hunter2@db/shop";
  input.settings = {"table.include.list=public\\.it's", "database.sslpassword=${env:PW}",
                    "slot.name=visible"};
  input.environment = [](const char*) { return "hunter3"; };
  ConfigReport report = read(input);
  const std::string yaml = render_config(report.config);
  CHECK_FALSE(contains(yaml, "hunter"));
  CHECK(contains(yaml, "database.password: \"********\""));
  CHECK(contains(yaml, "database.sslpassword: '${env:PW}'"));
  CHECK(contains(yaml, "database.user: mara"));
  CHECK(contains(yaml, "# URL"));
  CHECK(contains(yaml, "'public\\.it''s'"));
  CHECK(report.config.is_secret("database.password"));
  CHECK(report.config.is_secret("my.CONNECTIONSTRING"));
  input.settings.push_back("custom.sanitize.pattern=slot.*");
  report = read(input);
  CHECK(contains(render_config(report.config), "slot.name: \"********\""));
}

TEST_CASE("what is rendered loads again as the same") {
  const Folder folder;
  const ConfigReport first =
      read_settings({"table.include.list=a{1\\,2},b: c", "slot.name=s",
                     "unavailable.value.placeholder=#x\t'\"", "snapshot.where.public.a b=x = 'y'"});
  ConfigInput input;
  input.files = {folder.write("a.yaml", render_config(first.config))};
  const ConfigReport second = read(input);
  CHECK(errors(second) == "");
  for (const std::string name : {"table.include.list", "slot.name", "unavailable.value.placeholder",
                                 "topic.prefix", "snapshot.where.public.a b"})
    CHECK(second.config.text(name) == first.config.text(name));
  CHECK(contains(render_config(first.config, true), "max.batch.size: 2048"));
}

TEST_CASE("the reference names every property once, the differences are in words") {
  const std::string reference = render_reference();
  CHECK(contains(reference, "\nslot.name\n    Name of the replication slot"));
  CHECK(contains(reference, "value: pgoutput, decoderbufs; default pgoutput"));
  CHECK(contains(render_reference(true), "| `slot.name` |"));
  CHECK(contains(render_differences(), "A stored NULL in a column with a default"));
}
