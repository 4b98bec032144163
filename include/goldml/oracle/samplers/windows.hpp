// Random windows on an image: of pooling, its gradients, FOLD and UNFOLD.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/operators/window_counts.hpp>
#include <goldml/operators/windows.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle::detail {

// Which windows are drawn.
struct window_choice {
  bool dilated = true;
  bool rounds_up = true;  // also one window more, if it begins in the padded image
  bool is_padded = true;
  std::uint64_t most_taps = 0;  // of a window; 0: no matter
};

// The lists for an image of these sizes, and the sizes of what has an element for each window. Some windows are larger
// than the image, and some are in the padding alone.
inline dimensions sample_windows(random_source& random, const dimensions& image, const window_choice& choice,
                                 goldml::detail::window_lists& lists) {
  dimensions counts = image.slice(0, 2);
  std::uint64_t room = room_to_grow(random, image), taps = choice.most_taps;
  for (std::size_t i = 2; i < image.size(); ++i) {
    const std::uint64_t size = image[i], left = choice.is_padded ? (room - 1) * size : 0;
    const auto up_to = [&](std::uint64_t most, std::uint64_t or_else) {
      return static_cast<std::uint32_t>(random.below((std::min)(most, or_else) + 1));
    };
    const std::uint32_t dilation = choice.dilated ? 1 + up_to(2, 2) : 1, stride = 1 + up_to(2, 2);
    const std::uint32_t start = up_to(3, left), end = up_to(3, left - start);
    const std::uint64_t padded = size + start + end, most = (padded - 1) / dilation;  // taps after the first
    std::uint32_t window = 1 + (random.chance(10) ? static_cast<std::uint32_t>(most) : up_to(3, most));
    if (choice.most_taps != 0) {
      window = static_cast<std::uint32_t>((std::min<std::uint64_t>)(window, taps));
      taps = (std::max<std::uint64_t>)(1, taps / window);
    }
    const std::uint64_t count = goldml::detail::window_count(padded, goldml::detail::extent_of_window(window, dilation),
                                                             stride, choice.rounds_up && random.chance(50));
    lists.windows.push_back(window);
    lists.strides.push_back(stride);
    lists.dilations.push_back(dilation);
    lists.start_padding.push_back(start);
    lists.end_padding.push_back(end);
    counts.push_back(count);
    room = (std::max<std::uint64_t>)(1, room * size / count);
  }
  return counts;
}

// The same as members of a desc.
template <class Desc>
dimensions sample_windows_of(random_source& random, const dimensions& image, Desc& desc) {
  goldml::detail::window_lists lists;
  const dimensions counts = sample_windows(random, image, {.dilated = goldml::detail::has_dilations<Desc>}, lists);
  desc.window_size = lists.windows;
  desc.strides = lists.strides;
  desc.start_padding = lists.start_padding;
  desc.end_padding = lists.end_padding;
  if constexpr (goldml::detail::has_dilations<Desc>) desc.dilations = lists.dilations;
  return counts;
}

// Breaks the number `rule` of the rules on windows, 6, 7 or 8, in the desc or in the sizes that count windows.
template <class Desc>
void break_windows(random_source& random, unsigned rule, const dimensions& image, Desc& desc, dimensions& counts) {
  const std::size_t axis = random.below(desc.strides.size());
  if (rule == 6)
    ++counts[random.below(2)];
  else if (rule == 7)
    desc.window_size[axis] = image[2 + axis] + desc.start_padding[axis] + desc.end_padding[axis] + 1;
  else
    counts[2 + axis] += 2;
}

}  // namespace goldml::oracle::detail
