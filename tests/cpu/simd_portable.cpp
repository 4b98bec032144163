// The vectors of simd_portable.hpp, which kernels use where the compiler has none: each function against what simd.hpp
// says of it, lane by lane.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <goldml/cpu/engine/base/simd_portable.hpp>

#include "catch.hpp"

namespace {

namespace portable = goldml::simd::portable;

// Two vectors with lanes of all kinds: equal and different, the least and the greatest, of either sign.
template <class T, std::size_t N>
struct operands {
  std::array<T, N> x{}, y{};
  portable::vector<T, N> a, b;

  operands() {
    for (std::size_t i = 0; i < N; ++i) {
      x[i] = static_cast<T>(i * 37 + 1);
      y[i] = i % 4 == 2 ? x[i] : static_cast<T>(255 - i * 91);
    }
    x[0] = std::numeric_limits<T>::min();
    x[1] = y[0] = std::numeric_limits<T>::max();
    y[1] = 3;
    portable::load(a, x.data());
    portable::load(b, y.data());
  }
};

template <class V>
auto lanes_of(const V& v) {
  std::array<std::remove_cvref_t<decltype(v[0])>, sizeof(V) / sizeof(v[0])> lanes;
  portable::store(lanes.data(), v);
  return lanes;
}

// What `f` gives for each lane, as R.
template <class R, class T, std::size_t N, class F>
std::array<R, N> each_lane(const operands<T, N>& o, F&& f) {
  std::array<R, N> lanes;
  for (std::size_t i = 0; i < N; ++i) lanes[i] = static_cast<R>(f(o.x[i], o.y[i]));
  return lanes;
}

template <class T, std::size_t N>
void check_lane_by_lane() {
  using U = std::make_unsigned_t<T>;
  using M = std::make_signed_t<T>;
  const operands<T, N> o;
  REQUIRE(lanes_of(o.a) == o.x);
  // As unsigned integers, so that nothing overflows.
  CHECK(lanes_of(o.a + o.b) == each_lane<T>(o, [](T x, T y) { return U(std::uint64_t{U(x)} + U(y)); }));
  CHECK(lanes_of(o.a - o.b) == each_lane<T>(o, [](T x, T y) { return U(std::uint64_t{U(x)} - U(y)); }));
  CHECK(lanes_of(o.a & o.b) == each_lane<T>(o, [](T x, T y) { return x & y; }));
  CHECK(lanes_of(o.a | o.b) == each_lane<T>(o, [](T x, T y) { return x | y; }));
  CHECK(lanes_of(o.a ^ o.b) == each_lane<T>(o, [](T x, T y) { return x ^ y; }));
  CHECK(lanes_of(o.a >> 3) == each_lane<T>(o, [](T x, T) { return x >> 3; }));
  CHECK(lanes_of(o.a < o.b) == each_lane<M>(o, [](T x, T y) { return x < y ? -1 : 0; }));
  CHECK(lanes_of(o.a <= o.b) == each_lane<M>(o, [](T x, T y) { return x <= y ? -1 : 0; }));
  CHECK(lanes_of(o.a == o.b) == each_lane<M>(o, [](T x, T y) { return x == y ? -1 : 0; }));

  portable::vector<T, N> result;
  portable::select(result, o.a < o.b, o.b, o.a);
  CHECK(lanes_of(result) == each_lane<T>(o, [](T x, T y) { return x < y ? y : x; }));
  portable::least(result, o.a, o.b);
  CHECK(lanes_of(result) == each_lane<T>(o, [](T x, T y) { return x < y ? x : y; }));
  portable::greatest(result, o.a, o.b);
  CHECK(lanes_of(result) == each_lane<T>(o, [](T x, T y) { return x < y ? y : x; }));

  // One bit for each byte of a lane.
  std::uint64_t bits = 0;
  for (std::size_t byte = 0; byte < N * sizeof(T); ++byte)
    if (o.x[byte / sizeof(T)] < o.y[byte / sizeof(T)]) bits |= std::uint64_t{1} << byte;
  CHECK(portable::byte_mask(o.a < o.b) == bits);

  portable::vector<U, N> as_unsigned;
  portable::bits_as(as_unsigned, o.a);
  CHECK(lanes_of(as_unsigned) == each_lane<U>(o, [](T x, T) { return x; }));
}

// Lanes that change places. Their numbers are their values.
template <class T, std::size_t N>
void check_moved_lanes() {
  std::array<T, N> first{}, second{};
  for (std::size_t i = 0; i < N; ++i) {
    first[i] = static_cast<T>(i);
    second[i] = static_cast<T>(100 + i);
  }
  portable::vector<T, N> a, b, lower, upper;
  portable::load(a, first.data());
  portable::load(b, second.data());

  // Of each 16 bytes the first eight, of a and b by turns, and the last eight.
  std::array<T, N> wanted_lower{}, wanted_upper{};
  constexpr std::size_t in_16_bytes = 16 / sizeof(T);
  for (std::size_t square = 0; square < N; square += in_16_bytes)
    for (std::size_t i = 0; i < in_16_bytes / 2; ++i) {
      wanted_lower[square + 2 * i] = first[square + i];
      wanted_lower[square + 2 * i + 1] = second[square + i];
      wanted_upper[square + 2 * i] = first[square + in_16_bytes / 2 + i];
      wanted_upper[square + 2 * i + 1] = second[square + in_16_bytes / 2 + i];
    }
  portable::interleave(lower, upper, a, b);
  CHECK(lanes_of(lower) == wanted_lower);
  CHECK(lanes_of(upper) == wanted_upper);

  portable::vector<T, N> halves;
  portable::load_halves(halves, second.data(), first.data());
  std::array<T, N> wanted = second;
  for (std::size_t i = 0; i < N / 2; ++i) wanted[N / 2 + i] = first[i];
  CHECK(lanes_of(halves) == wanted);

  portable::vector<T, N> exchanged;
  portable::exchange_lanes<N / 2>(exchanged, a);
  for (std::size_t i = 0; i < N; ++i) wanted[i] = static_cast<T>(i < N / 2 ? N / 2 + i : i - N / 2);
  CHECK(lanes_of(exchanged) == wanted);
}

}  // namespace

TEST_CASE("portable vectors: sums and differences of floats are not those of integers", "[cpu]") {
  const std::array<float, 4> x{1.5F, -2, 0x1p24F, 1e38F}, y{0.25F, 3, 1, -1e38F};
  portable::vector<float, 4> a, b;
  portable::load(a, x.data());
  portable::load(b, y.data());
  CHECK(lanes_of(a + b) == std::array<float, 4>{1.75F, 1, 0x1p24F, 0});
  CHECK(lanes_of(a - b) == std::array<float, 4>{1.25F, -5, 0x1p24F - 1, 2e38F});
}

TEMPLATE_TEST_CASE("portable vectors do what the compiler's do", "[cpu]", std::uint8_t, std::int8_t, std::uint16_t,
                   std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t) {
  check_lane_by_lane<TestType, 16 / sizeof(TestType)>();
  check_lane_by_lane<TestType, 32 / sizeof(TestType)>();
  check_moved_lanes<TestType, 16 / sizeof(TestType)>();
  check_moved_lanes<TestType, 32 / sizeof(TestType)>();
}
