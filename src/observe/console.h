// Console: the one door to stderr. Whole lines and a single status line (the progress bar) share the
// terminal here without garbling each other. What the lines say is decided elsewhere (log, stats).
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace cdc::observe {

// Thread-safe. Never fails: a stderr that cannot be written is nothing a capture should die of.
class Console {
 public:
  explicit Console(int fd);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console();  // takes the status line away

  bool is_terminal() const { return terminal_; }  // and able to take a line back (TERM is not "dumb")
  bool has_colour() const { return colour_; }     // a terminal, and NO_COLOR is not set
  bool is_journal() const { return journal_; }    // systemd's journal reads this descriptor
  bool is_utf8() const { return utf8_; }          // the locale can show block characters
  unsigned width() const;                         // columns; 80 when unknown

  // Prints whole lines; a missing final newline is added. The status line is redrawn below them.
  void print(std::string_view lines);
  // Replaces the status line; empty: none. Does nothing unless is_terminal().
  void set_status(std::string_view status);

 private:
  void put(std::string_view bytes);
  const int fd_;
  bool terminal_ = false, colour_ = false, journal_ = false, utf8_ = false;
  std::mutex mutex_;
  std::string status_;  // guarded by mutex_
  std::string out_;     // guarded by mutex_; kept so that a line costs no allocation
};

}  // namespace cdc::observe
