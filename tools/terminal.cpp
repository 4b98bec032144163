#include "terminal.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

#include <fmt/format.h>

namespace goldml::tool {

bool is_terminal(stream where) {
  const int file = where == stream::output ? 1 : 2;
#ifdef _WIN32
  return _isatty(file) != 0;
#else
  return isatty(file) != 0;
#endif
}

namespace {

constexpr std::size_t line_width = 78;

bool takes_colours([[maybe_unused]] stream where) {
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
#ifdef _WIN32
  // Consoles before Windows 10 have no such mode, and print the codes.
  HANDLE const console = GetStdHandle(where == stream::output ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
  constexpr DWORD virtual_terminal = 0x0004;  // ENABLE_VIRTUAL_TERMINAL_PROCESSING, which older headers lack
  DWORD mode = 0;
  return GetConsoleMode(console, &mode) != 0 && SetConsoleMode(console, mode | virtual_terminal) != 0;
#else
  const char* const terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) != "dumb";
#endif
}

std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string coloured(std::string_view text, colour c, stream where) {
  if (!is_terminal(where) || !takes_colours(where)) return std::string(text);
  return fmt::format("\x1B[{}m{}\x1B[0m", c == colour::red ? 31 : c == colour::green ? 32 : 33, text);
}

progress_bar::progress_bar(std::string_view what) : what_(what), terminal_(is_terminal(stream::error)) {}

progress_bar::~progress_bar() { clear(); }

void progress_bar::show(std::uint64_t done, std::uint64_t all) {
  using seconds = std::chrono::duration<double>;
  if (!terminal_ || done == 0 || done > all) return;
  const clock::time_point now = clock::now();
  if (seconds(now - start_).count() < 1 || seconds(now - last_).count() < 0.1) return;
  last_ = now;
  constexpr std::uint64_t width = 30;
  const double part = static_cast<double>(done) / static_cast<double>(all);
  const auto filled = static_cast<std::uint64_t>(part * width);
  const double left = seconds(now - start_).count() * (1 - part) / part;
  const std::string line = fmt::format("{}: [{:=<{}}{: <{}}] {}/{}, {} left", what_, "", filled, "", width - filled,
                                       done, all, time_text(left));
  std::cerr << fmt::format("\r{:<{}}", line, line_width) << std::flush;
  shown_ = true;
}

void progress_bar::clear() {
  if (shown_) std::cerr << fmt::format("\r{:<{}}\r", "", line_width) << std::flush;
  shown_ = false;
}

}  // namespace goldml::tool
