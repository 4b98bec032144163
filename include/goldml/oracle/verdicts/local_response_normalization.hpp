// What a device may answer to LOCAL_RESPONSE_NORMALIZATION and its gradient (ledger LR-R2, LR-R3, NO-R8).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/local_response_bounds.hpp>
#include <goldml/operators/local_response_normalization.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

namespace detail {

// What the gradients of all elements whose windows have an element need of its D; numbers only if it is judged.
struct response_terms {
  explicit response_terms(const arithmetic::response_bounds& d, double beta)
      : is_finite(goldml::detail::is_finite_double(d.divisor())),
        is_judged(d.is_judged()),
        is_undefined(d.is_undefined()) {
    if (!is_finite || !is_judged) return;
    is_extreme = d.overflows() || d.is_extreme(beta + 1) || d.is_extreme(beta);
    power = d.power(beta + 1);
    for (const arithmetic::granted what : arithmetic::response_bounds::grants)
      relative[static_cast<std::size_t>(what)] = (std::max)(d.relative(beta + 1, what), d.relative_by_division(what));
  }

  bool is_finite, is_judged, is_undefined, is_extreme = false;
  double power = 0;
  std::array<double, 3> relative{};
};

template <class T>
class response_judge {
 public:
  response_judge(const arithmetic::local_response_form& form, const tensor_view<const T>& input,
                 const arithmetic_mode& mode)
      : form_(form), input_(input), mode_(mode), strides_(packed_strides(input.sizes())) {}

  // Before the first gradient.
  void keep_terms() {
    terms_.reserve(static_cast<std::size_t>(element_count(input_.sizes())));
    for (const coordinate_tuple& c : coordinates_of(input_.sizes())) terms_.emplace_back(at(c), form_.beta);
  }
  double x(const coordinate_tuple& c) const { return exact_double(T(input_[c])); }
  arithmetic::response_bounds at(const coordinate_tuple& c) const {
    double squares = 0, count = 0;
    arithmetic::for_window(form_, input_.sizes(), c, false, [&](const coordinate_tuple& i) {
      squares += x(i) * x(i);
      count += 1;
    });
    return {form_, squares, count, mode_};
  }
  arithmetic::response_bound normalised(const coordinate_tuple& c) const {
    return arithmetic::normalised_response(form_, at(c), x(c), mode_);
  }

  // The terms that meet in the gradient of element j.
  template <class DY>
  arithmetic::response_bound gradient(const coordinate_tuple& j, const DY& dy, double golden) const {
    using arithmetic::granted;
    const auto finite = [](double each) { return goldml::detail::is_finite_double(each); };
    const double limit =
        mode_.rounds_to_half() && mode_.float32 ? half_precision.greatest : std::numeric_limits<double>::infinity();
    const auto own = at(j);
    const double by = 2 * std::abs(form_.alpha * form_.beta) / form_.divisor, gj = dy(j), xj = std::abs(x(j));
    bool is_finite = finite(gj) && finite(x(j)) && finite(own.divisor()), judged = own.is_judged(), extreme = false,
         is_zero_gradient = is_zero(gj), is_nan_only = own.is_undefined();
    std::array<double, 3> sums{}, sums_grown{};
    double exact = 0, size = 0, count = 0, flushed = 0, z = 0, factors = 0;  // `factors`: the greatest of a term
    extreme = own.overflows() || own.is_extreme(form_.beta);
    arithmetic::for_window(form_, input_.sizes(), j, true, [&](const coordinate_tuple& i) {
      const double g = dy(i), xi = x(i);
      const response_terms& d = terms_[static_cast<std::size_t>(offset_of(i, strides_))];
      count += 1;
      is_zero_gradient = is_zero_gradient && is_zero(g);
      is_finite = is_finite && finite(g) && finite(xi) && d.is_finite;
      judged = judged && d.is_judged && std::abs(g) <= limit && std::abs(xi) <= limit;
      is_nan_only = is_nan_only || d.is_undefined;
      if (!is_finite || !judged) return;
      extreme = extreme || d.is_extreme;
      const double p1 = d.power, a = std::abs(g * xi) * p1;
      factors = (std::max)({factors, std::abs(g * xi), std::abs(g) * p1, std::abs(xi) * p1});
      exact += g * xi * p1;
      size += a;
      flushed += p1 * (std::abs(xi) + std::abs(g) + 1) + (std::abs(g) + 1) * (std::abs(xi) + 1) + 1;
      for (const granted what : arithmetic::response_bounds::grants) {
        const double t1 = d.relative[static_cast<std::size_t>(what)];
        sums[static_cast<std::size_t>(what)] += a * (1 + t1);
        sums_grown[static_cast<std::size_t>(what)] += a * t1;
        if (what == granted::possible) z += a * (1 + t1);
      }
    });
    arithmetic::response_bound result;
    bound& b = result.number;
    if (!is_finite) {
      b.value = golden;
      b.add(interval_also::nan, true);
      b.add(interval_also::infinities, !finite(golden));
      result.is_judged = is_nan(golden) || !finite(golden);
      return result;
    }
    if (is_nan_only) {  // a power of a number below 0
      b.value = std::numeric_limits<double>::quiet_NaN();
      result.is_judged = form_.beta != std::floor(form_.beta);
      return result;
    }
    if (!judged) return {{}, false};
    const double p = own.power(form_.beta);
    b.value = gj * p - 2 * form_.alpha * form_.beta / form_.divisor * x(j) * exact;
    if (is_zero_gradient && !extreme) return result;
    const arithmetic::normalisation_units units(mode_);
    const auto error = [&](granted what) {
      const double more = mode_.rounds_to_half() ? 3 : 0;
      const double g = units.divided(count + 8 + more, what), t = own.relative(form_.beta, what);
      const double first = std::abs(gj) * p, grown = sums[static_cast<std::size_t>(what)] * (1 + g),
                   changed = grown - size;
      const double lost = own.least() * (p + std::abs(gj) + 3 + by * xj * flushed + z * (by + xj + 1) + by);
      return first * t + by * xj * changed + growth(2 + more, units.element) * (first * (1 + t) + by * xj * grown) +
             lost + 0x1p-40 * (first + by * xj * size) + (mode_.float32 ? 0x1p-147 * (1 + z * (by + xj)) : 0);
    };
    b.error = error(granted::possible);
    b.close_error = error(granted::close);
    b.usual_error = error(granted::usual);
    if (mode_.float32 || mode_.rounds_to_half())
      extreme = extreme ||
                !((std::max)(z, factors) * (std::max)(1.0, by) * (std::max)(1.0, xj) < mode_.of().greatest / 16) ||
                !(std::abs(gj) * (std::max)(1.0, p) < mode_.of().greatest / 16);
    if (extreme) {
      b.error += std::abs(gj) * p + by * xj * z;
      b.close_error = b.error;
      b.add(interval_also::specials, true);
    }
    return result;
  }

 private:
  arithmetic::local_response_form form_;
  tensor_view<const T> input_;
  const arithmetic_mode& mode_;
  dimensions strides_;
  std::vector<response_terms> terms_;
};

}  // namespace detail

template <goldml::detail::local_response_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
      detail::response_judge<T> judge(goldml::detail::local_response_form_of(desc), inputs[0].as<T>(), mode);
      if constexpr (Desc::is_grad) judge.keep_terms();
      const tensor_view<const T> output = golden[0].as<T>();
      std::size_t element = 0;
      for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
        arithmetic::response_bound answer;
        if constexpr (Desc::is_grad) {
          const tensor_view<const T> gradient = inputs[1].as<T>();
          const auto dy = [&](const coordinate_tuple& i) { return exact_double(T(gradient[i])); };
          answer = judge.gradient(c, dy, exact_double(T(output[c])));
        } else {
          answer = judge.normalised(c);
        }
        if (answer.is_judged)
          result[0].allow_interval_beside(element, graded_interval_of<T>(answer.number), interval_refusal::reciprocals,
                                          T(output[c]));
        else
          result[0].make_undefined(element);
        ++element;
      }
    });
  }
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, Desc::is_grad ? 3 : 2>& t) {
    return saturating_multiply(
        element_count(t[0].desc->sizes),
        1 + sizeof(interval) + more_interval_memory + (Desc::is_grad ? sizeof(detail::response_terms) : 0));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
