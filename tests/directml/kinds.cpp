// Conversion of every kind of attribute and of an array of tensors to DirectML's structures and back, for a test
// operator with its own C structure.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/directml/from_directml.hpp>
#include <goldml/directml/to_directml.hpp>

#include "catch.hpp"
#include "support/descs.hpp"
#include "support/every_kind.hpp"

using namespace goldml;
using goldml_test::differing_members;
using goldml_test::every_kind_desc;
using goldml_test::filled_desc;
using goldml_test::joining_desc;

namespace {

struct every_kind_structure {
  UINT InputCount;
  const DML_TENSOR_DESC* InputTensors;
  const DML_TENSOR_DESC* BiasTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT GroupCount;
  INT Offset;
  std::uint64_t Limit;
  FLOAT Alpha;
  BOOL Inclusive;
  DML_AXIS_DIRECTION AxisDirection;
  UINT DimensionCount;
  const UINT* Sizes;
  const INT* Strides;
  const FLOAT* Scales;
  UINT AxisCount;
  const UINT* Axes;
  DML_TENSOR_DATA_TYPE ValueDataType;
  DML_SCALAR_UNION ValueStart;
  DML_SCALAR_UNION ValueDelta;
  DML_SIZE_2D WindowSize;
  const DML_SCALE_BIAS* ScaleBias;
  const DML_OPERATOR_DESC* FusedActivation;
  UINT ActivationDescCount;
  const DML_OPERATOR_DESC* ActivationDescs;
};

struct joining_structure {
  UINT InputCount;
  const DML_TENSOR_DESC* InputTensors;
  const DML_TENSOR_DESC* BiasTensor;
  const DML_TENSOR_DESC* OutputTensor;
};

}  // namespace

template <>
struct goldml::directml::structure<every_kind_desc> : structure_row<every_kind_structure, DML_OPERATOR_JOIN> {};
static_assert(goldml::directml::detail::structures_agree(goldml::type_list<every_kind_desc>{}));

template <>
struct goldml::directml::structure<joining_desc> : structure_row<joining_structure, DML_OPERATOR_SPLIT> {};
static_assert(goldml::directml::detail::structures_agree(goldml::type_list<joining_desc>{}));

namespace {

const tensor_desc a{.data_type = data_type::float32, .sizes = {2, 3}, .strides = {1, 2}};
const tensor_desc b{.data_type = data_type::int8, .sizes = {4}};
const tensor_desc c{.data_type = data_type::float16, .sizes = {1, 1}};

using every_kind = directml::operator_structure<every_kind_desc>;

const every_kind_structure& structure_of(const every_kind& made) {
  return *static_cast<const every_kind_structure*>(made.get().Desc);
}

const DML_BUFFER_TENSOR_DESC& buffer_of(const DML_TENSOR_DESC& tensor) {
  REQUIRE(tensor.Type == DML_TENSOR_TYPE_BUFFER);
  return *static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor.Desc);
}

// What is not in a structure.
void take_policies(every_kind_desc& to, const every_kind_desc& from) {
  to.nan_policy = from.nan_policy;
  to.in_place = from.in_place;
  to.feature_level = from.feature_level;
}

}  // namespace

TEST_CASE("directml kinds: a structure, member by member") {
  const every_kind made(filled_desc(), {a, b, std::nullopt, c});
  CHECK(made.get().Type == DML_OPERATOR_JOIN);
  const every_kind_structure& s = structure_of(made);
  CHECK(s.InputCount == 2);
  CHECK(buffer_of(s.InputTensors[0]).Strides[0] == 1);
  CHECK(buffer_of(s.InputTensors[1]).DataType == DML_TENSOR_DATA_TYPE_INT8);
  CHECK(buffer_of(s.InputTensors[1]).Sizes[0] == 4);
  CHECK(s.BiasTensor == nullptr);
  CHECK(buffer_of(*s.OutputTensor).DataType == DML_TENSOR_DATA_TYPE_FLOAT16);
  CHECK(s.GroupCount == 0xFFFF'FFFF);
  CHECK(s.Offset == -2147483647 - 1);
  CHECK(s.Limit == 0xFFFF'FFFF'FFFF'FFFF);
  CHECK(s.Alpha == 0.1f);
  CHECK(s.Inclusive == 1);
  CHECK(s.AxisDirection == DML_AXIS_DIRECTION_DECREASING);
  CHECK(s.DimensionCount == 3);
  CHECK(s.Sizes[1] == 0xFFFF'FFFF);
  CHECK(s.Strides[0] == -1);
  CHECK(s.Strides[2] == -2147483647 - 1);
  CHECK(s.Scales[0] == 0.5f);
  CHECK(s.AxisCount == 1);
  CHECK(s.Axes[0] == 1);
  CHECK(s.ValueDataType == DML_TENSOR_DATA_TYPE_INT16);
  CHECK(s.ValueStart.Int16 == -7);
  CHECK(s.ValueStart.UInt64 == 0xFFF9);  // bytes beyond the type's are 0
  CHECK(s.ValueDelta.Int16 == 32767);
  CHECK(s.WindowSize.Width == 5);
  CHECK(s.WindowSize.Height == 0xFFFF'FFFF);
  REQUIRE(s.ScaleBias != nullptr);
  CHECK(s.ScaleBias->Scale == 2.5f);
  CHECK(s.ScaleBias->Bias == -1.0f);
  REQUIRE(s.FusedActivation != nullptr);
  CHECK(s.FusedActivation->Type == DML_OPERATOR_ACTIVATION_ELU);
  const auto& elu = *static_cast<const DML_ACTIVATION_ELU_OPERATOR_DESC*>(s.FusedActivation->Desc);
  CHECK(elu.InputTensor == nullptr);
  CHECK(elu.OutputTensor == nullptr);
  CHECK(elu.Alpha == 0.25f);
  CHECK(s.ActivationDescCount == 2);
  CHECK(s.ActivationDescs[0].Type == DML_OPERATOR_ACTIVATION_LINEAR);
  const auto& linear = *static_cast<const DML_ACTIVATION_LINEAR_OPERATOR_DESC*>(s.ActivationDescs[0].Desc);
  CHECK(linear.Alpha == 1.5f);
  CHECK(linear.Beta == -2.0f);
  CHECK(s.ActivationDescs[1].Type == DML_OPERATOR_ACTIVATION_RELU);
}

TEST_CASE("directml kinds: the conversion back gives the same values") {
  every_kind_desc desc = filled_desc();
  const every_kind made(desc, {a, b, std::nullopt, c});
  every_kind_desc read = directml::from_directml<every_kind_desc>(structure_of(made));
  take_policies(read, desc);
  CHECK(differing_members(read, desc) == "");

  desc = {};
  const every_kind plain(desc, {std::nullopt, c});
  const every_kind_structure& s = structure_of(plain);
  CHECK((s.InputCount == 0 && s.InputTensors == nullptr));
  CHECK((s.DimensionCount == 0 && s.Sizes == nullptr && s.Strides == nullptr && s.Scales == nullptr));
  CHECK((s.ScaleBias == nullptr && s.FusedActivation == nullptr && s.ActivationDescs == nullptr));
  CHECK(s.Inclusive == 0);
  CHECK(s.ValueDataType == DML_TENSOR_DATA_TYPE_FLOAT16);  // omitted: zeros of the output's type
  read = directml::from_directml<every_kind_desc>(s);
  desc.start = desc.delta = float16(0);
  CHECK(differing_members(read, desc) == "");

  // Null lists with a count, and lists of more than 8.
  every_kind_structure odd = structure_of(made);
  odd.Sizes = nullptr;
  odd.Strides = nullptr;
  odd.ActivationDescs = nullptr;
  const std::array<UINT, 9> nine{1, 2, 3, 4, 5, 6, 7, 8, 9};
  odd.AxisCount = 9;
  odd.Axes = nine.data();
  read = directml::from_directml<every_kind_desc>(odd);
  CHECK(read.sizes.is_null());
  CHECK(read.strides.is_null());
  CHECK(read.activations.is_null());
  CHECK(read.scales.size() == 3);
  CHECK(read.axes.overlong());
  CHECK(read.axes[7] == 8);
  // And back: a null list has a count of 1 in the structure.
  every_kind_desc null_lists;
  null_lists.sizes = dimensions::null();
  null_lists.strides = int32_list::null();
  null_lists.scales = float32_list::null();
  null_lists.activations = activation_list::null();
  const every_kind counts_only(null_lists, {std::nullopt, c});
  CHECK((structure_of(counts_only).DimensionCount == 1 && structure_of(counts_only).Sizes == nullptr));
  read = directml::from_directml<every_kind_desc>(structure_of(counts_only));
  CHECK((read.sizes.is_null() && read.strides.is_null() && read.scales.is_null() && read.activations.is_null()));
  CHECK_FALSE(read.axes.is_null());
}

TEST_CASE("directml kinds: a tensor of a fused activation is kept, for the operator's rule to refuse it") {
  const DML_TENSOR_DESC tensor{};
  const DML_ACTIVATION_ELU_OPERATOR_DESC with_input{&tensor, nullptr, 0.5f};
  const DML_ACTIVATION_RELU_OPERATOR_DESC with_output{nullptr, &tensor}, plain{nullptr, nullptr};
  const DML_OPERATOR_DESC fused{DML_OPERATOR_ACTIVATION_ELU, &with_input};
  const DML_OPERATOR_DESC list[] = {{DML_OPERATOR_ACTIVATION_RELU, &plain},
                                    {DML_OPERATOR_ACTIVATION_RELU, &with_output}};
  every_kind made(filled_desc(), {a, b, std::nullopt, c});
  every_kind_structure odd = structure_of(made);
  odd.FusedActivation = &fused;
  odd.ActivationDescs = list;
  const auto read = directml::from_directml<every_kind_desc>(odd);
  REQUIRE(read.fused);
  CHECK(*read.fused == activation{35, {0.5f, 0}, true});
  CHECK((read.activations[0] == activation{44, {}} && read.activations[1] == activation{44, {}, true}));

  const std::vector<tensor_desc> inputs{a, b};
  const auto all = violations(read, inputs, c);
  REQUIRE(all.size() == 2);
  CHECK(to_string(all[0]) ==
        "EVERY_KIND E7: FusedActivation is ACTIVATION_ELU with a tensor, wanted null tensors in an activation that is "
        "fused");
  CHECK(to_string(all[1]).starts_with("EVERY_KIND E7: ActivationDescs[1] is ACTIVATION_RELU with a tensor, wanted "));

  // And back into a structure, as illegal as it was.
  const every_kind again(read, {a, b, std::nullopt, c});
  CHECK(directml::from_directml<every_kind_desc>(structure_of(again)).fused == read.fused);
  CHECK(directml::from_directml<every_kind_desc>(structure_of(again)).activations == read.activations);
}

TEST_CASE("directml kinds: a fused activation without its structure has no parameters") {
  const DML_OPERATOR_DESC fused{DML_OPERATOR_ACTIVATION_ELU, nullptr};
  every_kind made(filled_desc(), {a, b, std::nullopt, c});
  every_kind_structure odd = structure_of(made);
  odd.FusedActivation = &fused;
  CHECK(directml::from_directml<every_kind_desc>(odd).fused == activation{35, {0, 0}});
}

TEST_CASE("directml kinds: a fused CLIP, whose structure has a ScaleBias before its bounds") {
  every_kind_desc desc = filled_desc();
  desc.fused = activation{8, {-1, 6}};
  const every_kind made(desc, {a, b, std::nullopt, c});
  const auto& clip = *static_cast<const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC*>(structure_of(made).FusedActivation->Desc);
  CHECK((clip.InputTensor == nullptr && clip.OutputTensor == nullptr && clip.ScaleBias == nullptr));
  CHECK((clip.Min == -1 && clip.Max == 6));
  CHECK(directml::from_directml<every_kind_desc>(structure_of(made)).fused == desc.fused);

  const DML_SCALE_BIAS doubled{2, 0};
  const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC adjusted{nullptr, nullptr, &doubled, 0, 1};
  const DML_OPERATOR_DESC fused{DML_OPERATOR_ELEMENT_WISE_CLIP, &adjusted};
  every_kind_structure given = structure_of(made);
  given.FusedActivation = &fused;
  const auto read = directml::from_directml<every_kind_desc>(given);
  CHECK(read.fused == activation{8, {0, 1}, false, scale_bias{2, 0}});
  const every_kind again(read, {a, b, std::nullopt, c});
  CHECK(directml::from_directml<every_kind_desc>(structure_of(again)).fused == read.fused);
}

TEST_CASE("directml kinds: a fused SOFTMAX1, whose structure has axes") {
  every_kind_desc desc = filled_desc();
  desc.fused = activations::softmax1({2, 0});
  const every_kind made(desc, {a, b, std::nullopt, c});
  const auto& softmax =
      *static_cast<const DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC*>(structure_of(made).FusedActivation->Desc);
  CHECK((softmax.InputTensor == nullptr && softmax.OutputTensor == nullptr));
  REQUIRE(softmax.AxisCount == 2);
  CHECK((softmax.Axes[0] == 2 && softmax.Axes[1] == 0));
  for (const dimensions& axes :
       {dimensions{2, 0}, {}, dimensions::null(), dimensions(std::vector<std::uint32_t>(9, 1))}) {
    desc.fused->axes = axes;
    const every_kind each(desc, {a, b, std::nullopt, c});
    CHECK(directml::from_directml<every_kind_desc>(structure_of(each)).fused->axes == axes);
  }
}

TEST_CASE("directml kinds: attributes that share a companion must agree on its value") {
  every_kind_desc desc = filled_desc();
  desc.strides = {1, 2};
  CHECK_THROWS_AS(every_kind(desc, {a, b, std::nullopt, c}), std::invalid_argument);
  desc = filled_desc();
  desc.sizes = dimensions::null();
  CHECK_THROWS_AS(every_kind(desc, {a, b, std::nullopt, c}), std::invalid_argument);
  desc = filled_desc();
  desc.delta = 1.0f;
  CHECK_THROWS_AS(every_kind(desc, {a, b, std::nullopt, c}), std::invalid_argument);
}

TEST_CASE("directml kinds: an array of tensors, converted and validated") {
  const tensor_desc t{.data_type = data_type::float32, .sizes = {2, 3}};
  const tensor_desc int8{.data_type = data_type::int8, .sizes = {2, 3}};
  const auto judged = [](const joining_structure& s) {
    std::string answer = "legal";
    directml::detail::with_operation<joining_desc>(&s, {}, [&](const directml::detail::operation& op) {
      violation_sink sink;
      op.check(sink);
      if (sink.first()) answer = to_string(op.explained(*sink.first()));
    });
    return answer;
  };
  using joining = directml::operator_structure<joining_desc>;
  const auto structure = [](const joining& made) { return *static_cast<const joining_structure*>(made.get().Desc); };
  const joining legal({}, {t, t, t, std::nullopt, t});
  CHECK(structure(legal).InputCount == 3);
  CHECK(judged(structure(legal)) == "legal");
  const joining mixed({}, {t, int8, t, t});
  CHECK(judged(structure(mixed)) == "JOINING J1: InputTensors[1].DataType is INT8, wanted FLOAT32 (the output's)");
  const joining none({}, {std::nullopt, t});
  CHECK(judged(structure(none)) == "legal");

  joining_structure s = structure(legal);
  s.InputTensors = nullptr;  // with a count of three
  CHECK(judged(s) == "JOINING T1: InputTensors[0] is null, wanted a tensor");
  s.InputCount = 0;
  CHECK(judged(s) == "legal");
  std::array<DML_TENSOR_DESC, 2> tensors{structure(legal).InputTensors[0], structure(legal).InputTensors[1]};
  tensors[1].Desc = nullptr;
  s.InputCount = 2;
  s.InputTensors = tensors.data();
  CHECK(judged(s) == "JOINING T1: InputTensors[1].Desc is null, wanted a pointer");
  CHECK(judged({}) == "JOINING T1: OutputTensor is null, wanted a tensor");

  directml::detail::with_operation<joining_desc>(nullptr, {}, [](const directml::detail::operation& nothing) {
    violation_sink sink;
    nothing.check(sink);
    CHECK(to_string(sink.first().value()) == "JOINING T1: Desc is null, wanted a pointer");
  });
}
