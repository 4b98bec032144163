// The shaders of ARGMIN and ARGMAX for the greatest element, with all bindings: compared with `reference` ARGMIN of
// input whose order is reversed, and with hand-written values.
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <goldml/d3d12/argmin.hpp>

#include "cases.hpp"
#include "catch.hpp"
#include "gpu.hpp"

using namespace goldml;
using d3d12::arg_reduction;
using d3d12::extreme;
using index_list = std::vector<std::uint32_t>;

namespace {

constexpr auto increasing = axis_direction::increasing, decreasing = axis_direction::decreasing;
constexpr auto skip = nan_policy::skip, propagate = nan_policy::propagate;
constexpr float nan_f = std::numeric_limits<float>::quiet_NaN(), infinity_f = std::numeric_limits<float>::infinity();

void run(const d3d12::device& gpu, const arg_reduction& what, const host_tensor& input, host_tensor& output) {
  d3d12::command_list list = gpu.take_list();
  d3d12::recorder work(gpu, list.list.get());
  d3d12::host_transfer transfer(work);
  const d3d12::buffer_tensor from = transfer.add(input.ref(), true), to = transfer.add(output.ref(), false);
  d3d12::record_arg_reduction(work, what, from, to);
  transfer.read_back(to, output.ref());
  work.close();
  gpu.run(std::move(list));
  transfer.deliver();
}

// The input with its order reversed: floats are negated, integers v become -1 - v or max - v.
host_tensor reversed(host_tensor tensor) {
  const data_type type = tensor.desc().data_type;
  const bool is_float = type == data_type::float32 || type == data_type::float16;
  const std::size_t size = element_size_in_bytes(type);
  std::vector<std::byte>& bytes = tensor.bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!is_float) bytes[i] = ~bytes[i];
    if (is_float && i % size == size - 1) bytes[i] ^= std::byte{0x80};
  }
  return tensor;
}

// The indices of the greatest elements of rows of equal length, with every binding.
template <class T>
index_list greatest_of_rows(const std::vector<T>& values, std::uint32_t rows, axis_direction direction,
                            nan_policy policy = skip) {
  host_tensor input({.data_type = data_type_of<T>, .sizes = {rows, values.size() / rows}});
  std::memcpy(input.bytes().data(), values.data(), values.size() * sizeof(T));
  index_list first;
  for (const auto bindings : gpus::all_bindings()) {
    host_tensor output({.data_type = data_type::uint32, .sizes = {rows, 1}});
    run(gpus::open(bindings),
        {.wanted = extreme::greatest, .axes = {1}, .axis_direction = direction, .nan_policy = policy}, input, output);
    index_list result(rows);
    std::memcpy(result.data(), output.bytes().data(), output.bytes().size());
    if (first.empty()) first = result;
    CHECK(result == first);
  }
  return first;
}

}  // namespace

TEST_CASE("d3d12: the greatest element is the least in reversed order, for generated cases") {
  const oracle::any_operator& argmin_cases = oracle::any_operator_of<argmin_desc>();
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    for (const std::uint64_t most : {std::uint64_t{2000}, std::uint64_t{100'000}})
      for (std::uint64_t number = 0; number < (most == 2'000 ? 400u : 60u); ++number) {
        const auto c = gpu_cases::sample(argmin_cases, {.seed = 21, .most_elements = most}, number);
        const argmin_desc& desc = c.desc.as<argmin_desc>();
        CAPTURE(to_string(c));
        const std::vector<host_tensor> inputs = oracle::detail::inputs_of(argmin_cases, c);
        const gpu_cases::outcome wanted = gpu_cases::call(reference, c, {reversed(inputs[0])});
        std::vector<host_tensor> outputs = gpu_cases::blank_outputs(c);
        run(gpu,
            {.wanted = extreme::greatest,
             .axes = desc.axes,
             .axis_direction = desc.axis_direction,
             .nan_policy = desc.nan_policy},
            inputs[0], outputs[0]);
        CHECK(gpu_cases::difference(c, gpu_cases::outcome_of(outputs, ""), wanted, false) == "");
      }
  }
}

// The input of the page of DML_ARGMAX_OPERATOR_DESC, and the rulings of ledger 7.1 and 7.4.
TEST_CASE("d3d12: the greatest element of hand-written values") {
  CHECK(greatest_of_rows<float>({1, 2, 3, 3, 0, 4, 2, 5, 2}, 3, increasing) == index_list{2, 2, 1});
  CHECK(greatest_of_rows<std::int32_t>({3, 2, 1, 2, 3}, 1, increasing) == index_list{0});
  CHECK(greatest_of_rows<std::int32_t>({3, 2, 1, 2, 3}, 1, decreasing) == index_list{4});
  CHECK(greatest_of_rows<float>({nan_f, 2, nan_f, 2}, 1, increasing) == index_list{1});
  CHECK(greatest_of_rows<float>({nan_f, 2, nan_f, 2}, 1, decreasing) == index_list{3});
  CHECK(greatest_of_rows<float>({nan_f, 2, nan_f, 2}, 1, increasing, propagate) == index_list{0});
  CHECK(greatest_of_rows<float>({nan_f, 2, nan_f, 2}, 1, decreasing, propagate) == index_list{2});
  CHECK(greatest_of_rows<float>({-nan_f, 2, 3, -nan_f}, 1, increasing) == index_list{2});
  CHECK(greatest_of_rows<float>({2, -nan_f, infinity_f, -nan_f}, 1, increasing, propagate) == index_list{1});
  CHECK(greatest_of_rows<float>({-0.0f, 0.0f}, 1, increasing) == index_list{0});
  CHECK(greatest_of_rows<float>({-0.0f, 0.0f}, 1, decreasing) == index_list{1});
  CHECK(greatest_of_rows<float>({nan_f, -infinity_f, nan_f, nan_f}, 2, increasing) == index_list{1, 0});
  CHECK(greatest_of_rows<std::uint32_t>({0x8000'0000, 1}, 1, increasing) == index_list{0});
  CHECK(greatest_of_rows<std::int32_t>({INT32_MIN, INT32_MIN + 1}, 1, increasing) == index_list{1});
  CHECK(greatest_of_rows<std::int8_t>({-128, -1, 127, -127}, 1, increasing) == index_list{2});
  CHECK(greatest_of_rows<std::uint8_t>({0, 255, 127, 255}, 1, decreasing) == index_list{3});
  CHECK(greatest_of_rows<std::int64_t>({INT64_MIN, INT64_MAX, -1, INT64_MAX - 1}, 1, increasing) == index_list{1});
  CHECK(greatest_of_rows<std::uint64_t>({1, std::uint64_t{1} << 32, UINT32_MAX}, 1, increasing) == index_list{1});
}

// As many outputs as a large GPU has threads: one thread for each, or two; and a 32nd of them, with 32 threads each.
TEST_CASE("d3d12: the least and the greatest of very many slices, along rows and along columns") {
  struct shape {
    std::uint32_t axis, candidates, many;
  };
  constexpr std::uint32_t threads = 1056 * 256;
  constexpr std::array<shape, 3> shapes{{{0, 17, threads}, {1, 3, threads}, {1, 100, threads / 32}}};
  for (const auto bindings : gpus::all_bindings())
    for (const auto& [axis, candidates, many] : shapes) {
      const dimensions sizes = axis == 0 ? dimensions{candidates, many} : dimensions{many, candidates};
      host_tensor input({.data_type = data_type::uint8, .sizes = sizes});
      // The values of slice i are i, i + 1, ... modulo their number.
      for (std::uint32_t i = 0; i < many; ++i)
        for (std::uint32_t j = 0; j < candidates; ++j)
          input.bytes()[axis == 0 ? std::size_t{j} * many + i : std::size_t{i} * candidates + j] =
              static_cast<std::byte>((i + j) % candidates);
      for (const auto wanted : {extreme::least, extreme::greatest}) {
        host_tensor output(
            {.data_type = data_type::uint32, .sizes = axis == 0 ? dimensions{1, many} : dimensions{many, 1}});
        run(gpus::open(bindings), {.wanted = wanted, .axes = {axis}, .axis_direction = increasing, .nan_policy = skip},
            input, output);
        index_list result(many);
        std::memcpy(result.data(), output.bytes().data(), output.bytes().size());
        const std::uint32_t value = wanted == extreme::least ? candidates : candidates - 1 + candidates;
        bool right = true;
        for (std::uint32_t i = 0; i < many; ++i) right = right && result[i] == (value - i % candidates) % candidates;
        CAPTURE(static_cast<int>(bindings), axis);
        CHECK(right);
      }
    }
}

TEST_CASE("d3d12: without axes each element is a slice, and its index is 0") {
  for (const auto bindings : gpus::all_bindings())
    for (const auto wanted : {extreme::least, extreme::greatest})
      for (const std::uint32_t columns : {3u, 1024u}) {
        host_tensor input({.data_type = data_type::float32, .sizes = {2, columns}}, std::byte{7});
        host_tensor output({.data_type = data_type::uint32, .sizes = {2, columns}}, std::byte{0xA5});
        run(gpus::open(bindings), {.wanted = wanted, .axes = {}, .axis_direction = decreasing, .nan_policy = skip},
            input, output);
        CHECK(output.bytes() == std::vector<std::byte>(std::size_t{8} * columns));
      }
}
