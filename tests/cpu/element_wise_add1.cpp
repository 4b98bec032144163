// ADD1 with fused activations on `cpu` against `reference`, on every instruction set, with strides and in place.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <goldml/cpu/element_wise.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::from_bits;

// Every activation with several parameters, among them 0.
std::vector<activation> some_activations() {
  std::vector<activation> all;
  for (const activation_info& info : activation_table) {
    if (!detail::is_fused_by(info.operator_type, detail::fusing_operator::element_wise, feature_level::latest))
      continue;
    for (const float first : {1.0F, 0.0F, -0.3F, 2.5F}) {
      if (info.parameter_count() < 2)
        all.push_back({.operator_type = info.operator_type, .parameters = {first, 0}});
      else
        for (const float second : {0.0F, 0.7F, -1.5F})
          all.push_back({.operator_type = info.operator_type, .parameters = {first, second}});
      if (info.parameter_count() == 0) break;
    }
  }
  return all;
}

// Sums of random numbers of many exponents, half of them cancelling; zeros, subnormals, infinities and NaN.
template <class T>
void fill(std::vector<T>& a, std::vector<T>& b) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> any(-8, 8);
  for (int i = 0; i < 1500; ++i) {
    const float x = std::ldexp(any(random), -(i % 17));
    a.push_back(static_cast<T>(x));
    b.push_back(static_cast<T>(i % 2 == 0 ? any(random) : std::ldexp(any(random), -30) - x));
  }
  constexpr std::uint64_t sign = sizeof(T) == 4 ? 0x8000'0000 : 0x8000,
                          infinite = sizeof(T) == 4 ? 0x7F80'0000 : 0x7C00;
  for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{1}, infinite / 2, infinite - 1, infinite, infinite + 1})
    for (const std::uint64_t y : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{77}, infinite})
      for (std::uint64_t signs = 0; signs < 4; ++signs) {
        a.push_back(from_bits<T>(x | ((signs & 1) != 0 ? sign : 0)));
        b.push_back(from_bits<T>(y | ((signs & 2) != 0 ? sign : 0)));
      }
}

template <class T>
void check_all() {
  std::vector<T> a, b;
  fill(a, b);
  for (const activation& f : some_activations()) {
    INFO(find_activation(f.operator_type)->name << " " << f.parameters[0] << " " << f.parameters[1]);
    const element_wise_add1_desc desc{.fused_activation = f};
    std::vector<T> wanted(a.size());
    element_wise_add1(reference, a, b, wanted, desc);
    for (const instruction_set set : all_instruction_sets) {
      if (!is_supported(set)) continue;
      std::vector<T> got(a.size());
      element_wise_add1(cpu.with(set), a, b, got, desc);
      for (std::size_t i = 0; i < a.size(); ++i)
        if (bits(got[i]) != bits(wanted[i]))
          FAIL(name_of(set) << ", " << static_cast<float>(a[i]) << " + " << static_cast<float>(b[i]) << ": "
                            << static_cast<float>(got[i]) << ", not " << static_cast<float>(wanted[i]));
    }
  }
}

}  // namespace

TEST_CASE("ADD1 on cpu: FLOAT32", "[cpu][add1]") { check_all<float>(); }

TEST_CASE("ADD1 on cpu: FLOAT16", "[cpu][add1]") { check_all<float16>(); }

TEST_CASE("ADD1 on cpu: in place, strides, no activation, where subnormals are flushed", "[cpu][add1]") {
  std::vector<float> a, b;
  for (int i = 0; i < 3000; ++i) {
    a.push_back(static_cast<float>(i - 1500) / 128);
    b.push_back(static_cast<float>(i % 7) / 16);
  }
  const element_wise_add1_desc desc{.fused_activation = activations::tanh()};
  std::vector<float> wanted(a.size());
  element_wise_add1(reference, a, b, wanted, desc);
  std::vector<float> in_place = a;
  element_wise_add1(cpu, in_place, b, in_place, desc);
  CHECK(bits(in_place) == bits(wanted));
  std::vector<float> transposed(a.size()), wanted_transposed(a.size());
  const dimensions sizes{50, 60};
  element_wise_add1(cpu, tensor_view{a, sizes}, tensor_view{b, sizes, {0, 1}}, tensor_view{transposed, sizes, {1, 50}},
                    desc);
  element_wise_add1(reference, tensor_view{a, sizes}, tensor_view{b, sizes, {0, 1}},
                    tensor_view{wanted_transposed, sizes, {1, 50}}, desc);
  CHECK(bits(transposed) == bits(wanted_transposed));
  std::vector<float> plain(a.size());
  element_wise_add1(cpu, a, b, plain);
  element_wise_add1(reference, a, b, wanted);
  CHECK(bits(plain) == bits(wanted));
  const flush_subnormals mode;
  const std::vector<float> small{0x1p-140F, -0x1p-140F, 0x1p-120F, -0x1p-149F}, other{0x1p-149F, 0, 0x1p-149F, 0};
  std::vector<float> y(4), z(4);
  const element_wise_add1_desc leaky{.fused_activation = activations::leaky_relu(0.25F)};
  element_wise_add1(cpu, small, other, y, leaky);
  element_wise_add1(reference, small, other, z, leaky);
  CHECK(bits(y) == bits(z));
  CHECK(bits(y)[0] == 0x201);
}
