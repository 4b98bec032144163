// Each operator's structure in DirectML.h, member by member: all that the conversions from and to DirectML's structures
// know of one operator. Also holds DirectML.h's constants to goldml's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include <goldml/core/memory_rules.hpp>
#include <goldml/directml/headers.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml::directml {

// An attribute that is two members of the structure: the count and the list, or the data type and the scalar.
template <class Companion, class Member>
struct with_companion {
  Companion companion;
  Member member;
};
template <class Companion, class Member>
with_companion(Companion, Member) -> with_companion<Companion, Member>;

// Each operator specialises this for its desc, with
//   type        the structure
//   enumerator  its DML_OPERATOR_TYPE
//   operands    an array of pointers to its tensors, in the order of operator_traits<Desc>::operands
//   attributes  a tuple of pointers to its other members, in the order of operator_traits<Desc>::attributes; an
//               attribute with a companion is a with_companion
template <class Desc>
struct structure;

template <>
struct structure<argmin_desc> {
  using type = DML_ARGMIN_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_ARGMIN;
  static constexpr std::array operands{&type::InputTensor, &type::OutputTensor};
  static constexpr std::tuple attributes{with_companion{&type::AxisCount, &type::Axes}, &type::AxisDirection};
};

template <>
struct structure<nonzero_coordinates_desc> {
  using type = DML_NONZERO_COORDINATES_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_NONZERO_COORDINATES;
  static constexpr std::array operands{&type::InputTensor, &type::OutputCountTensor, &type::OutputCoordinatesTensor};
  static constexpr std::tuple<> attributes{};
};

template <>
struct structure<scatter_nd_desc> {
  using type = DML_SCATTER_ND_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_SCATTER_ND;
  static constexpr std::array operands{&type::InputTensor, &type::IndicesTensor, &type::UpdatesTensor,
                                       &type::OutputTensor};
  static constexpr std::tuple attributes{&type::InputDimensionCount, &type::IndicesDimensionCount};
};

template <>
struct structure<diagonal_matrix1_desc> {
  using type = DML_DIAGONAL_MATRIX1_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_DIAGONAL_MATRIX1;
  static constexpr std::array operands{&type::InputTensor, &type::OutputTensor};
  static constexpr std::tuple attributes{with_companion{&type::ValueDataType, &type::Value}, &type::DiagonalFillBegin,
                                         &type::DiagonalFillEnd};
};

namespace detail {

template <class Desc>
inline constexpr bool has_structure = requires {
  sizeof(structure<Desc>);
};

// Whether a specialisation agrees with the operator's own description.
template <class Desc>
constexpr bool structure_agrees() {
  using traits = operator_traits<Desc>;
  static_assert(has_structure<Desc>,
                "goldml: an operator of all_operators has no goldml::directml::structure; name the members of its C "
                "structure in <goldml/directml/structures.hpp>");
  if constexpr (has_structure<Desc>)
    return static_cast<std::uint32_t>(structure<Desc>::enumerator) == traits::enumerator &&
           structure<Desc>::operands.size() == traits::operands.size() &&
           std::tuple_size_v<decltype(structure<Desc>::attributes)> == std::tuple_size_v<decltype(traits::attributes)>;
  else
    return false;
}
template <class... Desc>
constexpr bool structures_agree(type_list<Desc...>) {
  return (structure_agrees<Desc>() && ...);
}
static_assert(structures_agree(all_operators{}));

// A member as it stands in memory. An enumeration of C may hold a number that is none of its enumerators, and C++ must
// not read it as the enumeration then.
template <class Member>
auto raw(const Member& member) {
  if constexpr (std::is_enum_v<Member>) {
    static_assert(sizeof member == sizeof(std::uint32_t));
    std::uint32_t number;
    std::memcpy(&number, &member, sizeof number);
    return number;
  } else {
    return member;
  }
}

template <class A, class B>
constexpr bool same_number(A a, B b) {
  return static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b);
}

static_assert(same_number(DML_TENSOR_DATA_TYPE_UNKNOWN, data_type::unknown));
static_assert(same_number(DML_TENSOR_DATA_TYPE_FLOAT32, data_type::float32));
static_assert(same_number(DML_TENSOR_DATA_TYPE_FLOAT16, data_type::float16));
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT32, data_type::uint32));
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT16, data_type::uint16));
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT8, data_type::uint8));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT32, data_type::int32));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT16, data_type::int16));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT8, data_type::int8));
static_assert(same_number(DML_TENSOR_DATA_TYPE_FLOAT64, data_type::float64));
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT64, data_type::uint64));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT64, data_type::int64));
#if DML_TARGET_VERSION >= 0x6300
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT4, *data_type_from_name("UINT4")));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT4, *data_type_from_name("INT4")));
#endif

static_assert(same_number(DML_FEATURE_LEVEL_1_0, feature_level::level_1_0));
static_assert(same_number(DML_FEATURE_LEVEL_2_0, feature_level::level_2_0));
static_assert(same_number(DML_FEATURE_LEVEL_2_1, feature_level::level_2_1));
static_assert(same_number(DML_FEATURE_LEVEL_3_0, feature_level::level_3_0));
static_assert(same_number(DML_FEATURE_LEVEL_3_1, feature_level::level_3_1));
static_assert(same_number(DML_FEATURE_LEVEL_4_0, feature_level::level_4_0));
static_assert(same_number(DML_FEATURE_LEVEL_4_1, feature_level::level_4_1));
static_assert(same_number(DML_FEATURE_LEVEL_5_0, feature_level::level_5_0));
static_assert(same_number(DML_FEATURE_LEVEL_5_1, feature_level::level_5_1));
#if DML_TARGET_VERSION >= 0x6400
static_assert(same_number(DML_FEATURE_LEVEL_5_2, feature_level::level_5_2));
static_assert(same_number(DML_FEATURE_LEVEL_6_0, feature_level::level_6_0));
static_assert(same_number(DML_FEATURE_LEVEL_6_1, feature_level::level_6_1));
static_assert(same_number(DML_FEATURE_LEVEL_6_2, feature_level::level_6_2));
static_assert(same_number(DML_FEATURE_LEVEL_6_3, feature_level::level_6_3));
static_assert(same_number(DML_FEATURE_LEVEL_6_4, feature_level::level_6_4));
static_assert(same_number(DML_FEATURE_LEVEL_6_4, feature_level::latest));
#endif

static_assert(same_number(DML_TENSOR_TYPE_INVALID, tensor_type::invalid));
static_assert(same_number(DML_TENSOR_TYPE_BUFFER, tensor_type::buffer));
static_assert(same_number(DML_TENSOR_FLAG_NONE, tensor_flags::none));
static_assert(same_number(DML_TENSOR_FLAG_OWNED_BY_DML, tensor_flags::owned_by_dml));
static_assert(same_number(DML_AXIS_DIRECTION_INCREASING, axis_direction::increasing));
static_assert(same_number(DML_AXIS_DIRECTION_DECREASING, axis_direction::decreasing));
static_assert(same_number(DML_TENSOR_DIMENSION_COUNT_MAX1, dimensions::capacity));
static_assert(same_number(DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT, minimum_buffer_tensor_alignment));
static_assert(sizeof(DML_SCALAR_UNION) == 8 && sizeof(UINT) == sizeof(std::uint32_t));

}  // namespace detail

}  // namespace goldml::directml
