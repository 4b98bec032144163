// Workloads of MATRIX_MULTIPLY_INTEGER: products of square matrices of UINT8. The peer is Eigen's product in FLOAT32.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <Eigen/Core>

#include <goldml/cpu/matrix_multiply_integer.hpp>
#include <goldml/reference/matrix_multiply_integer.hpp>

#include "workloads.hpp"

namespace benchmarks {
namespace {

using namespace goldml;

struct integer_product_data {
  std::uint32_t size;
  std::vector<std::uint8_t> a, b, zero{128};
  std::vector<float> eigen_a, eigen_b, eigen_output;
  std::vector<std::int32_t> output, golden;  // of some rows

  explicit integer_product_data(std::uint32_t n)
      : size(n), a(std::size_t{n} * n), b(a.size()), eigen_output(a.size()), output(a.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<std::uint8_t>(i * 7919 >> 3);
      b[i] = static_cast<std::uint8_t>(i * 104729 >> 5);
    }
    eigen_a.assign(a.begin(), a.end());
    eigen_b.assign(b.begin(), b.end());
    golden.resize(std::size_t{rows()} * n);
    matrix_multiply_integer(reference, tensor_view<const std::uint8_t>(a.data(), {rows(), n}, {row_step() * n, 1U}),
                            zero, tensor_view<const std::uint8_t>(b.data(), {n, n}), zero,
                            tensor_view<std::int32_t>(golden.data(), {rows(), n}));
  }

  std::uint32_t rows() const { return (std::min)(size, 8U); }
  std::uint32_t row_step() const { return size / rows(); }

  void call(const cpu_backend& backend) {
    matrix_multiply_integer(backend, tensor_view<const std::uint8_t>(a.data(), {size, size}), zero,
                            tensor_view<const std::uint8_t>(b.data(), {size, size}), zero,
                            tensor_view<std::int32_t>(output.data(), {size, size}));
  }
  void spoil() { std::fill(output.begin(), output.end(), -1); }
  std::string difference() const {
    for (std::uint32_t row = 0; row < rows(); ++row)
      if (std::memcmp(&golden[std::size_t{row} * size], &output[std::size_t{row} * row_step() * size],
                      size * sizeof(std::int32_t)) != 0)
        return fmt::format("row {} differs from reference", row * row_step());
    return {};
  }
  void call_eigen() {
    using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto n = static_cast<Eigen::Index>(size);
    Eigen::Map<matrix>(eigen_output.data(), n, n).noalias() =
        Eigen::Map<const matrix>(eigen_a.data(), n, n) * Eigen::Map<const matrix>(eigen_b.data(), n, n);
  }
};

}  // namespace

std::vector<workload> integer_product_workloads(scale how) {
  const std::uint32_t size = scaled(1024, how);
  return {{"matrix_multiply_integer_u8",
           "matrix_multiply_integer u8, 1024 cubed",
           {.of_peer = 1.5, .of_limit = std::nullopt},
           [=] {
             const auto data = std::make_shared<integer_product_data>(size);
             prepared_workload p;
             p.contenders = cpu_contenders(data);
             p.contenders.push_back({"Eigen, FLOAT32", [data] { data->call_eigen(); }, [] { return std::string(); }});
             p.least = {2 * std::uint64_t{size} * size, std::uint64_t{size} * size * sizeof(std::int32_t)};
             return p;
           }}};
}

}  // namespace benchmarks
