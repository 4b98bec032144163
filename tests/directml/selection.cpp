// TOP_K, TOP_K1, ONE_HOT, REVERSE_SUBSEQUENCES, FILL_VALUE_SEQUENCE, RANDOM_GENERATOR, REDUCE and MAX_UNPOOLING from DirectML's
// structures.
#include <cstdint>

#include <goldml/directml/from_directml.hpp>
#include <goldml/directml/structures.hpp>

#include "../catch.hpp"

using namespace goldml;

TEST_CASE("from_directml: attributes and policies of TOP_K and TOP_K1, and their numbers", "[directml]") {
  DML_TOP_K_OPERATOR_DESC greatest{};
  greatest.Axis = 2;
  greatest.K = 5;
  const auto from_top_k = directml::from_directml<top_k_desc>(greatest, {.nan_policy = nan_policy::propagate});
  CHECK(from_top_k.axis == 2);
  CHECK(from_top_k.k == 5);
  CHECK(from_top_k.nan_policy == nan_policy::propagate);
  CHECK(from_top_k.k_limit == k_limit::inclusive);
  DML_TOP_K1_OPERATOR_DESC directed{};
  directed.Axis = 1;
  directed.K = 3;
  directed.AxisDirection = DML_AXIS_DIRECTION_DECREASING;
  const auto from_top_k1 = directml::from_directml<top_k1_desc>(directed, {.k_limit = k_limit::exclusive});
  CHECK(from_top_k1.axis == 1);
  CHECK(from_top_k1.k == 3);
  CHECK(from_top_k1.axis_direction == axis_direction::decreasing);
  CHECK(from_top_k1.k_limit == k_limit::exclusive);
  CHECK(operator_traits<top_k_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_TOP_K));
  CHECK(operator_traits<top_k1_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_TOP_K1));
}

TEST_CASE("from_directml: ONE_HOT", "[directml]") {
  DML_ONE_HOT_OPERATOR_DESC given{};
  given.Axis = 3;
  CHECK(directml::from_directml<one_hot_desc>(given).axis == 3);
  CHECK(operator_traits<one_hot_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_ONE_HOT));
}

TEST_CASE("from_directml: REVERSE_SUBSEQUENCES", "[directml]") {
  DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC given{};
  given.Axis = 3;
  CHECK(directml::from_directml<reverse_subsequences_desc>(given).axis == 3);
  CHECK(operator_traits<reverse_subsequences_desc>::enumerator ==
        static_cast<std::uint32_t>(DML_OPERATOR_REVERSE_SUBSEQUENCES));
}

TEST_CASE("from_directml: FILL_VALUE_SEQUENCE, with the type of both values", "[directml]") {
  DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC given{};
  given.ValueDataType = DML_TENSOR_DATA_TYPE_UINT8;
  given.ValueStart.UInt8 = 10;
  given.ValueDelta.UInt8 = 254;
  const auto desc = directml::from_directml<fill_value_sequence_desc>(given);
  CHECK(desc.value_start == scalar(std::uint8_t{10}));
  CHECK(desc.value_delta == scalar(std::uint8_t{254}));
  CHECK(operator_traits<fill_value_sequence_desc>::enumerator ==
        static_cast<std::uint32_t>(DML_OPERATOR_FILL_VALUE_SEQUENCE));
}

TEST_CASE("from_directml: RANDOM_GENERATOR", "[directml]") {
  DML_RANDOM_GENERATOR_OPERATOR_DESC given{};
  given.Type = DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10;
  CHECK(directml::from_directml<random_generator_desc>(given).type == random_generator_type::philox_4x32_10);
  given.Type = static_cast<DML_RANDOM_GENERATOR_TYPE>(1);
  CHECK(static_cast<std::uint32_t>(directml::from_directml<random_generator_desc>(given).type) == 1);  // PH5 refuses it
  CHECK(operator_traits<random_generator_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_RANDOM_GENERATOR));
}

TEST_CASE("from_directml: REDUCE, and the numbers of its functions", "[directml]") {
  const std::uint32_t axes[]{2, 0};
  DML_REDUCE_OPERATOR_DESC given{};
  given.Function = DML_REDUCE_FUNCTION_ARGMIN;
  given.AxisCount = 2;
  given.Axes = axes;
  const auto desc = directml::from_directml<reduce_desc>(
      given, {.nan_policy = nan_policy::propagate, .empty_axes = empty_axes::refuse});
  CHECK(desc.function == reduce_function::argmin);
  CHECK(desc.axes == dimensions{2, 0});
  CHECK(desc.nan_policy == nan_policy::propagate);
  CHECK(desc.empty_axes == empty_axes::refuse);
  given.Axes = nullptr;
  CHECK(directml::from_directml<reduce_desc>(given).axes.is_null());
  CHECK(operator_traits<reduce_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_REDUCE));
  const auto same = [](reduce_function function, DML_REDUCE_FUNCTION number) {
    return static_cast<std::uint32_t>(function) == static_cast<std::uint32_t>(number);
  };
  CHECK(same(reduce_function::argmax, DML_REDUCE_FUNCTION_ARGMAX));
  CHECK(same(reduce_function::argmin, DML_REDUCE_FUNCTION_ARGMIN));
  CHECK(same(reduce_function::average, DML_REDUCE_FUNCTION_AVERAGE));
  CHECK(same(reduce_function::l1, DML_REDUCE_FUNCTION_L1));
  CHECK(same(reduce_function::l2, DML_REDUCE_FUNCTION_L2));
  CHECK(same(reduce_function::log_sum, DML_REDUCE_FUNCTION_LOG_SUM));
  CHECK(same(reduce_function::log_sum_exp, DML_REDUCE_FUNCTION_LOG_SUM_EXP));
  CHECK(same(reduce_function::max, DML_REDUCE_FUNCTION_MAX));
  CHECK(same(reduce_function::min, DML_REDUCE_FUNCTION_MIN));
  CHECK(same(reduce_function::multiply, DML_REDUCE_FUNCTION_MULTIPLY));
  CHECK(same(reduce_function::sum, DML_REDUCE_FUNCTION_SUM));
  CHECK(same(reduce_function::sum_square, DML_REDUCE_FUNCTION_SUM_SQUARE));
}

TEST_CASE("from_directml: MAX_UNPOOLING and its policy", "[directml]") {
  const DML_MAX_UNPOOLING_OPERATOR_DESC given{};
  const auto desc = directml::from_directml<max_unpooling_desc>(given, {.duplicates = duplicates::last_wins});
  CHECK(desc.duplicates == duplicates::last_wins);
  CHECK(operator_traits<max_unpooling_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_MAX_UNPOOLING));
}
