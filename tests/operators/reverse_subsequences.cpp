// REVERSE_SUBSEQUENCES: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <goldml/operators/reverse_subsequences.hpp>
#include <goldml/reference/reverse_subsequences.hpp>

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

// 1 to 5, with a sequence of this length reversed.
template <class Length>
floats five(Length length) {
  return reverse_subsequences(reference, tensor<float>({5}, {1, 2, 3, 4, 5}), tensor<Length>({1}, {length}), {})
      .elements();
}

// FLOAT32 {2,3,4} along axis 1. Valid; each test changes it.
struct reversal {
  reverse_subsequences_desc desc{.axis = 1};
  tensor_desc input{.data_type = data_type::float32, .sizes = {2, 3, 4}};
  tensor_desc lengths{.data_type = data_type::uint32, .sizes = {2, 1, 4}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {2, 3, 4}};

  std::string refused() const {
    return goldml_test::refused(
        512, desc, [&](const auto&... t) { reverse_subsequences(reference, t..., desc); }, input, lengths, output);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, lengths, output)); }
};

}  // namespace

TEST_CASE("REVERSE_SUBSEQUENCES: the page's examples", "[reverse_subsequences]") {
  const tensor<float> input({1, 1, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(reverse_subsequences(reference, input, tensor<std::uint32_t>({1, 1, 3, 1}, {2, 4, 3}), {.axis = 3}) ==
        tensor<float>({1, 1, 3, 4}, {2, 1, 3, 4, 8, 7, 6, 5, 11, 10, 9, 12}));
  CHECK(reverse_subsequences(reference, input, tensor<std::uint32_t>({1, 1, 1, 4}, {2, 3, 1, 0}), {.axis = 2}) ==
        tensor<float>({1, 1, 3, 4}, {5, 10, 3, 4, 1, 6, 7, 8, 9, 2, 11, 12}));
}

TEST_CASE("REVERSE_SUBSEQUENCES: every length, also above the size of the axis", "[reverse_subsequences]") {
  CHECK(five(std::uint32_t{0}) == floats{1, 2, 3, 4, 5});
  CHECK(five(std::uint32_t{1}) == floats{1, 2, 3, 4, 5});
  CHECK(five(std::uint32_t{2}) == floats{2, 1, 3, 4, 5});
  CHECK(five(std::uint32_t{4}) == floats{4, 3, 2, 1, 5});
  const floats all{5, 4, 3, 2, 1};
  CHECK(five(std::uint32_t{5}) == all);
  CHECK(five(std::uint32_t{6}) == all);
  CHECK(five(std::uint32_t{9}) == all);
  CHECK(five(std::numeric_limits<std::uint32_t>::max()) == all);
  CHECK(five(std::uint64_t{3}) == floats{3, 2, 1, 4, 5});
  CHECK(five(std::numeric_limits<std::uint64_t>::max()) == all);
  // Truncated to 32 bits, these would be 0 and 1; as signed numbers, negative.
  CHECK(five(std::uint64_t{1} << 32) == all);
  CHECK(five((std::uint64_t{1} << 32) + 1) == all);
  CHECK(five(std::uint64_t{1} << 63) == all);
}

TEST_CASE("REVERSE_SUBSEQUENCES: lengths vary over all other dimensions", "[reverse_subsequences]") {
  // In ONNX and TensorFlow they vary over a batch dimension only.
  const tensor<std::int32_t> input({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const tensor<std::uint32_t> lengths({2, 1, 2}, {2, 3, 0, 2});
  CHECK(reverse_subsequences(reference, input, lengths, {.axis = 1}) ==
        tensor<std::int32_t>({2, 3, 2}, {3, 6, 1, 4, 5, 2, 7, 10, 9, 8, 11, 12}));
}

TEMPLATE_LIST_TEST_CASE("REVERSE_SUBSEQUENCES: all data types, moved bit by bit", "[reverse_subsequences]", a11_types) {
  const auto elements = different_elements<TestType>(6, 0);
  const tensor<TestType> input({2, 3}, elements);
  const tensor<std::uint64_t> lengths({2, 1}, {2, 3});
  const auto y = reverse_subsequences(reference, input, lengths, {.axis = 1});
  const std::vector<TestType> wanted{elements[1], elements[0], elements[2], elements[5], elements[4], elements[3]};
  CHECK(bits(y.elements()) == bits(wanted));
  tensor<TestType> z({2, 3});
  reverse_subsequences(reference, const_tensor_ref(input.view()), const_tensor_ref(lengths.view()),
                       tensor_ref(z.view()), reverse_subsequences_desc{.axis = 1});
  CHECK(bits(z.elements()) == bits(wanted));
}

TEST_CASE("REVERSE_SUBSEQUENCES: NaN payloads, -0.0 and subnormals", "[reverse_subsequences]") {
  const std::vector<std::uint64_t> patterns{0x7FA1'2345, 0x8000'0000, 0x8000'0001, 0xFFC0'0001};
  floats elements;
  for (const std::uint64_t pattern : patterns) elements.push_back(from_bits<float>(pattern));
  const auto y = reverse_subsequences(reference, tensor<float>({4}, elements), tensor<std::uint32_t>({1}, {4}), {});
  CHECK(bits(y.elements()) == std::vector<std::uint64_t>(patterns.rbegin(), patterns.rend()));
}

TEST_CASE("REVERSE_SUBSEQUENCES: one to eight dimensions, along each axis, in all layouts; gaps are unchanged",
          "[reverse_subsequences]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      dimensions sizes = dimensions::filled(rank, 2);
      sizes[axis] = 3;
      dimensions length_sizes = sizes;
      length_sizes[axis] = 1;
      const auto count = static_cast<std::size_t>(element_count(sizes));
      const auto elements = different_elements<std::int16_t>(count, rank);
      std::vector<std::uint32_t> lengths;
      for (std::size_t i = 0; i < count / 3; ++i) lengths.push_back(static_cast<std::uint32_t>(i % 5));
      // A step along the axis in row-major order is `step` elements; sequence s begins at s / step * 3 * step + s %
      // step.
      std::size_t step = 1;
      for (std::size_t i = axis + std::size_t{1}; i < rank; ++i) step *= 2;
      std::vector<std::int16_t> wanted = elements;
      for (std::size_t s = 0; s < lengths.size(); ++s) {
        const std::size_t first = s / step * 3 * step + s % step;
        if (lengths[s] == 2) std::swap(wanted[first], wanted[first + step]);
        if (lengths[s] > 2) std::swap(wanted[first], wanted[first + 2 * step]);
      }
      INFO("rank " << rank << " axis " << axis);
      for (const auto each : all_layouts) {
        laid_out<std::int16_t> in(sizes, strides_of(each, sizes), elements);
        laid_out<std::uint32_t> of(length_sizes, strides_of(each, length_sizes), lengths);
        laid_out<std::int16_t> out(sizes, strides_of(each, sizes), std::vector<std::int16_t>(count, 77));
        reverse_subsequences(reference, in.view(), of.view(), out.view(), {.axis = axis});
        CHECK(out.elements() == wanted);
        CHECK((in.gaps_untouched() && out.gaps_untouched()));
      }
    }
}

TEST_CASE("REVERSE_SUBSEQUENCES: one length for all sequences by strides of 0", "[reverse_subsequences]") {
  const floats x{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint32_t> two{2};
  floats y(6);
  reverse_subsequences(reference, tensor_view{x, {2, 3}}, tensor_view{two, {2, 1}, {0, 0}}, tensor_view{y, {2, 3}},
                       reverse_subsequences_desc{.axis = 1});
  CHECK(y == floats{2, 1, 3, 5, 4, 6});
}

TEST_CASE("REVERSE_SUBSEQUENCES: a valid desc violates no rule", "[reverse_subsequences]") {
  CHECK(reversal{}.refused() == "");
  reversal r;
  r.desc.axis = 2;
  r.lengths.sizes = {2, 3, 1};
  CHECK(r.refused() == "");
}

TEST_CASE("REVERSE_SUBSEQUENCES: memory, T12; not in place", "[reverse_subsequences]") {
  std::vector<std::uint32_t> memory(12, 1);
  std::vector<std::uint32_t> lengths(12, 2);
  const auto rule = [](const auto& input, const auto& of, const auto& output) {
    return refusal_of([&] { reverse_subsequences(reference, input, of, output, reverse_subsequences_desc{}); });
  };
  CHECK(rule(tensor_view{memory, {4}}, tensor_view{lengths, {1}}, tensor_view{memory, {4}}) == "T12");
  CHECK(rule(tensor_view{memory, {4}}, tensor_view{lengths, {1}}, tensor_view{lengths, {4}}) == "T12");
  CHECK(memory == std::vector<std::uint32_t>(12, 1));
  CHECK(lengths == std::vector<std::uint32_t>(12, 2));
}
