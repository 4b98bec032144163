// The backends that need a device. Each has a source file, which is compiled only with the backend.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_watch.hpp>

namespace goldml::tool {

// io::play() on a device, and the lines of `goldml list`. play_on_...() throws backend_failure.
void play_on_d3d12(const std::string& adapter, io::model& model, std::ostream& out, std::uint64_t max_work,
                   const io::watch_options& watch);
std::vector<std::string> d3d12_lines();
bool d3d12_has(const operator_description& op);  // a kernel; needs no device

void play_on_directml(const std::string& adapter, io::model& model, std::ostream& out, std::uint64_t max_work,
                      const io::watch_options& watch);
std::string directml_line();
bool directml_has(const operator_description& op);

}  // namespace goldml::tool
