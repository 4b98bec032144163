// TOP_K and TOP_K1 on `cpu` give the bytes of `reference`: sequences that are much longer than K, in which candidates
// are dropped, with many equal elements, in ascending and descending order, and with special numbers.
#include <cstddef>
#include <cstdint>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/top_k.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/reference/top_k.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"
#include "../support/long_run.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::laid_out;
using layouts::strides_of;

template <class T>
std::vector<T> elements_of(std::size_t count, oracle::data_class data, bool ascending) {
  oracle::random_source random(count);
  std::vector<T> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(oracle::detail::element_of<T>(random, data, ascending ? i / 40 : (count - i) / 40));
  return result;
}

template <class T, class Index, class Desc>
void check(const cpu_backend& backend, const dimensions& sizes, layouts::layout of_input, layouts::layout of_outputs,
           const std::vector<T>& elements, const Desc& desc) {
  dimensions output_sizes = sizes;
  output_sizes[desc.axis] = desc.k;
  const dimensions strides = strides_of(of_outputs, output_sizes);
  const auto count = static_cast<std::size_t>(element_count(output_sizes));
  laid_out<T> x(sizes, strides_of(of_input, sizes), elements);
  laid_out<T> wanted(output_sizes, strides, std::vector<T>(count));
  laid_out<T> values(output_sizes, strides, std::vector<T>(count));
  laid_out<Index> wanted_positions(output_sizes, strides, std::vector<Index>(count));
  laid_out<Index> positions(output_sizes, strides, std::vector<Index>(count));
  top_k_function<Desc>{}(reference, x.view(), wanted.view(), wanted_positions.view(), desc);
  top_k_function<Desc>{}(backend, x.view(), values.view(), positions.view(), desc);
  CAPTURE(desc.axis, desc.k);
  CHECK((bits(values.elements()) == bits(wanted.elements())));
  CHECK((positions.elements() == wanted_positions.elements()));
  CHECK((values.gaps_untouched() && positions.gaps_untouched()));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("TOP_K1 on cpu: long sequences of every data type", "[cpu][top_k]", a10_types) {
  using enum oracle::data_class;
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  goldml_test::thinned cases(5);
  for (const auto data : {ramp, uniform, ties, special, extremes, all_nan_slices, signalling_nans, subnormals})
    for (const bool ascending : {true, false}) {
      const auto elements = elements_of<TestType>(5000, data, ascending);
      for (const auto direction : {axis_direction::increasing, axis_direction::decreasing})
        for (const auto policy : {nan_policy::skip, nan_policy::propagate})
          for (const std::uint32_t k : {1u, 2u, 3u, 100u, 1700u, 5000u}) {
            if (cases.skips()) continue;
            const top_k1_desc desc{.k = k, .axis_direction = direction, .nan_policy = policy};
            check<TestType, std::uint32_t>(cpu, {5000}, layouts::layout::packed, layouts::layout::packed, elements,
                                           desc);
          }
      const top_k1_desc rows{.axis = 1, .k = 30, .axis_direction = axis_direction::decreasing};
      const top_k1_desc columns{.axis = 0, .k = 30, .nan_policy = nan_policy::propagate};
      check<TestType, std::uint64_t>(threads, {4, 1250}, layouts::layout::padded, layouts::layout::stepped, elements,
                                     rows);
      check<TestType, std::uint32_t>(threads, {1250, 4}, layouts::layout::permuted, layouts::layout::padded, elements,
                                     columns);
    }
}

// K at which another algorithm is chosen, on every instruction set, and sequences in which every element enters.
TEMPLATE_TEST_CASE("TOP_K1 on cpu: few and many of a long sequence", "[cpu][top_k]", float, float16, std::int64_t,
                   std::uint8_t) {
  using enum oracle::data_class;
  goldml_test::thinned cases(5);
  for (const auto data : {ramp, uniform, ties, special})
    for (const bool ascending : {true, false}) {
      const auto elements = elements_of<TestType>(9001, data, ascending);
      for (const instruction_set set : all_instruction_sets) {
        if (!is_supported(set)) continue;
        for (const std::uint32_t k : {1u, 15u, 16u, 17u, 40u, 64u, 65u, 600u, 2250u, 2251u, 9000u, 9001u}) {
          if (cases.skips()) continue;
          const top_k1_desc desc{.k = k, .axis_direction = axis_direction::decreasing};
          check<TestType, std::uint32_t>(cpu.with(set), {9001}, layouts::layout::packed, layouts::layout::packed,
                                         elements, desc);
        }
      }
    }
}

TEST_CASE("TOP_K on cpu: zeros of both signs and NaNs of all bits keep their bits and the order of positions",
          "[cpu][top_k]") {
  std::vector<float> elements;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const std::uint32_t nan = (i % 2 == 0 ? 0x7F80'0000u : 0xFF80'0000u) | (i * 2801u % 0x7F'FFFFu + 1);
    elements.push_back(layouts::from_bits<float>(i % 5 == 0 ? nan : i % 2 == 0 ? 0x8000'0000u : 0u));
  }
  for (const std::uint32_t k : {1u, 16u, 100u, 2399u, 2400u, 2401u, 3000u})
    for (const auto direction : {axis_direction::increasing, axis_direction::decreasing})
      for (const auto policy : {nan_policy::skip, nan_policy::propagate})
        check<float, std::uint32_t>(cpu, {3000}, layouts::layout::packed, layouts::layout::packed, elements,
                                    top_k1_desc{.k = k, .axis_direction = direction, .nan_policy = policy});
}

TEST_CASE("TOP_K on cpu: every layout, axis and K", "[cpu][top_k]") {
  const dimensions sizes{3, 4, 5};
  const auto elements = elements_of<float>(60, oracle::data_class::ties, true);
  for (const auto of_input : all_layouts)
    for (const auto of_outputs : all_layouts)
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        for (std::uint32_t k = 1; k <= sizes[axis]; ++k)
          check<float, std::uint32_t>(cpu, sizes, of_input, of_outputs, elements, top_k_desc{.axis = axis, .k = k});
}

TEST_CASE("TOP_K on cpu: an input of which one element is repeated, and a run-time call", "[cpu][top_k]") {
  const std::vector<float> one{7};
  std::vector<float> values(3);
  std::vector<std::uint64_t> positions(3, 9);
  top_k(cpu, const_tensor_ref(tensor_view{one, {3}, {0}}), tensor_ref(tensor_view{values, {3}}),
        tensor_ref(tensor_view{positions, {3}}), top_k_desc{.k = 3});
  CHECK(values == std::vector<float>{7, 7, 7});
  CHECK(positions == std::vector<std::uint64_t>{0, 1, 2});
}
