// What needs the kernels of every backend: in a translation unit of its own, as it takes longest to compile.
#include "backends.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/cpu.hpp>
#include <goldml/io/dxdispatch.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/reference/reference.hpp>
#ifdef GOLDML_TOOL_D3D12
#include <goldml/d3d12/d3d12.hpp>
#endif
#ifdef GOLDML_TOOL_DIRECTML
#include <goldml/directml/directml.hpp>
#endif

#include "operator_templates.hpp"

namespace goldml::tool {

namespace {

// vkd3d prints what it meets; what matters comes as an error.
[[maybe_unused]] void silence_vkd3d() {
#if defined(GOLDML_TOOL_D3D12) && !defined(_WIN32)
  setenv("VKD3D_DEBUG", "none", 0);
#endif
}

// As chosen by GOLDML_ISA, or the best there is.
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

void play_model(const backend_choice& choice, io::model& model, std::ostream& out, std::uint64_t max_work) {
  if (!choice.adapter.empty() && choice.name != "d3d12" && choice.name != "directml")
    io::refuse("M2", "--adapter", io::in_quotes(choice.adapter), "--backend d3d12", "other backends have no adapters");
  if (choice.name == "cpu") io::play(chosen_cpu(), model, out, max_work);
  if (choice.name == "reference") io::play(reference, model, out, max_work);
#ifdef GOLDML_TOOL_D3D12
  if (choice.name == "d3d12") try {
      silence_vkd3d();
      const d3d12::device gpu({.adapter = choice.adapter});
      io::play(gpu, model, out, max_work);
    } catch (const d3d12::device_error& problem) {
      throw backend_failure(problem.what());
    }
#endif
#ifdef GOLDML_TOOL_DIRECTML
  if (choice.name == "directml") try {
      const directml::device dml({.adapter = choice.adapter});
      io::play(dml, model, out, max_work,
               {.note = [](std::string_view text) { std::cerr << io::terminal_text(text) << '\n'; }});
    } catch (const directml::device_error& problem) {
      throw backend_failure(problem.what());
    }
#endif
}

std::vector<std::string> backend_lines() {
  std::vector<std::string> lines;
  for (const std::string& name : backend_list()) {
    if (name == "reference") lines.push_back(name);
    if (name == "cpu")
      lines.push_back(
          fmt::format("cpu: {}; GOLDML_ISA chooses one, else it is the last", supported_instruction_sets()));
#ifdef GOLDML_TOOL_D3D12
    if (name == "d3d12") try {
        silence_vkd3d();
        const std::vector<d3d12::adapter> all = d3d12::adapters();
        for (const d3d12::adapter& a : all) lines.push_back("d3d12: " + a.name + (a.software ? " (software)" : ""));
        if (all.empty()) lines.push_back("d3d12: no adapter");
      } catch (const d3d12::device_error& problem) {
        lines.push_back(std::string("d3d12: no adapter: ") + problem.what());
      }
#endif
#ifdef GOLDML_TOOL_DIRECTML
    if (name == "directml") try {
        const directml::device dml;
        lines.push_back(
            fmt::format("directml: feature level {}, on the adapters of d3d12", name_of(dml.feature_level())));
      } catch (const directml::device_error& problem) {
        lines.push_back(std::string("directml: none: ") + problem.what());
      }
#endif
  }
  return lines;
}

}  // namespace goldml::tool
