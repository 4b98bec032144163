// The desc of RNN, and the golden hidden states: each is f of an exact sum of products with the one before it, which
// has 128 bits (ledger RN-R3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

// DML_RECURRENT_NETWORK_DIRECTION.
enum class recurrent_network_direction : std::uint32_t { forward = 0, backward = 1, bidirectional = 2 };
template <>
struct enumeration<recurrent_network_direction> {
  static constexpr std::string_view prefix = "DML_RECURRENT_NETWORK_DIRECTION_";
  static constexpr auto values = enumerators<recurrent_network_direction>("FORWARD", "BACKWARD", "BIDIRECTIONAL");
};

struct rnn_desc {
  activation_list activation_descs = {};  // one for each direction
  recurrent_network_direction direction = recurrent_network_direction::forward;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// NumDirections of DirectML's page: 2 for BIDIRECTIONAL, otherwise 1.
constexpr std::size_t direction_count(const rnn_desc& desc) {
  return desc.direction == recurrent_network_direction::bidirectional ? 2 : 1;
}

namespace detail {

// A hidden state: 128 bits; from 2^256 on infinite.
struct hidden_number {
  arithmetic::wide finite;
  double special = 0;  // if not 0: an infinity or NaN, which it is

  hidden_number() = default;
  explicit hidden_number(double x) {
    if (is_finite_double(x))
      finite = arithmetic::wide(x);
    else
      special = x;
  }
  explicit hidden_number(const arithmetic::wide& x) {
    if (x.is_zero() || x.exponent < 256)
      finite = x;
    else
      special = x.negative ? -infinite_double : infinite_double;
  }
  // As a factor of what is not finite.
  double sign() const {
    if (!goldml::is_zero(special)) return special;
    return finite.is_zero() ? 0 : finite.negative ? -1 : 1;
  }
};

// Adds r * h exactly, but for what is below 2^-448. r is an element.
inline void add_product(extended_sum& sum, double r, const hidden_number& h) {
  if (!is_finite_double(r) || !goldml::is_zero(h.special)) return sum.add(r * h.sign());
  sum.finite.add(0.0 * r);  // a zero of its sign, which decides that of a sum of zeros
  if (goldml::is_zero(r) || h.finite.is_zero()) return;
  sum.finite.add(0.0);
  const odd_double factor = odd_part(r);
  const std::array<std::uint64_t, 2> halves{h.finite.low, h.finite.high};
  for (int i = 0; i < 4; ++i) {  // 32 bits of h each, times 24
    std::uint64_t bits = (halves[static_cast<std::size_t>(i / 2)] >> (i % 2 * 32) & 0xFFFF'FFFF) * factor.significand;
    int exponent = h.finite.exponent - 127 + 32 * i + factor.exponent;
    if (exponent < -448) {
      bits = exponent < -448 - 63 ? 0 : bits >> (-448 - exponent);
      exponent = -448;
    }
    if (bits != 0) sum.finite.add_bits(bits, exponent, is_negative_double(r) != h.finite.negative);
  }
}

// f of a sum, to 128 bits.
inline hidden_number hidden_of(const activation& f, const extended_sum& sum) {
  using enum arithmetic::activation_type;
  if (!sum.is_finite()) return hidden_number(arithmetic::activation_value(f, sum.special()).value);
  const arithmetic::wide s = arithmetic::detail::wide_of(sum.finite);
  // Those of which a parameter 0 is no factor (ledger AR-R9).
  const bool no_quotient = goldml::is_zero(f.parameters[0]);
  if (no_quotient && arithmetic::type_of(f) == softplus) return hidden_number(infinite_double);
  if (no_quotient && arithmetic::type_of(f) == celu) return s.negative ? hidden_number() : hidden_number(s);
  return hidden_number(arithmetic::detail::activation_of(f, s));
}

// The operands of a call, with elements as doubles.
template <class T>
struct rnn_operands {
  tensor_view<const T> x, w, r;
  std::optional<tensor_view<const T>> bias, init;
  std::optional<tensor_view<const std::uint32_t>> lengths;
  std::optional<tensor_view<T>> sequence, single;
  const rnn_desc& desc;

  std::uint32_t steps() const { return x.sizes()[1]; }
  std::uint32_t batch() const { return x.sizes()[2]; }
  std::uint32_t input_size() const { return x.sizes()[3]; }
  std::uint32_t hidden_size() const { return w.sizes()[2]; }
  std::uint32_t directions() const { return w.sizes()[1]; }

  const activation& f(std::uint32_t direction) const { return desc.activation_descs[direction]; }
  bool is_backward(std::uint32_t direction) const {
    return direction == 1 || desc.direction == recurrent_network_direction::backward;
  }
  std::uint32_t length(std::uint32_t b) const { return lengths ? (*lengths)[{0, 0, 0, b}] : steps(); }
  // The place in the sequence of step n of a direction.
  std::uint32_t time(std::uint32_t direction, std::uint32_t length, std::uint32_t n) const {
    return is_backward(direction) ? length - 1 - n : n;
  }
  double input(std::uint32_t t, std::uint32_t b, std::uint32_t j) const { return exact_double(T(x[{0, t, b, j}])); }
  double weight(std::uint32_t d, std::uint32_t i, std::uint32_t j) const { return exact_double(T(w[{0, d, i, j}])); }
  double recurrence(std::uint32_t d, std::uint32_t i, std::uint32_t j) const {
    return exact_double(T(r[{0, d, i, j}]));
  }
  // The bias of W (half 0) or R (half 1).
  double bias_of(std::uint32_t d, std::uint32_t i, std::uint32_t half) const {
    return exact_double(T((*bias)[{0, 0, d, half * hidden_size() + i}]));
  }
  double initial(std::uint32_t d, std::uint32_t b, std::uint32_t i) const {
    return init ? exact_double(T((*init)[{0, d, b, i}])) : 0;
  }

  // What f is taken of: W X[t] + R h + the biases, exactly.
  extended_sum sum(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i,
                   std::span<const hidden_number> h) const {
    extended_sum result;
    for (std::uint32_t j = 0; j < input_size(); ++j) result.add(weight(d, i, j) * input(t, b, j));  // exact: 48 bits
    for (std::uint32_t j = 0; j < hidden_size(); ++j) add_product(result, recurrence(d, i, j), h[j]);
    if (bias) {
      result.add(bias_of(d, i, 0));
      result.add(bias_of(d, i, 1));
    }
    return result;
  }
  std::vector<hidden_number> initial_state(std::uint32_t d, std::uint32_t b) const {
    std::vector<hidden_number> h;
    for (std::uint32_t i = 0; i < hidden_size(); ++i) h.emplace_back(initial(d, b, i));
    return h;
  }
};

// The operands of a run-time call.
template <class T>
rnn_operands<T> rnn_operands_of(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                                const rnn_desc& desc) {
  const auto given = [](const auto& ref) {
    using view = decltype(ref.template as<T>());
    return ref.present() ? std::optional<view>(ref.template as<T>()) : std::nullopt;
  };
  std::optional<tensor_view<const std::uint32_t>> lengths;
  if (inputs[5].present()) lengths = inputs[5].as<std::uint32_t>();
  return {inputs[0].as<T>(), inputs[1].as<T>(), inputs[2].as<T>(),
          given(inputs[3]),  given(inputs[4]),  lengths,
          given(outputs[0]), given(outputs[1]), desc};
}

// RN10. Called before the first write.
template <class T>
void check_lengths(const rnn_operands<T>& t) {
  for (std::uint32_t b = 0; t.lengths && b < t.batch(); ++b)
    if (t.length(b) > t.steps())
      throw error(violation{.rule = "RN10",
                            .operator_name = "RNN",
                            .operand = "SequenceLengthsTensor",
                            .member = "element",
                            .index = b,
                            .got = violation_text("{}", t.length(b)),
                            .wanted = violation_text("at most {}", t.steps()),
                            .why = violation_text("InputTensor.Sizes[1]")});
}

}  // namespace detail

}  // namespace goldml
