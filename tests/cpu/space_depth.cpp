// SPACE_TO_DEPTH, DEPTH_TO_SPACE and their versions with an order on `cpu` give the bytes of `reference`.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/cpu/space_depth.hpp>
#include <goldml/reference/space_depth.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;

// Both ways between tensors of these sizes, in all layouts.
template <class T, class ToDepth, class ToSpace>
void check(const dimensions& space, const dimensions& depth, const ToDepth& to_depth, const ToSpace& to_space) {
  for (const auto of_space : all_layouts)
    for (const auto of_depth : all_layouts) {
      auto x = filled<T>(space, of_space, 0);
      auto wanted = filled<T>(depth, of_depth, 1);
      auto y = filled<T>(depth, of_depth, 2);
      space_depth_function<ToDepth>{}(reference, x.view(), wanted.view(), to_depth);
      space_depth_function<ToDepth>{}(cpu, x.view(), y.view(), to_depth);
      CHECK(bits(y.elements()) == bits(wanted.elements()));
      auto back = filled<T>(space, of_space, 3);
      space_depth_function<ToSpace>{}(cpu, y.view(), back.view(), to_space);
      CHECK(bits(back.elements()) == bits(x.elements()));
      CHECK((y.gaps_untouched() && back.gaps_untouched()));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("SPACE_TO_DEPTH, DEPTH_TO_SPACE on cpu: every layout and order, in each width", "[cpu][space_depth]",
                   std::uint8_t, float16, float, double) {
  for (const depth_space_order order : {depth_space_order::depth_column_row, depth_space_order::column_row_depth}) {
    check<TestType>({2, 3, 4, 6}, {2, 12, 2, 3}, space_to_depth1_desc{.block_size = 2, .order = order},
                    depth_to_space1_desc{.block_size = 2, .order = order});
    check<TestType>({1, 2, 3, 9}, {1, 18, 1, 3}, space_to_depth1_desc{.block_size = 3, .order = order},
                    depth_to_space1_desc{.block_size = 3, .order = order});
  }
  check<TestType>({2, 3, 4, 6}, {2, 12, 2, 3}, space_to_depth_desc{.block_size = 2},
                  depth_to_space_desc{.block_size = 2});
  check<TestType>({2, 3, 4, 6}, {2, 3, 4, 6}, space_to_depth_desc{}, depth_to_space_desc{});
}
