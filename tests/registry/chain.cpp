// Chains, for every operator: inputs of which only ranges are known. A right device holds any number of the ranges, and
// must never be called wrong.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/oracle/chain.hpp>
#include <goldml/oracle/report.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"

using namespace goldml;
using oracle::certainty;
using oracle::legal_values;

namespace {

// A number between two others: an end, or one of all orders of magnitude, or any.
template <class T>
T number_between(oracle::random_source& random, T low, T high) {
  const std::uint64_t kind = random.below(4);
  if (kind < 2) return kind == 0 ? low : high;
  if constexpr (std::is_integral_v<T>) {
    const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return static_cast<T>(static_cast<std::uint64_t>(low) + (width + 1 == 0 ? random.bits() : random.below(width + 1)));
  } else {
    const auto from = static_cast<std::int64_t>(order_key(low));
    const auto to = static_cast<std::int64_t>(order_key(high));
    const T by_key = oracle::detail::stepped(
        low, true, random.below(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from) + 1));
    const double share = static_cast<double>(random.below(1001)) / 1000;
    const auto linear = static_cast<T>(static_cast<double>(low) * (1 - share) + static_cast<double>(high) * share);
    if (kind == 2 || is_nan(linear) || oracle::detail::is_below(linear, low) || oracle::detail::is_below(high, linear))
      return by_key;
    return linear;
  }
}

// The values of an input become uncertain; `held` gets what a device holds. Some elements have a range of their own
// width, of some nothing is known.
legal_values uncertain(oracle::random_source& random, const host_tensor& golden, host_tensor& held) {
  legal_values result(golden.ref());
  held = golden;
  result.low = result.high = golden;
  result.states.resize(static_cast<std::size_t>(element_count(golden.desc().sizes)));
  const bool has_unknown = random.chance(20);
  const std::uint64_t width = random.below(3);
  visit_data_type(all_types{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto values = golden.ref().as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      certainty& state = result.states[element++];
      const T value = values[c];
      if (random.chance(30)) continue;
      if (has_unknown && random.chance(10)) {
        state = certainty::unknown;
        held.ref().as<T>()[c] = static_cast<T>(static_cast<std::uint8_t>(random.below(100)));
      } else if (is_nan(value)) {
        state = certainty::any_nan;
      } else {
        T low = value;
        T high = value;
        if constexpr (std::is_integral_v<T>) {
          if (value > std::numeric_limits<T>::min() && random.chance(50)) --low;
          if (value < std::numeric_limits<T>::max() && random.chance(50)) ++high;
        } else if (width == 0) {
          low = oracle::detail::stepped(value, false, random.below(4));
          high = oracle::detail::stepped(value, true, random.below(4));
        } else if (width == 1) {
          const double by = std::abs(static_cast<double>(value)) * 0.3 + 0.1;
          if (random.chance(50)) low = static_cast<T>(static_cast<double>(value) - by);
          if (random.chance(50)) high = static_cast<T>(static_cast<double>(value) + by);
        } else {
          low = oracle::detail::stepped(value, false, random.bits() >> random.below(64));
          high = oracle::detail::stepped(value, true, random.bits() >> random.below(64));
        }
        if (oracle::detail::is_below(value, low) || oracle::detail::is_below(high, value)) low = high = value;
        if (!oracle::detail::is_below(low, high)) continue;
        state = certainty::between;
        result.low.ref().as<T>()[c] = low;
        result.high.ref().as<T>()[c] = high;
        held.ref().as<T>()[c] = number_between(random, low, high);
      }
    }
  });
  return result;
}

std::vector<const_tensor_ref> refs_of(const std::vector<host_tensor>& tensors) {
  std::vector<const_tensor_ref> refs;
  for (const host_tensor& tensor : tensors) refs.push_back(tensor.ref());
  return refs;
}

}  // namespace

TEST_CASE("A2: a device that holds any legal intermediate is not called wrong, for every operator", "[registry]") {
  goldml_test::for_every_operator([&](const oracle::any_operator& op) {
    constexpr std::uint64_t count = goldml_test::random_count(60);
    std::uint64_t compared = 0;
    std::uint64_t depending = 0;
    for (std::uint64_t number = 0; number < count; ++number) {
      const oracle::generate_options options{
          .seed = 35, .most_elements = 60, .strides = {oracle::stride_pattern::packed}};
      const auto test = oracle::make_case(op, oracle::sample_case(op, options, number));
      oracle::random_source random(number * 1000 + 35);
      std::vector<host_tensor> held = test.inputs;
      std::vector<legal_values> inputs;
      for (std::size_t i = 0; i < test.inputs.size(); ++i)
        if (test.inputs[i].omitted() || random.chance(40))
          inputs.emplace_back(test.inputs[i].ref());
        else
          inputs.push_back(uncertain(random, test.inputs[i], held[i]));
      const auto initial = test.initial_refs();
      const oracle::golden carried = oracle::expect_in_chain(test.text.desc, inputs, test.outputs, {},
                                                             (std::numeric_limits<std::size_t>::max)(), initial);
      oracle::golden own;
      try {
        own = oracle::expect(test.text.desc, refs_of(held), test.outputs, initial);
      } catch (const error&) {  // another integer is no legal length (RN10)
        continue;
      }
      // The device's answers: the golden one of what it holds, and both ends of what it may give, of each answer that
      // is legal as a whole. Ends of several outputs need not go together where one is judged by another.
      for (const oracle::golden_outputs& whole : own.answers) {
        oracle::golden one;
        one.answers.push_back(whole);
        std::vector<host_tensor> golden, low, high;
        for (std::size_t i = 0; i < test.outputs.size(); ++i) {
          const legal_values legal = oracle::legal_values_of(one, i);
          const auto stored = [&](const host_tensor& values) {
            oracle::golden_output output = whole[i];
            output.values = values;
            return oracle::stored_values(output);
          };
          golden.push_back(stored(whole[i].values));
          // Nor do those of a region whose samples may be counted in several ways.
          const bool ends =
              !legal.exact() && op.name() != "DYNAMIC_QUANTIZE_LINEAR" && !op.name().starts_with("ROI_ALIGN");
          low.push_back(ends ? stored(legal.low) : golden.back());
          high.push_back(ends ? stored(legal.high) : golden.back());
        }
        for (const std::vector<host_tensor>* answer : {&golden, &low, &high}) {
          const std::vector<const_tensor_ref> refs = refs_of(*answer);
          const oracle::judgement judged = oracle::compare(carried, refs);
          compared += judged.result.compared();
          depending += judged.result.depending();
          INFO(test.line() << " number " << number);
          INFO(oracle::report(carried, refs, judged, {}, oracle::names_of(test), ""));
          REQUIRE(judged.tolerated());
        }
      }
    }
    std::cout << op.name() << ": " << compared << " elements judged, " << depending << " depend\n";
    const bool carries = std::any_of(
        oracle::detail::carry_table.begin(), oracle::detail::carry_table.end(),
        [&](const auto& row) { return row.name == op.name() && (row.how & oracle::detail::carries::by_parts) == 0; });
    if (carries) CHECK(2 * compared > depending);
  });
}

TEST_CASE("A2: what carries ranges has the name of an operator", "[registry]") {
  std::set<std::string_view> names;
  for (const auto& row : oracle::detail::carry_table) {
    INFO(row.name);
    CHECK(find_operator(row.name) != nullptr);
    CHECK(names.insert(row.name).second);
  }
}
