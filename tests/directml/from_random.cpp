// Twenty thousand random descs of the plain operators (valid, broken and arbitrary) in memory of exactly their size:
// each gives the same violation as goldml's own check of the equivalent desc, and valid ones give the same bytes on
// both CPU backends.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/oracle/generate_illegal.hpp>

#include "catch.hpp"
#include "from_backends.hpp"
#include "from_plain.hpp"

using namespace directml_tests;

namespace {

using oracle::random_source;

// The operand that a plain tensor must be converted to.
operand expected_operand(const plain_tensor& t) {
  if (!t.given) return {};
  operand result{.desc = tensor_desc{.type = static_cast<tensor_type>(t.type)}, .memory = {}};
  if (!t.has_desc) {
    result.null_member = "Desc";
    return result;
  }
  if (t.type != 1) return result;  // the type of *Desc is unknown
  tensor_desc& desc = *result.desc;
  desc.data_type = static_cast<data_type>(t.data_type);
  desc.flags = static_cast<tensor_flags>(t.flags);
  desc.total_tensor_size_in_bytes = t.total_size;
  desc.guaranteed_base_offset_alignment = t.alignment;
  if (!t.sizes) {
    result.null_member = "Sizes";
  } else if (t.dimension_count > 8) {
    desc.sizes = dimensions::filled(t.dimension_count, 1);  // their number is invalid, so their values are irrelevant
  } else {
    desc.sizes = dimensions(*t.sizes);
    if (t.strides) desc.strides = dimensions(*t.strides);
  }
  return result;
}

// A list: overlong if it has more than 8 entries, null() if it is null with a count.
template <class List>
List expected_list(const std::optional<std::vector<std::uint32_t>>& list, std::uint32_t count) {
  using entry = std::conditional_t<std::is_same_v<List, dimensions>, std::uint32_t, std::int32_t>;
  if (!list) return count == 0 ? List{} : List::null();
  List result;
  for (std::uint32_t i = 0; i < count && i < 9; ++i) result.push_back(static_cast<entry>(i < 8 ? (*list)[i] : 0u));
  return result;
}

template <class Desc>
requires std::is_same_v<Desc, argmin_desc> || std::is_same_v<Desc, argmax_desc> Desc
expected_desc(const plain_operator& op, const Desc&) {
  return {.axes = expected_list<dimensions>(op.axes, op.axis_count),
          .axis_direction = static_cast<axis_direction>(op.axis_direction)};
}
diagonal_matrix_desc expected_desc(const plain_operator& op, const diagonal_matrix_desc&) {
  return {.offset = op.offset, .value = op.float_value};
}
fill_value_constant_desc expected_desc(const plain_operator& op, const fill_value_constant_desc&) {
  return {.value = scalar::from_bytes(static_cast<data_type>(op.value_data_type), op.value)};
}
slice1_desc expected_desc(const plain_operator& op, const slice1_desc&) {
  return {.input_window_offsets = expected_list<dimensions>(op.offsets, op.window_count),
          .input_window_sizes = expected_list<dimensions>(op.windows, op.window_count),
          .input_window_strides = expected_list<int32_list>(op.window_strides, op.window_count)};
}
nonzero_coordinates_desc expected_desc(const plain_operator&, const nonzero_coordinates_desc& desc) { return desc; }
scatter_nd_desc expected_desc(const plain_operator& op, const scatter_nd_desc&) {
  return {.input_dimension_count = op.input_dimension_count, .indices_dimension_count = op.indices_dimension_count};
}
diagonal_matrix1_desc expected_desc(const plain_operator& op, const diagonal_matrix1_desc&) {
  return {.value = scalar::from_bytes(static_cast<data_type>(op.value_data_type), op.value),
          .diagonal_fill_begin = op.fill_begin,
          .diagonal_fill_end = op.fill_end};
}

// goldml's violation as text, or "" for a valid desc.
template <class Desc>
std::string expected_answer(const plain_operator& op, feature_level level) {
  Desc desc = expected_desc(op, Desc{});
  desc.feature_level = level;
  if (!op.has_desc && level >= first_feature_level<Desc>())
    return std::string(operator_traits<Desc>::name) + " T1: Desc is null, wanted a pointer";
  operands_of<Desc> operands;
  for (std::size_t i = 0; i < operands.size() && i < op.tensors.size() && op.has_desc; ++i)
    operands[i] = expected_operand(op.tensors[i]);
  violation_sink sink;
  check(desc, operands, sink);
  if (!sink.first()) return "";
  const violation& first = *sink.first();
  if (first.operand.empty() && first.member == "Axes" && !op.axes && op.axis_count != 0)
    return fmt::format("{} {}: Axes is null, wanted a pointer (AxisCount is {})", first.operator_name, first.rule,
                       op.axis_count);
  if (first.operand.empty() && first.member == "DimensionCount" && op.window_count != 0) {
    const std::string_view null = !op.offsets          ? "InputWindowOffsets"
                                  : !op.windows        ? "InputWindowSizes"
                                  : !op.window_strides ? "InputWindowStrides"
                                                       : "";
    if (!null.empty())
      return fmt::format("SLICE1 SL4: {} is null, wanted a pointer (DimensionCount is {})", null, op.window_count);
  }
  return to_string(first);
}

// A list with `count` entries, but at most 8. A few lists are null.
std::optional<std::vector<std::uint32_t>> random_list(random_source& random, std::uint32_t count,
                                                      std::uint32_t highest) {
  if (random.chance(5)) return std::nullopt;
  std::vector<std::uint32_t> list((std::min)(count, std::uint32_t{8}));
  for (std::uint32_t& entry : list)
    entry = random.chance(2) ? static_cast<std::uint32_t>(random.bits())
                             : static_cast<std::uint32_t>(random.below(highest));
  return list;
}

std::uint32_t random_count(random_source& random) {
  return random.chance(10) ? static_cast<std::uint32_t>(random.bits()) : static_cast<std::uint32_t>(random.below(10));
}

std::uint32_t any_number(random_source& random, std::uint32_t few) {
  return random.chance(20) ? static_cast<std::uint32_t>(random.bits()) : static_cast<std::uint32_t>(random.below(few));
}

// The number of a plain operator, or one that goldml does not know.
std::uint32_t any_type(random_source& random) {
  const std::uint32_t number = any_number(random, 180);
  bool is_plain = false;
  for_each_operator(plain_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    is_plain = is_plain || number == operator_traits<Desc>::enumerator;
  });
  return is_plain || directml::find_structure(number) == nullptr ? number : number + 1000;
}

plain_tensor random_tensor(random_source& random) {
  plain_tensor t{.given = !random.chance(5),
                 .type = random.chance(90) ? 1 : any_number(random, 3),
                 .has_desc = !random.chance(5),
                 .data_type = any_number(random, 15),
                 .flags = random.chance(80) ? 0 : any_number(random, 4),
                 .dimension_count = random_count(random),
                 .total_size = random.chance(20) ? random.bits() : random.below(4096),
                 .alignment = random.chance(70) ? 0 : any_number(random, 40)};
  // A wrong count has no entries: what is not read need not exist.
  t.sizes = random_list(random, t.dimension_count > 8 ? 0 : t.dimension_count, 4);
  if (random.chance(40)) t.strides = random_list(random, t.dimension_count > 8 ? 0 : t.dimension_count, 5);
  return t;
}

void randomise_attributes(random_source& random, plain_operator& op) {
  op.axis_count = random_count(random);
  op.axes = random_list(random, op.axis_count, 9);
  op.axis_direction = any_number(random, 3);
  op.input_dimension_count = any_number(random, 10);
  op.indices_dimension_count = any_number(random, 10);
  op.value_data_type = any_number(random, 15);
  for (std::byte& byte : op.value) byte = static_cast<std::byte>(random.bits());
  op.offset = static_cast<std::int32_t>(any_number(random, 5));
  op.float_value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
  if (random.chance(50)) op.float_value = static_cast<float>(random.below(100)) / 4;
  op.window_count = random_count(random);
  op.offsets = random_list(random, op.window_count, 3);
  op.windows = random_list(random, op.window_count, 4);
  op.window_strides = random_list(random, op.window_count, 4);
  op.fill_begin = static_cast<std::int32_t>(any_number(random, 5));
  op.fill_end = static_cast<std::int32_t>(any_number(random, 5));
}

// Changes one random part.
void mutate(random_source& random, plain_operator& op) {
  plain_tensor& t = op.tensors[random.below(op.tensors.size())];
  const plain_tensor other = random_tensor(random);
  plain_operator attributes = op;
  randomise_attributes(random, attributes);
  switch (random.below(14)) {
    case 0:
      t.given = false;
      break;
    case 1:
      t.type = other.type;
      break;
    case 2:
      t.has_desc = false;
      break;
    case 3:
      t.data_type = other.data_type;
      break;
    case 4:
      t.flags = any_number(random, 3);
      break;
    case 5:
      t = other;
      break;
    case 6:
      t.sizes = std::nullopt;
      break;
    case 7:
      t.strides = std::nullopt;
      break;
    case 8:
      t.total_size += 4 * random.below(16);
      break;
    case 9:
      t.alignment = std::uint32_t{1} << random.below(12);
      break;
    case 10:
      op.has_desc = !random.chance(20);
      break;
    case 11:
      op.type = random.chance(30) ? any_type(random) : op.type;
      break;
    case 12:
      op.axes = op.windows = std::nullopt;
      break;
    default:
      attributes.tensors = op.tensors, op = attributes;
  }
}

template <class Desc>
plain_operator random_operator(random_source& random, std::uint64_t number) {
  const oracle::generate_options options{.seed = 6, .most_elements = 60};
  switch (random.below(4)) {
    case 0:
      return plain(oracle::sample_case<Desc>(options, number));
    case 1: {
      const auto illegal = oracle::sample_illegal_case<Desc>(options, number).text;
      return plain(illegal);
    }
    case 2: {
      plain_operator op = plain(oracle::sample_case<Desc>(options, number));
      for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) mutate(random, op);
      return op;
    }
    default: {
      plain_operator op{.type = operator_traits<Desc>::enumerator, .tensors = {}};
      for (std::size_t i = 0; i < operator_traits<Desc>::operands.size(); ++i)
        op.tensors.push_back(random_tensor(random));
      randomise_attributes(random, op);
      return op;
    }
  }
}

using call = void (*)(const DML_OPERATOR_DESC&, const std::vector<directml::input_buffer>&,
                      const std::vector<directml::output_buffer>&, const directml::policies&);

struct outcome {
  std::string refusal;  // the text, or empty
  std::vector<std::vector<std::uint64_t>> outputs;
};

// Memory of the tensors' size; small if the desc is illegal anyway. In units of 8 bytes, aligned for all types.
template <class Desc>
outcome outcome_of(call on, const plain_operator& op, const DML_OPERATOR_DESC& desc, const directml::policies& given,
                   bool legal, std::uint64_t seed) {
  random_source random(seed);
  std::vector<std::vector<std::uint64_t>> memory;
  std::vector<std::uint64_t> sizes;
  for (const plain_tensor& t : op.tensors) {
    sizes.push_back(!legal ? 64 : t.given ? t.total_size : 0);
    memory.emplace_back(static_cast<std::size_t>((sizes.back() + 7) / 8), 0xA5A5'A5A5'A5A5'A5A5);
  }
  std::vector<directml::input_buffer> inputs;
  std::vector<directml::output_buffer> outputs;
  const std::size_t input_count = input_tensor_count<Desc>(op.tensors.size());
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (i < input_count) {
      const bool low = random.chance(50);  // small indices, often in range
      for (std::uint64_t& word : memory[i]) word = random.bits() & (low ? 0x0000'0001'0000'0003 : ~std::uint64_t{0});
      inputs.emplace_back(memory[i].data(), sizes[i]);
    } else {
      outputs.emplace_back(memory[i].data(), sizes[i]);
    }
  outcome result;
  try {
    on(desc, inputs, outputs, given);
  } catch (const error& refusal) {
    result.refusal = refusal.what();
  }
  result.outputs.assign(memory.begin() + static_cast<std::ptrdiff_t>(input_count), memory.end());
  return result;
}

template <class Enum>
Enum any_of(random_source& random) {
  return enumeration<Enum>::values[random.below(enumeration<Enum>::values.size())].value;
}

struct tally {
  int legal = 0, refused = 0, computed = 0, null_pointers = 0;
  std::map<std::string, int> rules;
};

template <class Desc>
void check_one(std::uint64_t number, tally& counts) {
  random_source random(number * 77 + 5);
  const plain_operator op = random_operator<Desc>(random, number);
  const directml::policies given{
      .feature_level = random.chance(80) ? feature_level::latest : feature_levels[random.below(15)].value,
      .nan_policy = any_of<nan_policy>(random),
      .range_policy = any_of<range_policy>(random),
      .duplicates = any_of<duplicates>(random)};
  const dml_operator structures(op);
  CAPTURE(number, operator_traits<Desc>::name);

  const auto broken = directml::validate(structures, given.feature_level);
  const std::string answer = broken ? to_string(*broken) : "";
  std::string expected = fmt::format("DML_OPERATOR_DESC T11: Type is {}, wanted ", op.type);
  bool known = false;
  for_each_operator(plain_operators{}, [&]<class Any>(std::type_identity<Any>) {
    if (op.type != operator_traits<Any>::enumerator) return;
    known = true;
    expected = expected_answer<Any>(op, given.feature_level);
  });
  REQUIRE((known ? answer : answer.substr(0, expected.size())) == expected);
  const auto all = directml::violations(structures, given.feature_level);
  REQUIRE(all.empty() == answer.empty());
  if (!all.empty()) REQUIRE(to_string(all.front()) == answer);

  const bool legal = answer.empty();
  counts.legal += legal ? 1 : 0;
  counts.refused += legal ? 0 : 1;
  if (broken) ++counts.rules[std::string(broken->rule)];
  if (broken && broken->got.view() == "null") ++counts.null_pointers;
  if (op.type != operator_traits<Desc>::enumerator) return;  // it has another number of tensors
  const outcome judge = outcome_of<Desc>(on_reference, op, structures, given, legal, number);
  const outcome cpu = outcome_of<Desc>(on_cpu, op, structures, given, legal, number);
  REQUIRE(cpu.refusal == judge.refusal);
  REQUIRE(cpu.outputs == judge.outputs);
  if (!legal) REQUIRE(judge.refusal == answer);
  if (judge.refusal.empty())
    ++counts.computed;
  else
    for (const auto& output : judge.outputs)
      for (const std::uint64_t word : output) REQUIRE(word == 0xA5A5'A5A5'A5A5'A5A5);
}

}  // namespace

TEST_CASE("directml: random descs give goldml's violations, and valid ones the same results") {
  constexpr std::uint64_t count = 20'000;
  std::uint64_t operator_count = 0;
  for_each_operator(plain_operators{}, [&](auto) { ++operator_count; });
  tally counts;
  for (std::uint64_t number = 0; number < count; ++number) {
    std::uint64_t turn = 0;
    for_each_operator(plain_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
      if (number % operator_count == turn++) check_one<Desc>(number, counts);
    });
  }
  std::printf("directml: %d random descs, %d legal, %d refused\n", counts.legal + counts.refused, counts.legal,
              counts.refused);
  CHECK(counts.legal + counts.refused == count);
  CHECK(counts.legal > 4000);
  CHECK(counts.refused > 10'000);
  CHECK(counts.computed > 3000);
  CHECK(counts.null_pointers > 1000);
  for (const char* rule : {"T1",  "T2",  "T3",  "T4",  "T5",  "T6",  "T7",  "T8",  "T9",  "T10", "T11", "A2",  "A3",
                           "A4",  "A6",  "A8",  "N1",  "N3",  "S1",  "S2",  "S4",  "D1",  "D3",  "D5",  "AX2", "AX3",
                           "AX4", "AX6", "AX8", "DM1", "FC1", "SL1", "SL2", "SL4", "SL5", "SL6", "SL7", "SL8"}) {
    CAPTURE(rule);
    CHECK(counts.rules[rule] > 0);
  }
}
