// SCATTER_ELEMENTS: results, policies, verdicts and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/verdict.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/operators/scatter_elements.hpp>
#include <goldml/oracle/verdicts/scatter_elements.hpp>
#include <goldml/reference/scatter_elements.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

constexpr scatter_elements_desc last_wins{.duplicates = duplicates::last_wins};

// {2,3,4} with 2 updates along axis 1. Valid; each test changes it.
struct scatter {
  scatter_elements_desc desc{.axis = 1, .duplicates = duplicates::last_wins};
  tensor_desc input{.data_type = data_type::float32, .sizes = {2, 3, 4}};
  tensor_desc indices{.data_type = data_type::uint32, .sizes = {2, 2, 4}};
  tensor_desc updates{.data_type = data_type::float32, .sizes = {2, 2, 4}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {2, 3, 4}};

  // The indices are 0.
  std::string refused() const {
    const std::vector<violation> all = violations(desc, input, indices, updates, output);
    const std::vector<std::uint64_t> zeros(512), before(512, 7);
    std::vector<std::uint64_t> data(512, 5), written = before;
    const std::string at_the_call = refusal_of([&] {
      scatter_elements(reference, const_tensor_ref(input, data.data(), 4096),
                       const_tensor_ref(indices, zeros.data(), 4096), const_tensor_ref(updates, data.data(), 4096),
                       tensor_ref(output, written.data(), 4096), desc);
    });
    CHECK(at_the_call == (all.empty() ? "none" : all.front().rule));
    CHECK((written == before) == !all.empty());
    return rules::codes_of(all);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, indices, updates, output)); }
};

// 10, 11, 12 with the indices' updates 20, 21, ..., or the text of the violation.
template <class Index>
std::string answer(const std::vector<Index>& indices, const scatter_elements_desc& desc) {
  std::vector<std::int32_t> updates;
  for (std::size_t i = 0; i < indices.size(); ++i) updates.push_back(20 + static_cast<std::int32_t>(i));
  try {
    std::string text;
    for (const std::int32_t x :
         scatter_elements(reference, tensor<std::int32_t>({3}, {10, 11, 12}), tensor<Index>({indices.size()}, indices),
                          tensor<std::int32_t>({indices.size()}, updates), desc))
      text += (text.empty() ? "" : " ") + std::to_string(x);
    return text;
  } catch (const error& refusal) {
    return refusal.what();
  }
}

}  // namespace

TEST_CASE("SCATTER_ELEMENTS: the page's examples", "[scatter_elements]") {
  // The first has a place twice, which the page itself forbids: the printed result is that of the last update.
  const tensor<float> input({5}, {0, 1, 2, 3, 4});
  const tensor<std::uint32_t> indices({4}, {3, 1, 3, 0});
  const tensor<float> updates({4}, {5, 6, 7, 8});
  CHECK(refusal_of([&] { static_cast<void>(scatter_elements(reference, input, indices, updates, {})); }) == "SE9");
  CHECK(scatter_elements(reference, input, indices, updates, last_wins) == tensor<float>({5}, {8, 6, 2, 7, 4}));
  CHECK(scatter_elements(reference, tensor<float>({3, 3}), tensor<std::uint32_t>({2, 3}, {1, 0, 2, 0, 2, 1}),
                         tensor<float>({2, 3}, {10, 11, 12, 20, 21, 22}),
                         {.axis = 0}) == tensor<float>({3, 3}, {20, 11, 0, 10, 0, 22, 0, 21, 12}));
  CHECK(scatter_elements(reference, tensor<float>({1, 5}, {1, 2, 3, 4, 5}), tensor<std::int64_t>({1, 2}, {1, -3}),
                         tensor<float>({1, 2}, {1.5f, 2.5f}),
                         {.axis = 1}) == tensor<float>({1, 5}, {1, 1.5f, 2.5f, 4, 5}));
}

TEST_CASE("SCATTER_ELEMENTS L63: indices out of range", "[scatter_elements]") {
  using unsigneds = std::vector<std::uint32_t>;
  using longs = std::vector<std::int64_t>;
  const scatter_elements_desc refuse, clamp{.range_policy = range_policy::clamp},
      drop{.range_policy = range_policy::drop};
  CHECK(answer(unsigneds{2, 0}, refuse) == "21 11 20");
  CHECK(answer(longs{-1, -3}, refuse) == "21 11 20");
  CHECK(
      answer(unsigneds{2, 3}, refuse) ==
      "SCATTER_ELEMENTS SE8: IndicesTensor.element[1] is 3, wanted 0 to 2 (at {1}; range_policy clamp or drop accepts "
      "it)");
  CHECK(answer(longs{-4, 3}, refuse) ==
        "SCATTER_ELEMENTS SE8: IndicesTensor.element[0] is -4, wanted -3 to 2 (at {0}; range_policy clamp or drop "
        "accepts it)");
  constexpr std::int64_t least = (std::numeric_limits<std::int64_t>::min)();
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
  CHECK(answer(unsigneds{0xFFFF'FFFF, 0}, clamp) == "21 11 20");
  CHECK(answer(longs{least, most}, clamp) == "20 11 21");
  CHECK(answer(longs{-(std::int64_t{1} << 32), 1}, clamp) == "20 21 12");
  CHECK(answer(unsigneds{3, 0, 0xFFFF'FFFF}, drop) == "21 11 12");
  CHECK(answer(longs{least, most, -4, 1}, drop) == "10 23 12");
  // Places are compared after clamping; dropped indices have none. SE8 comes first.
  CHECK(answer(unsigneds{3, 2}, clamp).starts_with("SCATTER_ELEMENTS SE9: "));
  CHECK(answer(unsigneds{3, 3, 2}, drop) == "10 11 22");
  CHECK(answer(unsigneds{1, 1, 3}, refuse).starts_with("SCATTER_ELEMENTS SE8: IndicesTensor.element[2] is 3"));
}

TEST_CASE("SCATTER_ELEMENTS L63: two indices name one place", "[scatter_elements]") {
  CHECK(answer(std::vector<std::int32_t>{2, 1, -1, -2}, {}) ==
        "SCATTER_ELEMENTS SE9: IndicesTensor.element[2] is place {2} again, wanted a place that no earlier index names "
        "(-1 at {2}; duplicates last_wins accepts it)");
  CHECK(answer(std::vector<std::int32_t>{2, 1, -1, -2}, last_wins) == "10 23 22");
  // The same position in another sequence is another place.
  CHECK(scatter_elements(reference, tensor<float>({2, 2}), tensor<std::uint32_t>({1, 2}, {1, 1}),
                         tensor<float>({1, 2}, {3, 4}), {.axis = 0}) == tensor<float>({2, 2}, {0, 0, 3, 4}));
  tensor<float> output({2, 2}, {7, 7, 7, 7});
  CHECK(refusal_of([&] {
          scatter_elements(reference, tensor<float>({2, 2}), tensor<std::uint32_t>({2, 2}, {0, 1, 1, 1}),
                           tensor<float>({2, 2}), output, scatter_elements_desc{.axis = 0});
        }) == "SE9");
  CHECK(output.elements() == floats(4, 7));
}

TEMPLATE_LIST_TEST_CASE("SCATTER_ELEMENTS: all data types, moved bit by bit; every index type; run-time calls",
                        "[scatter_elements]", a11_types) {
  const auto elements = different_elements<TestType>(6, 0);
  const auto added = different_elements<TestType>(4, 1);
  const tensor<TestType> input({2, 3}, elements);
  const tensor<TestType> updates({2, 2}, added);
  const auto check = [&]<class Index>(std::type_identity<Index>) {
    const tensor<Index> indices({2, 2}, {2, 0, 1, 2});
    const auto y = scatter_elements(reference, input, indices, updates, {.axis = 1});
    CHECK(bits(y.elements()) ==
          bits(std::vector<TestType>{added[1], elements[1], added[0], elements[3], added[2], added[3]}));
    tensor<TestType> z({2, 3});
    scatter_elements(reference, const_tensor_ref(input.view()), const_tensor_ref(indices.view()),
                     const_tensor_ref(updates.view()), tensor_ref(z.view()), scatter_elements_desc{.axis = 1});
    CHECK(bits(z.elements()) == bits(y.elements()));
  };
  check(std::type_identity<std::int64_t>{});
  check(std::type_identity<std::int32_t>{});
  check(std::type_identity<std::uint64_t>{});
  check(std::type_identity<std::uint32_t>{});
}

TEST_CASE("SCATTER_ELEMENTS: one to eight dimensions, along each axis, in all layouts; gaps are unchanged",
          "[scatter_elements]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      dimensions sizes = dimensions::filled(rank, 2);
      sizes[axis] = 5;
      dimensions index_sizes = sizes;
      index_sizes[axis] = 3;
      const auto elements = different_elements<std::int16_t>(static_cast<std::size_t>(element_count(sizes)), rank);
      const auto added = different_elements<std::int16_t>(static_cast<std::size_t>(element_count(index_sizes)), 9);
      std::size_t after = 1;
      for (std::uint32_t i = axis + 1; i < rank; ++i) after *= 2;
      std::vector<std::int64_t> indices;
      std::vector<std::int16_t> wanted = elements;
      for (std::size_t i = 0; i < added.size(); ++i) {
        const std::size_t position = (i / after * 2 + i % after) % 5;  // distinct for 3 in a row
        indices.push_back(static_cast<std::int64_t>(position) - (i % 2 == 0 ? 5 : 0));
        wanted[(i / (3 * after) * 5 + position) * after + i % after] = added[i];
      }
      INFO("rank " << rank << " axis " << axis);
      for (const auto each : all_layouts) {
        laid_out<std::int16_t> in(sizes, strides_of(each, sizes), elements);
        laid_out<std::int64_t> through(index_sizes, strides_of(each, index_sizes), indices);
        laid_out<std::int16_t> from(index_sizes, strides_of(each, index_sizes), added);
        laid_out<std::int16_t> y(sizes, strides_of(each, sizes), std::vector<std::int16_t>(wanted.size(), 77));
        scatter_elements(reference, in.view(), through.view(), from.view(), y.view(), {.axis = axis});
        CHECK(y.elements() == wanted);
        CHECK((in.gaps_untouched() && through.gaps_untouched() && from.gaps_untouched() && y.gaps_untouched()));
      }
    }
}

TEST_CASE("SCATTER_ELEMENTS is also called SCATTER", "[scatter_elements]") {
  const operator_description& op = description_of<scatter_elements_desc>();
  CHECK(op.name == "SCATTER_ELEMENTS");
  CHECK(op.alias == "SCATTER");
  for (const char* const name :
       {"SCATTER", "SCATTER_ELEMENTS", "DML_OPERATOR_SCATTER", "DML_OPERATOR_SCATTER_ELEMENTS"})
    CHECK(detail::is_name_of(op.name, op.alias, name));
  for (const char* const name : {"", "DML_OPERATOR_", "SCATTER_ND", "SCATTER_", "scatter"})
    CHECK_FALSE(detail::is_name_of(op.name, op.alias, name));
  CHECK_FALSE(detail::is_name_of("SCATTER_ND", "", ""));
}

TEST_CASE("SCATTER_ELEMENTS: a valid desc violates no rule", "[scatter_elements]") {
  CHECK(scatter{}.refused() == "");
  scatter s;
  s.indices.sizes = s.updates.sizes = {2, 9, 4};  // more than the axis has places
  CHECK(s.refused() == "");
}

TEST_CASE("SCATTER_ELEMENTS SE4, L61: sizes of the indices off the axis", "[scatter_elements]") {
  scatter s;
  s.indices.sizes = s.updates.sizes = {1, 2, 5};
  CHECK(s.refused() == "SE4 SE4");
  s.indices.sizes = s.updates.sizes = {1, 2, 4};
  CHECK(s.refused() == "SE4");
  CHECK(s.message() ==
        "SCATTER_ELEMENTS SE4: IndicesTensor.Sizes[0] is 1, wanted 2 (the input's; only Axis 1 is free; off_axis_sizes "
        "partial accepts it)");
  s.desc.off_axis_sizes = off_axis_sizes::partial;
  CHECK(s.refused() == "");
  s.indices.sizes = s.updates.sizes = {1, 2, 5};
  CHECK(s.refused() == "SE4");
  CHECK(s.message() ==
        "SCATTER_ELEMENTS SE4: IndicesTensor.Sizes[2] is 5, wanted at most 4 (the input's; only Axis 1 is free)");
  CHECK(scatter_elements(reference, tensor<float>({2, 2}, {1, 2, 3, 4}), tensor<std::uint32_t>({1, 1}, {1}),
                         tensor<float>({1, 1}, {9}), {.axis = 0, .off_axis_sizes = off_axis_sizes::partial}) ==
        tensor<float>({2, 2}, {1, 2, 9, 4}));
}

TEST_CASE("37: SE4 names the policy that accepts the sizes, if one does", "[scatter_elements]") {
  scatter s;
  s.indices.sizes = s.updates.sizes = {1, 2, 4};
  CHECK(s.message().ends_with("(the input's; only Axis 1 is free; off_axis_sizes partial accepts it)"));
  s.indices.sizes = s.updates.sizes = {3, 2, 4};
  CHECK(s.message() ==
        "SCATTER_ELEMENTS SE4: IndicesTensor.Sizes[0] is 3, wanted 2 (the input's; only Axis 1 is free)");
}

TEST_CASE("SCATTER_ELEMENTS: memory, T12; in place", "[scatter_elements]") {
  std::vector<std::uint32_t> memory{1, 2, 3, 4};
  const std::vector<std::uint32_t> indices{3, 0}, updates{9, 8};
  const auto rule = [&](const auto& input, bool in_place) {
    return refusal_of([&] {
      scatter_elements(reference, input, tensor_view{indices, {2}}, tensor_view{updates, {2}}, tensor_view{memory, {4}},
                       scatter_elements_desc{.in_place = in_place});
    });
  };
  const tensor_view<std::uint32_t> whole{memory, {4}};
  CHECK(rule(whole, false) == "T12");
  CHECK(memory == std::vector<std::uint32_t>{1, 2, 3, 4});
  CHECK(rule(whole, true) == "none");
  CHECK(memory == std::vector<std::uint32_t>{8, 2, 3, 9});
}

TEST_CASE("SCATTER_ELEMENTS: what a device may answer", "[scatter_elements]") {
  const tensor<float> input({2, 3}, {1, 2, 3, 4, 5, 6});
  const tensor<float> updates({2, 2}, {10, 11, 12, 13});
  const auto verdicts_of = [&](const std::vector<std::int32_t>& list, const scatter_elements_desc& desc) {
    using traits = oracle::verdict_traits<scatter_elements_desc>;
    const tensor<std::int32_t> indices({2, 2}, list);
    auto golden = scatter_elements(reference, input, indices, updates, traits::judged(desc));
    std::vector<output_verdicts> result{output_verdicts(6)};
    const std::vector<const_tensor_ref> inputs{const_tensor_ref(input.view()), const_tensor_ref(indices.view()),
                                               const_tensor_ref(updates.view())};
    const std::vector<tensor_ref> outputs{tensor_ref(golden.view())};
    traits::verdicts(desc, inputs, outputs, std::span(result));
    std::string text;
    for (std::size_t i = 0; i < 6; ++i) {
      text += i == 0 ? "" : " ";
      if (result[0][i] == verdict::undefined)
        text += "any";
      else
        text += std::to_string(static_cast<int>(golden.elements()[i]));
      for (const scalar& value : result[0].alternatives_of(i).values)
        text += "|" + std::to_string(static_cast<int>(value.as<float>()));
    }
    return text;
  };
  const scatter_elements_desc refuse{.axis = 1};
  CHECK(verdicts_of({0, 2, 1, 0}, refuse) == "10 2 11 13 12 6");
  CHECK(verdicts_of({0, -3, 1, 0}, refuse) == "11|10|11 2 3 13 12 6");  // the old value is not among them
  CHECK(verdicts_of({0, 0, 1, 3}, refuse) == "any any any any any any");
  CHECK(verdicts_of({0, 0, 1, 0}, {.axis = 1, .duplicates = duplicates::last_wins}) == "11 2 3 13 12 6");
  CHECK(verdicts_of({2, 3, 1, 0}, {.axis = 1, .range_policy = range_policy::clamp}) == "1 2 11|10|11 13 12 6");
  CHECK(verdicts_of({2, 3, 1, 0}, {.axis = 1, .range_policy = range_policy::drop}) == "1 2 10 13 12 6");
}
