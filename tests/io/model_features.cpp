// What DxDispatch's sample models use beyond the plain form: text after the model, two spellings of members, execution
// flags, fused activations, inputs with OWNED_BY_DML, in-place execution, lists of bindings, and the dispatchables that
// only DxDispatch runs.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/io/attributes_json.hpp>

#include "models.hpp"

namespace {

using namespace models;

read_result read_operator(std::string_view members) {
  return read(model_text("", fmt::format(R"("op": {{ {} }})", members)));
}

std::string refusal(std::string_view members) {
  return message_of([&] { read_operator(members); });
}

// ELEMENT_WISE_SUBTRACT of three FLOAT32, with B's tensor flags, the "bindings" beside type, and these of the dispatch,
// once before and once after "b" becomes 10 - b by a second dispatchable.
std::string subtraction(std::string_view b_flags, std::string_view beside_type, std::string_view of_dispatch) {
  constexpr std::string_view tensor = R"({ "DataType": "FLOAT32", "Sizes": [3] })";
  return model_text(
      R"("a": { "initialValuesDataType": "FLOAT32", "initialValues": [10, 10, 10] },
         "b": { "initialValuesDataType": "FLOAT32", "initialValues": [1, 2, 3] },
         "out": { "initialValuesDataType": "FLOAT32", "initialValues": [0, 0, 0] })",
      fmt::format(R"("op": {{ "type": "ELEMENT_WISE_SUBTRACT", "desc": {{ "ATensor": {0},
           "BTensor": {{ "DataType": "FLOAT32", "Sizes": [3]{1} }}, "OutputTensor": {0} }}{2} }},
         "change": {{ "type": "ELEMENT_WISE_SUBTRACT", "desc": {{ "ATensor": {0}, "BTensor": {0}, "OutputTensor": {0} }} }})",
                  tensor, b_flags, beside_type),
      fmt::format(
          R"({{ "type": "dispatch", "dispatchable": "op", "bindings": {{ {0} "ATensor": "a", "OutputTensor": "out" }} }},
         {{ "type": "print", "resource": "out" }},
         {{ "type": "dispatch", "dispatchable": "change", "bindings": {{ "ATensor": "a", "BTensor": "b", "OutputTensor": "b" }} }},
         {{ "type": "dispatch", "dispatchable": "op", "bindings": {{ {0} "ATensor": "a", "OutputTensor": "out" }} }},
         {{ "type": "print", "resource": "out" }}, {{ "type": "print", "resource": "b" }})",
          of_dispatch));
}

constexpr std::string_view owned = R"(, "Flags": "OWNED_BY_DML")";

std::string refused_subtraction(std::string_view b_flags, std::string_view beside_type, std::string_view of_dispatch) {
  return message_of([&] { read(subtraction(b_flags, beside_type, of_dispatch)); });
}

}  // namespace

TEST_CASE("Leniency: text behind the model is ignored with a warning", "[model_features]") {
  const std::string model = model_text("");
  using list = std::vector<std::string>;
  CHECK(read(model + " // a comment\n/* another */ ").warnings == list{});
  for (const std::string_view rest : {"}", "the end", "{ \"resources\": 5 }", "/* first */ , []"})
    CHECK(read(model + std::string(rest)).warnings == list{"the text behind the model's last brace is ignored"});
}

TEST_CASE("M5: HLSL, ONNX and serialised graphs are told apart from operators, in any case", "[model_features]") {
  const std::string end = ", which only DxDispatch runs; dispatchable 'op')";
  const std::string wanted = "', wanted an operator that 'goldml list' names (";
  for (const auto& [type, meaning] : {std::pair{"hlsl", "an HLSL shader"},
                                      {"HLSL", "an HLSL shader"},
                                      {"onnx", "an ONNX model"},
                                      {"Onnx", "an ONNX model"},
                                      {"dmlSerializedGraph", "a serialised graph of DirectML"},
                                      {"DMLSERIALIZEDGRAPH", "a serialised graph of DirectML"}})
    CHECK(refusal(fmt::format(R"("type": "{}", "sourcePath": "a.file")", type)) ==
          fmt::format("model M5: type is '{}{}{}{}", type, wanted, meaning, end));
  // The names of operators are case-sensitive.
  CHECK(refusal(R"("type": "argmin")").ends_with("(did you mean 'ARGMIN'?; dispatchable 'op')"));
}

TEST_CASE("Spelling: Type before type, Desc before desc", "[model_features]") {
  constexpr std::string_view good = R"({ "InputTensor": { "DataType": "INT8", "Sizes": [3] },
      "OutputTensor": { "DataType": "UINT32", "Sizes": [1] }, "AxisCount": 1, "Axes": [0], "AxisDirection": "INCREASING" })";
  const auto name_of_operator = [](std::string_view members) {
    return std::string(read_operator(members).model.dispatchables.at(0).desc.description().name);
  };
  CHECK(name_of_operator(fmt::format(R"("Type": "ARGMIN", "Desc": {})", good)) == "ARGMIN");
  CHECK(name_of_operator(fmt::format(R"("type": "SORT", "Type": "DML_OPERATOR_ARGMIN", "Desc": {})", good)) ==
        "ARGMIN");
  CHECK(name_of_operator(fmt::format(R"("Type": "ARGMIN", "type": "SORT", "desc": {})", good)) == "ARGMIN");
  CHECK(name_of_operator(fmt::format(R"("type": "ARGMIN", "desc": {{ "Axes": 5 }}, "Desc": {})", good)) == "ARGMIN");
  CHECK(read_operator(fmt::format(R"("type": "ARGMIN", "desc": {{}}, "Desc": {})", good)).warnings ==
        std::vector<std::string>{"unknown member 'desc' of dispatchable 'op' is ignored"});
  CHECK(refusal(fmt::format(R"("Type": 5, "type": "ARGMIN", "Desc": {})", good)) ==
        "model M2: Type is 5, wanted a string (dispatchable 'op')");
  // A tensor has only Type and Desc.
  CHECK(refusal(R"("type": "ARGMIN", "InputTensor": { "desc": { "DataType": "INT8", "Sizes": [3] } },
      "AxisDirection": "INCREASING")") ==
        "model M2: DataType is missing, wanted a value (InputTensor of dispatchable 'op')");
}

TEST_CASE("Tensors: an empty array of Strides is a null pointer", "[model_features]") {
  const auto model = read_operator(R"("type": "ARGMIN", "InputTensor": { "DataType": "INT8", "Sizes": [2, 3],
      "Strides": [] }, "AxisDirection": "INCREASING")");
  CHECK(model.model.dispatchables.at(0).tensors.at(0)->strides.empty());
}

TEST_CASE("Execution flags: names in a string or an array", "[model_features]") {
  const auto half = [](std::string_view flags) {
    return read_operator(
               fmt::format(R"("type": "REDUCE", "executionFlags": {}, "Function": "SUM", "AxisCount": 1, "Axes": [0])",
                           flags))
               .model.dispatchables.at(0)
               .desc.as<reduce_desc>()
               .accumulation == accumulation::half;
  };
  for (const std::string_view flags :
       {R"("ALLOW_HALF_PRECISION_COMPUTATION")", R"("DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION")",
        R"(["DESCRIPTORS_VOLATILE", "ALLOW_HALF_PRECISION_COMPUTATION"])", "1", "3"})
    CHECK(half(flags));
  for (const std::string_view flags : {R"("NONE")", R"("DML_EXECUTION_FLAG_DISABLE_META_COMMANDS")",
                                       R"(["NONE", "DESCRIPTORS_VOLATILE"])", "[]", "0", "6"})
    CHECK_FALSE(half(flags));
  const auto refused = [&](std::string_view flags) { return message_of([&] { half(flags); }); };
  CHECK(refused(R"("ALLOW_HALF_PRECISION")") ==
        "model M2: executionFlags is 'ALLOW_HALF_PRECISION', wanted NONE, ALLOW_HALF_PRECISION_COMPUTATION, "
        "DISABLE_META_COMMANDS, DESCRIPTORS_VOLATILE (did you mean 'ALLOW_HALF_PRECISION_COMPUTATION'?; dispatchable "
        "'op')");
  CHECK(refused(R"(["NONE", "FAST"])").starts_with("model M2: executionFlags is 'FAST', wanted NONE, "));
  CHECK(refused("8") == "model M2: executionFlags is 8, wanted flags from 1 to 7 (dispatchable 'op')");
  CHECK(refused("true").starts_with("model M2: executionFlags is true, wanted a string"));
  // An operator that does not round takes the flag, and it changes nothing.
  CHECK(read_operator(R"("type": "ARGMIN", "executionFlags": "ALLOW_HALF_PRECISION_COMPUTATION",
      "AxisDirection": "INCREASING")")
            .warnings.empty());
  CHECK(
      refusal(R"("type": "ARGMIN", "executionFlags": "ALLOW", "AxisDirection": "INCREASING")").starts_with("model M2"));
}

TEST_CASE("Execution flags: a policy on the command line comes before the model's flag", "[model_features]") {
  io::model_options options;
  options.policies = {"accumulation=single"};
  const auto model = read(model_text("", R"("op": { "type": "REDUCE", "Function": "SUM", "AxisCount": 1, "Axes": [0],
      "executionFlags": "ALLOW_HALF_PRECISION_COMPUTATION" })"),
                          options, ".");
  CHECK(model.model.dispatchables.at(0).desc.as<reduce_desc>().accumulation == accumulation::single);
}

TEST_CASE("A3: the policy accumulation=half_products; an unknown value is refused with the others",
          "[model_features]") {
  const auto with = [](const std::string& policy) {
    io::model_options options;
    options.policies = {policy};
    return read(model_text("", R"("op": { "type": "REDUCE", "Function": "SUM", "AxisCount": 1, "Axes": [0] })"),
                options, ".");
  };
  const auto model = with("accumulation=half_products");
  CHECK(model.model.dispatchables.at(0).desc.as<reduce_desc>().accumulation == accumulation::half_products);
  const std::string refused = message_of([&] { with("accumulation=quarter"); });
  CHECK(refused.starts_with("model M2: accumulation is 'quarter', wanted "));
  CHECK(refused.find("single, half_products, half") != std::string::npos);
}

TEST_CASE("Activations: an operator object, flat or nested, whose tensors are not read", "[model_features]") {
  std::vector<std::string> warnings;
  io::model_options options;
  options.warn = [&](std::string_view text) { warnings.emplace_back(text); };
  const auto activation_in = [&](std::string_view text) {
    return io::detail::to_activation(io::parse_json(text), "FusedActivation", "dispatchable 'op'", options);
  };
  const activation elu = activations::elu(0.5F);
  for (const std::string_view text :
       {R"({ "Type": "ACTIVATION_ELU", "Alpha": 0.5 })", R"({ "type": "DML_OPERATOR_ACTIVATION_ELU", "Alpha": 0.5 })",
        R"({ "Type": "ACTIVATION_ELU", "Desc": { "Alpha": 0.5 } })",
        R"({ "type": "ACTIVATION_ELU", "desc": { "Alpha": 0.5 } })",
        R"({ "Type": "ACTIVATION_ELU", "Alpha": 0.5, "InputTensor": 7, "OutputTensor": { "DataType": "NONE" } })",
        R"({ "Type": "ACTIVATION_ELU", "Desc": { "Alpha": 0.5, "InputTensor": { } } })"}) {
    INFO(text);
    CHECK(activation_in(text) == elu);
  }
  CHECK(warnings.empty());
  // Capital first.
  CHECK(activation_in(R"({ "type": "RELU", "Type": "ACTIVATION_ELU", "Alpha": 0.5 })") == elu);
  CHECK(activation_in(R"({ "Type": "ACTIVATION_ELU", "desc": { }, "Desc": { "Alpha": 0.5 } })") == elu);
  CHECK(activation_in(R"({ "Type": "ACTIVATION_LINEAR", "Beta": "-inf", "Alpha": 2 })") ==
        activations::linear(2, -std::numeric_limits<float>::infinity()));
  CHECK(activation_in(R"({ "Type": "ACTIVATION_RELU" })") == activations::relu());
  warnings.clear();
  CHECK(activation_in(R"({ "Type": "ACTIVATION_ELU", "Alpha": 0.5, "Gamma": 1 })") == elu);
  CHECK(warnings ==
        std::vector<std::string>{"unknown member 'Gamma' of FusedActivation of dispatchable 'op' is ignored"});
  const auto refused = [&](std::string_view text) { return message_of([&] { activation_in(text); }); };
  CHECK(refused(R"("ACTIVATION_ELU")") ==
        "model M2: FusedActivation is 'ACTIVATION_ELU', wanted an object with the Type of an activation (dispatchable "
        "'op')");
  CHECK(refused(R"({ "Alpha": 1 })") ==
        "model M2: Type is missing, wanted the name of an activation (FusedActivation of dispatchable 'op')");
  CHECK(refused(R"({ "Type": "ACTIVATION_ELU" })") ==
        "model M2: Alpha is missing, wanted a value (FusedActivation of dispatchable 'op')");
  CHECK(refused(R"({ "Type": "ACTIVATION_ELU", "Alpha": "one" })").starts_with("model M2: Alpha is 'one', wanted a"));
  // Other operators of DirectML are for the rules of the host to refuse; their parameters are not read.
  CHECK(activation_in(R"({ "Type": "ACTIVATION_HARDMAX", "Alpha": 1 })") == activation{.operator_type = 36});
  CHECK(activation_in(R"({ "Type": "DML_OPERATOR_ELEMENT_WISE_CLIP", "Min": "-inf", "Max": 6 })") ==
        activations::clip(-std::numeric_limits<float>::infinity(), 6));
  const activation adjusted{.operator_type = 8,
                            .parameters = {0, 6},
                            .scale_bias = scale_bias{-2.5F, std::numeric_limits<float>::infinity()}};
  const std::string_view with_scale_bias =
      R"({ "Type": "ELEMENT_WISE_CLIP", "Min": 0, "Max": 6, "ScaleBias": { "Scale": -2.5, "Bias": "inf" } })";
  CHECK(activation_in(with_scale_bias) == adjusted);
  CHECK(activation_in(io::detail::json_activation(adjusted)) == adjusted);
  const activation softmax1 = activations::softmax1({2, 0});
  CHECK(activation_in(R"({ "Type": "ACTIVATION_SOFTMAX1", "AxisCount": 2, "Axes": [2, 0] })") == softmax1);
  CHECK(activation_in(io::detail::json_activation(softmax1)) == softmax1);
  CHECK(refused(R"({ "Type": "ACTIVATION_SOFTMAX1", "AxisCount": 1, "Axes": [2, 0] })") ==
        "model M2: AxisCount is 1, wanted 2, as many as there are Axes (FusedActivation of dispatchable 'op')");
  CHECK(refused(R"({ "Type": "ELEMENT_WISE_CLIP", "Min": 0 })").starts_with("model M2: Max is missing, wanted "));
  CHECK(refusal(R"("type": "RNN", "ActivationDescs": 5)") ==
        "model M2: ActivationDescs is 5, wanted an array of activations (dispatchable 'op')");
  const std::string misspelt = refused(R"({ "Type": "ACTIVATION_RELUX" })");
  CHECK(misspelt.starts_with("model M5: Type is 'ACTIVATION_RELUX', wanted "));
  CHECK(misspelt.find("ACTIVATION_ELU, ") != std::string::npos);
  CHECK(misspelt.ends_with("(did you mean 'ACTIVATION_RELU'?; FusedActivation of dispatchable 'op')"));
  CHECK(refused(R"({ "Type": "RELU" })")
            .ends_with("(did you mean 'ACTIVATION_RELU'?; FusedActivation of dispatchable 'op')"));
}

TEST_CASE("Tensors: printed as models have them, without what has its default", "[model_features]") {
  CHECK(io::tensor_json({.data_type = data_type::float32, .sizes = {2, 3}}) ==
        R"({ "DataType": "FLOAT32", "Sizes": [2,3] })");
  CHECK(io::tensor_json(
            {.data_type = data_type::int8, .sizes = {2, 3}, .strides = {0, 1}, .total_tensor_size_in_bytes = 16}) ==
        R"({ "DataType": "INT8", "Sizes": [2,3], "Strides": [0,1], "TotalTensorSizeInBytes": 16 })");
}

TEST_CASE("OWNED_BY_DML: the input is read once, before the first command", "[model_features]") {
  // The second dispatch of "op" still subtracts 1, 2, 3, although the resource is 9, 8, 7 by then.
  const std::string played_text = "Resource 'out': 9, 8, 7\nResource 'out': 9, 8, 7\nResource 'b': 9, 8, 7\n";
  CHECK(played(subtraction(owned, R"(, "bindings": { "BTensor": "b" })", "")) == played_text);
  CHECK(played(subtraction(R"(, "Flags": ["NONE", "OWNED_BY_DML"])", R"(, "bindings": { "BTensor": ["b"] })", "")) ==
        played_text);
  // Without the flag, the resource is read by each dispatch.
  CHECK(played(subtraction("", "", R"("BTensor": "b",)")) ==
        "Resource 'out': 9, 8, 7\nResource 'out': 1, 2, 3\nResource 'b': 9, 8, 7\n");
}

TEST_CASE("OWNED_BY_DML: a copy is made only of a resource that a dispatch writes", "[model_features]") {
  std::string text = subtraction(owned, R"(, "bindings": { "BTensor": "b" })", "");
  CHECK(read(text).model.initial_copies.size() == 1);
  io::model_options options;
  options.max_memory = 48;  // three buffers of 12 bytes, and a copy
  CHECK(message_of([&] { read(text, options, "."); }).empty());
  options.max_memory = 47;
  CHECK(message_of([&] { read(text, options, "."); }) ==
        "model M8: resource is 12 bytes, once more, wanted at most 11 (what --max-memory 47 leaves: an input with "
        "OWNED_BY_DML keeps the initial values)");
  options.validate_only = true;  // no bytes
  CHECK(read(text, options, ".").model.initial_copies.at(0).bytes.empty());
  const std::string_view written = R"("OutputTensor": "b")";
  text.replace(text.find(written), written.size(), R"("OutputTensor": "out")");
  CHECK(read(text).model.initial_copies.empty());
  CHECK(played(text) == "Resource 'out': 9, 8, 7\nResource 'out': 9, 8, 7\nResource 'b': 1, 2, 3\n");
}

TEST_CASE("OWNED_BY_DML: two inputs that read one resource share its copy", "[model_features]") {
  constexpr std::string_view tensor = R"({ "DataType": "FLOAT32", "Sizes": [3] })";
  constexpr std::string_view kept = R"({ "DataType": "FLOAT32", "Sizes": [3], "Flags": "OWNED_BY_DML" })";
  // "b" becomes 0 before it is added to itself.
  const std::string text = model_text(
      R"("b": { "initialValuesDataType": "FLOAT32", "initialValues": [1, 2, 3] },
         "out": { "initialValuesDataType": "FLOAT32", "initialValues": [0, 0, 0] })",
      fmt::format(
          R"("op": {{ "type": "ELEMENT_WISE_ADD", "desc": {{ "ATensor": {1}, "BTensor": {1}, "OutputTensor": {0} }},
           "bindings": {{ "ATensor": "b", "BTensor": "b" }} }},
         "change": {{ "type": "ELEMENT_WISE_ADD", "desc": {{ "ATensor": {0}, "BTensor": {0}, "OutputTensor": {0} }} }})",
          tensor, kept),
      R"({ "type": "dispatch", "dispatchable": "change", "bindings": { "ATensor": "out", "BTensor": "out", "OutputTensor": "b" } },
         { "type": "dispatch", "dispatchable": "op", "bindings": { "OutputTensor": "out" } },
         { "type": "print", "resource": "out" }, { "type": "print", "resource": "b" })");
  CHECK(read(text).model.initial_copies.size() == 1);
  CHECK(played(text) == "Resource 'out': 2, 4, 6\nResource 'b': 0, 0, 0\n");
}

TEST_CASE("OWNED_BY_DML: the input and the output of one dispatch may be one resource", "[model_features]") {
  std::string text = subtraction(owned, R"(, "bindings": { "BTensor": "b" })", "");
  for (std::size_t at = text.find("\"out\" } }"); at != std::string::npos; at = text.find("\"out\" } }", at))
    text.replace(at, 5, "\"b\"");
  CHECK(played(text) == "Resource 'out': 0, 0, 0\nResource 'out': 0, 0, 0\nResource 'b': 9, 8, 7\n");
}

TEST_CASE("M3: inputs with OWNED_BY_DML are bound beside type, the others by the dispatch", "[model_features]") {
  const std::string wanted =
      ", wanted a tensor with OWNED_BY_DML bound beside type, and not by the dispatch (command 0)";
  CHECK(refused_subtraction(owned, "", "") == "model M3: bindings is without BTensor" + wanted);
  CHECK(refused_subtraction(owned, "", R"("BTensor": "b",)") == "model M3: bindings is with BTensor" + wanted);
  CHECK(refused_subtraction(owned, R"(, "bindings": { "BTensor": "b" })", R"("BTensor": "b",)") ==
        "model M3: bindings is with BTensor" + wanted);
  const std::string here =
      ", wanted inputs with OWNED_BY_DML only; the others are bound by the dispatch, and are null in a list here "
      "(dispatchable "
      "'op')";
  CHECK(refused_subtraction("", R"(, "bindings": { "BTensor": "b" })", "") ==
        "model M3: bindings is with BTensor" + here);
  CHECK(refused_subtraction(owned, R"(, "bindings": { "BTensor": "b", "OutputTensor": "out" })", "") ==
        "model M3: bindings is with OutputTensor" + here);
  CHECK(refused_subtraction(owned, R"(, "bindings": { "BTensor": "c" })", "") ==
        "model M3: bindings is 'c', wanted the name of a resource (dispatchable 'op')");
  CHECK(refused_subtraction(owned, R"(, "bindings": 5)", "").starts_with("model M2"));
}

TEST_CASE("In place: the same resource as input and output where the page permits it", "[model_features]") {
  const auto clip = [](std::string_view type, std::string_view sizes, std::string_view output) {
    return model_text(
        R"("x": { "initialValuesDataType": "FLOAT32", "initialValues": [-3, -0.5, 0.25, 7, 1, 1, 1, 1] })",
        fmt::format(R"("op": {{ "type": "{0}", "desc": {{ "InputTensor": {{ "DataType": "FLOAT32", "Sizes": [4] }},
             "OutputTensor": {{ "DataType": "FLOAT32", "Sizes": {1} }}, "Min": -1, "Max": 2 }} }})",
                    type, sizes),
        fmt::format(
            R"({{ "type": "dispatch", "dispatchable": "op", "bindings": {{ "InputTensor": "x", "OutputTensor": {} }} }},
             {{ "type": "print", "resource": "x" }})",
            output));
  };
  const auto refused = [](const std::string& text) { return refusal_of([&] { played(text); }); };
  CHECK(played(clip("ELEMENT_WISE_CLIP", "[4]", "\"x\"")) == "Resource 'x': -1, -0.5, 0.25, 2, 1, 1, 1, 1\n");
  // Not exactly the same tensor, or the same resource elsewhere.
  CHECK(refused(clip("ELEMENT_WISE_CLIP", "[4]", R"({ "name": "x", "elementOffset": 4 })")) == "T12");
  const std::string exponential = model_text(
      R"("x": { "initialValuesDataType": "FLOAT32", "initialValues": [1, 2] })",
      R"("op": { "type": "REVERSE_SUBSEQUENCES", "desc": { "InputTensor": { "DataType": "FLOAT32", "Sizes": [1, 1, 1, 2] },
         "SequenceLengthsTensor": { "DataType": "UINT32", "Sizes": [1, 1, 1, 1] },
         "OutputTensor": { "DataType": "FLOAT32", "Sizes": [1, 1, 1, 2] }, "Axis": 3 } })",
      R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "x", "SequenceLengthsTensor": "x",
         "OutputTensor": "x" } })");
  CHECK(refused(exponential) == "T12");  // its page does not mention in-place execution
}

TEST_CASE("39: RANDOM_GENERATOR has a Type of its own, in Desc alone", "[model_features]") {
  const auto model = [](std::string_view begin, std::string_view type, std::string_view end) {
    return model_text(
        R"("state": { "initialValuesDataType": "UINT32", "initialValues": [0, 0, 0, 0, 0, 0] },
         "out": { "initialValuesDataType": "UINT32", "initialValues": [0] })",
        fmt::format(R"("op": {{ {} "InputStateTensor": {{ "DataType": "UINT32", "Sizes": [6] }},
             "OutputTensor": {{ "DataType": "UINT32", "Sizes": [1] }}, "Type": {} {} }})",
                    begin, type, end),
        R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputStateTensor": "state", "OutputTensor": "out" } },
         { "type": "print", "resource": "out" })");
  };
  const std::string_view word = "Resource 'out': 1713891541\n";  // 6627e8d5
  for (const std::string_view type : {R"("DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10")", R"("PHILOX_4X32_10")", "0"}) {
    CHECK(played(model(R"("type": "RANDOM_GENERATOR", "desc": {)", type, "}")) == word);
    CHECK(played(model(R"("Type": "DML_OPERATOR_RANDOM_GENERATOR", "Desc": {)", type, "}")) == word);
  }
  const auto message = [](const std::string& text) -> std::string {
    try {
      played(text);
      return "none";
    } catch (const error& e) {
      return e.what();
    }
  };
  const std::string_view wanted = "Desc is missing, wanted an object with the members, as one of them is Type";
  CHECK(message(model(R"("type": "RANDOM_GENERATOR",)", R"("PHILOX_4X32_10")", "")).find(wanted) != std::string::npos);
  CHECK(message(model("", R"("RANDOM_GENERATOR")", "")).find(wanted) != std::string::npos);
  CHECK(message(model(R"("type": "RANDOM_GENERATOR", "desc": {)", R"("RANDOM_GENERATOR")", "}")).find("M2") !=
        std::string::npos);
  CHECK(message(model(R"("type": "RANDOM_GENERATOR", "desc": {)", "1", "}")).find("PH5") != std::string::npos);
}

TEST_CASE("Bindings: a list for an operand that is a list; one resource if it has one tensor", "[model_features]") {
  const auto join = [](std::string_view tensors, std::string_view inputs) {
    return model_text(
        R"("a": { "initialValuesDataType": "FLOAT32", "initialValues": [1, 2, 9, 9, 3, 4] },
         "b": { "initialValuesDataType": "FLOAT32", "initialValues": [5] },
         "out": { "initialValuesDataType": "FLOAT32", "initialValues": [0, 0, 0] })",
        fmt::format(R"("op": {{ "type": "JOIN", "desc": {{ "InputTensors": [ {} ],
             "OutputTensor": {{ "DataType": "FLOAT32", "Sizes": [3] }}, "Axis": 0 }} }})",
                    tensors),
        fmt::format(
            R"({{ "type": "dispatch", "dispatchable": "op", "bindings": {{ "InputTensors": {}, "OutputTensor": "out" }} }},
             {{ "type": "print", "resource": "out" }})",
            inputs));
  };
  const auto refused = [](const std::string& text) { return message_of([&] { read(text); }); };
  const std::string_view two = R"({ "DataType": "FLOAT32", "Sizes": [2] }, { "DataType": "FLOAT32", "Sizes": [1] })";
  const std::string_view one = R"({ "DataType": "FLOAT32", "Sizes": [3] })";
  CHECK(played(join(two, R"(["a", "b"])")) == "Resource 'out': 1, 2, 5\n");
  CHECK(played(join(two, R"([{ "name": "a", "elementOffset": 4 }, "b"])")) == "Resource 'out': 3, 4, 5\n");
  CHECK(played(join(one, R"("a")")) == "Resource 'out': 1, 2, 9\n");
  CHECK(played(join(one, R"(["a"])")) == "Resource 'out': 1, 2, 9\n");
  const std::string wanted = ", wanted a list of 2 resources, one for each tensor of InputTensors (command 0)";
  CHECK(refused(join(two, R"(["a"])")) == "model M2: bindings is 1 for InputTensors" + wanted);
  CHECK(refused(join(two, R"(["a", "b", "b"])")) == "model M2: bindings is 3 for InputTensors" + wanted);
  CHECK(refused(join(two, R"("a")")) == "model M2: bindings is 'a'" + wanted);
}

TEST_CASE("Scalar unions: their data type may stand behind them", "[model_features]") {
  const auto bits = [](std::string_view members) {
    return to_string(read_operator(fmt::format(R"("type": "FILL_VALUE_CONSTANT", {},
        "OutputTensor": {{ "DataType": "FLOAT16", "Sizes": [2] }})",
                                               members))
                         .model.dispatchables.at(0)
                         .desc.as<fill_value_constant_desc>()
                         .value);
  };
  CHECK(bits(R"("Value": { "UInt16": 16896 }, "ValueDataType": "FLOAT16")") == "FLOAT16 3");  // 0x4200
  CHECK(bits(R"("ValueDataType": "FLOAT16", "Value": { "UInt16": 16896 })") == "FLOAT16 3");
  CHECK(bits(R"("Value": 3, "ValueDataType": "FLOAT16")") == "FLOAT16 3");
  // Through FLOAT32: 2049 + 2^-20 is halfway between 2048 and 2050 there, so the tie goes to even.
  CHECK(bits(R"("Value": 2049.00000095367431640625, "ValueDataType": "FLOAT16")") == "FLOAT16 2048");
}

TEST_CASE("37: ValueDataType of older models is taken for MinMaxDataType and PaddingValueDataType",
          "[model_features]") {
  constexpr std::string_view tensors = R"("InputTensor": { "DataType": "INT8", "Sizes": [2] },
      "OutputTensor": { "DataType": "INT8", "Sizes": [2] })";
  const auto clip = [&](std::string_view types) {
    return read_operator(fmt::format(R"("type": "ELEMENT_WISE_CLIP1", "Min": -3, "Max": 4, {}, {})", types, tensors));
  };
  const auto bounds = [](const read_result& result) {
    const auto& desc = result.model.dispatchables.at(0).desc.as<element_wise_clip1_desc>();
    return to_string(desc.min) + " " + to_string(desc.max);
  };
  using texts = std::vector<std::string>;
  const read_result older = clip(R"("ValueDataType": "INT8")");
  CHECK(bounds(older) == "INT8 -3 INT8 4");
  CHECK(older.warnings == texts{"ValueDataType of dispatchable 'op' is taken for MinMaxDataType, as by DxDispatch "
                                "before feature level 6_2"});
  const read_result both = clip(R"("MinMaxDataType": "INT8", "ValueDataType": "FLOAT32")");
  CHECK(bounds(both) == "INT8 -3 INT8 4");
  CHECK(both.warnings == texts{"unknown member 'ValueDataType' of dispatchable 'op' is ignored"});
  CHECK(message_of([&] { clip(R"("Other": 1)"); }).find("MinMaxDataType is missing") != std::string::npos);
  const read_result padding = read_operator(fmt::format(R"("type": "PADDING1", "PaddingMode": "CONSTANT",
      "PaddingValue": 9, "ValueDataType": "INT8", "DimensionCount": 1, "StartPadding": [0], "EndPadding": [0], {})",
                                                        tensors));
  CHECK(to_string(padding.model.dispatchables.at(0).desc.as<padding1_desc>().padding_value) == "INT8 9");
  CHECK(padding.warnings.size() == 1);
}

TEST_CASE("37: a negative padding points to SLICE1", "[model_features]") {
  CHECK(message_of([] {
          read_operator(R"("type": "PADDING", "PaddingMode": "EDGE", "PaddingValue": 0, "StartPadding": [0, -1],
              "EndPadding": [0, 0], "InputTensor": { "DataType": "INT8", "Sizes": [2, 2] },
              "OutputTensor": { "DataType": "INT8", "Sizes": [2, 1] })");
        }) ==
        "model M4: StartPadding is -1, wanted an integer from 0 to 4294967295 (SLICE1 removes elements; dispatchable "
        "'op')");
}

TEST_CASE("initialValues: value, valueStart and sourcePath are looked for in this order", "[model_features]") {
  const auto result = read(model_text(R"("r": { "initialValuesDataType": "INT32",
      "initialValues": { "sourcePath": "none.npy", "valueCount": 2, "valueStart": 5, "valueDelta": 1 } })"));
  CHECK(result.warnings == std::vector<std::string>{"sourcePath of resource 'r' is ignored: valueStart is there"});
  CHECK(result.model.resources.at(0).size_in_bytes == 8);
  const std::string_view without_a_warning =
      R"({ "resources": { "r": { "initialValuesDataType": "INT32", "initialValues":
      { "sourcePath": "none.npy", "valueCount": 2, "valueStart": 5, "valueDelta": 1 } } }, "dispatchables": {}, "commands": [] })";
  CHECK(io::parse_model(without_a_warning, ".", {}).resources.at(0).size_in_bytes == 8);
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32",
      "initialValues": { "sourcePath": "none.npy", "valueCount": 2, "value": 5 })")
            .starts_with("model M2: initialValues is an object, wanted exactly one of "));
}

TEST_CASE("Files: with allow_outside any name is raw bytes, but for .npy and images", "[model_features]") {
  const temporary_folder folder;
  folder.write("v.weights", "\x01\x02\x03\x04");
  io::model_options options = options_in(folder);
  const std::string_view raw =
      R"("r": { "initialValuesDataType": "UINT8", "initialValues": { "sourcePath": "v.weights" } })";
  const auto refused = [&](std::string_view resources, std::string_view commands) {
    return message_of([&] { read(model_text(resources, "", commands), options, folder.path()); });
  };
  CHECK(refused(raw, "") ==
        "model M5: sourcePath is 'v.weights', wanted a .npy, .dat or .bin file (--allow-outside takes others as raw "
        "bytes; resource 'r')");
  options.allow_outside = true;
  const std::string_view write = R"({ "type": "writeFile", "resource": "r", "targetPath": "w.out" })";
  CHECK(refused(raw, write).empty());
  io::model model = read(model_text(raw, "", write), options, folder.path()).model;
  std::ostringstream out;
  io::play(reference, model, out);
  CHECK(folder.read("w.out") == "\x01\x02\x03\x04");
  for (const std::string_view image : {"a.jpg", "a.JPEG", "a.png"}) {
    folder.write(image, "1234");
    CHECK(
        refused(fmt::format(R"("r": {{ "initialValuesDataType": "UINT8", "initialValues": {{ "sourcePath": "{}" }} }})",
                            image),
                "") == fmt::format("model M5: sourcePath is '{}', wanted a .npy, .dat or .bin file (goldml has no "
                                   "images; resource 'r')",
                                   image));
    CHECK(refused(raw, fmt::format(R"({{ "type": "writeFile", "resource": "r", "targetPath": "{}" }})", image))
              .starts_with("model M5: targetPath is '"));
  }
  // DxDispatch reads .NPY as .npy, too.
  const std::vector<std::uint64_t> shape{2};
  const std::string_view data = "\x07\x08";
  const auto npy = io::format_npy(data_type::uint8, shape, std::as_bytes(std::span(data)));
  folder.write("v.NPY", std::string_view(reinterpret_cast<const char*>(npy.data()), npy.size()));
  options.allow_outside = false;
  CHECK(read(model_text(R"("r": { "initialValues": { "sourcePath": "v.NPY" } })"), options, folder.path())
            .model.resources.at(0)
            .type == data_type::uint8);
}

TEST_CASE("A7: a number that is no activation is printed as the operator's name, or as it is", "[model_features]") {
  CHECK(io::detail::json_activation({.operator_type = 36}) == R"({ "Type": "ACTIVATION_HARDMAX" })");
  CHECK(io::detail::json_activation({.operator_type = 4711}) == R"({ "Type": 4711 })");
  CHECK(io::detail::json_activation({.operator_type = 0}) == R"({ "Type": 0 })");
}

TEST_CASE("C6: of an array of tensors DirectML may own some; null stands for the others", "[model_features]") {
  const auto join = [](std::string_view beside_type, std::string_view of_dispatch) {
    return model_text(
        R"("a": { "initialValuesDataType": "FLOAT32", "initialValues": [1] },
           "b": { "initialValuesDataType": "FLOAT32", "initialValues": [2] },
           "out": { "initialValuesDataType": "FLOAT32", "initialValues": [0, 0] })",
        fmt::format(R"("op": {{ "type": "JOIN", "desc": {{ "InputCount": 2, "InputTensors": [
             {{ "DataType": "FLOAT32", "Sizes": [1], "Flags": "OWNED_BY_DML" }}, {{ "DataType": "FLOAT32", "Sizes": [1] }}],
             "OutputTensor": {{ "DataType": "FLOAT32", "Sizes": [2] }}, "Axis": 0 }}{} }})",
                    beside_type),
        fmt::format(R"({{ "type": "dispatch", "dispatchable": "op", "bindings": {{ {} "OutputTensor": "out" }} }},
                       {{ "type": "print", "resource": "out" }})",
                    of_dispatch));
  };
  const std::string_view first = R"(, "bindings": { "InputTensors": ["a", null] })";
  CHECK(played(join(first, R"("InputTensors": [null, "b"],)")) == "Resource 'out': 1, 2\n");
  const auto refused = [&](std::string_view beside_type, std::string_view of_dispatch) {
    return message_of([&] { read(join(beside_type, of_dispatch)); });
  };
  const std::string wanted =
      ", wanted each of its tensors with OWNED_BY_DML bound beside type, and null in the list of the dispatch (command "
      "0)";
  CHECK(refused(first, R"("InputTensors": ["a", "b"],)") == "model M3: bindings is with InputTensors" + wanted);
  CHECK(refused("", R"("InputTensors": [null, "b"],)") == "model M3: bindings is without InputTensors" + wanted);
  CHECK(refused(first, R"("InputTensors": [null, null],)") ==
        "model M3: bindings is without InputTensors, wanted a resource for each tensor of the desc (command 0)");
  CHECK(refused(R"(, "bindings": { "InputTensors": ["a", "b"] })", R"("InputTensors": [null, "b"],)") ==
        "model M3: bindings is with InputTensors, wanted inputs with OWNED_BY_DML only; the others are bound by the "
        "dispatch, and are null in a list here (dispatchable 'op')");
}
