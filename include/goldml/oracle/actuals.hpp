// The forms in which a test can pass outputs.
#pragma once

#include <type_traits>
#include <vector>

#include <goldml/core/arguments.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/oracle/watched_output.hpp>

namespace goldml::oracle {

namespace detail {

// The outputs of a test: one tensor of any kind that a call takes, a host_tensor, a watched_output, or a list of these.
inline const_tensor_ref to_actual(const host_tensor& tensor) { return tensor.ref(); }
inline const_tensor_ref to_actual(const watched_output& output) { return output.ref(); }
template <input_argument Tensor>
const_tensor_ref to_actual(const Tensor& tensor) {
  return goldml::detail::as_input(tensor);
}

template <class Actual>
std::vector<const_tensor_ref> to_actuals(const Actual& actual) {
  if constexpr (requires { to_actual(actual); }) {
    return {to_actual(actual)};
  } else {
    std::vector<const_tensor_ref> refs;
    for (const auto& output : actual) refs.push_back(to_actual(output));
    return refs;
  }
}

// The changes around them; empty for tensors that are not watched.
template <class Actual>
std::vector<memory_changes> changes_of(const Actual& actual) {
  if constexpr (std::is_same_v<Actual, watched_output>) {
    return {actual.changes()};
  } else if constexpr (requires { actual.begin()->changes(); }) {
    std::vector<memory_changes> changes;
    for (const watched_output& output : actual) changes.push_back(output.changes());
    return changes;
  } else {
    return {};
  }
}

}  // namespace detail

}  // namespace goldml::oracle
