// The ways of the operators that move elements which generated cases seldom take: tiles, whole vectors, and gathers of
// them, with sizes at and beside their limits, compared with `reference` byte for byte, with all bindings.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/host_tensor.hpp>
#include <goldml/d3d12/d3d12.hpp>
#include <goldml/reference/reference.hpp>

#include "catch.hpp"
#include "gpu.hpp"

namespace {

using namespace goldml;

host_tensor random_tensor(const tensor_desc& desc) {
  host_tensor tensor(desc);
  std::mt19937 engine(17);
  for (std::byte& b : tensor.bytes()) b = static_cast<std::byte>(engine());
  return tensor;
}

template <class Desc>
void compare(const Desc& desc, const std::vector<host_tensor>& inputs, const tensor_desc& output) {
  std::vector<const_tensor_ref> refs;
  for (const host_tensor& input : inputs) refs.push_back(input.ref());
  const std::span<const const_tensor_ref> given(refs);
  const auto run = [&](const auto& backend) {
    host_tensor result(output, std::byte{0x5A});
    const std::array<tensor_ref, 1> outputs{result.ref()};
    evaluate(backend, desc, given, std::span<const tensor_ref>(outputs));
    return result;
  };
  const host_tensor wanted = run(reference);
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    CAPTURE(static_cast<int>(bindings));
    CHECK(run(gpu).bytes() == wanted.bytes());
  }
}

tensor_desc f32(const dimensions& sizes, const dimensions& strides = {}) {
  return {.data_type = data_type::float32, .sizes = sizes, .strides = strides};
}

}  // namespace

TEST_CASE("d3d12 moves: transpositions, by tiles where vectors are whole") {
  for (const std::uint32_t rows : {4U, 32U, 33U, 64U, 68U, 130U, 132U})
    for (const std::uint32_t columns : {32U, 63U, 64U, 100U})
      compare(element_wise_identity_desc{}, {random_tensor(f32({rows, columns}, {1, rows}))}, f32({rows, columns}));
  // Between other dimensions, and with gaps of whole vectors and of others.
  compare(element_wise_identity_desc{}, {random_tensor(f32({3, 68, 2, 72}, {68 * 144, 1, 72 * 68, 68}))},
          f32({3, 68, 2, 72}));
  for (const std::uint32_t gap : {4U, 1U})
    compare(element_wise_identity_desc{}, {random_tensor(f32({96, 64}, {1, 96 + gap}))}, f32({96, 64}, {64 + gap, 1}));
  // Gaps in the output alone, a first element within a vector of the input or of the output, and a direction reversed.
  const host_tensor columns = random_tensor(f32({96, 64}, {1, 96}));
  compare(element_wise_identity_desc{}, {columns}, f32({96, 64}, {65, 1}));
  compare(slice_desc{.offsets = {1, 0}, .sizes = {92, 64}, .strides = {1, 1}}, {columns}, f32({92, 64}));
  compare(join_desc{.axis = 1}, {random_tensor(f32({96, 33})), columns}, f32({96, 97}));
  compare(slice1_desc{.input_window_offsets = {0, 0}, .input_window_sizes = {96, 64}, .input_window_strides = {-1, 1}},
          {columns}, f32({96, 64}));
}

TEST_CASE("d3d12 moves: boxes of whole vectors, and of others") {
  const host_tensor x = random_tensor(f32({70, 64}));
  for (const std::uint32_t offset : {0U, 4U, 3U})
    for (const std::uint32_t size : {32U, 31U, 4U})
      compare(slice_desc{.offsets = {3, offset}, .sizes = {60, size}, .strides = {1, 1}}, {x}, f32({60, size}));
  compare(slice1_desc{.input_window_offsets = {0, 0}, .input_window_sizes = {70, 64}, .input_window_strides = {-2, 1}},
          {x}, f32({35, 64}));
  for (const data_type type : {data_type::uint8, data_type::float16, data_type::float64}) {
    const tensor_desc part{.data_type = type, .sizes = {9, 48}}, whole{.data_type = type, .sizes = {9, 96}};
    compare(join_desc{.axis = 1}, {random_tensor(part), random_tensor(part)}, whole);
    compare(tile_desc{.repeats = {2, 2}}, {random_tensor({.data_type = data_type::float16, .sizes = {5, 40}})},
            {.data_type = data_type::float16, .sizes = {10, 80}});
  }
}

TEST_CASE("d3d12 moves: gathers of slices of whole vectors, and of others") {
  for (const std::uint32_t width : {4U, 12U, 16U, 64U, 66U})
    for (const std::uint32_t count : {1U, 33U, 200U}) {
      host_tensor indices({.data_type = data_type::int32, .sizes = {1, count}});
      for (std::uint32_t i = 0; i < count; ++i)
        indices.ref().as<std::int32_t>()[{0, i}] = static_cast<std::int32_t>(i * 7 % 50) - (i % 3 == 0 ? 50 : 0);
      compare(gather_desc{.axis = 0, .index_dimensions = 1}, {random_tensor(f32({50, width})), indices},
              f32({count, width}));
    }
  // Tuples that select slices, in a batch.
  host_tensor tuples({.data_type = data_type::uint32, .sizes = {1, 2, 3, 1}});
  for (std::uint32_t i = 0; i < 6; ++i) tuples.ref().as<std::uint32_t>()[{0, i / 3, i % 3, 0}] = i % 5;
  compare(gather_nd1_desc{.input_dimension_count = 3, .indices_dimension_count = 3, .batch_dimension_count = 1},
          {random_tensor(f32({1, 2, 5, 32})), tuples}, f32({1, 2, 3, 32}));
}

TEST_CASE("d3d12 moves: scatters of slices of whole vectors, and of others") {
  for (const std::uint32_t width : {16U, 64U, 66U})
    for (const std::uint32_t count : {1U, 40U}) {
      host_tensor indices({.data_type = data_type::int32, .sizes = {count, 1}});
      for (std::uint32_t i = 0; i < count; ++i)
        indices.ref().as<std::int32_t>()[{i, 0}] = static_cast<std::int32_t>(i * 7 % 300) - (i % 3 == 0 ? 300 : 0);
      compare(scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 2},
              {random_tensor(f32({300, width})), indices, random_tensor(f32({count, width}))}, f32({300, width}));
    }
}

TEST_CASE("d3d12 moves: coordinates of many elements, in rows of two, of four, and of others") {
  for (const dimensions& sizes : {dimensions{96, 100}, {3, 4, 25, 40}, {20, 24, 20}, {9600}}) {
    const auto rank = static_cast<std::uint32_t>(sizes.size());
    const auto elements = static_cast<std::uint32_t>(element_count(sizes));
    host_tensor input({.data_type = data_type::uint8, .sizes = sizes});
    std::uint32_t nonzero = 0;
    for (std::uint32_t i = 0; i < elements; ++i)
      if (i % 7 == 3 || i + 1 == elements) input.bytes()[i] = std::byte{5}, ++nonzero;
    for (const auto bindings : gpus::all_bindings()) {
      CAPTURE(static_cast<int>(bindings), rank);
      std::vector<std::uint32_t> count{77}, coordinates(std::size_t{elements} * rank, 77);
      nonzero_coordinates(gpus::open(bindings), input.ref(), tensor_view{count, {1}},
                          tensor_view{coordinates, {elements, rank}});
      CHECK(count[0] == nonzero);
      bool right = true;
      for (std::uint32_t row = 0; row < elements; ++row) {
        std::uint32_t element = (std::min)(row * 7 + 3, elements - 1);
        for (std::uint32_t j = rank; j-- > 0; element /= sizes[j])
          right = right && coordinates[row * rank + j] == (row < nonzero ? element % sizes[j] : 77);
      }
      CHECK(right);
    }
  }
}

TEST_CASE("d3d12 moves: a gather names the first of many indices that is out of range, and leaves the output") {
  constexpr std::uint32_t count = 10'000, rows = 50, width = 8;
  const host_tensor input = random_tensor(f32({rows, width}));
  const gather_desc desc{.axis = 0, .index_dimensions = 1};
  for (const data_type type : {data_type::int32, data_type::uint32, data_type::int64, data_type::uint64})
    for (const std::vector<std::uint32_t>& bad :
         {std::vector<std::uint32_t>{0}, {4095}, {4096}, {9999, 9998}, {8191, 1023, 1024}}) {
      const bool is_signed = type == data_type::int32 || type == data_type::int64;
      host_tensor indices({.data_type = type, .sizes = {1, count}});
      const tensor_ref all = indices.ref();
      visit_data_type(ix_types{}, type, [&]<class Index>(std::type_identity<Index>) {
        const auto view = all.as<Index>();
        for (std::uint32_t i = 0; i < count; ++i) view[{0, i}] = static_cast<Index>(i % rows);
        for (std::uint32_t i : bad) view[{0, i}] = static_cast<Index>(is_signed ? -static_cast<int>(rows + 1 + i) : 50);
      });
      const auto refused_by = [&](const auto& backend) {
        host_tensor output(f32({count, width}), std::byte{0x5A});
        const std::vector<std::byte> before(output.bytes().begin(), output.bytes().end());
        const std::array<const_tensor_ref, 2> inputs{input.ref(), std::as_const(indices).ref()};
        const std::array<tensor_ref, 1> outputs{output.ref()};
        std::string text;
        try {
          evaluate(backend, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
        } catch (const error& refusal) {
          text = to_string(refusal.violation());
        }
        CHECK(std::equal(before.begin(), before.end(), output.bytes().begin(), output.bytes().end()));
        return text;
      };
      const std::string wanted = refused_by(reference);
      CHECK(wanted.find("GA9") != std::string::npos);
      for (const auto bindings : gpus::all_bindings()) CHECK(refused_by(gpus::open(bindings)) == wanted);
    }
}
