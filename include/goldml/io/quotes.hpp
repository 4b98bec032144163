// Strangers' text (names in models, file names) in messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace goldml::io {

// A stranger's text, of at most `most` bytes and without control characters (C0, DEL, C1), so that a message stays one
// line and drives no terminal.
inline std::string in_quotes(std::string_view text, std::size_t most = 60) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t size = (std::min)(most, text.size());
  while (size > 0 && size < text.size() && (byte(size) & 0xC0) == 0x80) --size;  // never half a UTF-8 character
  std::string result = "'";
  for (std::size_t i = 0; i < size; ++i) {
    const bool c1 = byte(i) == 0xC2 && i + 1 < size && byte(i + 1) < 0xA0;
    result += c1 || byte(i) < 0x20 || byte(i) == 0x7F ? '?' : text[i];
    if (c1) ++i;
  }
  return result + (size < text.size() ? "...'" : "'");
}

}  // namespace goldml::io
