// The samplers of the layout operators and of CAST: illegal cases break the rule that they name, every rule is among
// them; legal cases are legal at every level, are judged as right with their golden answer, and `cpu` gives the bytes
// of `reference`, whatever the policies.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/attribute_values.hpp>
#include <goldml/cpu/cast.hpp>
#include <goldml/cpu/join.hpp>
#include <goldml/cpu/padding.hpp>
#include <goldml/cpu/slice.hpp>
#include <goldml/cpu/slice_grad.hpp>
#include <goldml/cpu/space_depth.hpp>
#include <goldml/cpu/split.hpp>
#include <goldml/cpu/tile.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/samplers/cast.hpp>
#include <goldml/oracle/samplers/join.hpp>
#include <goldml/oracle/samplers/padding.hpp>
#include <goldml/oracle/samplers/slice.hpp>
#include <goldml/oracle/samplers/slice_grad.hpp>
#include <goldml/oracle/samplers/space_depth.hpp>
#include <goldml/oracle/samplers/split.hpp>
#include <goldml/oracle/samplers/tile.hpp>
#include <goldml/reference/cast.hpp>
#include <goldml/reference/join.hpp>
#include <goldml/reference/padding.hpp>
#include <goldml/reference/slice.hpp>
#include <goldml/reference/slice_grad.hpp>
#include <goldml/reference/space_depth.hpp>
#include <goldml/reference/split.hpp>
#include <goldml/reference/tile.hpp>

#include "../catch.hpp"
#include "../support/run_case.hpp"

using namespace goldml;

namespace {

using layout_operators =
    type_list<join_desc, split_desc, tile_desc, padding_desc, padding1_desc, space_to_depth_desc, space_to_depth1_desc,
              depth_to_space_desc, depth_to_space1_desc, slice_desc, slice_grad_desc, cast_desc>;

// f(operator, its call on cpu)
template <class... Desc, class F>
void for_all(type_list<Desc...>, const F& f) {
  (f(oracle::any_operator_of<Desc>(), goldml_test::run_time_call(goldml_test::call_on<Desc>(cpu))), ...);
}

violation_sink checked(const oracle::any_operator& op, const oracle::test_case<any_desc>& c) {
  std::vector<operand> operands;
  for (const auto& tensor : c.tensors) operands.push_back(tensor ? to_operand(*tensor) : operand{});
  violation_sink sink;
  op.description->check(c.desc.get(), operands, sink);
  return sink;
}

// The coordinate in a line of a report, "... at {1,2} ...".
coordinate_tuple coordinate_in(const std::string& text) {
  coordinate_tuple result;
  std::size_t i = text.find('{');
  while (text[i] != '}') {
    std::size_t length = 0;
    result.push_back(std::stoul(text.substr(i + 1), &length));
    i += 1 + length;
  }
  return result;
}

std::vector<std::byte> bytes_at(const const_tensor_ref& tensor, const coordinate_tuple& c) {
  const auto bytes = goldml_test::logical_bytes(tensor);
  const std::size_t size = element_size_in_bytes(tensor.desc().data_type);
  std::size_t number = 0;
  for (std::size_t i = 0; i < c.size(); ++i) number = number * tensor.desc().sizes[i] + c[i];
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(number * size);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

template <class Desc>
void check_deciding_texts() {
  for (const auto& c : oracle::cases<Desc>({.count = 60, .seed = 10, .most_elements = 40})) {
    const auto inputs = c.input_refs();
    const auto names = oracle::names_of(c.text.desc, std::span<const const_tensor_ref>(inputs), c.outputs.size());
    const oracle::golden_output& golden = c.expected.answers[0][0];
    for (const coordinate_tuple& where : coordinates_of(golden.values.desc().sizes)) {
      const std::string text = names.deciding(0, golden, where, golden.values.ref());
      CAPTURE(c.line(), where, text);
      const std::vector<std::byte> wanted = bytes_at(golden.values.ref(), where);
      if (text.find("zero") != std::string::npos) {
        REQUIRE(std::count(wanted.begin(), wanted.end(), std::byte{0}) == std::ssize(wanted));
      } else if (text.find("PaddingValue") != std::string::npos) {
        REQUIRE(c.outputs[0].sizes != inputs[0].desc().sizes);
      } else {
        const std::size_t bracket = text.find('[');
        const std::size_t input = bracket == std::string::npos ? 0 : std::stoul(text.substr(bracket + 1));
        REQUIRE(bytes_at(inputs[input], coordinate_in(text)) == wanted);
      }
    }
  }
}

}  // namespace

TEST_CASE("oracle: illegal cases of layout operators break the rule that they name", "[oracle]") {
  std::set<std::string, std::less<>> rules;
  for_all(layout_operators{}, [&](const oracle::any_operator& op, goldml_test::run_time_call) {
    for (const feature_level level : {op.first_level(), feature_level::level_3_0, feature_level::latest})
      for (std::uint64_t number = 0; number < 300; ++number) {
        const oracle::generate_options options{
            .seed = 7, .most_elements = 40, .feature_level = (std::max)(level, op.first_level())};
        const auto illegal = oracle::sample_illegal_case(op, options, number);
        const violation_sink sink = checked(op, illegal.text);
        CAPTURE(to_string(illegal.text));
        REQUIRE(sink.first());
        REQUIRE(sink.first()->rule == illegal.rule);
        REQUIRE(to_string(oracle::parse_case(*op.description, to_string(illegal.text))) == to_string(illegal.text));
        if (!illegal.rule.starts_with("T") || illegal.rule.starts_with("TI")) rules.insert(std::string(illegal.rule));
      }
  });
  CHECK(rules == std::set<std::string, std::less<>>{
                     "JO1", "JO2", "JO3", "JO4", "JO5", "JO6", "SP1", "SP2", "SP3", "SP4", "SP5", "SP6",
                     "TI1", "TI2", "TI3", "TI4", "TI5", "PA1", "PA2", "PA3", "PA4", "PA5", "PA6", "SD1",
                     "SD3", "SD4", "SD5", "SD6", "DS1", "DS3", "DS4", "DS5", "DS6", "SL1", "SL2", "SL3",
                     "SL4", "SL5", "SL7", "SG1", "SG2", "SG4", "SG5", "SG6", "SG7", "SG8", "CA2", "CA3"});
}

TEST_CASE("oracle: cases of layout operators are legal at every level, and small", "[oracle]") {
  for_all(layout_operators{}, [&](const oracle::any_operator& op, goldml_test::run_time_call) {
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      for (std::uint64_t number = 0; number < 100; ++number) {
        const auto c = oracle::sample_case(op, {.seed = 8, .most_elements = 50, .feature_level = level.value}, number);
        CAPTURE(to_string(c));
        REQUIRE_FALSE(checked(op, c).first());
        for (const auto& tensor : c.tensors) REQUIRE(element_count(tensor->sizes) <= 1'000);
      }
    }
  });
}

TEST_CASE("oracle: cases of layout operators with wanted sizes, data types and dimensions are found", "[oracle]") {
  for_all(layout_operators{}, [&](const oracle::any_operator& op, goldml_test::run_time_call) {
    const oracle::generate_options options{
        .seed = 9, .data_types = {data_type::float16, data_type::uint8}, .sizes = {1, 4, 6, 5}};
    for (std::uint64_t number = 0; number < 20; ++number) {
      const auto c = oracle::sample_case(op, options, number);
      CHECK(c.tensors[0]->sizes == dimensions{1, 4, 6, 5});
    }
  });
}

TEST_CASE("oracle: the golden answer of layout operators is right, also strictly, and that of cpu", "[oracle]") {
  std::uint64_t compared = 0;
  for_all(layout_operators{}, [&](const oracle::any_operator& op, goldml_test::run_time_call call) {
    for (std::uint64_t number = 0; number < 400; ++number) {
      oracle::generate_options options{.seed = 6, .most_elements = number % 10 == 0 ? 3'000u : 60u};
      options.data = oracle::all_data_classes();
      auto text = oracle::sample_case(op, options, number);
      if (number % 3 == 0)
        for (const attribute& policy : op.policies())
          store_enumerator(policy.address(text.desc.get()), policy.names.rows.back().value);
      const auto c = oracle::make_case(op, text);
      CAPTURE(c.line());
      REQUIRE(c.expected.answers.size() == 1);
      std::vector<const_tensor_ref> answer;
      for (const oracle::golden_output& output : c.expected.answers[0]) answer.push_back(output.values.ref());
      for (const auto& compare_options : {oracle::compare_options{}, oracle::compare_options::strict()}) {
        const auto judged = oracle::compare(c.expected, answer, compare_options);
        REQUIRE(judged.tolerated());
        compared += judged.result.compared();
      }
      REQUIRE((goldml_test::run_case(call, c.text, c.inputs) ==
               goldml_test::run_case(op.golden->evaluate, c.text, c.inputs)));
    }
  });
  CHECK(compared > 1'000'000);
}

TEST_CASE("oracle: reports name the element that a layout operator copies", "[oracle]") {
  check_deciding_texts<join_desc>();
  check_deciding_texts<tile_desc>();
  check_deciding_texts<padding_desc>();
  check_deciding_texts<padding1_desc>();
  check_deciding_texts<space_to_depth_desc>();
  check_deciding_texts<space_to_depth1_desc>();
  check_deciding_texts<depth_to_space_desc>();
  check_deciding_texts<depth_to_space1_desc>();
  check_deciding_texts<slice_desc>();
  check_deciding_texts<slice_grad_desc>();
}

TEST_CASE("oracle: reports of CAST name the number that is converted", "[oracle]") {
  const std::vector<float> x{2.5F, -1.0F};
  const const_tensor_ref input = tensor_view{x, {2}};
  const tensor_desc output{.data_type = data_type::int8, .sizes = {2}};
  const auto golden = oracle::expect(cast_desc{}, std::span(&input, 1), std::span(&output, 1));
  const std::vector<std::int8_t> wrong{2, 1};
  const const_tensor_ref actual = tensor_view{wrong, {2}};
  const auto judged = oracle::compare(golden, std::span(&actual, 1));
  const auto names = oracle::names_of(cast_desc{}, std::span(&input, 1), 1);
  const std::string text = oracle::report(golden, std::span(&actual, 1), judged, {}, names, "");
  CAPTURE(text);
  CHECK(text.find("input:    -1 (0xBF800000)") != std::string::npos);
}
