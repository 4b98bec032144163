// SCATTER_ND, what it refuses whatever the data: S1..S7, S9, the T codes that restate S8 and S12, T1, T11, and the
// order in which broken rules are reported. T12: scatter_nd_memory.cpp. S10 and S11: scatter_nd_indices.cpp.
#include <cstddef>
#include <cstdint>
#include <string>

#include <goldml/operators/scatter_nd.hpp>
#include <goldml/reference/scatter_nd.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;

// Rows (pairs) of {2,3,4} in four dimensions. Legal; each test breaks it.
struct scatter {
  scatter_nd_desc desc{.input_dimension_count = 3, .indices_dimension_count = 2};
  tensor_desc input{.data_type = data_type::float32, .sizes = {1, 2, 3, 4}};
  tensor_desc indices{.data_type = data_type::uint32, .sizes = {1, 1, 2, 2}};
  tensor_desc updates{.data_type = data_type::float32, .sizes = {1, 1, 2, 4}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {1, 2, 3, 4}};

  // The same with r, q and the sizes of input and output, indices, updates.
  static scatter of(std::uint32_t r, std::uint32_t q, const dimensions& data, const dimensions& tuples,
                    const dimensions& slices) {
    scatter result;
    result.desc.input_dimension_count = r;
    result.desc.indices_dimension_count = q;
    result.input.sizes = result.output.sizes = data;
    result.indices.sizes = tuples;
    result.updates.sizes = slices;
    return result;
  }
};

std::string codes_of(const scatter& s) {
  return rules::codes_of(violations(s.desc, s.input, s.indices, s.updates, s.output));
}

// The first code; the call refuses with it.
std::string refused(const scatter& s) {
  const std::string codes = goldml_test::refused(
      512, s.desc, [&](const auto&... t) { scatter_nd(reference, t..., s.desc); }, s.input, s.indices, s.updates,
      s.output);
  return codes.substr(0, codes.find(' '));
}

violation first_of(const scatter& s) { return validate(s.desc, s.input, s.indices, s.updates, s.output).value(); }

}  // namespace

TEST_CASE("SCATTER_ND S1: DimensionCounts differ", "[scatter_nd]") {
  SECTION("of the indices") {
    scatter s;
    s.indices.sizes = {1, 2, 2};
    CHECK(refused(s) == "S1");
    const violation v = first_of(s);
    CHECK(v.operand == "IndicesTensor");
    CHECK(v.member == "DimensionCount");
    CHECK(v.got.view() == "3");
    CHECK(v.wanted.view() == "4");
  }
  SECTION("of the updates") {
    scatter s;
    s.updates.sizes = {2, 4};
    CHECK(refused(s) == "S1");
    CHECK(first_of(s).operand == "UpdatesTensor");
    CHECK(codes_of(s) == "S1");
  }
  SECTION("of the output") {
    scatter s;
    s.output.sizes = {1, 1, 2, 3, 4};
    CHECK(refused(s) == "S1");
    CHECK(first_of(s).operand == "OutputTensor");
    CHECK(codes_of(s) == "S1");
  }
  SECTION("as the page prints its example: 1, 2, 1 and 1 dimensions") {
    CHECK(refused(scatter::of(1, 2, {8}, {4, 1}, {4})) == "S1");
  }
}

TEST_CASE("SCATTER_ND S2: data types differ", "[scatter_nd]") {
  SECTION("of the updates") {
    scatter s;
    s.updates.data_type = data_type::int32;
    CHECK(refused(s) == "S2");
    const violation v = first_of(s);
    CHECK(v.operand == "UpdatesTensor");
    CHECK(v.member == "DataType");
    CHECK(v.got.view() == "INT32");
    CHECK(v.wanted.view() == "FLOAT32");
  }
  SECTION("of the output") {
    scatter s;
    s.output.data_type = data_type::uint32;
    CHECK(refused(s) == "S2");
    CHECK(first_of(s).operand == "OutputTensor");
  }
}

TEST_CASE("SCATTER_ND S4: InputDimensionCount or IndicesDimensionCount outside 1 to D", "[scatter_nd]") {
  for (const std::uint32_t count : {0u, 5u, 0xFFFF'FFFFu}) {
    scatter s;
    s.desc.input_dimension_count = count;
    CHECK(refused(s) == "S4");
    CHECK(first_of(s).member == "InputDimensionCount");
    CHECK(first_of(s).got.view() == std::to_string(count));
    CHECK(first_of(s).wanted.view() == "1 to 4");

    s = scatter{};
    s.desc.indices_dimension_count = count;
    CHECK(refused(s) == "S4");
    CHECK(first_of(s).member == "IndicesDimensionCount");
  }
}

TEST_CASE("SCATTER_ND S5: a leading size outside the meaningful ones is not 1", "[scatter_nd]") {
  SECTION("of the input") {
    const scatter s = scatter::of(2, 2, {1, 2, 3, 4}, {1, 1, 2, 2}, {1, 1, 1, 2});
    CHECK(refused(s) == "S5");
    const violation v = first_of(s);
    CHECK(v.operand == "InputTensor");
    CHECK(v.member == "Sizes");
    CHECK(v.index == std::size_t{1});
    CHECK(v.got.view() == "2");
    CHECK(v.wanted.view() == "1");
  }
  SECTION("of the indices") {
    const scatter s = scatter::of(3, 1, {1, 2, 3, 4}, {1, 3, 1, 2}, {1, 1, 1, 4});
    CHECK(refused(s) == "S5");
    CHECK(first_of(s).operand == "IndicesTensor");
    CHECK(first_of(s).index == std::size_t{1});
  }
  SECTION("the first size too") {
    CHECK(refused(scatter::of(3, 2, {2, 2, 3, 4}, {1, 1, 2, 2}, {1, 1, 2, 4})) == "S5");
    CHECK(refused(scatter::of(3, 3, {1, 2, 3, 4}, {2, 1, 1, 2}, {1, 1, 1, 4})) == "S5");
  }
}

TEST_CASE("SCATTER_ND S7: updates are not tuples ++ slice", "[scatter_nd]") {
  SECTION("a slice of another size, one tuple too few, transposed, or padded on the right") {
    for (const dimensions& sizes :
         {dimensions{1, 1, 2, 3}, dimensions{1, 1, 1, 4}, dimensions{1, 1, 4, 2}, dimensions{2, 4, 1, 1}}) {
      scatter s;
      s.updates.sizes = sizes;
      CHECK(refused(s) == "S7");
      CHECK(first_of(s).operand == "UpdatesTensor");
      CHECK(first_of(s).member == "Sizes");
      CHECK(first_of(s).wanted.view() == "{1,1,2,4}");
    }
  }
  SECTION("the page's own example: {6,7}, and not {5,6,7} as its formula has it (ledger 7.7)") {
    CHECK(codes_of(scatter::of(5, 3, {3, 4, 5, 6, 7}, {1, 1, 1, 2, 3}, {1, 1, 2, 6, 7})) == "");
    CHECK(refused(scatter::of(5, 3, {3, 4, 5, 6, 7}, {1, 1, 1, 2, 3}, {1, 2, 5, 6, 7})) == "S7");
    CHECK(refused(scatter::of(5, 3, {3, 4, 5, 6, 7}, {1, 1, 1, 2, 3}, {1, 2, 3, 6, 7})) == "S7");
  }
  SECTION("the message in a failing GPU test") {
    scatter s;
    s.updates.sizes = {1, 1, 2, 3};
    CHECK(to_string(first_of(s)) ==
          "SCATTER_ND S7: UpdatesTensor.Sizes is {1,1,2,3}, wanted {1,1,2,4} (tuples {2} ++ input slice {4})");
  }
}

TEST_CASE("SCATTER_ND S9: tuples ++ slice has more dimensions than the tensors", "[scatter_nd]") {
  // (q-1) + (r-k) = 2 + 2 of 3: no updates are legal, so S7 is not reported.
  const scatter s = scatter::of(3, 3, {5, 3, 4}, {2, 2, 1}, {2, 3, 4});
  CHECK(refused(s) == "S9");
  CHECK(codes_of(s) == "S9");
  CHECK(first_of(s).operand == "UpdatesTensor");
  CHECK(first_of(s).member == "DimensionCount");
  CHECK(first_of(s).got.view() == "3");
  CHECK(first_of(s).wanted.view() == "at least 4");
  // Tuples of two leave one dimension to the slice, which then fits exactly.
  CHECK(codes_of(scatter::of(3, 3, {5, 3, 4}, {2, 2, 2}, {2, 2, 4})) == "");
  CHECK(refused(scatter::of(8, 8, {2, 2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1})) ==
        "S9");
}

TEST_CASE("SCATTER_ND S8: an index type outside INT64, INT32, UINT64, UINT32 is T3", "[scatter_nd]") {
  for (const data_type type : {data_type::float32, data_type::float16, data_type::float64, data_type::int16,
                               data_type::int8, data_type::uint16, data_type::uint8, data_type::unknown}) {
    scatter s;
    s.indices.data_type = type;
    CHECK(refused(s) == "T3");
    CHECK(first_of(s).operand == "IndicesTensor");
  }
  for (const data_type type : {data_type::int64, data_type::int32, data_type::uint64, data_type::uint32}) {
    scatter s;
    s.indices.data_type = type;
    CHECK(codes_of(s) == "");
    s.desc.feature_level = feature_level::level_3_0;
    CHECK(codes_of(s) == "");
    s.desc.feature_level = feature_level::level_2_1;
    if (type == data_type::uint32)
      CHECK(codes_of(s) == "");
    else
      CHECK(refused(s) == "T3");
  }
}

TEST_CASE("SCATTER_ND T1: a tensor is missing", "[scatter_nd]") {
  const scatter s;
  CHECK(rule_of(validate(s.desc, const_tensor_ref{}, s.indices, s.updates, s.output)) == "T1");
  CHECK(rule_of(validate(s.desc, s.input, const_tensor_ref{}, s.updates, s.output)) == "T1");
  CHECK(rule_of(validate(s.desc, s.input, s.indices, const_tensor_ref{}, s.output)) == "T1");
  CHECK(rule_of(validate(s.desc, s.input, s.indices, s.updates, tensor_ref{})) == "T1");
  CHECK(validate(s.desc, s.input, s.indices, s.updates, tensor_ref{}).value().operand == "OutputTensor");
}
