// CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT on `cpu` give the bytes of `reference`.
#include <array>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <goldml/cpu/cumulative.hpp>
#include <goldml/reference/cumulative.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::filled;
using layouts::laid_out;
using layouts::strides_of;

using numbers = type_list<float, float16, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;

// Data of one kind: any bits; of similar size; small integers; such that sums cancel; subnormals; of all magnitudes;
// zeros of both signs, then numbers; infinities among numbers.
constexpr int kinds = 8;
template <class T>
T number(int kind, std::size_t i) {
  static std::uint32_t seed = 1;
  const auto random = [&] { return (seed = seed * 1664525 + 1013904223) >> 8; };
  if constexpr (!is_floating_type<T>) {
    return static_cast<T>(kind % 2 == 0 ? static_cast<std::int64_t>(random()) << 40 | random() : random() % 7);
  } else {
    const float some = static_cast<float>(random() % 0x80'0000) / 0x40'0000;
    const std::uint32_t sign = random() & 1;
    switch (kind) {
      case 0: return layouts::from_bits<T>(random() << 12 ^ random());
      case 1: return T(some - 1);
      case 2: return T(static_cast<float>(random() % 17) - 8);
      case 3: return T((i % 2 == 0 ? 1.0F : -1.0F) * (1000 + some / 256));
      case 4: return layouts::from_bits<T>(sign << (8 * sizeof(T) - 1) | random() % 0x400);
      case 5: {
        std::uint64_t bits = random() << 12 ^ random();
        constexpr std::uint64_t high = sizeof(T) == 4 ? 0x4000'0000 : 0x4000;
        if ((bits & high) != 0 && random() % 4 != 0) bits &= ~(high / 2);  // finite, most of them
        return layouts::from_bits<T>(bits);
      }
      case 6: return i % 700 < 60 ? layouts::from_bits<T>(std::uint64_t{i % 70 < 50} << (8 * sizeof(T) - 1)) : T(some);
      default:
        if (random() % 97 == 0) return sign != 0 ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
        return T(some - 1);
    }
  }
}

template <class Desc, class T>
void call(const auto& backend, const auto& x, auto&& y, const Desc& desc) {
  if constexpr (detail::multiplies<Desc>)
    cumulative_product(backend, x, y, desc);
  else
    cumulative_summation(backend, x, y, desc);
}

template <class Desc>
Desc described(std::uint32_t axis, axis_direction direction, bool exclusive) {
  Desc desc;
  desc.axis = axis;
  desc.axis_direction = direction;
  if constexpr (detail::multiplies<Desc>)
    desc.has_exclusive_product = exclusive;
  else
    desc.has_exclusive_sum = exclusive;
  return desc;
}

// Every direction and both forms, of a tensor with these elements; also in place.
template <class Desc, class T>
void check(const cpu_backend& backend, const dimensions& sizes, layouts::layout from, layouts::layout to,
           const std::vector<T>& elements) {
  for (std::uint32_t axis = 0; axis < sizes.size(); ++axis)
    for (const auto direction : {axis_direction::increasing, axis_direction::decreasing})
      for (const bool exclusive : {false, true}) {
        const Desc desc = described<Desc>(axis, direction, exclusive);
        laid_out<T> x(sizes, strides_of(from, sizes), elements);
        auto wanted = filled<T>(sizes, to, 2);
        auto y = filled<T>(sizes, to, 3);
        call<Desc, T>(reference, x.view(), wanted.view(), desc);
        call<Desc, T>(backend, x.view(), y.view(), desc);
        INFO("axis " << axis << ", exclusive " << exclusive << ", " << sizes.size() << " dimensions");
        CHECK(layouts::bits(y.elements()) == layouts::bits(wanted.elements()));
        CHECK(y.gaps_untouched());
        call<Desc, T>(backend, const_tensor_ref(x.view()), tensor_ref(x.view()), desc);
        CHECK(layouts::bits(x.elements()) == layouts::bits(wanted.elements()));
      }
}

template <class Desc>
void check_all(const dimensions& sizes, const std::vector<layouts::layout>& which) {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  std::size_t n = 0;
  [&]<class... T>(type_list<T...>) {
    const auto each = [&]<class E>(std::type_identity<E>) {
      for (int kind = 0; kind < kinds; ++kind)
        for (const auto from : which) {
          std::vector<E> elements;
          for (std::size_t i = 0; i < element_count(sizes); ++i) elements.push_back(number<E>(kind, i));
          INFO("kind " << kind << ", type " << name_of(data_type_of<E>));
          ++n;
          check<Desc>(n % 2 == 0 ? threads : cpu, sizes, from, which[n % which.size()], elements);
        }
    };
    (each(std::type_identity<T>{}), ...);
  }(numbers{});
}

}  // namespace

TEST_CASE("CUMULATIVE_SUMMATION on cpu: every layout, type, axis and direction", "[cpu][cumulative]") {
  const std::vector<layouts::layout> all(all_layouts.begin(), all_layouts.end());
  check_all<cumulative_summation_desc>({4, 3, 5}, all);
  check_all<cumulative_summation_desc>({1}, all);
}

TEST_CASE("CUMULATIVE_SUMMATION on cpu: lines of several blocks", "[cpu][cumulative]") {
  check_all<cumulative_summation_desc>({1301}, {layouts::layout::packed, layouts::layout::stepped});
  check_all<cumulative_summation_desc>({3, 200}, {layouts::layout::packed});
  check_all<cumulative_summation_desc>({21, 70}, {layouts::layout::packed, layouts::layout::permuted});
  check_all<cumulative_summation_desc>({2, 67, 9}, {layouts::layout::packed});
}

TEST_CASE("CUMULATIVE_PRODUCT on cpu: every layout, type, axis and direction", "[cpu][cumulative]") {
  const std::vector<layouts::layout> all(all_layouts.begin(), all_layouts.end());
  check_all<cumulative_product_desc>({4, 3, 5}, all);
  check_all<cumulative_product_desc>({300}, {layouts::layout::packed});
  check_all<cumulative_product_desc>({40, 35}, {layouts::layout::packed});
}

TEST_CASE("CUMULATIVE_PRODUCT on cpu: products near the middle of two numbers", "[cpu][cumulative]") {
  // 3^16 has 26 bits and 3^33 53: exact doubles, and after them none; 1.5^k near FLOAT16's ties.
  std::vector<float> powers(80, 3.0F);
  check<cumulative_product_desc, float>(cpu, {80}, layouts::layout::packed, layouts::layout::packed, powers);
  std::vector<float16> halves(12, float16(1.5F));
  check<cumulative_product_desc, float16>(cpu, {12}, layouts::layout::packed, layouts::layout::packed, halves);
  std::vector<float> mixed;
  for (int i = 0; i < 200; ++i) mixed.push_back(i % 2 == 0 ? 0x1.000002p0F : 0x1.fffffep-1F);
  check<cumulative_product_desc, float>(cpu, {200}, layouts::layout::packed, layouts::layout::packed, mixed);
}

TEST_CASE("CUMULATIVE_SUMMATION on cpu: sums that lie a little beside the middle of two numbers", "[cpu][cumulative]") {
  // 2^24 + 1 is a tie; the third element decides it. 2^-60 beside it needs two doubles, 2^-149 exact_sum.
  for (const float least : {0x1p-20F, 0x1p-60F, 0x1p-149F, 0.0F})
    for (const float sign : {1.0F, -1.0F}) {
      std::vector<float> x{0x1p24F, 1.0F, sign * least, 1.0F, 0x1p60F, -0x1p60F, 0.0F};
      for (std::size_t i = 0; i < 600; ++i) x.push_back(i % 3 == 0 ? 0x1p25F : i % 3 == 1 ? sign * least : 1.0F);
      check<cumulative_summation_desc, float>(cpu, {607}, layouts::layout::packed, layouts::layout::packed, x);
    }
}

TEST_CASE("CUMULATIVE_SUMMATION on cpu: sums that a double cannot hold, rounded once, by hand", "[cpu][cumulative]") {
  // 2^24 + 1 is a tie, to even 2^24; 2^-40 beside it, which no double holds there, decides it.
  const tensor<float> above({5}, {0x1p24F, 1, 0x1p-40F, 1, 0}), below({5}, {0x1p24F, 1, -0x1p-40F, 1, 0});
  CHECK(cumulative_summation(cpu, above, {.axis = 0}).elements() ==
        std::vector<float>{16777216, 16777216, 16777218, 16777218, 16777218});
  CHECK(cumulative_summation(cpu, below, {.axis = 0}).elements() ==
        std::vector<float>{16777216, 16777216, 16777216, 16777218, 16777218});
}

TEST_CASE("CUMULATIVE_PRODUCT on cpu: powers of 1/2 down to 0, by hand", "[cpu][cumulative]") {
  // After 53 factors the product of doubles counts as rounded. 2^-150 is a tie between 2^-149 and 0.
  const tensor<float> y = cumulative_product(cpu, tensor<float>({160}, std::vector<float>(160, 0.5F)), {.axis = 0});
  for (int i = 0; i < 160; ++i)
    CHECK(y.elements()[static_cast<std::size_t>(i)] == (i < 149 ? std::ldexp(1.0F, -1 - i) : 0));
}

TEST_CASE("CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT on cpu: other rounding modes do not matter", "[cpu][cumulative]") {
  std::vector<float> elements;
  for (std::size_t i = 0; i < 600; ++i) elements.push_back(number<float>(3, i));
  for (const int mode : {FE_UPWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    check<cumulative_summation_desc, float>(cpu, {600}, layouts::layout::packed, layouts::layout::packed, elements);
    check<cumulative_product_desc, float>(cpu, {600}, layouts::layout::packed, layouts::layout::packed, elements);
    std::fesetround(FE_TONEAREST);
  }
}

TEST_CASE("CUMULATIVE_SUMMATION on cpu: what is refused on reference", "[cpu][cumulative]") {
  const tensor<float> x({2, 2});
  tensor<float> y({2, 2}, {7, 7, 7, 7});
  CHECK(refusal_of([&] { cumulative_summation(cpu, x, y, {.axis = 2}); }) == "CU4");
  CHECK(y.elements() == std::vector<float>{7, 7, 7, 7});
}
