// The workloads of operators that move, convert, compare and compute elements, of TOP_K, of sums and cumulative sums.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/host_tensor.hpp>
#include <goldml/cpu/cpu.hpp>
#include <goldml/reference/reference.hpp>

#include "workloads.hpp"

namespace benchmarks {

namespace {

using namespace goldml;

constexpr auto u8 = data_type::uint8, u32 = data_type::uint32, f16 = data_type::float16, f32 = data_type::float32;

// A run-time call. The first input has random elements, or random elements below `below`.
template <class Desc>
class moved_data {
 public:
  moved_data(const Desc& desc, const std::vector<tensor_desc>& inputs, const std::vector<tensor_desc>& outputs)
      : desc_(desc), inputs_(inputs.begin(), inputs.end()), outputs_(outputs.begin(), outputs.end()) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) fill(inputs_[i], i);
  }

  // Random integers below `below`.
  void fill_with_indices(std::size_t input, std::uint32_t below) {
    std::mt19937_64 engine(below);
    auto* const indices = reinterpret_cast<std::uint32_t*>(inputs_[input].bytes().data());
    for (std::size_t i = 0; i < inputs_[input].bytes().size() / 4; ++i)
      indices[i] = static_cast<std::uint32_t>(engine() % below);
  }

  // Takes the sign from each FLOAT32 number.
  void take_magnitudes() {
    for (host_tensor& input : inputs_) {
      auto* const elements = reinterpret_cast<float*>(input.bytes().data());
      for (std::size_t i = 0; i < input.bytes().size() / 4; ++i) elements[i] = std::abs(elements[i]);
    }
  }

  template <class Backend>
  void call(const Backend& backend) {
    std::vector<const_tensor_ref> inputs;
    std::vector<tensor_ref> outputs;
    for (const host_tensor& input : inputs_) inputs.push_back(input.ref());
    for (host_tensor& output : outputs_) outputs.push_back(output.ref());
    evaluate(backend, desc_, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
  }

  void spoil() {
    for (host_tensor& output : outputs_) std::memset(output.bytes().data(), 0xA5, output.bytes().size());
  }
  void keep_as_golden() { golden_ = outputs_; }
  std::string difference() const {
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (outputs_[i].bytes() != golden_.at(i).bytes()) return fmt::format("output {} differs from reference", i);
    return {};
  }

 private:
  static void fill(host_tensor& tensor, std::size_t seed) {
    std::mt19937_64 engine(seed + tensor.bytes().size());
    visit_data_type(type_list<float, float16, std::uint8_t, std::uint32_t>{}, tensor.desc().data_type,
                    [&]<class T>(std::type_identity<T>) {
                      auto* const elements = reinterpret_cast<T*>(tensor.bytes().data());
                      for (std::size_t i = 0; i < tensor.bytes().size() / sizeof(T); ++i) {
                        const auto bits = static_cast<std::int32_t>(engine() >> 32);
                        if constexpr (std::is_integral_v<T>)
                          elements[i] = static_cast<T>(bits & 1);
                        else
                          elements[i] = static_cast<T>(static_cast<float>(bits) * 0x1p-31f);
                      }
                    });
  }

  Desc desc_;
  std::vector<host_tensor> inputs_, outputs_, golden_;
};

tensor_desc tensor(data_type type, const dimensions& sizes, const dimensions& strides = {}) {
  return {.data_type = type, .sizes = sizes, .strides = strides};
}
std::uint64_t bytes_of(const tensor_desc& t) { return element_count(t.sizes) * element_size_in_bytes(t.data_type); }

// The least traffic is every element of the inputs and outputs, unless it is given. With `of_magnitudes` the inputs are
// not negative.
template <class Desc>
workload make(const std::string& name, const std::string& title, const bars& bar, const Desc& desc,
              const std::vector<tensor_desc>& inputs, const std::vector<tensor_desc>& outputs,
              std::uint32_t indices_below = 0, traffic least = {}, bool of_magnitudes = false) {
  if (least.bytes() == 0) {
    for (const tensor_desc& t : inputs) least.read += bytes_of(t);
    for (const tensor_desc& t : outputs) least.written += bytes_of(t);
  }
  return {name, title, bar, [=] {
            const auto data = std::make_shared<moved_data<Desc>>(desc, inputs, outputs);
            if (indices_below != 0) data->fill_with_indices(1, indices_below);
            if (of_magnitudes) data->take_magnitudes();
            return prepared_workload{least, goldml_contenders(data)};
          }};
}

}  // namespace

std::vector<workload> move_workloads(scale how) {
  const std::uint32_t side = scaled(4096, how), half = side / 2, quarter = side / 4, all = side * side;
  const std::uint32_t rows = scaled(1U << 20, how), long_row = scaled(1U << 20, how);
  const bars streaming{};
  const tensor_desc matrix = tensor(f32, {side, side}), vector = tensor(f32, {all});
  std::vector<workload> list;

  const std::uint32_t window = quarter * 3;
  list.push_back(make("slice_f32", fmt::format("slice f32, {0}x{0} of {1}x{1}", window, side), streaming,
                      slice_desc{.offsets = {8, 8}, .sizes = {window, window}, .strides = {1, 1}}, {matrix},
                      {tensor(f32, {window, window})}, 0,
                      {std::uint64_t{4} * window * window, std::uint64_t{4} * window * window}));
  list.push_back(make("join_f32", fmt::format("join f32, two of {}x{} side by side", side, half), streaming,
                      join_desc{.axis = 1}, {tensor(f32, {side, half}), tensor(f32, {side, half})}, {matrix}));
  list.push_back(make("split_f32", fmt::format("split f32, {0}x{0} into left and right", side), streaming,
                      split_desc{.axis = 1}, {matrix}, {tensor(f32, {side, half}), tensor(f32, {side, half})}));
  list.push_back(make("tile_f32", fmt::format("tile f32, {0}x{0} four times each way", quarter), streaming,
                      tile_desc{.repeats = {4, 4}}, {tensor(f32, {quarter, quarter})}, {matrix}));
  list.push_back(make("padding_f32", fmt::format("padding f32, a frame of 16 around {0}x{0}", side - 32), streaming,
                      padding_desc{.padding_value = 1, .start_padding = {16, 16}, .end_padding = {16, 16}},
                      {tensor(f32, {side - 32, side - 32})}, {matrix}));
  list.push_back(make("transpose_f32", fmt::format("transpose f32, {0}x{0} (identity)", side), streaming,
                      element_wise_identity_desc{}, {tensor(f32, {side, side}, {1, side})}, {matrix}));
  list.push_back(make("depth_to_space_f32", fmt::format("depth to space f32, blocks of 2, {0}x{0}", side), streaming,
                      depth_to_space_desc{.block_size = 2}, {tensor(f32, {1, 4, half, half})},
                      {tensor(f32, {1, 1, side, side})}));
  list.push_back(make("cast_f32_f16", fmt::format("cast f32 to f16, {} Mi", all >> 20), streaming, cast_desc{},
                      {vector}, {tensor(f16, {all})}));
  list.push_back(make("cast_f16_f32", fmt::format("cast f16 to f32, {} Mi", all >> 20), streaming, cast_desc{},
                      {tensor(f16, {all})}, {vector}));
  list.push_back(make("greater_f32", fmt::format("greater than f32, {} Mi", all >> 20), streaming,
                      element_wise_logical_greater_than_desc{}, {vector, vector}, {tensor(u8, {all})}));
  list.push_back(make("where_f32", fmt::format("if f32, {} Mi", all >> 20), streaming, element_wise_if_desc{},
                      {tensor(u8, {all}), vector, vector}, {vector}));
  list.push_back(make("clip_f32", fmt::format("clip f32, {} Mi", all >> 20), streaming,
                      element_wise_clip_desc{.min = -0.5F, .max = 0.5F}, {vector}, {vector}));
  const auto computed = [&](const std::string& name, const std::string& title, const auto& desc,
                            const std::vector<tensor_desc>& inputs, const tensor_desc& output) {
    list.push_back(make(name, fmt::format("{}, {} Mi", title, all >> 20), streaming, desc, inputs, {output}));
  };
  const tensor_desc halves = tensor(f16, {all});
  computed("floor_f32", "floor f32", element_wise_floor_desc{}, {vector}, vector);
  computed("round_f32", "round f32", element_wise_round_desc{}, {vector}, vector);
  computed("floor_f16", "floor f16", element_wise_floor_desc{}, {halves}, halves);
  computed("scale_bias_f32", "identity f32 with ScaleBias",
           element_wise_identity_desc{.scale_bias = scale_bias{.scale = 0.5F, .bias = 0.25F}}, {vector}, vector);
  computed("threshold_f32", "threshold f32", element_wise_threshold_desc{.min = -0.5F}, {vector}, vector);
  computed("clip_grad_f32", "clip grad f32", element_wise_clip_grad_desc{.min = -0.5F, .max = 0.5F}, {vector, vector},
           vector);
  computed("relu_grad_f32", "relu grad f32", activation_relu_grad_desc{}, {vector, vector}, vector);
  list.push_back(make("hardmax_f32", fmt::format("hardmax f32, each row of {0}x{0}", side), streaming,
                      activation_hardmax1_desc{.axes = {1}}, {matrix}, {matrix}));
  computed("add_f32", "add f32", element_wise_add_desc{}, {vector, vector}, vector);
  computed("multiply_f32", "multiply f32", element_wise_multiply_desc{}, {vector, vector}, vector);
  computed("divide_f32", "divide f32", element_wise_divide_desc{}, {vector, vector}, vector);
  const bars untargeted{.of_peer = std::nullopt, .of_limit = std::nullopt};
  // Rounded once, which the peers do not do: their functions are some ULPs off.
  const auto rounded = [&](const std::string& name, const std::string& title, const auto& desc, std::size_t inputs,
                           bool of_magnitudes = false, bool has_target = true) {
    list.push_back(make(name, fmt::format("{} f32, rounded once, {} Mi", title, all >> 20),
                        has_target ? bars{.of_peer = 6, .of_limit = std::nullopt} : untargeted, desc,
                        std::vector<tensor_desc>(inputs, vector), {vector}, 0, {}, of_magnitudes));
  };
  rounded("exp_f32", "exp", element_wise_exp_desc{}, 1);
  rounded("log_f32", "log", element_wise_log_desc{}, 1, true);
  rounded("sin_f32", "sin", element_wise_sin_desc{}, 1);
  rounded("tanh_f32", "tanh", element_wise_tanh_desc{}, 1);
  rounded("gelu_f32", "gelu", activation_gelu_desc{}, 1);
  rounded("pow_f32", "pow", element_wise_pow_desc{}, 2, true);
  rounded("difference_square_f32", "difference square", element_wise_difference_square_desc{}, 2, false, false);
  rounded("modulus_floor_f32", "modulus floor", element_wise_modulus_floor_desc{}, 2, false, false);
  rounded("atan_yx_f32", "atan yx", element_wise_atan_yx_desc{}, 2, false, false);
  const std::uint32_t images = how == scale::full ? 32 : 2;
  const tensor_desc image = tensor(f32, {images, 64, 56, 56}), channels = tensor(f32, {1, 64, 1, 1}),
                    row = tensor(f32, {1, side});
  const bars normalised{.of_peer = 4, .of_limit = std::nullopt};
  list.push_back(make("normalise_rows_f32", fmt::format("mean variance normalization f32, rows of {}x{}", side, side),
                      normalised, mean_variance_normalization1_desc{.axes = {1}}, {matrix, row, row}, {matrix}));
  list.push_back(make("batch_normalise_f32", fmt::format("batch normalization f32, {}x64x56x56", images), normalised,
                      batch_normalization_desc{}, {image, channels, channels, channels, channels}, {image}, 0, {},
                      true));
  for (const std::uint32_t axis : {1U, 0U})
    list.push_back(make(fmt::format("sum_f32_{}", axis == 1 ? "rows" : "columns"),
                        fmt::format("sum f32, {} of {}x{}", axis == 1 ? "each row" : "each column", side, side),
                        untargeted, reduce_desc{.function = reduce_function::sum, .axes = {axis}}, {matrix},
                        {axis == 1 ? tensor(f32, {side, 1}) : tensor(f32, {1, side})}));
  for (const std::uint32_t axis : {1U, 0U})
    list.push_back(
        make(fmt::format("cumulative_sum_f32_{}", axis == 1 ? "rows" : "columns"),
             fmt::format("cumulative sums f32, {} of {}x{}", axis == 1 ? "each row" : "each column", side, side),
             untargeted, cumulative_summation_desc{.axis = axis}, {matrix}, {matrix}));
  // 64 channels; windows of 3 x 3 and 2 x 2, and their gradients.
  const std::uint32_t pixels = how == scale::full ? 224 : 56;
  const tensor_desc pooled = tensor(f32, {1, 64, pixels, pixels}), halved = tensor(f32, {1, 64, pixels / 2, pixels / 2});
  const auto windows = [&](const std::string& name, const std::string& title, const auto& desc,
                           const std::vector<tensor_desc>& inputs, const tensor_desc& output) {
    list.push_back(
        make(name, fmt::format("{} f32, 64 of {}x{}", title, pixels, pixels), untargeted, desc, inputs, {output}));
  };
  const dimensions ones{1, 1}, twos{2, 2}, threes{3, 3}, zeros{0, 0};
  windows("max_pooling_2x2", "max pooling 2x2",
          max_pooling_desc{.strides = twos, .window_size = twos, .start_padding = zeros, .end_padding = zeros}, {pooled},
          halved);
  windows("max_pooling_3x3", "max pooling 3x3",
          max_pooling_desc{.strides = ones, .window_size = threes, .start_padding = ones, .end_padding = ones}, {pooled},
          pooled);
  windows("average_pooling_2x2", "average pooling 2x2",
          average_pooling_desc{.strides = twos, .window_size = twos, .start_padding = zeros, .end_padding = zeros},
          {pooled}, halved);
  windows("average_pooling_3x3", "average pooling 3x3",
          average_pooling_desc{.strides = ones, .window_size = threes, .start_padding = ones, .end_padding = ones},
          {pooled}, pooled);
  windows("average_pooling_grad_3x3", "average pooling grad 3x3",
          average_pooling_grad_desc{.strides = ones, .window_size = threes, .start_padding = ones, .end_padding = ones},
          {pooled}, pooled);
  windows("unfold_3x3", "unfold 3x3",
          unfold_desc{
              .window_sizes = threes, .strides = ones, .dilations = ones, .start_padding = ones, .end_padding = ones},
          {pooled}, tensor(f32, {1, 64 * 9, pixels * pixels}));
  list.push_back(make("gather_rows", "gather f32, 256 Ki of 1 Mi rows of 64",
                      bars{.of_peer = 0.9, .of_limit = std::nullopt}, gather_desc{.axis = 0, .index_dimensions = 1},
                      {tensor(f32, {rows, 64}), tensor(u32, {1, rows / 4})}, {tensor(f32, {rows / 4, 64})}, rows,
                      {std::uint64_t{rows} / 4 * (256 + 4), std::uint64_t{rows} / 4 * 256}));
  for (const std::uint32_t k : {8U, 1024U})
    for (const bool is_long : {false, true}) {
      const std::uint32_t columns = is_long ? long_row : side, count = is_long ? 16 : side;
      const std::uint32_t wanted = how == scale::full ? k : k / 16 + 1;
      list.push_back(make(fmt::format("top_k_{}_of_{}", k, is_long ? "1mi" : "4096"),
                          fmt::format("top-k f32, {} of each of {} rows of {}", wanted, count, columns),
                          bars{.of_peer = 0.5, .of_limit = std::nullopt}, top_k_desc{.axis = 1, .k = wanted},
                          {tensor(f32, {count, columns})},
                          {tensor(f32, {count, wanted}), tensor(u32, {count, wanted})}));
    }
  return list;
}

}  // namespace benchmarks
