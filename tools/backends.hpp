// The backends that the tool was built with, by name; the first is the default.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_watch.hpp>
#include <goldml/io/model_work.hpp>

namespace goldml::tool {

struct backend_choice {
  std::string name = "cpu";
  std::string adapter = {};  // for d3d12 and directml: a part of its name
};

// A backend that does not work on this machine: no driver, no such adapter, an unsupported instruction set, or a failed
// system call.
class backend_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::vector<std::string> backend_list();

// One line per backend, and one per adapter of d3d12, as printed by `goldml list`.
std::vector<std::string> backend_lines();

// The backends that have a kernel for the operator, in the order of backend_list().
std::vector<std::string> backends_with(const operator_description& op);

// io::play() on the chosen backend, one of backend_list(). May also throw backend_failure.
void play_model(const backend_choice& choice, io::model& model, std::ostream& out, std::uint64_t max_work,
                const io::watch_options& watch = {});

// One call on `cpu` or `reference`. Throws error for what the operator refuses, and backend_failure for another name.
void call_backend(std::string_view name, const any_desc& desc, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs);

}  // namespace goldml::tool
