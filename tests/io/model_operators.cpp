// io/model_operators.hpp: the forms of dispatchables, tensors, enumerations and scalars, and invalid operators.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models.hpp"

namespace {

using namespace models;

read_result read_operator(std::string_view members) {
  return read(model_text("", fmt::format(R"("op": {{ {} }})", members)));
}

template <class Desc>
Desc desc_of(std::string_view members) {
  return read_operator(members).model.dispatchables.at(0).desc.as<Desc>();
}

std::string refusal(std::string_view members) {
  return message_of([&] { read_operator(members); });
}

constexpr std::string_view argmin_members = R"("InputTensor": { "DataType": "FLOAT32", "Sizes": [3, 3] },
    "OutputTensor": { "DataType": "UINT32", "Sizes": [3, 1] }, "AxisCount": 1, "Axes": [1], "AxisDirection": "DECREASING")";

// ARGMIN with this input.
std::string argmin_on(std::string_view tensor) {
  return fmt::format(R"("type": "ARGMIN", "InputTensor": {}, "Axes": [0], "AxisDirection": "INCREASING")", tensor);
}

tensor_desc tensor_of(std::string_view tensor) {
  return read_operator(argmin_on(tensor)).model.dispatchables.at(0).tensors.at(0).value();
}

std::string tensor_refusal(std::string_view tensor) { return refusal(argmin_on(tensor)); }

axis_direction direction_of(std::string_view value) {
  return desc_of<argmin_desc>(fmt::format(R"("type": "ARGMIN", "Axes": [0], "AxisDirection": {})", value))
      .axis_direction;
}

// DIAGONAL_MATRIX1 with this value.
std::string diagonal_of(std::string_view type, std::string_view value) {
  return fmt::format(R"("type": "DIAGONAL_MATRIX1", "OutputTensor": {{ "DataType": "{0}", "Sizes": [2, 2] }},
      "ValueDataType": "{0}", "Value": {1}, "DiagonalFillBegin": -1, "DiagonalFillEnd": 2)",
                     type, value);
}

scalar value_of(std::string_view type, std::string_view value) {
  return desc_of<diagonal_matrix1_desc>(diagonal_of(type, value)).value;
}

}  // namespace

TEST_CASE("Dispatchables: type with or without prefix", "[model_operators]") {
  for (const std::string_view type : {"ARGMIN", "DML_OPERATOR_ARGMIN"}) {
    const argmin_desc desc =
        desc_of<argmin_desc>(fmt::format(R"("type": "{}", "desc": {{ {} }})", type, argmin_members));
    CHECK(desc.axes == dimensions{1});
    CHECK(desc.axis_direction == axis_direction::decreasing);
  }
}

TEST_CASE("Dispatchables: members in desc, in Desc, or beside type", "[model_operators]") {
  for (const std::string& members : {fmt::format(R"("type": "ARGMIN", "desc": {{ {} }})", argmin_members),
                                     fmt::format(R"("type": "ARGMIN", "Desc": {{ {} }})", argmin_members),
                                     fmt::format(R"("type": "ARGMIN", {})", argmin_members)}) {
    INFO(members);
    const auto result = read_operator(members);
    const io::model_dispatchable& op = result.model.dispatchables.at(0);
    CHECK(op.name == "op");
    CHECK(op.desc.as<argmin_desc>().axes == dimensions{1});
    REQUIRE(op.tensors.size() == 2);
    CHECK(op.tensors[0] == tensor_desc{.data_type = data_type::float32, .sizes = {3, 3}});
    CHECK(op.tensors[1] == tensor_desc{.data_type = data_type::uint32, .sizes = {3, 1}});
    CHECK(result.warnings.empty());
  }
}

TEST_CASE("Dispatchables: dmlCompileType is accepted and ignored", "[model_operators]") {
  CHECK(read_operator(
            fmt::format(R"("type": "ARGMIN", "dmlCompileType": "DmlCompileGraph", "desc": {{ {} }})", argmin_members))
            .warnings.empty());
  CHECK(read_operator(fmt::format(R"("type": "ARGMIN", "dmlCompileType": "DmlCompileOp", {})", argmin_members))
            .warnings.empty());
}

TEST_CASE("Dispatchables: the members of every operator", "[model_operators]") {
  const auto scatter = desc_of<scatter_nd_desc>(
      R"("type": "SCATTER_ND", "desc": { "InputDimensionCount": 3, "IndicesDimensionCount": 2 })");
  CHECK(scatter.input_dimension_count == 3);
  CHECK(scatter.indices_dimension_count == 2);
  const auto diagonal = desc_of<diagonal_matrix1_desc>(diagonal_of("INT32", "-5"));
  CHECK(diagonal.value == scalar(std::int32_t{-5}));
  CHECK(diagonal.diagonal_fill_begin == -1);
  CHECK(diagonal.diagonal_fill_end == 2);
  const auto nonzero = read_operator(R"("type": "DML_OPERATOR_NONZERO_COORDINATES", "desc": {
      "OutputCountTensor": { "DataType": "UINT32", "Sizes": [1] } })");
  const auto& tensors = nonzero.model.dispatchables.at(0).tensors;
  REQUIRE(tensors.size() == 3);
  CHECK_FALSE(tensors[0]);
  CHECK(tensors[1] == tensor_desc{.data_type = data_type::uint32, .sizes = {1}});
  CHECK_FALSE(tensors[2]);
}

TEST_CASE("Dispatchables: the desc gets the level of the options", "[model_operators]") {
  io::model_options options;
  options.feature_level = feature_level::level_3_0;
  const auto result =
      read(model_text("", fmt::format(R"("op": {{ "type": "ARGMIN", {} }})", argmin_members)), options, ".");
  CHECK(result.model.dispatchables.at(0).desc.as<argmin_desc>().feature_level == feature_level::level_3_0);
}

TEST_CASE("Dispatchables: a list may be omitted or null, and so may its count", "[model_operators]") {
  const auto axes_of = [](std::string_view members) {
    return desc_of<argmin_desc>(fmt::format(R"("type": "ARGMIN", "AxisDirection": 0{})", members)).axes;
  };
  CHECK(axes_of("") == dimensions{});
  CHECK(axes_of(R"(, "AxisCount": 0, "Axes": null)") == dimensions{});
  CHECK(axes_of(R"(, "Axes": [2, 0])") == dimensions{2, 0});
  CHECK(axes_of(R"(, "Axes": [0, 1, 2, 3, 4, 5, 6, 7, 8])").overlong());
  CHECK(refusal(R"("type": "ARGMIN", "AxisDirection": 0, "AxisCount": 2, "Axes": [1])") ==
        "model M2: AxisCount is 2, wanted 1, as many as there are Axes (dispatchable 'op')");
  CHECK(refusal(R"("type": "ARGMIN", "AxisDirection": 0, "Axes": 1)") ==
        "model M2: Axes is 1, wanted an array of integers (dispatchable 'op')");
  CHECK(refusal(R"("type": "ARGMIN", "AxisDirection": 0, "Axes": [-1])").substr(0, 8) == "model M4");
}

TEST_CASE("Enumerations: full name, short name or number", "[model_operators]") {
  CHECK(direction_of(R"("DML_AXIS_DIRECTION_DECREASING")") == axis_direction::decreasing);
  CHECK(direction_of(R"("DECREASING")") == axis_direction::decreasing);
  CHECK(direction_of(R"("INCREASING")") == axis_direction::increasing);
  CHECK(direction_of("1") == axis_direction::decreasing);
  CHECK(direction_of("7") == axis_direction{7});  // for rule A8 to refuse
  const auto refused = [](std::string_view value) { return message_of([&] { direction_of(value); }); };
  CHECK(refused(R"("UP")") == "model M2: AxisDirection is 'UP', wanted INCREASING, DECREASING (dispatchable 'op')");
  CHECK(refused(R"("increasing")").substr(0, 8) == "model M2");
  CHECK(refused("true").substr(0, 8) == "model M2");
  CHECK(refused("-1").substr(0, 8) == "model M4");
  CHECK(refusal(R"("type": "ARGMIN", "Axes": [0])") ==
        "model M2: AxisDirection is missing, wanted a value (dispatchable 'op')");
}

TEST_CASE("Tensors: flat, or nested as DML_TENSOR_DESC", "[model_operators]") {
  const tensor_desc expected{.data_type = data_type::int8, .sizes = {2, 3}};
  for (const std::string_view tensor :
       {R"({ "DataType": "INT8", "Sizes": [2, 3] })",
        R"({ "DataType": "DML_TENSOR_DATA_TYPE_INT8", "Sizes": [2.0, 3], "Strides": null })",
        R"({ "Type": "BUFFER", "Desc": { "DataType": "INT8", "Sizes": [2, 3] } })",
        R"({ "Type": "DML_TENSOR_TYPE_BUFFER", "Desc": { "DataType": "INT8", "DimensionCount": 2, "Sizes": [2, 3] } })",
        R"({ "Type": 1, "DataType": "INT8", "Sizes": [2, 3], "Flags": "NONE" })",
        R"({ "Desc": { "DataType": "INT8", "Sizes": [2, 3], "Flags": 0, "GuaranteedBaseOffsetAlignment": 0 } })"}) {
    INFO(tensor);
    CHECK(tensor_of(tensor) == expected);
    CHECK(read_operator(argmin_on(tensor)).warnings.empty());
  }
}

TEST_CASE("Tensors: the optional members", "[model_operators]") {
  const tensor_desc desc =
      tensor_of(R"({ "DataType": "FLOAT16", "Sizes": [2, 3], "Strides": [0, 4], "DimensionCount": 2,
      "TotalTensorSizeInBytes": 5000000000, "GuaranteedBaseOffsetAlignment": 32, "Flags": "OWNED_BY_DML", "Type": "INVALID" })");
  CHECK(desc.strides == dimensions{0, 4});
  CHECK(desc.total_tensor_size_in_bytes == 5000000000);
  CHECK(desc.guaranteed_base_offset_alignment == 32);
  CHECK(desc.flags == tensor_flags::owned_by_dml);
  CHECK(desc.type == tensor_type::invalid);
}

TEST_CASE("Tensors: flags and types by name or number", "[model_operators]") {
  const auto flags_of = [](std::string_view flags) {
    return tensor_of(fmt::format(R"({{ "DataType": "INT8", "Sizes": [1], "Flags": {} }})", flags)).flags;
  };
  CHECK(flags_of(R"("DML_TENSOR_FLAG_NONE")") == tensor_flags::none);
  CHECK(flags_of(R"("DML_TENSOR_FLAG_OWNED_BY_DML")") == tensor_flags::owned_by_dml);
  CHECK(flags_of("1") == tensor_flags::owned_by_dml);
  CHECK(flags_of(R"(["NONE", "OWNED_BY_DML"])") == tensor_flags::owned_by_dml);
  CHECK(flags_of("[]") == tensor_flags::none);
  CHECK(flags_of("6") == tensor_flags{6});  // for rule T10 to refuse
  CHECK(refusal_of([&] { flags_of(R"("OWNED")"); }) == "M2");
  CHECK(refusal_of([&] { flags_of("true"); }) == "M2");
  CHECK(refusal_of([&] { flags_of("-1"); }) == "M4");
  const auto type_of = [](std::string_view type) {
    return tensor_of(fmt::format(R"({{ "Type": {}, "Desc": {{ "DataType": "INT8", "Sizes": [1] }} }})", type)).type;
  };
  CHECK(type_of(R"("DML_TENSOR_TYPE_INVALID")") == tensor_type::invalid);
  CHECK(type_of("0") == tensor_type::invalid);
  CHECK(type_of("1") == tensor_type::buffer);
  CHECK(type_of("9") == tensor_type{9});  // for rule T2 to refuse
  CHECK(refusal_of([&] { type_of(R"("TEXTURE")"); }) == "M2");
}

TEST_CASE("M2: invalid tensors", "[model_operators]") {
  CHECK(tensor_refusal("[2, 3]") ==
        "model M2: tensor is an array, wanted an object (InputTensor of dispatchable 'op')");
  CHECK(tensor_refusal(R"({ "Sizes": [2] })") ==
        "model M2: DataType is missing, wanted a value (InputTensor of dispatchable 'op')");
  CHECK(tensor_refusal(R"({ "DataType": "INT8" })") ==
        "model M2: Sizes is missing, wanted a value (InputTensor of dispatchable 'op')");
  CHECK(tensor_refusal(R"({ "DataType": "INT8", "Sizes": 3 })").substr(0, 8) == "model M2");
  CHECK(tensor_refusal(R"({ "DataType": "INT8", "Sizes": ["3"] })").substr(0, 8) == "model M2");
  CHECK(tensor_refusal(R"({ "DataType": "INT8", "Sizes": [2, 3], "Strides": 7 })") ==
        "model M2: Strides is 7, wanted an array of integers (InputTensor of dispatchable 'op')");
  CHECK(tensor_refusal(R"({ "DataType": "INT8", "Sizes": [2, 3], "DimensionCount": 3 })") ==
        "model M2: DimensionCount is 3, wanted 2, as many as Sizes (InputTensor of dispatchable 'op')");
  CHECK(tensor_refusal(R"({ "DataType": "INT8", "Sizes": [2, 3], "Strides": [1] })") ==
        "model M2: Strides is 1, wanted 2, as many as Sizes (InputTensor of dispatchable 'op')");
  CHECK(tensor_refusal(R"({ "Desc": [] })").substr(0, 8) == "model M2");
  CHECK(tensor_refusal(R"({ "DataType": "INT8", "Sizes": [4294967296] })") ==
        "model M4: Sizes is 4294967296, wanted an integer from 0 to 4294967295 (InputTensor of dispatchable 'op')");
  CHECK(tensor_refusal(R"({ "DataType": "INT8", "Sizes": [1.5] })").substr(0, 8) == "model M4");
  CHECK(tensor_refusal(R"({ "DataType": "INT4", "Sizes": ["2"] })").substr(0, 8) == "model M2");  // not of the type
}

TEST_CASE("Scalars: a number of ValueDataType, in every data type", "[model_operators]") {
  CHECK(value_of("FLOAT32", "1.5") == scalar(1.5F));
  CHECK(value_of("FLOAT64", "0.1") == scalar(0.1));
  CHECK(value_of("FLOAT16", "1.5") == scalar(float16(1.5F)));
  CHECK(value_of("FLOAT16", "\"-inf\"") == scalar(float16(-std::numeric_limits<float>::infinity())));
  CHECK(value_of("INT8", "-128") == scalar(std::int8_t{-128}));
  CHECK(value_of("UINT8", "255") == scalar(std::uint8_t{255}));
  CHECK(value_of("INT16", "-3") == scalar(std::int16_t{-3}));
  CHECK(value_of("UINT16", "65535") == scalar(std::uint16_t{65535}));
  CHECK(value_of("INT32", "3.0") == scalar(std::int32_t{3}));
  CHECK(value_of("UINT32", "4294967295") == scalar(std::uint32_t{4294967295}));
  CHECK(value_of("INT64", "-9223372036854775808") == scalar(std::numeric_limits<std::int64_t>::lowest()));
  CHECK(value_of("UINT64", "18446744073709551615") == scalar(std::uint64_t{18446744073709551615U}));
}

TEST_CASE("Scalars: the union's member by name; FLOAT16 is 16 bits of UInt16", "[model_operators]") {
  CHECK(value_of("FLOAT32", R"({ "Float32": 1.5 })") == scalar(1.5F));
  CHECK(value_of("FLOAT64", R"({ "Float64": -0.0 })") == scalar(-0.0));
  CHECK(value_of("FLOAT16", R"({ "UInt16": 15872 })") == scalar(float16(1.5F)));  // 0x3E00
  for (const auto& [type, member] : {std::pair{"INT8", "Int8"},
                                     {"UINT8", "UInt8"},
                                     {"INT16", "Int16"},
                                     {"UINT16", "UInt16"},
                                     {"INT32", "Int32"},
                                     {"UINT32", "UInt32"},
                                     {"INT64", "Int64"},
                                     {"UINT64", "UInt64"}})
    CHECK(to_string(value_of(type, fmt::format(R"({{ "{}": 100 }})", member))) == fmt::format("{} 100", type));
}

TEST_CASE("M2, M4: invalid scalars", "[model_operators]") {
  const auto refused = [](std::string_view type, std::string_view value) { return refusal(diagonal_of(type, value)); };
  CHECK(refused("FLOAT32", R"({ "Int32": 1 })") ==
        "model M2: Value is an object, wanted a number, or an object with just Float32 (dispatchable 'op')");
  CHECK(refused("FLOAT16", R"({ "Float32": 1 })").substr(0, 8) == "model M2");
  CHECK(refused("FLOAT32", R"({ "Float32": 1, "Int32": 1 })").substr(0, 8) == "model M2");
  CHECK(refused("FLOAT32", "{}").substr(0, 8) == "model M2");
  CHECK(refused("FLOAT32", "[1]").substr(0, 8) == "model M2");
  CHECK(refused("INT32", "\"nan\"").substr(0, 8) == "model M2");
  CHECK(refused("UINT8", "256") == "model M4: Value is 256, wanted an integer from 0 to 255 (dispatchable 'op')");
  CHECK(refused("INT32", "1.5").substr(0, 8) == "model M4");
  CHECK(refused("FLOAT16", "65520").substr(0, 8) == "model M4");
  CHECK(refused("FLOAT16", R"({ "UInt16": 65536 })").substr(0, 8) == "model M4");
  CHECK(refused("INT4", "1").substr(0, 8) == "model M5");
  CHECK(refused("FLOAT32", "null") == "model M2: Value is missing, wanted a value (dispatchable 'op')");
  CHECK(refusal(R"("type": "DIAGONAL_MATRIX1", "Value": 1, "DiagonalFillBegin": 0, "DiagonalFillEnd": 1)") ==
        "model M2: ValueDataType is missing, wanted a value (dispatchable 'op')");
  // A type without elements is read, for rule D5 to refuse.
  CHECK(value_of("UNKNOWN", "1").type() == data_type::unknown);
  CHECK(value_of("UNKNOWN", R"({ "Float32": 1 })").type() == data_type::unknown);
}

TEST_CASE("M5: operators that DirectML lacks, and DxDispatch's other dispatchables, by name", "[model_operators]") {
  CHECK(refusal(R"("type": "DML_OPERATOR_SORT", "desc": {})") ==
        "model M5: type is 'DML_OPERATOR_SORT', wanted an operator that 'goldml list' names (dispatchable 'op')");
  for (const std::string_view type : {"ROI_ALIGN_GRAE", "argmin", "DML_OPERATOR_", ""})
    CHECK(refusal(fmt::format(R"("type": "{}", "desc": {{}})", type)).substr(0, 8) == "model M5");
  CHECK(refusal(R"("desc": {})") == "model M2: type is missing, wanted a value (dispatchable 'op')");
  CHECK(refusal(R"("type": 137)") == "model M2: type is 137, wanted a string (dispatchable 'op')");
  CHECK(refusal(R"("type": "ARGMIN", "desc": [])").substr(0, 8) == "model M2");
  CHECK(message_of([] { read(model_text("", R"("op": "ARGMIN")")); }) ==
        "model M2: dispatchable is 'ARGMIN', wanted an object (dispatchable 'op')");
}

TEST_CASE("Dispatchables: unknown members are reported and ignored", "[model_operators]") {
  const auto warnings =
      read_operator(R"("type": "ARGMIN", "note": 1, "desc": { "Axes": [0], "AxisDirection": 0, "Axis": 1,
      "InputTensor": { "Type": 1, "Extra": 2, "Desc": { "DataType": "INT8", "Sizes": [1], "Alignment": 4 } } })")
          .warnings;
  CHECK(warnings ==
        std::vector<std::string>{"unknown member 'note' of dispatchable 'op' is ignored",
                                 "unknown member 'Extra' of InputTensor of dispatchable 'op' is ignored",
                                 "unknown member 'Alignment' of InputTensor of dispatchable 'op' is ignored",
                                 "unknown member 'Axis' of dispatchable 'op' is ignored: did you mean 'AxisCount'?"});
}

TEST_CASE("M8: descs that need more than the memory allowed", "[model_operators]") {
  const auto refused = [](std::string_view tensor) {
    io::model_options options;
    options.max_memory = 1 << 20;
    return message_of([&] { read(model_text("", fmt::format(R"("op": {{ {} }})", argmin_on(tensor))), options, "."); });
  };
  CHECK(refused(R"({ "DataType": "FLOAT32", "Sizes": [262144] })").empty());
  CHECK(refused(R"({ "DataType": "FLOAT32", "Sizes": [262145] })") ==
        "model M8: tensors is 1048580 bytes together, wanted at most 1048576 (--max-memory; dispatchable 'op')");
  CHECK(refused(R"({ "DataType": "INT8", "Sizes": [1], "TotalTensorSizeInBytes": 1000000000000000 })").substr(0, 8) ==
        "model M8");
  CHECK(refused(R"({ "DataType": "INT64", "Sizes": [4294967295, 4294967295, 4294967295] })").substr(0, 8) ==
        "model M8");
  CHECK(refused(R"({ "DataType": "INT8", "Sizes": [4294967295], "Strides": [4294967295] })").substr(0, 8) ==
        "model M8");
  CHECK(refused(R"({ "DataType": "INT8", "Sizes": [4294967295], "Strides": [0] })").empty());  // one element in memory
}

TEST_CASE("models: an operand that is an array of tensors, and their number") {
  constexpr operand_info inputs{
      .name = "InputTensors", .role = operand_role::input, .limits = {}, .count = "InputCount"};
  REQUIRE(inputs.is_array());
  const auto read = [&](const std::string& members) {
    const auto object = io::parse_json("{ " + members + " }");
    return io::detail::to_tensors(object, inputs, "dispatchable 'op'", {});
  };
  const std::string two =
      R"("InputTensors": [{ "DataType": "INT8", "Sizes": [2] }, { "DataType": "INT8", "Sizes": [3] }])";
  const auto tensors = read(two);
  REQUIRE(tensors.size() == 2);
  CHECK(tensors[0]->sizes == dimensions{2});
  CHECK(tensors[1]->sizes == dimensions{3});
  CHECK(read(two + R"(, "InputCount": 2)").size() == 2);
  CHECK(read(R"("InputTensors": [])").empty());
  const auto refusal = [&](const std::string& members) {
    try {
      read(members);
    } catch (const error& refused) {
      return std::string(refused.what());
    }
    return std::string("none");
  };
  CHECK(refusal(two + R"(, "InputCount": 3)") ==
        "model M2: InputCount is 3, wanted 2, as many as there are InputTensors (dispatchable 'op')");
  CHECK(refusal("") == "model M2: InputTensors is missing, wanted an array of tensors (dispatchable 'op')");
  CHECK(refusal(R"("InputTensors": 5)").starts_with("model M2: InputTensors is 5, wanted an array of tensors"));
}
