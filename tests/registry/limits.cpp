// T11, T3 and T4 of every operator, by its own tables: its first level, and the types and numbers of dimensions that
// each operand takes at each level. core/operator_limits.cpp compares the tables with the pages.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/generate.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"

using namespace goldml;

namespace {

constexpr std::uint64_t cases_per_level = 20;

template <class Desc>
oracle::test_case<Desc> legal_case(feature_level level, std::uint64_t number) {
  const oracle::generate_options options{.seed = 31, .most_elements = 30, .feature_level = level};
  return oracle::sample_case<Desc>(options, number);
}

// The first violation, for example "T3 OutputTensor"; "" for a valid case.
template <class Desc>
std::string first_of(const oracle::test_case<Desc>& c) {
  const auto all = goldml_test::violations_of(c.desc, c.tensors);
  return all.empty() ? "" : std::string(all[0].rule) + " " + std::string(all[0].operand);
}

// The codes that tensor `i` breaks.
template <class Desc>
std::vector<std::string> codes_about(const oracle::test_case<Desc>& c, std::string_view operand) {
  std::vector<std::string> codes;
  for (const violation& v : goldml_test::violations_of(c.desc, c.tensors))
    if (v.operand == operand && v.rule.starts_with('T')) codes.emplace_back(v.rule);
  return codes;
}

template <class Desc>
const operand_info& info_of(const oracle::test_case<Desc>& c, std::size_t tensor) {
  constexpr auto& infos = operator_traits<Desc>::operands;
  return infos[place_of_tensor(infos, tensor, c.tensors.size()).info];
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("registry: tables of limits begin at the same level, ascend, and never remove anything",
                        "[registry]", all_operators) {
  constexpr auto& infos = operator_traits<TestType>::operands;
  REQUIRE(infos.size() > 0);
  for (const operand_info& info : infos) {
    INFO(info.name);
    REQUIRE_FALSE(info.limits.empty());
    CHECK(info.limits.front().from == first_feature_level<TestType>());
    for (std::size_t i = 0; i < info.limits.size(); ++i) {
      const operand_limits& now = info.limits[i];
      CHECK(now.fewest_dimensions >= 1);
      CHECK(now.fewest_dimensions <= now.most_dimensions);
      CHECK(now.most_dimensions <= dimensions::capacity);
      if (i == 0) continue;
      const operand_limits& before = info.limits[i - 1];
      CHECK(before.from < now.from);
      CHECK(now.fewest_dimensions <= before.fewest_dimensions);
      CHECK(now.most_dimensions >= before.most_dimensions);
      for (std::uint32_t value = 1; value <= 11; ++value)
        if (before.data_types.contains(static_cast<data_type>(value)))
          CHECK(now.data_types.contains(static_cast<data_type>(value)));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("registry: operands, attributes and policies have distinct names", "[registry]",
                        all_operators) {
  using traits = operator_traits<TestType>;
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view name) {
    CHECK_FALSE(name.empty());
    CHECK(std::count(names.begin(), names.end(), name) == 0);
    names.push_back(name);
  };
  bool outputs = false;
  std::size_t arrays = 0;
  for (const operand_info& info : traits::operands) {
    add(info.name);
    CHECK((info.role == operand_role::output || !outputs));  // inputs come before outputs
    outputs = outputs || info.role == operand_role::output;
    CHECK_FALSE((info.in_place && info.role == operand_role::output));
    if (info.is_array()) ++arrays, add(info.count);
    for (const same_as& other : {info.same_data_type_as, info.same_rank_as, info.same_sizes_as})
      if (other) {
        CHECK(other.operand < traits::operands.size());
        CHECK(&traits::operands[other.operand] != &info);
      }
  }
  CHECK(outputs);
  CHECK(arrays <= 1);
  for (const attribute& row : traits::attributes) {
    add(row.name);
    CHECK((is_list(row.kind) || row.kind == attribute_kind::scalar) == !row.companion.empty());
  }
  for (const attribute& row : traits::policies) {
    add(row.name);
    CHECK((row.kind == attribute_kind::enumeration || row.kind == attribute_kind::boolean));
    CHECK(row.companion.empty());
  }
  for (std::size_t i = 0; i < traits::attributes.size(); ++i)
    if (introduces_companion(traits::attributes, i)) add(traits::attributes[i].companion);
}

TEMPLATE_LIST_TEST_CASE("registry T11: below its first level an operator does not exist", "[registry]", all_operators) {
  oracle::test_case<TestType> c = legal_case<TestType>(feature_level::latest, 1);
  for (const auto& level : feature_levels) {
    INFO(level.name);
    c.desc.feature_level = level.value;
    const bool exists = level.value >= first_feature_level<TestType>();
    CHECK((first_of(c) == "T11 ") == !exists);
    if (!exists) CHECK(goldml_test::violations_of(c.desc, c.tensors).size() == 1);
    for (const operand_info& info : operator_traits<TestType>::operands)
      CHECK((limits_at(info, level.value) != nullptr) == exists);
  }
}

TEMPLATE_LIST_TEST_CASE("registry T3: each data type on each operand at each level", "[registry]", all_operators) {
  for (const auto& level : feature_levels) {
    if (level.value < first_feature_level<TestType>()) continue;
    INFO(level.name);
    for (std::uint64_t number = 0; number < cases_per_level; ++number) {
      const auto legal = legal_case<TestType>(level.value, number);
      for (std::size_t i = 0; i < legal.tensors.size(); ++i) {
        if (!legal.tensors[i]) continue;
        const operand_info& info = info_of(legal, i);
        for (const std::uint32_t value :
             {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 0xFFFF'FFFFu}) {
          auto c = legal;
          c.tensors[i]->data_type = static_cast<data_type>(value);
          c.tensors[i]->total_tensor_size_in_bytes = {};
          const bool taken = limits_at(info, level.value)->data_types.contains(static_cast<data_type>(value));
          const auto codes = codes_about(c, info.name);
          if (codes != (taken ? std::vector<std::string>{} : std::vector<std::string>{"T3"}))
            FAIL_CHECK(info.name << " " << value << ": " << to_string(c));
          if (!taken && first_of(c) != "T3 " + std::string(info.name)) FAIL_CHECK(to_string(c));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("registry T4: each number of dimensions on each operand at each level", "[registry]",
                        all_operators) {
  for (const auto& level : feature_levels) {
    if (level.value < first_feature_level<TestType>()) continue;
    INFO(level.name);
    for (std::uint64_t number = 0; number < cases_per_level; ++number) {
      const auto legal = legal_case<TestType>(level.value, number);
      for (std::size_t i = 0; i < legal.tensors.size(); ++i) {
        if (!legal.tensors[i]) continue;
        const operand_info& info = info_of(legal, i);
        const operand_limits& limits = *limits_at(info, level.value);
        for (std::size_t count = 0; count <= 9; ++count) {
          auto c = legal;
          c.tensors[i]->sizes = dimensions(std::vector<int>(count, 1));
          c.tensors[i]->strides = {};
          c.tensors[i]->total_tensor_size_in_bytes = {};
          const bool taken = count >= limits.fewest_dimensions && count <= limits.most_dimensions;
          if (codes_about(c, info.name) != (taken ? std::vector<std::string>{} : std::vector<std::string>{"T4"}))
            FAIL_CHECK(info.name << " " << count << ": " << to_string(c));
          if (!taken && first_of(c) != "T4 " + std::string(info.name)) FAIL_CHECK(to_string(c));
        }
        auto c = legal;  // one stride too many
        c.tensors[i]->strides = dimensions::filled(c.tensors[i]->sizes.size(), 0);
        c.tensors[i]->strides.push_back(1);
        if (first_of(c) != "T4 " + std::string(info.name)) FAIL_CHECK(to_string(c));
      }
    }
  }
}
