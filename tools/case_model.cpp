#include "case_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/known_operators.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/io/safe_path.hpp>
#include <goldml/oracle/generate.hpp>

#include "intermediates.hpp"

namespace goldml::tool {

namespace {

// The units of work for making the inputs of a case: their elements are drawn one by one, also where strides of 0 make
// them share an address.
std::uint64_t work_of_inputs(const oracle::test_case<any_desc>& c) {
  constexpr std::uint64_t of_an_element = 60;  // at most, of any class of data
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < c.desc.description().input_count(c.tensors.size()); ++i)
    if (c.tensors[i]) elements = saturating_add(elements, element_count(c.tensors[i]->sizes));
  return saturating_multiply(elements, of_an_element);
}

}  // namespace

io::model model_of_case(const oracle::test_case<any_desc>& c, const case_model_options& options) {
  const operator_description& op = c.desc.description();
  io::model result;
  result.dispatchables.push_back({std::string(op.name), c.desc, c.tensors, {}});
  result.dispatchables.back().initial_bindings.resize(c.tensors.size());
  auto operands = to_operands(c.tensors);
  violation_sink sink;
  check(c.desc, operands, sink);
  if (sink.first() || options.without_memory) return result;

  std::uint64_t total = 0;
  for (const auto& tensor : c.tensors)
    if (tensor) total = saturating_add(total, round_up_to_4(total_tensor_size_in_bytes(*tensor)));
  if (!options.without_buffers && total > options.max_memory)
    io::refuse("M8", "tensors", fmt::format("{} bytes together", total), fmt::format("at most {}", options.max_memory),
               "the case's");
  io::dispatch_command dispatch{0, {}};
  std::vector<io::model_command> prints;
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    dispatch.bindings.emplace_back();
    if (!c.tensors[i]) continue;
    const auto [row, element] = place_of_tensor(op.operands, i, c.tensors.size());
    const operand_info& info = op.operands[row];
    io::model_resource& resource = result.resources.emplace_back();
    resource.name = std::string(info.name) + (info.is_array() ? fmt::format("{}", element) : "");
    resource.type = stored_type(c.tensors[i]->data_type);
    const std::uint64_t unit = std::max<std::uint64_t>(element_size_in_bytes(resource.type), 4);
    const std::uint64_t size = (total_tensor_size_in_bytes(*c.tensors[i]) + unit - 1) / unit * unit;
    resource.size_in_bytes = size;
    dispatch.bindings.back() = io::model_binding{result.resources.size() - 1, 0, size};
    if (info.role == operand_role::output) prints.emplace_back(io::print_command{result.resources.size() - 1, false});
  }
  result.commands.emplace_back(std::move(dispatch));
  result.commands.insert(result.commands.end(), prints.begin(), prints.end());
  if (options.without_buffers) return result;
  result.memory_left = options.max_memory - total;
  if (options.before_inputs) options.before_inputs(result, work_of_inputs(c));
  std::vector<host_tensor> inputs = oracle::detail::inputs_of(oracle::any_operator_of(op), c);
  std::size_t number = 0;  // of the resource
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (!c.tensors[i]) continue;
    io::model_resource& resource = result.resources[number++];
    if (i < inputs.size()) resource.bytes = std::move(inputs[i].bytes());
    resource.bytes.resize(static_cast<std::size_t>(resource.size_in_bytes));
  }
  return result;
}

io::model read_case_model(std::string_view line, const case_model_options& options) {
  const std::string_view name = oracle::detail::case_reader(line).next_word();
  const operator_description* const op = find_operator(name);
  if (op == nullptr)
    io::refuse("M5", "operator", io::in_quotes(name), "an operator that 'goldml list' names",
               io::joined_reasons(io::why_no_operator(name), "the case's first word"));
  return model_of_case(oracle::parse_case(*op, line), options);
}

namespace {

// Whether the model computes the case: the same operator, attributes, policies, tensors and inputs. The feature level
// may differ, because it does not affect results.
bool is_model_of(const io::model& m, const oracle::test_case<any_desc>& c, std::uint64_t max_memory,
                 std::uint64_t max_work) {
  const io::model_dispatchable& only = m.dispatchables.front();
  const operator_description& op = c.desc.description();
  if (&only.desc.description() != &op || only.tensors.size() != c.tensors.size()) return false;
  oracle::test_case<any_desc> other = c;
  other.desc = only.desc;
  other.desc.level() = c.desc.level();
  other.tensors = only.tensors;
  if (to_string(other) != to_string(c)) return false;
  const auto* dispatch = std::get_if<io::dispatch_command>(&m.commands.front());
  if (dispatch == nullptr) return false;
  std::uint64_t left = max_memory;
  for (const io::model_resource& resource : m.resources) left -= std::min<std::uint64_t>(left, resource.size_in_bytes);
  std::uint64_t needed = 0;
  for (const auto& tensor : c.tensors)
    if (tensor) needed = saturating_add(needed, total_tensor_size_in_bytes(*tensor));
  if (needed > left || work_of_inputs(c) > max_work) return false;
  const io::model made = model_of_case(c, {});
  if (made.commands.empty()) return false;
  const auto& wanted = std::get<io::dispatch_command>(made.commands.front()).bindings;
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (dispatch->bindings[i].has_value() != wanted[i].has_value()) return false;
    if (!wanted[i]) continue;
    const io::model_binding& binding = *dispatch->bindings[i];
    const std::vector<std::byte>& bytes = m.resources[binding.resource].bytes;
    const std::vector<std::byte>& expected = made.resources[wanted[i]->resource].bytes;
    const auto size = static_cast<std::size_t>(total_tensor_size_in_bytes(*c.tensors[i]));
    if (detail::is_read(only, i) && !std::equal(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(size),
                                                bytes.begin() + static_cast<std::ptrdiff_t>(binding.offset_in_bytes)))
      return false;
  }
  return true;
}

}  // namespace

std::string how_to_reproduce(const io::file_place& place, const io::model& m, std::uint64_t max_memory,
                             std::uint64_t max_work) {
  std::array<char, 16384> text{};
  io::input_file file(place);
  const std::size_t size =
      file.is_open() ? static_cast<std::size_t>(file.read(std::as_writable_bytes(std::span(text)))) : 0;
  std::string_view line(text.data(), size);
  line = line.substr(0, line.find('\n'));
  const std::string run = "goldml run " + io::shell_file(place.path());
  if (!line.starts_with("// ") || m.dispatchables.size() != 1 || m.commands.empty()) return run;
  line.remove_prefix(3);
  bool same = false;
  try {
    if (const operator_description* op = find_operator(oracle::detail::case_reader(line).next_word()))
      same = is_model_of(m, oracle::parse_case(*op, line), max_memory, max_work);
  } catch (const error&) {  // not a case
  }
  return same ? std::string(line) : run;
}

}  // namespace goldml::tool
