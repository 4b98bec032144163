// io/quotes.hpp: text from files is safe to print to a terminal.
#include <filesystem>
#include <string>
#include <string_view>

#include <goldml/io/quotes.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using namespace std::string_view_literals;

// A code point in UTF-8, up to U+FFFF.
std::string utf8(unsigned c) {
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
  return {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
          static_cast<char>(0x80 | (c & 0x3F))};
}

}  // namespace

TEST_CASE("quotes: controls, separators and bidirectional controls become one '?' each", "[quotes]") {
  for (unsigned c = 0; c <= 0xFFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool bidirectional =
        c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    const bool separator = c == 0x2028 || c == 0x2029;
    const std::string expected = control || bidirectional || separator ? "?" : utf8(c);
    if (io::terminal_text(utf8(c)) != expected) FAIL("U+" << std::hex << c);
  }
  CHECK(io::terminal_text("a\x1B[31mb\nc\td\x7F"
                          "e\xC2\x9B"
                          "f") == "a?[31mb?c?d?e?f");
  CHECK(io::terminal_text("gpj.\xE2\x80\xAE"
                          "exe") == "gpj.?exe");
  CHECK(io::terminal_text("\xF0\x9F\x98\x80") == "\xF0\x9F\x98\x80");  // U+1F600
  CHECK(io::terminal_text("") == "");
}

TEST_CASE("quotes: each byte that is not UTF-8 becomes '?'", "[quotes]") {
  for (const auto& [text, expected] : {std::pair{"\x80"sv, "?"sv},
                                       {"\x9B"
                                        "31m"sv,
                                        "?31m"sv},         // a C1 control in Latin-1
                                       {"\xC3"sv, "?"sv},  // cut off
                                       {"\xE2\x80"sv, "??"sv},
                                       {"\xF0\x9F\x98"sv, "???"sv},
                                       {"\xC0\x80"sv, "??"sv},  // overlong NUL
                                       {"\xC1\x9B"sv, "??"sv},
                                       {"\xE0\x80\x9B"sv, "???"sv},  // overlong
                                       {"\xE0\x9F\xBF"sv, "???"sv},
                                       {"\xE0\xA0\x80"sv, "\xE0\xA0\x80"sv},
                                       {"\xED\x9F\xBF"sv, "\xED\x9F\xBF"sv},
                                       {"\xED\xA0\x80"sv, "???"sv},  // a surrogate
                                       {"\xF0\x8F\xBF\xBF"sv, "????"sv},
                                       {"\xF0\x90\x80\x80"sv, "\xF0\x90\x80\x80"sv},
                                       {"\xF4\x8F\xBF\xBF"sv, "\xF4\x8F\xBF\xBF"sv},  // U+10FFFF
                                       {"\xF4\x90\x80\x80"sv, "????"sv},
                                       {"\xF5\x80\x80\x80"sv, "????"sv},
                                       {"\xFF\xFE"sv, "??"sv},
                                       {"\xE2\x82x\xC3\xA9"sv, "??x\xC3\xA9"sv}})
    CHECK(io::terminal_text(text) == expected);
}

TEST_CASE("quotes: harmless text is unchanged", "[quotes]") {
  std::string all;
  for (int c = 0; c < 256; ++c)
    for (int d = 0; d < 256; ++d) all += {static_cast<char>(c), static_cast<char>(d)};
  const std::string once = io::terminal_text(all);
  CHECK(io::terminal_text(once) == once);
}

TEST_CASE("quotes: in quotes and truncated", "[quotes]") {
  CHECK(io::in_quotes("a\nb") == "'a?b'");
  CHECK(io::in_quotes("\xE2\x80\xAE") == "'?'");
  CHECK(io::in_quotes("abcdef", 3) == "'abc...'");
  CHECK(io::in_quotes("ab\xE2\x80\xAE", 4) == "'ab...'");  // never a part of a character
}

TEST_CASE("quotes: paths are truncated at the beginning", "[quotes]") {
  CHECK(io::path_text("a/b\x1B.npy") == "a/b?.npy");
  CHECK(io::path_text(std::filesystem::path(u8"\u00E9/\u202Ea")) == "\xC3\xA9/?a");
  CHECK(io::path_in_quotes("a/b.npy") == "'a/b.npy'");
  CHECK(io::path_in_quotes(std::string(100, 'a') + "b") == "'..." + std::string(99, 'a') + "b'");
  CHECK(io::path_in_quotes("\xC3\xA9" + std::string(99, 'a')) == "'..." + std::string(99, 'a') + "'");
#ifndef _WIN32
  CHECK(io::path_text("a\xFF") == "a?");
#endif
}

TEST_CASE("C5: a word of a shell has the text between single quotes", "[quotes]") {
  CHECK(io::shell_word("models/a.json") == "'models/a.json'");
  CHECK(io::shell_word("$(touch pwned).json") == "'$(touch pwned).json'");
  CHECK(io::shell_word("it's `x`; \\") == "'it'\\''s `x`; \\'");
  CHECK(io::shell_word("") == "''");
  CHECK(io::shell_file("-x.json") == "'./-x.json'");
  CHECK(io::shell_file("--help") == "'./--help'");
  CHECK(io::shell_file("a/-x.json") == "'a/-x.json'");
}
