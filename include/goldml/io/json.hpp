// JSON with the extensions of DxDispatch (comments, trailing commas, NaN and Infinity), read strictly: no duplicate
// keys, limited nesting, valid UTF-8, errors with line and column, numbers without loss (-0 keeps its sign, 64-bit
// integers are exact). Needs RapidJSON.
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

namespace goldml::io {

using json = rapidjson::Value;

namespace detail {

inline constexpr std::size_t deepest_json = 64;

// A handler between RapidJSON's reader, which passes numbers as text, and the document.
template <class Document>
class strict_json_handler {
 public:
  explicit strict_json_handler(Document& document) : document_(&document) {}

  const std::string& complaint() const { return complaint_; }

  bool RawNumber(const char* begin, rapidjson::SizeType size, bool) {
    const std::string_view text(begin, size);
    const auto parse = [&](auto number) -> std::optional<decltype(number)> {
      const auto result = std::from_chars(begin, begin + size, number);
      return result.ec == std::errc{} && result.ptr == begin + size ? std::optional(number) : std::nullopt;
    };
    if (const auto integer = parse(std::int64_t{}); integer && text != "-0") return document_->Int64(*integer);
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
  bool EndObject(rapidjson::SizeType count) { return shallower() && document_->EndObject(count); }
  bool EndArray(rapidjson::SizeType count) { return shallower() && document_->EndArray(count); }

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
  bool shallower() {
    keys_.pop_back();
    return true;
  }

  Document* document_;
  std::vector<std::set<std::string, std::less<>>> keys_;  // of each open object
  std::string complaint_;
};

// Line and column, counted from 1; columns in bytes.
inline std::string line_and_column(std::string_view text, std::size_t offset) {
  std::size_t line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i)
    if (text[i] == '\n') {
      ++line;
      line_start = i + 1;
    }
  return fmt::format("line {}, column {}", line, offset - line_start + 1);
}

}  // namespace detail

// Throws error M1.
inline rapidjson::Document parse_json(std::string_view text) {
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseCommentsFlag |
                             rapidjson::kParseTrailingCommasFlag | rapidjson::kParseNanAndInfFlag |
                             rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  rapidjson::Document document;
  std::string complaint;
  auto generate = [&](rapidjson::Document& target) {
    detail::strict_json_handler<rapidjson::Document> handler(target);
    const bool parsed = !reader.Parse<flags>(stream, handler).IsError();
    complaint = handler.complaint();
    return parsed;
  };
  document.Populate(generate);
  std::size_t offset = reader.GetErrorOffset();
  if (!reader.HasParseError() && stream.Tell() < text.size()) {  // RapidJSON treats a NUL as the end
    complaint = "the text contains a NUL byte";
    offset = stream.Tell();
  } else if (reader.HasParseError() && complaint.empty()) {
    complaint = rapidjson::GetParseError_En(reader.GetParseErrorCode());
    if (complaint.ends_with('.')) complaint.pop_back();
  }
  if (!complaint.empty())
    refuse("M1", "JSON", "malformed: " + complaint, "a DxDispatch model", detail::line_and_column(text, offset));
  return document;
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

inline std::string_view text_of(const json& string) { return {string.GetString(), string.GetStringLength()}; }

// The members of an object. Not named GetObject, which is a macro of <windows.h>.
inline json::ConstObject members_of(const json& object) { return object.Get<json::ConstObject>(); }

// Warns about each unknown member, which is ignored.
inline void warn_unknown(const json& object, const std::set<std::string_view>& known, std::string_view where,
                         const std::function<void(std::string_view)>& warn) {
  if (!warn) return;
  for (const auto& member : members_of(object))
    if (!known.contains(text_of(member.name)))
      warn(fmt::format("unknown member {} of {} is ignored", in_quotes(text_of(member.name)), where));
}

// The functions below throw error M2 for a missing member or one of another kind, and M4 for a number out of range.

inline const json& required_member(const json& object, std::string_view name, std::string_view where) {
  const json* value = find_member(object, name);
  if (value == nullptr) refuse("M2", name, "missing", "a value", where);
  return *value;
}

inline const json& required_object(const json& object, std::string_view name, std::string_view where) {
  const json& value = required_member(object, name, where);
  if (!value.IsObject()) refuse("M2", name, description(value), "an object", where);
  return value;
}

inline const json& required_array(const json& object, std::string_view name, std::string_view where) {
  const json& value = required_member(object, name, where);
  if (!value.IsArray()) refuse("M2", name, description(value), "an array", where);
  return value;
}

inline std::string_view to_text(const json& value, std::string_view name, std::string_view where) {
  if (!value.IsString()) refuse("M2", name, description(value), "a string", where);
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
  if (!value.IsNumber()) refuse("M2", name, description(value), "an integer", where);
  refuse("M4", name, description(value), fmt::format("an integer from {} to {}", limits::lowest(), (limits::max)()),
         where);
}

template <class T>
T integer_or(const json& object, std::string_view name, T otherwise, std::string_view where) {
  const json* value = find_member(object, name);
  return value == nullptr ? otherwise : to_integer<T>(*value, name, where);
}

}  // namespace goldml::io
