// Random cases of MATRIX_MULTIPLY_INTEGER.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

namespace detail {

// A zero point of this type: one element, or `count` on an axis that is counted from the last.
inline tensor_desc random_zero_point(random_source& random, data_type type, const operand_limits& limits,
                                     std::size_t from_last, std::uint32_t count) {
  const std::size_t rank =
      limits.fewest_dimensions + random.below(limits.most_dimensions - limits.fewest_dimensions + 1);
  tensor_desc result{.data_type = type, .sizes = dimensions::filled(rank, 1)};
  if (random.chance(60)) result.sizes[rank == 1 ? 0 : rank - 1 - from_last] = count;
  return result;
}

// Numbers of all bits.
inline void fill_with_bits(random_source& random, data_class data, std::span<host_tensor> inputs) {
  if (data != data_class::uniform || random.chance(25)) return;
  for (host_tensor& input : inputs) {
    if (input.bytes().empty()) continue;
    visit_data_type(type_list<std::int8_t, std::uint8_t>{}, input.desc().data_type,
                    [&]<class T>(std::type_identity<T>) {
                      const tensor_view<T> view = input.ref().as<T>();
                      for (const coordinate_tuple& c : coordinates_of(input.desc().sizes))
                        view[c] = static_cast<T>(random.bits());
                    });
  }
}

}  // namespace detail

template <>
struct sampler<matrix_multiply_integer_desc> {
  using case_type = sampled_case<matrix_multiply_integer_desc>;
  static constexpr auto& operands = operator_traits<matrix_multiply_integer_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    tensor_desc a = random_tensor(random, operands[0].limits, level);
    const std::size_t rank = a.sizes.size();
    random.prefer_greatest(a.sizes, rank - 1, 60);
    const std::uint32_t m = a.sizes[rank - 2], k = a.sizes[rank - 1];
    const std::uint64_t batches = element_count(a.sizes) / m / k;
    const std::uint64_t most = random.most_elements() / (batches * (std::max)(m, k));
    std::uint64_t n = 1 + random.below((std::clamp)(most, std::uint64_t{1}, std::uint64_t{24}));
    if (random.tiles() && random.chance(30)) n = random.tile_size(most);
    tensor_desc b{.data_type = random.pick(goldml::detail::quantised_bytes), .sizes = a.sizes};
    b.sizes[rank - 2] = k;
    b.sizes[rank - 1] = static_cast<std::uint32_t>(n);
    tensor_desc output{.data_type = data_type::int32, .sizes = b.sizes};
    output.sizes[rank - 2] = m;
    case_type result{{}, {a, std::nullopt, b, std::nullopt, output}};
    if (random.chance(70))
      result.tensors[1] = detail::random_zero_point(random, a.data_type, *limits_at(operands[1], level), 1, m);
    if (random.chance(70))
      result.tensors[3] =
          detail::random_zero_point(random, b.data_type, *limits_at(operands[3], level), 0, output.sizes[rank - 1]);
    return result;
  }

  static void fill(random_source& random, const matrix_multiply_integer_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_with_bits(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& tensors = c.tensors;
    const std::size_t rank = tensors[0]->sizes.size();
    const auto grow_zero_point = [&](std::size_t operand, std::uint32_t lines, std::string_view rule) {
      if (!tensors[operand]) return std::string_view();
      std::uint32_t& size = tensors[operand]->sizes[random.below(tensors[operand]->sizes.size())];
      size = lines + 1;
      return rule;
    };
    switch (random.below(5)) {
      case 0:
        if (rank == 2) return "";
        ++tensors[random.chance(50) ? 2 : 4]->sizes[random.below(rank - 2)];
        return "QM4";
      case 1:
        ++tensors[2]->sizes[rank - 2];
        return "QM5";
      case 2:
        ++tensors[4]->sizes[rank - 1 - random.below(2)];
        return "QM6";
      case 3:
        return grow_zero_point(1, tensors[0]->sizes[rank - 2], "QM7");
      default:
        return grow_zero_point(3, tensors[2]->sizes[rank - 1], "QM8");
    }
  }

  static constexpr sampler_options<matrix_multiply_integer_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
