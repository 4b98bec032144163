// The parts of an operator that the oracle needs, without the C++ type of its desc. Cases of any operator are
// generated, computed and judged by code that is compiled once.
//
//   for (const oracle::any_operator* op : oracle::every_operator()) make_case(*op, sample_case(*op, options, number));
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/oracle/case.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/oracle/random.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// A desc with one tensor desc per operand, in the order of the C structure; none for an omitted optional tensor.
template <class Desc>
struct sampled_case {
  Desc desc;
  per_operand<Desc, std::optional<tensor_desc>> tensors;
};

// Specialised for each operator: see sampler.hpp.
template <class Desc>
struct sampler;

// What only some samplers have. A null function is absent.
template <class Desc>
struct sampler_options {
  // Adapts a legal case to the class of data; absent: only the values are adapted.
  void (*suit)(random_source& random, data_class data, sampled_case<Desc>& c) = nullptr;
  // Adapts a legal case, before its strides are drawn, to policies that allow more than the default; absent: only the
  // policies are set.
  void (*suit_policies)(random_source& random, sampled_case<Desc>& c) = nullptr;
  // Sets inputs whose values depend on others; of a case that reads outputs these follow, in their places.
  void (*fill)(random_source& random, const Desc& desc, data_class data, std::span<host_tensor> inputs) = nullptr;
  // An input that must not be broadcast.
  std::optional<std::size_t> unshared_input = std::nullopt;
  // The main tensor, whose data type and sizes can be selected, is the first present one from this on.
  std::size_t main_tensor = 0;
};

// Functions that the operator's sampler does not have are null.
struct any_operator {
  const operator_description* description;
  const detail::golden_calls* golden;
  test_case<any_desc> (*sample)(random_source& random, goldml::feature_level level);
  std::string_view (*break_rule)(random_source& random, test_case<any_desc>& c);
  void (*suit)(random_source& random, data_class data, test_case<any_desc>& c);
  void (*suit_policies)(random_source& random, test_case<any_desc>& c);
  void (*fill)(random_source& random, const void* desc, data_class data, std::span<host_tensor> inputs);
  std::optional<std::size_t> unshared_input;
  std::size_t main_tensor;

  std::string_view name() const { return description->name; }
  std::span<const operand_info> operands() const { return description->operands; }
  std::span<const attribute> attributes() const { return description->attributes; }
  std::span<const attribute> policies() const { return description->policies; }
  goldml::feature_level first_level() const { return description->first_level(); }
};

namespace detail {

template <class Desc>
struct sampler_calls {
  static sampled_case<Desc> typed(test_case<any_desc>& c) {
    sampled_case<Desc> result{c.desc.as<Desc>(), {}};
    give_tensors(std::move(c.tensors), result.tensors);
    return result;
  }
  static void put(const sampled_case<Desc>& from, test_case<any_desc>& to) {
    to.desc = any_desc(from.desc);
    to.tensors.assign(from.tensors.begin(), from.tensors.end());
  }

  static test_case<any_desc> sample(random_source& random, goldml::feature_level level) {
    const sampled_case<Desc> sampled = sampler<Desc>::sample(random, level);
    return {any_desc(sampled.desc), {sampled.tensors.begin(), sampled.tensors.end()}};
  }
  static std::string_view break_rule(random_source& random, test_case<any_desc>& c) {
    sampled_case<Desc> sampled = typed(c);
    const std::string_view rule = sampler<Desc>::break_rule(random, sampled);
    put(sampled, c);
    return rule;
  }
  static void suit(random_source& random, data_class data, test_case<any_desc>& c) {
    sampled_case<Desc> sampled = typed(c);
    sampler<Desc>::options.suit(random, data, sampled);
    put(sampled, c);
  }
  static void suit_policies(random_source& random, test_case<any_desc>& c) {
    sampled_case<Desc> sampled = typed(c);
    sampler<Desc>::options.suit_policies(random, sampled);
    put(sampled, c);
  }
  static void fill(random_source& random, const void* desc, data_class data, std::span<host_tensor> inputs) {
    sampler<Desc>::options.fill(random, *static_cast<const Desc*>(desc), data, inputs);
  }
};

}  // namespace detail

// The desc of a case's main tensor; nullptr if there is none.
inline const tensor_desc* main_tensor_of(const any_operator& op, const test_case<any_desc>& c) {
  for (std::size_t i = op.main_tensor; i < c.tensors.size(); ++i)
    if (c.tensors[i]) return &*c.tensors[i];
  return nullptr;
}

// Include the operator's sampler first.
template <class Desc>
const any_operator& any_operator_of() {
  using calls = detail::sampler_calls<Desc>;
  static const any_operator op = [] {
    constexpr const sampler_options<Desc>& options = sampler<Desc>::options;
    any_operator result{&description_of<Desc>(),
                        &detail::golden_calls_of<Desc>(),
                        calls::sample,
                        nullptr,
                        nullptr,
                        nullptr,
                        nullptr,
                        options.unshared_input,
                        options.main_tensor};
    if constexpr (requires { &sampler<Desc>::break_rule; }) result.break_rule = calls::break_rule;
    if constexpr (options.suit != nullptr) result.suit = calls::suit;
    if constexpr (options.suit_policies != nullptr) result.suit_policies = calls::suit_policies;
    if constexpr (options.fill != nullptr) result.fill = calls::fill;
    return result;
  }();
  return op;
}

}  // namespace goldml::oracle
