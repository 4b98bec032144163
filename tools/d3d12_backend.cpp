#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include <goldml/d3d12/d3d12.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/operators/any_call.hpp>

#include "backends.hpp"
#include "device_backends.hpp"

namespace goldml::tool {

namespace {

// Suppresses the messages of vkd3d. Errors are reported as exceptions.
void silence_vkd3d() {
#ifndef _WIN32
  setenv("VKD3D_DEBUG", "none", 0);
#endif
}

}  // namespace

void play_on_d3d12(const std::string& adapter, io::model& model, std::ostream& out, std::uint64_t max_work,
                   const io::watch_options& watch) {
  try {
    silence_vkd3d();
    const d3d12::device gpu({.adapter = adapter});
    io::play(gpu, model, out, max_work, watch);
  } catch (const d3d12::device_error& problem) {
    throw backend_failure(problem.what());
  }
}

bool d3d12_has(const operator_description& op) { return call_of<d3d12::device>(op) != nullptr; }

std::vector<std::string> d3d12_lines() {
  try {
    silence_vkd3d();
    std::vector<std::string> lines;
    for (const d3d12::adapter& a : d3d12::adapters())
      lines.push_back("d3d12: " + a.name + (a.software ? " (software)" : ""));
    if (lines.empty()) lines.push_back("d3d12: no adapter");
    return lines;
  } catch (const d3d12::device_error& problem) {
    return {std::string("d3d12: no adapter: ") + problem.what()};
  }
}

}  // namespace goldml::tool
