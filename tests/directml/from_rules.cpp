// Each rule, tested with DirectML's structures: null pointers, numbers that are not enumerators, T1 to T12, the
// operators' own rules, and memory. Also that validate() does not allocate.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "catch.hpp"
#include "from_backends.hpp"
#include "from_plain.hpp"

using namespace directml_tests;

namespace {

constexpr std::uint32_t top = std::numeric_limits<std::uint32_t>::max();

tensor_desc desc_of(data_type type, const dimensions& sizes) { return {.data_type = type, .sizes = sizes}; }

// Valid descs; each check changes one part.
plain_operator legal_argmin() {
  return plain(argmin_desc{.axes = {1}}, {desc_of(data_type::float32, {3, 3}), desc_of(data_type::uint32, {3, 1})});
}
plain_operator legal_nonzero() {
  return plain(nonzero_coordinates_desc{}, {desc_of(data_type::float32, {2, 3}), desc_of(data_type::uint32, {1}),
                                            desc_of(data_type::uint32, {6, 2})});
}
plain_operator legal_scatter() {
  return plain(scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 2},
               {desc_of(data_type::float32, {4, 3}), desc_of(data_type::int64, {2, 1}),
                desc_of(data_type::float32, {2, 3}), desc_of(data_type::float32, {4, 3})});
}
plain_operator legal_diagonal() {
  const tensor_desc matrix = desc_of(data_type::float32, {2, 2});
  return plain(diagonal_matrix1_desc{.value = 1.0f, .diagonal_fill_end = 1}, {matrix, matrix});
}

// The violation that validate() returns, as text. Checks that it does not allocate and that violations() reports it
// first.
std::string answer(const plain_operator& op, feature_level level = feature_level::latest) {
  const dml_operator structures(op);
  const std::size_t before = allocations;
  const auto broken = directml::validate(structures, level);
  CHECK(allocations == before);
  const auto all = directml::violations(structures, level);
  CHECK(all.empty() == !broken);
  if (broken) CHECK(to_string(all.front()) == to_string(*broken));
  return broken ? to_string(*broken) : "legal";
}

std::vector<std::string> rules(const plain_operator& op) {
  std::vector<std::string> result;
  for (const violation& v : directml::violations(dml_operator(op))) result.emplace_back(v.rule);
  return result;
}

std::string rule(const plain_operator& op, feature_level level = feature_level::latest) {
  const std::string text = answer(op, level);
  const std::size_t begin = text.find(' ') + 1;
  return text.substr(begin, text.find(':') - begin);
}

// The rule code after `change` is applied to a tensor of a valid operator.
template <class Change>
std::string rule_after(plain_operator op, std::size_t tensor, Change change) {
  CHECK(answer(op) == "legal");
  change(op.tensors[tensor]);
  return rule(op);
}
template <class Change>
std::string rule_after(plain_operator op, Change change) {
  CHECK(answer(op) == "legal");
  change(op);
  return rule(op);
}

}  // namespace

TEST_CASE("directml: validate() and violations() judge by the policies given", "[directml]") {
  plain_operator op = plain(argmin_desc{}, {desc_of(data_type::float32, {3, 3}), desc_of(data_type::uint32, {3, 3})});
  const dml_operator structures(op);
  CHECK_FALSE(directml::validate(structures));
  CHECK_FALSE(directml::validate(structures, {.same_resource = same_resource::disjoint}));
  const directml::policies strict{.empty_axes = empty_axes::refuse};
  const std::size_t before = allocations;
  const auto broken = directml::validate(structures, strict);
  CHECK(allocations == before);
  CHECK(rule_of(broken) == "A6");
  const auto all = directml::violations(structures, strict);
  REQUIRE(all.size() == 1);
  CHECK(to_string(all.front()) == to_string(*broken));
  CHECK(rule_of(directml::validate(structures, {.feature_level = feature_level::level_2_1})) == "T11");
  CHECK(rule_of(directml::validate(structures, feature_level::level_2_1)) == "T11");
}

TEST_CASE("directml rules: the allocation counter detects allocations") {
  const std::size_t before = allocations;
  plain_operator op = legal_argmin();
  op.axes = {7};
  CHECK_FALSE(directml::violations(dml_operator(op)).empty());
  CHECK(allocations > before);
}

TEST_CASE("directml rules: the operator's type and structure") {
  plain_operator op = legal_argmin();
  CHECK(answer(op) == "legal");
  op.has_desc = false;
  CHECK(answer(op) == "ARGMIN T1: Desc is null, wanted a pointer");
  CHECK(rule(op, feature_level::level_2_1) == "T11");
  CHECK(rule(legal_argmin(), feature_level::level_2_1) == "T11");
  CHECK(answer(legal_argmin(), directml::from_directml(DML_FEATURE_LEVEL_3_0)) == "legal");
  for (const std::uint32_t type : {0u, 200u, 0x8000'0000u, top}) {
    op.type = type;
    CHECK(answer(op) == "DML_OPERATOR_DESC T11: Type is " + std::to_string(type) +
                            ", wanted the DML_OPERATOR_TYPE of an operator that goldml has (137 is ARGMIN; 'goldml list' "
                            "names all)");
    CHECK(refusal_of([&] { on_reference(dml_operator(op), {}, {}); }) == "T11");
  }
}

TEST_CASE("directml rules: T1 to T10, on every tensor") {
  for (const auto& legal : {legal_argmin(), legal_nonzero(), legal_scatter(), legal_diagonal()})
    for (std::size_t i = 0; i < legal.tensors.size(); ++i) {
      CAPTURE(legal.type, i);
      const bool optional = legal.type == DML_OPERATOR_DIAGONAL_MATRIX1 && i == 0;
      const auto after = [&](auto change) { return rule_after(legal, i, change); };
      using tensor = plain_tensor;
      CHECK(after([](tensor& t) { t.given = false; }) == (optional ? "legal" : "T1"));
      CHECK(after([](tensor& t) { t.has_desc = false; }) == "T1");
      CHECK(after([](tensor& t) { t.sizes = std::nullopt; }) == "T1");
      CHECK(after([](tensor& t) { t.has_desc = false, t.type = 0; }) == "T1");
      for (const std::uint32_t type : {0u, 2u, top}) CHECK(after([&](tensor& t) { t.type = type; }) == "T2");
      for (const std::uint32_t type : {0u, 12u, 13u, 14u, 1000u, top})
        CHECK(after([&](tensor& t) { t.data_type = type; }) == "T3");
      CHECK(after([](tensor& t) { t.dimension_count = 0; }) == "T4");
      // These counts have no entries: no size may be read.
      for (const std::uint32_t count : {9u, 10u, 0x8000'0000u, top})
        CHECK(after([&](tensor& t) { t.dimension_count = count, t.sizes.emplace(), t.strides.emplace(); }) == "T4");
      CHECK(after([](tensor& t) { t.sizes->back() = 0; }) == "T5");
      CHECK(after([](tensor& t) { t.sizes = {top, top}, t.dimension_count = 2; }) == "T6");
      CHECK(after([](tensor& t) { t.total_size = std::numeric_limits<std::uint64_t>::max(); }) == "T6");
      CHECK(after([](tensor& t) { t.total_size -= 1; }) == "T7");
      CHECK(after([](tensor& t) { t.total_size = 0; }) == "T7");
      CHECK(after([](tensor& t) { t.alignment = 2; }) == "T8");
      CHECK(after([](tensor& t) { t.alignment = 24; }) == "T8");
      CHECK(after([](tensor& t) { t.flags = 2; }) == "T10");
      CHECK(after([](tensor& t) { t.flags = 0x8000'0001; }) == "T10");

      // Legal.
      CHECK(after([](tensor& t) { t.alignment = 256; }) == "legal");
      CHECK(after([](tensor& t) { t.total_size += 3; }) == "legal");
      // OWNED_BY_DML and strides of 0 are for inputs.
      const bool input = operator_traits<scatter_nd_desc>::operands[i].role == operand_role::input;
      if (legal.type == DML_OPERATOR_SCATTER_ND) {
        CHECK(after([](tensor& t) { t.flags = 1; }) == (input ? "legal" : "T10"));
        CHECK(after([](tensor& t) { t.strides = {0, 1}; }) == (input ? "legal" : "T9"));
      }
    }
  // At which level.
  plain_operator six =
      plain(nonzero_coordinates_desc{}, {desc_of(data_type::float32, {1, 1, 1, 1, 2, 3}),
                                         desc_of(data_type::uint32, {1}), desc_of(data_type::uint32, {6, 2})});
  CHECK(answer(six) == "legal");
  CHECK(rule(six, feature_level::level_3_1) == "T4");
  six.tensors[0].data_type = static_cast<std::uint32_t>(data_type::int64);
  CHECK(answer(six) ==
        "NONZERO_COORDINATES T3: InputTensor.DataType is INT64, wanted FLOAT32, FLOAT16, UINT32, UINT16, UINT8, INT32, "
        "INT16, INT8 (at feature level 6_4)");
}

TEST_CASE("directml rules: the operators' own") {
  using op = plain_operator;
  const auto argmin_after = [](auto change) { return rule_after(legal_argmin(), change); };
  CHECK(argmin_after([](op& o) { o.tensors[1].sizes = {{3}}, o.tensors[1].dimension_count = 1; }) == "A1");
  CHECK(argmin_after([](op& o) { o.tensors[1].sizes = {2, 1}; }) == "A2");
  CHECK(argmin_after([](op& o) { o.tensors[1].sizes = {3, 3}, o.tensors[1].total_size = 36; }) == "A3");
  CHECK(argmin_after([](op& o) { o.axes = {1, 2}, o.axis_count = 2; }) == "A4");
  CHECK(argmin_after([](op& o) { o.axes = {1, 1}, o.axis_count = 2; }) == "A5");
  CHECK(argmin_after([](op& o) { o.axes = std::vector<std::uint32_t>(8, 1), o.axis_count = 9; }) == "A5");
  CHECK(argmin_after([](op& o) { o.axes = std::vector<std::uint32_t>(8, 1), o.axis_count = top; }) == "A5");
  const auto whole_output = [](op& o) { o.tensors[1].sizes = {3, 3}, o.tensors[1].total_size = 36; };
  // AxisCount 0 is valid, with Axes null or not; a null Axes with a count is not.
  CHECK(argmin_after([&](op& o) { whole_output(o), o.axis_count = 0; }) == "legal");
  CHECK(argmin_after([&](op& o) { whole_output(o), o.axis_count = 0, o.axes = std::nullopt; }) == "legal");
  CHECK(argmin_after([&](op& o) { o.axis_count = 0; }) == "A2");
  CHECK(argmin_after([&](op& o) { whole_output(o), o.axes = std::nullopt; }) == "A6");
  for (const std::uint32_t direction : {2u, top})
    CHECK(argmin_after([&](op& o) { o.axis_direction = direction; }) == "A8");
  plain_operator null_axes = legal_argmin();
  null_axes.axes = std::nullopt;
  whole_output(null_axes);
  CHECK(answer(null_axes) == "ARGMIN A6: Axes is null, wanted a pointer (AxisCount is 1)");
  null_axes.axis_count = 0;
  CHECK(answer(null_axes) == "legal");
  CHECK(refusal_of([&] {
          std::vector<float> x(9);
          std::vector<std::uint32_t> y(9);
          on_reference(dml_operator(null_axes), {x}, {y}, {.empty_axes = empty_axes::refuse});
        }) == "A6");
  const plain_operator long_slice = plain(
      argmin_desc{.axes = {0}},
      {tensor_desc{.data_type = data_type::uint8, .sizes = {top}, .strides = {0}}, desc_of(data_type::int32, {1})});
  CHECK(rule(long_slice) == "A10");

  const auto nonzero_after = [](auto change) { return rule_after(legal_nonzero(), change); };
  CHECK(nonzero_after([](op& o) { o.tensors[1].sizes = {{2}}, o.tensors[1].total_size = 8; }) == "N1");
  CHECK(nonzero_after([](op& o) { o.tensors[2].sizes = {5, 2}; }) == "N3");
  CHECK(nonzero_after([](op& o) { o.tensors[2].sizes = {6, 1}; }) == "N4");
  CHECK(nonzero_after([](op& o) {
          o.tensors[2].sizes = {2, 6, 2}, o.tensors[2].dimension_count = 3, o.tensors[2].total_size = 96;
        }) == "N5");

  const auto scatter_after = [](auto change) { return rule_after(legal_scatter(), change); };
  CHECK(scatter_after([](op& o) { o.tensors[2].sizes = {1, 2, 3}, o.tensors[2].dimension_count = 3; }) == "S1");
  CHECK(scatter_after([](op& o) { o.tensors[2].data_type = 3; }) == "S2");
  CHECK(scatter_after([](op& o) { o.tensors[3].sizes = {3, 3}; }) == "S3");
  for (const std::uint32_t count : {0u, 3u, top}) {
    CHECK(scatter_after([&](op& o) { o.input_dimension_count = count; }) == "S4");
    CHECK(scatter_after([&](op& o) { o.indices_dimension_count = count; }) == "S4");
  }
  CHECK(scatter_after([](op& o) { o.input_dimension_count = 1; }) == "S5");
  CHECK(scatter_after([](op& o) { o.tensors[1].sizes = {2, 3}, o.tensors[1].total_size = 48; }) == "S6");
  CHECK(scatter_after([](op& o) { o.tensors[2].sizes = {1, 3}; }) == "S7");

  const auto diagonal_after = [](auto change) { return rule_after(legal_diagonal(), change); };
  CHECK(diagonal_after([](op& o) { o.tensors[0].data_type = 3; }) == "D1");
  CHECK(diagonal_after([](op& o) { o.tensors[0].sizes = {1, 2, 2}, o.tensors[0].dimension_count = 3; }) == "D2");
  CHECK(diagonal_after([](op& o) { o.tensors[0].sizes = {2, 1}; }) == "D3");
  for (const std::uint32_t type : {0u, 3u, 12u, top})
    CHECK(diagonal_after([&](op& o) { o.value_data_type = type; }) == "D5");
}

TEST_CASE("directml rules: for a tensor that cannot be read, only this is reported") {
  plain_operator op = legal_scatter();
  op.tensors[0].type = 0;
  CHECK(rules(op) == std::vector<std::string>{"T2"});
  op.tensors[1].has_desc = false;
  op.tensors[2].sizes = std::nullopt;
  op.tensors[3].dimension_count = 99;
  op.tensors[3].flags = 4;
  CHECK(rules(op) == std::vector<std::string>{"T2", "T1", "T1", "T4", "T10"});
  CHECK(answer(op) == "SCATTER_ND T2: InputTensor.Type is 0, wanted 1 (DML_TENSOR_TYPE_BUFFER)");

  // Of an array too, and its other tensors keep their violations.
  const std::array<UINT, 1> two{2}, four{4};
  const DML_BUFFER_TENSOR_DESC half{DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, two.data(), nullptr, 8, 3};
  const DML_BUFFER_TENSOR_DESC whole{
      DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, four.data(), nullptr, 16, 0};
  const std::array<DML_TENSOR_DESC, 2> inputs{
      {{DML_TENSOR_TYPE_BUFFER, &half}, {static_cast<DML_TENSOR_TYPE>(0), &half}}};
  const DML_TENSOR_DESC output{DML_TENSOR_TYPE_BUFFER, &whole};
  const DML_JOIN_OPERATOR_DESC join{2, inputs.data(), &output, 0};
  std::vector<std::string> found;
  for (const violation& v : directml::violations(DML_OPERATOR_DESC{DML_OPERATOR_JOIN, &join}))
    found.push_back(fmt::format("{} {}", v.rule, v.element.value_or(9)));
  CHECK(found == std::vector<std::string>{"T8 0", "T2 1"});
}
