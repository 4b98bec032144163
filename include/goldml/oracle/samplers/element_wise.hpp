// The element-wise operators: cases at random.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/fused_activation.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/element_wise.hpp>

namespace goldml::oracle {

template <element_wise_op Op>
struct sampler<element_wise_desc<Op>> {
  using desc_type = element_wise_desc<Op>;
  using case_type = sampled_case<desc_type>;
  static constexpr const auto& row = goldml::detail::element_wise_row_of<Op>;
  static constexpr auto& operands = operator_traits<desc_type>::operands;
  static constexpr std::size_t first_typed = row.input_count == 3 ? 1 : 0;
  static constexpr bool rounds =
      row.is(goldml::detail::element_wise_flag::rounds | goldml::detail::element_wise_flag::pair);
  static constexpr bool scales = row.is(goldml::detail::element_wise_flag::scale_bias);
  static constexpr bool is_free = row.is(goldml::detail::element_wise_flag::free_type);

  static case_type sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operands[first_typed], level);
    case_type result;
    const data_type type = random.pick(limits.data_types);
    const dimensions sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions);
    for (auto& tensor : result.tensors) tensor = tensor_desc{.data_type = type, .sizes = sizes};
    if (first_typed != 0) result.tensors[0]->data_type = data_type::uint8;
    if (is_free) result.tensors.back()->data_type = random.pick(limits_at(operands.back(), level)->data_types);
    if constexpr (Op == element_wise_op::pow)  // the same type where the level asks for it
      if (!operands[1].same_data_type_at(level)) result.tensors[1]->data_type = random.pick(limits.data_types);
    desc_type& desc = result.desc;
    if constexpr (requires { desc.exponent; }) desc.exponent = random_exponent<float>(random);
    if constexpr (requires { desc.rounding_mode; }) desc.rounding_mode = static_cast<rounding_mode>(random.below(3));
    if constexpr (requires { desc.infinity_mode; }) desc.infinity_mode = static_cast<is_infinity_mode>(random.below(3));
    if constexpr (requires { desc.min; }) sample_bounds(random, type, desc);
    if constexpr (requires { desc.fused_activation; })
      if (random.chance(75)) desc.fused_activation = detail::random_fused(random, level);
    if constexpr (requires { desc.scale_bias; })
      if (is_float(type) && random.chance(25)) desc.scale_bias = sample_scale_bias(random);
    return result;
  }

  static void suit(random_source& random, data_class data, case_type& c) {
    if constexpr (Op == element_wise_op::clip1 || Op == element_wise_op::clip_grad1)
      if (data == data_class::subnormals) {
        c.desc.min = random_subnormal(random, c.tensors[0]->data_type);
        c.desc.max = random_subnormal(random, c.tensors[0]->data_type);
      }
  }

  static void fill(random_source& random, const desc_type& desc, data_class data, std::span<host_tensor> inputs) {
    if constexpr (goldml::detail::is_function<Op>) return fill_domain(random, data, inputs[0]);
    if constexpr (goldml::detail::is_power<Op>) return fill_powers(random, data, inputs);
    bool computes = rounds;
    if constexpr (scales) computes = desc.scale_bias.has_value();
    if (computes) detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    desc_type& desc = c.desc;
    const data_type type = c.tensors.back()->data_type;
    if constexpr (requires { desc.fused_activation; }) {
      return detail::break_fused(random, desc.fused_activation, desc.feature_level);
    } else if constexpr (Op == element_wise_op::clip_grad1) {
      desc.min = desc.max = type == data_type::int8 ? scalar(1.0F) : scalar(std::int8_t{1});
      return "CG4";
    } else if constexpr (requires { desc.scale_bias; }) {
      if constexpr (requires { desc.inverted_range; })
        if (random.chance(50)) {
          if constexpr (Op == element_wise_op::clip1)
            if (random.chance(50)) {
              desc.max = type == data_type::int8 ? scalar(1.0F) : scalar(std::int8_t{1});
              desc.min = desc.max;  // they share MinMaxDataType
              return "CL4";
            }
          desc.inverted_range = inverted_range::refuse;
          visit_data_type(a10_types{}, type, [&]<class T>(std::type_identity<T>) {
            if constexpr (Op == element_wise_op::clip1) {
              desc.min = static_cast<T>(static_cast<std::uint8_t>(2));
              desc.max = static_cast<T>(static_cast<std::uint8_t>(1));
            } else {
              desc.min = 2;
              desc.max = 1;
            }
          });
          return "CL5";
        }
      if (is_float(type)) return "";
      desc.scale_bias = scale_bias{.scale = 2, .bias = 1};
      return "SB1";
    } else {
      return "";
    }
  }

  static constexpr sampler_options<desc_type> options{.suit = &suit, .fill = rounds || scales ? &fill : nullptr};

 private:
  template <class T>
  static T random_exponent(random_source& random) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(random.below(6));
    } else {
      const std::uint64_t kind = random.below(8);
      if (kind == 0) return detail::full_number<T>(random);
      const std::int64_t eighths = kind < 4 ? random.between(-12, 12) * 4 : random.between(-40, 40);
      return static_cast<T>(static_cast<float>(eighths) / 8);
    }
  }
  // Bases whose powers are apart from each other, many of them positive, and exponents that are often integers; or
  // numbers with all bits of a significand.
  static void fill_powers(random_source& random, data_class data, std::span<host_tensor> inputs) {
    if (data != data_class::uniform) return;
    const bool is_separated = random.chance(60);
    for (host_tensor& input : inputs) {
      const bool is_base = &input == &inputs[0];
      if (input.bytes().empty()) continue;
      visit_data_type(a8_types{}, input.desc().data_type, [&]<class T>(std::type_identity<T>) {
        const tensor_view<T> view = input.ref().as<T>();
        for (const coordinate_tuple& c : coordinates_of(input.desc().sizes))
          if (!is_base)
            view[c] = random_exponent<T>(random);
          else if constexpr (std::is_integral_v<T>)
            view[c] = static_cast<T>(random.between(std::is_signed_v<T> ? -5 : 0, 12));
          else
            view[c] = is_separated ? static_cast<T>(static_cast<float>(random.between(-2, 9)) + 0.5F)
                                   : detail::full_number<T>(random);
      });
    }
  }
  // Numbers of the domain of an elementary function: multiples of 1/8, whose answers are apart from each other for most
  // functions, or numbers with all bits of a significand.
  static void fill_domain(random_source& random, data_class data, host_tensor& input) {
    if (data != data_class::uniform || input.bytes().empty()) return;
    const double least = arithmetic::domain_of(goldml::detail::elementary_of<Op>).low;
    const double most = arithmetic::domain_of(goldml::detail::elementary_of<Op>).high;
    const bool is_separated = random.chance(50);
    visit_data_type(type_list<float, float16>{}, input.desc().data_type, [&]<class T>(std::type_identity<T>) {
      const tensor_view<T> view = input.ref().as<T>();
      for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) {
        double x = is_separated ? static_cast<double>(random.between(-9, 9)) / 8
                                : static_cast<double>(static_cast<float>(detail::full_number<T>(random)));
        if (x < least) x = least - x;
        if (x > most || x < least) x /= 16;
        view[c] = static_cast<T>(static_cast<float>(x));
      }
    });
  }
  static bool is_float(data_type type) {
    return type == data_type::float32 || type == data_type::float16 || type == data_type::float64;
  }

  // Small multiples of 1/4, with which small integers give exact results; numbers with all bits of a significand; and
  // now and then numbers that are special, or that FLOAT16 does not hold.
  static scale_bias sample_scale_bias(random_source& random) {
    const std::uint64_t kind = random.below(4);
    const auto number = [&] {
      constexpr std::array<float, 12> others{0.0F,
                                             -0.0F,
                                             1.0F,
                                             0x1p-140F,
                                             1e-8F,
                                             65519.0F,
                                             1e5F,
                                             -3e38F,
                                             0x1p126F,
                                             std::numeric_limits<float>::infinity(),
                                             -std::numeric_limits<float>::infinity(),
                                             std::numeric_limits<float>::quiet_NaN()};
      if (kind == 0) return others[random.below(others.size())];
      if (kind == 1) return detail::full_number<float>(random);
      return static_cast<float>(random.between(-40, 40)) / 4;
    };
    const float scale = number();
    return {.scale = scale, .bias = number()};
  }

  // Bounds among small numbers, some of them inverted; now and then NaN or infinite.
  static void sample_bounds(random_source& random, data_type type, desc_type& desc) {
    std::int64_t low = random.between(-60, 60);
    std::int64_t high = random.between(-60, 60);
    if (low > high && !random.chance(20)) std::swap(low, high);
    const bool not_a_number = random.chance(5);
    const bool infinite = random.chance(10);
    visit_data_type(a10_types{}, type, [&]<class T>(std::type_identity<T>) {
      const auto bound = [&](std::int64_t value, bool odd, bool is_nan) {
        float result = static_cast<float>(value) / 2.0F;
        if (odd) result = is_nan ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
        if constexpr (std::is_same_v<decltype(desc.min), scalar>) {
          if constexpr (std::is_integral_v<T>)
            return scalar(static_cast<T>(value));
          else
            return scalar(static_cast<T>(result));
        } else {
          return result;
        }
      };
      desc.min = bound(low, not_a_number, true);
      if constexpr (requires { desc.max; }) desc.max = bound(high, infinite, false);
    });
  }
};

}  // namespace goldml::oracle
