// Judging the judge: faults of many kinds are put into golden answers of generated cases, and the comparison must
// notice each; answers that differ and are right must be accepted. A fault counts only where it breaks the rules of
// allowed.hpp, and each kind must have counted for each operator, operand and data type.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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
  std::uint64_t right = 0;  // noticed, or accepted

  void add(bool is_right) {
    ++tried;
    if (is_right) ++right;
  }
};

// By kind and operator; and how often by kind, operand and data type.
struct tally {
  std::vector<std::string_view> kinds;  // as they came
  std::map<std::pair<std::string_view, std::string_view>, score> by_operator;
  std::map<std::string, std::uint64_t> by_type;
  score all;

  template <class Desc>
  void add(std::string_view kind, const oracle::generated_case<Desc>& c, bool is_right) {
    using traits = operator_traits<Desc>;
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    by_operator[{kind, traits::name}].add(is_right);
    all.add(is_right);
    for (std::size_t i = 0; i < c.text.tensors.size(); ++i)
      if (c.text.tensors[i]) ++by_type[key<Desc>(kind, i, c.text.tensors[i]->data_type)];
  }

  template <class Desc>
  static std::string key(std::string_view kind, std::size_t operand, data_type type) {
    return fmt::format("{}: {} {} {}", kind, operator_traits<Desc>::name, operator_traits<Desc>::operands[operand].name,
                       name_of(type));
  }

  // Each data type that each operand takes; of floating ones only `floats`, where that is given.
  template <class Desc>
  void check_every_type(std::string_view kind, std::optional<data_type_set> floats, std::uint64_t least) const {
    using traits = operator_traits<Desc>;
    for (std::size_t i = 0; i < traits::operands.size(); ++i) {
      const data_type_set types = limits_at(traits::operands[i], feature_level::latest)->data_types;
      const bool among_floats = floats && types.contains(data_type::float32);
      for (std::uint32_t value = 1; value <= 11; ++value) {
        const auto type = static_cast<data_type>(value);
        if (!types.contains(type) || (among_floats && !floats->contains(type))) continue;
        const std::string name = key<Desc>(kind, i, type);
        const auto found = by_type.find(name);
        INFO(name << ": " << (found == by_type.end() ? 0 : found->second) << " times");
        CHECK((found != by_type.end() && found->second >= least));
      }
    }
  }

  void print(std::string_view title, std::string_view right) const {
    fmt::print("{:<48}", title);
    for_each_operator(all_operators{},
                      []<class Desc>(std::type_identity<Desc>) { fmt::print(" {:>20}", operator_traits<Desc>::name); });
    fmt::print(" {:>9} {:>9}\n", "tried", right);
    for (const std::string_view kind : kinds) {
      score sum;
      fmt::print("{:<48}", kind);
      for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
        const auto found = by_operator.find({kind, operator_traits<Desc>::name});
        const score one = found == by_operator.end() ? score{} : found->second;
        sum.tried += one.tried;
        sum.right += one.right;
        fmt::print(" {:>20}", one.tried);
      });
      fmt::print(" {:>9} {:>9}\n", sum.tried, sum.right);
    }
  }
};

template <class Desc>
void inject(const oracle::generated_case<Desc>& c, oracle::random_source& random, tally& faults, tally& deviations) {
  const std::vector<output_rules> rules = rules_of(c);
  const std::vector<values> golden = golden_values(c.expected.answers.front());
  if (broken_elements(rules, golden) != 0) FAIL_CHECK("the golden answer breaks the page: " << c.line());

  for (const fault_kind<Desc>& kind : fault_kinds<Desc>()) {
    answer<Desc> faulty{random, c, rules, golden};
    if (!kind.make(faulty)) continue;
    const std::uint64_t broken = broken_elements(rules, faulty.outputs);
    if (broken == 0) continue;
    const auto wanted = random.chance(60) ? layout::as_golden : random.chance(50) ? layout::packed : layout::any;
    const auto tensors = in_memory(random, c.outputs, faulty.outputs, wanted);
    const auto judged = oracle::compare(c.expected, refs_of(tensors)).result;
    faults.add(kind.name, c, !judged.agrees() && judged.differing() == broken);
  }
  const auto right = in_memory(random, c.outputs, golden, layout::as_golden);
  for (const form_fault& form : form_faults())
    if (bool noticed = false; form.inject(random, c.expected, right, noticed)) faults.add(form.name, c, noticed);

  const auto deviation = [&](std::string_view kind, bool accepted) { deviations.add(kind, c, accepted); };
  try_deviations(random, c, rules, golden, deviation);
  if constexpr (requires { operator_traits<Desc>::flush; })
    if (c.inputs[0].desc().data_type == data_type::float32)
      try_flushes(random, c, deviation, [&](std::string_view kind, bool noticed) { faults.add(kind, c, noticed); });
}

template <class Desc>
void inject(const oracle::generate_options& options, oracle::random_source& random, tally& faults, tally& deviations) {
  for (const oracle::generated_case<Desc>& c : oracle::cases<Desc>(options)) inject(c, random, faults, deviations);
}

// The output of ARGMIN and ARGMAX is hardly ever a square by chance.
template <class Desc>
void inject_squares(oracle::random_source& random, tally& faults, tally& deviations) {
  for (std::uint64_t number = 0; number < 600; ++number) {
    oracle::test_case<Desc> text = oracle::sample_case<Desc>({}, number);
    const std::uint64_t side = 2 + random.below(4);
    text.desc.axes = {0};
    text.tensors[0] = {.data_type = text.tensors[0]->data_type, .sizes = {3 + random.below(3), side, side}};
    text.tensors[1] = {.data_type = text.tensors[1]->data_type, .sizes = {1, side, side}};
    inject(oracle::make_case(text), random, faults, deviations);
  }
}

// Nor is SLICE1's, which is small, too; here it is the whole of a square, in either direction, and mostly with gaps.
// And squares of DIAGONAL_MATRIX whose diagonal is beside the main one.
void inject_other_squares(oracle::random_source& random, tally& faults, tally& deviations) {
  for (std::uint64_t number = 0; number < 600; ++number) {
    oracle::test_case<slice1_desc> text = oracle::sample_case<slice1_desc>({}, number);
    const auto side = static_cast<std::uint32_t>(2 + random.below(4));
    text.desc.input_window_offsets = {0, 0};
    text.desc.input_window_sizes = {side, side};
    text.desc.input_window_strides = {random.chance(50) ? 1 : -1, random.chance(50) ? 1 : -1};
    text.tensors[0] = {.data_type = text.tensors[0]->data_type, .sizes = {side, side}};
    text.tensors[1] = text.tensors[0];
    if (random.chance(70)) text.tensors[1]->strides = {2 * side + 3, 2};
    inject(oracle::make_case(text), random, faults, deviations);

    oracle::test_case<diagonal_matrix_desc> matrix = oracle::sample_case<diagonal_matrix_desc>({}, number);
    matrix.tensors[0] = {.data_type = matrix.tensors[0]->data_type, .sizes = {side, side}};
    matrix.desc.offset = random.chance(50) ? 1 : -1;
    if (number < 300) inject(oracle::make_case(matrix), random, faults, deviations);
  }
}

// Values that are subnormal or a zero, which the generators hardly ever choose; and of FLOAT16 some between two
// numbers.
void inject_small_values(oracle::random_source& random, tally& faults, tally& deviations) {
  for (std::uint64_t number = 0; number < 1200; ++number) {
    oracle::test_case<fill_value_constant_desc> fill = oracle::sample_case<fill_value_constant_desc>({}, number);
    const data_type filled = fill.tensors[0]->data_type;
    if (float_types.contains(filled)) {
      const std::uint32_t size = 8 * element_size_in_bytes(filled);
      const bits sign = random.below(2) << (size - 1);
      fill.desc.value = scalar::from_bits(filled, sign | random.below(0x300));
      if (random.chance(30)) fill.desc.value = scalar::from_bits(filled, sign);
      inject(oracle::make_case(fill), random, faults, deviations);
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
    inject(oracle::make_case(matrix), random, faults, deviations);
  }
}

}  // namespace

TEST_CASE("fault injection: every fault is noticed, every legal deviation accepted", "[oracle]") {
  using oracle::data_class;
  tally faults;
  tally deviations;
  oracle::random_source random(20'250'805);
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    inject<Desc>({.count = 1500, .seed = 1}, random, faults, deviations);
    inject<Desc>({.count = 1500, .seed = 2, .most_elements = 40}, random, faults, deviations);
    inject<Desc>({.count = 3500, .seed = 3, .most_elements = 4}, random, faults, deviations);  // squares, and flushes
  });
  inject<argmin_desc>({.count = 2500, .seed = 4, .most_elements = 40, .data = {data_class::all_nan_slices}}, random,
                      faults, deviations);
  inject<argmax_desc>({.count = 2500, .seed = 6, .most_elements = 40, .data = {data_class::all_nan_slices}}, random,
                      faults, deviations);
  inject<scatter_nd_desc>({.count = 2500, .seed = 5, .most_elements = 40, .data = {data_class::collisions}}, random,
                          faults, deviations);
  inject_squares<argmin_desc>(random, faults, deviations);
  inject_squares<argmax_desc>(random, faults, deviations);
  inject_other_squares(random, faults, deviations);
  inject_small_values(random, faults, deviations);

  faults.print("fault", "noticed");
  deviations.print("legal deviation", "accepted");
  fmt::print("fault injection: {} injected, {} noticed; {} legal deviations, {} accepted\n", faults.all.tried,
             faults.all.right, deviations.all.tried, deviations.all.right);
  CHECK(faults.all.right == faults.all.tried);
  CHECK(deviations.all.right == deviations.all.tried);

  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    for (const fault_kind<Desc>& kind : fault_kinds<Desc>())
      faults.check_every_type<Desc>(kind.name, kind.floats, kind.name == "a square transposed" ? 5 : 20);
    for (const form_fault& form : form_faults()) faults.check_every_type<Desc>(form.name, {}, 100);
    for (const std::string_view kind : {"garbage between elements", "garbage in padding", "another layout"})
      deviations.check_every_type<Desc>(kind, {}, 20);
    if constexpr (requires { operator_traits<Desc>::flush; }) {
      for (const std::string_view kind : {"not flushed, where flushing is allowed", "flushed"})
        deviations.check_every_type<Desc>(kind, float32_only, 20);
      faults.check_every_type<Desc>("flushed where that is not allowed", float32_only, 20);
    }
  });
  deviations.check_every_type<argmin_desc>("any index for a slice of NaN", float32_and_16, 20);
  deviations.check_every_type<argmax_desc>("any index for a slice of NaN", float32_and_16, 20);
  deviations.check_every_type<argmin_desc>("flushed in some slices", float32_only, 20);
  deviations.check_every_type<argmax_desc>("flushed in some slices", float32_only, 20);
  CHECK(deviations.by_type[tally::key<diagonal_matrix_desc>("either neighbour of a Value that FLOAT16 does not hold", 0,
                                                            data_type::float16)] >= 20);
  deviations.check_every_type<nonzero_coordinates_desc>("garbage in undefined rows", {}, 20);
  deviations.check_every_type<scatter_nd_desc>("any winner of a collision, element by element", {}, 20);
  faults.check_every_type<nonzero_coordinates_desc>("flushed by half", float32_only, 20);
}
