// What a device may answer to the element-wise operators (ledger L20 to L22, L24, L25, 7.4), by hand-made tables.
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float tiny = std::numeric_limits<float>::denorm_min();

// Whether a device may answer `got` to f(x...), by default and in strict comparison.
struct allowed {
  bool by_default;
  bool strictly;
  friend bool operator==(const allowed&, const allowed&) = default;
};
constexpr allowed always{true, true}, by_default{true, false}, never{false, false};

template <class Desc, class Out, class... T>
allowed may_be(const Desc& desc, Out got, T... x) {
  const std::array<const_tensor_ref, sizeof...(T)> inputs{
      const_tensor_ref({.data_type = data_type_of<T>, .sizes = {1}}, &x, sizeof x)...};
  const std::array outputs{tensor_desc{.data_type = data_type_of<Out>, .sizes = {1}}};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::array actual{const_tensor_ref({.data_type = data_type_of<Out>, .sizes = {1}}, &got, sizeof got)};
  return {oracle::compare(golden, actual).tolerated(),
          oracle::compare(golden, actual, oracle::compare_options::strict()).tolerated()};
}

}  // namespace

TEST_CASE("ELEMENT_WISE_MIN and MAX: a NaN and a number; zeros of both signs", "[element_wise]") {
  const element_wise_min_desc min;
  const element_wise_max_desc max;
  CHECK(may_be(min, 1.0f, not_a_number, 1.0f) == always);
  CHECK(may_be(min, not_a_number, not_a_number, 1.0f) == always);
  CHECK(may_be(max, not_a_number, 1.0f, not_a_number) == always);
  CHECK(may_be(max, 2.0f, 1.0f, not_a_number) == never);
  CHECK(may_be(min, not_a_number, 1.0f, 2.0f) == never);
  CHECK(may_be(min, 0.0f, 0.0f, -0.0f) == always);
  CHECK(may_be(min, -0.0f, 0.0f, -0.0f) == always);
  CHECK(may_be(max, -0.0f, 0.0f, -0.0f) == always);
  CHECK(may_be(max, -0.0f, 0.0f, 0.0f) == never);
  CHECK(may_be(max, 0.0f, -0.0f, -0.0f) == never);
  const element_wise_min_desc propagate{.nan_policy = nan_policy::propagate};
  CHECK(may_be(propagate, 1.0f, not_a_number, 1.0f) == never);
  CHECK(may_be(propagate, not_a_number, not_a_number, 1.0f) == always);
  CHECK(may_be(max, 0.0f, tiny, 0.0f) == by_default);  // flushed
  CHECK(may_be(min, 2, 1, 2) == never);
}

TEST_CASE("ELEMENT_WISE_MIN and MAX 7.4: subnormals that are flushed to be compared may be returned as they are",
          "[element_wise]") {
  const element_wise_min_desc min;
  const element_wise_max_desc max;
  const float larger = 3 * tiny;
  CHECK(may_be(min, larger, tiny, larger) == by_default);
  CHECK(may_be(max, tiny, tiny, larger) == by_default);
  CHECK(may_be(max, -tiny, -tiny, 0.0f) == by_default);
  CHECK(may_be(max, -0.0f, -tiny, 0.0f) == by_default);
  CHECK(may_be(min, 2 * tiny, tiny, larger) == never);
  CHECK(may_be(min, 1.0f, tiny, 1.0f) == never);
  CHECK(may_be(min, tiny, tiny, -1.0f) == never);
  CHECK(may_be(max, tiny, not_a_number, tiny) == always);
  CHECK(may_be(max, 0.0f, not_a_number, tiny) == by_default);
  // Beside a NaN there is nothing to be compared with.
  CHECK(may_be(element_wise_min_desc{}, tiny, tiny, not_a_number) == always);
  CHECK(may_be(element_wise_min_desc{}, 0.0f, tiny, not_a_number) == by_default);
  CHECK(may_be(element_wise_min_desc{}, 2 * tiny, tiny, not_a_number) == never);
  CHECK(may_be(element_wise_max_desc{}, -tiny, not_a_number, -tiny) == always);
  CHECK(may_be(element_wise_max_desc{}, tiny, not_a_number, -tiny) == never);
}

TEST_CASE("ELEMENT_WISE_CLIP and CLIP1 7.4: so may be bounds", "[element_wise]") {
  const element_wise_clip_desc clip{.min = tiny, .max = 3 * tiny};
  CHECK(may_be(clip, tiny, -5.0f) == always);
  CHECK(may_be(clip, 0.0f, -5.0f) == by_default);
  CHECK(may_be(clip, 3 * tiny, -5.0f) == by_default);
  CHECK(may_be(clip, -0.0f, -0.0f) == by_default);
  CHECK(may_be(clip, -5.0f, -5.0f) == never);
  CHECK(may_be(clip, -0.0f, 5.0f) == never);
  CHECK(may_be(element_wise_clip_desc{.min = -1, .max = tiny}, tiny, 0.0f) == by_default);
  const element_wise_clip_desc propagates{.min = tiny, .max = 3 * tiny, .nan_policy = nan_policy::propagate};
  CHECK(may_be(propagates, tiny, not_a_number) == never);
  CHECK(may_be(clip, tiny, not_a_number) == always);
  const element_wise_clip_desc below{.min = tiny, .max = not_a_number};
  CHECK(may_be(below, tiny, -5.0f) == always);
  CHECK(may_be(below, 0.0f, -5.0f) == by_default);
  CHECK(may_be(below, -5.0f, -5.0f) == never);
  // Min is above Max and above x: x is never the result.
  const element_wise_clip1_desc inverted{.min = 5.0f, .max = tiny};
  CHECK(may_be(inverted, 5.0f, 2 * tiny) == always);
  CHECK(may_be(inverted, tiny, 2 * tiny) == always);
  CHECK(may_be(inverted, 0.0f, 2 * tiny) == by_default);
  CHECK(may_be(inverted, 2 * tiny, 2 * tiny) == never);
}

TEST_CASE("ELEMENT_WISE_CLIP L23: bounds rounded toward zero to FLOAT16", "[element_wise]") {
  const auto half = [](unsigned bits) { return std::bit_cast<float16>(static_cast<std::uint16_t>(bits)); };
  // Both bounds are 2048 (0x6800), or toward zero 2048 and 2047, which are inverted.
  const element_wise_clip_desc cut{.min = 2048.25f, .max = 2047.75f};
  for (const unsigned x : {0x6700u, 0x6900u}) {
    CHECK(may_be(cut, half(0x6800), half(x)) == always);
    CHECK(may_be(cut, half(0x67FF), half(x)) == always);
    CHECK(may_be(cut, half(0x67FE), half(x)) == never);
    CHECK(may_be(cut, half(0x6801), half(x)) == never);
  }
  const element_wise_clip_desc desc{.min = 0.3f, .max = 65520};  // 0x34CD or 0x34CC, infinity or 65504
  CHECK(may_be(desc, half(0x34CD), half(0)) == always);
  CHECK(may_be(desc, half(0x34CC), half(0)) == always);
  CHECK(may_be(desc, half(0x34CB), half(0)) == never);
  CHECK(may_be(desc, half(0x34CC), half(0x34CC)) == always);
  CHECK(may_be(desc, half(0x34CC), half(0x34CD)) == never);
  CHECK(may_be(desc, half(0x7BFF), half(0x7C00)) == always);
  CHECK(may_be(desc, half(0x7C00), half(0x7C00)) == always);
  CHECK(may_be(desc, half(0x7C00), half(0x7BFF)) == never);
}

TEST_CASE("ELEMENT_WISE_ABS and NEGATE: integers that overflow, zeros", "[element_wise]") {
  const element_wise_abs_desc abs;
  const element_wise_negate_desc negate;
  CHECK(may_be(abs, std::int8_t{127}, std::int8_t{-128}) == always);
  CHECK(may_be(abs, std::int8_t{-128}, std::int8_t{-128}) == always);
  CHECK(may_be(abs, std::int8_t{126}, std::int8_t{-128}) == never);
  CHECK(may_be(negate, std::int16_t{32767}, std::int16_t{-32768}) == always);
  CHECK(may_be(negate, std::int16_t{-32767}, std::int16_t{-32768}) == never);
  CHECK(may_be(abs, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()) == never);
  CHECK(may_be(abs, std::int8_t{-1}, std::int8_t{1}) == never);
  CHECK(may_be(negate, 0.0f, 0.0f) == always);
  CHECK(may_be(negate, -0.0f, 0.0f) == always);
  CHECK(may_be(abs, -0.0f, 0.0f) == never);
  CHECK(may_be(abs, 0.0f, -tiny) == by_default);
  CHECK(may_be(negate, -0.0f, tiny) == by_default);
}

TEST_CASE("ELEMENT_WISE_SIGN: zeros and NaN", "[element_wise]") {
  const element_wise_sign_desc sign;
  CHECK(may_be(sign, 0.0f, -0.0f) == always);
  CHECK(may_be(sign, -0.0f, -0.0f) == always);
  CHECK(may_be(sign, not_a_number, not_a_number) == always);
  CHECK(may_be(sign, -0.0f, not_a_number) == always);
  CHECK(may_be(sign, 1.0f, not_a_number) == never);
  CHECK(may_be(sign, 0.0f, 2.0f) == never);
  CHECK(may_be(sign, 0.0f, tiny) == by_default);
  CHECK(may_be(element_wise_sign_desc{.nan_policy = nan_policy::propagate}, 0.0f, not_a_number) == never);
}

TEST_CASE("ELEMENT_WISE_CEIL, FLOOR and ROUND: the sign of zero", "[element_wise]") {
  const element_wise_ceil_desc ceil;
  CHECK(may_be(ceil, 0.0f, -0.5f) == always);
  CHECK(may_be(ceil, -0.0f, -0.5f) == always);
  CHECK(may_be(ceil, 1.0f, -0.5f) == never);
  CHECK(may_be(ceil, 0.0f, tiny) == by_default);
  CHECK(may_be(element_wise_floor_desc{}, -0.0f, 0.5f) == always);
  CHECK(may_be(element_wise_floor_desc{}, -0.0f, -tiny) == by_default);
  CHECK(may_be(element_wise_round_desc{}, 0.0f, -0.25f) == always);
  CHECK(may_be(element_wise_round_desc{}, 3.0f, 2.5f) == never);
  CHECK(may_be(ceil, static_cast<float16>(0.0f), std::bit_cast<float16>(std::uint16_t{1})) == never);
}

TEST_CASE("ELEMENT_WISE_CLIP and CLIP1: what a device may give", "[element_wise]") {
  const auto both = [](float got, float x, float min, float max) {
    const allowed clip = may_be(element_wise_clip_desc{.min = min, .max = max}, got, x);
    CHECK(may_be(element_wise_clip1_desc{.min = min, .max = max}, got, x) == clip);
    return clip;
  };
  for (const float any : {1.0f, 3.0f, not_a_number}) CHECK(both(any, not_a_number, 1, 3) == always);
  CHECK(both(2, not_a_number, 1, 3) == never);
  for (const float x : {0.0f, 2.0f, 9.0f}) {
    CHECK(both(3, x, 3, 1) == always);
    CHECK(both(1, x, 3, 1) == always);
    CHECK(both(2, x, 3, 1) == never);
  }
  CHECK(both(-infinity, -infinity, not_a_number, 3) == always);
  CHECK(both(not_a_number, -infinity, not_a_number, 3) == always);
  CHECK(both(0, -infinity, not_a_number, 3) == never);
  CHECK(both(5, 5, 1, not_a_number) == always);
  CHECK(both(not_a_number, 5, 1, not_a_number) == always);
  CHECK(both(1, 5, 1, not_a_number) == never);
  CHECK(both(not_a_number, 2, 1, 3) == never);
  CHECK(both(-0.0f, -0.0f, 0, 1) == always);
  CHECK(both(0.0f, -0.0f, 0, 1) == always);
  CHECK(both(-0.0f, 0.0f, 0, 1) == never);
  CHECK(both(0.0f, tiny, -1, 1) == by_default);
  // As StableHLO has it: Max, on integers.
  CHECK(may_be(element_wise_clip1_desc{.min = 2, .max = -1}, -1, 3) == always);
  CHECK(may_be(element_wise_clip1_desc{.min = 2, .max = -1}, 3, 3) == never);
  const element_wise_clip_desc propagate{.min = 1, .max = 3, .nan_policy = nan_policy::propagate};
  CHECK(may_be(propagate, 1.0f, not_a_number) == never);
  CHECK(may_be(propagate, not_a_number, not_a_number) == always);
}

TEST_CASE("A3: ELEMENT_WISE_BIT_SHIFT by the width or more is 0, or by the count modulo 32 or 64", "[element_wise]") {
  const auto shift = [](auto got, auto x, auto count, shift_policy policy) {
    const allowed left = may_be(element_wise_bit_shift_left_desc{.shift_policy = policy}, got, x, count);
    CHECK(may_be(element_wise_bit_shift_right_desc{.shift_policy = policy}, got, x, count) == left);
    return left;
  };
  using u8 = std::uint8_t;
  using u64 = std::uint64_t;
  CHECK(shift(u8{77}, u8{1}, u8{8}, shift_policy::zero) == never);
  CHECK(shift(u8{1}, u8{1}, u8{8}, shift_policy::zero) == never);   // in 32 bits
  CHECK(shift(u8{1}, u8{1}, u8{32}, shift_policy::zero) == always);
  CHECK(shift(u8{0}, u8{1}, u8{32}, shift_policy::zero) == always);
  CHECK(shift(77u, 1u, 32u, shift_policy::zero) == never);
  CHECK(shift(1u, 1u, 32u, shift_policy::zero) == always);
  CHECK(shift(0u, 1u, 32u, shift_policy::zero) == always);
  CHECK(shift(u64{5}, u64{5}, u64{128}, shift_policy::zero) == always);
  CHECK(shift(u64{5}, u64{5}, u64{32}, shift_policy::zero) == never);
  CHECK(may_be(element_wise_bit_shift_left_desc{}, 24u, 3u, 35u) == always);
  CHECK(may_be(element_wise_bit_shift_right_desc{}, 3u, 24u, 35u) == always);
  CHECK(may_be(element_wise_bit_shift_right_desc{}, 24u, 24u, 35u) == never);
  CHECK(shift(77u, 1u, 31u, shift_policy::zero) == never);
  CHECK(shift(77u, 1u, 32u, shift_policy::mask) == never);
  CHECK(shift(1u, 1u, 32u, shift_policy::mask) == always);
}

TEST_CASE("ELEMENT_WISE comparisons: FLOAT32 subnormals may be flushed", "[element_wise]") {
  CHECK(may_be(element_wise_logical_equals_desc{}, std::uint8_t{1}, tiny, 0.0f) == by_default);
  CHECK(may_be(element_wise_logical_less_than_desc{}, std::uint8_t{1}, tiny, 2 * tiny) == always);
  CHECK(may_be(element_wise_logical_less_than_desc{}, std::uint8_t{0}, tiny, 2 * tiny) == by_default);
  CHECK(may_be(element_wise_logical_equals_desc{}, std::uint8_t{1}, not_a_number, not_a_number) == never);
  CHECK(may_be(element_wise_is_nan_desc{}, std::uint8_t{1}, tiny) == never);
}

TEST_CASE("ELEMENT_WISE_MIN, MAX and CLIP: zeros of both signs after a flush", "[element_wise]") {
  const element_wise_min_desc min;
  const element_wise_max_desc max;
  CHECK(may_be(min, -0.0f, tiny, -0.0f) == always);
  CHECK(may_be(min, 0.0f, tiny, -0.0f) == by_default);  // the zero of the flushed subnormal
  CHECK(may_be(max, -0.0f, -tiny, 0.0f) == by_default);
  CHECK(may_be(max, tiny, tiny, 0.0f) == always);
  CHECK(may_be(max, -tiny, -tiny, 0.0f) == by_default);  // compared as a zero, returned as it is
  CHECK(may_be(element_wise_clip_desc{.min = -1, .max = 0}, -0.0f, tiny) == never);
  CHECK(may_be(element_wise_clip_desc{.min = -1, .max = 0}, 0.0f, -tiny) == by_default);
}

TEST_CASE("ELEMENT_WISE_BIT: a NaN is compared bit by bit", "[element_wise]") {
  const auto bits = [](std::uint32_t pattern) { return std::bit_cast<float>(pattern); };
  CHECK(may_be(element_wise_bit_not_desc{}, bits(0xFFFF'FFFF), 0.0f) == always);
  CHECK(may_be(element_wise_bit_not_desc{}, bits(0xFFFF'FFFE), 0.0f) == never);
  CHECK(may_be(element_wise_bit_or_desc{}, bits(0x7FC0'0001), bits(0x7F80'0001), bits(0x7F80'0000)) == never);
  CHECK(may_be(element_wise_identity_desc{}, bits(0x7FC0'0001), bits(0x7F80'0001)) == by_default);
}
