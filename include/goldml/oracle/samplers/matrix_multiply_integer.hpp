// Random cases of MATRIX_MULTIPLY_INTEGER, and of products of quantised matrices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/operators/matrix_multiply_integer_to_float.hpp>
#include <goldml/operators/quantized_linear_matrix_multiply.hpp>
#include <goldml/oracle/samplers/quantised_data.hpp>

namespace goldml::oracle {

namespace detail {

// A, B and an output of this type.
struct sampled_matrices {
  tensor_desc a, b, output;
  std::uint32_t rows, columns;
};
inline sampled_matrices sample_matrices(random_source& random, std::span<const operand_limits> limits,
                                        goldml::feature_level level, data_type output) {
  sampled_matrices result{.a = random_tensor(random, limits, level), .b = {}, .output = {}, .rows = 0, .columns = 0};
  const std::size_t rank = result.a.sizes.size();
  random.prefer_greatest(result.a.sizes, rank - 1, 60);
  const std::uint32_t m = result.a.sizes[rank - 2], k = result.a.sizes[rank - 1];
  const std::uint64_t batches = element_count(result.a.sizes) / m / k;
  const std::uint64_t most = random.most_elements() / (batches * (std::max)(m, k));
  std::uint64_t n = 1 + random.below((std::clamp)(most, std::uint64_t{1}, std::uint64_t{24}));
  if (random.tiles() && random.chance(30)) n = random.tile_size(most);
  result.b = {.data_type = random.pick(goldml::detail::quantised_bytes), .sizes = result.a.sizes};
  result.b.sizes[rank - 2] = k;
  result.b.sizes[rank - 1] = static_cast<std::uint32_t>(n);
  result.output = {.data_type = output, .sizes = result.b.sizes};
  result.output.sizes[rank - 2] = m;
  result.rows = m;
  result.columns = static_cast<std::uint32_t>(n);
  return result;
}

// QM4 to QM6 of these operands.
template <class Tensors>
std::string_view break_matrices(random_source& random, Tensors& tensors, std::size_t b, std::size_t output) {
  const std::size_t rank = tensors[0]->sizes.size();
  switch (random.below(3)) {
    case 0:
      if (rank == 2) return "";
      ++tensors[random.chance(50) ? b : output]->sizes[random.below(rank - 2)];
      return "QM4";
    case 1:
      ++tensors[b]->sizes[rank - 2];
      return "QM5";
    default:
      ++tensors[output]->sizes[rank - 1 - random.below(2)];
      return "QM6";
  }
}

}  // namespace detail

template <>
struct sampler<matrix_multiply_integer_desc> {
  using case_type = sampled_case<matrix_multiply_integer_desc>;
  static constexpr auto& operands = operator_traits<matrix_multiply_integer_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const auto [a, b, output, m, n] = detail::sample_matrices(random, operands[0].limits, level, data_type::int32);
    case_type result{{}, {a, std::nullopt, b, std::nullopt, output}};
    const auto zero_point = [&, m = m, n = n](std::size_t i, data_type type) {
      const std::size_t rank = detail::random_rank(random, *limits_at(operands[i], level));
      return detail::random_parameter(random, type, rank, i == 1 ? 1 : 0, i == 1 ? m : n);
    };
    if (random.chance(70)) result.tensors[1] = zero_point(1, a.data_type);
    if (random.chance(70)) result.tensors[3] = zero_point(3, b.data_type);
    return result;
  }

  static void fill(random_source& random, const matrix_multiply_integer_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_with_bits(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors;
    const std::size_t rank = t[0]->sizes.size();
    switch (random.below(5)) {
      case 0:
        return detail::grow_parameter(random, t[1], t[0]->sizes[rank - 2]) ? "QM7" : "";
      case 1:
        return detail::grow_parameter(random, t[3], t[2]->sizes[rank - 1]) ? "QM8" : "";
      default:
        return detail::break_matrices(random, t, 2, 4);
    }
  }

  static constexpr sampler_options<matrix_multiply_integer_desc> options{.fill = &fill};
};

template <>
struct sampler<quantized_linear_matrix_multiply_desc> {
  using case_type = sampled_case<quantized_linear_matrix_multiply_desc>;
  static constexpr auto& operands = operator_traits<quantized_linear_matrix_multiply_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const auto [a, b, output, m, n] =
        detail::sample_matrices(random, operands[0].limits, level, random.pick(goldml::detail::quantised_bytes));
    case_type result{
        {}, {a, std::nullopt, std::nullopt, b, std::nullopt, std::nullopt, std::nullopt, std::nullopt, output}};
    const std::size_t rank = detail::random_rank(random, *limits_at(operands[1], level));
    for (const std::size_t i : {1U, 2U, 4U, 5U, 6U, 7U}) {
      const bool is_scale = !operands[i].optional, of_b = i == 4 || i == 5;
      if (!is_scale && random.chance(30)) continue;
      const data_type type =
          is_scale ? data_type::float32 : result.tensors[operands[i].same_data_type_as.operand]->data_type;
      result.tensors[i] = detail::random_parameter(random, type, rank, of_b ? 0 : 1, of_b ? n : m);
    }
    return result;
  }

  static void fill(random_source& random, const quantized_linear_matrix_multiply_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    const double terms = static_cast<double>(inputs[0].desc().sizes.back());
    detail::fill_quantised(random, data, inputs, std::exp2(std::floor(std::log2(terms) / 2)));
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors;
    const std::size_t rank = t[0]->sizes.size();
    const std::size_t i = 1 + random.below(7);
    if (i == 3 || random.chance(60)) return detail::break_matrices(random, t, 3, 8);
    if (i == 4 || i == 5) return detail::grow_parameter(random, t[i], t[3]->sizes[rank - 1]) ? "QM8" : "";
    return detail::grow_parameter(random, t[i], t[0]->sizes[rank - 2]) ? "QM7" : "";
  }

  static constexpr sampler_options<quantized_linear_matrix_multiply_desc> options{.fill = &fill};
};

template <>
struct sampler<matrix_multiply_integer_to_float_desc> {
  using case_type = sampled_case<matrix_multiply_integer_to_float_desc>;
  static constexpr auto& operands = operator_traits<matrix_multiply_integer_to_float_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    auto [a, b, output, m, n] =
        detail::sample_matrices(random, operands[0].limits, level, random.pick(operands[7].limits[0].data_types));
    b.data_type = random.pick(operands[3].limits[0].data_types);
    case_type result{};
    result.tensors[0] = a;
    result.tensors[3] = b;
    result.tensors[7] = output;
    if (random.chance(50)) result.tensors[6] = output;
    const std::size_t rank = detail::random_rank(random, operands[1].limits[0]);
    for (const std::size_t i : {1U, 2U, 4U, 5U}) {
      const bool is_scale = !operands[i].optional, of_b = i > 3;
      if (!is_scale && random.chance(30)) continue;
      const data_type type = is_scale ? output.data_type : result.tensors[of_b ? 3 : 0]->data_type;
      result.tensors[i] = detail::random_parameter(random, type, rank, of_b ? 0 : 1, of_b ? n : m);
    }
    return result;
  }

  // Integers of which the sums are mostly those of INT32, and scales: powers of two, so that sums are exact, or others.
  static void fill(random_source& random, const matrix_multiply_integer_to_float_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    if (data != data_class::uniform || random.chance(25)) return;
    const bool is_exact = random.chance(50), is_large = random.chance(20);
    for (host_tensor& input : inputs) {
      if (input.bytes().empty()) continue;
      if (data_types_f.contains(input.desc().data_type))
        detail::fill_each<type_list<float, float16>>(input, [&]<class T>(std::type_identity<T>) {
          const double s = is_exact ? std::ldexp(1.0, static_cast<int>(random.between(-4, 2)))
                                    : 0.05 + static_cast<double>(random.below(4096)) * 0x1p-12;
          return static_cast<T>(static_cast<float>(random.chance(20) ? -s : s));
        });
      else
        detail::fill_each<
            type_list<std::int32_t, std::int16_t, std::int8_t, std::uint32_t, std::uint16_t, std::uint8_t>>(
            input, [&]<class T>(std::type_identity<T>) {
              return static_cast<T>(is_large ? random.bits() : random.below(is_exact ? 8 : 200));
            });
    }
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors;
    const std::size_t rank = t[0]->sizes.size();
    const std::size_t i = 1 + random.below(6);
    if (i == 6 && t[6]) {
      ++t[6]->sizes[random.below(rank)];
      return "QM9";
    }
    if (i == 3 || i == 6) return detail::break_matrices(random, t, 3, 7);
    if (i > 3) return detail::grow_parameter(random, t[i], t[3]->sizes[rank - 1]) ? "QM8" : "";
    return detail::grow_parameter(random, t[i], t[0]->sizes[rank - 2]) ? "QM7" : "";
  }

  static constexpr sampler_options<matrix_multiply_integer_to_float_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
