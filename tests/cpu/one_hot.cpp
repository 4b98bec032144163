// ONE_HOT on `cpu` gives the bytes of `reference`, with threads too.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/one_hot.hpp>
#include <goldml/reference/one_hot.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"
#include "moving.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;
using layouts::laid_out;
using layouts::strides_of;

// Indices in every place: in range, from the end, just outside, and far outside.
template <class Index>
std::vector<Index> indices_of(std::size_t count, std::int64_t size) {
  std::vector<Index> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(static_cast<Index>(static_cast<std::int64_t>(i) - size - 1));
  result[count / 2] = (std::numeric_limits<Index>::max)();
  result[count / 3] = (std::numeric_limits<Index>::min)();
  return result;
}

template <class T, class Index>
void check(const cpu_backend& backend, const dimensions& sizes, std::uint32_t axis) {
  dimensions index_sizes = sizes;
  index_sizes[axis] = 1;
  const auto elements = indices_of<Index>(static_cast<std::size_t>(element_count(index_sizes)), sizes[axis]);
  for (const auto of_indices : all_layouts)
    for (const auto of_output : all_layouts) {
      laid_out<Index> indices(index_sizes, strides_of(of_indices, index_sizes), elements);
      auto values = filled<T>(dimensions::filled(sizes.size(), 2), of_indices, 1);
      auto wanted = filled<T>(sizes, of_output, 2);
      auto y = filled<T>(sizes, of_output, 3);
      one_hot(reference, indices.view(), values.view(), wanted.view(), {.axis = axis});
      one_hot(backend, indices.view(), values.view(), y.view(), {.axis = axis});
      CHECK(bits(y.elements()) == bits(wanted.elements()));
      CHECK(y.gaps_untouched());
    }
}

}  // namespace

TEST_CASE("ONE_HOT on cpu: every layout, axis and index type, in each width", "[cpu][one_hot]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  goldml_test::for_each_type(goldml_test::size_types{}, [&]<class T>(std::type_identity<T>) {
    goldml_test::for_each_type(ix_types{}, [&]<class Index>(std::type_identity<Index>) {
      for (std::uint32_t axis = 0; axis < 3; ++axis) check<T, Index>(cpu, {4, 3, 5}, axis);
      check<T, Index>(threads, {30, 4}, 1);
      check<T, Index>(threads, {4, 30}, 0);
    });
  });
}

TEST_CASE("ONE_HOT on cpu: a run-time call", "[cpu][one_hot]") {
  const std::vector<std::int32_t> indices{-1, 7, 0};
  const std::vector<double> values{2, 3};
  std::vector<double> y(6);
  one_hot(cpu, const_tensor_ref(tensor_view{indices, {3, 1}}), const_tensor_ref(tensor_view{values, {1, 2}}),
          tensor_ref(tensor_view{y, {3, 2}}), one_hot_desc{.axis = 1});
  CHECK(y == std::vector<double>{2, 3, 2, 2, 3, 2});
}
