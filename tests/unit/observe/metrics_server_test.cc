// The HTTP endpoint over loopback, its request reader on any bytes, and its listen addresses.
#include "observe/metrics_server.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>
#include <string>
#include <vector>

using namespace cdc;
using namespace cdc::observe;

namespace {

int connect_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  return fd;
}

std::string ask(std::uint16_t port, const std::vector<std::string>& pieces) {
  const int fd = connect_to(port);
  for (const std::string& piece : pieces) {
    if (::send(fd, piece.data(), piece.size(), MSG_NOSIGNAL) < 0) break;
    ::usleep(2000);
  }
  std::string answer;
  char chunk[4096];
  for (ssize_t n; (n = ::recv(fd, chunk, sizeof chunk, 0)) > 0;)
    answer.append(chunk, static_cast<std::size_t>(n));
  ::close(fd);
  return answer;
}

}  // namespace

TEST_CASE("metrics endpoint answers GET and HEAD, and refuses the rest (CORE-MET-06)") {
  const auto server = MetricsServer::start("127.0.0.1:0", [](std::string_view path) {
    return path == "/metrics" ? HttpPage{200, "text/plain", "up 1\n"} : HttpPage{404, "text/plain", "no\n"};
  });
  REQUIRE(server.has_value());
  const std::uint16_t port = (*server)->port();
  CHECK(port != 0);
  const std::string whole = ask(port, {"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"});
  CHECK(whole.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(whole.find("Content-Length: 5\r\n") != std::string::npos);
  CHECK(whole.ends_with("\r\n\r\nup 1\n"));
  CHECK(ask(port, {"GET /met", "rics?x=1 HTTP/1.0\r\n", "\r\n"}).ends_with("up 1\n"));
  CHECK(ask(port, {"HEAD /metrics HTTP/1.1\r\n\r\n"}).ends_with("\r\n\r\n"));
  CHECK(ask(port, {"GET / HTTP/1.1\r\n\r\n"}).starts_with("HTTP/1.1 404 "));
  CHECK(ask(port, {"POST /metrics HTTP/1.1\r\n\r\n"}).starts_with("HTTP/1.1 405 "));
  CHECK(ask(port, {"\x16\x03\x01\n\n"}).starts_with("HTTP/1.1 400 "));
  CHECK(ask(port, {std::string(9000, 'A')}).find("400 Bad Request") != std::string::npos);
}

TEST_CASE("metrics endpoint: silent clients do not stop the others, nor the end") {
  const auto server = MetricsServer::start("127.0.0.1:0", [](std::string_view) {
    return HttpPage{200, "text/plain", "ok"};
  });
  REQUIRE(server.has_value());
  std::vector<int> silent;
  for (int i = 0; i < 8; ++i) silent.push_back(connect_to((*server)->port()));
  CHECK(ask((*server)->port(), {"GET /healthz HTTP/1.1\r\n\r\n"}).ends_with("ok"));
  for (const int fd : silent) ::close(fd);
}

TEST_CASE("metrics endpoint: an address in use or unknown is a usage error that names it") {
  const auto first = MetricsServer::start("127.0.0.1:0", [](std::string_view) { return HttpPage{}; });
  REQUIRE(first.has_value());
  const std::string taken = "127.0.0.1:" + std::to_string((*first)->port());
  const auto second = MetricsServer::start(taken, [](std::string_view) { return HttpPage{}; });
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().kind == ErrorKind::usage);
  CHECK(second.error().message.find(taken) != std::string::npos);
}

TEST_CASE("listen addresses") {
  const auto both = [](std::string_view text) {
    const auto where = parse_listen_address(text);
    return where ? where->host + "|" + where->port : "wrong";
  };
  CHECK(both("127.0.0.1:9187") == "127.0.0.1|9187");
  CHECK(both("[::1]:80") == "::1|80");
  CHECK(both(":9187") == "|9187");
  CHECK(both("9187") == "127.0.0.1|9187");
  for (const auto* bad : {"", "localhost", "::1:80", "[::1:80", "h:", "h:99999", "h:8o", "h:-1", "[]:80"}) {
    CAPTURE(bad);
    CHECK(both(bad) == "wrong");
  }
}

TEST_CASE("request reader is total") {
  CHECK(parse_request("").problem == 400);
  CHECK(parse_request("GET").problem == 400);
  CHECK(parse_request("GET /").problem == 400);
  CHECK(parse_request("GET  HTTP/1.1").problem == 400);
  CHECK(parse_request("GET /a b HTTP/1.1").problem == 400);
  CHECK(parse_request("GET http://x/ HTTP/1.1").problem == 400);
  CHECK(parse_request("GET /a?b HTTP/1.1\r\n").path == "/a");
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& c : bytes) c = "GET /HP1.\r\n ?\0\xff"[random() % 16];
    const HttpRequest request = parse_request(bytes);
    CHECK((request.problem != 0 || request.path.starts_with('/')));
  }
}
