// How cases of SLICE1 and SLICE_GRAD break the rules on windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/slice_windows.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/samplers/likeness.hpp>

namespace goldml::oracle::detail {

// `larger` and `smaller`: the numbers of the tensor with the windows and of that with their elements.
template <class Desc>
std::string_view break_window(random_source& random, sampled_case<Desc>& c, std::size_t larger, std::size_t smaller) {
  constexpr const goldml::detail::window_codes& codes = operator_traits<Desc>::codes;
  Desc& desc = c.desc;
  const std::size_t rank = c.tensors[0]->sizes.size();
  const std::size_t i = random.below(rank);
  switch (random.below(7)) {
    case 0: {  // one count for all three lists, as in the C structure
      const Desc before = desc;
      desc.input_window_offsets = desc.input_window_sizes = {};
      desc.input_window_strides = {};
      for (std::size_t j = 1; j < rank; ++j) {
        desc.input_window_offsets.push_back(before.input_window_offsets[j]);
        desc.input_window_sizes.push_back(before.input_window_sizes[j]);
        desc.input_window_strides.push_back(before.input_window_strides[j]);
      }
      return codes.count;
    }
    case 1:
      desc.input_window_strides[i] = 0;
      return codes.stride;
    case 2:
      desc.input_window_sizes[i] = 0;
      return codes.window;
    case 3:
      desc.input_window_offsets[i] = c.tensors[larger]->sizes[i];
      return codes.end;
    case 4:
      if (desc.input_window_strides[i] == 0) return "";  // as often as the smaller tensor says
      c.tensors[smaller]->sizes[i] = static_cast<std::uint32_t>(
          slice1_most_elements(desc.input_window_sizes[i], desc.input_window_strides[i]) + 1);
      return codes.size;
    default:
      return break_likeness(random, c, 1);
  }
}

}  // namespace goldml::oracle::detail
