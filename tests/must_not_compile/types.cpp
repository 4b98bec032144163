// Types, and a count of dimensions, that are known when compiling: each wrong one beside its legal twin.
#include <goldml/goldml.hpp>

using namespace goldml;

// After an error GCC does not evaluate this any more.
static_assert(operator_traits<element_wise_ceil_desc>::operands.size() == 2);
static_assert(operator_traits<element_wise_min_desc>::operands.size() == 3);

// Eight dimensions are legal, nine are not.
const dimensions eight{1, 2, 3, 4, 5, 6, 7, 8};
const dimensions nine{1, 2, 3, 4, 5, 6, 7, 8, 9};  // says: goldml T4

template <class Input, class Output>
void indices_of_smallest(const Input* x, Output* y) {
  argmin(reference, tensor_view{x, {3}}, tensor_view{y, {1}}, {.axes = {0}});
}

template <class Input, class Output>
void matrix(const tensor<Input>& x, tensor<Output>& y) {
  diagonal_matrix1(reference, x, y, {});
}

template <class Input>
void coordinates(const tensor<Input>& x, tensor<std::uint32_t>& count, tensor<std::uint32_t>& rows) {
  nonzero_coordinates(reference, x, count, rows);
}

template <class Index, class Update>
void scatter(const tensor<float>& x, const tensor<Index>& indices, const tensor<Update>& updates, tensor<float>& y) {
  scatter_nd(reference, x, indices, updates, y, {});
}

template <class T>
void ceiling(std::vector<T>& x) {
  element_wise_ceil(reference, x, x);
}

template <class B>
void smaller(const std::vector<float>& a, const std::vector<B>& b, std::vector<float>& output) {
  element_wise_min(reference, a, b, output);
}

// The page's own example of SCATTER_ND prints FLOAT32 indices; no level takes them.
void calls(const float* f, const double* d, std::uint32_t* u, std::int64_t* i, float* wrong, const tensor<float>& x,
           tensor<float>& y, tensor<double>& y64, const tensor<std::int32_t>& i32, const tensor<std::int64_t>& i64,
           tensor<std::uint32_t>& u32, std::vector<float>& v, std::vector<std::int32_t>& vi) {
  indices_of_smallest(f, u);
  indices_of_smallest(f, i);
  indices_of_smallest(d, u);      // says: goldml ARGMIN T3 (A11)
  indices_of_smallest(f, wrong);  // says: goldml ARGMIN T3 (A9)
  matrix(x, y);
  matrix(x, y64);  // says: goldml DIAGONAL_MATRIX1 D1
  coordinates(i32, u32, u32);
  coordinates(i64, u32, u32);  // says: goldml NONZERO_COORDINATES T3 (N7)
  scatter(x, i32, x, y);
  scatter(x, x, x, y);      // says: goldml SCATTER_ND T3 (S8)
  scatter(x, i32, y64, y);  // says: goldml SCATTER_ND S2
  ceiling(v);
  ceiling(vi);  // says: ELEMENT_WISE T3
  smaller(v, v, v);
  smaller(v, vi, v);  // says: these operands have the same data type
}
