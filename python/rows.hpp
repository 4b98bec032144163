// The rows of the operators as Python values: what goldml/_operators.py makes functions, help and type stubs of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/attributes.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/oracle/generate.hpp>

#include "arrays.hpp"

namespace goldml::python {

inline py::str text_of(std::string_view text) { return {text.data(), text.size()}; }

template <class List>
py::list list_of(const List& values) {
  py::list result;
  for (const auto value : values) result.append(value);
  return result;
}

inline py::list list_of(const scale_bias& value) { return list_of(std::array{value.scale, value.bias}); }

// {"Type": "ACTIVATION_LINEAR", "Alpha": 2.0, "Beta": 1.0}
inline py::dict to_python(const activation& value) {
  py::dict result;
  const activation_info* info = find_activation(value.operator_type);
  if (info == nullptr) throw py::value_error("goldml: an activation without a name");
  result["Type"] = text_of(info->name);
  for (std::size_t i = 0; i < info->parameter_count(); ++i) result[text_of(info->parameters[i])] = value.parameters[i];
  if (info->takes_axes) result["Axes"] = list_of(value.axes);
  if (value.scale_bias) result["ScaleBias"] = list_of(*value.scale_bias);
  return result;
}

// An attribute or a policy of a desc, in the form that calls take. Enumerators are strings, or numbers without a name.
inline py::object to_python(const attribute& a, const void* desc) {
  const void* value = a.address(desc);
  switch (a.kind) {
    case attribute_kind::uint32:
      return py::int_(*static_cast<const std::uint32_t*>(value));
    case attribute_kind::int32:
      return py::int_(*static_cast<const std::int32_t*>(value));
    case attribute_kind::uint64:
      return py::int_(*static_cast<const std::uint64_t*>(value));
    case attribute_kind::float32:
      return py::float_(*static_cast<const float*>(value));
    case attribute_kind::boolean:
      return py::bool_(*static_cast<const bool*>(value));
    case attribute_kind::enumeration: {
      const std::uint32_t number = load_enumerator(value);
      if (const auto name = a.names.name_of(number)) return text_of(*name);
      return py::int_(number);
    }
    case attribute_kind::list_of_uint32:
      return list_of(*static_cast<const dimensions*>(value));
    case attribute_kind::list_of_int32:
      return list_of(*static_cast<const int32_list*>(value));
    case attribute_kind::list_of_float32:
      return list_of(*static_cast<const float32_list*>(value));
    case attribute_kind::scalar: {
      const auto& given = *static_cast<const scalar*>(value);
      py::object result = py::none();
      visit_data_type(all_types{}, given.type().value_or(data_type::unknown), [&]<class T>(std::type_identity<T>) {
        const T number = given.as<T>();
        result = py::array(dtype_of(*given.type()), py::ssize_t{1}, &number)[py::int_(0)];
      });
      return result;
    }
    case attribute_kind::size_2d: {
      const auto& size = *static_cast<const size_2d*>(value);
      return list_of(std::array{size.width, size.height});
    }
    case attribute_kind::scale_bias: {
      const auto& given = *static_cast<const std::optional<scale_bias>*>(value);
      return given ? py::object(list_of(*given)) : py::none();
    }
    case attribute_kind::activation: {
      const auto& given = *static_cast<const std::optional<activation>*>(value);
      return given ? py::object(to_python(*given)) : py::none();
    }
    case attribute_kind::list_of_activation: {
      py::list result;
      for (const activation& one : *static_cast<const activation_list*>(value)) result.append(to_python(one));
      return result;
    }
  }
  return py::none();
}

// The attributes, policies and the level of a desc, by name.
inline py::dict attributes_of(const any_desc& desc) {
  py::dict result;
  const operator_description& op = desc.description();
  for (const std::span<const attribute> rows : {op.attributes, op.policies})
    for (const attribute& a : rows) result[text_of(a.name)] = to_python(a, desc.get());
  result["feature_level"] = text_of(name_of(desc.level()));
  return result;
}

inline std::string_view name_of(attribute_kind kind) {
  switch (kind) {
    case attribute_kind::uint32:
    case attribute_kind::int32:
    case attribute_kind::uint64:
      return "int";
    case attribute_kind::float32:
      return "float";
    case attribute_kind::boolean:
      return "bool";
    case attribute_kind::enumeration:
      return "enumerator";
    case attribute_kind::list_of_uint32:
    case attribute_kind::list_of_int32:
      return "ints";
    case attribute_kind::list_of_float32:
      return "floats";
    case attribute_kind::scalar:
      return "scalar";
    case attribute_kind::size_2d:
      return "size";
    case attribute_kind::scale_bias:
      return "scale_bias";
    case attribute_kind::activation:
      return "activation";
    case attribute_kind::list_of_activation:
      return "activations";
  }
  return "";
}

inline py::list operand_rows(const operator_description& op) {
  py::list result;
  for (const operand_info& info : op.operands) {
    const operand_limits& limits = *limits_at(info, feature_level::latest);
    py::list types;
    for (std::uint32_t number = 0; number < detail::data_type_table.size(); ++number)
      if (limits.data_types.contains(static_cast<data_type>(number)))
        types.append(text_of(name_of(static_cast<data_type>(number))));
    py::dict row;
    row["name"] = text_of(info.name);
    row["is_output"] = info.role == operand_role::output;
    row["is_array"] = info.is_array();
    row["is_optional"] = info.optional;
    row["types"] = types;
    row["dimensions"] = py::make_tuple(limits.fewest_dimensions, limits.most_dimensions);
    result.append(row);
  }
  return result;
}

inline py::list attribute_rows(const operator_description& op) {
  py::list result;
  const any_desc defaults(op);
  for (const std::span<const attribute> rows : {op.attributes, op.policies})
    for (const attribute& a : rows) {
      py::list names;
      for (const enumerator_row& one : a.names.rows) names.append(text_of(one.name));
      py::dict row;
      row["name"] = text_of(a.name);
      row["kind"] = text_of(name_of(a.kind));
      row["names"] = names;
      row["default"] = to_python(a, defaults.get());
      row["is_policy"] = rows.data() == op.policies.data();
      result.append(row);
    }
  return result;
}

// The operators by name, each with its operands and its attributes and policies.
inline py::dict operator_rows() {
  py::dict result;
  for (const operator_description* op : operator_descriptions()) {
    py::dict row;
    row["operands"] = operand_rows(*op);
    row["attributes"] = attribute_rows(*op);
    row["level"] = text_of(name_of(op->first_level()));
    result[text_of(op->name)] = row;
  }
  return result;
}

template <class Enum>
py::list names_of_enumeration() {
  py::list result;
  for (const auto& entry : enumeration<Enum>::values) result.append(text_of(entry.name));
  return result;
}

// The names that several operators share: feature levels, data types, activations with their members, and what cases()
// chooses by.
inline py::dict shared_names() {
  py::dict result;
  py::list levels, types;
  for (const feature_level_name& level : feature_levels) levels.append(text_of(level.name));
  for (std::uint32_t number = 0; number < detail::data_type_table.size(); ++number)
    if (element_size_in_bytes(static_cast<data_type>(number)) != 0)
      types.append(text_of(name_of(static_cast<data_type>(number))));
  py::dict activations;
  for (const activation_info& info : activation_table) {
    py::list members;
    for (std::size_t i = 0; i < info.parameter_count(); ++i) members.append(text_of(info.parameters[i]));
    if (info.takes_axes) members.append("Axes");
    activations[text_of(info.name)] = members;
  }
  result["feature_level"] = levels;
  result["data_types"] = types;
  result["activations"] = activations;
  result["sizes_class"] = names_of_enumeration<oracle::sizes_class>();
  result["strides"] = names_of_enumeration<oracle::stride_pattern>();
  result["data"] = names_of_enumeration<oracle::data_class>();
  return result;
}

}  // namespace goldml::python
