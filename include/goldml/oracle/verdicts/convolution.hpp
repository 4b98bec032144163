// What a device may answer to CONVOLUTION (ledger AR-R1, CV-R1 to CV-R3).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/evaluate.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/convolution_judge.hpp>

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

template <>
struct verdict_traits<convolution_desc> : operator_traits<convolution_desc> {
  static constexpr flushed_answer flush = flushed_answer::in_verdicts;

  template <class = void>
  static void verdicts(const convolution_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    goldml::detail::add_convolution_verdicts(desc, inputs, golden[0], false, result[0]);
  }
  template <class = void>
  static void flushed_verdicts(const convolution_desc& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (flushed[0].desc().data_type == data_type::float32)
      goldml::detail::add_convolution_verdicts(desc, inputs, flushed[0], true, result[0]);
  }
  // A byte and an interval for each element, what is known of each output channel, and the blocks.
  static std::uint64_t verdict_memory(const convolution_desc&, const std::array<operand, 4>& t) {
    return saturating_add(
        saturating_multiply(element_count(t[3].desc->sizes), 1 + sizeof(interval)),
        saturating_add(saturating_multiply(t[3].desc->sizes[1], 64), goldml::detail::convolution_block_memory));
  }
};

}  // namespace goldml::oracle
