// ARGMIN and memory: all strides of input and output give the same logical result, for every data type and all sets of
// axes; inputs and gaps are unchanged; the run-time call.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/operators/argmin.hpp>
#include <goldml/reference/argmin.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::laid_out;
using layouts::layout;

template <class... T, class F>
void for_each_type(type_list<T...>, F&& f) {
  (f(std::type_identity<T>{}), ...);
}

// Small numbers with many equal ones and, for floats, NaN.
template <class T>
std::vector<T> tied_elements(std::size_t count) {
  std::vector<T> elements;
  std::uint32_t state = 7;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    const std::uint32_t choice = (state >> 16) % 8;
    if (is_floating_type<T> && choice == 0)
      elements.push_back(static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
    else if (is_floating_type<T> && choice == 1)
      elements.push_back(static_cast<T>(-0.0f));
    else
      elements.push_back(static_cast<T>(choice / 2));
  }
  return elements;
}

// The definition, with lists and doubles: the candidates of each output element that are not NaN, or all if none; of
// these the least ones; of these the least or greatest flat index. Elements are packed small numbers.
template <class T>
std::vector<std::uint64_t> defined(const std::vector<T>& x, const std::vector<std::size_t>& sizes, unsigned axes,
                                   const argmin_desc& desc) {
  std::size_t outputs = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if ((axes >> i & 1) == 0) outputs *= sizes[i];
  std::vector<std::vector<double>> candidates(outputs);  // in ascending flat order, as elements come
  for (std::size_t e = 0; e < x.size(); ++e) {
    std::size_t output = 0;
    std::size_t rest = e;
    std::size_t weight = 1;
    for (std::size_t i = sizes.size(); i-- > 0; rest /= sizes[i])
      if ((axes >> i & 1) == 0) {
        output += rest % sizes[i] * weight;
        weight *= sizes[i];
      }
    candidates[output].push_back(static_cast<double>(x[e]));
  }
  std::vector<std::uint64_t> result;
  for (const auto& slice : candidates) {
    std::size_t nans = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const double v : slice) {
      if (std::isnan(v)) ++nans;
      if (v < least) least = v;
    }
    const bool nan_wins = nans == slice.size() || (nans > 0 && desc.nan_policy == nan_policy::propagate);
    std::vector<std::uint64_t> winners;
    for (std::size_t flat = 0; flat < slice.size(); ++flat)
      if (nan_wins ? std::isnan(slice[flat]) : slice[flat] == least) winners.push_back(flat);
    result.push_back(desc.axis_direction == axis_direction::increasing ? winners.front() : winners.back());
  }
  return result;
}

}  // namespace

TEST_CASE("ARGMIN: every data type, all sets of axes, both directions and NaN policies", "[argmin]") {
  for_each_type(a10_types{}, []<class T>(std::type_identity<T>) {
    const std::vector<std::size_t> sizes{2, 3, 1, 4};
    const auto elements = tied_elements<T>(24);
    const tensor<T> x(dimensions(sizes), elements);
    for (unsigned axes = 1; axes < 16; ++axes)
      for (const auto direction : {axis_direction::increasing, axis_direction::decreasing})
        for (const auto policy : {nan_policy::skip, nan_policy::propagate}) {
          argmin_desc desc{.axes = {}, .axis_direction = direction, .nan_policy = policy};
          for (std::uint32_t i = 0; i < 4; ++i)
            if ((axes >> i & 1) != 0) desc.axes.push_back(i);
          INFO(name_of(data_type_of<T>) << " axes " << fmt::format("{}", desc.axes));
          CHECK(argmin<std::uint64_t>(reference, x, desc).elements() == defined(elements, sizes, axes, desc));
        }
  });
}

TEST_CASE("ARGMIN: layouts of input and output; inputs and gaps are unchanged", "[argmin]") {
  const dimensions sizes{3, 2, 4};
  const auto elements = tied_elements<float>(24);
  for (const unsigned axes : {1u, 2u, 4u, 5u, 7u})
    for (const layout of_input : layouts::all_layouts)
      for (const layout of_output : layouts::all_layouts) {
        argmin_desc desc;
        for (std::uint32_t i = 0; i < 3; ++i)
          if ((axes >> i & 1) != 0) desc.axes.push_back(i);
        const auto wanted = defined(elements, {3, 2, 4}, axes, desc);
        const dimensions output_sizes = sizes_after_reduction(sizes, desc.axes);
        laid_out<float> x(sizes, strides_of(of_input, sizes), elements);
        laid_out<std::uint64_t> y(output_sizes, strides_of(of_output, output_sizes),
                                  std::vector<std::uint64_t>(wanted.size(), 77));
        INFO("axes " << axes << " layouts " << static_cast<int>(of_input) << " " << static_cast<int>(of_output));
        argmin(reference, x.view(), y.view(), desc);
        CHECK(y.elements() == wanted);
        CHECK(y.gaps_untouched());
        CHECK(bits(x.elements()) == bits(elements));
        CHECK(x.gaps_untouched());
      }
}

TEST_CASE("ARGMIN: broadcast inputs", "[argmin]") {
  // The row {3,1,2} four times.
  laid_out<std::int32_t> rows({4, 3}, {0, 1}, {3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2});
  std::vector<std::uint32_t> y(4, 77);
  argmin(reference, rows.view(), tensor_view{y, {4, 1}}, argmin_desc{.axes = {1}});
  CHECK(y == std::vector<std::uint32_t>{1, 1, 1, 1});
  std::vector<std::uint32_t> z(3, 77);
  argmin(reference, rows.view(), tensor_view{z, {1, 3}}, argmin_desc{.axes = {0}});
  CHECK(z == std::vector<std::uint32_t>{0, 0, 0});
  argmin(reference, rows.view(), tensor_view{z, {1, 3}},
         argmin_desc{.axes = {0}, .axis_direction = axis_direction::decreasing});
  CHECK(z == std::vector<std::uint32_t>{3, 3, 3});
  std::vector<std::uint32_t> w(1, 77);
  argmin(reference, rows.view(), tensor_view{w, {1, 1}},
         argmin_desc{.axes = {0, 1}, .axis_direction = axis_direction::decreasing});
  CHECK(w[0] == 3 * 3 + 1);
  // One element, read twelve times; and overlapping rows: 0 1 2, 1 2 3.
  std::vector<float> few{4, 3, 2, 9};
  argmin(reference, tensor_view{few, {3, 4}, {0, 0}}, tensor_view{w, {1, 1}},
         argmin_desc{.axes = {0, 1}, .axis_direction = axis_direction::decreasing});
  CHECK(w[0] == 11);
  std::vector<std::uint32_t> v(2, 77);
  argmin(reference, tensor_view{few, {2, 3}, {1, 1}}, tensor_view{v, {2, 1}}, argmin_desc{.axes = {1}});
  CHECK(v == std::vector<std::uint32_t>{2, 1});
}

TEST_CASE("ARGMIN: strides of dimensions of size 1 are ignored", "[argmin]") {
  const std::vector<float> few{4, 3, 2, 9};
  std::vector<std::uint32_t> y(1, 77);
  argmin(reference, tensor_view{few, {1, 4, 1}, {4000000000u, 1, 77}}, tensor_view{y, {1, 1, 1}, {0, 5, 0}},
         argmin_desc{.axes = {1}});
  CHECK(y[0] == 2);
}

TEST_CASE("ARGMIN: the run-time call gives the results of the typed call, for all pairs of types", "[argmin]") {
  for_each_type(a10_types{}, []<class T>(std::type_identity<T>) {
    for_each_type(ix_types{}, []<class Index>(std::type_identity<Index>) {
      const auto elements = tied_elements<T>(12);
      laid_out<T> x({3, 4}, {1, 5}, elements);
      laid_out<Index> y({3, 1}, {2, 1}, std::vector<Index>(3, static_cast<Index>(-1)));
      const argmin_desc desc{.axes = {1}, .axis_direction = axis_direction::decreasing};
      argmin(reference, const_tensor_ref(x.view()), tensor_ref(y.view()), desc);
      const auto wanted = defined(elements, {3, 4}, 2, desc);
      INFO(name_of(data_type_of<T>) << " to " << name_of(data_type_of<Index>));
      CHECK(std::vector<std::uint64_t>{static_cast<std::uint64_t>(y.elements()[0]),
                                       static_cast<std::uint64_t>(y.elements()[1]),
                                       static_cast<std::uint64_t>(y.elements()[2])} == wanted);
      CHECK(y.gaps_untouched());
      CHECK(bits(x.elements()) == bits(elements));
    });
  });
}

TEST_CASE("ARGMIN: bound resources", "[argmin]") {
  const std::vector<float> input{3, 1, 2};
  std::vector<std::uint32_t> output(4, 77);
  const tensor_desc x{.data_type = data_type::float32, .sizes = {3}};
  const tensor_desc y{.data_type = data_type::uint32, .sizes = {1}};
  argmin(reference, const_tensor_ref::bound(x, &input, 0, 12, input.data()),
         tensor_ref::bound(y, &output, 16, 4, output.data()), argmin_desc{.axes = {0}});
  CHECK(output == std::vector<std::uint32_t>{1, 77, 77, 77});
}
