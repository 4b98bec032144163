// GEMM on `cpu` gives the bytes of `reference`.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <goldml/cpu/gemm.hpp>
#include <goldml/reference/gemm.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::filled;
using layouts::laid_out;

class numbers {
 public:
  std::uint32_t bits() { return (seed_ = seed_ * 1664525 + 1013904223) >> 8; }

  // Of one kind: any bits; of similar size; small integers; such that sums cancel; subnormals; mostly zeros.
  template <class T>
  std::vector<T> of_kind(int kind, std::size_t count) {
    std::vector<T> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(one<T>(kind, i));
    return result;
  }

 private:
  template <class T>
  T one(int kind, std::size_t i) {
    const float some = static_cast<float>(bits() % 0x80'0000) / 0x40'0000;
    switch (kind) {
      case 0:
        return layouts::from_bits<T>(bits() << 12 ^ bits());
      case 1:
        return T(some - 1);
      case 2:
        return T(static_cast<float>(bits() % 17) - 8);
      case 3:
        return T((i % 2 == 0 ? 1.0F : -1.0F) * (1000 + some / 256));
      case 4:
        return layouts::from_bits<T>((bits() & 1) << (8 * sizeof(T) - 1) | bits() % 0x400);
      default:
        return bits() % 4 == 0 ? T(some - 1) : T(bits() % 2 == 0 ? 0.0F : -0.0F);
    }
  }

  std::uint32_t seed_ = 1;
};

// Alpha, Beta and the fused activation of some calls.
const std::vector<gemm_desc> calls{
    {},
    {.alpha = -0.25F, .beta = 3},
    {.alpha = 0.3F, .beta = 0},
    {.alpha = 0, .beta = 1e-40F},
    {.alpha = 1e-42F, .beta = 1e30F},
    {.alpha = std::numeric_limits<float>::infinity(), .beta = 1},
    {.alpha = 1, .beta = std::numeric_limits<float>::quiet_NaN()},
    {.alpha = 0.5F, .fused_activation = activations::relu()},
    {.alpha = 1, .fused_activation = activations::linear(0.1F, -2)},
    {.alpha = 0.01F, .fused_activation = activations::elu(1.5F)},
    {.alpha = 0.5F, .fused_activation = activations::clip(-0.0F, 3.3F)},
    {.alpha = 0.5F, .fused_activation = activations::clip(-3, 3.3F, scale_bias{-0.3F, 0.7F})},
    {.alpha = 0.5F, .fused_activation = activations::clip(-9, 9, scale_bias{2, -0.0F})},
    {.alpha = 0.125F, .beta = 0, .fused_activation = activations::tanh()},
    {.alpha = 0.3F, .fused_activation = activations::softmax()},
    {.alpha = 1e-20F, .fused_activation = activations::softmax()},
    {.alpha = std::numeric_limits<float>::infinity(), .fused_activation = activations::softmax()},
    {.beta = 0.5F, .fused_activation = activations::softmax1({2})},
    {.alpha = 2, .beta = 0, .fused_activation = activations::softmax1({3, 0, 2})}};

}  // namespace

TEMPLATE_TEST_CASE("GEMM on cpu: every layout, kind of number, transposition", "[cpu][gemm]", float, float16) {
  using T = TestType;
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  numbers random;
  const std::uint32_t m = 3, k = 5, n = 4;
  for (int kind = 0; kind < 6; ++kind)
    for (const bool trans_a : {false, true})
      for (const bool trans_b : {false, true})
        for (const auto each : all_layouts)
          for (gemm_desc desc : calls) {
            desc.trans_a = trans_a ? matrix_transform::transpose : matrix_transform::none;
            desc.trans_b = trans_b ? matrix_transform::transpose : matrix_transform::none;
            const dimensions a_sizes = trans_a ? dimensions{2, 2, k, m} : dimensions{2, 2, m, k};
            const dimensions b_sizes = trans_b ? dimensions{2, 2, n, k} : dimensions{2, 2, k, n};
            const dimensions sizes{2, 2, m, n};
            laid_out<T> a(a_sizes, layouts::strides_of(each, a_sizes), random.of_kind<T>(kind, 60));
            laid_out<T> b(b_sizes, layouts::strides_of(each, b_sizes), random.of_kind<T>(kind, 80));
            // One row of C for all rows.
            laid_out<T> c(sizes, {8, 4, 0, 1}, random.of_kind<T>(kind, 48));
            auto wanted = filled<T>(sizes, each, 2), y = filled<T>(sizes, each, 3), z = filled<T>(sizes, each, 4);
            INFO("kind " << kind << ", Alpha " << desc.alpha);
            gemm(reference, a.view(), b.view(), c.view(), wanted.view(), desc);
            gemm(cpu, a.view(), b.view(), c.view(), y.view(), desc);
            CHECK((layouts::bits(y.elements()) == layouts::bits(wanted.elements())));
            CHECK(y.gaps_untouched());
            gemm(reference, a.view(), b.view(), wanted.view(), desc);
            gemm(threads, const_tensor_ref(a.view()), const_tensor_ref(b.view()), tensor_ref(z.view()), desc);
            CHECK((layouts::bits(z.elements()) == layouts::bits(wanted.elements())));
            CHECK(z.gaps_untouched());
          }
}

TEST_CASE("GEMM on cpu: tiles, their edges and depths, threads", "[cpu][gemm]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  numbers random;
  for (const auto& [m, k, n] : std::vector<std::array<std::uint32_t, 3>>{
           {1, 1, 1}, {1, 1100, 1}, {520, 3, 2}, {2, 3, 520}, {65, 513, 70}, {130, 20, 140}})
    for (const int kind : {1, 2, 3, 5}) {
      INFO(m << " " << k << " " << n << ", kind " << kind);
      const tensor<float> a({m, k}, random.of_kind<float>(kind, std::size_t{m} * k));
      const tensor<float> b({n, k}, random.of_kind<float>(kind, std::size_t{n} * k));
      for (const bool softmax : {false, true}) {
        gemm_desc desc{.trans_b = matrix_transform::transpose, .alpha = kind == 1 ? 0.3F : 1.0F};
        if (softmax) desc.fused_activation = activations::softmax();
        const auto wanted = layouts::bits(gemm(reference, a, b, desc).elements());
        CHECK((layouts::bits(gemm(cpu, a, b, desc).elements()) == wanted));
        CHECK((layouts::bits(gemm(threads, a, b, desc).elements()) == wanted));
      }
    }
}
