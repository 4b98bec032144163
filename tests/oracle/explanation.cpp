// What is plain about elements that differ, and the smallest case of faults in a kernel that takes four dimensions
// only.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/oracle/judge.hpp>

#include "../catch.hpp"
#include "golden.hpp"

namespace {

using namespace goldml;
using oracle::generated_case;

enum class fault { none, no_start_padding, last_channel_missing, last_of_ties };

// What a user writes for packed FLOAT32 of four dimensions, one group, without a fused activation.
std::vector<host_tensor> convolve(const generated_case<convolution_desc>& test, fault wrong) {
  const convolution_desc& d = test.text.desc;
  const auto x = test.inputs[0].ref().as<float>(), w = test.inputs[1].ref().as<float>();
  std::vector<host_tensor> outputs{host_tensor(test.outputs[0])};
  const auto y = outputs[0].ref().as<float>();
  const std::uint32_t channels = x.sizes()[1] - (wrong == fault::last_channel_missing ? 1 : 0);
  for (const coordinate_tuple& o : coordinates_of(y.sizes())) {
    double sum = test.inputs[2].omitted() ? 0 : static_cast<double>(test.inputs[2].ref().as<float>()[{0, o[1], 0, 0}]);
    for (std::uint32_t c = 0; c < channels; ++c)
      for (std::uint32_t i = 0; i < w.sizes()[2]; ++i)
        for (std::uint32_t j = 0; j < w.sizes()[3]; ++j) {
          const bool pads = wrong != fault::no_start_padding;
          const std::int64_t row =
              std::int64_t{o[2]} * d.strides[0] + i * d.dilations[0] - (pads ? d.start_padding[0] : 0);
          const std::int64_t column =
              std::int64_t{o[3]} * d.strides[1] + j * d.dilations[1] - (pads ? d.start_padding[1] : 0);
          if (row < 0 || row >= x.sizes()[2] || column < 0 || column >= x.sizes()[3]) continue;
          sum += static_cast<double>(x[{o[0], c, row, column}]) * static_cast<double>(w[{o[1], c, i, j}]);
        }
    y[o] = static_cast<float>(sum);
  }
  return outputs;
}

// The index of the greatest element of each window of {1, 1, rows, columns}: the first one, unless the kernel is wrong.
std::vector<host_tensor> greatest(const generated_case<argmax_desc>& test, fault wrong) {
  std::vector<host_tensor> outputs{host_tensor(test.outputs[0])};
  const auto x = test.inputs[0].ref().as<float>();
  const auto y = outputs[0].ref().as<std::uint32_t>();
  for (const coordinate_tuple& o : coordinates_of(y.sizes())) {
    float best = 0;
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i < x.sizes()[2]; ++i)
      for (std::uint32_t j = 0; j < x.sizes()[3]; ++j, ++number) {
        const float value = x[{o[0], o[1], i, j}];
        if (number == 0 || value > best || (wrong == fault::last_of_ties && value == best)) best = value, y[o] = number;
      }
  }
  return outputs;
}

// The report on the smallest case for which the kernel is wrong. Checks that it gets only cases that are asked for.
template <class Desc, class Kernel>
std::string smallest_report(const oracle::generate_options& asked, fault wrong, const Kernel& kernel) {
  std::size_t outside = 0;
  const auto run = [&](const generated_case<Desc>& test) {
    for (const auto& tensor : test.text.tensors)
      if (tensor && (tensor->sizes.size() != 4 || effective_strides(*tensor) != packed_strides(tensor->sizes)))
        ++outside;
    if (test.text.tensors[0]->data_type != data_type::float32) ++outside;
    const std::string line = test.line();
    for (const std::string& text : asked.attributes)
      if (line.find(" " + text + " ") == std::string::npos) ++outside;
    return outside == 0 ? kernel(test, wrong) : kernel(test, fault::none);
  };
  for (const auto& test : oracle::cases<Desc>(asked)) {
    if (oracle::judge(test, run(test))) continue;
    const std::string report = oracle::judge_run(test, run).report;
    CHECK(outside == 0);
    const std::string smallest = report.substr(report.find("the smallest case"));
    std::cout << "37.1: " << smallest;
    return smallest;
  }
  return "no case fails";
}

oracle::generate_options four_dimensions(std::vector<std::string> attributes) {
  return {.count = 300,
          .seed = 3,
          .data = {oracle::data_class::ramp, oracle::data_class::ties, oracle::data_class::dense},
          .strides = {oracle::stride_pattern::packed},
          .data_types = {data_type::float32},
          .dimension_counts = {4},
          .attributes = std::move(attributes)};
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string report_of(const dimensions& sizes, const std::vector<float>& expected, const std::vector<float>& got) {
  return oracle::judge(judged::golden_of<float>(sizes, expected), tensor<float>(sizes, got)).report;
}

// Shrinks drawn cases of a kernel that is always wrong, and checks each case that it gets.
template <class Desc, class Check>
void check_every_run(oracle::generate_options asked, const Check& is_asked_for) {
  asked.count = 3;
  asked.seed = 5;
  for (const auto& test : oracle::cases<Desc>(asked)) {
    INFO(test.line());
    const auto shrunk = oracle::shrink(test.text, [&](const generated_case<Desc>& c) {
      if (!is_asked_for(c)) FAIL_CHECK(c.line());
      return true;
    });
    CHECK(shrunk.fails);
    CHECK(shrunk.runs > 1);
  }
}

}  // namespace

TEST_CASE("37.1: the report says what is plain, and only that", "[oracle]") {
  CHECK(has(report_of({3, 2}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 0, 0}), "  differs only in the last row\n"));
  CHECK(has(report_of({2, 3}, {1, 2, 3, 4, 5, 6}, {1, 0, 3, 4, 9, 6}), "  differs only in column 1\n"));
  CHECK(has(report_of({3}, {1, 2, 3}, {9, 2, 3}), "  differs only in the first element\n"));
  CHECK(has(report_of({4, 1}, {1, 2, 3, 4}, {1, 2, 7, 9}), "  differs everywhere from row 2 on, and only there\n"));
  CHECK_FALSE(has(report_of({3, 2}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 0}), "differs only"));
  CHECK_FALSE(has(report_of({3, 2}, {1, 2, 3, 4, 5, 6}, {1, 2, 0, 4, 5, 0}), "only"));
  CHECK(has(report_of({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 2, 3, 4, 5, 6, 7, 0, 9}),
            "  differs only at the border\n"));
  CHECK_FALSE(has(report_of({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 2, 3, 4, 0, 6, 7, 8, 9}), "only"));

  const std::string shifted = report_of({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {5, 6, 0, 8, 9, 0, 0, 0, 0});
  CHECK(has(shifted, "  got[i] is expected[i + {0,0,1,1}] wherever that is an element\n"));
  CHECK(has(report_of({4}, {1, 2, 3, 4}, {0, 1, 2, 3}), "  got[i] is expected[i + {-1}] wherever"));
  CHECK_FALSE(has(report_of({4}, {1, 2, 3, 4}, {0, 1, 2, 9}), "got[i]"));              // but for one
  CHECK_FALSE(has(report_of({5}, {1, 1, 1, 0, 1}, {1, 1, 1, 1, 1}), "got[i]"));        // of one value
  CHECK_FALSE(has(report_of({6}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 1}), "got[i]"));  // one alone
}

TEST_CASE("37.1: the map of an output with four dimensions, and how far numbers are off", "[oracle]") {
  const std::vector<float> expected{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 242};
  std::vector<float> got = expected;
  got[5] = 6.0000005F;
  got[15] = 0;
  const std::string text = report_of({2, 2, 2, 2}, expected, got);
  CHECK(has(text, R"(  differs only in the last channel
  where it differs, 1 by 1 elements a character:
    {0,1,*,*}
    .X
    ..
    {1,1,*,*}
    ..
    .X
    2 of 4 matrices differ
)"));
  CHECK(has(text, "{0,1,0,1}: expected 6 (0x40C00000), got 6.0000005 (0x40C00001), 1 ULP\n"));
  CHECK(has(text, "{1,1,1,1}: expected 242 (0x43720000), got 0 (0x00000000), a zero\n"));
  CHECK(has(report_of({2}, {2, 0}, {3, 7}), "got 3 (0x40400000), relative error 0.5\n"));
  CHECK(has(report_of({2}, {2, 0}, {3, 7}), "got 7 (0x40E00000), off by 7\n"));
}

TEST_CASE("37.1: every case that the shrinker tries is one that was asked for", "[oracle]") {
  using oracle::data_class;
  using oracle::stride_pattern;
  for (const stride_pattern pattern : oracle::all_stride_patterns)
    check_every_run<argmin_desc>({.strides = {pattern}}, [&](const generated_case<argmin_desc>& c) {
      return std::all_of(c.text.tensors.begin(), c.text.tensors.end(), [&](const auto& tensor) {
        const bool is_output = &tensor == &c.text.tensors[1];
        return oracle::detail::has_pattern(tensor->sizes, effective_strides(*tensor),
                                           is_output && shares_addresses(pattern) ? stride_pattern::packed : pattern);
      });
    });
  check_every_run<argmin_desc>({.data = {data_class::dense}}, [](const generated_case<argmin_desc>& c) {
    const auto elements = oracle::detail::elements_of(c.inputs[0].ref());
    return std::all_of(elements.begin(), elements.end(),
                       [](const scalar& x) { return oracle::detail::number_of(x) >= 1; });
  });
  check_every_run<argmin_desc>({.feature_level = feature_level::level_3_0}, [](const generated_case<argmin_desc>& c) {
    return c.text.desc.feature_level == feature_level::level_3_0;
  });
  check_every_run<argmin_desc>({.most_elements = 1000, .sizes_class = oracle::sizes_class::tiles},
                               [](const generated_case<argmin_desc>& c) {
                                 const dimensions& sizes = c.text.tensors[0]->sizes;
                                 return *std::max_element(sizes.begin(), sizes.end()) >= 15;
                               });
  check_every_run<argmin_desc>({.sizes = {2, 3}}, [](const generated_case<argmin_desc>& c) {
    return c.text.tensors[0]->sizes == dimensions{2, 3};
  });
  // No index is out of range, as that is only tried on request.
  check_every_run<gather_desc>({}, [](const generated_case<gather_desc>& c) {
    const double size = c.text.tensors[0]->sizes[c.text.desc.axis];
    const auto elements = oracle::detail::elements_of(c.inputs[1].ref());
    return std::all_of(elements.begin(), elements.end(), [&](const scalar& x) {
      return oracle::detail::number_of(x) >= -size && oracle::detail::number_of(x) < size;
    });
  });
  // Of a line nothing was asked for.
  const auto read = oracle::parse_case<argmin_desc>(
      "ARGMIN InputTensor=INT32{1,2,2,3} OutputTensor=UINT32{1,2,1,3} Axes={2} data=dense seed=1");
  CHECK(oracle::shrink(read, [](const auto&) { return true; }).text.tensors[0]->sizes == dimensions{1});
}

TEST_CASE("37.1: faults of a kernel for four dimensions have three different smallest cases", "[oracle]") {
  const auto convolution =
      four_dimensions({"Mode=CROSS_CORRELATION", "Direction=FORWARD", "GroupCount=1", "FusedActivation=none"});
  CHECK(smallest_report<convolution_desc>(convolution, fault::none, convolve) == "no case fails");

  const std::string padding = smallest_report<convolution_desc>(convolution, fault::no_start_padding, convolve);
  CHECK(has(padding, "got[i] is expected[i + {0,0,"));
  CHECK_FALSE(has(padding, "without"));

  const std::string channel = smallest_report<convolution_desc>(convolution, fault::last_channel_missing, convolve);
  CHECK(has(channel, "equal to the result without channel 1, {*,1,*,*} of InputTensor, as if it were zeros\n"));
  CHECK_FALSE(has(channel, "a zero"));

  auto windows = four_dimensions({"Axes={2,3}", "AxisDirection=INCREASING"});
  windows.operand_types = {{"OutputTensor", {data_type::uint32}}};
  const std::string tie = smallest_report<argmax_desc>(windows, fault::last_of_ties, greatest);
  CHECK(has(tie, "{0,0,0,0}: expected 0 (0x00000000), got 1 (0x00000001), off by +1\n"));
  CHECK(has(tie, "ties:"));
  CHECK(has(tie, ", the last of the ties\n"));
}

// GELU and ERF by other formulas lie within the bound of SPEC-functions 2.2, and are suspicious.
TEST_CASE("explanation: another formula that all elements fit is named", "[oracle]") {
  constexpr std::size_t count = 96;
  const auto report_of = [&]<class T>(std::type_identity<T>, const auto& desc, const auto& device,
                                      const oracle::compare_options& options = {}) {
    std::vector<T> x(count), got(count);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = T(static_cast<float>(i) * 0.0625f - 3);
      got[i] = T(static_cast<float>(device(static_cast<double>(x[i]))));
    }
    x[0] = got[0] = T(std::numeric_limits<float>::quiet_NaN());
    const const_tensor_ref input(tensor_view<const T>(x.data(), {count}));
    const tensor_desc output{.data_type = data_type_of<T>, .sizes = {count}};
    const oracle::golden golden = oracle::expect(desc, std::span(&input, 1), std::span(&output, 1));
    return oracle::judge(desc, std::span(&input, 1), golden, tensor_view<const T>(got.data(), {count}), options).report;
  };
  constexpr std::type_identity<float> f32;
  constexpr std::type_identity<float16> f16;
  const auto gelu = [](double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); };
  const auto tanh_form = [](double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979) * (x + 0.044715 * x * x * x)));
  };
  const auto sigmoid_form = [](double x) { return x / (1 + std::exp(-1.702 * x)); };
  const auto has = [](const std::string& report, std::string_view words) {
    return report.find(words) != std::string::npos;
  };
  const std::string note = "  note: all 95 elements fit GELU's tanh form, which is not the operator's formula\n";
  CHECK(has(report_of(f32, activation_gelu_desc{}, tanh_form), note));
  CHECK(has(report_of(f32, activation_gelu_desc{}, tanh_form), "GELU: agrees"));
  CHECK(has(report_of(f16, activation_gelu_desc{}, tanh_form), note));
  const oracle::compare_options close{.functions = oracle::function_errors::close};
  CHECK(has(report_of(f32, activation_gelu_desc{}, tanh_form, close), "GELU: differs"));
  CHECK(has(report_of(f32, activation_gelu_desc{}, tanh_form, close), note));
  CHECK(has(report_of(f32, activation_gelu_desc{}, sigmoid_form), "fit x / (1 + e^(-1.702 x))"));
  CHECK_FALSE(has(report_of(f32, activation_gelu_desc{}, gelu), "fit"));
  // One element that the formula does not give.
  CHECK_FALSE(has(
      report_of(f32, activation_gelu_desc{}, [&](double x) { return tanh_form(x) + (x == 1 ? 0.0004 : 0); }), "fit"));
  const auto by_tanh = [](double x) { return std::tanh(2 / std::sqrt(3.14159265358979) * (x + 0.08943 * x * x * x)); };
  CHECK(has(report_of(f32, element_wise_erf_desc{}, by_tanh), "fit its approximation by tanh"));
  CHECK_FALSE(has(report_of(f32, element_wise_erf_desc{}, [](double x) { return std::erf(x); }), "fit"));
  CHECK_FALSE(
      has(report_of(f32, element_wise_erf_desc{.scale_bias = scale_bias{.scale = 1, .bias = 0}}, by_tanh), "fit"));
}
