// DirectML's structures to goldml's descs. Null pointers and numbers that are no enumerator arrive where the rules
// refuse them. What cannot be seen is believed: that a pointer which is not null leads to the structure that the type
// beside it names, and a list to as many entries as the count beside it says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>

#include <goldml/directml/structures.hpp>

namespace goldml::directml {

// What DirectML's structures do not say: the feature level to judge by, and goldml's policies. A policy that an
// operator does not have plays no part in its calls.
struct policies {
  goldml::feature_level feature_level = goldml::feature_level::latest;
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::duplicates duplicates = goldml::duplicates::refuse;
  bool in_place = false;
};

// The level of the same number: what IDMLDevice::CheckFeatureSupport gave.
inline feature_level from_directml(DML_FEATURE_LEVEL level) { return static_cast<feature_level>(detail::raw(level)); }

// All members, TotalTensorSizeInBytes as it stands; packed where Strides is null. Of more than 8 dimensions the sizes
// are not read: the result has them all 1 and is overlong, for T4 to refuse. With Sizes null, no sizes.
inline tensor_desc from_directml(const DML_BUFFER_TENSOR_DESC& buffer) {
  const auto list = [&](const UINT* values) {
    dimensions result;
    if (values != nullptr && buffer.DimensionCount <= dimensions::capacity)
      for (UINT i = 0; i < buffer.DimensionCount; ++i) result.push_back(values[i]);
    return result;
  };
  tensor_desc desc{.data_type = static_cast<data_type>(detail::raw(buffer.DataType)),
                   .sizes = list(buffer.Sizes),
                   .strides = list(buffer.Strides),
                   .total_tensor_size_in_bytes = buffer.TotalTensorSizeInBytes,
                   .guaranteed_base_offset_alignment = buffer.GuaranteedBaseOffsetAlignment,
                   .flags = static_cast<tensor_flags>(detail::raw(buffer.Flags))};
  if (buffer.Sizes != nullptr && buffer.DimensionCount > dimensions::capacity)
    desc.sizes = dimensions(std::array<std::uint32_t, dimensions::capacity + 1>{1, 1, 1, 1, 1, 1, 1, 1, 1});
  return desc;
}

// A tensor as the rules see it; null is a tensor that is not given. Desc is followed only where Type says BUFFER.
inline operand from_directml(const DML_TENSOR_DESC* tensor) {
  if (tensor == nullptr) return {};
  const auto type = static_cast<tensor_type>(detail::raw(tensor->Type));
  operand result{.desc = tensor_desc{.type = type}, .memory = {}};
  if (tensor->Desc == nullptr) {
    result.null_member = "Desc";
  } else if (type == tensor_type::buffer) {
    const auto& buffer = *static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor->Desc);
    result.desc = from_directml(buffer);
    if (buffer.Sizes == nullptr) result.null_member = "Sizes";
  }
  return result;
}

namespace detail {

// Members of the structure to a member of the desc.
template <class Structure, class Value, class Member>
void read_attribute(const Structure& from, Value Structure::*member, Member& to) {
  to = static_cast<Member>(raw(from.*member));
}

// A list. Of more than 8 entries the first 8 are read, and the list is overlong.
template <class Structure>
void read_attribute(const Structure& from, with_companion<UINT Structure::*, const UINT * Structure::*> list,
                    dimensions& to) {
  const UINT* values = from.*list.member;
  const UINT count = from.*list.companion;
  if (values == nullptr) return;
  for (UINT i = 0; i < count && i <= dimensions::capacity; ++i)
    to.push_back(i < dimensions::capacity ? values[i] : UINT{0});
}

template <class Structure>
void read_attribute(const Structure& from,
                    with_companion<DML_TENSOR_DATA_TYPE Structure::*, DML_SCALAR_UNION Structure::*> value,
                    scalar& to) {
  std::array<std::byte, sizeof(DML_SCALAR_UNION)> bytes;
  std::memcpy(bytes.data(), &(from.*value.member), sizeof bytes);
  to = scalar::from_bytes(static_cast<data_type>(raw(from.*value.companion)), bytes);
}

template <class Desc>
void set_policies(const policies& given, Desc& desc) {
  desc.feature_level = given.feature_level;
  constexpr bool has_nan = requires { desc.nan_policy; };
  constexpr bool has_range = requires { desc.range_policy; };
  constexpr bool has_duplicates = requires { desc.duplicates; };
  constexpr bool has_in_place = requires { desc.in_place; };
  if constexpr (has_nan) desc.nan_policy = given.nan_policy;
  if constexpr (has_range) desc.range_policy = given.range_policy;
  if constexpr (has_duplicates) desc.duplicates = given.duplicates;
  if constexpr (has_in_place) desc.in_place = given.in_place;
  static_assert(has_nan + has_range + has_duplicates + has_in_place ==
                    std::tuple_size_v<decltype(operator_traits<Desc>::policies)>,
                "goldml: an operator has a policy that goldml::directml::policies lacks; add it there and here");
}

}  // namespace detail

// An operator's attributes, with policies that the structure does not hold.
template <class Desc>
Desc from_directml(const typename structure<Desc>::type& operator_structure, const policies& given = {}) {
  Desc desc;
  detail::set_policies(given, desc);
  std::apply(
      [&](const auto&... from) {
        std::apply([&](const auto&... to) { (detail::read_attribute(operator_structure, from, desc.*to.member), ...); },
                   operator_traits<Desc>::attributes);
      },
      structure<Desc>::attributes);
  return desc;
}

}  // namespace goldml::directml
