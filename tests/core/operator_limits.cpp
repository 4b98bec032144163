// T3, T4 and T11 against the tables of the operators' pages, exhaustively: each operand of each operator, at each
// feature level, with each data type and each number of dimensions from none to nine.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/operators.hpp>

#include "../catch.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;
using rules::missing_from;
using level = goldml::feature_level;
using words = std::vector<std::string_view>;

// The sets of the tables, written down by hand.
const words a8{"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"};
const words a10{"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8", "INT64", "UINT64"};
const words a11{"FLOAT32", "FLOAT16", "INT32",   "INT16", "INT8",  "UINT32",
                "UINT16",  "UINT8",   "FLOAT64", "INT64", "UINT64"};
const words ix{"INT64", "INT32", "UINT64", "UINT32"};
const words u32{"UINT32"};
const words f{"FLOAT32", "FLOAT16"};

constexpr std::array<level, 15> all_levels{level::level_1_0, level::level_2_0, level::level_2_1, level::level_3_0,
                                           level::level_3_1, level::level_4_0, level::level_4_1, level::level_5_0,
                                           level::level_5_1, level::level_5_2, level::level_6_0, level::level_6_1,
                                           level::level_6_2, level::level_6_3, level::level_6_4};

// What an operand may be at levels first..last.
struct row {
  level first;
  level last;
  const words& types;
  std::size_t fewest;
  std::size_t most;
};
using table = std::vector<row>;

const table argmin_input{{level::level_3_0, level::level_4_0, a8, 1, 8},
                         {level::level_4_1, level::level_6_4, a10, 1, 8}};
const table argmin_output{{level::level_3_0, level::level_6_4, ix, 1, 8}};
const table nonzero_input{{level::level_3_0, level::level_3_1, a8, 4, 5},
                          {level::level_4_0, level::level_6_4, a8, 1, 8}};
const table nonzero_count{{level::level_3_0, level::level_3_1, u32, 4, 5},
                          {level::level_4_0, level::level_6_4, u32, 1, 8}};
const table nonzero_coordinates_table{{level::level_3_0, level::level_3_1, u32, 4, 5},
                                      {level::level_4_0, level::level_6_4, u32, 2, 8}};
const table scatter_data{{level::level_2_1, level::level_2_1, a8, 4, 4},
                         {level::level_3_0, level::level_4_0, a8, 1, 8},
                         {level::level_4_1, level::level_6_4, a11, 1, 8}};
const table scatter_indices{{level::level_2_1, level::level_2_1, u32, 4, 4},
                            {level::level_3_0, level::level_6_4, ix, 1, 8}};
const table diagonal{{level::level_5_1, level::level_6_4, a11, 2, 4}};
const table argmax_input{{level::level_3_0, level::level_4_0, a8, 1, 8},
                         {level::level_4_1, level::level_6_4, a10, 1, 8}};
const table argmax_output{{level::level_3_0, level::level_6_4, ix, 1, 8}};
const table diagonal_matrix_table{{level::level_2_0, level::level_2_0, f, 4, 4},
                                  {level::level_2_1, level::level_3_1, a8, 4, 4},
                                  {level::level_4_0, level::level_5_0, a8, 2, 4},
                                  {level::level_5_1, level::level_6_4, a11, 2, 4}};
const table fill_table{{level::level_2_1, level::level_3_1, a8, 4, 4},
                       {level::level_4_0, level::level_4_0, a8, 1, 8},
                       {level::level_4_1, level::level_6_4, a11, 1, 8}};
const table slice_table{{level::level_2_1, level::level_2_1, a8, 4, 5},
                        {level::level_3_0, level::level_4_0, a8, 1, 8},
                        {level::level_4_1, level::level_6_4, a11, 1, 8}};

const row* row_at(const table& t, level l) {
  for (const row& r : t)
    if (r.first <= l && l <= r.last) return &r;
  return nullptr;
}

// The names by DirectML's numbers, then numbers that are not data types.
constexpr std::array<std::string_view, 14> type_names{"UNKNOWN", "FLOAT32", "FLOAT16", "UINT32", "UINT16",
                                                      "UINT8",   "INT32",   "INT16",   "INT8",   "FLOAT64",
                                                      "UINT64",  "INT64",   "UINT4",   "INT4"};
constexpr std::array<std::uint32_t, 5> strange_types{14, 32, 33, 43, 0xFFFF'FFFF};

template <class Desc>
Desc at_level(level l) {
  Desc desc;
  desc.feature_level = l;
  return desc;
}

// Each operand of an operator with several takes UINT32 and some number of dimensions at each level that it has: the
// others are legal so.
tensor_desc legal(const table& t, level l) {
  const row* r = row_at(t, l);
  return {.data_type = data_type::uint32, .sizes = dimensions::filled(r != nullptr ? r->fewest : 4, 1)};
}

// The T codes among all violations, each with its operand. All sizes are 1, so that nothing else is wrong with a
// tensor.
std::string t_codes(const std::vector<violation>& all) {
  std::string codes;
  for (const violation& v : all)
    if (v.rule.starts_with("T")) codes += std::string(v.rule) + " " + std::string(v.operand) + "; ";
  return codes;
}

template <class Desc, std::size_t N>
std::string t_codes_with(const Desc& desc, const std::array<tensor_desc, N>& t) {
  if constexpr (N == 1) return t_codes(violations(desc, t[0]));
  if constexpr (N == 2) return t_codes(violations(desc, t[0], t[1]));
  if constexpr (N == 3) return t_codes(violations(desc, t[0], t[1], t[2]));
  if constexpr (N == 4) return t_codes(violations(desc, t[0], t[1], t[2], t[3]));
}

template <class Desc, std::size_t N>
void check_tables(const std::array<std::string_view, N>& names, const std::array<const table*, N>& tables) {
  std::size_t combinations = 0;
  for (std::size_t operand = 0; operand < N; ++operand)
    for (const level l : all_levels) {
      const row* r = row_at(*tables[operand], l);
      std::array<tensor_desc, N> tensors;
      for (std::size_t i = 0; i < N; ++i) tensors[i] = legal(*tables[i], l);
      for (std::size_t t = 0; t < type_names.size() + strange_types.size(); ++t)
        for (std::size_t count = 0; count <= 9; ++count) {
          const bool named = t < type_names.size();
          const auto value = named ? static_cast<std::uint32_t>(t) : strange_types[t - type_names.size()];
          tensors[operand].data_type = static_cast<data_type>(value);
          tensors[operand].sizes = dimensions(std::vector<int>(count, 1));

          std::string wanted;
          if (r == nullptr) {
            wanted = "T11 ; ";
          } else {
            const bool type_legal = named && std::count(r->types.begin(), r->types.end(), type_names[t]) == 1;
            if (!type_legal) wanted += "T3 " + std::string(names[operand]) + "; ";
            if (count < r->fewest || count > r->most) wanted += "T4 " + std::string(names[operand]) + "; ";
          }
          const std::string got = t_codes_with(at_level<Desc>(l), tensors);
          if (got != wanted)
            FAIL_CHECK(names[operand] << " at level " << name_of(l) << ", type " << value << ", " << count
                                      << " dimensions: " << got << "wanted: " << wanted);
          ++combinations;
        }
    }
  CHECK(combinations == N * 15 * 19 * 10);
}

}  // namespace

TEST_CASE("T3 T4 T11: ARGMIN's table", "[operator_limits]") {
  check_tables<argmin_desc, 2>({"InputTensor", "OutputTensor"}, {&argmin_input, &argmin_output});
}

TEST_CASE("T3 T4 T11: NONZERO_COORDINATES' table", "[operator_limits]") {
  check_tables<nonzero_coordinates_desc, 3>({"InputTensor", "OutputCountTensor", "OutputCoordinatesTensor"},
                                            {&nonzero_input, &nonzero_count, &nonzero_coordinates_table});
}

TEST_CASE("T3 T4 T11: SCATTER_ND's table", "[operator_limits]") {
  check_tables<scatter_nd_desc, 4>({"InputTensor", "IndicesTensor", "UpdatesTensor", "OutputTensor"},
                                   {&scatter_data, &scatter_indices, &scatter_data, &scatter_data});
}

TEST_CASE("T3 T4 T11: DIAGONAL_MATRIX1's table", "[operator_limits]") {
  check_tables<diagonal_matrix1_desc, 2>({"InputTensor", "OutputTensor"}, {&diagonal, &diagonal});
}

TEST_CASE("T3 T4 T11: ARGMAX's table", "[operator_limits]") {
  check_tables<argmax_desc, 2>({"InputTensor", "OutputTensor"}, {&argmax_input, &argmax_output});
}

TEST_CASE("T3 T4 T11: DIAGONAL_MATRIX's table", "[operator_limits]") {
  check_tables<diagonal_matrix_desc, 1>({"OutputTensor"}, {&diagonal_matrix_table});
}

TEST_CASE("T3 T4 T11: FILL_VALUE_CONSTANT's table", "[operator_limits]") {
  check_tables<fill_value_constant_desc, 1>({"OutputTensor"}, {&fill_table});
}

TEST_CASE("T3 T4 T11: SLICE1's table", "[operator_limits]") {
  check_tables<slice1_desc, 2>({"InputTensor", "OutputTensor"}, {&slice_table, &slice_table});
}

TEST_CASE("T3 T4 T11: every operator of the list has its table here", "[operator_limits]") {
  std::size_t count = 0;
  for_each_operator(all_operators{}, [&](auto) { ++count; });
  CHECK(count == 8);
}

TEST_CASE("T3: the message gives the type, the allowed types and the level", "[operator_limits]") {
  const tensor_desc input{.data_type = data_type::float64, .sizes = {3, 4}};
  const auto v = validate(argmin_desc{.axes = {1}, .feature_level = level::level_3_0}, input, rules::uint_3_1);
  REQUIRE(rule_of(v) == "T3");
  CHECK(missing_from(*v, {"ARGMIN T3: InputTensor.DataType is FLOAT64", "FLOAT32", "FLOAT16", "INT32", "INT16", "INT8",
                          "UINT32", "UINT16", "UINT8", "level 3_0"}) == "");
  CHECK(to_string(*v).find("INT64") == std::string::npos);
  // The types of the largest set fit into the text.
  const tensor_desc unknown{.data_type = data_type::unknown, .sizes = {3, 4}};
  const auto widest = validate(diagonal_matrix1_desc{}, unknown);
  REQUIRE(widest);
  CHECK(missing_from(*widest, {"UNKNOWN", "FLOAT64", "UINT64", "INT64", "level 6_4"}) == "");
}

TEST_CASE("T4: the message gives the number of dimensions and the allowed numbers", "[operator_limits]") {
  const tensor_desc five{.data_type = data_type::float32, .sizes = {1, 1, 1, 1, 1}};
  const auto range = validate(diagonal_matrix1_desc{}, five);
  REQUIRE(rule_of(range) == "T4");
  CHECK(missing_from(*range, {"OutputTensor.DimensionCount is 5", "wanted 2 to 4", "level 6_4"}) == "");

  const tensor_desc index{.data_type = data_type::uint32, .sizes = {1, 1, 1, 1}};
  const auto exactly = validate(at_level<scatter_nd_desc>(level::level_2_1), five, index, index, index);
  REQUIRE(rule_of(exactly) == "T4");
  CHECK(missing_from(*exactly, {"InputTensor.DimensionCount is 5", "wanted 4 (", "level 2_1"}) == "");

  const tensor_desc nine{.data_type = data_type::float32, .sizes = dimensions(std::vector<int>(9, 1))};
  const auto overlong = validate(argmin_desc{.axes = {0}}, nine, index);
  REQUIRE(rule_of(overlong) == "T4");
  CHECK(missing_from(*overlong, {"InputTensor.DimensionCount is more than 8", "wanted 1 to 8"}) == "");
}

TEST_CASE("T4: as many strides as sizes", "[operator_limits]") {
  const auto rule = [](const dimensions& strides) {
    const tensor_desc input{.data_type = data_type::float32, .sizes = {3, 4}, .strides = strides};
    return rule_of(validate(argmin_desc{.axes = {1}}, input, rules::uint_3_1));
  };
  CHECK(rule({}) == "none");  // packed
  CHECK(rule({4, 1}) == "none");
  CHECK(rule({1}) == "T4");
  CHECK(rule({12, 4, 1}) == "T4");
  CHECK(rule(dimensions(std::vector<int>(9, 1))) == "T4");
  const tensor_desc eight{.data_type = data_type::float32,
                          .sizes = dimensions::filled(8, 1),
                          .strides = dimensions(std::vector<int>(9, 1))};
  const tensor_desc output{.data_type = data_type::uint32, .sizes = dimensions::filled(8, 1)};
  const auto v = validate(argmin_desc{.axes = {1}}, eight, output);
  REQUIRE(rule_of(v) == "T4");
  CHECK(missing_from(*v, {"InputTensor.Strides is {1,1,1,1,1,1,1,1,...}", "as many", "{1,1,1,1,1,1,1,1}"}) == "");
}

TEST_CASE("T11: the message gives the level and the first level of the operator", "[operator_limits]") {
  const tensor_desc one{.data_type = data_type::uint32, .sizes = {1, 1}};
  const auto v = validate(at_level<diagonal_matrix1_desc>(level::level_5_0), one);
  REQUIRE(rule_of(v) == "T11");
  CHECK(missing_from(*v, {"DIAGONAL_MATRIX1 T11: feature level is 5_0", "at least 5_1"}) == "");
  CHECK(rule_of(validate(at_level<argmin_desc>(level::level_2_1), one, one)) == "T11");
  CHECK(rule_of(validate(at_level<nonzero_coordinates_desc>(level::level_2_1), one, one, one)) == "T11");
  CHECK(rule_of(validate(at_level<scatter_nd_desc>(level::level_2_0), one, one, one, one)) == "T11");
  CHECK(rule_of(validate(at_level<argmax_desc>(level::level_2_1), one, one)) == "T11");
  CHECK(rule_of(validate(at_level<diagonal_matrix_desc>(level::level_1_0), one)) == "T11");
  CHECK(rule_of(validate(at_level<fill_value_constant_desc>(level::level_2_0), one)) == "T11");
  CHECK(rule_of(validate(at_level<slice1_desc>(level::level_2_0), one, one)) == "T11");
}
