// The golden elements of ROI_ALIGN_GRAD.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/axis_places.hpp>
#include <goldml/arithmetic/roi_axis.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/roi_align_grad.hpp>

namespace goldml::detail {

// The gradients of a call with these samples of its regions.
template <class T>
class roi_gradients {
 public:
  roi_gradients(const roi_align_grad_desc& desc, std::span<const const_tensor_ref> inputs, const dimensions& image,
                std::vector<roi_region> regions)
      : desc_(desc), gradient_(inputs[1].as<T>()), image_(image), regions_(std::move(regions)) {
    if (inputs[0].present()) input_ = inputs[0].as<T>();
    const dimensions& outputs = gradient_.sizes();
    for (std::uint32_t r = 0; r < outputs[0]; ++r) {
      const std::uint32_t number = *image_of_region(inputs[3], r, image[0], range_policy::clamp);
      parts_.emplace_back(number);
      if (regions_[r].is_defined()) parts_.back().samples.emplace(regions_[r], is_linear(), is_max(), image);
    }
    if (is_max()) winners_.resize(static_cast<std::size_t>(element_count(outputs)), no_winner);
  }

  // Of MAX: finds the greatest samples of a channel of a region; before anything else.
  void find_greatest(std::uint32_t region, std::uint32_t channel) {
    if (!is_max() || !parts_[region].samples) return;
    const dimensions& outputs = gradient_.sizes();
    for (std::uint32_t row = 0; row < outputs[2]; ++row)
      for (std::uint32_t column = 0; column < outputs[3]; ++column)
        winners_[number_of({region, channel, row, column})] = greatest(region, channel, row, column);
  }

  // A row of the gradient of the input: store(column, element).
  template <class Store>
  void row(std::uint32_t image, std::uint32_t channel, std::uint32_t row, const Store& store) const {
    std::vector<std::uint32_t> regions;
    for (std::uint32_t r = 0; r < parts_.size(); ++r)
      if (parts_[r].image == image && parts_[r].samples && !parts_[r].samples->of_row.of(row).empty())
        regions.push_back(r);
    std::vector<sum> sums(image_[3]);
    const auto for_taps = [&](const auto& f) {  // f(region, tap of the row, its samples' column, g)
      for (const std::uint32_t r : regions) {
        const sampled& part = *parts_[r].samples;
        for (const axis_tap& y : part.of_row.of(row))
          for (std::uint32_t x = 0; x < part.axes[1].size(); ++x)
            if (const auto o = output_of(r, channel, y.at, x)) f(part, y, x, exact_double(T(gradient_[*o])));
      }
    };
    for_taps([&](const sampled& part, const axis_tap& y, std::uint32_t x, double g) {
      for (const axis_tap& tap : part.axes[1].of(x)) sums[tap.at].add(y.weight * tap.weight, g);
    });
    for (std::uint32_t column = 0; column < image_[3]; ++column)
      store(column, sums[column].rounded(1, [&] {
        std::map<std::pair<std::uint32_t, std::uint32_t>, fraction> fractions;  // by the numbers of samples
        for_taps([&](const sampled& part, const axis_tap& y, std::uint32_t x, double g) {
          for (const axis_tap& tap : part.axes[1].of(x)) {
            if (tap.at != column) continue;
            fraction& to = fractions[part.counts];
            to.add(big_number(g) * part.of_row.weight(row, y.at) * part.axes[1].weight(x, column));
            to.divisor = part.of_row.whole(0) * part.axes[1].whole(0);
          }
        });
        fraction all;
        for (const auto& each : fractions) all = all + each.second;
        return all;
      }));
  }

  // The gradient of x1, y1, x2 or y2 of a region.
  T corner(std::uint32_t region, std::uint32_t number) const {
    if (!parts_[region].samples || !is_linear()) return T(0);
    const sampled& part = *parts_[region].samples;
    const bool across = number % 2 == 0, by_place = desc_.roi_gradient == roi_gradient::page;
    const roi_taps slopes(across ? regions_[region].columns : regions_[region].rows, true, is_max(),
                          number < 2 ? roi_part::by_first : roi_part::by_last, by_place);
    const axis_taps &rows = across ? part.axes[0] : slopes.taps, &columns = across ? slopes.taps : part.axes[1];
    const double scale = by_place ? 1 : exact_double(across ? desc_.spatial_scale_x : desc_.spatial_scale_y);
    const dimensions& outputs = gradient_.sizes();
    const auto for_taps = [&](const auto& f) {  // f(y, its tap, x, its tap, product of an element and g)
      for (const coordinate_tuple& o : coordinates_of(outputs.slice(1, 4))) {
        const auto [y, x] = place_of({region, o[0], o[1], o[2]});
        if (y == no_sample) continue;
        const double g = exact_double(T(gradient_[{region, o[0], o[1], o[2]}]));
        for (const axis_tap& a : rows.of(y))
          for (const axis_tap& b : columns.of(x))
            f(y, a, x, b, g * exact_double(T((*input_)[{parts_[region].image, o[0], a.at, b.at}])));
      }
    };
    sum total;
    for_taps([&](std::uint32_t, const axis_tap& a, std::uint32_t, const axis_tap& b, double product) {
      total.add(a.weight * b.weight, product);
    });
    return total.rounded(scale, [&] {
      fraction all;
      for_taps([&](std::uint32_t y, const axis_tap& a, std::uint32_t x, const axis_tap& b, double product) {
        all.add(big_number(product) * rows.weight(y, a.at) * columns.weight(x, b.at));
      });
      all.divisor = rows.whole(0) * columns.whole(0);
      return all;
    });
  }

 private:
  // The samples of a region that lie in the image: a coordinate of the taps is an output or, of MAX, a sample.
  struct sampled {
    roi_taps rows, columns;
    axis_taps of_row;               // for each row of the image
    std::array<axis_taps, 2> axes;  // of these rows and columns
    std::pair<std::uint32_t, std::uint32_t> counts;
    std::vector<std::uint32_t> row_outputs, column_outputs;  // by coordinate

    sampled(const roi_region& region, bool linear, bool each, const dimensions& image)
        : rows(region.rows, linear, each),
          columns(region.columns, linear, each),
          of_row(rows.taps.transposed(image[2])),
          axes{std::move(rows.taps), std::move(columns.taps)},
          counts(region.rows.count, region.columns.count) {
      const auto list = [&](const roi_taps& axis, std::vector<std::uint32_t>& outputs) {
        for (std::uint32_t o = 0; o + 1 < axis.ends.size(); ++o)
          outputs.insert(outputs.end(), each ? static_cast<std::size_t>(axis.inside(o)) : 1, o);
      };
      list(rows, row_outputs);
      list(columns, column_outputs);
    }
  };
  struct region_part {
    explicit region_part(std::uint32_t number) : image(number) {}
    std::uint32_t image;
    std::optional<sampled> samples;  // of a region that is somewhere
  };
  struct fraction {
    big_number sum = {}, divisor = big_number(1);

    void add(const big_number& x) { sum = sum + x; }
    friend fraction operator+(const fraction& a, const fraction& b) {
      return {a.sum * b.divisor + b.sum * a.divisor, a.divisor * b.divisor};
    }
  };
  // A sum in doubles, which also may be weighed by negative numbers.
  struct sum {
    weighted_estimate estimate;
    extended_sum special;

    void add(double weight, double x) {
      if (is_finite_double(x))
        estimate.add(weight, x);
      else
        special.add(weight < 0 ? -x : x);
    }
    // `exactly` gives the fraction, of which this is too near to a number between two elements.
    template <class Exact>
    T rounded(double scale, const Exact& exactly) const {
      const auto store = [](double x) { return goldml::rounded<T>(x); };
      if (!special.is_finite()) return store(special.special());
      if (is_zero(estimate.magnitude) || is_zero(scale)) return T(0);
      if (const auto result = certain_store(scale * estimate.value, std::abs(scale) * estimate.error(), store))
        return *result;
      const fraction exact = exactly();
      return store(quotient_of(exact.sum * big_number(scale), exact.divisor));
    }
  };

  static constexpr std::uint64_t no_winner = ~std::uint64_t{0};
  static constexpr std::uint32_t no_sample = ~std::uint32_t{0};

  bool is_linear() const { return desc_.interpolation_mode == interpolation_mode::linear; }
  bool is_max() const { return desc_.reduction_function == reduce_function::max; }
  std::size_t number_of(const coordinate_tuple& o) const {
    return static_cast<std::size_t>(offset_of(o, packed_strides(gradient_.sizes())));
  }

  // What gives its gradient at coordinates y and x of the taps of a region: nothing, of MAX, if it is not the greatest.
  std::optional<coordinate_tuple> output_of(std::uint32_t region, std::uint32_t channel, std::uint32_t y,
                                            std::uint32_t x) const {
    const sampled& part = *parts_[region].samples;
    const coordinate_tuple o{region, channel, part.row_outputs[y], part.column_outputs[x]};
    if (is_max() && winners_[number_of(o)] != (std::uint64_t{y} << 32 | x)) return std::nullopt;
    return o;
  }
  // The other way round.
  std::pair<std::uint32_t, std::uint32_t> place_of(const coordinate_tuple& o) const {
    if (!is_max()) return {o[2], o[3]};
    const std::uint64_t winner = winners_[number_of(o)];
    return {static_cast<std::uint32_t>(winner >> 32), static_cast<std::uint32_t>(winner)};
  }

  // The first of the greatest samples, X outer and Y inner.
  std::uint64_t greatest(std::uint32_t region, std::uint32_t channel, std::uint32_t row, std::uint32_t column) const {
    const sampled& part = *parts_[region].samples;
    const auto at = [&](const coordinate_tuple& c) {
      return exact_double(T((*input_)[{parts_[region].image, channel, c[0], c[1]}]));
    };
    struct sample {
      std::uint64_t y, x;
      double value, error;
      coordinate_tuple place() const { return {static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x)}; }
    };
    const auto is_above = [&](const sample& a, const sample& b) {
      if (is_nan(a.value) || is_nan(b.value)) return !is_nan(a.value) && is_nan(b.value);
      if (a.value - a.error > b.value + b.error) return true;
      if (a.value + a.error < b.value - b.error || !is_finite_double(a.value) || !is_finite_double(b.value))
        return false;
      return weighted_numerator(part.axes, b.place(), at) < weighted_numerator(part.axes, a.place(), at);
    };
    std::optional<sample> best;
    for (std::uint64_t x = part.columns.ends[column]; x < part.columns.ends[column + 1]; ++x)
      for (std::uint64_t y = part.rows.ends[row]; y < part.rows.ends[row + 1]; ++y) {
        sum total;
        sample next{y, x, 0, 0};
        for_each_tap(part.axes, next.place(), [&](double w, const coordinate_tuple& c) { total.add(w, at(c)); });
        const bool finite = total.special.is_finite();
        next.value = finite ? total.estimate.value : total.special.special();
        next.error = finite ? total.estimate.error() : 0;
        if (!best || is_above(next, *best)) best = next;
      }
    return best ? best->y << 32 | best->x : no_winner;
  }

  const roi_align_grad_desc desc_;
  std::optional<tensor_view<const T>> input_;
  const tensor_view<const T> gradient_;
  const dimensions image_;
  const std::vector<roi_region> regions_;
  std::vector<region_part> parts_;
  std::vector<std::uint64_t> winners_;  // of MAX, for each output: the coordinates y and x of the taps
};

// The regions of a call, with the samples that the desc asks for.
template <class T>
std::vector<roi_region> golden_regions(const roi_align_grad_desc& desc, const tensor_view<const T>& regions,
                                       const dimensions& image, const dimensions& outputs) {
  std::vector<roi_region> result;
  for (std::uint32_t r = 0; r < outputs[0]; ++r) result.push_back(roi_region_at(desc, regions, r, image, outputs));
  return result;
}

// Computes the outputs that are given. for_all(n, f) calls f(i) for all i below n, in any order.
template <class T, class ForAll>
void write_gradients(roi_gradients<T>& gradients, const dimensions& given, std::span<const tensor_ref> outputs,
                     const ForAll& for_all) {
  const auto both = [](std::uint64_t i, std::uint32_t by) {
    return std::pair(static_cast<std::uint32_t>(i / by), static_cast<std::uint32_t>(i % by));
  };
  for_all(std::uint64_t{given[0]} * given[1], [&](std::uint64_t i) {
    const auto [region, channel] = both(i, given[1]);
    gradients.find_greatest(region, channel);
  });
  if (outputs[0].present()) {
    const tensor_view<T> output = outputs[0].as<T>();
    const dimensions& sizes = output.sizes();
    for_all(std::uint64_t{sizes[0]} * sizes[1] * sizes[2], [&](std::uint64_t i) {
      const auto [plane, row] = both(i, sizes[2]);
      coordinate_tuple c{plane / sizes[1], plane % sizes[1], row, 0};
      gradients.row(c[0], c[1], row, [&](std::uint32_t column, T x) {
        c[3] = column;
        output[c] = x;
      });
    });
  }
  if (outputs[1].present()) {
    const tensor_view<T> output = outputs[1].as<T>();
    for_all(std::uint64_t{given[0]} * 4, [&](std::uint64_t i) {
      const auto [region, corner] = both(i, 4);
      output[leading_zeros(output.sizes().size(), {region, corner})] = gradients.corner(region, corner);
    });
  }
}

// A call: for_all(bytes, n, f) as above; `bytes` is about how much all of it reads and writes.
template <class ForAll>
void run_roi_align_grad(const roi_align_grad_desc& desc, std::span<const const_tensor_ref> inputs,
                        std::span<const tensor_ref> outputs, const ForAll& for_all) {
  const dimensions &image = image_sizes(inputs, outputs), &given = inputs[1].desc().sizes;
  visit_data_type(type_list<float, float16>{}, inputs[1].desc().data_type, [&]<class T>(std::type_identity<T>) {
    check_regions(desc, "RG11", "RG12", inputs[2].as<T>(), inputs[3], image, given);
    roi_gradients<T> gradients(desc, inputs, image, golden_regions(desc, inputs[2].as<T>(), image, given));
    const std::uint64_t bytes = 64 * sizeof(T) * (element_count(given) + element_count(image));
    write_gradients(gradients, given, outputs, [&](std::uint64_t n, const auto& f) { for_all(bytes, n, f); });
  });
}

}  // namespace goldml::detail
