// The operator of small_operator.hpp with its options, and functions that an oracle::verdict_traits of it may have.
#pragma once

#include <goldml/oracle/verdict_traits.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
  static constexpr operator_options<small_desc> options{};
};

struct small_verdicts {
  static void verdicts(const small_desc&, std::span<const goldml::const_tensor_ref>,
                       std::span<const goldml::tensor_ref>, std::span<goldml::output_verdicts>);
  static std::uint64_t verdict_memory(const small_desc&, const goldml::operands_of<small_desc>&);
  static std::optional<goldml::oracle::flushed_answer> flush_of(const small_desc&);
  static small_desc judged(small_desc);
  static bool is_listed_otherwise(const small_desc&, const goldml::dimensions&);
  static void to_listing_order(small_desc&, std::span<goldml::const_tensor_ref>);
  static bool to_alternative(small_desc&, goldml::data_type);
};
