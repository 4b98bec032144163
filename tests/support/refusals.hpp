// Shared by tests of rules: validate(), violations() and a call must report the same violation of an illegal desc, and
// no memory may change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/evaluate.hpp>
#include <goldml/oracle/case.hpp>

#include "../catch.hpp"
#include "../core/rules.hpp"

namespace goldml_test {

// All violations of a desc with these tensors, without memory.
template <class Desc, class Tensors>
std::vector<goldml::violation> violations_of(const Desc& desc, const Tensors& tensors) {
  const std::size_t inputs = goldml::input_tensor_count<Desc>(tensors.size());
  auto operands = goldml::make_operands<Desc>(inputs, tensors.size() - inputs);
  for (std::size_t i = 0; i < tensors.size(); ++i) operands[i].desc = tensors[i];
  std::vector<goldml::violation> all;
  goldml::violation_sink sink(&all);
  check(desc, operands, sink);
  return all;
}

template <class Tensors>
std::vector<goldml::violation> violations_of(const goldml::any_desc& desc, const Tensors& tensors) {
  auto operands = goldml::to_operands(tensors);
  std::vector<goldml::violation> all;
  goldml::violation_sink sink(&all);
  check(desc, operands, sink);
  return all;
}

namespace detail {

// Whether tensor `index` of `count` given tensors is an input. Optional operands may be omitted, either all
// or none.
template <class Desc>
constexpr bool is_input(std::size_t index, std::size_t count) {
  for (const goldml::operand_info& info : goldml::operator_traits<Desc>::operands) {
    if (info.optional && count < goldml::operand_info_count<Desc>) continue;
    if (index-- == 0) return info.role == goldml::operand_role::input;
  }
  return false;
}

template <class Desc, std::size_t Index, std::size_t Count>
using ref_type = std::conditional_t<is_input<Desc>(Index, Count), goldml::const_tensor_ref, goldml::tensor_ref>;

}  // namespace detail

// The codes of all violations, in their order: "A2 A3"; "" for a legal desc. `tensors` are what validate() takes, and
// call(refs...) calls the operator with tensors of these descs in memory of `words` UINT64 each. The call must refuse
// with the first violation, with all memory unchanged; without a violation it must write every output.
template <class Desc, class Call, class... Tensors>
std::string refused(std::size_t words, const Desc& desc, Call&& call, const Tensors&... tensors) {
  const std::vector<goldml::violation> all = violations(desc, tensors...);
  constexpr std::uint64_t untouched = 0xA5A5'A5A5'A5A5'A5A5;
  std::array<std::vector<std::uint64_t>, sizeof...(Tensors)> memory;
  for (std::size_t i = 0; i < memory.size();
       ++i)  // a different pattern for each, because an output may be a copy of an input
    memory[i].assign(words, untouched + i);
  const auto with_memory = [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto ref = [&]<std::size_t Index>(std::integral_constant<std::size_t, Index>, const goldml::tensor_desc& t) {
      return detail::ref_type<Desc, Index, sizeof...(Tensors)>(t, memory[Index].data(), words * sizeof(std::uint64_t));
    };
    call(ref(std::integral_constant<std::size_t, I>{}, tensors)...);
  };
  const std::string at_the_call = refusal_of([&] { with_memory(std::index_sequence_for<Tensors...>{}); });
  CHECK(at_the_call == (all.empty() ? "none" : all.front().rule));
  CHECK(rule_of(validate(desc, tensors...)) == at_the_call);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    INFO("tensor " << i);
    const bool may_change = all.empty() && !detail::is_input<Desc>(i, memory.size());
    CHECK((memory[i] == std::vector<std::uint64_t>(words, untouched + i)) == !may_change);
  }
  return rules::codes_of(all);
}

// The same for tensors in a vector, in the order of the C structure, as an operator with an array of tensors has them.
template <class Backend, class Desc>
std::string refused_by(const Backend& backend, std::size_t words, const Desc& desc,
                       const std::vector<goldml::tensor_desc>& tensors) {
  const std::vector<goldml::violation> all = violations_of(desc, tensors);
  const std::size_t input_count = goldml::input_tensor_count<Desc>(tensors.size());
  const auto initial = [&](std::size_t i) { return std::vector<std::uint64_t>(words, 0xA5A5'A5A5'A5A5'A5A5 + i); };
  std::vector<std::vector<std::uint64_t>> memory;
  std::vector<goldml::const_tensor_ref> inputs;
  std::vector<goldml::tensor_ref> outputs;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    memory.push_back(initial(i));  // a vector's elements stay where they are when it is moved
    if (i < input_count)
      inputs.emplace_back(tensors[i], memory.back().data(), words * sizeof(std::uint64_t));
    else
      outputs.emplace_back(tensors[i], memory.back().data(), words * sizeof(std::uint64_t));
  }
  const std::string at_the_call = refusal_of([&] {
    evaluate(backend, desc, std::span<const goldml::const_tensor_ref>(inputs),
             std::span<const goldml::tensor_ref>(outputs));
  });
  CHECK(at_the_call == (all.empty() ? "none" : all.front().rule));
  for (std::size_t i = 0; i < memory.size(); ++i) {
    INFO("tensor " << i);
    CHECK((memory[i] == initial(i)) == !(all.empty() && i >= input_count));
  }
  return rules::codes_of(all);
}

// The only violation of a desc.
template <class Desc, class... Tensors>
goldml::violation only_violation(const Desc& desc, const Tensors&... tensors) {
  const auto all = violations(desc, tensors...);
  REQUIRE(all.size() == 1);
  return all.front();
}

}  // namespace goldml_test
