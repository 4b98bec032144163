// Tests the comparison by fault injection. Faults of many kinds are injected into golden outputs of generated cases,
// and each must be detected; outputs that differ but are correct must be accepted. A fault counts only if it violates
// the rules of allowed.hpp, and each kind must have been counted for each operator, operand and data type.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "../catch.hpp"
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

// Counts by kind and operator, and by kind, operand and data type.
struct tally {
  std::vector<std::string_view> kinds;  // in the order of their first use
  std::map<std::pair<std::string_view, std::string_view>, score> by_operator;
  std::map<std::string, std::uint64_t> by_type;
  score all;

  void add(std::string_view kind, const oracle::generated_case<any_desc>& c, bool is_right) {
    const operator_description& op = c.text.desc.description();
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    by_operator[{kind, op.name}].add(is_right);
    all.add(is_right);
    for (std::size_t i = 0; i < c.text.tensors.size(); ++i)
      if (c.text.tensors[i]) ++by_type[key(op, kind, i, c.text.tensors[i]->data_type)];
  }

  static std::string key(const operator_description& op, std::string_view kind, std::size_t operand, data_type type) {
    return fmt::format("{}: {} {} {}", kind, op.name, op.operands[operand].name, name_of(type));
  }

  std::uint64_t count(const operator_description& op, std::string_view kind, std::size_t operand,
                      data_type type) const {
    const auto found = by_type.find(key(op, kind, operand, type));
    return found == by_type.end() ? 0 : found->second;
  }

  // Each floating type of the output.
  void check_every_floating_type(const operator_description& op, std::string_view kind, std::uint64_t least) const {
    const std::size_t output = op.operands.size() - 1;
    for (const data_type type : {data_type::float16, data_type::float32, data_type::float64}) {
      INFO(key(op, kind, output, type) << ": " << count(op, kind, output, type) << " times");
      CHECK(count(op, kind, output, type) >= least);
    }
  }

  // Each data type that each operand accepts; if `floats` is given, only those floating types.
  void check_every_type(const operator_description& op, std::string_view kind, std::optional<data_type_set> floats,
                        std::uint64_t least) const {
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const data_type_set types = limits_at(op.operands[i], feature_level::latest)->data_types;
      const bool among_floats = floats && types.contains(data_type::float32);
      for (std::uint32_t value = 1; value <= 11; ++value) {
        const auto type = static_cast<data_type>(value);
        if (!types.contains(type) || (among_floats && !floats->contains(type))) continue;
        INFO(key(op, kind, i, type) << ": " << count(op, kind, i, type) << " times");
        CHECK(count(op, kind, i, type) >= least);
      }
    }
  }

  void print(std::string_view title, std::string_view right) const {
    fmt::print("{:<48}", title);
    for (const operator_description* op : operator_descriptions()) fmt::print(" {:>20}", op->name);
    fmt::print(" {:>9} {:>9}\n", "tried", right);
    for (const std::string_view kind : kinds) {
      score sum;
      fmt::print("{:<48}", kind);
      for (const operator_description* op : operator_descriptions()) {
        const auto found = by_operator.find({kind, op->name});
        const score one = found == by_operator.end() ? score{} : found->second;
        sum.tried += one.tried;
        sum.right += one.right;
        fmt::print(" {:>20}", one.tried);
      }
      fmt::print(" {:>9} {:>9}\n", sum.tried, sum.right);
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

void inject(const oracle::any_operator& op, const oracle::generated_case<any_desc>& c, oracle::random_source& random,
            both_ways& ways) {
  const std::vector<std::vector<output_rules>> by_default = right_answers(c, false), strictly = right_answers(c, true);
  const std::vector<output_rules>& rules = strictly.front();
  const std::vector<values> golden = golden_values(c.expected.answers.front());
  if (broken_elements(rules, golden, c.outputs, true) != 0)
    FAIL_CHECK("the golden answer breaks the page: " << c.line());

  for (const fault_kind& kind : fault_kinds(op)) {
    answer faulty{random, op, c, rules, golden};
    if (!kind.make(faulty)) continue;
    if (broken_elements(rules, faulty.outputs, c.outputs, true) == 0) continue;
    const auto wanted = random.chance(60) ? layout::as_golden : random.chance(50) ? layout::packed : layout::any;
    const auto tensors = in_memory(random, c.outputs, faulty.outputs, wanted);
    for (judging& way : ways) {
      const std::uint64_t broken =
          broken_elements(c.text.desc, way.strict ? strictly : by_default, faulty.outputs, c.outputs, way.strict);
      const oracle::judgement judged = oracle::compare(c.expected, refs_of(tensors), way.options);
      if (broken != 0)
        way.faults.add(kind.name, c, !judged.tolerated() && judged.result.differing() == broken);
      else  // the change happens to be allowed by default
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
    if (op.golden->flush && c.inputs[0].desc().data_type == data_type::float32)
      try_flushes(random, c, way.options, deviation, fault);
  }
}

void inject(const oracle::any_operator& op, const oracle::generate_options& options, oracle::random_source& random,
            both_ways& ways) {
  for (const auto& c : oracle::cases<any_desc>(op, options)) inject(op, c, random, ways);
}
template <class Desc>
void inject(const oracle::generate_options& options, oracle::random_source& random, both_ways& ways) {
  inject(oracle::any_operator_of<Desc>(), options, random, ways);
}
template <class Desc>
void inject(const oracle::test_case<Desc>& text, oracle::random_source& random, both_ways& ways) {
  const oracle::any_operator& op = oracle::any_operator_of<Desc>();
  inject(op, oracle::make_case(op, oracle::detail::to_any(text)), random, ways);
}

// The output of ARGMIN and ARGMAX is rarely a square.
template <class Desc>
void inject_squares(oracle::random_source& random, both_ways& ways) {
  for (std::uint64_t number = 0; number < 600; ++number) {
    oracle::test_case<Desc> text = oracle::sample_case<Desc>({}, number);
    const std::uint64_t side = 2 + random.below(4);
    text.desc.axes = {0};
    text.tensors[0] = {.data_type = text.tensors[0]->data_type, .sizes = {3 + random.below(3), side, side}};
    text.tensors[1] = {.data_type = text.tensors[1]->data_type, .sizes = {1, side, side}};
    inject(text, random, ways);
  }
}

// SLICE1's output is rarely a square either, and small; here it is a whole square, in either direction, mostly with
// gaps. Also squares of DIAGONAL_MATRIX whose diagonal is not the main one.
void inject_other_squares(oracle::random_source& random, both_ways& ways) {
  for (std::uint64_t number = 0; number < 600; ++number) {
    oracle::test_case<slice1_desc> text = oracle::sample_case<slice1_desc>({}, number);
    const auto side = static_cast<std::uint32_t>(2 + random.below(4));
    text.desc.input_window_offsets = {0, 0};
    text.desc.input_window_sizes = {side, side};
    text.desc.input_window_strides = {random.chance(50) ? 1 : -1, random.chance(50) ? 1 : -1};
    text.tensors[0] = {.data_type = text.tensors[0]->data_type, .sizes = {side, side}};
    text.tensors[1] = text.tensors[0];
    if (random.chance(70)) text.tensors[1]->strides = {2 * side + 3, 2};
    inject(text, random, ways);

    oracle::test_case<diagonal_matrix_desc> matrix = oracle::sample_case<diagonal_matrix_desc>({}, number);
    matrix.tensors[0] = {.data_type = matrix.tensors[0]->data_type, .sizes = {side, side}};
    matrix.desc.offset = random.chance(50) ? 1 : -1;
    if (number < 300) inject(matrix, random, ways);
  }
}

// Values that are subnormal or zero, which the generators rarely choose, and some that FLOAT16 cannot represent.
void inject_small_values(oracle::random_source& random, both_ways& ways) {
  for (std::uint64_t number = 0; number < 1200; ++number) {
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
      inject(fill, random, ways);
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
    inject(matrix, random, ways);
  }
}

}  // namespace

TEST_CASE(
    "fault injection: by default and judged strictly, every fault is "
    "noticed, every legal deviation accepted",
    "[oracle]") {
  using oracle::data_class;
  both_ways ways{judging{"by default", {}, false}, judging{"judged strictly", oracle::compare_options::strict(), true}};
  oracle::random_source random(20'250'805);
  for (const oracle::any_operator* op : oracle::every_operator()) {
    inject(*op, {.count = 1500, .seed = 1}, random, ways);
    inject(*op, {.count = 1500, .seed = 2, .most_elements = 40}, random, ways);
    inject(*op, {.count = 3500, .seed = 3, .most_elements = 4}, random,
           ways);  // squares, and flushes
    inject(*op,
           {.count = 2000,
            .seed = 7,
            .most_elements = 40,
            .data = {data_class::unsorted_axes, data_class::signalling_nans, data_class::subnormals}},
           random, ways);
  }
  inject<argmin_desc>({.count = 2500, .seed = 4, .most_elements = 40, .data = {data_class::all_nan_slices}}, random,
                      ways);
  inject<argmax_desc>({.count = 2500, .seed = 6, .most_elements = 40, .data = {data_class::all_nan_slices}}, random,
                      ways);
  inject<scatter_nd_desc>({.count = 2500, .seed = 5, .most_elements = 40, .data = {data_class::collisions}}, random,
                          ways);
  inject<scatter_nd_desc>({.count = 1000, .seed = 8, .most_elements = 40, .data = {data_class::out_of_range}}, random,
                          ways);
  inject<argmin_desc>({.count = 2500, .seed = 9, .data = {data_class::unsorted_axes}}, random, ways);
  inject<argmax_desc>({.count = 2500, .seed = 10, .data = {data_class::unsorted_axes}}, random, ways);
  inject_squares<argmin_desc>(random, ways);
  inject_squares<argmax_desc>(random, ways);
  inject_other_squares(random, ways);
  inject_small_values(random, ways);

  for (const judging& way : ways) {
    fmt::print("\nfault injection, {}\n", way.name);
    way.faults.print("fault", "noticed");
    way.deviations.print("legal deviation", "accepted");
    fmt::print(
        "fault injection, {}: {} injected, {} noticed; {} legal "
        "deviations, {} accepted\n",
        way.name, way.faults.all.tried, way.faults.all.right, way.deviations.all.tried, way.deviations.all.right);
  }
  for (const judging& way : ways) {
    INFO(way.name);
    const tally& faults = way.faults;
    const tally& deviations = way.deviations;
    CHECK(faults.all.right == faults.all.tried);
    CHECK(deviations.all.right == deviations.all.tried);

    for (const oracle::any_operator* every : oracle::every_operator()) {
      const operator_description& op = *every->description;
      const any_desc desc(op);
      for (const fault_kind& kind : fault_kinds(*every))
        faults.check_every_type(op, kind.name, kind.floats, kind.name == "a square transposed" ? 5 : 20);
      for (const form_fault& form : form_faults()) faults.check_every_type(op, form.name, {}, 100);
      for (const std::string_view kind : {"garbage between elements", "garbage in padding", "another layout"})
        deviations.check_every_type(op, kind, {}, 20);
      if (every->golden->flush) {
        deviations.check_every_type(op, "not flushed, where flushing is allowed", float32_only, 20);
        if (way.strict)
          faults.check_every_type(op, "flushed, judged strictly", float32_only, 20);
        else
          deviations.check_every_type(op, "flushed", float32_only, 20);
      }
      if (reduces_args(desc)) {
        deviations.check_every_type(op, "any index for a slice of NaN", float32_and_16, 20);
        faults.check_every_type(op, "numbered in both orders", {}, 5);
        if (way.strict) {
          faults.check_every_type(op, "numbered in the order of Axes, judged strictly", {}, 20);
        } else {
          deviations.check_every_type(op, "numbered in the order of Axes, and flagged", {}, 20);
          deviations.check_every_type(op, "flushed in some slices", float32_only, 20);
        }
      } else if (!is<nonzero_coordinates_desc>(desc) &&
                 !is<diagonal_matrix_desc>(desc)) {  // its Value is none of the class's NaNs
        if (way.strict)
          faults.check_every_floating_type(op, "another NaN, judged strictly", 20);
        else
          deviations.check_every_floating_type(op, "another NaN", 20);
      }
    }
    CHECK(deviations.count(description_of<diagonal_matrix_desc>(),
                           "either neighbour of a Value that FLOAT16 does not hold", 0, data_type::float16) >= 20);
    deviations.check_every_type(description_of<nonzero_coordinates_desc>(), "garbage in undefined rows", {}, 20);
    deviations.check_every_type(description_of<scatter_nd_desc>(), "any winner of a collision, element by element", {},
                                20);
    deviations.check_every_type(description_of<scatter_nd_desc>(), "garbage where nothing is defined", {}, 20);
    faults.check_every_type(description_of<nonzero_coordinates_desc>(), "flushed by half", float32_only, 20);
  }
}
