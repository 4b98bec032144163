// GATHER_ELEMENTS: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/gather_elements.hpp>
#include <goldml/reference/gather.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::laid_out;
using layouts::strides_of;

// {2,3,4} with 5 indices along axis 1. Valid; each test changes it.
struct gathering {
  gather_elements_desc desc{.axis = 1};
  tensor_desc input{.data_type = data_type::float32, .sizes = {2, 3, 4}};
  tensor_desc indices{.data_type = data_type::uint32, .sizes = {2, 5, 4}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {2, 5, 4}};

  // The indices are 0.
  std::string refused() const {
    const std::vector<violation> all = violations(desc, input, indices, output);
    const std::vector<std::uint64_t> zeros(512), before(512, 7);
    std::vector<std::uint64_t> data(512, 5), written = before;
    const std::string at_the_call = refusal_of([&] {
      gather_elements(reference, const_tensor_ref(input, data.data(), 4096),
                      const_tensor_ref(indices, zeros.data(), 4096), tensor_ref(output, written.data(), 4096), desc);
    });
    CHECK(at_the_call == (all.empty() ? "none" : all.front().rule));
    CHECK((written == before) == !all.empty());
    return rules::codes_of(all);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, indices, output)); }
};

}  // namespace

TEST_CASE("GATHER_ELEMENTS: the page's example, and indices from the end", "[gather_elements]") {
  CHECK(gather_elements(reference, tensor<float>({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}),
                        tensor<std::uint32_t>({2, 3}, {1, 2, 0, 2, 0, 0}),
                        {.axis = 0}) == tensor<float>({2, 3}, {4, 8, 3, 7, 2, 3}));
  CHECK(gather_elements(reference, tensor<float>({2, 2}, {1, 2, 3, 4}),
                        tensor<std::int32_t>({2, 3}, {-1, 0, 1, -2, -2, 1}),
                        {.axis = 1}) == tensor<float>({2, 3}, {2, 1, 2, 3, 3, 4}));
}

TEST_CASE("GATHER_ELEMENTS L60: indices out of range", "[gather_elements]") {
  const tensor<std::int16_t> input({1, 3}, {10, 11, 12});
  const auto element_at = [&]<class Index>(Index index, range_policy policy) {
    return refusal_of([&] {
             static_cast<void>(gather_elements(reference, input, tensor<Index>({1, 1}, {index}),
                                               {.axis = 1, .range_policy = policy}));
           }) == "GE7"
               ? -1
               : gather_elements(reference, input, tensor<Index>({1, 1}, {index}),
                                 {.axis = 1, .range_policy = policy})[{0, 0}];
  };
  for (const range_policy policy : {range_policy::refuse, range_policy::drop}) {
    CHECK(element_at(std::uint32_t{2}, policy) == 12);
    CHECK(element_at(std::uint32_t{3}, policy) == -1);
    CHECK(element_at(0xFFFF'FFFFu, policy) == -1);
    CHECK(element_at(std::int32_t{-3}, policy) == 10);
    CHECK(element_at(std::int32_t{-4}, policy) == -1);
    CHECK(element_at(std::uint64_t{1} << 32, policy) == -1);
    CHECK(element_at((std::numeric_limits<std::int64_t>::min)(), policy) == -1);
  }
  CHECK(element_at(std::uint32_t{3}, range_policy::clamp) == 12);
  CHECK(element_at(std::int32_t{-4}, range_policy::clamp) == 10);
  CHECK(element_at((std::numeric_limits<std::int64_t>::min)(), range_policy::clamp) == 10);

  tensor<std::int16_t> output({2, 2}, {7, 7, 7, 7});
  try {
    gather_elements(reference, tensor<std::int16_t>({2, 2}), tensor<std::int64_t>({2, 2}, {1, -2, 2, -3}), output,
                    {.axis = 0});
    FAIL("an index is out of range");
  } catch (const error& refusal) {
    CHECK(std::string(refusal.what()) ==
          "GATHER_ELEMENTS GE7: IndicesTensor.element[2] is 2, wanted -2 to 1 (at {1,0}; "
          "range_policy clamp accepts it)");
  }
  CHECK(output.elements() == std::vector<std::int16_t>(4, 7));
}

TEMPLATE_LIST_TEST_CASE("GATHER_ELEMENTS: all data types, moved bit by bit; run-time calls", "[gather_elements]",
                        a11_types) {
  const auto elements = different_elements<TestType>(6, 0);
  const tensor<TestType> input({2, 3}, elements);
  const tensor<std::int64_t> indices({2, 2}, {2, 0, -1, 1});
  const auto y = gather_elements(reference, input, indices, {.axis = 1});
  CHECK(bits(y.elements()) == bits(std::vector<TestType>{elements[2], elements[0], elements[5], elements[4]}));
  tensor<TestType> z({2, 2});
  gather_elements(reference, const_tensor_ref(input.view()), const_tensor_ref(indices.view()), tensor_ref(z.view()),
                  gather_elements_desc{.axis = 1});
  CHECK(bits(z.elements()) == bits(y.elements()));
}

TEST_CASE("GATHER_ELEMENTS: one to eight dimensions, along each axis, in all layouts; gaps are unchanged",
          "[gather_elements]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      dimensions sizes = dimensions::filled(rank, 2);
      sizes[axis] = 3;
      dimensions index_sizes = sizes;
      index_sizes[axis] = 4;
      const auto elements = different_elements<std::int16_t>(static_cast<std::size_t>(element_count(sizes)), rank);
      std::vector<std::int64_t> indices;
      std::vector<std::int16_t> wanted;
      std::size_t after = 1;
      for (std::uint32_t i = axis + 1; i < rank; ++i) after *= 2;
      const std::size_t index_count = static_cast<std::size_t>(element_count(index_sizes));
      for (std::size_t i = 0; i < index_count; ++i) {
        indices.push_back(static_cast<std::int64_t>(i * 7 % 6) - 3);
        const auto position = static_cast<std::size_t>((indices.back() + 3) % 3);
        wanted.push_back(elements[(i / (4 * after) * 3 + position) * after + i % after]);
      }
      INFO("rank " << rank << " axis " << axis);
      for (const auto each : all_layouts) {
        laid_out<std::int16_t> in(sizes, strides_of(each, sizes), elements);
        laid_out<std::int64_t> through(index_sizes, strides_of(each, index_sizes), indices);
        laid_out<std::int16_t> y(index_sizes, strides_of(each, index_sizes),
                                 std::vector<std::int16_t>(index_count, 77));
        gather_elements(reference, in.view(), through.view(), y.view(), {.axis = axis});
        CHECK(y.elements() == wanted);
        CHECK((in.gaps_untouched() && through.gaps_untouched() && y.gaps_untouched()));
      }
    }
}

TEST_CASE("GATHER_ELEMENTS: a valid desc violates no rule", "[gather_elements]") {
  CHECK(gathering{}.refused() == "");
  gathering g;
  g.indices.sizes = g.output.sizes = {2, 1, 4};
  CHECK(g.refused() == "");
}

TEST_CASE("GATHER_ELEMENTS GE4, L61: sizes of the indices off the axis", "[gather_elements]") {
  gathering g;
  g.indices.sizes = g.output.sizes = {1, 5, 3};
  CHECK(g.refused() == "GE4 GE4");
  g.indices.sizes = g.output.sizes = {1, 5, 4};
  CHECK(g.refused() == "GE4");
  CHECK(g.message() ==
        "GATHER_ELEMENTS GE4: IndicesTensor.Sizes[0] is 1, wanted 2 (the input's; only Axis 1 is free; off_axis_sizes "
        "partial accepts it)");
  g.desc.off_axis_sizes = off_axis_sizes::partial;
  CHECK(g.refused() == "");
  g.indices.sizes = g.output.sizes = {1, 5, 5};
  CHECK(g.refused() == "GE4");
  CHECK(g.message() ==
        "GATHER_ELEMENTS GE4: IndicesTensor.Sizes[2] is 5, wanted at most 4 (the input's; only Axis 1 is free)");
  // The same formula.
  CHECK(gather_elements(reference, tensor<float>({2, 2}, {1, 2, 3, 4}), tensor<std::uint32_t>({1, 1}, {1}),
                        {.axis = 0, .off_axis_sizes = off_axis_sizes::partial}) == tensor<float>({1, 1}, {3}));
}

TEST_CASE("GATHER_ELEMENTS: memory, T12; the call that returns its output refuses before it allocates",
          "[gather_elements]") {
  std::vector<std::uint32_t> memory(4, 1);
  std::vector<std::uint32_t> other(4, 1);
  const auto rule = [](const auto& input, const auto& indices, const auto& output) {
    return refusal_of([&] { gather_elements(reference, input, indices, output, gather_elements_desc{}); });
  };
  CHECK(rule(tensor_view{memory, {4}}, tensor_view{other, {4}}, tensor_view{memory, {4}}) == "T12");
  CHECK(rule(tensor_view{memory, {4}}, tensor_view{other, {4}}, tensor_view{other, {4}}) == "T12");
  CHECK(other == std::vector<std::uint32_t>(4, 1));
  const auto returned = [](std::uint32_t axis, const dimensions& indices) {
    return refusal_of([&] {
      static_cast<void>(
          gather_elements(reference, tensor<float>({2, 3}), tensor<std::uint32_t>(indices), {.axis = axis}));
    });
  };
  CHECK(returned(1, {2, 9}) == "none");
  CHECK(returned(2, {2, 9}) == "GE3");
  CHECK(returned(1, {1, 9}) == "GE4");
  CHECK(returned(1, {2}) == "GE1");
}
