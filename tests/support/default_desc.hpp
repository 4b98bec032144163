// A desc that stands for an operator in a test.
#pragma once

#include <goldml/core/any_desc.hpp>
#include <goldml/operators/quantize.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml_test {

// The default desc; of REDUCE, which has no default function, that of ARGMAX; of QUANTIZE and DEQUANTIZE that of SCALE,
// with one tensor in the array.
inline goldml::any_desc default_desc_of(const goldml::operator_description& op) {
  if (&op == &goldml::description_of<goldml::reduce_desc>())
    return goldml::reduce_desc{.function = goldml::reduce_function::argmax};
  if (&op == &goldml::description_of<goldml::quantize_desc>())
    return goldml::quantize_desc{.quantization_type = goldml::quantization_type::scale};
  if (&op == &goldml::description_of<goldml::dequantize_desc>())
    return goldml::dequantize_desc{.quantization_type = goldml::quantization_type::scale};
  return goldml::any_desc(op);
}

}  // namespace goldml_test
