// GRU: a recurrent layer with an update and a reset gate, over a sequence in one direction or in both. Feature level
// 1_0. Page: DML_GRU_OPERATOR_DESC. Rules: GR1..GR10, and AR7 to AR10 for GR6. Rulings: ledger GR-R1, GR-R2, GR-R4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/operators/recurrent_rules.hpp>

namespace goldml {

struct gru_desc {
  activation_list activation_descs = {};  // f of the gates, g of the candidate; for each direction
  recurrent_network_direction direction = recurrent_network_direction::forward;
  bool linear_before_reset = false;  // the reset gate multiplies R H, not H
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<gru_desc> {
  static constexpr std::string_view name = "GRU";
  static constexpr std::uint32_t enumerator = 78;

  enum operand_number : std::size_t { input, weight, recurrence, bias, hidden_init, lengths, sequence, single };
  static constexpr std::array<operand_info, 8> operands{detail::recurrent_input("InputTensor", ""),
                                                        detail::recurrent_input("WeightTensor", "GR1"),
                                                        detail::recurrent_input("RecurrenceTensor", "GR1"),
                                                        detail::recurrent_input("BiasTensor", "GR1", true),
                                                        detail::recurrent_input("HiddenInitTensor", "GR1", true),
                                                        detail::sequence_lengths_operand,
                                                        detail::recurrent_output("OutputSequenceTensor", "GR1"),
                                                        detail::recurrent_output("OutputSingleTensor", "GR1")};
  static constexpr std::array<detail::recurrent_shape, 8> shapes{"1SBI", "1DRI", "1DRH", "11DT",
                                                                 "1DBH", "111B", "SDBH", "1DBH"};
  static constexpr std::size_t gates = 3;
  static constexpr std::array<std::size_t, 2> hidden_of{recurrence, 3};
  static constexpr std::array<std::uint64_t, 2> functions{4, 2};
  static constexpr detail::recurrent_codes rules{"GR2", "GR3", "GR4", "GR5", "GR7", "GR9", "GR10"};

  static constexpr std::array attributes{row<&gru_desc::activation_descs>("ActivationDescs", "ActivationDescCount"),
                                         row<&gru_desc::direction>("Direction").enumerator("GR8"),
                                         row<&gru_desc::linear_before_reset>("LinearBeforeReset")};
  static constexpr std::array policies{row<&gru_desc::accumulation>("accumulation"),
                                       row<&gru_desc::same_resource>("same_resource")};

  static constexpr operator_options<gru_desc> options{.implied = &detail::implied_of_recurrent<gru_desc>,
                                                      .check_rules = &detail::check_recurrent_rules<gru_desc>,
                                                      .work = &detail::work_of_recurrent<gru_desc>,
                                                      .scratch = &detail::scratch_of_recurrent<gru_desc>};
};

// With Dn directions (2 if BIDIRECTIONAL), S steps, batch B, input size I and hidden size H; rows in the order update,
// reset, candidate:
//   input             X {1,S,B,I}, FLOAT32 or FLOAT16; all others but the lengths have its type
//   weight            W {1,Dn,3H,I}, recurrence R {1,Dn,3H,H}
//   bias              {1,1,Dn,6H}: for W, then for R; may be omitted
//   hidden_init       {1,Dn,B,H}; may be omitted: zeros
//   sequence_lengths  UINT32 {1,1,1,B}; may be omitted: S each
//   output_sequence   {S,Dn,B,H}: the hidden state after each step; zeros beyond the length
//   output_single     {1,Dn,B,H}: the last hidden state. One of the outputs may be omitted
// One step, with b and c the biases of W and of R:
//   z = f(W_z X[t] + R_z h + b_z + c_z);  r = f(W_r X[t] + R_r h + b_r + c_r)
//   n = g(W_n X[t] + R_n (r h) + b_n + c_n) or, with linear_before_reset, g(W_n X[t] + r (R_n h + c_n) + b_n)
//   h' = (1 - z) n + z h
// Omitted tensors are const_tensor_ref() and tensor_ref(). States are not rounded from step to step; what is stored is
// rounded once. Throws error (T1..T12, GR1..GR10, AR7..AR10), with the outputs unchanged.
template <class Backend, input_argument Input, input_argument Weight, input_argument Recurrence, input_argument Bias,
          input_argument HiddenInit, input_argument Lengths, output_argument Sequence, output_argument Single>
void gru(const Backend& backend, const Input& input, const Weight& weight, const Recurrence& recurrence,
         const Bias& bias, const HiddenInit& hidden_init, const Lengths& sequence_lengths, Sequence&& output_sequence,
         Single&& output_single, const gru_desc& desc) {
  detail::call_recurrent(
      backend, desc, std::tie(input, weight, recurrence, bias, hidden_init, sequence_lengths),
      std::forward_as_tuple(std::forward<Sequence>(output_sequence), std::forward<Single>(output_single)));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(gru_desc);
