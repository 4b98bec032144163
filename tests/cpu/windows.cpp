// Pooling, its gradients and resizing on `cpu` against `reference`: the ways of the engines for rows, slices and
// planes, with numbers for which doubles hold sums and such for which they do not, on every instruction set.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <goldml/cpu/pooling.hpp>
#include <goldml/cpu/pooling_grad.hpp>
#include <goldml/cpu/resample.hpp>
#include <goldml/reference/pooling.hpp>
#include <goldml/reference/pooling_grad.hpp>
#include <goldml/reference/resample.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;

// Kinds of numbers: of similar magnitude; of few values, some of which are zeros; of very different magnitudes; with
// zeros of both signs, infinities and NaN.
enum class kind { similar, few, different, special };
constexpr kind kinds[] = {kind::similar, kind::few, kind::different, kind::special};

template <class T>
tensor<T> numbers(const dimensions& sizes, kind of, std::uint32_t seed) {
  std::mt19937 random(seed);
  tensor<T> result(sizes);
  for (const coordinate_tuple& c : coordinates_of(sizes)) {
    float x = static_cast<float>(static_cast<int>(random() % 65536) - 32768) * 0x1p-12F;
    const auto number = static_cast<int>(random() % 64);
    if (of == kind::few) x = static_cast<float>(number % 3 - 1) + 0.0F;
    if (of == kind::different) x = std::ldexp(x, -number);
    if (of == kind::special && number < 20) x = number % 2 == 0 ? 0.0F : -0.0F;
    if (of == kind::special && number == 20) x = std::numeric_limits<float>::quiet_NaN();
    if (of == kind::special && number == 21) x = -std::numeric_limits<float>::infinity();
    result[c] = static_cast<T>(x);
  }
  return result;
}

// call(backend) gives a tensor.
template <class Call>
void check(const Call& call) {
  const auto wanted = call(reference);
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    const auto got = call(cpu.with(set));
    INFO(name_of(set));
    bool same = true;
    for (const coordinate_tuple& c : coordinates_of(wanted.sizes())) same = same && bits(got[c]) == bits(wanted[c]);
    CHECK(same);
  }
}

struct window_case {
  dimensions image, strides, window, start, end, dilations;
};
const std::vector<window_case> window_cases{
    {{1, 2, 9, 30}, {1, 1}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {{2, 1, 11, 37}, {2, 2}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {{1, 2, 12, 40}, {1, 1}, {4, 5}, {2, 0}, {1, 3}, {2, 3}},
    {{1, 1, 20, 21}, {1, 1}, {13, 3}, {6, 1}, {6, 1}, {1, 1}},  // more rows than are kept
    {{1, 1, 5, 6, 25}, {1, 1, 1}, {3, 2, 3}, {1, 1, 1}, {1, 0, 1}, {1, 2, 1}},
    {{1, 2, 6, 7}, {3, 1}, {2, 30}, {0, 14}, {0, 15}, {1, 1}},   // windows that are longer than rows
    {{1, 1, 3, 26}, {1, 1}, {1, 23}, {0, 11}, {0, 11}, {1, 1}},  // divisors without a small common multiple
    {{2, 3, 17, 19}, {1, 1}, {17, 19}, {0, 0}, {0, 0}, {1, 1}},  // all of a plane
    {{1, 2, 8, 16}, {2, 1}, {3, 16}, {1, 0}, {1, 0}, {1, 1}}};   // whole rows

template <class T>
void check_pooling(const window_case& w, kind of) {
  const tensor<T> x = numbers<T>(w.image, of, 1);
  const auto average = [&](bool padding) {
    return average_pooling_desc{.strides = w.strides,
                                .window_size = w.window,
                                .start_padding = w.start,
                                .end_padding = w.end,
                                .include_padding = padding};
  };
  if (w.dilations == dimensions::filled(w.dilations.size(), 1)) {
    for (const bool padding : {false, true})
      check([&](const auto& backend) { return average_pooling(backend, x, average(padding)); });
    for (const std::uint32_t p : {1U, 2U})
      check([&](const auto& backend) {
        return lp_pooling(
            backend, x,
            lp_pooling_desc{
                .strides = w.strides, .window_size = w.window, .start_padding = w.start, .end_padding = w.end, .p = p});
      });
    const tensor<T> gradient = numbers<T>(average_pooling(reference, x, average(false)).sizes(), of, 2);
    for (const bool padding : {false, true})
      check([&](const auto& backend) {
        return average_pooling_grad(backend, gradient, w.image,
                                    {.strides = w.strides,
                                     .window_size = w.window,
                                     .start_padding = w.start,
                                     .end_padding = w.end,
                                     .include_padding = padding});
      });
  }
  for (const nan_policy policy : {nan_policy::skip, nan_policy::propagate}) {
    const max_pooling2_desc desc{.strides = w.strides,
                                 .window_size = w.window,
                                 .start_padding = w.start,
                                 .end_padding = w.end,
                                 .dilations = w.dilations,
                                 .nan_policy = policy};
    const dimensions sizes = max_pooling2(reference, x, desc).values.sizes();
    check([&](const auto& backend) { return max_pooling2(backend, x, desc).values; });
    check([&](const auto& backend) { return max_pooling2(backend, x, desc).indices; });
    check([&](const auto& backend) {
      tensor<T> y(sizes);
      max_pooling2(backend, x, y, desc);
      return y;
    });
    for (const kind of_gradient : kinds) {
      const tensor<T> gradient = numbers<T>(sizes, of_gradient, 3);
      check([&](const auto& backend) {
        return max_pooling_grad(backend, x, gradient,
                                {.strides = w.strides,
                                 .window_size = w.window,
                                 .start_padding = w.start,
                                 .end_padding = w.end,
                                 .dilations = w.dilations,
                                 .nan_policy = policy});
      });
    }
  }
}

template <class T>
void check_resizing(kind of) {
  const tensor<T> x = numbers<T>({1, 2, 9, 35}, of, 4);
  for (const float32_list& scales :
       {float32_list{1, 1, 2, 2}, float32_list{1, 1, 3, 0.5F}, float32_list{1, 1, 0.7F, 2.7F}})
    for (const interpolation_mode mode : {interpolation_mode::nearest_neighbor, interpolation_mode::linear}) {
      dimensions sizes = x.sizes();
      for (std::size_t i = 0; i < sizes.size(); ++i)
        sizes[i] = static_cast<std::uint32_t>(static_cast<float>(sizes[i]) * scales[i]);
      check([&](const auto& backend) {
        tensor<T> y(sizes);
        resample(backend, x, y, {.interpolation_mode = mode, .scales = scales});
        return y;
      });
      // Without offsets, elements that the forward operator does not read are sums of no terms.
      const tensor<T> gradient = numbers<T>(sizes, of, 5);
      check([&](const auto& backend) {
        tensor<T> y(x.sizes());
        resample_grad(backend, gradient, y,
                      {.interpolation_mode = mode,
                       .scales = scales,
                       .input_pixel_offsets = {0, 0, 0, 0},
                       .output_pixel_offsets = {0, 0, 0, 0}});
        return y;
      });
    }
}

}  // namespace

TEST_CASE("windows on cpu: FLOAT32", "[cpu][windows]") {
  for (const window_case& w : window_cases)
    for (const kind of : kinds) check_pooling<float>(w, of);
}
TEST_CASE("windows on cpu: FLOAT16", "[cpu][windows]") {
  for (const window_case& w : window_cases)
    for (const kind of : kinds) check_pooling<float16>(w, of);
}
TEST_CASE("windows on cpu: resizing", "[cpu][windows]") {
  for (const kind of : kinds) {
    check_resizing<float>(of);
    check_resizing<float16>(of);
  }
}
