#include "backends.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <goldml/cpu/cpu.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/operators/any_call.hpp>
#include <goldml/reference/reference.hpp>

#include "device_backends.hpp"

namespace goldml::tool {

namespace {

// With the instruction set that GOLDML_ISA chooses, otherwise the best one.
cpu_backend chosen_cpu() {
  try {
    return cpu.with(default_instruction_set());
  } catch (const std::invalid_argument& problem) {
    throw backend_failure(problem.what());
  }
}

}  // namespace

std::vector<std::string> backend_list() {
  return {
      "cpu",
      "reference",
#ifdef GOLDML_TOOL_D3D12
      "d3d12",
#endif
#ifdef GOLDML_TOOL_DIRECTML
      "directml",
#endif
  };
}

void play_model(const backend_choice& choice, io::model& model, std::ostream& out, std::uint64_t max_work,
                const io::watch_options& watch) {
  if (!choice.adapter.empty() && choice.name != "d3d12" && choice.name != "directml")
    io::refuse("M2", "--adapter", io::in_quotes(choice.adapter), "--backend d3d12", "other backends have no adapters");
  const std::vector<std::string> known = backend_list();
  if (std::find(known.begin(), known.end(), choice.name) == known.end())
    throw backend_failure(
        fmt::format("backend is {}, wanted {}", io::in_quotes(choice.name), fmt::join(known, " or ")));
  if (choice.name == "cpu") io::play(chosen_cpu(), model, out, max_work, watch);
  if (choice.name == "reference") io::play(reference, model, out, max_work, watch);
#ifdef GOLDML_TOOL_D3D12
  if (choice.name == "d3d12") play_on_d3d12(choice.adapter, model, out, max_work, watch);
#endif
#ifdef GOLDML_TOOL_DIRECTML
  if (choice.name == "directml") play_on_directml(choice.adapter, model, out, max_work, watch);
#endif
}

void call_backend(std::string_view name, const any_desc& desc, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs) {
  if (name == "cpu")
    call_of<cpu_backend>(desc.description())(chosen_cpu(), desc.get(), inputs, outputs);
  else if (name == "reference")
    call_of<reference_backend>(desc.description())(reference, desc.get(), inputs, outputs);
  else
    throw backend_failure(fmt::format("backend is {}, wanted cpu or reference", io::in_quotes(name)));
}

std::vector<std::string> backends_with(const operator_description& op) {
  std::vector<std::string> names;
  if (call_of<cpu_backend>(op) != nullptr) names.emplace_back("cpu");
  if (call_of<reference_backend>(op) != nullptr) names.emplace_back("reference");
#ifdef GOLDML_TOOL_D3D12
  if (d3d12_has(op)) names.emplace_back("d3d12");
#endif
#ifdef GOLDML_TOOL_DIRECTML
  if (directml_has(op)) names.emplace_back("directml");
#endif
  return names;
}

std::vector<std::string> backend_lines() {
  std::vector<std::string> lines;
  for (const std::string& name : backend_list()) {
    if (name == "reference") lines.push_back(name);
    if (name == "cpu")
      lines.push_back(
          fmt::format("cpu: {}; GOLDML_ISA chooses one, by default the last", supported_instruction_sets()));
#ifdef GOLDML_TOOL_D3D12
    if (name == "d3d12")
      for (const std::string& line : d3d12_lines()) lines.push_back(line);
#endif
#ifdef GOLDML_TOOL_DIRECTML
    if (name == "directml") lines.push_back(directml_line());
#endif
  }
  return lines;
}

}  // namespace goldml::tool
