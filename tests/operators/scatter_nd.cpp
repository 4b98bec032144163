// Results of SCATTER_ND: the worked examples, every data and index type, every dimension count, level 2_1.
// Memory: scatter_nd_memory.cpp. Violations: scatter_nd_rules.cpp. Indices: scatter_nd_indices.cpp.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <goldml/operators/scatter_nd.hpp>
#include <goldml/reference/scatter_nd.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;

// count, count + 1, ..
template <class T>
std::vector<T> iota(std::size_t count, T first) {
  std::vector<T> elements(count);
  std::iota(elements.begin(), elements.end(), first);
  return elements;
}

template <class... T, class F>
void for_each_type(type_list<T...>, F&& f) {
  (f(std::type_identity<T>{}), ...);
}

// An independent SCATTER_ND for packed tensors: tuple number t points to the place with row-major number
// places[t]; places and slices are contiguous.
template <class T>
std::vector<T> scattered(std::vector<T> data, const std::vector<std::size_t>& places, const std::vector<T>& updates) {
  const std::size_t slice = updates.size() / places.size();
  for (std::size_t t = 0; t < places.size(); ++t)
    for (std::size_t s = 0; s < slice; ++s) data[places[t] * slice + s] = updates[t * slice + s];
  return data;
}

}  // namespace

TEST_CASE("SCATTER_ND: the page's example in its legal form", "[scatter_nd]") {
  const tensor<float> input({1, 8}, {1, 2, 3, 4, 5, 6, 7, 8});
  const tensor<std::int32_t> indices({4, 1}, {4, 3, 1, 7});
  const tensor<float> updates({1, 4}, {9, 10, 11, 12});
  const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  const tensor<float> wanted({1, 8}, {1, 11, 3, 10, 9, 6, 7, 12});

  SECTION("returning the output") { CHECK(scatter_nd(reference, input, indices, updates, desc) == wanted); }
  SECTION("into an owning tensor") {
    tensor<float> output({1, 8});
    scatter_nd(reference, input, indices, updates, output, desc);
    CHECK(output == wanted);
  }
  SECTION("through views, const and not") {
    std::vector<float> data = input.elements();
    std::vector<float> output(8);
    scatter_nd(reference, tensor_view{data, {1, 8}}, indices.view(), tensor_view{updates.data(), {1, 4}},
               tensor_view{output, {1, 8}}, desc);
    CHECK(output == wanted.elements());
  }
  SECTION("types known only at run time") {
    tensor<float> output({1, 8});
    const std::array<const_tensor_ref, 3> inputs{input.view(), indices.view(), updates.view()};
    const std::array<tensor_ref, 1> outputs{output.view()};
    evaluate(reference, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
    CHECK(output == wanted);
  }
  SECTION("one operand's type known only at run time") {
    tensor<float> output({1, 8});
    scatter_nd(reference, input, const_tensor_ref(indices.view()), updates, output, desc);
    CHECK(output == wanted);
  }
}

TEST_CASE("SCATTER_ND: slices of the input are replaced", "[scatter_nd]") {
  // Input {4,4,4}; blocks 0 and 2 are replaced, named by 0, 2 or by -4, -2.
  const tensor<float> input({4, 4, 4}, iota(64, 1.0f));
  const tensor<float> updates({2, 4, 4}, iota(32, 101.0f));
  std::vector<float> wanted = iota(16, 101.0f);
  const std::vector<float> block_1 = iota(16, 17.0f);
  const std::vector<float> block_2 = iota(16, 117.0f);
  const std::vector<float> block_3 = iota(16, 49.0f);
  for (const auto* block : {&block_1, &block_2, &block_3}) wanted.insert(wanted.end(), block->begin(), block->end());

  const scatter_nd_desc desc{.input_dimension_count = 3, .indices_dimension_count = 2};
  for (const auto& first_and_third : {std::vector<std::int64_t>{0, 2}, std::vector<std::int64_t>{-4, -2}}) {
    const tensor<std::int64_t> indices({1, 2, 1}, first_and_third);
    CHECK(scatter_nd(reference, input, indices, updates, desc).elements() == wanted);
  }
}

TEST_CASE("SCATTER_ND: pairs point to rows of a 4-D input", "[scatter_nd]") {
  // r = 4, k = 2.
  const tensor<double> input({2, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const tensor<std::uint32_t> indices({1, 1, 2, 2}, {0, 0, 1, 1});
  const tensor<double> updates({1, 2, 2, 2}, {50, 60, 70, 80, 130, 140, 150, 160});
  const scatter_nd_desc desc{.input_dimension_count = 4, .indices_dimension_count = 2};
  CHECK(scatter_nd(reference, input, indices, updates, desc).elements() ==
        std::vector<double>{50, 60, 70, 80, 5, 6, 7, 8, 9, 10, 11, 12, 130, 140, 150, 160});
}

TEST_CASE("SCATTER_ND: the shapes of the page's 5-D example", "[scatter_nd]") {
  // {3,4,5,6,7} with a 1x2 array of triples; slices of {6,7} = 42. (0,1,2) has rank 7, (2,3,4) rank 59, the last.
  const tensor<std::int32_t> input({3, 4, 5, 6, 7}, iota(2520, 0));
  const tensor<std::uint64_t> indices({1, 1, 1, 2, 3}, {0, 1, 2, 2, 3, 4});
  const tensor<std::int32_t> updates({1, 1, 2, 6, 7}, iota(84, 10'000));
  const scatter_nd_desc desc{.input_dimension_count = 5, .indices_dimension_count = 3};
  std::vector<std::int32_t> wanted = iota(2520, 0);
  for (std::size_t i = 0; i < 42; ++i) {
    wanted[294 + i] = 10'000 + static_cast<std::int32_t>(i);
    wanted[2478 + i] = 10'042 + static_cast<std::int32_t>(i);
  }
  CHECK(scatter_nd(reference, input, indices, updates, desc).elements() == wanted);
}

TEST_CASE("SCATTER_ND: {1,4,5,2} is a 4x5 array of pairs", "[scatter_nd]") {
  // The pair at (y, x) is (3-y, 4-x): all 20 elements are replaced, in reverse.
  std::vector<std::int32_t> pairs;
  for (const std::int32_t y : {0, 1, 2, 3})
    for (const std::int32_t x : {0, 1, 2, 3, 4}) pairs.insert(pairs.end(), {3 - y, 4 - x});
  const tensor<std::int16_t> input({1, 1, 4, 5});
  const tensor<std::int16_t> updates({1, 1, 4, 5}, iota<std::int16_t>(20, 1));
  const scatter_nd_desc desc{.input_dimension_count = 2, .indices_dimension_count = 3};
  const tensor<std::int32_t> indices({1, 4, 5, 2}, pairs);
  CHECK(scatter_nd(reference, input, indices, updates, desc).elements() ==
        std::vector<std::int16_t>{20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
}

TEST_CASE("SCATTER_ND: one dimension", "[scatter_nd]") {
  // D = 1 allows only one tuple of one index: indices {1}, updates {1}.
  const std::vector<std::uint8_t> input{1, 2, 3};
  const std::array<std::uint32_t, 1> indices{2};
  const std::vector<std::uint8_t> updates{9};
  std::vector<std::uint8_t> output(3);
  scatter_nd(reference, input, indices, updates, output, scatter_nd_desc{});
  CHECK(output == std::vector<std::uint8_t>{1, 2, 9});
}

TEMPLATE_LIST_TEST_CASE("SCATTER_ND: all data types with all index types", "[scatter_nd]", a11_types) {
  // Rows 2 and 0 of {3,4} are replaced, in this order.
  const tensor<TestType> input({3, 4}, different_elements<TestType>(12, 0));
  const tensor<TestType> updates({2, 4}, different_elements<TestType>(8, 1));
  const scatter_nd_desc desc{.input_dimension_count = 2, .indices_dimension_count = 2};
  const auto wanted = bits(scattered(input.elements(), {2, 0}, updates.elements()));

  for_each_type(ix_types{}, [&]<class Index>(std::type_identity<Index>) {
    const tensor<Index> indices({2, 1}, {2, 0});
    CHECK(bits(scatter_nd(reference, input, indices, updates, desc).elements()) == wanted);

    tensor<TestType> output({3, 4});
    const std::array<const_tensor_ref, 3> inputs{input.view(), indices.view(), updates.view()};
    const std::array<tensor_ref, 1> outputs{output.view()};
    evaluate(reference, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
    CHECK(bits(output.elements()) == wanted);
  });
}

TEST_CASE("SCATTER_ND: NaN payloads, -0.0 and subnormals are moved bit by bit", "[scatter_nd]") {
  // Quiet and signalling NaN with payload, of both signs; -0.0; the least subnormal; infinity. Each is moved once as
  // input (places 0..6) and once as update (places 7..13).
  const auto check = []<class T>(std::type_identity<T>, const std::vector<std::uint64_t>& patterns) {
    std::vector<T> special;
    for (const std::uint64_t pattern : patterns) special.push_back(from_bits<T>(pattern));
    std::vector<T> data = special;
    data.resize(14, T(1));
    const tensor<std::int32_t> indices({7, 1}, {7, 8, 9, 10, 11, 12, 13});
    const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
    const tensor<T> output = scatter_nd(reference, tensor<T>({1, 14}, data), indices, tensor<T>({1, 7}, special), desc);
    std::vector<std::uint64_t> wanted = patterns;
    wanted.insert(wanted.end(), patterns.begin(), patterns.end());
    CHECK(bits(output.elements()) == wanted);
  };
  check(std::type_identity<float>{},
        {0x7FC1'2345, 0x7F81'2345, 0xFFC0'0001, 0xFFBF'FFFF, 0x8000'0000, 0x0000'0001, 0x7F80'0000});
  check(std::type_identity<float16>{}, {0x7E12, 0x7C12, 0xFE01, 0xFDFF, 0x8000, 0x0001, 0x7C00});
  check(std::type_identity<double>{},
        {0x7FF8'1234'5678'9ABC, 0x7FF0'1234'5678'9ABC, 0xFFF8'0000'0000'0001, 0xFFF7'FFFF'FFFF'FFFF,
         0x8000'0000'0000'0000, 0x0000'0000'0000'0001, 0x7FF0'0000'0000'0000});
}

TEST_CASE("SCATTER_ND: all dimension counts 1 to 8, all r, q and tuple lengths", "[scatter_nd]") {
  const dimensions some_sizes{2, 3, 2, 2, 3, 2, 1, 2};
  for (std::size_t D = 1; D <= 8; ++D) {
    std::size_t shapes = 0;
    std::size_t wrong = 0;
    for (std::size_t r = 1; r <= D; ++r)
      for (std::size_t k = 1; k <= r; ++k)
        for (std::size_t q = 1; q <= D && q - 1 + r - k <= D; ++q) {
          const dimensions d = some_sizes.slice(0, r);
          std::size_t place_count = 1;
          for (std::size_t j = 0; j < k; ++j) place_count *= d[j];
          std::size_t slice = 1;
          for (std::size_t j = k; j < r; ++j) slice *= d[j];

          // Tuples of 2, as many as there are places; then tuples of 1. Tuple t points to place 7t+1 modulo their
          // number, whose only prime factors are 2 and 3, so all places are distinct.
          dimensions tuples;
          std::size_t tuple_count = 1;
          for (std::size_t j = 0; j + 1 < q; ++j) {
            tuples.push_back(tuple_count * 2 <= place_count ? 2 : 1);
            tuple_count *= tuples.back();
          }
          std::vector<std::size_t> places;
          std::vector<std::int32_t> indices(tuple_count * k);
          for (std::size_t t = 0; t < tuple_count; ++t) {
            places.push_back((7 * t + 1) % place_count);
            std::size_t rest = places.back();
            for (std::size_t j = k; j-- > 0; rest /= d[j]) indices[t * k + j] = static_cast<std::int32_t>(rest % d[j]);
          }

          const tensor<float> input(left_pad(d, D, 1), different_elements<float>(place_count * slice, 0));
          const tensor<float> updates(left_pad(concatenate(tuples, d.slice(k, r)), D, 1),
                                      different_elements<float>(tuple_count * slice, 7));
          const tensor<std::int32_t> tuple_tensor(left_pad(concatenate(tuples, {k}), D, 1), indices);
          const scatter_nd_desc desc{.input_dimension_count = static_cast<std::uint32_t>(r),
                                     .indices_dimension_count = static_cast<std::uint32_t>(q)};
          ++shapes;
          if (bits(scatter_nd(reference, input, tuple_tensor, updates, desc).elements()) !=
              bits(scattered(input.elements(), places, updates.elements())))
            ++wrong;
        }
    CHECK(wrong == 0);
    CHECK(shapes == D * D + (D - 1) * D * (D + 1) / 3);  // D for each r where k = r, else D - (r-k) + 1
  }
}

TEST_CASE("SCATTER_ND: feature level 2_1", "[scatter_nd]") {
  const tensor<std::int8_t> input({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const tensor<std::uint32_t> indices({1, 1, 3, 2}, {1, 3, 0, 0, 1, 0});
  const tensor<std::int8_t> updates({1, 1, 1, 3}, {-1, -2, -3});
  const scatter_nd_desc desc{
      .input_dimension_count = 2, .indices_dimension_count = 2, .feature_level = feature_level::level_2_1};
  CHECK(scatter_nd(reference, input, indices, updates, desc).elements() ==
        std::vector<std::int8_t>{-2, 2, 3, 4, -3, 6, 7, -1});
}
