// The arg-reduction engine for the greatest element. (ARGMIN's tests cover the least.)
#include <goldml/cpu/engine/arg_reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/engine/arg_reduce.hpp>
#include <goldml/oracle/data_class.hpp>

#include "../catch.hpp"
#include "../support/cpu_variants.hpp"

namespace {

using namespace goldml;

// The definition: a later candidate wins if it is greater or, with last_of_equals, equal. Numbers win over NaN or, with
// nan_first, NaN wins over numbers. NaNs are equal.
template <class T>
std::vector<std::uint64_t> greatest(const tensor_view<const T>& x, const detail::arg_reduce_options& options) {
  dimensions kept = x.sizes(), reduced = x.sizes();
  for (std::size_t i = 0; i < kept.size(); ++i)
    (options.axes.contains(static_cast<std::uint32_t>(i)) ? kept : reduced)[i] = 1;
  std::vector<std::uint64_t> result;
  for (const coordinate_tuple& o : coordinates_of(kept)) {
    std::uint64_t at = 0, flat = 0;
    T best{};
    for (const coordinate_tuple& r : coordinates_of(reduced)) {
      coordinate_tuple c = o;
      for (std::size_t i = 0; i < c.size(); ++i) c[i] += r[i];
      const T v = x[c];
      const bool v_nan = is_nan(v), best_nan = is_nan(best);
      const bool greater = options.nan_first ? (v_nan && !best_nan) || (!best_nan && v > best)
                                             : (!v_nan && best_nan) || (!v_nan && v > best);
      const bool equal = v == best || (v_nan && best_nan);
      if (flat == 0 || greater || (equal && options.last_of_equals)) best = v, at = flat;
      ++flat;
    }
    result.push_back(at);
  }
  return result;
}

template <class T>
std::vector<std::uint64_t> greatest(const cpu_backend& backend, const tensor_view<const T>& x,
                                    const detail::arg_reduce_options& options) {
  dimensions sizes = x.sizes();
  for (const std::uint32_t axis : options.axes) sizes[axis] = 1;
  std::vector<std::uint64_t> result(static_cast<std::size_t>(element_count(sizes)), 77);
  detail::arg_reduce<detail::extremum::greatest>(backend, x, tensor_view(result, sizes), options);
  return result;
}

template <class T>
void compare(const goldml_test::cpu_variants& variants, const std::vector<T>& data, const dimensions& sizes,
             const dimensions& axes, const dimensions& strides = {}) {
  const tensor_view<const T> x(data.data(), sizes, strides);
  for (const bool last : {false, true})
    for (const bool nan_first : {false, true}) {
      const detail::arg_reduce_options options{.axes = axes, .last_of_equals = last, .nan_first = nan_first};
      const std::vector<std::uint64_t> wanted = greatest(x, options);
      for (const auto& [name, backend] : variants.list()) {
        INFO(name << ": "
                  << fmt::format("{} {} strides {} axes {} last {} NaN first {}", name_of(data_type_of<T>), sizes,
                                 strides, axes, last, nan_first));
        REQUIRE(greatest(backend, x, options) == wanted);
      }
    }
}

// One slice.
template <class T>
std::uint64_t greatest_of(const std::vector<T>& x, bool last = false, bool nan_first = false) {
  const tensor_view<const T> view(x.data(), {x.size()});
  return greatest(cpu, view, {.axes = {0}, .last_of_equals = last, .nan_first = nan_first}).front();
}

template <class... T, class F>
void for_each_type(type_list<T...>, F&& f) {
  (f(std::type_identity<T>{}), ...);
}

}  // namespace

TEST_CASE("cpu arg-reduction: the greatest element, hand-written cases") {
  const std::vector<float> x{1, 2, 3, 3, 0, 4, 2, 4, 2};
  const tensor_view<const float> matrix(x.data(), {3, 3});
  CHECK(greatest(cpu, matrix, {.axes = {0}}) == std::vector<std::uint64_t>{1, 2, 1});
  CHECK(greatest(cpu, matrix, {.axes = {1}}) == std::vector<std::uint64_t>{2, 2, 1});
  CHECK(greatest(cpu, matrix, {.axes = {0, 1}}) == std::vector<std::uint64_t>{5});
  CHECK(greatest(cpu, matrix, {.axes = {0, 1}, .last_of_equals = true}) == std::vector<std::uint64_t>{7});

  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> nans{nan, 2, nan, 2};
  CHECK(greatest_of(nans) == 1);
  CHECK(greatest_of(nans, true) == 3);
  CHECK(greatest_of(nans, false, true) == 0);
  CHECK(greatest_of(nans, true, true) == 2);
  CHECK(greatest_of<float>({-0.0F, 0.0F}) == 0);
  CHECK(greatest_of<float>({-0.0F, 0.0F}, true) == 1);
  CHECK(greatest_of<float>({nan, -infinity}) == 1);
  CHECK(greatest_of<float>({-nan, -infinity, -nan}) == 1);
  CHECK(greatest_of<float>({-nan, nan}) == 0);
  CHECK(greatest_of<std::uint32_t>({0x80000000U, 1}) == 0);
  CHECK(greatest_of<std::int32_t>({std::numeric_limits<std::int32_t>::min(), -1, 1, 0}) == 2);
  CHECK(greatest_of<std::uint64_t>({1, ~std::uint64_t{0}, 0}) == 1);
  CHECK(greatest_of<std::int64_t>({std::numeric_limits<std::int64_t>::min(), -1}) == 1);
}

TEST_CASE("cpu arg-reduction: the greatest element of every type, in runs, short slices and columns") {
  const goldml_test::cpu_variants variants;
  for_each_type(a10_types{}, [&]<class T>(std::type_identity<T>) {
    for (const auto data : {oracle::data_class::special, oracle::data_class::ties, oracle::data_class::subnormals})
      for (const std::uint32_t n : {1U, 3U, 8U, 20U, 33U, 70U, 700U}) {
        oracle::random_source random(n);
        std::vector<T> x(std::size_t{n} * 45);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = oracle::detail::element_of<T>(random, data, i);
        compare<T>(variants, x, {n * 45}, {0});
        compare<T>(variants, x, {45, n}, {1});
        compare<T>(variants, x, {n, 45}, {0});
        compare<T>(variants, x, {n, 5}, {0}, {9, 2});
        compare<T>(variants, x, {5, n, 9}, {0, 2});
      }
  });
}
