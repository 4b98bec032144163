// ARGMIN on `cpu` at the boundaries of its algorithms: lengths near those of vectors, blocks, strips and segments; both
// orders of axes; slices divided among threads; tensors that end at the end of their memory.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/argmin.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/reference/argmin.hpp>

#include "../support/cpu_variants.hpp"
#include "../support/long_run.hpp"
#include "guarded_memory.hpp"

namespace {

using namespace goldml;

constexpr auto both_directions = {axis_direction::increasing, axis_direction::decreasing};
constexpr auto both_policies = {nan_policy::skip, nan_policy::propagate};

// Compares all variants of `cpu` with `reference` on one tensor, both directions and policies.
template <class T>
void compare(const goldml_test::cpu_variants& variants, const tensor_view<const T>& input, const dimensions& axes) {
  const dimensions sizes = sizes_after_reduction(input.sizes(), axes);
  for (const axis_direction direction : both_directions)
    for (const nan_policy policy : both_policies) {
      const argmin_desc desc{.axes = axes, .axis_direction = direction, .nan_policy = policy};
      std::vector<std::uint64_t> wanted(static_cast<std::size_t>(element_count(sizes)), 77);
      argmin(reference, input, tensor_view(wanted, sizes), desc);
      for (const auto& [name, backend] : variants.list()) {
        std::vector<std::uint64_t> got(wanted.size(), 78);
        argmin(backend, input, tensor_view(got, sizes), desc);
        if (got == wanted) continue;
        INFO(name << ": "
                  << fmt::format("{} {} strides {} axes {} direction {} policy {}", name_of(data_type_of<T>),
                                 input.sizes(), input.strides(), axes, static_cast<int>(direction),
                                 static_cast<int>(policy)));
        REQUIRE(got == wanted);
      }
    }
}

template <class T>
std::vector<T> values(oracle::data_class data, std::size_t count, std::uint64_t seed) {
  oracle::random_source random(seed);
  std::vector<T> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = oracle::detail::element_of<T>(random, data, i);
  return result;
}

template <class... T, class F>
void for_each_type(type_list<T...>, F&& f) {
  (f(std::type_identity<T>{}), ...);
}

// For each element width, a signed, an unsigned and the floating types.
using width_types =
    type_list<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, float16, std::int32_t, float, std::uint64_t>;

}  // namespace

TEST_CASE("cpu ARGMIN: runs of all lengths near multiples of a vector, the least element at every boundary") {
  const goldml_test::cpu_variants variants;
  for_each_type(width_types{}, [&]<class T>(std::type_identity<T>) {
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t n = 1; n <= 70; ++n) lengths.push_back(n);
    const std::uint32_t block = 4096 / sizeof(T);
    for (const std::uint32_t seam : {128U, 256U, block, block + 32 / static_cast<std::uint32_t>(sizeof(T)), 2 * block})
      for (const std::uint32_t n : {seam - 1, seam, seam + 1, seam + 3}) lengths.push_back(n);
    for (const std::uint32_t n : lengths)
      for (const std::uint32_t stride : {1U, 2U, 3U}) {
        if (n > 600 && stride == 3) continue;
        // All equal, except one or two that are less: the first, the last, or at a position that varies with n.
        std::vector<T> x(std::size_t{n} * stride, static_cast<T>(static_cast<std::uint8_t>(9)));
        const auto less = static_cast<T>(static_cast<std::uint8_t>(4));
        const std::size_t place = (n * 7 / 11) * stride;
        for (const std::size_t at : {std::size_t{0}, std::size_t{n - 1} * stride, place}) {
          x[at] = less;
          compare<T>(variants, tensor_view<const T>(x.data(), {n}, {stride}), {0});
          if (n < 80 || at == place) continue;
          x[at] = static_cast<T>(static_cast<std::uint8_t>(9));
        }
      }
  });
}

TEST_CASE("cpu ARGMIN: long runs of floats with both signs and NaN of both signs") {
  const goldml_test::cpu_variants variants;
  for_each_type(type_list<float16, float>{}, [&]<class T>(std::type_identity<T>) {
    using bits = typename detail::float_bits<T>::type;
    constexpr bits sign = static_cast<bits>(bits{1} << (8 * sizeof(T) - 1)), infinity = detail::float_bits<T>::infinity;
    constexpr auto negative = [](bits b) { return static_cast<bits>(b | sign); };
    constexpr bits nan = infinity + 1, last_nan = static_cast<bits>(~sign);
    const std::vector<std::vector<bits>> mixtures{
        {9, 5, 7},                                    // none negative
        {negative(9), negative(5), negative(7)},      // all negative
        {9, negative(5), 7},                          //
        {9, 0, sign},                                 // both zeros are the least
        {9, sign},                                    //
        {negative(1), 0, sign},                       // a subnormal
        {9, nan, 5},                                  //
        {9, negative(nan), 5},                        // NaN with its sign set is not the least either
        {negative(9), negative(nan), negative(5)},    //
        {negative(9), negative(last_nan), last_nan},  //
        {negative(infinity), negative(nan), 5},       //
        {negative(infinity), infinity, negative(5)},  //
        {infinity, nan, negative(nan)},               // infinity is a number
        {nan, negative(last_nan), last_nan}};         // only NaN
    for (const std::vector<bits>& mixture : mixtures)
      for (const std::uint32_t n : {600U, 2100U, 5000U}) {
        std::vector<T> x(n);
        oracle::random_source random(n);
        for (T& element : x) element = std::bit_cast<T>(mixture[random.below(mixture.size())]);
        compare<T>(variants, tensor_view<const T>(x.data(), {n}), {0});
        // All equal except one near the end.
        std::fill(x.begin(), x.end(), std::bit_cast<T>(mixture[0]));
        x[n - 100] = std::bit_cast<T>(mixture[1]);
        compare<T>(variants, tensor_view<const T>(x.data(), {n}), {0});
      }
  });
}

TEST_CASE("cpu ARGMIN: long runs in which the least element occurs twice") {
  const goldml_test::cpu_variants variants;
  for_each_type(type_list<std::int8_t, float, std::uint64_t>{}, [&]<class T>(std::type_identity<T>) {
    const std::uint32_t blocks_64 = 64 * 4096 / sizeof(T);
    for (const std::uint32_t n : {blocks_64 - 1, blocks_64, blocks_64 + 5, blocks_64 + 4096, 2 * blocks_64 - 7})
      for (const auto& [first, second] :
           {std::pair(0U, n - 1), std::pair(n / 2 - 1, n / 2), std::pair(n / 8, n / 2 + 9),
            std::pair(n / 2 - 9, n / 2 + 9), std::pair(n / 3, n / 8 * 7)}) {
        std::vector<T> x(n, static_cast<T>(static_cast<std::uint8_t>(9)));
        x[first] = x[second] = static_cast<T>(static_cast<std::uint8_t>(4));
        compare<T>(variants, tensor_view<const T>(x.data(), {n}), {0});
      }
  });
}

TEST_CASE("cpu ARGMIN: all numbers of columns near multiples of a vector") {
  const goldml_test::cpu_variants variants;
  goldml_test::thinned cases(8);
  for_each_type(width_types{}, [&]<class T>(std::type_identity<T>) {
    for (const auto data : {oracle::data_class::ties, oracle::data_class::special, oracle::data_class::subnormals})
      for (std::uint32_t columns = 1; columns <= 70; columns += columns < 36 ? 1 : 11)
        for (const std::uint32_t rows : {1U, 2U, 4U, 7U, 9U}) {
          if (cases.skips()) continue;
          const auto x = values<T>(data, std::size_t{rows} * columns * 2, rows * 1000 + columns);
          compare<T>(variants, tensor_view<const T>(x.data(), {rows, columns}), {0});
          compare<T>(variants, tensor_view<const T>(x.data(), {rows, columns}, {columns * 2, 2}), {0});
          compare<T>(variants, tensor_view<const T>(x.data(), {columns, rows}), {1});  // contiguous short slices
          compare<T>(variants, tensor_view<const T>(x.data(), {columns, rows}, {rows * 2, 2}), {1});
        }
  });
}

TEST_CASE("cpu ARGMIN: short slices of every length, contiguous and with gaps") {
  const goldml_test::cpu_variants variants;
  goldml_test::thinned cases(8);
  for_each_type(width_types{}, [&]<class T>(std::type_identity<T>) {
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t n = 1; n <= 72; ++n) lengths.push_back(n);
    const auto tracked = static_cast<std::uint32_t>(32 * 32 / sizeof(T));  // the most elements that tracking takes
    for (const std::uint32_t n : {tracked / 2 - 1, tracked / 2, tracked / 2 + 1, tracked - 1, tracked, tracked + 1})
      lengths.push_back(n);
    for (const std::uint32_t n : lengths)
      for (const auto data : {oracle::data_class::ties, oracle::data_class::special, oracle::data_class::subnormals,
                              oracle::data_class::signalling_nans, oracle::data_class::all_nan_slices}) {
        if (cases.skips()) continue;
        const auto x = values<T>(data, std::size_t{80} * (n + 3), n);
        const auto many = static_cast<std::uint32_t>(32 / sizeof(T)) + n % 7;  // more than are transposed together
        compare<T>(variants, tensor_view<const T>(x.data(), {2, 3, n}), {2});
        compare<T>(variants, tensor_view<const T>(x.data(), {2, 9, n}, {n + 2, 2 * n + 4, 1}), {2});
        compare<T>(variants, tensor_view<const T>(x.data(), {5, 3, n}, {4 * (n + 2), n + 2, 1}),
                   {2});  // piece by piece
        compare<T>(variants, tensor_view<const T>(x.data(), {2, many, n}, {many * (n + 2), n + 2, 1}), {2});
      }
  });
}

TEST_CASE("cpu ARGMIN: short slices whose elements are repeated, with indices of 32 bits") {
  const goldml_test::cpu_variants variants;
  for (const std::uint32_t n : {4U, 8U, 20U, 32U, 60U}) {
    const auto x = values<float>(oracle::data_class::ties, std::size_t{40} * n, n);
    const dimensions sizes{40, n, 3}, output_sizes{40, 1, 1};  // each element three times, by a stride of 0
    const tensor_view<const float> input(x.data(), sizes, {n, 1, 0});
    for (const axis_direction direction : both_directions) {
      const argmin_desc desc{.axes = {1, 2}, .axis_direction = direction};
      std::vector<std::uint32_t> wanted(40, 77);
      argmin(reference, input, tensor_view(wanted, output_sizes), desc);
      for (const auto& [name, backend] : variants.list()) {
        INFO(name << ": " << n << " elements");
        std::vector<std::uint32_t> got(40, 78);
        argmin(backend, input, tensor_view(got, output_sizes), desc);
        CHECK(got == wanted);
      }
    }
  }
}

TEST_CASE("cpu ARGMIN: more rows than a narrow key can count, and more columns than a strip") {
  const goldml_test::cpu_variants variants;
  for (const auto data : {oracle::data_class::ties, oracle::data_class::special, oracle::data_class::subnormals,
                          oracle::data_class::signalling_nans, oracle::data_class::all_nan_slices}) {
    for (const std::uint32_t rows : {254U, 255U, 256U, 511U, 600U}) {
      const auto x = values<std::int8_t>(data, std::size_t{rows} * 33, rows);
      compare<std::int8_t>(variants, tensor_view<const std::int8_t>(x.data(), {rows, 33}), {0});
    }
    for (const std::uint32_t columns : {255U, 256U, 257U, 2047U, 2048U, 2049U, 4097U}) {
      const auto x = values<float>(data, std::size_t{3} * columns, columns);
      compare<float>(variants, tensor_view<const float>(x.data(), {3, columns}), {0});
      compare<float>(variants, tensor_view<const float>(x.data(), {columns, 3}), {1});
    }
  }
  // 16-bit keys count 65535 rows. The least element is in a later row; then it occurs twice, with equal elements
  // around.
  std::vector<float16> x(std::size_t{70'000} * 17, float16(3));
  x[std::size_t{65'535} * 17 + 4] = float16(1);
  x[std::size_t{10} * 17 + 5] = x[std::size_t{69'999} * 17 + 5] = float16(2);
  compare<float16>(variants, tensor_view<const float16>(x.data(), {70'000, 17}), {0});
}

TEST_CASE("cpu ARGMIN: several axes whose order in memory is not their order in the index") {
  const goldml_test::cpu_variants variants;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    constexpr oracle::data_class classes[] = {oracle::data_class::ties, oracle::data_class::special,
                                              oracle::data_class::subnormals};
    const auto x = values<float>(classes[seed % 3], 7 * 9 * 40, seed);
    const float* const p = x.data();
    for (const dimensions& axes : {dimensions{0, 1}, dimensions{0, 2}, dimensions{1, 2}, dimensions{0, 1, 2}}) {
      compare<float>(variants, tensor_view<const float>(p, {7, 9, 40}), axes);
      compare<float>(variants, tensor_view<const float>(p, {40, 9, 7}, {1, 40, 360}), axes);
      compare<float>(variants, tensor_view<const float>(p, {9, 7, 40}, {1, 9, 63}), axes);
      compare<float>(variants, tensor_view<const float>(p, {7, 40, 9}, {360, 1, 0}),
                     axes);  // equal elements along the last
      compare<float>(variants, tensor_view<const float>(p, {9, 40, 7}, {0, 1, 40}), axes);
    }
  }
}

TEST_CASE("cpu ARGMIN: NaN first, in the middle, last, alone, of both signs") {
  const goldml_test::cpu_variants variants;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto least_nan = std::bit_cast<float>(0x7F80'0001U);  // next to infinity
  for (const std::uint32_t n : {1U, 5U, 8U, 33U, 1100U})
    for (const std::uint32_t at : {0U, n / 2, n - 1})
      for (const float rest : {infinity, -infinity, 0.0F, nan})
        for (const float odd : {nan, -nan, -0.0F, infinity, least_nan, -least_nan}) {
          std::vector<float> x(n, rest);
          x[at] = odd;
          compare<float>(variants, tensor_view<const float>(x.data(), {n}), {0});
          compare<float>(variants, tensor_view<const float>(x.data(), {n, 9}, {1, 0}), {0});
          if (n < 40) {
            std::vector<float> columns(std::size_t{n} * 19, rest);
            for (std::size_t c = at % 19; c < 19; c += 3) columns[std::size_t{at} * 19 + c] = odd;
            compare<float>(variants, tensor_view<const float>(columns.data(), {n, 19}), {0});
            compare<float>(variants, tensor_view<const float>(columns.data(), {19, n}), {1});
          }
        }
}

TEST_CASE("cpu ARGMIN: reads only the bytes of the tensor") {
  const goldml_test::cpu_variants variants;
  for_each_type(type_list<std::uint8_t, float16, float, std::int64_t>{}, [&]<class T>(std::type_identity<T>) {
    for (const std::uint32_t n : {1U, 3U, 15U, 31U, 64U, 65U, 200U, 1025U})
      for (const bool at_end : {false, true}) {
        goldml_test::guarded_memory memory(n * sizeof(T), at_end);
        const auto x = values<T>(oracle::data_class::uniform, n, n);
        std::memcpy(memory.data(), x.data(), memory.size());
        const T* const p = static_cast<const T*>(memory.data());
        compare<T>(variants, tensor_view<const T>(p, {n}), {0});
        compare<T>(variants, tensor_view<const T>(p, {1, n}), {0});
        if (n % 5 == 0) {
          compare<T>(variants, tensor_view<const T>(p, {5, n / 5}), {0});
          compare<T>(variants, tensor_view<const T>(p, {n / 5, 5}), {1});
          compare<T>(variants, tensor_view<const T>(p, {n / 5, 5}, {1, n / 5}), {1});
        }
        if (n % 25 == 0) compare<T>(variants, tensor_view<const T>(p, {n / 25, 25}), {1});
      }
  });
}

TEST_CASE("cpu ARGMIN: short slices of repeated elements, the first or the last of them") {
  std::vector<float> x(64 * 8, 1);
  for (std::size_t n = 0; n < 64; ++n) x[8 * n + n % 8] = 0;
  const tensor_view<const float> input(x.data(), {64, 3, 8}, {8, 0, 1});  // each row three times
  for (const auto direction : {axis_direction::increasing, axis_direction::decreasing}) {
    tensor<std::uint32_t> output({64, 1, 1});
    argmin(cpu, input, output, {.axes = {1, 2}, .axis_direction = direction});
    const std::uint32_t first = direction == axis_direction::increasing ? 0 : 2 * 8;
    for (std::uint32_t n = 0; n < 64; ++n) CHECK(output.elements()[n] == first + n % 8);
  }
}
