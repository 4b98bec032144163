// Windows that slide over the spatial axes of an image, which may be padded: the sizes of what they give, the elements
// that a window covers, and the windows that cover an element. Of pooling, its gradients, FOLD and UNFOLD.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/operators/window_counts.hpp>

namespace goldml::detail {

// The members of an operator: an entry for each spatial axis.
struct window_lists {
  dimensions windows, strides, dilations, start_padding, end_padding;
};

// One axis. Window q has its tap j at q * stride + j * dilation - start, which is inside from 0 to input - 1.
struct window_axis {
  std::uint64_t input = 1;
  std::uint64_t output = 1;  // the number of windows
  std::uint64_t window = 1;
  std::uint64_t stride = 1;
  std::uint64_t dilation = 1;
  std::uint64_t start = 0, end = 0;  // padding

  // Of a window those taps from `first` on that are inside, the first of them at `place`.
  struct taps {
    std::uint64_t first, count, place;
  };
  taps taps_of(std::uint64_t q) const {
    const std::uint64_t at = q * stride;
    const std::uint64_t first = steps_to(start, at, dilation);
    const std::uint64_t last = (std::min)(window, steps_to(start + input, at, dilation));
    return {first, last > first ? last - first : 0, at + first * dilation - start};
  }
  // How many taps of a window are inside the padded image.
  std::uint64_t padded_taps_of(std::uint64_t q) const {
    return (std::min)(window, steps_to(start + input + end, q * stride, dilation));
  }
  // The windows whose tap j is inside: from `begin` to `end` - 1.
  struct range {
    std::uint64_t begin, end;
  };
  range windows_inside(std::uint64_t j) const {
    const std::uint64_t at = j * dilation;
    const std::uint64_t begin = (std::min)(output, steps_to(start, at, stride));
    return {begin, (std::max)(begin, (std::min)(output, steps_to(start + input, at, stride)))};
  }

  // The windows with a tap at a place: number t has window + t * window_step with its tap tap - t * tap_step.
  struct hits {
    std::uint64_t window, window_step, tap, tap_step, count;
  };
  hits hits_of(std::uint64_t place) const {
    const std::uint64_t sum = place + start;  // = q * stride + j * dilation
    const std::uint64_t divisor = std::gcd(stride, dilation), step = dilation / divisor;
    hits result{0, step, 0, stride / divisor, 0};
    if (sum % divisor != 0) return result;
    const std::uint64_t least = steps_to(sum, (window - 1) * dilation, stride);
    const std::uint64_t remainder = sum / divisor % step * inverse(stride / divisor % step, step) % step;
    result.window = least + (remainder + step - least % step) % step;
    const std::uint64_t most = (std::min)(output - 1, sum / stride);
    if (result.window > most) return result;
    result.count = (most - result.window) / step + 1;
    result.tap = (sum - result.window * stride) / dilation;
    return result;
  }

 private:
  // The least number of steps with which `from` reaches `to`.
  static std::uint64_t steps_to(std::uint64_t to, std::uint64_t from, std::uint64_t step) {
    return from >= to ? 0 : (to - from + step - 1) / step;
  }
  // x with a * x = 1 modulo m, for a without a common divisor with m, both below 2^32.
  static std::uint64_t inverse(std::uint64_t a, std::uint64_t m) {
    auto r = static_cast<std::int64_t>(m), next_r = static_cast<std::int64_t>(a);
    std::int64_t x = 0, next_x = 1;
    while (next_r > 0) {
      const std::int64_t quotient = r / next_r, rest = r % next_r, other = x - quotient * next_x;
      r = next_r;
      next_r = rest;
      x = next_x;
      next_x = other;
    }
    return static_cast<std::uint64_t>(x < 0 ? x + static_cast<std::int64_t>(m) : x);
  }
};

// The elements that a window covers: first + r * steps for all r of `counts`. None if a count is 0.
struct window_taps {
  coordinate_tuple first;
  dimensions counts, steps;

  std::uint64_t count() const { return element_count(counts); }
  coordinate_tuple operator[](const coordinate_tuple& r) const {
    coordinate_tuple result = first;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += r[i] * steps[i];
    return result;
  }
};

// All axes after the batch and the channel. `counts`: how many windows each axis has.
class image_windows {
 public:
  static constexpr std::size_t most_axes = dimensions::capacity - 2;

  image_windows(const window_lists& lists, const dimensions& image, const dimensions& counts) : image_(image) {
    for (std::size_t i = 0; i < size(); ++i)
      axes_[i] = {image[2 + i],       counts[2 + i],          lists.windows[i],    lists.strides[i],
                  lists.dilations[i], lists.start_padding[i], lists.end_padding[i]};
  }

  std::size_t size() const { return image_.size() - 2; }
  const window_axis& operator[](std::size_t i) const { return axes_[i]; }
  const dimensions& image() const { return image_; }

  // Of the window at o, which has a batch and a channel first.
  window_taps taps_of(const coordinate_tuple& o) const {
    window_taps result{o, dimensions::filled(o.size(), 1), dimensions::filled(o.size(), 1)};
    for (std::size_t i = 0; i < size(); ++i) {
      const auto [first, count, place] = axes_[i].taps_of(o[2 + i]);
      result.first[2 + i] = static_cast<std::uint32_t>(place);
      result.counts[2 + i] = static_cast<std::uint32_t>(count);
      result.steps[2 + i] = static_cast<std::uint32_t>(count > 1 ? axes_[i].dilation : 0);
    }
    return result;
  }

  // Calls f(windows, taps) for each pair of a window and a tap that is at the element c, in ascending order of the
  // windows. Both have the batch and the channel first. Looks at this many axes, and leaves the others as they are in
  // c.
  template <class F>
  void for_hits(const coordinate_tuple& c, std::size_t axes, const F& f) const {
    std::array<window_axis::hits, most_axes> hits;
    dimensions box;
    for (std::size_t i = 0; i < axes; ++i) {
      hits[i] = axes_[i].hits_of(c[2 + i]);
      box.push_back(hits[i].count);
    }
    coordinate_tuple windows = c, taps = c;
    for (const coordinate_tuple& t : coordinates_of(box)) {
      for (std::size_t i = 0; i < axes; ++i) {
        windows[2 + i] = static_cast<std::uint32_t>(hits[i].window + t[i] * hits[i].window_step);
        taps[2 + i] = static_cast<std::uint32_t>(hits[i].tap - t[i] * hits[i].tap_step);
      }
      f(windows, taps);
    }
  }
  template <class F>
  void for_hits(const coordinate_tuple& c, const F& f) const {
    for_hits(c, size(), f);
  }

 private:
  dimensions image_;
  std::array<window_axis, most_axes> axes_{};
};

}  // namespace goldml::detail
