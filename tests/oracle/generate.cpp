// The generator: the same cases on every platform, legal and of every kind, and illegal cases that break the stated
// rule.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/goldml.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/generate_illegal.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../support/every_operator.hpp"
#include "../support/refusals.hpp"

using namespace goldml;

namespace {

// FNV-1a, 64 bits.
struct hash {
  std::uint64_t value = 0xCBF2'9CE4'8422'2325;

  void add(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) value = (value ^ std::to_integer<std::uint64_t>(b)) * 0x0000'0100'0000'01B3;
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
};

// Lines, inputs and golden outputs, including gaps.
template <class Desc>
std::uint64_t hash_of(const oracle::cases<Desc>& cases) {
  hash result;
  for (const oracle::generated_case<Desc>& c : cases) {
    result.add(c.line());
    for (const host_tensor& input : c.inputs) result.add(input.bytes());
    for (const oracle::golden_output& output : c.expected.answers.front()) result.add(output.values.bytes());
  }
  return result.value;
}
template <class Desc>
std::uint64_t hash_of(const oracle::generate_options& options) {
  return hash_of(oracle::cases<Desc>(options));
}
std::uint64_t hash_of(const oracle::any_operator& op, const oracle::generate_options& options) {
  return hash_of(oracle::cases<any_desc>(op, options));
}

std::vector<std::string> broken_rules(const oracle::test_case<any_desc>& c) {
  std::vector<std::string> rules;
  for (const violation& v : goldml_test::violations_of(c.desc, c.tensors)) rules.emplace_back(v.rule);
  return rules;
}

// Whether each dimension of more than one element has a stride within the span of those with smaller strides.
bool interleaves(const dimensions& sizes, const dimensions& strides) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::uint64_t reach = 0;
    for (std::size_t j = 0; j < sizes.size(); ++j)
      if (strides[j] < strides[i]) reach += (sizes[j] - std::uint64_t{1}) * strides[j];
    if (sizes[i] > 1 && strides[i] <= reach) return true;
  }
  return false;
}

// The stride patterns that the strides of a tensor belong to, for tensors with gaps or more than one element.
std::string_view pattern_of(const tensor_desc& tensor) {
  const dimensions strides = effective_strides(tensor);
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (strides[i] == 0 && tensor.sizes[i] > 1) return "broadcast";
  if (addresses_shared(tensor.sizes, strides) == address_sharing::shared) return "overlapping";
  if (interleaves(tensor.sizes, strides)) return "interleaved";
  if (last_index(tensor.sizes, strides) + 1 > element_count(tensor.sizes)) return "padded";
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (strides[i] != packed_strides(tensor.sizes)[i] && tensor.sizes[i] > 1) return "permuted";
  return tensor.strides.empty() ? "no strides" : "packed";
}

using seen = std::map<std::string, std::set<std::string>>;

oracle::generate_options all_classes(std::uint64_t seed) {
  oracle::generate_options options{.seed = seed};
  options.data = oracle::all_data_classes();
  return options;
}

std::set<std::string> names_of_types(data_type_set types) {
  std::set<std::string> names;
  for (std::uint32_t value = 1; value <= 11; ++value)
    if (types.contains(static_cast<data_type>(value))) names.emplace(name_of(static_cast<data_type>(value)));
  return names;
}

std::set<std::string> numbers(std::uint32_t first, std::uint32_t last) {
  std::set<std::string> result;
  for (std::uint32_t i = first; i <= last; ++i) result.insert(std::to_string(i));
  return result;
}

}  // namespace

TEST_CASE("generate: the first 200 cases of each operator are the same on every platform", "[oracle]") {
  CHECK(hash_of<argmin_desc>({.count = 200}) == 0x0DB4'8F85'AF52'4E14);
  CHECK(hash_of<nonzero_coordinates_desc>({.count = 200}) == 0xD2A7'B92C'9C85'25C8);
  CHECK(hash_of<scatter_nd_desc>({.count = 200}) == 0x5E0A'8FAF'1491'B7A5);
  CHECK(hash_of<diagonal_matrix1_desc>({.count = 200}) == 0x06E6'EAAF'F2C4'F205);
  CHECK(hash_of<argmax_desc>({.count = 200}) == 0x7BF6'DACF'3229'1E80);
  CHECK(hash_of<diagonal_matrix_desc>({.count = 200}) == 0x39FD'CF08'1F08'6C34);
  CHECK(hash_of<fill_value_constant_desc>({.count = 200}) == 0xDE5F'641E'99FA'A168);
  CHECK(hash_of<slice1_desc>({.count = 200}) == 0x091C'1759'1BEA'BCBC);
}

TEST_CASE("generate: the cases are the same if the processor flushes subnormals", "[oracle]") {
  const auto hashes = [] {
    using oracle::data_class;
    const oracle::generate_options options{.count = 100,
                                           .data = {data_class::special, data_class::ties, data_class::subnormals}};
    std::vector<std::uint64_t> all;
    for (const oracle::any_operator* op : oracle::every_operator()) all.push_back(hash_of(*op, options));
    return all;
  };
  const auto before = hashes();
  const flush_subnormals flushing;
  CHECK(hashes() == before);
}

TEST_CASE("generate: a case depends only on seed and number", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    std::vector<std::string> lines;
    for (const auto& c : oracle::cases<any_desc>(op, {.count = 30, .seed = 5})) lines.push_back(c.line());
    std::vector<std::string> parts;
    for (const std::uint64_t first : {0U, 10U, 20U})
      for (const auto& c : oracle::cases<any_desc>(op, {.count = 10, .seed = 5, .first = first}))
        parts.push_back(c.line());
    CHECK(parts == lines);
    CHECK(std::set<std::string>(lines.begin(), lines.end()).size() == 30);
    CHECK(hash_of(op, {.count = 5, .seed = 5}) != hash_of(op, {.count = 5, .seed = 6}));
    const oracle::cases<any_desc> none(op, {.count = 0});
    CHECK((none.begin() == none.end()));
    // The line determines the case.
    for (const auto& c : oracle::cases<any_desc>(op, {.count = 50, .seed = 8})) {
      const auto again = oracle::make_case(op, oracle::parse_case(*op.description, c.line()));
      CHECK((again.inputs == c.inputs && again.outputs == c.outputs));
      for (std::size_t i = 0; i < c.outputs.size(); ++i)
        CHECK((again.expected.answers[0][i].values == c.expected.answers[0][i].values));
    }
  });
}

TEST_CASE("generate: 20,000 cases are legal and of every kind", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const oracle::generate_options options = all_classes(1);
    seen all;
    for (std::uint64_t number = 0; number < 20'000; ++number) {
      const auto c = oracle::sample_case(op, options, number);
      if (!broken_rules(c).empty()) FAIL_CHECK(broken_rules(c)[0] << ": " << to_string(c));
      all["data"].emplace(enumerator_name(c.data));
      for (std::size_t i = 0; i < c.tensors.size(); ++i) {
        const std::string name(op.operands()[i].name);
        if (!c.tensors[i]) {
          all[name + " left out"].emplace("yes");
          continue;
        }
        const tensor_desc& tensor = *c.tensors[i];
        all[name + " type"].emplace(name_of(tensor.data_type));
        all[name + " rank"].insert(std::to_string(tensor.sizes.size()));
        all[name + " strides"].emplace(pattern_of(tensor));
        all[name + " total"].emplace(tensor.total_tensor_size_in_bytes ? "given" : "implied");
        if (element_count(tensor.sizes) == 1) all[name + " elements"].emplace("one");
      }
    }
    CHECK(all["data"].size() == enumeration<oracle::data_class>::values.size());
    for (std::size_t i = 0; i < op.operands().size(); ++i) {
      const operand_info& info = op.operands()[i];
      const std::string name(info.name);
      INFO(name);
      const operand_limits& limits = *limits_at(info, feature_level::latest);
      CHECK(all[name + " type"] == names_of_types(limits.data_types));
      CHECK(all[name + " rank"] == numbers(limits.fewest_dimensions, limits.most_dimensions));
      CHECK(all[name + " total"].size() == 2);
      CHECK(all[name + " elements"].size() == 1);
      CHECK(all[name + " left out"].size() == (info.optional ? 1 : 0));
      std::set<std::string> patterns{"no strides", "packed",      "permuted",   "padded",
                                     "broadcast",  "overlapping", "interleaved"};
      const bool shares = info.role == operand_role::input && name != "IndicesTensor";
      if (!shares) patterns.erase("broadcast"), patterns.erase("overlapping");
      if (name == "OutputCountTensor") patterns = {"no strides", "packed"};  // one element
      CHECK(all[name + " strides"] == patterns);
    }
  });
}

TEST_CASE("generate: legal at every level that has the operator, and within its limits", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      INFO(level.name);
      oracle::generate_options options = all_classes(2);
      options.feature_level = level.value;
      seen all;
      for (std::uint64_t number = 0; number < 2000; ++number) {
        const auto c = oracle::sample_case(op, options, number);
        if (!broken_rules(c).empty()) FAIL_CHECK(broken_rules(c)[0] << ": " << to_string(c));
        CHECK(c.desc.level() == level.value);
        for (std::size_t i = 0; i < c.tensors.size(); ++i)
          if (c.tensors[i]) {
            all[std::string(op.operands()[i].name) + " type"].emplace(name_of(c.tensors[i]->data_type));
            all[std::string(op.operands()[i].name) + " rank"].insert(std::to_string(c.tensors[i]->sizes.size()));
          }
      }
      for (const operand_info& info : op.operands()) {
        const operand_limits& limits = *limits_at(info, level.value);
        CHECK(all[std::string(info.name) + " type"] == names_of_types(limits.data_types));
        CHECK(all[std::string(info.name) + " rank"] == numbers(limits.fewest_dimensions, limits.most_dimensions));
      }
      options.count = 100;
      for (const auto& c : oracle::cases<any_desc>(op, options))
        CHECK(c.expected.answers.size() >= 1);  // all can be made
    }
  });
}

TEST_CASE("generate: default cases have no unsorted list, no signalling NaN and no FLOAT32 subnormal", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const auto special_bits = [](const host_tensor& tensor, bool subnormals) {
      bool found = false;
      visit_data_type(type_list<float, float16, double>{}, tensor.desc().data_type,
                      [&]<class T>(std::type_identity<T>) {
                        using bits = typename goldml::detail::float_bits<T>::type;
                        constexpr bits infinity = goldml::detail::float_bits<T>::infinity;
                        constexpr bits quiet = static_cast<bits>((infinity & (~infinity + 1)) >> 1);
                        const auto view = tensor.ref().as<T>();
                        for (const coordinate_tuple& c : coordinates_of(tensor.desc().sizes)) {
                          const bits magnitude = goldml::detail::magnitude_bits(view[c]);
                          const bool subnormal = std::is_same_v<T, float> && magnitude != 0 && magnitude < 0x0080'0000;
                          const bool signalling = magnitude > infinity && (magnitude & quiet) == 0;
                          found = found || (subnormals ? subnormal : signalling);
                        }
                      });
      return found;
    };
    const auto unsorted = [](const any_desc& desc) {
      for (const attribute& row : desc.description().attributes)
        if (row.name == "Axes") {
          const auto& axes = *static_cast<const dimensions*>(row.address(desc.get()));
          return !std::is_sorted(axes.begin(), axes.end());
        }
      return false;
    };
    // The numbers of 1000 cases with an unsorted list, a signalling NaN, and a FLOAT32 subnormal.
    const auto counts = [&](const oracle::generate_options& options) {
      std::array<int, 3> found{};
      for (std::uint64_t number = 0; number < 1000; ++number) {
        const auto c = oracle::sample_case(op, options, number);
        const auto made = oracle::make_case(op, c);
        found[0] += unsorted(c.desc) ? 1 : 0;
        bool signalling = false, subnormal = false;
        for (const std::vector<host_tensor>* tensors : {&made.inputs})
          for (const host_tensor& tensor : *tensors)
            if (!tensor.bytes().empty())
              signalling = signalling || special_bits(tensor, false),
              subnormal = subnormal || special_bits(tensor, true);
        // The value with which an attribute fills the output.
        for (const oracle::golden_output& output : made.expected.answers.front())
          signalling = signalling || special_bits(output.values, false),
          subnormal = subnormal || special_bits(output.values, true);
        found[1] += signalling ? 1 : 0;
        found[2] += subnormal ? 1 : 0;
      }
      return found;
    };
    CHECK(counts({.seed = 9}) == std::array<int, 3>{});
    using oracle::data_class;
    const bool has_axes = std::any_of(op.attributes().begin(), op.attributes().end(),
                                      [](const attribute& a) { return a.name == "Axes"; });
    if (has_axes) CHECK(counts({.seed = 9, .data = {data_class::unsorted_axes}})[0] > 300);
    const bool has_inputs = op.operands()[0].role == operand_role::input;
    if (has_inputs) CHECK(counts({.seed = 9, .data = {data_class::signalling_nans}})[1] > 50);
    CHECK(counts({.seed = 9, .data = {data_class::subnormals}})[2] > 30);
  });
}

TEST_CASE("generate: options are respected", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (const std::uint64_t most : {1U, 2U, 7U, 5000U}) {
      const oracle::generate_options options{.count = 200,
                                             .most_elements = most,
                                             .data = {oracle::data_class::ramp},
                                             .strides = {oracle::stride_pattern::padded}};
      for (std::uint64_t number = 0; number < options.count; ++number) {
        const auto c = oracle::sample_case(op, options, number);
        const auto& largest = c.tensors[0] ? c.tensors[0] : c.tensors.back();
        CHECK(element_count(largest->sizes) <= most);
        CHECK(c.data == oracle::data_class::ramp);
        for (const auto& tensor : c.tensors)
          if (tensor) CHECK(!tensor->strides.empty());
      }
    }
  });
}

TEST_CASE("generate: 20,000 illegal cases break the stated rule, and every rule is broken", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    std::set<std::string> wanted{"T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11"};
    const auto name = op.name();
    if (name == "ARGMIN") wanted.merge(std::set<std::string>{"A1", "A2", "A3", "A4", "A5", "A6", "A8", "A10"});
    if (name == "NONZERO_COORDINATES") wanted.merge(std::set<std::string>{"N1", "N3", "N4", "N5"});
    if (name == "SCATTER_ND") wanted.merge(std::set<std::string>{"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S9"});
    if (name == "DIAGONAL_MATRIX1") wanted.merge(std::set<std::string>{"D1", "D2", "D3", "D5"});
    if (name == "ARGMAX") wanted.merge(std::set<std::string>{"AX1", "AX2", "AX3", "AX4", "AX5", "AX6", "AX8", "AX10"});
    if (name == "DIAGONAL_MATRIX") wanted.merge(std::set<std::string>{"DM1"});
    if (name == "FILL_VALUE_CONSTANT") wanted.merge(std::set<std::string>{"FC1"});
    if (name == "SLICE1") wanted.merge(std::set<std::string>{"SL1", "SL2", "SL4", "SL5", "SL6", "SL7", "SL8"});
    if (name == "JOIN") wanted.merge(std::set<std::string>{"JO1", "JO2", "JO3", "JO4", "JO5", "JO6"});
    if (name == "SPLIT") wanted.merge(std::set<std::string>{"SP1", "SP2", "SP3", "SP4", "SP5", "SP6"});
    if (name == "TILE") wanted.merge(std::set<std::string>{"TI1", "TI2", "TI3", "TI4", "TI5"});
    if (name == "PADDING" || name == "PADDING1") wanted.merge(std::set<std::string>{"PA1", "PA2", "PA3", "PA4", "PA5"});
    if (name == "PADDING1") wanted.insert("PA6");
    if (name.starts_with("SPACE_TO_DEPTH")) wanted.merge(std::set<std::string>{"SD1", "SD3", "SD4", "SD5"});
    if (name == "SPACE_TO_DEPTH1") wanted.insert("SD6");
    if (name.starts_with("DEPTH_TO_SPACE")) wanted.merge(std::set<std::string>{"DS1", "DS3", "DS4", "DS5"});
    if (name == "DEPTH_TO_SPACE1") wanted.insert("DS6");
    if (name == "SLICE") wanted.merge(std::set<std::string>{"SL1", "SL2", "SL3", "SL4", "SL5", "SL7"});
    if (name == "SLICE_GRAD") wanted.merge(std::set<std::string>{"SG1", "SG2", "SG4", "SG5", "SG6", "SG7", "SG8"});
    if (name == "CAST") wanted.merge(std::set<std::string>{"CA2", "CA3"});
    const std::size_t shared_rules = 11;
    INFO(name << " has no rules here: write down which its sampler breaks");
    CHECK(wanted.size() > shared_rules);
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      INFO(level.name);
      oracle::generate_options options;
      options.feature_level = level.value;
      std::set<std::string> rules = wanted;
      if (op.first_level() == feature_level::level_1_0) rules.erase("T11");
      for (const char* const rule : {"S1", "JO2", "SP2"})  // one number of dimensions
        if (level.value < feature_level::level_3_0) rules.erase(rule);
      for (const char* const rule : {"TI2", "CA2"})
        if (level.value < feature_level::level_3_1) rules.erase(rule);
      if (level.value < feature_level::level_2_1) rules.erase("DM1");  // floats only
      if (name == "NONZERO_COORDINATES" && level.value < feature_level::level_4_0) rules.insert("N6");
      std::set<std::string> found;
      const std::uint64_t count = level.value == feature_level::latest ? 20'000 : 2000;
      for (std::uint64_t number = 0; number < count; ++number) {
        const auto illegal = oracle::sample_illegal_case(op, options, number);
        const auto broken = broken_rules(illegal.text);
        if (broken.empty() || broken[0] != illegal.rule)
          FAIL_CHECK(illegal.rule << " is " << (broken.empty() ? "none" : broken[0]) << ": "
                                  << to_string(illegal.text));
        found.emplace(illegal.rule);
      }
      CHECK(found == rules);
    }
  });
}

TEST_CASE("generator: numbers that are drawn are what their name says", "[oracle]") {
  oracle::random_source random(5);
  std::size_t signalling = 0, quiet = 0, subnormal = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto number = oracle::detail::signalling_nan_or_number<float16>(random);
    const auto bits = std::bit_cast<std::uint16_t>(number) & 0x7FFFU;
    CHECK(bits != 0x7C00U);  // no infinity
    if (bits > 0x7C00U) ++((bits & 0x200U) == 0 ? signalling : quiet);
    const auto small = std::bit_cast<std::uint16_t>(oracle::detail::subnormal_or_zero<float16>(random)) & 0x7FFFU;
    if (small != 0 && small < 0x400U) ++subnormal;
    const auto value = oracle::random_scalar(random, data_type::float32).as<float>();
    CHECK(std::fpclassify(value) != FP_SUBNORMAL);
    if (std::isnan(value)) CHECK(std::bit_cast<std::uint32_t>(value) == 0x7FC00000U);
  }
  CHECK((signalling > 4'000 && quiet > 800 && quiet < signalling));
  CHECK((subnormal > 10'000 && subnormal < 15'000));
}

TEST_CASE("generator: cases of subnormals fill with them", "[oracle]") {
  std::size_t floats = 0, subnormals = 0;
  for (std::uint64_t number = 0; number < 500; ++number) {
    const auto c = oracle::sample_case<diagonal_matrix1_desc>(
        {.seed = 3, .most_elements = 50, .data = {oracle::data_class::subnormals}}, number);
    if (c.desc.value.type() != data_type::float32) continue;
    ++floats;
    if (std::fpclassify(c.desc.value.as<float>()) == FP_SUBNORMAL) ++subnormals;
  }
  CHECK(floats > 5);
  CHECK(3 * subnormals > floats);  // of the others most are zeros
}

TEST_CASE("generator: choices are two bytes each, and all bits depend on them", "[oracle]") {
  std::uint64_t ever_set = 0, always_set = ~std::uint64_t{0};
  for (unsigned choice = 0; choice < 65'536; ++choice) {
    const std::array<std::byte, 3> bytes{static_cast<std::byte>(choice & 0xFF), static_cast<std::byte>(choice >> 8),
                                         std::byte{1}};
    oracle::random_source random(bytes);
    const std::uint64_t bits = random.bits();
    REQUIRE((bits & 0xFFFF) == choice);
    ever_set |= bits;
    if (choice != 0) always_set &= bits;
  }
  CHECK(ever_set == ~std::uint64_t{0});
  CHECK(always_set == 0);
}
