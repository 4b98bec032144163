// How a model is refused, and where. The codes of the model itself, in addition to those of operators:
//   M1  not JSON (the message has line and column), nested too deep, or a duplicate key
//   M2  a member that is missing or has the wrong kind of value
//   M3  an unknown name (of a resource, an operand, a policy, ...); a tensor without a binding or the reverse
//   M4  a value out of range for its data type or member
//   M5  not supported by goldml: another operator, HLSL, ONNX, images, deferred resources, values of 4 bits, commands
//       and kinds of files that it lacks, printing a resource without a data type
//   M6  a buffer smaller than its values or than a range bound from it
//   M7  a path that leads out of the folders that the model may use, or contains a link
//   M8  more memory than the caller allows
//   M9  a file that cannot be opened, read or written, or that exists and must not be replaced
//   M11 more work than the caller allows
//   M12 a corpus that does not match its manifests (goldml check)
//   M14 a backend that wrote outside an output, or into padding or gaps that it must not change
//   M15 what DxDispatch would refuse or read differently (goldml validate --portable)
// M10 refuses the text of a test case: see oracle/case.hpp. M13 refuses a selection of cases: see
// oracle/selection.hpp. Files in .npy format have M20 to M23: see npy.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <goldml/core/violation.hpp>
#include <goldml/io/quotes.hpp>

namespace goldml::io {

// The violation that refuse() throws. The texts are made safe for terminals. rule and member must be literals.
inline violation model_violation(std::string_view rule, std::string_view member, std::string_view got,
                                 std::string_view wanted, std::string_view where) {
  return {.rule = rule,
          .operator_name = "model",
          .operand = "",
          .member = member,
          .index = {},
          .got = violation_text("{}", terminal_text(got)),
          .wanted = violation_text("{}", terminal_text(wanted)),
          .why = violation_text("{}", terminal_text(where))};
}

// Throws error `rule`: "model M4: initialValues is 300, wanted a UINT8 (resource 'in')". The texts are made safe for
// terminals. rule and member must be literals.
[[noreturn]] inline void refuse(std::string_view rule, std::string_view member, std::string_view got,
                                std::string_view wanted, std::string_view where) {
  throw error(model_violation(rule, member, got, wanted, where));
}

// A place in the text of a model.
struct model_place {
  std::string file = {};   // safe for terminals; empty: the text is not of a file
  std::size_t line = 0;    // from 1; 0: unknown
  std::size_t column = 0;  // from 1, in bytes
  std::string path = {};  // of the JSON value, safe for terminals: dispatchables.op.desc.Axes[1]; empty: the whole text
};

// The places of bytes of a text whose byte order mark has been removed.
class line_counter {
 public:
  explicit line_counter(std::string_view text) : text_(text) {}

  // `offset` must not be less than in the last call.
  model_place place_at(std::size_t offset) {
    for (; at_ < offset && at_ < text_.size(); ++at_)
      if (text_[at_] == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
    return {.line = line_, .column = offset - line_start_ + 1};
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
};

// "model.json:3:14: dispatchables.op.desc.Axes[1]"; "" for an unknown place.
inline std::string to_string(const model_place& place) {
  if (place.line == 0) return "";
  const std::string text = place.file.empty() ? fmt::format("line {}, column {}", place.line, place.column)
                                              : fmt::format("{}:{}:{}", place.file, place.line, place.column);
  return place.path.empty() ? text : text + ": " + place.path;
}

// The message of a violation at a place: "model.json:3:14: dispatchables.op.desc.Axes[1]: model M4: Axes is -1, ...".
inline std::string to_string(const model_place& place, const violation& v) {
  const std::string text = to_string(place);
  return text.empty() ? to_string(v) : text + ": " + to_string(v);
}

// A refusal whose place in a model is known. what() begins with the place.
class model_error : public error {
 public:
  model_error(const goldml::violation& v, model_place place) : error(v) {
    std::string text = to_string(place, v);
    state_ = std::make_shared<const state>(state{std::move(place), std::move(text)});
  }

  const char* what() const noexcept override { return state_->text.c_str(); }
  const model_place& place() const { return state_->place; }

 private:
  struct state {
    model_place place;
    std::string text;
  };
  std::shared_ptr<const state> state_;  // shared, because copies of exceptions must not throw
};

}  // namespace goldml::io
