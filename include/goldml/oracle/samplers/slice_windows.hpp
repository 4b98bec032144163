// How cases of SLICE1 and SLICE_GRAD break the rules on windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/slice_windows.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle::detail {

// `larger` and `smaller`: the numbers of the tensor with the windows and of that with their elements.
template <class Desc>
std::string_view break_window(random_source& random, sampled_case<Desc>& c, std::size_t larger, std::size_t smaller) {
  constexpr const goldml::detail::window_codes& codes = operator_traits<Desc>::codes;
  Desc& desc = c.desc;
  const std::size_t i = random.below(c.tensors[0]->sizes.size());
  switch (random.below(3)) {
    case 0:
      desc.input_window_strides[i] = 0;
      return codes.stride;
    case 1:
      desc.input_window_offsets[i] = c.tensors[larger]->sizes[i];
      return codes.end;
    default:
      if (desc.input_window_strides[i] == 0) return "";  // as often as the smaller tensor says
      c.tensors[smaller]->sizes[i] = static_cast<std::uint32_t>(
          slice1_most_elements(desc.input_window_sizes[i], desc.input_window_strides[i]) + 1);
      return codes.size;
  }
}

}  // namespace goldml::oracle::detail
