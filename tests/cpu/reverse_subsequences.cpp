// REVERSE_SUBSEQUENCES on `cpu` gives the bytes of `reference`, with threads too.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/reverse_subsequences.hpp>
#include <goldml/reference/reverse_subsequences.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"
#include "moving.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;
using layouts::laid_out;
using layouts::strides_of;

// Every length from 0 to one above the size, and lengths far above it.
template <class Length>
std::vector<Length> lengths_of(std::size_t count, std::uint32_t size) {
  std::vector<Length> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(static_cast<Length>(i * 7 % (size + std::size_t{2})));
  result[count / 2] = (std::numeric_limits<Length>::max)();
  result[count / 3] = static_cast<Length>((std::numeric_limits<Length>::max)() / 2 + 1);
  return result;
}

template <class T, class Length>
void check(const cpu_backend& backend, const dimensions& sizes, std::uint32_t axis) {
  dimensions length_sizes = sizes;
  length_sizes[axis] = 1;
  const auto elements = lengths_of<Length>(static_cast<std::size_t>(element_count(length_sizes)), sizes[axis]);
  for (const auto of_input : all_layouts)
    for (const auto of_output : all_layouts) {
      auto input = filled<T>(sizes, of_input, 1);
      laid_out<Length> lengths(length_sizes, strides_of(of_output, length_sizes), elements);
      auto wanted = filled<T>(sizes, of_output, 2);
      auto y = filled<T>(sizes, of_output, 3);
      reverse_subsequences(reference, input.view(), lengths.view(), wanted.view(), {.axis = axis});
      reverse_subsequences(backend, input.view(), lengths.view(), y.view(), {.axis = axis});
      CHECK(bits(y.elements()) == bits(wanted.elements()));
      CHECK(y.gaps_untouched());
    }
}

}  // namespace

TEST_CASE("REVERSE_SUBSEQUENCES on cpu: every layout, axis and type of length, in each width",
          "[cpu][reverse_subsequences]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  goldml_test::for_each_type(goldml_test::size_types{}, [&]<class T>(std::type_identity<T>) {
    goldml_test::for_each_type(type_list<std::uint32_t, std::uint64_t>{},
                               [&]<class Length>(std::type_identity<Length>) {
                                 for (std::uint32_t axis = 0; axis < 3; ++axis) check<T, Length>(cpu, {4, 3, 5}, axis);
                                 check<T, Length>(cpu, {1, 6, 1}, 0);
                                 check<T, Length>(threads, {30, 4}, 1);
                                 check<T, Length>(threads, {4, 30}, 0);
                                 check<T, Length>(threads, {70}, 0);
                               });
  });
}

TEST_CASE("REVERSE_SUBSEQUENCES on cpu: a run-time call", "[cpu][reverse_subsequences]") {
  const std::vector<double> input{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint64_t> lengths{2, std::uint64_t{1} << 32};
  std::vector<double> y(6);
  reverse_subsequences(cpu, const_tensor_ref(tensor_view{input, {2, 3}}),
                       const_tensor_ref(tensor_view{lengths, {2, 1}}), tensor_ref(tensor_view{y, {2, 3}}),
                       reverse_subsequences_desc{.axis = 1});
  CHECK(y == std::vector<double>{2, 1, 3, 6, 5, 4});
}
