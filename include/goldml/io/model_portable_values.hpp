// What DxDispatch accepts as a number, a name or a missing member. Used by model_portable.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <goldml/core/data_type.hpp>
#include <goldml/core/number.hpp>
#include <goldml/io/json.hpp>
#include <goldml/io/model_error.hpp>

namespace goldml::io::detail {

// Calls sink(violation, value), M15, for each finding: in a value, or in the object that lacks one. `where` is for the
// message.
class portable_values {
 public:
  using sink = std::function<void(const violation&, const json&)>;

  explicit portable_values(sink found) : sink_(std::move(found)) {}

 protected:
  void report(const json& value, std::string_view member, std::string_view got, std::string_view wanted,
              std::string_view where) {
    sink_(model_violation("M15", member, got, wanted,
                          where.empty() ? "DxDispatch" : fmt::format("DxDispatch; {}", where)),
          value);
  }

  // nullptr if the member is missing. A null is reported, because DxDispatch treats it as a value of the wrong kind.
  const json* member(const json& object, std::string_view name, std::string_view where) {
    const auto found = object.FindMember(json(rapidjson::StringRef(name.data(), name.size())));
    if (found == object.MemberEnd()) return nullptr;
    if (!found->value.IsNull()) return &found->value;
    report(found->value, name, "null", "a value, or no such member", where);
    return nullptr;
  }

  // One integer of type T. DxDispatch does not accept 3.0, 1e2 and -0.0 as integers.
  template <class T>
  void check_integer(const json& value, std::string_view name, std::string_view where) {
    if (value.IsDouble())
      report(value, name, number_of(value), "an integer without point and exponent", where);
    else if (!(value.IsInt64() && std::in_range<T>(value.GetInt64())) &&
             !(value.IsUint64() && std::in_range<T>(value.GetUint64())))
      report(value, name, description(value),
             fmt::format("an integer from {} to {}", std::numeric_limits<T>::lowest(), (std::numeric_limits<T>::max)()),
             where);
  }

  template <class T>
  void check_integer_member(const json& object, std::string_view name, std::string_view where) {
    if (const json* value = member(object, name, where)) check_integer<T>(*value, name, where);
  }
  template <class T>
  void check_integers(const json& list, std::string_view name, std::string_view where) {
    for (const json& value : list.GetArray()) check_integer<T>(value, name, where);
  }

  void check_float(const json& value, std::string_view name, std::string_view where) {
    if (value.IsString()) {
      const std::string_view text = text_of(value);
      const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
      const bool negative_nan = text.starts_with('-') && digits.size() == 3 && (digits[0] == 'n' || digits[0] == 'N');
      if (digits.size() != 3 || negative_nan)
        report(value, name, in_quotes(text), "\"nan\", \"inf\" or \"-inf\"", where);
    } else if (value.IsDouble() && !std::isfinite(value.GetDouble())) {
      report(value, name, number_of(value), "it in quotes", where);
    } else if (!value.IsDouble() && !value.IsLosslessDouble()) {
      report(value, name, description(value), "an integer that FLOAT64 holds, or a number with a point", where);
    }
  }

  static std::string number_of(const json& value) {
    const double number = value.GetDouble();
    if (std::isnan(number)) return "a literal NaN";
    return std::isinf(number) ? "a literal infinity" : description(value);
  }

  // One element of a data type.
  void check_element(const json& value, data_type type, std::string_view name, std::string_view where) {
    visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
      if constexpr (is_floating_type<T>)
        check_float(value, name, where);
      else
        check_integer<T>(value, name, where);
    });
  }

  void check_name(const json& value, std::string_view name, std::span<const std::string_view> names,
                  std::string_view prefix, std::string_view where) {
    std::string wanted;
    for (const std::string_view one : names) {
      wanted += (wanted.empty() ? "" : ", ") + std::string(one);
      if (!value.IsString()) continue;
      std::string_view text = text_of(value);
      if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
      if (text == one) return;
    }
    report(value, name, description(value), wanted, where);
  }

  // A count that goldml computes if it is missing.
  template <class T>
  void require(const json& object, std::string_view name, std::string_view where) {
    if (!has_name(object, name))
      report(object, name, "missing", "a number", where);
    else
      check_integer_member<T>(object, name, where);
  }
  // Whether the object has a member of that name, which may be null.
  static bool has_name(const json& object, std::string_view name) {
    return object.HasMember(json(rapidjson::StringRef(name.data(), name.size())));
  }

 private:
  sink sink_;
};

}  // namespace goldml::io::detail
