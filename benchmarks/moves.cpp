// The workloads of operators that move, convert, compare and compute elements, of TOP_K, of sums and cumulative sums.
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "calls.hpp"

namespace benchmarks {

namespace {

using namespace goldml;

constexpr auto u8 = data_type::uint8, u32 = data_type::uint32, f16 = data_type::float16, f32 = data_type::float32;

// With `of_magnitudes` the inputs are not negative.
template <class Desc>
workload make(const std::string& name, const std::string& title, const bars& bar, const Desc& desc,
              const std::vector<tensor_desc>& inputs, const std::vector<tensor_desc>& outputs,
              std::uint32_t indices_below = 0, traffic least = {}, bool of_magnitudes = false) {
  const auto change = [=](call_data<Desc>& data) {
    if (indices_below != 0) data.fill_with_indices(1, indices_below);
    if (of_magnitudes) data.take_magnitudes();
  };
  return call_workload(name, title, bar, desc, inputs, outputs, change, least);
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
