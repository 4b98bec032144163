// The ways in which `cpu` must give the bytes of `reference`: each supported instruction set, with one thread and two,
// and with the code paths for large tensors used on small ones.
#pragma once

#include <string>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/backend.hpp>

namespace goldml_test {

class cpu_variants {
 public:
  cpu_variants() {
    for (const goldml::instruction_set set : goldml::all_instruction_sets) {
      if (!goldml::is_supported(set)) continue;
      const goldml::cpu_backend backend = goldml::cpu.with(set);
      const goldml::cpu_backend large = backend.with(goldml::cpu_tuning{0, 0});
      variants_.emplace_back(std::string(name_of(set)), backend);
      variants_.emplace_back(fmt::format("{}, the ways for large tensors", name_of(set)), large);
      variants_.emplace_back(fmt::format("{}, the ways for large tensors, two threads", name_of(set)), large.on(pool_));
    }
  }

  // Each with its name in messages.
  const std::vector<std::pair<std::string, goldml::cpu_backend>>& list() const { return variants_; }

 private:
  Eigen::ThreadPool pool_{2};
  std::vector<std::pair<std::string, goldml::cpu_backend>> variants_;
};

}  // namespace goldml_test
