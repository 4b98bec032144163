// Finds where a value is in the text of a model: its line, its column and its JSON path. Only for messages: the text is
// scanned again when something is refused, so that reading a model keeps no positions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include <goldml/io/json.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/quotes.hpp>

namespace goldml::io {

namespace detail {

// Steps through the values of a JSON text that parse_json() accepts, in the order of the text: an object or array comes
// before what is in it. Keys are not values.
class value_scanner {
 public:
  explicit value_scanner(std::string_view text) : text_(text) {}

  // The offset of the next value; the length of the text after the last.
  std::size_t next() {
    while (skip_space(), at_ < text_.size()) {
      const std::size_t begin = at_;
      const char c = text_[at_++];
      if (c == '{' || c == '[') return begin;
      if (c == ',' || c == ':' || c == ']' || c == '}') continue;
      if (c == '"') {
        skip_string();
        skip_space();
        if (at_ < text_.size() && text_[at_] == ':') continue;  // a key
      } else {
        at_ = (std::min)(text_.find_first_of(" \t\r\n,:]}/", at_), text_.size());
      }
      return begin;
    }
    return text_.size();
  }

  // The offset of the next character that is neither space nor in a comment; the length of the text if there is none.
  std::size_t skip_space() {
    for (;;) {
      at_ = (std::min)(text_.find_first_not_of(" \t\r\n", at_), text_.size());
      if (text_.substr(at_, 2) == "//")
        at_ = (std::min)(text_.find('\n', at_), text_.size());
      else if (text_.substr(at_, 2) == "/*")
        at_ = (std::min)(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else
        return at_;
    }
  }

 private:
  // The rest of a string.
  void skip_string() {
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? std::size_t{2} : std::size_t{1};
    at_ = (std::min)(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// A member's part of a path: .Axes, or ['least of each row'] for a name that is not an identifier.
inline std::string path_of_member(std::string_view name) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view digits = "0123456789";
  const bool identifier = !name.empty() && name.size() <= 60 && letters.find(name.front()) != std::string_view::npos &&
                          name.find_first_not_of(std::string(letters).append(digits)) == std::string_view::npos;
  return identifier ? "." + std::string(name) : "[" + in_quotes(name) + "]";
}

// Searches values in a document, by address. Counts the values before each, and makes its path.
class value_finder {
 public:
  struct hit {
    const json* value;
    std::size_t before;
    std::string path;
  };

  explicit value_finder(std::span<const json* const> values) : missing_(values.begin(), values.end()) {
    std::sort(missing_.begin(), missing_.end(), std::less<>());
    missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
  }

  void search(const json& value) {
    const auto found = std::lower_bound(missing_.begin(), missing_.end(), &value, std::less<>());
    if (found != missing_.end() && *found == &value) {
      hits_.push_back({&value, before_, path()});
      missing_.erase(found);
    }
    ++before_;
    if (value.IsObject()) {
      for (auto member = value.MemberBegin(); member != value.MemberEnd() && !missing_.empty(); ++member)
        search_below({&member->name, 0}, member->value);
    } else if (value.IsArray()) {
      for (rapidjson::SizeType i = 0; i < value.Size() && !missing_.empty(); ++i) search_below({nullptr, i}, value[i]);
    }
  }

  // In the order of the text.
  const std::vector<hit>& hits() const { return hits_; }

 private:
  struct step {
    const json* name;  // nullptr: an element of an array
    std::size_t index;
  };

  void search_below(const step& next, const json& value) {
    steps_.push_back(next);
    search(value);
    steps_.pop_back();
  }

  std::string path() const {
    std::string text;
    for (const step& one : steps_)
      text += one.name == nullptr ? fmt::format("[{}]", one.index) : path_of_member(text_of(*one.name));
    return text.starts_with('.') ? text.substr(1) : text;
  }

  std::vector<const json*> missing_;  // sorted
  std::vector<hit> hits_;
  std::vector<step> steps_;
  std::size_t before_ = 0;
};

}  // namespace detail

// The places of values of the document, which parse_json() has made of the text. Takes the time of reading the text
// once. A value of another document has no place.
inline std::vector<model_place> places_of_values(std::string_view text, const json& document,
                                                 std::span<const json* const> values, std::string_view file) {
  std::vector<model_place> places(values.size());
  if (values.empty()) return places;
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  detail::value_finder finder(values);
  finder.search(document);
  detail::value_scanner scanner(text);
  line_counter lines(text);
  std::size_t passed = 0;  // values
  for (const auto& hit : finder.hits()) {
    for (; passed < hit.before; ++passed) scanner.next();
    ++passed;
    model_place place = lines.place_at(scanner.next());
    place.file = file;
    place.path = hit.path;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] == hit.value) places[i] = place;
  }
  return places;
}

inline model_place place_of_value(std::string_view text, const json& document, const json& value,
                                  std::string_view file) {
  const json* const wanted = &value;
  return places_of_values(text, document, {&wanted, 1}, file).front();
}

// Finds the places of what is refused when a model is validated or played. Parses its text again when it is first used.
class model_places {
 public:
  explicit model_places(const model& m) : source_(m.source) {}

  // What violations of dispatchables' operators are about: the member, or the nearest value around it. Takes pairs of
  // the dispatchable's name and the violation.
  template <class Pairs>
  std::vector<model_place> of(const Pairs& found) {
    if (found.empty() || root() == nullptr) return std::vector<model_place>(found.size());
    std::vector<const json*> values;
    for (const auto& [dispatchable, v] : found) values.push_back(value_of(dispatchable, v));
    return places_of_values(source_->text, *document_, values, source_->file);
  }
  model_place of(std::string_view dispatchable, const violation& v) {
    return of(std::array{std::pair<std::string_view, const violation&>(dispatchable, v)}).front();
  }

  // A command, or its member.
  model_place of_command(std::size_t number, std::string_view member = "") {
    const json* const value = root();
    if (value == nullptr) return {};
    return place_of_value(source_->text, *document_, *descend(descend(find_member(*value, "commands"), number), member),
                          source_->file);
  }

 private:
  // nullptr if there is no such dispatchable.
  const json* value_of(std::string_view dispatchable, const violation& v) {
    const json* value = find_member(*find_member(*root(), "dispatchables"), dispatchable);
    if (value == nullptr) return nullptr;
    if (v.member == "type") return descend(value, spelling_of(*value, "Type", "type"));
    value = descend(value, spelling_of(*value, "Desc", "desc"));
    if (!v.operand.empty()) {
      value = descend(value, v.operand);
      if (v.element) value = descend(value, *v.element);
      value = descend(value, "Desc");
    }
    value = descend(value, v.member == "DimensionCount" && !has(*value, v.member) ? "Sizes" : v.member);
    return v.index ? descend(value, *v.index) : value;
  }

  static bool has(const json& value, std::string_view name) {
    return !name.empty() && value.IsObject() && find_member(value, name) != nullptr;
  }
  static const json* descend(const json* value, std::string_view name) {
    return has(*value, name) ? find_member(*value, name) : value;
  }
  static const json* descend(const json* value, std::size_t i) {
    return value->IsArray() && i < value->Size() ? &(*value)[static_cast<rapidjson::SizeType>(i)] : value;
  }

  const json* root() {
    if (source_ == nullptr) return nullptr;
    try {
      if (!document_) document_.emplace(parse_json(source_->text));
    } catch (const std::bad_alloc&) {  // the message comes without a place
      return nullptr;
    }
    return &*document_;
  }

  std::shared_ptr<const model_source> source_;
  std::optional<rapidjson::Document> document_;
};

}  // namespace goldml::io
