// d3d12::recording::add() for an operator that is known at run time.
#pragma once

#include <span>
#include <type_traits>

#include <goldml/d3d12/d3d12.hpp>
#include <goldml/operators/any_call.hpp>
#include <goldml/operators/operators.hpp>

namespace gpu_cases {

// Throws error with the first violation, with nothing recorded.
using recorder = void (*)(goldml::d3d12::recording& work, const void* desc,
                          std::span<const goldml::d3d12::resident_tensor> inputs,
                          std::span<const goldml::d3d12::resident_tensor> outputs);

// nullptr for what has no shaders: an operator, or one with these attributes.
inline recorder recorder_of(const goldml::any_desc& desc) {
  using namespace goldml;
  recorder found = nullptr;
  if (!missing_in<d3d12::device>(desc).empty()) return found;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (requires { sizeof(d3d12::program<Desc>); })
      if (&description_of<Desc>() == &desc.description())
        found = [](d3d12::recording& work, const void* typed, std::span<const d3d12::resident_tensor> inputs,
                   std::span<const d3d12::resident_tensor> outputs) {
          work.add(*static_cast<const Desc*>(typed), inputs, outputs);
        };
  });
  return found;
}

}  // namespace gpu_cases
