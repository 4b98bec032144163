// REDUCE on `cpu` gives the bytes of `reference`.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
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
        case 0: return layouts::from_bits<T>(random() << 12 ^ random());
        case 1: return T(some - 1);
        case 2: return T(static_cast<float>(random() % 17) - 8);
        case 3: return T((i % 2 == 0 ? 1.0F : -1.0F) * (1000 + some / 256));
        case 4: return layouts::from_bits<T>((random() & 1) << (8 * sizeof(T) - 1) | random() % 0x400);
        default: return T(some + 0.25F);
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
        const reduce_desc desc{
            .function = static_cast<reduce_function>(function), .axes = axes, .nan_policy = policy};
        check(std::type_identity<float>{}, desc);
        check(std::type_identity<float16>{}, desc);
        const auto limits = limits_of(desc, 0).back().data_types;
        if (limits.contains(data_type::int32)) check(std::type_identity<std::int32_t>{}, desc);
        if (limits.contains(data_type::uint64)) check(std::type_identity<std::uint64_t>{}, desc);
        if (limits.contains(data_type::int8)) check(std::type_identity<std::int8_t>{}, desc);
      }
}

TEST_CASE("REDUCE on cpu: what is refused on reference", "[cpu][reduce]") {
  const tensor<float> x({2, 2});
  tensor<std::uint32_t> y({2, 1}, {7, 7});
  CHECK(refusal_of([&] { reduce(cpu, x, y, {.function = reduce_function::sum, .axes = {1}}); }) == "RE2");
  CHECK(refusal_of([&] { reduce(cpu, x, y, {.axes = {0}}); }) == "RE4");
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
