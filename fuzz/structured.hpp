// Generates cases of every operator from a string of bytes: the choices of the operator's sampler, then strides and
// sizes of buffers, and in one of four cases a change that may break a rule. Legal cases that are cheap to run reach
// kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <goldml/core/validate.hpp>
#include <goldml/oracle/generate_illegal.hpp>

#include "refusal.hpp"
#include "tally.hpp"

namespace fuzz {

using namespace goldml;

// Strides: permuted, with gaps, broadcast (inputs only), or arbitrary.
inline void choose_strides(oracle::random_source& random, tensor_desc& tensor, bool may_share) {
  if (tensor.sizes.empty() || random.chance(50)) return;
  dimensions order;
  for (std::size_t i = tensor.sizes.size(); i-- > 0;) order.push_back(i);
  if (random.chance(50)) random.shuffle(order);
  tensor.strides = packed_strides(tensor.sizes);
  std::uint64_t stride = 1 + (random.chance(30) ? random.below(4) : 0);
  for (const std::uint32_t i : order) {
    const bool shared = may_share && random.chance(20);
    tensor.strides[i] = shared ? 0 : static_cast<std::uint32_t>(stride);
    if (!shared) stride = stride * tensor.sizes[i] + (random.chance(20) ? random.below(5) : 0);
  }
  if (random.chance(5)) tensor.strides[random.below(order.size())] = static_cast<std::uint32_t>(random.bits());
}

// Changes one member of one tensor.
template <class Tensors>
void change_tensor(oracle::random_source& random, Tensors& tensors) {
  if (tensors.empty()) return;
  auto& tensor = tensors[random.below(tensors.size())];
  if (!tensor || random.chance(5)) {
    tensor.reset();
    return;
  }
  constexpr std::array<std::uint32_t, 8> numbers{0, 1, 2, 3, 8, 64, 0x7FFF'FFFF, 0xFFFF'FFFF};
  const std::uint32_t number = numbers[random.below(numbers.size())];
  const std::size_t dimension = tensor->sizes.empty() ? 0 : random.below(tensor->sizes.size());
  switch (random.below(9)) {
    case 0:
      if (!tensor->sizes.empty()) tensor->sizes[dimension] = number;
      break;
    case 1:
      if (dimension < tensor->strides.size()) tensor->strides[dimension] = number;
      break;
    case 2:
      tensor->sizes.push_back(number);
      break;
    case 3:
      tensor->strides.push_back(number);
      break;
    case 4:
      tensor->data_type = static_cast<data_type>(random.below(14));
      break;
    case 5:
      tensor->total_tensor_size_in_bytes = random.below(256);
      break;
    case 6:
      tensor->guaranteed_base_offset_alignment = number;
      break;
    case 7:
      tensor->flags = static_cast<tensor_flags>(random.below(4));
      break;
    default:
      tensor->type = static_cast<tensor_type>(random.below(3));
      break;
  }
}

// A case of the operator, legal in about three of four.
inline oracle::test_case<any_desc> choose_case(const oracle::any_operator& op, oracle::random_source& random) {
  feature_level level = feature_level::latest;
  if (random.chance(20)) level = feature_levels[random.below(feature_levels.size())].value;
  if (level < op.first_level()) level = op.first_level();
  oracle::test_case<any_desc> c = op.sample(random, level);
  c.desc.level() = level;
  const std::uint64_t change = random.below(16);
  if (change == 0) oracle::detail::break_own_rule(random, op, c);
  for (const attribute& policy : op.policies())
    if (policy.kind == attribute_kind::enumeration && random.chance(30))
      store_enumerator(policy.address(c.desc.get()), policy.names.rows[random.below(policy.names.rows.size())].value);
  const std::size_t input_count = c.desc.description().input_count(c.tensors.size());
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (!c.tensors[i]) continue;
    choose_strides(random, *c.tensors[i], i < input_count);
    if (random.chance(10))
      c.tensors[i]->total_tensor_size_in_bytes = buffer_tensor_size_in_bytes(*c.tensors[i]) + random.below(64);
  }
  if (change == 1 || change == 2) change_tensor(random, c.tensors);
  if (change == 3) c.desc.level() = feature_levels[random.below(feature_levels.size())].value;
  const auto classes = enumeration_of<oracle::data_class>().rows;
  c.data = static_cast<oracle::data_class>(classes[random.below(classes.size())].value);
  c.seed = random.bits() & 0xFFFF;
  return c;
}

// Whether the case breaks no rule, and whether it is cheap: at most 2^14 elements and 2^20 bytes per tensor.
inline bool is_legal(const oracle::test_case<any_desc>& c) {
  auto operands = to_operands(c.tensors);
  violation_sink sink;
  check(c.desc, operands, sink);
  if (sink.first()) require_one_line(error(*sink.first()));
  return !sink.first();
}
inline bool is_cheap(const oracle::test_case<any_desc>& c) {
  for (const auto& tensor : c.tensors)
    if (tensor && (element_count(tensor->sizes) > 1U << 14 || total_tensor_size_in_bytes(*tensor) > 1U << 20))
      return false;
  return true;
}

// Calls f(operator, random) for the operator that the first byte selects.
template <class F>
void visit_input(const std::uint8_t* data, std::size_t size, const F& f) {
  if (size == 0) return;
  oracle::random_source random(std::as_bytes(std::span(data + 1, size - 1)), 200);
  f(*oracle::every_operator()[data[0] % oracle::every_operator().size()], random);
}

}  // namespace fuzz
