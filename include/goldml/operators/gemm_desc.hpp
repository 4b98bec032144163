// The desc of GEMM, and the matrices that it multiplies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/core/attributes.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

// DML_MATRIX_TRANSFORM.
enum class matrix_transform : std::uint32_t { none, transpose };
template <>
struct enumeration<matrix_transform> {
  static constexpr std::string_view prefix = "DML_MATRIX_TRANSFORM_";
  static constexpr auto values = enumerators<matrix_transform>("NONE", "TRANSPOSE");
};

struct gemm_desc {
  matrix_transform trans_a = matrix_transform::none;
  matrix_transform trans_b = matrix_transform::none;
  float alpha = 1;
  float beta = 1;  // without C, ignored
  std::optional<activation> fused_activation = std::nullopt;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// The matrix that A or B stands for; Matrix is a matrix_view.
template <class Matrix>
Matrix transformed(const Matrix& matrix, matrix_transform how) {
  return how == matrix_transform::transpose ? matrix.transposed() : matrix;
}

}  // namespace detail

}  // namespace goldml
