// SCATTER_ELEMENTS on `cpu` gives the bytes of `reference`, with threads too.
#include <cstddef>
#include <cstdint>
#include <string>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/scatter_elements.hpp>
#include <goldml/reference/scatter_elements.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"
#include "../support/long_run.hpp"
#include "moving.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;
using layouts::laid_out;
using layouts::strides_of;

// Indices that are distinct along the axis, except that `again` of them in each sequence repeat an earlier one. Half of
// them count from the end if they are signed.
template <class Index>
std::vector<Index> indices_of(const dimensions& sizes, std::uint32_t axis, std::uint32_t size, std::uint32_t again) {
  std::vector<Index> result;
  for (coordinate_tuple c : coordinates_of(sizes)) {
    const std::uint32_t turn = c[axis] + again < sizes[axis] ? c[axis] : sizes[axis] - 1 - c[axis];
    std::uint64_t start = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (i != axis) start = 3 * start + c[i];
    const auto position = static_cast<std::int64_t>((start + turn) % size);
    result.push_back(static_cast<Index>(
        std::is_signed_v<Index> && result.size() % 2 == 1 ? position - std::int64_t{size} : position));
  }
  return result;
}

template <class T, class Index>
void check(const cpu_backend& backend, const dimensions& sizes, std::uint32_t axis, std::uint32_t count,
           std::uint32_t again = 0) {
  dimensions index_sizes = sizes;
  index_sizes[axis] = count;
  const auto elements = indices_of<Index>(index_sizes, axis, sizes[axis], again);
  const scatter_elements_desc desc{.axis = axis, .duplicates = again == 0 ? duplicates::refuse : duplicates::last_wins};
  static goldml_test::thinned cases(5);
  for (const auto of_inputs : all_layouts)
    for (const auto of_output : all_layouts) {
      if (cases.skips()) continue;
      auto input = filled<T>(sizes, of_inputs, 1);
      laid_out<Index> indices(index_sizes, strides_of(of_inputs, index_sizes), elements);
      auto updates = filled<T>(index_sizes, of_output, 4);
      auto wanted = filled<T>(sizes, of_output, 2);
      auto y = filled<T>(sizes, of_output, 3);
      scatter_elements(reference, input.view(), indices.view(), updates.view(), wanted.view(), desc);
      scatter_elements(backend, input.view(), indices.view(), updates.view(), y.view(), desc);
      CHECK(bits(y.elements()) == bits(wanted.elements()));
      CHECK(y.gaps_untouched());
    }
}

}  // namespace

TEST_CASE("SCATTER_ELEMENTS on cpu: every layout, axis and index type, in each width", "[cpu][scatter_elements]") {
  goldml_test::for_each_type(goldml_test::size_types{}, [&]<class T>(std::type_identity<T>) {
    goldml_test::for_each_type(ix_types{}, [&]<class Index>(std::type_identity<Index>) {
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        check<T, Index>(cpu, {4, 3, 5}, axis, 3);
        check<T, Index>(cpu, {4, 3, 5}, axis, 6, 3);
      }
    });
  });
}

TEST_CASE("SCATTER_ELEMENTS on cpu: threads; many sequences at a time, and long ones", "[cpu][scatter_elements]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  for (const cpu_backend& backend : {cpu, threads}) {
    check<float, std::int32_t>(backend, {900}, 0, 800);
    check<float, std::int32_t>(backend, {5, 600}, 0, 4);
    check<float, std::uint64_t>(backend, {5, 600}, 0, 5, 2);
    check<float, std::int64_t>(backend, {20, 5, 30}, 1, 5);
    check<double, std::uint32_t>(backend, {3, 600}, 1, 500);
    check<double, std::uint32_t>(backend, {3, 600}, 1, 600, 300);
    check<std::uint8_t, std::int64_t>(backend, {40'000, 20}, 0, 9);
  }
}

TEST_CASE("SCATTER_ELEMENTS on cpu: the same violations, with nothing written", "[cpu][scatter_elements]") {
  Eigen::ThreadPool pool(2);
  const tensor<float> input({6, 300}), updates({2, 300});
  for (const cpu_backend& backend : {cpu, cpu.with(cpu_tuning{0, 0}).on(pool)}) {
    tensor<std::int32_t> indices({2, 300});
    for (std::uint32_t i = 0; i < 300; ++i) indices[{1, i}] = 1;
    tensor<float> output({6, 300}, std::vector<float>(1800, 5));
    const auto refusal = [&](const scatter_elements_desc& desc) -> std::string {
      try {
        scatter_elements(backend, input, indices, updates, output, desc);
        return "none";
      } catch (const error& broken) {
        CHECK(output.elements() == std::vector<float>(1800, 5));
        return broken.what();
      }
    };
    indices[{1, 290}] = 0;
    indices[{1, 299}] = -6;
    CHECK(refusal({}) ==
          "SCATTER_ELEMENTS SE9: IndicesTensor.element[590] is place {0,290} again, wanted a place that no "
          "earlier index names (0 at {1,290}; duplicates last_wins accepts it)");
    indices[{0, 280}] = 6;
    CHECK(refusal({}) ==
          "SCATTER_ELEMENTS SE8: IndicesTensor.element[280] is 6, wanted -6 to 5 (at {0,280}; range_policy "
          "clamp or drop accepts it)");
    CHECK(refusal({.range_policy = range_policy::clamp}).starts_with("SCATTER_ELEMENTS SE9"));
    CHECK(refusal({.duplicates = duplicates::last_wins}).starts_with("SCATTER_ELEMENTS SE8"));
    CHECK(refusal({.range_policy = range_policy::drop, .duplicates = duplicates::last_wins}) == "none");
  }
}

TEST_CASE("SCATTER_ELEMENTS on cpu: a place named twice among many", "[cpu][scatter_elements]") {
  const tensor<std::uint8_t> input({40'000}), updates({3});
  tensor<std::uint8_t> output({40'000});
  const auto refusal = [&](std::uint32_t last) {
    const tensor<std::uint32_t> indices({3}, {39'999, 7, last});
    return refusal_of([&] { scatter_elements(cpu, input, indices, updates, output, {}); });
  };
  CHECK(refusal(8) == "none");
  CHECK(refusal(39'999) == "SE9");
  CHECK(refusal(40'000) == "SE8");
}

TEST_CASE("SCATTER_ELEMENTS on cpu: in place; a run-time call", "[cpu][scatter_elements]") {
  std::vector<double> memory{1, 2, 3, 4};
  const std::vector<std::int64_t> indices{-1, 0};
  const std::vector<double> updates{9, 8};
  scatter_elements(cpu, const_tensor_ref(tensor_view<const double>{memory.data(), {4}}),
                   const_tensor_ref(tensor_view{indices, {2}}), const_tensor_ref(tensor_view{updates, {2}}),
                   tensor_ref(tensor_view{memory, {4}}), scatter_elements_desc{.in_place = true});
  CHECK(memory == std::vector<double>{8, 2, 3, 9});
}
