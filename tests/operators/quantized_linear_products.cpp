// QUANTIZED_LINEAR_MATRIX_MULTIPLY, QUANTIZED_LINEAR_CONVOLUTION and ELEMENT_WISE_QUANTIZED_LINEAR_ADD: the examples of
// SPEC-quantised 4.3, 4.5 and 4.6, what a device may answer (2.6), devices that compute them legally and never may be
// refused, and wrong ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/quantized_linear_add.hpp>
#include <goldml/cpu/quantized_linear_convolution.hpp>
#include <goldml/cpu/quantized_linear_matrix_multiply.hpp>
#include <goldml/oracle/matches.hpp>
#include <goldml/oracle/verdicts/quantised_products.hpp>
#include <goldml/reference/quantized_linear_add.hpp>
#include <goldml/reference/quantized_linear_convolution.hpp>
#include <goldml/reference/quantized_linear_matrix_multiply.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "../support/quantised_answers.hpp"

namespace {

using namespace goldml;
using namespace goldml_test;
using u8 = std::uint8_t;
using s8 = std::int8_t;
constexpr float infinity = std::numeric_limits<float>::infinity();

// The example's matrices.
struct example {
  tensor<u8> a = tensor_of<u8>({2, 3}, {255, 0, 130, 1, 2, 3});
  tensor<u8> az = tensor_of<u8>({2, 1}, {128, 2});
  tensor<s8> b = tensor_of<s8>({3, 2}, {127, -128, 3, 0, -5, 7});
  tensor<s8> bz = tensor_of<s8>({1, 2}, {-1, 5});
  tensor<u8> oz = tensor_of<u8>({1, 1}, {10});

  answer<u8> with(float as, float bs, float os, const quantized_linear_matrix_multiply_desc& desc = {}) const {
    const tensor<float> a_scale = scale_of({1, 1}, {as}), b_scale = scale_of({1, 1}, {bs}),
                        output_scale = scale_of({1, 1}, {os});
    return computed<u8>(
        desc,
        {a.view(), a_scale.view(), az.view(), b.view(), b_scale.view(), bz.view(), output_scale.view(), oz.view()},
        {2, 2});
  }
};

}  // namespace

TEST_CASE("QUANTIZED_LINEAR_MATRIX_MULTIPLY: the page's formula by hand", "[quantized_linear_products]") {
  const example all;
  const auto exact = all.with(0.5F, 0.25F, 32);
  CHECK(exact.values() == numbers{71, 0, 9, 11});
  CHECK(exact.output->verdicts.all_exact());
  const auto rounded = all.with(0.02F, 0.05F, 0.3F);
  CHECK(rounded.values() == numbers{62, 0, 10, 10});
  CHECK(rounded.at(0, {61, 62, 63}) == "rur");
  // A vector for rows and columns; each row, column and output row has its own scale and zero point.
  const tensor<float> a_scale = scale_of({2}, {0.5F, 1}), b_scale = scale_of({2}, {0.25F, 0.5F}),
                      output_scale = scale_of({2}, {32, 1});
  const tensor<u8> az = tensor_of<u8>({2}, {128, 2}), oz = tensor_of<u8>({2}, {10, 100});
  const tensor<s8> bz = tensor_of<s8>({2}, {-1, 5});
  tensor<u8> y({2, 2});
  quantized_linear_matrix_multiply(cpu, all.a, a_scale, az, all.b, b_scale, bz, output_scale, oz, y);
  // 15736 * 0.125 / 32 = 61.47; -16247 * 0.25 / 32 < -10; -132 * 0.25 = -33; 135 * 0.5 = 67.5
  CHECK(numbers(y.data(), y.data() + 4) == numbers{71, 0, 67, 168});
  // 255 * 127 - 5 * 130 = 31735, -31730, 118, -107; without zero points.
  const tensor<float> one = scale_of({1}, {1}), large = scale_of({1}, {128});
  tensor<s8> signed_y({2, 2});
  quantized_linear_matrix_multiply(reference, all.a, one, all.b, one, large, signed_y);
  CHECK(numbers(signed_y.data(), signed_y.data() + 4) == numbers{127, -128, 1, -1});
}

TEST_CASE("QUANTIZED_LINEAR_MATRIX_MULTIPLY: what a device may answer", "[quantized_linear_products]") {
  // K = 64: floats may accumulate to 0.4999976.
  numbers a(64, 127), b(64);
  for (std::size_t i = 0; i < 64; ++i) b[i] = i % 2 == 0 ? 127 : -127;
  b[63] = -126;
  const auto left = tensor_of<s8>({1, 64}, a), right = tensor_of<s8>({64, 1}, b);
  const auto one_scale = [](float s) { return scale_of({1}, {s}); };
  const auto with = [&](float as, float bs, float os, const quantized_linear_matrix_multiply_desc& desc = {}) {
    const auto x = one_scale(as), w = one_scale(bs), y = one_scale(os);
    return computed<s8>(desc, {left.view(), x.view(), {}, right.view(), w.view(), {}, y.view(), {}}, {1, 1});
  };
  const auto near_tie = with(0.1F, 0.1F, 2.53999F);
  CHECK(near_tie.at(0, {1, 0, 2, -1}) == "usrr");
  CHECK(near_tie.output->verdicts.range.unusual.starts_with("float accumulation"));
  // 127 / 254 = 0.5 exactly: a scale that is no power of two leaves both, the exact rule only the even one.
  CHECK(with(1, 1, 254).at(0, {0, 1, 2}) == "uur");
  CHECK(with(1, 0.5F, 128, {}).values() == numbers{0});
  // Extreme scales leave the element undefined.
  for (const float s : {0.0F, 1e-39F, infinity, std::numeric_limits<float>::quiet_NaN(), 3e38F}) {
    CHECK(with(s, 1, 1).at(0, 0) == '?');
    CHECK(with(1, s, 1).at(0, 0) == '?');
    CHECK(with(1, 1, s).at(0, 0) == '?');
  }
  CHECK(with(1e-20F, 1e-20F, 1e-10F).at(0, 0) == '?');  // as * bs
  CHECK(with(-1, 1, 100).values() == numbers{-1});      // -1.27
  CHECK(with(-1, 1, -100).values() == numbers{1});
}

TEST_CASE("QUANTIZED_LINEAR_MATRIX_MULTIPLY: ties, fixed point, half precision", "[quantized_linear_products]") {
  const auto single = [](int a, float as, float os, const quantized_linear_matrix_multiply_desc& desc) {
    const auto x = tensor_of<s8>({1, 1}, {a}), w = tensor_of<s8>({1, 1}, {1});
    const auto x_scale = scale_of({1}, {as}), one = scale_of({1}, {1}), y_scale = scale_of({1}, {os});
    return computed<s8>(desc, {x.view(), x_scale.view(), {}, w.view(), one.view(), {}, y_scale.view(), {}}, {1, 1});
  };
  CHECK(single(5, 1, 2, {}).at(0, {2, 3}) == "ur");
  CHECK(single(5, 1, 2, {.quantize_ties = quantize_ties::away}).at(0, {3, 2}) == "ur");
  CHECK(single(-5, 1, 2, {.quantize_ties = quantize_ties::away}).values() == numbers{-3});
  CHECK(single(-1, 1, 2, {.quantize_ties = quantize_ties::away}).values() == numbers{-1});
  CHECK(single(-1, 1, 2, {}).values() == numbers{0});
  // 5 * 7 / 80 = 0.4375: gemmlowp's two roundings give 1.
  CHECK(single(5, 7, 80, {}).at(0, {0, 1}) == "ur");
  CHECK(single(5, 7, 80, {.fixed_point = fixed_point::accept}).at(0, {0, 1, 2}) == "uur");
  // With half precision 100 * 0.3 / 1.2 = 25 may become 24 or 26, not 10.
  const auto half = single(101, 0.3F, 0.41F, {.accumulation = accumulation::half});
  CHECK(single(101, 0.3F, 0.41F, {}).values() == numbers{74});
  CHECK(half.at(0, {74, 60, 90}) == "urr");
  CHECK(single(1, 1, 1e-5F, {.accumulation = accumulation::half}).at(0, 0) == '?');
}

TEST_CASE("QUANTIZED_LINEAR_MATRIX_MULTIPLY: quotients within 2^-53 of the middle between two integers",
          "[quantized_linear_products]") {
  // -3 * 16717061 * 14954513 * 2^-60 / (11175670 * 2^-33) = -749986518138879 / (2 * 749986518138880), above -0.5.
  const float as = 16717061 * 0x1p-30F, bs = 14954513 * 0x1p-30F, os = 11175670 * 0x1p-33F;
  const auto product_of = [&](int a, float a_scale, quantize_ties ties) {
    const auto left = tensor_of<s8>({1, 1}, {a}), right = tensor_of<s8>({1, 1}, {1});
    const auto of_a = scale_of({1}, {a_scale}), of_b = scale_of({1}, {bs}), of_y = scale_of({1}, {os});
    return computed<s8>(quantized_linear_matrix_multiply_desc{.quantize_ties = ties},
                        {left.view(), of_a.view(), {}, right.view(), of_b.view(), {}, of_y.view(), {}}, {1, 1});
  };
  for (const quantize_ties ties : {quantize_ties::even, quantize_ties::away}) {
    CHECK(product_of(-3, as, ties).values() == numbers{0});
    CHECK(product_of(3, as, ties).values() == numbers{0});
    CHECK(product_of(-3, std::nextafter(as, 1.0F), ties).values() == numbers{-1});
  }
}

TEST_CASE("QUANTIZED_LINEAR_MATRIX_MULTIPLY: sums beyond INT32", "[quantized_linear_products]") {
  constexpr std::uint32_t count = 33026;  // 2147515650 = 2^31 + 32002
  tensor<u8> a({1, count}), b({count, 1});
  std::fill_n(a.data(), count, u8{255});
  std::fill_n(b.data(), count, u8{255});
  const auto one = scale_of({1}, {1}), y_scale = scale_of({1}, {0x1p25F});
  const auto far_off = computed<s8>(quantized_linear_matrix_multiply_desc{},
                                    {a.view(), one.view(), {}, b.view(), one.view(), {}, y_scale.view(), {}}, {1, 1});
  CHECK(far_off.values() == numbers{64});
  CHECK(far_off.at(0, -64) == 'u');  // modulo 2^32
  CHECK(far_off.at(0, 0) == 'r');
}

TEST_CASE("QUANTIZED_LINEAR_CONVOLUTION: the page's formula by hand", "[quantized_linear_products]") {
  const auto x = tensor_of<u8>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), xz = tensor_of<u8>({1}, {5});
  const auto w = tensor_of<s8>({1, 1, 2, 2}, {1, -1, 2, 0}), wz = tensor_of<s8>({1}, {1});
  const auto half = scale_of({1}, {0.5F});
  const auto bias = tensor_of<std::int32_t>({1, 1, 1, 1}, {7});
  const auto oz = tensor_of<s8>({1}, {-3});
  const quantized_linear_convolution_desc padded{
      .strides = {1, 1}, .dilations = {1, 1}, .start_padding = {1, 1}, .end_padding = {0, 0}};
  const auto y = computed<s8>(
      padded, {x.view(), half.view(), xz.view(), w.view(), half.view(), wz.view(), bias.view(), half.view(), oz.view()},
      {1, 1, 3, 3});
  CHECK(y.values() == numbers{3, 0, 0, 5, 3, 2, 1, 0, -1});
  CHECK(y.output->verdicts.all_exact());
  // A scale and a zero point for each output channel, groups, no bias.
  const auto x2 = tensor_of<u8>({1, 2, 1, 1}, {10, 20}), w2 = tensor_of<u8>({2, 1, 1, 1}, {3, 5});
  const auto w_scale = scale_of({1, 2, 1, 1}, {1, 0.25F}), one = scale_of({1}, {1});
  const auto w_zero = tensor_of<u8>({1, 2, 1, 1}, {1, 9});
  tensor<s8> grouped({1, 2, 1, 1});
  quantized_linear_convolution(cpu, x2, one, const_tensor_ref(), w2, w_scale, w_zero, const_tensor_ref(), one,
                               const_tensor_ref(), grouped, {.group_count = 2});
  CHECK(numbers(grouped.data(), grouped.data() + 2) == numbers{20, -20});
  tensor<s8> plain({1, 2, 1, 1});
  quantized_linear_convolution(reference, x2, one, w2, one, scale_of({1}, {2}), plain, {.group_count = 2});
  CHECK(numbers(plain.data(), plain.data() + 2) == numbers{15, 50});
}

TEST_CASE("ELEMENT_WISE_QUANTIZED_LINEAR_ADD: the page's formula by hand", "[quantized_linear_products]") {
  const auto a = tensor_of<u8>({3}, {131, 200, 0}), az = tensor_of<u8>({1}, {128}), oz = tensor_of<u8>({1}, {100});
  const auto b = tensor_of<s8>({3}, {-7, 100, -128}), bz = tensor_of<s8>({1}, {-4});
  const auto with = [&](const tensor<u8>& x, const tensor<s8>& y, float as, float bs, float os,
                        const element_wise_quantized_linear_add_desc& desc = {}) {
    const auto x_scale = scale_of({1}, {as}), y_scale = scale_of({1}, {bs}), scale = scale_of({1}, {os});
    return computed<u8>(
        desc, {x.view(), x_scale.view(), az.view(), y.view(), y_scale.view(), bz.view(), scale.view(), oz.view()},
        x.sizes());
  };
  const auto exact = with(a, b, 0.25F, 0.5F, 0.5F);
  CHECK(exact.values() == numbers{98, 240, 0});
  CHECK(exact.output->verdicts.all_exact());
  const auto x = tensor_of<u8>({2}, {131, 129});
  const auto y = tensor_of<s8>({2}, {-7, -5});
  CHECK(with(x, y, 0.1F, 0.3F, 0.2F).values() == numbers{97, 99});
  CHECK(with(x, y, 0.1F, 0.3F, 0.2F).at(0, {96, 97, 98}) == "rur");
  CHECK(with(a, b, 0.25F, 0.5F, 0.5F, {.quantize_ties = quantize_ties::away}).values() == numbers{98, 240, 0});
  CHECK(with(x, y, 0, 0.3F, 0.2F).at(0, 0) == '?');
  CHECK(with(x, y, 0.1F, 0.3F, infinity).at(0, 0) == '?');
  CHECK(with(x, y, 0.1F, 0.3F, 0.2F, {.accumulation = accumulation::half}).at(0, {97, 90}) == "ur");
  // No zero points, and strides.
  std::vector<u8> some{1, 99, 2, 99, 3, 99}, other{10, 20, 30};
  std::vector<s8> sum(5, 7), fast(5, 7);
  const std::vector<float> one{1}, two{2};
  const tensor_view<const u8> left(some.data(), {3}, {2}), right(other.data(), {3}, {0});
  element_wise_quantized_linear_add(reference, left, one, right, one, two, tensor_view<s8>(sum.data(), {3}, {2}));
  element_wise_quantized_linear_add(cpu, left, one, right, one, two, tensor_view<s8>(fast.data(), {3}, {2}));
  CHECK(sum == std::vector<s8>{6, 7, 6, 7, 6});  // 5.5, 6, 6.5
  CHECK(fast == sum);
}

namespace {

// One row of A, one column of B.
struct product {
  std::vector<int> a, b;  // less their zero points
  float as, bs, os;
  int oz;

  std::int64_t sum() const {
    std::int64_t result = 0;
    for (std::size_t k = 0; k < a.size(); ++k) result += std::int64_t{a[k]} * b[k];
    return result;
  }
  int stored(float v) const { return limited(std::nearbyint(std::clamp(static_cast<double>(v), -1e6, 1e6)) + oz); }

  // Kernels that Direct3D allows. `r`: the reciprocal of os that the device has.
  numbers legal(float r) const {
    const auto s = static_cast<float>(sum());
    numbers result{stored(as * bs / os * s), stored(s * as * bs / os), stored(as * (bs / os) * s),
                   stored(s * (as * bs) * r), stored(as * bs * r * s)};
    const std::size_t n = a.size();
    std::vector<float> terms(n);
    float serial = 0, fused = 0, reversed = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const float x = static_cast<float>(a[k]) * as, y = static_cast<float>(b[k]) * bs;
      terms[k] = x * y;
      serial += terms[k];
      fused = std::fma(x, y, fused);
    }
    for (std::size_t k = n; k-- > 0;) reversed += terms[k];
    while (terms.size() > 1) {
      std::vector<float> pairs;
      for (std::size_t k = 0; k < terms.size(); k += 2)
        pairs.push_back(k + 1 < terms.size() ? terms[k] + terms[k + 1] : terms[k]);
      terms = pairs;
    }
    for (const float total : {serial, fused, reversed, terms[0]}) {
      result.push_back(stored(total / os));
      result.push_back(stored(total * r));
    }
    return result;
  }
};

struct random_products {
  std::mt19937 random;
  bool exact = false;  // small integers, scales that are powers of two

  float scale() {
    if (exact) return std::ldexp(1.0F, static_cast<int>(random() % 6) - 3);
    return 0.01F + static_cast<float>(random() % 65536) * 0x1p-17F;
  }
  product draw(std::size_t terms) {
    product p{{}, {}, scale(), scale(), 0, static_cast<int>(random() % 41) - 20};
    const int az = exact ? 0 : 120 + static_cast<int>(random() % 16),
              bz = exact ? 0 : static_cast<int>(random() % 16) - 8;
    for (std::size_t k = 0; k < terms; ++k) {
      p.a.push_back(exact ? static_cast<int>(random() % 7) - 3 : static_cast<int>(random() % 256) - az);
      p.b.push_back(exact ? static_cast<int>(random() % 7) - 3 : static_cast<int>(random() % 256) - 128 - bz);
    }
    double size = 1;
    for (std::size_t k = 0; k < terms; ++k) size += std::abs(p.a[k] * p.b[k]);
    const double spread = size / std::sqrt(static_cast<double>(terms));
    p.os = exact ? p.as * p.bs * std::ldexp(1.0F, static_cast<int>(random() % 3))
                 : static_cast<float>(static_cast<double>(p.as * p.bs) * spread / 40 * (0.9 + static_cast<double>(random() % 100) * 1e-3));
    return p;
  }
};

// The answer to a product of matrices of one element, by the zero points 0 of INT8: the differences must fit.
answer<s8> answer_to(const product& p, const quantized_linear_matrix_multiply_desc& desc = {}) {
  const auto n = static_cast<std::uint32_t>(p.a.size());
  // A difference of -255 .. 255 is an element of UINT8 less a zero point; all elements share one.
  const auto packed = [&](const std::vector<int>& d, tensor<u8>& t, tensor<u8>& zero) {
    const int low = *std::min_element(d.begin(), d.end());
    zero.data()[0] = static_cast<u8>(std::max(0, -low));
    for (std::size_t k = 0; k < d.size(); ++k) t.data()[k] = static_cast<u8>(d[k] + zero.data()[0]);
  };
  tensor<u8> a({1, n}), b({n, 1}), az({1}), bz({1});
  packed(p.a, a, az);
  packed(p.b, b, bz);
  const auto as = scale_of({1}, {p.as}), bs = scale_of({1}, {p.bs}), os = scale_of({1}, {p.os});
  const auto oz = tensor_of<s8>({1}, {p.oz});
  return computed<s8>(desc, {a.view(), as.view(), az.view(), b.view(), bs.view(), bz.view(), os.view(), oz.view()},
                      {1, 1});
}

}  // namespace

TEST_CASE("QUANTIZED_LINEAR_MATRIX_MULTIPLY: legal devices are never refused", "[quantized_linear_products]") {
  const int cases = goldml_test::is_long_run() ? 40'000 : goldml_test::is_slow ? 400 : 8'000;
  for (const bool exact : {false, true}) {
    random_products source{std::mt19937(118), exact};
    std::uint64_t refused = 0, suspicious = 0, answers = 0;
    for (int i = 0; i < cases; ++i) {
      product p = source.draw(std::array<std::size_t, 4>{1, 4, 30, 200}[static_cast<std::size_t>(i % 4)]);
      if (!exact && i % 3 == 0 && p.sum() != 0)  // close to a tie
        p.os = static_cast<float>(static_cast<double>(p.as) * static_cast<double>(p.bs) *
                                  std::abs(static_cast<double>(p.sum())) /
                                  (static_cast<double>(source.random() % 60) + 0.5));
      const answer<s8> golden = answer_to(p);
      const auto nearest = static_cast<float>(1 / static_cast<double>(p.os));
      std::vector<float> reciprocals{nearest};
      if (!exact) {
        reciprocals.insert(reciprocals.end(), {std::nextafter(nearest, infinity), std::nextafter(nearest, 0.0F)});
        for (const double by : {0.99 * 0x1p-21, -0.99 * 0x1p-21})
          reciprocals.push_back(static_cast<float>(1 / static_cast<double>(p.os) * (1 + by)));
      }
      for (const float r : reciprocals) {
        const std::string letters = golden.at(0, p.legal(r));
        refused += static_cast<std::uint64_t>(std::count(letters.begin(), letters.end(), 'r'));
        suspicious += static_cast<std::uint64_t>(std::count(letters.begin(), letters.begin() + 4, 's'));
        answers += letters.size();
      }
      CHECK(golden.at(0, p.legal(nearest), true).find('r') == std::string::npos);
    }
    INFO(answers << " answers, " << suspicious << " suspicious");
    CHECK(refused == 0);
    CHECK(suspicious == 0);
  }
}

TEST_CASE("QUANTIZED_LINEAR_MATRIX_MULTIPLY: wrong devices are noticed at the rates of the digest",
          "[quantized_linear_products]") {
  const int cases = goldml_test::is_slow ? 400 : 4'000;
  const auto rates_of = [&](std::size_t terms, bool exact) {
    random_products source{std::mt19937(7), exact};
    std::map<std::string_view, double> found;
    for (int i = 0; i < cases; ++i) {
      const product p = source.draw(terms);
      const answer<s8> golden = answer_to(p);
      const double m = static_cast<double>(p.as) * static_cast<double>(p.bs) / static_cast<double>(p.os);
      const auto wrong = [&](std::string_view name, double v, int zero) {
        found[name] += (golden.at(0, limited(std::nearbyint(std::clamp(v, -1e6, 1e6)) + zero)) == 'r') * 100.0 / cases;
      };
      const auto total = static_cast<double>(p.sum());
      const double last = p.a.back() * p.b.back();
      const auto half = [](double x) {
        return static_cast<double>(static_cast<float>(static_cast<float16>(static_cast<float>(x))));
      };
      double a_forgotten = 0, clamped_pairs = 0, in_half = 0, of_halves = 0;
      for (std::size_t k = 0; k < terms; ++k) {
        a_forgotten += (p.a[k] + 77) * p.b[k];
        if (k % 2 == 0)  // of elements of UINT8 with the zero point 128
          clamped_pairs += std::clamp((p.a[k] + 128) * p.b[k] + (p.a[k + 1] + 128) * p.b[k + 1], -32768, 32767);
        clamped_pairs -= 128 * p.b[k];
        const double x = half(p.a[k] * static_cast<double>(p.as)), y = half(p.b[k] * static_cast<double>(p.bs));
        in_half = half(in_half + half(x * y));
        of_halves += x * y;
      }
      wrong("zero point of A", m * a_forgotten, p.oz);
      wrong("zero point of the output", m * total, p.oz + 20 + static_cast<int>(source.random() % 80));
      wrong("last product missing", m * (total - last), p.oz);
      wrong("pairs saturate", m * clamped_pairs, p.oz);
      wrong("truncation", std::trunc(m * total), p.oz);
      wrong("FLOAT16 sums", in_half / static_cast<double>(p.os), p.oz);
      wrong("FLOAT16 factors", of_halves / static_cast<double>(p.os), p.oz);
      wrong("halves away", std::round(m * total), p.oz);
    }
    std::string text;
    for (const auto& [name, rate] : found) text += std::string(name) + " " + std::to_string(rate) + ", ";
    UNSCOPED_INFO(terms << (exact ? " exact: " : ": ") << text);
    return found;
  };
  auto few = rates_of(4, false), many = rates_of(64, false), exact = rates_of(64, true);
  CHECK(few["zero point of A"] > 70);
  CHECK(many["zero point of A"] > 70);
  CHECK(few["zero point of the output"] > 95);
  CHECK(few["last product missing"] > 80);
  CHECK(many["last product missing"] > 60);
  CHECK(few["pairs saturate"] > 2);
  CHECK(few["truncation"] > 35);
  CHECK(many["truncation"] > 35);
  CHECK(many["FLOAT16 sums"] > 2);
  CHECK(many["FLOAT16 factors"] > 0.2);
  CHECK(exact["last product missing"] > 55);
  CHECK(exact["halves away"] > 5);
}

TEST_CASE("QUANTIZED_LINEAR_CONVOLUTION: wrong kernels show on exact data", "[quantized_linear_products]") {
  std::mt19937 random(120);
  const int cases = goldml_test::is_slow ? 20 : 200;
  std::map<std::string_view, int> found;
  int elements = 0;
  for (int i = 0; i < cases; ++i) {
    numbers x(2 * 9), w(3 * 2 * 4), bias(3), w_zero(3);
    for (int& each : x) each = static_cast<int>(random() % 7);
    for (int& each : w) each = static_cast<int>(random() % 7) - 3;
    for (int& each : bias) each = static_cast<int>(random() % 41) - 20;
    for (int& each : w_zero) each = static_cast<int>(random() % 5) - 2;
    const std::vector<float> scales{0.5F, 1, 2};
    const auto input = tensor_of<u8>({1, 2, 3, 3}, x), x_zero = tensor_of<u8>({1}, {3});
    const auto filter = tensor_of<s8>({3, 2, 2, 2}, w), w_zeros = tensor_of<s8>({1, 3, 1, 1}, w_zero);
    const auto x_scale = scale_of({1}, {0.5F}), w_scale = scale_of({1, 3, 1, 1}, scales), y_scale = scale_of({1}, {1});
    const auto addends = tensor_of<std::int32_t>({1, 3, 1, 1}, bias);
    const auto y_zero = tensor_of<s8>({1}, {5});
    const quantized_linear_convolution_desc desc{
        .strides = {1, 1}, .dilations = {1, 1}, .start_padding = {1, 1}, .end_padding = {0, 0}};
    const auto golden = computed<s8>(desc,
                                     {input.view(), x_scale.view(), x_zero.view(), filter.view(), w_scale.view(),
                                      w_zeros.view(), addends.view(), y_scale.view(), y_zero.view()},
                                     {1, 3, 3, 3});
    CHECK(golden.output->verdicts.all_exact());
    for (std::size_t o = 0; o < 3; ++o)
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
          int sum = 0, raw = 0, shared = 0;
          for (std::size_t c = 0; c < 2; ++c)
            for (int j = 0; j < 4; ++j) {
              const int at_row = row + j / 2 - 1, at_column = column + j % 2 - 1;
              const bool inside = at_row >= 0 && at_column >= 0;
              const int element = inside ? x[c * 9 + static_cast<std::size_t>(at_row * 3 + at_column)] : 3;
              const int weight = w[(o * 2 + c) * 4 + static_cast<std::size_t>(j)];
              sum += (element - 3) * (weight - w_zero[o]);
              raw += ((inside ? element : 0) - 3) * (weight - w_zero[o]);
              shared += (element - 3) * (weight - w_zero[0]);
            }
          const std::size_t element = o * 9 + static_cast<std::size_t>(row * 3 + column);
          const auto wrong = [&](std::string_view name, double v) {
            found[name] += golden.at(element, limited(std::nearbyint(v) + 5)) == 'r';
          };
          const double scale = 0.5 * static_cast<double>(scales[o]);
          wrong("none", scale * (sum + bias[o]));
          wrong("padded with 0", scale * (raw + bias[o]));
          wrong("one zero point of the filter", scale * (shared + bias[o]));
          wrong("one scale of the filter", 0.25 * (sum + bias[o]));
          wrong("bias forgotten", scale * sum);
          wrong("bias without scale", scale * sum + bias[o]);
          wrong("bias after the rounding", std::nearbyint(scale * sum) + bias[o]);
          ++elements;
        }
  }
  CHECK(found["none"] == 0);
  for (const auto& [name, count] : found) {
    INFO(name << ": " << count << " of " << elements);
    if (name != "none") CHECK(count > elements / 4);
  }
}

TEST_CASE("ELEMENT_WISE_QUANTIZED_LINEAR_ADD: legal and wrong devices", "[quantized_linear_products]") {
  std::mt19937 random(147);
  const int cases = goldml_test::is_long_run() ? 100'000 : goldml_test::is_slow ? 1'000 : 20'000;
  std::uint64_t refused = 0, suspicious = 0;
  std::map<std::string_view, int> found;
  for (int i = 0; i < cases; ++i) {
    const bool exact = i % 2 == 0;
    const auto scale = [&] {
      return exact ? std::ldexp(1.0F, static_cast<int>(random() % 4) - 2)
                   : 0.01F + static_cast<float>(random() % 65536) * 0x1p-17F;
    };
    const float as = scale(), bs = scale(), os = exact ? 2 : scale();
    const int az = static_cast<int>(random() % 256), bz = static_cast<int>(random() % 256) - 128,
              oz = static_cast<int>(random() % 41) - 20;
    const int a = static_cast<int>(random() % 256), b = static_cast<int>(random() % 256) - 128;
    const auto x = tensor_of<u8>({1}, {a}), xz = tensor_of<u8>({1}, {az});
    const auto y = tensor_of<s8>({1}, {b}), yz = tensor_of<s8>({1}, {bz}), zz = tensor_of<s8>({1}, {oz});
    const auto xs = scale_of({1}, {as}), ys = scale_of({1}, {bs}), zs = scale_of({1}, {os});
    const auto golden =
        computed<s8>(element_wise_quantized_linear_add_desc{},
                     {x.view(), xs.view(), xz.view(), y.view(), ys.view(), yz.view(), zs.view(), zz.view()}, {1});
    const auto stored = [&](float v) { return limited(std::nearbyint(static_cast<double>(v)) + oz); };
    const auto p = static_cast<float>(a - az) * as, r = static_cast<float>(b - bz) * bs;
    const float inverse = 1 / os;
    for (const float v : {(p + r) / os, (p + r) * inverse, std::fma(static_cast<float>(a - az), as, r) / os,
                          std::fma(static_cast<float>(a - az), as / os, static_cast<float>(b - bz) * (bs / os)),
                          static_cast<float>(a - az) * (as / os) + static_cast<float>(b - bz) * (bs / os)}) {
      refused += golden.at(0, stored(v)) == 'r';
      suspicious += golden.at(0, stored(v)) == 's';
    }
    if (!exact)
      for (const double by : {0.99 * 0x1p-21, -0.99 * 0x1p-21})
        refused += golden.at(0, stored((p + r) * static_cast<float>((1 + by) / static_cast<double>(os)))) == 'r';
    const auto wrong = [&](std::string_view name, double v, int zero) {
      found[name] += golden.at(0, limited(std::nearbyint(v) + zero)) == 'r';
    };
    const double of_a = static_cast<double>(as) * (a - az) / static_cast<double>(os),
                 of_b = static_cast<double>(bs) * (b - bz) / static_cast<double>(os);
    wrong("zero point of A", static_cast<double>(as) * a / static_cast<double>(os) + of_b, oz);
    wrong("one scale",
          (static_cast<double>(as) * (a - az) + static_cast<double>(as) * (b - bz)) / static_cast<double>(os), oz);
    wrong("each requantised", std::nearbyint(of_a) + std::nearbyint(of_b), oz);
    wrong("halves away", std::round(of_a + of_b), oz);
    wrong("INT8 as UINT8",
          of_a + static_cast<double>(bs) * (static_cast<u8>(b) - static_cast<u8>(bz)) / static_cast<double>(os), oz);
    wrong("zero point added first", std::nearbyint(of_a + of_b + (oz | 1)) - (oz | 1), oz);
  }
  CHECK(refused == 0);
  CHECK(suspicious == 0);
  const auto rate = [&](std::string_view name) { return 100.0 * found[name] / cases; };
  for (const auto& [name, count] : found) UNSCOPED_INFO(name << ": " << rate(name));
  CHECK(rate("zero point of A") > 45);
  CHECK(rate("one scale") > 30);
  CHECK(rate("each requantised") > 8);
  CHECK(rate("halves away") > 2);
  CHECK(rate("INT8 as UINT8") > 15);
  CHECK(rate("zero point added first") > 4);
}
