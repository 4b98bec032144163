// The header of NumPy's .npy files: the Python dictionary that gives the element type, the order and the shape; and how
// .npy files are refused. Source: "NPY format" on NumPy's page numpy.lib.format.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/core/violation.hpp>

namespace goldml::io {

inline constexpr std::size_t npy_dimension_count_limit = 64;  // NPY_MAXDIMS since NumPy 2.0
// A header of the types that are read takes less than 2 KiB; the rest of this is room for padding.
inline constexpr std::uint64_t npy_header_limit_in_bytes = std::uint64_t{1} << 20;

namespace detail {

inline constexpr std::string_view npy_magic = "\x93NUMPY";
inline constexpr std::array<std::string_view, 3> npy_keys{"descr", "fortran_order", "shape"};
inline constexpr std::string_view npy_element_types = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8";

[[noreturn]] inline void refuse_npy(std::string_view rule, std::string_view member, const violation_text& got,
                                    const violation_text& wanted, const violation_text& why = {}) {
  throw error(violation{rule, "npy", "", member, std::nullopt, got, wanted, why});
}

// A part of a file as printable text, at most 40 bytes of it, so that a hostile file cannot garble a terminal.
inline std::string printable(std::string_view bytes) {
  std::string text;
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes.substr(0, 40)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c >= ' ' && c <= '~')
      text += c;
    else
      text.append("\\x") += {digits[byte / 16], digits[byte % 16]};
  }
  return text + (bytes.size() > 40 ? "..." : "");
}

// NumPy's kind and size of each data type, indexed by the enumerator's value.
inline constexpr std::array<std::string_view, 12> npy_codes{"",   "f4", "f2", "u4", "u2", "u1",
                                                            "i4", "i2", "i1", "f8", "u8", "i8"};

// Empty for types without elements.
constexpr std::string_view npy_code(data_type type) {
  const auto value = static_cast<std::size_t>(type);
  return value < npy_codes.size() ? npy_codes[value] : "";
}

// A tuple as Python prints it: (), (3,), (2, 3).
inline std::string tuple_text(std::span<const std::uint64_t> shape) {
  std::string text;
  for (const std::uint64_t size : shape) text.append(text.empty() ? "(" : ", ") += std::to_string(size);
  return (shape.empty() ? "(" : text) + (shape.size() == 1 ? ",)" : ")");
}

struct npy_header {
  data_type type = data_type::unknown;
  std::endian byte_order = std::endian::little;
  bool boolean = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

// Reads the Python dictionary strictly: each of the three keys once, in any order, followed only by white space.
class npy_header_parser {
 public:
  // offset: of the text in the file, in bytes.
  npy_header_parser(std::string_view text, std::uint64_t offset) : text_(text), offset_(offset) {}

  npy_header parse() {
    expect('{');
    std::array<bool, npy_keys.size()> seen{};
    for (bool more = true; !accept('}'); more = accept(',')) {
      if (!more) refuse("',' or '}'");
      const std::uint64_t place = here();
      const std::string_view key = in_quotes("a key in quotes");
      const auto index = static_cast<std::size_t>(std::find(npy_keys.begin(), npy_keys.end(), key) - npy_keys.begin());
      if (index == npy_keys.size() || seen[index])
        refuse_npy("M20", "header", violation_text("key '{}' at byte {}", printable(key), place),
                   violation_text("each of descr, fortran_order, shape once"));
      seen[index] = true;
      expect(':');
      if (index == 0) descr();
      if (index == 1) fortran_order();
      if (index == 2) shape();
    }
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (!seen[i])
        refuse_npy("M20", "header", violation_text("without the key {}", npy_keys[i]),
                   violation_text("all of descr, fortran_order, shape"));
    skip_white_space();
    if (at_ != text_.size()) refuse("nothing but white space after the dictionary");
    return header_;
  }

 private:
  void skip_white_space() { at_ = std::min<std::size_t>(text_.find_first_not_of(" \t\r\n\f", at_), text_.size()); }

  std::uint64_t here() {
    skip_white_space();
    return offset_ + at_;
  }

  std::string_view rest() {
    skip_white_space();
    return text_.substr(at_);
  }

  bool accept(std::string_view token) {
    const bool found = rest().starts_with(token);
    if (found) at_ += token.size();
    return found;
  }
  bool accept(char token) { return accept(std::string_view(&token, 1)); }

  void expect(char token) {
    if (!accept(token)) refuse(std::string{'\'', token, '\''});
  }

  [[noreturn]] void refuse(std::string_view wanted) {
    const std::uint64_t place = here();
    refuse_npy("M20", "header",
               rest().empty() ? violation_text("at its end at byte {}", place)
                              : violation_text("\"{}\" at byte {}", printable(rest()), place),
               violation_text("{}", wanted));
  }

  // The text between two equal quotes. No valid text contains an escape.
  std::string_view in_quotes(std::string_view wanted) {
    const std::string_view text = rest();
    if (!text.starts_with('\'') && !text.starts_with('"')) refuse(wanted);
    const std::size_t end = text.find(text.front(), 1);
    if (end == std::string_view::npos) refuse("a closing quote");
    at_ += end + 1;
    return text.substr(1, end - 1);
  }

  void descr() {
    const std::uint64_t place = here();
    const std::string_view first = rest().substr(0, 1);
    if (first == "[" || first == "(")
      refuse_npy("M21", "descr", violation_text("\"{}\" at byte {}", printable(rest()), place),
                 violation_text("one of {}, b1", npy_element_types),
                 violation_text("structured types and subarrays have no DirectML data type"));
    const std::string_view text = in_quotes("a type in quotes");
    const std::string_view code = text.substr(std::min<std::size_t>(1, text.size()));
    const char order = text.empty() ? ' ' : text.front();
    header_.boolean = code == "b1";
    const auto place_of_code = std::find(npy_codes.begin() + 1, npy_codes.end(), header_.boolean ? "u1" : code);
    if (place_of_code != npy_codes.end())
      header_.type = data_type{static_cast<std::uint32_t>(place_of_code - npy_codes.begin())};
    // Writers other than NumPy mark one-byte types with '<' too.
    const bool ordered = order == '<' || order == '>' || (order == '|' && element_size_in_bytes(header_.type) == 1);
    if (header_.type == data_type::unknown || !ordered)
      refuse_npy("M21", "descr", violation_text("'{}' at byte {}", printable(text), place),
                 violation_text("'<' or '>' (one byte: or '|'), then one of {}, b1", npy_element_types),
                 violation_text("{}", reason(code)));
    header_.byte_order = order == '>' ? std::endian::big : std::endian::little;
  }

  static std::string_view reason(std::string_view code) {
    switch (code.empty() ? ' ' : code.front()) {
      case 'c':
        return "complex numbers have no DirectML data type";
      case 'O':
        return "Python objects are pickles, which are programs";
      case 'S':
      case 'a':
      case 'U':
        return "text has no DirectML data type";
      case 'V':
        return "raw bytes and records have no DirectML data type";
      case 'M':
      case 'm':
        return "dates and durations have no DirectML data type";
      default:
        return "";
    }
  }

  void fortran_order() {
    header_.fortran_order = accept("True");
    if (!header_.fortran_order && !accept("False")) refuse("True or False");
  }

  void shape() {
    expect('(');
    bool more = true;
    for (; !accept(')'); more = accept(',')) {
      if (!more) refuse("',' or ')'");
      if (header_.shape.size() == npy_dimension_count_limit)
        refuse("at most " + std::to_string(npy_dimension_count_limit) + " sizes");
      header_.shape.push_back(size());
    }
    if (more || header_.shape.size() != 1) return;
    --at_;
    refuse("',' after the only size, which makes it a tuple");
  }

  std::uint64_t size() {
    const std::string_view text = rest();
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (problem == std::errc::result_out_of_range) refuse("a size of at most 2^64-1");
    if (problem != std::errc{} || (length > 1 && text.front() == '0'))
      refuse("a size: a decimal integer of at least 0");
    at_ += length;
    if (text.substr(length).starts_with('L')) ++at_;  // Python 2's long integers
    return value;
  }

  std::string_view text_;
  std::uint64_t offset_;
  std::size_t at_ = 0;
  npy_header header_;
};

}  // namespace detail

}  // namespace goldml::io
