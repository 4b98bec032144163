// The inputs that determine an element of an output, as text for reports.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include <goldml/core/coordinates.hpp>
#include <goldml/oracle/deciding/texts.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// Specialised in deciding/x.hpp for the operators that implement it, with
//   text(desc, inputs, output, expected, where, got)
// It returns one line, or nothing, about element `where` of output number `output`, which should be as in `expected`
// and is as in `got`. The case is legal, and the element differs.
template <class Desc>
struct deciding {};

// The same for an operator that is known at run time; empty if there is none.
using deciding_function = std::function<std::string(std::size_t output, const golden_output& expected,
                                                    const coordinate_tuple& where, const const_tensor_ref& got)>;

}  // namespace goldml::oracle
