// Generated cases on `reference` and on `cpu`: the same bytes of every output, gaps and rows past the count included, or
// the same violation; under each instruction set that the processor has, with one thread and two, and with the ways for
// large tensors taken on small ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unsupported/Eigen/CXX11/ThreadPool>

#include <goldml/cpu/backend.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"

namespace goldml_test {

// How a call ended: the outputs' bytes, or the text of what was refused.
struct ending {
  std::vector<goldml::host_tensor> outputs;
  std::string refused;

  friend bool operator==(const ending&, const ending&) = default;
};

template <class Desc, class Backend>
ending run_case(const Backend& backend, const goldml::oracle::test_case<Desc>& c,
                const std::vector<goldml::host_tensor>& inputs) {
  using namespace goldml;
  constexpr std::size_t input_count = detail::input_count<Desc>;
  ending result;
  std::vector<const_tensor_ref> input_refs;
  std::vector<tensor_ref> output_refs;
  for (std::size_t i = 0; i < input_count; ++i)
    input_refs.push_back(c.tensors[i] ? inputs[i].ref() : const_tensor_ref());
  for (std::size_t i = input_count; i < c.tensors.size(); ++i) result.outputs.emplace_back(*c.tensors[i], std::byte{0x5A});
  for (host_tensor& output : result.outputs) output_refs.push_back(output.ref());
  try {
    evaluate(backend, c.desc, std::span<const const_tensor_ref>(input_refs), std::span<const tensor_ref>(output_refs));
  } catch (const error& e) {
    result.refused = e.what();
  }
  return result;
}

// The backends that must agree with `reference`, and what to call each in a message.
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

// Cases first .. of which vary() may change the policies: vary(desc, number).
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

// The numbers of cases: all in Release; with sanitizers, or unoptimised, fewer.
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
