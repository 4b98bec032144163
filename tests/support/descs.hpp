// Comparison of descs and cases of any operator, attribute by attribute, by the rows of its description.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/attributes.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/oracle/case.hpp>

namespace goldml_test {

namespace detail {

// Floats are compared by their bits: a NaN equals itself, -0.0 and +0.0 differ.
inline bool same(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }
inline bool same(const goldml::float32_list& a, const goldml::float32_list& b) {
  if (a.size() != b.size() || a.overlong() != b.overlong() || a.is_null() != b.is_null()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}
inline bool same(const std::optional<goldml::scale_bias>& a, const std::optional<goldml::scale_bias>& b) {
  return a.has_value() == b.has_value() && (!a || (same(a->scale, b->scale) && same(a->bias, b->bias)));
}
inline bool same(const goldml::activation& a, const goldml::activation& b) {
  return a.operator_type == b.operator_type && same(a.parameters[0], b.parameters[0]) &&
         same(a.parameters[1], b.parameters[1]) && a.has_tensors == b.has_tensors && same(a.scale_bias, b.scale_bias) &&
         a.axes == b.axes;
}
inline bool same(const std::optional<goldml::activation>& a, const std::optional<goldml::activation>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}
inline bool same(const goldml::activation_list& a, const goldml::activation_list& b) {
  if (a.size() != b.size() || a.overlong() != b.overlong() || a.is_null() != b.is_null()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

}  // namespace detail

// Whether two descs of one operator have the same value in a row of its attributes or policies.
inline bool same_value(const goldml::attribute& row, const void* a, const void* b) {
  using kind = goldml::attribute_kind;
  const auto as = [&]<class T>(const T*) {
    return detail::same(*static_cast<const T*>(row.address(a)), *static_cast<const T*>(row.address(b)));
  };
  switch (row.kind) {
    case kind::uint32:
      return as(static_cast<const std::uint32_t*>(nullptr));
    case kind::int32:
      return as(static_cast<const std::int32_t*>(nullptr));
    case kind::uint64:
      return as(static_cast<const std::uint64_t*>(nullptr));
    case kind::float32:
      return as(static_cast<const float*>(nullptr));
    case kind::boolean:
      return as(static_cast<const bool*>(nullptr));
    case kind::enumeration:
      return goldml::load_enumerator(row.address(a)) == goldml::load_enumerator(row.address(b));
    case kind::list_of_uint32:
      return as(static_cast<const goldml::dimensions*>(nullptr));
    case kind::list_of_int32:
      return as(static_cast<const goldml::int32_list*>(nullptr));
    case kind::list_of_float32:
      return as(static_cast<const goldml::float32_list*>(nullptr));
    case kind::scalar:
      return as(static_cast<const goldml::scalar*>(nullptr));
    case kind::size_2d:
      return as(static_cast<const goldml::size_2d*>(nullptr));
    case kind::scale_bias:
      return as(static_cast<const std::optional<goldml::scale_bias>*>(nullptr));
    case kind::activation:
      return as(static_cast<const std::optional<goldml::activation>*>(nullptr));
    case kind::list_of_activation:
      return as(static_cast<const goldml::activation_list*>(nullptr));
  }
  return false;
}

// The names of the rows in which two descs differ, and "feature_level" if it differs; "" if they are equal.
inline std::string differing_members(const goldml::any_desc& a, const goldml::any_desc& b) {
  std::string names;
  for (const std::span<const goldml::attribute> rows : {a.description().attributes, a.description().policies})
    for (const goldml::attribute& row : rows)
      if (!same_value(row, a.get(), b.get())) names += std::string(row.name) + " ";
  if (a.level() != b.level()) names += "feature_level ";
  return names;
}
template <class Desc>
std::string differing_members(const Desc& a, const Desc& b) {
  return differing_members(goldml::any_desc(a), goldml::any_desc(b));
}

template <class Desc>
bool same_case(const goldml::oracle::test_case<Desc>& a, const goldml::oracle::test_case<Desc>& b) {
  return differing_members(a.desc, b.desc).empty() && a.tensors == b.tensors && a.data == b.data && a.seed == b.seed &&
         a.elements == b.elements;
}

// The policies' last enumerators, which are not their defaults.
inline void take_last_policies(std::span<const goldml::attribute> policies, void* desc) {
  for (const goldml::attribute& policy : policies)
    if (policy.kind == goldml::attribute_kind::boolean)
      *static_cast<bool*>(policy.address(desc)) = true;
    else
      goldml::store_enumerator(policy.address(desc), policy.names.rows.back().value);
}
inline void take_last_policies(goldml::any_desc& desc) { take_last_policies(desc.description().policies, desc.get()); }
template <class Desc>
void take_last_policies(Desc& desc) {
  take_last_policies(goldml::operator_traits<Desc>::policies, &desc);
}

}  // namespace goldml_test
