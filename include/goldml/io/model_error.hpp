// How a model is refused. Codes of the model itself, beside the operators' own:
//   M1  not JSON (line and column are named), nested too deep, or a key twice
//   M2  a member is missing, or is not what its place asks for
//   M3  a name that is not there (a resource, a dispatchable, an operand), a tensor without its binding or the reverse
//   M4  a value that does not fit its data type or its place
//   M5  what goldml has not: another operator, HLSL, ONNX, images, deferred resources, 4-bit types, other commands and
//       kinds of files, a resource without data type to print it by
//   M6  a buffer smaller than what is put into it or bound from it
//   M7  a path that leaves the folders the model may use, or has a link in it
//   M8  more memory than the caller allows
//   M9  a file that cannot be opened, read or written, or is there and must not be replaced
//   M11 more work than the caller allows
//   M12 a corpus that is not what its manifests say (goldml check)
//   M14 a backend that wrote outside an output, or into padding or gaps that it must leave alone
//   M15 what DxDispatch would refuse, or read otherwise (goldml validate --portable)
// M10 refuses the text of a test case: see oracle/case.hpp; M13 a selection of cases: see oracle/selection.hpp.
// Files in .npy format have M20 to M23: see npy.hpp.
#pragma once

#include <string_view>

#include <goldml/core/violation.hpp>
#include <goldml/io/quotes.hpp>

namespace goldml::io {

// The violation that refuse() throws. The texts are made harmless for terminals. rule and member are literals.
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

// Throws error `rule`: "model M4: initialValues is 300, wanted a UINT8 (resource 'in')". The texts are made harmless
// for terminals. rule and member are literals.
[[noreturn]] inline void refuse(std::string_view rule, std::string_view member, std::string_view got,
                                std::string_view wanted, std::string_view where) {
  throw error(model_violation(rule, member, got, wanted, where));
}

}  // namespace goldml::io
