// A complete test case as one line of text: what a failing report prints is what the generator, the tool and a program
// accept. Printing and parsing are inverse.
//
//   ARGMIN InputTensor=FLOAT32{3,3}/{1,3} OutputTensor=UINT32{3,1} Axes={1} AxisDirection=INCREASING nan_policy=skip
//       feature_level=6_4 data=ties seed=42                                                        (in one line)
//
// A tensor is its data type and sizes, then where they are given /strides, @TotalTensorSizeInBytes,
// %GuaranteedBaseOffsetAlignment, #Flags and !Type as numbers; a scalar is its
// data type and bits, Value=FLOAT32:0x40E00000. Words may come in any order after the operator's name; what is left out
// has its default, and an optional tensor left out is not there.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/number_text.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/violation.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/data_class.hpp>

namespace goldml::oracle {

template <class Desc>
struct test_case {
  Desc desc;
  // One an operand, in the order of the C structure.
  std::array<std::optional<tensor_desc>, operator_traits<Desc>::operands.size()> tensors;
  data_class data = data_class::uniform;
  std::uint64_t seed = 0;  // of the input values
};

namespace detail {

inline std::string tensor_text(const tensor_desc& desc) {
  std::string text = fmt::format("{}{}", name_of(desc.data_type), desc.sizes);
  if (!desc.strides.empty()) text += fmt::format("/{}", desc.strides);
  if (desc.total_tensor_size_in_bytes) text += fmt::format("@{}", *desc.total_tensor_size_in_bytes);
  if (desc.guaranteed_base_offset_alignment != 0) text += fmt::format("%{}", desc.guaranteed_base_offset_alignment);
  if (desc.flags != tensor_flags::none) text += fmt::format("#{}", static_cast<std::uint32_t>(desc.flags));
  if (desc.type != tensor_type::buffer) text += fmt::format("!{}", static_cast<std::uint32_t>(desc.type));
  return text;
}

template <class Member>
std::string member_text(const Member& value) {
  if constexpr (std::is_same_v<Member, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<Member>) {
    for (const auto& entry : enumeration<Member>::values)
      if (entry.value == value) return std::string(entry.name);
    return fmt::format("{}", static_cast<std::underlying_type_t<Member>>(value));  // illegal, but a case all the same
  } else if constexpr (std::is_same_v<Member, scalar>) {
    if (!value.type()) return "none";
    std::string text(name_of(*value.type()));
    visit_data_type(all_types{}, *value.type(),
                    [&]<class T>(std::type_identity<T>) { text += ":" + bits_text(value.template as<T>()); });
    return text;
  } else {
    return fmt::format("{}", value);
  }
}

// Takes a case's text apart. Refusals carry the code M10.
class case_reader {
 public:
  explicit case_reader(std::string_view text) : text_(text) {}

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

  static tensor_desc tensor(std::string_view text) {
    tensor_desc desc;
    const std::string_view whole = text;
    // Cuts off what follows a mark at the end; nullopt where there is none.
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

  template <class Member>
  static Member member(std::string_view text) {
    if constexpr (std::is_same_v<Member, bool>) {
      if (text != "true" && text != "false") refuse(text, "true or false");
      return text == "true";
    } else if constexpr (std::is_enum_v<Member>) {
      if (const auto found = enumerator_from_name<Member>(text)) return *found;
      if (text.find_first_not_of("0123456789") != std::string_view::npos)
        refuse(text, "an enumerator's name or number");
      return static_cast<Member>(number<std::underlying_type_t<Member>>(text));
    } else if constexpr (std::is_same_v<Member, scalar>) {
      if (text == "none") return {};
      const std::size_t colon = text.find(':');
      if (colon == std::string_view::npos || text.substr(colon + 1, 2) != "0x")
        refuse(text, "a scalar such as FLOAT32:0x3F800000");
      const auto bits = number<std::uint64_t>(text.substr(colon + 3), 16);
      const data_type value_type = type(text.substr(0, colon));
      const std::uint32_t size = element_size_in_bytes(value_type);
      if (size == 0 || (size < 8 && bits >> (8 * size) != 0)) refuse(text, "as many bits as the data type has");
      return scalar::from_bits(value_type, bits);
    } else if constexpr (std::is_same_v<Member, dimensions>) {
      return list(text);
    } else {
      return number<Member>(text);
    }
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace detail

template <class Desc>
std::string to_string(const test_case<Desc>& c) {
  using traits = operator_traits<Desc>;
  std::string text(traits::name);
  for (std::size_t i = 0; i < c.tensors.size(); ++i)
    if (c.tensors[i]) text += fmt::format(" {}={}", traits::operands[i].name, detail::tensor_text(*c.tensors[i]));
  const auto append = [&](const auto&... a) {
    ((text += fmt::format(" {}={}", a.name, detail::member_text(c.desc.*a.member))), ...);
  };
  std::apply(append, traits::attributes);
  std::apply(append, traits::policies);
  return text + fmt::format(" feature_level={} data={} seed={}", name_of(c.desc.feature_level), enumerator_name(c.data),
                            c.seed);
}

// Throws error M10 for text that is no case of this operator. Whether the case is legal is check()'s to say.
template <class Desc>
test_case<Desc> parse_case(std::string_view text) {
  using traits = operator_traits<Desc>;
  using detail::case_reader;
  case_reader reader(text);
  test_case<Desc> result;
  std::vector<std::string_view> names;  // that have been
  if (const std::string_view name = reader.next_word(); name != traits::name) case_reader::refuse(name, traits::name);
  for (std::string_view word = reader.next_word(); !word.empty(); word = reader.next_word()) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) case_reader::refuse(word, "name=value");
    const std::string_view name = word.substr(0, equals);
    if (std::find(names.begin(), names.end(), name) != names.end()) case_reader::refuse(word, "each name once");
    names.push_back(name);
    // A test framework that breaks long lines may have broken this one behind the '='.
    const std::string_view value = equals + 1 < word.size() ? word.substr(equals + 1) : reader.next_word();
    bool known = true;
    const auto read = [&](const auto&... a) {
      return ((a.name == name
                   ? (result.desc.*a.member =
                          case_reader::member<std::remove_reference_t<decltype(result.desc.*a.member)>>(value),
                      true)
                   : false) ||
              ...);
    };
    if (name == "feature_level") {
      const auto level = feature_level_from_name(value);
      if (!level) case_reader::refuse(word, "a feature level such as 6_4");
      result.desc.feature_level = *level;
    } else if (name == "data") {
      result.data = case_reader::member<data_class>(value);
    } else if (name == "seed") {
      result.seed = case_reader::number<std::uint64_t>(value);
    } else {
      known = std::apply(read, traits::attributes) || std::apply(read, traits::policies);
      for (std::size_t i = 0; i < traits::operands.size(); ++i)
        if (traits::operands[i].name == name) {
          result.tensors[i] = case_reader::tensor(value);
          known = true;
        }
    }
    if (!known) case_reader::refuse(word, "a tensor, attribute or policy of the operator, feature_level, data or seed");
  }
  return result;
}

}  // namespace goldml::oracle
