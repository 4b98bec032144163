// How a model is refused. The codes of the model itself, in addition to those of operators:
//   M1  not JSON (the message has line and column), nested too deep, or a duplicate key
//   M2  a member that is missing or has the wrong kind of value
//   M3  an unknown name of a resource, a dispatchable or an operand; a tensor without a binding or the reverse
//   M4  a value out of range for its data type or member
//   M5  not supported by goldml: another operator, HLSL, ONNX, images, deferred resources, 4-bit types, other commands
//       and kinds of files, printing a resource without a data type
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

#include <string_view>

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

}  // namespace goldml::io
