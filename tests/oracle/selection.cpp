// Selections of cases by data types, dimension counts, sizes, strides, types of operands and attributes; and refusals
// of invalid selections and of selections that no case fulfils.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/generate_illegal.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/refusals.hpp"

using namespace goldml;

namespace {

// Two of these, or the only one.
std::vector<data_type> two_types(data_type_set types) {
  std::vector<data_type> result;
  for (std::uint32_t value = 1; value <= 13 && result.size() < 2; ++value)
    if (types.contains(static_cast<data_type>(value))) result.push_back(static_cast<data_type>(value));
  return result;
}

const tensor_desc& main_tensor(const oracle::any_operator& op, const oracle::test_case<any_desc>& c) {
  return *oracle::main_tensor_of(op, c);
}

std::string text_of_refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "none";
}

template <class Desc>
std::string refusal(const oracle::generate_options& options) {
  return text_of_refusal([&] { oracle::sample_case<Desc>(options, 0); });
}
std::string refusal(const oracle::any_operator& op, const oracle::generate_options& options) {
  return text_of_refusal([&] { oracle::sample_case(op, options, 0); });
}

}  // namespace

TEST_CASE("selection: data types, dimension counts and sizes of the main tensor", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const operand_limits& limits = *limits_at(op.operands()[0], feature_level::latest);
    const std::vector<data_type> types = two_types(limits.data_types);
    std::vector<std::uint32_t> counts{4};
    if (limits.fewest_dimensions <= 2) counts.push_back(2);
    std::set<std::string> wanted;
    for (const data_type type : types) wanted.emplace(name_of(type));
    for (const std::uint32_t count : counts) wanted.insert(std::to_string(count));
    std::set<std::string> seen;
    for (std::uint64_t number = 0; number < 100; ++number) {
      const auto c = oracle::sample_case(op, {.data_types = types, .dimension_counts = counts}, number);
      CHECK(goldml_test::violations_of(c.desc, c.tensors).empty());
      const tensor_desc& tensor = main_tensor(op, c);
      seen.emplace(name_of(tensor.data_type));
      seen.insert(std::to_string(tensor.sizes.size()));
    }
    CHECK(seen == wanted);

    for (const dimensions& sizes : {dimensions{1, 1, 4, 5}, dimensions{1, 3, 1, 2}, dimensions{2, 200, 3}}) {
      if (sizes.size() < limits.fewest_dimensions || (op.name() == "ONE_HOT" && !sizes.contains(1))) continue;
      const bool is_integer_convolution =
          op.name() == "CONVOLUTION_INTEGER" || op.name() == "QUANTIZED_LINEAR_CONVOLUTION";
      if (is_integer_convolution && sizes.size() == 3) continue;  // refused by the policy one_dimensional
      // SO4: all sizes but the last two are 1.
      const bool takes_rows = op.name().ends_with("SOFTMAX") || op.name() == "ACTIVATION_HARDMAX";
      if (takes_rows && element_count(sizes.slice(0, sizes.size() - 2)) != 1) continue;
      for (std::uint64_t number = 0; number < 30; ++number) {
        const auto c = oracle::sample_case(op, {.most_elements = 1200, .sizes = sizes}, number);
        CHECK(goldml_test::violations_of(c.desc, c.tensors).empty());
        CHECK(main_tensor(op, c).sizes == sizes);
      }
    }
    const std::uint32_t most = limits.most_dimensions;
    CHECK(main_tensor(op, oracle::sample_case(op, {.dimension_counts = {most}}, 0)).sizes.size() == most);

    // An illegal case is derived from a legal case of the selection.
    std::set<std::string> rules;
    for (std::uint64_t number = 0; number < 200; ++number) {
      const auto illegal = oracle::sample_illegal_case(op, {.data_types = types}, number);
      const auto broken = goldml_test::violations_of(illegal.text.desc, illegal.text.tensors);
      REQUIRE_FALSE(broken.empty());
      CHECK(broken[0].rule == illegal.rule);
      rules.emplace(illegal.rule);
    }
    CHECK(rules.size() > 8);
  });
}

TEST_CASE("selection: types of operands, attributes, policies, data and strides together", "[oracle]") {
  const oracle::generate_options options{
      .count = 100,
      .data = {oracle::data_class::ties},
      .strides = {oracle::stride_pattern::permuted},
      .data_types = {data_type::int8},
      .dimension_counts = {3},
      .operand_types = {{"OutputTensor", {data_type::int32, data_type::uint64}}},
      .attributes = {"Axes={2,0}", "AxisDirection=DECREASING", "nan_policy=propagate"}};
  std::set<data_type> outputs;
  for (const auto& c : oracle::cases<argmin_desc>(options)) {
    CHECK(c.text.tensors[0]->data_type == data_type::int8);
    CHECK(c.text.tensors[0]->sizes.size() == 3);
    CHECK(c.text.desc.axes == dimensions{2, 0});
    CHECK(c.text.desc.axis_direction == axis_direction::decreasing);
    CHECK(c.text.desc.nan_policy == nan_policy::propagate);
    CHECK(c.text.data == oracle::data_class::ties);
    CHECK(last_index(c.text.tensors[0]->sizes, c.text.tensors[0]->strides) + 1 ==
          element_count(c.text.tensors[0]->sizes));
    outputs.insert(c.text.tensors[1]->data_type);
  }
  CHECK(outputs == std::set<data_type>{data_type::int32, data_type::uint64});

  // Attributes alone.
  for (std::uint64_t number = 0; number < 50; ++number)
    CHECK(oracle::sample_case<argmin_desc>({.attributes = {"nan_policy=propagate"}}, number).desc.nan_policy ==
          nan_policy::propagate);

  // An optional operand that is listed is present, and shapes that depend on attributes are found.
  for (std::uint64_t number = 0; number < 50; ++number) {
    const auto d = oracle::sample_case<diagonal_matrix1_desc>(
        {.operand_types = {{"InputTensor", {data_type::int16}}}, .attributes = {"Value=INT16:0x7"}}, number);
    REQUIRE(d.tensors[0].has_value());
    CHECK(d.tensors[0]->data_type == data_type::int16);
    CHECK(d.desc.value == scalar(std::int16_t{7}));
    const auto s = oracle::sample_case<scatter_nd_desc>(
        {.sizes = {1, 4, 5}, .attributes = {"InputDimensionCount=2", "IndicesDimensionCount=2"}}, number);
    CHECK((s.desc.input_dimension_count == 2 && s.desc.indices_dimension_count == 2));
    CHECK(s.tensors[0]->sizes == dimensions{1, 4, 5});
    CHECK(goldml_test::violations_of(s.desc, s.tensors).empty());
  }
}

TEST_CASE("A10: with zero_stride=repeat, cases of SLICE and SLICE1 have strides of 0", "[oracle]") {
  std::set<std::string> illegal;
  bool grows = false;
  for (std::uint64_t number = 0; number < 100; ++number) {
    const oracle::generate_options options{.attributes = {"zero_stride=repeat"}};
    const auto slice = oracle::sample_case<slice_desc>(options, number);
    CHECK(slice.desc.strides.contains(0));
    grows = grows || element_count(slice.tensors[1]->sizes) > element_count(slice.tensors[0]->sizes);
    const auto slice1 = oracle::sample_case<slice1_desc>(options, number);
    const auto& strides = slice1.desc.input_window_strides;
    CHECK(std::any_of(strides.begin(), strides.end(), [](std::int32_t stride) { return stride == 0; }));
    illegal.emplace(oracle::sample_illegal_case<slice_desc>(options, number).rule);
    illegal.emplace(oracle::sample_illegal_case<slice1_desc>(options, number).rule);
    CHECK_FALSE(oracle::sample_case<slice_desc>({}, number).desc.strides.contains(0));
  }
  CHECK(grows);
  CHECK(illegal.contains("SL7"));
  CHECK_FALSE(illegal.contains("SL5"));
  // A list that is wanted stays.
  CHECK(oracle::sample_case<slice_desc>(
            {.dimension_counts = {2}, .attributes = {"zero_stride=repeat", "Strides={1,1}", "Offsets={0,0}"}}, 0)
            .desc.strides == dimensions{1, 1});
}

TEST_CASE("selection: invalid selections are refused", "[oracle]") {
  CHECK(refusal<argmin_desc>({.attributes = {"Axs={1}"}}) ==
        "case M10: word is 'Axs={1}', wanted NAME=VALUE, NAME of ARGMIN: Axes, AxisDirection, nan_policy, empty_axes, "
        "same_resource");
  CHECK(refusal<argmin_desc>({.attributes = {"Axes"}}).starts_with("case M10: word is 'Axes', wanted NAME=VALUE"));
  CHECK(refusal<nonzero_coordinates_desc>({.attributes = {"Axes={1}"}})
            .ends_with("NAME of NONZERO_COORDINATES: same_resource"));
  CHECK(refusal<argmin_desc>({.attributes = {"Axes=1"}}) == "case M10: word is '1', wanted a list such as {1,2,3}");
  CHECK(refusal<argmin_desc>({.operand_types = {{"Input", {}}}}) ==
        "case M10: word is 'Input', wanted an operand: InputTensor, OutputTensor");
  CHECK(refusal<argmin_desc>({.data = {}}) == "case M10: word is 'no data', wanted at least one class of data");
  CHECK(refusal<argmin_desc>({.strides = {}}) == "case M10: word is 'no strides', wanted at least one stride pattern");
  CHECK(
      refusal<argmin_desc>({.data_types = {data_type::float64, data_type::unknown},
                            .dimension_counts = {9},
                            .sizes = {2, 3},
                            .operand_types = {{"OutputTensor", {data_type::int8}}},
                            .attributes = {"Axes={2}"}}) ==
      "ARGMIN M13: selection is data_types=FLOAT64,UNKNOWN dimension_counts=9 sizes={2,3} OutputTensor=INT8 Axes={2}, "
      "wanted one that some legal case fulfils (at feature level 6_4; 20000 cases were drawn)");
}

TEST_CASE("selection: what no case fulfils is named alone", "[oracle]") {
  CHECK(
      refusal<argmin_desc>({.dimension_counts = {9, 10}}) ==
      "ARGMIN M13: selection is dimension_counts=9,10, wanted one that some legal case fulfils (at feature level 6_4; "
      "20000 cases were drawn)");
  CHECK(refusal<nonzero_coordinates_desc>({.feature_level = feature_level::level_3_0, .sizes = {2, 1, 1, 1, 1, 3}})
            .starts_with("NONZERO_COORDINATES M13: selection is sizes={2,1,1,1,1,3}, wanted "));
}

TEST_CASE("selection: no case fulfils it, below the first level or above every limit", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const std::string name(op.name());
    const oracle::generate_options below{.feature_level = feature_level::level_1_0};
    const std::string wanted = name + " T11: feature level is 1_0, wanted at least " +
                               std::string(name_of(op.first_level())) + " (the operator does not exist below it)";
    if (op.first_level() != feature_level::level_1_0) {
      CHECK(refusal(op, below) == wanted);
      CHECK(text_of_refusal([&] { oracle::sample_illegal_case(op, below, 1); }) == wanted);
      CHECK(text_of_refusal([&] { oracle::cases<any_desc>(op, below); }) == wanted);
    }
    // Also at the level before the first one.
    for (std::size_t i = 1; i < feature_levels.size(); ++i)
      if (feature_levels[i].value == op.first_level()) {
        CHECK(refusal(op, {.feature_level = feature_levels[i - 1].value}).starts_with(name + " T11"));
        CHECK(refusal(op, {.feature_level = feature_levels[i].value}) == "none");
      }

    const oracle::generate_options none{.data_types = {data_type::unknown}};
    CHECK(refusal(op, none).starts_with(name + " M13: selection is data_types=UNKNOWN, wanted one"));
    CHECK(text_of_refusal([&] { oracle::sample_illegal_case(op, none, 1); }).starts_with(name + " M13"));
    const oracle::cases<any_desc> range(op, none);
    CHECK(text_of_refusal([&] { *range.begin(); }).starts_with(name + " M13"));
  });
}
