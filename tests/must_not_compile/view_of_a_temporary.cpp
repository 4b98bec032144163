// 37.2: a view of a container that ends before the view, named or in a call.
// says 1: give_the_container_a_name_first
// says 2: give_the_container_a_name_first
// says 3: give_the_container_a_name_first
// says 4: give_the_container_a_name_first
// says 5: the ref would dangle
#include <array>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/host_tensor.hpp>
#include <goldml/goldml.hpp>

std::vector<float> make();
goldml::host_tensor make_tensor();

void f(std::span<const float> borrowed, std::vector<float>& named, std::uint32_t* y) {
  using goldml::tensor_view;
#if MUST_NOT_COMPILE == 1
  const tensor_view v{make(), {2, 3}};
#elif MUST_NOT_COMPILE == 2
  const tensor_view<const float> v{std::array<float, 6>{}, {2, 3}, {3, 1}};
#elif MUST_NOT_COMPILE == 3
  const tensor_view v{std::move(named), {2, 3}};
#elif MUST_NOT_COMPILE == 4
  goldml::argmin(goldml::reference, tensor_view{make(), {2, 3}}, tensor_view{y, {2, 1}}, {.axes = {1}});
  const tensor_view v{borrowed, {2, 3}};
#elif MUST_NOT_COMPILE == 5
  const goldml::const_tensor_ref v = make_tensor().ref();
#else
  const auto x = make();
  const tensor_view of_container{x, {2, 3}};
  const tensor_view of_mutable{named, {2, 3}, {3, 1}};
  const tensor_view of_span{std::span(named).first(6), {2, 3}};
  const auto owner = make_tensor();
  const goldml::const_tensor_ref ref = owner.ref();
  goldml::argmin(goldml::reference, make(), tensor_view{y, {1}}, {.axes = {0}});  // ends after the call
  const tensor_view v{borrowed, {2, 3}};
#endif
  goldml::argmin(goldml::reference, v, tensor_view{y, {2, 1}}, {.axes = {1}});
}
