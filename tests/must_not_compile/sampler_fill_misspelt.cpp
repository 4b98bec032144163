// A1: a misspelt `fill` of a sampler.
// says: .fills = &fill
#include <goldml/goldml.hpp>
#include <goldml/oracle/sampler.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
  static constexpr operator_options<small_desc> options{.exact = true};
};

template <>
struct goldml::oracle::sampler<small_desc> {
  static void fill(random_source&, const small_desc&, data_class, std::span<host_tensor>) {}
#ifdef MUST_NOT_COMPILE
  static constexpr sampler_options<small_desc> options{.fills = &fill};
#else
  static constexpr sampler_options<small_desc> options{.fill = &fill};
#endif
};
