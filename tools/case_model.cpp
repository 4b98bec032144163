#include "case_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <goldml/io/quotes.hpp>
#include <goldml/io/safe_path.hpp>

#include "operator_templates.hpp"

namespace goldml::tool {

io::model read_case_model(std::string_view line, std::uint64_t max_memory, bool without_memory) {
  io::model result;
  const std::string_view name = oracle::detail::case_reader(line).next_word();
  const bool found = visit_operator(name, [&]<class Desc>(std::type_identity<Desc>) {
    result = model_of_case(oracle::parse_case<Desc>(line), max_memory, without_memory);
  });
  if (!found)
    io::refuse("M5", "operator", io::in_quotes(name), "an operator that 'goldml list' names", "the case's first word");
  return result;
}

namespace {

// Whether the model computes the case: the same operator, attributes, policies, tensors and inputs. The feature level
// may differ, because it does not affect results.
template <class Desc>
bool is_model_of(const io::model& m, const oracle::test_case<Desc>& c) {
  const auto* desc = std::get_if<Desc>(&m.dispatchables.front().desc);
  if (desc == nullptr || m.dispatchables.front().tensors.size() != c.tensors.size()) return false;
  oracle::test_case<Desc> other = c;
  other.desc = *desc;
  other.desc.feature_level = c.desc.feature_level;
  std::copy(m.dispatchables.front().tensors.begin(), m.dispatchables.front().tensors.end(), other.tensors.begin());
  if (to_string(other) != to_string(c)) return false;
  const auto* dispatch = std::get_if<io::dispatch_command>(&m.commands.front());
  if (dispatch == nullptr) return false;
  const io::model made = model_of_case(c, saturated, false);
  if (made.commands.empty()) return false;
  const auto& wanted = std::get<io::dispatch_command>(made.commands.front()).bindings;
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (dispatch->bindings[i].has_value() != wanted[i].has_value()) return false;
    if (!wanted[i]) continue;
    const io::model_binding& binding = *dispatch->bindings[i];
    const std::vector<std::byte>& bytes = m.resources[binding.resource].bytes;
    const std::vector<std::byte>& expected = made.resources[wanted[i]->resource].bytes;
    const auto size = static_cast<std::size_t>(total_tensor_size_in_bytes(*c.tensors[i]));
    if (i < input_tensor_count<Desc>(c.tensors.size()) &&
        !std::equal(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(size),
                    bytes.begin() + static_cast<std::ptrdiff_t>(binding.offset_in_bytes)))
      return false;
  }
  return true;
}

}  // namespace

std::string how_to_reproduce(const io::file_place& place, const io::model& m) {
  std::array<char, 16384> text{};
  io::input_file file(place);
  const std::size_t size =
      file.is_open() ? static_cast<std::size_t>(file.read(std::as_writable_bytes(std::span(text)))) : 0;
  std::string_view line(text.data(), size);
  line = line.substr(0, line.find('\n'));
  const std::string run = "goldml run " + io::path_text(place.path());
  if (!line.starts_with("// ") || m.dispatchables.size() != 1 || m.commands.empty()) return run;
  line.remove_prefix(3);
  bool same = false;
  try {
    visit_operator(oracle::detail::case_reader(line).next_word(), [&]<class Desc>(std::type_identity<Desc>) {
      same = is_model_of(m, oracle::parse_case<Desc>(line));
    });
  } catch (const error&) {  // not a case
  }
  return same ? std::string(line) : run;
}

}  // namespace goldml::tool
