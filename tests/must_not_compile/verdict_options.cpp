// A1: what only some operators have for the oracle, misspelt or with the parameters of another function.
// says 1: .verdict = &verdicts
// says 2: .verdicts = &verdict_memory
// says 3: .verdicts_memory = &verdict_memory
// says 4: .flush = &flush_of
// says 5: .judge = &judged
// says 6: .alternative = &to_alternative
// says 7: .counts_output = 0
// says 8: .exact_nan = true
// says 9: .flushed_verdict = &verdicts
// says 10: .to_list_order = &to_listing_order
#include <goldml/goldml.hpp>
#include <goldml/oracle/verdict_traits.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
  static constexpr operator_options<small_desc> options{};
};

template <>
struct goldml::oracle::verdict_traits<small_desc> {
  static void verdicts(const small_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>,
                       std::span<output_verdicts>);
  static std::uint64_t verdict_memory(const small_desc&, const operands_of<small_desc>&);
  static std::optional<flushed_answer> flush_of(const small_desc&);
  static small_desc judged(small_desc);
  static bool is_listed_otherwise(const small_desc&, const dimensions&);
  static void to_listing_order(small_desc&, std::span<const_tensor_ref>);
  static bool to_alternative(small_desc&, data_type);

#if MUST_NOT_COMPILE == 1
  static constexpr verdict_options<small_desc> options{.verdict = &verdicts};
#elif MUST_NOT_COMPILE == 2
  static constexpr verdict_options<small_desc> options{.verdicts = &verdict_memory};
#elif MUST_NOT_COMPILE == 3
  static constexpr verdict_options<small_desc> options{.verdicts_memory = &verdict_memory};
#elif MUST_NOT_COMPILE == 4
  static constexpr verdict_options<small_desc> options{.flush = &flush_of};
#elif MUST_NOT_COMPILE == 5
  static constexpr verdict_options<small_desc> options{.judge = &judged};
#elif MUST_NOT_COMPILE == 6
  static constexpr verdict_options<small_desc> options{.alternative = &to_alternative};
#elif MUST_NOT_COMPILE == 7
  static constexpr verdict_options<small_desc> options{.counts_output = 0};
#elif MUST_NOT_COMPILE == 8
  static constexpr verdict_options<small_desc> options{.exact_nan = true};
#elif MUST_NOT_COMPILE == 9
  static constexpr verdict_options<small_desc> options{.flushed_verdict = &verdicts};
#elif MUST_NOT_COMPILE == 10
  static constexpr verdict_options<small_desc> options{.to_list_order = &to_listing_order};
#else
  static constexpr verdict_options<small_desc> options{.verdicts = &verdicts,
                                                       .flushed_verdicts = &verdicts,
                                                       .verdict_memory = &verdict_memory,
                                                       .flush_of = &flush_of,
                                                       .judged = &judged,
                                                       .is_listed_otherwise = &is_listed_otherwise,
                                                       .to_listing_order = &to_listing_order,
                                                       .to_alternative = &to_alternative,
                                                       .count_output = 0,
                                                       .exact_nans = true};
#endif
};

static_assert(goldml::oracle::options_of<small_desc>().exact_nans);
