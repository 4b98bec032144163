// The figures of the published vectors, judged by the verdicts of operators that round; and how much narrower the
// intervals are than the tolerances of the vectors' authors.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdict.hpp>

#include "../catch.hpp"
#include "tolerances.hpp"

using namespace published;

namespace {

// The elements of one operator whose authors have a tolerance.
struct comparison {
  std::uint64_t elements = 0;
  std::uint64_t exact = 0;  // only the golden value is right: the tolerance is wider without limit
  std::uint64_t wider = 0;  // the interval is wider than the tolerance
  std::map<std::string, std::vector<double>> ratios = {};  // of the other widths, tolerance to interval, by source
};

std::string median_of(std::vector<double> ratios) {
  if (ratios.empty()) return "-";
  const auto half = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), half, ratios.end());
  return fmt::format("{:.3g}", *half);
}

std::string name_of_row(const json& one, std::string_view op) {
  if (op != "REDUCE") return std::string(op);
  return "REDUCE " + std::string(text_of(one["attributes"]["Function"]).substr(20));
}

template <class T>
bool is_finite(T x) {
  return std::isfinite(static_cast<float>(x));
}

template <class Desc>
constexpr bool rounds(const Desc& desc) {
  if constexpr (std::is_same_v<Desc, reduce_desc>)
    if (desc.function == reduce_function::min || desc.function == reduce_function::max) return false;
  return true;
}
template <class Desc>
constexpr bool may_round = requires(Desc desc) {
  desc.accumulation;
}
|| operator_traits<Desc>::name.starts_with("ACTIVATION_");

}  // namespace

TEST_CASE("published vectors: the figures lie in the intervals, or are explained", "[published]") {
  const rapidjson::Document vectors = read_vectors();
  std::map<std::string, comparison> by_operator;
  std::map<std::string, int> outside;    // elements, by case
  std::uint64_t changed = 0;             // elements, when the figure is twice as large and one more
  std::map<std::string, int> unnoticed;  // of these, by operator
  std::uint64_t undefined = 0;
  std::uint64_t few_decimals = 0;  // elements of normalisations outside, whose source prints a few digits
  for (const json& one : vectors.GetArray())
    with_desc(one, [&]<class Desc>(const Desc& desc, std::string_view op) {
      if constexpr (may_round<Desc>) {
        if (is_answer(one) || !rounds(desc) || has_tag(one, "dml-dtype-unsupported") ||
            has_tag(one, "nan-propagating-policy") || has_tag(one, "channel-counts-policy") ||
            has_tag(one, "nearest-tie"))
          return;
        const std::string name(text_of(one["name"]));
        const std::string_view source = text_of(one["source"]);
        INFO(source << ": " << name);
        const case_tensors tensors = tensors_of_case<Desc>(one);
        std::vector<tensor_desc> outputs;
        for (const tensor_ref& t : tensors.output_refs) outputs.push_back(t.present() ? t.desc() : tensor_desc{});
        const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(tensors.inputs), outputs);
        const auto tolerance = tolerance_of(one, op);
        for (std::size_t o = 0; o < outputs.size(); ++o) {
          if (tensors.outputs[o].omitted) continue;
          visit_data_type(all_types{}, outputs[o].data_type, [&]<class T>(std::type_identity<T>) {
            if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>) {
              const oracle::golden_output& expected = golden.answers.at(0).at(o);
              comparison& row = by_operator[name_of_row(one, op)];
              std::size_t element = 0;
              for (const coordinate_tuple& c : coordinates_of(outputs[o].sizes)) {
                if (tensors.outputs[o].is_open(element)) {
                  ++element;
                  continue;
                }
                T printed;
                std::memcpy(static_cast<void*>(&printed), &tensors.outputs[o].expected[element * sizeof(T)], sizeof(T));
                if (expected.verdicts[element] == verdict::undefined) {
                  ++undefined;
                  ++element;
                  continue;
                }
                const T exact = expected.values.ref().template as<T>()[c];
                const auto is_outside = [&](T figure) {
                  return oracle::place_of<T>(expected, element, exact, figure, {}) == interval_place::outside;
                };
                const auto wrong = static_cast<T>(2 * static_cast<float>(printed) + 1);
                // A figure of -1 stays as it is, and one near it changes by less than a function may be off.
                const double change = std::abs(static_cast<double>(wrong) - static_cast<double>(printed));
                if (is_finite(wrong) && is_finite(printed) && change > 0x1p-7) {
                  ++changed;
                  if (!is_outside(wrong)) ++unnoticed[fmt::format("{}: {}", op, name)];
                }
                if (is_outside(printed) && op.find("NORMALIZATION") != op.npos && has_tag(one, "few-decimals")) {
                  ++few_decimals;
                } else if (is_outside(printed)) {
                  ++outside[fmt::format("{} of {}: {}", op, source, name)];
                  // A single product, printed with eight decimals.
                  const auto eighth = [](T x) { return std::round(static_cast<double>(x) * 1e8); };
                  if constexpr (std::is_same_v<Desc, convolution_desc>) CHECK(eighth(exact) == eighth(printed));
                }
                const interval* allowed = expected.verdicts.interval_of(element);
                const double width = allowed == nullptr ? 0 : double{allowed->high} - double{allowed->low};
                const double theirs =
                    tolerance ? tolerance->width(static_cast<double>(exact), outputs[o].data_type) : 0;
                ++element;
                if (!tolerance || !std::isfinite(theirs) || !std::isfinite(width)) continue;
                ++row.elements;
                if (width == 0)
                  ++row.exact;
                else
                  row.ratios[std::string(source.substr(0, source.find('/')))].push_back(theirs / width);
                if (width > theirs) ++row.wider;
              }
            }
          });
        }
      }
    });

  fmt::print(
      "published intervals: elements, exact, wider than the tolerance, and else how many times narrower (median)\n");
  for (const auto& [name, row] : by_operator) {
    fmt::print("published intervals: {:<34} {:>6} {:>6} {:>5}", name, row.elements, row.exact, row.wider);
    for (const char* source : {"web-platform-tests", "onnx", "webmachinelearning"}) {
      const auto found = row.ratios.find(source);
      fmt::print(" {:>9}", found == row.ratios.end() ? "-" : median_of(found->second));
    }
    fmt::print("\n");
  }
  for (const auto& [name, count] : outside) fmt::print("published intervals: outside: {}: {}\n", name, count);
  for (const auto& [name, count] : unnoticed) fmt::print("published intervals: unnoticed: {}: {}\n", name, count);
  const std::string great_values = "LayerNormTest.LayerNorm_VeryLargeValues_NoNaN";
  // The tangent beside a pole; a great negative number, of which erf is -1 and 1 + erf may be off; logarithms of shares
  // that are 0 where SOFTMAX is flushed; the angle of {0, 0};
  // a hull of filtered elements; places beside the middle between two elements, of which either may be taken; and
  // normalised numbers whose squares overflow.
  CHECK(unnoticed == std::map<std::string, int>{{"ELEMENT_WISE_TAN: tan_float16_20_20_chlo", 1},
                                                {"ACTIVATION_GELU: ActivationOpTest.Gelu", 1},
                                                {"ACTIVATION_LOG_SOFTMAX1: [2, 4], axis 0, float16", 4},
                                                {"ELEMENT_WISE_ATAN_YX: atan2_op_test_f64", 1},
                                                {"RESAMPLE3: ResizeOpTest.Antialias_Large_half_pixel", 1},
                                                {"RESAMPLE3: test_resize_upsample_sizes_nearest_axes_3_2", 4},
                                                {"RESAMPLE_GRAD: InterpolateBackwardNearest", 3},
                                                {"RESAMPLE_GRAD1: InterpolateBackwardNearest", 3},
                                                {"ROI_ALIGN_GRAD: ROI_ALIGN_GRAD example", 8},
                                                {"MEAN_VARIANCE_NORMALIZATION1: " + great_values, 1},
                                                {"MEAN_VARIANCE_NORMALIZATION2: " + great_values, 1}});
  CHECK(few_decimals == 442);
  CHECK(changed > 0);
  // Rows of OutputPadding in three cases of CONVOLUTION (ledger CV-R1), and the last states of LSTM and GRU for lengths
  // of 0.
  CHECK(undefined == 102 + 40 + 16);
  // The decimals of these inputs were rounded after the figures had been computed (tag not-correctly-rounded).
  const std::string binary = "of webmachinelearning/webnn-baseline:test/binary_test.js";
  const std::string openvino = "of openvinotoolkit/openvino:src/plugins/template/tests/functional/op_reference/";
  const std::string squared =
      "ELEMENT_WISE_DIFFERENCE_SQUARE of "
      "tensorflow/tflite-micro:tensorflow/lite/micro/kernels/squared_difference_test.cc: "
      "FloatSquaredDifferenceSameShape";
  // JAX has added these in FLOAT16, one after the other.
  const std::string in_halves =
      "CUMULATIVE_SUMMATION of openxla/stablehlo:stablehlo/testdata/cumsum_float16_8_9.mlir: cumsum_float16_8_9";
  // Five elements at the edge, of one product each, which is rounded once: their figures are the golden values, rounded
  // to the eight decimals that are printed.
  const std::string transposed =
      "CONVOLUTION of microsoft/onnxruntime:onnxruntime/test/providers/cpu/nn/conv_transpose_op_test.cc: the test "
      "before "
      "ConvTranspose_2D_Bias_1";
  // The second moments are those of Beta2 0.999, and not of the FLOAT32 next to it: 1 - Beta2 differs by 1.3e-5 of it.
  const std::string adam_ort =
      "ADAM_OPTIMIZER of microsoft/onnxruntime:orttraining/orttraining/test/gradient/optimizer_ops_test.cc: "
      "OptimizerTest.AdamOptimizerTest";
  const std::string adam_tf =
      "ADAM_OPTIMIZER of microsoft/tensorflow-directml-plugin:test/ops/training_ops_test.py: testApplyAdam, float32";
  // A scale and a bias that were rounded to FLOAT16 after the figures had been computed.
  const std::string normalised =
      "MEAN_VARIANCE_NORMALIZATION1 of microsoft/onnxruntime:onnxruntime/test/contrib_ops/layer_norm_op_test.cc: "
      "LayerNormTest.LayerNorm_Scale_Bias_Broadcast_Fp16";
  // Four decimals.
  const std::string scaled_gradient =
      "of microsoft/onnxruntime:orttraining/orttraining/test/training_ops/cuda/resize_grad_test.cc: "
      "ResizeGradTest.ResizeGradWithScales";
  // A number and its bias, added once: presents, and the value of a key that is alone. The decimals of both were
  // rounded.
  const std::string attention =
      " of microsoft/onnxruntime:onnxruntime/test/contrib_ops/multihead_attention_op_test.cc: "
      "MultiHeadAttentionTest.";
  const std::string with_past = attention + "SelfAttention_WithPastAndPresent_NoMask_NoRelPosBias (2)";
  // Four decimals.
  const std::string aligned = " of onnx/onnx:onnx/backend/test/case/node/roialign.py: test_roialign_aligned_";
  const std::string norms =
      "LP_POOLING of microsoft/onnxruntime:onnxruntime/test/providers/cpu/nn/pool_op_test.cc: PoolTest.LpPool";
  // Divided by what a window has of the padded image: the other divisor, which is accepted of a whole answer (PO-R2).
  const std::string clipped =
      " of onnx/onnx:onnx/backend/test/case/node/averagepool.py: test_averagepool_2d_ceil_last_window_starts_on_pad";
  CHECK(outside ==
        std::map<std::string, int>{
            {in_halves, 13},
            {"AVERAGE_POOLING" + clipped, 3},
            {"AVERAGE_POOLING1" + clipped, 3},
            {norms + "1d (2)", 1},
            {norms + "1d (3)", 2},
            {norms + "2d", 8},
            {norms + "2d (2)", 3},
            {norms + "2d (3)", 4},
            {norms + "2d (4)", 1},
            {fmt::format("RESAMPLE_GRAD {}", scaled_gradient), 18},
            {fmt::format("RESAMPLE_GRAD1 {}", scaled_gradient), 18},
            {"ROI_ALIGN" + aligned + "true", 18},
            {"ROI_ALIGN1" + aligned + "true", 18},
            {"ROI_ALIGN1" + aligned + "false", 21},
            {normalised, 2},
            {"MULTIHEAD_ATTENTION" + attention + "CrossAttention_Batch1_HeadSize32_LeftSidePadding_Mask2D", 4},
            {"MULTIHEAD_ATTENTION" + attention + "CrossAttention_DiffSequenceLengths (2)", 8},
            {"MULTIHEAD_ATTENTION" + with_past, 4},
            {"MULTIHEAD_ATTENTION1" + with_past, 4},
            {adam_ort, 3},
            {adam_tf, 31},
            {transposed, 5},
            {squared, 1},
            {fmt::format("ELEMENT_WISE_ATANH {}atanh.cpp: float16", openvino), 1},
            // Three or four decimals.
            {fmt::format("ELEMENT_WISE_ACOSH {}acosh.cpp: float32", openvino), 7},
            {fmt::format("ELEMENT_WISE_ADD {}: add", binary), 17},
            {fmt::format("ELEMENT_WISE_ADD {}: add broadcast", binary), 26},
            {fmt::format("ELEMENT_WISE_MULTIPLY {}: mul", binary), 13},
            {fmt::format("ELEMENT_WISE_MULTIPLY {}: mul broadcast", binary), 13},
            {fmt::format("ELEMENT_WISE_SUBTRACT {}: sub", binary), 20},
            {fmt::format("ELEMENT_WISE_SUBTRACT {}: sub broadcast", binary), 23}});
}

TEST_CASE("A3: answers of DirectML on a GPU are accepted or refused as their vectors say", "[published]") {
  const rapidjson::Document vectors = read_vectors();
  int accepted = 0, refused = 0, listed = 0;
  for (const json& one : vectors.GetArray()) {
    if (!is_answer(one)) continue;
    ++listed;
    with_desc(one, [&]<class Desc>(const Desc& desc, std::string_view op) {
      if constexpr (may_round<Desc> || std::is_same_v<Desc, cast_desc>) {
        INFO(op << ": " << text_of(one["name"]));
        CHECK_FALSE(play(one, desc).right());  // otherwise a vector of the other kind
        const case_tensors tensors = tensors_of_case<Desc>(one);
        std::vector<tensor_desc> outputs;
        std::vector<const_tensor_ref> answers;
        for (std::size_t i = 0; i < tensors.outputs.size(); ++i) {
          outputs.push_back(tensors.output_refs[i].desc());
          const bytes& answer = tensors.outputs[i].expected;
          answers.emplace_back(outputs.back(), answer.data(), answer.size());
        }
        const oracle::judgement judged =
            oracle::compare(oracle::expect(desc, std::span<const const_tensor_ref>(tensors.inputs), outputs), answers);
        const std::string_view wanted = text_of(one["device"]);
        CHECK(judged.tolerated() == (wanted == "accepted"));
        CHECK(judged.outcome() != oracle::outcome::nothing_defined);
        fmt::print("published answers: {:<24} {:<36} {}\n", op, text_of(one["name"]), wanted);
        ++(wanted == "accepted" ? accepted : refused);
      }
    });
  }
  CHECK(accepted + refused == listed);
  CHECK(accepted == 6);
  CHECK(refused == 1);
}
