// goldml's own policies on a model: for every dispatchable whose operator has them.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models.hpp"

namespace {

using namespace models;

// ARGMIN of {NaN, 1}, then SCATTER_ND that writes 8 and 9 at one place of {1, 2, 3, 4} or beyond its end.
std::string text_of(int first_index, int second_index) {
  return model_text(
      fmt::format(R"("nans": {{ "initialValuesDataType": "FLOAT32", "initialValues": ["nan", 1] }},
          "least": {{ "initialValuesDataType": "UINT32", "initialValues": [7] }},
          "in": {{ "initialValuesDataType": "INT32", "initialValues": [1, 2, 3, 4] }},
          "i": {{ "initialValuesDataType": "INT32", "initialValues": [{}, {}] }},
          "u": {{ "initialValuesDataType": "INT32", "initialValues": [8, 9] }},
          "out": {{ "initialValuesDataType": "INT32", "initialValues": [0, 0, 0, 0] }})",
                  first_index, second_index),
      R"("argmin": { "type": "ARGMIN", "InputTensor": { "DataType": "FLOAT32", "Sizes": [2] },
          "OutputTensor": { "DataType": "UINT32", "Sizes": [1] }, "Axes": [0], "AxisDirection": 0 },
        "scatter": { "type": "SCATTER_ND", "InputTensor": { "DataType": "INT32", "Sizes": [1, 4] },
          "IndicesTensor": { "DataType": "INT32", "Sizes": [2, 1] }, "UpdatesTensor": { "DataType": "INT32", "Sizes": [1, 2] },
          "OutputTensor": { "DataType": "INT32", "Sizes": [1, 4] }, "InputDimensionCount": 1, "IndicesDimensionCount": 2 })",
      R"({ "type": "dispatch", "dispatchable": "argmin", "bindings": { "InputTensor": "nans", "OutputTensor": "least" } },
        { "type": "dispatch", "dispatchable": "scatter", "bindings": { "InputTensor": "in", "IndicesTensor": "i", "UpdatesTensor": "u",
          "OutputTensor": "out" } }, { "type": "print", "resource": "least" }, { "type": "print", "resource": "out" })");
}

// The output with the policies, or the rule that is broken.
std::string played_with(const std::string& text, std::vector<std::string> policies) {
  const temporary_folder folder;
  io::model_options options = options_in(folder);
  options.policies = std::move(policies);
  std::ostringstream out;
  const std::string rule = refusal_of([&] {
    io::model model = io::parse_model(text, folder.path(), options);
    io::play(reference, model, out);
  });
  return rule == "none" ? out.str() : rule;
}

std::string refusal(std::vector<std::string> policies) {
  const temporary_folder folder;
  io::model_options options = options_in(folder);
  options.policies = std::move(policies);
  return message_of([&] { io::parse_model(text_of(0, 1), folder.path(), options); });
}

}  // namespace

TEST_CASE("Policies: without any, the strict rulings apply", "[model_policies]") {
  CHECK(played_with(text_of(0, 1), {}) == "Resource 'least': 1\nResource 'out': 8, 9, 3, 4\n");
  CHECK(played_with(text_of(2, 2), {}) == "S11");
  CHECK(played_with(text_of(2, 5), {}) == "S10");
}

TEST_CASE("Policies: each goes to the operators that have it", "[model_policies]") {
  CHECK(played_with(text_of(0, 1), {"nan_policy=propagate"}) == "Resource 'least': 0\nResource 'out': 8, 9, 3, 4\n");
  CHECK(played_with(text_of(2, 2), {"duplicates=last_wins"}) == "Resource 'least': 1\nResource 'out': 1, 2, 9, 4\n");
  CHECK(played_with(text_of(2, 5), {"range_policy=clamp"}) == "Resource 'least': 1\nResource 'out': 1, 2, 8, 9\n");
  CHECK(played_with(text_of(2, 5), {"range_policy=drop", "nan_policy=propagate"}) ==
        "Resource 'least': 0\nResource 'out': 1, 2, 8, 4\n");
  CHECK(played_with(text_of(3, 5), {"range_policy=clamp"}) == "S11");  // both select the last place
  CHECK(played_with(text_of(2, 2), {"duplicates=last_wins", "duplicates=refuse"}) == "S11");  // the last value applies
}

TEST_CASE("Policies: in_place allows the output to be the input", "[model_policies]") {
  std::string text = text_of(0, 1);
  const std::string_view output = R"("OutputTensor": "out")";
  text.replace(text.find(output), output.size(), R"("OutputTensor": "in")");
  CHECK(played_with(text, {}) == "T12");
  CHECK(played_with(text, {"in_place=false"}) == "T12");
  CHECK(played_with(text, {"in_place=true"}) == "Resource 'least': 1\nResource 'out': 0, 0, 0, 0\n");
}

TEST_CASE("Policies: same_resource allows disjoint ranges of one resource for input and output", "[model_policies]") {
  const std::string text =
      model_text(R"("all": { "initialValuesDataType": "UINT32", "initialValues": [5, 4, 9, 0, 77, 77, 77, 77] })",
                 R"("op": { "type": "ARGMIN", "InputTensor": { "DataType": "UINT32", "Sizes": [3] },
                 "OutputTensor": { "DataType": "UINT32", "Sizes": [1] }, "Axes": [0], "AxisDirection": 0 })",
                 R"({ "type": "dispatch", "dispatchable": "op", "bindings": {
             "InputTensor": { "name": "all", "elementCount": 4, "elementSizeInBytes": 4 },
             "OutputTensor": { "name": "all", "elementOffset": 4, "elementSizeInBytes": 4 } } },
         { "type": "print", "resource": "all" })");
  CHECK(played_with(text, {}) == "T12");
  CHECK(played_with(text, {"same_resource=refuse"}) == "T12");
  CHECK(played_with(text, {"same_resource=disjoint"}) == "Resource 'all': 5, 4, 9, 0, 1, 77, 77, 77\n");
  CHECK(refusal({"same_resource=yes"}) == "model M2: same_resource is 'yes', wanted refuse, disjoint (--policy)");
}

TEST_CASE("M2, M3: invalid policies", "[model_policies]") {
  CHECK(refusal({"speed=high"}) ==
        "model M3: --policy is 'speed=high', wanted NAME=VALUE, NAME of a policy, as nan_policy ('goldml list OPERATOR' "
        "names those of an operator)");
  for (const operator_description* op : operator_descriptions())  // a letter too many
    for (const attribute& policy : op->policies)
      CHECK(refusal({std::string(policy.name) + "s=high"}).find(policy.name) != std::string::npos);
  CHECK(refusal({""}).substr(0, 8) == "model M3");
  CHECK(refusal({"nan_policy=ignore"}) == "model M2: nan_policy is 'ignore', wanted skip, propagate (--policy)");
  CHECK(refusal({"nan_policy"}).substr(0, 8) == "model M2");
  CHECK(refusal({"in_place=yes"}) == "model M2: in_place is 'yes', wanted true or false (--policy)");
}

TEST_CASE("C6: a value of a policy that no operator has is refused, whatever operators the model has",
          "[model_policies]") {
  const auto refused = [](std::string policy) {
    io::model_options options;
    options.policies = {std::move(policy)};
    return message_of([&] { read(model_text("", ""), options, "."); });
  };
  CHECK(refused("nan_policy=propagate").empty());
  CHECK(refused("in_place=false").empty());
  CHECK(refused("nan_policy=ignore") == "model M2: nan_policy is 'ignore', wanted skip, propagate (--policy)");
  CHECK(refused("in_place=yes") == "model M2: in_place is 'yes', wanted true or false (--policy)");
}
