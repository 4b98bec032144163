// What a device may answer to ROI_ALIGN_GRAD (ledger RG-R1, RG-R2, RA-R1 to RA-R7).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/roi_align_choices.hpp>
#include <goldml/operators/roi_align_grad.hpp>
#include <goldml/operators/roi_align_grad_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/roi_align_grad_elements.hpp>

namespace goldml::detail {

// The regions of a call under a reading that holds for all of them.
using read_regions = std::vector<std::vector<roi_region>>;

template <class T>
class roi_gradient_readings {
 public:
  roi_gradient_readings(const roi_align_grad_desc& desc, std::span<const const_tensor_ref> inputs,
                        const dimensions& image)
      : desc_(desc),
        inputs_(inputs),
        image_(image),
        golden_(golden_regions(desc, inputs[2].as<T>(), image, inputs[1].desc().sizes)) {
    for (const roi_samples how : {desc.roi_samples, roi_samples::ceil, roi_samples::floor, roi_samples::nearest})
      for (std::uint32_t bits = 0; bits < (how == roi_samples::nearest ? 8U : 4U); ++bits) {
        const roi_reading reading{how, bits % 2 != 0, bits / 4 != 0, bits / 2 % 2 != 0};
        read_regions next;
        for (const roi_region& each : golden_) next.push_back(regions_under(desc, reading, each));
        if (std::none_of(all_.begin(), all_.end(), [&](const read_regions& each) { return same(each, next); }))
          all_.push_back(std::move(next));
      }
  }

  std::size_t size() const { return all_.size(); }
  std::vector<roi_gradient_element> elements(std::size_t reading, std::size_t output, bool flushes) const {
    const roi_gradient_judge<T> judge(desc_, inputs_, image_, all_[reading], flushes);
    return output == 0 ? judge.elements() : judge.corners();
  }
  void evaluate(std::size_t reading, std::span<const tensor_ref> outputs) const {
    std::vector<roi_region> regions = golden_;
    for (std::size_t r = 0; r < regions.size(); ++r)
      if (!all_[reading][r].empty()) regions[r] = all_[reading][r].front();
    roi_gradients<T> gradients(desc_, inputs_, image_, std::move(regions));
    write_gradients(gradients, inputs_[1].desc().sizes, outputs, [](std::uint64_t count, const auto& f) {
      for (std::uint64_t i = 0; i < count; ++i) f(i);
    });
  }

 private:
  static bool same(const read_regions& a, const read_regions& b) {
    const auto same_axis = [](const roi_axis& x, const roi_axis& y) {
      return x.count == y.count && (!x.is_alone() || x.only_first == y.only_first);
    };
    return std::equal(a.begin(), a.end(), b.begin(), [&](const auto& x, const auto& y) {
      return std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](const roi_region& p, const roi_region& q) {
        return same_axis(p.rows, q.rows) && same_axis(p.columns, q.columns);
      });
    });
  }

  const roi_align_grad_desc& desc_;
  std::span<const const_tensor_ref> inputs_;
  const dimensions image_;
  std::vector<roi_region> golden_;
  std::vector<read_regions> all_;
};

template <class T>
void store_gradients(const std::vector<roi_gradient_element>& elements, const tensor_view<T>& golden,
                     output_verdicts& result) {
  std::size_t number = 0;
  for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
    const roi_gradient_element& each = elements[number];
    if (each.is_undefined)
      result.make_undefined(number);
    else if (each.is_touched)
      result.allow_interval_beside(number, each.all, T(golden[c]));
    ++number;
  }
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<roi_align_grad_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc, 1> {
  // Regions whose images do not exist are judged instead of refused: they are undefined.
  static Desc judged(Desc desc) {
    desc.range_policy = range_policy::clamp;
    return desc;
  }
  // With the samples of any reading.
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit(inputs, [&]<class T>(std::type_identity<T>) {
      const goldml::detail::roi_gradient_readings<T> readings(desc, inputs,
                                                              goldml::detail::image_sizes(inputs, golden));
      for (std::size_t output = 0; output < 2; ++output) {
        if (!golden[output].present()) continue;
        auto all = readings.elements(0, output, flushes);
        for (std::size_t i = 1; i < readings.size(); ++i) {
          const auto other = readings.elements(i, output, flushes);
          for (std::size_t n = 0; n < all.size(); ++n) all[n].extend_by(other[n]);
        }
        goldml::detail::store_gradients(all, golden[output].as<T>(), result[output]);
      }
    });
  }
  // Of several readings: with the one that explains all that the device wrote.
  static bool verdicts_given(const Desc& desc, std::span<const const_tensor_ref> inputs,
                             std::span<const const_tensor_ref> actual, std::span<given_output> outputs) {
    bool any = false;
    visit(inputs, [&]<class T>(std::type_identity<T>) {
      const dimensions image = (inputs[0].present() ? inputs[0] : outputs[0].golden).desc().sizes;
      const goldml::detail::roi_gradient_readings<T> readings(desc, inputs, image);
      if (readings.size() < 2) return;
      std::vector<std::optional<host_tensor>> values(2);
      std::vector<tensor_ref> refs(2);
      for (std::size_t i = 0; i < 2; ++i) {
        if (!outputs[i].golden.present()) continue;
        any = any || actual[i].present();
        values[i].emplace(outputs[i].golden);
        refs[i] = values[i]->ref();
      }
      if (!any) return;
      const auto explains = [&](std::size_t reading, bool flushes) {
        for (std::size_t i = 0; i < 2; ++i) {
          if (!refs[i].present() || !actual[i].present()) continue;
          const auto elements = readings.elements(reading, i, flushes);
          const auto golden = refs[i].as<T>();
          const auto answer = actual[i].template as<T>();
          std::size_t n = 0;
          for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
            const T x = answer[c], wanted = golden[c];
            if (order_key(x) != order_key(wanted) && !(is_nan(x) && is_nan(wanted)) && !elements[n].has(x))
              return false;
            ++n;
          }
        }
        return true;
      };
      std::size_t found = 0;
      for (; found < readings.size(); ++found) {
        readings.evaluate(found, refs);
        if (explains(found, false) || (std::is_same_v<T, float> && explains(found, true))) break;
      }
      if (found == readings.size()) readings.evaluate(found = 0, refs);
      for (std::size_t i = 0; i < 2; ++i) {
        if (!refs[i].present()) continue;
        const tensor_view<T> golden = refs[i].as<T>();
        for (const bool flushes : {false, true}) {
          output_verdicts& verdicts = flushes ? outputs[i].flushed_verdicts : outputs[i].verdicts;
          verdicts = output_verdicts(verdicts.size());
          if (!flushes || std::is_same_v<T, float>)
            goldml::detail::store_gradients(readings.elements(found, i, flushes), golden, verdicts);
        }
        if (found > 0)
          outputs[i].note = [](const auto&) {
            return std::string("  note: all regions have the samples of another reading (ledger RA-R1, RA-R3)\n");
          };
        outputs[i].values = std::move(values[i]);
      }
    });
    return any;
  }
  // Of each element its intervals, several times, and a row of sums; the taps of a region.
  static std::uint64_t verdict_memory(const Desc& desc, const operands_of<Desc>& t) {
    const dimensions &image = operator_traits<Desc>::image_of(t).desc->sizes, &outputs = t[1].desc->sizes;
    const std::uint64_t regions =
        saturating_multiply(outputs[0], 8 * sizeof(goldml::detail::roi_gradient_element) + 4096);
    const std::uint64_t plane = std::uint64_t{image[2]} * image[3];
    return saturating_add(
        saturating_add(saturating_multiply(element_count(image), 6 * sizeof(interval) + more_interval_memory + 600),
                       saturating_multiply(plane, 512)),
        saturating_add(saturating_multiply(2 * std::uint64_t{outputs[0]} + 8,
                                           goldml::detail::memory_of_roi_taps(desc, image, outputs)),
                       regions));
  }

  static constexpr verdict_options<Desc> options = [] {
    verdict_options<Desc> all = flushing_verdict_traits<Desc, 1>::flushing_options();
    all.judged = &judged;
    all.verdicts_given = &verdicts_given;
    return all;
  }();

 private:
  template <class F>
  static void visit(std::span<const const_tensor_ref> inputs, const F& f) {
    visit_data_type(type_list<float, float16>{}, inputs[1].desc().data_type, f);
  }
};

}  // namespace goldml::oracle
