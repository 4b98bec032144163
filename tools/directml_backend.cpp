#include <cstdint>
#include <iostream>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/directml/directml.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/operators/any_call.hpp>

#include "backends.hpp"
#include "device_backends.hpp"

namespace goldml::tool {

void play_on_directml(const std::string& adapter, io::model& model, std::ostream& out, std::uint64_t max_work,
                      const io::watch_options& watch) {
  try {
    const directml::device dml({.adapter = adapter});
    io::watch_options noting = watch;
    noting.note = [](std::string_view text) { std::cerr << io::terminal_text(text) << '\n'; };
    io::play(dml, model, out, max_work, noting);
  } catch (const directml::device_error& problem) {
    throw backend_failure(problem.what());
  }
}

bool directml_has(const operator_description& op) { return call_of<directml::device>(op) != nullptr; }

std::string directml_line() {
  try {
    const directml::device dml;
    return fmt::format("directml: feature level {}, on the adapters of d3d12", name_of(dml.feature_level()));
  } catch (const directml::device_error& problem) {
    return std::string("directml: none: ") + problem.what();
  }
}

}  // namespace goldml::tool
