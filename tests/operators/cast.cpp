// CAST: results and violations.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/operators/cast.hpp>
#include <goldml/reference/cast.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr cast_desc wrap{.cast_overflow = cast_overflow::wrap};
constexpr cast_desc clamp{.integer_narrowing = integer_narrowing::clamp};

template <class To, class From>
To one(From x, const cast_desc& desc = {}) {
  return cast<To>(reference, tensor<From>({1}, {x}), desc).elements()[0];
}
// The bits of the result, from the bits of the input.
template <class To, class From>
std::uint64_t of_bits(std::uint64_t pattern) {
  return bits(one<To>(from_bits<From>(pattern)));
}

std::string refused(const cast_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { cast(reference, t..., desc); }, input, output);
}
std::string refused_at(feature_level level, data_type from, data_type to, const dimensions& sizes) {
  return refused({.feature_level = level}, {.data_type = from, .sizes = sizes}, {.data_type = to, .sizes = sizes});
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("CAST: of the same data type, bits are copied", "[cast]", a11_types) {
  const tensor<TestType> x({7}, different_elements<TestType>(7, 0));
  CHECK(bits(cast<TestType>(reference, x).elements()) == bits(x.elements()));
}

TEST_CASE("CAST: of the same data type, signalling NaN and subnormals are copied", "[cast]") {
  for (const std::uint64_t pattern : {0x7F81'2345u, 0xFFBF'FFFFu, 0x8000'0000u, 0x0000'0001u, 0x807F'FFFFu})
    CHECK(of_bits<float, float>(pattern) == pattern);
  for (const std::uint64_t pattern : {0x7C12u, 0xFDFFu, 0x8000u, 0x0001u, 0x83FFu})
    CHECK(of_bits<float16, float16>(pattern) == pattern);
}

TEMPLATE_LIST_TEST_CASE("CAST: numbers that every type holds, between all types, typed and at run time", "[cast]",
                        a11_types) {
  const tensor<TestType> x({2, 2}, {TestType(0), TestType(1), TestType(2), TestType(127)});
  for (const data_type type :
       {data_type::float32, data_type::float16, data_type::int32, data_type::int16, data_type::int8, data_type::uint32,
        data_type::uint16, data_type::uint8, data_type::float64, data_type::int64, data_type::uint64})
    visit_data_type(a11_types{}, type, [&]<class To>(std::type_identity<To>) {
      CHECK(cast<To>(reference, x) == tensor<To>({2, 2}, {To(0), To(1), To(2), To(127)}));
      tensor<To> y({2, 2});
      cast(reference, const_tensor_ref(x.view()), tensor_ref(y.view()));
      CHECK(y == tensor<To>({2, 2}, {To(0), To(1), To(2), To(127)}));
    });
}

TEST_CASE("CAST: a float to a wider float is exact", "[cast]") {
  CHECK(of_bits<float, float16>(0x3C01) == 0x3F80'2000);  // 1 + 2^-10
  CHECK(of_bits<float, float16>(0x0001) == 0x3380'0000);  // 2^-24: normal
  CHECK(of_bits<float, float16>(0x83FF) == 0xB87F'C000);
  CHECK(of_bits<float, float16>(0x7BFF) == 0x477F'E000);  // 65504
  CHECK(of_bits<float, float16>(0x8000) == 0x8000'0000);
  CHECK(of_bits<float, float16>(0xFC00) == 0xFF80'0000);
  CHECK(of_bits<double, float>(0x0000'0001) == 0x36A0'0000'0000'0000);  // 2^-149
  CHECK(of_bits<double, float>(0x7F7F'FFFF) == 0x47EF'FFFF'E000'0000);
  CHECK(of_bits<double, float>(0xBF80'0001) == 0xBFF0'0000'2000'0000);
  CHECK(of_bits<double, float16>(0x0001) == 0x3E70'0000'0000'0000);
}

TEST_CASE("CAST: every FLOAT16 survives a wider float; all are exact", "[cast]") {
  std::size_t wrong = 0;
  for (std::uint32_t pattern = 0; pattern < 0x1'0000; ++pattern) {
    const auto x = from_bits<float16>(pattern);
    if (is_nan(x)) continue;
    const cast_desc desc;
    const float wide = detail::reference_cast::convert<float>(x, desc);
    const double wider = detail::reference_cast::convert<double>(x, desc);
    if (bits(detail::reference_cast::convert<float16>(wide, desc)) != pattern) ++wrong;
    if (bits(detail::reference_cast::convert<float16>(wider, desc)) != pattern) ++wrong;
    if (bits(detail::reference_cast::convert<float>(wider, desc)) != bits(wide)) ++wrong;
    // By the definition of the format.
    const int exponent = static_cast<int>(pattern >> 10 & 31);
    const int fraction = static_cast<int>(pattern & 1023);
    if (exponent < 31) {
      const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
      if (wider != (pattern >> 15 != 0 ? -magnitude : magnitude)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("CAST: a float to a narrower float is rounded once, to nearest even", "[cast]") {
  // FLOAT64 to FLOAT16 through FLOAT32 would give 0x3C00.
  CHECK(bits(one<float16>(1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -30))) == 0x3C01);
  CHECK(bits(one<float16>(1 + std::ldexp(1.0, -11))) == 0x3C00);      // halfway, to even
  CHECK(bits(one<float16>(1 + 3 * std::ldexp(1.0, -11))) == 0x3C02);  // halfway, to even
  CHECK(bits(one<float16>(1 + 3 * std::ldexp(1.0, -12))) == 0x3C01);
  CHECK(bits(one<float>(1 + std::ldexp(1.0, -24))) == 0x3F80'0000);
  CHECK(bits(one<float>(1 + std::ldexp(1.0, -24) + std::ldexp(1.0, -52))) == 0x3F80'0001);
  CHECK(bits(one<float>(1 + 3 * std::ldexp(1.0, -24))) == 0x3F80'0002);
  CHECK(bits(one<float>(-0.1)) == 0xBDCC'CCCD);
  // A carry into the exponent.
  CHECK(bits(one<float16>(2.0f - 0.0001f)) == 0x4000);
  CHECK(bits(one<float16>(from_bits<float>(0x387F'FFFF))) == 0x0400);  // into the normal numbers
}

TEST_CASE("CAST: overflow to an infinity from the midpoint on", "[cast]") {
  CHECK(bits(one<float16>(65519.99f)) == 0x7BFF);
  CHECK(bits(one<float16>(65520.0f)) == 0x7C00);
  CHECK(bits(one<float16>(-65520.0f)) == 0xFC00);
  CHECK(bits(one<float16>(std::numeric_limits<float>::max())) == 0x7C00);
  CHECK(bits(one<float16>(std::numeric_limits<double>::max())) == 0x7C00);
  const double largest = static_cast<double>(std::numeric_limits<float>::max());
  const double midpoint = largest + std::ldexp(1.0, 103);
  CHECK(bits(one<float>(midpoint)) == 0x7F80'0000);
  CHECK(bits(one<float>(std::nextafter(midpoint, 0.0))) == 0x7F7F'FFFF);
  CHECK(bits(one<float>(-std::numeric_limits<double>::max())) == 0xFF80'0000);
  CHECK(of_bits<float16, float>(0xFF80'0000) == 0xFC00);
  CHECK(of_bits<float, double>(0x7FF0'0000'0000'0000) == 0x7F80'0000);
}

TEST_CASE("CAST: results that are subnormal or zero", "[cast]") {
  CHECK(bits(one<float16>(std::ldexp(1.0f, -24))) == 0x0001);
  CHECK(bits(one<float16>(std::ldexp(1.0f, -25))) == 0x0000);  // halfway, to even
  CHECK(bits(one<float16>(std::ldexp(3.0f, -25))) == 0x0002);  // halfway, to even
  CHECK(bits(one<float16>(std::ldexp(1.0f, -25) * 1.0001f)) == 0x0001);
  CHECK(bits(one<float16>(-std::ldexp(1.0f, -26))) == 0x8000);
  CHECK(of_bits<float16, float>(0x8000'0001) == 0x8000);
  CHECK(bits(one<float>(std::ldexp(1.0, -149))) == 0x0000'0001);
  CHECK(bits(one<float>(std::ldexp(1.0, -150))) == 0x0000'0000);
  CHECK(bits(one<float>(std::ldexp(-3.0, -150))) == 0x8000'0002);
  CHECK(of_bits<float, double>(0x8000'0000'0000'0001) == 0x8000'0000);
  CHECK(of_bits<float16, double>(0x0000'0000'0000'0001) == 0x0000);
}

TEST_CASE("CAST: NaN stays NaN, quiet, of its sign", "[cast]") {
  CHECK(of_bits<float16, float>(0x7F80'0001) == 0x7E00);  // signalling, with a payload that FLOAT16 lacks
  CHECK(of_bits<float16, float>(0xFFC0'0000) == 0xFE00);
  CHECK(of_bits<float, float16>(0x7C01) == 0x7FC0'0000);
  CHECK(of_bits<double, float>(0xFF80'0001) == 0xFFF8'0000'0000'0000);
  CHECK(of_bits<float, double>(0x7FF0'0000'0000'0001) == 0x7FC0'0000);
}

TEST_CASE("CAST: an integer to a float is rounded once, to nearest even", "[cast]") {
  // UINT64 to FLOAT32 through FLOAT64 would give 2^63.
  const std::uint64_t x = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 39) + 1;
  CHECK(one<float>(x) == std::ldexp(1.0f, 63) + std::ldexp(1.0f, 40));
  CHECK(one<float>(x - 1) == std::ldexp(1.0f, 63));  // halfway, to even
  CHECK(one<float>(16777217) == 16777216.0f);
  CHECK(one<float>(16777219) == 16777220.0f);
  CHECK(one<float>(-16777219) == -16777220.0f);
  CHECK(one<double>(std::int64_t{9007199254740993}) == 9007199254740992.0);
  CHECK(one<double>(std::numeric_limits<std::uint64_t>::max()) == 18446744073709551616.0);
  CHECK(one<double>(std::numeric_limits<std::int64_t>::min()) == -9223372036854775808.0);
  CHECK(one<float>(std::numeric_limits<std::int32_t>::min()) == -2147483648.0f);
  CHECK(bits(one<float16>(65519)) == 0x7BFF);
  CHECK(bits(one<float16>(65520)) == 0x7C00);
  CHECK(bits(one<float16>(-65520)) == 0xFC00);
  CHECK(bits(one<float16>(std::uint16_t{0xFFFF})) == 0x7C00);
  CHECK(bits(one<float16>(std::int16_t{-32768})) == 0xF800);
  CHECK(bits(one<float16>(2049)) == bits(one<float16>(2048)));
  CHECK(bits(one<float>(0)) == 0);
  CHECK(bits(one<float>(std::int8_t{-128})) == 0xC300'0000);
}

TEST_CASE("CAST: a float to an integer is truncated toward zero", "[cast]") {
  CHECK(one<std::int32_t>(2.9f) == 2);
  CHECK(one<std::int32_t>(-2.9f) == -2);
  CHECK(one<std::uint8_t>(-0.9f) == 0);
  CHECK(one<std::uint8_t>(255.9f) == 255);
  CHECK(one<std::int8_t>(-128.9f) == -128);
  CHECK(one<std::int8_t>(127.9) == 127);
  CHECK(one<std::int32_t>(-0.0f) == 0);
  CHECK(one<std::int32_t>(from_bits<float>(1)) == 0);
  CHECK(one<std::int32_t>(from_bits<double>(0x8000'0000'0000'0001)) == 0);
  CHECK(one<std::int64_t>(4503599627370495.5) == 4503599627370495);
  CHECK(one<std::int32_t>(2147483647.9) == 2147483647);
  CHECK(one<std::uint64_t>(std::ldexp(1.0f, 63)) == std::uint64_t{1} << 63);
  CHECK(one<std::int64_t>(std::ldexp(-1.0f, 63)) == std::numeric_limits<std::int64_t>::min());
  CHECK(one<std::uint64_t>(18446744073709549568.0) == 18446744073709549568u);
  CHECK(one<std::int32_t>(float16(-1.5f)) == -1);
}

TEST_CASE("CAST: a float that the integer type does not hold saturates; NaN is 0", "[cast]") {
  CHECK(one<std::uint8_t>(256.0f) == 255);
  CHECK(one<std::uint8_t>(-1.0f) == 0);
  CHECK(one<std::int8_t>(128.0f) == 127);
  CHECK(one<std::int8_t>(-129.0f) == -128);
  CHECK(one<std::int16_t>(1e10f) == 32767);
  CHECK(one<std::int32_t>(2147483648.0f) == 2147483647);
  CHECK(one<std::uint32_t>(4294967296.0f) == 4294967295u);
  CHECK(one<std::int64_t>(std::ldexp(1.0, 63)) == std::numeric_limits<std::int64_t>::max());
  CHECK(one<std::uint64_t>(std::ldexp(1.0, 64)) == std::numeric_limits<std::uint64_t>::max());
  CHECK(one<std::int64_t>(-std::numeric_limits<double>::max()) == std::numeric_limits<std::int64_t>::min());
  CHECK(one<std::uint64_t>(-std::numeric_limits<double>::max()) == 0);
  CHECK(one<std::int16_t>(infinity) == 32767);
  CHECK(one<std::int16_t>(-infinity) == -32768);
  CHECK(one<std::uint16_t>(-infinity) == 0);
  CHECK(one<std::int32_t>(from_bits<float>(0x7FC0'0000)) == 0);
  CHECK(one<std::uint8_t>(from_bits<float16>(0xFC01)) == 0);
}

TEST_CASE("CAST: cast_overflow wrap keeps the low bits of the truncated integer", "[cast]") {
  CHECK(one<std::uint8_t>(256.0f, wrap) == 0);
  CHECK(one<std::uint8_t>(-1.0f, wrap) == 255);
  CHECK(one<std::uint8_t>(-1.9f, wrap) == 255);
  CHECK(one<std::int8_t>(300.7f, wrap) == 44);
  CHECK(one<std::int32_t>(4294967296.0 + 5, wrap) == 5);
  CHECK(one<std::int64_t>(std::ldexp(1.0, 63), wrap) == std::numeric_limits<std::int64_t>::min());
  CHECK(one<std::uint64_t>(std::ldexp(1.0, 64), wrap) == 0);
  CHECK(one<std::uint64_t>(std::ldexp(1.0, 64) + 4096, wrap) == 4096);
  CHECK(one<std::uint64_t>(std::numeric_limits<double>::max(), wrap) == 0);
  for (const float x : {infinity, -infinity, from_bits<float>(0x7FC0'0000)}) CHECK(one<std::int16_t>(x, wrap) == 0);
  CHECK(one<std::int16_t>(-2.9f, wrap) == -2);  // in range: the same
}

TEST_CASE("CAST: an integer that the type does not hold wraps, or clamps", "[cast]") {
  CHECK(one<std::uint8_t>(256) == 0);
  CHECK(one<std::uint8_t>(-1) == 255);
  CHECK(one<std::int8_t>(128) == -128);
  CHECK(one<std::int8_t>(std::uint8_t{200}) == -56);
  CHECK(one<std::uint64_t>(std::int8_t{-1}) == std::numeric_limits<std::uint64_t>::max());  // sign-extended first
  CHECK(one<std::int64_t>(std::numeric_limits<std::uint64_t>::max()) == -1);
  CHECK(one<std::int16_t>(std::int64_t{0x1234'5678'9ABC}) == 0x9ABC - 0x1'0000);
  CHECK(one<std::uint8_t>(256, clamp) == 255);
  CHECK(one<std::uint8_t>(-1, clamp) == 0);
  CHECK(one<std::int8_t>(128, clamp) == 127);
  CHECK(one<std::int8_t>(-129, clamp) == -128);
  CHECK(one<std::uint64_t>(std::int8_t{-1}, clamp) == 0);
  CHECK(one<std::int64_t>(std::numeric_limits<std::uint64_t>::max(), clamp) ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(one<std::int16_t>(std::int32_t{-5}, clamp) == -5);
}

TEST_CASE("CAST: one to eight dimensions, in all layouts; gaps are unchanged", "[cast]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    dimensions sizes = dimensions::filled(rank, 2);
    sizes[0] = 3;
    std::vector<std::int16_t> data;
    std::vector<double> wanted;
    for (int i = 0; i < static_cast<int>(element_count(sizes)); ++i) {
      data.push_back(static_cast<std::int16_t>(100 - 7 * i));
      wanted.push_back(100 - 7 * i);
    }
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts) {
        laid_out<std::int16_t> x(sizes, strides_of(of_input, sizes), data);
        laid_out<double> y(sizes, strides_of(of_output, sizes), std::vector<double>(wanted.size()));
        cast(reference, x.view(), y.view());
        CHECK(y.elements() == wanted);
        CHECK((x.gaps_untouched() && y.gaps_untouched()));
      }
  }
}

TEST_CASE("CAST: feature levels, their types and dimensions", "[cast]") {
  using enum feature_level;
  using enum data_type;
  const dimensions four{1, 1, 2, 4};
  for (const data_type type : {float32, float16, int16, int8, uint16, uint8}) {
    CHECK(refused_at(level_1_0, type, float32, four) == "");
    CHECK(refused_at(level_1_0, float16, type, four) == "");
  }
  for (const data_type type : {int32, uint32, int64, uint64}) {
    CHECK(refused_at(level_2_1, type, float32, four) == "T3");
    CHECK(refused_at(level_2_1, float32, type, four) == "T3");
    CHECK(refused_at(level_3_0, type, float32, four) == "");
    CHECK(refused_at(level_3_0, float32, type, four) == "");
  }
  CHECK(refused_at(level_4_0, float64, float32, four) == "T3");
  CHECK(refused_at(level_4_0, float32, float64, four) == "T3");
  CHECK(refused_at(level_4_1, float64, float64, four) == "");
  CHECK(refused_at(level_6_4, unknown, float32, four) == "T3");
  for (const dimensions& sizes : {dimensions{4}, dimensions{1, 1, 1, 2, 4}, dimensions::filled(8, 1)}) {
    CHECK(refused_at(level_3_0, float32, float16, sizes) == "T4 T4");
    CHECK(refused_at(level_3_1, float32, float16, sizes) == "");
  }
}

TEST_CASE("CAST CA2, CA3: another DimensionCount, other sizes", "[cast]") {
  const tensor_desc x{.data_type = data_type::float32, .sizes = {2, 3}};
  const tensor_desc longer{.data_type = data_type::int8, .sizes = {1, 2, 3}};
  const tensor_desc other{.data_type = data_type::int8, .sizes = {2, 4}};
  CHECK(refused({}, x, longer) == "CA2");
  CHECK(to_string(goldml_test::only_violation(cast_desc{}, x, longer)) ==
        "CAST CA2: OutputTensor.DimensionCount is 3, wanted 2 (the input's)");
  CHECK(refused({}, x, other) == "CA3");
  CHECK(to_string(goldml_test::only_violation(cast_desc{}, x, other)) ==
        "CAST CA3: OutputTensor.Sizes is {2,4}, wanted {2,3} (the input's)");
}

TEST_CASE("CAST: there is no execution in place", "[cast]") {
  std::vector<float> memory(4, 1);
  CHECK(refusal_of([&] { cast(reference, memory, memory); }) == "T12");
  CHECK(memory == std::vector<float>(4, 1));
}
