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
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"
#include "../support/refusals.hpp"

using namespace goldml;

namespace {

constexpr std::uint64_t cases_per_level = goldml_test::random_count(20);

oracle::test_case<any_desc> legal_case(const oracle::any_operator& op, feature_level level, std::uint64_t number) {
  const oracle::generate_options options{.seed = 31, .most_elements = 30, .feature_level = level};
  return oracle::sample_case(op, options, number);
}

// The first violation, for example "T3 OutputTensor"; "" for a valid case.
std::string first_of(const oracle::test_case<any_desc>& c) {
  const auto all = goldml_test::violations_of(c.desc, c.tensors);
  return all.empty() ? "" : std::string(all[0].rule) + " " + std::string(all[0].operand);
}

// The codes that tensor `i` breaks.
std::vector<std::string> codes_about(const oracle::test_case<any_desc>& c, std::string_view operand) {
  std::vector<std::string> codes;
  for (const violation& v : goldml_test::violations_of(c.desc, c.tensors))
    if (v.operand == operand && is_tensor_rule(v.rule)) codes.emplace_back(v.rule);
  return codes;
}

const operand_info& info_of(const oracle::test_case<any_desc>& c, std::size_t tensor) {
  return c.desc.description().info_of(tensor, c.tensors.size());
}
// Those of the operand of a tensor, which may depend on the desc.
const operand_limits& limits_in(const oracle::test_case<any_desc>& c, std::size_t tensor) {
  const std::size_t row = place_of_tensor(c.desc.description().operands, tensor, c.tensors.size()).info;
  return *limits_at(limits_of(c.desc, row), c.desc.level());
}

}  // namespace

TEST_CASE("registry: tables of limits begin at the same level, ascend, and never remove anything", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const auto infos = op.operands();
    REQUIRE(infos.size() > 0);
    for (const operand_info& info : infos) {
      INFO(info.name);
      REQUIRE_FALSE(info.limits.empty());
      CHECK(info.limits.front().from == op.first_level());
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
        for (std::uint32_t value = 1; value <= 13; ++value)
          if (before.data_types.contains(static_cast<data_type>(value)))
            CHECK(now.data_types.contains(static_cast<data_type>(value)));
      }
    }
  });
}

TEST_CASE("registry: operands, attributes and policies have distinct names", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    std::vector<std::string_view> names;
    const auto add = [&](std::string_view name) {
      CHECK_FALSE(name.empty());
      CHECK(std::count(names.begin(), names.end(), name) == 0);
      names.push_back(name);
    };
    bool outputs = false;
    std::size_t arrays = 0;
    for (const operand_info& info : op.operands()) {
      add(info.name);
      CHECK((info.role == operand_role::output || !outputs));  // inputs come before outputs
      outputs = outputs || info.role == operand_role::output;
      CHECK_FALSE((info.in_place && info.role == operand_role::output));
      if (info.is_array()) ++arrays, add(info.count);
      for (const same_as& other :
           {info.same_data_type_as, info.same_data_type_below.other, info.same_rank_as, info.same_sizes_as})
        if (other) {
          CHECK(other.operand < op.operands().size());
          CHECK(&op.operands()[other.operand] != &info);
        }
    }
    CHECK(outputs);
    CHECK(arrays <= 1);
    for (const attribute& row : op.attributes()) {
      add(row.name);
      CHECK((is_list(row.kind) || row.kind == attribute_kind::scalar) == !row.companion.empty());
    }
    for (const attribute& row : op.policies()) {
      add(row.name);
      CHECK((row.kind == attribute_kind::enumeration || row.kind == attribute_kind::boolean));
      CHECK(row.companion.empty());
    }
    for (std::size_t i = 0; i < op.attributes().size(); ++i)
      if (introduces_companion(op.attributes(), i)) add(op.attributes()[i].companion);
  });
}

TEST_CASE("registry T11: below its first level an operator does not exist", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    auto c = legal_case(op, feature_level::latest, 1);
    for (const auto& level : feature_levels) {
      INFO(level.name);
      c.desc.level() = level.value;
      const bool exists = level.value >= op.first_level();
      CHECK((first_of(c) == "T11 ") == !exists);
      if (!exists) CHECK(goldml_test::violations_of(c.desc, c.tensors).size() == 1);
      for (const operand_info& info : op.operands()) CHECK((limits_at(info, level.value) != nullptr) == exists);
    }
  });
}

TEST_CASE("registry T3: each data type on each operand at each level", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      INFO(level.name);
      for (std::uint64_t number = 0; number < cases_per_level; ++number) {
        const auto legal = legal_case(op, level.value, number);
        for (std::size_t i = 0; i < legal.tensors.size(); ++i) {
          if (!legal.tensors[i]) continue;
          const operand_info& info = info_of(legal, i);
          for (const std::uint32_t value :
               {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 0xFFFF'FFFFu}) {
            auto c = legal;
            c.tensors[i]->data_type = static_cast<data_type>(value);
            c.tensors[i]->total_tensor_size_in_bytes = {};
            const bool taken = limits_in(legal, i).data_types.contains(static_cast<data_type>(value));
            const auto codes = codes_about(c, info.name);
            if (codes != (taken ? std::vector<std::string>{} : std::vector<std::string>{"T3"}))
              FAIL_CHECK(info.name << " " << value << ": " << to_string(c));
            if (!taken && first_of(c) != "T3 " + std::string(info.name)) FAIL_CHECK(to_string(c));
          }
        }
      }
    }
  });
}

TEST_CASE("registry T4: each number of dimensions on each operand at each level", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      INFO(level.name);
      for (std::uint64_t number = 0; number < cases_per_level; ++number) {
        const auto legal = legal_case(op, level.value, number);
        for (std::size_t i = 0; i < legal.tensors.size(); ++i) {
          if (!legal.tensors[i]) continue;
          const operand_info& info = info_of(legal, i);
          const operand_limits& limits = limits_in(legal, i);
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
  });
}

TEST_CASE("registry: limits that depend on the desc are within those of the operand's row", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      INFO(level.name);
      for (std::uint64_t number = 0; number < cases_per_level; ++number) {
        const auto legal = legal_case(op, level.value, number);
        for (std::size_t row = 0; row < op.operands().size(); ++row) {
          const operand_limits& all = *limits_at(op.operands()[row], level.value);
          const operand_limits& own = *limits_at(limits_of(legal.desc, row), level.value);
          CHECK(own.fewest_dimensions >= all.fewest_dimensions);
          CHECK(own.most_dimensions <= all.most_dimensions);
          for (std::uint32_t value = 1; value <= 13; ++value)
            if (own.data_types.contains(static_cast<data_type>(value)))
              CHECK(all.data_types.contains(static_cast<data_type>(value)));
        }
      }
    }
  });
}
