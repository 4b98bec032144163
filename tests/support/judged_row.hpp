// How a device's answer to one row of elements is judged, for operators with one input.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/oracle/verdict.hpp>

#include "judged.hpp"

namespace goldml_test {

// The letters of judged(), by default and strictly; or one letter, with these options.
template <class Desc, class T>
std::string judged_row(const Desc& desc, const std::vector<T>& x, const std::vector<T>& got,
                       const goldml::oracle::compare_options* options = nullptr) {
  using namespace goldml;
  const tensor_desc row{.data_type = data_type_of<T>, .sizes = {static_cast<std::uint32_t>(x.size())}};
  const std::array inputs{const_tensor_ref(row, x.data(), x.size() * sizeof(T))};
  const std::array outputs{row};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::array actual{const_tensor_ref(row, got.data(), got.size() * sizeof(T))};
  if (options != nullptr) return {judged(golden, actual, *options)};
  return judged(golden, actual);
}

}  // namespace goldml_test
