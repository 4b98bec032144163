// What a device may answer to CAST, and to PADDING with a value that the tensors do not hold (ledger L35, L36), by
// hand-made tables; every alternative of FLOAT16 and of small integers against exhaustive searches.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/operators/cast.hpp>
#include <goldml/operators/padding.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/cast.hpp>
#include <goldml/reference/padding.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::from_bits;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr cast_desc wrap{.cast_overflow = cast_overflow::wrap};
constexpr cast_desc clamp{.integer_narrowing = integer_narrowing::clamp};

oracle::golden expected(const auto& desc, const const_tensor_ref& input, const tensor_desc& output) {
  return oracle::expect(desc, std::span(&input, 1), std::span(&output, 1));
}

// Whether a device may answer `got` to the conversion of x.
template <class To, class From>
bool may_be(To got, From x, const cast_desc& desc = {}, const oracle::compare_options& options = {}) {
  const tensor_view<const From> input{&x, {1}};
  const auto golden = expected(desc, input, {.data_type = data_type_of<To>, .sizes = {1}});
  const const_tensor_ref actual = tensor_view<const To>{&got, {1}};
  return oracle::compare(golden, std::span(&actual, 1), options).tolerated();
}
template <class To, class From>
bool may_be_strictly(To got, From x) {
  return may_be(got, x, {}, oracle::compare_options::strict());
}
template <class To, class From>
bool may_be_anything(From x, const cast_desc& desc = {}) {
  return may_be(To(0), x, desc) && may_be(To(1), x, desc) && may_be(std::numeric_limits<To>::max(), x, desc) &&
         may_be(std::numeric_limits<To>::min(), x, desc);
}

float16 half(std::uint16_t pattern) { return from_bits<float16>(pattern); }
double power(int exponent) { return std::ldexp(1.0, exponent); }

}  // namespace

TEST_CASE("CAST, a float to a narrower float: the nearest, or toward zero", "[cast]") {
  const float above_half = 1 + 3 * static_cast<float>(power(-12));  // nearest 0x3C01, toward zero 0x3C00
  CHECK(may_be(half(0x3C01), above_half));
  CHECK(may_be(half(0x3C00), above_half));
  CHECK_FALSE(may_be(half(0x3C02), above_half));
  CHECK_FALSE(may_be(half(0x3BFF), above_half));
  CHECK(may_be(half(0xBC00), -above_half));
  CHECK_FALSE(may_be(half(0xBC02), -above_half));
  const float below_half = 1 + static_cast<float>(power(-12));  // both 0x3C00
  CHECK(may_be(half(0x3C00), below_half));
  CHECK_FALSE(may_be(half(0x3C01), below_half));
  CHECK_FALSE(may_be(half(0x3BFF), below_half));
  // Exact.
  CHECK_FALSE(may_be(half(0x3BFF), 1.0f));
  CHECK_FALSE(may_be(half(0x3C01), 1.0));
  // FLOAT64 to FLOAT16 through FLOAT32: the second rounding is toward zero.
  CHECK(may_be(half(0x3C00), 1 + power(-11) + power(-30)));
  CHECK(may_be(from_bits<float>(0x3F80'0000), 1 + power(-24) + power(-52)));
  CHECK_FALSE(may_be(from_bits<float>(0x3F80'0002), 1 + power(-24) + power(-52)));
  // Subnormal results, and a result of zero.
  CHECK(may_be(half(0x0001), 1.5 * power(-24) + power(-40)));
  CHECK(may_be(half(0x0002), 1.5 * power(-24) + power(-40)));
  CHECK(may_be(half(0x0000), 0.75 * power(-24)));
  CHECK_FALSE(may_be(half(0x8000), 0.75 * power(-24)));
  CHECK_FALSE(may_be(half(0x0001), 0.25 * power(-24)));
}

TEST_CASE("CAST, a float to a narrower float: overflow, NaN", "[cast]") {
  for (const float x : {65520.0f, 65536.0f, 1e30f}) {
    CHECK(may_be(half(0x7C00), x));
    CHECK(may_be(half(0x7BFF), x));
    CHECK_FALSE(may_be(half(0x7BFE), x));
    CHECK_FALSE(may_be(half(0xFC00), x));
    CHECK(may_be(half(0xFBFF), -x));
  }
  CHECK_FALSE(may_be(half(0x7C00), 65519.0f));
  CHECK_FALSE(may_be(half(0x7BFF), infinity));
  CHECK(may_be(std::numeric_limits<float>::max(), std::numeric_limits<double>::max()));
  CHECK(may_be(half(0x7E00), not_a_number));
  CHECK(may_be(half(0xFC01), not_a_number));
  CHECK_FALSE(may_be(half(0x7C00), not_a_number));
  CHECK_FALSE(may_be_strictly(half(0xFC01), not_a_number));
}

TEST_CASE("CAST: every pair of neighbours of FLOAT16, between them and at them", "[cast]") {
  std::size_t wrong = 0;
  goldml_test::thinned pairs(7);
  for (std::uint16_t low = 0; low < 0x7C00; low = static_cast<std::uint16_t>(low + 1 + low % 3)) {
    if (pairs.skips() && low != 0x7BFF) continue;
    const double below = static_cast<double>(half(low));
    const double above = low == 0x7BFF ? 65536.0 : static_cast<double>(half(static_cast<std::uint16_t>(low + 1)));
    for (const double part : {0.0, 0.25, 0.5, 0.75})
      for (const double sign : {1.0, -1.0}) {
        const double x = sign * (below + part * (above - below));
        const auto with_sign = [&](int pattern) {
          return half(static_cast<std::uint16_t>(pattern | (sign < 0 ? 0x8000 : 0)));
        };
        const bool rounds_up = part > 0.5 || (part == 0.5 && low % 2 == 1);
        if (!may_be(with_sign(low), x)) ++wrong;
        if (may_be(with_sign(low + 1), x) != rounds_up) ++wrong;
        if (low != 0 && may_be(with_sign(low - 1), x)) ++wrong;
      }
  }
  CHECK(wrong == 0);
}

TEST_CASE("CAST: FLOAT32 subnormals may be flushed, as inputs and as results; FLOAT16 and FLOAT64 may not", "[cast]") {
  const float tiny = from_bits<float>(0x8000'0100);
  CHECK(may_be(-0.0, tiny));
  CHECK_FALSE(may_be(0.0, tiny));
  CHECK_FALSE(may_be_strictly(-0.0, tiny));
  CHECK(may_be_strictly(static_cast<double>(detail::widened(tiny)), tiny));
  CHECK(may_be(half(0x8000), tiny));
  const double small = -1.75 * power(-149);
  CHECK(may_be(from_bits<float>(0x8000'0002), small));
  CHECK(may_be(from_bits<float>(0x8000'0001), small));
  CHECK(may_be(from_bits<float>(0x8000'0000), small));
  CHECK_FALSE(may_be(0.0f, small));
  CHECK(may_be(0.0f, power(-140)));
  CHECK_FALSE(may_be_strictly(0.0f, power(-140)));
  CHECK(may_be_strictly(from_bits<float>(0x8000'0001), small));  // a rounding, not a flush
  CHECK_FALSE(may_be(0.0f, power(-126)));
  // The largest number below the normal ones is rounded to a normal one, or toward zero to a subnormal, then flushed.
  CHECK(may_be(from_bits<float>(0x0080'0000), power(-126) - power(-151)));
  CHECK(may_be(0.0f, power(-126) - power(-151)));
  CHECK_FALSE(may_be(0.0f, half(0x0001)));
  CHECK_FALSE(may_be(half(0x0000), static_cast<float>(power(-24))));
  CHECK_FALSE(may_be(0.0, half(0x83FF)));
}

TEST_CASE("CAST, an integer to a float: the nearest, or toward zero", "[cast]") {
  CHECK(may_be(16777220.0f, 16777219));
  CHECK(may_be(16777218.0f, 16777219));
  CHECK_FALSE(may_be(16777216.0f, 16777219));
  CHECK_FALSE(may_be(16777218.0f, 16777217));
  CHECK(may_be(-16777218.0f, -16777219));
  CHECK_FALSE(may_be(-16777222.0f, -16777219));
  CHECK_FALSE(may_be(16777214.0f, 16777216));
  CHECK(may_be(18446744073709551616.0f, std::numeric_limits<std::uint64_t>::max()));
  CHECK(may_be(18446742974197923840.0f, std::numeric_limits<std::uint64_t>::max()));
  CHECK_FALSE(may_be(18446741874686296064.0f, std::numeric_limits<std::uint64_t>::max()));
  CHECK(may_be(9223372036854774784.0, std::numeric_limits<std::int64_t>::max()));
  CHECK_FALSE(may_be(from_bits<double>(0xC3DF'FFFF'FFFF'FFFF), std::numeric_limits<std::int64_t>::min()));
  CHECK(may_be(half(0x7C00), 65520));
  CHECK(may_be(half(0x7BFF), 65520));
  CHECK(may_be(half(0xFBFF), std::int64_t{-1'000'000}));
  CHECK_FALSE(may_be(half(0x7C00), 65519));
  CHECK_FALSE(may_be(half(0x3C01), 1));
  CHECK_FALSE(may_be(-0.0f, 0));
}

TEST_CASE("CAST, a float to an integer: anything out of range, and exact in range", "[cast]") {
  CHECK(may_be_anything<std::uint8_t>(256.0f));
  CHECK(may_be_anything<std::uint8_t>(-1.0f));
  CHECK(may_be_anything<std::uint8_t>(not_a_number));
  CHECK(may_be_anything<std::uint8_t>(half(0x7C00)));
  CHECK(may_be_anything<std::int8_t>(-129.0));
  CHECK(may_be_anything<std::int8_t>(128.0));
  CHECK(may_be_anything<std::int32_t>(2147483648.0f));
  CHECK(may_be_anything<std::uint32_t>(4294967296.0));
  CHECK(may_be_anything<std::int64_t>(power(63)));
  CHECK(may_be_anything<std::int64_t>(std::nextafter(-power(63), -1e30)));
  CHECK(may_be_anything<std::uint64_t>(power(64)));
  CHECK_FALSE(may_be(std::uint8_t{254}, 255.9f));
  CHECK_FALSE(may_be(std::uint8_t{1}, -0.9f));
  CHECK_FALSE(may_be(std::uint8_t{1}, from_bits<float>(0x8000'0001)));
  CHECK_FALSE(may_be(std::int8_t{127}, -128.9f));
  CHECK_FALSE(may_be(0, -2147483648.9));
  CHECK_FALSE(may_be(3, 2.9f));
  CHECK_FALSE(may_be(std::int64_t{0}, -power(63)));
  CHECK_FALSE(may_be(std::uint64_t{0}, std::nextafter(power(64), 0)));
  CHECK_FALSE(may_be(std::uint16_t{65503}, half(0x7BFF)));
  // A policy that is not the default asks for its value.
  CHECK_FALSE(may_be(std::uint8_t{255}, 256.0f, wrap));
  CHECK(may_be(std::uint8_t{0}, 256.0f, wrap));
  CHECK_FALSE(may_be(std::uint8_t{1}, not_a_number, wrap));
}

TEST_CASE("CAST, every integer of 16 bits to 8 bits: the low bits or the nearest", "[cast]") {
  std::size_t wrong = 0;
  const auto check = [&]<class From, class To>(From x, To) {
    using limits = std::numeric_limits<To>;
    const auto low_bits = static_cast<To>(x);
    const To nearest = x < limits::min() ? limits::min() : x > limits::max() ? limits::max() : static_cast<To>(x);
    for (const To got : {low_bits, nearest, static_cast<To>(low_bits + 1), limits::min(), limits::max(), To(0)}) {
      if (may_be(got, x) != (got == low_bits || got == nearest)) ++wrong;
      if (may_be(got, x, clamp) != (got == nearest)) ++wrong;
    }
  };
  goldml_test::thinned numbers(7);
  for (int i = 0; i < 0x1'0000; i += i % 256 == 130 ? 97 : 1) {
    if (numbers.skips()) continue;
    check(static_cast<std::int16_t>(i), std::int8_t{});
    check(static_cast<std::int16_t>(i), std::uint8_t{});
    check(static_cast<std::uint16_t>(i), std::int8_t{});
  }
  CHECK(wrong == 0);
  CHECK(may_be(std::int64_t{-1}, std::numeric_limits<std::uint64_t>::max()));
  CHECK(may_be(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::uint64_t>::max()));
  CHECK_FALSE(may_be(std::int64_t{0}, std::numeric_limits<std::uint64_t>::max()));
  CHECK(may_be(std::uint32_t{0}, std::int8_t{-1}));
  CHECK(may_be(std::uint32_t{0xFFFF'FFFF}, std::int8_t{-1}));
  CHECK_FALSE(may_be(std::uint32_t{0xFF}, std::int8_t{-1}));
}

TEST_CASE("CAST of the same data type: bits", "[cast]") {
  CHECK_FALSE(may_be(1.5f, std::nextafter(1.5f, 2.0f)));
  CHECK_FALSE(may_be(std::int8_t{1}, std::int8_t{2}));
  CHECK(may_be_strictly(from_bits<float>(0x7F81'2345), from_bits<float>(0x7F81'2345)));
  CHECK_FALSE(may_be_strictly(not_a_number, from_bits<float>(0x7F81'2345)));
  CHECK_FALSE(may_be_strictly(0.0f, from_bits<float>(0x0000'0001)));
}

TEST_CASE("PADDING: a PaddingValue that the tensors do not hold", "[padding]") {
  const auto may_be_padded = [](const padding_desc& desc, auto before, auto element, auto after) {
    using T = decltype(before);
    const T x = element;
    const tensor_view<const T> input{&x, {1}};
    const auto golden = expected(desc, input, {.data_type = data_type_of<T>, .sizes = {3}});
    const std::vector<T> got{before, element, after};
    const const_tensor_ref actual = tensor_view{got, {3}};
    return oracle::compare(golden, std::span(&actual, 1)).tolerated();
  };
  const padding_desc desc{.padding_value = 0.1f, .start_padding = {1}, .end_padding = {1}};
  const float16 nearest(0.1f);  // 0x2E66, which is below 0.1
  REQUIRE(bits(nearest) == 0x2E66);
  CHECK(may_be_padded(desc, nearest, half(0), nearest));
  CHECK_FALSE(may_be_padded(desc, half(0x2E67), half(0), nearest));
  padding_desc up = desc;
  up.padding_value = from_bits<float>(0x3DCC'D001);  // 0x2E67 is nearest, 0x2E66 is toward zero
  CHECK(may_be_padded(up, half(0x2E67), half(0), half(0x2E66)));
  CHECK_FALSE(may_be_padded(up, half(0x2E68), half(0), half(0x2E66)));
  CHECK_FALSE(may_be_padded(up, half(0x2E67), half(0x2E67), half(0x2E65)));
  padding_desc large = desc;
  large.padding_value = 300.0f;
  CHECK(may_be_padded(large, std::uint8_t{44}, std::uint8_t{1}, std::uint8_t{255}));
  CHECK_FALSE(may_be_padded(large, std::uint16_t{44}, std::uint16_t{1}, std::uint16_t{300}));
  CHECK(may_be_padded(large, std::uint16_t{300}, std::uint16_t{1}, std::uint16_t{300}));
  large.padding_mode = padding_mode::edge;
  CHECK_FALSE(may_be_padded(large, std::uint8_t{44}, std::uint8_t{1}, std::uint8_t{1}));
  CHECK_FALSE(may_be_padded(desc, std::int32_t{1}, std::int32_t{7}, std::int32_t{0}));
}

TEST_CASE("CAST 7.4: only FLOAT64 is flushed to a zero of FLOAT32, whatever the bits of other inputs", "[cast]") {
  const std::int64_t x = 0x37D0'0000'0000'0000;  // of 2^-130 as a FLOAT64
  CHECK(may_be(static_cast<float>(x), x));
  CHECK(!may_be(0.0F, x));
  CHECK(may_be(0.0F, 0x1p-130));
}
