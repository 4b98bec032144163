// Micro-benchmarks with Catch2, one per workload and contender, selected by tags. Without arguments it runs the quick
// ones, which test that everything works and gives the results of `reference`. `goldml_benchmarks [full]` uses the
// sizes of docs/performance.md; `goldml_benchmarks [full] -c "argmin f32, all of 64 Mi"` runs one workload.
//
// Catch2 finishes a benchmark before it starts the next, so on a shared machine the times of two contenders are not
// well comparable. The program goldml_benchmark_table (table.cpp) measures contenders in turn, and does not need
// Catch2.
#include "../tests/catch.hpp"
#include "workloads.hpp"

namespace {

using namespace benchmarks;

void benchmark_all(const std::vector<workload>& workloads) {
  for (const workload& w : workloads)
    DYNAMIC_SECTION(w.title) {
      const prepared_workload prepared = w.prepare();
      for (const contender& c : prepared.contenders) {
        INFO(w.name << ", " << c.name);
        REQUIRE(c.verify() == "");
        BENCHMARK(w.name + ", " + c.name) { c.run(); };
      }
    }
}

}  // namespace

TEST_CASE("ARGMIN, quick", "[quick][argmin]") { benchmark_all(argmin_workloads(scale::quick)); }
TEST_CASE("NONZERO_COORDINATES, quick", "[quick][nonzero]") {
  benchmark_all(nonzero_coordinates_workloads(scale::quick));
}
TEST_CASE("SCATTER_ND, quick", "[quick][scatter]") { benchmark_all(scatter_nd_workloads(scale::quick)); }
TEST_CASE("DIAGONAL_MATRIX1, quick", "[quick][diagonal]") { benchmark_all(diagonal_matrix1_workloads(scale::quick)); }
TEST_CASE("CONVOLUTION, quick", "[quick][convolution]") { benchmark_all(convolution_workloads(scale::quick)); }
TEST_CASE("MATRIX_MULTIPLY_INTEGER, quick", "[quick][integer_products]") {
  benchmark_all(integer_product_workloads(scale::quick));
}
TEST_CASE("GEMM, quick", "[quick][gemm]") { benchmark_all(gemm_workloads(scale::quick)); }

TEST_CASE("ARGMIN", "[.][full][argmin]") { benchmark_all(argmin_workloads(scale::full)); }
TEST_CASE("NONZERO_COORDINATES", "[.][full][nonzero]") { benchmark_all(nonzero_coordinates_workloads(scale::full)); }
TEST_CASE("SCATTER_ND", "[.][full][scatter]") { benchmark_all(scatter_nd_workloads(scale::full)); }
TEST_CASE("DIAGONAL_MATRIX1", "[.][full][diagonal]") { benchmark_all(diagonal_matrix1_workloads(scale::full)); }
TEST_CASE("CONVOLUTION", "[.][full][convolution]") { benchmark_all(convolution_workloads(scale::full)); }
TEST_CASE("MATRIX_MULTIPLY_INTEGER", "[.][full][integer_products]") {
  benchmark_all(integer_product_workloads(scale::full));
}
TEST_CASE("GEMM", "[.][full][gemm]") { benchmark_all(gemm_workloads(scale::full)); }
