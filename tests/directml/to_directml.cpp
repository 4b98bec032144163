// Conversion of goldml's descs to DirectML's structures: member by member for one desc of each operator; and for
// generated valid and illegal cases, that the conversion back gives the same desc and the same violation.
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/directml/from_directml.hpp>
#include <goldml/directml/to_directml.hpp>
#include <goldml/oracle/generate_illegal.hpp>

#include "catch.hpp"
#include "support/every_operator.hpp"
#include "support/refusals.hpp"

using namespace goldml;
using directml::any_operator_structure;
using directml::operator_structure;
using directml::tensor_descs;

namespace {

const DML_BUFFER_TENSOR_DESC& buffer_of(const DML_TENSOR_DESC* tensor) {
  REQUIRE(tensor != nullptr);
  REQUIRE(tensor->Type == DML_TENSOR_TYPE_BUFFER);
  return *static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor->Desc);
}

// The desc with default policies.
any_desc with_usual_policies(any_desc desc) {
  const any_desc usual(desc.description());
  for (const attribute& policy : desc.description().policies)
    if (policy.kind == attribute_kind::boolean)
      std::memcpy(policy.address(desc.get()), policy.address(usual.get()), sizeof(bool));
    else
      store_enumerator(policy.address(desc.get()), load_enumerator(policy.address(usual.get())));
  return desc;
}

std::string text_of(const any_desc& desc) { return to_string(oracle::test_case<any_desc>{desc, {}}); }

}  // namespace

TEST_CASE("directml: ARGMIN's structure; omitted strides are null") {
  const tensor_desc input{.data_type = data_type::float16, .sizes = {2, 3}};
  const tensor_desc output{.data_type = data_type::int64,
                           .sizes = {2, 1},
                           .strides = {3, 1},
                           .total_tensor_size_in_bytes = 50,
                           .guaranteed_base_offset_alignment = 32};
  const operator_structure<argmin_desc> structure({.axes = {1}, .axis_direction = axis_direction::decreasing},
                                                  {input, output});
  const DML_OPERATOR_DESC& op = structure.get();
  REQUIRE(op.Type == DML_OPERATOR_ARGMIN);
  const auto& c = *static_cast<const DML_ARGMIN_OPERATOR_DESC*>(op.Desc);
  CHECK(c.AxisCount == 1);
  CHECK(c.Axes[0] == 1);
  CHECK(c.AxisDirection == DML_AXIS_DIRECTION_DECREASING);
  const DML_BUFFER_TENSOR_DESC& in = buffer_of(c.InputTensor);
  CHECK(in.DataType == DML_TENSOR_DATA_TYPE_FLOAT16);
  CHECK(in.Flags == DML_TENSOR_FLAG_NONE);
  CHECK(in.DimensionCount == 2);
  CHECK(in.Sizes[1] == 3);
  CHECK(in.Strides == nullptr);
  CHECK(in.TotalTensorSizeInBytes == 12);
  CHECK(in.GuaranteedBaseOffsetAlignment == 0);
  const DML_BUFFER_TENSOR_DESC& out = buffer_of(c.OutputTensor);
  CHECK(out.Strides[0] == 3);
  CHECK(out.TotalTensorSizeInBytes == 50);
  CHECK(out.GuaranteedBaseOffsetAlignment == 32);
}

// Examples with the values of DMLCalcBufferTensorSize.
TEST_CASE("directml: an omitted TotalTensorSizeInBytes is that of DMLCalcBufferTensorSize") {
  const auto size = [](data_type type, dimensions sizes, dimensions strides) {
    const tensor_desc t{.data_type = type, .sizes = sizes, .strides = strides};
    const operator_structure<diagonal_matrix1_desc> structure({}, {t, t});
    return buffer_of(static_cast<const DML_DIAGONAL_MATRIX1_OPERATOR_DESC*>(structure.get().Desc)->InputTensor)
        .TotalTensorSizeInBytes;
  };
  CHECK(size(data_type::float32, {4, 5}, {}) == 80);
  CHECK(size(data_type::float16, {3}, {}) == 8);
  CHECK(size(data_type::uint8, {1}, {}) == 4);
  CHECK(size(data_type::int8, {2, 3}, {5, 1}) == 12 - 4);
  CHECK(size(data_type::float32, {2, 3}, {0, 1}) == 12);
  CHECK(size(data_type::float32, {2, 3}, {5, 1}) == 32);
  CHECK(size(data_type::uint64, {1, 1, 1}, {}) == 8);
}

TEST_CASE("directml: an omitted optional tensor is null, an omitted value is zero of the output's type") {
  const tensor_desc output{.data_type = data_type::float16, .sizes = {2, 2}};
  const operator_structure<diagonal_matrix1_desc> nothing({.diagonal_fill_begin = -2}, {std::nullopt, output});
  const auto& a = *static_cast<const DML_DIAGONAL_MATRIX1_OPERATOR_DESC*>(nothing.get().Desc);
  CHECK(a.InputTensor == nullptr);
  CHECK(a.ValueDataType == DML_TENSOR_DATA_TYPE_FLOAT16);
  CHECK(a.Value.UInt64 == 0);
  CHECK(a.DiagonalFillBegin == -2);
  const operator_structure<diagonal_matrix1_desc> one({.value = float16(1), .diagonal_fill_end = 7}, {output, output});
  const auto& b = *static_cast<const DML_DIAGONAL_MATRIX1_OPERATOR_DESC*>(one.get().Desc);
  CHECK(b.InputTensor != nullptr);
  CHECK(b.Value.UInt64 == 0x3C00);
  CHECK(b.DiagonalFillEnd == 7);
}

TEST_CASE("directml: SCATTER_ND's and NONZERO_COORDINATES' structures") {
  const tensor_desc t{.data_type = data_type::uint32, .sizes = {4}}, u{.data_type = data_type::uint32, .sizes = {5}};
  const operator_structure<scatter_nd_desc> scatter({.input_dimension_count = 3, .indices_dimension_count = 2},
                                                    {t, u, t, u});
  const auto& s = *static_cast<const DML_SCATTER_ND_OPERATOR_DESC*>(scatter.get().Desc);
  CHECK(buffer_of(s.IndicesTensor).Sizes[0] == 5);
  CHECK(buffer_of(s.UpdatesTensor).Sizes[0] == 4);
  CHECK(buffer_of(s.OutputTensor).Sizes[0] == 5);
  CHECK(s.InputDimensionCount == 3);
  CHECK(s.IndicesDimensionCount == 2);
  const operator_structure<nonzero_coordinates_desc> nonzero({}, {t, std::nullopt, u});
  const auto& n = *static_cast<const DML_NONZERO_COORDINATES_OPERATOR_DESC*>(nonzero.get().Desc);
  CHECK(n.OutputCountTensor == nullptr);
  CHECK(buffer_of(n.OutputCoordinatesTensor).Sizes[0] == 5);
}

TEST_CASE("directml: descs with different numbers of strides and sizes cannot be converted") {
  const tensor_desc odd{.data_type = data_type::uint32, .sizes = {4}, .strides = {4, 1}};
  CHECK_THROWS_AS((operator_structure<argmin_desc>({}, {odd, odd})), std::invalid_argument);
}

TEST_CASE("directml: an operator of someone else has no structure") {
  operator_description other = description_of<argmin_desc>();
  CHECK(directml::structure_of(description_of<argmin_desc>()).enumerator == DML_OPERATOR_ARGMIN);
  CHECK_THROWS_AS(directml::structure_of(other), std::invalid_argument);  // with ARGMIN's number
  other.enumerator = 100'000;
  CHECK_THROWS_AS(directml::structure_of(other), std::invalid_argument);
}

TEST_CASE("directml: the conversion back gives the same valid desc") {
  const std::uint64_t count = goldml_test::share_of_each(16'000);
  std::uint64_t converted = 0;
  for (const oracle::any_operator* op : goldml_test::visited_operators())
    for (std::uint64_t number = 0; number < count; ++number) {
      oracle::test_case<any_desc> c = oracle::sample_case(*op, {.seed = 21}, number);
      CAPTURE(to_string(c));
      const any_operator_structure structure(c.desc, c.tensors);
      REQUIRE_FALSE(directml::validate(structure.get()));
      const directml::structure_description& description = directml::structure_of(*op->description);
      REQUIRE(structure.get().Type == description.enumerator);
      const void* const from = structure.get().Desc;
      oracle::test_case<any_desc> read = c;
      read.desc = any_desc(*op->description);
      directml::detail::read_desc(description, from, {}, read.desc.get());
      std::vector<operand> operands(directml::detail::tensor_count(description, from));
      directml::detail::read_operands(description, from, operands);
      read.tensors.clear();
      for (const operand& t : operands) read.tensors.push_back(t.desc);
      for (auto& tensor : c.tensors)
        if (tensor) tensor->total_tensor_size_in_bytes = total_tensor_size_in_bytes(*tensor);
      for (const attribute& row : op->attributes())
        if (row.kind == attribute_kind::scalar)
          if (auto& value = *static_cast<scalar*>(row.address(c.desc.get())); !value.type())
            value = scalar::from_bits(c.tensors.back()->data_type, 0);
      REQUIRE(to_string(read) == to_string(c));
      ++converted;
    }
  CHECK(converted == count * goldml_test::visited_operators().size());
}

TEST_CASE("directml: an illegal desc becomes a structure that violates the same rule") {
  const std::uint64_t count = goldml_test::share_of_each(8000);
  std::uint64_t converted = 0, by_policy = 0;
  for (const oracle::any_operator* op : goldml_test::visited_operators())
    for (std::uint64_t number = 0; number < count; ++number) {
      const auto illegal = oracle::sample_illegal_case(*op, {.seed = 22}, number);
      CAPTURE(to_string(illegal.text));
      ++converted;
      if (illegal.rule == "FS1") {  // a structure has one data type for both values
        CHECK_THROWS_AS(any_operator_structure(illegal.text.desc, illegal.text.tensors), std::invalid_argument);
        continue;
      }
      const any_operator_structure structure(illegal.text.desc, illegal.text.tensors);
      const std::string rule = rule_of(directml::validate(structure.get(), illegal.text.desc.level()));
      // A structure has no policies: what only a policy refuses is valid in it.
      const any_desc usual = with_usual_policies(illegal.text.desc);
      if (text_of(usual) == text_of(illegal.text.desc)) {
        CHECK(rule == illegal.rule);
        continue;
      }
      ++by_policy;
      auto operands = to_operands(illegal.text.tensors);
      violation_sink sink;
      check(usual, operands, sink);
      CHECK(rule == (sink.first() ? illegal.rule : "none"));
    }
  CHECK(converted == count * goldml_test::visited_operators().size());
  if (goldml_test::visits_every_operator()) CHECK(by_policy > 0);
}
