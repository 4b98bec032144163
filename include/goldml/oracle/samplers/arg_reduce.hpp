// Random cases of ARGMIN, ARGMAX and REDUCE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/verdicts/arg_reduce.hpp>

namespace goldml::oracle {

namespace detail {

template <class Desc>
struct arg_reduce_sampler {
  static constexpr bool is_reduce = requires(Desc desc) { desc.function; };

  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<Desc> result;
    if constexpr (is_reduce) {
      const auto any = static_cast<reduce_function>(random.below(12));
      const bool least = random.chance(50);
      result.desc.function = random.chance(70) ? any : least ? reduce_function::argmin : reduce_function::argmax;
    }
    const operand_limits& limits = *limits_at(limits_of(result.desc, 0), level);
    const tensor_desc input{.data_type = random.pick(limits.data_types),
                            .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
    dimensions& axes = result.desc.axes;
    for (std::size_t i = 0; i < input.sizes.size(); ++i)
      if (random.chance(50)) axes.push_back(i);
    if (axes.empty() && random.chance(80)) axes.push_back(random.below(input.sizes.size()));
    if constexpr (!is_reduce)
      result.desc.axis_direction = random.chance(50) ? axis_direction::increasing : axis_direction::decreasing;
    tensor_desc output{.data_type = input.data_type, .sizes = sizes_after_reduction(input.sizes, axes)};
    if (operator_traits<Desc>::gives_index(result.desc))
      output.data_type = random.pick(limits_at(limits_of(result.desc, 1), level)->data_types);
    result.tensors = {input, output};
    return result;
  }

  // One shuffle may leave the axes sorted.
  static void suit(random_source& random, data_class data, sampled_case<Desc>& c) {
    if (data != data_class::unsorted_axes) return;
    const dimensions& sizes = c.tensors[0]->sizes;
    for (int i = 0; i < 8 && !arg_reduce_verdict_traits<Desc>::is_listed_otherwise(c.desc, sizes); ++i)
      random.shuffle(c.desc.axes);
  }

  // Of sums, numbers that cancel among others.
  static void fill(random_source& random, const Desc& desc, data_class data, std::span<host_tensor> inputs) {
    if (!operator_traits<Desc>::gives_index(desc)) fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    constexpr const goldml::detail::arg_reduce_codes& codes = operator_traits<Desc>::codes;
    const auto dimension_count = static_cast<std::uint32_t>(c.tensors[0]->sizes.size());
    dimensions& output = c.tensors[1]->sizes;
    const auto axis = static_cast<std::uint32_t>(random.below(dimension_count));
    const auto with_axes = [&](const dimensions& axes) {
      c.desc.axes = axes;
      output = sizes_after_reduction(c.tensors[0]->sizes, axes);
    };
    switch (random.below(7)) {
      case 0:
        if (c.desc.axes.contains(axis)) return "";
        output[axis] += 1;
        return codes.kept_size;
      case 1:
        with_axes({axis});
        output[axis] += 1;
        return codes.reduced_size;
      case 2:
        if constexpr (is_reduce) {
          if (operator_traits<Desc>::gives_index(c.desc)) return "";
          c.tensors[1]->data_type =
              c.tensors[0]->data_type == data_type::float32 ? data_type::float16 : data_type::float32;
          return "RE2";
        } else {
          c.desc.axis_direction = static_cast<axis_direction>(2);
          return codes.direction;
        }
      case 3:
        if (limits_at(limits_of(c.desc, 0), c.desc.feature_level)->most_dimensions < dimensions::capacity ||
            !operator_traits<Desc>::gives_index(c.desc))
          return "";
        c.tensors[0]->sizes = {2, 0x4000'0001};
        c.tensors[1] = {.data_type = data_type::int32, .sizes = {1, 1}};
        c.desc.axes = {0, 1};
        return codes.index_range;
      case 4:
        with_axes({axis, dimension_count});
        return codes.axis;
      case 5:
        with_axes({axis, axis});
        return codes.repeated_axis;
      default:
        with_axes({});
        c.desc.empty_axes = empty_axes::refuse;
        return codes.no_axes;
    }
  }

  static constexpr sampler_options<Desc> options{.suit = &suit, .fill = is_reduce ? &fill : nullptr};
};

}  // namespace detail

template <>
struct sampler<argmin_desc> : detail::arg_reduce_sampler<argmin_desc> {};

template <>
struct sampler<argmax_desc> : detail::arg_reduce_sampler<argmax_desc> {};

template <>
struct sampler<reduce_desc> : detail::arg_reduce_sampler<reduce_desc> {};

}  // namespace goldml::oracle
