// A short text that is formatted without allocation, so that validate() does not allocate. (fmt can do the same with a
// template that costs each translation unit more compile time than all rules of an operator.)
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

namespace goldml {

// Printed in hexadecimal, as 0x1f.
struct hexadecimal {
  std::uint64_t value;
};

namespace detail {

// A text with as many {} as there are arguments; otherwise a compile error.
template <std::size_t ArgumentCount>
class text_pattern {
 public:
  consteval text_pattern(const char* text) : text_(text) {  // NOLINT(google-explicit-constructor): a literal
    std::size_t count = 0;
    for (std::size_t at = text_.find("{}"); at != std::string_view::npos; at = text_.find("{}", at + 2)) ++count;
    if (count != ArgumentCount) throw "goldml: not as many {} as arguments";
  }

  std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

// A text that does not fit is truncated and ends in "...".
template <std::size_t Capacity>
class inline_text {
 public:
  inline_text() = default;

  // Arguments: integers, types convertible to std::string_view, hexadecimal, and types with append_text(text, value).
  template <class... Arguments>
  explicit inline_text(text_pattern<sizeof...(Arguments)> pattern, const Arguments&... arguments) {
    std::string_view rest = pattern.view();
    [[maybe_unused]] const auto put_next = [&](const auto& argument) {
      const std::size_t mark = rest.find("{}");
      append(rest.substr(0, mark));
      put(argument);
      rest.remove_prefix(mark + 2);
    };
    (put_next(arguments), ...);
    append(rest);
  }

  std::string_view view() const { return {text_.data(), size_}; }

  void append(std::string_view text) {
    for (const char c : text) {
      if (size_ == Capacity) {
        text_[Capacity - 1] = text_[Capacity - 2] = text_[Capacity - 3] = '.';
        return;
      }
      text_[size_++] = c;
    }
  }

  template <class T>
  void put(const T& value) {
    if constexpr (std::is_same_v<T, hexadecimal>) {
      append("0x");
      append_number(value.value, 16);
    } else if constexpr (std::is_integral_v<T>) {
      static_assert(!std::is_same_v<T, char> && !std::is_same_v<T, bool>);
      append_number(value, 10);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      append(value);
    } else {
      append_text(*this, value);
    }
  }

 private:
  template <class T>
  void append_number(T value, int base) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
    append({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }

  std::array<char, Capacity> text_{};
  std::size_t size_ = 0;
};

// A fmt formatter for types with append_text().
template <class T>
struct text_formatter {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }

  template <class Context>
  auto format(const T& value, Context& context) const {
    inline_text<160> text;
    text.put(value);
    return std::copy(text.view().begin(), text.view().end(), context.out());
  }
};

}  // namespace detail

}  // namespace goldml
