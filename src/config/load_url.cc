// Connection URLs as libpq writes them: postgres://user:password@host:port,host:port/database?option=value.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "config/catalogue.h"
#include "config/loaders.h"
#include "text/list.h"

namespace cdc::config {

namespace {

struct Scheme {
  std::string_view prefix;
  std::string_view source;
};
constexpr Scheme schemes[] = {
    {"postgres", "postgresql"}, {"postgresql", "postgresql"}, {"mysql", "mysql"},   {"mariadb", "mariadb"},
    {"mongodb", "mongodb"},     {"mongodb+srv", "mongodb"},   {"vitess", "vitess"}, {"oracle", "oracle"}};

// URL options that have a property of their own; every other libpq keyword becomes driver.<keyword>.
struct Option {
  std::string_view keyword;
  std::string_view property;
};
constexpr Option options[] = {{"host", "database.hostname"},
                              {"port", "database.port"},
                              {"user", "database.user"},
                              {"password", "database.password"},
                              {"dbname", "database.dbname"},
                              {"sslmode", "database.sslmode"},
                              {"sslcert", "database.sslcert"},
                              {"sslkey", "database.sslkey"},
                              {"sslpassword", "database.sslpassword"},
                              {"sslrootcert", "database.sslrootcert"}};

constexpr std::string_view place = "URL";
constexpr std::string_view form = "expected postgres://user@host:5432/database?sslmode=require";

const Scheme* scheme_of(std::string_view url) {
  const std::string name = text::lower(url.substr(0, url.find("://")));
  const auto* scheme =
      std::find_if(std::begin(schemes), std::end(schemes), [&](const Scheme& s) { return s.prefix == name; });
  return scheme == std::end(schemes) ? nullptr : scheme;
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

class UrlReader {
 public:
  explicit UrlReader(Loaded& out) : out_(out) {}

  void read(std::string_view url) {
    const std::size_t colon = url.find("://");
    if (colon == std::string_view::npos) return problem(fmt::format("The source must be a URL: {}", form));
    const Scheme* scheme = scheme_of(url);
    if (scheme == nullptr)
      return problem(
          fmt::format("There is no source '{}://'; known are postgres://, mysql://, mariadb://, "
                      "mongodb://, mongodb+srv://, vitess://, oracle://",
                      text::lower(url.substr(0, colon))));
    add("source", std::string(scheme->source));
    if (scheme->source == "postgresql") rest(url.substr(colon + 3));
  }

 private:
  void rest(std::string_view url) {
    if (const std::size_t hash = url.find('#'); hash != std::string_view::npos)
      return problem("A URL of a database has no #fragment; write %23 for a # in a password");
    const std::size_t query = url.find('?');
    std::string_view path = url.substr(0, query);
    std::string_view authority = path.substr(0, path.find('/'));
    path.remove_prefix(authority.size());
    const std::string_view settings =
        query == std::string_view::npos ? std::string_view() : url.substr(query + 1);
    // Before anything of it is named in a message: what looks like a host or an option may be a password.
    if (splits_credentials(authority, path, settings))
      return problem(
          "A / or ? or @ in the user name or the password of a URL has to be written as %2F or %3F or %40");
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
      user(authority.substr(0, at));
      authority.remove_prefix(at + 1);
    }
    hosts(authority);
    if (path.size() > 1) add_decoded("database.dbname", path.substr(1));
    parameters(settings);
  }

  // Whether the @ that ends the credentials comes behind what ended the authority.
  static bool splits_credentials(std::string_view authority, std::string_view path,
                                 std::string_view settings) {
    if (path.find('@') != std::string_view::npos) return true;
    const std::size_t at = settings.find('@');
    if (authority.find('@') != std::string_view::npos || at == std::string_view::npos) return false;
    const std::size_t colon = authority.rfind(':');
    const std::string_view port = colon == std::string_view::npos ? "" : authority.substr(colon + 1);
    return port.find_first_not_of("0123456789") != std::string_view::npos || at < settings.find('=');
  }

  void user(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon != 0 && !text.empty()) add_decoded("database.user", text.substr(0, colon));
    if (colon != std::string_view::npos) add_decoded("database.password", text.substr(colon + 1));
  }

  void hosts(std::string_view list) {
    if (list.empty()) return;
    std::string names, ports;
    bool any_port = false, first = true;
    while (true) {
      const std::size_t comma = list.find(',');
      const std::string_view one = list.substr(0, comma);
      const std::size_t bracket = one.find(']');  // [IPv6]:port
      const std::size_t colon = one.find(':', bracket == std::string_view::npos ? 0 : bracket);
      std::string_view host = one.substr(0, colon);
      if (host.size() >= 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
      const auto decoded = decode(host);
      if (!decoded) return;
      names += (first ? "" : ",") + *decoded;
      any_port = any_port || colon != std::string_view::npos;
      ports += (first ? "" : ",") +
               (colon == std::string_view::npos ? "5432" : std::string(one.substr(colon + 1)));
      first = false;
      if (comma == std::string_view::npos) break;
      list.remove_prefix(comma + 1);
    }
    if (!names.empty()) add("database.hostname", names);
    if (any_port) add("database.port", ports);
  }

  void parameters(std::string_view list) {
    while (!list.empty()) {
      const std::size_t amp = list.find('&');
      const std::string_view pair = list.substr(0, amp);
      list = amp == std::string_view::npos ? std::string_view{} : list.substr(amp + 1);
      if (pair.empty()) continue;
      const std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos) {
        problem(fmt::format("The URL option '{}' has no value", pair));
        continue;
      }
      parameter(pair.substr(0, equals), pair.substr(equals + 1));
    }
  }

  void parameter(std::string_view keyword, std::string_view value) {
    for (const Option& option : options)
      if (option.keyword == keyword) return add_decoded(option.property, value);
    if (keyword == "ssl" && value == "true") return add("database.sslmode", "require");
    const auto known = driver_keywords();
    if (std::find(known.begin(), known.end(), keyword) != known.end())
      return add_decoded(fmt::format("driver.{}", keyword), value);
    problem(fmt::format("There is no URL option '{}'", keyword));
  }

  std::optional<std::string> decode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '%') {
        out.push_back(text[i]);
        continue;
      }
      const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
      if (!high || !low || (*high == 0 && *low == 0)) {
        problem("A % in the URL must be followed by two hexadecimal digits; write %25 for a % itself");
        return std::nullopt;
      }
      out.push_back(static_cast<char>(static_cast<unsigned char>(*high * 16 + *low)));
      i += 2;
    }
    return out;
  }

  void add_decoded(std::string_view name, std::string_view value) {
    if (auto decoded = decode(value)) add(name, std::move(*decoded));
  }
  void add(std::string_view name, std::string value) {
    out_.entries.push_back(
        {std::string(name), std::move(value), std::nullopt, std::string(place), Form::url});
  }
  void problem(std::string message) {
    out_.problems.push_back(load_error(std::string(place), std::move(message)));
  }

  Loaded& out_;
};

}  // namespace

bool is_source_url(std::string_view text) {
  return text.find("://") != std::string_view::npos && scheme_of(text) != nullptr;
}

Loaded load_url(std::string_view url) {
  Loaded out;
  UrlReader(out).read(url);
  return out;
}

}  // namespace cdc::config
