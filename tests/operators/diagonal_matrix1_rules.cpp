// Violations of DIAGONAL_MATRIX1: D1, D2, D3, D5, the T codes that restate D4 and D6, T1, T12, and their order.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/reference/diagonal_matrix1.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;

// {2,3,4} with an input. Valid; each test changes it.
struct fill {
  diagonal_matrix1_desc desc{.value = 7.0f, .diagonal_fill_begin = 0, .diagonal_fill_end = 1};
  tensor_desc input{.data_type = data_type::float32, .sizes = {2, 3, 4}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {2, 3, 4}};
};

std::string codes_of(const fill& f) { return rules::codes_of(violations(f.desc, f.input, f.output)); }

violation first_of(const fill& f) { return validate(f.desc, f.input, f.output).value(); }

// The first code; the call refuses with it.
std::string refused(const fill& f) {
  const std::string codes = goldml_test::refused(
      512, f.desc, [&](const auto&... t) { diagonal_matrix1(reference, t..., f.desc); }, f.input, f.output);
  return codes.substr(0, codes.find(' '));
}

// The same without input.
std::string refused_without_input(const fill& f) {
  const std::string codes = goldml_test::refused(
      512, f.desc, [&](const auto&... t) { diagonal_matrix1(reference, t..., f.desc); }, f.output);
  return codes.substr(0, codes.find(' '));
}

}  // namespace

TEST_CASE("DIAGONAL_MATRIX1: a valid desc violates no rule, for all bounds", "[diagonal_matrix1]") {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  fill f;
  for (const std::int32_t begin : {least, -1, 0, 1, most})
    for (const std::int32_t end : {least, -1, 0, 1, most}) {
      f.desc.diagonal_fill_begin = begin;
      f.desc.diagonal_fill_end = end;
      CHECK(codes_of(f) == "");
      CHECK(rule_of(validate(f.desc, f.output)) == "none");
    }
}

TEST_CASE("DIAGONAL_MATRIX1 D3: the input has other sizes", "[diagonal_matrix1]") {
  for (const dimensions& sizes : {dimensions{1, 3, 4}, dimensions{2, 4, 3}, dimensions{2, 3, 5}}) {
    fill f;
    f.input.sizes = sizes;
    CHECK(refused(f) == "D3");
    CHECK(first_of(f).operand == "InputTensor");
    CHECK(first_of(f).member == "Sizes");
    CHECK(first_of(f).wanted.view() == "{2,3,4}");
  }
}

TEST_CASE("DIAGONAL_MATRIX1 D5: the Value has another data type; the message says what to write",
          "[diagonal_matrix1]") {
  fill f;
  f.desc.value = 7;  // an int instead of 7.0f
  CHECK(refused(f) == "D5");
  CHECK(refused_without_input(f) == "D5");
  CHECK(to_string(first_of(f)) ==
        "DIAGONAL_MATRIX1 D5: ValueDataType is INT32 7, wanted FLOAT32 (the output's; write .value = 1.0f)");

  const std::array<std::pair<data_type, std::string_view>, 11> wanted{{
      {data_type::float32, ".value = 1.0f"},
      {data_type::float16, ".value = goldml::float16(1)"},
      {data_type::float64, ".value = 1.0"},
      {data_type::int8, ".value = std::int8_t{1}"},
      {data_type::uint8, ".value = std::uint8_t{1}"},
      {data_type::int16, ".value = std::int16_t{1}"},
      {data_type::uint16, ".value = std::uint16_t{1}"},
      {data_type::int32, ".value = 1"},
      {data_type::uint32, ".value = 1u"},
      {data_type::int64, ".value = std::int64_t{1}"},
      {data_type::uint64, ".value = std::uint64_t{1}"},
  }};
  // The suggested code has the right type.
  const std::array<scalar, 11> written{1.0f,
                                       goldml::float16(1),
                                       1.0,
                                       std::int8_t{1},
                                       std::uint8_t{1},
                                       std::int16_t{1},
                                       std::uint16_t{1},
                                       1,
                                       1u,
                                       std::int64_t{1},
                                       std::uint64_t{1}};
  for (std::size_t i = 0; i < wanted.size(); ++i)
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      f.output.data_type = f.input.data_type = wanted[i].first;
      f.desc.value = written[j];
      if (i == j) {
        CHECK(codes_of(f) == "");
        continue;
      }
      CHECK(refused(f) == "D5");
      CHECK(first_of(f).member == "ValueDataType");
      CHECK(first_of(f).wanted.view() == name_of(wanted[i].first));
      CHECK(first_of(f).why.view() == std::string("the output's; write ") + std::string(wanted[i].second));
    }

  // A Value of a type that no tensor can have.
  f = fill{};
  f.desc.value = scalar::from_bytes(data_type::unknown, {});
  CHECK(refused(f) == "D5");
  // An omitted Value is zero of the output's type, for all types.
  f.desc.value = scalar{};
  for (const auto& [type, text] : wanted) {
    f.output.data_type = f.input.data_type = type;
    CHECK(codes_of(f) == "");
  }
}

TEST_CASE("DIAGONAL_MATRIX1 T1: the output is missing; the input is optional", "[diagonal_matrix1]") {
  const fill f;
  CHECK(rule_of(validate(f.desc, f.input, tensor_ref{})) == "T1");
  CHECK(validate(f.desc, f.input, tensor_ref{}).value().operand == "OutputTensor");
  CHECK(rule_of(validate(f.desc, const_tensor_ref{}, f.output)) == "none");
  CHECK(rule_of(validate(f.desc, f.output)) == "none");
  CHECK(rule_of(validate(f.desc, tensor_ref{})) == "T1");
}

TEST_CASE("DIAGONAL_MATRIX1: T codes first, its own by number, T12 last", "[diagonal_matrix1]") {
  fill f;
  f.input.sizes = {2, 4, 3};
  f.input.data_type = data_type::int8;
  f.output.strides = {0, 4, 1};
  f.desc.value = 7;
  CHECK(refused(f) == "T9");
  CHECK(codes_of(f) == "T9");  // all of its rules use the output
  f.input.sizes = {0, 3, 4};
  CHECK(refused(f) == "T5");
  f.output.strides = {};
  f.input.sizes = {3, 4};
  CHECK(codes_of(f) == "D1 D2 D5");

  std::vector<float> both(24, 9.0f);
  const tensor_view view{both, {2, 3, 4}};
  CHECK(refusal_of([&] { diagonal_matrix1(reference, view, view, f.desc); }) == "D5");
  CHECK(both == std::vector<float>(24, 9.0f));
}

TEST_CASE("DIAGONAL_MATRIX1 T12: the output overlaps the input; in_place allows only the same tensor",
          "[diagonal_matrix1]") {
  fill f;
  diagonal_matrix1_desc in_place = f.desc;
  in_place.in_place = true;
  std::vector<float> memory{0, 1, 2, 3, 4, 5, 6, 7};
  const auto before = memory;
  float* const data = memory.data();
  const auto refusal = [&](const tensor_view<float>& input, const tensor_view<float>& output, const auto& desc) {
    return refusal_of([&] { diagonal_matrix1(reference, input, output, desc); });
  };
  CHECK(refusal({data, {2, 2}}, {data, {2, 2}}, f.desc) == "T12");
  CHECK(refusal({data, {2, 2}}, {data + 1, {2, 2}}, f.desc) == "T12");
  CHECK(refusal({data, {2, 2}}, {data + 1, {2, 2}}, in_place) == "T12");
  CHECK(refusal({data, {2, 2}}, {data, {2, 2}, {1, 2}}, in_place) == "T12");
  CHECK(refusal({data, {2, 2}, {0, 1}}, {data, {2, 2}}, in_place) == "T12");
  CHECK(memory == before);
  CHECK(refusal({data, {2, 2}}, {data + 4, {2, 2}}, f.desc) == "none");
  CHECK(memory == std::vector<float>{0, 1, 2, 3, 7, 1, 2, 7});

  std::vector<float> too_short(3, 9.0f);
  CHECK(refusal({data, {2, 2}}, {too_short, {2, 2}}, f.desc) == "T12");
  CHECK(too_short == std::vector<float>(3, 9.0f));
}
