// io/suggestions.hpp: the nearest of the known names, within bounds.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/io/known_operators.hpp>
#include <goldml/io/suggestions.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using io::detail::edit_distance;

constexpr std::array<std::string_view, 5> names{"Axes", "AxisCount", "AxisDirection", "InputTensor", "OutputTensor"};

}  // namespace

TEST_CASE("suggestions: edits", "[suggestions]") {
  STATIC_REQUIRE(edit_distance("", "") == 0);
  STATIC_REQUIRE(edit_distance("", "abc") == 3);
  STATIC_REQUIRE(edit_distance("abc", "") == 3);
  STATIC_REQUIRE(edit_distance("abc", "ABC") == 0);
  STATIC_REQUIRE(edit_distance("abc", "abd") == 1);
  STATIC_REQUIRE(edit_distance("abc", "ac") == 1);
  STATIC_REQUIRE(edit_distance("abc", "xabc") == 1);
  STATIC_REQUIRE(edit_distance("abc", "acb") == 1);  // swapped
  STATIC_REQUIRE(edit_distance("ca", "abc") == 3);
  STATIC_REQUIRE(edit_distance("kitten", "sitting") == 3);
  std::string swapped = "acb";  // not evaluated by the compiler
  CHECK(edit_distance(swapped, "abc") == 1);
  swapped = "bac";
  CHECK(edit_distance(swapped, "abc") == 1);
  const std::string longest(io::detail::longest_compared_name, 'a');
  CHECK(edit_distance(longest, std::string(longest.size(), 'b')) == longest.size());
}

TEST_CASE("suggestions: the nearest name, or none", "[suggestions]") {
  const auto nearest = [](std::string_view name) { return io::nearest_name(name, names); };
  CHECK(nearest("Axis") == "Axes");
  CHECK(nearest("axes") == "Axes");
  CHECK(nearest("AxsCount") == "AxisCount");
  CHECK(nearest("InputTenser") == "InputTensor");
  CHECK(nearest("OuptutTensor") == "OutputTensor");
  for (const std::string_view other : {"", "A", "Ax", "Sizes", "Tensor", "Direction", "\x1b[31m"}) {
    INFO(other);
    CHECK(nearest(other).empty());
  }
  CHECK(io::nearest_name("FLOAT31", io::names_of_data_types()) == "FLOAT32");
  CHECK(io::nearest_name("INT4", io::names_of_data_types()) == "INT8");  // INT4 is not listed
  CHECK(io::nearest_name("x", {}).empty());
}

TEST_CASE("suggestions: the only name that begins so", "[suggestions]") {
  CHECK(io::meant_name("Input", names) == "InputTensor");
  CHECK(io::meant_name("axisdir", names) == "AxisDirection");
  CHECK(io::meant_name("Axi", names) == "");  // two
  constexpr std::array<std::string_view, 3> longer{"GatherNd1", "GatherNd", "GatherNdOther"};
  CHECK(io::meant_name("gat", longer) == "GatherNd");  // with which the others begin
  CHECK(io::meant_name("In", names) == "");            // too short
}

TEST_CASE("suggestions: long names and many names are not compared", "[suggestions]") {
  const std::string long_name(65, 'a');
  const std::vector<std::string_view> long_names(2, long_name);
  CHECK(io::nearest_name(long_name, long_names).empty());
  CHECK(io::nearest_name(std::string(64, 'a'), long_names).empty());
  std::vector<std::string_view> many(10'001, "other");
  many.back() = "Axes";
  CHECK(io::nearest_name("Axis", many).empty());
  many[9'999] = "Axes";
  CHECK(io::nearest_name("Axis", many) == "Axes");
}

TEST_CASE("suggestions: text from files is quoted", "[suggestions]") {
  CHECK(io::did_you_mean("abcde", {"ab\x1b"
                                   "de"}) == "did you mean 'ab?de'?");
  CHECK(io::did_you_mean("abcde", {"xyz"}).empty());
}

TEST_CASE("suggestions: lists and reasons", "[suggestions]") {
  CHECK(io::list_of_names(names) == "Axes, AxisCount, AxisDirection, InputTensor, OutputTensor");
  CHECK(io::list_of_names({}).empty());
  CHECK(io::joined_reasons("a", "b") == "a; b");
  CHECK(io::joined_reasons("", "b") == "b");
  CHECK(io::joined_reasons("a", "") == "a");
}

TEST_CASE("suggestions: why there is no operator of a name", "[suggestions]") {
  CHECK(io::why_no_operator("argmin") == "did you mean 'ARGMIN'?");
  CHECK(io::why_no_operator("DML_OPERATOR_ARGMINN") == "did you mean 'ARGMIN'?");
  CHECK(io::why_no_operator("ROI_ALIGN_GRAE") == "did you mean 'ROI_ALIGN_GRAD'?");
  CHECK(io::why_no_operator("hlsl").empty());
  CHECK(io::why_no_operator("").empty());
}

TEST_CASE("37.6: names of operators from elsewhere", "[suggestions]") {
  const auto why = [](std::string_view name) { return io::why_no_operator(name); };
  CHECK(why("CONV") == "did you mean 'CONVOLUTION'?");  // CONVOLUTION_INTEGER begins so, too
  CHECK(why("Conv") == "did you mean 'CONVOLUTION'?");
  CHECK(why("RELU") == "did you mean 'ACTIVATION_RELU'?");
  CHECK(why("Softmax") == "did you mean 'ACTIVATION_SOFTMAX'?");
  CHECK(why("DML_OPERATOR_SOFTMAX1") == "did you mean 'ACTIVATION_SOFTMAX1'?");
  CHECK(why("MAX") == "did you mean 'ELEMENT_WISE_MAX'?");
  CHECK(why("GELU") == "did you mean 'ACTIVATION_GELU'?");
  CHECK(why("HARDMAX") == "did you mean 'ACTIVATION_HARDMAX'?");
  for (const std::string_view name : {"LOGSUMEXP", "LogSumExp", "LOG_SUM_EXP", "REDUCE_LOG_SUM_EXP", "ReduceLogSumExp"})
    CHECK(why(name) == "did you mean 'REDUCE' with Function LOG_SUM_EXP?");
  CHECK(why("ReduceSum") == "did you mean 'REDUCE' with Function SUM?");
  CHECK(why("REDUCEE") == "did you mean 'REDUCE'?");
  CHECK(why("Conx").empty());
  CHECK(why("POOL").empty());
  const std::string upsample =
      "DirectML.h has no such operator; UPSAMPLE_2D enlarges height and width only, RESAMPLE every dimension";
  CHECK(why("UPSAMPLE_3D") == upsample);
  CHECK(why("DML_OPERATOR_UPSAMPLE_3D") == upsample);
  CHECK(why("UPSAMPLE_2") == "did you mean 'UPSAMPLE_2D'?");
}
