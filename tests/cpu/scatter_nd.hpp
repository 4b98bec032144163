// For tests of SCATTER_ND on `cpu`: compares all variants with `reference`, for tensors of any layout.
#pragma once

#include <goldml/cpu/scatter_nd.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/reference/scatter_nd.hpp>

#include "../support/cpu_variants.hpp"
#include "moving.hpp"

namespace goldml_test {

using namespace goldml;

inline const cpu_variants& variants() {
  static const cpu_variants all;
  return all;
}

// The sizes and layouts of the four tensors.
struct shapes {
  dimensions data;
  dimensions indices;
  std::uint32_t r;
  std::uint32_t q;
  placing of_input = {};
  placing of_indices = {};
  placing of_updates = {};
  placing of_output = {};

  scatter_nd_desc desc(range_policy range, duplicates rule) const {
    return {.input_dimension_count = r, .indices_dimension_count = q, .range_policy = range, .duplicates = rule};
  }
};

// All variants of `cpu` against `reference`, in place too: the bytes of the output's memory and of the inputs', and the
// refusal. Returns the refused rule.
template <class T, class Index>
std::string compare(const shapes& s, const std::vector<Index>& values, range_policy range, duplicates rule) {
  placed<T> input(s.data, s.of_input, 1);
  placed<Index> indices(s.indices, s.of_indices, 2);
  placed<T> updates(scatter_nd_shape(s.desc(range, rule), s.data, s.indices).updates_sizes(), s.of_updates, 3);
  placed<T> output(s.data, s.of_output, 4);
  const auto all_indices = coordinates_of(s.indices);
  std::size_t next = 0;
  for (const coordinate_tuple& c : all_indices) indices.view()[c] = values.at(next++);
  const auto output_before = output.bytes();
  const std::vector inputs_before{input.bytes(), indices.bytes(), updates.bytes()};

  std::string refused_rule;
  for (const bool in_place : {false, true}) {
    scatter_nd_desc desc = s.desc(range, rule);
    desc.in_place = in_place;
    const auto call = [&](const auto& backend) -> std::string {
      output.restore(output_before);
      try {
        scatter_nd(backend, in_place ? output.view() : input.view(), indices.view(), updates.view(), output.view(),
                   desc);
      } catch (const error& e) {
        refused_rule = e.violation().rule;
        return e.what();
      }
      return "";
    };
    const std::string wanted_refusal = call(reference);
    const auto wanted = output.bytes();
    for (const auto& [name, backend] : variants().list()) {
      const std::string refusal = call(backend);
      const bool inputs_kept = std::vector{input.bytes(), indices.bytes(), updates.bytes()} == inputs_before;
      if (refusal == wanted_refusal && output.bytes() == wanted && inputs_kept) continue;
      INFO(name << (in_place ? ", in place" : "") << ": "
                << fmt::format("{} {} strides {}, indices {} strides {}, updates strides {}, output strides {}, range "
                               "{}, duplicates {}",
                               name_of(data_type_of<T>), s.data, s.of_input.strides, s.indices, s.of_indices.strides,
                               s.of_updates.strides, s.of_output.strides, enumerator_name(range),
                               enumerator_name(rule)));
      REQUIRE(refusal == wanted_refusal);
      REQUIRE((output.bytes() == wanted));  // too long to print
      REQUIRE(inputs_kept);
    }
  }
  return refused_rule;
}

// `count` numbers below `places`, distinct as long as there are enough.
template <class Index>
std::vector<Index> some_places(std::uint32_t places, std::uint32_t count) {
  // A step coprime to the number of places visits each place.
  std::uint64_t step = places / 3 + 1;
  while (std::gcd(step, std::uint64_t{places}) != 1) ++step;
  std::vector<Index> result;
  for (std::uint64_t i = 0; i < count; ++i) result.push_back(static_cast<Index>((i * step + 1) % places));
  return result;
}

inline constexpr auto all_ranges = {range_policy::refuse, range_policy::clamp, range_policy::drop};
inline constexpr auto both_rules = {duplicates::refuse, duplicates::last_wins};

}  // namespace goldml_test
