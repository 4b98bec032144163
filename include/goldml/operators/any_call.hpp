// The run-time call on a backend of an operator that is known only at run time.
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml {

// evaluate() with a desc of the operator's type.
template <class Backend>
using backend_call = void (*)(const Backend& backend, const void* desc, std::span<const const_tensor_ref> inputs,
                              std::span<const tensor_ref> outputs);

// The call of an operator of all_operators; nullptr if the backend does not have it. Include the backend's kernels
// first.
template <class Backend>
backend_call<Backend> call_of(const operator_description& op) {
  backend_call<Backend> call = nullptr;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (supports<Backend, Desc>)
      if (&description_of<Desc>() == &op)
        call = [](const Backend& backend, const void* desc, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs) {
          evaluate(backend, *static_cast<const Desc*>(desc), inputs, outputs);
        };
  });
  return call;
}

// What the backend lacks to compute a desc: the operator, by its name; or some of its attributes, if its kernel has a
// function missing(desc), which says so. Empty if nothing is missing.
template <class Backend>
std::string missing_in(const any_desc& desc) {
  if (call_of<Backend>(desc.description()) == nullptr) return std::string(desc.description().name);
  std::string result;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (requires(const Desc& typed) { kernel<Desc, Backend>::missing(typed); })
      if (&description_of<Desc>() == &desc.description()) result = kernel<Desc, Backend>::missing(desc.as<Desc>());
  });
  return result;
}

}  // namespace goldml
