// Attributes of every operator, printed as JSON and read back as in a model.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <goldml/io/attributes_json.hpp>
#include <goldml/io/model_attributes.hpp>
#include <goldml/oracle/generate.hpp>

#include "../catch.hpp"
#include "../support/descs.hpp"

using namespace goldml;

namespace {

// The desc that these JSON members give.
template <class Desc>
Desc read(const std::string& text) {
  const auto document = io::parse_json(text);
  Desc desc;
  for (const attribute& row : operator_traits<Desc>::attributes)
    io::detail::read_attribute(document, row, &desc, "the test");
  return desc;
}

std::string object_of(const std::vector<std::string>& members) {
  std::string text;
  for (const std::string& member : members) text += (text.empty() ? "{ " : ", ") + member;
  return text.empty() ? "{}" : text + " }";
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("registry: attributes round-trip through JSON", "[registry]", all_operators) {
  using traits = operator_traits<TestType>;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    auto c = oracle::sample_case<TestType>({.seed = 39, .most_elements = 40}, number);
    CAPTURE(to_string(c));
    const data_type output_type = c.tensors.back()->data_type;
    const std::string text = object_of(io::attributes_json(traits::attributes, &c.desc, output_type));
    const TestType again = read<TestType>(text);
    TestType wanted = c.desc;  // an omitted scalar is a zero of the output's type in JSON
    for (const attribute& row : traits::attributes)
      if (row.kind == attribute_kind::scalar)
        if (auto& value = row.get<scalar>(wanted); !value.type()) value = scalar::from_bits(output_type, 0);
    INFO(text);
    REQUIRE(goldml_test::differing_members(wanted, again) == "");
    // A second time: the same text, in the same order.
    REQUIRE(object_of(io::attributes_json(traits::attributes, &again, output_type)) == text);
  }
}

TEMPLATE_LIST_TEST_CASE("registry: every policy is set by name, with each of its values", "[registry]", all_operators) {
  using traits = operator_traits<TestType>;
  for (const attribute& policy : traits::policies) {
    INFO(policy.name);
    std::vector<std::pair<std::string, std::uint32_t>> values{{"false", 0}, {"true", 1}};
    if (policy.kind == attribute_kind::enumeration) {
      values.clear();
      for (const enumerator_row& row : policy.names.rows) values.emplace_back(row.name, row.value);
    }
    CHECK(values.size() >= 2);
    for (const auto& [name, number] : values) {
      TestType desc;
      io::model_options options;
      options.policies = {std::string(policy.name) + "=" + name};
      io::detail::apply_policies(options, traits::policies, &desc);
      CHECK((policy.kind == attribute_kind::boolean ? policy.template get<bool>(desc)
                                                    : load_enumerator(policy.address(&desc))) == number);
      // And through case text.
      oracle::test_case<TestType> c;
      c.desc = desc;
      CHECK(goldml_test::differing_members(oracle::parse_case<TestType>(to_string(c)).desc, desc) == "");
      io::model_options wrong;
      wrong.policies = {std::string(policy.name) + "=no such value"};
      CHECK(refusal_of([&] { io::detail::apply_policies(wrong, traits::policies, &desc); }) == "M2");
    }
  }
}
