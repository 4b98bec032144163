// What random cases of normalisations share: tensors with sizes of 1, attributes, and slices far from zero, constant
// ones, variances that are not negative.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/fused_activation.hpp>
#include <goldml/oracle/random.hpp>

namespace goldml::oracle::detail {

// Each size is that of `like`, or 1; all of them, none, or any.
inline tensor_desc random_broadcast(random_source& random, const tensor_desc& like) {
  tensor_desc result = like;
  const std::uint64_t kind = random.below(3);
  for (std::size_t i = 0; i < result.sizes.size(); ++i)
    if (kind == 0 || (kind == 1 && random.chance(50))) result.sizes[i] = 1;
  return result;
}
// A size that is neither 1 nor the input's.
inline void break_broadcast(random_source& random, dimensions& sizes, const dimensions& input) {
  const std::uint64_t at = random.below(sizes.size());
  sizes[at] = input[at] + 1;
}

inline float random_epsilon(random_source& random) {
  constexpr std::array<float, 6> values{1e-5F, 0.25F, 1e-3F, 0.75F, 0, 100};
  return values[random.below(values.size())];
}
inline std::optional<activation> maybe_fused(random_source& random, feature_level level) {
  if (!random.chance(25)) return {};
  return random_fused(random, level);
}

// Changes the elements of a tensor: x becomes f(x).
template <class F>
void change_elements(host_tensor& t, F f) {
  if (t.bytes().empty()) return;
  visit_data_type(type_list<float, float16>{}, t.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const tensor_view<T> view = t.ref().as<T>();
    for (const coordinate_tuple& c : coordinates_of(t.desc().sizes)) {
      const auto x = static_cast<float>(T(view[c]));
      view[c] = static_cast<T>(f(x));
    }
  });
}

// Besides data for arithmetic: a mean of a hundred, or a thousand; a constant.
inline void fill_for_normalisation(random_source& random, data_class data, std::span<host_tensor> inputs) {
  fill_for_arithmetic(random, data, inputs);
  if (data != data_class::uniform && data != data_class::dense) return;
  const std::uint64_t kind = random.below(8);
  if (kind == 0) change_elements(inputs[0], [](float) { return 7.0F; });
  if (kind == 1) change_elements(inputs[0], [](float x) { return x + 1000; });
  if (kind == 2) change_elements(inputs[0], [](float x) { return x + 100; });
}

}  // namespace goldml::oracle::detail
