// What a device may answer to CONVOLUTION (ledger AR-R1, CV-R1 to CV-R3).
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/evaluate.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/convolution_judge.hpp>
#include <goldml/oracle/verdicts/convolution_sums.hpp>
#include <goldml/oracle/verdicts/fused_sums.hpp>

namespace goldml::detail {

// The matrices of a block.
inline constexpr std::uint64_t convolution_block_memory = std::uint64_t{16} << 20;

template <class Desc>
void add_convolution_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, const tensor_ref& golden,
                              bool flushes, output_verdicts& result) {
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    convolution_judge<T>(desc, inputs, golden, flushes, result).run();
  });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<convolution_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const convolution_desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    goldml::detail::add_convolution_verdicts(desc, inputs, golden[0], flushes, result[0]);
  }
  // A byte and an interval for each element, what is known of each output channel, the blocks, and the taps of each
  // axis and how many are inside the input.
  static std::uint64_t verdict_memory(const convolution_desc& desc, const std::array<operand, 4>& t) {
    std::uint64_t total = saturating_add(
        saturating_multiply(element_count(t[3].desc->sizes),
                            1 + sizeof(interval) + (desc.fused_activation ? more_interval_memory : 0)),
        saturating_add(saturating_multiply(t[3].desc->sizes[1], 64), goldml::detail::convolution_block_memory));
    if (desc.transform == transform::accept) total = saturating_add(total, std::uint64_t{8} * t[0].desc->sizes[1]);
    for (std::size_t i = 2; i < t[1].desc->sizes.size(); ++i)
      total = saturating_add(total, std::uint64_t{48} * t[1].desc->sizes[i] + std::uint64_t{8} * t[3].desc->sizes[i]);
    return total;
  }

  static bool sums(const convolution_desc& desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
                   fit_sums& result) {
    const bool single = output.data_type == data_type::float32 && desc.accumulation == accumulation::single;
    if (!set_fused_sums(desc.fused_activation, single, result)) return false;
    visit_data_type(type_list<float, float16>{}, output.data_type, [&]<class T>(std::type_identity<T>) {
      goldml::detail::set_convolution_sums<T>(desc, inputs, output.sizes, result);
    });
    result.model.set(output.data_type, desc.accumulation);
    return true;
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options(&sums);
};

}  // namespace goldml::oracle
