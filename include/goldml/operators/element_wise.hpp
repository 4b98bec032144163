// The element-wise operators: each element of the output depends only on the elements with the same
// coordinates of the inputs. Their names, operands and data types are rows of element_wise_table.hpp.
// Pages: DML_ELEMENT_WISE_*_OPERATOR_DESC, DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC,
// DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC. Rules: ID, UN, RO, CL, FN, PW, MM, AR, CG, IF, LO and BI with
// numbers, SB1. Rulings: ledger L20 to L28, AR-R1, AR-R2, AR-R5 to AR-R7, AR-R11, FN-R6 to FN-R9, FN-R20, FN-R21.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/operators/element_wise_traits.hpp>

namespace goldml {

namespace detail {

// The C++ type of an output that tensor<T> overloads return: the input's or, where it is free, UINT8.
template <element_wise_op Op, class T>
using element_wise_result =
    std::conditional_t<element_wise_row_of<Op>.is(element_wise_flag::free_type), std::uint8_t, T>;

}  // namespace detail

// The public call of an operator, a function object: element_wise_min(backend, a, b, output, desc). The desc may be
// omitted. With owning tensors as inputs, and without an output, it returns the output. Throws error (T1..T12 and the
// operator's rules), with the output unchanged.
template <element_wise_op Op>
struct element_wise_function {
  using desc_type = element_wise_desc<Op>;
  static constexpr std::size_t input_count = detail::element_wise_row_of<Op>.input_count;

  template <class Backend, input_argument Input, output_argument Output>
  requires(input_count == 1) void operator()(const Backend& backend, const Input& input, Output&& output,
                                             const desc_type& desc = {}) const {
    call(backend, desc, std::forward<Output>(output), input);
  }
  template <class Backend, input_argument A, input_argument B, output_argument Output>
  requires(input_count == 2) void operator()(const Backend& backend, const A& a, const B& b, Output&& output,
                                             const desc_type& desc = {}) const {
    call(backend, desc, std::forward<Output>(output), a, b);
  }
  template <class Backend, input_argument Condition, input_argument A, input_argument B, output_argument Output>
  requires(input_count == 3) void operator()(const Backend& backend, const Condition& condition, const A& a, const B& b,
                                             Output&& output, const desc_type& desc = {}) const {
    call(backend, desc, std::forward<Output>(output), condition, a, b);
  }

  template <class Backend, class T>
  requires(input_count == 1) [[nodiscard]] auto operator()(const Backend& backend, const tensor<T>& input,
                                                           const desc_type& desc = {}) const {
    tensor<detail::element_wise_result<Op, T>> output(input.sizes());
    (*this)(backend, input, output, desc);
    return output;
  }
  template <class Backend, class T>
  requires(input_count == 2) [[nodiscard]] auto operator()(const Backend& backend, const tensor<T>& a,
                                                           const tensor<T>& b, const desc_type& desc = {}) const {
    tensor<detail::element_wise_result<Op, T>> output(a.sizes());
    (*this)(backend, a, b, output, desc);
    return output;
  }
  template <class Backend, class T>
  requires(input_count == 3) [[nodiscard]] auto operator()(const Backend& backend,
                                                           const tensor<std::uint8_t>& condition, const tensor<T>& a,
                                                           const tensor<T>& b, const desc_type& desc = {}) const {
    tensor<T> output(a.sizes());
    (*this)(backend, condition, a, b, output, desc);
    return output;
  }

 private:
  template <class Backend, class Output, class... Inputs>
  static void call(const Backend& backend, const desc_type& desc, Output&& output, const Inputs&... inputs) {
    static_assert(
        detail::alike_types<desc_type, input_view<Inputs>..., output_view<Output>>,
        "goldml ELEMENT_WISE: these operands have the same data type (rules ID1, UN1, RO1, CL1, FN1, PW1, MM1, "
        "AR1, CG1, IF1, LO1, BI1)");
    static_assert(detail::takes<desc_type, 0, input_view<first_of<Inputs...>>> &&
                      detail::takes<desc_type, input_count - 1, input_view<last_of<Inputs...>>> &&
                      detail::takes<desc_type, input_count, output_view<Output>>,
                  "goldml ELEMENT_WISE T3: no feature level has this data type");
    detail::call(backend, desc, std::tuple(detail::as_input(inputs)...),
                 std::tuple(detail::as_output(std::forward<Output>(output))));
  }

  template <class... T>
  using first_of = std::tuple_element_t<0, std::tuple<T...>>;
  template <class... T>
  using last_of = std::tuple_element_t<sizeof...(T) - 1, std::tuple<T...>>;
};

// output[c] = f(inputs[c]), where f is
// with x * Scale + Bias in place of x if there is a ScaleBias, rounded once
//   identity       x                        abs, negate    |x|, -x, which wrap on integers
//   sign           -1, 0 or 1               is_nan, is_infinity                            1 or 0
//   ceil, floor    the next integer         round          to an integer, by rounding_mode
//   clip           min(Max, max(Min, x))    clip1          max(Min, min(x, Max))
//   threshold      max(Min, x), as max
//   acos, asin, atan, cos, exp, log, sin, sqrt, tan, erf, sinh, cosh, tanh, asinh, acosh, atanh, and recip, 1 / x: the
//                  function of that name, of angles in radians, rounded once
//   min, max       the number where the other is NaN; -0 is below +0
//   add, subtract, multiply, divide         rounded once, to nearest even; integers wrap, quotients are truncated
//   add1           the fused activation of the sum, rounded once
//   mean           (a + b) / 2; of integers truncated
//   difference_square                       (a - b)^2; integers wrap
//   modulus_truncate, modulus_floor         a - b trunc(a / b), a - b floor(a / b)
//   atan_yx        the angle of (x, y) = (b, a), from -pi to pi
//   pow, constant_pow                       x^exponent, rounded once; of integers exact, which wraps, or truncated
//   clip_grad, clip_grad1                   the gradient b where Min < a < Max or one of these is NaN, else +0
//   relu_grad      the gradient b where a > 0, else +0
//   parameterized_relu                      a where a >= 0, else the slope b * a, as multiply
//   if             condition != 0 ? a : b
//   logical_*      1 or 0; any number that is not 0 is true; no comparison with NaN is true
//   bit_*          on the bits of any type; shifts are logical
// clang-format off
inline constexpr element_wise_function<element_wise_op::identity> element_wise_identity{};
inline constexpr element_wise_function<element_wise_op::abs> element_wise_abs{};
inline constexpr element_wise_function<element_wise_op::negate> element_wise_negate{};
inline constexpr element_wise_function<element_wise_op::sign> element_wise_sign{};
inline constexpr element_wise_function<element_wise_op::is_nan> element_wise_is_nan{};
inline constexpr element_wise_function<element_wise_op::is_infinity> element_wise_is_infinity{};
inline constexpr element_wise_function<element_wise_op::ceil> element_wise_ceil{};
inline constexpr element_wise_function<element_wise_op::floor> element_wise_floor{};
inline constexpr element_wise_function<element_wise_op::round> element_wise_round{};
inline constexpr element_wise_function<element_wise_op::clip> element_wise_clip{};
inline constexpr element_wise_function<element_wise_op::clip1> element_wise_clip1{};
inline constexpr element_wise_function<element_wise_op::threshold> element_wise_threshold{};
inline constexpr element_wise_function<element_wise_op::acos> element_wise_acos{};
inline constexpr element_wise_function<element_wise_op::asin> element_wise_asin{};
inline constexpr element_wise_function<element_wise_op::atan> element_wise_atan{};
inline constexpr element_wise_function<element_wise_op::cos> element_wise_cos{};
inline constexpr element_wise_function<element_wise_op::exp> element_wise_exp{};
inline constexpr element_wise_function<element_wise_op::log> element_wise_log{};
inline constexpr element_wise_function<element_wise_op::recip> element_wise_recip{};
inline constexpr element_wise_function<element_wise_op::sin> element_wise_sin{};
inline constexpr element_wise_function<element_wise_op::sqrt> element_wise_sqrt{};
inline constexpr element_wise_function<element_wise_op::tan> element_wise_tan{};
inline constexpr element_wise_function<element_wise_op::erf> element_wise_erf{};
inline constexpr element_wise_function<element_wise_op::sinh> element_wise_sinh{};
inline constexpr element_wise_function<element_wise_op::cosh> element_wise_cosh{};
inline constexpr element_wise_function<element_wise_op::tanh> element_wise_tanh{};
inline constexpr element_wise_function<element_wise_op::asinh> element_wise_asinh{};
inline constexpr element_wise_function<element_wise_op::acosh> element_wise_acosh{};
inline constexpr element_wise_function<element_wise_op::atanh> element_wise_atanh{};
inline constexpr element_wise_function<element_wise_op::constant_pow> element_wise_constant_pow{};
inline constexpr element_wise_function<element_wise_op::min> element_wise_min{};
inline constexpr element_wise_function<element_wise_op::max> element_wise_max{};
inline constexpr element_wise_function<element_wise_op::add> element_wise_add{};
inline constexpr element_wise_function<element_wise_op::subtract> element_wise_subtract{};
inline constexpr element_wise_function<element_wise_op::multiply> element_wise_multiply{};
inline constexpr element_wise_function<element_wise_op::divide> element_wise_divide{};
inline constexpr element_wise_function<element_wise_op::add1> element_wise_add1{};
inline constexpr element_wise_function<element_wise_op::mean> element_wise_mean{};
inline constexpr element_wise_function<element_wise_op::difference_square> element_wise_difference_square{};
inline constexpr element_wise_function<element_wise_op::modulus_truncate> element_wise_modulus_truncate{};
inline constexpr element_wise_function<element_wise_op::modulus_floor> element_wise_modulus_floor{};
inline constexpr element_wise_function<element_wise_op::atan_yx> element_wise_atan_yx{};
inline constexpr element_wise_function<element_wise_op::pow> element_wise_pow{};
inline constexpr element_wise_function<element_wise_op::clip_grad> element_wise_clip_grad{};
inline constexpr element_wise_function<element_wise_op::clip_grad1> element_wise_clip_grad1{};
inline constexpr element_wise_function<element_wise_op::relu_grad> activation_relu_grad{};
inline constexpr element_wise_function<element_wise_op::parameterized_relu> activation_parameterized_relu{};
inline constexpr element_wise_function<element_wise_op::condition> element_wise_if{};
inline constexpr element_wise_function<element_wise_op::logical_and> element_wise_logical_and{};
inline constexpr element_wise_function<element_wise_op::logical_or> element_wise_logical_or{};
inline constexpr element_wise_function<element_wise_op::logical_xor> element_wise_logical_xor{};
inline constexpr element_wise_function<element_wise_op::logical_not> element_wise_logical_not{};
inline constexpr element_wise_function<element_wise_op::logical_equals> element_wise_logical_equals{};
inline constexpr element_wise_function<element_wise_op::logical_greater_than> element_wise_logical_greater_than{};
inline constexpr element_wise_function<element_wise_op::logical_less_than> element_wise_logical_less_than{};
inline constexpr element_wise_function<element_wise_op::logical_greater_than_or_equal> element_wise_logical_greater_than_or_equal{};
inline constexpr element_wise_function<element_wise_op::logical_less_than_or_equal> element_wise_logical_less_than_or_equal{};
inline constexpr element_wise_function<element_wise_op::bit_and> element_wise_bit_and{};
inline constexpr element_wise_function<element_wise_op::bit_or> element_wise_bit_or{};
inline constexpr element_wise_function<element_wise_op::bit_xor> element_wise_bit_xor{};
inline constexpr element_wise_function<element_wise_op::bit_not> element_wise_bit_not{};
inline constexpr element_wise_function<element_wise_op::bit_count> element_wise_bit_count{};
inline constexpr element_wise_function<element_wise_op::bit_shift_left> element_wise_bit_shift_left{};
inline constexpr element_wise_function<element_wise_op::bit_shift_right> element_wise_bit_shift_right{};
// clang-format on

namespace detail {

template <std::size_t... I>
constexpr type_list<element_wise_desc<static_cast<element_wise_op>(I)>...> element_wise_list(std::index_sequence<I...>);

}  // namespace detail

using element_wise_operators =
    decltype(detail::element_wise_list(std::make_index_sequence<detail::element_wise_table.size()>{}));

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(element_wise_identity_desc);
GOLDML_COMPILED_OPERATOR(element_wise_abs_desc);
GOLDML_COMPILED_OPERATOR(element_wise_negate_desc);
GOLDML_COMPILED_OPERATOR(element_wise_sign_desc);
GOLDML_COMPILED_OPERATOR(element_wise_is_nan_desc);
GOLDML_COMPILED_OPERATOR(element_wise_is_infinity_desc);
GOLDML_COMPILED_OPERATOR(element_wise_ceil_desc);
GOLDML_COMPILED_OPERATOR(element_wise_floor_desc);
GOLDML_COMPILED_OPERATOR(element_wise_round_desc);
GOLDML_COMPILED_OPERATOR(element_wise_clip_desc);
GOLDML_COMPILED_OPERATOR(element_wise_clip1_desc);
GOLDML_COMPILED_OPERATOR(element_wise_threshold_desc);
GOLDML_COMPILED_OPERATOR(element_wise_acos_desc);
GOLDML_COMPILED_OPERATOR(element_wise_asin_desc);
GOLDML_COMPILED_OPERATOR(element_wise_atan_desc);
GOLDML_COMPILED_OPERATOR(element_wise_cos_desc);
GOLDML_COMPILED_OPERATOR(element_wise_exp_desc);
GOLDML_COMPILED_OPERATOR(element_wise_log_desc);
GOLDML_COMPILED_OPERATOR(element_wise_recip_desc);
GOLDML_COMPILED_OPERATOR(element_wise_sin_desc);
GOLDML_COMPILED_OPERATOR(element_wise_sqrt_desc);
GOLDML_COMPILED_OPERATOR(element_wise_tan_desc);
GOLDML_COMPILED_OPERATOR(element_wise_erf_desc);
GOLDML_COMPILED_OPERATOR(element_wise_sinh_desc);
GOLDML_COMPILED_OPERATOR(element_wise_cosh_desc);
GOLDML_COMPILED_OPERATOR(element_wise_tanh_desc);
GOLDML_COMPILED_OPERATOR(element_wise_asinh_desc);
GOLDML_COMPILED_OPERATOR(element_wise_acosh_desc);
GOLDML_COMPILED_OPERATOR(element_wise_atanh_desc);
GOLDML_COMPILED_OPERATOR(element_wise_constant_pow_desc);
GOLDML_COMPILED_OPERATOR(element_wise_min_desc);
GOLDML_COMPILED_OPERATOR(element_wise_max_desc);
GOLDML_COMPILED_OPERATOR(element_wise_add_desc);
GOLDML_COMPILED_OPERATOR(element_wise_subtract_desc);
GOLDML_COMPILED_OPERATOR(element_wise_multiply_desc);
GOLDML_COMPILED_OPERATOR(element_wise_divide_desc);
GOLDML_COMPILED_OPERATOR(element_wise_add1_desc);
GOLDML_COMPILED_OPERATOR(element_wise_mean_desc);
GOLDML_COMPILED_OPERATOR(element_wise_difference_square_desc);
GOLDML_COMPILED_OPERATOR(element_wise_modulus_truncate_desc);
GOLDML_COMPILED_OPERATOR(element_wise_modulus_floor_desc);
GOLDML_COMPILED_OPERATOR(element_wise_atan_yx_desc);
GOLDML_COMPILED_OPERATOR(element_wise_pow_desc);
GOLDML_COMPILED_OPERATOR(element_wise_clip_grad_desc);
GOLDML_COMPILED_OPERATOR(element_wise_clip_grad1_desc);
GOLDML_COMPILED_OPERATOR(activation_relu_grad_desc);
GOLDML_COMPILED_OPERATOR(activation_parameterized_relu_desc);
GOLDML_COMPILED_OPERATOR(element_wise_if_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_and_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_or_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_xor_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_not_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_equals_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_greater_than_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_less_than_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_greater_than_or_equal_desc);
GOLDML_COMPILED_OPERATOR(element_wise_logical_less_than_or_equal_desc);
GOLDML_COMPILED_OPERATOR(element_wise_bit_and_desc);
GOLDML_COMPILED_OPERATOR(element_wise_bit_or_desc);
GOLDML_COMPILED_OPERATOR(element_wise_bit_xor_desc);
GOLDML_COMPILED_OPERATOR(element_wise_bit_not_desc);
GOLDML_COMPILED_OPERATOR(element_wise_bit_count_desc);
GOLDML_COMPILED_OPERATOR(element_wise_bit_shift_left_desc);
GOLDML_COMPILED_OPERATOR(element_wise_bit_shift_right_desc);
