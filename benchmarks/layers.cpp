// The workloads of layers of neural networks: windows, resizing, normalisation, quantisation, LSTM and attention, alone
// and with the intervals of what a device may answer.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/oracle/verdicts/batch_normalization.hpp>
#include <goldml/oracle/verdicts/max_pooling.hpp>
#include <goldml/oracle/verdicts/mean_variance_normalization.hpp>
#include <goldml/oracle/verdicts/pooling.hpp>
#include <goldml/oracle/verdicts/resample.hpp>

#include "calls.hpp"

namespace benchmarks {

namespace {

using namespace goldml;

constexpr auto u8 = data_type::uint8, f32 = data_type::float32;
constexpr auto nothing = [](auto&) {};

// The call with intervals, one thread; `cpu` alone is a peer.
template <class Desc, class Change>
workload with_intervals(const workload& alone, const bars& bar, const Desc& desc,
                        const std::vector<tensor_desc>& inputs, const std::vector<tensor_desc>& outputs,
                        const Change& change) {
  return {alone.name + "_intervals", alone.title + ", with intervals", bar, [=] {
            const auto data = std::make_shared<call_data<Desc>>(desc, inputs, outputs);
            change(*data);
            prepared_workload p{traffic_of(inputs, outputs), goldml_contenders(data)};
            p.contenders.pop_back();
            p.contenders[0].run = [data] { data->call_with_intervals(); };
            p.contenders.push_back({"cpu", [data] { data->call(cpu); }, [] { return std::string(); }});
            return p;
          }};
}

// Multiplies the elements of an input by `factor`.
template <class Data>
void scale_elements(Data& data, std::size_t input, float factor) {
  for (float& x : data.template elements<float>(input)) x *= factor;
}

}  // namespace

std::vector<workload> layer_workloads(scale how) {
  const bool full = how == scale::full;
  const bars at_limit_or{.of_peer = 1.5, .of_limit = std::nullopt}, gradient{.of_peer = 2, .of_limit = std::nullopt},
      normalised{.of_peer = 4, .of_limit = std::nullopt}, reduced{.of_peer = std::nullopt, .of_limit = std::nullopt};
  std::vector<workload> list;
  const auto add = [&](const std::string& name, const std::string& title, const bars& bar, const auto& desc,
                       const std::vector<tensor_desc>& inputs, const std::vector<tensor_desc>& outputs,
                       const auto& change, std::optional<double> bar_of_intervals = std::nullopt) {
    list.push_back(call_workload(name, title, bar, desc, inputs, outputs, change));
    if (bar_of_intervals)
      list.push_back(with_intervals(list.back(), {.of_peer = bar_of_intervals, .of_limit = std::nullopt}, desc, inputs,
                                    outputs, change));
  };

  // 64 channels; windows of 3 x 3 and 2 x 2, resizing to twice the size, and gradients.
  const std::uint32_t pixels = full ? 224 : 56;
  const tensor_desc whole = tensor(f32, {1, 64, pixels, pixels}), half = tensor(f32, {1, 64, pixels / 2, pixels / 2});
  const auto windows = [&](const std::string& name, const std::string& title, const bars& bar, const auto& desc,
                           const std::vector<tensor_desc>& inputs, const tensor_desc& output,
                           std::optional<double> bar_of_intervals = std::nullopt) {
    add(name, fmt::format("{} f32, 64 of {}x{}", title, pixels, pixels), bar, desc, inputs, {output}, nothing,
        bar_of_intervals);
  };
  const dimensions ones{1, 1}, twos{2, 2}, threes{3, 3}, zeros{0, 0};
  const max_pooling_desc max2{.strides = twos, .window_size = twos, .start_padding = zeros, .end_padding = zeros};
  const max_pooling_desc max3{.strides = ones, .window_size = threes, .start_padding = ones, .end_padding = ones};
  const average_pooling_desc average2{
      .strides = twos, .window_size = twos, .start_padding = zeros, .end_padding = zeros};
  const average_pooling_desc average3{
      .strides = ones, .window_size = threes, .start_padding = ones, .end_padding = ones};
  windows("max_pooling_2x2", "max pooling 2x2", at_limit_or, max2, {whole}, half);
  windows("max_pooling_3x3", "max pooling 3x3", at_limit_or, max3, {whole}, whole, 3);
  windows("average_pooling_2x2", "average pooling 2x2", at_limit_or, average2, {whole}, half);
  windows("average_pooling_3x3", "average pooling 3x3", at_limit_or, average3, {whole}, whole, 3);
  windows("average_pooling_global", "average pooling of all pixels", reduced,
          average_pooling_desc{
              .strides = ones, .window_size = {pixels, pixels}, .start_padding = zeros, .end_padding = zeros},
          {whole}, tensor(f32, {1, 64, 1, 1}));
  windows("max_pooling_grad_3x3", "max pooling grad 3x3", gradient,
          max_pooling_grad_desc{
              .strides = ones, .window_size = threes, .start_padding = ones, .end_padding = ones, .dilations = ones},
          {whole, whole}, whole);
  windows("average_pooling_grad_3x3", "average pooling grad 3x3", gradient,
          average_pooling_grad_desc{.strides = ones, .window_size = threes, .start_padding = ones, .end_padding = ones},
          {whole}, whole);
  windows("unfold_3x3", "unfold 3x3", at_limit_or,
          unfold_desc{
              .window_sizes = threes, .strides = ones, .dilations = ones, .start_padding = ones, .end_padding = ones},
          {whole}, tensor(f32, {1, 64 * 9, pixels * pixels}));
  const float32_list doubled{1, 1, 2, 2}, centre{0.5F, 0.5F, 0.5F, 0.5F}, back{-0.5F, -0.5F, -0.5F, -0.5F};
  constexpr auto linear = interpolation_mode::linear;
  windows("resize_nearest", "nearest resize to twice the size", at_limit_or, resample_desc{.scales = doubled}, {half},
          whole);
  windows("resize_bilinear", "bilinear resize to twice the size", at_limit_or,
          resample_desc{.interpolation_mode = linear, .scales = doubled}, {half}, whole, 3);
  windows(
      "resize_bilinear_grad", "bilinear resize grad from twice the size", gradient,
      resample_grad_desc{
          .interpolation_mode = linear, .scales = doubled, .input_pixel_offsets = back, .output_pixel_offsets = centre},
      {whole}, half);

  const std::uint32_t side = scaled(4096, how), images = full ? 32 : 2;
  const tensor_desc matrix = tensor(f32, {side, side}), row = tensor(f32, {1, side}),
                    image = tensor(f32, {images, 64, 56, 56}), channels = tensor(f32, {1, 64, 1, 1});
  add("normalise_rows_f32", fmt::format("mean variance normalization f32, rows of {}x{}", side, side), normalised,
      mean_variance_normalization1_desc{.axes = {1}}, {matrix, row, row}, {matrix}, nothing, 10);
  add(
      "batch_normalise_f32", fmt::format("batch normalization f32, {}x64x56x56", images), normalised,
      batch_normalization_desc{}, {image, channels, channels, channels, channels}, {image},
      [](auto& data) { data.take_magnitudes(); }, 10);

  const std::uint32_t all = side * side;
  const tensor_desc floats = tensor(f32, {all}), bytes = tensor(u8, {all}), one_float = tensor(f32, {all}, {0}),
                    one_byte = tensor(u8, {all}, {0});
  const auto parameters = [](auto& data) {
    data.template elements<float>(1)[0] = 0x1p-7F;
    data.template elements<std::uint8_t>(2)[0] = 128;
  };
  add("quantize_linear", fmt::format("quantize linear f32 to u8, {} Mi", all >> 20), bars{},
      element_wise_quantize_linear_desc{}, {floats, one_float, one_byte}, {bytes}, parameters);
  add("dequantize_linear", fmt::format("dequantize linear u8 to f32, {} Mi", all >> 20), bars{},
      element_wise_dequantize_linear_desc{}, {bytes, one_float, one_byte}, {floats}, parameters);

  // `reference` computes the first rows only.
  const std::uint32_t tokens = full ? 1024 : 64, width = 8 * 64, some = 4;
  const tensor_desc heads = tensor(f32, {1, tokens, width});
  std::vector<tensor_desc> operands(11);
  for (std::size_t i = 0; i < 3; ++i) operands[i] = heads;
  const golden_part first_rows{tensor(f32, {1, some, width}), tensor(f32, {1, some, width})};
  add("attention", fmt::format("attention f32, 8 heads, {0}x{0}, 64 wide", tokens),
      bars{.of_peer = 8, .of_limit = std::nullopt}, multihead_attention_desc{.scale = 0.125F, .head_count = 8},
      operands, {heads, {}, {}}, [=](auto& data) { data.limit_reference_to(first_rows); });
  // The first two steps.
  const std::uint32_t steps = full ? 64 : 4, size = full ? 256 : 32, batch = full ? 16 : 2;
  const activation sigmoid = activations::sigmoid(), tanh = activations::tanh();
  const golden_part first_steps{tensor(f32, {1, 2, batch, size}), tensor(f32, {2, 1, batch, size})};
  const float weight = 1 / std::sqrt(static_cast<float>(size));
  add("lstm", fmt::format("lstm f32, {} steps, hidden size {}, batch {}", steps, size, batch),
      bars{.of_peer = 40, .of_limit = std::nullopt}, lstm_desc{.activation_descs = {sigmoid, tanh, tanh}},
      {tensor(f32, {1, steps, batch, size}),
       tensor(f32, {1, 1, 4 * size, size}),
       tensor(f32, {1, 1, 4 * size, size}),
       tensor(f32, {1, 1, 1, 8 * size}),
       {},
       {},
       {},
       {}},
      {tensor(f32, {steps, 1, batch, size}), {}, {}}, [=](auto& data) {
        for (const std::size_t input : {1U, 2U, 3U}) scale_elements(data, input, weight);
        data.limit_reference_to(first_steps);
      });
  return list;
}

}  // namespace benchmarks
