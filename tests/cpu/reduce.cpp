// REDUCE on `cpu` gives the bytes of `reference`.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <goldml/cpu/reduce.hpp>
#include <goldml/reference/reduce.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::filled;

}  // namespace

TEST_CASE("REDUCE on cpu: every layout, both functions, NaN policies", "[cpu][reduce]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  const dimensions sizes{4, 3, 5};
  for (const auto function : {reduce_function::argmin, reduce_function::argmax})
    for (const auto policy : {nan_policy::skip, nan_policy::propagate})
      for (const dimensions& axes : {dimensions{}, dimensions{1}, dimensions{2, 0}, dimensions{0, 1, 2}})
        for (const auto each : all_layouts) {
          const reduce_desc desc{.function = function, .axes = axes, .nan_policy = policy};
          auto x = filled<float16>(sizes, each, 1);  // any bits, NaN among them
          const dimensions reduced = sizes_after_reduction(sizes, axes);
          auto wanted = filled<std::int64_t>(reduced, each, 2);
          auto y = filled<std::int64_t>(reduced, each, 3);
          reduce(reference, x.view(), wanted.view(), desc);
          reduce(cpu, x.view(), y.view(), desc);
          CHECK(y.elements() == wanted.elements());
          CHECK(y.gaps_untouched());
          auto z = filled<std::int64_t>(reduced, each, 4);
          reduce(threads, const_tensor_ref(x.view()), tensor_ref(z.view()), desc);
          CHECK(z.elements() == wanted.elements());
        }
}

TEST_CASE("REDUCE on cpu: sums, products and extremes, in every layout", "[cpu][reduce]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  const dimensions sizes{4, 3, 5};
  std::uint32_t seed = 1;
  const auto random = [&] { return (seed = seed * 1664525 + 1013904223) >> 8; };
  // Numbers of one kind: any bits; of similar size; small integers; such that sums cancel; subnormals; not negative.
  const auto number = [&]<class T>(std::type_identity<T>, int kind, std::size_t i) -> T {
    if constexpr (!is_floating_type<T>) {
      return static_cast<T>(kind == 0 ? static_cast<std::int64_t>(random()) << 40 | random() : random() % 7);
    } else {
      const float some = static_cast<float>(random() % 0x80'0000) / 0x40'0000;
      switch (kind) {
        case 0:
          return layouts::from_bits<T>(random() << 12 ^ random());
        case 1:
          return T(some - 1);
        case 2:
          return T(static_cast<float>(random() % 17) - 8);
        case 3:
          return T((i % 2 == 0 ? 1.0F : -1.0F) * (1000 + some / 256));
        case 4:
          return layouts::from_bits<T>((random() & 1) << (8 * sizeof(T) - 1) | random() % 0x400);
        default:
          return T(some + 0.25F);
      }
    }
  };
  const auto check = [&]<class T>(std::type_identity<T> type, const reduce_desc& desc) {
    for (int kind = 0; kind < 6; ++kind)
      for (const auto each : all_layouts) {
        std::vector<T> elements;
        for (std::size_t i = 0; i < 60; ++i) elements.push_back(number(type, kind, i));
        layouts::laid_out<T> x(sizes, layouts::strides_of(each, sizes), elements);
        const dimensions reduced = sizes_after_reduction(sizes, desc.axes);
        auto wanted = filled<T>(reduced, each, 2);
        auto y = filled<T>(reduced, each, 3);
        auto z = filled<T>(reduced, each, 4);
        reduce(reference, x.view(), wanted.view(), desc);
        reduce(cpu, x.view(), y.view(), desc);
        reduce(threads, const_tensor_ref(x.view()), tensor_ref(z.view()), desc);
        INFO(enumerator_name(desc.function) << ", kind " << kind << ", " << desc.axes.size() << " axes");
        CHECK(layouts::bits(y.elements()) == layouts::bits(wanted.elements()));
        CHECK(layouts::bits(z.elements()) == layouts::bits(wanted.elements()));
        CHECK((y.gaps_untouched() && z.gaps_untouched()));
      }
  };
  for (std::uint32_t function = 2; function < 12; ++function)
    for (const auto policy : {nan_policy::skip, nan_policy::propagate})
      for (const dimensions& axes : {dimensions{}, dimensions{1}, dimensions{2, 0}, dimensions{0, 1, 2}}) {
        const reduce_desc desc{.function = static_cast<reduce_function>(function), .axes = axes, .nan_policy = policy};
        check(std::type_identity<float>{}, desc);
        check(std::type_identity<float16>{}, desc);
        const auto limits = limits_of(desc, 0).back().data_types;
        if (limits.contains(data_type::int32)) check(std::type_identity<std::int32_t>{}, desc);
        if (limits.contains(data_type::uint64)) check(std::type_identity<std::uint64_t>{}, desc);
        if (limits.contains(data_type::int8)) check(std::type_identity<std::int8_t>{}, desc);
      }
}

TEST_CASE("REDUCE on cpu: long rows, and blocks of columns, with every instruction set", "[cpu][reduce]") {
  Eigen::ThreadPool pool(2);
  std::uint32_t seed = 1;
  const auto random = [&] { return (seed = seed * 1664525 + 1013904223) >> 8; };
  const auto check = [&]<class T>(std::type_identity<T>, const dimensions& sizes, const reduce_desc& desc) {
    for (const bool integers : {false, true}) {  // sums of integers are exact, some 0 or midpoints
      std::vector<T> elements(element_count(sizes));
      for (T& each : elements)
        each = T(integers ? static_cast<float>(random() % 15) - 7
                          : static_cast<float>(random() % 0x80'0000) / 0x40'0000 - 1);
      const tensor<T> x(sizes, elements);
      const auto wanted = layouts::bits(reduce(reference, x, desc).elements());
      INFO(enumerator_name(desc.function) << " of " << sizes.size() << " dimensions" << (integers ? ", integers" : ""));
      for (const instruction_set set : all_instruction_sets)
        if (is_supported(set)) CHECK(layouts::bits(reduce(cpu.with(set), x, desc).elements()) == wanted);
      CHECK(layouts::bits(reduce(cpu.with(cpu_tuning{0, 0}).on(pool), x, desc).elements()) == wanted);
    }
  };
  for (const auto function : {reduce_function::sum, reduce_function::average, reduce_function::l1, reduce_function::l2,
                              reduce_function::sum_square, reduce_function::log_sum})
    for (const auto& [sizes, axes] : std::vector<std::pair<dimensions, dimensions>>{
             {{9, 1030}, {0}}, {{5, 131}, {1}}, {{2, 3, 41}, {0, 2}}, {{4, 3, 6, 7}, {0, 2}}, {{3, 16, 5}, {1}}}) {
      check(std::type_identity<float>{}, sizes, {.function = function, .axes = axes});
      check(std::type_identity<float16>{}, sizes, {.function = function, .axes = axes});
    }
  // Special numbers in some columns only.
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const tensor<float> x({2, 9},
                        {-0.0F, 1, 2, infinity, 4, 5, 6, 7, nan, -0.0F, 1, 2, -infinity, 0, infinity, 3e38F, 7, 1});
  const reduce_desc desc{.function = reduce_function::sum, .axes = {0}};
  CHECK(layouts::bits(reduce(cpu, x, desc).elements()) == layouts::bits(reduce(reference, x, desc).elements()));
}

TEST_CASE("REDUCE on cpu: sums beside a midpoint by less than a double keeps", "[cpu][reduce]") {
  std::vector<float> rows;  // 2^24 + 1 is a midpoint of two FLOAT32
  for (const float little : {0.0F, 0x1p-60F, -0x1p-60F, 0x1p-27F, 0x1p-29F, -0x1p-29F, 0x1p-30F, 0x1p-126F}) {
    std::vector<float> row(20);
    row[0] = 0x1p24F;
    row[7] = 1;
    row[19] = little;
    rows.insert(rows.end(), row.begin(), row.end());
  }
  const std::vector<float> wanted{0x1p24F,     0x1p24F + 2, 0x1p24F,     0x1p24F + 2,
                                  0x1p24F + 2, 0x1p24F,     0x1p24F + 2, 0x1p24F + 2};
  std::vector<float> columns(rows.size());
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 20; ++j) columns[j * 8 + i] = rows[i * 20 + j];
  constexpr auto sum = reduce_function::sum;
  CHECK(reduce(cpu, tensor<float>({8, 20}, rows), {.function = sum, .axes = {1}}).elements() == wanted);
  CHECK(reduce(cpu, tensor<float>({20, 8}, columns), {.function = sum, .axes = {0}}).elements() == wanted);
}

TEST_CASE("REDUCE on cpu: a sum of squares beside a midpoint by less than a double keeps", "[cpu][reduce]") {
  std::vector<float> row(17);  // 2^53 + 2^29 is a midpoint of two FLOAT32; the last element is none of a vector's
  row[0] = row[5] = 0x1p26F;
  row[2] = row[11] = 0x1p14F;
  row[16] = 1;
  const reduce_desc by_rows{.function = reduce_function::sum_square, .axes = {1}};
  CHECK(reduce(reference, tensor<float>({1, 17}, row), by_rows).elements()[0] == 0x1p53F + 0x1p30F);
  CHECK(reduce(cpu, tensor<float>({1, 17}, row), by_rows).elements()[0] == 0x1p53F + 0x1p30F);
  std::vector<float> columns;
  for (const float x : row) columns.insert(columns.end(), 6, x);
  const reduce_desc by_columns{.function = reduce_function::sum_square, .axes = {0}};
  CHECK(reduce(cpu, tensor<float>({17, 6}, columns), by_columns).elements() ==
        std::vector<float>(6, 0x1p53F + 0x1p30F));
  row[16] = 0;
  CHECK(reduce(cpu, tensor<float>({1, 17}, row), by_rows).elements()[0] == 0x1p53F);
}

TEST_CASE("REDUCE on cpu: what is refused on reference", "[cpu][reduce]") {
  const tensor<float> x({2, 2});
  tensor<std::uint32_t> y({2, 1}, {7, 7});
  CHECK(refusal_of([&] { reduce(cpu, x, y, {.function = reduce_function::sum, .axes = {1}}); }) == "RE2");
  CHECK(refusal_of([&] { reduce(cpu, x, y, {.function = reduce_function::argmax, .axes = {0}}); }) == "RE4");
  CHECK(y.elements() == std::vector<std::uint32_t>{7, 7});
}

TEST_CASE("REDUCE on cpu: the logarithm of a sum that cancels", "[cpu][reduce]") {
  const tensor<float> x({3}, {0x1p50F, -0x1p50F, 1});  // a sum in double has an error of about 1
  const reduce_desc desc{.function = reduce_function::log_sum, .axes = {0}};
  CHECK(reduce(reference, x, desc).elements() == std::vector<float>{0});
  CHECK(reduce(cpu, x, desc).elements() == std::vector<float>{0});
}

TEST_CASE("REDUCE on cpu: of zeros of both signs the first, as on reference", "[cpu][reduce]") {
  for (const auto function : {reduce_function::min, reduce_function::max})
    for (const float first : {0.0F, -0.0F}) {
      const tensor<float> x({2}, {first, -first});
      const reduce_desc desc{.function = function, .axes = {0}};
      tensor<float> wanted({1});
      tensor<float> got({1});
      reduce(reference, x, wanted, desc);
      reduce(cpu, x, got, desc);
      CHECK(std::signbit(got.elements()[0]) == std::signbit(wanted.elements()[0]));
      CHECK(std::signbit(wanted.elements()[0]) == std::signbit(first));
    }
}
