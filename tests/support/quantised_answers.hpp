// Answers of quantised operators on both backends, and how the comparer takes others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/oracle/matches.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/reference/backend.hpp>

#include "../catch.hpp"

namespace goldml_test {

using namespace goldml;
using numbers = std::vector<int>;

template <class T>
tensor<T> tensor_of(const dimensions& sizes, const numbers& elements) {
  tensor<T> result(sizes);
  for (std::size_t i = 0; i < elements.size(); ++i) result.data()[i] = static_cast<T>(elements[i]);
  return result;
}
inline tensor<float> scale_of(const dimensions& sizes, const std::vector<float>& elements) {
  tensor<float> result(sizes);
  std::copy(elements.begin(), elements.end(), result.data());
  return result;
}

// A golden answer, equal on both backends, and how the comparer takes values: r refused, s suspicious, u usual, ? not
// defined.
template <class Y>
struct answer {
  std::vector<Y> golden;
  std::optional<oracle::golden_output> output;

  numbers values() const { return {golden.begin(), golden.end()}; }
  char at(std::size_t element, int value, bool refuses_reciprocals = false) const {
    if (output->verdicts[element] == verdict::undefined) return '?';
    oracle::compare_options options;
    if (refuses_reciprocals) options.reciprocals = oracle::reciprocal_errors::refuse;
    return "rostu"[static_cast<int>(
        oracle::place_of<Y>(*output, element, golden[element], static_cast<Y>(value), options))];
  }
  std::string at(std::size_t element, const numbers& all, bool refuses_reciprocals = false) const {
    std::string result;
    for (const int value : all) result += at(element, value, refuses_reciprocals);
    return result;
  }
};

template <class Y, class Desc>
answer<Y> computed(const Desc& desc, const std::vector<const_tensor_ref>& inputs, const dimensions& sizes) {
  tensor<Y> y(sizes), fast(sizes);
  const std::array<tensor_ref, 1> outputs{tensor_ref(y.view())}, others{tensor_ref(fast.view())};
  evaluate(reference, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
  evaluate(cpu, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(others));
  const auto count = static_cast<std::ptrdiff_t>(element_count(sizes));
  CHECK(std::equal(y.data(), y.data() + count, fast.data()));
  std::vector<output_verdicts> verdicts{output_verdicts(element_count(sizes))};
  oracle::verdict_traits<Desc>::verdicts(desc, inputs, outputs, verdicts);
  const tensor_desc one{.data_type = data_type_of<Y>, .sizes = sizes};
  return {{y.data(), y.data() + count}, oracle::golden_output{host_tensor(one), verdicts[0]}};
}

inline int limited(double k) { return static_cast<int>(std::clamp(k, -128.0, 127.0)); }

}  // namespace goldml_test
