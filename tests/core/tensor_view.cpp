// core/tensor_view.hpp and tensor_ref.hpp: construction of views, known sizes, const, and omitted strides.
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/core/arguments.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

template <class View>
using element_of = typename View::element_type;

template <class T>
concept takes_a_bare_index = requires(T t) {
  t[1];
};

}  // namespace

TEST_CASE("tensor_view: the element type is deduced from a pointer, including const", "[tensor_view]") {
  float numbers[24] = {};
  float* p = numbers;
  const float* q = numbers;
  float* const r = numbers;
  const tensor_view packed{p, {2, 3, 4}};
  const tensor_view strided{p, {2, 3, 4}, {0, 4, 1}};
  const tensor_view reading{q, {2, 3, 4}};
  const tensor_view fixed{r, {2, 3, 4}};
  const tensor_view moved{numbers + 2, {2, 3}};
  CHECK(std::is_same_v<element_of<decltype(packed)>, float>);
  CHECK(std::is_same_v<element_of<decltype(reading)>, const float>);
  CHECK(std::is_same_v<element_of<decltype(fixed)>, float>);
  CHECK(packed.data() == numbers);
  CHECK(packed.sizes() == dimensions{2, 3, 4});
  CHECK(packed.strides() == dimensions{12, 4, 1});
  CHECK(packed.capacity() == saturated);  // the size of the memory behind a plain pointer is unknown
  CHECK(strided.strides() == dimensions{0, 4, 1});
  CHECK(moved.data() == numbers + 2);
}

TEST_CASE("tensor_view: made from a vector, array or span, it keeps the number of elements", "[tensor_view]") {
  std::vector<float> v(12);
  const std::vector<float> cv(12);
  std::array<std::int8_t, 7> a{};
  const std::array<std::int8_t, 7> ca{};
  double plain[5] = {};
  const tensor_view from_vector{v, {3, 4}};
  const tensor_view from_const_vector{cv, {3, 4}};
  const tensor_view from_array{a, {7}};
  const tensor_view from_const_array{ca, {7}, {1}};
  const tensor_view from_plain{plain, {5}};
  const tensor_view from_span{std::span(v).subspan(2), {5, 2}, {2, 1}};
  const tensor_view from_const_span{std::span<const float>(v), {12}};
  CHECK(std::is_same_v<element_of<decltype(from_vector)>, float>);
  CHECK(std::is_same_v<element_of<decltype(from_const_vector)>, const float>);
  CHECK(std::is_same_v<element_of<decltype(from_array)>, std::int8_t>);
  CHECK(std::is_same_v<element_of<decltype(from_const_array)>, const std::int8_t>);
  CHECK(std::is_same_v<element_of<decltype(from_plain)>, double>);
  CHECK(std::is_same_v<element_of<decltype(from_span)>, float>);
  CHECK(std::is_same_v<element_of<decltype(from_const_span)>, const float>);
  CHECK(from_vector.capacity() == 12);
  CHECK(from_const_vector.data() == cv.data());
  CHECK(from_array.capacity() == 7);
  CHECK(from_plain.capacity() == 5);
  CHECK(from_span.capacity() == 10);
  CHECK(from_span.data() == v.data() + 2);
  CHECK(from_span.strides() == dimensions{2, 1});
}

TEST_CASE("37.2: tensor_view: not of a container that ends with the expression", "[tensor_view]") {
  const auto views = []<class Range>(std::type_identity<Range>) {
    const bool packed = std::is_constructible_v<tensor_view<const float>, Range, dimensions>;
    CHECK(packed == std::is_constructible_v<tensor_view<const float>, Range, dimensions, dimensions>);
    return packed;
  };
  CHECK_FALSE(views(std::type_identity<std::vector<float>>{}));
  CHECK_FALSE(views(std::type_identity<const std::vector<float>>{}));
  CHECK_FALSE(views(std::type_identity<std::array<float, 2>>{}));
  CHECK_FALSE(views(std::type_identity<tensor<float>>{}));
  CHECK_FALSE(views(std::type_identity<std::initializer_list<float>>{}));
  CHECK_FALSE(views(std::type_identity<float[2]>{}));
  CHECK(views(std::type_identity<std::vector<float>&>{}));
  CHECK(views(std::type_identity<const std::vector<float>&>{}));
  CHECK(views(std::type_identity<float(&)[2]>{}));
  CHECK(views(std::type_identity<float*>{}));
  CHECK(views(std::type_identity<std::span<const float>>{}));
  CHECK(views(std::type_identity<const std::span<float>>{}));
}

TEST_CASE("tensor_view: converts to a view of const elements, but not back", "[tensor_view]") {
  std::vector<float> v{1, 2, 3, 4};
  const tensor_view writing{v, {2, 2}, {1, 2}};
  const tensor_view<const float> reading = writing;
  CHECK(reading.data() == v.data());
  CHECK(reading.capacity() == 4);
  CHECK(reading.strides() == dimensions{1, 2});
  CHECK_FALSE(std::is_convertible_v<tensor_view<const float>, tensor_view<float>>);
  CHECK_FALSE(std::is_convertible_v<tensor_view<float>, tensor_view<const double>>);
}

TEST_CASE("tensor_view: elements by coordinates, through the strides", "[tensor_view]") {
  std::vector<int> v{0, 1, 2, 3, 4, 5, 6, 7};
  const tensor_view t{v, {2, 3}, {4, 1}};
  CHECK(t[{0, 0}] == 0);
  CHECK(t[{1, 2}] == 6);
  t[{1, 0}] = 40;
  CHECK(v[4] == 40);
  const tensor_view broadcast{v, {5, 2}, {0, 3}};
  CHECK(broadcast[{4, 1}] == 3);
}

TEST_CASE("tensor_view: sizes and coordinates need braces", "[tensor_view]") {
  CHECK(std::is_constructible_v<tensor_view<float>, float*, dimensions, dimensions>);
  CHECK_FALSE(std::is_constructible_v<tensor_view<float>, float*, int, int>);
  CHECK_FALSE(std::is_constructible_v<tensor_view<float>, std::vector<float>&, int>);
  CHECK_FALSE(takes_a_bare_index<tensor_view<float>>);
  CHECK_FALSE(takes_a_bare_index<tensor<float>&>);
  CHECK_FALSE(takes_a_bare_index<const tensor<float>&>);
}

TEST_CASE("tensor_view: empty strides mean packed, like DirectML's null", "[tensor_view]") {
  const std::vector<float> input{5, 1, 2, 0, 8, 9};
  std::vector<std::uint32_t> output(2, 77);
  const tensor_desc desc{.data_type = data_type::float32, .sizes = {2, 3}};
  argmin(reference, tensor_view{input, desc.sizes, desc.strides}, tensor_view{output, {2, 1}, dimensions{}},
         argmin_desc{.axes = {1}});
  CHECK(output == std::vector<std::uint32_t>{1, 0});
}

TEST_CASE("tensor_ref: absent tensors", "[tensor_view]") {
  const tensor_ref none;
  CHECK_FALSE(none.present());
  CHECK(none.data() == nullptr);
  const std::optional<tensor_view<float>> absent;
  CHECK_FALSE(tensor_ref(absent).present());
  CHECK_FALSE(const_tensor_ref(none).present());
}

TEST_CASE("tensor_ref: made from a view", "[tensor_view]") {
  std::vector<std::int16_t> v{1, 2, 3, 4, 5, 6};
  const tensor_view view{v, {2, 2}, {3, 1}};
  const tensor_ref ref = view;
  CHECK(ref.present());
  CHECK(ref.desc() == tensor_desc{.data_type = data_type::int16, .sizes = {2, 2}, .strides = {3, 1}});
  CHECK(ref.data() == v.data());
  CHECK(ref.memory().data == v.data());
  CHECK(ref.memory().size_in_bytes == 12);
  CHECK(ref.memory().resource == nullptr);
  ref.as<std::int16_t>()[{1, 1}] = 50;
  CHECK(v[4] == 50);

  const const_tensor_ref reading = ref;
  CHECK(reading.desc() == ref.desc());
  CHECK(reading.memory().size_in_bytes == 12);
  CHECK(std::is_same_v<decltype(reading.as<std::int16_t>()), tensor_view<const std::int16_t>>);
  CHECK(reading.as<std::int16_t>()[{1, 0}] == 4);
  CHECK(tensor_ref(tensor_view{v.data(), {6}}).memory().size_in_bytes == saturated);

  const std::optional present = view;
  CHECK(tensor_ref(present).data() == v.data());
  CHECK_FALSE(std::is_convertible_v<const_tensor_ref, tensor_ref>);
  CHECK_FALSE(std::is_convertible_v<tensor_view<const float>, tensor_ref>);
  CHECK(std::is_convertible_v<tensor_view<float>, const_tensor_ref>);
}

TEST_CASE("tensor_ref: a desc without strides reads packed elements", "[tensor_view]") {
  std::vector<float> v{1, 2, 3, 4, 5, 6};
  const tensor_ref ref({.data_type = data_type::float32, .sizes = {2, 3}}, v.data(), 24);
  CHECK(ref.as<float>().strides() == dimensions{3, 1});
  CHECK(ref.as<float>()[{1, 0}] == 4);
  CHECK(tensor_ref({.data_type = data_type::float32, .sizes = {2, 3}}, v.data()).memory().size_in_bytes == saturated);
}

TEST_CASE("tensor_ref: a range of a resource", "[tensor_view]") {
  std::array<float, 16> memory{};
  const int resource = 0;
  const tensor_desc desc{.data_type = data_type::float32, .sizes = {4}};
  const tensor_ref ref = tensor_ref::bound(desc, &resource, 32, 16, memory.data() + 8);
  CHECK(ref.present());
  CHECK(ref.data() == memory.data() + 8);
  CHECK(ref.memory().resource == &resource);
  CHECK(ref.memory().offset_in_bytes == 32);
  CHECK(ref.memory().size_in_bytes == 16);
  CHECK(const_tensor_ref(ref).memory().resource == &resource);
  CHECK(const_tensor_ref(ref).memory().offset_in_bytes == 32);
}

TEST_CASE("arguments: which types can be inputs and outputs", "[tensor_view]") {
  CHECK(input_argument<tensor_view<float>>);
  CHECK(input_argument<tensor_view<const float>>);
  CHECK(input_argument<tensor_ref>);
  CHECK(input_argument<const_tensor_ref>);
  CHECK(input_argument<tensor<float>>);
  CHECK(input_argument<std::vector<float>>);
  CHECK(input_argument<std::span<const float>>);
  CHECK_FALSE(input_argument<std::vector<bool>>);
  CHECK_FALSE(input_argument<std::string>);
  CHECK_FALSE(input_argument<float>);

  CHECK(output_argument<tensor_view<float>>);
  CHECK(output_argument<tensor_ref&>);
  CHECK(output_argument<tensor<float>&>);
  CHECK(output_argument<std::vector<float>&>);
  CHECK(output_argument<std::span<float>>);
  CHECK_FALSE(output_argument<tensor_view<const float>>);
  CHECK_FALSE(output_argument<const_tensor_ref>);
  CHECK_FALSE(output_argument<const tensor<float>&>);
  CHECK_FALSE(output_argument<const std::vector<float>&>);
  CHECK_FALSE(output_argument<std::span<const float>>);
  CHECK_FALSE(output_argument<std::vector<float>>);  // a temporary
}

TEST_CASE("arguments: vectors and spans are one-dimensional, tensors keep their sizes", "[tensor_view]") {
  const std::vector<float> numbers{4, 2, 7};
  const argmin_desc desc{.axes = {0}};
  std::vector<std::uint32_t> in_vector(1, 77);
  argmin(reference, numbers, in_vector, desc);
  CHECK(in_vector[0] == 1);

  std::array<std::int64_t, 1> in_array{77};
  argmin(reference, std::span(numbers).subspan(1), in_array, desc);
  CHECK(in_array[0] == 0);

  const tensor<float> owner({3}, {4, 2, 1});
  tensor<std::int32_t> in_tensor({1});
  argmin(reference, owner, in_tensor, desc);
  CHECK(in_tensor[{0}] == 2);

  // Typed and run-time operands in one call.
  in_vector[0] = 77;
  argmin(reference, const_tensor_ref(owner.view()), in_vector, desc);
  CHECK(in_vector[0] == 2);
}
