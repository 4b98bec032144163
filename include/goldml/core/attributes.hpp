// An attribute of an operator, or a policy of goldml, as a row of data: DirectML's name, its companion member in the C
// structure, its kind, the location of its value in the desc, and its enumerators. A desc is a plain struct. Code that
// reads or prints attributes is an ordinary function with one switch over the kinds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <goldml/core/attribute_values.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/scalar.hpp>

namespace goldml {

template <class Enum>
struct enumerator {
  Enum value;
  std::string_view name;  // DirectML's without its prefix, or goldml's own for a policy
};

// An enumeration that can be an attribute or a policy specialises this with `prefix` (DirectML's, such as
// "DML_AXIS_DIRECTION_"; empty for a policy) and `values`, an array of enumerator<Enum>.
template <class Enum>
struct enumeration;
struct policy_enumeration {
  static constexpr std::string_view prefix = "";
};

// The values of an enumeration that has the numbers from 0 on, by their names.
template <class Enum, class... Names>
constexpr std::array<enumerator<Enum>, sizeof...(Names)> enumerators(const Names&... names) {
  std::uint32_t next = 0;
  return {{{static_cast<Enum>(next++), names}...}};
}

// An enumerator whose type is known only at run time.
struct enumerator_row {
  std::uint32_t value;
  std::string_view name;
};

namespace detail {

template <class Enum>
inline constexpr auto enumerator_rows = [] {
  std::array<enumerator_row, enumeration<Enum>::values.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {static_cast<std::uint32_t>(enumeration<Enum>::values[i].value), enumeration<Enum>::values[i].name};
  return rows;
}();

}  // namespace detail

// The names of an enumeration of any C++ type.
struct enumeration_names {
  std::string_view prefix;  // DirectML's, such as "DML_AXIS_DIRECTION_"; empty for goldml's own
  std::span<const enumerator_row> rows;

  // The name of a number, without prefix, or nullopt if it is not an enumerator.
  constexpr std::optional<std::string_view> name_of(std::uint32_t value) const {
    for (const enumerator_row& row : rows)
      if (row.value == value) return row.name;
    return std::nullopt;
  }

  // The number of a name, with or without prefix.
  constexpr std::optional<std::uint32_t> value_of(std::string_view name) const {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    for (const enumerator_row& row : rows)
      if (row.name == name) return row.value;
    return std::nullopt;
  }
};

template <class Enum>
constexpr enumeration_names enumeration_of() {
  return {enumeration<Enum>::prefix, detail::enumerator_rows<Enum>};
}

template <class Enum>
constexpr std::string_view enumerator_name(Enum value) {
  return enumeration_of<Enum>().name_of(static_cast<std::uint32_t>(value)).value_or("not an enumerator");
}

// The enumerator of that name, with or without prefix.
template <class Enum>
constexpr std::optional<Enum> enumerator_from_name(std::string_view name) {
  if (const auto value = enumeration_of<Enum>().value_of(name)) return static_cast<Enum>(*value);
  return std::nullopt;
}

// The kind of an attribute. Comments give the type in DirectML and the C++ type of the desc's member.
enum class attribute_kind : std::uint8_t {
  uint32,              // UINT: std::uint32_t
  int32,               // INT: std::int32_t
  uint64,              // UINT64: std::uint64_t
  float32,             // FLOAT: float
  boolean,             // BOOL: bool
  enumeration,         // an enumeration of 32 bits
  list_of_uint32,      // const UINT*, with a count: dimensions
  list_of_int32,       // const INT*, with a count: int32_list
  list_of_float32,     // const FLOAT*, with a count: float32_list
  scalar,              // DML_SCALAR_UNION, with a data type: scalar
  size_2d,             // DML_SIZE_2D: size_2d
  scale_bias,          // const DML_SCALE_BIAS*, may be null: std::optional<scale_bias>
  activation,          // const DML_OPERATOR_DESC* of an activation, may be null: std::optional<activation>
  list_of_activation,  // const DML_OPERATOR_DESC* of activations, with a count: activation_list
};

constexpr bool is_list(attribute_kind kind) {
  return kind == attribute_kind::list_of_uint32 || kind == attribute_kind::list_of_int32 ||
         kind == attribute_kind::list_of_float32 || kind == attribute_kind::list_of_activation;
}

// Whether the value may be omitted in a model: DirectML's pointer may be null.
constexpr bool is_optional(attribute_kind kind) {
  return kind == attribute_kind::scale_bias || kind == attribute_kind::activation;
}

namespace detail {

template <class Member>
constexpr attribute_kind kind_of() {
  if constexpr (std::is_enum_v<Member>)
    return attribute_kind::enumeration;
  else if constexpr (std::is_same_v<Member, std::uint32_t>)
    return attribute_kind::uint32;
  else if constexpr (std::is_same_v<Member, std::int32_t>)
    return attribute_kind::int32;
  else if constexpr (std::is_same_v<Member, std::uint64_t>)
    return attribute_kind::uint64;
  else if constexpr (std::is_same_v<Member, float>)
    return attribute_kind::float32;
  else if constexpr (std::is_same_v<Member, bool>)
    return attribute_kind::boolean;
  else if constexpr (std::is_same_v<Member, dimensions>)
    return attribute_kind::list_of_uint32;
  else if constexpr (std::is_same_v<Member, int32_list>)
    return attribute_kind::list_of_int32;
  else if constexpr (std::is_same_v<Member, float32_list>)
    return attribute_kind::list_of_float32;
  else if constexpr (std::is_same_v<Member, scalar>)
    return attribute_kind::scalar;
  else if constexpr (std::is_same_v<Member, size_2d>)
    return attribute_kind::size_2d;
  else if constexpr (std::is_same_v<Member, std::optional<scale_bias>>)
    return attribute_kind::scale_bias;
  else if constexpr (std::is_same_v<Member, std::optional<activation>>)
    return attribute_kind::activation;
  else {
    static_assert(std::is_same_v<Member, activation_list>,
                  "goldml: a member of a desc has a type that is no kind of attribute; the kinds are listed in "
                  "<goldml/core/attributes.hpp>");
    return attribute_kind::list_of_activation;
  }
}

template <class Member>
constexpr enumeration_names names_of_member() {
  if constexpr (std::is_enum_v<Member>) {
    static_assert(sizeof(Member) == sizeof(std::uint32_t), "goldml: an enumeration of a desc has 32 bits");
    return enumeration_of<Member>();
  } else {
    return {};
  }
}

template <class Pointer>
struct member_pointer;
template <class Desc, class Member>
struct member_pointer<Member Desc::*> {
  using desc_type = Desc;
  using member_type = Member;
};

// The address of a member in a desc.
template <auto Member>
void* address_of(void* desc) {
  return &(static_cast<typename member_pointer<decltype(Member)>::desc_type*>(desc)->*Member);
}

}  // namespace detail

// What the value of an attribute is, beside its type. The operator checks it (core/shape_rules.hpp), where its order of
// rules wants it; the generator breaks it.
enum class value_domain : std::uint8_t {
  any,
  axis,           // UINT: below the DimensionCount of an operand
  enumerator,     // one of the names
  per_dimension,  // a list: an entry for each dimension, or for each spatial one
  at_least_1,     // of a list each entry, of a size both
};

// One row of operator_traits<Desc>::attributes or policies; make it with row<&desc::member>(name, companion), and for
// rules on the value .axis_of(0, "TK3"), .enumerator("TK7") and so on.
class attribute {
 public:
  std::string_view name;
  // The companion member in the C structure: the count of a list ("AxisCount") or the data type of a scalar
  // ("ValueDataType"). Several rows may share one. Empty if there is none.
  std::string_view companion;
  attribute_kind kind;
  enumeration_names names;  // if the kind is enumeration
  // The operator's rules on the value: at most two.
  struct value_rule {
    value_domain domain = value_domain::any;
    std::string_view code = "";
    std::size_t operand = 0;  // whose axis it is
  };
  std::array<value_rule, 2> rules{};

  constexpr attribute(std::string_view row_name, std::string_view row_companion, attribute_kind row_kind,
                      enumeration_names row_names, void* (*row_address)(void*))
      : name(row_name), companion(row_companion), kind(row_kind), names(row_names), address_(row_address) {}

  constexpr attribute axis_of(std::size_t operand, std::string_view code) const {
    return with({value_domain::axis, code, operand});
  }
  constexpr attribute enumerator(std::string_view code) const { return with({value_domain::enumerator, code}); }
  constexpr attribute per_dimension(std::string_view code) const { return with({value_domain::per_dimension, code}); }
  constexpr attribute at_least_1(std::string_view code) const { return with({value_domain::at_least_1, code}); }

  // The code of the rule; "" if the row has none.
  constexpr std::string_view rule(value_domain domain) const {
    for (const value_rule& each : rules)
      if (each.domain == domain) return each.code;
    return "";
  }

  // The value in a desc. T is the C++ type of the kind (not for enumerations). Desc is the desc that the row belongs
  // to.
  template <class T, class Desc>
  const T& get(const Desc& desc) const {
    return *static_cast<const T*>(address(&desc));
  }
  template <class T, class Desc>
  T& get(Desc& desc) const {
    return *static_cast<T*>(address_(&desc));
  }

  // The address of the value in a desc of unknown type.
  const void* address(const void* desc) const { return address_(const_cast<void*>(desc)); }
  void* address(void* desc) const { return address_(desc); }

 private:
  constexpr attribute with(const value_rule& rule) const {
    attribute result = *this;
    (rules[0].domain == value_domain::any ? result.rules[0] : result.rules[1]) = rule;
    return result;
  }

  void* (*address_)(void*);
};

namespace detail {

// GCC 12 for Windows puts a constant `std::array rows{...}` into a section for writing if the deduced type is not yet
// complete, and otherwise into one for reading; units that differ in this do not link. So these types are complete
// here.
template <class Row, std::size_t... I>
constexpr bool completes_arrays_of(std::index_sequence<I...>) {
  return ((sizeof(std::array<Row, I + 1>) > 0) && ...);
}
static_assert(completes_arrays_of<attribute>(std::make_index_sequence<40>()));

}  // namespace detail

// Makes the row of a member of a desc: row<&argmin_desc::axes>("Axes", "AxisCount").
template <auto Member>
constexpr attribute row(std::string_view name, std::string_view companion = "") {
  using type = typename detail::member_pointer<decltype(Member)>::member_type;
  return {name, companion, detail::kind_of<type>(), detail::names_of_member<type>(), &detail::address_of<Member>};
}

// Reads the enumerator that an attribute points to in a desc; its type is known only at run time.
inline std::uint32_t load_enumerator(const void* value) {
  std::uint32_t number;
  std::memcpy(&number, value, sizeof number);
  return number;
}
inline void store_enumerator(void* value, std::uint32_t number) { std::memcpy(value, &number, sizeof number); }

// Whether rows[index] is the first row with its companion. Several rows may share a companion, which the C structure
// has only once.
constexpr bool introduces_companion(std::span<const attribute> rows, std::size_t index) {
  if (rows[index].companion.empty()) return false;
  for (std::size_t i = 0; i < index; ++i)
    if (rows[i].companion == rows[index].companion) return false;
  return true;
}

}  // namespace goldml
