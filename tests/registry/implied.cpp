// What a desc and its inputs imply of the outputs: for every operator against generated cases, and hand-derived.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/generate_illegal.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"

using namespace goldml;

namespace {

using dt = data_type;

tensor_desc of(data_type type, const dimensions& sizes) { return {.data_type = type, .sizes = sizes}; }
tensor_desc f32(const dimensions& sizes) { return of(dt::float32, sizes); }

// "FLOAT32 {2,3}, UINT32 {2,1}", or what is thrown.
std::string outputs_of(const any_desc& desc, const std::vector<std::optional<tensor_desc>>& inputs,
                       std::optional<data_type> open_type = std::nullopt) {
  try {
    std::string text;
    for (const tensor_desc& output : implied_outputs(desc, inputs, open_type))
      text += (text.empty() ? "" : ", ") + to_string(output);
    return text;
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

std::string open_of(std::string_view place, std::string_view what) {
  return "goldml: " + std::string(place) + ": the desc and the inputs leave open its " + std::string(what);
}

// By the pages: the outputs with other legal sizes, and with other legal data types at the latest level. Those of
// CONVOLUTION, pooling and DIAGONAL_MATRIX1 are open in some calls. RANDOM_GENERATOR's next state is never open. Those
// of attention are known but for their number: any number of leading sizes of 1 is legal (MH4).
const std::set<std::string, std::less<>> open_sizes{
    "AVERAGE_POOLING OutputTensor",
    "AVERAGE_POOLING1 OutputTensor",
    "AVERAGE_POOLING_GRAD OutputGradientTensor",
    "CONVOLUTION OutputTensor",
    "DIAGONAL_MATRIX OutputTensor",
    "DIAGONAL_MATRIX1 OutputTensor",
    "FILL_VALUE_CONSTANT OutputTensor",
    "FILL_VALUE_SEQUENCE OutputTensor",
    "FOLD OutputTensor",
    "LP_POOLING OutputTensor",
    "LP_POOLING1 OutputTensor",
    "MAX_POOLING OutputTensor",
    "MAX_POOLING1 OutputIndicesTensor",
    "MAX_POOLING1 OutputTensor",
    "MAX_POOLING2 OutputIndicesTensor",
    "MAX_POOLING2 OutputTensor",
    "MAX_UNPOOLING OutputTensor",
    "MULTIHEAD_ATTENTION OutputPresentKeyTensor",
    "MULTIHEAD_ATTENTION OutputPresentValueTensor",
    "MULTIHEAD_ATTENTION OutputTensor",
    "MULTIHEAD_ATTENTION1 OutputPresentKeyTensor",
    "MULTIHEAD_ATTENTION1 OutputPresentValueTensor",
    "MULTIHEAD_ATTENTION1 OutputTensor",
    "NONZERO_COORDINATES OutputCoordinatesTensor",
    "NONZERO_COORDINATES OutputCountTensor",
    "ONE_HOT OutputTensor",
    "QUANTIZED_LINEAR_AVERAGE_POOLING OutputTensor",
    "RANDOM_GENERATOR OutputTensor",
    "RESAMPLE OutputTensor",
    "RESAMPLE1 OutputTensor",
    "RESAMPLE2 OutputTensor",
    "RESAMPLE3 OutputTensor",
    "RESAMPLE_GRAD OutputGradientTensor",
    "RESAMPLE_GRAD1 OutputGradientTensor",
    "ROI_ALIGN OutputTensor",
    "ROI_ALIGN1 OutputTensor",
    "ROI_ALIGN_GRAD OutputGradientTensor",
    "SLICE1 OutputTensor",
    "SLICE_GRAD OutputGradientTensor",
    "SPLIT OutputTensors",
    "UNFOLD OutputTensor",
};
const std::set<std::string, std::less<>> open_types{
    "ARGMAX OutputTensor",
    "ARGMIN OutputTensor",
    "CAST OutputTensor",
    "DIAGONAL_MATRIX OutputTensor",
    "DIAGONAL_MATRIX1 OutputTensor",
    "ELEMENT_WISE_BIT_COUNT OutputTensor",
    "ELEMENT_WISE_IS_NAN OutputTensor",
    "ELEMENT_WISE_LOGICAL_EQUALS OutputTensor",
    "ELEMENT_WISE_LOGICAL_GREATER_THAN OutputTensor",
    "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL OutputTensor",
    "ELEMENT_WISE_LOGICAL_LESS_THAN OutputTensor",
    "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL OutputTensor",
    "DYNAMIC_QUANTIZE_LINEAR OutputTensor",
    "DYNAMIC_QUANTIZE_LINEAR OutputZeroPointTensor",
    "ELEMENT_WISE_QUANTIZE_LINEAR OutputTensor",
    "ELEMENT_WISE_QUANTIZED_LINEAR_ADD OutputTensor",
    "FILL_VALUE_CONSTANT OutputTensor",
    "FILL_VALUE_SEQUENCE OutputTensor",
    "MAX_POOLING1 OutputIndicesTensor",
    "MAX_POOLING2 OutputIndicesTensor",
    "QUANTIZED_LINEAR_AVERAGE_POOLING OutputTensor",
    "QUANTIZED_LINEAR_CONVOLUTION OutputTensor",
    "QUANTIZED_LINEAR_MATRIX_MULTIPLY OutputTensor",
    "QUANTIZE OutputTensor",
    "REDUCE OutputTensor",
    "TOP_K OutputIndexTensor",
    "TOP_K1 OutputIndexTensor",
};

// Operators with sizes that are open, but not in each call or not of each output.
const std::set<std::string_view> implies_some{
    "AVERAGE_POOLING",  "AVERAGE_POOLING1", "CONVOLUTION",  "DIAGONAL_MATRIX1", "LP_POOLING",
    "LP_POOLING1",      "MAX_POOLING",      "MAX_POOLING1", "MAX_POOLING2",     "QUANTIZED_LINEAR_AVERAGE_POOLING",
    "RANDOM_GENERATOR", "ROI_ALIGN_GRAD",
};

bool is_legal(const any_desc& desc, std::vector<operand> operands) {
  violation_sink sink;
  check(desc, operands, sink);
  return !sink.first();
}

}  // namespace

TEST_CASE("B4: what is implied of an output is so in every legal case, and nothing else is legal", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const operator_description& description = *op.description;
    std::set<std::string, std::less<>> open, open_type;
    std::size_t compared = 0;
    for (const feature_level level : {description.first_level(), feature_level::latest})
      for (std::uint64_t number = 0; number < 200; ++number) {
        const auto c = oracle::sample_case<any_desc>(op, {.seed = 36, .feature_level = level}, number);
        const std::vector<operand> legal = to_operands(c.tensors);
        const std::size_t inputs = description.input_count(legal.size());
        std::vector<operand> operands = legal;
        // What the case omits stays omitted: an output may need an input that it omits, too (RG3).
        for (std::size_t i = inputs; i < operands.size(); ++i)
          if (legal[i].desc) operands[i] = open_output();
        REQUIRE(is_legal(c.desc, operands));
        for (std::size_t i = inputs; i < legal.size(); ++i) {
          if (!legal[i].desc) continue;
          const std::size_t row = place_of_tensor(description.operands, i, legal.size()).info;
          const std::string name = std::string(op.name()) + " " + std::string(description.operands[row].name);
          const implied_output output = description.implied(c.desc.get(), operands, row);
          INFO(oracle::to_string(c));
          std::vector<operand> changed = legal;
          changed[i].desc->total_tensor_size_in_bytes.reset();
          changed[i].desc->strides = {};
          if (!output.sizes) {
            open.insert(name);
          } else {
            REQUIRE(output.sizes->clamped() == legal[i].desc->sizes);
            changed[i].desc->sizes[number % legal[i].desc->sizes.size()] += 1;
            REQUIRE_FALSE(is_legal(c.desc, changed));
            changed[i].desc->sizes = legal[i].desc->sizes;
            ++compared;
          }
          if (!output.data_type) {
            if (level == feature_level::latest) open_type.insert(name);
            continue;
          }
          REQUIRE(*output.data_type == legal[i].desc->data_type);
          changed[i].desc->data_type = *output.data_type == dt::float32 ? dt::uint32 : dt::float32;
          REQUIRE_FALSE(is_legal(c.desc, changed));
        }
      }
    for (std::size_t row = 0; row < description.operands.size(); ++row) {
      const std::string name = std::string(op.name()) + " " + std::string(description.operands[row].name);
      CHECK(open.contains(name) == open_sizes.contains(name));
      CHECK(open_type.contains(name) == open_types.contains(name));
    }
    CHECK((compared == 0) == (!open.empty() && !implies_some.contains(op.name())));
  });
}

TEST_CASE("B4: illegal descs and inputs are safe, and refused with their own rule", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const operator_description& description = *op.description;
    std::size_t refused = 0;
    for (std::uint64_t number = 0; number < 200; ++number) {
      const auto c = oracle::sample_illegal_case<any_desc>(op, {.seed = 37}, number).text;
      const std::size_t inputs = description.input_count(c.tensors.size());
      std::vector<operand> operands = to_operands(c.tensors);
      const auto has_desc = [&](std::size_t i) {
        return operands[i].desc || description.info_of(i, operands.size()).optional;
      };
      bool complete = true;
      for (std::size_t i = 0; i < inputs; ++i) complete = complete && has_desc(i);
      for (std::size_t row = 0; complete && row < description.operands.size(); ++row)
        if (description.operands[row].role == operand_role::output) description.implied(c.desc.get(), operands, row);
      // A rule on the inputs alone.
      operands.resize(inputs);
      for (const operand_info& info : description.operands)
        if (info.role == operand_role::output) operands.push_back(open_output());
      violation_sink sink;
      check(c.desc, operands, sink);
      if (!sink.first()) continue;
      INFO(oracle::to_string(c));
      const auto end = c.tensors.begin() + static_cast<std::ptrdiff_t>(inputs);
      CHECK(outputs_of(c.desc, {c.tensors.begin(), end}) == to_string(*sink.first()));
      ++refused;
    }
    CHECK(refused > 0);
  });
}

TEST_CASE("B4: data types and sizes from rows", "[registry]") {
  CHECK(outputs_of(activation_relu_desc{}, {f32({2, 3})}) == "FLOAT32 {2,3}");
  CHECK(outputs_of(cumulative_summation_desc{}, {of(dt::int32, {4})}) == "INT32 {4}");
  CHECK(outputs_of(element_wise_desc<element_wise_op::condition>{},
                   {of(dt::uint8, {2, 2}), of(dt::int16, {2, 2}), of(dt::int16, {2, 2})}) == "INT16 {2,2}");
  CHECK(outputs_of(scatter_nd_desc{}, {f32({5}), of(dt::uint32, {2}), f32({1})}) != "");
  // Strides are the input's own, and the output is packed.
  CHECK(outputs_of(activation_relu_desc{},
                   {tensor_desc{.data_type = dt::float16, .sizes = {2, 3}, .strides = {1, 2}}}) == "FLOAT16 {2,3}");
  // Rows that say it of the input.
  CHECK(outputs_of(diagonal_matrix1_desc{}, {of(dt::int8, {4, 5})}) == "INT8 {4,5}");
  CHECK(outputs_of(join_desc{.axis = 1}, {of(dt::uint16, {2, 3}), of(dt::uint16, {2, 4})}) == "UINT16 {2,7}");
  // The only data type at a level.
  const top_k_desc early{.axis = 3, .k = 2, .feature_level = feature_level::level_1_0};
  CHECK(outputs_of(early, {f32({1, 1, 2, 5})}) == "FLOAT32 {1,1,2,2}, UINT32 {1,1,2,2}");
}

TEST_CASE("B4: data types and sizes by operators", "[registry]") {
  // 2 x 3 x 4, reduced over the outer axes.
  CHECK(outputs_of(reduce_desc{.function = reduce_function::sum, .axes = {0, 2}}, {f32({2, 3, 4})}) ==
        "FLOAT32 {1,3,1}");
  CHECK(outputs_of(argmin_desc{.axes = {1}}, {f32({2, 3})}, dt::int64) == "INT64 {2,1}");
  // (3 x 2)^T x (4 x 3)^T = 2 x 4.
  CHECK(outputs_of(gemm_desc{}, {f32({5, 2, 3}), f32({5, 3, 4}), std::nullopt}) == "FLOAT32 {5,2,4}");
  CHECK(outputs_of(gemm_desc{.trans_a = matrix_transform::transpose, .trans_b = matrix_transform::transpose},
                   {f32({3, 2}), f32({4, 3}), f32({2, 4})}) == "FLOAT32 {2,4}");
  // 7 + 1 + 0 elements, a window of 1 + 2 * 2 = 5, stride 3: places 0 and 3. Backward: 2 * 1 + 3 - 1 = 4, two groups.
  convolution_desc forward{
      .strides = {3}, .dilations = {2}, .start_padding = {1}, .end_padding = {0}, .output_padding = {0}};
  CHECK(outputs_of(forward, {f32({2, 4, 7}), f32({6, 4, 3}), std::nullopt}) == "FLOAT32 {2,6,2}");
  convolution_desc backward{.direction = convolution_direction::backward,
                            .strides = {1},
                            .dilations = {1},
                            .start_padding = {1},
                            .end_padding = {0},
                            .output_padding = {0},
                            .group_count = 2};
  CHECK(outputs_of(backward, {f32({1, 4, 3}), f32({4, 3, 3}), std::nullopt}) == "FLOAT32 {1,6,4}");
  // The index tuples of 2 select slices of 4 of {2,3,4}; of the axis 1, {5} takes the place of 3.
  CHECK(outputs_of(gather_nd_desc{.input_dimension_count = 3, .indices_dimension_count = 2},
                   {f32({2, 3, 4}), of(dt::uint32, {1, 5, 2})}) == "FLOAT32 {1,5,4}");
  CHECK(outputs_of(gather_desc{.axis = 1, .index_dimensions = 1}, {f32({2, 3}), of(dt::int32, {1, 5})}) ==
        "FLOAT32 {2,5}");
  CHECK(outputs_of(gather_elements_desc{.axis = 1}, {f32({2, 3}), of(dt::int64, {2, 9})}) == "FLOAT32 {2,9}");
  CHECK(outputs_of(padding_desc{.start_padding = {1, 0}, .end_padding = {2, 5}}, {f32({2, 3})}) == "FLOAT32 {5,8}");
  CHECK(outputs_of(tile_desc{.repeats = {2, 3}}, {of(dt::int8, {1, 5})}) == "INT8 {2,15}");
  CHECK(outputs_of(upsample_2d_desc{.scale_size = {.width = 2, .height = 3}}, {f32({1, 2, 3, 4})}) ==
        "FLOAT32 {1,2,9,8}");
  CHECK(outputs_of(space_to_depth_desc{.block_size = 2}, {f32({1, 3, 4, 6})}) == "FLOAT32 {1,12,2,3}");
  CHECK(outputs_of(depth_to_space1_desc{.block_size = 2}, {f32({1, 12, 2, 3})}) == "FLOAT32 {1,3,4,6}");
  CHECK(outputs_of(slice_desc{.offsets = {0, 1}, .sizes = {1, 2}, .strides = {1, 1}}, {f32({2, 3})}) ==
        "FLOAT32 {1,2}");
  CHECK(outputs_of(top_k1_desc{.axis = 0, .k = 2}, {of(dt::uint8, {5, 3})}, dt::uint64) == "UINT8 {2,3}, UINT64 {2,3}");
  CHECK(outputs_of(reverse_subsequences_desc{.axis = 1}, {f32({2, 3}), of(dt::uint32, {2, 1})}) == "FLOAT32 {2,3}");
  CHECK(outputs_of(scatter_elements_desc{}, {f32({5}), of(dt::uint32, {2}), f32({2})}) == "FLOAT32 {5}");
  // S = 7 steps of B = 2, I = 3; H = 4 in both directions.
  const rnn_desc both{.activation_descs = {activations::tanh(), activations::tanh()},
                      .direction = recurrent_network_direction::bidirectional};
  CHECK(outputs_of(both, {f32({1, 7, 2, 3}), f32({1, 2, 4, 3}), f32({1, 2, 4, 4}), {}, {}, {}}) ==
        "FLOAT32 {7,2,2,4}, FLOAT32 {1,2,2,4}");
  const gru_desc two{.activation_descs = {activations::sigmoid(), activations::tanh()}};
  CHECK(outputs_of(two, {f32({1, 7, 2, 3}), f32({1, 1, 12, 3}), f32({1, 1, 12, 4}), {}, {}, {}}) ==
        "FLOAT32 {7,1,2,4}, FLOAT32 {1,1,2,4}");
  const lstm_desc gates{.activation_descs = {activations::sigmoid(), activations::tanh(), activations::tanh()}};
  CHECK(outputs_of(gates, {f32({1, 7, 2, 3}), f32({1, 1, 16, 3}), f32({1, 1, 16, 4}), {}, {}, {}, {}, {}}) ==
        "FLOAT32 {7,1,2,4}, FLOAT32 {1,1,2,4}, FLOAT32 {1,1,2,4}");
}

TEST_CASE("B4: outputs that are left open", "[registry]") {
  CHECK(outputs_of(argmin_desc{.axes = {1}}, {f32({2, 3})}) ==
        open_of("ARGMIN: OutputTensor", "data type: UINT32, INT32, UINT64, INT64"));
  CHECK(outputs_of(top_k_desc{}, {f32({2, 3})}) == open_of("TOP_K: OutputIndexTensor", "data type: UINT32, UINT64"));
  CHECK(outputs_of(one_hot_desc{.axis = 1}, {of(dt::uint32, {3, 1}), f32({1, 2})}) ==
        open_of("ONE_HOT: OutputTensor", "sizes"));
  CHECK(outputs_of(nonzero_coordinates_desc{}, {f32({2, 3})}) ==
        open_of("NONZERO_COORDINATES: OutputCountTensor", "sizes"));
  CHECK(outputs_of(split_desc{}, {f32({2, 3})}) == open_of("SPLIT: OutputTensors", "sizes"));
  CHECK(outputs_of(diagonal_matrix1_desc{}, {std::nullopt}) == open_of("DIAGONAL_MATRIX1: OutputTensor", "sizes"));
  CHECK(outputs_of(fill_value_constant_desc{}, {}, dt::float32) ==
        open_of("FILL_VALUE_CONSTANT: OutputTensor", "sizes"));
  // By CV9 an output of 5 or 6.
  convolution_desc strided{.direction = convolution_direction::backward,
                           .strides = {2},
                           .dilations = {1},
                           .start_padding = {0},
                           .end_padding = {0},
                           .output_padding = {0}};
  CHECK(outputs_of(strided, {f32({1, 1, 2}), f32({1, 1, 3}), std::nullopt}) ==
        open_of("CONVOLUTION: OutputTensor", "sizes"));
}

TEST_CASE("B4: refusals name the rule that the inputs, or the implied outputs, break", "[registry]") {
  CHECK(outputs_of(argmin_desc{.axes = {2}}, {f32({2, 3})}, dt::uint32) ==
        "ARGMIN A4: Axes[0] is 2, wanted below DimensionCount 2 (Axes {2})");
  CHECK(outputs_of(gemm_desc{}, {f32({2, 3}), of(dt::float16, {3, 2}), std::nullopt}).find("GEMM GM1") !=
        std::string::npos);
  CHECK(outputs_of(gemm_desc{}, {f32({2, 3}), f32({4, 2}), std::nullopt}).find("GEMM GM4") != std::string::npos);
  CHECK(outputs_of(tile_desc{.repeats = {0x8000'0000}}, {of(dt::int8, {2})}).find("TILE TI3") != std::string::npos);
  CHECK(outputs_of(tile_desc{.repeats = {1, 2}}, {of(dt::int8, {2})}).find("TILE TI4") != std::string::npos);
  CHECK(outputs_of(join_desc{.axis = 2}, {f32({2, 3}), f32({2, 3})}).find("JOIN JO5") != std::string::npos);
  CHECK(outputs_of(join_desc{}, {}).find("JOIN JO4") != std::string::npos);
  CHECK(outputs_of(argmin_desc{.axes = {1}}, {f32({2, 3})}, dt::float32).find("ARGMIN T3") != std::string::npos);
  CHECK(outputs_of(padding1_desc{.feature_level = feature_level::level_1_0}, {f32({2})}).find("PADDING1 T11") !=
        std::string::npos);
  CHECK(outputs_of(argmin_desc{}, {}) ==
        "goldml: ARGMIN: got 0 inputs and 1 outputs, wanted InputTensor, OutputTensor");
  CHECK(outputs_of(reduce_desc{.function = static_cast<reduce_function>(12)}, {f32({2})}).find("REDUCE RE1") !=
        std::string::npos);
}
