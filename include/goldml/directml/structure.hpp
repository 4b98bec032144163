// The description of an operator's structure in DirectML.h, member by member, for conversions from and to it. Each
// operator has its description in structures/x.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/directml/headers.hpp>
#include <goldml/directml/policies.hpp>

namespace goldml::directml {

// The C type of a member of a structure.
enum class c_type : std::uint8_t {
  uint32,
  int32,  // also BOOL
  uint64,
  float32,
  enumeration,
  uint32_pointer,
  int32_pointer,
  float32_pointer,
  scalar_union,
  size_2d,
  scale_bias_pointer,
  operator_pointer,
  tensor_pointer,
};

// A member of a structure as a row of data: its type, its location, and the location of its companion (count or data
// type), if it has one.
struct c_member {
  c_type type;
  void* (*address)(void* structure);
  void* (*companion)(void* structure);  // null if the member has none
  // Not computed from `companion`: with -fsanitize=undefined, GCC does not accept the comparison as a constant.
  bool has_companion;

  const void* in(const void* structure) const { return address(const_cast<void*>(structure)); }
  const void* companion_in(const void* structure) const { return companion(const_cast<void*>(structure)); }
};

namespace detail {

template <class Member>
constexpr c_type c_type_of() {
  if constexpr (std::is_enum_v<Member>)
    return c_type::enumeration;
  else if constexpr (std::is_same_v<Member, UINT>)
    return c_type::uint32;
  else if constexpr (std::is_same_v<Member, INT>)
    return c_type::int32;
  else if constexpr (std::is_same_v<Member, std::uint64_t>)
    return c_type::uint64;
  else if constexpr (std::is_same_v<Member, FLOAT>)
    return c_type::float32;
  else if constexpr (std::is_same_v<Member, const UINT*>)
    return c_type::uint32_pointer;
  else if constexpr (std::is_same_v<Member, const INT*>)
    return c_type::int32_pointer;
  else if constexpr (std::is_same_v<Member, const FLOAT*>)
    return c_type::float32_pointer;
  else if constexpr (std::is_same_v<Member, DML_SCALAR_UNION>)
    return c_type::scalar_union;
  else if constexpr (std::is_same_v<Member, DML_SIZE_2D>)
    return c_type::size_2d;
  else if constexpr (std::is_same_v<Member, const DML_SCALE_BIAS*>)
    return c_type::scale_bias_pointer;
  else if constexpr (std::is_same_v<Member, const DML_OPERATOR_DESC*>)
    return c_type::operator_pointer;
  else {
    static_assert(
        std::is_same_v<Member, const DML_TENSOR_DESC*>,
        "goldml: a member of a DirectML structure has a type that <goldml/directml/structure.hpp> does not know");
    return c_type::tensor_pointer;
  }
}

static_assert(goldml::detail::completes_arrays_of<c_member>(std::make_index_sequence<24>()));  // see there

}  // namespace detail

// Makes the row of a member: member<&type::Axes, &type::AxisCount>(). A shared companion is given with each member.
template <auto Member>
constexpr c_member member() {
  using pointer = goldml::detail::member_pointer<decltype(Member)>;
  return {detail::c_type_of<typename pointer::member_type>(), &goldml::detail::address_of<Member>, nullptr, false};
}
template <auto Member, auto Companion>
constexpr c_member member() {
  c_member result = member<Member>();
  result.companion = &goldml::detail::address_of<Companion>;
  result.has_companion = true;
  return result;
}

// Each operator specialises this for its desc, with
//   type        the structure
//   enumerator  its DML_OPERATOR_TYPE
//   operands    an array of c_member: its tensors, in the order of operator_traits<Desc>::operands; the companion of an
//               array of tensors is its count
//   attributes  an array of c_member: its other members, in the order of operator_traits<Desc>::attributes, each with
//               the companion that the attribute names
template <class Desc>
struct structure;

// No attributes.
inline constexpr std::array<c_member, 0> no_members{};

// structure<Desc> as a value. Code that takes it is compiled once, not once per operator.
struct structure_description {
  const operator_description* op;
  DML_OPERATOR_TYPE enumerator;
  std::size_t size;  // of the structure, in bytes
  std::span<const c_member> operands;
  std::span<const c_member> attributes;
};

template <class Desc>
structure_description structure_of() {
  using described = structure<Desc>;
  return {&description_of<Desc>(), described::enumerator, sizeof(typename described::type), described::operands,
          described::attributes};
}

namespace detail {

// Reads a 32-bit number from memory. A C enumeration may hold a number that is not an enumerator, which C++ must not
// read as a value of the enumeration.
inline std::uint32_t load_uint32(const void* member) {
  std::uint32_t number;
  std::memcpy(&number, member, sizeof number);
  return number;
}

template <class Member>
std::uint32_t raw(const Member& member) {
  static_assert(sizeof member == sizeof(std::uint32_t));
  return load_uint32(&member);
}

// Reads a pointer from memory.
template <class T>
const T* load_pointer(const void* member) {
  const T* pointer;
  std::memcpy(&pointer, member, sizeof pointer);
  return pointer;
}

// Whether a member can hold an attribute.
constexpr bool can_hold(c_type type, attribute_kind kind) {
  switch (kind) {
    case attribute_kind::uint32:
      return type == c_type::uint32;
    case attribute_kind::int32:
    case attribute_kind::boolean:
      return type == c_type::int32;
    case attribute_kind::uint64:
      return type == c_type::uint64;
    case attribute_kind::float32:
      return type == c_type::float32;
    case attribute_kind::enumeration:
      return type == c_type::enumeration;
    case attribute_kind::list_of_uint32:
      return type == c_type::uint32_pointer;
    case attribute_kind::list_of_int32:
      return type == c_type::int32_pointer;
    case attribute_kind::list_of_float32:
      return type == c_type::float32_pointer;
    case attribute_kind::scalar:
      return type == c_type::scalar_union;
    case attribute_kind::size_2d:
      return type == c_type::size_2d;
    case attribute_kind::scale_bias:
      return type == c_type::scale_bias_pointer;
    case attribute_kind::activation:
    case attribute_kind::list_of_activation:
      return type == c_type::operator_pointer;
  }
  return false;
}

constexpr bool operands_agree(std::span<const c_member> members, std::span<const operand_info> infos) {
  if (members.size() != infos.size()) return false;
  for (std::size_t i = 0; i < infos.size(); ++i)
    if (members[i].type != c_type::tensor_pointer || members[i].has_companion != infos[i].is_array()) return false;
  return true;
}

constexpr bool attributes_agree(std::span<const c_member> members, std::span<const attribute> rows) {
  if (members.size() != rows.size()) return false;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!can_hold(members[i].type, rows[i].kind) || members[i].has_companion == rows[i].companion.empty()) return false;
  return true;
}

template <class Desc>
inline constexpr bool has_structure = requires {
  sizeof(structure<Desc>);
};

// Whether a specialisation agrees with operator_traits<Desc>.
template <class Desc>
constexpr bool structure_agrees() {
  using traits = operator_traits<Desc>;
  static_assert(has_structure<Desc>,
                "goldml: an operator of all_operators has no goldml::directml::structure; name the members of its C "
                "structure in <goldml/directml/structures/x.hpp>, x the operator's name in lower case or its family's, "
                "and include that in <goldml/directml/structures.hpp>");
  static_assert(has_policies(traits::policies),
                "goldml: an operator has a policy that goldml::directml::policies lacks; add it there, and its row to "
                "policy_rows");
  if constexpr (has_structure<Desc>)
    return static_cast<std::uint32_t>(structure<Desc>::enumerator) == traits::enumerator &&
           operands_agree(structure<Desc>::operands, traits::operands) &&
           attributes_agree(structure<Desc>::attributes, traits::attributes);
  else
    return false;
}
template <class... Desc>
constexpr bool structures_agree(type_list<Desc...>) {
  return (structure_agrees<Desc>() && ...);
}

}  // namespace detail

}  // namespace goldml::directml
