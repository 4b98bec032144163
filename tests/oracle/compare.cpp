// oracle/compare.hpp: distances, equality, and outputs that cannot be compared.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <goldml/goldml.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/tally.hpp>

#include "../catch.hpp"
#include "golden.hpp"

using namespace goldml;
using oracle::compare_options;
using oracle::float_match;
using oracle::matches;
using oracle::ulp_distance;

namespace {

float f32(std::uint32_t bits) { return std::bit_cast<float>(bits); }
double f64(std::uint64_t bits) { return std::bit_cast<double>(bits); }
float16 f16(std::uint16_t bits) { return std::bit_cast<float16>(bits); }

constexpr compare_options exactly = compare_options::strict();
compare_options within_ulp(std::uint64_t ulp) {
  return {.floats = float_match::ulp, .nans = oracle::nan_match::same_bits, .ulp = ulp};
}
compare_options within(double absolute, double relative) {
  return {.floats = float_match::tolerance,
          .nans = oracle::nan_match::same_bits,
          .absolute = absolute,
          .relative = relative};
}

oracle::comparison judge(const oracle::golden& golden, const std::vector<const_tensor_ref>& actual,
                         const compare_options& options = {}) {
  return oracle::compare(golden, actual, options).result;
}

}  // namespace

TEST_CASE("compare: distances in ULP", "[oracle]") {
  CHECK(ulp_distance(1.0F, f32(0x3F80'0001)) == 1U);
  CHECK(ulp_distance(f32(0x3F80'0001), 1.0F) == 1U);
  CHECK(ulp_distance(1.0F, 2.0F) == 0x0080'0000U);
  CHECK(ulp_distance(-0.0F, 0.0F) == 0U);
  CHECK(ulp_distance(f32(0x8000'0001), f32(0x0000'0001)) ==
        2U);  // the largest negative number and the smallest positive one
  CHECK(ulp_distance(-0.0F, f32(0x0000'0001)) == 1U);
  CHECK(ulp_distance(f32(0x007F'FFFF), f32(0x0080'0000)) == 1U);  // subnormal, normal
  CHECK(ulp_distance(f32(0xFF7F'FFFF), f32(0x7F7F'FFFF)) == 2 * std::uint64_t{0x7F7F'FFFF});
  CHECK(ulp_distance(f64(0xFFEF'FFFF'FFFF'FFFF), f64(0x7FEF'FFFF'FFFF'FFFF)) == 0xFFDF'FFFF'FFFF'FFFE);
  CHECK(ulp_distance(1.0, 1.0 + std::numeric_limits<double>::epsilon()) == 1U);
  CHECK(ulp_distance(f16(0x3C00), f16(0x3BFE)) == 2U);
  CHECK(ulp_distance(f16(0x8001), f16(0x0002)) == 3U);
  CHECK(ulp_distance(f32(0x7FC0'0000), 1.0F) == std::nullopt);
  CHECK(ulp_distance(1.0F, f32(0xFFC0'0000)) == std::nullopt);
}

TEST_CASE("compare: by default any NaN matches a NaN, in strict mode only the same bits", "[oracle]") {
  constexpr compare_options usual{};
  CHECK(matches(f32(0x7FC0'0001), f32(0x7FC0'0000), usual));
  CHECK(matches(f32(0x7F80'0001), f32(0xFFC0'0000), usual));  // a signalling one, and one of the other sign
  CHECK(matches(f16(0x7C01), f16(0xFE00), usual));
  CHECK(matches(f64(0x7FF0'0000'0000'0001), f64(0x7FF8'0000'0000'0000), usual));
  CHECK_FALSE(matches(f32(0x7FC0'0000), f32(0x7F80'0000), usual));  // infinity
  CHECK_FALSE(matches(1.0F, f32(0x7FC0'0000), usual));
  CHECK_FALSE(matches(f32(0x7FC0'0000), 0.0F, usual));
  // Nothing else is accepted: zeros keep their sign, and copied subnormals are not flushed.
  CHECK_FALSE(matches(-0.0F, 0.0F, usual));
  CHECK_FALSE(matches(f32(1), 0.0F, usual));
  CHECK_FALSE(matches(f16(1), f16(0), usual));
  CHECK_FALSE(matches(1.0F, f32(0x3F80'0001), usual));
  for (const auto& [expected, got] : {std::pair(0x7FC0'0001U, 0x7FC0'0000U), std::pair(0x7F80'0001U, 0xFFC0'0000U)})
    CHECK_FALSE(matches(f32(expected), f32(got), compare_options::strict()));
  CHECK(matches(f32(0x7FC0'0001), f32(0x7FC0'0001), compare_options::strict()));
  CHECK_FALSE(compare_options::strict().fp32_flush);
  CHECK_FALSE(compare_options::strict().listing_order);
}

TEST_CASE("compare: floats are compared by bits by default", "[oracle]") {
  CHECK(matches(1.5F, 1.5F, exactly));
  CHECK_FALSE(matches(1.0F, f32(0x3F80'0001), exactly));
  CHECK_FALSE(matches(0.0F, f32(1), exactly));
  CHECK_FALSE(matches(-0.0F, 0.0F, exactly));
  CHECK_FALSE(matches(f16(0x8000), f16(0), exactly));
  CHECK_FALSE(matches(-0.0, 0.0, exactly));
  CHECK(matches(f32(0x7FC0'0001), f32(0x7FC0'0001), exactly));
  CHECK_FALSE(matches(f32(0x7FC0'0001), f32(0x7FC0'0000), exactly));
  CHECK_FALSE(matches(f32(0x7FC0'0000), f32(0xFFC0'0000), exactly));
}

TEST_CASE("compare: NaN and the sign of zero have separate options", "[oracle]") {
  const std::array<compare_options, 3> all{exactly, within_ulp(~std::uint64_t{0}), within(1e30, 1e30)};
  for (compare_options options : all) {
    // Only these two options matter, whatever the tolerance.
    CHECK_FALSE(matches(f32(0x7FC0'0000), f32(0xFF80'0001), options));
    CHECK_FALSE(matches(-0.0F, 0.0F, options));
    CHECK_FALSE(matches(1.0F, f32(0x7FC0'0000), options));
    CHECK_FALSE(matches(f32(0x7FC0'0000), 1.0F, options));
    options.nans = oracle::nan_match::any_nan;
    options.zeros = oracle::zero_match::either_sign;
    CHECK(matches(f32(0x7FC0'0000), f32(0xFF80'0001), options));
    CHECK(matches(f16(0x7E00), f16(0xFC01), options));
    CHECK(matches(-0.0F, 0.0F, options));
    CHECK(matches(0.0, -0.0, options));
    CHECK_FALSE(matches(1.0F, f32(0x7FC0'0000), options));
    CHECK_FALSE(matches(f32(0x7FC0'0000), 1.0F, options));
    CHECK_FALSE(matches(f32(0x7FC0'0000), f32(0x7F80'0000), options));
  }
  compare_options either = exactly;
  either.zeros = oracle::zero_match::either_sign;
  CHECK_FALSE(matches(0.0F, f32(1), either));  // the smallest number is not zero
}

TEST_CASE("compare: ULP distances include zero, but not infinity", "[oracle]") {
  CHECK(matches(1.0F, f32(0x3F80'0002), within_ulp(2)));
  CHECK_FALSE(matches(1.0F, f32(0x3F80'0003), within_ulp(2)));
  CHECK(matches(f32(0x8000'0001), f32(0x0000'0001), within_ulp(2)));
  CHECK_FALSE(matches(f32(0x8000'0001), f32(0x0000'0001), within_ulp(1)));
  CHECK(matches(0.0F, f32(0x8000'0003), within_ulp(3)));
  CHECK(matches(f16(0x0001), f16(0x8001), within_ulp(2)));
  CHECK(matches(f64(1), f64(3), within_ulp(2)));
  CHECK_FALSE(matches(f32(0x7F7F'FFFF), f32(0x7F80'0000), within_ulp(5)));
  CHECK_FALSE(matches(f32(0xFF80'0000), f32(0xFF7F'FFFF), within_ulp(5)));
  CHECK_FALSE(matches(f32(0x7F80'0000), f32(0xFF80'0000), within_ulp(~std::uint64_t{0})));
  CHECK(matches(f32(0x7F80'0000), f32(0x7F80'0000), within_ulp(0)));
}

TEST_CASE("compare: a relative tolerance refers to the magnitude of the expected value", "[oracle]") {
  CHECK(matches(-100.0F, -110.0F, within(0, 0.1)));
  CHECK_FALSE(matches(-100.0F, -111.0F, within(0, 0.1)));
  CHECK_FALSE(matches(-100.0F, 100.0F, within(0, 0.1)));
  CHECK(matches(100.0F, 90.0F, within(0, 0.1)));
  CHECK_FALSE(matches(90.0F, 100.0F, within(0, 0.1)));
  CHECK(matches(0.0F, 0.25F, within(0.25, 0.5)));
  CHECK_FALSE(matches(0.0F, 0.375F, within(0.25, 0.5)));
  CHECK(matches(f16(0x3C00), f16(0x3C01), within(0.001, 0)));
  CHECK_FALSE(matches(f32(0x7F7F'FFFF), f32(0x7F80'0000), within(1e300, 0)));
  CHECK_FALSE(matches(f32(0x7F80'0000), 1.0F, within(0, 1)));
  CHECK_FALSE(matches(1.0F, 2.0F, within(std::numeric_limits<double>::quiet_NaN(), 0)));
  CHECK_FALSE(matches(1.0F, 2.0F, within(-1, 0)));
  CHECK_FALSE(
      matches(1.0F, f32(0x3F80'0001), {.floats = oracle::float_match::tolerance}));  // the default tolerance is 0
}

TEST_CASE("compare: integers must be equal, as values of their own type", "[oracle]") {
  constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;  // not representable as a double
  constexpr auto most = (std::numeric_limits<std::uint64_t>::max)();
  constexpr auto lowest = std::numeric_limits<std::int64_t>::lowest();
  for (const compare_options& options : {exactly, within_ulp(100), within(1e30, 1e30)}) {
    CHECK(matches(odd, odd, options));
    CHECK_FALSE(matches(odd, odd - 1, options));
    CHECK_FALSE(matches(-odd, odd, options));
    CHECK(matches(most, most, options));
    CHECK_FALSE(matches(most, most - 1, options));
    CHECK_FALSE(matches(std::uint64_t{0}, most, options));
    CHECK_FALSE(matches(lowest, (std::numeric_limits<std::int64_t>::max)(), options));
    CHECK_FALSE(matches(lowest, lowest + 1, options));
    CHECK_FALSE(matches(std::uint8_t{0}, std::uint8_t{1}, options));
    CHECK_FALSE(matches(std::int8_t{-128}, std::int8_t{127}, options));
  }
}

TEST_CASE("compare: elements with verdicts", "[oracle]") {
  oracle::golden_output output = judged::output_of<std::int32_t>({5}, {10, 11, 12, 13, 14});
  output.verdicts.make_undefined(1);
  output.verdicts.allow(2, scalar(-12));
  output.verdicts.allow(2, scalar(120));
  output.verdicts.allow_any_index_below(3, 4);
  const oracle::golden golden = judged::golden_of(output);
  const auto differing = [&](const std::vector<std::int32_t>& got) {
    const auto result = judge(golden, {tensor_view(got, {5})});
    CHECK(result.compared() == 4);
    CHECK(result.ignored() == 1);
    CHECK(result.agrees() == (result.differing() == 0));
    std::vector<std::size_t> elements;
    for (const oracle::difference& d : result.outputs[0].first) elements.push_back(d.element);
    return elements;
  };
  using list = std::vector<std::size_t>;
  CHECK(differing({10, 11, 12, 13, 14}).empty());
  CHECK(differing({10, 999, -12, 0, 14}).empty());
  CHECK(differing({10, -1, 120, 3, 14}).empty());
  CHECK(differing({11, 11, 12, 13, 14}) == list{0});
  CHECK(differing({10, 11, 11, 4, 13}) == list{2, 3, 4});
  CHECK(differing({10, 11, 0, -1, 14}) == list{2, 3});
  CHECK(differing({-12, 11, 12, 12, 120}) == list{0, 3, 4});
}

TEST_CASE("compare: an output that cannot be compared never agrees", "[oracle]") {
  const oracle::golden golden = judged::golden_of<float>({2, 2}, {1, 1, 1, 1});
  std::vector<float> ones(8, 1.0F);
  const auto mismatch = [&](const const_tensor_ref& actual) {
    const auto result = judge(golden, {actual});
    CHECK_FALSE(result.agrees());
    CHECK(result.mismatched());
    CHECK(result.compared() == 0);
    return result.outputs[0].mismatch;
  };
  const tensor_desc right{.data_type = data_type::float32, .sizes = {2, 2}};
  CHECK(judge(golden, {const_tensor_ref(right, ones.data(), 16)}).agrees());
  CHECK(judge(golden, {tensor_view(ones, {2, 2}, {4, 2})}).agrees());
  CHECK(mismatch({}) == "there is no output");
  CHECK(mismatch({right, nullptr}) == "there is no output");
  CHECK(mismatch(tensor_view(ones, {4})) == "it is FLOAT32 {4}, wanted FLOAT32 {2,2}");
  CHECK(mismatch(tensor_view(ones, {1, 2, 2})) == "it is FLOAT32 {1,2,2}, wanted FLOAT32 {2,2}");
  CHECK(mismatch(tensor_view(ones, {2, 3})) == "it is FLOAT32 {2,3}, wanted FLOAT32 {2,2}");
  const std::vector<std::int32_t> integers(4, std::bit_cast<std::int32_t>(1.0F));
  CHECK(mismatch(tensor_view(integers, {2, 2})) == "it is INT32 {2,2}, wanted FLOAT32 {2,2}");
  CHECK(mismatch({right, ones.data(), 15}) == "it holds 15 bytes, wanted 16");
  CHECK(mismatch(tensor_view(ones, {2, 2}, {7, 2})) == "it holds 32 bytes, wanted 40");
  const std::string shared = ", wanted an address of its own for each element of {2,2}";
  CHECK(mismatch(tensor_view(ones, {2, 2}, {0, 1})) == "its strides are {0,1}" + shared);
  CHECK(mismatch(tensor_view(ones, {2, 2}, {1, 1})) == "its strides are {1,1}" + shared);
  CHECK(mismatch(tensor_view(ones.data(), {2, 2}, {2})) == "its strides are {2}" + shared);
  CHECK(mismatch(tensor_view(ones.data(), {2, 2}, {0xFFFF'FFFF, 1})) == "its strides are {4294967295,1}" + shared);
  // The last index is 2^32-1, which is too large, and then 2^32-2.
  CHECK(mismatch(tensor_view(ones.data(), {2, 2}, {0xFFFF'FFFE, 1})) == "its strides are {4294967294,1}" + shared);
  CHECK(mismatch(tensor_view(ones, {2, 2}, {0xFFFF'FFFD, 1})) == "it holds 32 bytes, wanted 17179869180");

  const oracle::golden eight = judged::golden_of<float>({1, 1, 1, 1, 1, 1, 1, 1}, {1});
  tensor_desc nine{.data_type = data_type::float32, .sizes = {1, 1, 1, 1, 1, 1, 1, 1}};
  CHECK(judge(eight, {const_tensor_ref(nine, ones.data())}).agrees());
  nine.strides = dimensions(std::vector<std::uint32_t>(9, 1));
  CHECK(judge(eight, {const_tensor_ref(nine, ones.data())}).mismatched());

  const auto surplus = judge(golden, {tensor_view(ones, {2, 2}), tensor_view(ones, {2, 2})});
  CHECK_FALSE(surplus.agrees());
  REQUIRE(surplus.outputs.size() == 2);
  CHECK(surplus.outputs[1].mismatch == "2 outputs were given, wanted 1");
  CHECK_FALSE(judge(golden, {}).agrees());
  CHECK_FALSE(judge({}, {}).agrees());
  CHECK_FALSE(judge({}, {tensor_view(ones, {2, 2})}).agrees());

  oracle::golden undefined = golden;
  undefined.answers[0][0].verdicts.make_all_undefined();
  const auto nothing = judge(undefined, {tensor_view(ones, {2, 2})});
  CHECK(nothing.ignored() == 4);
  CHECK_FALSE(nothing.mismatched());
  CHECK_FALSE(nothing.agrees());
}

TEST_CASE("compare: if nothing is defined, the outcome is neither agreement nor difference", "[oracle]") {
  using oracle::outcome;
  oracle::golden undefined = judged::golden_of<float>({2}, {1, 2});
  undefined.answers[0][0].verdicts.make_all_undefined();
  const std::vector<float> got{7, 8};
  const auto judged = oracle::compare(undefined, std::vector<const_tensor_ref>{tensor_view(got, {2})});
  CHECK(judged.outcome() == outcome::nothing_defined);
  CHECK(judged.tolerated());
  CHECK_FALSE(judged.result.agrees());
  // This does not apply to an output of another form, or to a missing output.
  CHECK(oracle::compare(undefined, std::vector<const_tensor_ref>{tensor_view(got, {1, 2})}).outcome() ==
        outcome::differs);
  const std::span<const const_tensor_ref> none;
  CHECK(oracle::compare(undefined, none).outcome() == outcome::differs);
  CHECK(oracle::compare({}, none).outcome() == outcome::differs);
  CHECK(oracle::compare({{{}}}, none).outcome() == outcome::differs);
  // One element is enough for a comparison.
  oracle::golden half = judged::golden_of<float>({2}, {7, 2});
  half.answers[0][0].verdicts.make_undefined(1);
  CHECK(oracle::compare(half, std::vector<const_tensor_ref>{tensor_view(got, {2})}).outcome() == outcome::agrees);

  // SCATTER_ND with an index out of range, and the rows alone of NONZERO_COORDINATES without a row.
  const std::vector<float> x{1, 2};
  const std::vector<std::int32_t> at{5};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {1, 2}), tensor_view(at, {1, 1}),
                                             tensor_view(x.data(), {1, 1})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {1, 2}}};
  const auto scatter = oracle::expect(scatter_nd_desc{.input_dimension_count = 1, .indices_dimension_count = 2},
                                      std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
  CHECK(oracle::compare(scatter, std::vector<const_tensor_ref>{tensor_view(got, {1, 2})}).outcome() ==
        outcome::nothing_defined);
}

TEST_CASE("compare: unsorted Axes, numbered in the order of the list: tolerated and flagged", "[oracle]") {
  using oracle::outcome;
  const std::vector<std::int32_t> x{5, 4, 9,
                                    1, 7, 3};  // the least is number 3 in row-major order, 1 in column-major order
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {2, 3})};
  const std::vector<tensor_desc> index{{.data_type = data_type::uint32, .sizes = {1, 1}}};
  const auto judged = [&](const dimensions& axes, std::uint32_t got, const compare_options& options = {}) {
    const auto golden = oracle::expect(argmin_desc{.axes = axes}, std::span<const const_tensor_ref>(inputs),
                                       std::span<const tensor_desc>(index));
    const std::vector<std::uint32_t> actual{got};
    return oracle::compare(golden, std::vector<const_tensor_ref>{tensor_view(actual, {1, 1})}, options);
  };
  CHECK(judged({1, 0}, 3).outcome() == outcome::agrees);
  CHECK(judged({1, 0}, 1).outcome() == outcome::flagged);
  CHECK(judged({1, 0}, 1).tolerated());
  CHECK(judged({1, 0}, 2).outcome() == outcome::differs);
  CHECK(judged({0, 1}, 3).outcome() == outcome::agrees);
  CHECK(judged({0, 1}, 1).outcome() == outcome::differs);
  CHECK(judged({1, 0}, 3, compare_options::strict()).outcome() == outcome::agrees);
  CHECK(judged({1, 0}, 1, compare_options::strict()).outcome() == outcome::differs);
  CHECK(judged({1, 0}, 1, {.listing_order = false}).outcome() == outcome::differs);
}

TEST_CASE("compare: FLOAT32 subnormals may be flushed in comparisons, but not in strict mode", "[oracle]") {
  using oracle::outcome;
  const float tiny = f32(1);
  const std::vector<float> x{0, -tiny, 3, 5};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {2, 2})};
  const std::vector<tensor_desc> index{{.data_type = data_type::uint32, .sizes = {2, 1}}};
  const auto golden = oracle::expect(argmin_desc{.axes = {1}}, std::span<const const_tensor_ref>(inputs),
                                     std::span<const tensor_desc>(index));
  const auto judged = [&](const std::vector<std::uint32_t>& got, const compare_options& options) {
    return oracle::compare(golden, std::vector<const_tensor_ref>{tensor_view(got, {2, 1})}, options).outcome();
  };
  CHECK(judged({1, 0}, {}) == outcome::agrees);
  CHECK(judged({0, 0}, {}) == outcome::agrees);
  CHECK(judged({0, 1}, {}) == outcome::differs);  // 3 is the least of its slice, flushed or not
  CHECK(judged({1, 0}, compare_options::strict()) == outcome::agrees);
  CHECK(judged({0, 0}, compare_options::strict()) == outcome::differs);
  CHECK(judged({0, 0}, {.fp32_flush = false}) == outcome::differs);

  // NONZERO_COORDINATES: all elements are flushed, or none.
  const std::vector<float> y{tiny, 2, 0};
  const std::vector<const_tensor_ref> numbers{tensor_view(y, {3})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::uint32, .sizes = {1}},
                                         {.data_type = data_type::uint32, .sizes = {3, 1}}};
  const auto nonzero = oracle::expect(nonzero_coordinates_desc{}, std::span<const const_tensor_ref>(numbers),
                                      std::span<const tensor_desc>(outputs));
  const auto found = [&](std::uint32_t count, const std::vector<std::uint32_t>& rows, const compare_options& options) {
    const std::vector<std::uint32_t> counts{count};
    return oracle::compare(nonzero, std::vector<const_tensor_ref>{tensor_view(counts, {1}), tensor_view(rows, {3, 1})},
                           options)
        .outcome();
  };
  CHECK(found(2, {0, 1, 99}, {}) == outcome::agrees);
  CHECK(found(1, {1, 99, 99}, {}) == outcome::agrees);
  CHECK(found(1, {0, 99, 99}, {}) == outcome::differs);
  CHECK(found(2, {1, 0, 99}, {}) == outcome::differs);
  CHECK(found(1, {1, 99, 99}, compare_options::strict()) == outcome::differs);
  CHECK(found(2, {0, 1, 99}, compare_options::strict()) == outcome::agrees);
}

TEST_CASE("compare: a wrong count is one difference", "[oracle]") {
  const std::vector<std::uint8_t> x{1, 1, 1, 1, 1, 0};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {6})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::uint32, .sizes = {1}},
                                         {.data_type = data_type::uint32, .sizes = {6, 1}}};
  const auto golden = oracle::expect(nonzero_coordinates_desc{}, std::span<const const_tensor_ref>(inputs),
                                     std::span<const tensor_desc>(outputs));
  const auto judged = [&](std::uint32_t count, const std::vector<std::uint32_t>& rows) {
    const std::vector<std::uint32_t> counts{count};
    return oracle::compare(golden, std::vector<const_tensor_ref>{tensor_view(counts, {1}), tensor_view(rows, {6, 1})});
  };
  // The first element is missing: all rows differ.
  const oracle::judgement missed = judged(4, {1, 2, 3, 4, 0, 0});
  CHECK_FALSE(missed.tolerated());
  CHECK(missed.result.differing() == 1);
  CHECK(missed.result.compared() == 1);
  CHECK(missed.result.outputs[1].miscounted);
  REQUIRE(missed.result.outputs[1].first.size() == 1);
  CHECK(missed.result.outputs[1].first[0].where == coordinate_tuple{0, 0});
  // One more at the end: no row differs.
  CHECK(judged(6, {0, 1, 2, 3, 4, 5}).result.differing() == 1);
  CHECK(judged(6, {0, 1, 2, 3, 4, 5}).result.outputs[1].first.empty());
  // A correct count, and wrong rows.
  CHECK(judged(5, {1, 0, 2, 3, 4, 0}).result.differing() == 2);
  CHECK_FALSE(judged(5, {1, 0, 2, 3, 4, 0}).result.outputs[1].miscounted);
  // Rows that cannot be compared.
  const std::vector<std::uint32_t> wrong{1};
  const auto missing = oracle::compare(golden, std::vector<const_tensor_ref>{tensor_view(wrong, {1})});
  CHECK(missing.result.mismatched());
  CHECK_FALSE(missing.result.outputs[1].miscounted);
}

TEST_CASE("compare: the exit status of a run: 2, otherwise 1, otherwise 3, otherwise 0", "[oracle]") {
  using oracle::outcome;
  using oracle::tally;
  const auto status = [](std::initializer_list<outcome> outcomes, std::uint64_t refused = 0) {
    tally all;
    for (const outcome o : outcomes) all.add(o);
    all.refused = refused;
    return all.exit_status();
  };
  CHECK(status({outcome::agrees}) == 0);
  CHECK(status({outcome::flagged}) == 0);
  CHECK(status({outcome::nothing_defined}) == 3);
  CHECK(status({outcome::nothing_defined, outcome::agrees, outcome::nothing_defined}) == 0);
  CHECK(status({outcome::nothing_defined, outcome::flagged}) == 0);
  CHECK(status({outcome::nothing_defined, outcome::differs}) == 1);
  CHECK(status({outcome::agrees, outcome::differs, outcome::flagged}) == 1);
  CHECK(status({outcome::differs, outcome::agrees}, 1) == 2);
  CHECK(status({outcome::nothing_defined}, 1) == 2);
  CHECK(status({}, 1) == 2);
  CHECK(status({}) == 3);
  tally sum;
  tally part;
  part.add(outcome::differs);
  part.add(outcome::flagged);
  part.add(outcome::nothing_defined);
  part.add(outcome::agrees);
  part.refused = 1;
  sum.add(part);
  sum.add(part);
  CHECK((sum.agreeing == 2 && sum.flagged == 2 && sum.undefined == 2 && sum.differing == 2 && sum.refused == 2));
}

TEST_CASE("A2: elements that depend on what is not known of an intermediate neither agree nor differ", "[oracle]") {
  using oracle::outcome;
  oracle::golden golden = judged::golden_of<float>({3}, {1, 2, 3});
  golden.answers[0][0].verdicts.make_dependent(1);
  golden.answers[0][0].verdicts.allow_interval(1, any_answer);  // leaves it as it is
  CHECK(golden.answers[0][0].verdicts[1] == verdict::depends);
  const auto judged = [&](std::vector<float> got) {
    return oracle::compare(golden, std::vector<const_tensor_ref>{tensor_view(got, {3})});
  };
  const oracle::judgement open = judged({1, 7, 3});
  CHECK(open.outcome() == outcome::depends);
  CHECK(open.tolerated());
  CHECK(open.result.compared() == 2);
  CHECK(open.result.depending() == 1);
  CHECK_FALSE(open.result.agrees());
  const oracle::judgement wrong = judged({1, 7, 4});
  CHECK(wrong.outcome() == outcome::differs);
  CHECK(wrong.result.depending() == 1);
  golden.answers[0][0].verdicts.make_undefined(0);
  golden.answers[0][0].verdicts.make_undefined(2);
  CHECK(judged({0, 7, 0}).outcome() == outcome::depends);
  oracle::tally all;
  all.add(outcome::agrees);
  all.add(outcome::flagged);
  all.add(judged({0, 7, 0}));
  CHECK(all.depending == 1);
  CHECK(all.all() == outcome::depends);
  CHECK(all.exit_status() == 3);
  all.add(outcome::differs);
  CHECK(all.exit_status() == 1);
}

TEST_CASE("compare: ten differences are listed, all are counted", "[oracle]") {
  const oracle::golden golden = judged::golden_of<std::uint8_t>({3, 5}, std::vector<std::uint8_t>(15, 1));
  std::vector<std::uint8_t> got(15, 2);
  got[0] = 1;
  const auto result = judge(golden, {tensor_view(got, {3, 5})});
  CHECK(result.compared() == 15);
  CHECK(result.differing() == 14);
  REQUIRE(result.outputs[0].first.size() == 10);
  CHECK(result.outputs[0].first[0].where == coordinate_tuple{0, 1});
  CHECK(result.outputs[0].first[9].where == coordinate_tuple{2, 0});
  CHECK(result.outputs[0].first[9].element == 10);
}

TEST_CASE("compare: outputs must agree with one of several answers as a whole", "[oracle]") {
  oracle::golden golden;
  golden.answers.push_back({judged::output_of<std::uint32_t>({1}, {2}), judged::output_of<std::uint32_t>({2}, {0, 1})});
  golden.answers.push_back({judged::output_of<std::uint32_t>({1}, {1}), judged::output_of<std::uint32_t>({2}, {1, 0})});
  golden.answers[1][1].verdicts.make_undefined(1);
  const auto judged = [&](std::uint32_t count, const std::vector<std::uint32_t>& rows) {
    const std::vector<std::uint32_t> counts{count};
    const std::vector<const_tensor_ref> actual{tensor_view(counts, {1}), tensor_view(rows, {2})};
    const oracle::judgement result = oracle::compare(golden, actual);
    return std::pair(result.result.agrees(), result.answer);
  };
  CHECK(judged(2, {0, 1}) == std::pair(true, std::size_t{0}));
  CHECK(judged(1, {1, 77}) == std::pair(true, std::size_t{1}));
  CHECK_FALSE(judged(1, {0, 1}).first);
  CHECK_FALSE(judged(2, {1, 0}).first);
  // The report is about the nearest answer.
  CHECK(judged(5, {0, 1}) == std::pair(false, std::size_t{0}));
  CHECK(judged(5, {1, 5}) == std::pair(false, std::size_t{1}));
}

TEST_CASE("compare: an optional output that the case omits", "[oracle]") {
  const auto c = oracle::make_case(oracle::parse_case<rnn_desc>(
      "RNN InputTensor=FLOAT32{1,1,1,1}:{2} WeightTensor=FLOAT32{1,1,1,1}:{3} RecurrenceTensor=FLOAT32{1,1,1,1}:{1} "
      "OutputSingleTensor=FLOAT32{1,1,1,1} ActivationDescs={ACTIVATION_IDENTITY} Direction=FORWARD"));
  REQUIRE(c.outputs.size() == 2);
  CHECK(c.expected.answers[0][0].values.omitted());
  CHECK_FALSE(c.expected.answers[0][1].values.omitted());
  const std::vector<float> right{6}, wrong{7};
  const const_tensor_ref good(tensor_view(right, {1, 1, 1, 1})), bad(tensor_view(wrong, {1, 1, 1, 1}));
  const auto judged = [&](const const_tensor_ref& sequence, const const_tensor_ref& single) {
    const std::vector<const_tensor_ref> refs{sequence, single};
    return oracle::compare(c.expected, refs);
  };
  CHECK(judged({}, good).outcome() == oracle::outcome::agrees);
  CHECK(judged({}, bad).result.differing() == 1);
  CHECK(judged({}, {}).result.outputs[1].mismatch == "there is no output");
  CHECK(judged(good, good).result.outputs[0].mismatch == "it is omitted in the case, and was given");
  const std::vector<const_tensor_ref> refs{{}, bad};
  const std::string text = oracle::report(c.expected, refs, judged({}, bad), {}, oracle::names_of(c), c.line());
  CHECK(text.find("OutputSingleTensor FLOAT32 {1,1,1,1}: 1 compared") != std::string::npos);
  CHECK(text.find("OutputSequenceTensor FLOAT32") == std::string::npos);
}

namespace {

// What compare() counts, by place_of() of each element alone.
template <class T>
oracle::output_comparison counted_slowly(const oracle::golden_output& golden, const tensor_view<const T>& got,
                                         const compare_options& options) {
  oracle::output_comparison result;
  oracle::detail::range_of_answers<T> range(golden, options);
  const auto expected = golden.values.ref().template as<T>();
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(got.sizes())) {
    const auto place = oracle::place_of<T>(golden, element, expected[c], got[c], options);
    result.suspicious += place == interval_place::suspicious;
    result.toward_zero += place == interval_place::toward_zero;
    result.overflowed += place == interval_place::overflowed;
    result.differing += place == interval_place::outside;
    result.hardly_tested += range.hardly_tests(element, expected[c]);
    ++element;
  }
  return result;
}

// Golden values with intervals, and answers at and beside all of their ends.
template <class T>
void check_counts() {
  constexpr auto infinity = std::numeric_limits<float>::infinity();
  std::vector<T> golden, answers;
  output_verdicts verdicts(100'000);
  const auto at = [](float x, float to) { return static_cast<T>(std::nextafter(x, to)); };
  const auto add = [&](float value, const std::optional<interval>& allowed, std::vector<float> more) {
    if (allowed) more.insert(more.end(), {allowed->low, allowed->high, allowed->usual_low, allowed->usual_high});
    for (const float x : {0.0F, -0.0F, f32(1), -f32(1), infinity, -infinity, f32(0x7FC0'0000), f32(0x7F80'0001), value})
      more.push_back(x);
    for (const float x : more)
      for (const T got : {static_cast<T>(x), at(x, infinity), at(x, -infinity)}) {
        if (allowed) verdicts.allow_interval(golden.size(), *allowed);
        if (allowed && golden.size() % 3 == 0)
          verdicts.narrow_interval(golden.size(), {allowed->usual_low, allowed->usual_high, value, value},
                                   interval_refusal::functions);
        if (golden.size() % 7 == 0) verdicts.allow(golden.size(), scalar(static_cast<T>(2.5F)));
        golden.push_back(static_cast<T>(value));
        answers.push_back(got);
      }
  };
  namespace also_is = interval_also;
  for (const std::uint8_t also : {std::uint8_t{0}, also_is::nan, also_is::infinities, also_is::specials,
                                  also_is::low_toward_zero, also_is::high_toward_zero, also_is::integers})
    for (const auto& [value, low, usual_low, usual_high, high] :
         {std::array{1.0F, 0.5F, 0.75F, 1.5F, 2.0F}, std::array{0.0F, -1.0F, -f32(1), f32(1), 0.25F},
          std::array{-3.0F, -infinity, -4.0F, -3.0F, -2.0F}, std::array{3.0F, 3.0F, 3.0F, 3.0F, infinity},
          std::array{infinity, 1.0F, 2.0F, infinity, infinity}, std::array{f32(3), -0.0F, 0.0F, f32(5), f32(7)},
          std::array{1.0F, infinity, infinity, -infinity, -infinity}})
      add(value, interval{low, high, usual_low, usual_high, also}, {2.5F, -1.5F});
  for (const float value : {1.0F, 0.0F, -0.0F, f32(1), infinity, f32(0x7FC0'0000)}) add(value, {}, {2.5F});
  const auto count = static_cast<std::uint32_t>(golden.size());
  oracle::golden_output output = judged::output_of<T>({1, count}, golden);
  output.verdicts = output_verdicts(count);
  for (std::size_t i = 0; i < count; ++i) output.verdicts.copy(i, verdicts, i);
  std::vector<T> apart(std::size_t{count} * 3);
  for (std::size_t i = 0; i < count; ++i) apart[3 * i] = answers[i];
  const oracle::golden whole = judged::golden_of(std::move(output));
  const tensor_view<const T> packed(answers, {1, count}), spread(apart, {1, count}, {0, 3});
  for (const compare_options& options :
       {compare_options{}, exactly, within_ulp(1), within(0.5, 0), compare_options{.narrow_toward_zero = false},
        compare_options{.zeros = oracle::zero_match::either_sign, .functions = oracle::function_errors::close},
        compare_options{.stable = true}})
    for (const tensor_view<const T>& got : {packed, spread}) {
      const auto found = judge(whole, {got}, options).outputs[0];
      const auto wanted = counted_slowly<T>(whole.answers[0][0], got, options);
      CHECK(found.compared == count);
      CHECK(found.suspicious == wanted.suspicious);
      CHECK(found.toward_zero == wanted.toward_zero);
      CHECK(found.overflowed == wanted.overflowed);
      CHECK(found.hardly_tested == wanted.hardly_tested);
      CHECK(found.differing == wanted.differing);
      CHECK(wanted.differing > 100);
      CHECK(wanted.differing < count);
    }
}

}  // namespace

TEST_CASE("compare: what is plainly usual is counted as it is by itself", "[oracle]") {
  check_counts<float>();
  check_counts<float16>();
}
