// Runs a DxDispatch model from a program. The header is optional and needs RapidJSON.
#include <iostream>
#include <string_view>

#include <goldml/io/dxdispatch.hpp>
#include <goldml/reference/reference.hpp>

int main() {
  constexpr std::string_view text = R"({
    "resources": {
      "in":  { "initialValuesDataType": "INT32", "initialValues": [7, 3, 5] },
      "out": { "initialValuesDataType": "UINT32", "initialValues": [0] }
    },
    "dispatchables": {
      "least": { "type": "ARGMIN", "desc": {
        "InputTensor": { "DataType": "INT32", "Sizes": [3] },
        "OutputTensor": { "DataType": "UINT32", "Sizes": [1] },
        "Axes": [0], "AxisDirection": "INCREASING" } }
    },
    "commands": [
      { "type": "dispatch", "dispatchable": "least", "bindings": { "InputTensor": "in", "OutputTensor": "out" } },
      { "type": "print", "resource": "out" }
    ] })";
  goldml::io::model model = goldml::io::parse_model(text, ".", {});
  goldml::io::play(goldml::reference, model, std::cout);
}
