// The classes of sizes of the generator's cases.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <goldml/core/attributes.hpp>

namespace goldml::oracle {

enum class sizes_class {
  mixed,        // a quarter of the cases are of class tiles, the others small
  small_sizes,  // a few dimensions of up to 8, and one of up to 64
  // One or more dimensions at which kernels break: tiles from 16 to 4096, and 65536, less one, exactly, plus one, and a
  // half more; and primes. Where a dimension is summed, as K of GEMM and the channels of CONVOLUTION, it is often that
  // one.
  tiles,
};

// The maximum number of elements of a case's main tensor, if generate_options does not have it.
constexpr std::uint64_t default_most_elements(sizes_class sizes) { return sizes == sizes_class::tiles ? 200'000 : 300; }

}  // namespace goldml::oracle

template <>
struct goldml::enumeration<goldml::oracle::sizes_class> : policy_enumeration {
  static constexpr auto values = enumerators<oracle::sizes_class>("mixed", "small", "tiles");
};
