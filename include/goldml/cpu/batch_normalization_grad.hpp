// BATCH_NORMALIZATION_GRAD and BATCH_NORMALIZATION_TRAINING_GRAD on the CPU: in double precision with errors, slice by
// slice; what that does not decide is computed exactly.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/normalisation_gradient.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/operators/batch_normalization_grad.hpp>

namespace goldml {

namespace detail {

// The gradients of a slice as doubles with errors.
class rough_gradient {
 public:
  explicit rough_gradient(const arithmetic::gradient_slice& slice) : slice_(slice) {
    const double n = slice.count(), d = slice.divisor(), grown = (n + 8) * 0x1p-52;
    c_ = slice.mean;
    double magnitude = 0, reach = 0, distances = 0, inputs = 0, sizes = 0;
    for (std::size_t i = 0; i < slice.x.size(); ++i) {
      inputs += slice.x[i];
      sizes += std::abs(slice.x[i]);
    }
    if (slice.takes_mean_of_input) c_ = inputs / n;
    const double c_error = slice.takes_mean_of_input ? grown * sizes / n : 0;
    double own = 0;
    for (std::size_t i = 0; i < slice.x.size(); ++i) {
      const double dy = slice.dy[i];
      sum_ += dy;
      magnitude += std::abs(dy);
      centred_ += dy * (slice.x[i] - slice.mean);
      reach += std::abs(dy * (slice.x[i] - slice.mean));
      own += dy * (slice.x[i] - c_);
      distances += std::abs(dy * (slice.x[i] - c_));
    }
    sum_error_ = grown * magnitude;
    centred_error_ = grown * reach;
    root_ = 1 / std::sqrt(d);
    is_sure_ = d > 0x1p-900 && d < 0x1p900;  // a sum of two, rounded once
    weight_ = own / n / d;
    weight_error_ = (grown * distances + magnitude * c_error) / n / d + 4 * 0x1p-52 * std::abs(weight_);
    centre_error_ = c_error;
  }

  template <class T, class Exact>
  T element(std::size_t i, const Exact& exact) const {
    const double s = slice_.scale * root_, dy = slice_.dy[i];
    if (!slice_.projects) return decided<T>(s * dy, std::abs(s * dy) * 0x1p-49, exact);
    const double n = slice_.count(), x = slice_.x[i] - c_, mean = sum_ / n, t = x * weight_;
    const double y = s * (dy - mean - t);
    const double error =
        std::abs(s) * (sum_error_ / n + std::abs(x) * weight_error_ + centre_error_ * std::abs(weight_) +
                       0x1p-49 * (std::abs(dy) + std::abs(mean) + std::abs(t)));
    return decided<T>(y, error, exact);
  }
  template <class T, class Exact>
  T of_scale(const Exact& exact) const {
    const double y = centred_ * root_;
    return decided<T>(y, root_ * centred_error_ + std::abs(y) * 0x1p-49, exact);
  }
  template <class T, class Exact>
  T of_bias(const Exact& exact) const {
    return decided<T>(sum_, sum_error_, exact);
  }

 private:
  template <class T, class Exact>
  T decided(double y, double error, const Exact& exact) const {
    const auto low = rounded_bits<T>(y - error), high = rounded_bits<T>(y + error);
    return is_sure_ && error < 0x1p900 && low == high && y != 0 ? std::bit_cast<T>(low) : exact();
  }

  const arithmetic::gradient_slice& slice_;
  double c_ = 0, sum_ = 0, sum_error_ = 0, centred_ = 0, centred_error_ = 0, root_ = 0, weight_ = 0, weight_error_ = 0,
         centre_error_ = 0;
  bool is_sure_ = false;
};

}  // namespace detail

template <detail::batch_gradient_operator Desc>
struct kernel<Desc, cpu_backend> {
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::batch_gradient_inputs<T> t(inputs);
      const tensor_view<T> dx = outputs[0].as<T>(), of_scale = outputs[1].as<T>(), of_bias = outputs[2].as<T>();
      const dimensions& sizes = of_scale.sizes();
      detail::parallel_for(
          backend, element_count(dx.sizes()) * sizeof(T) * 16, element_count(sizes),
          [&](std::uint64_t begin, std::uint64_t end) {
            const detail::ieee_arithmetic mode;
            for (std::uint64_t number = begin; number < end; ++number) {
              const coordinate_tuple first = coordinate_at(sizes, number);
              const arithmetic::gradient_slice slice = t.slice_at(desc, first);
              const detail::rough_gradient rough(slice);
              std::optional<arithmetic::exact_gradient> kept;
              const auto exact = [&]() -> const arithmetic::exact_gradient& {
                if (!kept) kept.emplace(slice);
                return *kept;
              };
              of_scale[first] = rough.template of_scale<T>([&] { return exact().template of_scale<T>(); });
              of_bias[first] = rough.template of_bias<T>([&] { return exact().template of_bias<T>(); });
              std::size_t i = 0;
              for (const coordinate_tuple& r : coordinates_of(t.box)) {
                dx[reduction_candidate(first, r)] =
                    rough.template element<T>(i, [&] { return exact().template element<T>(i); });
                ++i;
              }
            }
          });
    });
  }
};

}  // namespace goldml
