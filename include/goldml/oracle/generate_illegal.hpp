// Illegal cases, each with the rule that it breaks: legal cases with one change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/shrink_attributes.hpp>

namespace goldml::oracle {

template <class Desc>
struct illegal_case {
  test_case<Desc> text;
  std::string_view rule;  // the code that validate() must report
};

namespace detail {

// Breaks a random rule of those for all operators and returns its code, or "" if the case cannot break it.
inline std::string_view break_shared_rule(random_source& random, test_case<any_desc>& c) {
  const std::size_t operand = random.below(c.tensors.size());
  if (!c.tensors[operand]) return "";
  tensor_desc& tensor = *c.tensors[operand];
  const operand_info& info = c.desc.description().info_of(operand, c.tensors.size());
  switch (random.below(10)) {
    case 0:
      if (is_optional_at(info, c.desc.level())) return "";
      c.tensors[operand].reset();
      return "T1";
    case 1:
      tensor.type = tensor_type::invalid;
      return "T2";
    case 2:
      tensor.data_type = data_type::unknown;
      return "T3";
    case 3:
      tensor.sizes = {};
      tensor.strides = {};
      return "T4";
    case 4:
      tensor.sizes[random.below(tensor.sizes.size())] = 0;
      return "T5";
    case 5:
      tensor.strides = {};
      tensor.sizes[0] = 0xFFFF'FFFF;
      if (element_count(tensor.sizes) <= 0xFFFF'FFFF) return "";
      return "T6";
    case 6:
      tensor.total_tensor_size_in_bytes = buffer_tensor_size_in_bytes(tensor) - 1;
      return "T7";
    case 7:
      tensor.guaranteed_base_offset_alignment = 3;
      return "T8";
    case 8:
      tensor.flags = info.role == operand_role::output && random.chance(50) ? tensor_flags::owned_by_dml
                                                                            : static_cast<tensor_flags>(2);
      return "T10";
    default:
      if (info.role == operand_role::input || element_count(tensor.sizes) == 1) return "";
      tensor.strides = packed_strides(tensor.sizes);
      for (std::size_t i = 0; i < tensor.sizes.size(); ++i)
        if (tensor.sizes[i] > 1) tensor.strides[i] = 0;
      return "T9";
  }
}

// Gives tensor `i` another data type, number of dimensions or size, all allowed at the level, and returns the code of
// the rule that it breaks; "" if the chosen property is not that of another operand.
inline std::string_view break_likeness(random_source& random, test_case<any_desc>& c, std::size_t i) {
  if (!c.tensors[i]) return "";
  tensor_desc& tensor = *c.tensors[i];
  const operator_description& op = c.desc.description();
  const std::size_t row = place_of_tensor(op.operands, i, c.tensors.size()).info;
  const operand_info& info = op.operands[row];
  const operand_limits& limits = *limits_at(op.limits(c.desc.get(), row), c.desc.level());
  const auto has = [&](const same_as& other) {  // whether there is such a rule, and the other operand is given
    return other && c.tensors[first_tensor(op.operands, other.operand, c.tensors.size())];
  };
  switch (random.below(3)) {
    case 0: {
      const data_type before = tensor.data_type;
      const same_as other = info.same_data_type_at(c.desc.level());
      if (!has(other) || limits.data_types.only()) return "";
      while (tensor.data_type == before) tensor.data_type = random.pick(limits.data_types);
      return other.rule;
    }
    case 1:
      if (!has(info.same_rank_as) || limits.fewest_dimensions == limits.most_dimensions) return "";
      tensor.sizes = tensor.sizes.size() < limits.most_dimensions ? concatenate({1}, tensor.sizes)
                                                                  : tensor.sizes.slice(1, tensor.sizes.size());
      return info.same_rank_as.rule;
    default:
      if (!has(info.same_sizes_as)) return "";
      ++tensor.sizes[random.below(tensor.sizes.size())];
      return info.same_sizes_as.rule;
  }
}

// Breaks a rule that the attribute's row has on its value, and returns its code; "" if there is none.
inline std::string_view break_value(random_source& random, test_case<any_desc>& c, const attribute& row) {
  const attribute::value_rule& rule = row.rules[random.below(row.rules.size())];
  void* const value = row.address(c.desc.get());
  switch (rule.domain) {
    case value_domain::any:
      return "";
    case value_domain::axis: {
      const std::size_t tensor = first_tensor(c.desc.description().operands, rule.operand, c.tensors.size());
      *static_cast<std::uint32_t*>(value) =
          static_cast<std::uint32_t>(c.tensors[tensor]->sizes.size() + random.below(3));
      break;
    }
    case value_domain::enumerator:
      store_enumerator(value, static_cast<std::uint32_t>(row.names.rows.size() + random.below(9)));
      break;
    case value_domain::per_dimension:  // one entry less in each list with this count, which the C structure has once
      for (const attribute& each : c.desc.description().attributes)
        if (each.companion == row.companion)
          visit_value(each, each.address(c.desc.get()), [](auto& list) {
            if constexpr (requires { list.push_back(list[0]); }) {
              const auto before = std::exchange(list, {});
              for (std::size_t i = 1; i < before.size(); ++i) list.push_back(before[i]);
            }
          });
      break;
    case value_domain::at_least_1:
      visit_value(row, value, [&]<class T>(T& number) {
        if constexpr (std::is_same_v<T, std::uint32_t>) number = 0;
        if constexpr (std::is_same_v<T, dimensions>) number[random.below(number.size())] = 0;
        if constexpr (std::is_same_v<T, size_2d>) (random.chance(50) ? number.width : number.height) = 0;
      });
  }
  return rule.code;
}

// Breaks a random rule that is particular to the operator and returns its code, or "" if the case cannot break it.
inline std::string_view break_own_rule(random_source& random, const any_operator& op, test_case<any_desc>& c) {
  if (op.break_rule != nullptr && random.chance(50)) return op.break_rule(random, c);
  const auto rows = op.attributes();
  const std::uint64_t chosen = random.below(c.tensors.size() + rows.size());
  return chosen < c.tensors.size() ? break_likeness(random, c, chosen)
                                   : break_value(random, c, rows[chosen - c.tensors.size()]);
}

}  // namespace detail

// Illegal case `number` of a seed: a legal case of the selection, with one rule broken. Throws error like
// sample_case().
template <class Any = any_desc>
illegal_case<Any> sample_illegal_case(const any_operator& op, const generate_options& options, std::uint64_t number) {
  random_source random(options.seed + number * 2, options.drawn_elements(),
                       options.sizes_class == sizes_class::tiles && options.sizes.empty());
  const detail::selection selected(op, options);
  for (;;) {
    test_case<Any> c = selected.sample(random);
    if (random.chance(50)) {
      const std::string_view rule = detail::break_own_rule(random, op, c);
      if (!rule.empty()) return {std::move(c), rule};
      continue;
    }
    if (op.first_level() > feature_level::level_1_0 && random.chance(5)) {
      c.desc.level() = feature_level::level_1_0;
      return {std::move(c), "T11"};
    }
    if (const std::string_view rule = detail::break_shared_rule(random, c); !rule.empty()) return {std::move(c), rule};
  }
}
template <class Desc>
illegal_case<Desc> sample_illegal_case(const generate_options& options, std::uint64_t number) {
  auto illegal = sample_illegal_case<any_desc>(any_operator_of<Desc>(), options, number);
  return {detail::from_any<Desc>(std::move(illegal.text)), illegal.rule};
}

}  // namespace goldml::oracle

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template oracle::illegal_case<any_desc> oracle::sample_illegal_case<any_desc>(const oracle::any_operator&, const oracle::generate_options&, std::uint64_t);
// clang-format on
}  // namespace goldml
#endif
