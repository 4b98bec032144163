// SOFTMAX and LOG_SOFTMAX: blocks of 64 elements are computed in double precision (softmax/blocks.hpp), either
// consecutive elements of one slice, or elements of 64 slices. Where that does not decide how a result is rounded, it
// is computed again exactly.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/softmax/blocks.hpp>
#include <goldml/operators/softmax_values.hpp>

namespace goldml::detail {

// The slices of a call: where each begins, and the steps within one. Strides are in elements: the input's, the
// output's.
template <class T, softmax_function F>
class softmax_engine {
 public:
  softmax_engine(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                 const dimensions& axes)
      : backend_(backend), set_(backend.instruction_set()), from_(input.data()), to_(output.data()) {
    for (std::size_t i = 0; i < input.sizes().size(); ++i)
      (axes.contains(static_cast<std::uint32_t>(i)) ? elements_ : slices_)
          .add(input.sizes()[i], {input.strides()[i], output.strides()[i]});
    slices_.sort_by_stride(0);
    slices_.merge();
    elements_.sort_by_stride(0);
    elements_.merge();
    size_ = elements_.iterations();
    const bool is_contiguous = elements_.empty() || elements_.back().stride[0] == 1;
    by_columns_ = slices_.iterations() >= 8 && (size_ < softmax_lanes || !is_contiguous);
    const std::uint64_t lines = by_columns_ ? size_ : (size_ + softmax_lanes - 1) / softmax_lanes;
    keeps_terms_ = !is_log && lines <= most_terms / softmax_lanes;
  }

  void run() const {
    constexpr std::uint64_t width = softmax_lanes;
    const std::uint64_t slices = slices_.iterations();
    const std::uint64_t items = by_columns_ ? (slices + width - 1) / width : slices;
    parallel_for(backend_, slices * size_ * sizeof(T) * 8, items, [&](std::uint64_t begin, std::uint64_t end) {
      const ieee_arithmetic mode;
      std::vector<double> terms(keeps_terms_ ? 0 : softmax_lanes);
      for (std::uint64_t item = begin; item < end; ++item)
        if (by_columns_)
          run_columns(item * width, (std::min)(slices, (item + 1) * width), terms);
        else
          run_row(item, terms);
    });
  }

 private:
  static constexpr bool is_log = F == softmax_function::log_softmax;
  static constexpr std::uint64_t most_terms = std::uint64_t{1} << 17;  // that are kept, so that they are computed once
  using offsets = loop_nest<2>::offsets;
  using bits = number_bits_of<T>;
  using place = std::pair<std::size_t, std::uint64_t>;  // the lane, and the number of the element in its slice

  // Calls f(number of the first element, how many) for the blocks of a slice.
  template <class Visit>
  void for_blocks(const Visit& f) const {
    for (std::uint64_t first = 0; first < size_; first += softmax_lanes)
      f(first, static_cast<std::size_t>((std::min)(size_ - first, std::uint64_t{softmax_lanes})));
  }
  // Calls f(i, offsets) for elements first .. first + count - 1 of a slice.
  template <class Visit>
  void for_elements(std::uint64_t first, std::size_t count, const Visit& f) const {
    if (elements_.size() == 1) {
      const auto& stride = elements_.back().stride;
      for (std::size_t i = 0; i < count; ++i) f(i, offsets{(first + i) * stride[0], (first + i) * stride[1]});
    } else {
      std::size_t i = 0;
      elements_.for_range(first, first + count, [&](const offsets& offset) { f(i++, offset); });
    }
  }

  // What the results are made of besides the terms, or the elements: the sums; or their logarithms, with errors.
  struct divisors {
    // Of so many slices: one, which all lanes have, or one in each lane.
    divisors(const softmax_state& state, double additions, std::size_t slices) : sums(state.totals()) {
      if constexpr (is_log) {
        errors.fill(0);
        to_logarithms(state, additions, slices, sums, errors);
        if (slices == 1) sums.fill(sums[0]), errors.fill(errors[0]);
      }
    }
    softmax_block sums;
    softmax_block errors;  // of LOG_SOFTMAX
  };
  // Computes the results of a block, in `x`; returns whether all are decided.
  bool are_decided(const softmax_state& state, const double* terms, const divisors& by, softmax_bits<T>& x,
                   softmax_bits<T>& undecided) const {
    constexpr std::type_identity<T> type;
    if constexpr (is_log)
      return simd::dispatch<log_softmax_results>(set_, type, state, by.sums, by.errors, x, undecided);
    else
      return simd::dispatch<softmax_results>(set_, type, terms, by.sums, x, undecided);
  }

  void run_row(std::uint64_t slice, std::vector<double>& terms) const {
    const offsets begin = offsets_at(slices_, slice);
    softmax_state state;
    softmax_bits<T> x, undecided;
    const auto load = [&](std::uint64_t first, std::size_t count) {
      x.fill(std::bit_cast<bits>(static_cast<T>(-std::numeric_limits<float>::infinity())));  // whose term is 0
      const T* const from = from_ + begin[0];
      for_elements(first, count, [&](std::size_t i, const offsets& at) { x[i] = std::bit_cast<bits>(from[at[0]]); });
    };
    for_blocks([&](std::uint64_t first, std::size_t count) {
      load(first, count);
      simd::dispatch<softmax_greatest>(set_, std::type_identity<T>{}, x, state);
    });
    state.join_greatest();
    if (keeps_terms_) terms.resize(static_cast<std::size_t>(size_) + softmax_lanes);
    const auto terms_of = [&](std::uint64_t first) { return terms.data() + (keeps_terms_ ? first : 0); };
    for_blocks([&](std::uint64_t first, std::size_t count) {
      load(first, count);
      simd::dispatch<softmax_terms>(set_, std::type_identity<T>{}, x, state, terms_of(first), true);
    });
    state.join_sums();
    const divisors by(state, static_cast<double>(size_ / softmax_lanes + 1 + softmax_lanes), 1);
    std::vector<place> left;
    for_blocks([&](std::uint64_t first, std::size_t count) {
      double* const block = terms_of(first);
      if (!keeps_terms_) {
        load(first, count);
        if (!is_log) simd::dispatch<softmax_terms>(set_, std::type_identity<T>{}, x, state, block, false);
      }
      if (!are_decided(state, block, by, x, undecided))
        for (std::size_t i = 0; i < count; ++i)
          if (undecided[i] != 0) left.emplace_back(0, first + i);
      T* const to = to_ + begin[1];
      for_elements(first, count, [&](std::size_t i, const offsets& at) { to[at[1]] = std::bit_cast<T>(x[i]); });
    });
    compute_exactly({&begin, 1}, left);
  }

  // Slices first .. last-1, at most 64.
  void run_columns(std::uint64_t first, std::uint64_t last, std::vector<double>& terms) const {
    std::array<offsets, softmax_lanes> begin;
    const auto count = static_cast<std::size_t>(last - first);
    std::size_t lane = 0;
    slices_.for_range(first, last, [&](const offsets& offset) { begin[lane++] = offset; });
    std::array<bool, 2> adjacent{true, true};
    for (std::size_t i = 1; i < count; ++i)
      for (std::size_t k = 0; k < 2; ++k) adjacent[k] = adjacent[k] && begin[i][k] == begin[0][k] + i;
    softmax_state state;
    softmax_bits<T> x{}, undecided;
    const auto load = [&](const offsets& at) {
      const T* const from = from_ + at[0];
      if (adjacent[0])
        std::memcpy(x.data(), from + begin[0][0], count * sizeof(T));
      else
        for (std::size_t i = 0; i < count; ++i) x[i] = std::bit_cast<bits>(from[begin[i][0]]);
    };
    elements_.for_each([&](const offsets& at) {
      load(at);
      simd::dispatch<softmax_greatest>(set_, std::type_identity<T>{}, x, state);
    });
    if (keeps_terms_) terms.resize(static_cast<std::size_t>(size_) * softmax_lanes);
    std::uint64_t number = 0;
    const auto next_terms = [&] { return terms.data() + (keeps_terms_ ? softmax_lanes * number : 0); };
    elements_.for_each([&](const offsets& at) {
      load(at);
      simd::dispatch<softmax_terms>(set_, std::type_identity<T>{}, x, state, next_terms(), true);
      ++number;
    });
    const divisors by(state, static_cast<double>(size_), count);
    std::vector<place> left;
    number = 0;
    elements_.for_each([&](const offsets& at) {
      double* const block = next_terms();
      if (!keeps_terms_) {
        load(at);
        if (!is_log) simd::dispatch<softmax_terms>(set_, std::type_identity<T>{}, x, state, block, false);
      }
      if (!are_decided(state, block, by, x, undecided))
        for (std::size_t i = 0; i < count; ++i)
          if (undecided[i] != 0) left.emplace_back(i, number);
      T* const to = to_ + at[1];
      if (adjacent[1])
        std::memcpy(static_cast<void*>(to + begin[0][1]), x.data(), count * sizeof(T));
      else
        for (std::size_t i = 0; i < count; ++i) to[begin[i][1]] = std::bit_cast<T>(x[i]);
      ++number;
    });
    compute_exactly({begin.data(), count}, left);
  }

  void compute_exactly(std::span<const offsets> begin, std::vector<place>& left) const {
    std::sort(left.begin(), left.end());
    std::vector<double> slice;
    for (std::size_t i = 0; i < left.size();) {
      const std::size_t lane = left[i].first;
      slice.clear();
      elements_.for_each([&](const offsets& at) { slice.push_back(exact_double(from_[begin[lane][0] + at[0]])); });
      softmax_values<F> softmax(slice);
      for (; i < left.size() && left[i].first == lane; ++i) {
        const offsets at = offsets_at(elements_, left[i].second);
        to_[begin[lane][1] + at[1]] = softmax.template rounded<T>(static_cast<std::size_t>(left[i].second));
      }
    }
  }

  const cpu_backend& backend_;
  const instruction_set set_;
  const T* const from_;
  T* const to_;
  loop_nest<2> slices_;
  loop_nest<2> elements_;
  std::uint64_t size_ = 0;  // of a slice
  bool by_columns_ = false;
  bool keeps_terms_ = false;
};

}  // namespace goldml::detail
