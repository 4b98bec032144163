// The memory layouts of the generator's tensors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include <goldml/core/attributes.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/distinct_addresses.hpp>
#include <goldml/oracle/random.hpp>

namespace goldml::oracle {

enum class stride_pattern {
  packed,       // row-major, without gaps
  permuted,     // the dimensions in another order, without gaps
  padded,       // with gaps between rows and elements
  broadcast,    // strides of 0; inputs only
  overlapping,  // no stride of 0, but elements share addresses, as in sliding windows; inputs only
  interleaved,  // the ranges of two dimensions interleave, with gaps; each element has a distinct address
};

inline constexpr std::array all_stride_patterns{stride_pattern::packed,      stride_pattern::permuted,
                                                stride_pattern::padded,      stride_pattern::broadcast,
                                                stride_pattern::overlapping, stride_pattern::interleaved};

// Whether elements may share addresses, which is legal only for inputs (rule T9).
constexpr bool shares_addresses(stride_pattern pattern) {
  return pattern == stride_pattern::broadcast || pattern == stride_pattern::overlapping;
}

}  // namespace goldml::oracle

template <>
struct goldml::enumeration<goldml::oracle::stride_pattern> : policy_enumeration {
  static constexpr auto values =
      enumerators<oracle::stride_pattern>("packed", "permuted", "padded", "broadcast", "overlapping", "interleaved");
};

namespace goldml::oracle::detail {

// Strides for two dimensions of `sizes` whose addresses interleave: neither stride exceeds the span of the other. They
// are coprime, so that c1 * first = c2 * second only if a coordinate is out of range. Returns false if
// fewer than two sizes are above 1, as there are no such strides.
inline bool interleave(random_source& random, const dimensions& sizes, const dimensions& order, dimensions& strides) {
  std::size_t pair[2] = {};
  std::size_t found = 0;
  for (const std::uint32_t i : order)
    if (sizes[i] > 1 && found < 2) pair[found++] = i;
  if (found < 2) return false;
  const std::uint64_t count = sizes[pair[0]];
  std::uint64_t step = 2 + random.below(3);
  if (count == 2) step = 3;  // leaves room for a stride of 2 between the two elements
  const std::uint64_t reach = (count - 1) * step;
  std::uint64_t other = count + random.below(reach - count + 1);
  while (other > count && std::gcd(other, step) != 1) --other;
  while (std::gcd(other, step) != 1) ++other;
  strides[pair[0]] = static_cast<std::uint32_t>(step);
  strides[pair[1]] = static_cast<std::uint32_t>(other);
  // The strides of all other dimensions exceed the span of both.
  std::uint64_t stride = reach + (sizes[pair[1]] - 1) * other + 1;
  for (const std::uint32_t i : order) {
    if (i == pair[0] || i == pair[1]) continue;
    strides[i] = static_cast<std::uint32_t>(stride);
    stride *= sizes[i];
  }
  return true;
}

// Strides of the pattern, or packed strides if the sizes have none of the pattern.
inline dimensions strides_of(random_source& random, const dimensions& sizes, stride_pattern pattern) {
  dimensions strides = packed_strides(sizes);
  dimensions order;  // dimensions from the fastest-varying to the slowest
  for (std::size_t i = sizes.size(); i-- > 0;) order.push_back(i);
  if (pattern == stride_pattern::permuted || pattern == stride_pattern::interleaved) random.shuffle(order);
  if (pattern == stride_pattern::interleaved) {
    interleave(random, sizes, order, strides);
    return strides;
  }
  if (pattern == stride_pattern::overlapping) {
    std::uint64_t reach = 0;  // every address from 0 to here is used, so a stride up to it gives a shared address
    for (const std::uint32_t i : order) {
      strides[i] = static_cast<std::uint32_t>(1 + random.below((std::max)(reach, std::uint64_t{1})));
      reach += (sizes[i] - std::uint64_t{1}) * strides[i];
    }
    return strides;
  }
  std::uint64_t stride = pattern == stride_pattern::padded ? 1 + random.below(3) : 1;
  for (const std::uint32_t i : order) {
    const bool shared = pattern == stride_pattern::broadcast && random.chance(50);
    strides[i] = shared ? 0 : static_cast<std::uint32_t>(stride);
    if (!shared) stride *= sizes[i];
    if (pattern == stride_pattern::padded) stride += random.below(4);
  }
  return strides;
}

// The strides without gaps between addresses, with the dimensions in the order of their strides; strides of 0 remain.
inline dimensions without_gaps(const dimensions& sizes, const dimensions& strides) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return strides[a] != strides[b] ? strides[a] < strides[b] : sizes[a] != sizes[b] ? sizes[a] < sizes[b] : a > b;
  });
  dimensions result = strides;
  std::uint64_t stride = 1;
  for (const std::size_t i : order) {
    if (strides[i] == 0) continue;
    result[i] = static_cast<std::uint32_t>(stride);
    stride *= sizes[i];
  }
  return result;
}

// Whether strides_of() may return these strides, but for the size of gaps.
inline bool has_pattern(const dimensions& sizes, const dimensions& strides, stride_pattern pattern) {
  if (strides.size() != sizes.size()) return false;
  const auto count =
      static_cast<std::size_t>(std::count_if(sizes.begin(), sizes.end(), [](std::uint32_t size) { return size > 1; }));
  if (pattern == stride_pattern::packed || (pattern == stride_pattern::interleaved && count < 2))
    return strides == packed_strides(sizes);
  if (pattern != stride_pattern::broadcast && strides.contains(0)) return false;
  if (pattern == stride_pattern::permuted) return strides == without_gaps(sizes, strides);
  if (pattern == stride_pattern::interleaved) {
    if (addresses_shared(sizes, strides) != address_sharing::distinct) return false;
    for (std::size_t a = 0; a < sizes.size(); ++a)
      for (std::size_t b = 0; b < sizes.size(); ++b)
        if (a != b && sizes[b] > 1 && strides[b] > strides[a] && strides[b] < std::uint64_t{strides[a]} * sizes[a])
          return true;
    return false;
  }
  std::uint64_t stride = 1;  // the least of the next dimension; of overlapping ones one more than the greatest address
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (pattern == stride_pattern::overlapping) {
      if (strides[i] > (std::max)(stride - 1, std::uint64_t{1})) return false;
      stride += (sizes[i] - std::uint64_t{1}) * strides[i];
    } else if (strides[i] != 0) {
      if (pattern == stride_pattern::padded ? strides[i] < stride : strides[i] != stride) return false;
      stride = std::uint64_t{strides[i]} * sizes[i];
    }
  }
  return true;
}

}  // namespace goldml::oracle::detail
