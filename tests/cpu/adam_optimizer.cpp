// ADAM_OPTIMIZER on `cpu` gives the bits of `reference`, by every instruction set, with threads, in every layout and in
// place.
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/adam_optimizer.hpp>
#include <goldml/reference/adam_optimizer.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

using namespace goldml;

namespace {

// Numbers of every kind: with all bits of a significand, small multiples that make ties and exact results, and those
// that are not finite, small or great.
template <class T>
std::vector<T> numbers(std::size_t count, std::mt19937& random, bool is_tame) {
  std::vector<T> result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const std::uint32_t kind = static_cast<std::uint32_t>(random()) % 8;
    if (kind == 0 && !is_tame)
      result.push_back(layouts::from_bits<T>(bits));
    else if (kind == 1)
      result.push_back(static_cast<T>(static_cast<float>(static_cast<int>(bits % 9) - 4) / 2));
    else
      result.push_back(static_cast<T>(std::bit_cast<float>((bits & 0x807F'FFFF) | (120 + bits / 256 % 12) << 23)));
  }
  return result;
}

template <class T>
void compare_with_reference(const cpu_backend& backend, const dimensions& sizes, layouts::layout each,
                            const adam_optimizer_desc& desc, std::uint32_t step, std::mt19937& random) {
  const auto count = static_cast<std::size_t>(element_count(sizes));
  const dimensions strides = layouts::strides_of(each, sizes),
                   packed = layouts::strides_of(layouts::layout::packed, sizes);
  const tensor<std::uint32_t> t({1}, {step});
  std::vector<layouts::laid_out<T>> in, wanted, got;
  for (std::size_t k = 0; k < 4; ++k)
    in.emplace_back(sizes, k % 2 == 0 ? strides : packed, numbers<T>(count, random, k == 3));
  for (std::size_t k = 0; k < 3; ++k) {
    wanted.emplace_back(sizes, packed, std::vector<T>(count));
    got.emplace_back(sizes, k == 1 ? packed : strides, std::vector<T>(count));
  }
  const auto call = [&](const auto& on, auto& out) {
    adam_optimizer(on, in[0].view(), in[1].view(), in[2].view(), in[3].view(), t, out[0].view(), out[1].view(),
                   out[2].view(), desc);
  };
  call(reference, wanted);
  call(backend, got);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(layouts::bits(got[k].elements()) == layouts::bits(wanted[k].elements()));
    CHECK(got[k].gaps_untouched());
  }
}

}  // namespace

TEST_CASE("ADAM_OPTIMIZER on cpu: every layout and instruction set, with threads", "[cpu][adam]") {
  Eigen::ThreadPool pool(2);
  std::mt19937 random(3);
  const std::array descs{adam_optimizer_desc{},
                         adam_optimizer_desc{.learning_rate = 0.5F, .beta1 = 0.5F, .beta2 = 0.75F, .epsilon = 1},
                         adam_optimizer_desc{.learning_rate = 0x1p-24F, .beta1 = 0, .beta2 = 0, .epsilon = 0},
                         adam_optimizer_desc{.learning_rate = -3, .beta1 = 1.5F, .beta2 = -0.5F, .epsilon = -1e-40F}};
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    const cpu_backend one = cpu.with(set), threads = one.with(cpu_tuning{0, 0}).on(pool);
    for (const dimensions& sizes : {dimensions{1}, dimensions{1027}, dimensions{4, 3, 5}, dimensions{5, 1, 3, 7, 2}})
      for (const auto each : layouts::all_layouts)
        for (const adam_optimizer_desc& desc : descs) {
          const std::uint32_t step = static_cast<std::uint32_t>(random()) % 5;
          compare_with_reference<float>(one, sizes, each, desc, step, random);
          compare_with_reference<float16>(threads, sizes, each, desc, step, random);
        }
  }
}

TEST_CASE("ADAM_OPTIMIZER: each output may be exactly one of four inputs", "[cpu][adam]") {
  std::mt19937 random(4);
  constexpr std::size_t count = 200;
  const tensor<std::uint32_t> t({1}, {3});
  const std::array<std::array<std::size_t, 3>, 4> all{{{0, 1, 2}, {3, 2, 0}, {2, 0, 1}, {1, 3, 2}}};
  for (const auto& to : all) {
    std::array<std::vector<float>, 4> in;
    for (auto& each : in) each = numbers<float>(count, random, true);
    std::array<std::vector<float>, 3> wanted;
    for (auto& each : wanted) each.resize(count);
    const auto call = [&](const auto& backend, auto& from, auto& x, auto& m, auto& v) {
      const auto view = [](auto& each) { return tensor_view{each, {count}}; };
      adam_optimizer(backend, view(from[0]), view(from[1]), view(from[2]), view(from[3]), t, view(x), view(m), view(v));
    };
    call(reference, in, wanted[0], wanted[1], wanted[2]);
    auto on_reference = in, on_cpu = in;
    call(reference, on_reference, on_reference[to[0]], on_reference[to[1]], on_reference[to[2]]);
    call(cpu, on_cpu, on_cpu[to[0]], on_cpu[to[1]], on_cpu[to[2]]);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(layouts::bits(on_reference[to[k]]) == layouts::bits(wanted[k]));
      CHECK(layouts::bits(on_cpu[to[k]]) == layouts::bits(wanted[k]));
    }
  }
}
