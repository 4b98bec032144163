// What a device may answer to MAX_POOLING and its versions with indices (ledger PO-R3, PO-R5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/pooling.hpp>
#include <goldml/operators/pooling_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// What the window of each element reads, for alternatives that are computed on demand.
template <class T>
struct greatest_taps {
  std::shared_ptr<const host_tensor> input;
  image_windows windows;
  dimensions counts;

  // Calls f(element, its number in the input) for the taps of a window, until f returns true.
  template <class F>
  void for_taps(std::size_t window, const F& f) const {
    const auto x = input->ref().template as<T>();
    const window_taps taps = windows.taps_of(coordinate_at(counts, window));
    for (const coordinate_tuple& r : coordinates_of(taps.counts))
      if (f(T(x[taps[r]]), number_of(taps[r], x.sizes()))) return;
  }
  // NaN; and where the maximum is 0, either zero, and all that is 0 if it is flushed.
  alternative_reader values(bool flushes) const {
    return [*this, flushes](std::size_t window, const std::function<bool(const scalar&)>& f) {
      const auto seen = [&](T x) { return flushes ? flushed(x) : x; };
      bool found = false, has_number = false, has_zero = false, has_positive = false;
      for_taps(window, [&](T x, std::uint64_t) {
        if (is_nan(x)) return found = f(scalar(std::numeric_limits<T>::quiet_NaN()));
        has_number = true;
        has_zero = has_zero || is_zero(seen(x));
        has_positive = has_positive || order_key(seen(x)) > 0;
        return false;
      });
      if (found) return;
      if (!has_number) return for_taps(window, [&](T x, std::uint64_t) { return f(scalar(x)); });  // any of the NaN
      if (!has_zero || has_positive || f(scalar(T(-0.0F))) || f(scalar(T(0.0F)))) return;
      for_taps(window, [&](T x, std::uint64_t) { return is_zero(seen(x)) && f(scalar(x)); });
    };
  }
  // The places of NaN.
  template <class Index>
  alternative_reader nan_places() const {
    return [*this](std::size_t window, const std::function<bool(const scalar&)>& f) {
      for_taps(window, [&](T x, std::uint64_t number) { return is_nan(x) && f(scalar(static_cast<Index>(number))); });
    };
  }
};

template <class T, class Desc>
void add_greatest_verdicts(const Desc& desc, const const_tensor_ref& input, std::span<const tensor_ref> golden,
                           bool flushes, std::span<output_verdicts> result) {
  const dimensions& counts = golden[0].desc().sizes;
  const image_windows windows(window_lists_of(desc), input.desc().sizes, counts);
  const auto x = input.as<T>();
  const bool skips = desc.nan_policy == nan_policy::skip;
  const bool with_indices = golden.size() > 1 && golden[1].present();
  bool reads = false;
  std::size_t element = 0;
  for (const coordinate_tuple& o : coordinates_of(counts)) {
    const window_taps taps = windows.taps_of(o);
    bool has_nan = false, has_number = false, has_zero = false, has_positive = false, has_finite = false;
    if constexpr (is_floating_type<T>)
      for (const coordinate_tuple& r : coordinates_of(taps.counts)) {
        const T each = flushes ? flushed(T(x[taps[r]])) : T(x[taps[r]]);
        has_nan = has_nan || is_nan(each);
        if (is_nan(each)) continue;
        has_number = true;
        has_zero = has_zero || is_zero(each);
        has_positive = has_positive || order_key(each) > 0;
        has_finite = has_finite || order_key(each) > order_key(least_of<T>());
      }
    if (taps.count() == 0) {  // anything
      result[0].make_undefined(element);
      if (with_indices) result[1].make_undefined(element);
    } else if (is_floating_type<T>) {
      const bool reads_value = has_nan ? skips : has_zero && !has_positive;
      if (reads_value) result[0].allow_what_is_read(element);
      // A running maximum that begins with -infinity selects nothing of -infinity, and of NaN that it skips.
      if (with_indices && has_number && !has_finite && (skips || !has_nan)) result[1].make_undefined(element);
      if (with_indices && has_nan && skips) result[1].allow_what_is_read(element);
      reads = reads || reads_value;
    }
    ++element;
  }
  if (!reads) return;
  const greatest_taps<T> reader{std::make_shared<const host_tensor>(input), windows, counts};
  result[0].read_alternatives_with(reader.values(flushes));
  if (with_indices) {
    if (golden[1].desc().data_type == data_type::uint64)
      result[1].read_alternatives_with(reader.template nan_places<std::uint64_t>());
    else
      result[1].read_alternatives_with(reader.template nan_places<std::uint32_t>());
  }
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <goldml::detail::pooling_operator Desc>
requires(Desc::function == pooling_function::max) struct verdict_traits<Desc> {
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    add(desc, inputs, golden, false, result);
  }
  static void flushed_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (inputs[0].desc().data_type == data_type::float32) add(desc, inputs, flushed, true, result);
  }
  // Of floats, a copy of the input.
  static std::uint64_t verdict_memory(const Desc&, const operands_of<Desc>& t) {
    return goldml::detail::pooling_floats.contains(t[0].desc->data_type) ? total_tensor_size_in_bytes(*t[0].desc) : 0;
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .flushed_verdicts = &flushed_verdicts,
                                                 .verdict_memory = &verdict_memory,
                                                 .flush_of = &flush_always<flushed_answer::per_element>};

 private:
  static void add(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                  bool flushes, std::span<output_verdicts> result) {
    visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      goldml::detail::add_greatest_verdicts<T>(desc, inputs[0], golden, flushes, result);
    });
  }
};

}  // namespace goldml::oracle
