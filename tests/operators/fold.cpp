// FOLD and UNFOLD: results by hand, adjoints, what devices may answer, and wrong kernels.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <goldml/cpu/fold.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/fold.hpp>
#include <goldml/reference/fold.hpp>

#include "../catch.hpp"
#include "../core/rules.hpp"
#include "../support/judged.hpp"

namespace {

using namespace goldml;
using numbers = std::vector<float>;

template <class T>
std::vector<T> folded(const dimensions& columns, const std::vector<T>& x, const dimensions& sizes,
                      const fold_desc& desc) {
  const std::vector<T> y = fold(reference, tensor<T>(columns, x), sizes, desc).elements();
  CHECK(fold(cpu, tensor<T>(columns, x), sizes, desc).elements() == y);
  return y;
}
template <class T>
std::vector<T> unfolded(const dimensions& sizes, const std::vector<T>& x, const unfold_desc& desc) {
  const std::vector<T> y = unfold(reference, tensor<T>(sizes, x), desc).elements();
  CHECK(unfold(cpu, tensor<T>(sizes, x), desc).elements() == y);
  return y;
}
template <class T = float>
std::vector<T> counting(std::size_t count, T first = T(0)) {
  std::vector<T> x(count);
  std::iota(x.begin(), x.end(), first);
  return x;
}

template <class T, class Desc>
std::string judged(Desc desc, const dimensions& from, const std::vector<T>& x, const dimensions& sizes,
                   const std::vector<T>& got) {
  desc = detail::with_default_fold(desc);
  const tensor_desc in{.data_type = data_type_of<T>, .sizes = from},
      out{.data_type = data_type_of<T>, .sizes = sizes};
  const std::array inputs{const_tensor_ref(in, x.data(), x.size() * sizeof(T))};
  const std::array outputs{out};
  const oracle::golden golden =
      oracle::expect(desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
  const std::array actual{const_tensor_ref(out, got.data(), got.size() * sizeof(T))};
  return goldml_test::judged(golden, actual);
}

}  // namespace

TEST_CASE("FOLD: the page's examples", "[fold]") {
  CHECK(folded({1, 9, 4}, counting(36), {1, 1, 4, 4}, {.window_sizes = {3, 3}}) ==
        numbers{0, 5, 13, 9, 14, 38, 54, 32, 38, 86, 102, 56, 26, 57, 65, 35});
  const fold_desc padded{.window_sizes = {3, 3}, .start_padding = {1, 0}, .end_padding = {1, 0}};
  const numbers first{26, 70, 102, 60, 78, 183, 231, 129, 84, 195, 243, 135, 82, 182, 214, 116};
  CHECK(folded({1, 9, 8}, counting(72), {1, 1, 4, 4}, padded) == first);
  const numbers both = folded({1, 18, 8}, counting(144), {1, 2, 4, 4}, padded);
  CHECK(numbers(both.begin(), both.begin() + 16) == first);
  CHECK(numbers(both.begin() + 16, both.end()) ==
        numbers{170, 358, 390, 204, 294, 615, 663, 345, 300, 627, 675, 351, 226, 470, 502, 260});
}

TEST_CASE("UNFOLD: the page's examples", "[fold]") {
  const numbers y = unfolded({1, 1, 5, 5}, counting(25), {.window_sizes = {3, 3}});
  CHECK(numbers(y.begin(), y.begin() + 9) == numbers{0, 1, 2, 5, 6, 7, 10, 11, 12});
  CHECK(numbers(y.end() - 9, y.end()) == numbers{12, 13, 14, 17, 18, 19, 22, 23, 24});
  const numbers z =
      unfolded({1, 1, 5, 5}, counting(25), {.window_sizes = {3, 3}, .start_padding = {1, 0}, .end_padding = {1, 0}});
  CHECK(z.size() == 9 * 15);
  CHECK(numbers(z.begin(), z.begin() + 15) == numbers{0, 0, 0, 0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17});
}

TEST_CASE("FOLD, UNFOLD: by hand", "[fold]") {
  CHECK(unfolded({1, 2, 3}, counting(6, 1.0F), {.window_sizes = {2}}) == numbers{1, 2, 2, 3, 4, 5, 5, 6});
  CHECK(folded<float>({1, 4, 2}, {1, 2, 2, 3, 4, 5, 5, 6}, {1, 2, 3}, {.window_sizes = {2}}) ==
        numbers{1, 4, 3, 4, 10, 6});
  CHECK(unfolded({1, 1, 2, 3}, counting(6, 1.0F), {.window_sizes = {1, 2}, .dilations = {1, 2}}) ==
        numbers{1, 4, 3, 6});
  CHECK(unfolded({1, 1, 3}, counting(3, 1.0F),
                 {.window_sizes = {2}, .strides = {2}, .start_padding = {1}, .end_padding = {1}}) ==
        numbers{0, 2, 1, 3});
  // Integers wrap; what no window covers is 0, and what is in the padding is dropped.
  CHECK(folded<std::uint8_t>({1, 2, 2}, {200, 1, 100, 5}, {1, 1, 3}, {.window_sizes = {2}}) ==
        std::vector<std::uint8_t>{200, 101, 5});
  CHECK(folded<float>({1, 1, 2}, {1, 2}, {1, 1, 3}, {.window_sizes = {1}, .strides = {2}}) == numbers{1, 0, 2});
  CHECK(folded<float>({1, 2, 2}, {1, 2, 3, 4}, {1, 1, 1},
                      {.window_sizes = {2}, .start_padding = {1}, .end_padding = {1}}) == numbers{5});
  // Columns with ones before, six spatial axes.
  const dimensions image{2, 1, 1, 2, 1, 1, 1, 2};
  const fold_desc six{.window_sizes = {1, 2, 1, 1, 1, 1}};
  CHECK(folded<float>({1, 1, 1, 1, 1, 2, 2, 2}, counting(8, 1.0F), image, six) == counting(8, 1.0F));
  // FLOAT64, rounded once.
  using doubles = std::vector<double>;
  CHECK(folded<double>({1, 3, 3}, {0, 0, 1e300, 0, 1, 0, -1e300, 0, 0}, {1, 1, 5}, {.window_sizes = {3}}) ==
        doubles{0, 0, 1, 0, 0});
  CHECK(folded<double>({1, 2, 2}, {0, 0x1p53, 1, 0}, {1, 1, 3}, {.window_sizes = {2}})[1] == 0x1p53);
  CHECK(folded<double>({1, 2, 2}, {0, 5e-324, 5e-324, 0}, {1, 1, 3}, {.window_sizes = {2}})[1] == 1e-323);
  CHECK(folded<double>({1, 2, 2}, {0, 1.7e308, 1.7e308, 0}, {1, 1, 3}, {.window_sizes = {2}})[1] ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE("FOLD is the adjoint of UNFOLD", "[fold]") {
  std::mt19937 random(45);
  for (int i = 0; i < 100; ++i) {
    dimensions sizes{1 + random() % 2, 1 + random() % 2};
    fold_desc desc;
    unfold_desc to;
    for (std::size_t axis = 0; axis < 1 + random() % 3; ++axis) {
      sizes.push_back(1 + random() % 5);
      desc.dilations.push_back(1 + random() % 2);
      desc.strides.push_back(1 + random() % 3);
      desc.start_padding.push_back(random() % 3);
      desc.end_padding.push_back(random() % 3);
      const std::uint64_t padded = sizes.back() + std::uint64_t{desc.start_padding.back()} + desc.end_padding.back();
      desc.window_sizes.push_back(1 + random() % ((padded - 1) / desc.dilations.back() + 1));
    }
    to.window_sizes = desc.window_sizes;
    to.strides = desc.strides;
    to.dilations = desc.dilations;
    to.start_padding = desc.start_padding;
    to.end_padding = desc.end_padding;
    const auto integers = [&](std::uint64_t count) {
      std::vector<std::int64_t> x(static_cast<std::size_t>(count));
      for (std::int64_t& each : x) each = static_cast<std::int64_t>(random()) - 0x7FFF'FFFF;
      return x;
    };
    const std::vector<std::int64_t> x = integers(element_count(sizes));
    const auto columns = unfold(cpu, tensor<std::int64_t>(sizes, x), to);
    const std::vector<std::int64_t> y = unfolded(sizes, x, to), v = integers(y.size());
    const std::vector<std::int64_t> back = folded(columns.sizes(), v, sizes, desc);
    std::uint64_t left = 0, right = 0;  // modulo 2^64
    for (std::size_t k = 0; k < y.size(); ++k)
      left += static_cast<std::uint64_t>(y[k]) * static_cast<std::uint64_t>(v[k]);
    for (std::size_t k = 0; k < x.size(); ++k)
      right += static_cast<std::uint64_t>(x[k]) * static_cast<std::uint64_t>(back[k]);
    CHECK(left == right);
    numbers floats;
    for (const std::int64_t each : v) floats.push_back(static_cast<float>(each % 1000) / 7);
    folded(columns.sizes(), floats, sizes, desc);
    std::vector<double> doubles(floats.begin(), floats.end());
    for (double& each : doubles) each /= 3;
    folded(columns.sizes(), doubles, sizes, desc);
  }
}

TEST_CASE("FOLD: what a device may answer", "[fold]") {
  const fold_desc three{.window_sizes = {3}};  // the middle of five: terms 2, 4 and 6
  const dimensions columns{1, 3, 3}, sizes{1, 1, 5};
  const auto of = [&](float a, float b, float c, float middle) {
    return judged<float>(three, columns, {0, 0, a, 0, b, 0, c, 0, 0}, sizes, {0, 0, middle, 0, 0});
  };
  CHECK(of(1, 2, 3, 6) == "aa");
  CHECK(of(1, 2, 3, 3) == "rr");  // overwritten
  CHECK(of(1, 2, 3, 2) == "rr");  // averaged
  CHECK(of(1e8F, 1, -1e8F, 1) == "aa");
  CHECK(of(1e8F, 1, -1e8F, 0) == "aa");
  CHECK(of(1e8F, 1, -1e8F, 30) == "rr");
  CHECK(of(3e38F, 3e38F, -3e38F, std::numeric_limits<float>::infinity())[0] == 'o');
  const auto of_double = [&](double a, double b, double c, double middle) {
    return judged<double>(three, columns, {0, 0, a, 0, b, 0, c, 0, 0}, sizes, {0, 0, middle, 0, 0});
  };
  CHECK(of_double(1, 2, 3, 6) == "aa");
  CHECK(of_double(1, 2, 3, 6 + 0x1p-50) == "rr");
  CHECK(of_double(1e17, 1, -1e17, 0) == "aa");
  CHECK(of_double(1e17, 1, -1e17, 16) == "aa");
  CHECK(of_double(1e17, 1, -1e17, 60) == "rr");
  // Beyond the range by roundings: 2^969 is a quarter of the unit of the greatest number, so that one order stays there.
  constexpr double most = (std::numeric_limits<double>::max)(), endless = std::numeric_limits<double>::infinity();
  CHECK(of_double(most, 0x1p969, 0x1p969, endless) == "aa");
  CHECK(of_double(most, 0x1p969, 0x1p969, most) == "aa");
  CHECK(of_double(most, 0x1p969, 0x1p969, most - 0x1p975) == "rr");
  CHECK(of_double(most, 0x1p969, 0x1p969, -endless) == "rr");
  CHECK(of_double(-most, -0x1p969, -0x1p969, -most) == "aa");
  CHECK(of_double(most, most, 0x1p969, most) == "rr");
  CHECK(of_double(endless, 1, 1, most) == "rr");
  CHECK(judged<std::int8_t>(three, columns, {0, 0, 100, 0, 100, 0, 0, 0, 0}, sizes, {0, 0, -56, 0, 0}) == "aa");
  CHECK(judged<std::int8_t>(three, columns, {0, 0, 100, 0, 100, 0, 0, 0, 0}, sizes, {0, 0, 127, 0, 0}) == "rr");
}

TEST_CASE("UNFOLD FO-R3: zeros of the padding have either sign", "[fold]") {
  const unfold_desc two{.window_sizes = {2}, .start_padding = {1}, .end_padding = {1}};  // columns 0 5 6, 5 6 0
  const auto of = [&](float before, float inside, float after) {
    return judged<float>(two, {1, 1, 2}, {5, 6}, {1, 2, 3}, {before, 5, inside, 5, 6, after});
  };
  CHECK(of(0, 6, 0) == "aa");
  CHECK(of(-0.0F, 6, -0.0F) == "aa");
  CHECK(of(1e-45F, 6, 0) == "rr");
  CHECK(of(0, -6, 0) == "rr");
  CHECK(judged<float>(two, {1, 1, 2}, {0, 6}, {1, 2, 3}, {0, -0.0F, 6, 0, 6, 0}) == "rr");  // no padding
}

TEST_CASE("FOLD, UNFOLD: lists that are null or too long", "[fold]") {
  const tensor_desc image{.data_type = data_type::float32, .sizes = {1, 1, 3}},
      columns{.data_type = data_type::float32, .sizes = {1, 2, 2}};
  const unfold_desc legal = detail::with_default_fold(unfold_desc{.window_sizes = {2}});
  CHECK(rules::codes_of(violations(legal, image, columns)) == "");
  for (const auto member : {&unfold_desc::window_sizes, &unfold_desc::strides, &unfold_desc::dilations,
                            &unfold_desc::start_padding, &unfold_desc::end_padding}) {
    unfold_desc desc = legal;
    desc.*member = dimensions::null();
    CHECK(rules::codes_of(violations(desc, image, columns)) == "FO3");
    desc.*member = dimensions(std::vector<std::uint32_t>(9, 1));
    CHECK(rules::codes_of(violations(desc, image, columns)) == "FO2");
  }
}
