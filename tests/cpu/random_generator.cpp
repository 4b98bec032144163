// RANDOM_GENERATOR on `cpu` gives the words of `reference`, by every instruction set and with threads.
#include <cstdint>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/random_generator.hpp>
#include <goldml/reference/random_generator.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

using namespace goldml;

TEST_CASE("RANDOM_GENERATOR on cpu: every layout, instruction set and carry, with threads", "[cpu][random_generator]") {
  Eigen::ThreadPool pool(2);
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    const cpu_backend one = cpu.with(set), threads = one.with(cpu_tuning{0, 0}).on(pool);
    for (const std::vector<std::uint32_t>& state :
         {std::vector<std::uint32_t>{0xFFFF'FFF0, 0xFFFF'FFFF, 0xFFFF'FFFF, 0xFFFF'FFFF, 1, 2}, {7, 0, 0, 0, 3, 4}})
      for (const dimensions& sizes : {dimensions{1}, dimensions{1027}, dimensions{4, 3, 5}, dimensions{5, 1, 3, 70, 2}})
        for (const auto each : layouts::all_layouts) {
          const dimensions strides = layouts::strides_of(each, sizes);
          const std::vector<std::uint32_t> old(static_cast<std::size_t>(element_count(sizes)), 9);
          layouts::laid_out<std::uint32_t> wanted(sizes, strides, old), y(sizes, strides, old), z(sizes, strides, old);
          tensor<std::uint32_t> next({6}), next_y({6}), next_z({6});
          random_generator(reference, tensor_view{state, {6}}, wanted.view(), next);
          random_generator(one, tensor_view{state, {6}}, y.view(), next_y);
          random_generator(threads, const_tensor_ref(tensor_view{state, {6}}), tensor_ref(z.view()),
                           tensor_ref(next_z.view()));
          CHECK(y.elements() == wanted.elements());
          CHECK(z.elements() == wanted.elements());
          CHECK(next_y.elements() == next.elements());
          CHECK(next_z.elements() == next.elements());
          CHECK((y.gaps_untouched() && z.gaps_untouched()));
        }
  }
}
