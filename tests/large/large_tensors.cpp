// Tensors with more than 2^31 elements and offsets above 2^32 bytes, for each operator on `reference`. A separate
// program, because it takes minutes and gigabytes. Exits with 0 (passed), 1 (failed) or 77 (skipped: too little
// memory).
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>

namespace {

using namespace goldml;

int failures = 0;

void check(bool holds, std::string_view what) {
  if (holds) return;
  ++failures;
  fmt::print("large tensors: FAILED: {}\n", what);
}

// Runs one part and prints how long it took.
template <class Part>
void timed(std::string_view name, Part&& part) {
  const auto start = std::chrono::steady_clock::now();
  part();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print("large tensors: {:<58} {:>6.1f} s\n", name, took.count());
}

// The refusal of a call: rule, and what was got.
struct refusal {
  std::string rule = "none";
  std::string got;
};
template <class Call>
refusal refusal_of(Call&& call) {
  try {
    call();
  } catch (const error& e) {
    return {std::string(e.violation().rule), std::string(e.violation().got.view())};
  }
  return {};
}

// Memory whose pages are allocated at the first access, on systems that support this.
template <class T>
std::unique_ptr<T[]> untouched(std::uint64_t count) {
  return std::unique_ptr<T[]>(new T[static_cast<std::size_t>(count)]);
}

struct release {
  void operator()(std::uint8_t* p) const { std::free(p); }
};
std::unique_ptr<std::uint8_t[], release> zeros(std::uint64_t count) {
  auto* const p = static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(count), 1));
  if (p == nullptr) throw std::bad_alloc();
  return std::unique_ptr<std::uint8_t[], release>(p);
}

// The number of elements that differ from wanted(i).
template <class Wanted>
std::uint64_t count_wrong(const std::uint8_t* elements, std::uint64_t count, Wanted&& wanted) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count; ++i) wrong += elements[i] != wanted(i);
  return wrong;
}

constexpr std::uint64_t two_to_31 = std::uint64_t{1} << 31;
constexpr std::int32_t int32_least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t int32_most = std::numeric_limits<std::int32_t>::max();

// Few elements, far apart: row 1 is past 2^31 elements of UINT16 and past 2^32 bytes.
void far_offsets() {
  constexpr std::uint32_t far_row = (1u << 31) + 5;
  constexpr std::uint32_t far_row_of_32_bits = (1u << 30) + 5;
  const auto memory = untouched<std::uint16_t>(std::uint64_t{far_row} + 3);
  const tensor_view matrix{memory.get(), {2, 3}, {far_row, 1}};
  const auto fill = [](const tensor_view<std::uint16_t>& view, const tensor<std::uint16_t>& from) {
    for (const coordinate_tuple& c : coordinates_of(from.sizes())) view[c] = from[c];
  };
  const auto equal = [](const auto& view, const auto& to) {
    for (const coordinate_tuple& c : coordinates_of(to.sizes()))
      if (view[c] != to[c]) return false;
    return true;
  };
  fill(matrix, {{2, 3}, {5, 0, 7, 9, 4, 0}});

  const auto indices = untouched<std::uint32_t>(std::uint64_t{far_row_of_32_bits} + 2);
  const tensor_view minima{indices.get(), {2, 1}, {far_row_of_32_bits, 1}};
  argmin(reference, matrix, minima, argmin_desc{.axes = {1}});
  check(equal(minima, tensor<std::uint32_t>({2, 1}, {1, 2})), "ARGMIN with rows far apart");

  constexpr std::uint32_t sixth = far_row_of_32_bits / 5 + 1;  // row 5 is past 2^32 bytes
  const auto row_memory = untouched<std::uint32_t>(std::uint64_t{sixth} * 5 + 2);
  const tensor_view rows{row_memory.get(), {6, 2}, {sixth, 1}};
  for (const coordinate_tuple& c : coordinates_of(rows.sizes())) rows[c] = 99;
  tensor<std::uint32_t> count({1});
  nonzero_coordinates(reference, matrix, count, rows);
  check(count[{0}] == 4 && equal(rows, tensor<std::uint32_t>({6, 2}, {0, 0, 0, 2, 1, 0, 1, 1, 99, 99, 99, 99})),
        "NONZERO_COORDINATES with rows far apart");
  fill(matrix, {{2, 3}, {1, 1, 1, 1, 1, 1}});
  nonzero_coordinates(reference, matrix, count, rows);
  check(count[{0}] == 6 && rows[{5, 0}] == 1 && rows[{5, 1}] == 2, "NONZERO_COORDINATES, the last row");

  const auto output_memory = untouched<std::uint16_t>(std::uint64_t{far_row} + 3);
  const tensor_view output{output_memory.get(), {2, 3}, {far_row, 1}};
  const auto update_memory = untouched<std::uint16_t>(std::uint64_t{far_row} + 2);
  const tensor_view updates{update_memory.get(), {1, 2}, {1, far_row}};
  fill(matrix, {{2, 3}, {1, 2, 3, 4, 5, 6}});
  fill(updates, {{1, 2}, {21, 22}});
  const tensor_view tuples{indices.get(), {2, 2}, {1, far_row_of_32_bits}};
  tuples[{0, 0}] = 1;
  tuples[{0, 1}] = 2;
  tuples[{1, 0}] = 0;
  tuples[{1, 1}] = 1;
  scatter_nd(reference, matrix, tuples, updates, output,
             scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 2});
  check(equal(output, tensor<std::uint16_t>({2, 3}, {1, 22, 3, 4, 5, 21})), "SCATTER_ND with rows far apart");

  diagonal_matrix1(reference, matrix, output,
                   diagonal_matrix1_desc{.value = std::uint16_t{7}, .diagonal_fill_begin = 0, .diagonal_fill_end = 1});
  check(equal(output, tensor<std::uint16_t>({2, 3}, {7, 2, 3, 4, 7, 6})), "DIAGONAL_MATRIX1 with rows far apart");
}

// The element at (i, j) is s[i + j]; of 46341^2 elements only the last, number 2147488280, is the least.
void long_argmin() {
  constexpr std::uint32_t side = 46341;
  constexpr std::uint64_t last = std::uint64_t{side} * side - 1;
  static_assert(last > two_to_31);
  std::vector<std::uint8_t> s(2 * side - 1, 5);
  s.back() = 3;
  const tensor_view input{s, {side, side}, {1, 1}};
  argmin_desc desc{.axes = {0, 1}};
  const tensor_desc described{.data_type = data_type::uint8, .sizes = {side, side}};
  for (const data_type type : {data_type::int32, data_type::uint32, data_type::int64, data_type::uint64}) {
    const auto broken = validate(desc, described, tensor_desc{.data_type = type, .sizes = {1, 1}});
    check((broken ? broken->rule : "none") == (type == data_type::int32 ? "A10" : "none"), "ARGMIN A10");
  }
  tensor<std::int32_t> too_narrow({1, 1}, {-7});
  check(refusal_of([&] { argmin(reference, input, too_narrow, desc); }).rule == "A10" && too_narrow[{0, 0}] == -7,
        "ARGMIN refuses an INT32 output");
  tensor<std::uint32_t> narrow({1, 1});
  argmin(reference, input, narrow, desc);
  check(narrow[{0, 0}] == last, "ARGMIN finds the last of 2^31 and more, UINT32");
  s.back() = 5;
  desc.axis_direction = axis_direction::decreasing;
  tensor<std::int64_t> wide({1, 1});
  argmin(reference, input, wide, desc);
  check(wide[{0, 0}] == std::int64_t{last}, "ARGMIN takes the last of equals, INT64");
}

void long_nonzero() {
  constexpr std::uint64_t n = two_to_31 + 2;
  const auto input = zeros(n);
  for (const std::uint64_t i : {std::uint64_t{7}, n - 3, n - 2, n - 1}) input[i] = 1;
  const auto rows = untouched<std::uint32_t>(n);  // most of them stay untouched
  for (std::size_t k = 0; k < 5; ++k) rows[k] = 99;
  const auto size = static_cast<std::uint32_t>(n);
  tensor<std::uint32_t> count({1});
  nonzero_coordinates(reference, tensor_view{input.get(), {size}}, count, tensor_view{rows.get(), {size, 1}});
  check(count[{0}] == 4, "NONZERO_COORDINATES counts");
  check(rows[0] == 7 && rows[1] == size - 3 && rows[2] == size - 2 && rows[3] == size - 1 && rows[4] == 99,
        "NONZERO_COORDINATES names elements past 2^31");
  // Two columns would be too many elements.
  const auto broken =
      validate(nonzero_coordinates_desc{}, tensor_desc{.data_type = data_type::uint8, .sizes = {1, size}},
               tensor_desc{.data_type = data_type::uint32, .sizes = {1}},
               tensor_desc{.data_type = data_type::uint32, .sizes = {size, 2}});
  check(broken && broken->rule == "T6", "NONZERO_COORDINATES T6");
}

void long_scatter_nd() {
  constexpr std::uint64_t n = two_to_31 + 2;
  constexpr auto size = static_cast<std::uint32_t>(n);
  const std::vector<std::uint8_t> nine{9};
  const tensor_view input{nine, {1, size}, {0, 0}};
  const auto memory = untouched<std::uint8_t>(n);
  const tensor_view output{memory.get(), {1, size}};
  const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  const tensor<std::uint8_t> updates({1, 4}, {1, 2, 3, 4});
  const tensor<std::int64_t> indices({4, 1}, {-1, two_to_31, 5, -std::int64_t{n}});
  scatter_nd(reference, input, indices, updates, output, desc);
  check(count_wrong(memory.get(), n,
                    [](std::uint64_t i) {
                      return i == n - 1 ? 1 : i == n - 2 ? 2 : i == 5 ? 3 : i == 0 ? 4 : 9;
                    }) == 0,
        "SCATTER_ND writes elements past 2^31");

  // The place of an index, from the violation about duplicates; nothing is written.
  const tensor<std::uint8_t> two_updates({1, 2});
  const auto place_of_both = [&](const auto& two_indices) {
    const refusal r = refusal_of([&] { scatter_nd(reference, input, two_indices, two_updates, output, desc); });
    return r.rule + ": " + r.got;
  };
  check(place_of_both(tensor<std::uint32_t>({2, 1}, {size - 1, size - 1})) == "S11: place {2147483649} again",
        "SCATTER_ND with UINT32 indices past 2^31");
  check(place_of_both(tensor<std::int64_t>({2, 1}, {n - 1, -1})) == "S11: place {2147483649} again",
        "SCATTER_ND with INT64 indices past 2^31");
  check(place_of_both(tensor<std::int32_t>({2, 1}, {-1, -1})) == "S11: place {2147483649} again",
        "SCATTER_ND with INT32 indices that wrap past 2^31");
  check(place_of_both(tensor<std::int32_t>({2, 1}, {int32_least, 2})) == "S11: place {2} again",
        "SCATTER_ND with the least INT32 index");
  check(place_of_both(tensor<std::uint32_t>({2, 1}, {0, size})) == "S10: 2147483650", "SCATTER_ND S10 past 2^31");
  check(memory[n - 1] == 1 && memory[2] == 9, "SCATTER_ND, nothing is written after a refusal");
}

void large_diagonal_matrix1() {
  constexpr std::uint64_t height = 32768;
  constexpr std::uint64_t width = 32769;
  constexpr std::uint64_t n = 2 * height * width;
  static_assert(n > two_to_31);
  const std::vector<std::uint8_t> nine{9};
  const auto memory = untouched<std::uint8_t>(n);
  diagonal_matrix1(
      reference, tensor_view{nine, {2, height, width}, {0, 0, 0}}, tensor_view{memory.get(), {2, height, width}},
      diagonal_matrix1_desc{.value = std::uint8_t{7}, .diagonal_fill_begin = 32000, .diagonal_fill_end = -32000});
  // Inverted: [-32000, 32000) is kept.
  const auto wanted = [](std::uint64_t i) {
    const std::uint64_t y = i / width % height;
    const std::uint64_t x = i % width;
    return x + 32000 < y || x >= y + 32000 ? 7 : 9;
  };
  check(count_wrong(memory.get(), n, wanted) == 0, "DIAGONAL_MATRIX1 of two large matrices");
}

// One row, so that diagonals exceed INT32. INT32_MAX as DiagonalFillEnd is exclusive.
void long_diagonal_matrix1() {
  constexpr std::uint64_t n = two_to_31 + 2;
  const auto memory = untouched<std::uint8_t>(n);
  diagonal_matrix1(
      reference, tensor_view{memory.get(), {1, n}},
      diagonal_matrix1_desc{.value = std::uint8_t{7}, .diagonal_fill_begin = 1, .diagonal_fill_end = int32_most});
  check(count_wrong(memory.get(), n, [](std::uint64_t t) { return t >= 1 && t < two_to_31 - 1 ? 7 : 0; }) == 0,
        "DIAGONAL_MATRIX1 past INT32_MAX");
}

// MemAvailable of Linux; unknown elsewhere.
std::optional<std::uint64_t> available_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string key, rest; file >> key && std::getline(file, rest);)
    if (key == "MemAvailable:") return std::strtoull(rest.c_str(), nullptr, 10) * 1024;
  return std::nullopt;
}

}  // namespace

int main() {
  constexpr std::uint64_t wanted = std::uint64_t{12} << 30;
  const auto available = available_bytes();
  if (!available || *available < wanted) {
    fmt::print(
        "SKIPPED large tensors: {} GiB of memory are wanted, {} available\n", wanted >> 30,
        available ? fmt::format("{:.1f} are", static_cast<double>(*available) / (1 << 30)) : "it is unknown what is");
    return 77;
  }
  timed("all operators, offsets past 2^32 bytes", far_offsets);
  timed("ARGMIN, two slices of 2147488281 elements", long_argmin);
  timed("NONZERO_COORDINATES, 2147483650 elements", long_nonzero);
  timed("SCATTER_ND, 2147483650 elements", long_scatter_nd);
  timed("DIAGONAL_MATRIX1, {2,32768,32769}", large_diagonal_matrix1);
  timed("DIAGONAL_MATRIX1, {1,2147483650}", long_diagonal_matrix1);
  fmt::print("large tensors: {}\n", failures == 0 ? "all right" : fmt::format("{} failures", failures));
  return failures == 0 ? 0 : 1;
}
