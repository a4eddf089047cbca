// Catalogue: which capture this is and how the server is reached.
#include "config/catalogue.h"
#include "config/checks.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Property rows[] = {
    {"name", text, "", "", adapted, "Name of the capture: names the state and the capture in the log",
     "Default: topic.prefix"},
    {"connector.class", class_name, "",
     "postgresql=io.debezium.connector.postgresql.PostgresConnector|"
     "mysql=io.debezium.connector.mysql.MySqlConnector|"
     "mariadb=io.debezium.connector.mariadb.MariaDbConnector|"
     "mongodb=io.debezium.connector.mongodb.MongoDbConnector|"
     "oracle=io.debezium.connector.oracle.OracleConnector|"
     "vitess=io.debezium.connector.vitess.VitessConnector",
     adapted, "Debezium's connector class; tells the source of an existing connector configuration",
     "only the kind of server is taken from it"},
    {"source", enumeration, "postgresql", "postgresql|mysql|mariadb|mongodb|oracle|vitess", implemented,
     "The kind of server to capture from; a URL or connector.class says it too"},
    {"tasks.max", integer, "1", "1..", no_effect, "Number of tasks of a connector",
     "one process is one task"},
    {"database.hostname", text, "", "", implemented,
     "Host, address or socket directory of the server; several hosts as h1,h2 with "
     "driver.target_session_attrs=read-write"},
    {"database.port", port, "5432", "1..65535", implemented,
     "TCP port of the server; with several hosts one for all or one for each"},
    {"database.user", text, "", "", implemented, "User to log in as"},
    {"database.password", secret, "", "", implemented,
     "Password; better as ${env:NAME} or ${file:/path}, or in .pgpass"},
    {"database.password.command", text, "", "", implemented,
     "Program that prints a fresh password before each connection is made"},
    {"database.dbname", text, "", "", implemented, "Database to capture from", "", relational},
    {"database.connection.factory.class", class_name, "", "", refused, "Java class that opens connections",
     "it is a Java class: use database.password.command for passwords that change", postgresql},
    {"database.sslmode", enumeration, "prefer", "disable|allow|prefer|require|verify-ca|verify-full",
     implemented, "Whether the connection is encrypted and the server's certificate checked", "", postgresql},
    {"database.sslcert", path, "", "", implemented, "Client certificate (PEM)", "", postgresql},
    {"database.sslkey", path, "", "", implemented, "Key of the client certificate (PEM)", "", postgresql},
    {"database.sslpassword", secret, "", "", implemented, "Password of the client certificate's key", "",
     postgresql},
    {"database.sslrootcert", path, "", "", implemented,
     "Certificates of the authorities that are trusted (PEM)", "", postgresql},
    {"database.sslfactory", class_name, "", "org.postgresql.ssl.NonValidatingFactory", refused,
     "Java class that makes TLS sockets", "it is a Java class: use database.sslmode and database.sslrootcert",
     postgresql},
    {"database.tcpKeepAlive", boolean, "true", "", implemented, "TCP keep-alive on the server connections",
     "", postgresql},
    {"database.initial.statements", semicolons, "", "", implemented,
     "SQL run on every new connection but the replication one, separated by ; (;; is a semicolon)", "",
     relational},
    {"database.query.timeout.ms", milliseconds, "600000", "0..", implemented,
     "Longest wait for the first row of a query; 0 waits for ever", "", relational},
    {"connection.validation.timeout.ms", milliseconds, "60000", "1..", adapted,
     "Longest wait for the connection that checks the server before anything else",
     "every connection has the limit of driver.connectTimeout (10 s), also the first"},
    {"driver.<option>", text, "", "", adapted,
     "Options of the database driver: libpq's keywords, and the JDBC names libpq has a like for",
     "connectTimeout, gssEncMode, kerberosServerName, channelBinding and targetServerType are translated"},
};

constexpr std::string_view keywords[] = {"application_name",
                                         "channel_binding",
                                         "connect_timeout",
                                         "fallback_application_name",
                                         "gssencmode",
                                         "gsslib",
                                         "hostaddr",
                                         "keepalives",
                                         "keepalives_count",
                                         "keepalives_idle",
                                         "keepalives_interval",
                                         "krbsrvname",
                                         "load_balance_hosts",
                                         "options",
                                         "passfile",
                                         "require_auth",
                                         "requirepeer",
                                         "service",
                                         "ssl_max_protocol_version",
                                         "ssl_min_protocol_version",
                                         "sslcompression",
                                         "sslcrl",
                                         "sslcrldir",
                                         "sslsni",
                                         "target_session_attrs",
                                         "tcp_user_timeout"};

}  // namespace

std::span<const std::string_view> driver_keywords() { return keywords; }

std::span<const Property> connection_properties() { return rows; }

}  // namespace cdc::config
