// The parts of pg_control that need no server: positions, quoting, errors, keys, SQL texts.
#include <doctest/doctest.h>

#include "cdc/config.h"
#include "source/postgres/control/errors.h"
#include "source/postgres/control/key_rules.h"
#include "source/postgres/control/lsn.h"
#include "source/postgres/control/publication.h"
#include "source/postgres/control/quote.h"
#include "source/postgres/control/replica_identity.h"
#include "source/postgres/control/settings.h"
#include "source/postgres/control/slot.h"

namespace cdc::pg {
namespace {

TableRow table(const char* name, char persistence = 'p') {
  TableRow t;
  static Oid next = 1000;
  t.oid = next++;
  t.id = {{}, "s", name};
  t.persistence = persistence;
  t.has_primary_key = true;
  return t;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const Subject kSubject{"db.example:5432", "anna", "shop", ""};

}  // namespace

TEST_CASE("PG-LIBPQ-07 log positions: text and number") {
  CHECK(parse_lsn("16/B374D848") == 0x16B374D848U);
  CHECK(parse_lsn("0/0") == 0U);
  CHECK(parse_lsn("ffffffff/ffffffff") == ~Lsn{0});
  CHECK(format_lsn(0x16B374D848U) == "16/B374D848");
  CHECK(format_lsn(26721400) == "0/197BC78");
  for (const char* wrong :
       {"", "/", "1", "1/", "/1", "1/g", "123456789/0", "1/123456789", "-1/0", "0x1/0", "1/0 ", " 1/0"})
    CHECK_MESSAGE(!parse_lsn(wrong), wrong);
}

TEST_CASE("PG-PUB-10 quoting") {
  CHECK(quote_ident("a\"b") == "\"a\"\"b\"");
  CHECK(quote_literal("it's \\") == "'it''s \\'");
  CHECK(quote_table({{}, "S", "t.x"}) == "\"S\".\"t.x\"");
  CHECK(quote_literal(publication_names("My,Pub\"'")) == "'\"My,Pub\"\"''\"'");
  const Oid oids[] = {1, 4294967295U};
  CHECK(oid_array(oids) == "'{1,4294967295}'");
  CHECK(oid_array({}) == "'{}'");
}

TEST_CASE("PG-LIBPQ-29 PG-FAIL-01 connection failures: kind, text, no retry where nothing can heal") {
  struct Row {
    const char* text;
    bool replication;
    ErrorKind kind;
    bool retriable;
    const char* part;
  };
  const Row rows[] = {
      {"connection to server at \"1.2.3.4\", port 5432 failed: FATAL:  28P01: password authentication failed "
       "for user \"anna\"\nLOCATION:  auth_failed, auth.c:337\n",
       false, ErrorKind::refused, false, "does not accept the password of user 'anna'"},
      {"connection to server at \"1.2.3.4\", port 5432 failed: FATAL:  28000: no pg_hba.conf entry for "
       "replication connection from host \"1.2.3.4\", user \"anna\", no encryption\n",
       true, ErrorKind::refused, false,
       "pg_hba.conf on db.example:5432 has no replication entry for db.example:5432/anna"},
      {"connection to server at \"x\", port 1 failed: FATAL:  28000: role \"anna\" does not exist\n", false,
       ErrorKind::refused, false, "does not let user 'anna' in"},
      {"failed: FATAL:  3D000: database \"shop\" does not exist\n", false, ErrorKind::refused, false,
       "there is no database 'shop'"},
      {"failed: FATAL:  42501: must be superuser or replication role to start walsender\n", true,
       ErrorKind::refused, false, "role 'anna' lacks REPLICATION: ALTER ROLE anna REPLICATION"},
      {"failed: FATAL:  53300: number of requested standby connections exceeds max_wal_senders (currently "
       "10)\n",
       true, ErrorKind::unreachable, true, "no free WAL sender"},
      {"failed: FATAL:  57P03: the database system is starting up\n", false, ErrorKind::unreachable, true,
       "does not accept connections"},
      {"failed: FATAL:  08P01: unsupported startup parameter: options\n", false, ErrorKind::refused, false,
       "pooler"},
      {"failed: FATAL:  unsupported startup parameter: replication\n", true, ErrorKind::refused, false,
       "pooler"},
      {"connection to server at \"x\", port 1 failed: server does not support SSL, but SSL was required\n",
       false, ErrorKind::refused, false, "does not offer TLS"},
      {"root certificate file \"/x/root.crt\" does not exist\nEither provide the file or change sslmode to "
       "disable server certificate verification.\n",
       false, ErrorKind::refused, false, "certificate"},
      {"failed: SSL error: certificate verify failed\n", false, ErrorKind::refused, false,
       "certificate verify failed"},
      {"failed: SSL error: tlsv1 alert unknown ca\n", false, ErrorKind::refused, false, "unknown ca"},
      {"failed: could not load private key file \"/x/k\": key values mismatch\n", false, ErrorKind::refused,
       false, "/x/k"},
      {"failed: FATAL:  28000: connection requires a valid client certificate\n", false, ErrorKind::refused,
       false, "does not let user 'anna' in"},
      {"connection to server at \"x\" (::1), port 1 failed: Connection refused\n\tIs the server running on "
       "that host and accepting TCP/IP connections?\n",
       false, ErrorKind::unreachable, true, "cannot reach PostgreSQL at db.example:5432"},
      {"could not translate host name \"nowhere\" to address: Name or service not known\n", false,
       ErrorKind::unreachable, true, "is not known"},
      {"failed: FATAL:  42704: unrecognized configuration parameter \"nothing\"\n", false, ErrorKind::refused,
       false, "refuses the connection"},
      {"", false, ErrorKind::unreachable, true, "cannot reach"},
  };
  for (const Row& row : rows) {
    const Error error = connect_error(row.text, kSubject, row.replication, false);
    CAPTURE(error.message);
    CHECK(error.kind == row.kind);
    CHECK(error.retriable == row.retriable);
    CHECK(contains(error.message, row.part));
    CHECK(error.message.find('\n') == std::string::npos);
  }
  const Error asked =
      connect_error("connection failed: fe_sendauth: no password supplied\n", kSubject, false, true);
  CHECK(contains(asked.message, "asks for a password"));
  CHECK_FALSE(asked.retriable);
}

TEST_CASE("PG-LIBPQ-29 server errors by SQLSTATE") {
  struct Row {
    const char* state;
    const char* message;
    ErrorKind kind;
    bool retriable;
  };
  const Row rows[] = {
      {"57P01", "terminating connection due to administrator command", ErrorKind::unreachable, true},
      {"08006", "x", ErrorKind::unreachable, true},
      {"40P01", "deadlock detected", ErrorKind::unreachable, true},
      {"42501", "permission denied for table t", ErrorKind::refused, false},
      {"42P01", "relation does not exist", ErrorKind::refused, false},
      {"55000", "can no longer get changes from replication slot \"x\"", ErrorKind::position_lost, false},
      {"55000", "replication slots cannot be used on RO (Read Only) node", ErrorKind::unreachable, true},
      {"55000", "cannot advance replication slot to 0/1, minimum is 0/2", ErrorKind::refused, false},
      {"58P01", "requested WAL segment 000000010000000000000001 has already been removed",
       ErrorKind::position_lost, false},
      {"XX000", "invalid memory alloc request size 1073741824", ErrorKind::refused, false},
      {"22023", "invalid snapshot identifier: \"0-1\"", ErrorKind::refused, false},
      {"99999", "whatever", ErrorKind::refused, false},
  };
  for (const Row& row : rows) {
    const Error error = server_error("doing things", Failure{row.state, row.message, {}, {}}, kSubject);
    CAPTURE(error.message);
    CHECK(error.kind == row.kind);
    CHECK(error.retriable == row.retriable);
    CHECK(error.sqlstate == row.state);
    CHECK(contains(error.message, row.state));
    CHECK(contains(error.message, "doing things"));
  }
  const Error lost = server_error(
      "doing things",
      Failure{"", "server closed the connection unexpectedly\n\tThis probably means", "connection lost", {}},
      kSubject);
  CHECK(lost.kind == ErrorKind::unreachable);
  CHECK(lost.retriable);
}

TEST_CASE("PG-KEY-01 the key: primary key in key order, else the first fit unique index") {
  const auto index = [](const char* name, std::vector<std::int16_t> columns, std::size_t own) {
    IndexRow i;
    i.name = name;
    i.unique = true;
    i.columns = std::move(columns);
    i.key_columns = own;
    return i;
  };
  auto primary = index("z_pk", {3, 1, 2}, 2);
  primary.primary = true;
  auto late = index("b", {4, 5}, 1), early = index("a", {6}, 1), expression = index("_", {0, 1}, 2);
  CHECK(choose_key(std::vector{early, primary}).columns ==
        std::vector<std::int16_t>{3, 1});  // without INCLUDE
  CHECK(choose_key(std::vector{late, early, expression}).index == "a");
  CHECK(choose_key(std::vector{late, expression}).columns ==
        std::vector<std::int16_t>{4, 5});  // with INCLUDE
  auto clustered = late;
  clustered.clustered = true;
  clustered.partial = true;
  const TableKey key = choose_key(std::vector{early, clustered});
  CHECK(key.index == "b");
  CHECK(key.partial);
  CHECK(key.origin == TableKey::Origin::unique_index);
  CHECK(choose_key(std::vector{expression}).origin == TableKey::Origin::none);
  CHECK(choose_key({}).columns.empty());
}

TEST_CASE("PG-KEY-04 a key that the replica identity does not carry: the words of the warning") {
  TableDetail t;
  t.id = {{}, "public", "card"};
  for (const char* name : {"id", "code"}) {
    ColumnRow c;
    c.name = name;
    c.attnum = static_cast<std::int16_t>(t.columns.size() + 1);
    t.columns.push_back(c);
  }
  IndexRow unique;
  unique.name = "card_code";
  unique.unique = unique.identity = true;
  unique.columns = {2};
  unique.key_columns = 1;
  t.identity = choose_identity('i', std::vector{unique}, t.columns);
  const std::vector<std::string> id{"id"}, code{"code"};
  CHECK(key_warning(t, id, false) ==
        "public.card: the replica identity (index card_code) does not carry the key column id: deletes get "
        "no key (use REPLICA IDENTITY FULL or an "
        "index that holds the key columns)");
  CHECK_FALSE(key_warning(t, code, false));
  IndexRow primary = unique;
  primary.primary = true;
  primary.columns = {1};
  t.identity = choose_identity('d', std::vector{primary}, t.columns);
  CHECK(key_warning(t, code, true) ==
        "public.card: the replica identity (default) does not carry the message key column code: deletes get "
        "no key (use REPLICA IDENTITY FULL)");
  t.identity = choose_identity('f', {}, t.columns);
  CHECK_FALSE(key_warning(t, code, true));
  primary.immediate = false;  // a deferrable primary key identifies nothing
  CHECK(choose_identity('d', std::vector{primary}, t.columns).columns.empty());
}

TEST_CASE("PG-PUB-03 PG-PUB-04 PG-PUB-05 PG-PUB-07 statements") {
  PublicationSettings s;
  s.name = "My\"Pub";
  const std::vector tables{table("b"), table("a"), table("u", 'u')};
  CHECK(create_publication_sql(s, tables) == R"(CREATE PUBLICATION "My""Pub" FOR ALL TABLES)");
  s.mode = PublicationMode::no_tables;
  s.via_root = true;
  CHECK(create_publication_sql(s, tables) ==
        R"(CREATE PUBLICATION "My""Pub" WITH (publish_via_partition_root = true))");
  s.mode = PublicationMode::filtered;
  s.skipped = "dt";
  CHECK(
      create_publication_sql(s, tables) ==
      R"(CREATE PUBLICATION "My""Pub" FOR TABLE "s"."a", "s"."b" WITH (publish = 'insert,update', publish_via_partition_root = true))");
  CHECK(alter_publication_sql("p", tables, "d") ==
        std::vector<std::string>{R"(ALTER PUBLICATION "p" SET TABLE "s"."a", "s"."b")",
                                 R"(ALTER PUBLICATION "p" SET (publish = 'insert,update,truncate'))"});
  CHECK(alter_publication_sql("p", {}, std::nullopt).empty());
  CHECK_FALSE(publish_option(std::nullopt));
  CHECK(publish_option("cudt") == "");
}

TEST_CASE("PG-PUB-11 PG-SNAP-07 PG-SNAP-08 warnings about what does not come") {
  TableRow root = table("only_root"), plain = table("plain"), unlogged = table("b_unlogged", 'u'),
           guarded = table("vault");
  root.kind = 'p';
  guarded.row_security = true;
  Publication all;
  all.all_tables = true;
  const std::vector<PartitionLeaf> leaves{{root.oid, {{}, "s", "only_leaf"}}};
  CHECK(publication_warnings(all, {}, std::vector{root, plain, unlogged}, leaves) ==
        std::vector<std::string>{"s.only_root is captured but not published: its changes come as "
                                 "s.only_leaf, which the filters leave out "
                                 "(set publish.via.partition.root=true, or include the partitions)"});
  Publication some;
  some.name = "p";
  const std::vector<PublishedTable> published{{plain.id, "b, c", "(id > 1)"}};
  const auto warnings = publication_warnings(some, published, std::vector{plain, guarded}, {});
  REQUIRE(warnings.size() == 3);
  CHECK(contains(warnings[0], "leaves out the columns b, c"));
  CHECK(contains(warnings[1], "row filter"));
  CHECK(warnings[2] == "captured but not in publication 'p', so that no change of it comes: s.vault");
  ServerFacts facts;
  facts.user = "guard";
  CHECK(table_warnings(std::vector{unlogged, guarded}, facts) ==
        std::vector<std::string>{"s.b_unlogged is unlogged: its changes are not streamed",
                                 "s.vault: row security is in force for role guard, the snapshot has only "
                                 "the rows that its policies show (use a role with BYPASSRLS)"});
}

TEST_CASE("PG-RI-03 entries of replica.identity.autoset.values") {
  const auto rules =
      parse_identity_rules({"sales.*:full", " hr.staff:INDEX staff_uq", "(?:a|b).t:Nothing", "x.y:DEFAULT"});
  REQUIRE(rules);
  REQUIRE(rules->size() == 4);
  CHECK((*rules)[0].kind == 'f');
  CHECK((*rules)[1].index == "staff_uq");
  CHECK((*rules)[2].tables == "(?:a|b).t");
  CHECK((*rules)[3].kind == 'd');
  for (const char* wrong :
       {"public.a=FULL", ":FULL", "a.b:", "a.b:SOME", "a.b:INDEX", "a.b:FULL x", "a b:FULL"}) {
    const auto bad = parse_identity_rules({wrong});
    CAPTURE(wrong);
    REQUIRE_FALSE(bad);
    CHECK(bad.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("PG-SLOT-01 PG-SLOT-03 slot names and the command") {
  CHECK(valid_slot_name("123"));
  CHECK(valid_slot_name(std::string(63, 'a')));
  for (const auto& wrong :
       {std::string(), std::string(64, 'a'), std::string("A"), std::string("a-b"), std::string("a b")})
    CHECK_FALSE(valid_slot_name(wrong));
  SlotSettings s;
  s.failover = true;
  CHECK(create_slot_sql(150020, false, s, "123", SlotLife::permanent) ==
        R"(CREATE_REPLICATION_SLOT "123" LOGICAL "pgoutput")");
  CHECK(create_slot_sql(170000, false, s, "a", SlotLife::permanent) ==
        R"(CREATE_REPLICATION_SLOT "a" LOGICAL "pgoutput" (FAILOVER))");
  CHECK(create_slot_sql(170000, true, s, "a", SlotLife::permanent) ==
        R"(CREATE_REPLICATION_SLOT "a" LOGICAL "pgoutput")");
  CHECK(create_slot_sql(170000, false, s, "a", SlotLife::temporary) ==
        R"(CREATE_REPLICATION_SLOT "a" TEMPORARY LOGICAL "pgoutput")");
}

TEST_CASE("PG-CONN-04 properties become libpq keywords, JDBC options are translated") {
  const auto config = config_of({{"database.hostname", "h1,h2"},
                                 {"database.user", "u"},
                                 {"database.sslmode", "verify-full"},
                                 {"driver.targetServerType", "secondary"},
                                 {"driver.connectTimeout", "3"},
                                 {"driver.prepareThreshold", "5"},
                                 {"skipped.operations", "d,c"},
                                 {"snapshot.mode", "initial_only"},
                                 {"lsn.flush.mode", "manual"}});
  REQUIRE(config);
  const auto settings = control_settings(*config);
  REQUIRE(settings);
  const auto keyword = [&](std::string_view name) {
    for (const auto& [key, value] : settings->connect.keywords)
      if (key == name) return value;
    return std::string("(unset)");
  };
  CHECK(keyword("host") == "h1,h2");
  CHECK(keyword("port") == "5432");
  CHECK(keyword("user") == "u");
  CHECK(keyword("password") == "(unset)");
  CHECK(keyword("sslmode") == "verify-full");
  CHECK(keyword("target_session_attrs") == "standby");
  CHECK(keyword("keepalives") == "1");
  CHECK(settings->connect.connect_timeout == std::chrono::seconds(3));
  REQUIRE(settings->connect.warnings.size() == 1);
  CHECK(contains(settings->connect.warnings[0], "driver.prepareThreshold"));
  CHECK(settings->publication.skipped == "cd");
  CHECK_FALSE(settings->streams);
  CHECK(settings->manual_flush);
}

TEST_CASE(
    "section 1.3 preflight: everything that is missing at once, and nothing that a snapshot alone does not "
    "need") {
  ServerFacts facts;
  facts.version = 150020;
  facts.user = "anna";
  facts.wal_level = "replica";
  facts.max_replication_slots = 10;
  facts.max_wal_senders = 10;
  ControlSettings settings;
  const auto result = preflight_result(preflight(facts, settings));
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::refused);
  CHECK(contains(result.error().message, "wal_level is 'replica', must be 'logical' (restart needed)"));
  CHECK(contains(result.error().message, "role 'anna' lacks REPLICATION"));
  settings.streams = false;
  CHECK(preflight_result(preflight(facts, settings)));
  settings.streams = true;
  facts.wal_level = "logical";
  facts.may_replicate = true;
  CHECK(preflight_result(preflight(facts, settings)));
  facts.in_recovery = true;  // may be promoted in a moment (user report PG-47)
  const auto standby = preflight_result(preflight(facts, settings));
  REQUIRE_FALSE(standby);
  CHECK(standby.error().kind == ErrorKind::unreachable);
  CHECK(standby.error().retriable);
  facts.may_replicate = false;
  CHECK_FALSE(preflight_result(preflight(facts, settings)).error().retriable);
}

}  // namespace cdc::pg
