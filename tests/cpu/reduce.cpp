// REDUCE with ARGMIN and ARGMAX on `cpu` gives the bytes of `reference`.
#include <cstdint>
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

TEST_CASE("REDUCE on cpu: what is refused on reference", "[cpu][reduce]") {
  const tensor<float> x({2, 2});
  tensor<std::uint32_t> y({2, 1}, {7, 7});
  CHECK(refusal_of([&] { reduce(cpu, x, y, {.function = reduce_function::sum, .axes = {1}}); }) == "RE0");
  CHECK(refusal_of([&] { reduce(cpu, x, y, {.axes = {0}}); }) == "RE4");
  CHECK(y.elements() == std::vector<std::uint32_t>{7, 7});
}
