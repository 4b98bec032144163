// CONVOLUTION on `cpu` gives the bytes of `reference`.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/convolution.hpp>
#include <goldml/reference/convolution.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::laid_out;

// Numbers of one kind: any bits; of similar size; small integers; such that sums cancel; subnormals; zeros of both
// signs; mostly finite.
constexpr int kinds = 7;
template <class T>
std::vector<T> numbers(std::mt19937& engine, const dimensions& sizes, int kind) {
  std::vector<T> result;
  constexpr std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
  for (std::uint64_t i = 0; i < element_count(sizes); ++i) {
    const std::uint64_t bits = engine();
    const float some = static_cast<float>(engine() % 0x80'0000) / 0x40'0000;
    switch (kind) {
      case 0:
        result.push_back(layouts::from_bits<T>(bits));
        break;
      case 1:
        result.push_back(T(some - 1));
        break;
      case 2:
        result.push_back(T(static_cast<float>(bits % 17) - 8));
        break;
      case 3:
        result.push_back(T((bits % 2 == 0 ? 1.0F : -1.0F) * (1000 + some / 256)));
        break;
      case 4:
        result.push_back(layouts::from_bits<T>((bits & sign) | bits % 0x400));
        break;
      case 5:
        result.push_back(layouts::from_bits<T>(bits & sign));
        break;
      default:
        result.push_back(bits % 16 == 0 ? layouts::from_bits<T>(engine()) : T(some));
        break;
    }
  }
  return result;
}

struct shape {
  convolution_desc desc;
  dimensions input, filter, output;
};

// With small axes.
shape random_shape(std::mt19937& engine) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(engine() % n); };
  shape s;
  s.desc.mode = below(2) == 0 ? convolution_mode::convolution : convolution_mode::cross_correlation;
  s.desc.direction = below(2) == 0 ? convolution_direction::forward : convolution_direction::backward;
  const bool backward = s.desc.direction == convolution_direction::backward;
  s.desc.group_count = 1 + below(3);
  const std::uint32_t inputs = 1 + below(3), outputs = 1 + below(3), groups = s.desc.group_count;
  s.input = {1 + below(2), groups * inputs};
  s.filter = backward ? dimensions{groups * inputs, outputs} : dimensions{groups * outputs, inputs};
  for (std::uint32_t axes = 1 + below(3); axes > 0; --axes) {
    s.desc.strides.push_back(1 + below(4));
    s.desc.dilations.push_back(1 + below(3));
    s.desc.start_padding.push_back(below(3));
    s.desc.end_padding.push_back(below(3));
    s.desc.output_padding.push_back(backward ? below(s.desc.strides.back()) : 0);
    s.filter.push_back(1 + below(3));
    s.input.push_back(1 + below(6));
  }
  s.output = convolution_output_sizes(s.desc, s.input, s.filter);
  for (std::size_t i = 0; i < s.desc.strides.size() && backward; ++i) s.output[2 + i] += below(s.desc.strides[i]);
  return s;
}

template <class T>
void check_one(std::mt19937& engine, const cpu_backend& threads, const shape& s, int kind) {
  const auto each = all_layouts[engine() % std::size(all_layouts)];
  const auto laid = [&](const dimensions& sizes, int of_kind) {
    return laid_out<T>(sizes, layouts::strides_of(each, sizes), numbers<T>(engine, sizes, of_kind));
  };
  laid_out<T> x = laid(s.input, kind), w = laid(s.filter, kind == 5 ? 2 : kind);
  dimensions of_bias = dimensions::filled(s.input.size(), 1);
  of_bias[1] = s.output[1];
  laid_out<T> bias = laid(of_bias, kind == 4 ? 1 : kind);
  const bool biased = engine() % 2 == 0;
  laid_out<T> wanted = laid(s.output, 1), y = laid(s.output, 1), z = laid(s.output, 1);
  const auto run = [&](const auto& backend, laid_out<T>& to) {
    std::vector<const_tensor_ref> inputs{x.view(), w.view(), {}};
    if (biased) inputs[2] = bias.view();
    const std::vector<tensor_ref> outputs{to.view()};
    evaluate(backend, s.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
  };
  run(reference, wanted);
  run(cpu, y);
  run(threads, z);
  INFO("kind " << kind << ", " << s.input.size() << " dimensions, " << s.desc.group_count << " groups");
  CHECK(layouts::bits(y.elements()) == layouts::bits(wanted.elements()));
  CHECK(layouts::bits(z.elements()) == layouts::bits(wanted.elements()));
  CHECK((y.gaps_untouched() && z.gaps_untouched()));
}

}  // namespace

TEST_CASE("CONVOLUTION on cpu: all kinds of numbers, shapes and layouts", "[cpu][convolution]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  std::mt19937 engine(5);
  const std::vector<activation> functions{{44, {}},
                                          {40, {1.5F, -1}},
                                          {51, {}},
                                          {52, {0.5F}},
                                          {90, {0.5F, 1}},
                                          {35, {1}},
                                          {8, {-1, 2.1F}},
                                          {8, {-1, 2.1F}, false, scale_bias{0.3F, -0.7F}},
                                          {8, {-1, 2.1F}, false, scale_bias{0, -0.0F}}};
  int tried = 0;
  for (int round = 0; round < 700; ++round) {
    shape s = random_shape(engine);
    if (round % 3 == 0) s.desc.fused_activation = functions[engine() % functions.size()];
    const tensor_desc x{.data_type = data_type::float32, .sizes = s.input};
    if (validate(s.desc, x, tensor_desc{.data_type = data_type::float32, .sizes = s.filter},
                 tensor_desc{.data_type = data_type::float32, .sizes = s.output}))
      continue;  // the window is larger than the input
    ++tried;
    check_one<float>(engine, threads, s, round % kinds);
    check_one<float16>(engine, threads, s, round % kinds);
  }
  CHECK(tried > 300);
}

TEST_CASE("CONVOLUTION on cpu: more terms, channels and positions than a block has", "[cpu][convolution]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  std::mt19937 engine(6);
  const auto plane = [&](const dimensions& input, const dimensions& filter) {
    shape s;
    s.desc.strides = s.desc.dilations = {1, 1};
    s.desc.start_padding = s.desc.end_padding = {1, 1};
    s.desc.output_padding = {0, 0};
    s.input = input;
    s.filter = filter;
    s.output = convolution_output_sizes(s.desc, input, filter);
    return s;
  };
  for (const int kind : {1, 3, 6}) {
    check_one<float>(engine, threads, plane({1, 120, 3, 4}, {3, 120, 3, 3}), kind);  // 1080 terms
    check_one<float>(engine, threads, plane({1, 2, 2, 2}, {270, 2, 2, 2}), kind);
    check_one<float>(engine, threads, plane({1, 120, 3, 1}, {260, 120, 3, 3}), kind);
    check_one<float16>(engine, threads, plane({2, 2, 17, 19}, {2, 2, 3, 3}), kind);
  }
}

TEST_CASE("CONVOLUTION on cpu: what is refused on reference", "[cpu][convolution]") {
  const tensor<float> x({1, 1, 3}), w({1, 1, 2});
  tensor<float> y({1, 1, 3}, {7, 7, 7});
  const convolution_desc desc{
      .strides = {1}, .dilations = {1}, .start_padding = {0}, .end_padding = {0}, .output_padding = {0}};
  CHECK(refusal_of([&] { convolution(cpu, x, w, y, desc); }) == "CV9");
  CHECK(y.elements() == std::vector<float>{7, 7, 7});
}
