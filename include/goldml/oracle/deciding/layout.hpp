// The layout operators and CAST: the element that is copied or converted.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <goldml/operators/cast.hpp>
#include <goldml/operators/join.hpp>
#include <goldml/operators/padding.hpp>
#include <goldml/operators/slice.hpp>
#include <goldml/operators/slice_grad.hpp>
#include <goldml/operators/space_depth.hpp>
#include <goldml/operators/split.hpp>
#include <goldml/operators/tile.hpp>
#include <goldml/oracle/deciding/deciding.hpp>
#include <goldml/reference/padding.hpp>
#include <goldml/reference/space_depth.hpp>

namespace goldml::oracle {

namespace detail {

inline std::string copied_from(const coordinate_tuple& from) {
  return fmt::format("    input:    it is the input's element at {}\n", from);
}

}  // namespace detail

template <>
struct deciding<join_desc> {
  static std::string text(const join_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output&, const coordinate_tuple& where, const const_tensor_ref&) {
    coordinate_tuple from = where;
    std::size_t part = 0;
    for (; from[desc.axis] >= inputs[part].desc().sizes[desc.axis]; ++part)
      from[desc.axis] -= inputs[part].desc().sizes[desc.axis];
    return fmt::format("    input:    it is the element at {} of InputTensors[{}]\n", from, part);
  }
};

template <>
struct deciding<tile_desc> {
  static std::string text(const tile_desc&, std::span<const const_tensor_ref> inputs, std::size_t, const golden_output&,
                          const coordinate_tuple& where, const const_tensor_ref&) {
    coordinate_tuple from = where;
    for (std::size_t i = 0; i < from.size(); ++i) from[i] %= inputs[0].desc().sizes[i];
    return detail::copied_from(from);
  }
};

template <class Desc>
requires std::same_as<Desc, padding_desc> || std::same_as<Desc, padding1_desc>
struct deciding<Desc> {
  static std::string text(const Desc& desc, std::span<const const_tensor_ref> inputs, std::size_t, const golden_output&,
                          const coordinate_tuple& where, const const_tensor_ref&) {
    const dimensions& sizes = inputs[0].desc().sizes;
    if (desc.padding_mode == padding_mode::constant && goldml::detail::is_padding(desc, sizes, where))
      return "    input:    it is PaddingValue\n";
    coordinate_tuple from = where;
    for (std::size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<std::uint32_t>(
          goldml::detail::padded_position(desc.padding_mode, std::int64_t{where[i]} - desc.start_padding[i], sizes[i]));
    return detail::copied_from(from);
  }
};

template <goldml::detail::space_depth_operator Desc>
struct deciding<Desc> {
  static std::string text(const Desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output& expected, const coordinate_tuple& where, const const_tensor_ref&) {
    if constexpr (!goldml::detail::is_to_depth<Desc>) {
      const std::uint32_t channels = expected.values.desc().sizes[1];
      return detail::copied_from(kernel<Desc, reference_backend>::in_depth(where, channels, desc));
    } else {
      const std::uint32_t channels = inputs[0].desc().sizes[1];
      const std::uint32_t block = desc.block_size;
      const bool depth_last = goldml::detail::order_of(desc) == depth_space_order::depth_column_row;
      const std::uint32_t ch = depth_last ? where[1] % channels : where[1] / (block * block);
      const std::uint32_t place = depth_last ? where[1] / channels : where[1] % (block * block);  // in the block
      return detail::copied_from({where[0], ch, where[2] * block + place / block, where[3] * block + place % block});
    }
  }
};

template <>
struct deciding<slice_desc> {
  static std::string text(const slice_desc& desc, std::span<const const_tensor_ref>, std::size_t, const golden_output&,
                          const coordinate_tuple& where, const const_tensor_ref&) {
    coordinate_tuple from = where;
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = desc.offsets[i] + desc.strides[i] * where[i];
    return detail::copied_from(from);
  }
};

template <>
struct deciding<slice_grad_desc> {
  static std::string text(const slice_grad_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output&, const coordinate_tuple& where, const const_tensor_ref&) {
    coordinate_tuple from = where;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::int64_t steps = std::int64_t{where[i]} - slice1_position(desc, i, 0);
      const std::int64_t stride = desc.input_window_strides[i];
      const std::int64_t size = inputs[0].desc().sizes[i];
      if (steps % stride != 0 || steps / stride < 0 || steps / stride >= size)
        return "    input:    no element of the input is put there: it is zero\n";
      from[i] = static_cast<std::uint32_t>(steps / stride);
    }
    return detail::copied_from(from);
  }
};

template <>
struct deciding<cast_desc> {
  static std::string text(const cast_desc&, std::span<const const_tensor_ref> inputs, std::size_t, const golden_output&,
                          const coordinate_tuple& where, const const_tensor_ref&) {
    return fmt::format("    input:    {}\n", detail::element_text(inputs[0], where));
  }
};

}  // namespace goldml::oracle
