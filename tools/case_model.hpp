// Converts the line of a test case to a model, which has its inputs as resources, one dispatch, and a print of each
// output; and finds the line of a model that `goldml generate` wrote.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/files.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/oracle/generate.hpp>

namespace goldml::tool {

// An illegal case becomes a model with only its dispatchable, which is refused when it is played. Throws error M8 if the
// tensors take more than max_memory bytes together.
template <class Desc>
io::model model_of_case(const oracle::test_case<Desc>& c, std::uint64_t max_memory, bool without_memory) {
  using traits = operator_traits<Desc>;
  io::model result;
  io::model_dispatchable& op = result.dispatchables.emplace_back();
  op.name = traits::name;
  op.desc = c.desc;
  op.tensors.assign(c.tensors.begin(), c.tensors.end());
  op.initial_bindings.resize(op.tensors.size());
  auto operands = to_operands<Desc>(c.tensors);
  violation_sink sink;
  check(c.desc, operands, sink);
  if (sink.first() || without_memory) return result;

  std::uint64_t total = 0;
  for (const auto& tensor : c.tensors)
    if (tensor) total = saturating_add(total, round_up_to_4(total_tensor_size_in_bytes(*tensor)));
  if (total > max_memory)
    io::refuse("M8", "tensors", fmt::format("{} bytes together", total), fmt::format("at most {}", max_memory),
               "the case's");
  std::vector<host_tensor> inputs = oracle::detail::inputs_of(c);
  io::dispatch_command dispatch{0, {}};
  std::vector<io::model_command> prints;
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    dispatch.bindings.emplace_back();
    if (!c.tensors[i]) continue;
    const auto [row, element] = place_of_tensor(traits::operands, i, c.tensors.size());
    const operand_info& info = traits::operands[row];
    io::model_resource& resource = result.resources.emplace_back();
    resource.name = std::string(info.name) + (info.is_array() ? fmt::format("{}", element) : "");
    resource.type = c.tensors[i]->data_type;
    if (i < inputs.size()) resource.bytes = std::move(inputs[i].bytes());
    const std::uint64_t unit = std::max<std::uint64_t>(element_size_in_bytes(resource.type), 4);
    const std::uint64_t size = (total_tensor_size_in_bytes(*c.tensors[i]) + unit - 1) / unit * unit;
    resource.bytes.resize(static_cast<std::size_t>(size));
    resource.size_in_bytes = size;
    dispatch.bindings.back() = io::model_binding{result.resources.size() - 1, 0, size};
    if (info.role == operand_role::output) prints.emplace_back(io::print_command{result.resources.size() - 1, false});
  }
  result.commands.emplace_back(std::move(dispatch));
  result.commands.insert(result.commands.end(), prints.begin(), prints.end());
  return result;
}

// The model of a case's line. Throws error M5 for an unknown operator, M10 for an invalid line.
io::model read_case_model(std::string_view line, std::uint64_t max_memory, bool without_memory = false);

// What reproduces a model's outputs: the case in the comment at the beginning of the file, if the model computes that
// case, otherwise "goldml run FILE". The model must not have been played.
std::string how_to_reproduce(const io::file_place& place, const io::model& m);

}  // namespace goldml::tool
