// The backends that the tool was built with, by name; the first is the default.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/goldml.hpp>

namespace goldml::tool {

inline constexpr std::array<std::string_view, 1> backend_names{"reference"};

inline std::vector<std::string> backend_list() { return {backend_names.begin(), backend_names.end()}; }

// Calls f(backend) with the backend called `name`, one of backend_names.
template <class F>
void with_backend(std::string_view name, F&& f) {
  if (name == "reference") f(reference);
}

}  // namespace goldml::tool
