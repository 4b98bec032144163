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

template <class Desc>
using deciding_call = std::string (*)(const Desc& desc, std::span<const const_tensor_ref> inputs, std::size_t output,
                                      const golden_output& expected, const coordinate_tuple& where,
                                      const const_tensor_ref& got);

// Specialised in deciding/x.hpp for the operators that implement it, with a function text(), a deciding_call.
// It returns one line, or nothing, about element `where` of output number `output`, which should be as in `expected`
// and is as in `got`. The case is legal, and the element differs.
template <class Desc>
struct deciding {
  static constexpr deciding_call<Desc> text = nullptr;
};

// The same for an operator that is known at run time; empty if there is none.
using deciding_function = std::function<std::string(std::size_t output, const golden_output& expected,
                                                    const coordinate_tuple& where, const const_tensor_ref& got)>;

}  // namespace goldml::oracle
