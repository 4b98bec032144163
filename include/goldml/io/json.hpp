// JSON with the extensions of DxDispatch (comments, trailing commas, NaN and Infinity), read strictly: no duplicate
// keys, limited nesting, valid UTF-8, errors with line and column, numbers without loss (-0 keeps its sign, 64-bit
// integers are exact). A refusal of a value names it; model_place.hpp finds its line, column and path. Needs RapidJSON.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <goldml/io/model_error.hpp>
#include <goldml/io/suggestions.hpp>

namespace goldml::io {

using json = rapidjson::Value;

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

namespace detail {

inline constexpr std::size_t deepest_json = 64;

// A handler between RapidJSON's reader, which passes numbers as text, and the document.
template <class Document>
class strict_json_handler {
 public:
  strict_json_handler(Document& document, bool minus_zero_is_integer)
      : document_(&document), minus_zero_is_integer_(minus_zero_is_integer) {}

  const std::string& complaint() const { return complaint_; }

  bool RawNumber(const char* begin, rapidjson::SizeType size, bool) {
    const std::string_view text(begin, size);
    const auto parse = [&](auto number) -> std::optional<decltype(number)> {
      const auto result = std::from_chars(begin, begin + size, number);
      return result.ec == std::errc{} && result.ptr == begin + size ? std::optional(number) : std::nullopt;
    };
    if (const auto integer = parse(std::int64_t{}); integer && (text != "-0" || minus_zero_is_integer_))
      return document_->Int64(*integer);
    if (const auto integer = parse(std::uint64_t{})) return document_->Uint64(*integer);
    if (const auto number = parse(double{})) return document_->Double(*number);
    complaint_ = "the number " + in_quotes(text) + " is out of range";
    return false;
  }

  bool Key(const char* text, rapidjson::SizeType size, bool copy) {
    if (!is_unicode({text, size})) return false;
    if (!keys_.back().emplace(text, size).second) {
      complaint_ = "duplicate key " + in_quotes({text, size});
      return false;
    }
    return document_->Key(text, size, copy);
  }

  bool StartObject() { return deeper() && document_->StartObject(); }
  bool StartArray() { return deeper() && document_->StartArray(); }
  bool EndObject(rapidjson::SizeType count) { return keys_.pop_back(), document_->EndObject(count); }
  bool EndArray(rapidjson::SizeType count) { return keys_.pop_back(), document_->EndArray(count); }

  bool Null() { return document_->Null(); }
  bool Bool(bool value) { return document_->Bool(value); }
  bool String(const char* text, rapidjson::SizeType size, bool copy) {
    return is_unicode({text, size}) && document_->String(text, size, copy);
  }
  bool Double(double value) { return document_->Double(value); }

  // Numbers arrive only as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }

 private:
  // RapidJSON checks the encoding of the text, but accepts escaped unpaired surrogates such as \udc00.
  bool is_unicode(std::string_view text) {
    for (std::size_t i = text.find('\xED'); i != std::string_view::npos; i = text.find('\xED', i + 1))
      if (i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0xA0) {
        complaint_ = "a string has an unpaired surrogate";
        return false;
      }
    return true;
  }

  bool deeper() {
    keys_.emplace_back();
    if (keys_.size() <= deepest_json) return true;
    complaint_ = "nesting is too deep";
    return false;
  }

  Document* document_;
  bool minus_zero_is_integer_;
  std::vector<std::set<std::string, std::less<>>> keys_;  // of each open object
  std::string complaint_;
};

}  // namespace detail

// Reads the first value of the text. `end`, if given, gets the offset behind it; as in DxDispatch, what follows is not
// read. With minus_zero_is_integer the number -0 is the integer 0, as for RapidJSON and so for DxDispatch; otherwise it
// keeps its sign. Throws model_error M1. `file` is for its message, and safe for terminals.
inline rapidjson::Document parse_json(std::string_view text, std::string_view file = "", std::size_t* end = nullptr,
                                      bool minus_zero_is_integer = false) {
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseCommentsFlag |
                             rapidjson::kParseTrailingCommasFlag | rapidjson::kParseNanAndInfFlag |
                             rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag |
                             rapidjson::kParseStopWhenDoneFlag;
  const std::size_t mark = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  text.remove_prefix(mark);
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  rapidjson::Document document;
  std::string complaint;
  auto generate = [&](rapidjson::Document& target) {
    detail::strict_json_handler<rapidjson::Document> handler(target, minus_zero_is_integer);
    const bool parsed = !reader.Parse<flags>(stream, handler).IsError();
    complaint = handler.complaint();
    return parsed;
  };
  document.Populate(generate);
  const std::size_t offset = reader.GetErrorOffset();
  if (reader.HasParseError() && complaint.empty()) {
    complaint = rapidjson::GetParseError_En(reader.GetParseErrorCode());
    if (complaint.ends_with('.')) complaint.pop_back();
  }
  if (!complaint.empty()) {
    model_place place = line_counter(text).place_at(offset);
    place.file = file;
    throw model_error(model_violation("M1", "JSON", "malformed: " + complaint, "a DxDispatch model", ""),
                      std::move(place));
  }
  if (end != nullptr) *end = mark + stream.Tell();
  return document;
}

// A refusal of a value. Its place can be found as long as its document exists.
class value_error : public error {
 public:
  value_error(const goldml::violation& v, const json& value) : error(v), value_(&value) {}

  const json* value() const { return value_; }

 private:
  const json* value_;
};

// refuse() for a value: the one that is wrong, or the object in which a member is missing.
[[noreturn]] inline void refuse(const json& value, std::string_view rule, std::string_view member, std::string_view got,
                                std::string_view wanted, std::string_view where) {
  throw value_error(model_violation(rule, member, got, wanted, where), value);
}

// Calls f. What it refuses without naming a value, such as a file, is refused as this value.
template <class F>
decltype(auto) at_value(const json& value, F&& f) {
  try {
    return f();
  } catch (const value_error&) {
    throw;
  } catch (const error& refusal) {
    throw value_error(refusal.violation(), value);
  }
}

// The kind of a value, for messages.
inline std::string description(const json& value) {
  if (value.IsString()) return in_quotes({value.GetString(), value.GetStringLength()});
  if (value.IsInt64()) return fmt::format("{}", value.GetInt64());
  if (value.IsUint64()) return fmt::format("{}", value.GetUint64());
  if (value.IsDouble()) return fmt::format("{}", value.GetDouble());
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  if (value.IsNull()) return "null";
  return value.IsArray() ? "an array" : "an object";
}

// nullptr if the object has no such member. Null members count as absent, as in DxDispatch.
inline const json* find_member(const json& object, std::string_view name) {
  const auto member = object.FindMember(json(rapidjson::StringRef(name.data(), name.size())));
  return member == object.MemberEnd() || member->value.IsNull() ? nullptr : &member->value;
}

// "Type" or "type", "Desc" or "desc": under which name an operator object has a member. The capital one comes first.
inline std::string_view spelling_of(const json& object, std::string_view capital, std::string_view other) {
  return find_member(object, capital) != nullptr ? capital : other;
}

inline std::string_view text_of(const json& string) { return {string.GetString(), string.GetStringLength()}; }

// The members of an object. Not named GetObject, which is a macro of <windows.h>.
inline json::ConstObject members_of(const json& object) { return object.Get<json::ConstObject>(); }

// Warns about each unknown member, which is ignored.
inline void warn_unknown(const json& object, const std::set<std::string_view>& known, std::string_view where,
                         const std::function<void(std::string_view)>& warn) {
  if (!warn) return;
  std::size_t unknown = 0;
  std::vector<std::string_view> absent;
  for (const auto& member : members_of(object)) {
    const std::string_view name = text_of(member.name);
    if (known.contains(name)) continue;
    if (unknown++ == 0)
      for (const std::string_view one : known)
        if (!one.empty() && find_member(object, one) == nullptr) absent.push_back(one);
    const std::string question = unknown <= 100 ? did_you_mean(name, absent) : "";  // which takes time
    warn(fmt::format("unknown member {} of {} is ignored{}{}", in_quotes(name), where, question.empty() ? "" : ": ",
                     question));
  }
}

// What the object has instead of a missing member, for messages: "'Axis' is there: did you mean 'Axes'?". "" if no
// member has the same first letter and nearly the same name: at most two edits, because InputWindowStrides is three
// from InputWindowSizes.
inline std::string instead_of(const json& object, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& member : members_of(object)) {
    const std::string_view other = text_of(member.name);
    if (names.size() < detail::most_compared_names && !other.empty() && !name.empty() &&
        detail::lower_case(other.front()) == detail::lower_case(name.front()))
      names.push_back(other);
  }
  const std::string_view nearest = nearest_name(name, names);
  if (nearest.empty() || nearest == name || detail::edit_distance(nearest, name) > 2) return "";
  return fmt::format("{} is there: did you mean {}?", in_quotes(nearest), in_quotes(name));
}

// Throws error M2 for a member that is not in the object, or null.
[[noreturn]] inline void refuse_missing(const json& object, std::string_view name, std::string_view wanted,
                                        std::string_view where) {
  refuse(object, "M2", name, "missing", wanted, joined_reasons(instead_of(object, name), where));
}

// The functions below throw error M2 for a missing member or one of another kind, and M4 for a number out of range.

inline const json& required_member(const json& object, std::string_view name, std::string_view where) {
  const json* value = find_member(object, name);
  if (value == nullptr) refuse_missing(object, name, "a value", where);
  return *value;
}

inline const json& required_object(const json& object, std::string_view name, std::string_view where) {
  const json& value = required_member(object, name, where);
  if (!value.IsObject()) refuse(value, "M2", name, description(value), "an object", where);
  return value;
}

inline const json& required_array(const json& object, std::string_view name, std::string_view where) {
  const json& value = required_member(object, name, where);
  if (!value.IsArray()) refuse(value, "M2", name, description(value), "an array", where);
  return value;
}

inline std::string_view to_text(const json& value, std::string_view name, std::string_view where) {
  if (!value.IsString()) refuse(value, "M2", name, description(value), "a string", where);
  return text_of(value);
}

inline std::string_view required_text(const json& object, std::string_view name, std::string_view where) {
  return to_text(required_member(object, name, where), name, where);
}

// An integer of type T. A number such as 3.0 is accepted.
template <class T>
T to_integer(const json& value, std::string_view name, std::string_view where) {
  using limits = std::numeric_limits<T>;
  if (value.IsInt64() && std::in_range<T>(value.GetInt64())) return static_cast<T>(value.GetInt64());
  if (value.IsUint64() && std::in_range<T>(value.GetUint64())) return static_cast<T>(value.GetUint64());
  if (value.IsDouble()) {
    const double number = value.GetDouble();
    // Integers below 2^53 are exact in a double. Above, only a number written as an integer is certainly an integer.
    if (std::abs(number) < 9007199254740992.0 && std::trunc(number) == number &&
        std::in_range<T>(static_cast<std::int64_t>(number)))
      return static_cast<T>(static_cast<std::int64_t>(number));
  }
  if (!value.IsNumber()) refuse(value, "M2", name, description(value), "an integer", where);
  refuse(value, "M4", name, description(value),
         fmt::format("an integer from {} to {}", limits::lowest(), (limits::max)()), where);
}

template <class T>
T integer_or(const json& object, std::string_view name, T otherwise, std::string_view where) {
  const json* value = find_member(object, name);
  return value == nullptr ? otherwise : to_integer<T>(*value, name, where);
}

}  // namespace goldml::io
