// Prints the tensors and the attributes of an operator as JSON, in the form of models.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/attributes.hpp>
#include <goldml/core/float16.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/number_text.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/io/known_operators.hpp>

namespace goldml::io {

namespace detail {

// A number as JSON. NaN and infinities are strings.
template <class T>
std::string json_number(T value) {
  if constexpr (is_floating_type<T>)
    if (!std::isfinite(static_cast<double>(value))) return "\"" + number_text(value) + "\"";
  return number_text(value);
}

template <class List, class Print>
std::string json_list(const List& list, const Print& print) {
  std::string text;
  for (const auto& value : list) text += (text.empty() ? "" : ",") + print(value);
  return "[" + text + "]";
}

inline std::string json_activation(const activation& value) {
  const activation_info* info = find_activation(value.operator_type);
  const std::string_view name = info == nullptr ? known_operator_name(value.operator_type) : info->name;
  std::string text = "{ \"Type\": " + (name.empty() ? fmt::format("{}", value.operator_type)  // as of an enumerator
                                                    : fmt::format("\"{}\"", name));
  for (std::size_t i = 0; info != nullptr && i < info->parameter_count(); ++i)
    text += fmt::format(", \"{}\": {}", info->parameters[i], json_number(value.parameters[i]));
  if (info != nullptr && info->takes_axes)
    text += fmt::format(", \"AxisCount\": {}, \"Axes\": {}", value.axes.size(),
                        json_list(value.axes, [](std::uint32_t axis) { return fmt::format("{}", axis); }));
  if (value.scale_bias)
    text += fmt::format(", \"ScaleBias\": {{ \"Scale\": {}, \"Bias\": {} }}", json_number(value.scale_bias->scale),
                        json_number(value.scale_bias->bias));
  return text + " }";
}

// The value of an attribute as JSON. An enumerator without a name is printed as its number, an omitted value as null.
inline std::string json_value(const attribute& a, const void* desc) {
  const void* value = a.address(desc);
  switch (a.kind) {
    case attribute_kind::uint32:
      return fmt::format("{}", *static_cast<const std::uint32_t*>(value));
    case attribute_kind::int32:
      return fmt::format("{}", *static_cast<const std::int32_t*>(value));
    case attribute_kind::uint64:
      return fmt::format("{}", *static_cast<const std::uint64_t*>(value));
    case attribute_kind::float32:
      return json_number(*static_cast<const float*>(value));
    case attribute_kind::boolean:
      return *static_cast<const bool*>(value) ? "true" : "false";
    case attribute_kind::enumeration: {
      const std::uint32_t number = load_enumerator(value);
      const auto name = a.names.name_of(number);
      return name ? fmt::format("\"{}{}\"", a.names.prefix, *name) : fmt::format("{}", number);
    }
    case attribute_kind::list_of_uint32:
      return json_list(*static_cast<const dimensions*>(value), [](std::uint32_t v) { return fmt::format("{}", v); });
    case attribute_kind::list_of_int32:
      return json_list(*static_cast<const int32_list*>(value), [](std::int32_t v) { return fmt::format("{}", v); });
    case attribute_kind::list_of_float32:
      return json_list(*static_cast<const float32_list*>(value), json_number<float>);
    case attribute_kind::scalar: {
      const scalar& given = *static_cast<const scalar*>(value);
      std::string text = "0";
      visit_data_type(all_types{}, given.type().value_or(data_type::unknown),
                      [&]<class T>(std::type_identity<T>) { text = json_number(given.as<T>()); });
      return text;
    }
    case attribute_kind::size_2d: {
      const auto& size = *static_cast<const size_2d*>(value);
      return fmt::format("{{ \"Width\": {}, \"Height\": {} }}", size.width, size.height);
    }
    case attribute_kind::scale_bias: {
      const auto& given = *static_cast<const std::optional<scale_bias>*>(value);
      if (!given) return "null";
      return fmt::format("{{ \"Scale\": {}, \"Bias\": {} }}", json_number(given->scale), json_number(given->bias));
    }
    case attribute_kind::activation: {
      const auto& given = *static_cast<const std::optional<activation>*>(value);
      return given ? json_activation(*given) : "null";
    }
    case attribute_kind::list_of_activation:
      return json_list(*static_cast<const activation_list*>(value), json_activation);
  }
  return "null";
}

// The length of a list of any element type.
inline std::size_t list_size(const attribute& a, const void* desc) {
  const void* value = a.address(desc);
  switch (a.kind) {
    case attribute_kind::list_of_uint32:
      return static_cast<const dimensions*>(value)->size();
    case attribute_kind::list_of_int32:
      return static_cast<const int32_list*>(value)->size();
    case attribute_kind::list_of_float32:
      return static_cast<const float32_list*>(value)->size();
    case attribute_kind::list_of_activation:
      return static_cast<const activation_list*>(value)->size();
    default:
      return 0;
  }
}

}  // namespace detail

// A tensor of an operator as a JSON object. What has its default is left out.
inline std::string tensor_json(const tensor_desc& desc) {
  const auto list = [](const dimensions& values) {
    return detail::json_list(values, [](std::uint32_t v) { return fmt::format("{}", v); });
  };
  std::string text = fmt::format("{{ \"DataType\": \"{}\", \"Sizes\": {}", name_of(desc.data_type), list(desc.sizes));
  if (!desc.strides.empty()) text += fmt::format(", \"Strides\": {}", list(desc.strides));
  if (desc.total_tensor_size_in_bytes)
    text += fmt::format(", \"TotalTensorSizeInBytes\": {}", *desc.total_tensor_size_in_bytes);
  return text + " }";
}

// The attributes of a desc as members of a JSON object, one string per member: "\"AxisCount\": 1", "\"Axes\": [0]". A
// shared companion (a count or a data type) is written once, before the first attribute that uses it. `output_type` is
// the data type of omitted scalars.
inline std::vector<std::string> attributes_json(std::span<const attribute> rows, const void* desc,
                                                data_type output_type) {
  std::vector<std::string> members;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const attribute& a = rows[i];
    if (introduces_companion(rows, i)) {
      if (a.kind == attribute_kind::scalar) {
        const scalar& value = *static_cast<const scalar*>(a.address(desc));
        members.push_back(fmt::format("\"{}\": \"{}\"", a.companion, name_of(value.type().value_or(output_type))));
      } else {
        members.push_back(fmt::format("\"{}\": {}", a.companion, detail::list_size(a, desc)));
      }
    }
    const std::string value = detail::json_value(a, desc);
    if (value != "null") members.push_back(fmt::format("\"{}\": {}", a.name, value));
  }
  return members;
}

}  // namespace goldml::io
