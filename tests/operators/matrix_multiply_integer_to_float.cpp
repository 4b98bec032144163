// MATRIX_MULTIPLY_INTEGER_TO_FLOAT: the examples of SPEC-quantised 4.9, what a device may answer, legal and wrong
// devices (ledger QU-R10, QU-R11, QU-R17).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/matrix_multiply_integer_to_float.hpp>
#include <goldml/oracle/matches.hpp>
#include <goldml/oracle/verdicts/matrix_multiply_integer_to_float.hpp>
#include <goldml/reference/matrix_multiply_integer_to_float.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"

namespace {

using namespace goldml;
using floats = std::vector<float>;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T, class S>
tensor<T> tensor_of(const dimensions& sizes, const std::vector<S>& elements) {
  tensor<T> result(sizes);
  for (std::size_t i = 0; i < elements.size(); ++i) result.data()[i] = static_cast<T>(elements[i]);
  return result;
}
template <class T>
tensor<T> numbers_of(const dimensions& sizes, const floats& elements) {
  return tensor_of<T>(sizes, elements);
}

// A golden answer, equal on both backends, and how the comparer takes a number: r refused, s suspicious, t toward zero,
// u usual, o overflowed, ? not defined.
template <class T>
struct answer {
  std::vector<T> golden;
  std::optional<oracle::golden_output> output;

  floats values() const {
    floats result;
    for (const T y : golden) result.push_back(static_cast<float>(y));
    return result;
  }
  char at(std::size_t element, float value, const oracle::compare_options& options = {}) const {
    if (output->verdicts[element] == verdict::undefined) return '?';
    return "rostu"[static_cast<int>(
        oracle::place_of<T>(*output, element, golden[element], static_cast<T>(value), options))];
  }
  std::string at(std::size_t element, const floats& all, const oracle::compare_options& options = {}) const {
    std::string result;
    for (const float value : all) result += at(element, value, options);
    return result;
  }
};

template <class T>
answer<T> computed(const std::vector<const_tensor_ref>& inputs, const dimensions& sizes,
                   const matrix_multiply_integer_to_float_desc& desc = {}) {
  tensor<T> y(sizes), fast(sizes);
  const std::array<tensor_ref, 1> outputs{tensor_ref(y.view())}, others{tensor_ref(fast.view())};
  evaluate(reference, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
  evaluate(cpu, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(others));
  const auto count = static_cast<std::size_t>(element_count(sizes));
  for (std::size_t i = 0; i < count; ++i)
    CHECK((y.data()[i] == fast.data()[i] || (y.data()[i] != y.data()[i] && fast.data()[i] != fast.data()[i])));
  using traits = oracle::verdict_traits<matrix_multiply_integer_to_float_desc>;
  std::vector<output_verdicts> verdicts{output_verdicts(count)};
  traits::verdicts(desc, inputs, outputs, verdicts);
  answer<T> result{
      {y.data(), y.data() + count},
      oracle::golden_output{host_tensor(tensor_desc{.data_type = data_type_of<T>, .sizes = sizes}), verdicts[0]}};
  std::vector<output_verdicts> flushed{output_verdicts(count)};
  traits::flushed_verdicts(desc, inputs, outputs, flushed);
  result.output->flushed_verdicts = std::make_shared<const output_verdicts>(flushed[0]);
  return result;
}

// One row of A, one column of B.
template <class T, class A, class B>
answer<T> product(const std::vector<A>& a, const std::vector<B>& b, float as, float bs, std::optional<float> bias = {},
                  const matrix_multiply_integer_to_float_desc& desc = {}, A a_zero = 0, B b_zero = 0) {
  const auto n = static_cast<std::uint32_t>(a.size());
  const tensor<A> left({1, n}, a), of_left({1}, {a_zero});
  const tensor<B> right({n, 1}, b), of_right({1}, {b_zero});
  const auto a_scale = numbers_of<T>({1}, {as}), b_scale = numbers_of<T>({1}, {bs}),
             addend = numbers_of<T>({1, 1}, {bias.value_or(0)});
  return computed<T>(
      {left.view(), a_scale.view(), a_zero == 0 ? const_tensor_ref() : const_tensor_ref(of_left.view()), right.view(),
       b_scale.view(), b_zero == 0 ? const_tensor_ref() : const_tensor_ref(of_right.view()),
       bias ? const_tensor_ref(addend.view()) : const_tensor_ref()},
      {1, 1}, desc);
}

}  // namespace

TEST_CASE("MATRIX_MULTIPLY_INTEGER_TO_FLOAT: the page's formula by hand", "[matrix_multiply_integer_to_float]") {
  const auto a = tensor_of<std::uint8_t>({2, 3}, std::vector<int>{255, 0, 130, 1, 2, 3});
  const auto az = tensor_of<std::uint8_t>({2, 1}, std::vector<int>{128, 2});
  const auto b = tensor_of<std::int8_t>({3, 2}, std::vector<int>{127, -128, 3, 0, -5, 7});
  const auto bz = tensor_of<std::int8_t>({1, 2}, std::vector<int>{-1, 5});
  const auto as = numbers_of<float>({1, 1}, {0.5F}), bs = numbers_of<float>({1, 1}, {0.25F});
  const auto bias = numbers_of<float>({2, 2}, {0.5F, 0.5F, 0.5F, 0.5F});
  const auto y = computed<float>({a.view(), as.view(), az.view(), b.view(), bs.view(), bz.view(), bias.view()}, {2, 2});
  CHECK(y.values() == floats{1967.5F, -2030.375F, -16, 17.375F});
  CHECK(y.output->verdicts.all_exact());
  // A scale for each row and column, and other types.
  const auto words = tensor_of<std::int32_t>({2, 1}, std::vector<int>{100000, -3});
  const auto shorts = tensor_of<std::uint16_t>({1, 2}, std::vector<int>{60000, 1});
  // A small negative sum times an infinite scale.
  CHECK(product<float>(std::vector<std::int16_t>{66}, std::vector<std::int16_t>{-9},
                       std::numeric_limits<float>::infinity(), 1, 0.0F)
            .values() == floats{-std::numeric_limits<float>::infinity()});
  const auto rows = numbers_of<float>({2}, {1, 0.5F}), columns = numbers_of<float>({2}, {2, 4});
  tensor<float> z({2, 2});
  matrix_multiply_integer_to_float(cpu, words, rows, shorts, columns, z);
  CHECK(floats(z.data(), z.data() + 4) == floats{1.2e10F, 400000, -180000, -6});
  matrix_multiply_integer_to_float(reference, words, rows, const_tensor_ref(), shorts, columns, const_tensor_ref(),
                                   const_tensor_ref(), z);
  CHECK(floats(z.data(), z.data() + 4) == floats{1.2e10F, 400000, -180000, -6});
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER_TO_FLOAT: what a device may answer", "[matrix_multiply_integer_to_float]") {
  using words = std::vector<std::int32_t>;
  using shorts = std::vector<std::int16_t>;
  // 255 - 255: floats with a fused product give 8.6e-8.
  const auto cancelled = product<float>(shorts{255, 1}, shorts{1, -255}, 0.1F, 0.1F);
  CHECK(cancelled.values() == floats{0});
  CHECK(cancelled.at(0, {0, 8.6e-8F, 1.4e-6F, 2e-6F}) == "ussr");
  // Exact data.
  CHECK(product<float>(shorts{3, 4}, shorts{5, -2}, 0.5F, 2, 0.25F).at(0, {7.25F, 7.2500005F}) == "ur");
  // Scale 0: the bias, exactly; infinite or NaN scales are undefined.
  CHECK(product<float>(shorts{3}, shorts{5}, 0, 2, 0.3F).at(0, {0.3F, 0.30000004F, 0}) == "urr");
  CHECK(product<float>(shorts{3}, shorts{5}, infinity, 2).at(0, 1.0F) == '?');
  CHECK(product<float>(shorts{3}, shorts{5}, not_a_number, 2).at(0, 1.0F) == '?');
  CHECK(product<float>(shorts{3}, shorts{5}, 1, 1, infinity).at(0, {infinity, 1}) == "ur");
  // A sum that INT32 does not hold.
  CHECK(product<float>(words{1 << 20, 1}, words{1 << 20, 1}, 1, 1).at(0, 1.0F) == '?');
  CHECK(product<float>(words{1 << 20, 1}, words{1 << 20, 1}, 1, 1).values() == floats{1099511627776.0F});
  CHECK(product<float>(words{2147483647, 2147483647}, words{2147483647, -2147483647}, 1, 1).values() == floats{0});
  // 2^24 + 1 is not held, and may be cut.
  CHECK(product<float>(words{16777217}, words{1}, 1, 1).at(0, {16777216, 16777214, 16777218, 16777200}) == "uuur");
  // Scales near the ends.
  CHECK(product<float>(shorts{3}, shorts{5}, 1e-30F, 1e-10F).at(0, {0, 1.5e-39F}) == "uu");
  CHECK(product<float>(shorts{300}, shorts{300}, 1e38F, 1e-6F).at(0, {infinity, not_a_number}) == "oo");
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER_TO_FLOAT: infinite intermediate results", "[matrix_multiply_integer_to_float]") {
  using shorts = std::vector<std::int16_t>;
  // -8e41 and infinity: the sum is -infinity in FLOAT32, or exact.
  CHECK(product<float>(shorts{200}, shorts{200}, 2, -1e37F, infinity).at(0, {infinity, not_a_number, -infinity, 1}) ==
        "uurr");
  CHECK(product<float>(shorts{200}, shorts{200}, 2e18F, -2e18F, infinity).at(0, {infinity, not_a_number}) == "uu");
  CHECK(product<float>(shorts{200}, shorts{200}, 2e18F, 2e18F, -infinity).at(0, {-infinity, not_a_number}) == "uu");
  // Infinities of one sign; and of sums that FLOAT32 holds.
  CHECK(product<float>(shorts{200}, shorts{200}, 2e18F, 2e18F, infinity).at(0, {infinity, not_a_number}) == "ur");
  CHECK(product<float>(shorts{200}, shorts{200}, 2, -1e30F, infinity).at(0, {infinity, not_a_number}) == "ur");
  CHECK(product<float>(shorts{200}, shorts{200}, 2, -1, not_a_number).at(0, {not_a_number, infinity}) == "ur");
  // 1e36 * 90000 is infinite, times 1e-6 too; 1e36 * 300 is not.
  CHECK(product<float>(shorts{300}, shorts{300}, 1e36F, 1e-6F).at(0, {9e34F, infinity}) == "uo");
  CHECK(product<float>(shorts{300}, shorts{300}, 1e33F, 1e-6F).at(0, {9e31F, infinity}) == "ur");
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER_TO_FLOAT: subnormal scales without flushing", "[matrix_multiply_integer_to_float]") {
  using shorts = std::vector<std::int16_t>;
  const oracle::compare_options strict = oracle::compare_options::strict();
  const auto tiny = product<float>(shorts{2}, shorts{419}, 1e-20F, 1e-20F);  // 838 * 1e-40
  const float by_product = 1e-20F * 1e-20F * 838, by_operands = (2 * 1e-20F) * (419 * 1e-20F);
  CHECK(tiny.at(0, {by_product, by_operands, 0, 1.5e-37F}, strict) == "uurr");
  CHECK(tiny.at(0, {by_product, by_operands, 0}) == "uuu");
  // The product of the scales is 2^-149 times 1.5, which is 1 or 2 in FLOAT32.
  const auto least = product<float>(shorts{2}, shorts{419}, 0x1.8p-75F, 0x1p-74F);
  CHECK(least.at(0, {1257 * 0x1p-149F, 838 * 0x1p-149F, 1676 * 0x1p-149F, 800 * 0x1p-149F, 0}, strict) == "uuurr");
  // Multiples of 2^-149 are exact.
  const auto exact = product<float>(shorts{2}, shorts{419}, 3 * 0x1p-149F, 1);
  CHECK(exact.at(0, {2514 * 0x1p-149F, 2513 * 0x1p-149F, 0}, strict) == "urr");
  CHECK(exact.at(0, {2514 * 0x1p-149F, 0}) == "uu");
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER_TO_FLOAT: integers that the device's floats do not hold",
          "[matrix_multiply_integer_to_float]") {
  using words = std::vector<std::int32_t>;
  using shorts = std::vector<std::uint16_t>;
  // 2^30 + 65 - (2^30 + 63) is 2; of both to nearest it is 128, so that the product is 16384.
  const std::int32_t a = (1 << 30) + 65, z = (1 << 30) + 63;
  const auto wide = product<float>(words{a}, words{a}, 1, 1, {}, {}, z, z);
  CHECK(wide.values() == floats{4});
  CHECK(wide.at(0, {4, 16384, 0, 66000, 70000}) == "uuuur");
  CHECK(product<float16>(words{a}, words{1}, 600, 1, {}, {}, z, 0).at(0, 1200) == '?');  // 128 * 600 is infinite
  // In half precision 30001 is 30000.
  const matrix_multiply_integer_to_float_desc half{.accumulation = accumulation::half};
  const auto in_half = [&](std::uint16_t x, std::uint16_t zero) {
    return product<float>(shorts{x}, shorts{3}, 1, 1, {}, half, zero, std::uint16_t{0});
  };
  CHECK(in_half(30001, 30000).values() == floats{3});
  CHECK(in_half(30001, 30000).at(0, {0, 3, -41, 47, -42, 48}) == "uuuurr");
  CHECK(in_half(30016, 30000).at(0, {48, 47.9F, 0, 47}) == "uurr");  // both are FLOAT16
  CHECK(in_half(65535, 65530).at(0, 15) == '?');
  CHECK(product<float16>(shorts{30001}, shorts{3}, 1, 1, {}, half, std::uint16_t{30000}, std::uint16_t{0})
            .at(0, {0, 3, 100}) == "uur");
  // Devices that convert and subtract, or subtract and convert; to nearest or toward zero.
  std::mt19937 random(171);
  const auto nearest = [](std::int64_t x) { return static_cast<float>(x); };
  const auto cut = [](std::int64_t x) {
    const auto to_nearest = static_cast<float>(x);
    return std::abs(static_cast<double>(to_nearest)) > static_cast<double>(std::abs(x))
               ? std::nextafter(to_nearest, 0.0F)
               : to_nearest;
  };
  const auto halved = [](float x) { return static_cast<float>(static_cast<float16>(x)); };
  int refused = 0, far_off = 0;
  for (int i = 0; i < 2000; ++i) {
    // Of 32 bits, close to their zero points.
    const auto of_zero = [&] { return static_cast<std::int32_t>(random() >> 1 >> random() % 6) - (1 << 29); };
    const std::int32_t az = of_zero(), bz = of_zero();
    words x(3), y(3);
    for (std::int32_t& each : x) each = az + static_cast<std::int32_t>(random() % 600) - 300;
    for (std::int32_t& each : y) each = bz + static_cast<std::int32_t>(random() % 600) - 300;
    const auto golden = product<float>(x, y, 0.3F, 0.7F, {}, {}, az, bz);
    float sum = 0, of_cut = 0, of_integers = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      sum += (nearest(x[k]) - nearest(az)) * 0.3F * ((nearest(y[k]) - nearest(bz)) * 0.7F);
      of_cut += (cut(x[k]) - cut(az)) * 0.3F * ((cut(y[k]) - cut(bz)) * 0.7F);
      of_integers += nearest(std::int64_t{x[k]} - az) * 0.3F * (nearest(std::int64_t{y[k]} - bz) * 0.7F);
    }
    for (const float each : {sum, of_cut, of_integers}) refused += golden.at(0, each) == 'r';
    far_off += std::abs(sum - of_integers) > 1000;
    // Of 16 bits in half precision.
    const auto az_16 = static_cast<std::uint16_t>(random() % 40000),
               x_16 = static_cast<std::uint16_t>(az_16 + random() % 60);
    const auto by = static_cast<std::uint16_t>(random() % 200);
    const auto of_16 = product<float>(shorts{x_16}, shorts{by}, 1, 1, {}, half, az_16, std::uint16_t{0});
    refused += of_16.at(0, halved(halved(halved(x_16) - halved(az_16)) * halved(by))) == 'r';
  }
  CHECK(refused == 0);
  CHECK(far_off > 100);
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER_TO_FLOAT: FLOAT16", "[matrix_multiply_integer_to_float]") {
  using shorts = std::vector<std::int16_t>;
  // 101 * 0.1 = 10.0975... in FLOAT16 is 10.1015625 or 10.09375.
  const auto one = product<float16>(shorts{101}, shorts{1}, 0.1F, 1);
  CHECK(one.values() == floats{10.09375F});
  CHECK(one.at(0, {10.09375F, 10.1015625F, 10.25F}) == "usr");
  // Small integers by powers of two are FLOAT16 themselves.
  CHECK(product<float16>(shorts{3}, shorts{5}, 0.5F, 1).at(0, {7.5F, 7.5078125F}) == "ur");
  // Operands that are infinite in FLOAT16.
  CHECK(product<float16>(shorts{30000}, shorts{1}, 3, 0.1F).at(0, 9000.0F) == '?');
  const auto half = product<float16>(shorts{3, 200}, shorts{5, 1}, 0.3F, 1, {}, {.accumulation = accumulation::half});
  CHECK(half.at(0, {64.5F, 64.375F, 63}) == "uur");
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER_TO_FLOAT: legal devices are never refused, wrong ones are noticed",
          "[matrix_multiply_integer_to_float]") {
  std::mt19937 random(170);
  const int cases = goldml_test::is_long_run() ? 30'000 : goldml_test::is_slow ? 600 : 6'000;
  std::uint64_t refused = 0, suspicious = 0;
  std::map<std::string_view, int> found;
  int counted = 0;
  for (int i = 0; i < cases; ++i) {
    const std::size_t n = std::array<std::size_t, 4>{1, 2, 16, 64}[static_cast<std::size_t>(i % 4)];
    std::vector<std::int16_t> a(n), b(n);
    const bool exact = i % 3 == 0;
    for (std::size_t k = 0; k < n; ++k) {
      a[k] = static_cast<std::int16_t>(exact ? static_cast<int>(random() % 7) - 3
                                             : static_cast<int>(random() % 511) - 255);
      b[k] = static_cast<std::int16_t>(exact ? static_cast<int>(random() % 7) - 3
                                             : static_cast<int>(random() % 511) - 255);
    }
    const auto scale = [&] {
      return exact ? std::ldexp(1.0F, static_cast<int>(random() % 6) - 3)
                   : 0.01F + static_cast<float>(random() % 65536) * 0x1p-17F;
    };
    const float as = scale(), bs = scale(), bias = exact ? 0.5F : 3 * scale();
    const auto golden = product<float>(a, b, as, bs, bias);
    std::int64_t sum = 0;
    float serial = 0, fused = 0, reversed = 0, half_sum = 0;
    const auto half = [](float x) { return static_cast<float>(static_cast<float16>(x)); };
    for (std::size_t k = 0; k < n; ++k) {
      const float x = static_cast<float>(a[k]) * as, y = static_cast<float>(b[k]) * bs;
      sum += std::int64_t{a[k]} * b[k];
      serial += x * y;
      fused = std::fma(x, y, fused);
      half_sum = half(half_sum + half(half(x) * half(y)));
    }
    for (std::size_t k = n; k-- > 0;) reversed += static_cast<float>(a[k]) * as * (static_cast<float>(b[k]) * bs);
    const auto s = static_cast<float>(sum);
    const floats by_integers{as * bs * s + bias, as * s * bs + bias, std::fma(as * bs, s, bias)};
    for (const float y : by_integers) {
      refused += golden.at(0, y) == 'r';
      suspicious += golden.at(0, y) == 's';
    }
    for (const float y : {serial + bias, fused + bias, reversed + bias, bias + serial})
      refused += golden.at(0, y) == 'r';
    // FLOAT16: dequantised operands that are stored as FLOAT16.
    const float hs = half(as), ht = half(bs), hb = half(bias);
    const auto of_halves = product<float16>(a, b, hs, ht, hb);
    float stored = 0;
    for (std::size_t k = 0; k < n; ++k)
      stored += half(static_cast<float>(a[k]) * hs) * half(static_cast<float>(b[k]) * ht);
    for (const float y : {hs * ht * s + hb, stored + hb}) refused += of_halves.at(0, half(y)) == 'r';
    const auto in_half = product<float16>(a, b, hs, ht, hb, {.accumulation = accumulation::half});
    float halves = 0;
    for (std::size_t k = 0; k < n; ++k)
      halves = half(halves + half(half(static_cast<float>(a[k]) * hs) * half(static_cast<float>(b[k]) * ht)));
    refused += in_half.at(0, half(halves + hb)) == 'r';
    // Wrong ones.
    if (n < 16) continue;
    ++counted;
    const auto wrong = [&](std::string_view name, float y) { found[name] += golden.at(0, y) == 'r'; };
    wrong("bias forgotten", as * bs * s);
    wrong("last product missing", as * bs * static_cast<float>(sum - std::int64_t{a[n - 1]} * b[n - 1]) + bias);
    wrong("zero point forgotten", as * bs * static_cast<float>(sum + 7 * std::int64_t{b[0]}) + bias);
    wrong("FLOAT16 sums", half_sum + bias);
  }
  CHECK(refused == 0);
  CHECK(suspicious == 0);
  for (const auto& [name, count] : found) UNSCOPED_INFO(name << ": " << count << " of " << counted);
  CHECK(found["bias forgotten"] > counted * 9 / 10);
  CHECK(found["last product missing"] > counted * 4 / 5);
  CHECK(found["zero point forgotten"] > counted * 4 / 5);
  CHECK(found["FLOAT16 sums"] > counted * 2 / 5);
}
