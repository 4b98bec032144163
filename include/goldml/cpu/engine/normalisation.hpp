// The affine step of normalisations, in double precision with its error, 64 elements at a time: either of slices, whose
// mean and variance are computed, or with given ones. What a double does not decide is computed exactly.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include <goldml/arithmetic/normalisation.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/cpu/engine/normalisation_blocks.hpp>
#include <goldml/operators/normalisation_rules.hpp>

namespace goldml::detail {

template <class T>
class normalisation_engine {
 public:
  // With `axes` a slice has the elements whose coordinates differ on these; without, means and variances are given.
  normalisation_engine(const cpu_backend& backend, const normalisation_inputs<T>& t, const tensor_view<T>& output,
                       const std::optional<dimensions>& axes, const arithmetic::normalisation_form& form,
                       const std::optional<activation>& f,
                       const std::array<std::optional<tensor_view<T>>, 2>& statistics = {})
      : backend_(backend), set_(backend.instruction_set()), form_(form), f_(f), is_given_(!axes) {
    from_ = {t.input.data(), data(t.scale), data(t.bias), data(t.add), data(t.mean), data(t.variance)};
    to_ = output.data();
    for (std::size_t i = 0; i < 2; ++i)
      if (statistics[i]) statistics_[i] = statistics[i]->data();
    const auto stride = [&](const auto& each, std::size_t i) {
      return !each || each->sizes()[i] == 1 ? std::uint64_t{0} : std::uint64_t{each->strides()[i]};
    };
    for (std::size_t i = 0; i < output.sizes().size(); ++i)
      (axes && axes->contains(static_cast<std::uint32_t>(i)) ? elements_ : slices_)
          .add(output.sizes()[i],
               {output.strides()[i], t.input.strides()[i], stride(t.scale, i), stride(t.bias, i), stride(t.add, i),
                stride(t.mean, i), stride(t.variance, i), stride(statistics[0], i), stride(statistics[1], i)});
    for (auto* each : {&slices_, &elements_}) each->sort_by_stride(0), each->merge();
    run_ = is_given_ ? slices_.take_innermost() : elements_.take_innermost();
    size_ = elements_.iterations() * run_.size;
  }

  void run() const {
    const std::uint64_t slices = slices_.iterations();
    parallel_for(backend_, slices * size_ * sizeof(T) * 8, slices, [&](std::uint64_t begin, std::uint64_t end) {
      const ieee_arithmetic mode;
      slices_.for_range(begin, end, [&](const offsets& at) { run_slice(at); });
    });
  }

 private:
  using offsets = loop_nest<9>::offsets;
  using lanes = normalisation_block;
  enum operand_number : std::size_t { out, input, scale, bias, add, mean, variance, out_mean, out_variance };

  static const T* data(const std::optional<tensor_view<const T>>& t) { return t ? t->data() : nullptr; }
  double element(std::size_t operand, std::uint64_t at) const { return exact_double(from_[operand - 1][at]); }

  // `count` elements of an operand from `first` of a run on; one that all elements share only at its beginning.
  void load(std::size_t operand, const offsets& at, std::uint64_t first, std::size_t count, lanes& to) const {
    if (from_[operand - 1] == nullptr) return;  // what `to` has already
    const std::uint64_t stride = run_.stride[operand];
    if (stride == 0 && first != 0) return;
    const T* const from = from_[operand - 1] + at[operand] + first * stride;
    if (stride == 0)
      to.fill(double_of(*from));
    else if (stride == 1)
      simd::dispatch<load_lanes<T>>(set_, from, count, to);
    else
      for (std::size_t i = 0; i < count; ++i) to[i] = double_of(from[i * stride]);
  }
  static double double_of(T x) { return double_of_bits<T>(std::bit_cast<number_bits_of<T>>(x)); }

  // Calls f(offsets of a run, first, count).
  template <class F>
  void for_blocks(const offsets& slice, const F& f) const {
    elements_.for_each([&](const offsets& at) {
      offsets sum{};
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = slice[k] + at[k];
      for (std::uint64_t first = 0; first < run_.size; first += normalisation_lanes)
        f(sum, first, static_cast<std::size_t>((std::min)(run_.size - first, std::uint64_t{normalisation_lanes})));
    });
  }
  normalisation_sums sums_about(const offsets& slice, double centre) const {
    normalisation_sums result;
    lanes x{};
    for_blocks(slice, [&](const offsets& at, std::uint64_t first, std::size_t count) {
      load(input, at, first, count, x);
      simd::dispatch<add_to_sums>(set_, x, count, centre, result);
    });
    return result;
  }

  // The mean and the variance of a slice; stores them if they are outputs.
  void set_statistics(const offsets& slice, normalisation_lane_steps& by) const {
    const double n = static_cast<double>(size_);
    // Additions in a lane and of all lanes; and a few steps more.
    const double grown =
        (static_cast<double>(elements_.iterations()) * (static_cast<double>(run_.size) / normalisation_lanes + 1) +
         normalisation_lanes + 8) *
        0x1p-52;
    double c = 0, c_error = 0, spread = 0, spread_error = 0;
    normalisation_sums sums = sums_about(slice, 0);
    if (form_.norm != 0) return set_norm(sums, grown, by);
    if (form_.uses_mean || form_.centred) {
      c = normalisation_sums::total(sums.sum) / n;
      sums = sums_about(slice, c);
      const double rest = normalisation_sums::total(sums.sum) / n;
      spread = normalisation_sums::total(sums.squares) / n - rest * rest;
      c += rest;
      c_error = grown * normalisation_sums::total(sums.magnitude) / n + 0x1p-52 * magnitude_of(c);
      spread_error = grown * (spread + rest * rest) + 2 * magnitude_of(rest) * c_error + c_error * c_error;
    } else {
      spread = normalisation_sums::total(sums.squares) / n;
      spread_error = grown * spread;
    }
    if (statistics_[0] != nullptr) store_statistics(slice, c, c_error, spread, spread_error);
    double r = 1;
    if (form_.uses_variance) {
      const double divisor = spread + form_.epsilon, off = spread_error + 0x1p-52 * magnitude_of(divisor);
      r = 1 / std::sqrt(divisor);
      by.factor_error =
          off * 4 < divisor && divisor < 0x1p900 ? off / divisor + 0x1p-51 : std::numeric_limits<double>::infinity();
    } else {
      const double rounded = form_.uses_mean ? 0x1p-51 : 0;
      by.factor_error = magnitude_of(c) < 0x1p900 ? rounded : std::numeric_limits<double>::infinity();
    }
    by.fill(form_.uses_mean ? c : 0, r);
    by.centre_error = form_.uses_mean ? c_error : 0;
  }
  void set_norm(const normalisation_sums& sums, double grown, normalisation_lane_steps& by) const {
    const double sum = normalisation_sums::total(form_.norm == 1 ? sums.magnitude : sums.squares), e = form_.epsilon;
    const bool is_root = form_.norm == 2;
    const double norm = is_root ? std::sqrt(sum) : sum, inside = is_root ? sum : sum * sum;
    const bool is_inner = arithmetic::is_inside(form_.placement), adds = arithmetic::is_added(form_.placement);
    const double x = is_inner ? inside : norm, divisor = adds ? x + e : (std::max)(x, e);
    // Where the two are next to each other, the exact numbers decide; where they cancel, too.
    const bool is_sure = e >= 0 && divisor > 0x1p-900 && divisor < 0x1p900;
    by.fill(0, 1 / (is_inner ? std::sqrt(divisor) : divisor));
    by.factor_error = is_sure ? grown + 0x1p-50 : std::numeric_limits<double>::infinity();
  }
  void store_statistics(const offsets& slice, double c, double c_error, double spread, double spread_error) const {
    const auto is_decided = [](double value, double error) {
      return error < 0x1p900 && value - error != 0 && rounded_bits<T>(value - error) == rounded_bits<T>(value + error);
    };
    T &of_mean = statistics_[0][slice[out_mean]], &of_variance = statistics_[1][slice[out_variance]];
    if (is_decided(c, c_error) && is_decided(spread, spread_error + 0x1p-52 * spread)) {
      of_mean = std::bit_cast<T>(rounded_bits<T>(c));
      of_variance = std::bit_cast<T>(rounded_bits<T>(spread));
      return;
    }
    const arithmetic::rounded_moments<T> exact(size_, elements_of(slice));
    of_mean = exact.mean;
    of_variance = exact.variance;
  }
  // Those that are given, of a block.
  void load_statistics(const offsets& at, std::uint64_t first, std::size_t count, normalisation_lane_steps& by) const {
    load(mean, at, first, count, by.centre);
    if (run_.stride[variance] == 0 && first != 0) return;
    lanes v{};
    load(variance, at, first, count, v);
    by.factor_error = 0x1p-50;
    const std::size_t different = run_.stride[variance] == 0 ? 1 : count;
    for (std::size_t i = 0; i < different; ++i) {
      const double divisor = v[i] + form_.epsilon;
      by.factor[i] = 1 / std::sqrt(divisor);
      if (!(divisor > 0 && divisor < 0x1p900)) by.factor_error = std::numeric_limits<double>::infinity();
    }
    if (different == 1) by.factor.fill(by.factor[0]);
  }

  void run_slice(const offsets& slice) const {
    normalisation_lane_steps by;
    by.fill(0, 1);
    if (!is_given_) set_statistics(slice, by);
    std::optional<arithmetic::exact_affine> exact;
    lanes x{}, s, b{}, a{}, value, error;
    s.fill(1);
    typename rounded_lanes<T>::bits result, undecided;
    for_blocks(slice, [&](const offsets& at, std::uint64_t first, std::size_t count) {
      load(input, at, first, count, x);
      load(scale, at, first, count, s);
      load(bias, at, first, count, b);
      load(add, at, first, count, a);
      if (is_given_) load_statistics(at, first, count, by);
      const auto exactly = [&](std::size_t i) -> const arithmetic::exact_affine& {
        if (is_given_)
          return exact.emplace(element_of(mean, at, first + i), element_of(variance, at, first + i), form_.epsilon);
        if (!exact) exact.emplace(size_, elements_of(slice), form_);
        return *exact;
      };
      const auto operands = [&](std::size_t i) { return arithmetic::affine_operands{s[i], b[i], a[i]}; };
      if (f_) {
        simd::dispatch<affine_lanes>(set_, x, s, b, a, by, value, error);
        for (std::size_t i = 0; i < count; ++i) {
          const T y = error[i] < 0x1p900
                          ? arithmetic::fused_rounded<T>(f_, value[i], error[i],
                                                         [&] { return exactly(i).value(x[i], operands(i)); })
                          : exactly(i).template rounded<T>(f_, x[i], operands(i));
          to_[at[out] + (first + i) * run_.stride[out]] = y;
        }
        return;
      }
      number_bits_of<T> any = 0;
      simd::dispatch<rounded_lanes<T>>(set_, x, s, b, a, by, result, undecided, any);
      if (any == 0 && run_.stride[out] == 1) {
        std::memcpy(static_cast<void*>(to_ + at[out] + first), result.data(), count * sizeof(T));
        return;
      }
      for (std::size_t i = 0; i < count; ++i) {
        T y = std::bit_cast<T>(result[i]);
        if (undecided[i] != 0) y = exactly(i).template rounded<T>(f_, x[i], operands(i));
        to_[at[out] + (first + i) * run_.stride[out]] = y;
      }
    });
  }
  double element_of(std::size_t operand, const offsets& at, std::uint64_t i) const {
    return element(operand, at[operand] + i * run_.stride[operand]);
  }
  // at(i) of a slice.
  auto elements_of(const offsets& slice) const {
    return [this, slice](std::uint64_t i) {
      const offsets at = offsets_at(elements_, i / run_.size);
      return element(input, slice[input] + at[input] + i % run_.size * run_.stride[input]);
    };
  }

  const cpu_backend& backend_;
  const instruction_set set_;
  const arithmetic::normalisation_form form_;
  const std::optional<activation>& f_;
  const bool is_given_;
  std::array<const T*, 6> from_{};
  T* to_ = nullptr;
  std::array<T*, 2> statistics_{};
  loop_nest<9> slices_, elements_;
  loop<9> run_{1, {}};
  std::uint64_t size_ = 1;  // of a slice
};

}  // namespace goldml::detail
