// What an arg-reduction decides before it reads an element: its loops, and which slices count as short.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/core/tensor_view.hpp>
#include <goldml/cpu/engine/arg_reduce/plan.hpp>
#include <goldml/cpu/engine/arg_reduce/short.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using namespace goldml::detail;

template <std::size_t N>
std::vector<std::vector<std::uint64_t>> loops_of(const loop_nest<N>& nest) {
  std::vector<std::vector<std::uint64_t>> loops;
  for (std::size_t i = 0; i < nest.size(); ++i) {
    loops.push_back({nest[i].size});
    loops.back().insert(loops.back().end(), nest[i].stride.begin(), nest[i].stride.end());
  }
  return loops;
}

arg_reduce_plan plan_of(const dimensions& sizes, const dimensions& strides, const dimensions& output_sizes,
                        const dimensions& axes, bool last = false) {
  static std::array<float, 1000> input{};
  static std::array<std::uint32_t, 1000> output{};
  return {host_input(tensor_view<const float>(input.data(), sizes, strides)),
          host_output(tensor_view<std::uint32_t>(output.data(), output_sizes)), false,
          arg_reduce_options{.axes = axes, .last_of_equals = last}};
}

}  // namespace

TEST_CASE("cpu arg-reduction: loops over slices and over a slice are merged where their strides allow it") {
  const arg_reduce_plan inner = plan_of({2, 3, 4}, {12, 4, 1}, {2, 3, 1}, {2});
  CHECK(loops_of(inner.kept) == std::vector<std::vector<std::uint64_t>>{{6, 4, 1}});
  CHECK(loops_of(inner.reduced) == std::vector<std::vector<std::uint64_t>>{{4, 1, 1}});
  CHECK(inner.copies.empty());
  CHECK(inner.flat_offset == 0);

  const arg_reduce_plan two = plan_of({2, 3, 4}, {12, 4, 1}, {2, 1, 1}, {2, 1});
  CHECK(loops_of(two.kept) == std::vector<std::vector<std::uint64_t>>{{2, 12, 1}});
  CHECK(loops_of(two.reduced) == std::vector<std::vector<std::uint64_t>>{{12, 1, 1}});

  const arg_reduce_plan outer = plan_of({2, 3, 4}, {12, 4, 1}, {1, 3, 1}, {0, 2});
  CHECK(loops_of(outer.kept) == std::vector<std::vector<std::uint64_t>>{{3, 4, 1}});
  CHECK(loops_of(outer.reduced) == std::vector<std::vector<std::uint64_t>>{{2, 12, 4}, {4, 1, 1}});

  // Slices in the order of the input's memory, the widest stride outermost.
  const arg_reduce_plan turned = plan_of({2, 3, 4}, {1, 2, 6}, {2, 3, 1}, {2});
  CHECK(loops_of(turned.kept) == std::vector<std::vector<std::uint64_t>>{{3, 2, 1}, {2, 1, 3}});
}

TEST_CASE("cpu arg-reduction: a stride of 0 repeats slices, or elements of which the first or the last wins") {
  const arg_reduce_plan repeated = plan_of({2, 3, 4}, {4, 0, 1}, {2, 3, 1}, {2});
  CHECK(loops_of(repeated.kept) == std::vector<std::vector<std::uint64_t>>{{2, 4, 3}});
  CHECK(loops_of(repeated.copies) == std::vector<std::vector<std::uint64_t>>{{3, 1}});

  const arg_reduce_plan first = plan_of({2, 3, 4}, {4, 0, 1}, {2, 1, 1}, {1, 2});
  CHECK(loops_of(first.reduced) == std::vector<std::vector<std::uint64_t>>{{4, 1, 1}});
  CHECK(first.flat_offset == 0);
  const arg_reduce_plan last = plan_of({2, 3, 4}, {4, 0, 1}, {2, 1, 1}, {1, 2}, true);
  CHECK(last.flat_offset == 8);  // of the three repetitions the last one begins at 2 * 4
  const arg_reduce_plan inner = plan_of({2, 4, 3}, {4, 1, 0}, {2, 1, 1}, {1, 2}, true);
  CHECK(loops_of(inner.reduced) == std::vector<std::vector<std::uint64_t>>{{4, 1, 3}});
  CHECK(inner.flat_offset == 2);
}

// Of floats a vector of the baseline has 4 and a wider one 8. Slices of 16 bytes to 32 elements are transposed; slices
// of one vector to 32, or of up to two if NaN comes first, are tracked.
TEST_CASE("cpu arg-reduction: which slices are short") {
  using keys_type = order_keys<std::uint32_t, true>;
  const keys_type nan_last = keys_type::of_floats(0x7F800000U, false),
                  nan_first = keys_type::of_floats(0x7F800000U, true);
  const auto are_short = [](std::uint64_t length, const keys_type& keys, instruction_set set) {
    return short_slices::are_short(length, keys, set);
  };
  constexpr instruction_set narrow = instruction_set::baseline, wide = instruction_set::avx2;
  for (const keys_type& keys : {nan_last, nan_first}) {
    CHECK_FALSE(are_short(3, keys, narrow));
    CHECK(are_short(4, keys, narrow));
    CHECK(are_short(32, keys, narrow));
    CHECK(are_short(32, keys, wide));
  }
  CHECK(are_short(33, nan_last, narrow));
  CHECK(are_short(33, nan_last, wide));
  CHECK(are_short(4 * 32, nan_last, narrow));
  CHECK_FALSE(are_short(4 * 32 + 1, nan_last, narrow));
  CHECK(are_short(8 * 32, nan_last, wide));
  CHECK_FALSE(are_short(8 * 32 + 1, nan_last, wide));
  CHECK_FALSE(are_short(33, nan_first, narrow));
  CHECK_FALSE(are_short(33, nan_first, wide));

  const auto are_turned = [](std::uint64_t slices, std::uint64_t length, const keys_type& keys, instruction_set set) {
    return short_slices{{}, {slices, {length, 1}}, length, 1, 0, {}}.are_turned(keys, set);
  };
  CHECK(are_turned(8, 5, nan_last, wide));
  CHECK(are_turned(7, 5, nan_last, wide));  // less than a vector cannot be tracked
  CHECK_FALSE(are_turned(7, 8, nan_last, wide));
  CHECK(are_turned(8, 8, nan_last, wide));
  CHECK(are_turned(4, 8, nan_last, narrow));
  CHECK_FALSE(are_turned(3, 8, nan_last, narrow));
  CHECK(are_turned(3, 12, nan_first, narrow));  // three vectors, NaN first
  CHECK_FALSE(are_turned(8, 33, nan_last, wide));
}
