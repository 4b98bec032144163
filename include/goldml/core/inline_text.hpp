// A short text that is formatted without allocation, so that validate() does not allocate. (fmt can do the same with a
// template that costs each translation unit more compile time than all rules of an operator.)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include <fmt/core.h>

#include <goldml/core/cold.hpp>

namespace goldml {

// Printed in hexadecimal, as 0x1f.
struct hexadecimal {
  std::uint64_t value;
};

namespace detail {

class inline_text;

// A text with as many {} as there are arguments; otherwise a compile error.
template <std::size_t ArgumentCount>
class text_pattern {
 public:
  consteval text_pattern(const char* text) : text_(text) {  // NOLINT(google-explicit-constructor): a literal
    std::size_t count = 0;
    for (const char* at = text; *at != '\0'; ++at)
      if (at[0] == '{' && at[1] == '}') ++count;
    if (count != ArgumentCount) throw "goldml: not as many {} as arguments";
  }

  std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

// An argument of any type: an integer, a type convertible to std::string_view, hexadecimal, or a type with
// append_text(inline_text&, value). Refers to the value. Type-erased, so that texts need not be templates.
class text_argument {
 public:
  template <class T>
  text_argument(const T& value) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_same_v<T, hexadecimal>) {
      number_ = value.value;
      append_ = append_hexadecimal;
    } else if constexpr (std::is_integral_v<T>) {
      static_assert(!std::is_same_v<T, char> && !std::is_same_v<T, bool>);
      number_ = static_cast<std::uint64_t>(value);
      append_ = std::is_signed_v<T> ? append_signed : append_unsigned;
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      const std::string_view view = value;
      value_ = view.data();
      number_ = view.size();
      append_ = append_view;
    } else {
      value_ = &value;
      append_ = [](inline_text& text, const text_argument& a) { append_text(text, *static_cast<const T*>(a.value_)); };
    }
  }

  void append_to(inline_text& text) const { append_(text, *this); }

 private:
  static void append_hexadecimal(inline_text& text, const text_argument& a);
  static void append_signed(inline_text& text, const text_argument& a);
  static void append_unsigned(inline_text& text, const text_argument& a);
  static void append_view(inline_text& text, const text_argument& a);

  const void* value_ = nullptr;
  std::uint64_t number_ = 0;  // or the length of a text
  void (*append_)(inline_text&, const text_argument&);
};

// A text that does not fit is truncated and ends in "...".
class inline_text {
 public:
  static constexpr std::size_t capacity = 240;

  inline_text() = default;
  GOLDML_COLD explicit inline_text(text_pattern<0> pattern) { append(pattern.view()); }
  GOLDML_COLD inline_text(text_pattern<1> pattern, const text_argument& a) { fill(pattern.view(), {a}); }
  GOLDML_COLD inline_text(text_pattern<2> pattern, const text_argument& a, const text_argument& b) {
    fill(pattern.view(), {a, b});
  }
  GOLDML_COLD inline_text(text_pattern<3> pattern, const text_argument& a, const text_argument& b,
                          const text_argument& c) {
    fill(pattern.view(), {a, b, c});
  }

  std::string_view view() const { return {text_.data(), size_}; }

  GOLDML_COLD void append(std::string_view text) {
    const std::size_t size = (std::min)(text.size(), capacity - size_);
    std::copy_n(text.data(), size, text_.data() + size_);
    size_ += size;
    if (size < text.size()) text_[capacity - 1] = text_[capacity - 2] = text_[capacity - 3] = '.';
  }

  void put(const text_argument& argument) { argument.append_to(*this); }

 private:
  GOLDML_COLD void fill(std::string_view pattern, std::initializer_list<text_argument> arguments) {
    for (const text_argument& argument : arguments) {
      const std::size_t mark = pattern.find("{}");
      append(pattern.substr(0, mark));
      put(argument);
      pattern.remove_prefix(mark + 2);
    }
    append(pattern);
  }

  std::array<char, capacity> text_{};
  std::size_t size_ = 0;
};

GOLDML_COLD inline void append_number(inline_text& text, std::uint64_t number, unsigned base) {
  std::array<char, 20> digits;
  std::size_t first = digits.size();
  do {
    digits[--first] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number != 0);
  text.append({&digits[first], digits.size() - first});
}

inline void text_argument::append_hexadecimal(inline_text& text, const text_argument& a) {
  text.append("0x");
  append_number(text, a.number_, 16);
}
inline void text_argument::append_signed(inline_text& text, const text_argument& a) {
  const bool negative = a.number_ >> 63 != 0;
  if (negative) text.append("-");
  append_number(text, negative ? 0 - a.number_ : a.number_, 10);
}
inline void text_argument::append_unsigned(inline_text& text, const text_argument& a) {
  append_number(text, a.number_, 10);
}
inline void text_argument::append_view(inline_text& text, const text_argument& a) {
  text.append({static_cast<const char*>(a.value_), static_cast<std::size_t>(a.number_)});
}

// A fmt formatter for types with append_text().
template <class T>
struct text_formatter {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }

  template <class Context>
  auto format(const T& value, Context& context) const {
    inline_text text;
    text.put(value);
    return std::copy(text.view().begin(), text.view().end(), context.out());
  }
};

}  // namespace detail

}  // namespace goldml
