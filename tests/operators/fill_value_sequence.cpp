// FILL_VALUE_SEQUENCE: results and violations.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <goldml/arithmetic/scale_bias.hpp>
#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/oracle/verdicts/fill_value_sequence.hpp>
#include <goldml/reference/fill_value_sequence.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::laid_out;
using layouts::strides_of;

using integer_types = type_list<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                std::int64_t, std::uint64_t>;

template <class T>
std::vector<T> sequence_from(const dimensions& sizes, T start, T delta) {
  return fill_value_sequence<T>(reference, sizes, {.value_start = start, .value_delta = delta}).elements();
}

std::string refused(const fill_value_sequence_desc& desc, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { fill_value_sequence(reference, t..., desc); }, output);
}

std::string message(const fill_value_sequence_desc& desc, const tensor_desc& output) {
  return to_string(goldml_test::only_violation(desc, output));
}

// How element g of a sequence may be `value`.
template <class T>
interval_place judged(T start, T delta, std::size_t g, T value) {
  const fill_value_sequence_desc desc{.value_start = start, .value_delta = delta};
  tensor<T> golden = fill_value_sequence<T>(reference, {static_cast<std::uint32_t>(g + 1)}, desc);
  const T wanted = golden.elements()[g];
  if (is_nan(value) ? is_nan(wanted) : order_key(value) == order_key(wanted) && !is_nan(wanted))
    return interval_place::usual;
  const std::vector<tensor_ref> outputs{golden.view()};
  std::vector<output_verdicts> result{output_verdicts(g + 1)};
  oracle::verdict_traits<fill_value_sequence_desc>::verdicts(desc, {}, outputs, result);
  oracle::verdict_traits<fill_value_sequence_desc>::flushed_verdicts(desc, {}, outputs, result);
  interval_place best = interval_place::outside;
  if (const interval* const allowed = result[0].interval_of(g)) best = place_in(*allowed, value);
  result[0].any_alternative(g, [&](const scalar& other) {
    if (scalar(value) == other) best = interval_place::usual;
    return scalar(value) == other;
  });
  return best;
}

}  // namespace

TEST_CASE("FILL_VALUE_SEQUENCE: the page's example of integers", "[fill_value_sequence]") {
  // -2 is 254 in the UINT8 member of the union.
  CHECK(sequence_from<std::uint8_t>({1, 1, 2, 2}, 10, 254) == std::vector<std::uint8_t>{10, 8, 6, 4});
}

TEST_CASE("FILL_VALUE_SEQUENCE L65: integers wrap", "[fill_value_sequence]") {
  CHECK(sequence_from<std::int8_t>({4}, 120, 5) == std::vector<std::int8_t>{120, 125, -126, -121});
  constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)();
  CHECK(sequence_from<std::uint64_t>({3}, most, 1) == std::vector<std::uint64_t>{most, 0, 1});
  constexpr std::int64_t least = (std::numeric_limits<std::int64_t>::min)();
  CHECK(sequence_from<std::int64_t>({3}, least, -1) == std::vector<std::int64_t>{least, -(least + 1), -(least + 2)});
  CHECK(sequence_from<std::int64_t>({3}, 1, least) == std::vector<std::int64_t>{1, least + 1, 1});
  CHECK(sequence_from<std::uint16_t>({3}, 65535, 65535) == std::vector<std::uint16_t>{65535, 65534, 65533});
  CHECK(sequence_from<std::int32_t>({3}, 10, -3) == std::vector<std::int32_t>{10, 7, 4});
  // 2^53 + 1 is not a double.
  CHECK(sequence_from<std::int64_t>({2}, 9007199254740993, 2) ==
        std::vector<std::int64_t>{9007199254740993, 9007199254740995});
}

TEMPLATE_LIST_TEST_CASE("FILL_VALUE_SEQUENCE: all integer types, typed and at run time", "[fill_value_sequence]",
                        integer_types) {
  const std::vector<TestType> wanted{3, 5, 7, 9, 11, 13};
  CHECK(sequence_from<TestType>({2, 3}, 3, 2) == wanted);
  tensor<TestType> output({2, 3});
  fill_value_sequence(reference, tensor_ref(output.view()), {.value_start = TestType(3), .value_delta = TestType(2)});
  CHECK(output.elements() == wanted);
  fill_value_sequence(reference, output, {.value_start = TestType(3)});  // omitted: zero
  CHECK(output.elements() == std::vector<TestType>(6, 3));
  fill_value_sequence(reference, output, {.value_delta = TestType(2)});
  CHECK(output.elements() == std::vector<TestType>{0, 2, 4, 6, 8, 10});
}

TEST_CASE("FILL_VALUE_SEQUENCE: a count of more than 2^bits elements", "[fill_value_sequence]") {
  const auto y = sequence_from<std::uint8_t>({600}, 7, 3);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) wrong += y[i] != (7 + 3 * i) % 256;
  CHECK(wrong == 0);
}

TEST_CASE("FILL_VALUE_SEQUENCE: logical order in one to eight dimensions, in all layouts; gaps are unchanged",
          "[fill_value_sequence]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    dimensions sizes = dimensions::filled(rank, 2);
    sizes[rank / 2] = 3;
    const auto count = static_cast<std::size_t>(element_count(sizes));
    std::vector<std::int16_t> wanted;
    for (std::size_t i = 0; i < count; ++i) wanted.push_back(static_cast<std::int16_t>(5 - 4 * static_cast<int>(i)));
    for (const auto each : all_layouts) {
      laid_out<std::int16_t> y(sizes, strides_of(each, sizes), std::vector<std::int16_t>(count, 1));
      fill_value_sequence(reference, y.view(), {.value_start = std::int16_t{5}, .value_delta = std::int16_t{-4}});
      CHECK(y.elements() == wanted);
      CHECK(y.gaps_untouched());
    }
  }
}

TEST_CASE("FILL_VALUE_SEQUENCE: the page's example of floats", "[fill_value_sequence]") {
  CHECK(sequence_from<float>({1, 1, 1, 3}, 3, 2) == std::vector<float>{3, 5, 7});
}

TEST_CASE("FILL_VALUE_SEQUENCE L65: floats are multiplied, and rounded once", "[fill_value_sequence]") {
  const auto y = sequence_from<float>({3001}, 0, 0.1F);
  CHECK(y[7] == 0.7F);
  CHECK(y[3000] == 300);  // 0.1F is 0.100000001490116; 3000 times it is 300.0000045
  // Sums of the element before: differs from the seventh on, and gives 300.0091 in the end.
  const fill_value_sequence_desc old{.value_start = 0.0F, .value_delta = 0.1F, .sequence = sequence::accumulate};
  const auto z = fill_value_sequence<float>(reference, {3001}, old).elements();
  CHECK(std::equal(y.begin(), y.begin() + 7, z.begin()));
  CHECK(z[7] == 0.70000005F);
  CHECK((z[3000] > 300.0090F && z[3000] < 300.0092F));
  const auto h = sequence_from<float16>({3001}, float16(0.0F), float16(0.1F));
  const auto k = fill_value_sequence<float16>(
                     reference, {5000},
                     {.value_start = float16(0.0F), .value_delta = float16(0.1F), .sequence = sequence::accumulate})
                     .elements();
  CHECK(static_cast<float>(h[5]) == static_cast<float>(k[5]));
  CHECK(static_cast<float>(h[6]) != static_cast<float>(k[6]));
  CHECK(static_cast<float>(k[4999]) == 256);  // no longer grows
  CHECK(static_cast<float>(h[3000]) == 300);
  // 2^24 + 1 is a tie, and 2^-100 beside it decides it. g * delta has 25 bits.
  CHECK(sequence_from<float>({2}, 16777216, 1)[1] == 16777216);
  CHECK(sequence_from<float>({4}, 0x1p-100F, 5592405.5F)[3] == 16777216);
  CHECK(sequence_from<float>({4}, 0x1p-100F, 5592405.5F)[2] == 11184811);
  CHECK(sequence_from<float>({98}, 0, 172961)[97] == 16777216);  // 16777217, a tie
  CHECK(sequence_from<float>({98}, 0x1p-100F, 172961)[97] == 16777218);
}

TEST_CASE("FILL_VALUE_SEQUENCE L65: zeros, infinities and NaN", "[fill_value_sequence]") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const float nan = layouts::from_bits<float>(0xFFC1'2345);
  const auto bits = [](float start, float delta) { return layouts::bits(sequence_from<float>({3}, start, delta)); };
  CHECK(bits(-0.0F, -0.0F) == layouts::bits(std::vector<float>{-0.0F, -0.0F, -0.0F}));
  CHECK(bits(-0.0F, 0.0F) == layouts::bits(std::vector<float>{-0.0F, 0.0F, 0.0F}));
  CHECK(bits(-2, 2) == layouts::bits(std::vector<float>{-2, 0.0F, 2}));
  CHECK(bits(inf, 1) == layouts::bits(std::vector<float>{inf, inf, inf}));
  CHECK(bits(1, -inf) == layouts::bits(std::vector<float>{1, -inf, -inf}));
  constexpr std::uint64_t quiet = 0x7FC0'0000;
  CHECK(bits(nan, 1) == std::vector<std::uint64_t>{0xFFC1'2345, quiet, quiet});  // the start's own bits
  CHECK(bits(inf, -inf) == std::vector<std::uint64_t>{0x7F80'0000, quiet, quiet});
  CHECK(bits(0, 3e38F) == layouts::bits(std::vector<float>{0, 3e38F, inf}));
  CHECK(bits(-3e38F, 3e38F) == layouts::bits(std::vector<float>{-3e38F, 0.0F, 3e38F}));
  CHECK(bits(0, 0x1p-149F) == layouts::bits(std::vector<float>{0, 0x1p-149F, 0x1p-148F}));
}

TEST_CASE("FILL_VALUE_SEQUENCE L65: what devices may answer", "[fill_value_sequence]") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  using place = interval_place;
  const auto next = [](float x, int steps) {
    for (; steps > 0; --steps) x = std::nextafterf(x, inf);
    for (; steps < 0; ++steps) x = std::nextafterf(x, -inf);
    return x;
  };
  // Integers that FLOAT32 holds: exact.
  CHECK(judged<float>(3, 2, 2, 7) == place::usual);
  CHECK(judged<float>(3, 2, 2, next(7, 1)) == place::outside);
  CHECK(judged<float>(-2, 2, 1, -0.0F) == place::usual);
  // Otherwise two units of the greatest of start, g * delta and result.
  CHECK(judged<float>(0, 0.1F, 7, next(0.7F, 2)) == place::usual);
  CHECK(judged<float>(0, 0.1F, 7, next(0.7F, -2)) == place::usual);
  CHECK(judged<float>(0, 0.1F, 7, next(0.7F, 3)) == place::outside);
  CHECK(judged<float>(0, 0.1F, 3000, 300.0091F) == place::outside);  // accumulated
  CHECK(judged<float>(-0.3F, 0.1F, 3, 0x1p-25F) == place::usual);
  CHECK(judged<float>(-0.3F, 0.1F, 3, 2 * 0x1p-25F) == place::outside);  // of -2^-27
  // The first is exact; 0 * inf is NaN.
  CHECK(judged<float>(0.1F, 0.1F, 0, next(0.1F, 1)) == place::outside);
  CHECK(judged<float>(0.1F, inf, 0, nan) == place::usual);
  CHECK(judged<float>(0.1F, 0.1F, 0, nan) == place::outside);
  CHECK(judged<float>(1, inf, 1, nan) == place::outside);
  CHECK(judged<float>(inf, -3e38F, 1, nan) == place::outside);
  CHECK(judged<float>(inf, -3e38F, 2, nan) == place::usual);     // inf - inf
  CHECK(judged<float>(nan, 0x1p-127F, 3, 0) == place::outside);  // NaN, whatever is flushed
  // An infinity only where the number is near the end, or the product overflows.
  CHECK(judged<float>(0, 1.1e38F, 3, inf) == place::outside);
  CHECK(judged<float>(0x1p100F, 0x1.555548p126F, 3, inf) == place::outside);
  CHECK(judged<float>(0x1p104F, 0x1.555554p126F, 3, 0x1.fffffep127F) == place::usual);  // golden: infinity
  CHECK(judged<float>(0x1p103F, 0x1.555554p126F, 3, 0x1.fffffep127F) == place::usual);
  CHECK(judged<float>(0x1p103F, 0x1.555554p126F, 3, 3e38F) == place::outside);
  CHECK(judged<float>(0x1p102F, 0x1.555554p126F, 3, inf) == place::usual);  // a quarter of a unit beyond
  CHECK(judged<float>(-3e38F, 3e38F, 2, inf) == place::usual);
  CHECK(judged<float>(-3e38F, 3e38F, 2, -inf) == place::outside);
  CHECK(judged<float>(-3e38F, 3e38F, 2, 1e38F) == place::outside);
  // Subnormals may be flushed, unless judged strictly.
  CHECK(judged<float>(0x1p-127F, 1, 0, 0) == place::usual);
  CHECK(judged<float>(0, 0x1p-127F, 3, 0) == place::usual);
  CHECK(judged<float>(0x1.8p-126F, -0x1p-126F, 1, 0) == place::usual);
  CHECK(judged<float>(1, 0x1p-127F, 3, 1) == place::usual);
  CHECK(judged<float>(0, 0x1p-126F, 3, 0) == place::outside);
  CHECK(judged<float>(0, 0x1p-126F, 1, 0) == place::outside);
  CHECK(judged<float>(0, -0x1p-126F, 1, 0) == place::outside);
  // Start is, and two units of what is left: 3 * (1 + 2^-23) * 2^-126 is 12582913.5 units of 2^-148, to even 12582914.
  CHECK(judged<float>(0x1p-127F, 0x1.000002p-126F, 3, 12582912 * 0x1p-148F) == place::usual);
  CHECK(judged<float>(0x1p-127F, 0x1.000002p-126F, 3, 12582914 * 0x1p-148F) == place::usual);
  CHECK(judged<float>(0x1p-127F, 0x1.000002p-126F, 3, 12582916 * 0x1p-148F) == place::usual);
  CHECK(judged<float>(0x1p-127F, 0x1.000002p-126F, 3, 12582917 * 0x1p-148F) == place::outside);
  // FLOAT16: two of its units; where g or g * delta overflows, anything is reported and nothing is wrong.
  CHECK(judged<float16>(float16(0.0F), float16(0.1F), 7, float16(0.7005F)) == place::usual);
  CHECK(judged<float16>(float16(0.0F), float16(0.1F), 7, float16(0.71F)) == place::outside);
  CHECK(judged<float16>(float16(0.0F), layouts::from_bits<float16>(3), 1, float16(0.0F)) == place::outside);
  CHECK(judged<float16>(float16(0.0F), float16(0.5F), 65600, float16(32800.0F)) == place::usual);
  CHECK(judged<float16>(float16(0.0F), float16(0.5F), 65600, float16(inf)) == place::suspicious);
  CHECK(judged<float16>(float16(-60000.0F), float16(40000.0F), 2, float16(inf)) == place::suspicious);
  CHECK(judged<float16>(float16(-60000.0F), float16(40000.0F), 1, float16(inf)) == place::outside);
}

TEST_CASE("FILL_VALUE_SEQUENCE L65: a device that flushes subnormals may accumulate without them",
          "[fill_value_sequence]") {
  const auto allows = [](float start, float delta, const std::vector<float>& values) {
    const fill_value_sequence_desc desc{.value_start = start, .value_delta = delta, .sequence = sequence::accumulate};
    tensor<float> golden = fill_value_sequence<float>(reference, {static_cast<std::uint32_t>(values.size())}, desc);
    const std::vector<tensor_ref> outputs{golden.view()};
    std::vector<output_verdicts> result{output_verdicts(values.size())};
    oracle::verdict_traits<fill_value_sequence_desc>::flushed_verdicts(desc, {}, outputs, result);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!result[0].any_alternative(i, [&](const scalar& other) { return scalar(values[i]) == other; })) return false;
    return true;
  };
  // The start is a zero, of either sign; then numbers that are not flushed.
  CHECK(allows(0x1p-127F, 0x1p-126F, {0, 0x1p-126F, 0x1p-125F}));
  CHECK(allows(0x1p-127F, 0x1p-126F, {-0.0F, 0x1p-126F, 0x1p-125F}));
  CHECK_FALSE(allows(0x1p-127F, 0x1p-126F, {0, 0, 0x1p-125F}));
  CHECK_FALSE(allows(0x1p-127F, 0x1p-126F, {0, 0x1p-126F, 0x1.4p-125F}));
  // Delta is a zero; or a sum is: 1.5 * 2^-126 - 2^-126.
  CHECK(allows(0x1p-126F, 0x1p-127F, {0x1p-126F, 0x1p-126F, 0x1p-126F}));
  CHECK(allows(0x1.8p-126F, -0x1p-126F, {0x1.8p-126F, 0, -0x1p-126F}));
}

TEST_CASE("FILL_VALUE_SEQUENCE L65: with sequence accumulate nothing is left open without flushing",
          "[fill_value_sequence]") {
  for (const auto how : {sequence::multiply, sequence::accumulate}) {
    const fill_value_sequence_desc desc{.value_start = 0.0F, .value_delta = 0.1F, .sequence = how};
    tensor<float> golden = fill_value_sequence<float>(reference, {8}, desc);
    const std::vector<tensor_ref> outputs{golden.view()};
    std::vector<output_verdicts> result{output_verdicts(8)};
    oracle::verdict_traits<fill_value_sequence_desc>::verdicts(desc, {}, outputs, result);
    CHECK((result[0].interval_of(7) == nullptr) == (how == sequence::accumulate));
  }
}

TEST_CASE("FILL_VALUE_SEQUENCE L65: separate roundings of number, product and sum are accepted", "[fill_value_sequence]") {
  std::mt19937 engine(3);
  int wrong = 0;
  int fused = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto number = [&] { return static_cast<float>(static_cast<int>(engine() % 200001) - 100000) / 3333.0F; };
    const auto start = number(), delta = number();
    const std::size_t g = engine() % 40;
    const float product = static_cast<float>(g) * delta;
    wrong += judged<float>(start, delta, g, start + product) != interval_place::usual;
    fused += judged<float>(start, delta, g, arithmetic::scaled(static_cast<float>(g), {delta, start})) != interval_place::usual;
    const auto s = float16(start), d = float16(delta);
    const auto p = float16(static_cast<float>(g) * static_cast<float>(d));
    wrong += judged<float16>(s, d, g, float16(static_cast<float>(s) + static_cast<float>(p))) != interval_place::usual;
  }
  CHECK(wrong == 0);
  CHECK(fused == 0);
}

TEST_CASE("FILL_VALUE_SEQUENCE FS1: ValueDataType is not the output's", "[fill_value_sequence]") {
  const tensor_desc output{.data_type = data_type::uint8, .sizes = {2, 2}};
  CHECK(refused(fill_value_sequence_desc{.value_start = 7, .value_delta = std::uint8_t{1}}, output) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_start = std::uint8_t{1}, .value_delta = 7}, output) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_delta = std::int8_t{7}}, output) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_start = 7.0f, .value_delta = 1.0f}, output) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_start = scalar::from_bytes(data_type::unknown, {})}, output) == "FS1");
  CHECK(message(fill_value_sequence_desc{.value_start = 7, .value_delta = 1}, output) ==
        "FILL_VALUE_SEQUENCE FS1: ValueDataType is INT32 7, wanted UINT8 (the output's; write .value_start = "
        "std::uint8_t{1})");
  CHECK(message(fill_value_sequence_desc{.value_delta = 7}, output) ==
        "FILL_VALUE_SEQUENCE FS1: ValueDataType is INT32 7, wanted UINT8 (the output's; write .value_delta = "
        "std::uint8_t{1})");
  CHECK(refused(fill_value_sequence_desc{.value_start = 7}, {.data_type = data_type::float32, .sizes = {2}}) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_start = 7.0f, .value_delta = float16(1.0F)},
                {.data_type = data_type::float32, .sizes = {2}}) == "FS1");
  // Not of an output that breaks a T rule; before the rules on memory.
  CHECK(refused(fill_value_sequence_desc{.value_start = 7},
                {.data_type = data_type::int8, .sizes = {2, 2}, .strides = {0, 1}}) == "T9");
  std::vector<std::uint32_t> three(3, 9);
  CHECK(refusal_of([&] { fill_value_sequence(reference, tensor_view{three, {2, 2}}, {.value_start = 7}); }) == "FS1");
  CHECK(refusal_of([&] { fill_value_sequence(reference, tensor_view{three, {2, 2}}, {.value_start = 7u}); }) == "T12");
  CHECK(three == std::vector<std::uint32_t>(3, 9));
}
