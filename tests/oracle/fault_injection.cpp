// Tests the comparison by fault injection. Faults of many kinds are injected into golden outputs of generated cases,
// and each must be detected; outputs that differ but are correct must be accepted. A fault counts only if it violates
// the rules of allowed.hpp, and each kind must have been counted for each operator, operand and data type.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "../catch.hpp"
#include "../support/default_desc.hpp"
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"
#include "deviations.hpp"
#include "device.hpp"
#include "faults.hpp"

using namespace judged;

namespace {

struct score {
  std::uint64_t tried = 0;
  std::uint64_t right = 0;  // detected, or accepted

  void add(bool is_right) {
    ++tried;
    if (is_right) ++right;
  }
};

// How many of 1,000 cases that are given below an operator gets: fewer of the element-wise ones, which share their
// code, and few where sanitizers make them slow; kinds are not counted there.
std::uint64_t per_mille_of(const operator_description& op) {
  const bool shares_code = op.name.starts_with("ELEMENT_WISE") || op.name.starts_with("ACTIVATION");
  if (goldml_test::is_long_run()) return shares_code ? 150 : 500;
  if (goldml_test::is_slow) return shares_code ? 2 : 6;
  return shares_code ? 60 : 150;
}

// Counts by kind, by kind and operator, and by kind, operand and data type.
struct tally {
  std::vector<std::string_view> kinds;  // in the order of their first use
  std::map<std::string_view, score> by_kind;
  std::map<std::string_view, score> by_operator;
  std::map<std::string, std::uint64_t> counts;
  score all;

  void add(std::string_view kind, const oracle::generated_case<any_desc>& c, bool is_right) {
    const operator_description& op = c.text.desc.description();
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    by_kind[kind].add(is_right);
    by_operator[op.name].add(is_right);
    all.add(is_right);
    if (!is_right && all.tried - all.right <= 10) FAIL_CHECK(kind << ": " << c.line());
    ++counts[key(op, kind)];
    std::set<std::string> typed;  // once for an array of tensors
    for (std::size_t i = 0; i < c.text.tensors.size(); ++i)
      if (c.text.tensors[i])
        typed.insert(
            key(op, kind, place_of_tensor(op.operands, i, c.text.tensors.size()).info, c.text.tensors[i]->data_type));
    for (const std::string& one : typed) ++counts[one];
  }

  static std::string key(const operator_description& op, std::string_view kind) {
    return fmt::format("{}: {}", kind, op.name);
  }
  static std::string key(const operator_description& op, std::string_view kind, std::size_t operand, data_type type) {
    return fmt::format("{} {} {}", key(op, kind), op.operands[operand].name, name_of(type));
  }

  std::uint64_t count(const std::string& name) const {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
  }

  // At least `least`, or as many of them as the operator gets of its cases, if that is one or more.
  void check_count(const operator_description& op, const std::string& name, std::uint64_t least) const {
    INFO(name << ": " << count(name) << " times");
    if (!goldml_test::is_slow) CHECK(count(name) >= least * per_mille_of(op) / 1000);
  }

  // Whether the kind occurred at all.
  void check(const operator_description& op, std::string_view kind) const {
    INFO(key(op, kind));
    if (!goldml_test::is_slow) CHECK(count(key(op, kind)) > 0);
  }

  // Each data type that each operand accepts; if `floats` is given, only those floating types.
  void check_every_type(const operator_description& op, std::string_view kind, std::optional<data_type_set> floats,
                        std::uint64_t least) const {
    check(op, kind);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const data_type_set types =
          limits_at(limits_of(goldml_test::default_desc_of(op), i), feature_level::latest)->data_types;
      const bool among_floats = floats && types.contains(data_type::float32);
      for (std::uint32_t value = 1; value <= 13; ++value) {
        const auto type = static_cast<data_type>(value);
        if (!types.contains(type) || (among_floats && !floats->contains(type))) continue;
        check_count(op, key(op, kind, i, type), least);
      }
    }
  }

  // Each floating type of the output.
  void check_every_floating_type(const operator_description& op, std::string_view kind, std::uint64_t least) const {
    const std::size_t output = op.operands.size() - 1;
    for (const data_type type : {data_type::float16, data_type::float32, data_type::float64})
      if (limits_at(op.operands[output], feature_level::latest)->data_types.contains(type))
        check_count(op, key(op, kind, output, type), least);
  }

  void print(std::string_view title) const {
    for (const std::string_view kind : kinds) {
      const score& one = by_kind.at(kind);
      fmt::print("  {:<60} {:>9} {:>9} {}\n", kind, one.tried, one.right, title);
    }
  }
};

// One set of options, and its results.
struct judging {
  std::string_view name;
  oracle::compare_options options;
  bool strict;
  tally faults = {};
  tally deviations = {};
};
using both_ways = std::array<judging, 2>;

// What may be flushed: FILL_VALUE_SEQUENCE has no inputs, but start and delta.
bool has_float32_input(const oracle::generated_case<any_desc>& c) {
  if (is<fill_value_sequence_desc>(c.text.desc)) return c.outputs[0].data_type == data_type::float32;
  return std::any_of(c.inputs.begin(), c.inputs.end(), [](const host_tensor& input) {
    return !input.bytes().empty() && input.desc().data_type == data_type::float32;
  });
}

// Faults and deviations follow from the operator and the case, whatever else is tested.
oracle::random_source random_of(const oracle::any_operator& op, const oracle::generated_case<any_desc>& c) {
  std::uint64_t hash = c.text.seed;
  for (const char letter : op.name()) hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100'0000'01B3;
  return oracle::random_source(hash);
}

void inject(const oracle::any_operator& op, const oracle::generated_case<any_desc>& c, both_ways& ways) {
  oracle::random_source random = random_of(op, c);
  const std::vector<all_rules> by_default = right_answers(c, false);
  const std::vector<all_rules> strictly = right_answers(c, true);
  const all_rules& rules = strictly.front();
  const std::vector<values> golden = golden_values(c.expected.answers.front());
  // The faults are those of cases that have every output.
  for (const tensor_desc& output : c.outputs)
    if (output.sizes.empty()) return;
  if (broken_elements(rules, golden, c.outputs, true) != 0)
    FAIL_CHECK("the golden answer breaks the page: " << c.line());

  for (const fault_kind& kind : fault_kinds(op)) {
    answer faulty{random, op, c, rules, golden};
    if (!kind.make(faulty)) continue;
    faulty.cut();
    if (broken_elements(rules, faulty.outputs, c.outputs, true) == 0) continue;
    const auto wanted = random.chance(60) ? layout::as_golden : random.chance(50) ? layout::packed : layout::any;
    const auto tensors = in_memory(random, c.outputs, faulty.outputs, wanted);
    for (judging& way : ways) {
      const auto broken_of = [&](const std::vector<all_rules>& right) {
        return broken_elements(c.text.desc, right, faulty.outputs, c.outputs, way.strict);
      };
      const auto right = right_answers(c, way.strict ? strictly : by_default, faulty.outputs, way.strict);
      const std::uint64_t broken = broken_of(right), most = broken_of(without_outer(right));
      const oracle::judgement judged = oracle::compare(c.expected, refs_of(tensors), way.options);
      const std::uint64_t differing = judged.result.differing();
      // Of a region that is judged by another number of samples more elements may differ.
      const bool within = broken <= differing && (differing <= most || aligns(c.text.desc));
      if (broken != 0)
        way.faults.add(kind.name, c, !judged.tolerated() && within);
      else if (most == 0)  // the change happens to be allowed by default
        way.deviations.add("no fault by default", c, judged.tolerated());
    }
  }
  const auto right = in_memory(random, c.outputs, golden, layout::as_golden);
  for (judging& way : ways) {
    for (const form_fault& form : form_faults())
      if (bool noticed = false; form.inject(random, c.expected, right, noticed)) way.faults.add(form.name, c, noticed);
    const auto deviation = [&](std::string_view kind, bool accepted) { way.deviations.add(kind, c, accepted); };
    const auto fault = [&](std::string_view kind, bool noticed) { way.faults.add(kind, c, noticed); };
    try_deviations(random, c, rules, way.strict ? strictly : by_default, golden, way.options, deviation, fault);
    if (op.golden->flush(c.text.desc.get()) && has_float32_input(c) && making_of(c.text.desc) != making::moved)
      try_flushes(random, c, way.options, deviation, fault);
  }
}

void inject(const oracle::any_operator& op, oracle::generate_options options, both_ways& ways) {
  if (!goldml_test::visits(*op.description)) return;
  options.count = options.count * per_mille_of(*op.description) / 1000;
  for (const auto& c : oracle::cases<any_desc>(op, options)) inject(op, c, ways);
}
template <class Desc>
void inject(const oracle::generate_options& options, both_ways& ways) {
  inject(oracle::any_operator_of<Desc>(), options, ways);
}
template <class Desc>
void inject(const oracle::test_case<Desc>& text, both_ways& ways) {
  const oracle::any_operator& op = oracle::any_operator_of<Desc>();
  if (!goldml_test::visits(*op.description)) return;
  inject(op, oracle::make_case(op, oracle::detail::to_any(text)), ways);
}

// Activations, powers and quantised sums in half precision. Of the rules of arithmetic only theirs know it.
template <class Desc>
void inject_half_precision(both_ways& ways) {
  const oracle::any_operator& op = oracle::any_operator_of<Desc>();
  if (!goldml_test::visits(*op.description)) return;
  const oracle::generate_options options{.count = per_mille_of(*op.description), .seed = 10, .most_elements = 40};
  for (const auto& c : oracle::cases<any_desc>(op, options)) {
    auto half = c.text;
    Desc desc = half.desc.template as<Desc>();
    desc.accumulation = half.seed % 2 == 0 ? accumulation::half : accumulation::half_products;
    half.desc = any_desc(desc);
    inject(op, oracle::make_case(op, half), ways);
  }
}
void inject_half_precision(both_ways& ways) {
  for_each_operator(activation_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (!std::is_same_v<Desc, activation_identity_desc>) inject_half_precision<Desc>(ways);
  });
  inject_half_precision<element_wise_pow_desc>(ways);
  inject_half_precision<element_wise_constant_pow_desc>(ways);
  inject_half_precision<element_wise_quantized_linear_add_desc>(ways);
  inject_half_precision<quantized_linear_matrix_multiply_desc>(ways);
  inject_half_precision<quantized_linear_convolution_desc>(ways);
}

// Values that are subnormal or zero, which the generators rarely choose, and some that FLOAT16 cannot represent.
void inject_small_values(both_ways& ways) {
  const std::uint64_t count = 4 * per_mille_of(description_of<fill_value_constant_desc>());
  oracle::random_source random(20'250'805);
  for (std::uint64_t number = 0; number < count; ++number) {
    oracle::test_case<fill_value_constant_desc> fill = oracle::sample_case<fill_value_constant_desc>({}, number);
    const data_type filled = fill.tensors[0]->data_type;
    if (float_types.contains(filled)) {
      const std::uint32_t size = 8 * element_size_in_bytes(filled);
      const bits sign = random.below(2) << (size - 1);
      fill.desc.value = scalar::from_bits(filled, sign | random.below(0x300));
      if (random.chance(30)) fill.desc.value = scalar::from_bits(filled, sign);
      if (random.chance(40))
        visit_data_type(type_list<float, float16, double>{}, filled,
                        [&]<class T>(std::type_identity<T>) { fill.desc.value = std::numeric_limits<T>::quiet_NaN(); });
      inject(fill, ways);
    }
    oracle::test_case<diagonal_matrix_desc> matrix = oracle::sample_case<diagonal_matrix_desc>({}, number);
    const data_type type = matrix.tensors[0]->data_type;
    if (!float_types.contains(type)) continue;
    const float least = type == data_type::float16 ? 0x1p-24f : 0x1p-149f;
    matrix.desc.value = static_cast<float>(1 + random.below(0x300)) * least;
    if (type == data_type::float16 && random.chance(50))
      matrix.desc.value = 0.1f + static_cast<float>(random.below(90));
    if (random.chance(50)) matrix.desc.value = -matrix.desc.value;
    matrix.desc.offset = 0;
    inject(matrix, ways);
  }
}

// Whether NaNs of the inputs are NaNs of the output. The rules of normalisations ask for no particular NaN.
bool keeps_nans(const any_desc& desc) {
  const std::string_view name = desc.description().name;
  const making made = making_of(desc);
  // The values of DIAGONAL_MATRIX and FILL_VALUE_SEQUENCE are none of the class's NaNs.
  if (made == making::moved) return !is<diagonal_matrix_desc>(desc);
  if (made == making::bounded)
    return !is<fill_value_sequence_desc>(desc) && !is<activation_relu_desc>(desc) &&
           !is<activation_hard_sigmoid_desc>(desc) && !is<activation_celu_desc>(desc) &&
           !is<activation_thresholded_relu_desc>(desc) && !is<activation_shrink_desc>(desc) && !normalises(desc);
  return made == making::computed && name != "ELEMENT_WISE_SIGN" && name != "ELEMENT_WISE_THRESHOLD" &&
         !name.starts_with("ELEMENT_WISE_CLIP");
}

// Whether what flushing changes is less than a device may be off anyway, or is rounded to zero; or whether the rules
// of allowed.hpp do not tell flushed values apart (attention).
bool hides_flushing(const any_desc& desc) {
  const std::string_view name = desc.description().name;
  if (name.starts_with("MULTIHEAD_ATTENTION")) return true;
  for (const std::string_view hidden : {"ACOS", "ASIN", "ATAN", "COS", "EXP", "SIN", "TAN", "ERF", "SINH", "COSH",
                                        "TANH", "ASINH", "ACOSH", "ATANH", "ATAN_YX", "DIFFERENCE_SQUARE"})
    if (name == "ELEMENT_WISE_" + std::string(hidden)) return true;
  return is<element_wise_round_desc>(desc) || is<activation_sigmoid_desc>(desc) || is<activation_tanh_desc>(desc) ||
         is<activation_scaled_tanh_desc>(desc) || is<activation_softplus_desc>(desc) ||
         is<activation_parametric_softplus_desc>(desc) || is<activation_softmax_desc>(desc) ||
         is<activation_softmax1_desc>(desc) || is<activation_log_softmax_desc>(desc) ||
         is<activation_log_softmax1_desc>(desc) || is<lstm_desc>(desc) || is<gru_desc>(desc) ||
         is<element_wise_quantize_linear_desc>(desc) || is<dynamic_quantize_linear_desc>(desc) ||
         is<quantize_desc>(desc);
}

void check_kinds(const oracle::any_operator& every, const judging& way) {
  const operator_description& op = *every.description;
  const any_desc desc(op);
  const tally& faults = way.faults;
  const tally& deviations = way.deviations;
  for (const fault_kind& kind : fault_kinds(every))
    faults.check_every_type(op, kind.name, kind.floats, kind.is_rare ? 5 : 20);
  for (const form_fault& form : form_faults()) faults.check_every_type(op, form.name, {}, 100);
  for (const std::string_view kind : {"garbage between elements", "garbage in padding", "another layout"})
    deviations.check_every_type(op, kind, {}, 10);
  if (every.golden->verdicts != nullptr) deviations.check(op, "another allowed value");
  if (every.golden->flush(desc.get())) {
    deviations.check_every_type(op, "not flushed, where flushing is allowed", float32_only, 20);
    if (hides_flushing(desc)) return;
    if (way.strict)
      faults.check_every_type(op, "flushed, judged strictly", float32_only, 20);
    else
      deviations.check_every_type(op, "flushed", float32_only, 20);
    if (way.strict || is<nonzero_coordinates_desc>(desc)) return;
    deviations.check_every_type(op, "flushed in some elements", float32_only, 20);
  }
}

}  // namespace

TEST_CASE(
    "fault injection: by default and judged strictly, every fault is "
    "noticed, every legal deviation accepted",
    "[oracle]") {
  using oracle::data_class;
  both_ways ways{judging{"by default", {}, false}, judging{"judged strictly", oracle::compare_options::strict(), true}};
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    inject(*op, {.count = 1500, .seed = 1}, ways);
    inject(*op, {.count = 1500, .seed = 2, .most_elements = 40}, ways);
    inject(*op, {.count = 1500, .seed = 3, .most_elements = 4}, ways);
    inject(*op,
           {.count = 2000,
            .seed = 7,
            .most_elements = 40,
            .data = {data_class::unsorted_axes, data_class::signalling_nans, data_class::subnormals}},
           ways);
  }
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    const any_desc desc = goldml_test::default_desc_of(*op->description);
    if (!reduces_args(desc)) continue;
    const std::uint64_t share = is<reduce_desc>(desc) ? 3 : 1;  // it has other functions
    inject(*op, {.count = 2500 * share, .seed = 4, .most_elements = 40, .data = {data_class::all_nan_slices}}, ways);
    inject(*op, {.count = 2500, .seed = 9, .data = {data_class::unsorted_axes}}, ways);
  }
  inject<scatter_nd_desc>({.count = 2500, .seed = 5, .most_elements = 40, .data = {data_class::collisions}}, ways);
  inject<scatter_nd_desc>({.count = 1000, .seed = 8, .most_elements = 40, .data = {data_class::out_of_range}}, ways);
  inject<scatter_elements_desc>({.count = 2500, .seed = 5, .most_elements = 40, .data = {data_class::collisions}},
                                ways);
  inject<max_unpooling_desc>({.count = 2500, .seed = 5, .most_elements = 40, .data = {data_class::collisions}}, ways);
  for (const oracle::any_operator* op : goldml_test::visited_operators())
    if (gathers(any_desc(*op->description)) || op->name() == "SCATTER_ELEMENTS")
      inject(*op, {.count = 1000, .seed = 8, .most_elements = 40, .data = {data_class::out_of_range}}, ways);
  inject_small_values(ways);
  inject_half_precision(ways);
  const oracle::generate_options repeating{
      .count = 500, .seed = 12, .most_elements = 40, .attributes = {"zero_stride=repeat"}};
  inject<slice_desc>(repeating, ways);
  inject<slice1_desc>(repeating, ways);
  // More of REDUCE, two of whose twelve functions number elements.
  inject<reduce_desc>({.count = 5000, .seed = 11, .most_elements = 40, .data = {data_class::unsorted_axes}}, ways);
  // More of attention, which has up to twelve optional operands.
  const oracle::generate_options of_attention{.count = 5000, .seed = 14, .most_elements = 40};
  inject<multihead_attention_desc>(of_attention, ways);
  inject<multihead_attention1_desc>(of_attention, ways);
  // More infinities, without which all is 0, and a slice that is dropped changes nothing.
  inject<element_wise_is_infinity_desc>({.count = 2000, .seed = 13, .most_elements = 40, .data = {data_class::special}},
                                        ways);

  for (const judging& way : ways) {
    fmt::print("\nfault injection, {}\n", way.name);
    way.faults.print("noticed");
    way.deviations.print("accepted");
  }
  fmt::print("\nfault injection: faults and legal deviations, by default and judged strictly\n");
  for (const operator_description* op : operator_descriptions()) {
    fmt::print("  {:<42}", op->name);
    for (judging& way : ways)
      fmt::print(" {:>9} {:>9}", way.faults.by_operator[op->name].tried, way.deviations.by_operator[op->name].tried);
    fmt::print("\n");
  }
  for (const judging& way : ways)
    fmt::print("fault injection, {}: {} injected, {} noticed; {} legal deviations, {} accepted\n", way.name,
               way.faults.all.tried, way.faults.all.right, way.deviations.all.tried, way.deviations.all.right);

  for (const judging& way : ways) {
    INFO(way.name);
    const tally& faults = way.faults;
    const tally& deviations = way.deviations;
    CHECK(faults.all.right == faults.all.tried);
    CHECK(deviations.all.right == deviations.all.tried);

    for (const oracle::any_operator* every : goldml_test::visited_operators()) {
      const operator_description& op = *every->description;
      const any_desc desc(op);
      check_kinds(*every, way);
      if (reduces_args(desc)) {
        deviations.check_every_type(op, "another allowed value", float32_and_16, 20);
        faults.check_every_type(op, "numbered in both orders", {}, 5);
        if (way.strict)
          faults.check_every_type(op, "numbered in the order of Axes, judged strictly", {}, 20);
        else
          deviations.check_every_type(op, "numbered in the order of Axes, and flagged", {}, 20);
      }
      if (making_of(desc) == making::from_bits && !op.name.starts_with("ELEMENT_WISE_BIT_SHIFT") &&
          !is<element_wise_bit_count_desc>(desc))
        faults.check_every_floating_type(op, "another NaN, made from bits", 20);
      if (keeps_nans(desc)) {
        if (way.strict)
          faults.check_every_floating_type(op, "another NaN, judged strictly", 20);
        else
          deviations.check_every_floating_type(op, "another NaN", 20);
      }
    }
    if (const auto& matrix = description_of<diagonal_matrix_desc>(); goldml_test::visits(matrix))
      deviations.check_count(matrix, tally::key(matrix, "another allowed value", 0, data_type::float16), 20);
    if (const auto& nonzero = description_of<nonzero_coordinates_desc>(); goldml_test::visits(nonzero)) {
      deviations.check_every_type(nonzero, "another allowed value", {}, 20);
      faults.check_every_type(nonzero, "flushed by half", float32_only, 20);
    }
    for (const operator_description* op :
         {&description_of<scatter_nd_desc>(), &description_of<scatter_elements_desc>()}) {
      if (!goldml_test::visits(*op)) continue;
      deviations.check_every_type(*op, "another allowed value", {}, 20);
      deviations.check_every_type(*op, "garbage where nothing is defined", {}, 20);
    }
    if (const auto& unpooling = description_of<max_unpooling_desc>(); goldml_test::visits(unpooling))
      deviations.check_every_type(unpooling, "another allowed value", {}, 20);
  }
}
