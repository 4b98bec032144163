// GATHER: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/gather.hpp>
#include <goldml/reference/gather.hpp>

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
using unsigneds = tensor<std::uint32_t>;

// {2,3,4} in four dimensions, of which {2,5} indices replace the 3. Valid; each test changes it.
struct gathering {
  gather_desc desc{.axis = 2, .index_dimensions = 2};
  tensor_desc input{.data_type = data_type::float32, .sizes = {1, 2, 3, 4}};
  tensor_desc indices{.data_type = data_type::uint32, .sizes = {1, 1, 2, 5}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {2, 2, 5, 4}};

  // The same with an axis, a count, and the sizes of input, indices and output.
  static gathering of(std::uint32_t axis, std::uint32_t count, const dimensions& input, const dimensions& indices,
                      const dimensions& output) {
    gathering g;
    g.desc.axis = axis;
    g.desc.index_dimensions = count;
    g.input.sizes = input;
    g.indices.sizes = indices;
    g.output.sizes = output;
    return g;
  }

  // The indices are 0.
  std::string refused() const {
    const std::vector<violation> all = violations(desc, input, indices, output);
    const std::vector<std::uint64_t> zeros(512), before(512, 7);
    std::vector<std::uint64_t> data(512, 5), written = before;
    const std::string at_the_call = refusal_of([&] {
      gather(reference, const_tensor_ref(input, data.data(), 4096), const_tensor_ref(indices, zeros.data(), 4096),
             tensor_ref(output, written.data(), 4096), desc);
    });
    CHECK(at_the_call == (all.empty() ? "none" : all.front().rule));
    CHECK((written == before) == !all.empty());
    return rules::codes_of(all);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, indices, output)); }
};

// The element of 10..13 at an index, or the text of the violation.
template <class Index>
std::string element_at(Index index, range_policy policy = range_policy::refuse) {
  const tensor<std::int32_t> input({4}, {10, 11, 12, 13});
  try {
    return std::to_string(gather(reference, input, tensor<Index>({1}, {index}), {.range_policy = policy})[{0}]);
  } catch (const error& refusal) {
    return refusal.what();
  }
}

}  // namespace

TEST_CASE("GATHER: the page's examples", "[gather]") {
  CHECK(gather(reference, tensor<float>({4}, {11, 12, 13, 14}), unsigneds({5}, {3, 1, 3, 0, 2}), {}) ==
        tensor<float>({5}, {14, 12, 14, 11, 13}));
  const tensor<float> pairs({3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(gather(reference, pairs, unsigneds({1, 4}, {0, 1, 1, 2}), {}) ==
        tensor<float>({4, 2}, {1, 2, 3, 4, 3, 4, 5, 6}));
  CHECK(gather(reference, pairs, unsigneds({1, 2}, {1, 0}), {.axis = 1}) == tensor<float>({3, 2}, {2, 1, 4, 3, 6, 5}));
  CHECK(gather(reference, tensor<float>({1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), unsigneds({1, 1, 2}, {0, 2}),
               {.axis = 2, .index_dimensions = 2}) == tensor<float>({3, 1, 2}, {1, 3, 4, 6, 7, 9}));
  CHECK(gather(reference, tensor<float>({1, 3, 2}, {1, 2, 3, 4, 5, 6}), unsigneds({1, 2, 2}, {0, 1, 1, 2}),
               {.axis = 1, .index_dimensions = 2}) == tensor<float>({2, 2, 2}, {1, 2, 3, 4, 3, 4, 5, 6}));
}

TEST_CASE("GATHER L62: the page's third example prints IndexDimensions 2, where a size of 3 would be cut", "[gather]") {
  const gathering g = gathering::of(1, 2, {3, 2}, {1, 2}, {3, 2});
  CHECK(g.refused() == "GA5");
  CHECK(
      g.message() ==
      "GATHER GA5: InputTensor.Sizes[0] is 3, wanted 1 (Sizes {3,2}; IndexDimensions 2 leave no room for the first 1)");
}

TEST_CASE("GATHER: a single index removes the axis", "[gather]") {
  const tensor<float> pairs({3, 2}, {1, 2, 3, 4, 5, 6});
  const tensor<float> last({1, 2}, {5, 6});
  CHECK(gather(reference, pairs, unsigneds({1, 1}, {2}), {.axis = 0, .index_dimensions = 0}) == last);
  CHECK(gather(reference, pairs, tensor<std::int32_t>({1, 1}, {-1}), {.axis = 0, .index_dimensions = 0}) == last);
  CHECK(gather(reference, pairs, unsigneds({1, 1}, {1}), {.axis = 1, .index_dimensions = 0}) ==
        tensor<float>({1, 3}, {2, 4, 6}));
  CHECK(gather(reference, tensor<float>({4}, {1, 2, 3, 4}), unsigneds({1}, {2}), {.index_dimensions = 0}) ==
        tensor<float>({1}, {3}));
}

TEST_CASE("GATHER L60: indices at and beyond the ends", "[gather]") {
  CHECK(element_at(std::uint32_t{3}) == "13");
  CHECK(element_at(std::uint32_t{4}) ==
        "GATHER GA9: IndicesTensor.element[0] is 4, wanted 0 to 3 (at {0}; range_policy clamp accepts it)");
  CHECK(element_at(std::int32_t{-1}) == "13");
  CHECK(element_at(std::int32_t{-4}) == "10");
  CHECK(element_at(std::int32_t{-5}) ==
        "GATHER GA9: IndicesTensor.element[0] is -5, wanted -4 to 3 (at {0}; range_policy clamp accepts it)");
  const auto is_refused = [](auto index, range_policy policy = range_policy::refuse) {
    return element_at(index, policy).starts_with("GATHER GA9: IndicesTensor.element[0] is ");
  };
  CHECK(is_refused(std::int32_t{4}));
  CHECK(is_refused(0xFFFF'FFFFu));            // not -1
  CHECK(is_refused(std::uint64_t{1} << 32));  // truncated to 32 bits, it would be 0
  CHECK(is_refused(-(std::int64_t{1} << 32)));
  CHECK(is_refused((std::numeric_limits<std::int64_t>::min)()));
  CHECK(is_refused((std::numeric_limits<std::int64_t>::max)()));
  CHECK(is_refused(std::uint32_t{4}, range_policy::drop));  // there is nothing to drop
  CHECK(element_at(std::uint32_t{3}, range_policy::drop) == "13");

  constexpr range_policy clamp = range_policy::clamp;
  CHECK(element_at(std::uint32_t{4}, clamp) == "13");
  CHECK(element_at(0xFFFF'FFFFu, clamp) == "13");
  CHECK(element_at(~std::uint64_t{0}, clamp) == "13");
  CHECK(element_at(std::int32_t{-1}, clamp) == "13");
  CHECK(element_at(std::int32_t{-5}, clamp) == "10");
  CHECK(element_at((std::numeric_limits<std::int64_t>::min)(), clamp) == "10");
  CHECK(element_at((std::numeric_limits<std::int64_t>::max)(), clamp) == "13");

  // The lowest in row-major order is named, and nothing is written.
  const tensor<std::int32_t> indices({1, 2, 2}, {1, -4, 2, 9});
  tensor<float> output({2, 2, 2}, floats(8, 7));
  try {
    gather(reference, tensor<float>({1, 3, 2}), indices, output, {.axis = 1, .index_dimensions = 2});
    FAIL("an index is out of range");
  } catch (const error& refusal) {
    CHECK(std::string(refusal.what()) ==
          "GATHER GA9: IndicesTensor.element[1] is -4, wanted -3 to 2 (at {0,0,1}; range_policy clamp accepts it)");
  }
  CHECK(output.elements() == floats(8, 7));
}

TEMPLATE_LIST_TEST_CASE("GATHER: all data types, moved bit by bit; every index type; run-time calls", "[gather]",
                        a11_types) {
  const auto elements = different_elements<TestType>(6, 0);
  const tensor<TestType> input({2, 3}, elements);
  const auto check = [&]<class Index>(std::type_identity<Index>) {
    const tensor<Index> indices({1, 2}, {2, 0});
    const auto y = gather(reference, input, indices, {.axis = 1});
    CHECK(bits(y.elements()) == bits(std::vector<TestType>{elements[2], elements[0], elements[5], elements[3]}));
    tensor<TestType> z({2, 2});
    gather(reference, const_tensor_ref(input.view()), const_tensor_ref(indices.view()), tensor_ref(z.view()),
           gather_desc{.axis = 1});
    CHECK(bits(z.elements()) == bits(y.elements()));
  };
  check(std::type_identity<std::int64_t>{});
  check(std::type_identity<std::int32_t>{});
  check(std::type_identity<std::uint64_t>{});
  check(std::type_identity<std::uint32_t>{});
}

TEST_CASE("GATHER: NaN payloads and -0.0", "[gather]") {
  const floats stored{from_bits<float>(0x7FA1'2345), -0.0f, from_bits<float>(1)};
  const auto y = gather(reference, tensor<float>({3}, stored), unsigneds({3}, {1, 0, 2}), {});
  CHECK(bits(y.elements()) == std::vector<std::uint64_t>{0x8000'0000, 0x7FA1'2345, 1});
}

TEST_CASE("GATHER: one to eight dimensions, each axis and count of indices, in all layouts; gaps are unchanged",
          "[gather]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t count = 0; count <= rank; ++count)
      for (std::uint32_t axis = count == 0 ? 0 : count - 1; axis < rank; ++axis) {
        dimensions sizes = dimensions::filled(rank, 2);
        for (std::uint32_t i = 0; i + 1 < count; ++i) sizes[i] = 1;
        sizes[axis] = 3;
        dimensions index_sizes = dimensions::filled(rank, 1);
        for (std::uint32_t i = rank - count; i < rank; ++i) index_sizes[i] = 2;
        const std::size_t index_count = static_cast<std::size_t>(element_count(index_sizes));
        std::vector<std::int64_t> indices(index_count);
        for (std::size_t i = 0; i < index_count; ++i) indices[i] = static_cast<std::int64_t>(i * 5 % 6) - 3;
        const auto elements = different_elements<std::int16_t>(static_cast<std::size_t>(element_count(sizes)), rank);
        const gather_desc desc{.axis = axis, .index_dimensions = count};
        const dimensions out = *operator_traits<gather_desc>::output_sizes(desc, sizes, index_sizes);
        CHECK(out.size() == rank);

        // As three nested loops: before the axis, over the indices, after the axis.
        std::size_t before = 1;
        for (std::uint32_t i = 0; i < axis; ++i) before *= sizes[i];
        const std::size_t after = elements.size() / (before * 3);
        std::vector<std::int16_t> wanted;
        for (std::size_t b = 0; b < before; ++b)
          for (const std::int64_t index : indices)
            for (std::size_t a = 0; a < after; ++a)
              wanted.push_back(elements[(b * 3 + static_cast<std::size_t>((index + 3) % 3)) * after + a]);
        INFO("rank " << rank << " axis " << axis << " count " << count);
        for (const auto each : all_layouts) {
          laid_out<std::int16_t> in(sizes, strides_of(each, sizes), elements);
          laid_out<std::int64_t> through(index_sizes, strides_of(each, index_sizes), indices);
          laid_out<std::int16_t> y(out, strides_of(each, out), std::vector<std::int16_t>(wanted.size(), 77));
          gather(reference, in.view(), through.view(), y.view(), desc);
          CHECK(y.elements() == wanted);
          CHECK((in.gaps_untouched() && through.gaps_untouched() && y.gaps_untouched()));
        }
      }
}

TEST_CASE("GATHER: a valid desc violates no rule", "[gather]") {
  CHECK(gathering{}.refused() == "");
  CHECK(gathering::of(0, 1, {2, 3, 4}, {1, 1, 9}, {9, 3, 4}).refused() == "");
  CHECK(gathering::of(0, 0, {2, 3}, {1, 1}, {1, 3}).refused() == "");
  CHECK(gathering::of(1, 0, {2, 3}, {1, 1}, {1, 2}).refused() == "");
  CHECK(gathering::of(7, 8, {1, 1, 1, 1, 1, 1, 1, 2}, {2, 1, 2, 1, 2, 1, 2, 1}, {2, 1, 2, 1, 2, 1, 2, 1}).refused() ==
        "");
}

TEST_CASE("GATHER GA7: the sizes of the output", "[gather]") {
  gathering g;
  g.output.sizes = {2, 5, 2, 4};
  CHECK(g.refused() == "GA7");
  CHECK(
      g.message() ==
      "GATHER GA7: OutputTensor.Sizes is {2,5,2,4}, wanted {2,2,5,4} (InputTensor {1,2,3,4}, IndicesTensor {1,1,2,5})");
  CHECK(gathering::of(0, 0, {2, 3}, {1, 1}, {3, 1}).refused() == "GA7");
}

TEST_CASE("GATHER: memory, T12; the call that returns its output refuses before it allocates", "[gather]") {
  std::vector<std::uint32_t> memory(12, 1);
  std::vector<std::uint32_t> other(12, 1);
  const auto rule = [](const auto& input, const auto& indices, const auto& output) {
    return refusal_of([&] { gather(reference, input, indices, output, gather_desc{}); });
  };
  CHECK(rule(tensor_view{memory, {4}}, tensor_view{other, {4}}, tensor_view{memory, {4}}) == "T12");
  CHECK(rule(tensor_view{memory, {4}}, tensor_view{other, {4}}, tensor_view{other, {4}}) == "T12");
  CHECK(memory == std::vector<std::uint32_t>(12, 1));
  const auto returned = [](const gather_desc& desc, const dimensions& indices = {1, 2}) {
    return refusal_of([&] { static_cast<void>(gather(reference, tensor<float>({2, 3}), unsigneds(indices), desc)); });
  };
  CHECK(returned({.axis = 1}) == "none");
  CHECK(returned({.axis = 2}) == "GA3");
  CHECK(returned({.index_dimensions = 3}) == "GA4");
  CHECK(returned({.axis = 1, .index_dimensions = 2}) == "GA5");
  CHECK(returned({}, {2, 2}) == "GA6");
  CHECK(returned({}, {2}) == "GA1");
}
