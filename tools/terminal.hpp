// What is printed only to a terminal: colour, and the progress of work that takes more than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace goldml::tool {

enum class stream { output, error };

bool is_terminal(stream where);

enum class colour { red, green, yellow };

// The text in colour if the stream is a terminal that takes colours. Never if the environment variable NO_COLOR is set
// and not empty (no-color.org), if TERM is dumb, and in consoles of Windows that have no virtual terminal.
std::string coloured(std::string_view text, colour c, stream where);

// Shows on standard error how much of some work is done, with an estimate of the remaining time: from the second second
// on, and only on a terminal. The line is removed at the end.
class progress_bar {
 public:
  explicit progress_bar(std::string_view what);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void show(std::uint64_t done, std::uint64_t all);

  // Removes the line, so that something else can be printed.
  void clear();

 private:
  using clock = std::chrono::steady_clock;

  std::string what_;
  bool terminal_;
  bool shown_ = false;
  clock::time_point start_ = clock::now();
  clock::time_point last_ = start_;
};

}  // namespace goldml::tool
