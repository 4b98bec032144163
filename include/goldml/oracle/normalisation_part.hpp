// The part of a normalisation that computes one element: its slice, and what is repeated there.
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/element_part.hpp>

namespace goldml::oracle {

namespace detail {

// One coordinate of every tensor on each axis, 0 where its size is 1, but on some axes all.
inline void take_one_of_broadcast(tensor_parts t, const coordinate_tuple& at, const dimensions& whole_axes = {}) {
  for (std::uint32_t axis = 0; axis < at.size(); ++axis)
    if (!whole_axes.contains(axis))
      for (auto& part : t)
        if (part) part->take(axis, part->desc.sizes[axis] == 1 ? 0 : at[axis]);
}

}  // namespace detail

template <goldml::detail::mean_variance_operator Desc>
struct element_part<Desc> {
  static constexpr sampling how = sampling::parts;
  static void take(Desc& desc, tensor_parts t, const coordinate_tuple& at) {
    detail::take_one_of_broadcast(t, at, goldml::detail::normalisation_axes(desc));
  }
};

template <>
struct element_part<batch_normalization_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(batch_normalization_desc&, tensor_parts t, const coordinate_tuple& at) {
    detail::take_one_of_broadcast(t, at);
  }
};
template <>
struct element_part<batch_normalization_training_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(batch_normalization_training_desc&, tensor_parts t, const coordinate_tuple& at) {
    detail::take_one_of_broadcast(t, at, goldml::detail::batch_axes(t[1]->desc.sizes));
  }
};

template <>
struct element_part<lp_normalization_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(lp_normalization_desc& desc, tensor_parts t, const coordinate_tuple& at) {
    detail::take_one_of_broadcast(t, at, {desc.axis});
  }
};

template <goldml::detail::batch_gradient_operator Desc>
struct element_part<Desc> {
  static constexpr sampling how = sampling::parts;
  static void take(Desc&, tensor_parts t, const coordinate_tuple& at) {
    detail::take_one_of_broadcast(t, at, goldml::detail::batch_axes(t[2]->desc.sizes));
  }
};

// The channels of a place, or its image, of which windows have a part.
template <goldml::detail::local_response_operator Desc>
struct element_part<Desc> {
  static constexpr sampling how = sampling::parts;
  static void take(Desc& desc, tensor_parts t, const coordinate_tuple& at) {
    detail::take_one_of_broadcast(t, at, desc.cross_channel ? dimensions{1} : dimensions{2, 3});
  }
};

}  // namespace goldml::oracle
