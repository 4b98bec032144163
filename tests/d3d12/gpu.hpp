// The device of the tests, chosen by environment variables:
//   GOLDML_D3D12_ADAPTER   a part of the adapter's name; if unset, the library chooses
//   GOLDML_D3D12_WINE=1    only features of Wine 8: root descriptors, and bytecode instead of HLSL text
// Without a driver, no_driver.cpp ends the program before the first test.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <goldml/d3d12/runtime/device.hpp>

namespace gpus {

inline std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Why there is no adapter; "" if there is one.
inline std::string missing_driver() {
  try {
    return goldml::d3d12::adapters().empty() ? "no adapter is listed" : "";
  } catch (const goldml::d3d12::device_error& problem) {
    return problem.what();
  }
}

inline bool under_wine() { return variable("GOLDML_D3D12_WINE") == "1"; }

inline std::vector<goldml::d3d12::bindings> all_bindings() {
  using goldml::d3d12::bindings;
  if (under_wine()) return {bindings::root};
  return {bindings::root, bindings::tables, bindings::automatic};
}

// Each test opens its own device, so that everything is released before main() returns.
inline goldml::d3d12::device open(goldml::d3d12::bindings bindings = all_bindings().back()) {
  using goldml::d3d12::shader_code;
  return goldml::d3d12::device({.adapter = variable("GOLDML_D3D12_ADAPTER"),
                                .bindings = bindings,
                                .code = under_wine() ? shader_code::bytecode : shader_code::system});
}

}  // namespace gpus
