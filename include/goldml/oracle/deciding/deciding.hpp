// The inputs that decide what an element of an output is, as text for reports.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include <goldml/core/coordinates.hpp>
#include <goldml/oracle/deciding/texts.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// Specialised in deciding/x.hpp for each operator that has something to say, with
//   text(desc, inputs, output, expected, where, got)
// one line, or nothing, on element `where` of output number `output`, which must be as `expected` and is as `got`. The
// case is legal, and the element one that differs.
template <class Desc>
struct deciding {};

// The same for an operator that is known at run time; empty: nothing to say.
using deciding_function = std::function<std::string(std::size_t output, const golden_output& expected,
                                                    const coordinate_tuple& where, const const_tensor_ref& got)>;

}  // namespace goldml::oracle
