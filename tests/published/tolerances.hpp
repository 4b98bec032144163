// The tolerances with which the authors of published vectors judge other implementations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "cases.hpp"

namespace published {

// Units in the last place of the expected number, or |got - expected| <= absolute + relative * |expected|.
struct authors_tolerance {
  double ulp = 0;
  double absolute = 0;
  double relative = 0;

  // The distance between the least and the greatest number that it passes.
  double width(double expected, data_type type) const {
    const bool single = type == data_type::float32;
    const int exponent = expected == 0 ? -2000 : std::ilogb(expected);
    const double unit = std::ldexp(1.0, (std::max)(exponent, single ? -126 : -14) - (single ? 23 : 10));
    return 2 * (ulp * unit + absolute + relative * std::abs(expected));
  }
};

// The product of the sizes of the first input on Axes.
inline double reduced_count(const json& one) {
  double n = 1;
  const dimensions sizes = desc_from(one["inputs"]["InputTensor"]).sizes;
  for (const json& axis : one["attributes"]["Axes"].GetArray()) n *= static_cast<double>(sizes[axis.GetUint()]);
  return n;
}

// web-platform-tests, webnn/resources/utils.js: units in the last place, by operator; n terms are added.
inline std::optional<double> ulp_of_wpt(const json& one, std::string_view op) {
  if (op == "ELEMENT_WISE_ADD" || op == "ELEMENT_WISE_SUBTRACT" || op == "ELEMENT_WISE_MULTIPLY") return 1;
  if (op == "ELEMENT_WISE_DIVIDE") return 2;
  if (op == "ACTIVATION_SOFTMAX1") return 3 * reduced_count(one) + 3;
  if (op == "GEMM") return 2 * static_cast<double>(desc_from(one["inputs"]["ATensor"]).sizes[3]);
  if (op == "CONVOLUTION") {
    double n = static_cast<double>(desc_from(one["inputs"]["InputTensor"]).sizes[1]);
    const dimensions filter = desc_from(one["inputs"]["FilterTensor"]).sizes;
    for (std::size_t i = 2; i < filter.size(); ++i) n *= static_cast<double>(filter[i]);
    return 2 * n / one["attributes"]["GroupCount"].GetUint();
  }
  if (op != "REDUCE") return {};
  std::string_view function = text_of(one["attributes"]["Function"]);
  function.remove_prefix(std::string_view("DML_REDUCE_FUNCTION_").size());
  const double n = reduced_count(one);
  if (function == "SUM" || function == "L1" || function == "MULTIPLY") return n;
  if (function == "AVERAGE") return n + 2;
  if (function == "L2") return 2 * n + 2;
  if (function == "SUM_SQUARE") return 2 * n;
  if (function == "LOG_SUM") return n + 18;
  if (function == "LOG_SUM_EXP") return 2 * n + 18;
  return {};  // MIN, MAX: exact
}

// nullopt if the source does not say, or compares exactly.
inline std::optional<authors_tolerance> tolerance_of(const json& one, std::string_view op) {
  const std::string_view source = text_of(one["source"]);
  if (source.starts_with("web-platform-tests/")) {
    const std::optional<double> ulp = ulp_of_wpt(one, op);
    return ulp ? std::optional<authors_tolerance>({.ulp = *ulp}) : std::nullopt;
  }
  if (source.starts_with("onnx/"))
    return authors_tolerance{.absolute = 1e-7, .relative = 1e-3};  // the runner's default
  if (source.starts_with("webmachinelearning/"))                   // test/utils.js, opFp32AccuracyCriteria
    return authors_tolerance{.absolute = 1e-6, .relative = 5 * 0x1p-23};
  return {};
}

}  // namespace published
