// The pieces of shrink.hpp, each by what its comment says: numbers that a violation wants, plain numbers, tensors of
// other sizes, attributes made plainer, and the changes to a case. (tests/registry/shrink.cpp brings down whole cases.)
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/smallest_failure.hpp>
#include <goldml/oracle/watched_output.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using namespace goldml::oracle;
using namespace goldml::oracle::detail;

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<scalar> numbers(const std::vector<float>& values) { return {values.begin(), values.end()}; }

violation broken(std::string_view member, std::string_view wanted, std::optional<std::size_t> index = {}) {
  return {"T0", "NONE", "", member, index, violation_text("?"), violation_text("{}", wanted), violation_text(""), {}};
}

// One attribute of some kinds.
struct some_desc {
  std::uint32_t count = 0;
  std::int32_t number = 0;
  bool flag = false;
  dimensions list = {};
  int32_list steps = {};
  scalar value = {};
  size_2d size = {1, 1};
};
constexpr std::array rows{row<&some_desc::count>("Count"),
                          row<&some_desc::number>("Number"),
                          row<&some_desc::flag>("Flag"),
                          row<&some_desc::list>("List", "ListCount"),
                          row<&some_desc::steps>("Steps", "StepCount"),
                          row<&some_desc::value>("Value", "ValueDataType"),
                          row<&some_desc::size>("Size")};

std::uint64_t cost_of_row(std::size_t i, const some_desc& desc) {
  const some_desc plain;
  return attribute_cost(rows[i], rows[i].address(&desc), rows[i].address(&plain));
}

// What the changes of a row make of its value, where they change it.
template <class T>
std::vector<T> simpler(std::size_t i, const some_desc& desc, T some_desc::*member) {
  const some_desc plain;
  std::vector<T> results;
  for (const auto& change : simpler_values(rows[i], rows[i].address(&desc), rows[i].address(&plain))) {
    some_desc changed = desc;
    if (change(rows[i].address(&changed)))
      results.push_back(changed.*member);
    else
      CHECK(changed.*member == desc.*member);
  }
  return results;
}

template <class T>
bool contains(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

const std::string argmin_line = "ARGMIN InputTensor=FLOAT32{2,3}:{1,2,3,4,5,6} OutputTensor=UINT32{2,1} Axes={1}";

test_case<any_desc> case_of(std::string_view line) {
  return parse_case(*find_operator(case_reader(line).next_word()), line);
}

// The texts of what the edits make of a case, in order; "no" where one says that it changes nothing.
std::vector<std::string> results_of(const std::vector<edit>& edits, const test_case<any_desc>& c) {
  std::vector<std::string> results;
  for (const edit& change : edits) {
    test_case<any_desc> changed = c;
    results.push_back(change(changed) ? to_string(changed) : "no");
  }
  return results;
}

}  // namespace

TEST_CASE("shrink: the numbers that a violation wants", "[oracle]") {
  const auto range = [](std::string_view text) {
    const auto found = read_range(text);
    return found ? std::pair(found->lowest, found->highest) : std::pair(std::uint64_t{99}, std::uint64_t{0});
  };
  using pair = std::pair<std::uint64_t, std::uint64_t>;
  const pair none{99, 0};
  CHECK(range("3") == pair{3, 3});
  CHECK(range("1 to 4") == pair{1, 4});
  CHECK(range("at least 2") == pair{2, saturated});
  CHECK(range("at most InputDimensionCount 3") == pair{0, 3});
  CHECK(range("below DimensionCount 3") == pair{0, 2});
  CHECK(range("below 1") == pair{0, 0});
  CHECK(range("less than 3") == pair{0, 2});
  CHECK(range("less than 0") == none);
  CHECK(range("a divisor of 12") == pair{1, 12});
  CHECK(range("a divisor of 0") == none);
  CHECK(range("a multiple of 3") == pair{3, saturated});
  CHECK(range("a multiple of 0") == none);
  CHECK(range("below 0") == none);
  CHECK(range("few to 4") == none);
  CHECK(range("about 4") == none);
  CHECK(range("at least two") == none);
  CHECK(range("3x") == none);
  CHECK(range("-3") == none);
  CHECK(range("") == none);
  CHECK(range("18446744073709551616") == none);
  const wanted_range two_to_four{2, 4};
  CHECK((two_to_four.nearest(1) == 2 && two_to_four.nearest(3) == 3 && two_to_four.nearest(9) == 4));
  // A divisor: the greatest that is not above the number.
  const auto divisor_of_12 = read_range("a divisor of 12");
  REQUIRE(divisor_of_12);
  for (const auto& [value, wanted] : std::vector<pair>{{0, 1}, {1, 1}, {4, 4}, {5, 4}, {6, 6}, {11, 6}, {99, 12}})
    CHECK(divisor_of_12->nearest(value) == wanted);
  // A multiple: the greatest that is not above the number, but not 0.
  const auto multiple_of_3 = read_range("a multiple of 3");
  REQUIRE(multiple_of_3);
  for (const auto& [value, wanted] : std::vector<pair>{{0, 3}, {1, 3}, {3, 3}, {5, 3}, {6, 6}, {saturated, saturated}})
    CHECK(multiple_of_3->nearest(value) == wanted);

  CHECK(read_dimensions("{1,2,3}") == dimensions{1, 2, 3});
  CHECK(read_dimensions("{7}") == dimensions{7});
  CHECK(read_dimensions("{4294967295}") == dimensions{4294967295U});
  for (const char* const bad : {"{}", "{1,}", "{,1}", "{4294967296}", "1,2", "{1,2", "1,2}", "{1;2}"}) {
    INFO(bad);
    CHECK_FALSE(read_dimensions(bad));
  }
}

TEST_CASE("shrink: a tensor gets what a violation of it wants", "[oracle]") {
  const tensor_desc given{.data_type = data_type::float32, .sizes = {2, 2}};
  const auto repaired = [&](const violation& v, std::vector<float> elements = {1, 2, 3, 4}) {
    tensor_desc tensor = given;
    std::vector<scalar> values = numbers(elements);
    if (!repair_tensor(v, tensor, values)) {
      CHECK((tensor == given && values == numbers(elements)));
      return std::string("no");
    }
    std::string text = goldml::oracle::detail::tensor_text(tensor) + ":";
    for (const scalar& value : values) text += fmt::format(" {}", number_of(value));
    return text;
  };
  CHECK(repaired(broken("DataType", "UINT8"), {1.5F, 300, -2, 4}) == "UINT8{2,2}: 1 255 0 4");
  CHECK(repaired(broken("DataType", "UNKNOWN")) == "no");
  CHECK(repaired(broken("DataType", "anything else")) == "no");
  CHECK(repaired(broken("DimensionCount", "3")) == "FLOAT32{1,2,2}: 1 2 3 4");
  CHECK(repaired(broken("DimensionCount", "1")) == "FLOAT32{2}: 1 2");
  CHECK(repaired(broken("DimensionCount", "4 to 5")) == "FLOAT32{1,1,2,2}: 1 2 3 4");
  CHECK(repaired(broken("DimensionCount", "8")) == "FLOAT32{1,1,1,1,1,1,2,2}: 1 2 3 4");
  CHECK(repaired(broken("DimensionCount", "9")) == "no");
  CHECK(repaired(broken("DimensionCount", "0")) == "no");
  CHECK(repaired(broken("Sizes", "{2,3}")) == "FLOAT32{2,3}: 1 2 0 3 4 0");
  CHECK(repaired(broken("Sizes", "{1,2}")) == "FLOAT32{1,2}: 1 2");
  CHECK(repaired(broken("Sizes", "{4}")) == "no");
  CHECK(repaired(broken("Sizes", "1", 0)) == "FLOAT32{1,2}: 1 2");
  CHECK(repaired(broken("Sizes", "1", 1)) == "FLOAT32{2,1}: 1 3");
  CHECK(repaired(broken("Sizes", "at least 3", 1)) == "FLOAT32{2,3}: 1 2 0 3 4 0");
  CHECK(repaired(broken("Sizes", "1", 2)) == "no");
  CHECK(repaired(broken("Sizes", "1")) == "no");
  CHECK(repaired(broken("Sizes", "0", 1)) == "no");
  CHECK(repaired(broken("Sizes", "2", 1)) == "no");
  CHECK(repaired(broken("Sizes", "4294967296", 1)) == "no");
  CHECK(repaired(broken("Strides", "1", 1)) == "no");

  tensor_desc sized = given;
  sized.total_tensor_size_in_bytes = 64;
  std::vector<scalar> none;
  CHECK(repair_tensor(broken("TotalTensorSizeInBytes", "at least 16"), sized, none));
  CHECK(sized == given);
}

TEST_CASE("shrink: an attribute gets what a violation of it wants", "[oracle]") {
  some_desc desc{.count = 7, .number = 3, .list = {5, 6}, .value = scalar(300.0F)};
  CHECK(repair_attribute(broken("Count", "at most 4"), rows, &desc));
  CHECK(desc.count == 4);
  CHECK(repair_attribute(broken("List", "below DimensionCount 6", 1), rows, &desc));
  CHECK(desc.list == dimensions{5, 5});
  CHECK(repair_attribute(broken("ValueDataType", "INT8"), rows, &desc));
  CHECK(desc.value == scalar(std::int8_t{127}));

  // A list that is too long keeps its first entries; one that is too short gets none.
  some_desc lists{.list = {7, 8, 9}, .steps = {-1, -2}};
  CHECK(repair_attribute(broken("ListCount", "2"), rows, &lists));
  CHECK(repair_attribute(broken("StepCount", "at most 1"), rows, &lists));
  CHECK((lists.list == dimensions{7, 8} && lists.steps == int32_list{-1}));
  CHECK_FALSE(repair_attribute(broken("ListCount", "3"), rows, &lists));
  CHECK_FALSE(repair_attribute(broken("ListCount", "a number"), rows, &lists));
  CHECK((lists.list == dimensions{7, 8} && lists.steps == int32_list{-1}));

  CHECK_FALSE(repair_attribute(broken("List", "below DimensionCount 3", 2), rows, &desc));
  CHECK_FALSE(repair_attribute(broken("List", "below DimensionCount 3"), rows, &desc));
  CHECK_FALSE(repair_attribute(broken("Count", "4294967296"), rows, &desc));
  CHECK_FALSE(repair_attribute(broken("Count", "something"), rows, &desc));
  CHECK_FALSE(repair_attribute(broken("Number", "3"), rows, &desc));  // of a kind that has no repair
  CHECK_FALSE(repair_attribute(broken("ValueDataType", "UNKNOWN"), rows, &desc));
  CHECK_FALSE(repair_attribute(broken("Value", "3"), rows, &desc));
  CHECK_FALSE(repair_attribute(broken("Nothing", "3"), rows, &desc));
  CHECK(
      (desc.count == 4 && desc.number == 3 && desc.list == dimensions{5, 5} && desc.value == scalar(std::int8_t{127})));
}

TEST_CASE("shrink: a case is made legal again, tensors and attributes", "[oracle]") {
  const auto repaired = [](const std::string& line) {
    auto c = case_of(line);
    return repair(c) ? to_string(c) : "no";
  };
  const std::string legal = to_string(case_of(argmin_line));
  CHECK(repaired(argmin_line) == legal);
  CHECK(repaired("ARGMIN InputTensor=FLOAT32{2,3}:{1,2,3,4,5,6} OutputTensor=UINT32{2,3} Axes={1}") == legal);
  CHECK(repaired("ARGMIN InputTensor=FLOAT32{2,3}:{1,2,3,4,5,6} OutputTensor=UINT32{2,1} Axes={7}") == legal);
  CHECK(repaired("ARGMIN InputTensor=FLOAT32{2,3}:{1,2,3,4,5,6} OutputTensor=UINT32{9,4} Axes={5}") == legal);

  // Channels, groups and the filter of a convolution.
  const auto convolution = [](const std::string& input, const std::string& filter, const std::string& groups) {
    return "CONVOLUTION InputTensor=FLOAT32" + input + " FilterTensor=FLOAT32" + filter +
           " OutputTensor=FLOAT32{1,4,1} Strides={1} Dilations={1} StartPadding={0} EndPadding={0} OutputPadding={0} "
           "GroupCount=" +
           groups;
  };
  CHECK(repaired(convolution("{1,2,1}", "{4,1,1}", "4")) == to_string(case_of(convolution("{1,2,1}", "{4,1,1}", "2"))));
  CHECK(repaired(convolution("{1,3,1}", "{4,1,1}", "4")) == to_string(case_of(convolution("{1,3,1}", "{4,3,1}", "1"))));

  // The directions of a layer, and their activations.
  const auto layer = [](const std::string& directions, const std::string& tail) {
    return "RNN InputTensor=FLOAT32{1,1,1,1} WeightTensor=FLOAT32{1," + directions +
           ",1,1} RecurrenceTensor=FLOAT32{1," + directions + ",1,1} OutputSingleTensor=FLOAT32{1," + directions +
           ",1,1} ActivationDescs=" + tail;
  };
  CHECK(repaired(layer("2", "{ACTIVATION_RELU,ACTIVATION_IDENTITY} Direction=FORWARD")) ==
        to_string(case_of(layer("1", "{ACTIVATION_RELU} Direction=FORWARD"))));
}

TEST_CASE("shrink: the numbers of scalars, and scalars of numbers", "[oracle]") {
  CHECK(number_of(scalar()) == 0);
  CHECK(number_of(scalar(std::int8_t{-3})) == -3);
  CHECK(number_of(scalar(static_cast<float16>(0.5F))) == 0.5);
  CHECK(number_of(scalar(2.25)) == 2.25);
  CHECK(number_of(scalar(std::uint64_t{1} << 63)) == std::ldexp(1.0, 63));

  CHECK(scalar_of(data_type::uint8, 3.9) == scalar(std::uint8_t{3}));
  CHECK(scalar_of(data_type::uint8, 255) == scalar(std::uint8_t{255}));
  CHECK(scalar_of(data_type::uint8, 256) == scalar(std::uint8_t{255}));
  CHECK(scalar_of(data_type::uint8, -1) == scalar(std::uint8_t{0}));
  CHECK(scalar_of(data_type::int8, -128) == scalar(std::int8_t{-128}));
  CHECK(scalar_of(data_type::int8, -129) == scalar(std::int8_t{-128}));
  CHECK(scalar_of(data_type::int8, infinity) == scalar(std::int8_t{127}));
  CHECK(scalar_of(data_type::int64, std::ldexp(1.0, 63)) == scalar(std::numeric_limits<std::int64_t>::max()));
  CHECK(scalar_of(data_type::uint64, std::ldexp(1.0, 64)) == scalar(std::numeric_limits<std::uint64_t>::max()));
  CHECK(scalar_of(data_type::int32, not_a_number) == scalar(std::int32_t{0}));
  CHECK(scalar_of(data_type::float32, not_a_number) == scalar(std::numeric_limits<float>::quiet_NaN()));
  CHECK(scalar_of(data_type::float32, 0.1) == scalar(0.1F));
  CHECK(scalar_of(data_type::float64, 0.1) == scalar(0.1));
  CHECK(scalar_of(data_type::float16, 2) == scalar(static_cast<float16>(2.0F)));
}

TEST_CASE("shrink: which numbers a type has", "[oracle]") {
  CHECK((has_number<std::int32_t>(-0x1p31) && has_number<std::int32_t>(0x1p31 - 1)));
  CHECK_FALSE((has_number<std::int32_t>(0x1p31) || has_number<std::int32_t>(-0x1p31 - 1)));
  CHECK((has_number<std::uint64_t>(0x1p63) && has_number<float>(1e300)));
  CHECK_FALSE(
      (has_number<std::uint64_t>(0x1p64) || has_number<std::uint32_t>(-1) || has_number<std::int32_t>(not_a_number)));
}

TEST_CASE("shrink: which numbers are plainer", "[oracle]") {
  CHECK(plainness(0.0) == 0);
  const std::vector<double> all{0,      1,       -1,   2,     -2,       3,          -3,          0.5,
                                -0.5,   1.5,     -1.5, 100.5, 1 << 15,  -(1 << 15), 65536,       65537,
                                -65537, 1 << 20, 1e30, -1e30, infinity, -infinity,  not_a_number};
  for (const double number : all) {
    INFO(number);
    const double size = std::abs(number);
    if (number < 0) CHECK(plainness(size) < plainness(number));
    if (number != 0) CHECK(plainness(number) > 0);
    if (!std::isnan(number)) CHECK(plainness(number) < plainness(not_a_number));
    if (std::isfinite(number)) CHECK(plainness(number) < plainness(infinity));
    if (size <= 65536) CHECK(plainness(number) < plainness(65537.0));
    if (size <= 65536) CHECK(plainness(number) < plainness(std::ldexp(1.0, -17)));
  }
  CHECK(plainness(1.0) < plainness(-1.0));
  CHECK(plainness(-1.0) < plainness(2.0));
  CHECK(plainness(2.0) < plainness(-2.0));
  CHECK(plainness(-2.0) < plainness(3.0));
  CHECK(plainness(7.0) < plainness(8.0));
  CHECK(plainness(1.0) < plainness(0.5));
  CHECK(plainness(2.0) < plainness(1.5));
  CHECK(plainness(0.5) < plainness(1.5));
  CHECK(plainness(1.5) < plainness(2.5));
  CHECK(plainness(1.5) < plainness(-1.5));
  CHECK(plainness(0.0) < plainness(-0.0));
  CHECK(plainness(1e6) < plainness(1e9));
  CHECK(plainness(1e-6) < plainness(1e-9));
  CHECK(plainness(std::ldexp(1.0, -16)) < plainness(std::ldexp(1.0, -17)));

  CHECK(plainness(scalar(std::numeric_limits<float>::quiet_NaN())) == plainness(not_a_number));
  CHECK(plainness(-std::numeric_limits<float>::quiet_NaN()) == plainness(not_a_number));
  CHECK(plainness(scalar(-std::numeric_limits<float>::quiet_NaN())) > plainness(not_a_number));
  CHECK(plainness(scalar(std::int16_t{5})) == plainness(5.0));

  CHECK(plainer_numbers(0).empty());
  CHECK(plainer_numbers(1) == std::vector<double>{0});
  CHECK(plainer_numbers(7) == std::vector<double>{0, 1, 2, -1, -2, 3, 6});
  CHECK(plainer_numbers(-7) == std::vector<double>{0, 1, 2, -1, -2, -3, -6, 7});
  CHECK(plainer_numbers(2.5) == std::vector<double>{0, 1, 2, -1, -2, 1.5});
  REQUIRE(plainer_numbers(not_a_number).size() > 1);
  CHECK(std::isnan(plainer_numbers(not_a_number)[0]));
  CHECK(plainer_numbers(not_a_number)[1] == 0);
}

TEST_CASE("shrink: elements of tensors of other sizes", "[oracle]") {
  const tensor_desc given{.data_type = data_type::float32, .sizes = {2, 3}, .strides = {6, 2}};
  const auto changed = [&](const auto& change) {
    tensor_desc tensor = given;
    std::vector<scalar> elements = numbers({1, 2, 3, 4, 5, 6});
    change(tensor, elements);
    std::string text = goldml::oracle::detail::tensor_text(tensor) + ":";
    for (const scalar& value : elements) text += fmt::format(" {}", number_of(value));
    tensor_desc without_elements = given;
    std::vector<scalar> none;
    change(without_elements, none);
    CHECK(without_elements == tensor);
    CHECK(none.empty());
    return text;
  };
  const auto sized = [&](std::size_t dimension, std::uint32_t size, std::uint32_t gap) {
    return changed([&](auto& t, auto& e) { set_size(t, e, dimension, size, gap); });
  };
  CHECK(sized(1, 2, 2) == "FLOAT32{2,2}/{6,2}: 1 2 4 5");
  CHECK(sized(1, 2, 1) == "FLOAT32{2,2}/{6,2}: 1 3 4 6");
  CHECK(sized(1, 2, 0) == "FLOAT32{2,2}/{6,2}: 2 3 5 6");
  CHECK(sized(0, 1, 0) == "FLOAT32{1,3}/{6,2}: 4 5 6");
  CHECK(sized(1, 4, 4) == "FLOAT32{2,4}/{6,2}: 1 2 3 0 4 5 6 0");
  CHECK(changed([](auto& t, auto& e) { remove_dimension(t, e, 0); }) == "FLOAT32{3}/{2}: 1 2 3");
  CHECK(changed([](auto& t, auto& e) { remove_dimension(t, e, 1); }) == "FLOAT32{2}/{6}: 1 4");
  CHECK(changed([](auto& t, auto& e) { merge_dimension(t, e, 0, 0, 0); }) == "FLOAT32{1,6}: 1 2 3 4 5 6");
  CHECK(changed([](auto& t, auto& e) { merge_dimension(t, e, 0, 1, 9); }) == "FLOAT32{1,5}: 1 2 3 4 5");
  CHECK(changed([](auto& t, auto& e) { merge_dimension(t, e, 0, 1, 2); }) == "FLOAT32{1,5}: 1 2 4 5 6");
  CHECK(changed([](auto& t, auto& e) { set_dimension_count(t, e, 3); }) == "FLOAT32{1,2,3}/{1,6,2}: 1 2 3 4 5 6");
  CHECK(changed([](auto& t, auto& e) { set_dimension_count(t, e, 1); }) == "FLOAT32{3}/{2}: 1 2 3");
  CHECK(changed([](auto& t, auto& e) { set_data_type(t, e, data_type::int8); }) == "INT8{2,3}/{6,2}: 1 2 3 4 5 6");
}

TEST_CASE("shrink: what attributes cost", "[oracle]") {
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(cost_of_row(i, {}) == 0);
  CHECK(cost_of_row(0, {.count = 1}) > 0);
  CHECK(cost_of_row(0, {.count = 2}) > cost_of_row(0, {.count = 1}));
  CHECK(cost_of_row(1, {.number = -1}) > cost_of_row(1, {.number = 1}));
  CHECK(cost_of_row(2, {.flag = true}) > 0);
  CHECK(cost_of_row(3, {.list = {0}}) > 0);
  CHECK(cost_of_row(3, {.list = {0, 0}}) > cost_of_row(3, {.list = {0}}));
  CHECK(cost_of_row(3, {.list = {3}}) > cost_of_row(3, {.list = {2}}));
  CHECK(cost_of_row(3, {.list = {2, 1}}) > cost_of_row(3, {.list = {1, 2}}));
  CHECK(cost_of_row(3, {.list = {2, 2}}) == 2 * cost_of_row(3, {.list = {2}}) - 1);  // none out of order
  CHECK(cost_of_row(4, {.steps = {-1}}) > cost_of_row(4, {.steps = {1}}));
  CHECK(cost_of_row(5, {.value = scalar(0.0F)}) > 0);
  CHECK(cost_of_row(5, {.value = scalar(3.0F)}) > cost_of_row(5, {.value = scalar(1.0F)}));
  CHECK(cost_of_row(6, {.size = {1, 3}}) > cost_of_row(6, {.size = {1, 2}}));
  CHECK(cost_of_row(6, {.size = {3, 2}}) > cost_of_row(6, {.size = {2, 2}}));
}

TEST_CASE("shrink: values of attributes to try", "[oracle]") {
  CHECK(simpler(0, {.count = 7}, &some_desc::count) == std::vector<std::uint32_t>{0, 0, 1, 2, 3, 6});
  CHECK(simpler(0, {}, &some_desc::count).empty());
  CHECK(simpler(1, {.number = -7}, &some_desc::number) == std::vector<std::int32_t>{0, 0, 1, 2, -1, -2, -3, -6, 7});
  CHECK(simpler(2, {.flag = true}, &some_desc::flag) == std::vector<bool>{false});

  const auto lists = simpler(3, {.list = {3, 1}}, &some_desc::list);
  CHECK(lists == std::vector<dimensions>{{}, {1, 3}, {1}, {0, 1}, {1, 1}, {2, 1}, {3}, {3, 0}});
  CHECK(contains(simpler(3, {.list = {4, 2, 3, 1}}, &some_desc::list), dimensions{1, 2, 3, 4}));
  const auto steps = simpler(4, {.steps = {-2}}, &some_desc::steps);
  CHECK(steps == std::vector<int32_list>{{}, {}, {0}, {1}, {2}, {-1}});
  const auto values = simpler(5, {.value = scalar(std::int8_t{-1})}, &some_desc::value);
  CHECK(values == std::vector<scalar>{{}, scalar(std::int8_t{0}), scalar(std::int8_t{1})});
  CHECK(simpler(6, {.size = {2, 3}}, &some_desc::size) ==
        std::vector<size_2d>{{1, 1}, {0, 3}, {1, 3}, {2, 0}, {2, 1}, {2, 2}});
}

TEST_CASE("shrink: lists follow dimensions that are removed or merged", "[oracle]") {
  const auto removed = [](list_meaning meaning, const dimensions& list, std::size_t d, std::size_t count) {
    some_desc desc{.count = 9, .list = list};
    remove_from_lists(rows, &desc, meaning, d, count);
    CHECK(desc.count == 9);
    return desc.list;
  };
  CHECK(removed(list_meaning::entries, {10, 20, 30}, 1, 3) == dimensions{10, 30});
  CHECK(removed(list_meaning::entries, {10, 20, 30}, 0, 3) == dimensions{20, 30});
  CHECK(removed(list_meaning::entries, {10, 20, 30}, 1, 4) == dimensions{10, 20, 30});
  CHECK(removed(list_meaning::last_entries, {10, 20, 30}, 1, 3) == dimensions{10, 30});
  CHECK(removed(list_meaning::last_entries, {10, 20}, 1, 3) == dimensions{20});
  CHECK(removed(list_meaning::last_entries, {10, 20}, 2, 3) == dimensions{10});
  CHECK(removed(list_meaning::last_entries, {10, 20}, 0, 3) == dimensions{10, 20});
  CHECK(removed(list_meaning::last_entries, {10, 20}, 0, 1) == dimensions{10, 20});
  CHECK(removed(list_meaning::dimension_numbers, {0, 1, 2}, 1, 3) == dimensions{0, 1});
  CHECK(removed(list_meaning::dimension_numbers, {2, 0}, 0, 3) == dimensions{1});
  CHECK(removed(list_meaning::dimension_numbers, {0, 1}, 2, 3) == dimensions{0, 1});
  CHECK(removed(list_meaning::neither, {0, 1, 2}, 1, 3) == dimensions{0, 1, 2});

  const auto merged = [](list_meaning meaning, const dimensions& list, std::size_t d, std::size_t count, bool gone) {
    some_desc desc{.list = list};
    merge_list_entries(rows, &desc, meaning, d, count, gone);
    return desc.list;
  };
  CHECK(merged(list_meaning::entries, {2, 3, 4}, 0, 3, false) == dimensions{1, 6, 4});
  CHECK(merged(list_meaning::entries, {2, 3, 4}, 1, 3, true) == dimensions{2, 12});
  CHECK(merged(list_meaning::entries, {2, 3, 4}, 1, 4, true) == dimensions{2, 3, 4});
  CHECK(merged(list_meaning::last_entries, {3, 4, 5}, 1, 4, false) == dimensions{0, 0, 5});
  CHECK(merged(list_meaning::last_entries, {3, 4}, 1, 4, false) == dimensions{0, 4});
  CHECK(merged(list_meaning::last_entries, {3, 4}, 2, 4, true) == dimensions{0});
  CHECK(merged(list_meaning::dimension_numbers, {0, 2}, 0, 3, true) == dimensions{1});
  CHECK(merged(list_meaning::dimension_numbers, {0, 2}, 0, 3, false) == dimensions{0, 2});
  CHECK(merged(list_meaning::neither, {2, 3, 4}, 1, 3, true) == dimensions{2, 3, 4});

  some_desc window{.count = 3, .list = {2, 3}, .steps = {4, 5}};
  CHECK(reset_entries(rows, &window, 2, 4));
  CHECK((window.list == dimensions{0, 3} && window.steps == int32_list{4, 5} && window.count == 3));
  CHECK_FALSE(reset_entries(rows, &window, 2, 4));
  CHECK_FALSE(reset_entries(rows, &window, 1, 4));
  CHECK(reset_entries(rows, &window, 3, 4));
  CHECK(window.list == dimensions{0, 0});

  some_desc desc{.count = 3, .number = 3, .value = scalar(5.0F)};
  CHECK(decrement_counts(rows, &desc));
  CHECK((desc.count == 2 && desc.number == 3));
  CHECK(decrement_counts(rows, &desc));
  CHECK_FALSE(decrement_counts(rows, &desc));
  CHECK(desc.count == 1);
  convert_scalars(rows, &desc, data_type::float64, data_type::int8);
  CHECK(desc.value == scalar(5.0F));
  convert_scalars(rows, &desc, data_type::float32, data_type::int8);
  CHECK(desc.value == scalar(std::int8_t{5}));
  CHECK(desc.count == 1);
}

TEST_CASE("shrink: what a case costs, the worst first", "[oracle]") {
  const auto cost = [](const std::string& line) { return cost_of(case_of(line)); };
  const case_cost plain = cost(argmin_line);
  CHECK(plain[0] == 4);
  CHECK(plain[1] == 8);
  CHECK(plain[2] == 0);
  const auto layout = [&](const std::string& input) {
    const case_cost found =
        cost("ARGMIN InputTensor=FLOAT32{2,3}" + input + ":{1,2,3,4,5,6} OutputTensor=UINT32{2,1} Axes={1}");
    CHECK((found[0] == plain[0] && found[1] == plain[1] && found[4] == plain[4] && found[6] == plain[6]));
    return found[2];
  };
  CHECK(layout("/{3,1}") == 1);
  CHECK(layout("/{1,2}") == 2);
  CHECK(layout("@32") == 1);
  CHECK(layout("%16") == 1);
  CHECK(layout("#1") == 1);
  CHECK(layout("/{1,2}@32%16#1") == 5);
  CHECK(cost("ARGMIN InputTensor=INT8{2,3}:{1,2,3,4,5,6} OutputTensor=UINT32{2,1} Axes={1}")[3] > plain[3]);
  CHECK(cost(argmin_line + " AxisDirection=DECREASING")[4] > plain[4]);
  CHECK(cost(argmin_line + " same_resource=disjoint")[5] > plain[5]);
  CHECK(cost(argmin_line + " feature_level=5_0")[5] == plain[5] + 1);
  // Elements not written out cost more than any.
  CHECK(cost("ARGMIN InputTensor=FLOAT32{2,3} OutputTensor=UINT32{2,1} Axes={1}")[6] == std::uint64_t{1} << 60);
  CHECK(
      cost(
          "SCATTER_ND InputTensor=FLOAT32{3} IndicesTensor=INT32{2,1} UpdatesTensor=FLOAT32{2} OutputTensor=FLOAT32{3} "
          "InputDimensionCount=1 IndicesDimensionCount=2")[6] == std::uint64_t{3} << 60);
}

TEST_CASE("shrink: changes to layouts and operands", "[oracle]") {
  const std::string tail = " OutputTensor=UINT32{2,1} Axes={1}";
  const auto line = [&](const std::string& input) {
    return to_string(case_of("ARGMIN InputTensor=FLOAT32{2,3}" + input + tail));
  };
  const auto c = case_of("ARGMIN InputTensor=FLOAT32{2,3}/{1,2}@32%16#1" + tail);
  const std::string output_strides =
      to_string(case_of("ARGMIN InputTensor=FLOAT32{2,3}/{1,2}@32%16#1 OutputTensor=UINT32{2,1}/{1,1} Axes={1}"));
  // All tensors packed; then of each tensor: packed, no size, no strides, the packed strides, no alignment, no flags.
  CHECK(results_of(layout_edits(c), c) == std::vector<std::string>{line(""), line(""), line("/{1,2}%16#1"),
                                                                   line("@32%16#1"), line("/{3,1}@32%16#1"),
                                                                   line("/{1,2}@32#1"), line("/{1,2}@32%16"), "no",
                                                                   "no", "no", output_strides, "no", "no"});

  const auto with_input = case_of("DIAGONAL_MATRIX1 InputTensor=FLOAT32{2,2}:{1,2,3,4} OutputTensor=FLOAT32{2,2}");
  const auto edits = operand_edits(with_input);
  REQUIRE(edits.size() == 1);
  auto without = with_input;
  CHECK(edits[0](without));
  CHECK(to_string(without) == to_string(case_of("DIAGONAL_MATRIX1 OutputTensor=FLOAT32{2,2}")));
  CHECK_FALSE(edits[0](without));
  // Edits of a tensor change nothing where it is gone.
  for (const auto& all : {layout_edits(with_input), size_edits(with_input), dimension_edits(with_input),
                          data_type_edits(with_input), merge_edits(with_input)})
    for (const auto& change : all) {
      auto changed = without;
      change(changed);
      CHECK_FALSE(changed.tensors[0]);
    }
}

TEST_CASE("shrink: a size above 32 loses each of 4, 8, 16 and 32 parts", "[oracle]") {
  const auto without = [](int first, int count) {
    std::string numbers;
    for (int i = 0; i < 40; ++i)
      if (i < first || i >= first + count) numbers += (numbers.empty() ? "" : ",") + std::to_string(i);
    return fmt::format("ARGMIN InputTensor=FLOAT32{{{}}}:{{{}}} OutputTensor=UINT32{{1}} Axes={{0}}", 40 - count,
                       numbers);
  };
  const auto c = case_of(without(0, 0));
  const std::vector<std::string> results = results_of(size_edits(c), c);
  for (const int parts : {4, 8, 16, 32})
    for (int part = 0; part < parts; ++part) {
      const int count = 40 / parts;
      CHECK(contains(results, to_string(case_of(without(part * count, count)))));
    }
}

TEST_CASE("shrink: the last dimension stays", "[oracle]") {
  const auto c = case_of("ARGMIN InputTensor=FLOAT32{3}:{1,2,3} OutputTensor=UINT32{1} Axes={0}");
  for (const std::string& result : results_of(dimension_edits(c), c)) CHECK(result == "no");
}

TEST_CASE("shrink: what is written outside an output is a failure", "[oracle]") {
  const auto run = [](const generated_case<argmin_desc>& c) {
    std::vector<watched_output> outputs(c.outputs.begin(), c.outputs.end());
    std::vector<tensor_ref> refs;
    for (watched_output& output : outputs) refs.push_back(output.ref());
    const auto inputs = c.input_refs();
    evaluate(reference, c.text.desc, inputs, refs);
    outputs.front().bytes()[0] ^= std::byte{0x10};
    return outputs;
  };
  CHECK(smallest_failure(parse_case<argmin_desc>(argmin_line), run, {})
            .find("wrote outside its tensor: byte -256 is 0x") != std::string::npos);
}

TEST_CASE("shrink: a case that a device cannot run is skipped", "[oracle]") {
  const auto run = [](const generated_case<argmin_desc>& c) {
    if (element_count(c.inputs[0].desc().sizes) < 3) throw std::runtime_error("too few");
    std::vector<host_tensor> outputs{c.expected.answers[0][0].values};
    for (std::byte& b : outputs[0].bytes()) b ^= std::byte{0x10};
    return outputs;
  };
  const std::string text = smallest_failure(parse_case<argmin_desc>(argmin_line), run, {});
  CHECK(text.find("case: ARGMIN InputTensor=FLOAT32{3}:{0,0,0} OutputTensor=UINT32{1} ") != std::string::npos);
}

TEST_CASE("shrink: a comparison says whether a case fails, and no more cases are run than allowed", "[oracle]") {
  const auto failing = parse_case<argmin_desc>(argmin_line);
  const auto compared = [](std::uint64_t differing) {
    return [differing](const generated_case<argmin_desc>&) {
      comparison result;
      result.outputs.resize(1);
      result.outputs[0].differing = differing;
      return result;
    };
  };
  CHECK(shrink(failing, compared(1)).fails);
  CHECK_FALSE(shrink(failing, compared(0)).fails);
  CHECK(shrink(failing, compared(1)).runs > 3);
  CHECK(shrink(failing, compared(1), {.most_runs = 3}).runs == 3);

  comparison written_outside, of_other_sizes;
  written_outside.outputs.resize(1);
  written_outside.outputs[0].wrote_outside = true;
  of_other_sizes.outputs.resize(1);
  of_other_sizes.outputs[0].mismatch = "3 elements, wanted 4";
  for (const comparison& result : {written_outside, of_other_sizes})
    CHECK(shrink(failing, [&](const generated_case<argmin_desc>&) { return result; }).fails);
}

TEST_CASE("shrink: sizes of 1 become no smaller, and dimensions merge only into a size of 32 bits", "[oracle]") {
  CHECK(size_edits(case_of("ARGMIN InputTensor=FLOAT32{1,1} OutputTensor=UINT32{1,1} Axes={0}")).empty());
  const auto merged = [](const std::string& line) {
    const auto c = case_of(line);
    const auto results = results_of(merge_edits(c), c);
    return results.size() - static_cast<std::size_t>(std::count(results.begin(), results.end(), "no"));
  };
  CHECK(merged("DIAGONAL_MATRIX OutputTensor=UINT8{65536,65536}") == 0);
  CHECK(merged("DIAGONAL_MATRIX OutputTensor=UINT8{65536,65535}") > 0);
  CHECK(merged("DIAGONAL_MATRIX OutputTensor=UINT8{1,5}") == 0);
}

TEST_CASE("shrink: the dimension of another tensor that stands for one", "[oracle]") {
  CHECK(aligned(1, 3, 2, false) == 1);
  CHECK(aligned(2, 3, 2, false) == 2);  // none
  CHECK(aligned(2, 3, 2, true) == 1);
  CHECK(aligned(1, 3, 2, true) == 0);
  CHECK(aligned(0, 3, 2, true) == 2);  // none
  CHECK(aligned(0, 2, 3, true) == 1);
}
