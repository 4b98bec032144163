// What only some backends have.
#pragma once

namespace goldml {

// Given by name, so that a wrong name does not compile.
struct backend_options {
  // It never changes padding and gaps. While a model is played a change is refused, otherwise noted
  // (io/model_watch.hpp); DirectML may change them (ledger L6).
  bool writes_elements_only = false;
  bool has_rates_of_reference = false;  // its work costs what that of `reference` does (core/cost.hpp)
};

// Specialised beside a backend that has some of them.
template <class Backend>
inline constexpr backend_options options_of_backend{};

}  // namespace goldml
