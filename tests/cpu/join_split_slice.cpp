// JOIN, SPLIT and SLICE on `cpu` give the bytes of `reference`.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <goldml/cpu/join.hpp>
#include <goldml/cpu/slice.hpp>
#include <goldml/cpu/slice1.hpp>
#include <goldml/cpu/split.hpp>
#include <goldml/reference/join.hpp>
#include <goldml/reference/slice.hpp>
#include <goldml/reference/slice1.hpp>
#include <goldml/reference/split.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;

}  // namespace

TEMPLATE_TEST_CASE("JOIN, SPLIT on cpu: every axis and layout, in each width", "[cpu][join][split]", std::uint8_t,
                   float16, float, double) {
  const dimensions whole{3, 5, 4};
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    for (const auto of_whole : all_layouts)
      for (const auto of_parts : all_layouts) {
        dimensions first = whole;
        dimensions second = whole;
        first[axis] = 1;
        second[axis] -= 1;
        auto x = filled<TestType>(whole, of_whole, 0);
        std::vector<std::vector<std::uint64_t>> results;
        const auto run = [&](const auto& backend) {
          auto y = filled<TestType>(first, of_parts, 1);
          auto z = filled<TestType>(second, of_parts, 2);
          const std::vector<tensor_ref> outputs{y.view(), z.view()};
          split(backend, x.view(), outputs, {.axis = axis});
          auto back = filled<TestType>(whole, of_whole, 3);
          const std::vector<const_tensor_ref> inputs{z.view(), y.view()};  // in the other order
          join(backend, inputs, back.view(), {.axis = axis});
          results.push_back(bits(y.elements()));
          results.push_back(bits(z.elements()));
          results.push_back(bits(back.elements()));
          CHECK((y.gaps_untouched() && z.gaps_untouched() && back.gaps_untouched()));
        };
        run(reference);
        run(cpu);
        CHECK(results[0] == results[3]);
        CHECK(results[1] == results[4]);
        CHECK(results[2] == results[5]);
        CHECK(results[2] != bits(x.elements()));
      }
}

TEMPLATE_TEST_CASE("SLICE on cpu: every layout, in each width", "[cpu][slice]", std::uint8_t, float16, float, double) {
  const dimensions sizes{3, 5, 4};
  const slice_desc desc{.offsets = {2, 1, 0}, .sizes = {1, 2, 2}, .strides = {0xFFFF'FFFF, 3, 2}};
  for (const auto of_input : all_layouts)
    for (const auto of_output : all_layouts) {
      auto x = filled<TestType>(sizes, of_input, 0);
      auto wanted = filled<TestType>(desc.sizes, of_output, 1);
      auto y = filled<TestType>(desc.sizes, of_output, 2);
      slice(reference, x.view(), wanted.view(), desc);
      slice(cpu, x.view(), y.view(), desc);
      CHECK(bits(y.elements()) == bits(wanted.elements()));
      CHECK(y.gaps_untouched());
    }
}

TEST_CASE("A10: zero_stride repeat, the element at the offset again and again", "[cpu][slice][slice1]") {
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const auto input = tensor_view{x, {2, 3}};
  const auto both = [&](const auto& call, const dimensions& sizes, const std::vector<float>& wanted) {
    tensor<float> by_reference(sizes), by_cpu(sizes);
    call(reference, by_reference);
    call(cpu, by_cpu);
    CHECK(by_reference.elements() == wanted);
    CHECK(by_cpu.elements() == wanted);
  };
  slice_desc desc{.offsets = {0, 1}, .sizes = {2, 4}, .strides = {1, 0}, .zero_stride = zero_stride::repeat};
  both([&](const auto& backend, auto& y) { slice(backend, input, y, desc); }, {2, 4}, {2, 2, 2, 2, 5, 5, 5, 5});
  desc.offsets = {0, 3};
  tensor<float> y({2, 4});
  CHECK(refusal_of([&] { slice(reference, input, y, desc); }) == "SL7");
  desc.offsets = {0, 1};
  desc.zero_stride = zero_stride::refuse;
  CHECK(refusal_of([&] { slice(reference, input, y, desc); }) == "SL5");

  slice1_desc window{.input_window_offsets = {1, 0},
                     .input_window_sizes = {1, 2},
                     .input_window_strides = {0, -1},
                     .zero_stride = zero_stride::repeat};
  both([&](const auto& backend, auto& out) { slice1(backend, input, out, window); }, {3, 2}, {5, 4, 5, 4, 5, 4});
  tensor<float> z({3, 2});
  window.input_window_sizes = {2, 2};
  CHECK(refusal_of([&] { slice1(reference, input, z, window); }) == "SL7");
  window.input_window_sizes = {1, 2};
  window.zero_stride = zero_stride::refuse;
  CHECK(refusal_of([&] { slice1(reference, input, z, window); }) == "SL5");
}

TEST_CASE("JOIN on cpu: one input twice, and broadcast inputs", "[cpu][join]") {
  const std::vector<float> row{1, 2, 3};
  tensor<float> y({2, 9});
  const tensor_view once{row, {2, 3}, {0, 1}};
  const std::vector<const_tensor_ref> inputs{once, tensor_view{row, {2, 3}, {0, 0}}, once};
  join(cpu, inputs, y, {.axis = 1});
  CHECK(y.elements() == std::vector<float>{1, 2, 3, 1, 1, 1, 1, 2, 3, 1, 2, 3, 1, 1, 1, 1, 2, 3});
}

TEST_CASE("JOIN, SPLIT, SLICE on cpu: refusals leave the output unchanged", "[cpu]") {
  std::vector<float> memory(4, 1);
  const std::vector<float> x(4, 2);
  CHECK(refusal_of([&] { slice(cpu, x, memory, {.offsets = {1}, .sizes = {4}, .strides = {1}}); }) == "SL7");
  CHECK(refusal_of([&] {
          join(cpu, std::vector<const_tensor_ref>{tensor_view{x, {4}}}, memory, {.axis = 1});
        }) == "JO5");
  CHECK(refusal_of([&] { split(cpu, x, std::vector<tensor_ref>{tensor_view{memory, {4}}}, {.axis = 1}); }) == "SP5");
  CHECK(memory == std::vector<float>(4, 1));
}
