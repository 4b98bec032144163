// Illegal cases, each with the rule that it breaks: legal cases with one change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <goldml/oracle/generate.hpp>

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
      if (info.optional) return "";
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
      const std::string_view rule = op.break_rule(random, c);
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
