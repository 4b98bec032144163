// GATHER_ND and GATHER_ND1: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <goldml/operators/gather_nd.hpp>
#include <goldml/reference/gather.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::different_elements;
using layouts::laid_out;
using layouts::strides_of;
using unsigneds = tensor<std::uint32_t>;

// 0, 1, 2, ...
tensor<float> ramp(const dimensions& sizes) {
  std::vector<float> elements(static_cast<std::size_t>(element_count(sizes)));
  std::iota(elements.begin(), elements.end(), 0.0f);
  return tensor<float>(sizes, elements);
}

// A batch of {2,3}, of {4,5} each, with 6 tuples of 1: {2,3,6,5}. Valid; each test changes it.
struct gathering {
  gather_nd1_desc desc{.input_dimension_count = 4, .indices_dimension_count = 4, .batch_dimension_count = 2};
  tensor_desc input{.data_type = data_type::float32, .sizes = {1, 2, 3, 4, 5}};
  tensor_desc indices{.data_type = data_type::uint32, .sizes = {1, 2, 3, 6, 1}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {1, 2, 3, 6, 5}};

  static gathering of(std::uint32_t r, std::uint32_t q, std::uint32_t b, const dimensions& input,
                      const dimensions& indices, const dimensions& output) {
    gathering g;
    g.desc.input_dimension_count = r;
    g.desc.indices_dimension_count = q;
    g.desc.batch_dimension_count = b;
    g.input.sizes = input;
    g.indices.sizes = indices;
    g.output.sizes = output;
    return g;
  }

  // The indices are 0. Without batches, GATHER_ND has the same rules.
  std::string refused() const {
    const std::string codes = refused_with(desc, gather_nd1);
    if (desc.batch_dimension_count == 0) {
      const gather_nd_desc plain{.input_dimension_count = desc.input_dimension_count,
                                 .indices_dimension_count = desc.indices_dimension_count,
                                 .feature_level = desc.feature_level};
      CHECK(refused_with(plain, gather_nd) == codes);
    }
    return codes;
  }
  template <class Desc, class Call>
  std::string refused_with(const Desc& with, const Call& call) const {
    const std::vector<violation> all = violations(with, input, indices, output);
    const std::vector<std::uint64_t> zeros(2048), before(2048, 7);
    std::vector<std::uint64_t> data(2048, 5), written = before;
    const std::string at_the_call = refusal_of([&] {
      call(reference, const_tensor_ref(input, data.data(), 16384), const_tensor_ref(indices, zeros.data(), 16384),
           tensor_ref(output, written.data(), 16384), with);
    });
    CHECK(at_the_call == (all.empty() ? "none" : all.front().rule));
    CHECK((written == before) == !all.empty());
    return rules::codes_of(all);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, indices, output)); }
};

}  // namespace

TEST_CASE("GATHER_ND: the page's examples", "[gather_nd]") {
  const auto check = [](const auto& call, const auto& desc, const tensor<float>& input, const unsigneds& indices,
                        const tensor<float>& wanted) { CHECK(call(reference, input, indices, desc) == wanted); };
  const tensor<float> rows({2, 2}, {2, 3, 0, 1});
  check(gather_nd, gather_nd_desc{2, 2}, ramp({2, 2}), unsigneds({2, 1}, {1, 0}), rows);
  check(gather_nd1, gather_nd1_desc{2, 2, 0}, ramp({2, 2}), unsigneds({2, 1}, {1, 0}), rows);
  const tensor<float> pairs({1, 1, 2, 2}, {2, 3, 4, 5});
  check(gather_nd, gather_nd_desc{3, 2}, ramp({1, 2, 2, 2}), unsigneds({1, 1, 2, 2}, {0, 1, 1, 0}), pairs);
  check(gather_nd1, gather_nd1_desc{3, 2, 0}, ramp({1, 2, 2, 2}), unsigneds({1, 1, 2, 2}, {0, 1, 1, 0}), pairs);
  check(gather_nd1, gather_nd1_desc{3, 3, 1}, ramp({1, 3, 2, 2}),
        unsigneds({1, 3, 2, 2}, {0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0}),
        tensor<float>({1, 1, 3, 2}, {0, 3, 7, 4, 9, 10}));
  // The page's sizes (ledger L62).
  CHECK(gather_nd(reference, ramp({3, 4, 5, 6, 7}), unsigneds({1, 1, 1, 2, 3}), {5, 3}).sizes() ==
        dimensions{1, 1, 2, 6, 7});
}

TEST_CASE("GATHER_ND1: a batch; GATHER_ND: single elements", "[gather_nd]") {
  CHECK(gather_nd1(reference, ramp({2, 2, 2}), unsigneds({1, 2, 1}, {1, 0}), {3, 2, 1}) ==
        tensor<float>({1, 2, 2}, {2, 3, 4, 5}));
  CHECK(gather_nd(reference, ramp({2, 2}), unsigneds({2, 2}, {0, 0, 1, 1}), {2, 2}) == tensor<float>({1, 2}, {0, 3}));
  CHECK(gather_nd(reference, ramp({2, 2}), tensor<std::int32_t>({2, 2}, {-2, -1, -1, 0}), {2, 2}) ==
        tensor<float>({1, 2}, {1, 2}));
  CHECK(gather_nd(reference, ramp({4}), unsigneds({1}, {2}), {1, 1}) == tensor<float>({1}, {2}));
}

TEST_CASE("GATHER_ND L60: indices out of range", "[gather_nd]") {
  const auto answer = []<class Index>(Index first, Index second, range_policy policy) {
    try {
      return std::to_string(static_cast<int>(
          gather_nd(reference, ramp({2, 3}), tensor<Index>({1, 2}, {first, second}), {2, 1, policy})[{0, 0}]));
    } catch (const error& refusal) {
      return std::string(refusal.what());
    }
  };
  for (const range_policy policy : {range_policy::refuse, range_policy::drop}) {
    CHECK(answer(1u, 2u, policy) == "5");
    CHECK(answer(2u, 2u, policy) ==
          "GATHER_ND GN11: IndicesTensor.element[0] is 2, wanted 0 to 1 (at {0,0}; range_policy clamp accepts it)");
    CHECK(answer(1u, 3u, policy) ==
          "GATHER_ND GN11: IndicesTensor.element[1] is 3, wanted 0 to 2 (at {0,1}; range_policy clamp accepts it)");
    CHECK(answer(std::int64_t{-2}, std::int64_t{-4}, policy) ==
          "GATHER_ND GN11: IndicesTensor.element[1] is -4, wanted -3 to 2 (at {0,1}; range_policy clamp accepts it)");
  }
  CHECK(answer(9u, 9u, range_policy::clamp) == "5");
  CHECK(answer(std::int64_t{-9}, std::int64_t{9}, range_policy::clamp) == "2");
  CHECK(answer((std::numeric_limits<std::int64_t>::min)(), (std::numeric_limits<std::int64_t>::max)(),
               range_policy::clamp) == "2");

  tensor<float> output({1, 2, 2}, {7, 7, 7, 7});
  try {
    gather_nd1(reference, ramp({2, 2, 2}), unsigneds({1, 2, 1}, {1, 2}), output, {3, 2, 1});
    FAIL("an index is out of range");
  } catch (const error& refusal) {
    CHECK(std::string(refusal.what()) ==
          "GATHER_ND1 GN11: IndicesTensor.element[1] is 2, wanted 0 to 1 (at {0,1,0}; range_policy clamp accepts it)");
  }
  CHECK(output.elements() == std::vector<float>(4, 7));
}

TEMPLATE_LIST_TEST_CASE("GATHER_ND, GATHER_ND1: all data types, moved bit by bit; run-time calls", "[gather_nd]",
                        a11_types) {
  const auto elements = different_elements<TestType>(8, 0);
  const tensor<TestType> input({2, 2, 2}, elements);
  const tensor<std::int64_t> indices({1, 2, 2}, {1, -2, 0, 1});
  const auto y = gather_nd(reference, input, indices, {3, 2});
  CHECK(bits(y.elements()) == bits(std::vector<TestType>{elements[4], elements[5], elements[2], elements[3]}));
  tensor<TestType> z({1, 2, 2});
  gather_nd(reference, const_tensor_ref(input.view()), const_tensor_ref(indices.view()), tensor_ref(z.view()),
            gather_nd_desc{3, 2});
  CHECK(bits(z.elements()) == bits(y.elements()));
  const auto batched = gather_nd1(reference, input, indices, {3, 2, 1});
  CHECK(bits(batched.elements()) == bits(std::vector<TestType>{elements[2], elements[5]}));
}

TEST_CASE("GATHER_ND1: all meaningful dimensions of up to eight, in all layouts; gaps are unchanged", "[gather_nd]") {
  for (std::uint32_t r = 1; r <= 8; ++r)
    for (std::uint32_t b = 0; b < r; ++b)
      for (std::uint32_t k = 1; k <= r - b; ++k)
        for (std::uint32_t added = 0; added <= 2; ++added) {
          const std::size_t rank = 8;
          if (b + added + (r - b - k) > rank || b + added + 1 > rank) continue;
          dimensions d;
          for (std::uint32_t i = 0; i < r; ++i) d.push_back(i % 2 + 2 - (r > 5 ? i % 2 : 0));
          dimensions i = d.slice(0, b);
          for (std::uint32_t j = 0; j < added; ++j) i.push_back(2);
          const dimensions out = left_pad(concatenate(i, d.slice(b + k, r)), rank, 1);
          const dimensions tuples = i;
          i.push_back(k);
          const dimensions input_sizes = left_pad(d, rank, 1), index_sizes = left_pad(i, rank, 1);
          const auto elements = different_elements<std::int16_t>(static_cast<std::size_t>(element_count(d)), r);

          // A tuple is a number of places; places and slices are counted in row-major order.
          const std::uint64_t batches = element_count(d.slice(0, b)), places = element_count(d.slice(b, b + k)),
                              slice = element_count(d.slice(b + k, r)), count = element_count(tuples);
          std::vector<std::int32_t> indices;
          std::vector<std::int16_t> wanted;
          for (std::uint64_t t = 0; t < count; ++t) {
            const std::uint64_t place = t * 5 % places;
            const dimensions at = coordinate_at(d.slice(b, b + k), place);
            for (std::uint32_t j = 0; j < k; ++j)
              indices.push_back(static_cast<std::int32_t>(at[j]) -
                                (t % 2 == 0 ? 0 : static_cast<std::int32_t>(d[b + j])));
            const std::uint64_t batch = t / (count / batches);
            for (std::uint64_t s = 0; s < slice; ++s)
              wanted.push_back(elements[static_cast<std::size_t>((batch * places + place) * slice + s)]);
          }
          INFO("r " << r << " b " << b << " k " << k << " added " << added);
          const gather_nd1_desc desc{r, static_cast<std::uint32_t>(i.size()), b};
          for (const auto each : {layouts::layout::packed, layouts::layout::stepped}) {
            laid_out<std::int16_t> in(input_sizes, strides_of(each, input_sizes), elements);
            laid_out<std::int32_t> through(index_sizes, strides_of(each, index_sizes), indices);
            laid_out<std::int16_t> y(out, strides_of(each, out), std::vector<std::int16_t>(wanted.size(), 77));
            gather_nd1(reference, in.view(), through.view(), y.view(), desc);
            CHECK(y.elements() == wanted);
            CHECK((in.gaps_untouched() && through.gaps_untouched() && y.gaps_untouched()));
          }
        }
}

TEST_CASE("GATHER_ND1: a valid desc violates no rule", "[gather_nd]") {
  CHECK(gathering{}.refused() == "");
  CHECK(gathering::of(5, 5, 2, {3, 4, 5, 6, 7}, {3, 4, 5, 6, 2}, {3, 4, 5, 6, 7}).refused() == "");
  CHECK(gathering::of(3, 2, 0, {1, 2, 3, 4}, {1, 1, 2, 2}, {1, 1, 2, 4}).refused() == "");
  CHECK(gathering::of(1, 1, 0, {3}, {1}, {1}).refused() == "");
}

TEST_CASE("GATHER_ND1: memory, T12; the call that returns its output refuses before it allocates", "[gather_nd]") {
  std::vector<std::uint32_t> memory(4, 1);
  std::vector<std::uint32_t> other(4, 1);
  const auto rule = [](const auto& input, const auto& indices, const auto& output) {
    return refusal_of([&] { gather_nd1(reference, input, indices, output, gather_nd1_desc{1, 2, 0}); });
  };
  CHECK(rule(tensor_view{memory, {1, 4}}, tensor_view{other, {4, 1}}, tensor_view{memory, {1, 4}}) == "T12");
  CHECK(rule(tensor_view{memory, {1, 4}}, tensor_view{other, {4, 1}}, tensor_view{other, {1, 4}}) == "T12");
  CHECK(other == std::vector<std::uint32_t>(4, 1));
  const auto returned = [](const gather_nd1_desc& desc, const dimensions& indices) {
    return refusal_of([&] { static_cast<void>(gather_nd1(reference, ramp({2, 3}), unsigneds(indices), desc)); });
  };
  CHECK(returned({2, 2}, {5, 1}) == "none");
  CHECK(returned({3, 2}, {5, 1}) == "GN3");
  CHECK(returned({2, 2, 2}, {5, 1}) == "GN5");
  CHECK(returned({2, 2}, {5, 3}) == "GN7");
  CHECK(returned({2, 2}, {5}) == "GN1");
}
