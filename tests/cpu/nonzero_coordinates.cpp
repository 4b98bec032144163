// NONZERO_COORDINATES on `cpu`: lengths, shapes, layouts, values and refusals. (Many elements:
// nonzero_coordinates_large.cpp.)
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/flush_subnormals.hpp"
#include "nonzero_check.hpp"

using namespace nonzero_tests;
using layouts::layout;

TEST_CASE("NONZERO_COORDINATES on cpu: the page's example", "[cpu][nonzero_coordinates]") {
  const std::vector<float> input{1, 0, 0, 2, -0.0f, 3.5f, 0, -5.2f};
  for (const auto& [name, backend] : all_ways()) {
    std::vector<std::uint32_t> count(1);
    std::vector<std::uint32_t> rows(24, 99);
    nonzero_coordinates(backend, tensor_view{input, {1, 1, 2, 4}}, tensor_view{count, {1, 1, 1, 1}},
                        tensor_view{rows, {1, 1, 8, 3}});
    std::vector<std::uint32_t> wanted{0, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 3};
    wanted.resize(24, 99);
    INFO(name);
    CHECK(count[0] == 4);
    CHECK(rows == wanted);
  }
}

TEST_CASE("NONZERO_COORDINATES on cpu: a single nonzero element at each position", "[cpu][nonzero_coordinates]") {
  for_each_type(one_type_a_size{}, []<class T>(std::type_identity<T>) {
    for (const auto& [name, backend] : all_ways())
      for (const std::uint32_t size : {1u, 7u, 64u, 65u, 200u, 321u})
        for (std::uint32_t place = 0; place < size; ++place) {
          std::vector<T> input(size, from_bits<T>(0));
          input[place] = from_bits<T>(1);
          std::vector<std::uint32_t> count(1);
          std::vector<std::uint32_t> rows(size, 99);
          nonzero_coordinates(backend, input, count, tensor_view{rows, {size, 1}});
          std::vector<std::uint32_t> wanted(size, 99);
          wanted[0] = place;
          if (count[0] != 1 || rows != wanted) FAIL(name << ": size " << size << ", place " << place);
        }
  });
}

TEST_CASE("NONZERO_COORDINATES on cpu: lengths near those of words, runs and units", "[cpu][nonzero_coordinates]") {
  std::vector<std::size_t> lengths;
  for (std::size_t length = 1; length <= 130; ++length) lengths.push_back(length);
  for (const std::size_t edge : {192u, 256u, 320u, 512u, 1024u, 1088u, 2048u, 4096u, 8192u, 12288u})
    for (std::size_t length = edge - 1; length <= edge + 1; ++length) lengths.push_back(length);
  for_each_type(one_type_a_size{}, [&]<class T>(std::type_identity<T>) {
    for (const std::size_t length : lengths)
      for (const spread which : all_spreads) check<T>({length}, spread_elements<T>(length, which, length), 1);
  });
}

TEST_CASE("NONZERO_COORDINATES on cpu: which values are zero, at every position of a vector",
          "[cpu][nonzero_coordinates]") {
  const auto check_patterns = [] {
    for_each_type(a8_types{}, []<class T>(std::type_identity<T>) {
      constexpr std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
      std::vector<std::uint64_t> patterns{0, sign, 1, sign | 1, 2 * sign - 1, sign - 1};
      for (std::uint64_t bit = 1; bit <= sign; bit *= 2) patterns.push_back(bit);
      if constexpr (std::is_same_v<T, float>)
        for (const std::uint32_t x :
             {0x007F'FFFFu, 0x0080'0000u, 0x7F80'0000u, 0xFF80'0000u, 0x7F80'0001u, 0xFFC0'0000u})
          patterns.push_back(x);
      if constexpr (std::is_same_v<T, float16>)
        for (const std::uint32_t x : {0x03FFu, 0x0400u, 0x7C00u, 0xFC00u, 0x7C01u, 0xFE00u}) patterns.push_back(x);
      // A length coprime to that of every vector, so that each pattern occurs at each position.
      const std::size_t cycle = patterns.size() + (patterns.size() % 2 == 0 ? 1 : 0);
      std::vector<T> elements(64 * cycle + 5, from_bits<T>(0));
      for (std::size_t i = 0; i < elements.size(); ++i)
        if (i % cycle < patterns.size()) elements[i] = from_bits<T>(patterns[i % cycle]);
      check<T>({elements.size()}, elements, 1);
      check<T>({elements.size()}, {3}, elements, 1);  // one at a time
    });
  };
  check_patterns();
  const flush_subnormals flushing;
  check_patterns();
}

TEST_CASE("NONZERO_COORDINATES on cpu: all row lengths and numbers of columns", "[cpu][nonzero_coordinates]") {
  const std::vector<dimensions> shapes{{1},
                                       {5, 1},
                                       {1, 3, 1},
                                       {3, 1, 5, 1},
                                       {40, 2},
                                       {100, 3},
                                       {30, 63},
                                       {30, 64},
                                       {30, 65},
                                       {9, 85},
                                       {9, 86},
                                       {9, 100},
                                       {7, 127},
                                       {7, 128},
                                       {7, 129},
                                       {5, 255},
                                       {5, 256},
                                       {5, 257},
                                       {3, 300},
                                       {3, 1000},
                                       {2, 5000},
                                       {11, 16, 16},
                                       {40, 17, 16},
                                       {300, 5, 3},
                                       {2, 300, 1, 3},
                                       {1, 1, 12, 5},
                                       {1, 1, 70, 70},
                                       {2, 3, 4, 5, 6},
                                       {3, 1, 2, 1, 700},
                                       {2, 2, 2, 2, 2, 200},
                                       {2, 1, 3, 2, 1, 2, 50},
                                       {2, 2, 2, 2, 2, 2, 2, 2},
                                       {3, 3, 3, 3, 3, 3, 3, 3},
                                       {1, 1, 1, 1, 1, 1, 1, 1},
                                       {1, 1, 1, 1, 1, 1, 64, 64}};
  for (const dimensions& sizes : shapes)
    for (const spread which : {spread::all, spread::half, spread::few}) {
      const auto elements = spread_elements<std::uint16_t>(element_count(sizes), which, sizes.size());
      for (std::size_t columns = std::max<std::size_t>(1, effective_rank(sizes)); columns <= sizes.size(); ++columns)
        check<std::uint16_t>(sizes, elements, static_cast<std::uint32_t>(columns));
    }
}

TEST_CASE("NONZERO_COORDINATES on cpu: layouts of the input", "[cpu][nonzero_coordinates]") {
  const std::vector<dimensions> shapes{
      {7},         {3, 5},       {64, 64},     {65, 70},    {70, 130},     {200, 3},        {3, 200},
      {8, 64},     {7, 90},      {2, 70, 70},  {70, 2, 70}, {70, 70, 2},   {5, 66, 9},      {3, 4, 5, 6},
      {1, 1, 20, 300}, {2, 64, 1, 65}, {2, 2, 3, 2, 2, 3, 2, 2}};
  for_each_type(one_type_a_size{}, [&]<class T>(std::type_identity<T>) {
    for (const dimensions& sizes : shapes)
      for (const spread which : {spread::all, spread::half, spread::few}) {
        const auto elements = spread_elements<T>(element_count(sizes), which, sizes.size());
        const auto columns = static_cast<std::uint32_t>(sizes.size());
        for (const layout of_input : layouts::all_layouts)
          check<T>(sizes, strides_of(of_input, sizes), elements, columns);
        // Each dimension in turn the fastest-varying, the others unchanged; and each in turn broadcast.
        for (std::size_t fastest = 0; fastest < sizes.size(); ++fastest) {
          dimensions strides = sizes;
          std::uint32_t stride = sizes[fastest];
          for (std::size_t i = sizes.size(); i-- > 0;)
            if (i != fastest) stride *= std::exchange(strides[i], stride);
          strides[fastest] = 1;
          check<T>(sizes, strides, elements, columns);
          strides = packed_strides(sizes);
          strides[fastest] = 0;
          check<T>(sizes, strides, elements, columns);
        }
        check<T>(sizes, dimensions::filled(sizes.size(), 0), elements, columns);
      }
  });
  // Overlapping elements: a window slides over 100 numbers.
  check<float>({40, 61}, {1, 1}, spread_elements<float>(40 * 61, spread::half), 2);
  check<float>({70, 70}, {1, 70}, spread_elements<float>(70 * 70, spread::half), 2);
}

TEST_CASE("NONZERO_COORDINATES on cpu: layouts of the rows", "[cpu][nonzero_coordinates]") {
  for (const dimensions& sizes : {dimensions{1500}, {1, 1500}, {50, 30}, {3, 50, 10}, {2, 3, 50, 5}, {2, 3, 5, 5, 10},
                                  {1, 3, 2, 5, 5, 10}, {1, 1, 3, 2, 5, 5, 10}, {1, 1, 1, 3, 2, 5, 5, 10}})
    for (const spread which : {spread::all, spread::half, spread::few}) {
      const auto elements = spread_elements<float>(element_count(sizes), which);
      const auto columns = static_cast<std::uint32_t>(sizes.size());
      const dimensions rows_sizes{elements.size(), columns};
      for (const layout of_rows : layouts::all_layouts)
        check<float>(sizes, elements, columns, {.strides = strides_of(of_rows, rows_sizes)});
      check<float>(sizes, elements, columns, {.strides = {2, 2 * elements.size()}});  // as ONNX Runtime binds them
      check<float>(sizes, elements, columns, {.strides = {4, 4 * elements.size()}});
      check<float>(sizes, elements, columns, {.strides = {16, 1}});
      for (std::size_t words = 1; words < 16; ++words) check<float>(sizes, elements, columns, {.words_before = words});
    }
}

TEST_CASE("NONZERO_COORDINATES on cpu: refused calls leave the outputs unchanged", "[cpu][nonzero_coordinates]") {
  const std::vector<float> input(12, 1.0f);
  std::vector<std::uint32_t> count(1, 99);
  std::vector<std::uint32_t> rows(24, 99);
  for (const auto& [name, backend] : all_ways()) {
    const auto refused = [&](const auto& by, const dimensions& rows_sizes) {
      return refusal_of(
          [&] { nonzero_coordinates(by, tensor_view{input, {3, 4}}, count, tensor_view{rows, rows_sizes}); });
    };
    CHECK(refused(backend, {11, 2}) == "N3");
    CHECK(refused(backend, {12, 1}) == "N4");
    CHECK(refused(backend, {11, 2}) == refused(reference, {11, 2}));
    CHECK(refused(backend, {12, 1}) == refused(reference, {12, 1}));
  }
  CHECK(count[0] == 99);
  CHECK(rows == std::vector<std::uint32_t>(24, 99));
}

TEST_CASE("NONZERO_COORDINATES on cpu: the run-time call and the returning call", "[cpu][nonzero_coordinates]") {
  for_each_type(a8_types{}, []<class T>(std::type_identity<T>) {
    const std::vector<T> elements{T(1), T(0), T(3), T(0), T(0), T(2)};
    std::vector<std::uint32_t> count(1);
    std::vector<std::uint32_t> rows(12, 99);
    nonzero_coordinates(cpu, const_tensor_ref(tensor_view{elements, {2, 3}}),
                        tensor_ref(tensor_view{count, dimensions::filled(8, 1)}),
                        tensor_ref(tensor_view{rows, {1, 6, 2}}));
    CHECK(count[0] == 3);
    CHECK(rows == std::vector<std::uint32_t>{0, 0, 0, 2, 1, 2, 99, 99, 99, 99, 99, 99});
    const auto result = nonzero_coordinates(cpu, tensor<T>({2, 3}, elements));
    CHECK(result.count == 3);
    CHECK(result.coordinates.elements() == std::vector<std::uint32_t>{0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 0, 0});
  });
}
