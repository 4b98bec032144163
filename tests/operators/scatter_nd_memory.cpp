// SCATTER_ND and memory: layouts of its tensors, broadcast inputs, in place, and T12.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/operators/scatter_nd.hpp>
#include <goldml/reference/scatter_nd.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::different_elements;
using layouts::laid_out;
using layouts::layout;
using layouts::strides_of;

}  // namespace

TEST_CASE("SCATTER_ND: layouts of all four tensors do not change the result", "[scatter_nd]") {
  // A 2x1 array of pairs for {3,2,4}: rows (2,0) and (1,1), numbers 4 and 3.
  const auto data = different_elements<std::uint16_t>(24, 0);
  const auto updates = different_elements<std::uint16_t>(8, 1);
  const std::vector<std::int64_t> pairs{-1, 0, 1, -1};
  const scatter_nd_desc desc{.input_dimension_count = 3, .indices_dimension_count = 3};
  std::vector<std::uint16_t> wanted = data;
  for (std::size_t x = 0; x < 4; ++x) {
    wanted[4 * 4 + x] = updates[x];
    wanted[3 * 4 + x] = updates[4 + x];
  }

  for (const layout of_input : all_layouts)
    for (const layout of_indices : all_layouts)
      for (const layout of_updates : all_layouts)
        for (const layout of_output : all_layouts) {
          laid_out<std::uint16_t> x({3, 2, 4}, strides_of(of_input, {3, 2, 4}), data);
          laid_out<std::int64_t> i({2, 1, 2}, strides_of(of_indices, {2, 1, 2}), pairs);
          laid_out<std::uint16_t> u({2, 1, 4}, strides_of(of_updates, {2, 1, 4}), updates);
          laid_out<std::uint16_t> y({3, 2, 4}, strides_of(of_output, {3, 2, 4}), std::vector<std::uint16_t>(24));
          scatter_nd(reference, x.view(), i.view(), u.view(), y.view(), desc);
          REQUIRE(y.elements() == wanted);
          REQUIRE((y.gaps_untouched() && x.gaps_untouched() && i.gaps_untouched() && u.gaps_untouched()));
          REQUIRE((x.elements() == data && i.elements() == pairs && u.elements() == updates));
        }
}

TEST_CASE("SCATTER_ND: inputs broadcast by strides of 0", "[scatter_nd]") {
  const std::vector<float> row{1, 2, 3};
  const std::vector<float> sevens{7};
  const std::vector<std::uint32_t> ones{1};
  tensor<float> output({3, 3});
  // Each row of the input is 1 2 3; every index of the pair is 1; the update is 7.
  scatter_nd(reference, tensor_view{row, {3, 3}, {0, 1}}, tensor_view{ones, {1, 2}, {5, 0}},
             tensor_view{sevens, {1, 1}, {9, 9}}, output,
             scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 1});
  CHECK(output.elements() == std::vector<float>{1, 2, 3, 1, 7, 3, 1, 2, 3});

  // One update for two rows: its stride is 0 along the tuples and along the row.
  const tensor<std::uint32_t> rows({2, 1}, {2, 0});
  scatter_nd(reference, tensor_view{row, {3, 3}, {0, 1}}, rows, tensor_view{sevens, {2, 3}, {0, 0}}, output,
             scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 2});
  CHECK(output.elements() == std::vector<float>{7, 7, 7, 1, 2, 3, 7, 7, 7});
}

TEST_CASE("SCATTER_ND: in_place writes into the input itself", "[scatter_nd]") {
  const tensor<std::uint32_t> indices({2, 1}, {2, 0});
  const tensor<float> updates({2, 3}, {21, 22, 23, 1, 2, 3});
  const std::vector<float> data{10, 11, 12, 13, 14, 15, 16, 17, 18};
  scatter_nd_desc desc{.input_dimension_count = 2, .indices_dimension_count = 2, .in_place = true};
  for (const layout each : all_layouts) {
    laid_out<float> both({3, 3}, strides_of(each, {3, 3}), data);
    scatter_nd(reference, both.view(), indices, updates, both.view(), desc);
    CHECK(both.elements() == std::vector<float>{1, 2, 3, 13, 14, 15, 21, 22, 23});
    CHECK(both.gaps_untouched());
  }
  // The policy allows it but does not require it.
  CHECK(scatter_nd(reference, tensor<float>({3, 3}, data), indices, updates, desc).elements() ==
        std::vector<float>{1, 2, 3, 13, 14, 15, 21, 22, 23});
}

TEST_CASE("SCATTER_ND: in_place within a buffer resource", "[scatter_nd]") {
  std::vector<std::uint32_t> memory{9, 9, 9, 9, 0, 1, 2, 3};
  const tensor_desc desc{.data_type = data_type::uint32, .sizes = {1, 4}};
  const tensor_ref both = tensor_ref::bound(desc, &memory, 16, 16, memory.data() + 4);
  const tensor<std::int32_t> indices({2, 1}, {-1, 0});
  const tensor<std::uint32_t> updates({1, 2}, {7, 8});
  scatter_nd(reference, both, indices, updates, both,
             scatter_nd_desc{.input_dimension_count = 1, .indices_dimension_count = 2, .in_place = true});
  CHECK(memory == std::vector<std::uint32_t>{9, 9, 9, 9, 8, 1, 2, 7});
}

TEST_CASE("SCATTER_ND T12: the output overlaps an input; in_place allows only the same tensor", "[scatter_nd]") {
  const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  scatter_nd_desc in_place = desc;
  in_place.in_place = true;
  std::vector<std::uint32_t> memory{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const auto before = memory;
  std::vector<std::uint32_t> indices{0, 1};
  std::vector<std::uint32_t> updates{7, 8};
  std::uint32_t* const data = memory.data();
  const tensor_view i{indices, {2, 1}};
  const tensor_view u{updates, {1, 2}};

  SECTION("exactly the input, without the policy") {
    CHECK(refusal_of([&] {
            scatter_nd(reference, tensor_view{data, {1, 4}}, i, u, tensor_view{data, {1, 4}}, desc);
          }) == "T12");
  }
  SECTION("the input shifted by one element, even with the policy") {
    for (const auto& each : {desc, in_place})
      CHECK(refusal_of([&] {
              scatter_nd(reference, tensor_view{data, {1, 4}}, i, u, tensor_view{data + 1, {1, 4}}, each);
            }) == "T12");
  }
  SECTION("the input with other strides, even with the policy") {
    CHECK(refusal_of([&] {
            scatter_nd(reference, tensor_view{data, {1, 4}}, i, u, tensor_view{data, {1, 4}, {4, 2}}, in_place);
          }) == "T12");
  }
  SECTION("the input with another TotalTensorSizeInBytes, even with the policy") {
    tensor_desc same{.data_type = data_type::uint32, .sizes = {1, 4}};
    tensor_desc larger = same;
    larger.total_tensor_size_in_bytes = 32;
    const auto call = [&](const tensor_desc& input, const tensor_desc& output) {
      scatter_nd(reference, const_tensor_ref(input, data), i, u, tensor_ref(output, data), in_place);
    };
    CHECK(refusal_of([&] { call(same, larger); }) == "T12");
    CHECK(refusal_of([&] { call(larger, same); }) == "T12");
  }
  SECTION("another range of the input's resource, even with the policy") {
    const tensor_desc sixteen_bytes{.data_type = data_type::uint32, .sizes = {1, 4}};
    const auto bound = [&](std::size_t element) {
      return tensor_ref::bound(sixteen_bytes, &memory, element * 4, 16, data + element);
    };
    for (const std::size_t element : {4u, 8u})
      CHECK(refusal_of([&] { scatter_nd(reference, bound(0), i, u, bound(element), in_place); }) == "T12");
    CHECK(refusal_of([&] { scatter_nd(reference, bound(0), i, u, bound(0), desc); }) == "T12");
  }
  SECTION("the updates or the indices, even with the policy") {
    CHECK(refusal_of([&] {
            scatter_nd(reference, tensor_view{data + 4, {1, 2}}, i, tensor_view{data, {1, 2}},
                       tensor_view{data, {1, 2}}, in_place);
          }) == "T12");
    CHECK(refusal_of([&] {
            scatter_nd(reference, tensor_view{data + 4, {1, 2}}, tensor_view{data, {2, 1}}, u,
                       tensor_view{data, {1, 2}}, in_place);
          }) == "T12");
  }
  SECTION("a vector shorter than its sizes say") {
    std::vector<std::uint32_t> output(3, 99);
    CHECK(refusal_of([&] {
            scatter_nd(reference, tensor_view{data, {1, 4}}, i, u, tensor_view{output, {1, 4}}, desc);
          }) == "T12");
    CHECK(output == std::vector<std::uint32_t>(3, 99));
  }
  CHECK(memory == before);
  CHECK(indices == std::vector<std::uint32_t>{0, 1});
  CHECK(updates == std::vector<std::uint32_t>{7, 8});
}
