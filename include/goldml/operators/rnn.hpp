// RNN: a recurrent layer of one gate, over a sequence in one direction or in both. Feature level 1_0.
// Page: DML_RNN_OPERATOR_DESC. Rules: RN1..RN10, and AR7 to AR10 for RN6. Rulings: ledger RN-R1 to RN-R4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/recurrent_rules.hpp>
#include <goldml/operators/recurrent_values.hpp>

namespace goldml {

struct rnn_desc {
  activation_list activation_descs = {};  // one for each direction
  recurrent_network_direction direction = recurrent_network_direction::forward;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<rnn_desc> {
  static constexpr std::string_view name = "RNN";
  static constexpr std::uint32_t enumerator = 76;

  enum operand_number : std::size_t { input, weight, recurrence, bias, hidden_init, lengths, sequence, single };
  static constexpr std::array<operand_info, 8> operands{detail::recurrent_input("InputTensor", ""),
                                                        detail::recurrent_input("WeightTensor", "RN1"),
                                                        detail::recurrent_input("RecurrenceTensor", "RN1"),
                                                        detail::recurrent_input("BiasTensor", "RN1", true),
                                                        detail::recurrent_input("HiddenInitTensor", "RN1", true),
                                                        detail::sequence_lengths_operand,
                                                        detail::recurrent_output("OutputSequenceTensor", "RN1"),
                                                        detail::recurrent_output("OutputSingleTensor", "RN1")};
  static constexpr std::array<detail::recurrent_shape, 8> shapes{"1SBI", "1DRI", "1DRH", "11DT",
                                                                 "1DBH", "111B", "SDBH", "1DBH"};
  static constexpr std::size_t gates = 1;
  static constexpr std::array<std::size_t, 2> hidden_of{weight, 2};  // where H is taken from
  // The activation is taken for the number, for its element, and exactly where that does not decide.
  static constexpr std::array<std::uint64_t, 1> functions{3};
  static constexpr detail::recurrent_codes rules{"RN2", "RN3", "RN4", "RN5", "RN7", "RN9", "RN10"};

  static constexpr std::array attributes{row<&rnn_desc::activation_descs>("ActivationDescs", "ActivationDescCount"),
                                         row<&rnn_desc::direction>("Direction").enumerator("RN8")};
  static constexpr std::array policies{row<&rnn_desc::accumulation>("accumulation"),
                                       row<&rnn_desc::same_resource>("same_resource")};

  static constexpr operator_options<rnn_desc> options{.implied = &detail::implied_of_recurrent<rnn_desc>,
                                                      .check_rules = &detail::check_recurrent_rules<rnn_desc>,
                                                      .work = &detail::work_of_recurrent<rnn_desc>,
                                                      .scratch = &detail::scratch_of_recurrent<rnn_desc>};
};

// With Dn directions (2 if BIDIRECTIONAL), S steps, batch B, input size I and hidden size H:
//   input             X {1,S,B,I}, FLOAT32 or FLOAT16; all others but the lengths have its type
//   weight            W {1,Dn,H,I}
//   recurrence        R {1,Dn,H,H}
//   bias              {1,1,Dn,2H}: for W, then for R; may be omitted
//   hidden_init       {1,Dn,B,H}; may be omitted: zeros
//   sequence_lengths  UINT32 {1,1,1,B}; may be omitted: S each
//   output_sequence   {S,Dn,B,H}: the hidden state after each step; zeros beyond the length
//   output_single     {1,Dn,B,H}: the last hidden state. One of the outputs may be omitted
// One step: h = f(W X[t] + R h + bias of W + bias of R), from t = 0 on, or, of the direction backward, from the last
// step of the length to 0. Omitted tensors are const_tensor_ref() and tensor_ref(). The hidden states are not rounded
// from step to step; what is stored is rounded once.
// Throws error (T1..T12, RN1..RN9, AR7..AR10 and, for a length above S, RN10), with the outputs unchanged.
template <class Backend, input_argument Input, input_argument Weight, input_argument Recurrence, input_argument Bias,
          input_argument HiddenInit, input_argument Lengths, output_argument Sequence, output_argument Single>
void rnn(const Backend& backend, const Input& input, const Weight& weight, const Recurrence& recurrence,
         const Bias& bias, const HiddenInit& hidden_init, const Lengths& sequence_lengths, Sequence&& output_sequence,
         Single&& output_single, const rnn_desc& desc) {
  detail::call_recurrent(
      backend, desc, std::tie(input, weight, recurrence, bias, hidden_init, sequence_lengths),
      std::forward_as_tuple(std::forward<Sequence>(output_sequence), std::forward<Single>(output_single)));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(rnn_desc);
