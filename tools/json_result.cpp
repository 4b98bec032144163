#include "json_result.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/core/number_text.hpp>
#include <goldml/io/model_numbers.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/version.hpp>

namespace goldml::tool {

namespace {

// The text with U+FFFD for each byte that is not UTF-8.
std::string valid_text(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const io::detail::utf8_character c = io::detail::first_character(text);
    result += c.valid ? text.substr(0, c.length) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(c.length);
  }
  return result;
}

rapidjson::SizeType size_of(std::string_view text) { return static_cast<rapidjson::SizeType>(text.size()); }

}  // namespace

json_writer& json_writer::key(std::string_view name) {
  const std::string valid = valid_text(name);
  writer_.Key(valid.data(), size_of(valid));
  return *this;
}

void json_writer::text(std::string_view value) {
  const std::string valid = valid_text(value);
  writer_.String(valid.data(), size_of(valid));
}

void json_writer::number(std::string_view text) {
  if (text == "-0") text = "-0.0";               // which no reader takes for an integer
  if (text.find('n') == std::string_view::npos)  // neither nan nor inf
    writer_.RawValue(text.data(), text.size(), rapidjson::kNumberType);
  else
    this->text(text);
}

void json_writer::elements(std::span<const std::byte> bytes, data_type type) {
  if (type == data_type::unknown) {
    writer_.Null();
    return;
  }
  writer_.StartArray();
  io::for_each_element(bytes, type, [&](std::size_t, auto element) { number(number_text(element)); });
  writer_.EndArray();
}

void write_error(json_writer& writer, const result_error& error) {
  const violation& v = error.violation;
  writer.object([&] {
    writer.key("message").text(error.message);
    const auto add = [&](std::string_view name, std::string_view value) {
      if (!value.empty()) writer.key(name).text(value);
    };
    add("rule", v.rule);
    add("refused_by", v.operator_name);
    add("operand", v.operand);
    add("member", v.member);
    if (v.element) writer.key("element").count(*v.element);
    if (v.index) writer.key("index").count(*v.index);
    add("got", v.got.view());
    add("wanted", v.wanted.view());
    add("why", v.why.view());
    if (error.place.line == 0) return;
    add("file", error.place.file);
    writer.key("line").count(error.place.line);
    writer.key("column").count(error.place.column);
    add("path", error.place.path);
  });
}

json_result::json_result(std::string_view command, std::ostream& out) : writer_(out) {
  writer_.begin_object();
  writer_.key("goldml").text(fmt::format("{}.{}.{}", version.major_number, version.minor_number, version.patch_number));
  writer_.key("schema").count(json_schema);
  writer_.key("command").text(command);
}

void json_result::finish(int status) {
  writer_.key("errors").list(errors_, [&](const result_error& error) { write_error(writer_, error); });
  writer_.key("status").count(static_cast<std::uint64_t>(status));
  writer_.end_object();
}

}  // namespace goldml::tool
