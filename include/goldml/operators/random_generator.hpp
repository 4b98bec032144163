// RANDOM_GENERATOR: random words of a counter and a key, by Philox 4x32-10. Feature level 3_0.
// Page: DML_RANDOM_GENERATOR_OPERATOR_DESC. Rules: PH1..PH5. Ruling: ledger PH-R1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/philox.hpp>

namespace goldml {

// DML_RANDOM_GENERATOR_TYPE
enum class random_generator_type : std::uint32_t { philox_4x32_10 = 0 };
template <>
struct enumeration<random_generator_type> {
  static constexpr std::string_view prefix = "DML_RANDOM_GENERATOR_TYPE_";
  static constexpr auto values = enumerators<random_generator_type>("PHILOX_4X32_10");
};

struct random_generator_desc {
  random_generator_type type = random_generator_type::philox_4x32_10;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<random_generator_desc> {
  static constexpr std::string_view name = "RANDOM_GENERATOR";
  static constexpr std::uint32_t enumerator = 132;

  static constexpr std::array<operand_limits, 2> limits{
      {{feature_level::level_3_0, {data_type::uint32}, 4, 4}, {feature_level::level_4_0, {data_type::uint32}, 1, 8}}};
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputStateTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor", .role = operand_role::output, .limits = limits},
       {.name = "OutputStateTensor",
        .role = operand_role::output,
        .limits = limits,
        .optional = true,
        .same_rank_as = {"PH3", 0},
        .same_sizes_as = {"PH4", 0}}}};

  static constexpr std::array attributes{row<&random_generator_desc::type>("Type").enumerator("PH5")};
  static constexpr std::array policies{row<&random_generator_desc::same_resource>("same_resource")};

  // PH5, and then PH1, PH2: six words along the last dimension.
  static void check_attributes(const random_generator_desc& desc, const std::array<operand, 3>& t,
                               const rule_report& report) {
    detail::check_enumerator(attributes[0], desc.type, report, "0 (PHILOX_4X32_10)");
    if (!t[0].legal) return;
    const dimensions& sizes = t[0].desc->sizes;
    const std::size_t last = sizes.size() - 1;
    if (sizes[last] != 6)
      report("PH1", "InputStateTensor", "Sizes", violation_text("{}", sizes[last]), violation_text("6"),
             violation_text("Sizes {}: a counter of four words and a key of two", sizes), last);
    for (std::size_t i = 0; i < last; ++i)
      if (sizes[i] != 1)
        report("PH2", "InputStateTensor", "Sizes", violation_text("{}", sizes[i]), violation_text("1"),
               violation_text("Sizes {}", sizes), i);
  }

  static constexpr operator_options<random_generator_desc> options{.check_attributes = &check_attributes,
                                                                   .exact = true};
};

namespace detail {

// State word i of a state tensor, whose sizes are 1 but for the last.
template <class View>
decltype(auto) state_word(const View& state, std::uint32_t i) {
  coordinate_tuple at = coordinate_tuple::filled(state.sizes().size(), 0);
  at[at.size() - 1] = i;
  return state[at];
}

inline philox_state read_state(const tensor_view<const std::uint32_t>& state) {
  const auto word = [&](std::uint32_t i) { return state_word(state, i); };
  return {{word(0), word(1), word(2), word(3)}, {word(4), word(5)}};
}

inline void write_state(const tensor_view<std::uint32_t>& state, const philox_state& value) {
  for (std::uint32_t i = 0; i < 4; ++i) state_word(state, i) = value.counter[i];
  for (std::uint32_t i = 0; i < 2; ++i) state_word(state, 4 + i) = value.key[i];
}

}  // namespace detail

// The words of the blocks at the state's counter, counter + 1, and so on, four each, in row-major order; the last block
// is cut. The next state is counter + ceil(n / 4) modulo 2^128 for n elements, with the same key.
//   input_state   UINT32 {1, .., 1, 6}: the counter, its lowest word first, and the key
//   output        UINT32, any sizes
//   output_state  UINT32, the sizes of input_state; may be omitted: tensor_ref()
// Throws error (T1..T12, PH1..PH5), with the outputs unchanged.
template <class Backend, input_argument State, output_argument Output, output_argument NextState>
void random_generator(const Backend& backend, const State& input_state, Output&& output, NextState&& output_state,
                      const random_generator_desc& desc = {}) {
  static_assert(detail::takes<random_generator_desc, 0, input_view<State>> &&
                    detail::takes<random_generator_desc, 1, output_view<Output>> &&
                    detail::takes<random_generator_desc, 2, output_view<NextState>>,
                "goldml RANDOM_GENERATOR T3: tensors are UINT32");
  const std::optional some_state = detail::as_output(std::forward<NextState>(output_state));
  detail::call(backend, desc, std::tuple(detail::as_input(input_state)),
               std::tuple(detail::as_output(std::forward<Output>(output)), some_state));
}

// The same without the next state.
template <class Backend, input_argument State, output_argument Output>
void random_generator(const Backend& backend, const State& input_state, Output&& output,
                      const random_generator_desc& desc = {}) {
  static_assert(detail::takes<random_generator_desc, 0, input_view<State>> &&
                    detail::takes<random_generator_desc, 1, output_view<Output>>,
                "goldml RANDOM_GENERATOR T3: tensors are UINT32");
  detail::call(
      backend, desc, std::tuple(detail::as_input(input_state)),
      std::tuple(detail::as_output(std::forward<Output>(output)), std::optional<tensor_view<std::uint32_t>>()));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(random_generator_desc);
