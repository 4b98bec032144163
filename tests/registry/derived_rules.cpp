// The rules derived from the description of operands, for a test operator: the tensor that they report, their order
// among the operator's own rules, and what is skipped if a tensor's sizes are invalid.
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "../core/rules.hpp"
#include "../support/every_kind.hpp"

using namespace goldml;
using goldml_test::joining_desc;
using rules::codes_of;

namespace {

using tensors = std::vector<tensor_desc>;

tensor_desc of(const dimensions& sizes, data_type type = data_type::float32) {
  return {.data_type = type, .sizes = sizes};
}

// "J1 InputTensors[1]; J2 BiasTensor; "
std::string places_of(const std::vector<violation>& all) {
  std::string places;
  for (const violation& v : all)
    places += std::string(v.rule) + " " + std::string(v.operand) +
              (v.element ? "[" + std::to_string(*v.element) + "]" : "") + "; ";
  return places;
}

const joining_desc joining;

}  // namespace

TEST_CASE("derived rules: valid with any number of inputs, with or without the optional operand", "[registry]") {
  const tensor_desc t = of({2, 3});
  for (const std::size_t count : {0u, 1u, 2u, 3u, 9u}) {
    CHECK(codes_of(violations(joining, tensors(count, t), of({7}), t)) == "");
    CHECK(codes_of(violations(joining, tensors(count, t), t)) == "");
    CHECK_FALSE(validate(joining, tensors(count, t), t));
  }
}

TEST_CASE("derived rules: each reports the tensor of an array, and the tensor that it must match", "[registry]") {
  const tensor_desc t = of({2, 3});
  const tensor_desc int8 = of({2, 3}, data_type::int8);
  CHECK(places_of(violations(joining, tensors{t, int8}, t)) == "J1 InputTensors[1]; ");
  CHECK(to_string(*validate(joining, tensors{t, int8}, t)) ==
        "JOINING J1: InputTensors[1].DataType is INT8, wanted FLOAT32 (the output's)");
  CHECK(to_string(*validate(joining, tensors{of({2}), t}, t)) ==
        "JOINING J2: InputTensors[0].DimensionCount is 1, wanted 2 (the output's)");
  CHECK(to_string(*validate(joining, tensors{t, t, of({3, 2})}, t)) ==
        "JOINING J3: InputTensors[2].Sizes is {3,2}, wanted {2,3} (the output's; broadcast with stride 0)");
  CHECK(to_string(*validate(joining, tensors{t}, int8, t)) ==
        "JOINING J1: BiasTensor.DataType is INT8, wanted FLOAT32 (the output's)");
  const auto v = *validate(joining, tensors{t, of({2, 0})}, t);
  CHECK(v.element == 1);
  CHECK(to_string(v).starts_with("JOINING T5: InputTensors[1].Sizes[1] is 0"));
  CHECK_FALSE(validate(joining, tensors{t}, int8, t)->element);
}

TEST_CASE("derived rules: ordered by number, then by tensor", "[registry]") {
  const tensor_desc t = of({2, 3});
  const tensor_desc int8 = of({2, 3}, data_type::int8);
  CHECK(places_of(violations(joining, tensors{of({2}), int8, of({3, 3}), of({2}, data_type::int8), t}, int8, t)) ==
        "J1 InputTensors[1]; J1 InputTensors[3]; J1 BiasTensor; J2 InputTensors[0]; J2 InputTensors[3]; "
        "J3 InputTensors[2]; ");
}

TEST_CASE("derived rules: after the rules on attributes, before the operator's other rules", "[registry]") {
  const tensor_desc t = of({2, 3});
  const tensor_desc int8 = of({2, 3}, data_type::int8);
  CHECK(codes_of(violations(joining, tensors{t, t, t, int8}, t, t)) == "J9 J1 J0");
  CHECK(rule_of(validate(joining, tensors{t, t, t, int8}, t, t)) == "J9");
  // T codes before them all.
  CHECK(codes_of(violations(joining, tensors{t, t, t, of({0, 3}, data_type::int8)}, t, t)) == "T5 J9 J0");
}

TEST_CASE("derived rules: a tensor that breaks a T rule is not compared with others", "[registry]") {
  const tensor_desc t = of({2, 3});
  CHECK(codes_of(violations(joining, tensors{of({2, 0, 1})}, t)) == "T5");
  CHECK(codes_of(violations(joining, tensors{of({2, 0}, data_type::int8)}, t)) == "T5");
  CHECK(codes_of(violations(joining, tensors{t, of({2})}, of({0, 3}))) == "T5");       // the output
  CHECK(codes_of(violations(joining, tensors{of({1, 1, 1, 1, 1})}, t)) == "T4");       // too many for it
  CHECK(codes_of(violations(joining, tensors{of({0x1'0000, 0x1'0000})}, t)) == "T6");  // too many elements
  tensor_desc flagged = of({3, 3});
  flagged.flags = static_cast<tensor_flags>(8);
  CHECK(codes_of(violations(joining, tensors{flagged}, t)) == "T10");
  CHECK(codes_of(violations(joining, tensors{t}, const_tensor_ref(), tensor_ref())) == "T1");
}

TEST_CASE("derived rules: the memory of a tensor of an array is reported with its index", "[registry]") {
  std::vector<float> memory(24);
  const tensor_desc t = of({2, 3});
  using refs = std::vector<const_tensor_ref>;
  const refs inputs{{t, memory.data(), 24}, {t, memory.data() + 6, 20}};
  const tensor_ref output(t, memory.data() + 12, 24);
  CHECK(places_of(violations(joining, inputs, output)) == "T12 InputTensors[1]; ");
  const refs twice{{t, memory.data(), 24}, {t, memory.data(), 24}};  // inputs may share memory
  CHECK(places_of(violations(joining, twice, output)) == "");
  CHECK(codes_of(violations(joining, refs{{t, memory.data() + 10, 24}}, output)) == "T12");
}

TEST_CASE("derived rules: a call with too few tensors throws std::invalid_argument", "[registry]") {
  CHECK_THROWS_AS(make_operands<joining_desc>(0, 1), std::invalid_argument);
  CHECK_THROWS_AS(make_operands<joining_desc>(2, 0), std::invalid_argument);
  CHECK_THROWS_AS(make_operands<joining_desc>(2, 2), std::invalid_argument);
  CHECK(make_operands<joining_desc>(1, 1).size() == 2);  // no inputs in the array, and the optional one
  CHECK(make_operands<joining_desc>(4, 1).size() == 5);
  std::vector<operand> none;
  violation_sink sink;
  CHECK_THROWS_AS(check(joining, none, sink), std::invalid_argument);
}

TEST_CASE("operand arrays: which tensor belongs to which operand", "[registry]") {
  constexpr auto& infos = operator_traits<joining_desc>::operands;
  CHECK(tensor_count(infos, 0, 5) == 3);
  CHECK(tensor_count(infos, 1, 5) == 1);
  CHECK(first_tensor(infos, 1, 5) == 3);
  CHECK(first_tensor(infos, 2, 2) == 1);
  CHECK(input_tensor_count<joining_desc>(5) == 4);
  const auto place = [&](std::size_t tensor, std::size_t tensors_in_all) {
    const auto [info, element] = place_of_tensor(infos, tensor, tensors_in_all);
    return std::array{info, element};
  };
  CHECK(place(0, 5) == std::array<std::size_t, 2>{0, 0});
  CHECK(place(2, 5) == std::array<std::size_t, 2>{0, 2});
  CHECK(place(3, 5) == std::array<std::size_t, 2>{1, 0});
  CHECK(place(4, 5) == std::array<std::size_t, 2>{2, 0});
  CHECK(place(0, 2) == std::array<std::size_t, 2>{1, 0});  // an empty array
}
