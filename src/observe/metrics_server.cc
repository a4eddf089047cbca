// The poll loop of the endpoint. Everything is bounded: number of connections, size of a request,
// time of a connection; a slow or broken client costs one place for five seconds.
#include "observe/metrics_server.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <vector>

namespace cdc::observe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxConnections = 16;
constexpr std::size_t kMaxRequest = 8192;
constexpr auto kDeadline = std::chrono::seconds(5);

struct Connection {
  int fd = -1;
  Clock::time_point deadline;
  std::string in, out;
  std::size_t sent = 0;
  bool answering() const { return !out.empty(); }
};

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Service Unavailable";
  }
}

std::string response(const HttpRequest& request, const HttpPages& pages) {
  HttpPage page;
  if (request.problem != 0) {
    page = {request.problem, "text/plain", fmt::format("{}\n", reason(request.problem))};
  } else {
    page = pages(request.path);
  }
  std::string text =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                  page.status, reason(page.status), page.type, page.body.size());
  if (!request.head) text += page.body;
  return text;
}

bool head_is_complete(std::string_view in) {
  return in.find("\r\n\r\n") != std::string_view::npos || in.find("\n\n") != std::string_view::npos;
}

// False when the connection is done with.
bool serve(Connection& c, const HttpPages& pages) {
  std::array<char, 2048> chunk;
  while (!c.answering()) {
    const ssize_t n = ::recv(c.fd, chunk.data(), chunk.size(), 0);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    if (n == 0) return false;
    c.in.append(chunk.data(), static_cast<std::size_t>(n));
    if (head_is_complete(c.in)) {
      c.out = response(parse_request(c.in), pages);
    } else if (c.in.size() > kMaxRequest) {
      c.out = response(HttpRequest{400, false, {}}, pages);
    }
  }
  while (c.sent < c.out.size()) {
    const ssize_t n = ::send(c.fd, c.out.data() + c.sent, c.out.size() - c.sent, MSG_NOSIGNAL);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    c.sent += static_cast<std::size_t>(n);
  }
  return false;
}

Result<int> listen_on(const HostPort& where, const std::string& address) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const std::string hint =
      "give --metrics-listen an address of this machine and a free port, such as 127.0.0.1:9187";
  if (const int rc =
          getaddrinfo(where.host.empty() ? nullptr : where.host.c_str(), where.port.c_str(), &hints, &found);
      rc != 0)
    return fail(ErrorKind::usage,
                fmt::format("cannot listen on {} for metrics: {}", address, gai_strerror(rc)), hint);
  int why = EADDRNOTAVAIL;
  int fd = -1;
  for (const addrinfo* a = found; a != nullptr && fd < 0; a = a->ai_next) {
    fd = ::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
    if (fd < 0) {
      why = errno;
      continue;
    }
    const int yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(fd, a->ai_addr, a->ai_addrlen) != 0 || ::listen(fd, 16) != 0) {
      why = errno;
      ::close(fd);
      fd = -1;
    }
  }
  freeaddrinfo(found);
  if (fd < 0)
    return fail(ErrorKind::usage,
                fmt::format("cannot listen on {} for metrics: {}", address, std::strerror(why)), hint);
  return fd;
}

std::uint16_t bound_port(int fd) {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0) return 0;
  if (at.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6*>(&at)->sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in*>(&at)->sin_port);
}

}  // namespace

HttpRequest parse_request(std::string_view head) {
  HttpRequest request;
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  const std::size_t method_end = line.find(' ');
  const std::size_t target_end = line.rfind(' ');
  if (method_end == std::string_view::npos || target_end <= method_end + 1 ||
      !line.substr(target_end + 1).starts_with("HTTP/1.")) {
    request.problem = 400;
    return request;
  }
  const std::string_view method = line.substr(0, method_end);
  const std::string_view target = line.substr(method_end + 1, target_end - method_end - 1);
  if (!target.starts_with('/') || target.find(' ') != std::string_view::npos) {
    request.problem = 400;
    return request;
  }
  if (method != "GET" && method != "HEAD") request.problem = 405;
  request.head = method == "HEAD";
  request.path = target.substr(0, target.find('?'));
  return request;
}

Result<HostPort> parse_listen_address(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorKind::usage, fmt::format("--metrics-listen {}: {}", text, why),
                "write ADDRESS:PORT, such as 127.0.0.1:9187 or [::1]:9187");
  };
  HostPort where{"127.0.0.1", std::string(text)};
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    std::string_view host = text.substr(0, colon);
    where.port = text.substr(colon + 1);
    if (host.starts_with('[')) {
      if (!host.ends_with(']') || host.size() < 3) return wrong("the bracket is not closed");
      host = host.substr(1, host.size() - 2);
    } else if (host.find(':') != std::string_view::npos) {
      return wrong("an IPv6 address needs brackets");
    }
    where.host = host;
  }
  const bool digits = !where.port.empty() && std::all_of(where.port.begin(), where.port.end(),
                                                         [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || where.port.size() > 5 || std::stoi(where.port) > 65535)
    return wrong("the port must be a number up to 65535");
  return where;
}

Result<std::unique_ptr<MetricsServer>> MetricsServer::start(const std::string& address, HttpPages pages) {
  CDC_TRY(const HostPort where, parse_listen_address(address));
  CDC_TRY(const int listener, listen_on(where, address));
  const int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) {
    const int why = errno;
    ::close(listener);
    return fail(ErrorKind::internal,
                fmt::format("cannot serve metrics on {}: {}", address, std::strerror(why)),
                "raise the limit of open files (ulimit -n)");
  }
  return std::unique_ptr<MetricsServer>(
      new MetricsServer(listener, wake, bound_port(listener), std::move(pages)));
}

MetricsServer::MetricsServer(int listener, int wake, std::uint16_t port, HttpPages pages)
    : listener_(listener), wake_(wake), port_(port), pages_(std::move(pages)) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { loop(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

MetricsServer::~MetricsServer() {
  stopping_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);
  thread_.join();
  ::close(listener_);
  ::close(wake_);
}

void MetricsServer::loop() {
  std::vector<Connection> open;
  std::vector<pollfd> wait;
  while (!stopping_) {
    // With all places taken the listener is not asked: new clients wait in its backlog.
    wait.assign({{wake_, POLLIN, 0}, {open.size() < kMaxConnections ? listener_ : -1, POLLIN, 0}});
    for (const Connection& c : open)
      wait.push_back({c.fd, static_cast<short>(c.answering() ? POLLOUT : POLLIN), 0});
    if (::poll(wait.data(), wait.size(), open.empty() ? -1 : 1000) < 0 && errno != EINTR) break;

    const auto now = Clock::now();
    for (std::size_t i = 0; i < open.size(); ++i) {
      const bool called = wait[i + 2].revents != 0;
      if ((called && !serve(open[i], pages_)) || now > open[i].deadline) {
        ::close(open[i].fd);
        open[i].fd = -1;
      }
    }
    std::erase_if(open, [](const Connection& c) { return c.fd < 0; });
    if (wait[1].revents == 0) continue;
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0)
      open.push_back({fd, now + kDeadline, {}, {}, 0});
    else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
      ::poll(wait.data(), 1, 100);  // no busy loop meanwhile
  }
  for (const Connection& c : open) ::close(c.fd);
}

}  // namespace cdc::observe
