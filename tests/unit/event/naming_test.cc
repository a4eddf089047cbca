// Names: CORE-NAME-03, -04, -05, -09.
#include "event/naming.h"

#include <doctest/doctest.h>

using namespace cdc;

TEST_CASE("CORE-NAME-03: topics are sanitized by UTF-16 unit and cut") {
  CHECK(sanitize_topic("test.public.a b$c") == "test.public.a_b_c");
  CHECK(sanitize_topic("x.\xF0\x9F\x8D\x90") == "x.__");  // one emoji, two units
  CHECK(sanitize_topic("za\xC5\xBC") == "za_");
  CHECK(sanitize_topic(std::string(300, 'a')).size() == 249);
  CHECK(sanitize_topic(".") == "_");
  CHECK(sanitize_topic("..") == "__");
}

TEST_CASE("CORE-NAME-09: avro and avro_unicode") {
  CHECK(adjust_schema_name(NameAdjustment::avro, "1a") == "_1a");
  CHECK(adjust_schema_name(NameAdjustment::avro, "a b.c-d") == "a_b.c_d");
  CHECK(adjust_field_name(NameAdjustment::avro, "a.b") == "a_b");
  CHECK(adjust_schema_name(NameAdjustment::avro_unicode, "a_b") == "a_u005fb");
  CHECK(adjust_schema_name(NameAdjustment::avro_unicode, "\xC3\xA9") == "_u00e9");
  CHECK(adjust_schema_name(NameAdjustment::avro_unicode, "\xC5\x82") == "_u142");
  CHECK(adjust_schema_name(NameAdjustment::avro_unicode, "a\t") == "a_u009");
  CHECK(adjust_schema_name(NameAdjustment::avro_unicode, "1a") == "_u0031a");
}

TEST_CASE("CORE-NAME-05: regex strategies reroute whole matches and tell tables apart by a key field") {
  const auto config =
      config_of({{"topic.naming.strategy", "io.debezium.schema.SchemaRegexTopicNamingStrategy"},
                 {"topic.regex", "(.*)\\.shard_\\d+"},
                 {"topic.replacement", "$1.shards"}});
  REQUIRE(config);
  const auto naming = TopicNaming::make(*config).value();
  CHECK(naming.data_topic({"", "public", "shard_1"}) == "test.public.shards");
  CHECK(naming.data_topic({"", "public", "other"}) == "test.public.other");
  REQUIRE(naming.key_discriminator({"", "public", "shard_1"}));
  CHECK(naming.key_discriminator({"", "public", "shard_1"})->value == "test.public.shard_1");
}
