// Generated cases on `reference` and on `cpu` give the same bytes of every output, including gaps and rows past the
// count, or the same violation: for each supported instruction set, with one thread and two, and with the code paths
// for large tensors used on small ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/backend.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"
#include "../support/run_case.hpp"

namespace goldml_test {

// The backends that must agree with `reference`, and their names in messages.
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

  const std::vector<std::pair<std::string, goldml::cpu_backend>>& list() const { return variants_; }

 private:
  Eigen::ThreadPool pool_{2};
  std::vector<std::pair<std::string, goldml::cpu_backend>> variants_;
};

// Generated cases from number `first` on. vary(desc, number) may change the policies.
template <class Desc, class Vary>
void compare_with_reference(std::uint64_t count, std::uint64_t most_elements, Vary&& vary) {
  using namespace goldml;
  const cpu_variants variants;
  oracle::generate_options options;
  options.seed = most_elements;
  options.most_elements = most_elements;
  options.data.clear();
  for (const auto& entry : enumeration<oracle::data_class>::values) options.data.push_back(entry.value);
  std::uint64_t refused = 0;
  for (std::uint64_t number = 0; number < count; ++number) {
    auto c = oracle::sample_case<Desc>(options, number);
    vary(c.desc, number);
    const auto inputs = oracle::detail::inputs_of(c);
    const ending wanted = run_case(reference, c, inputs);
    if (!wanted.refused.empty()) ++refused;
    for (const auto& [name, backend] : variants.list()) {
      const ending got = run_case(backend, c, inputs);
      if (got == wanted) continue;
      INFO(name << ": " << to_string(c));
      REQUIRE(got.refused == wanted.refused);
      for (std::size_t i = 0; i < wanted.outputs.size(); ++i) {
        INFO("output " << i);
        REQUIRE(got.outputs[i].bytes() == wanted.outputs[i].bytes());
      }
    }
  }
  std::printf("cpu against reference: %s: %llu cases of up to %llu elements agree, %llu of them refused alike, in %zu "
              "ways each\n",
              std::string(operator_traits<Desc>::name).c_str(), static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(most_elements), static_cast<unsigned long long>(refused),
              variants.list().size());
  REQUIRE(refused < count);
}

// The number of cases: fewer with sanitizers or without optimisation.
#ifdef NDEBUG
inline constexpr std::uint64_t many_cases = 100'000;
inline constexpr std::uint64_t some_cases = 2'000;
#else
inline constexpr std::uint64_t many_cases = 3'000;
inline constexpr std::uint64_t some_cases = 50;
#endif

template <class Desc, class Vary>
void compare_with_reference(Vary&& vary) {
  compare_with_reference<Desc>(many_cases, 300, vary);
  compare_with_reference<Desc>(some_cases, 20'000, vary);
}

}  // namespace goldml_test
