// A complete test case as one line of text, which reports print and which the generator, the tool and programs accept.
// Printing and parsing are inverse.
//
//   ARGMIN InputTensor=FLOAT32{3,3}/{1,3} OutputTensor=UINT32{3,1} Axes={1} AxisDirection=INCREASING nan_policy=skip
//       feature_level=6_4 data=ties seed=42                                                        (in one line)
//
// A tensor is its data type and sizes, followed by optional parts: /strides, @TotalTensorSizeInBytes,
// %GuaranteedBaseOffsetAlignment, #Flags and !Type as numbers; for an input also : and its elements in row-major order,
// as numbers or bits. Without them the elements are generated from data and seed. Example:
// FLOAT32{3}:{1,-0.5,0x7FC00000}. An output that the case reads before it writes it has elements, too. A scalar is its
// data type and bits, Value=FLOAT32:0x40E00000; an array of tensors is [FLOAT32{2,3};FLOAT32{2,4}]. After the
// operator's name words may be in any order. An omitted word has its default; an omitted optional tensor is null.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/any_desc.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/case_text.hpp>
#include <goldml/oracle/data_class.hpp>

namespace goldml::oracle {

struct generate_options;

template <class Desc>
struct test_case {
  Desc desc;
  // One per operand, in the order of the C structure; none for an omitted optional tensor.
  per_operand<Desc, std::optional<tensor_desc>> tensors;
  data_class data = data_class::uniform;
  std::uint64_t seed = 0;  // of the input values
  // The elements of inputs in row-major order; empty for inputs whose elements are generated from data and seed. One
  // entry per tensor, or none at all.
  std::vector<std::vector<scalar>> elements = {};
  // What was asked for, if the case was drawn: not part of the line. Shrinking keeps to it.
  std::shared_ptr<const generate_options> selection = {};
};

// The same for an operator that is known at run time.
template <>
struct test_case<any_desc> {
  any_desc desc;
  std::vector<std::optional<tensor_desc>> tensors;
  data_class data = data_class::uniform;
  std::uint64_t seed = 0;
  std::vector<std::vector<scalar>> elements = {};
  std::shared_ptr<const generate_options> selection = {};
};

namespace detail {

template <class Desc>
test_case<any_desc> to_any(const test_case<Desc>& c) {
  return {any_desc(c.desc), {c.tensors.begin(), c.tensors.end()}, c.data, c.seed, c.elements, c.selection};
}
inline const test_case<any_desc>& to_any(const test_case<any_desc>& c) { return c; }

// Throws std::invalid_argument for a number of tensors that the operator does not have.
template <std::size_t Count>
void give_tensors(std::vector<std::optional<tensor_desc>>&& from, std::array<std::optional<tensor_desc>, Count>& to) {
  if (from.size() != Count) throw std::invalid_argument("goldml: wrong number of tensors");
  std::move(from.begin(), from.end(), to.begin());
}
inline void give_tensors(std::vector<std::optional<tensor_desc>>&& from, std::vector<std::optional<tensor_desc>>& to) {
  to = std::move(from);
}

template <class Desc>
test_case<Desc> from_any(test_case<any_desc>&& c) {
  test_case<Desc> result{c.desc.as<Desc>(), {}, c.data, c.seed, std::move(c.elements), std::move(c.selection)};
  give_tensors(std::move(c.tensors), result.tensors);
  return result;
}

// A template, as are the others here whose parameter Any is any_desc, so that goldml::compiled can hold it.
template <class Any>
std::string text_of_case(const test_case<Any>& c) {
  const operator_description& op = c.desc.description();
  auto given = c.tensors;
  given.resize((std::max)(given.size(), op.operands.size() - (op.has_operand_array() ? 1 : 0)));  // a default case
  const auto tensor_text_of = [&](std::size_t i) {
    if (!given[i]) return std::string("none");
    const bool has_elements = i < c.elements.size() && !c.elements[i].empty();
    return tensor_text(*given[i]) + (has_elements ? ":" + elements_text(c.elements[i]) : "");
  };
  std::string text(op.name);
  for (std::size_t info = 0; info < op.operands.size(); ++info) {
    const std::size_t first = first_tensor(op.operands, info, given.size());
    const std::string_view name = op.operands[info].name;
    if (op.operands[info].is_array()) {
      std::string tensors;
      for (std::size_t i = 0; i < tensor_count(op.operands, info, given.size()); ++i)
        tensors += (i == 0 ? "" : ";") + tensor_text_of(first + i);
      text += fmt::format(" {}=[{}]", name, tensors);
    } else if (given[first]) {
      text += fmt::format(" {}={}", name, tensor_text_of(first));
    }
  }
  for (const attribute& a : op.attributes) text += fmt::format(" {}={}", a.name, attribute_text(a, c.desc.get()));
  for (const attribute& a : op.policies) text += fmt::format(" {}={}", a.name, attribute_text(a, c.desc.get()));
  return text +
         fmt::format(" feature_level={} data={} seed={}", name_of(c.desc.level()), enumerator_name(c.data), c.seed);
}

}  // namespace detail
// The line of a case, which parse_case() reads.
template <class Desc>
std::string to_string(const test_case<Desc>& c) {
  return detail::text_of_case<any_desc>(detail::to_any(c));
}

namespace detail {

// A tensor and its explicit elements.
struct read_tensor {
  std::optional<tensor_desc> desc;
  std::vector<scalar> elements = {};
};

inline read_tensor read_one_tensor(const operand_info& info, std::string_view text) {
  const std::string_view elements = case_reader::cut_elements(text);
  read_tensor result{case_reader::tensor(text)};
  if (elements.empty()) return result;
  if (info.role == operand_role::output && !info.read_with) case_reader::refuse(elements, "no elements of an output");
  for (const std::string_view element : case_reader::parts(elements))
    result.elements.push_back(case_reader::element(result.desc->data_type, element));
  if (result.elements.empty() || result.elements.size() != element_count(result.desc->sizes))
    case_reader::refuse(elements, fmt::format("{} elements", element_count(result.desc->sizes)));
  return result;
}

// The tensors of one operand: one, or [A;B].
inline std::vector<read_tensor> read_tensors(const operand_info& info, std::string_view text) {
  std::vector<read_tensor> result;
  if (!info.is_array()) {
    result.push_back(read_one_tensor(info, text));
    return result;
  }
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    case_reader::refuse(text, "an array of tensors such as [FLOAT32{2,3};FLOAT32{2,4}]");
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t end = (std::min)(text.find(';'), text.size());
    if (text.substr(0, end) == "none")
      result.emplace_back();
    else
      result.push_back(read_one_tensor(info, text.substr(0, end)));
    text.remove_prefix((std::min)(end + 1, text.size()));
  }
  return result;
}

}  // namespace detail

// Throws error M10 for text that is not a case of this operator. Does not check whether the case is legal.
template <class Any = any_desc>
test_case<Any> parse_case(const operator_description& op, std::string_view text) {
  using detail::case_reader;
  const std::string line = case_reader::unwrapped(text);
  case_reader reader(line);
  test_case<Any> result{Any(op), {}};
  void* const desc = result.desc.get();
  std::vector<std::string_view> names;  // names that have been read
  std::vector<std::vector<detail::read_tensor>> tensors(op.operands.size());
  if (const std::string_view name = reader.next_word(); name != op.name) case_reader::refuse(name, op.name);
  for (std::string_view word = reader.next_word(); !word.empty(); word = reader.next_word()) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) case_reader::refuse(word, "name=value");
    const std::string_view name = word.substr(0, equals);
    if (std::find(names.begin(), names.end(), name) != names.end()) case_reader::refuse(word, "each name once");
    names.push_back(name);
    const std::string_view value = word.substr(equals + 1);
    if (name == "feature_level") {
      const auto level = feature_level_from_name(value);
      if (!level) case_reader::refuse(word, "a feature level such as 6_4");
      result.desc.level() = *level;
    } else if (name == "data") {
      result.data = static_cast<data_class>(case_reader::enumerator(value, enumeration_of<data_class>()));
    } else if (name == "seed") {
      result.seed = case_reader::number<std::uint64_t>(value);
    } else {
      bool known = false;
      try {
        for (const std::span<const attribute> rows : {op.attributes, op.policies})
          for (const attribute& a : rows)
            if (a.name == name) detail::read_attribute(a, value, desc), known = true;
        for (std::size_t i = 0; i < op.operands.size(); ++i)
          if (op.operands[i].name == name) tensors[i] = detail::read_tensors(op.operands[i], value), known = true;
      } catch (const error& refusal) {
        violation named = refusal.violation();
        named.why = violation_text("{} of {}", name, op.name);
        throw error(named);
      }
      if (!known)
        case_reader::refuse(word, "a tensor, attribute or policy of the operator, feature_level, data or seed");
    }
  }
  bool elements_given = false;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].empty() && !op.operands[i].is_array()) tensors[i].emplace_back();
    if (const auto with = op.operands[i].read_with;
        with && !tensors[i].front().elements.empty() && !result.tensors[*with])
      case_reader::refuse(op.operands[i].name, "no elements of an output that is not read");
    for (detail::read_tensor& one : tensors[i]) {
      result.tensors.push_back(one.desc);
      elements_given = elements_given || !one.elements.empty();
      result.elements.push_back(std::move(one.elements));
    }
  }
  if (!elements_given) result.elements.clear();
  return result;
}

template <class Desc>
test_case<Desc> parse_case(std::string_view text) {
  return detail::from_any<Desc>(parse_case<any_desc>(description_of<Desc>(), text));
}

}  // namespace goldml::oracle

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template std::string oracle::detail::text_of_case<any_desc>(const oracle::test_case<any_desc>&);
extern template oracle::test_case<any_desc> oracle::parse_case<any_desc>(const operator_description&, std::string_view);
// clang-format on
}  // namespace goldml
#endif
