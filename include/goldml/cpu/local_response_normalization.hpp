// LOCAL_RESPONSE_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION_GRAD on the CPU: in double precision with errors, an
// image at a time; what that does not decide is computed to 128 bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <goldml/arithmetic/functions.hpp>
#include <goldml/arithmetic/local_response.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/operators/local_response_normalization.hpp>

namespace goldml {

namespace detail {

// The divisors of an image, and their powers, with relative errors.
class image_responses {
 public:
  template <class X>
  image_responses(const arithmetic::local_response_form& form, const dimensions& sizes, std::uint32_t image, const X& x)
      : box_(sizes), strides_(packed_strides(sizes)) {
    box_[0] = 1;
    strides_[0] = 0;
    const auto count = static_cast<std::size_t>(element_count(box_));
    divisors_.reserve(count);
    errors_.reserve(count);
    for (coordinate_tuple c : coordinates_of(box_)) {
      c[0] = image;
      double squares = 0, terms = 8;
      arithmetic::for_window(form, sizes, c, false, [&](const coordinate_tuple& i) {
        squares += x(i) * x(i);
        terms += 1;
      });
      const double product = form.alpha / form.divisor * squares, d = form.bias + product;
      const double off = terms * 0x1p-52 * (std::abs(form.bias) + std::abs(product));
      const bool is_sure = off * 4 < d && d < 0x1p900;
      divisors_.push_back(is_sure ? d : -1);
      errors_.push_back(is_sure ? 2 * off / d : std::numeric_limits<double>::infinity());
    }
  }

  // D^-power of an element; NaN of an unknown one.
  double power(const coordinate_tuple& c, double exponent, double& relative_error) const {
    const auto at = static_cast<std::size_t>(offset_of(c, strides_));
    const double d = divisors_[at];
    if (!(d > 0)) {
      relative_error = std::numeric_limits<double>::infinity();
      return std::numeric_limits<double>::quiet_NaN();
    }
    const double log = arithmetic::log(d), e = -exponent * log;
    relative_error = std::abs(e) < 600 ? std::abs(exponent) * errors_[at] + 0x1p-40 * (1 + std::abs(e))
                                       : std::numeric_limits<double>::infinity();
    return arithmetic::exp(e);
  }

 private:
  dimensions box_, strides_;
  std::vector<double> divisors_, errors_;
};

// A double within an error, rounded to T; otherwise exactly().
template <class T, class Exact>
T rounded_response(double y, double error, const Exact& exactly) {
  const auto low = rounded_bits<T>(y - error), high = rounded_bits<T>(y + error);
  return error < 0x1p900 && low == high ? std::bit_cast<T>(low) : exactly();
}

}  // namespace detail

template <>
struct kernel<local_response_normalization_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const local_response_normalization_desc& desc) {
    const auto form = detail::local_response_form_of(desc);
    const auto x = [&](const coordinate_tuple& c) { return exact_double(T(input[c])); };
    const dimensions& sizes = output.sizes();
    const arithmetic::local_response<T, decltype(x)> exact(form, sizes, x);
    detail::parallel_for(
        backend, element_count(sizes) * sizeof(T) * 16, sizes[0], [&](std::uint64_t begin, std::uint64_t end) {
          const detail::ieee_arithmetic mode;
          dimensions box = sizes;
          box[0] = 1;
          for (auto n = static_cast<std::uint32_t>(begin); n < end; ++n) {
            const detail::image_responses image(form, sizes, n, x);
            for (coordinate_tuple c : coordinates_of(box)) {
              c[0] = n;
              double off = 0;
              const double p = image.power(c, form.beta, off), y = x(c) * p;
              output[c] = detail::rounded_response<T>(y, std::abs(y) * off, [&] { return exact.normalised(c); });
            }
          }
        });
  }
};

template <>
struct kernel<local_response_normalization_grad_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<const T>& gradient,
                  const tensor_view<T>& output, const local_response_normalization_grad_desc& desc) {
    const auto form = detail::local_response_form_of(desc);
    const auto x = [&](const coordinate_tuple& c) { return exact_double(T(input[c])); };
    const auto dy = [&](const coordinate_tuple& c) { return exact_double(T(gradient[c])); };
    const dimensions& sizes = output.sizes();
    const arithmetic::local_response<T, decltype(x)> exact(form, sizes, x);
    const double factor = 2 * form.alpha * form.beta / form.divisor;
    detail::parallel_for(
        backend, element_count(sizes) * sizeof(T) * 16, sizes[0], [&](std::uint64_t begin, std::uint64_t end) {
          const detail::ieee_arithmetic mode;
          dimensions box = sizes, strides = packed_strides(sizes);
          box[0] = 1;
          strides[0] = 0;
          for (auto n = static_cast<std::uint32_t>(begin); n < end; ++n) {
            const detail::image_responses image(form, sizes, n, x);
            std::vector<double> terms, errors;
            for (coordinate_tuple c : coordinates_of(box)) {
              c[0] = n;
              double off = 0;
              terms.push_back(dy(c) * x(c) * image.power(c, form.beta + 1, off));
              errors.push_back(std::abs(terms.back()) * (off + 0x1p-51));
            }
            for (coordinate_tuple c : coordinates_of(box)) {
              c[0] = n;
              double off = 0, sum = 0, error = 0, count = 4, magnitude = 0;
              arithmetic::for_window(form, sizes, c, true, [&](const coordinate_tuple& i) {
                const auto at = static_cast<std::size_t>(offset_of(i, strides));
                sum += terms[at];
                magnitude += std::abs(terms[at]);
                error += errors[at];
                count += 1;
              });
              const double first = dy(c) * image.power(c, form.beta, off), by = factor * x(c), second = by * sum;
              const double all = std::abs(first) * (off + 0x1p-51) +
                                 std::abs(by) * (error + count * 0x1p-52 * magnitude) +
                                 0x1p-51 * (std::abs(first) + std::abs(second));
              output[c] = detail::rounded_response<T>(first - second, all, [&] { return exact.gradient(c, dy); });
            }
          }
        });
  }
};

}  // namespace goldml
