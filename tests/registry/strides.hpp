// Strides must not change results: a case with permuted, padded and broadcast tensors gives the same elements as its
// packed equivalent, and writes nothing between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/reference/backend.hpp>

#include "../catch.hpp"
#include "../support/run_case.hpp"

namespace goldml_test {

// Whether all bytes of a tensor that are not part of an element are unchanged.
inline bool gaps_untouched(const goldml::host_tensor& tensor, std::byte before) {
  const goldml::tensor_desc& desc = tensor.desc();
  const std::size_t bits = goldml::element_size_in_bits(desc.data_type);
  const goldml::dimensions strides = goldml::effective_strides(desc);
  std::vector<bool> addressed(tensor.bytes().size());
  for (const goldml::coordinate_tuple& c : goldml::coordinates_of(desc.sizes))
    for (std::size_t i = 0; i < bits; i += 4)
      addressed[(static_cast<std::size_t>(goldml::offset_of(c, strides)) * bits + i) / 8] = true;
  for (std::size_t i = 0; i < addressed.size(); ++i)
    if (!addressed[i] && tensor.bytes()[i] != before) return false;
  return true;
}

// Runs `count` cases with `call`, and compares each with its packed equivalent with `wanted_from`.
inline void check_strides(const goldml::oracle::any_operator& op, run_time_call wanted_from, run_time_call call,
                          std::uint64_t count) {
  using namespace goldml;
  std::uint64_t strided = 0;
  for (std::uint64_t number = 0; number < count; ++number) {
    const auto c = oracle::sample_case(op, {.seed = 37, .most_elements = 60}, number);
    CAPTURE(to_string(c));
    const auto inputs = oracle::detail::inputs_of(op, c);
    std::vector<host_tensor> packed_inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      packed_inputs.push_back(inputs[i].omitted() ? host_tensor() : packed_twin(inputs[i]));
    for (const auto& tensor : c.tensors)
      if (tensor && !tensor->strides.empty() && tensor->strides != packed_strides(tensor->sizes)) {
        ++strided;
        break;
      }
    const ending wanted = run_case(wanted_from, packed_case(c), packed_inputs);
    const ending got = run_case(call, c, inputs);
    REQUIRE(got.refused == wanted.refused);
    REQUIRE((logical_outputs(got) == logical_outputs(wanted)));
    for (const host_tensor& output : got.outputs) REQUIRE(gaps_untouched(output, std::byte{0x5A}));
  }
  CHECK(strided > count / 3);
}

}  // namespace goldml_test
