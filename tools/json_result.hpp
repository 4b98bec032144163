// What a command prints with --json: one document on one line of standard output. docs/json.md describes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/writer.h>

#include <goldml/core/data_type.hpp>
#include <goldml/core/violation.hpp>
#include <goldml/io/model_error.hpp>

namespace goldml::tool {

// Increases when a member is removed or changes its meaning. New members do not increase it.
inline constexpr int json_schema = 1;

// Writes values and members in order. The result is ASCII without control characters: all other characters are escaped,
// and bytes that are not UTF-8 become U+FFFD.
class json_writer {
 public:
  json_writer& key(std::string_view name);
  void text(std::string_view value);
  void count(std::uint64_t value) { writer_.Uint64(value); }
  void flag(bool value) { writer_.Bool(value); }
  void number(std::string_view text);  // as number_text() writes it; a string for what is not finite
  void elements(std::span<const std::byte> bytes, data_type type);  // a list; null for data_type::unknown

  template <class F>
  void object(F&& members) {
    begin_object();
    members();
    end_object();
  }
  template <class Range, class F>
  void list(const Range& values, F&& write) {
    writer_.StartArray();
    for (const auto& value : values) write(value);
    writer_.EndArray();
  }
  void texts(const std::vector<std::string>& values) {
    list(values, [&](const std::string& value) { text(value); });
  }

  void begin_object() { writer_.StartObject(); }
  void end_object() { writer_.EndObject(); }

  explicit json_writer(std::ostream& out) : to_{out} {}

 private:
  // What RapidJSON writes to. The document is not kept in memory, as it may be much larger than what it describes.
  struct stream {
    using Ch = char;
    std::ostream& out;
    void Put(char c) {
      if (c == '\x7F')  // which the encoding does not escape; it occurs only in strings
        out << "\\u007F";
      else
        out.put(c);
    }
    void Flush() {}
    friend void PutUnsafe(stream& to, char c) { to.Put(c); }
  };

  stream to_;
  rapidjson::Writer<stream, rapidjson::UTF8<>, rapidjson::ASCII<>> writer_{to_};
};

// Why something is refused. Everything but the message may be unknown.
struct result_error {
  std::string message;
  goldml::violation violation = {};
  io::model_place place = {};
};

void write_error(json_writer& writer, const result_error& error);

// The document of one call. A command adds its own members only when it has finished, so that the document of a call
// that is refused has none of them.
class json_result {
 public:
  json_result(std::string_view command, std::ostream& out);

  json_writer& members() { return writer_; }
  void add_error(result_error error) { errors_.push_back(std::move(error)); }

  // Ends the document, with the exit status. Called once.
  void finish(int status);

 private:
  json_writer writer_;
  std::vector<result_error> errors_;
};

}  // namespace goldml::tool
