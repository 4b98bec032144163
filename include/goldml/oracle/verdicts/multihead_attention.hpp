// What a device may answer to MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1 (ledger MH-R3 to MH-R7, MH-R9, MH-R14).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/multihead_attention_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/multihead_attention_bounds.hpp>

namespace goldml::detail {

// The verdicts on a call, in one mode.
template <class T>
class attention_verdicts {
 public:
  template <class Desc>
  attention_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                     bool flushes)
      : call_(desc, inputs, golden),
        in_{{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation},
            std::is_same_v<T, float16> && desc.intermediates == intermediates::tensor_type},
        skips_masked_(desc.masked_rows == masked_rows::any) {}

  void add_to(std::span<output_verdicts> result) const {
    result[0].range.row = static_cast<std::size_t>(call_.z.dv);
    std::optional<attention_head<T>> head;
    std::array<std::uint32_t, 2> of_head{};
    for (std::uint64_t number = 0; number < call_.row_count(); ++number) {
      const attention_row_place at = call_.row(number);
      const std::array<std::uint32_t, 2> place{at.b, call_.group(at.n)};
      if (!head || of_head != place) head.emplace(call_, in_, place[0], place[1]);
      of_head = place;
      add_row(at, *head, result[0]);
    }
    if (call_.bias && call_.adds_bias_to_presents) {
      add_presents(call_.present_key, call_.key, call_.z.d, call_.z.n * call_.z.d, result[1]);
      add_presents(call_.present_value, call_.value, call_.z.dv, (call_.z.n + call_.z.g) * call_.z.d, result[2]);
    }
  }

 private:
  std::size_t element(const attention_row_place& at, std::uint32_t d) const {
    return static_cast<std::size_t>(((at.b * call_.z.s + at.i) * call_.z.n + at.n) * call_.z.dv + d);
  }
  void add_row(const attention_row_place& at, const attention_head<T>& head, output_verdicts& result) const {
    bool open = false, whole = true, any = false;
    for (std::uint32_t t = 0; t < call_.keys_of(at); ++t) {
      const key_state state = call_.state_of(at, t);
      open = open || state == key_state::open;
      whole = whole && state == key_state::filtered;
      any = any || state == key_state::filtered;
    }
    if (open || (whole && skips_masked_)) {
      for (std::uint32_t d = 0; d < call_.z.dv; ++d) result.make_undefined(element(at, d));
      return;
    }
    attention_bounds<T> bounds(call_, at, call_.sets, in_, head);
    // Of masks by lengths, devices may also set the score (MH-R3).
    std::vector<element_intervals> others;
    if (any && !call_.sets && call_.mask_type != multihead_attention_mask_type::boolean) {
      attention_bounds<T> set(call_, at, true, in_, head);
      for (std::uint32_t d = 0; d < call_.z.dv; ++d)
        others.push_back(set.undefined() ? element_intervals{} : set.of(d, golden(at, d)));
    }
    for (std::uint32_t d = 0; d < call_.z.dv; ++d) {
      element_intervals all;
      if (!bounds.undefined())
        all = bounds.of(d, golden(at, d));
      else
        all.main.allowed = all.main.close = bounds.is_nothing() ? interval{0, 0, 0, 0, interval_also::nan} : nan_alone;
      if (nan_beyond(at, d))
        for (interval* each : {&all.main.allowed, &all.main.close})
          each->also = static_cast<std::uint8_t>(each->also | interval_also::nan);
      if (!others.empty() && !(others[d].main == all.main)) all.others.push_back(others[d].main.allowed);
      result.allow_interval_beside(element(at, d), all, golden(at, d));
    }
  }
  // Whether a key or value that is not finite stands in a cache beyond what the row sees: a device that reads it with a
  // weight of 0 has NaN (MH-R9).
  bool nan_beyond(const attention_row_place& at, std::uint32_t d) const {
    const std::uint32_t m = call_.group(at.n);
    for (std::uint32_t t = call_.keys_of(at); t < call_.keys(); ++t) {
      if (!is_finite_double(call_.past_value(at.b, m, t, d))) return true;
      for (std::uint32_t i = 0; i < call_.z.d; ++i)
        if (!is_finite_double(call_.past_key(at.b, m, t, i))) return true;
    }
    return false;
  }
  T golden(const attention_row_place& at, std::uint32_t d) const { return call_.output.at(at.b, at.n, at.i, d); }

  // New keys or values with their bias, added as ADD does.
  void add_presents(const attention_view<T>& present, const attention_view<const T>& fresh, std::uint64_t width,
                    std::uint64_t first_bias, output_verdicts& result) const {
    using number = formula::device_number;
    std::size_t place = 0;
    for (std::uint32_t b = 0; present && b < call_.z.b; ++b)
      for (std::uint32_t m = 0; m < call_.z.g; ++m)
        for (std::uint32_t t = 0; t < call_.z.t(); ++t)
          for (std::uint32_t d = 0; d < width; ++d, ++place) {
            if (t < call_.z.p) continue;
            const number x(fresh(b, m, t - call_.z.p, d), in_.mode),
                y(call_.bias(0, 0, 0, first_bias + m * width + d), in_.mode);
            const T value = present.at(b, m, t, d);
            result.allow_interval_beside(place, formula::interval_of<T>(x + y, value), 0, value);
          }
  }

  static constexpr interval nan_alone{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                                      std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                                      interval_also::nan};

  attention_call<T> call_;
  attention_precision in_;
  bool skips_masked_;
};

// A row follows from scores that are added to, or from scores that are set (MH-R3): of one that has elements of both
// only the former remains allowed.
template <class T>
void keep_one_reading(std::size_t width, const tensor_view<const T>& actual, const tensor_view<const T>& golden,
                      output_verdicts& verdicts) {
  std::vector<T> got, wanted;
  for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
    got.push_back(actual[c]);
    wanted.push_back(golden[c]);
  }
  const auto is_main = [&](std::size_t i) {
    const interval* main = verdicts.interval_of(i);
    return main == nullptr ? order_key(got[i]) == order_key(wanted[i]) || (is_nan(got[i]) && is_nan(wanted[i]))
                           : place_in(*main, got[i]) != interval_place::outside;
  };
  for (std::size_t first = 0; first < got.size(); first += width) {
    bool has_others = false, fits_main = true, fits_others = true;
    for (std::size_t i = first; i < first + width; ++i) {
      bool has_other = false;
      verdicts.for_each_other(i, [&](const interval&) { has_other = true; });
      has_others = has_others || has_other;
      fits_main = fits_main && is_main(i);
      fits_others =
          fits_others && (has_other ? verdicts.place_in_others(i, got[i], 0) != interval_place::outside : is_main(i));
    }
    if (!has_others || fits_main || fits_others) continue;
    for (std::size_t i = first; i < first + width; ++i) {
      const interval* const main = verdicts.interval_of(i);
      const float x = static_cast<float>(wanted[i]);
      const interval only = main != nullptr ? *main
                            : is_nan(x)     ? interval{.also = interval_also::nan}
                                            : interval{x, x, x, x};
      verdicts.replace_intervals(i, {{only, only}});
    }
  }
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <attention_operator Desc>
struct verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      if (flushes && !std::is_same_v<T, float>) return;
      goldml::detail::attention_verdicts<T>(desc, inputs, golden, flushes).add_to(result);
    });
  }
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    add_verdicts(desc, inputs, golden, false, result);
  }
  static void flushed_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    add_verdicts(desc, inputs, flushed, true, result);
  }
  // Of masks by lengths.
  static bool verdicts_given(const Desc& desc, std::span<const const_tensor_ref> inputs,
                             std::span<const const_tensor_ref> actual, std::span<given_output> outputs) {
    using enum multihead_attention_mask_type;
    if (desc.mask_type == none || desc.mask_type == boolean || desc.mask_filter == mask_filter::set) return false;
    if (!actual[0].present()) return false;
    operands_of<Desc> operands{};
    for (std::size_t i = 0; i < inputs.size(); ++i) operands[i] = to_operand(inputs[i]);
    const auto width = static_cast<std::size_t>(goldml::detail::attention_sizes_of(desc, operands).dv);
    visit_data_type(type_list<float, float16>{}, actual[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      for (output_verdicts* verdicts : {&outputs[0].verdicts, &outputs[0].flushed_verdicts})
        if (verdicts->size() != 0)
          goldml::detail::keep_one_reading<T>(width, actual[0].as<T>(), outputs[0].golden.as<T>(), *verdicts);
    });
    return true;
  }
  // For each element of the outputs a byte and an interval, twice as much with their values where a row is judged by
  // what the device answered; the scores of a row; and copies of the inputs.
  static std::uint64_t verdict_memory(const Desc& desc, const operands_of<Desc>& t) {
    std::uint64_t elements = 0, values = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (!t[i].desc) continue;
      values = saturating_add(values, total_tensor_size_in_bytes(*t[i].desc));
      if (i >= operator_traits<Desc>::inputs)
        elements = saturating_add(elements, saturating_multiply(3, element_count(t[i].desc->sizes)));
    }
    const std::uint64_t row = goldml::detail::attention_sizes_of(desc, t).t();
    return saturating_add(
        saturating_add(values, saturating_multiply(elements, 1 + sizeof(interval) + more_interval_memory)),
        saturating_multiply(row, 2 * sizeof(goldml::detail::attention_score) + 32));
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .flushed_verdicts = &flushed_verdicts,
                                                 .verdicts_given = &verdicts_given,
                                                 .verdict_memory = &verdict_memory,
                                                 .flush_of = &flush_always<flushed_answer::in_verdicts>};
};

}  // namespace goldml::oracle
