// Rule T9: whether the strides of an output give every coordinate a distinct address (ledger L3).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/cold.hpp>
#include <goldml/core/dimensions.hpp>

namespace goldml {

enum class address_sharing {
  distinct,               // no two coordinates share an element
  shared,                 // two coordinates share an element
  not_provably_distinct,  // the search reached its limit
};

namespace detail {

// Searches for a nonzero integer vector c with |c[i]| <= size[i]-1 and sum c[i]*stride[i] = 0: the difference of two
// coordinates that share an element. Dimensions are sorted by descending stride. The search is depth-first, and prunes
// every branch whose partial sum the remaining dimensions cannot bring back to zero.
class shared_address_search {
 public:
  struct dimension {
    std::int64_t size;
    std::int64_t stride;
    std::int64_t rest;  // the most that the dimensions after this one can add: sum (size-1)*stride
  };

  static constexpr std::uint32_t node_limit = std::uint32_t{1} << 20;

  // `dims` are `count` dimensions sorted by descending stride, with all strides > 0 and all sizes > 1. They must
  // outlive the search.
  shared_address_search(const dimension* dims, std::size_t count) : dims_(dims), count_(count) {}

  // Only for strides that a comparison with the spans does not decide.
  GOLDML_COLD address_sharing run() {
    const bool found = shared_below(0, 0, true);
    if (nodes_ > node_limit) return address_sharing::not_provably_distinct;
    return found ? address_sharing::shared : address_sharing::distinct;
  }

 private:
  // Whether c[depth..] can be chosen such that the total sum is zero, where `sum` is that of c[..depth). `zero`: all of
  // c[..depth) is 0. The first nonzero entry can then be assumed positive, because -c is a solution too.
  GOLDML_COLD bool shared_below(std::size_t depth, std::int64_t sum, bool zero) {
    if (++nodes_ > node_limit) return false;
    const dimension& d = dims_[depth];
    const std::int64_t most = d.size - 1;
    if (depth + 1 == count_) {
      if (sum == 0) return !zero;  // then c[depth] = 0; if all entries are 0, c is not a solution
      return sum % d.stride == 0;  // no sum that the loops leave is above most * stride
    }
    const std::int64_t lowest = zero ? 0 : (std::max)(-most, ceil_divide(-d.rest - sum, d.stride));
    const std::int64_t highest = (std::min)(most, floor_divide(d.rest - sum, d.stride));
    for (std::int64_t c = lowest; c <= highest && nodes_ <= node_limit; ++c)
      if (shared_below(depth + 1, sum + c * d.stride, zero && c == 0)) return true;
    return false;
  }

  static std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
  static std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

  const dimension* dims_;
  std::size_t count_;
  std::uint32_t nodes_ = 0;
};

}  // namespace detail

// Requires: as many strides as sizes, all sizes >= 1, element_count and last_index below 2^32 (T6). Allocates nothing.
inline address_sharing addresses_shared(const dimensions& sizes, const dimensions& strides) {
  using search = detail::shared_address_search;
  std::array<search::dimension, dimensions::capacity> dims;
  std::size_t count = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    std::size_t place = count++;  // insertion sort, because std::sort causes a false warning on small arrays
    for (; place > 0 && dims[place - 1].stride < strides[i]; --place) dims[place] = dims[place - 1];
    dims[place] = {sizes[i], strides[i], 0};
  }

  std::int64_t reach = 0;
  bool each_beyond_reach = true;  // each stride exceeds the span of all smaller ones: packed, permuted, padded
  for (std::size_t i = count; i-- > 0;) {
    dims[i].rest = reach;
    each_beyond_reach = each_beyond_reach && dims[i].stride > reach;
    reach += (dims[i].size - 1) * dims[i].stride;
  }
  if (each_beyond_reach) return address_sharing::distinct;
  const bool stride_0 = dims[count - 1].stride == 0;
  if (stride_0 || element_count(sizes) > static_cast<std::uint64_t>(reach) + 1) return address_sharing::shared;
  return search(dims.data(), count).run();
}

}  // namespace goldml
