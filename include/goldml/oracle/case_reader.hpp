// Splits the text of a case into words, numbers, lists and tensors. case_text.hpp interprets them.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/attributes.hpp>
#include <goldml/core/float16.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/core/violation.hpp>

namespace goldml::oracle::detail {

// Splits the text of a case. Refusals have the code M10.
class case_reader {
 public:
  explicit case_reader(std::string_view text) : text_(text) {}

  // The words of a case, each without the blanks and ends of lines that a test framework or a terminal has put into it
  // to wrap a line: a word begins with the operator's name, or with a name before '=' outside of lists.
  static std::string unwrapped(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    constexpr std::string_view of_names = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const auto is_sign = [&](char c) { return of_names.find(c) == std::string_view::npos; };
    const auto skip = [&](std::string_view set, std::size_t at) {
      return (std::min)(text.find_first_not_of(set, at), text.size());
    };
    const auto begins_word = [&](std::size_t at) {
      const std::size_t end = skip(of_names, at);
      const std::size_t equals = skip(blanks, end);
      return end > at && equals < text.size() && text[equals] == '=';
    };
    std::string result;
    int lists = 0;
    for (std::size_t at = skip(blanks, 0); at < text.size();) {
      const char c = text[at];
      if (blanks.find(c) == std::string_view::npos) {
        lists += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        result += c;
        ++at;
        continue;
      }
      at = skip(blanks, at);
      const bool inside = at < text.size() && (is_sign(result.back()) || is_sign(text[at]));
      if (!inside || (lists <= 0 && begins_word(at))) result += ' ';
    }
    return result;
  }

  // The next word, or nothing at the end.
  std::string_view next_word() {
    const std::size_t begin = (std::min)(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    const std::size_t end = (std::min)(text_.find_first_of(" \t\r\n", begin), text_.size());
    at_ = end;
    return text_.substr(begin, end - begin);
  }

  [[noreturn]] static void refuse(std::string_view got, std::string_view wanted) {
    throw error({.rule = "M10",
                 .operator_name = "case",
                 .operand = "",
                 .member = "word",
                 .index = {},
                 .got = violation_text("'{}'", got.substr(0, 100)),
                 .wanted = violation_text("{}", wanted),
                 .why = {}});
  }

  template <class T>
  static T number(std::string_view text, int base = 10) {
    T value{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (failed != std::errc{} || end != text.data() + text.size()) refuse(text, "an integer in range");
    return value;
  }

  // {1,2,3}
  static dimensions list(std::string_view text) {
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') refuse(text, "a list such as {1,2,3}");
    dimensions result;
    if (text.size() == 2) return result;
    std::string_view rest = text.substr(1, text.size() - 2);
    for (;;) {
      const std::size_t comma = rest.find(',');
      result.push_back(number<std::uint32_t>(rest.substr(0, comma)));
      if (comma == std::string_view::npos) return result;
      rest = rest.substr(comma + 1);
    }
  }

  static data_type type(std::string_view text) {
    const auto found = data_type_from_name(text);
    if (!found) refuse(text, "a data type such as FLOAT32");
    return *found;
  }

  // Removes ':' and the elements, {1,2,3}, from a tensor's text, and returns the elements; empty if there are none.
  static std::string_view cut_elements(std::string_view& text) {
    const std::size_t colon = (std::min)(text.find(':'), text.size());
    const std::string_view elements = text.substr((std::min)(colon + 1, text.size()));
    if (colon < text.size() && elements.empty()) refuse(text, "a tensor with elements such as FLOAT32{2}:{1,0}");
    text = text.substr(0, colon);
    return elements;
  }

  static tensor_desc tensor(std::string_view text) {
    tensor_desc desc;
    const std::string_view whole = text;
    // Removes a mark and the text after it, and returns that text; nullopt if there is no mark.
    const auto cut = [&](char mark) -> std::optional<std::string_view> {
      const std::size_t at = text.find(mark);
      if (at == std::string_view::npos) return std::nullopt;
      const std::string_view rest = text.substr(at + 1);
      text = text.substr(0, at);
      return rest;
    };
    if (const auto value = cut('!')) desc.type = static_cast<tensor_type>(number<std::uint32_t>(*value));
    if (const auto value = cut('#')) desc.flags = static_cast<tensor_flags>(number<std::uint32_t>(*value));
    if (const auto value = cut('%')) desc.guaranteed_base_offset_alignment = number<std::uint32_t>(*value);
    if (const auto value = cut('@')) desc.total_tensor_size_in_bytes = number<std::uint64_t>(*value);
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
      desc.strides = list(text.substr(slash + 1));
      text = text.substr(0, slash);
    }
    const std::size_t brace = text.find('{');
    if (brace == std::string_view::npos) refuse(whole, "a tensor such as FLOAT32{2,3}/{1,2}@32");
    desc.data_type = type(text.substr(0, brace));
    desc.sizes = list(text.substr(brace));
    return desc;
  }

  static float float_number(std::string_view text) {
    if (text.starts_with("0x")) return std::bit_cast<float>(number<std::uint32_t>(text.substr(2), 16));
    return floating_number<float>(text);
  }

  template <class T>
  static T floating_number(std::string_view text) {
    T value{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{} || end != text.data() + text.size())
      refuse(text, "a number or its bits, such as 0x3F800000");
    return value;
  }

  static std::uint32_t enumerator(std::string_view text, const enumeration_names& names) {
    if (const auto found = names.value_of(text)) return *found;
    if (text.find_first_not_of("0123456789") != std::string_view::npos) refuse(text, "an enumerator's name or number");
    return number<std::uint32_t>(text);
  }

  static bool boolean(std::string_view text) {
    if (text != "true" && text != "false") refuse(text, "true or false");
    return text == "true";
  }

  // The parts of {1,2,3}, split at commas outside inner braces.
  static std::vector<std::string_view> parts(std::string_view text) {
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') refuse(text, "a list such as {1,2,3}");
    std::vector<std::string_view> result;
    text = text.substr(1, text.size() - 2);
    if (text.empty()) return result;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i == text.size() || (text[i] == ',' && depth == 0)) {
        result.push_back(text.substr(begin, i - begin));
        begin = i + 1;
      } else {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
      }
    }
    return result;
  }

  static goldml::scalar scalar(std::string_view text) {
    if (text == "none") return {};
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || text.substr(colon + 1, 2) != "0x")
      refuse(text, "a scalar such as FLOAT32:0x3F800000");
    const auto bits = number<std::uint64_t>(text.substr(colon + 3), 16);
    const data_type value_type = type(text.substr(0, colon));
    const std::uint32_t size = element_size_in_bytes(value_type);
    if (size == 0 || (size < 8 && bits >> (8 * size) != 0)) refuse(text, "as many bits as the data type has");
    return goldml::scalar::from_bits(value_type, bits);
  }

  // An element of a tensor: a number, or its bits.
  static goldml::scalar element(data_type type, std::string_view text) {
    if (text.starts_with("0x")) return scalar(fmt::format("{}:{}", name_of(type), text));
    goldml::scalar result;
    if (is_4_bit(type)) {
      const bool is_signed = type == data_type::int4;
      const int least = is_signed ? -8 : 0;
      const auto value = number<std::int64_t>(text);
      if (value < least || value > least + 15) refuse(text, is_signed ? "an INT4, -8 to 7" : "a UINT4, 0 to 15");
      if (is_signed) return goldml::scalar(static_cast<std::int8_t>(value));
      return goldml::scalar(static_cast<std::uint8_t>(value));
    }
    const bool found = visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>)
        result = number<T>(text);
      else if constexpr (std::is_same_v<T, double>)
        result = floating_number<double>(text);
      else
        result = static_cast<T>(floating_number<float>(text));
    });
    if (!found) refuse(text, "no elements of a type that has none");
    return result;
  }

  // ACTIVATION_ELU{0.5}, ELEMENT_WISE_CLIP{-1,6}+scale_bias{2,0.5}
  static goldml::activation activation(std::string_view text) {
    const auto ends_with = [&](std::string_view what) {
      const bool found = text.ends_with(what);
      if (found) text.remove_suffix(what.size());
      return found;
    };
    const bool has_tensors = ends_with("+tensors");
    const std::size_t adjusted = text.find("+scale_bias");
    std::optional<scale_bias> adjustment;
    if (adjusted != std::string_view::npos) {
      const auto values = parts(text.substr(adjusted + std::string_view("+scale_bias").size()));
      if (values.size() != 2) refuse(text, "a Scale and a Bias");
      adjustment = scale_bias{float_number(values[0]), float_number(values[1])};
      text = text.substr(0, adjusted);
    }
    const std::size_t brace = (std::min)(text.find('{'), text.size());
    const activation_info* info = find_activation(text.substr(0, brace));
    // The number of an operator that is no activation, which illegal cases have.
    if (info == nullptr && !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos)
      return {number<std::uint32_t>(text), {}, has_tensors};
    if (info == nullptr) refuse(text, "an activation such as ACTIVATION_ELU{0.5}");
    if (adjustment && !info->takes_scale_bias) refuse(text, "an activation that takes a ScaleBias");
    const std::string_view braces = brace == text.size() ? "{}" : text.substr(brace);
    if (info->takes_axes)
      return {.operator_type = info->operator_type, .has_tensors = has_tensors, .axes = list(braces)};
    const auto values = parts(braces);
    if (values.size() != info->parameter_count()) refuse(text, "as many parameters as the activation has");
    goldml::activation result{info->operator_type, {}};
    for (std::size_t i = 0; i < values.size(); ++i) result.parameters[i] = float_number(values[i]);
    result.has_tensors = has_tensors;
    result.scale_bias = adjustment;
    return result;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace goldml::oracle::detail
