// LSTM: a recurrent layer with input, output and forget gates and a cell state, over a sequence in one direction or in
// both. Feature level 1_0. Page: DML_LSTM_OPERATOR_DESC. Rules: LS1..LS11, and AR7 to AR10 for LS6. Rulings: ledger
// LS-R1 to LS-R9.
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

struct lstm_desc {
  activation_list activation_descs = {};  // f of the gates, g of the cell's input, h of its output; for each direction
  recurrent_network_direction direction = recurrent_network_direction::forward;
  float clip_threshold = 0;  // the sums of the gates are clipped to it and its negative
  bool use_clip_threshold = false;
  bool couple_input_forget = false;  // the forget gate is 1 minus the input gate
  goldml::output_peephole output_peephole = goldml::output_peephole::current;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<lstm_desc> {
  static constexpr std::string_view name = "LSTM";
  static constexpr std::uint32_t enumerator = 77;

  enum operand_number : std::size_t {
    input,
    weight,
    recurrence,
    bias,
    hidden_init,
    cell_init,
    lengths,
    peephole,
    sequence,
    single,
    cell_single
  };
  static constexpr std::array<operand_info, 11> operands{detail::recurrent_input("InputTensor", ""),
                                                         detail::recurrent_input("WeightTensor", "LS1"),
                                                         detail::recurrent_input("RecurrenceTensor", "LS1"),
                                                         detail::recurrent_input("BiasTensor", "LS1", true),
                                                         detail::recurrent_input("HiddenInitTensor", "LS1", true),
                                                         detail::recurrent_input("CellMemInitTensor", "LS1", true),
                                                         detail::sequence_lengths_operand,
                                                         detail::recurrent_input("PeepholeTensor", "LS1", true),
                                                         detail::recurrent_output("OutputSequenceTensor", "LS1"),
                                                         detail::recurrent_output("OutputSingleTensor", "LS1"),
                                                         detail::recurrent_output("OutputCellSingleTensor", "LS1")};
  static constexpr std::array<detail::recurrent_shape, 11> shapes{"1SBI", "1DRI", "1DRH", "11DT", "1DBH", "1DBH",
                                                                  "111B", "11DP", "SDBH", "1DBH", "1DBH"};
  static constexpr std::size_t gates = 4;
  static constexpr std::array<std::size_t, 2> hidden_of{recurrence, 3};
  static constexpr std::array<std::uint64_t, 3> functions{4, 2, 2};
  static constexpr detail::recurrent_codes rules{"LS2", "LS3", "LS4", "LS5", "LS7", "LS9", "LS10", "LS11"};

  static constexpr std::array attributes{row<&lstm_desc::activation_descs>("ActivationDescs", "ActivationDescCount"),
                                         row<&lstm_desc::direction>("Direction").enumerator("LS8"),
                                         row<&lstm_desc::clip_threshold>("ClipThreshold"),
                                         row<&lstm_desc::use_clip_threshold>("UseClipThreshold"),
                                         row<&lstm_desc::couple_input_forget>("CoupleInputForget")};
  static constexpr std::array policies{row<&lstm_desc::output_peephole>("output_peephole"),
                                       row<&lstm_desc::accumulation>("accumulation"),
                                       row<&lstm_desc::same_resource>("same_resource")};

  static constexpr operator_options<lstm_desc> options{.implied = &detail::implied_of_recurrent<lstm_desc>,
                                                       .check_rules = &detail::check_recurrent_rules<lstm_desc>,
                                                       .work = &detail::work_of_recurrent<lstm_desc>,
                                                       .scratch = &detail::scratch_of_recurrent<lstm_desc>};
};

// With Dn directions (2 if BIDIRECTIONAL), S steps, batch B, input size I and hidden size H; gates in the order input,
// output, forget, cell:
//   input             X {1,S,B,I}, FLOAT32 or FLOAT16; all others but the lengths have its type
//   weight            W {1,Dn,4H,I}, recurrence R {1,Dn,4H,H}
//   bias              {1,1,Dn,8H}: for W, then for R; may be omitted
//   hidden_init       {1,Dn,B,H}, cell_mem_init {1,Dn,B,H}; each may be omitted: zeros
//   sequence_lengths  UINT32 {1,1,1,B}; may be omitted: S each
//   peephole          {1,1,Dn,3H}: P of the gates input, output, forget; may be omitted
//   output_sequence   {S,Dn,B,H}: the hidden state after each step; zeros beyond the length
//   output_single     {1,Dn,B,H}, output_cell_single {1,Dn,B,H}: the last states. Two of the outputs may be omitted
// One step, with s_k(p) = clip(W_k X[t] + R_k h + bias of W + bias of R + P_k p):
//   i = f(s_i(c));  g = f(s_f(c)) or, coupled, 1 - i;  c' = g c + i g(s_c);  h' = f(s_o(c')) h(c')
// Omitted tensors are const_tensor_ref() and tensor_ref(). States are not rounded from step to step; what is stored is
// rounded once. Throws error (T1..T12, LS1..LS11, AR7..AR10), with the outputs unchanged.
template <class Backend, input_argument Input, input_argument Weight, input_argument Recurrence, input_argument Bias,
          input_argument HiddenInit, input_argument CellInit, input_argument Lengths, input_argument Peephole,
          output_argument Sequence, output_argument Single, output_argument CellSingle>
void lstm(const Backend& backend, const Input& input, const Weight& weight, const Recurrence& recurrence,
          const Bias& bias, const HiddenInit& hidden_init, const CellInit& cell_mem_init,
          const Lengths& sequence_lengths, const Peephole& peephole, Sequence&& output_sequence, Single&& output_single,
          CellSingle&& output_cell_single, const lstm_desc& desc) {
  detail::call_recurrent(
      backend, desc, std::tie(input, weight, recurrence, bias, hidden_init, cell_mem_init, sequence_lengths, peephole),
      std::forward_as_tuple(std::forward<Sequence>(output_sequence), std::forward<Single>(output_single),
                            std::forward<CellSingle>(output_cell_single)));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(lstm_desc);
