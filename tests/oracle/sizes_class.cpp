// The classes of sizes: which sizes the cases have, and that kernels with errors of tiles are found by the default
// options within 300 cases, as by sizes_class::tiles where more than 65,535 rows are needed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/refusals.hpp"

using namespace goldml;
using any_case = oracle::generated_case<any_desc>;
using any_text = oracle::test_case<any_desc>;
using oracle::sizes_class;

namespace {

const dimensions& main_sizes(const any_text& c) {
  return oracle::main_tensor_of(oracle::any_operator_of(c.desc.description()), c)->sizes;
}

// The first `count` of an axis.
const_tensor_ref first_of(const const_tensor_ref& tensor, std::size_t axis, std::uint32_t count) {
  tensor_desc desc = tensor.desc();
  desc.strides = effective_strides(desc);
  desc.sizes[axis] = (std::min)(desc.sizes[axis], count);
  return {desc, tensor.data(), tensor.memory().size_in_bytes};
}

// A kernel that reads the first part of an axis only, or writes the first part of an axis of its output only.
struct broken_kernel {
  std::string name;
  std::string op;
  // How many of the axis it takes; nothing if it computes the case right.
  std::function<std::optional<std::uint32_t>(const any_text&)> part;
  std::function<std::vector<const_tensor_ref>(const any_text&, std::vector<const_tensor_ref>, std::uint32_t)> read;
  std::function<std::size_t(const any_text&)> unwritten_axis;  // of output 0
};

std::vector<host_tensor> run(const broken_kernel& kernel, const any_case& c, std::uint32_t part) {
  const oracle::any_operator& op = oracle::any_operator_of(c.text.desc.description());
  std::vector<host_tensor> outputs;
  std::vector<tensor_ref> refs;
  for (const tensor_desc& output : c.outputs)
    outputs.emplace_back(output.sizes.empty() ? host_tensor() : host_tensor(output));
  for (host_tensor& output : outputs) refs.push_back(output.ref());
  std::vector<const_tensor_ref> inputs = c.input_refs();
  if (kernel.read) inputs = kernel.read(c.text, std::move(inputs), part);
  op.golden->evaluate(c.text.desc.get(), inputs, refs);
  if (!kernel.unwritten_axis) return outputs;
  const std::size_t axis = kernel.unwritten_axis(c.text);
  const writable_tensor writable(refs[0]);
  visit_data_type(all_types{}, writable.ref().desc().data_type, [&]<class T>(std::type_identity<T>) {
    const tensor_view<T> view = writable.ref().as<T>();
    for (const coordinate_tuple& at : coordinates_of(c.outputs[0].sizes))
      if (at[axis] >= part) view[at] = T{};
  });
  return outputs;
}

// The number of the first case that shows the fault, of `count`. Only cases on which the kernel errs are computed.
std::optional<std::uint64_t> first_found(const broken_kernel& kernel, const oracle::generate_options& options) {
  const oracle::any_operator& op = oracle::any_operator_of(*find_operator(kernel.op));
  for (std::uint64_t number = 0; number < options.count; ++number) {
    const any_text text = oracle::sample_case(op, options, number);
    const auto part = kernel.part(text);
    if (!part) continue;
    const any_case c = oracle::make_case(op, text);
    const std::vector<host_tensor> got = run(kernel, c, *part);
    std::vector<const_tensor_ref> refs;
    for (const host_tensor& output : got) refs.push_back(output.ref());
    if (oracle::compare(c.expected, refs).outcome() == oracle::outcome::differs) return number;
  }
  return std::nullopt;
}

std::size_t k_axis(const any_text& c) {
  return c.tensors[0]->sizes.size() - (c.desc.as<gemm_desc>().trans_a == matrix_transform::transpose ? 2 : 1);
}
std::vector<const_tensor_ref> first_of_k(const any_text& c, std::vector<const_tensor_ref> inputs, std::uint32_t part) {
  inputs[0] = first_of(inputs[0], k_axis(c), part);
  const bool transposed = c.desc.as<gemm_desc>().trans_b == matrix_transform::transpose;
  inputs[1] = first_of(inputs[1], c.tensors[1]->sizes.size() - (transposed ? 1 : 2), part);
  return inputs;
}
// The longest reduced axis.
std::optional<std::size_t> reduced_axis(const any_text& c) {
  const dimensions& sizes = c.tensors[0]->sizes;
  std::optional<std::size_t> longest;
  for (const std::uint32_t axis : c.desc.as<reduce_desc>().axes)
    if (!longest || sizes[axis] > sizes[*longest]) longest = axis;
  return longest;
}
std::size_t last_axis(const any_text& c) { return c.tensors.back()->sizes.size() - 1; }

// The kernels take the first `tile`, or what fills whole tiles.
using part_of = std::function<std::optional<std::uint32_t>(std::uint32_t size)>;
part_of first(std::uint32_t tile) {
  return [=](std::uint32_t size) { return size > tile ? std::optional(tile) : std::nullopt; };
}
part_of whole_tiles(std::uint32_t tile) {
  return [=](std::uint32_t size) {
    return size > tile && size % tile != 0 ? std::optional(size / tile * tile) : std::nullopt;
  };
}

std::vector<broken_kernel> kernels_with(const std::string& name, const part_of& part) {
  const auto of_axis = [=](auto axis, std::size_t tensor) {
    return [=](const any_text& c) { return part(c.tensors[tensor]->sizes[axis(c)]); };
  };
  return {
      {name + " of K", "GEMM", of_axis(k_axis, 0), first_of_k, {}},
      {name + " of the columns", "GEMM", of_axis(last_axis, 3), {}, last_axis},
      {name + " of the rows",
       "GEMM",
       of_axis([](const any_text& c) { return last_axis(c) - 1; }, 3),
       {},
       [](const any_text& c) { return last_axis(c) - 1; }},
      {name + " of an axis",
       "REDUCE",
       [=](const any_text& c) {
         const auto axis = reduced_axis(c);
         return axis ? part(c.tensors[0]->sizes[*axis]) : std::nullopt;
       },
       [](const any_text& c, std::vector<const_tensor_ref> inputs, std::uint32_t count) {
         return std::vector{first_of(inputs[0], *reduced_axis(c), count)};
       },
       {}},
      {name + " of the channels",
       "CONVOLUTION",
       [=](const any_text& c) {
         return c.desc.as<convolution_desc>().group_count == 1 ? part(c.tensors[0]->sizes[1]) : std::nullopt;
       },
       [](const any_text& c, std::vector<const_tensor_ref> inputs, std::uint32_t count) {
         const bool backward = c.desc.as<convolution_desc>().direction == convolution_direction::backward;
         inputs[0] = first_of(inputs[0], 1, count);
         inputs[1] = first_of(inputs[1], backward ? 0 : 1, count);
         return inputs;
       },
       {}},
      {name + " of a row", "TILE", of_axis(last_axis, 1), {}, last_axis},
      {name + " of a row", "CUMULATIVE_SUMMATION", of_axis(last_axis, 1), {}, last_axis},
      {name + " of a row", "ACTIVATION_SOFTMAX1", of_axis(last_axis, 1), {}, last_axis},
  };
}

}  // namespace

TEST_CASE("B: kernels with errors of tiles are found within 300 default cases", "[oracle]") {
  std::vector<broken_kernel> kernels;
  for (const std::uint32_t tile : {64U, 128U, 256U})
    for (broken_kernel& kernel : kernels_with(fmt::format("the first {}", tile), first(tile)))
      kernels.push_back(kernel);
  for (const std::uint32_t tile : {16U, 32U, 64U})
    for (broken_kernel& kernel : kernels_with(fmt::format("whole tiles of {}", tile), whole_tiles(tile)))
      kernels.push_back(kernel);
  for (const broken_kernel& kernel : kernels)
    for (const std::uint64_t seed : {1U, 2U}) {
      const auto found = first_found(kernel, {.count = 300, .seed = seed});
      INFO(kernel.op << " with " << kernel.name << ", seed " << seed);
      CHECK(found);
      fmt::print("B: {} with {}: seed {}: found by case {}\n", kernel.op, kernel.name, seed, found ? int(*found) : -1);
    }
}

TEST_CASE("B: kernels that take 65,536 rows are found by sizes_class::tiles", "[oracle]") {
  const auto rows_of = [](const dimensions& sizes) { return element_count(sizes) / sizes.back(); };
  // All rows from number 65,536 on remain unwritten. Only cases that have them are computed.
  for (const char* name : {"ELEMENT_WISE_IDENTITY", "CUMULATIVE_SUMMATION", "GEMM", "TILE"}) {
    INFO(name);
    const oracle::any_operator& op = oracle::any_operator_of(*find_operator(name));
    bool found = false;
    for (std::uint64_t number = 0; number < 300 && !found; ++number) {
      const any_text text = oracle::sample_case(op, {.sizes_class = sizes_class::tiles}, number);
      if (rows_of(text.tensors.back()->sizes) <= 65'536 || element_count(text.tensors.back()->sizes) > 250'000)
        continue;
      const any_case c = oracle::make_case(op, text);
      host_tensor got(c.outputs[0]);
      const host_tensor& golden = c.expected.answers[0][0].values;
      std::optional<writable_tensor> writable(got.ref());
      visit_data_type(all_types{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
        const tensor_view<T> to = writable->ref().as<T>();
        const auto from = golden.ref().as<T>();
        std::uint64_t element = 0;
        for (const coordinate_tuple& at : coordinates_of(c.outputs[0].sizes))
          to[at] = element++ / c.outputs[0].sizes.back() < 65'536 ? from[at] : T{};
      });
      writable.reset();
      const std::vector<const_tensor_ref> refs{got.ref()};
      found = oracle::compare(c.expected, refs).outcome() == oracle::outcome::differs;
      if (found) fmt::print("B: {} that takes 65,536 rows: found by case {} of tiles\n", name, number);
    }
    CHECK(found);
  }
}

TEST_CASE("B: the sizes of each class, for every operator", "[oracle]") {
  const auto is_of_tiles = [](std::uint32_t size) {
    for (const std::uint32_t tile : {16U, 32U, 64U, 128U, 256U, 512U, 1024U, 2048U, 4096U, 65'536U})
      if (size + 1 >= tile && size <= tile + 1) return true;
    return false;
  };
  const auto has_tile = [&](const any_text& c) {
    const dimensions& sizes = main_sizes(c);
    return std::any_of(sizes.begin(), sizes.end(), is_of_tiles);
  };
  goldml_test::for_every_operator([&](const oracle::any_operator& op) {
    std::size_t tiles = 0, other = 0, large = 0;
    for (std::uint64_t number = 0; number < 100; ++number) {
      const any_text mixed = oracle::sample_case(op, {.seed = 3}, number);
      CHECK(to_string(mixed) == to_string(oracle::sample_case(op, {.seed = 3}, number)));
      CHECK(goldml_test::violations_of(mixed.desc, mixed.tensors).empty());
      const any_text small = oracle::sample_case(op, {.seed = 3, .sizes_class = sizes_class::small_sizes}, number);
      if (to_string(small) != to_string(mixed)) ++other;
      for (const std::uint64_t most : {15U, 300U}) {
        const any_text c = oracle::sample_case(op, {.most_elements = most, .sizes_class = sizes_class::tiles}, number);
        CHECK(goldml_test::violations_of(c.desc, c.tensors).empty());
        CHECK(element_count(main_sizes(c)) <= most);
      }
      const any_text c = oracle::sample_case(op, {.sizes_class = sizes_class::tiles}, number);
      CHECK(goldml_test::violations_of(c.desc, c.tensors).empty());
      CHECK(element_count(main_sizes(c)) <= 200'000);
      for (const auto& tensor : c.tensors)
        if (tensor) CHECK(element_count(tensor->sizes) <= 20 * 200'000);
      tiles += has_tile(c) ? 1U : 0U;
      large += element_count(main_sizes(c)) > 65'535 ? 1U : 0U;
    }
    CHECK(tiles > 30);
    CHECK(large > 1);
    CHECK((other > 15 && other < 35));  // a quarter
  });
}

TEST_CASE("B: the cases of tiles are the same on every platform", "[oracle]") {
  if (!goldml_test::visits_every_operator()) return;
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;  // FNV-1a of the sizes and the classes of data
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100'0000'01B3; };
  for (const oracle::any_operator* op : goldml_test::visited_operators())
    for (std::uint64_t number = 0; number < 20; ++number) {
      const any_text c = oracle::sample_case(*op, {.sizes_class = sizes_class::tiles}, number);
      add(static_cast<std::uint64_t>(c.data));
      for (const auto& tensor : c.tensors)
        if (tensor)
          for (const std::uint32_t size : tensor->sizes) add(size);
    }
  CHECK(hash == 0x58DB'7299'D4E4'4B26);
}

TEST_CASE("C6: sizes that are asked for heed most_elements", "[oracle]") {
  const auto& op = oracle::any_operator_of<argmin_desc>();
  const auto refusal = [&](const oracle::generate_options& options) -> std::string {
    try {
      oracle::sample_case(op, options, 0);
      return "none";
    } catch (const error& e) {
      return e.what();
    }
  };
  CHECK(refusal({.most_elements = 1000, .sizes = {10, 100}}) == "none");
  CHECK(refusal({.sizes = {4096, 4096}}) == "none");
  CHECK(refusal({.most_elements = 999, .sizes = {10, 100}}) ==
        "ARGMIN M13: selection is sizes={10,100}, wanted at most 999 elements of the main tensor (most_elements)");
  CHECK(refusal({.sizes = {4096, 4097}}) ==
        "ARGMIN M13: selection is sizes={4096,4097}, wanted at most 16777216 elements of the main tensor "
        "(most_elements)");
  CHECK(refusal({.sizes = {0xFFFF'FFFF, 0xFFFF'FFFF, 0xFFFF'FFFF}}).find("M13") != std::string::npos);
}
