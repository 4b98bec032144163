// A1: what only some operators and backends have, misspelt or with the parameters of another function: each wrong one
// beside its legal twin.
#include <goldml/goldml.hpp>
#include <goldml/oracle/judged_names.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/verdict_traits.hpp>

using namespace goldml;

// An operator with one output for each N, described but for its options.
template <int N>
struct small_desc {
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct small_description {
  static constexpr std::string_view name = "SMALL";
  static constexpr std::uint32_t enumerator = 0;
  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_1_0, data_types_f, 1, 8}}};
  static constexpr std::array<operand_info, 1> operands{
      {{.name = "OutputTensor", .role = operand_role::output, .limits = limits}}};
  static constexpr auto& attributes = no_attributes;
  static constexpr auto& policies = no_attributes;
};

// What an operator has.
using work_desc = small_desc<0>;
template <>
struct goldml::operator_traits<work_desc> : small_description {
  static work_counts work(const work_desc&, const operands_of<work_desc>&) { return {}; }
  static work_counts work_of_span(const work_desc&, std::span<const operand>) { return {}; }
  static implied_output implied(const work_desc&, const operands_of<work_desc>&, std::size_t) { return {}; }
  static implied_output implied_of_span(const work_desc&, std::span<const operand>, std::size_t) { return {}; }
  static constexpr operator_options<work_desc> options{
      .alias = "LITTLE", .implied = &implied, .work = &work, .moves = true};
};
using traits = operator_traits<work_desc>;
constexpr operator_options<work_desc> move{.move = true};                            // error
constexpr operator_options<work_desc> works{.works = &traits::work};                 // error
constexpr operator_options<work_desc> work{.work = &traits::work_of_span};           // error
constexpr operator_options<work_desc> alias_name{.alias_name = "LITTLE"};            // error
constexpr operator_options<work_desc> limits_of{.limits_of = &traits::work};         // error
constexpr operator_options<work_desc> implies{.implies = &traits::implied};          // error
constexpr operator_options<work_desc> implied{.implied = &traits::implied_of_span};  // error
auto validated() { return validate(work_desc{}, tensor_desc{}); }

using misnamed_desc = small_desc<1>;
template <>
struct goldml::operator_traits<misnamed_desc> : small_description {
  static constexpr operator_options<misnamed_desc> option{.alias = "LITTLE"};
};
auto validated_misnamed() { return validate(misnamed_desc{}, tensor_desc{}); }  // says: options

// What a backend has.
struct small_backend {};
struct other_backend {};
template <>
inline constexpr backend_options goldml::options_of_backend<small_backend>{.writes_elements_only = true};
static_assert(options_of_backend<small_backend>.writes_elements_only);
template <>
inline constexpr backend_options goldml::options_of_backend<other_backend>{.write_elements_only = true};  // error
template <>
inline constexpr backend_options goldml::option_of_backend<other_backend>{.writes_elements_only = true};  // error

// What the oracle has for an operator.
using judged_desc = small_desc<2>;
template <>
struct goldml::operator_traits<judged_desc> : small_description {
  static constexpr operator_options<judged_desc> options{};
};
template <>
struct goldml::oracle::verdict_traits<judged_desc> {
  static void verdicts(const judged_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>,
                       std::span<output_verdicts>);
  static std::uint64_t verdict_memory(const judged_desc&, const operands_of<judged_desc>&);
  static std::optional<flushed_answer> flush_of(const judged_desc&);
  static judged_desc judged(judged_desc);
  static bool is_listed_otherwise(const judged_desc&, const dimensions&);
  static void to_listing_order(judged_desc&, std::span<const_tensor_ref>);
  static bool to_alternative(judged_desc&, data_type, std::uint64_t);
  static constexpr verdict_options<judged_desc> options{.verdicts = &verdicts,
                                                        .flushed_verdicts = &verdicts,
                                                        .verdict_memory = &verdict_memory,
                                                        .flush_of = &flush_of,
                                                        .judged = &judged,
                                                        .is_listed_otherwise = &is_listed_otherwise,
                                                        .to_listing_order = &to_listing_order,
                                                        .to_alternative = &to_alternative,
                                                        .count_output = 0,
                                                        .exact_nans = true};
};
static_assert(oracle::options_of<judged_desc>().exact_nans);

using answers = oracle::verdict_traits<judged_desc>;
using options = oracle::verdict_options<judged_desc>;
constexpr options verdict{.verdict = &answers::verdicts};                        // error
constexpr options verdicts{.verdicts = &answers::verdict_memory};                // error
constexpr options verdicts_memory{.verdicts_memory = &answers::verdict_memory};  // error
constexpr options flush{.flush = &answers::flush_of};                            // error
constexpr options judge{.judge = &answers::judged};                              // error
constexpr options alternative{.alternative = &answers::to_alternative};          // error
constexpr options counts_output{.counts_output = 0};                             // error
constexpr options exact_nan{.exact_nan = true};                                  // error
constexpr options flushed_verdict{.flushed_verdict = &answers::verdicts};        // error
constexpr options to_list_order{.to_list_order = &answers::to_listing_order};    // error

// An operator is exact or has verdicts.
using exact_desc = small_desc<3>;
template <>
struct goldml::operator_traits<exact_desc> : small_description {
  static constexpr operator_options<exact_desc> options{.exact = true};
};
static_assert(!oracle::options_of<exact_desc>().exact_nans);
using neither_desc = small_desc<4>;
template <>
struct goldml::operator_traits<neither_desc> : small_description {
  static constexpr operator_options<neither_desc> options{};
};
static_assert(!oracle::options_of<neither_desc>().exact_nans);  // says: goldml: an operator has .exact = true in
using both_desc = small_desc<5>;
template <>
struct goldml::operator_traits<both_desc> : small_description {
  static constexpr operator_options<both_desc> options{.exact = true};
};
template <>
struct goldml::oracle::verdict_traits<both_desc> {
  static void verdicts(const both_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>,
                       std::span<output_verdicts>);
  static constexpr verdict_options<both_desc> options{.verdicts = &verdicts};
};
static_assert(!oracle::options_of<both_desc>().exact_nans);  // says: goldml: an operator has .exact = true in

// The text of the inputs that determine an element.
template <>
struct goldml::oracle::deciding<exact_desc> {
  static std::string text(const exact_desc&, std::span<const const_tensor_ref>, std::size_t, const golden_output&,
                          const coordinate_tuple&, const const_tensor_ref&) {
    return "";
  }
};
auto deciding_text() { return oracle::detail::deciding_text_of<exact_desc>(); }
using misspelt_desc = small_desc<6>;
template <>
struct goldml::operator_traits<misspelt_desc> : small_description {
  static constexpr operator_options<misspelt_desc> options{.exact = true};
};
template <>
struct goldml::oracle::deciding<misspelt_desc> {
  static std::string texts(const misspelt_desc&, std::span<const const_tensor_ref>, std::size_t, const golden_output&,
                           const coordinate_tuple&, const const_tensor_ref&) {
    return "";
  }
};
auto misspelt_text() { return oracle::detail::deciding_text_of<misspelt_desc>(); }  // says: text

// A sampler's functions.
void fill(oracle::random_source&, const exact_desc&, oracle::data_class, std::span<host_tensor>) {}
constexpr oracle::sampler_options<exact_desc> fills_legal{.fill = &fill};
constexpr oracle::sampler_options<exact_desc> fills{.fills = &fill};  // error
