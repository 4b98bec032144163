// What a device may answer to ROI_ALIGN and ROI_ALIGN1 (ledger RA-R1 to RA-R7).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/roi_align.hpp>
#include <goldml/operators/roi_align_choices.hpp>
#include <goldml/operators/roi_align_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/roi_align_elements.hpp>

namespace goldml::detail {

// Judges the outputs of a call.
template <class T, class Desc>
class roi_align_judge {
 public:
  roi_align_judge(const Desc& desc, std::span<const const_tensor_ref> inputs, const dimensions& outputs)
      : desc_(desc), input_(inputs[0].as<T>()), outputs_(outputs) {
    const auto regions = inputs[1].as<T>();
    for (std::uint32_t i = 0; i < outputs[0]; ++i) {
      images_.push_back(image_of_region(inputs[2], i, input_.sizes()[0], range_policy::refuse));
      choices_.emplace_back();
      if (images_.back()) choices_.back() = roi_choices(desc, roi_region_at(desc, regions, i, input_.sizes(), outputs));
    }
  }

  const std::vector<std::vector<roi_choice>>& choices() const { return choices_; }

  // f(number of the element, element, its golden value) for all elements of a region, with its samples.
  template <class F>
  void for_each_element(std::uint32_t region, const roi_choice& choice, bool flushes, const F& f) const {
    const roi_judge<T, Desc> judge(desc_, choice.region,
                                   {std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc_.accumulation});
    const aligned_region<T, Desc> golden(desc_, choice.region);
    std::size_t number = static_cast<std::size_t>(region * element_count(outputs_.slice(1, 4)));
    for (const coordinate_tuple& c : coordinates_of(outputs_.slice(1, 4))) {
      const auto x = [&](std::uint32_t row, std::uint32_t column) {
        return exact_double(T(input_[{*images_[region], c[0], row, column}]));
      };
      f(number++, judge.element(x, c[1], c[2]), golden(input_, *images_[region], c[0], c[1], c[2]));
    }
  }

  // Adds what the elements may be: with the chosen samples of each region, or with any.
  void add(bool flushes, const std::vector<std::size_t>& chosen, output_verdicts& result) const {
    const auto each = static_cast<std::size_t>(element_count(outputs_.slice(1, 4)));
    for (std::uint32_t region = 0; region < choices_.size(); ++region) {
      if (choices_[region].empty())
        for (std::size_t i = 0; i < each; ++i) result.make_undefined(region * each + i);
      std::vector<roi_element<T>> all(each);
      bool first = true;
      for (std::size_t i = 0; i < choices_[region].size(); ++i) {
        if (!chosen.empty() && chosen[region] != i) continue;
        for_each_element(region, choices_[region][i], flushes, [&](std::size_t n, roi_element<T> element, T golden) {
          roi_element<T>& so_far = all[n - region * each];
          if (first) {
            so_far = std::move(element);
            if (!so_far.is_moved) so_far.values.push_back(golden);
            return;
          }
          so_far.is_undefined = so_far.is_undefined || element.is_undefined;
          if (so_far.is_moved != element.is_moved) {
            for (roi_element<T>* one : {&so_far, &element})
              if (one->is_moved) one->span();
            so_far.values.assign(1, golden);
          }
          extend(so_far.both.allowed, element.both.allowed);
          extend(so_far.both.close, element.both.close);
          if (so_far.is_moved) so_far.values.insert(so_far.values.end(), element.values.begin(), element.values.end());
        });
        first = false;
      }
      for (std::size_t i = 0; i < each && !first; ++i) store(region * each + i, all[i], result);
    }
  }

 private:
  static void store(std::size_t number, const roi_element<T>& element, output_verdicts& result) {
    if (element.is_undefined) return result.make_undefined(number);
    if (!element.is_moved)
      return result.allow_interval_beside(number, element.both, interval_refusal::reciprocals, element.values.front());
    if (element.values.size() > 1)
      for (const T value : element.values) result.allow(number, scalar(value));
  }

  const Desc desc_;
  const tensor_view<const T> input_;
  const dimensions outputs_;
  std::vector<std::optional<std::uint32_t>> images_;
  std::vector<std::vector<roi_choice>> choices_;
};

}  // namespace goldml::detail

namespace goldml::oracle {

template <goldml::detail::roi_align_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  // Regions whose images do not exist are judged instead of refused: they are undefined.
  static Desc judged(Desc desc) {
    desc.range_policy = range_policy::clamp;
    return desc;
  }
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit(golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      goldml::detail::roi_align_judge<T, Desc>(desc, inputs, golden[0].desc().sizes).add(flushes, {}, result[0]);
    });
  }
  // Of a region that may have several numbers of samples: with those that explain all that the device wrote.
  static bool verdicts_given(const Desc& desc, std::span<const const_tensor_ref> inputs,
                             std::span<const const_tensor_ref> actual, std::span<given_output> outputs) {
    if (!actual[0].present()) return false;
    bool any = false;
    visit(outputs[0].golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
      const dimensions& sizes = outputs[0].golden.desc().sizes;
      const goldml::detail::roi_align_judge<T, Desc> judge(desc, inputs, sizes);
      const auto answer = actual[0].as<T>();
      std::vector<std::size_t> chosen(sizes[0]);
      outputs[0].values = host_tensor(outputs[0].golden);
      const tensor_view<T> values = outputs[0].values->ref().template as<T>();
      std::size_t others = 0;
      for (std::uint32_t region = 0; region < sizes[0]; ++region) {
        const auto& choices = judge.choices()[region];
        if (choices.size() < 2) continue;
        any = true;
        const auto explains = [&](const goldml::detail::roi_choice& choice, bool flushes) {
          bool all = true;
          judge.for_each_element(region, choice, flushes, [&](std::size_t n, const auto& element, T golden) {
            const T x = answer[coordinate_at(sizes, n)];
            all = all && (element.has(x) || order_key(x) == order_key(golden));
          });
          return all;
        };
        const auto found = std::find_if(choices.begin(), choices.end(), [&](const goldml::detail::roi_choice& each) {
          return explains(each, false) || (std::is_same_v<T, float> && explains(each, true));
        });
        if (found == choices.end() || found == choices.begin()) continue;
        chosen[region] = static_cast<std::size_t>(found - choices.begin());
        if (found->another_reading) ++others;
        judge.for_each_element(region, *found, false,
                               [&](std::size_t n, const auto&, T golden) { values[coordinate_at(sizes, n)] = golden; });
      }
      for (auto verdicts : {&given_output::verdicts, &given_output::flushed_verdicts})
        outputs[0].*verdicts = output_verdicts((outputs[0].*verdicts).size());
      judge.add(false, chosen, outputs[0].verdicts);
      if (std::is_same_v<T, float>) judge.add(true, chosen, outputs[0].flushed_verdicts);
      if (others > 0)
        outputs[0].note = [others, count = sizes[0]](const auto&) {
          return fmt::format(
              "  note: {} of {} regions have the samples of another reading than roi_samples (ledger RA-R1, RA-R3)\n",
              others, count);
        };
    });
    return any;
  }
  // A byte and two intervals for each element, or a few numbers; what the elements of a region may be; and the samples.
  static std::uint64_t verdict_memory(const Desc& desc, const std::array<operand, 4>& t) {
    const dimensions &image = t[0].desc->sizes, &outputs = t[3].desc->sizes;
    const std::uint64_t elements = element_count(outputs);
    return saturating_add(saturating_multiply(elements, 6 * sizeof(interval) + more_interval_memory + 400),
                          saturating_multiply(4, goldml::detail::memory_of_roi_taps(desc, image, outputs)));
  }

  static constexpr verdict_options<Desc> options = [] {
    verdict_options<Desc> all = flushing_verdict_traits<Desc>::flushing_options();
    all.judged = &judged;
    all.verdicts_given = &verdicts_given;
    return all;
  }();

 private:
  template <class F>
  static void visit(data_type type, const F& f) {
    visit_data_type(type_list<float, float16>{}, type, f);
  }
};

}  // namespace goldml::oracle
