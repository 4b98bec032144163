// The layout of an operator's structure in DirectML.h, for conversions from and to it. It follows from operator_traits;
// tests compare it with DirectML.h, member by member.
#pragma once

#include <algorithm>
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

// Where a member is in a structure, and its companion (count or data type) if it has one: offsets in bytes.
struct c_member {
  std::size_t offset;
  std::size_t companion_offset;
  bool has_companion;

  void* address(void* structure) const { return static_cast<std::byte*>(structure) + offset; }
  void* companion(void* structure) const { return static_cast<std::byte*>(structure) + companion_offset; }
  const void* in(const void* structure) const { return address(const_cast<void*>(structure)); }
  const void* companion_in(const void* structure) const { return companion(const_cast<void*>(structure)); }
};

// A structure of DirectML.h. Its members are those of operator_traits, in the order of the rows: the tensors, then the
// attributes, each companion before the first member that has it. In some structures attributes precede tensors: so
// many, after the first tensors.
template <class Type, DML_OPERATOR_TYPE Enumerator, std::size_t AttributesBeforeTensors = 0,
          std::size_t TensorsBeforeThem = 0>
struct structure_row {
  using type = Type;
  static constexpr DML_OPERATOR_TYPE enumerator = Enumerator;
  static constexpr std::size_t attributes_before_tensors = AttributesBeforeTensors;
  static constexpr std::size_t tensors_before_them = TensorsBeforeThem;
};

// Specialised for each operator's desc, as a structure_row (structures.hpp).
template <class Desc>
struct structure;

namespace detail {

// Places members one after the other, as C does.
class layout_of_members {
 public:
  constexpr std::size_t place(std::size_t size, std::size_t alignment) {
    const std::size_t offset = aligned(alignment);
    end_ = offset + size;
    alignment_ = (std::max)(alignment_, alignment);
    return offset;
  }
  template <class T>
  constexpr std::size_t place() {
    return place(sizeof(T), alignof(T));
  }
  constexpr std::size_t place(attribute_kind kind) {
    switch (kind) {
      case attribute_kind::uint32:
      case attribute_kind::int32:
      case attribute_kind::boolean:
      case attribute_kind::float32:
      case attribute_kind::enumeration:
        return place<UINT>();
      case attribute_kind::uint64:
        return place<std::uint64_t>();
      case attribute_kind::scalar:
        return place<DML_SCALAR_UNION>();
      case attribute_kind::size_2d:
        return place<DML_SIZE_2D>();
      case attribute_kind::list_of_uint32:
      case attribute_kind::list_of_int32:
      case attribute_kind::list_of_float32:
      case attribute_kind::scale_bias:
      case attribute_kind::activation:
      case attribute_kind::list_of_activation:
        break;
    }
    return place<const void*>();
  }
  constexpr std::size_t size() const { return aligned(alignment_); }

 private:
  constexpr std::size_t aligned(std::size_t alignment) const { return (end_ + alignment - 1) / alignment * alignment; }
  std::size_t end_ = 0;
  std::size_t alignment_ = 1;
};

// The members of a structure: operands and attributes in the order of their rows.
template <std::size_t Operands, std::size_t Attributes>
struct structure_layout {
  std::array<c_member, Operands> operands{};
  std::array<c_member, Attributes> attributes{};
  std::size_t size = 0;

  constexpr structure_layout(std::span<const operand_info> infos, std::span<const attribute> rows,
                             std::size_t attributes_before_tensors, std::size_t tensors_before_them) {
    layout_of_members layout;
    const auto add_attribute = [&](std::size_t i) {
      c_member& member = attributes[i];
      member.has_companion = !rows[i].companion.empty();
      std::size_t first = 0;
      while (first < i && rows[first].companion != rows[i].companion) ++first;
      if (member.has_companion)
        member.companion_offset = first < i ? attributes[first].companion_offset : layout.place<UINT>();
      member.offset = layout.place(rows[i].kind);
    };
    for (std::size_t i = 0; i < Operands; ++i) {
      for (std::size_t a = 0; a < attributes_before_tensors && i == tensors_before_them; ++a) add_attribute(a);
      operands[i].has_companion = infos[i].is_array();
      if (infos[i].is_array()) operands[i].companion_offset = layout.place<UINT>();
      operands[i].offset = layout.place<const DML_TENSOR_DESC*>();
    }
    for (std::size_t i = attributes_before_tensors; i < Attributes; ++i) add_attribute(i);
    size = layout.size();
  }
};

static_assert(goldml::detail::completes_arrays_of<c_member>(std::make_index_sequence<24>()));  // see there

template <class Desc>
inline constexpr structure_layout<operator_traits<Desc>::operands.size(), operator_traits<Desc>::attributes.size()>
    layout_of{operator_traits<Desc>::operands, operator_traits<Desc>::attributes,
              structure<Desc>::attributes_before_tensors, structure<Desc>::tensors_before_them};

}  // namespace detail

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
  constexpr auto& layout = detail::layout_of<Desc>;
  return {&description_of<Desc>(), structure<Desc>::enumerator, layout.size, layout.operands, layout.attributes};
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

template <class Desc>
inline constexpr bool has_structure = requires {
  sizeof(structure<Desc>);
};

// Whether a specialisation agrees with operator_traits<Desc>.
template <class Desc>
constexpr bool structure_agrees() {
  using traits = operator_traits<Desc>;
  constexpr bool is_newer = static_cast<std::uint32_t>(first_feature_level<Desc>()) > DML_TARGET_VERSION;
  static_assert(has_structure<Desc> || is_newer,
                "goldml: an operator of all_operators has no line in <goldml/directml/structures.hpp>");
  static_assert(has_policies(traits::policies),
                "goldml: an operator has a policy that goldml::directml::policies lacks; add it there, and its row to "
                "policy_rows");
  if constexpr (has_structure<Desc>)
    return static_cast<std::uint32_t>(structure<Desc>::enumerator) == traits::enumerator &&
           layout_of<Desc>.size == sizeof(typename structure<Desc>::type);
  else
    return is_newer;
}
template <class... Desc>
constexpr bool structures_agree(type_list<Desc...>) {
  return (structure_agrees<Desc>() && ...);
}

}  // namespace detail

}  // namespace goldml::directml
