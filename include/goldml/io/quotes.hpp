// Makes text from files (names in models, file names) safe to print to a terminal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

namespace goldml::io {

namespace detail {

// A character of UTF-8 text: its code point and its length in bytes.
struct utf8_character {
  char32_t code_point;
  std::size_t length;
  bool valid;
};

// The first character of a non-empty text, or its first byte if it is invalid UTF-8. Source: RFC 3629, 4.
inline utf8_character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || text.size() < length) return {lead, 1, false};
  auto code_point = static_cast<char32_t>(lead & (0xFF >> (length + 1)));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 1, false};
    code_point = code_point << 6 | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code_point < 0x800) || (length == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (overlong || surrogate || code_point > 0x10FFFF) return {lead, 1, false};
  return {code_point, length, true};
}

// Whether a terminal may interpret the character instead of showing it: C0, DEL and C1 controls (including newline and
// ESC), line and paragraph separators, and Unicode's Bidi_Control, which reorders text.
constexpr bool drives_terminals(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace detail

// The text as one line that is safe for terminals: '?' replaces each character that controls a terminal and each byte
// that is not UTF-8. All text from files or arguments is passed through this function before it is printed. Idempotent.
inline std::string terminal_text(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const detail::utf8_character c = detail::first_character(text);
    if (!c.valid || detail::drives_terminals(c.code_point))
      result += '?';
    else
      result += text.substr(0, c.length);
    text.remove_prefix(c.length);
  }
  return result;
}

// terminal_text() of at most `most` bytes, in quotes.
inline std::string in_quotes(std::string_view text, std::size_t most = 60) {
  std::size_t size = (std::min)(most, text.size());
  // Does not split a UTF-8 character.
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return "'" + terminal_text(text.substr(0, size)) + (size < text.size() ? "...'" : "'");
}

// A path as text for messages, with '/' as separator. In UTF-8, also on Windows, where path.string() throws for names
// outside the code page.
inline std::string path_text(const std::filesystem::path& path) {
  try {
    const std::u8string text = path.generic_u8string();
    return terminal_text({reinterpret_cast<const char*>(text.data()), text.size()});
  } catch (const std::exception&) {  // an unpaired surrogate
    std::string text;
    for (const auto c : path.native()) text += c > 0x1F && c < 0x7F ? static_cast<char>(c) : '?';
    return text;
  }
}

// A path in quotes. A long path is truncated at the beginning, because its end distinguishes files.
inline std::string path_in_quotes(const std::filesystem::path& path) {
  constexpr std::size_t most = 100;
  std::string text = path_text(path);
  if (text.size() <= most) return in_quotes(text, most);
  std::size_t begin = text.size() - most;
  while ((static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  return in_quotes("..." + text.substr(begin), most + 3);
}

// A word of a POSIX shell, in which nothing of the text is special: in single quotes, of which each in the text ends
// them for an escaped one.
inline std::string shell_word(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// A file as such a word, which no program takes for an option: "-x.json" is "./-x.json".
inline std::string shell_file(const std::filesystem::path& path) {
  const std::string text = path_text(path);
  return shell_word(text.starts_with('-') ? "./" + text : text);
}

}  // namespace goldml::io
