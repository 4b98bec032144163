// What the tests of GRU and LSTM share: layers with their operands, and how answers are computed and judged.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/operators/gru.hpp>
#include <goldml/operators/lstm.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/report.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace recurrent_layers {

using namespace goldml;
using floats = std::vector<float>;

constexpr activation identity{38}, relu{44}, sigmoid{47}, hyperbolic{51};
constexpr auto backward = recurrent_network_direction::backward;
constexpr auto bidirectional = recurrent_network_direction::bidirectional;

// A layer with its sizes and elements, in the order of the operands; empty: omitted. The lengths are apart.
template <class Desc, class T>
struct layer_of {
  static constexpr bool has_cells = std::is_same_v<Desc, lstm_desc>;
  static constexpr std::size_t first_output = operator_traits<Desc>::sequence, outputs = has_cells ? 3 : 2;

  std::uint32_t steps = 2, batch = 1, inputs = 1, hidden = 1;
  Desc desc{.activation_descs =
                has_cells ? activation_list{sigmoid, hyperbolic, hyperbolic} : activation_list{sigmoid, hyperbolic}};
  std::array<std::vector<T>, first_output> in{};
  std::vector<std::uint32_t> lengths{};
  std::array<bool, 3> bound{true, true, has_cells};

  dimensions sizes(std::size_t operand) const {
    const auto d = static_cast<std::uint32_t>(direction_count(desc));
    const std::uint32_t rows = (has_cells ? 4 : 3) * hidden;
    const dimensions state{1, d, batch, hidden}, of_lengths{1, 1, 1, batch}, sequence{steps, d, batch, hidden};
    std::vector<dimensions> all{
        {1, steps, batch, inputs}, {1, d, rows, inputs}, {1, d, rows, hidden}, {1, 1, d, 2 * rows}, state};
    if (has_cells)
      all.insert(all.end(), {state, of_lengths, {1, 1, d, 3 * hidden}, sequence, state, state});
    else
      all.insert(all.end(), {of_lengths, sequence, state});
    return all[operand];
  }
  std::vector<const_tensor_ref> refs() const {
    std::vector<const_tensor_ref> result;
    for (std::size_t i = 0; i < in.size(); ++i)
      result.push_back(in[i].empty() ? const_tensor_ref() : const_tensor_ref(tensor_view(in[i].data(), sizes(i))));
    constexpr std::size_t of_lengths = operator_traits<Desc>::lengths;
    if (!lengths.empty()) result[of_lengths] = tensor_view(lengths.data(), sizes(of_lengths));
    return result;
  }
  template <class F>
  layer_of& fill(F draw, std::initializer_list<std::size_t> operands) {
    for (const std::size_t i : operands) {
      in[i].clear();
      for (std::uint64_t n = element_count(sizes(i)); n > 0; --n) in[i].push_back(T(static_cast<float>(draw())));
    }
    return *this;
  }
};

template <class T>
struct answer {
  std::array<std::vector<T>, 3> out;
  template <class Desc>
  explicit answer(const layer_of<Desc, T>& l) {
    for (std::size_t i = 0; i < l.outputs; ++i)
      if (l.bound[i]) out[i].resize(element_count(l.sizes(l.first_output + i)), T(7.0F));
  }
  template <class Desc>
  std::vector<tensor_ref> refs(const layer_of<Desc, T>& l) {
    std::vector<tensor_ref> result;
    for (std::size_t i = 0; i < l.outputs; ++i)
      result.push_back(out[i].empty() ? tensor_ref()
                                      : tensor_ref(tensor_view(out[i].data(), l.sizes(l.first_output + i))));
    return result;
  }
};
template <class Desc, class T>
answer<T> run(const layer_of<Desc, T>& l) {
  answer<T> result(l), fast(l);
  const auto inputs = l.refs();
  evaluate(reference, l.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(result.refs(l)));
  evaluate(cpu, l.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(fast.refs(l)));
  for (std::size_t i = 0; i < l.outputs; ++i) CHECK(layouts::bits(fast.out[i]) == layouts::bits(result.out[i]));
  return result;
}
template <class Desc, class T>
oracle::golden golden_of(const layer_of<Desc, T>& l) {
  const auto inputs = l.refs();
  std::vector<tensor_desc> outputs(l.outputs);
  for (std::size_t i = 0; i < l.outputs; ++i)
    if (l.bound[i]) outputs[i] = {.data_type = data_type_of<T>, .sizes = l.sizes(l.first_output + i)};
  return oracle::expect(l.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
}
template <class Desc, class T>
oracle::judgement judge(const layer_of<Desc, T>& l, const oracle::golden& golden, answer<T> got) {
  const auto refs = got.refs(l);
  const std::vector<const_tensor_ref> actual(refs.begin(), refs.end());
  return oracle::compare(golden, actual);
}
template <class Desc, class T>
std::string report_of(const layer_of<Desc, T>& l, const oracle::golden& golden, answer<T> got) {
  const auto refs = got.refs(l);
  const std::vector<const_tensor_ref> actual(refs.begin(), refs.end());
  std::vector<std::string> names{"H", "last H", "last C"};
  names.resize(l.outputs);
  return oracle::report(golden, actual, oracle::compare(golden, actual), {}, {operator_traits<Desc>::name, names}, "");
}

// An activation of a device that computes in Real.
template <class Real>
Real activated(const activation& f, Real x) {
  return f.operator_type == 47   ? 1 / (1 + std::exp(-x))
         : f.operator_type == 51 ? std::tanh(x)
         : f.operator_type == 44 ? (x > 0 ? x : Real{0})
                                 : x;
}

inline void check_near(const floats& got, const floats& wanted, float most) {
  REQUIRE(got.size() == wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("element " << i << ": " << got[i] << ", wanted " << wanted[i]);
    CHECK(std::abs(got[i] - wanted[i]) < most);
  }
}

// Layers of small integers, of numbers below 1 and of any bits, with any activations; `change` sets what is the
// operator's own and fills some of the operands that may be omitted.
template <class Desc, class F>
void check_backends(std::size_t activations, const F& change) {
  std::mt19937 random(11);
  constexpr std::array<std::uint32_t, 16> types{35, 37, 38, 39, 40, 43, 44, 45, 46, 47, 49, 50, 51, 52, 90, 128};
  for (int round = 0; round < 50; ++round) {
    const int kind = round % 3;
    const auto number = [&]() -> float {
      return kind == 0   ? static_cast<float>(static_cast<int>(random() % 5) - 2)
             : kind == 1 ? static_cast<float>(random() & 0xFFFFFF) * 0x1p-23F - 1
                         : std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    };
    const auto draw = [&]<class T>(T) {
      layer_of<Desc, T> l{.steps = 3, .batch = 2, .inputs = 2, .hidden = 2};
      l.desc.direction = static_cast<recurrent_network_direction>(random() % 3);
      l.desc.activation_descs = {};
      for (std::size_t i = 0; i < activations * direction_count(l.desc); ++i)
        l.desc.activation_descs.push_back({types[random() % types.size()], {1.5F, 0.25F}});
      l.fill(number, {0, 1, 2});
      change(l, random, number);
      CAPTURE(round, l.desc.activation_descs[0].operator_type);
      const answer<T> golden = run(l);
      CHECK(judge(l, golden_of(l), golden).outcome() == oracle::outcome::agrees);
    };
    draw(0.0F);
    draw(float16());
  }
}

}  // namespace recurrent_layers
