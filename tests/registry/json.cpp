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
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"

using namespace goldml;

namespace {

// The desc that these JSON members give.
any_desc read(const oracle::any_operator& op, const std::string& text) {
  const auto document = io::parse_json(text);
  any_desc desc(*op.description);
  for (const attribute& row : op.attributes()) io::detail::read_attribute(document, row, desc.get(), "the test");
  return desc;
}

std::string object_of(const std::vector<std::string>& members) {
  std::string text;
  for (const std::string& member : members) text += (text.empty() ? "{ " : ", ") + member;
  return text.empty() ? "{}" : text + " }";
}

}  // namespace

TEST_CASE("registry: attributes round-trip through JSON", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (std::uint64_t number = 0; number < goldml_test::random_count(1000); ++number) {
      auto c = oracle::sample_case(op, {.seed = 39, .most_elements = 40}, number);
      CAPTURE(to_string(c));
      const data_type output_type = c.tensors.back()->data_type;
      const std::string text = object_of(io::attributes_json(op.attributes(), c.desc.get(), output_type));
      const any_desc again = read(op, text);
      any_desc wanted = c.desc;  // an omitted scalar is a zero of the output's type in JSON
      for (const attribute& row : op.attributes())
        if (row.kind == attribute_kind::scalar)
          if (auto& value = *static_cast<scalar*>(row.address(wanted.get())); !value.type())
            value = scalar::from_bits(output_type, 0);
      INFO(text);
      REQUIRE(goldml_test::differing_members(wanted, again) == "");
      // A second time: the same text, in the same order.
      REQUIRE(object_of(io::attributes_json(op.attributes(), again.get(), output_type)) == text);
    }
  });
}

TEST_CASE("registry: every policy is set by name, with each of its values", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (const attribute& policy : op.policies()) {
      INFO(policy.name);
      std::vector<std::pair<std::string, std::uint32_t>> values{{"false", 0}, {"true", 1}};
      if (policy.kind == attribute_kind::enumeration) {
        values.clear();
        for (const enumerator_row& row : policy.names.rows) values.emplace_back(row.name, row.value);
      }
      CHECK(values.size() >= 2);
      for (const auto& [name, number] : values) {
        any_desc desc(*op.description);
        io::model_options options;
        options.policies = {std::string(policy.name) + "=" + name};
        io::detail::apply_policies(options, op.policies(), desc.get());
        CHECK((policy.kind == attribute_kind::boolean ? *static_cast<const bool*>(policy.address(desc.get()))
                                                      : load_enumerator(policy.address(desc.get()))) == number);
        // And through case text.
        const oracle::test_case<any_desc> c{desc, {}};
        CHECK(goldml_test::differing_members(oracle::parse_case(*op.description, to_string(c)).desc, desc) == "");
        io::model_options wrong;
        wrong.policies = {std::string(policy.name) + "=no such value"};
        CHECK(refusal_of([&] { io::detail::apply_policies(wrong, op.policies(), desc.get()); }) == "M2");
      }
    }
  });
}
