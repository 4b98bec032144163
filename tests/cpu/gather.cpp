// GATHER, GATHER_ELEMENTS and GATHER_ND1 on `cpu` give the bytes of `reference`, with threads too. GATHER_ND is the
// same code as GATHER_ND1.
#include <cstddef>
#include <cstdint>
#include <string>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <goldml/cpu/gather.hpp>
#include <goldml/reference/gather.hpp>

#include "../catch.hpp"
#include "../core/rules.hpp"
#include "../operators/layouts.hpp"
#include "../support/cpu_variants.hpp"
#include "moving.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;
using layouts::laid_out;
using layouts::strides_of;

// Indices of each position, half of them counted from the end if they are signed. size_of(c): the size of the axis of
// the index at c.
template <class Index, class SizeOf>
std::vector<Index> indices_of(const dimensions& sizes, const SizeOf& size_of) {
  std::vector<Index> result;
  std::uint64_t number = 0;
  for (const coordinate_tuple& c : coordinates_of(sizes)) {
    const auto size = static_cast<std::int64_t>(size_of(c));
    const auto position = static_cast<std::int64_t>(number * 7 % static_cast<std::uint64_t>(size));
    result.push_back(static_cast<Index>(std::is_signed_v<Index> && number % 2 == 1 ? position - size : position));
    ++number;
  }
  return result;
}

template <class T, class Index, class Desc>
void check_layouts(const cpu_backend& backend, const Desc& desc, const dimensions& input_sizes,
                   const dimensions& index_sizes, layouts::layout of_input, layouts::layout of_output) {
  const dimensions sizes = *operator_traits<Desc>::output_sizes(desc, input_sizes, index_sizes);
  constexpr gather_function<Desc> call{};
  auto input = filled<T>(input_sizes, of_input, 1);
  laid_out<Index> indices(index_sizes, strides_of(of_input, index_sizes),
                          indices_of<Index>(index_sizes, [&](const coordinate_tuple& c) {
                            return operator_traits<Desc>::indexed_size(desc, input_sizes, c);
                          }));
  auto wanted = filled<T>(sizes, of_output, 2);
  auto y = filled<T>(sizes, of_output, 3);
  call(reference, input.view(), indices.view(), wanted.view(), desc);
  call(backend, input.view(), indices.view(), y.view(), desc);
  CHECK(bits(y.elements()) == bits(wanted.elements()));
  CHECK(y.gaps_untouched());
}

template <class T, class Index, class Desc>
void check(const cpu_backend& backend, const Desc& desc, const dimensions& input_sizes, const dimensions& index_sizes) {
  for (const auto of_input : all_layouts)
    for (const auto of_output : all_layouts)
      check_layouts<T, Index>(backend, desc, input_sizes, index_sizes, of_input, of_output);
}

}  // namespace

TEST_CASE("gathers on cpu: every layout and index type, in each width", "[cpu][gather]") {
  goldml_test::for_each_type(goldml_test::size_types{}, [&]<class T>(std::type_identity<T>) {
    goldml_test::for_each_type(ix_types{}, [&]<class Index>(std::type_identity<Index>) {
      check<T, Index>(cpu, gather_desc{.axis = 0, .index_dimensions = 0}, {4, 3, 5}, {1, 1, 1});
      check<T, Index>(cpu, gather_desc{.axis = 1, .index_dimensions = 0}, {4, 3, 5}, {1, 1, 1});
      check<T, Index>(cpu, gather_desc{.axis = 1, .index_dimensions = 1}, {4, 3, 5}, {1, 1, 6});
      check<T, Index>(cpu, gather_desc{.axis = 2, .index_dimensions = 3}, {1, 1, 3, 5}, {1, 2, 3, 2});
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        dimensions index_sizes{4, 3, 5};
        index_sizes[axis] = 7;
        check<T, Index>(cpu, gather_elements_desc{.axis = axis}, {4, 3, 5}, index_sizes);
      }
      check<T, Index>(cpu, gather_nd1_desc{3, 2, 0}, {4, 3, 5}, {1, 6, 2});
      check<T, Index>(cpu, gather_nd1_desc{3, 3, 0}, {4, 3, 5}, {2, 6, 3});
      check<T, Index>(cpu, gather_nd1_desc{3, 3, 1}, {4, 3, 5}, {4, 6, 1});
    });
  });
}

TEST_CASE("gathers on cpu: threads; long runs of indices, and long slices", "[cpu][gather]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  for (const cpu_backend& backend : {cpu, threads}) {
    check<float, std::int32_t>(backend, gather_desc{.axis = 0}, {9}, {700});
    check<float, std::int32_t>(backend, gather_desc{.axis = 0}, {9, 5}, {1, 700});
    check<float, std::int64_t>(backend, gather_desc{.axis = 1}, {5, 9}, {1, 700});
    check<float, std::int64_t>(backend, gather_desc{.axis = 0}, {3, 70, 80}, {1, 1, 2});  // slices of 22 KiB
    check<float, std::int64_t>(backend, gather_elements_desc{.axis = 0}, {7, 3}, {300, 3});
    check<float, std::int64_t>(backend, gather_elements_desc{.axis = 1}, {3, 7}, {3, 300});
    check<float, std::uint32_t>(backend, gather_nd1_desc{3, 3, 1}, {3, 70, 80}, {3, 300, 2});
    check<double, std::uint32_t>(backend, gather_nd1_desc{3, 2, 1}, {3, 2, 5000}, {1, 3, 1});
  }
}

TEST_CASE("gathers on cpu: rows at any place of a cache line, with stores past the caches too", "[cpu][gather]") {
  std::vector<std::int32_t> indices(300);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int32_t>(i * 7 % 37);
  const tensor_view rows{std::as_const(indices), {1, 300}};
  const gather_desc desc{.axis = 0, .index_dimensions = 1};
  const goldml_test::cpu_variants variants;
  for (const auto& [name, backend] : variants.list())
    for (const std::uint32_t width : {15U, 16U, 17U, 20U, 64U})
      for (const std::size_t shift : {0U, 1U, 4U}) {
        INFO(name << ", rows of " << width << ", moved by " << shift);
        goldml_test::placed<float> input({37, width}, {}, 1), y({300, width}, {{}, shift}, 2);
        goldml_test::placed<float> wanted({300, width}, {{}, shift}, 2);
        gather(reference, input.view(), rows, wanted.view(), desc);
        gather(backend, input.view(), rows, y.view(), desc);
        CHECK(y.bytes() == wanted.bytes());
      }

  // So many that batches are longer.
  std::vector<std::uint32_t> many(20'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::uint32_t>(i * 11 % 37);
  goldml_test::placed<float> input({37, 16}, {}, 1), y({20'000, 16}, {}, 2), wanted({20'000, 16}, {}, 2);
  const tensor_view all{std::as_const(many), {1, 20'000}};
  gather(reference, input.view(), all, wanted.view(), desc);
  gather(cpu.with(cpu_tuning{.streaming_from_bytes = 0}), input.view(), all, y.view(), desc);
  CHECK(y.bytes() == wanted.bytes());
}

TEST_CASE("gathers on cpu: the same violations, with nothing written; indices of a stride of 0", "[cpu][gather]") {
  Eigen::ThreadPool pool(2);
  const tensor<float> input({6, 2});
  tensor<std::int32_t> indices({1, 900});
  indices[{0, 700}] = 6;
  indices[{0, 800}] = -7;
  for (const cpu_backend& backend : {cpu, cpu.with(cpu_tuning{0, 0}).on(pool)}) {
    tensor<float> output({900, 2}, std::vector<float>(1800, 5));
    try {
      gather(backend, input, indices, output, {});
      FAIL("an index is out of range");
    } catch (const error& refusal) {
      CHECK(std::string(refusal.what()) ==
            "GATHER GA9: IndicesTensor.element[700] is 6, wanted -6 to 5 (at {0,700}; "
            "range_policy clamp accepts it)");
    }
    CHECK(output.elements() == std::vector<float>(1800, 5));
    CHECK(refusal_of([&] { gather(backend, input, indices, output, {.range_policy = range_policy::drop}); }) == "GA9");
  }
  const std::vector<std::uint32_t> one{4}, beyond{6};
  std::vector<std::uint16_t> data(12);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint16_t>(i);
  std::vector<std::uint16_t> y(6);
  const auto call = [&](const std::vector<std::uint32_t>& index, range_policy policy) {
    gather_elements(cpu, tensor_view{data, {6, 2}}, tensor_view{index, {3, 2}, {0, 0}}, tensor_view{y, {3, 2}},
                    gather_elements_desc{.axis = 0, .range_policy = policy});
  };
  call(one, range_policy::refuse);
  CHECK(y == std::vector<std::uint16_t>{8, 9, 8, 9, 8, 9});
  CHECK(refusal_of([&] { call(beyond, range_policy::refuse); }) == "GE7");
  call(beyond, range_policy::clamp);
  CHECK(y == std::vector<std::uint16_t>{10, 11, 10, 11, 10, 11});
}

TEST_CASE("gathers on cpu: a run-time call", "[cpu][gather]") {
  const std::vector<std::int32_t> indices{-1, 0};
  const std::vector<double> x{2, 3, 4, 5, 6, 7};
  std::vector<double> y(4);
  gather(cpu, const_tensor_ref(tensor_view{x, {2, 3}}), const_tensor_ref(tensor_view{indices, {1, 2}}),
         tensor_ref(tensor_view{y, {2, 2}}), gather_desc{.axis = 1});
  CHECK(y == std::vector<double>{4, 2, 7, 5});
}
