// Random cases of PADDING and PADDING1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include <goldml/operators/padding.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/padding.hpp>

namespace goldml::oracle {

namespace detail {

template <class Desc>
struct padding_sampler {
  static constexpr bool has_typed_value = std::is_same_v<decltype(Desc::padding_value), scalar>;

  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<Desc> result;
    const tensor_desc input = random_tensor(random, operator_traits<Desc>::operands[0].limits, level);
    tensor_desc output = input;
    std::uint64_t room = room_to_grow(random, input.sizes);
    for (std::size_t i = 0; i < input.sizes.size(); ++i) {
      const std::uint64_t size = input.sizes[i];
      const std::uint64_t most = (room - 1) * size;  // what may be added; of small sizes several times their own
      const std::uint64_t start = random.chance(60) ? random.below((std::min<std::uint64_t>)(most, 12) + 1) : 0;
      const std::uint64_t end = random.chance(60) ? random.below((std::min<std::uint64_t>)(most - start, 20) + 1) : 0;
      result.desc.start_padding.push_back(start);
      result.desc.end_padding.push_back(end);
      output.sizes[i] = static_cast<std::uint32_t>(start + size + end);
      room = (std::max<std::uint64_t>)(1, room * size / output.sizes[i]);
    }
    do {
      result.desc.padding_mode = static_cast<padding_mode>(random.below(enumeration<padding_mode>::values.size()));
    } while (level < goldml::detail::first_level_of(result.desc.padding_mode));
    sample_value(random, input.data_type, result.desc);
    result.tensors = {input, output};
    return result;
  }

  static void suit(random_source& random, data_class data, sampled_case<Desc>& c) {
    if (data != data_class::subnormals) return;
    if constexpr (has_typed_value)
      c.desc.padding_value = random_subnormal(random, c.tensors[0]->data_type);
    else
      c.desc.padding_value = random_subnormal(random, data_type::float32).as<float>();
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    Desc& desc = c.desc;
    dimensions& output = c.tensors[1]->sizes;
    switch (random.below(3)) {
      case 0:
        ++output[random.below(output.size())];
        return "PA3";
      case 1: {
        const padding_mode mode = random.chance(50) ? padding_mode::symmetric : padding_mode::wrap;
        if (desc.feature_level >= goldml::detail::first_level_of(mode)) return "";
        desc.padding_mode = mode;
        return "PA5";
      }
      default:
        if constexpr (has_typed_value) {
          desc.padding_mode = padding_mode::constant;
          desc.padding_value = another_type(c.tensors[1]->data_type);
          return "PA6";
        }
        return "";
    }
  }

  static constexpr sampler_options<Desc> options{.suit = &suit};

 private:
  // A value of another type than this one.
  static scalar another_type(data_type type) {
    return type == data_type::int8 ? scalar(std::uint8_t{1}) : scalar(std::int8_t{1});
  }

  static void sample_value(random_source& random, data_type type, Desc& desc) {
    if constexpr (has_typed_value) {
      const bool is_ignored = desc.padding_mode != padding_mode::constant;
      desc.padding_value = is_ignored && random.chance(30) ? another_type(type) : random_scalar(random, type);
    } else {
      desc.padding_value = static_cast<float>(random.between(-400, 400)) / 4;  // not all in the range of every integer
      if (random.chance(5)) desc.padding_value = std::numeric_limits<float>::quiet_NaN();
      if (random.chance(5)) desc.padding_value = random.chance(50) ? 1e30F : -std::numeric_limits<float>::infinity();
      if (random.chance(10)) desc.padding_value = 0.1F;  // inexact in FLOAT16
    }
  }
};

}  // namespace detail

template <>
struct sampler<padding_desc> : detail::padding_sampler<padding_desc> {};

template <>
struct sampler<padding1_desc> : detail::padding_sampler<padding1_desc> {};

}  // namespace goldml::oracle
