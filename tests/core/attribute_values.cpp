// core/attribute_values.hpp and core/attributes.hpp: lists of any element, null lists, activations, rows of a desc.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/core/attributes.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/violation.hpp>

#include "../catch.hpp"

using namespace goldml;

namespace {

template <class List>
void check_null_list() {
  const List null = List::null();
  CHECK(null.is_null());
  CHECK(null.empty());
  CHECK(null.size() == 0);
  CHECK_FALSE(null.overlong());
  CHECK(null.begin() == null.end());
  CHECK(null != List{});
  CHECK(null == List::null());
  CHECK_FALSE(List{}.is_null());
  const List one{1};
  CHECK_FALSE(one.is_null());
  CHECK(null != one);
}

struct small_desc {
  std::int32_t offset = 3;
  dimensions axes = {1, 2};
  std::optional<scale_bias> adjustment = scale_bias{2, 1};
  goldml::axis_direction direction = goldml::axis_direction::decreasing;
};

}  // namespace

TEST_CASE("lists: a null list is empty and differs from a list without entries", "[attributes]") {
  check_null_list<dimensions>();
  check_null_list<int32_list>();
  check_null_list<float32_list>();
}

TEST_CASE("lists: hold at most eight values; a longer list is truncated and overlong", "[attributes]") {
  int32_list list{-1, 2};
  CHECK(list.size() == 2);
  CHECK(list[0] == -1);
  list[0] = -5;
  CHECK(list == int32_list{-5, 2});
  for (int i = 0; i < 6; ++i) list.push_back(i);
  CHECK(list.size() == 8);
  CHECK_FALSE(list.overlong());
  list.push_back(99);
  list.push_back(100);
  CHECK(list.overlong());
  CHECK(list.size() == 8);
  CHECK(list[7] == 5);
  CHECK_FALSE(list.is_null());
  CHECK(int32_list(std::vector<std::int32_t>{-5, 2}) == int32_list{-5, 2});
  CHECK(violation_text("{}", int32_list{1, -2, 3}).view() == "{1,-2,3}");
  CHECK(violation_text("{}", int32_list{1, 2, 3, 4, 5, 6, 7, 8, 9}).view() == "{1,2,3,4,5,6,7,8,...}");
}

TEST_CASE("attributes: a size is {0,0} until it is set, a scale and bias changes nothing", "[attributes]") {
  CHECK(size_2d{} == size_2d{0, 0});
  CHECK(scale_bias{} == scale_bias{1, 0});
}

TEST_CASE("activations: found by DirectML's number, and by name with or without prefix", "[attributes]") {
  for (const activation_info& info : activation_table) {
    CHECK(find_activation(info.operator_type) == &info);
    CHECK(find_activation(info.name) == &info);
    CHECK(find_activation("DML_OPERATOR_" + std::string(info.name)) == &info);
    CHECK((info.name.starts_with("ACTIVATION_") || info.name == "ELEMENT_WISE_CLIP"));
  }
  CHECK(find_activation(35)->name == "ACTIVATION_ELU");
  CHECK(find_activation(35)->parameter_count() == 1);
  CHECK(find_activation(40)->parameter_count() == 2);
  CHECK(find_activation(44)->parameter_count() == 0);
  CHECK(find_activation(137) == nullptr);
  CHECK(find_activation("ELU") == nullptr);
}

TEST_CASE("activations: made by name, each with the number and the parameters of its row", "[attributes]") {
  const std::array made{activations::clip(2, 3),
                        activations::elu(2),
                        activations::hard_sigmoid(2, 3),
                        activations::identity(),
                        activations::leaky_relu(2),
                        activations::linear(2, 3),
                        activations::parametric_softplus(2, 3),
                        activations::relu(),
                        activations::scaled_elu(2, 3),
                        activations::scaled_tanh(2, 3),
                        activations::sigmoid(),
                        activations::softmax(),
                        activations::softplus(2),
                        activations::softsign(),
                        activations::tanh(),
                        activations::thresholded_relu(2),
                        activations::shrink(2, 3),
                        activations::celu(2),
                        activations::gelu(),
                        activations::softmax1({0, 1}),
                        activations::swish(2),
                        activations::hard_swish(2, 3)};
  REQUIRE(made.size() == activation_table.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    const activation_info& info = activation_table[i];
    CAPTURE(info.name);
    CHECK(made[i].operator_type == info.operator_type);
    CHECK(made[i].parameters ==
          std::array{info.parameter_count() > 0 ? 2.0F : 0.0F, info.parameter_count() > 1 ? 3.0F : 0.0F});
    CHECK(made[i].axes == (info.takes_axes ? dimensions{0, 1} : dimensions{}));
  }
  CHECK(activations::clip(0, 6, scale_bias{2, 1}).scale_bias == scale_bias{2, 1});
}

TEST_CASE("rows: the kind of a member, its value and its address", "[attributes]") {
  constexpr std::array rows{row<&small_desc::offset>("Offset"), row<&small_desc::axes>("Axes", "AxisCount"),
                            row<&small_desc::adjustment>("ScaleBias"), row<&small_desc::direction>("AxisDirection")};
  CHECK(rows[0].kind == attribute_kind::int32);
  CHECK(rows[1].kind == attribute_kind::list_of_uint32);
  CHECK(rows[2].kind == attribute_kind::scale_bias);
  CHECK(rows[3].kind == attribute_kind::enumeration);
  CHECK(rows[1].companion == "AxisCount");
  CHECK(rows[0].companion.empty());
  CHECK(is_list(rows[1].kind));
  CHECK_FALSE(is_list(rows[0].kind));
  CHECK(is_optional(rows[2].kind));
  CHECK_FALSE(is_optional(rows[1].kind));
  small_desc desc;
  CHECK(rows[0].get<std::int32_t>(desc) == 3);
  CHECK(rows[1].get<dimensions>(desc) == dimensions{1, 2});
  CHECK(rows[0].address(&desc) == &desc.offset);
  CHECK(load_enumerator(rows[3].address(&desc)) == 1);
  rows[0].get<std::int32_t>(desc) = -9;
  store_enumerator(rows[3].address(&desc), 7);
  CHECK(desc.offset == -9);
  CHECK(static_cast<std::uint32_t>(desc.direction) == 7);
  CHECK(rows[3].names.name_of(0) == "INCREASING");
  CHECK(rows[3].names.name_of(7) == std::nullopt);
  CHECK(rows[3].names.value_of("DML_AXIS_DIRECTION_DECREASING") == 1u);
}

TEST_CASE("rows: a shared companion is introduced by the first row", "[attributes]") {
  constexpr std::array rows{row<&small_desc::axes>("A", "Count"), row<&small_desc::offset>("Offset"),
                            row<&small_desc::axes>("B", "Count"), row<&small_desc::axes>("C", "OtherCount")};
  CHECK(introduces_companion(rows, 0));
  CHECK_FALSE(introduces_companion(rows, 1));
  CHECK_FALSE(introduces_companion(rows, 2));
  CHECK(introduces_companion(rows, 3));
}
