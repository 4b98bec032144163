// Random cases of GEMM.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <goldml/operators/gemm.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/fused_activation.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<gemm_desc> {
  using case_type = sampled_case<gemm_desc>;
  static constexpr auto& operands = operator_traits<gemm_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    tensor_desc a = random_tensor(random, operands[0].limits, level);
    case_type result;
    result.desc.trans_a = any_transform(random);
    result.desc.trans_b = any_transform(random);
    const std::size_t rank = a.sizes.size();
    const bool a_transposed = result.desc.trans_a == matrix_transform::transpose;
    random.prefer_greatest(a.sizes, rank - (a_transposed ? 2 : 1), 60);
    std::uint32_t& m = a.sizes[rank - (a_transposed ? 1 : 2)];
    std::uint32_t& k = a.sizes[rank - (a_transposed ? 2 : 1)];
    const std::uint64_t batches = element_count(a.sizes) / m / k;
    const std::uint64_t most = random.most_elements() / (batches * (std::max)(m, k));
    std::uint64_t n = 1 + random.below((std::clamp)(most, std::uint64_t{1}, std::uint64_t{24}));
    if (random.tiles() && random.chance(30)) n = random.tile_size(most);
    if (random.tiles() && random.chance(30)) {  // N gets the greater of M and K
      std::uint32_t& greater = m > k ? m : k;
      n = std::exchange(greater, static_cast<std::uint32_t>(1 + random.below((std::min)(greater, 4U))));
    }
    tensor_desc b = a, output = a;
    b.sizes[rank - 2] = k;
    b.sizes[rank - 1] = static_cast<std::uint32_t>(n);
    if (result.desc.trans_b == matrix_transform::transpose) std::swap(b.sizes[rank - 2], b.sizes[rank - 1]);
    output.sizes[rank - 2] = m;
    output.sizes[rank - 1] = static_cast<std::uint32_t>(n);
    result.tensors = {a, b, std::nullopt, output};
    if (random.chance(60)) result.tensors[2] = output;
    if (random.chance(60)) result.desc.alpha = any_factor(random);
    if (random.chance(60)) result.desc.beta = any_factor(random);
    if (random.chance(25)) result.desc.fused_activation = any_activation(random, rank, level);
    return result;
  }

  static void fill(random_source& random, const gemm_desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& tensors = c.tensors;
    const std::size_t rank = tensors[0]->sizes.size();
    switch (random.below(5)) {
      case 0:
        if (rank == 2) return "";
        ++tensors[random.chance(50) ? 1 : 3]->sizes[random.below(rank - 2)];
        return "GM3";
      case 1:
        ++tensors[1]->sizes[rank - (c.desc.trans_b == matrix_transform::transpose ? 1 : 2)];
        return "GM4";
      case 2:
        ++tensors[3]->sizes[rank - 1 - random.below(2)];
        return "GM5";
      case 3:
        if (!tensors[2]) return "";
        ++tensors[2]->sizes[random.below(rank)];
        return "GM6";
      default:
        return detail::break_fused(random, c.desc.fused_activation, c.desc.feature_level);
    }
  }

  static constexpr sampler_options<gemm_desc> options{.fill = &fill};

 private:
  // RELU, or SOFTMAX or SOFTMAX1 of tensors of this rank.
  static activation any_activation(random_source& random, std::size_t rank, feature_level level) {
    using namespace goldml::detail;
    if (!is_fused_by(activation_softmax_number, fusing_operator::gemm, level) || random.chance(40))
      return activations::relu();
    if (random.chance(50)) return activations::softmax();
    activation result = activations::softmax1({});
    for (std::uint32_t i = 0; i < rank; ++i)
      if (random.chance(50)) result.axes.push_back(i);
    if (result.axes.empty()) result.axes.push_back(static_cast<std::uint32_t>(rank - 1));
    return result;
  }
  static matrix_transform any_transform(random_source& random) {
    return random.chance(50) ? matrix_transform::none : matrix_transform::transpose;
  }
  // Quarters from -2 to 2, among them 0, or a number with a full significand.
  static float any_factor(random_source& random) {
    return random.chance(30) ? detail::full_number<float>(random) : static_cast<float>(random.between(-8, 8)) / 4;
  }
};

}  // namespace goldml::oracle
