// A small HTTP endpoint for Prometheus and health checks: /metrics and /healthz, nothing else. One
// thread, one request a connection. What the pages say comes from the caller.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "cdc/error.h"

namespace cdc::observe {

struct HttpRequest {
  int problem = 0;    // 0, or the HTTP status that says what is wrong with it (400, 405)
  bool head = false;  // HEAD: no body wanted
  std::string path;   // without the query
};
// Reads the head of a request, as far as it came. Total: any bytes give an answer.
HttpRequest parse_request(std::string_view head);

struct HttpPage {
  int status = 200;
  std::string type;
  std::string body;
};
// The pages, called on the server's thread. An empty answer (status 404) for an unknown path.
using HttpPages = std::function<HttpPage(std::string_view path)>;

struct HostPort {
  std::string host;  // empty: every address
  std::string port;
};
// "127.0.0.1:9187", "[::1]:9187", "localhost:9187", ":9187" (every address), "9187" (loopback only).
Result<HostPort> parse_listen_address(std::string_view text);

class MetricsServer {
 public:
  // Listens at once; errors (address in use, ...) are of kind usage.
  static Result<std::unique_ptr<MetricsServer>> start(const std::string& address, HttpPages pages);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;
  std::uint16_t port() const { return port_; }

 private:
  MetricsServer(int listener, int wake, std::uint16_t port, HttpPages pages);
  void loop();
  int listener_, wake_;
  std::uint16_t port_;
  HttpPages pages_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace cdc::observe
