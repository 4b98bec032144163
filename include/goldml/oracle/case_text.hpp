// Prints and reads the parts of a case's text: tensors and attributes. case.hpp combines them.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/attributes.hpp>
#include <goldml/core/number_text.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/oracle/case_reader.hpp>

namespace goldml::oracle::detail {

inline std::string tensor_text(const tensor_desc& desc) {
  std::string text = fmt::format("{}{}", name_of(desc.data_type), desc.sizes);
  if (!desc.strides.empty()) text += fmt::format("/{}", desc.strides);
  if (desc.total_tensor_size_in_bytes) text += fmt::format("@{}", *desc.total_tensor_size_in_bytes);
  if (desc.guaranteed_base_offset_alignment != 0) text += fmt::format("%{}", desc.guaranteed_base_offset_alignment);
  if (desc.flags != tensor_flags::none) text += fmt::format("#{}", static_cast<std::uint32_t>(desc.flags));
  if (desc.type != tensor_type::buffer) text += fmt::format("!{}", static_cast<std::uint32_t>(desc.type));
  return text;
}

// The shortest text that reads back to the same number; a NaN as its bits.
inline std::string float_text(float value) {
  return std::isnan(value) ? fmt::format("0x{:08X}", std::bit_cast<std::uint32_t>(value)) : number_text(value);
}

// The elements of a tensor, "{1,-0.5,0x7FC00000}": each as the shortest text that reads back, or as its bits.
inline std::string elements_text(const std::vector<scalar>& elements) {
  std::string text;
  for (const scalar& value : elements)
    visit_data_type(all_types{}, *value.type(), [&]<class T>(std::type_identity<T>) {
      const T number = value.template as<T>();
      text += text.empty() ? "{" : ",";
      text += is_nan(number) ? bits_text(number) : number_text(number);
    });
  return text + "}";
}

inline std::string scalar_text(const scalar& value) {
  if (!value.type()) return "none";
  std::string text(name_of(*value.type()));
  visit_data_type(all_types{}, *value.type(),
                  [&]<class T>(std::type_identity<T>) { text += ":" + bits_text(value.template as<T>()); });
  return text;
}

inline std::string activation_text(const activation& value) {
  const activation_info* info = find_activation(value.operator_type);
  if (info == nullptr) return fmt::format("{}", value.operator_type);
  std::string text(info->name);
  if (info->takes_axes) text += fmt::format("{}", value.axes);
  for (std::size_t i = 0; i < info->parameter_count(); ++i)
    text += (i == 0 ? "{" : ",") + float_text(value.parameters[i]);
  if (info->parameter_count() != 0) text += "}";
  if (value.scale_bias)
    text += "+scale_bias{" + float_text(value.scale_bias->scale) + "," + float_text(value.scale_bias->bias) + "}";
  return text + (value.has_tensors ? "+tensors" : "");
}

// {1,-2}
template <class List, class Print>
std::string list_text(const List& list, const Print& print) {
  std::string text;
  for (const auto& value : list) text += (text.empty() ? "" : ",") + print(value);
  return "{" + text + "}";
}

// The value of an attribute or a policy of `desc`.
inline std::string attribute_text(const attribute& a, const void* desc) {
  const void* value = a.address(desc);
  switch (a.kind) {
    case attribute_kind::uint32:
      return fmt::format("{}", *static_cast<const std::uint32_t*>(value));
    case attribute_kind::int32:
      return fmt::format("{}", *static_cast<const std::int32_t*>(value));
    case attribute_kind::uint64:
      return fmt::format("{}", *static_cast<const std::uint64_t*>(value));
    case attribute_kind::float32:
      return float_text(*static_cast<const float*>(value));
    case attribute_kind::boolean:
      return *static_cast<const bool*>(value) ? "true" : "false";
    case attribute_kind::enumeration: {
      const std::uint32_t number = load_enumerator(value);
      const auto name = a.names.name_of(number);
      return name ? std::string(*name) : fmt::format("{}", number);  // an illegal case
    }
    case attribute_kind::list_of_uint32:
      return fmt::format("{}", *static_cast<const dimensions*>(value));
    case attribute_kind::list_of_int32:
      return list_text(*static_cast<const int32_list*>(value), [](std::int32_t v) { return fmt::format("{}", v); });
    case attribute_kind::list_of_float32:
      return list_text(*static_cast<const float32_list*>(value), float_text);
    case attribute_kind::scalar:
      return scalar_text(*static_cast<const scalar*>(value));
    case attribute_kind::size_2d: {
      const auto& size = *static_cast<const size_2d*>(value);
      return fmt::format("{{{},{}}}", size.width, size.height);
    }
    case attribute_kind::scale_bias: {
      const auto& given = *static_cast<const std::optional<scale_bias>*>(value);
      return given ? "{" + float_text(given->scale) + "," + float_text(given->bias) + "}" : "none";
    }
    case attribute_kind::activation: {
      const auto& given = *static_cast<const std::optional<activation>*>(value);
      return given ? activation_text(*given) : "none";
    }
    case attribute_kind::list_of_activation:
      return list_text(*static_cast<const activation_list*>(value), activation_text);
  }
  return "";
}

// Reads what attribute_text() prints into an attribute or a policy of `desc`.
inline void read_attribute(const attribute& a, std::string_view text, void* desc) {
  using reader = case_reader;
  void* value = a.address(desc);
  switch (a.kind) {
    case attribute_kind::uint32:
      *static_cast<std::uint32_t*>(value) = reader::number<std::uint32_t>(text);
      break;
    case attribute_kind::int32:
      *static_cast<std::int32_t*>(value) = reader::number<std::int32_t>(text);
      break;
    case attribute_kind::uint64:
      *static_cast<std::uint64_t*>(value) = reader::number<std::uint64_t>(text);
      break;
    case attribute_kind::float32:
      *static_cast<float*>(value) = reader::float_number(text);
      break;
    case attribute_kind::boolean:
      *static_cast<bool*>(value) = reader::boolean(text);
      break;
    case attribute_kind::enumeration:
      store_enumerator(value, reader::enumerator(text, a.names));
      break;
    case attribute_kind::list_of_uint32:
      *static_cast<dimensions*>(value) = reader::list(text);
      break;
    case attribute_kind::list_of_int32: {
      int32_list list;
      for (const std::string_view part : reader::parts(text)) list.push_back(reader::number<std::int32_t>(part));
      *static_cast<int32_list*>(value) = list;
      break;
    }
    case attribute_kind::list_of_float32: {
      float32_list list;
      for (const std::string_view part : reader::parts(text)) list.push_back(reader::float_number(part));
      *static_cast<float32_list*>(value) = list;
      break;
    }
    case attribute_kind::scalar:
      *static_cast<scalar*>(value) = reader::scalar(text);
      break;
    case attribute_kind::size_2d: {
      const auto parts = reader::parts(text);
      if (parts.size() != 2) reader::refuse(text, "a width and a height such as {2,2}");
      *static_cast<size_2d*>(value) = {reader::number<std::uint32_t>(parts[0]),
                                       reader::number<std::uint32_t>(parts[1])};
      break;
    }
    case attribute_kind::scale_bias: {
      auto& given = *static_cast<std::optional<scale_bias>*>(value);
      given.reset();
      if (text == "none") break;
      const auto parts = reader::parts(text);
      if (parts.size() != 2) reader::refuse(text, "a scale and a bias such as {2,0.5}, or none");
      given = scale_bias{reader::float_number(parts[0]), reader::float_number(parts[1])};
      break;
    }
    case attribute_kind::activation: {
      auto& given = *static_cast<std::optional<activation>*>(value);
      given.reset();
      if (text != "none") given = reader::activation(text);
      break;
    }
    case attribute_kind::list_of_activation: {
      activation_list list;
      for (const std::string_view part : reader::parts(text)) list.push_back(reader::activation(part));
      *static_cast<activation_list*>(value) = list;
      break;
    }
  }
}

}  // namespace goldml::oracle::detail
