// The activations on `cpu`: every FLOAT16 and FLOAT32 numbers of every exponent against `reference`, on every
// instruction set; in place, with strides, and where the program flushes subnormals.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <goldml/cpu/activations.hpp>
#include <goldml/cpu/engine/activations/functions.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdict.hpp>
#include <goldml/oracle/verdicts.hpp>
#include <goldml/reference/activations.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../operators/layouts.hpp"
#include "../support/long_run.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::from_bits;

// Where tests are slow, one of five.
std::vector<float16> every_float16() {
  std::vector<float16> all;
  for (std::uint32_t pattern = 0; pattern < 0x1'0000; pattern += goldml_test::is_slow ? 5 : 1)
    all.push_back(from_bits<float16>(pattern));
  return all;
}

// All exponents and signs with several significands.
std::vector<float> many_float32() {
  std::vector<float> all;
  for (std::uint64_t top = 0; top < 512; ++top)
    for (const std::uint64_t significand :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x7F'FFFF}, std::uint64_t{0x40'0000},
          std::uint64_t{0x2A'AAAA}, std::uint64_t{0x19'999A}, (top * 0x9E37'79B9) & 0x7F'FFFF})
      all.push_back(from_bits<float>(top << 23 | significand));
  return all;
}

template <class T, class Function>
void check(const Function& function, const typename Function::desc_type& desc, const std::vector<T>& x) {
  std::vector<T> wanted(x.size());
  function(reference, x, wanted, desc);
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    std::vector<T> got(x.size());
    function(cpu.with(set), x, got, desc);
    INFO(operator_traits<typename Function::desc_type>::name << " " << name_of(set));
    for (std::size_t i = 0; i < x.size(); ++i)
      if (bits(got[i]) != bits(wanted[i]))
        FAIL(static_cast<float>(x[i]) << ": " << static_cast<float>(got[i]) << ", not "
                                      << static_cast<float>(wanted[i]));
  }
}

template <class T>
void check_all(const std::vector<T>& x) {
  check(activation_identity, {}, x);
  check(activation_relu, {}, x);
  check(activation_sigmoid, {}, x);
  check(activation_softsign, {}, x);
  check(activation_tanh, {}, x);
  check(activation_gelu, {}, x);
  for (const float a : {1.0F, 0.3F, -2.7F, 0.0F, -0.0F, 1.5F, 3e-39F}) {
    check(activation_leaky_relu, {.alpha = a}, x);
    check(activation_elu, {.alpha = a}, x);
    check(activation_celu, {.alpha = a}, x);
    check(activation_softplus, {.steepness = a}, x);
    check(activation_thresholded_relu, {.alpha = a}, x);
    check(activation_swish, {.sigmoid_input_scale = a}, x);
    for (const float b : {0.0F, 0.5F, -1.25F, 0.1F}) {
      check(activation_linear, {.alpha = a, .beta = b}, x);
      check(activation_hard_sigmoid, {.alpha = a, .beta = b}, x);
      check(activation_hard_swish, {.alpha = a, .beta = b}, x);
      check(activation_shrink, {.bias = a, .threshold = b}, x);
      check(activation_parametric_softplus, {.alpha = a, .beta = b}, x);
      check(activation_scaled_tanh, {.alpha = a, .beta = b}, x);
      check(activation_scaled_elu, {.alpha = a, .gamma = b}, x);
    }
  }
}

}  // namespace

TEST_CASE("activations on cpu: every FLOAT16", "[cpu][activations]") { check_all(every_float16()); }

TEST_CASE("activations on cpu: FLOAT32 numbers of every exponent", "[cpu][activations]") { check_all(many_float32()); }

TEST_CASE("activations on cpu: the series of doubles are as near as a long double shows", "[cpu][activations]") {
  // Compilers whose long double is a double have nothing more precise to compare with.
  if (std::numeric_limits<long double>::digits < 64) return;
  const auto error = [](double got, long double wanted) {
    return static_cast<double>(std::abs(got - wanted) / std::abs(wanted));
  };
  double exponential = 0, minus_one = 0, tangent = 0, softplus = 0;
  for (int i = -4001; i <= 4001; i += 2) {
    const double x = i / 512.0;
    const long double e = std::exp(static_cast<long double>(x));
    exponential = (std::max)(exponential, error(detail::fast_exp(x), e));
    minus_one = (std::max)(minus_one, error(detail::fast_expm1(x), std::expm1(static_cast<long double>(x))));
    tangent = (std::max)(tangent, error(detail::fast_tanh(x), std::tanh(static_cast<long double>(x))));
    softplus = (std::max)(softplus, error(detail::fast_softplus(x), std::log1p(e)));
  }
  for (const double each : {exponential, minus_one, tangent, softplus}) CHECK(each < arithmetic::function_error);
}

TEST_CASE("activations on cpu: RELU and SHRINK of integers", "[cpu][activations]") {
  std::vector<std::int8_t> bytes;
  for (int i = -128; i < 128; ++i) bytes.push_back(static_cast<std::int8_t>(i));
  check(activation_relu, {}, bytes);
  const std::vector<std::int32_t> x{-2147483647 - 1, -1, 0, 1, 2147483647};
  check(activation_relu, {}, x);
  check(activation_relu, {}, std::vector<std::int16_t>{-32768, -1, 0, 1, 32767});
  for (const float bias : {0.0F, 2.9F, -300.0F, 3e9F})
    for (const float threshold : {0.0F, 1.5F, -2.0F, -3e9F, 3e9F}) {
      const activation_shrink_desc shrink{.bias = bias, .threshold = threshold};
      check(activation_shrink, shrink, bytes);
      check(activation_shrink, shrink, x);
      check(activation_shrink, shrink, std::vector<std::uint8_t>{0, 1, 2, 3, 128, 255});
      check(activation_shrink, shrink, std::vector<std::uint32_t>{0, 1, 2, 0x8000'0000, 0xFFFF'FFFF});
      check(activation_shrink, shrink, std::vector<std::uint16_t>{0, 1, 2, 0xFFFF});
    }
  std::vector<std::int32_t> y(5);
  activation_relu(cpu, x, y);
  CHECK(y == std::vector<std::int32_t>{0, 0, 0, 1, 2147483647});
}

TEST_CASE("activations on cpu: LINEAR where a sum of doubles would round twice", "[cpu][activations]") {
  // The exact sum lies 2^-60 beside the middle of two FLOAT32 or FLOAT16.
  for (const float tiny : {0x1p-60F, -0x1p-60F}) {
    check(activation_linear, {.alpha = 0x1.001p-24F, .beta = 1}, std::vector<float>{0x1.ffe002p-1F, 1, -1, 2, 0.5F});
    check(activation_linear, {.alpha = -0x1.001p-24F, .beta = -1}, std::vector<float>{0x1.ffe002p-1F, 1, -1, 2, 0.5F});
    check(activation_linear, {.alpha = 0x1.002p0F, .beta = tiny}, every_float16());
    check(activation_hard_sigmoid, {.alpha = 0x1.802p-3F, .beta = tiny}, every_float16());
  }
}

TEST_CASE("activations on cpu: in place, with strides, where subnormals are flushed", "[cpu][activations]") {
  std::vector<float> x;
  for (int i = 0; i < 3000; ++i) x.push_back(static_cast<float>(i - 1500) / 128);
  std::vector<float> wanted(x.size());
  activation_tanh(reference, x, wanted);
  std::vector<float> in_place = x;
  activation_tanh(cpu, in_place, in_place);
  CHECK(bits(in_place) == bits(wanted));
  std::vector<float> transposed(x.size()), wanted_transposed(x.size());
  activation_tanh(cpu, tensor_view{x, {50, 60}}, tensor_view{transposed, {50, 60}, {1, 50}});
  activation_tanh(reference, tensor_view{x, {50, 60}}, tensor_view{wanted_transposed, {50, 60}, {1, 50}});
  CHECK(bits(transposed) == bits(wanted_transposed));
  const flush_subnormals mode;
  const std::vector<float> small{0x1p-140F, -0x1p-140F, 0x1p-120F, -0x1p-149F};
  std::vector<float> y(4), z(4);
  activation_leaky_relu(cpu, small, y, {.alpha = 0.25F});
  activation_leaky_relu(reference, small, z, {.alpha = 0.25F});
  CHECK(bits(y) == bits(z));
  CHECK(bits(y)[1] == 0x8000'0080);
  activation_tanh(cpu, small, y);
  CHECK(bits(y) == bits(small));
}

TEST_CASE("A10: nan_policy propagate of RELU: NaN gives NaN, and nothing else is accepted", "[cpu][activations]") {
  const activation_relu_desc propagate{.nan_policy = nan_policy::propagate};
  check(activation_relu, propagate, many_float32());
  check(activation_relu, propagate, every_float16());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const tensor<float> x({3}, {nan, -2, 3});
  CHECK(bits(activation_relu(cpu, x, propagate).elements()) == bits(std::vector<float>{nan, 0, 3}));
  CHECK(bits(activation_relu(cpu, x).elements()) == bits(std::vector<float>{0, 0, 3}));
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {3}}};
  const std::vector<const_tensor_ref> inputs{x.view()};
  const auto accepted = [&](const activation_relu_desc& desc, float of_nan) {
    const tensor<float> answer({3}, {of_nan, 0, 3});
    const std::vector<const_tensor_ref> answers{answer.view()};
    return oracle::compare(oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs), answers)
        .tolerated();
  };
  CHECK(accepted({}, 0));
  CHECK(accepted({}, nan));
  CHECK(accepted(propagate, nan));
  CHECK_FALSE(accepted(propagate, 0));
  CHECK_FALSE(accepted({}, 1));
}
