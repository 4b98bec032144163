// 37.2: a view of a container that ends before the view, named or in a call.
#include <array>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/host_tensor.hpp>
#include <goldml/goldml.hpp>

using namespace goldml;

std::vector<float> make();
host_tensor make_tensor();

void f(std::span<const float> borrowed, std::vector<float>& named, std::uint32_t* y) {
  using view = tensor_view<const float>;
  const view made{make(), {2, 3}};                              // says: give_the_container_a_name_first
  const view array{std::array<float, 6>{}, {2, 3}, {3, 1}};     // says: give_the_container_a_name_first
  const view moved{std::move(named), {2, 3}};                   // says: give_the_container_a_name_first
  const tensor_view deduced{make(), {2, 3}};                    // says: give_the_container_a_name_first
  const tensor_view also_deduced{std::move(named), {2, 3}};     // says: give_the_container_a_name_first
  argmin(reference, view{make(), {3}}, make(), {.axes = {0}});  // says: give_the_container_a_name_first
  const const_tensor_ref dangling = make_tensor().ref();        // says: the ref would dangle

  const auto x = make();
  const tensor_view of_container{x, {2, 3}};
  const tensor_view of_mutable{named, {2, 3}, {3, 1}};
  const tensor_view of_span{std::span(named).first(6), {2, 3}};
  const tensor_view of_borrowed{borrowed, {2, 3}};
  const auto owner = make_tensor();
  const const_tensor_ref ref = owner.ref();
  argmin(reference, make(), tensor_view{y, {1}}, {.axes = {0}});  // ends after the call
  argmin(reference, of_borrowed, tensor_view{y, {2, 1}}, {.axes = {1}});
}
