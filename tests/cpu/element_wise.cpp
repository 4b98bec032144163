// The element-wise operators on `cpu`: every FLOAT16, many FLOAT32 and all pairs of special numbers against
// `reference`, on every instruction set; in place, on two threads, in layouts that are computed in blocks across rows,
// and with large outputs, which are written past the caches.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/element_wise.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::from_bits;

std::vector<float16> every_float16() {
  std::vector<float16> all;
  for (std::uint32_t pattern = 0; pattern < 0x1'0000; ++pattern) all.push_back(from_bits<float16>(pattern));
  return all;
}

// All exponents and signs with several mantissas, among them those next to integers and halves.
std::vector<float> many_float32() {
  std::vector<float> all;
  for (std::uint64_t top = 0; top < 512; ++top)
    for (int shift = 0; shift <= 23; ++shift)
      for (const std::uint64_t mantissa :
           {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << shift) - 1, std::uint64_t{1} << shift,
            (std::uint64_t{1} << shift) + 1, std::uint64_t{3} << shift, std::uint64_t{0x2A'AAAA}})
        all.push_back(from_bits<float>(top << 23 | (mantissa & 0x7F'FFFF)));
  return all;
}

// Every element with every other.
template <class T>
struct pairs {
  std::vector<T> a, b;
  explicit pairs(const std::vector<T>& values) {
    for (const T x : values)
      for (const T y : values) {
        a.push_back(x);
        b.push_back(y);
      }
  }
};

// f(backend, output) on reference and on each instruction set.
template <class Out, class F>
bool agrees(std::size_t count, const F& f) {
  std::vector<Out> wanted(count);
  f(reference, wanted);
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    std::vector<Out> got(count);
    f(cpu.with(set), got);
    if (bits(got) != bits(wanted)) return false;
  }
  return true;
}

template <class T>
void check_unary(const std::vector<T>& x) {
  const auto check = [&](const auto& function, const auto& desc) {
    CHECK(agrees<T>(x.size(), [&](const auto& backend, auto& y) { function(backend, x, y, desc); }));
  };
  check(element_wise_identity, element_wise_identity_desc{});
  check(element_wise_abs, element_wise_abs_desc{});
  check(element_wise_negate, element_wise_negate_desc{});
  check(element_wise_sign, element_wise_sign_desc{});
  check(element_wise_sign, element_wise_sign_desc{.nan_policy = nan_policy::propagate});
  check(element_wise_ceil, element_wise_ceil_desc{});
  check(element_wise_floor, element_wise_floor_desc{});
  for (const auto mode :
       {rounding_mode::halves_to_nearest_even, rounding_mode::toward_zero, rounding_mode::toward_infinity})
    check(element_wise_round, element_wise_round_desc{.rounding_mode = mode});
  check(element_wise_clip, element_wise_clip_desc{.min = -1.5f, .max = 0.0f});
  check(element_wise_bit_not, element_wise_bit_not_desc{});
  for (const auto mode : {is_infinity_mode::either, is_infinity_mode::positive, is_infinity_mode::negative})
    CHECK(agrees<std::uint8_t>(x.size(), [&](const auto& backend, auto& y) {
      element_wise_is_infinity(backend, x, y, {.infinity_mode = mode});
    }));
  CHECK(agrees<std::uint32_t>(x.size(), [&](const auto& backend, auto& y) { element_wise_is_nan(backend, x, y); }));
  CHECK(agrees<std::uint8_t>(x.size(), [&](const auto& backend, auto& y) { element_wise_bit_count(backend, x, y); }));
}

template <class T>
void check_binary(const pairs<T>& p) {
  const auto check = [&]<class Out>(std::type_identity<Out>, const auto& function, const auto& desc) {
    CHECK(agrees<Out>(p.a.size(), [&](const auto& backend, auto& y) { function(backend, p.a, p.b, y, desc); }));
  };
  constexpr std::type_identity<T> same;
  constexpr std::type_identity<std::uint8_t> truth;
  constexpr std::type_identity<std::uint32_t> wide;
  for (const auto policy : {nan_policy::skip, nan_policy::propagate}) {
    check(same, element_wise_min, element_wise_min_desc{.nan_policy = policy});
    check(same, element_wise_max, element_wise_max_desc{.nan_policy = policy});
  }
  const auto check_arithmetic = [&] {
    check(same, element_wise_add, element_wise_add_desc{});
    check(same, element_wise_subtract, element_wise_subtract_desc{});
    check(same, element_wise_multiply, element_wise_multiply_desc{});
    check(same, element_wise_divide, element_wise_divide_desc{});
  };
  check_arithmetic();
  {
    const flush_subnormals mode;  // changes no result
    check_arithmetic();
  }
  check(truth, element_wise_logical_equals, element_wise_logical_equals_desc{});
  check(truth, element_wise_logical_less_than, element_wise_logical_less_than_desc{});
  check(wide, element_wise_logical_greater_than, element_wise_logical_greater_than_desc{});
  check(truth, element_wise_logical_less_than_or_equal, element_wise_logical_less_than_or_equal_desc{});
  check(wide, element_wise_logical_greater_than_or_equal, element_wise_logical_greater_than_or_equal_desc{});
}

template <class T>
std::vector<T> from_patterns(std::initializer_list<std::uint64_t> patterns) {
  std::vector<T> result;
  for (const std::uint64_t pattern : patterns) result.push_back(from_bits<T>(pattern));
  return result;
}

}  // namespace

TEST_CASE("cpu element-wise operators on every FLOAT16", "[cpu]") { check_unary(every_float16()); }

TEST_CASE("cpu element-wise operators on FLOAT32 of every exponent", "[cpu]") { check_unary(many_float32()); }

TEST_CASE("cpu element-wise operators on all pairs of special numbers", "[cpu]") {
  check_binary(pairs(from_patterns<float16>({0, 0x8000, 1, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF,
                                             0x7C00, 0xFC00, 0x7C01, 0xFC01, 0x7E00, 0xFFFF})));
  check_binary(pairs(from_patterns<float>({0, 0x8000'0000, 1, 0x8000'0001, 0x007F'FFFF, 0x0080'0000, 0x3F80'0000,
                                           0xBF80'0000, 0x7F7F'FFFF, 0xFF7F'FFFF, 0x7F80'0000, 0xFF80'0000, 0x7F80'0001,
                                           0xFF80'0001, 0x7FC0'0000, 0xFFFF'FFFF})));
  check_binary(pairs(std::vector<std::int8_t>{-128, -127, -1, 0, 1, 2, 126, 127}));
  check_binary(pairs(std::vector<std::uint16_t>{0, 1, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF}));
  check_binary(pairs(from_patterns<std::int64_t>(
      {0, 1, 0x7FFF'FFFF'FFFF'FFFF, 0x8000'0000'0000'0000, 0xFFFF'FFFF, 0x1'0000'0000, 0xFFFF'FFFF'FFFF'FFFF})));
  check_binary(pairs(from_patterns<std::uint64_t>(
      {0, 1, 0x7FFF'FFFF'FFFF'FFFF, 0x8000'0000'0000'0000, 0xFFFF'FFFF, 0x1'0000'0000, 0xFFFF'FFFF'FFFF'FFFF})));
}

TEST_CASE("cpu element-wise operators: shifts by every count of 8 bits", "[cpu]") {
  std::vector<std::uint8_t> x, count;
  for (unsigned i = 0; i < 256; ++i)
    for (unsigned j = 0; j < 256; ++j) {
      x.push_back(static_cast<std::uint8_t>(i));
      count.push_back(static_cast<std::uint8_t>(j));
    }
  for (const auto policy : {shift_policy::zero, shift_policy::mask}) {
    CHECK(agrees<std::uint8_t>(x.size(), [&](const auto& backend, auto& y) {
      element_wise_bit_shift_left(backend, x, count, y, {.shift_policy = policy});
    }));
    CHECK(agrees<std::uint8_t>(x.size(), [&](const auto& backend, auto& y) {
      element_wise_bit_shift_right(backend, x, count, y, {.shift_policy = policy});
    }));
  }
}

TEST_CASE("cpu element-wise operators: in place, for every length around a block, on two threads", "[cpu]") {
  Eigen::ThreadPool pool(2);
  const auto two_threads = cpu.on(pool).with(cpu_tuning{0, 0});
  for (std::size_t length = 1; length < 300; ++length)
    for (const auto& backend : {cpu_backend(cpu), two_threads}) {
      std::vector<std::int32_t> a(length), b(length), wanted(length);
      for (std::size_t i = 0; i < length; ++i) {
        a[i] = static_cast<std::int32_t>(i * 7 % 31);
        b[i] = static_cast<std::int32_t>(i * 5 % 29);
        wanted[i] = a[i] < b[i] ? a[i] : b[i];
      }
      auto first = a;
      element_wise_min(backend, first, b, first);
      element_wise_min(backend, a, b, b);
      REQUIRE(first == wanted);
      REQUIRE(b == wanted);
    }
  std::vector<std::uint16_t> large(100'000), wanted(100'000);
  for (std::size_t i = 0; i < large.size(); ++i) {
    large[i] = static_cast<std::uint16_t>(i);
    wanted[i] = static_cast<std::uint16_t>(~i);
  }
  element_wise_bit_not(two_threads, large, large);
  CHECK(large == wanted);
  element_wise_identity(two_threads, large, large);
  CHECK(large == wanted);
  std::vector<float> few{1, 2, 3};
  element_wise_identity(cpu, few, few, {.scale_bias = scale_bias{2, 10}});
  CHECK(few == std::vector<float>{12, 14, 16});
}

TEST_CASE("cpu element-wise operators: rows of every length, broadcast operands, gaps", "[cpu]") {
  for (std::uint32_t columns = 1; columns < 200; columns += columns < 70 ? 1 : 13) {
    const dimensions sizes{5, columns};
    const std::size_t count = 5 * columns;
    std::vector<float> elements(count), row(columns), wanted(count);
    for (std::size_t i = 0; i < count; ++i) elements[i] = static_cast<float>(i * 37 % 101);
    for (std::size_t i = 0; i < columns; ++i) row[i] = static_cast<float>(i * 11 % 97);
    for (const auto layout : layouts::all_layouts) {
      layouts::laid_out<float> y(sizes, layouts::strides_of(layout, sizes), elements);
      for (std::size_t i = 0; i < count; ++i)
        wanted[i] = elements[i] > row[i % columns] ? elements[i] : row[i % columns];
      element_wise_max(cpu, y.view(), tensor_view{row, sizes, {0, 1}}, y.view());  // in place
      REQUIRE(y.elements() == wanted);
      const float least = 50;
      for (float& x : wanted) x = x > least ? x : least;
      element_wise_max(cpu, tensor_view{&least, sizes, {0, 0}}, y.view(), y.view());
      REQUIRE(y.elements() == wanted);
      REQUIRE(y.gaps_untouched());
    }
  }
}

TEST_CASE("cpu element-wise operators: rows that threads divide anywhere", "[cpu]") {
  Eigen::ThreadPool pool(2);
  // A thread's elements begin or end in a row, with fewer than a block of it.
  const dimensions sizes{100, 300}, strides{301, 1};
  std::vector<float> x(30'100), y(30'100, 77), wanted(30'100, 77);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
    if (i % 301 != 300) wanted[i] = -x[i];
  }
  element_wise_negate(cpu.on(pool).with(cpu_tuning{0, 0}), tensor_view<const float>(x.data(), sizes, strides),
                      tensor_view<float>(y.data(), sizes, strides));
  CHECK(y == wanted);
}

TEST_CASE("cpu CLIP_GRAD, CLIP_GRAD1 and RELU_GRAD: all bounds, NaN and inverted ones among them", "[cpu]") {
  const auto check = []<class T>(const std::vector<T>& numbers, const std::vector<float>& bounds) {
    const pairs<T> p(numbers);
    const auto agree = [&](const auto& function, const auto& desc) {
      CHECK(agrees<T>(p.a.size(), [&](const auto& backend, auto& y) { function(backend, p.a, p.b, y, desc); }));
    };
    for (const float min : bounds)
      for (const float max : bounds) {
        CAPTURE(name_of(data_type_of<T>), min, max);
        agree(element_wise_clip_grad, element_wise_clip_grad_desc{.min = min, .max = max});
        const auto as_scalar = [](float bound) {
          return *convert_value(bound, data_type_of<T>, value_conversion::saturate);
        };
        agree(element_wise_clip_grad1, element_wise_clip_grad1_desc{.min = as_scalar(min), .max = as_scalar(max)});
      }
    if constexpr (std::is_signed_v<T> || is_floating_type<T>)
      if constexpr (sizeof(T) < 8) agree(activation_relu_grad, activation_relu_grad_desc{});
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> bounds{-infinity, -2, -0.0f, 0x1p-149f, 1, infinity, from_bits<float>(0xFFC0'0000)};
  check(from_patterns<float>({0, 0x8000'0000, 1, 0x8000'0001, 0x3F80'0000, 0xC000'0000, 0x7F80'0000, 0xFF80'0000,
                              0x7F80'0001, 0xFFFF'FFFF}),
        bounds);
  check(from_patterns<float16>({0, 0x8000, 1, 0x3C00, 0xC000, 0x7C00, 0xFC00, 0x7C01, 0xFFFF}), bounds);
  check(std::vector<std::int8_t>{-128, -3, -2, -1, 0, 1, 2, 127}, bounds);
  check(std::vector<std::uint64_t>{0, 1, 2, std::uint64_t{1} << 63, ~std::uint64_t{0}}, bounds);
}

TEST_CASE("cpu CLIP and CLIP1: all bounds, NaN and inverted ones among them", "[cpu]") {
  const auto check = []<class T>(const std::vector<T>& x, const std::vector<float>& bounds) {
    for (const float min : bounds)
      for (const float max : bounds)
        for (const auto policy : {nan_policy::skip, nan_policy::propagate}) {
          CAPTURE(name_of(data_type_of<T>), min, max);
          CHECK(agrees<T>(x.size(), [&](const auto& backend, auto& y) {
            element_wise_clip(backend, x, y, {.min = min, .max = max, .nan_policy = policy});
          }));
          const auto as_scalar = [](float bound) {
            return *convert_value(bound, data_type_of<T>, value_conversion::saturate);
          };
          CHECK(agrees<T>(x.size(), [&](const auto& backend, auto& y) {
            element_wise_clip1(backend, x, y,
                               {.min = as_scalar(min), .max = as_scalar(max), .nan_policy = policy});
          }));
        }
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto nan = [](std::uint64_t pattern) { return from_bits<float>(pattern); };
  const std::vector<float> bounds{-infinity, -2, -0.0f, 0.0f, 0x1p-149f, 1, 3, infinity,
                                  nan(0x7F80'0001), nan(0x7F80'0002), nan(0xFFC0'0000)};
  check(from_patterns<float>({0, 0x8000'0000, 1, 0x8000'0001, 0x3F80'0000, 0xBF80'0000, 0x4040'0000, 0xC040'0000,
                              0x7F7F'FFFF, 0xFF7F'FFFF, 0x7F80'0000, 0xFF80'0000, 0x7F80'0001, 0x7F80'0002, 0xFF80'0001,
                              0x7FC0'0000, 0xFFFF'FFFF}),
        bounds);
  check(from_patterns<float16>({0, 0x8000, 1, 0x8001, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7C01, 0x7C02,
                                0xFC01, 0x7E00, 0xFFFF}),
        bounds);
  check(std::vector<std::int8_t>{-128, -2, -1, 0, 1, 2, 3, 127}, bounds);
  check(std::vector<std::uint32_t>{0, 1, 2, 3, 4, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF}, bounds);
  check(std::vector<std::int64_t>{-(std::int64_t{1} << 40), -2, -1, 0, 1, 2, 3, std::int64_t{1} << 40}, bounds);
}

TEST_CASE("cpu element-wise operators: outputs that are streamed, at every place in a cache line", "[cpu]") {
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    const cpu_backend streaming = cpu.with(set).with(cpu_tuning{.streaming_from_bytes = 0});
    for (const std::uint32_t count : {1u, 63u, 64u, 65u, 127u, 128u, 129u, 255u, 256u, 400u, 1000u})
      for (std::size_t place = 0; place <= 64; ++place) {
        std::vector<float> a(count), b(count);
        std::vector<std::uint8_t> condition(count);
        for (std::uint32_t i = 0; i < count; ++i) {
          a[i] = static_cast<float>(i * 37 % 101);
          b[i] = static_cast<float>(i * 11 % 97);
          condition[i] = static_cast<std::uint8_t>(i % 3);
        }
        std::vector<std::uint8_t> truths(count + 200, 7);
        std::vector<float> chosen(count + 200, 7), raised(count + 200, 7);
        element_wise_logical_greater_than(streaming, a, b, std::span(truths).subspan(place, count));
        element_wise_if(streaming, condition, a, b, std::span(chosen).subspan(place, count));
        // In place, with a broadcast operand.
        std::copy(a.begin(), a.end(), raised.begin() + static_cast<std::ptrdiff_t>(place));
        const float least = 50;
        const auto part = std::span(raised).subspan(place, count);
        element_wise_max(streaming, part, tensor_view{&least, {count}, {0}}, part);
        for (std::size_t i = 0; i < count + 200; ++i) {
          const std::size_t j = i - place;
          const bool inside = i >= place && j < count;
          if (truths[i] != (inside ? (a[j] > b[j] ? 1 : 0) : 7) ||
              chosen[i] != (inside ? (condition[j] != 0 ? a[j] : b[j]) : 7) ||
              raised[i] != (inside ? (a[j] > least ? a[j] : least) : 7))
            FAIL(name_of(set) << ", " << count << " elements, place " << place << ", at " << i);
        }
      }
  }
}

TEST_CASE("cpu element-wise operators: outputs of more than 4 MiB, on one and on two threads", "[cpu]") {
  Eigen::ThreadPool pool(2);
  const std::uint32_t rows = 5, columns = (1u << 20) + 29;
  const dimensions sizes{rows, columns}, strides{columns + 3, 1};
  std::vector<float> a(rows * (columns + 3)), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 37 % 1009);
    b[i] = static_cast<float>(i * 11 % 997);
  }
  for (const cpu_backend& backend : {cpu_backend(cpu), cpu.on(pool)}) {
    std::vector<float> y(a.size(), -1);
    std::vector<std::uint8_t> truths(a.size(), 7);
    element_wise_min(backend, tensor_view{a, sizes, strides}, tensor_view{b, sizes, strides},
                     tensor_view{y, sizes, strides});
    element_wise_logical_less_than(backend, tensor_view{a, sizes, strides}, tensor_view{b, sizes, strides},
                                   tensor_view{truths, sizes, strides});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const bool inside = i % (columns + 3) < columns;
      const float wanted = inside ? (a[i] < b[i] ? a[i] : b[i]) : -1;
      if (y[i] != wanted || truths[i] != (inside ? (a[i] < b[i] ? 1 : 0) : 7)) ++wrong;
    }
    CHECK(wrong == 0);
  }
}
