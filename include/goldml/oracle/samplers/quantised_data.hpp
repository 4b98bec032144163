// What the samplers of quantised operators have in common: zero points, scales, and integers of all bits.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/core/packed_elements.hpp>
#include <goldml/operators/quantised_parameters.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle::detail {

// Sets each element of a tensor that was given to f(type).
template <class Types, class F>
void fill_each(host_tensor& tensor, const F& f) {
  if (tensor.bytes().empty()) return;
  const writable_tensor writable(tensor.ref());
  visit_data_type(Types{}, unpacked_type(tensor.desc().data_type), [&]<class T>(std::type_identity<T> type) {
    const tensor_view<T> view = writable.ref().as<T>();
    for (const coordinate_tuple& c : coordinates_of(tensor.desc().sizes)) view[c] = f(type);
  });
}

// A rank that the limits allow.
inline std::size_t random_rank(random_source& random, const operand_limits& limits) {
  return limits.fewest_dimensions + random.below(limits.most_dimensions - limits.fewest_dimensions + 1);
}

// A scale or a zero point: one element, or `count` on an axis that is counted from the last.
inline tensor_desc random_parameter(random_source& random, data_type type, std::size_t rank, std::size_t from_last,
                                    std::uint32_t count) {
  tensor_desc result{.data_type = type, .sizes = dimensions::filled(rank, 1)};
  if (random.chance(60)) result.sizes[rank == 1 ? 0 : rank - 1 - from_last] = count;
  return result;
}

// Integers of all bits.
inline void fill_with_bits(random_source& random, data_class data, std::span<host_tensor> inputs) {
  if (data != data_class::uniform || random.chance(25)) return;
  for (host_tensor& input : inputs)
    fill_each<type_list<std::int8_t, std::uint8_t>>(
        input, [&]<class T>(std::type_identity<T>) { return static_cast<T>(random.bits()); });
}

// Integers of all bits or small ones, and scales: powers of two, so that there are ties, or others. That of the output,
// the last one, is greater by `growth`, so that not all elements lie beyond the range.
inline void fill_quantised(random_source& random, data_class data, std::span<host_tensor> inputs, double growth) {
  if (data != data_class::uniform || random.chance(25)) return;
  const bool in_ties = random.chance(50), are_small = random.chance(50);
  std::size_t last_scale = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].desc().data_type == data_type::float32) last_scale = i;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const data_type type = inputs[i].desc().data_type;
    if (inputs[i].bytes().empty()) continue;
    if (type == data_type::float32) {
      const double by = i == last_scale ? growth * (are_small ? 1 : 256) : 1;
      fill_each<type_list<float>>(inputs[i], [&](std::type_identity<float>) {
        const double s = in_ties ? std::ldexp(1.0, static_cast<int>(random.between(-3, 1)))
                                 : 0.05 + static_cast<double>(random.below(4096)) * 0x1p-12;
        return static_cast<float>(random.chance(5) ? -s * by : s * by);
      });
    } else if (type == data_type::int32) {
      fill_each<type_list<std::int32_t>>(inputs[i], [&](std::type_identity<std::int32_t>) {
        return static_cast<std::int32_t>(random.between(-1000, 1000));
      });
    } else {
      fill_each<type_list<std::int8_t, std::uint8_t>>(inputs[i], [&]<class T>(std::type_identity<T>) {
        return are_small ? static_cast<T>(random.below(8)) : static_cast<T>(random.bits());
      });
    }
  }
}

// Makes a scale or a zero point of `lines` that was given too long.
inline bool grow_parameter(random_source& random, std::optional<tensor_desc>& t, std::uint32_t lines) {
  if (!t) return false;
  t->sizes[random.below(t->sizes.size())] = lines + 1;
  return true;
}

}  // namespace goldml::oracle::detail
