// MAX_UNPOOLING: results, verdicts and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/verdict.hpp>
#include <goldml/operators/max_unpooling.hpp>
#include <goldml/oracle/verdicts/max_unpooling.hpp>
#include <goldml/reference/max_unpooling.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

constexpr max_unpooling_desc last_wins{.duplicates = duplicates::last_wins};

// 1, 2, .. unpooled into four elements.
template <class Index>
floats into_four(const std::vector<Index>& indices, const max_unpooling_desc& desc = {}) {
  floats elements;
  for (std::size_t i = 0; i < indices.size(); ++i) elements.push_back(static_cast<float>(i + 1));
  const dimensions sizes = concatenate({1, 1, 1}, {indices.size()});
  return max_unpooling(reference, tensor<float>(sizes, elements), tensor<Index>(sizes, indices), {1, 1, 2, 2}, desc)
      .elements();
}

// FLOAT32 {1,2,2,2} to {1,2,4,4}. Valid; each test changes it.
struct unpooling {
  max_unpooling_desc desc{.duplicates = duplicates::last_wins};
  tensor_desc input{.data_type = data_type::float32, .sizes = {1, 2, 2, 2}};
  tensor_desc indices{.data_type = data_type::uint32, .sizes = {1, 2, 2, 2}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {1, 2, 4, 4}};

  std::string refused() const {
    return goldml_test::refused(
        512, desc, [&](const auto&... t) { max_unpooling(reference, t..., desc); }, input, indices, output);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, indices, output)); }
};

// The verdicts on four elements.
output_verdicts verdicts_of(const std::vector<std::uint32_t>& indices, const max_unpooling_desc& desc = {}) {
  const dimensions sizes = concatenate({1, 1, 1}, {indices.size()});
  floats elements;
  for (std::size_t i = 0; i < indices.size(); ++i) elements.push_back(static_cast<float>(i + 1));
  const tensor<float> input(sizes, elements);
  const tensor<std::uint32_t> index(sizes, indices);
  tensor<float> output({1, 1, 2, 2});
  max_unpooling(reference, input, index, output, oracle::verdict_traits<max_unpooling_desc>::judged(desc));
  const std::vector<const_tensor_ref> inputs{input.view(), index.view()};
  const std::vector<tensor_ref> golden{output.view()};
  std::vector<output_verdicts> result{output_verdicts(4)};
  oracle::verdict_traits<max_unpooling_desc>::verdicts(desc, inputs, golden, std::span(result));
  return result[0];
}

}  // namespace

TEST_CASE("MAX_UNPOOLING: ONNX's data, also into a larger output", "[max_unpooling]") {
  const tensor<float> input({1, 1, 2, 2}, {1, 2, 3, 4});
  const tensor<std::uint32_t> indices({1, 1, 2, 2}, {5, 7, 13, 15});
  CHECK(max_unpooling(reference, input, indices, {1, 1, 4, 4}) ==
        tensor<float>({1, 1, 4, 4}, {0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4}));
  tensor<float> wanted({1, 1, 5, 5});
  wanted[{0, 0, 1, 0}] = 1;
  wanted[{0, 0, 1, 2}] = 2;
  wanted[{0, 0, 2, 3}] = 3;
  wanted[{0, 0, 3, 0}] = 4;
  CHECK(max_unpooling(reference, input, indices, {1, 1, 5, 5}) == wanted);
}

TEST_CASE("MAX_UNPOOLING: indices count over the whole output, batch and channel too", "[max_unpooling]") {
  const tensor<std::int32_t> input({2, 2, 1, 1}, {1, 2, 3, 4});
  const tensor<std::uint64_t> indices({2, 2, 1, 1}, {7, 0, 2, 5});
  CHECK(max_unpooling(reference, input, indices, {2, 2, 1, 2}) ==
        tensor<std::int32_t>({2, 2, 1, 2}, {2, 0, 3, 0, 0, 4, 0, 1}));
}

TEST_CASE("MAX_UNPOOLING L67: an index out of range writes nothing", "[max_unpooling]") {
  CHECK(into_four(std::vector<std::uint32_t>{3, 4, 0}) == floats{3, 0, 0, 1});
  CHECK(into_four(std::vector<std::uint32_t>{0xFFFF'FFFF, 1}) == floats{0, 2, 0, 0});
  CHECK(into_four(std::vector<std::uint32_t>{0xFFFF'FFFF, 0xFFFF'FFFF}) == floats{0, 0, 0, 0});  // no duplicates
  // Truncated to 32 bits, these would be 0 and 1.
  CHECK(into_four(std::vector<std::uint64_t>{std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 1}) == floats(4, 0));
  CHECK(into_four(std::vector<std::uint64_t>{(std::numeric_limits<std::uint64_t>::max)(), 2}) == floats{0, 0, 2, 0});
}

TEST_CASE("MAX_UNPOOLING MU4: duplicates, and the policy last_wins", "[max_unpooling]") {
  using indices = std::vector<std::uint32_t>;
  CHECK(into_four(indices{1, 2, 1, 9, 9}, last_wins) == floats{0, 3, 2, 0});
  CHECK(into_four(indices{1, 1, 1}, last_wins) == floats{0, 3, 0, 0});
  CHECK(refusal_of([] { into_four(indices{1, 2, 1}); }) == "MU4");
  CHECK(refusal_of([] { into_four(std::vector<std::uint64_t>{0, 0}); }) == "MU4");
  try {
    into_four(indices{3, 2, 3, 2});
    FAIL("not refused");
  } catch (const error& refusal) {
    CHECK(
        to_string(refusal.violation()) ==
        "MAX_UNPOOLING MU4: IndicesTensor.element[2] is place 3 again, wanted a place that no earlier index names (the "
        "index at {0,0,0,2}; duplicates last_wins accepts it)");
  }
}

TEST_CASE("MAX_UNPOOLING MU4: nothing is written", "[max_unpooling]") {
  const std::vector<std::uint32_t> x{1, 2};
  const std::vector<std::uint32_t> indices{1, 1};
  std::vector<std::uint32_t> y(4, 7);
  const auto call = [&](const max_unpooling_desc& desc) {
    max_unpooling(reference, tensor_view{x, {1, 1, 1, 2}}, tensor_view{indices, {1, 1, 1, 2}},
                  tensor_view{y, {1, 1, 2, 2}}, desc);
  };
  CHECK(refusal_of([&] { call({}); }) == "MU4");
  CHECK(y == std::vector<std::uint32_t>(4, 7));
  call(last_wins);
  CHECK(y == std::vector<std::uint32_t>{0, 2, 0, 0});
}

TEST_CASE("MAX_UNPOOLING: an input with the same index by a stride of 0 is a duplicate", "[max_unpooling]") {
  const floats x{1, 2};
  const std::vector<std::uint32_t> one{3};
  floats y(4);
  CHECK(refusal_of([&] {
          max_unpooling(reference, tensor_view{x, {1, 1, 1, 2}}, tensor_view{one, {1, 1, 1, 2}, {0, 0, 0, 0}},
                        tensor_view{y, {1, 1, 2, 2}});
        }) == "MU4");
}

TEST_CASE("MAX_UNPOOLING L67: verdicts", "[max_unpooling]") {
  const output_verdicts exact = verdicts_of({3, 0, 9, 9});
  for (std::size_t i = 0; i < 4; ++i) CHECK(exact[i] == verdict::exact);
  const output_verdicts open = verdicts_of({1, 2, 1, 9, 1});
  CHECK(open[0] == verdict::exact);
  CHECK(open[1] == verdict::one_of);
  CHECK(open.alternatives_of(1).values == std::vector<scalar>{1.0f, 3.0f, 5.0f});  // not the zero
  CHECK(open[2] == verdict::exact);
  CHECK(open[3] == verdict::exact);
  CHECK(verdicts_of({1, 2, 1, 9, 1}, last_wins)[1] == verdict::exact);
}

TEST_CASE("MAX_UNPOOLING L67: duplicates with equal elements leave nothing open", "[max_unpooling]") {
  const tensor<float> input({1, 1, 1, 2}, {5, 5});
  const tensor<std::uint32_t> indices({1, 1, 1, 2}, {1, 1});
  tensor<float> output({1, 1, 1, 2}, {0, 5});
  const std::vector<const_tensor_ref> inputs{input.view(), indices.view()};
  const std::vector<tensor_ref> golden{output.view()};
  std::vector<output_verdicts> result{output_verdicts(2)};
  oracle::verdict_traits<max_unpooling_desc>::verdicts(max_unpooling_desc{}, inputs, golden, std::span(result));
  CHECK(result[0][1] == verdict::exact);
}

TEMPLATE_LIST_TEST_CASE("MAX_UNPOOLING: all data types, moved bit by bit", "[max_unpooling]", a10_types) {
  const auto elements = different_elements<TestType>(3, 0);
  const tensor<TestType> input({1, 1, 1, 3}, elements);
  const tensor<std::uint32_t> indices({1, 1, 1, 3}, {4, 0, 2});
  const std::vector<std::uint64_t> wanted{bits(elements[1]), 0, bits(elements[2]), 0, bits(elements[0]), 0};
  CHECK(bits(max_unpooling(reference, input, indices, {1, 1, 2, 3}).elements()) == wanted);
  tensor<TestType> z({1, 1, 2, 3}, different_elements<TestType>(6, 5));
  max_unpooling(reference, const_tensor_ref(input.view()), const_tensor_ref(indices.view()), tensor_ref(z.view()));
  CHECK(bits(z.elements()) == wanted);
}

TEST_CASE("MAX_UNPOOLING: NaN payloads and -0.0; other elements are +0", "[max_unpooling]") {
  const tensor<float> input({1, 1, 1, 2}, {from_bits<float>(0x7FA1'2345), -0.0f});
  const auto y = max_unpooling(reference, input, tensor<std::uint32_t>({1, 1, 1, 2}, {0, 2}), {1, 1, 1, 3});
  CHECK(bits(y.elements()) == std::vector<std::uint64_t>{0x7FA1'2345, 0, 0x8000'0000});
}

TEST_CASE("MAX_UNPOOLING: work and the memory of verdicts, by hand", "[max_unpooling]") {
  using traits = oracle::verdict_traits<max_unpooling_desc>;
  const tensor_desc updates{.data_type = data_type::float32, .sizes = {1, 1, 1, 3}};
  const tensor_desc indices{.data_type = data_type::uint32, .sizes = {1, 1, 1, 3}};
  const tensor_desc output{.data_type = data_type::float32, .sizes = {1, 1, 4, 8}};
  operands_of<max_unpooling_desc> operands;
  operands[0].desc = updates;
  operands[1].desc = indices;
  operands[2].desc = output;
  CHECK(operator_traits<max_unpooling_desc>::work({}, operands).elements == 4 * 3 + 32);
  // 32 places and two, and 3 updates in 4 bytes each; a copy of the updates; 12 bytes with a bit per place.
  CHECK(traits::verdict_memory({}, operands) == (32 + 2 + 3) * 4 + 12 + (32 / 8 + 8));
  CHECK(traits::verdict_memory(last_wins, operands) == 0);
}

TEST_CASE("MAX_UNPOOLING: all layouts; gaps are unchanged", "[max_unpooling]") {
  const dimensions sizes{2, 3, 2, 2};
  const dimensions larger{2, 3, 3, 4};
  const auto elements = different_elements<std::int16_t>(24, 1);
  std::vector<std::uint32_t> indices;
  std::vector<std::int16_t> wanted(72);
  for (std::uint32_t i = 0; i < 24; ++i) {
    indices.push_back((5 + i * 31) % 72);
    wanted[indices.back()] = elements[i];
  }
  for (const auto of_input : all_layouts)
    for (const auto of_output : all_layouts) {
      laid_out<std::int16_t> in(sizes, strides_of(of_input, sizes), elements);
      laid_out<std::uint32_t> index(sizes, strides_of(of_output, sizes), indices);
      laid_out<std::int16_t> out(larger, strides_of(of_output, larger), std::vector<std::int16_t>(72, 77));
      max_unpooling(reference, in.view(), index.view(), out.view());
      CHECK(out.elements() == wanted);
      CHECK((in.gaps_untouched() && index.gaps_untouched() && out.gaps_untouched()));
    }
}

TEST_CASE("MAX_UNPOOLING: a valid desc violates no rule; the output may have any sizes", "[max_unpooling]") {
  CHECK(unpooling{}.refused() == "");
  unpooling u;
  u.output.sizes = {1, 1, 1, 1};
  CHECK(u.refused() == "");
  u.output.sizes = {3, 1, 7, 2};
  CHECK(u.refused() == "");
}

TEST_CASE("MAX_UNPOOLING: the call that returns its output refuses before it allocates", "[max_unpooling]") {
  const auto returned = [](const dimensions& sizes) {
    return refusal_of([&] {
      static_cast<void>(
          max_unpooling(reference, tensor<float>({1, 1, 1, 1}), tensor<std::uint32_t>({1, 1, 1, 1}), sizes));
    });
  };
  CHECK(returned({1, 1, 2, 2}) == "none");
  CHECK(returned({2, 2}) == "T4");
  CHECK(returned({1, 1, 0, 2}) == "T5");
}

TEST_CASE("MAX_UNPOOLING: memory, T12; before MU4", "[max_unpooling]") {
  std::vector<std::uint32_t> memory(12, 1);
  std::vector<std::uint32_t> other(12, 1);
  const auto rule = [](const auto& input, const auto& indices, const auto& output) {
    return refusal_of([&] { max_unpooling(reference, input, indices, output); });
  };
  const dimensions two{1, 1, 1, 2};
  CHECK(rule(tensor_view{memory, two}, tensor_view{other, two}, tensor_view{memory, {1, 1, 2, 2}}) == "T12");
  CHECK(rule(tensor_view{memory, two}, tensor_view{other, two}, tensor_view{other, {1, 1, 2, 2}}) == "T12");
  CHECK(memory == std::vector<std::uint32_t>(12, 1));
  CHECK(other == std::vector<std::uint32_t>(12, 1));
}
