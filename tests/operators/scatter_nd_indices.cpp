// The indices of SCATTER_ND: negative ones, the limits of each index type, S10 with range_policy, S11 with
// duplicates, how the two combine, and which tuple is reported.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/operators/scatter_nd.hpp>
#include <goldml/reference/scatter_nd.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using elements = std::vector<std::uint16_t>;

constexpr std::int64_t int64_least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t int32_least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t int32_most = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t uint64_most = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t uint32_most = std::numeric_limits<std::uint32_t>::max();

constexpr scatter_nd_desc strict{.input_dimension_count = 1, .indices_dimension_count = 2};
constexpr scatter_nd_desc clamp{
    .input_dimension_count = 1, .indices_dimension_count = 2, .range_policy = range_policy::clamp};
constexpr scatter_nd_desc drop{
    .input_dimension_count = 1, .indices_dimension_count = 2, .range_policy = range_policy::drop};

scatter_nd_desc last_wins(scatter_nd_desc desc) {
  desc.duplicates = duplicates::last_wins;
  return desc;
}

// {0,0,0,0} with 1, 2, .. written to the places of the indices, one index per tuple. A refused call must leave
// everything unchanged.
template <class Index>
elements scatter_to_four(const scatter_nd_desc& desc, const std::vector<Index>& indices) {
  const tensor<std::uint16_t> input({1, 4});
  const tensor<Index> tuples({indices.size(), 1u}, indices);
  tensor<std::uint16_t> updates({std::size_t{1}, indices.size()});
  for (std::uint32_t t = 0; t < indices.size(); ++t) updates[{0u, t}] = static_cast<std::uint16_t>(t + 1);
  const tensor<std::uint16_t> updates_before = updates;
  const tensor<std::uint16_t> sentinels({1, 4}, {77, 77, 77, 77});
  tensor<std::uint16_t> output = sentinels;
  try {
    scatter_nd(reference, input, tuples, updates, output, desc);
  } catch (const error& refusal) {
    CHECK(output == sentinels);
    tensor<std::uint16_t> again = sentinels;  // again, with types known at run time
    const std::array<const_tensor_ref, 3> inputs{input.view(), tuples.view(), updates.view()};
    const std::array<tensor_ref, 1> outputs{again.view()};
    CHECK(refusal_of([&] {
            evaluate(reference, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
          }) == refusal.violation().rule);
    CHECK(again == sentinels);
    CHECK((input.elements() == elements(4) && tuples.elements() == indices && updates == updates_before));
    throw;
  }
  CHECK((input.elements() == elements(4) && tuples.elements() == indices && updates == updates_before));
  return output.elements();
}

template <class Index>
std::string refusal_to_four(const scatter_nd_desc& desc, const std::vector<Index>& indices) {
  return refusal_of([&] { scatter_to_four(desc, indices); });
}

template <class Call>
violation caught(Call&& call) {
  try {
    call();
  } catch (const error& refusal) {
    return refusal.violation();
  }
  throw std::logic_error("nothing was refused");
}

}  // namespace

TEMPLATE_TEST_CASE("SCATTER_ND: negative indices count from the end", "[scatter_nd]", std::int32_t, std::int64_t) {
  using indices = std::vector<TestType>;
  CHECK(scatter_to_four(strict, indices{-1, -4}) == elements{2, 0, 0, 1});
  CHECK(scatter_to_four(strict, indices{-2, 1, -1}) == elements{0, 2, 1, 3});
  CHECK(scatter_to_four(strict, indices{3, 0}) == elements{2, 0, 0, 1});
}

TEMPLATE_TEST_CASE("SCATTER_ND S10: index out of range", "[scatter_nd]", std::int32_t, std::int64_t, std::uint32_t,
                   std::uint64_t) {
  using indices = std::vector<TestType>;
  using limits = std::numeric_limits<TestType>;
  // Valid: up to 3, and from -4 for signed types.
  for (const TestType bad : {TestType(4), TestType(5), limits::max(), TestType(-5), limits::min()}) {
    if (bad == 0) continue;  // the least of an unsigned type
    CHECK(refusal_to_four(strict, indices{bad}) == "S10");
    CHECK(refusal_to_four(last_wins(strict), indices{bad}) == "S10");
  }
}

TEST_CASE("SCATTER_ND S10: the largest unsigned index is not -1", "[scatter_nd]") {
  CHECK(refusal_to_four(strict, std::vector<std::uint32_t>{uint32_most}) == "S10");
  CHECK(refusal_to_four(strict, std::vector<std::uint64_t>{uint64_most}) == "S10");
  CHECK(refusal_to_four(strict, std::vector<std::uint64_t>{uint32_most}) == "S10");
  CHECK(refusal_to_four(strict, std::vector<std::uint64_t>{uint64_most - 3}) == "S10");  // the bits of -4

  // At 2_1, with four dimensions, too.
  const tensor<std::uint32_t> indices({1, 1, 1, 1}, {uint32_most});
  const tensor<float> ones({1, 1, 1, 1}, {1});
  const scatter_nd_desc desc{.feature_level = feature_level::level_2_1};
  CHECK(refusal_of([&] { return scatter_nd(reference, ones, indices, ones, desc); }) == "S10");
}

TEST_CASE("SCATTER_ND S10: 64-bit indices are not truncated to 32 bits", "[scatter_nd]") {
  // The low 32 bits of each are those of 1 or -1.
  for (const std::int64_t bad :
       std::vector<std::int64_t>{0x1'0000'0001, 0x7FFF'FFFF'0000'0001, -0xFFFF'FFFFll, int64_least + 1, 0xFFFF'FFFF})
    CHECK(refusal_to_four(strict, std::vector<std::int64_t>{bad}) == "S10");
  for (const std::uint64_t bad : std::vector<std::uint64_t>{0x1'0000'0001, 0x8000'0000'0000'0001})
    CHECK(refusal_to_four(strict, std::vector<std::uint64_t>{bad}) == "S10");
}

TEST_CASE("SCATTER_ND: positions of indices on a long axis", "[scatter_nd]") {
  constexpr auto refuse = range_policy::refuse;
  constexpr std::uint32_t longest = 0xFFFF'FFFF;
  CHECK(resolve_index(std::int32_t{-1}, longest, refuse) == 0xFFFF'FFFEu);
  CHECK(resolve_index(int32_least, longest, refuse) == 0x7FFF'FFFFu);
  CHECK(resolve_index(int32_most, longest, refuse) == 0x7FFF'FFFFu);
  CHECK(resolve_index(int32_least, 0x7FFF'FFFFu, refuse) == std::nullopt);
  CHECK(resolve_index(int32_least, 0x8000'0000u, refuse) == 0u);
  CHECK(resolve_index(std::int64_t{-0xFFFF'FFFFll}, longest, refuse) == 0u);
  CHECK(resolve_index(std::int64_t{-0x1'0000'0000ll}, longest, refuse) == std::nullopt);
  CHECK(resolve_index(std::int64_t{0xFFFF'FFFE}, longest, refuse) == 0xFFFF'FFFEu);
  CHECK(resolve_index(std::int64_t{0xFFFF'FFFF}, longest, refuse) == std::nullopt);
  CHECK(resolve_index(uint32_most, longest, refuse) == std::nullopt);
  CHECK(resolve_index(uint32_most - 1, longest, refuse) == 0xFFFF'FFFEu);
  CHECK(resolve_index(int64_most, longest, range_policy::clamp) == 0xFFFF'FFFEu);
}

TEST_CASE("SCATTER_ND: range_policy clamp uses the nearest end", "[scatter_nd]") {
  CHECK(scatter_to_four(clamp, std::vector<std::int32_t>{4}) == elements{0, 0, 0, 1});
  CHECK(scatter_to_four(clamp, std::vector<std::int32_t>{int32_most, int32_least}) == elements{2, 0, 0, 1});
  CHECK(scatter_to_four(clamp, std::vector<std::int64_t>{int64_least, int64_most}) == elements{1, 0, 0, 2});
  CHECK(scatter_to_four(clamp, std::vector<std::int64_t>{0x1'0000'0001}) == elements{0, 0, 0, 1});
  CHECK(scatter_to_four(clamp, std::vector<std::uint32_t>{uint32_most}) == elements{0, 0, 0, 1});
  CHECK(scatter_to_four(clamp, std::vector<std::uint64_t>{uint64_most}) == elements{0, 0, 0, 1});
  // Wrapped before it is clamped: -4 and -1 are in range, -5 is not.
  CHECK(scatter_to_four(clamp, std::vector<std::int32_t>{-5, -1, -2}) == elements{1, 0, 3, 2});
  CHECK(scatter_to_four(clamp, std::vector<std::int32_t>{-4, 1}) == elements{1, 2, 0, 0});
}

TEST_CASE("SCATTER_ND: range_policy drop ignores the tuple", "[scatter_nd]") {
  CHECK(scatter_to_four(drop, std::vector<std::int32_t>{4, 1, -5}) == elements{0, 2, 0, 0});
  CHECK(scatter_to_four(drop, std::vector<std::int64_t>{int64_least, int64_most, -4}) == elements{3, 0, 0, 0});
  CHECK(scatter_to_four(drop, std::vector<std::uint64_t>{uint64_most, 3}) == elements{0, 0, 0, 2});
  CHECK(scatter_to_four(drop, std::vector<std::uint32_t>{uint32_most}) == elements{0, 0, 0, 0});

  // The whole tuple is dropped if any index is out of range; each index has the size of its axis.
  const tensor<std::uint16_t> input({2, 3}, {1, 2, 3, 4, 5, 6});
  const tensor<std::int32_t> pairs({4, 2}, {0, 3, 2, 0, 1, 2, -3, 1});
  const tensor<std::uint16_t> updates({1, 4}, {11, 12, 13, 14});
  scatter_nd_desc desc{.input_dimension_count = 2, .indices_dimension_count = 2, .range_policy = range_policy::drop};
  CHECK(scatter_nd(reference, input, pairs, updates, desc).elements() == elements{1, 2, 3, 4, 5, 13});
  // The same clamped: (0,2), (1,0), (1,2), (0,1).
  desc.range_policy = range_policy::clamp;
  CHECK(scatter_nd(reference, input, pairs, updates, desc).elements() == elements{1, 14, 11, 12, 5, 13});
}

TEST_CASE("SCATTER_ND S11: two tuples point to the same place", "[scatter_nd]") {
  CHECK(refusal_to_four(strict, std::vector<std::uint32_t>{2, 2}) == "S11");
  CHECK(refusal_to_four(strict, std::vector<std::uint64_t>{0, 1, 2, 3, 0}) == "S11");
  CHECK(refusal_to_four(strict, std::vector<std::int32_t>{-1, 3}) == "S11");
  CHECK(refusal_to_four(strict, std::vector<std::int64_t>{0, 1, -4}) == "S11");
  CHECK(scatter_to_four(strict, std::vector<std::int64_t>{0, -1, 1, 2}) == elements{1, 3, 4, 2});

  // All six places of {2,3}, and each of them a second time.
  const tensor<std::uint16_t> input({2, 3});
  const std::vector<std::int32_t> all{0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2};
  const tensor<std::uint16_t> updates({1, 6}, {1, 2, 3, 4, 5, 6});
  const scatter_nd_desc desc{.input_dimension_count = 2, .indices_dimension_count = 2};
  CHECK(scatter_nd(reference, input, tensor({6, 2}, all), updates, desc) ==
        tensor<std::uint16_t>({2, 3}, updates.elements()));
  for (std::size_t again = 0; again < 5; ++again) {
    auto pairs = all;
    pairs[10] = all[2 * again];
    pairs[11] = all[2 * again + 1];
    CHECK(refusal_of([&] { return scatter_nd(reference, input, tensor({6, 2}, pairs), updates, desc); }) == "S11");
  }
  // Slices too: the place of a row is the row, for all contents.
  CHECK(
      refusal_of([&] {
        return scatter_nd(reference, input, tensor<std::int32_t>({2, 1}, {1, -1}), tensor<std::uint16_t>({2, 3}), desc);
      }) == "S11");
}

TEST_CASE("SCATTER_ND: duplicates last_wins", "[scatter_nd]") {
  CHECK(scatter_to_four(last_wins(strict), std::vector<std::uint32_t>{2, 2}) == elements{0, 0, 2, 0});
  CHECK(scatter_to_four(last_wins(strict), std::vector<std::int32_t>{3, 1, -1, 1, 0}) == elements{5, 4, 0, 3});
  // Whole rows, and in the row-major order of a 2x2 array of tuples.
  const tensor<std::uint16_t> rows({2, 2}, {1, 2, 3, 4});
  const tensor<std::uint16_t> updates({1, 1, 2, 2}, {5, 6, 7, 8});
  const scatter_nd_desc whole_rows{
      .input_dimension_count = 2, .indices_dimension_count = 2, .duplicates = duplicates::last_wins};
  CHECK(scatter_nd(reference, rows, tensor<std::int64_t>({2, 1}, {1, 1}), tensor<std::uint16_t>({2, 2}, {5, 6, 7, 8}),
                   whole_rows)
            .elements() == elements{1, 2, 7, 8});
  const tensor<std::int64_t> array_of_tuples({1, 2, 2, 1}, {0, 1, 1, 0});
  const scatter_nd_desc array{
      .input_dimension_count = 1, .indices_dimension_count = 3, .duplicates = duplicates::last_wins};
  CHECK(scatter_nd(reference, tensor<std::uint16_t>({1, 1, 1, 2}), array_of_tuples, updates, array).elements() ==
        elements{8, 7});
}

TEST_CASE("SCATTER_ND: duplicates are detected among final places", "[scatter_nd]") {
  using indices = std::vector<std::int32_t>;
  // Clamped to the same end.
  CHECK(refusal_to_four(clamp, indices{7, 3}) == "S11");
  CHECK(refusal_to_four(clamp, indices{-9, 0}) == "S11");
  CHECK(refusal_to_four(clamp, indices{100, 200}) == "S11");
  CHECK(refusal_to_four(clamp, indices{1, 1}) == "S11");
  CHECK(scatter_to_four(last_wins(clamp), indices{7, 3, 9}) == elements{0, 0, 0, 3});
  CHECK(scatter_to_four(last_wins(clamp), indices{-9, 0}) == elements{2, 0, 0, 0});
  // Dropped tuples do not count.
  CHECK(scatter_to_four(drop, indices{9, 9, 3, -5}) == elements{0, 0, 0, 3});
  CHECK(refusal_to_four(drop, indices{9, 2, -2}) == "S11");
  CHECK(scatter_to_four(last_wins(drop), indices{2, -2, 9}) == elements{0, 0, 2, 0});
  // Both tuples begin with (0, ..); only one of them stays.
  const tensor<std::int32_t> pairs({2, 2}, {0, 9, 0, 0});
  const scatter_nd_desc desc{
      .input_dimension_count = 2, .indices_dimension_count = 2, .range_policy = range_policy::drop};
  CHECK(scatter_nd(reference, tensor<std::uint16_t>({1, 2}), pairs, tensor<std::uint16_t>({1, 2}, {5, 6}), desc)
            .elements() == elements{6, 0});
}

TEST_CASE("SCATTER_ND: S10 for all tuples before S11, and the lowest tuple is reported", "[scatter_nd]") {
  // Tuples 0 and 1 are duplicates; tuple 4 is the first out of range.
  const violation range = caught([] { scatter_to_four(strict, std::vector<std::int32_t>{2, 2, 0, -4, -5, 9}); });
  CHECK(range.rule == "S10");
  CHECK(range.operand == "IndicesTensor");
  CHECK(range.index == std::size_t{4});
  CHECK(range.got.view() == "-5");
  CHECK(range.wanted.view() == "-4 to 3");
  const violation of_unsigned = caught([] { scatter_to_four(strict, std::vector<std::uint64_t>{uint64_most}); });
  CHECK(of_unsigned.got.view() == "18446744073709551615");
  CHECK(of_unsigned.wanted.view() == "0 to 3");

  // Tuple 2 duplicates tuple 1, before tuple 3 duplicates tuple 0.
  const violation duplicate = caught([] { scatter_to_four(strict, std::vector<std::int32_t>{1, 3, -1, 1}); });
  CHECK(duplicate.rule == "S11");
  CHECK(duplicate.operand == "IndicesTensor");
  CHECK(duplicate.index == std::size_t{2});
  CHECK(duplicate.got.view() == "place {3} again");

  // A 2x3 array of pairs: tuple (1,0) is number 3, its second index is out of range. Then (1,2), number 5, is.
  tensor<std::int32_t> pairs({2, 3, 2}, {0, 0, 0, 1, 0, 2, 0, 3, 1, 1, 7, 7});
  const tensor<std::uint16_t> data({1, 2, 3});
  const tensor<std::uint16_t> updates({1, 2, 3});
  const scatter_nd_desc desc{.input_dimension_count = 2, .indices_dimension_count = 3};
  const auto call = [&] { (void)scatter_nd(reference, data, pairs, updates, desc); };
  CHECK(caught(call).index == std::size_t{3});
  CHECK(to_string(caught(call)) ==
        "SCATTER_ND S10: IndicesTensor.tuple[3] is 3, wanted -3 to 2 (element 1 of the tuple at {1,0,1}; range_policy "
        "clamp or drop accepts it)");
  pairs[{1, 0, 1}] = 0;  // now (0,0), like tuple 0
  CHECK(caught(call).rule == "S10");
  CHECK(caught(call).index == std::size_t{5});
  CHECK(caught(call).wanted.view() == "-2 to 1");  // its first index, on the axis of 2
  pairs[{1, 2, 0}] = 1;
  pairs[{1, 2, 1}] = 2;
  CHECK(to_string(caught(call)) ==
        "SCATTER_ND S11: IndicesTensor.tuple[3] is place {0,0} again, wanted a place that no earlier tuple names (the "
        "tuple at {1,0,0}; duplicates last_wins accepts it)");
}

TEST_CASE("SCATTER_ND: the rules on shapes come before those on indices", "[scatter_nd]") {
  const tensor<std::uint16_t> input({1, 4});
  const tensor<std::int32_t> indices({2, 1}, {9, 9});
  CHECK(refusal_of([&] {
          return scatter_nd(reference, input, indices, tensor<std::uint16_t>({1, 3}), strict);
        }) == "S7");
  tensor<std::uint16_t> both({1, 4});
  CHECK(refusal_of([&] {
          scatter_nd(reference, both, indices, tensor<std::uint16_t>({1, 2}), both, strict);
        }) == "T12");
}

TEST_CASE("SCATTER_ND: in place, a refusal of the indices leaves the tensor unchanged", "[scatter_nd]") {
  tensor<std::uint16_t> both({1, 4}, {1, 2, 3, 4});
  scatter_nd_desc desc = strict;
  desc.in_place = true;
  const tensor<std::uint16_t> updates({1, 2}, {8, 9});
  for (const auto& bad : {std::vector<std::int32_t>{0, 4}, std::vector<std::int32_t>{1, 1}}) {
    CHECK(refusal_of([&] { scatter_nd(reference, both, tensor({2, 1}, bad), updates, both, desc); }) != "none");
    CHECK(both.elements() == elements{1, 2, 3, 4});
  }
}

TEST_CASE("SCATTER_ND: an index repeated by a stride of 0 is a duplicate", "[scatter_nd]") {
  const std::vector<std::int32_t> one{1};
  const tensor<std::uint16_t> input({1, 4});
  const tensor<std::uint16_t> updates({1, 3}, {5, 6, 7});
  tensor<std::uint16_t> output({1, 4});
  const tensor_view indices{one, {3, 1}, {0, 0}};
  CHECK(refusal_of([&] { scatter_nd(reference, input, indices, updates, output, strict); }) == "S11");
  scatter_nd(reference, input, indices, updates, output, last_wins(strict));
  CHECK(output.elements() == elements{0, 7, 0, 0});
}
