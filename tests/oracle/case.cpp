// Cases as text: printing and parsing are inverse, and invalid text is refused.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <goldml/goldml.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/oracle/shrink.hpp>

#include "../catch.hpp"
#include "../support/descs.hpp"
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"

using namespace goldml;
using goldml_test::same_case;
using oracle::parse_case;

namespace {

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  for (const char c : line)
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

// "parsed", or the code of the refusal. No text may have another effect.
std::string outcome_of(std::string_view line, const operator_description& op) {
  const std::string rule = refusal_of([&] { parse_case(op, line); });
  return rule == "none" ? "parsed" : rule;
}
template <class Desc>
std::string outcome_of(std::string_view line) {
  return outcome_of(line, description_of<Desc>());
}

oracle::generate_options all_classes(std::uint64_t count) {
  oracle::generate_options options{.count = count, .seed = 77};
  options.data = oracle::all_data_classes();
  return options;
}

}  // namespace

TEST_CASE("case: the text of one case of each operator", "[oracle]") {
  oracle::test_case<argmin_desc> argmin;
  argmin.desc = {.axes = {1}, .axis_direction = axis_direction::decreasing, .nan_policy = nan_policy::propagate};
  argmin.desc.feature_level = feature_level::level_4_1;
  argmin.tensors[0] = {.data_type = data_type::float32, .sizes = {3, 3}, .strides = {1, 3}};
  argmin.tensors[1] = {.data_type = data_type::uint32, .sizes = {3, 1}, .total_tensor_size_in_bytes = 32};
  argmin.data = oracle::data_class::ties;
  argmin.seed = 42;
  CHECK(to_string(argmin) ==
        "ARGMIN InputTensor=FLOAT32{3,3}/{1,3} OutputTensor=UINT32{3,1}@32 Axes={1} AxisDirection=DECREASING "
        "nan_policy=propagate empty_axes=allow same_resource=refuse feature_level=4_1 data=ties seed=42");

  oracle::test_case<diagonal_matrix1_desc> diagonal;
  diagonal.desc = {.value = float16(1), .diagonal_fill_begin = -2147483647 - 1, .diagonal_fill_end = 3};
  diagonal.tensors[1] = {.data_type = data_type::float16, .sizes = {2, 2}};
  CHECK(to_string(diagonal) ==
        "DIAGONAL_MATRIX1 OutputTensor=FLOAT16{2,2} Value=FLOAT16:0x3C00 DiagonalFillBegin=-2147483648 "
        "DiagonalFillEnd=3 in_place=false same_resource=refuse feature_level=6_4 data=uniform seed=0");
  diagonal.desc.value = {};
  CHECK(to_string(diagonal).find(" Value=none ") != std::string::npos);
  CHECK(same_case(parse_case<diagonal_matrix1_desc>(to_string(diagonal)), diagonal));
  CHECK(same_case(parse_case<argmin_desc>(to_string(argmin)), argmin));

  argmin.tensors[0] = {.data_type = data_type::float32,
                       .sizes = {3, 3},
                       .strides = {1, 3},
                       .total_tensor_size_in_bytes = 40,
                       .guaranteed_base_offset_alignment = 64,
                       .flags = static_cast<tensor_flags>(3),
                       .type = tensor_type::invalid};
  argmin.desc.axis_direction = static_cast<axis_direction>(2);
  CHECK(to_string(argmin).substr(0, 52) == "ARGMIN InputTensor=FLOAT32{3,3}/{1,3}@40%64#3!0 Outp");
  CHECK(to_string(argmin).find(" AxisDirection=2 ") != std::string::npos);
  CHECK(same_case(parse_case<argmin_desc>(to_string(argmin)), argmin));
}

TEST_CASE("case: omitted words have defaults, and words may be in any order", "[oracle]") {
  CHECK(same_case(parse_case<scatter_nd_desc>("SCATTER_ND"), oracle::test_case<scatter_nd_desc>{}));
  CHECK(same_case(parse_case<nonzero_coordinates_desc>("  NONZERO_COORDINATES\t\n"), {}));
  const auto diagonal = parse_case<diagonal_matrix1_desc>("DIAGONAL_MATRIX1 seed=3 OutputTensor=INT8{1,2}");
  CHECK_FALSE(diagonal.tensors[0]);
  CHECK(diagonal.seed == 3);
  CHECK(diagonal.desc.feature_level == feature_level::latest);
  const auto argmin = parse_case<argmin_desc>("ARGMIN AxisDirection=DML_AXIS_DIRECTION_DECREASING Axes={}");
  CHECK(argmin.desc.axis_direction == axis_direction::decreasing);
  CHECK(argmin.desc.axes.empty());
}

TEST_CASE("case: printing and parsing are inverse", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const oracle::generate_options options = all_classes(goldml_test::random_count(goldml_test::share_of_each(80'000)));
    oracle::random_source random(3);
    for (std::uint64_t number = 0; number < options.count; ++number) {
      const auto c = oracle::sample_case(op, options, number);
      const std::string line = to_string(c);
      const auto again = parse_case(*op.description, line);
      if (!same_case(again, c) || to_string(again) != line) FAIL_CHECK(line);

      // Wrapped by a test framework after each '=', with indentation, and with its words in another order.
      std::vector<std::string> words = words_of(line);
      std::string broken;
      for (const std::string& word : words)
        broken += word.substr(0, word.find('=') + 1) + "\n    " +
                  (word.find('=') == std::string::npos ? "" : word.substr(word.find('=') + 1)) + "\r\n";
      broken.replace(0, broken.find('\n'), words[0]);
      std::string shuffled = words[0];
      while (words.size() > 1) {
        const auto at = words.begin() + 1 + static_cast<std::ptrdiff_t>(random.below(words.size() - 1));
        shuffled += "   " + *at;
        words.erase(at);
      }
      if (!same_case(parse_case(*op.description, broken), c)) FAIL_CHECK(broken);
      if (!same_case(parse_case(*op.description, shuffled), c)) FAIL_CHECK(shuffled);
    }
  });
}

TEST_CASE("case: policies and levels are included", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    auto c = oracle::sample_case(op, {}, 1);
    for (const auto& level : feature_levels) {
      c.desc.level() = level.value;
      goldml_test::take_last_policies(c.desc);
      CHECK(same_case(parse_case(*op.description, to_string(c)), c));
    }
  });
}

TEST_CASE("case: illegal cases have a text, too", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (std::uint64_t number = 0; number < goldml_test::share_of_each(40'000); ++number) {
      const auto c = oracle::sample_illegal_case(op, {}, number).text;
      if (!same_case(parse_case(*op.description, to_string(c)), c)) FAIL_CHECK(to_string(c));
    }
  });
}

TEST_CASE("case: broken lines are refused (M10)", "[oracle]") {
  const std::string_view words[] = {"x",
                                    "seed",
                                    "=",
                                    "=5",
                                    "seed=",
                                    "seed=-1",
                                    "seed=1.5",
                                    "seed=0x10",
                                    "seed=18446744073709551616",
                                    "seed= ",
                                    "seed=1 seed=2",
                                    "feature_level=9_9",
                                    "feature_level=",
                                    "feature_level=6_4 feature_level=6_4",
                                    "data=none",
                                    "data=Ties",
                                    "data=",
                                    "Axes=",
                                    "Axes=1",
                                    "Axes={1",
                                    "Axes=1}",
                                    "Axes={1,}",
                                    "Axes={,1}",
                                    "Axes={,}",
                                    "Axes={1,,2}",
                                    "Axes={-1}",
                                    "Axes={4294967296}",
                                    "Axes={a}",
                                    "Axes={1}{2}",
                                    "Axes={{1}}",
                                    "Axes={0} Axes={1}",
                                    "axes={1}",
                                    "AxisCount=1",
                                    "AxisDirection=UP",
                                    "AxisDirection=-1",
                                    "AxisDirection=4294967296",
                                    "AxisDirection=increasing",
                                    "nan_policy=clamp",
                                    "in_place=true",
                                    "Value=FLOAT32:0x0",
                                    "InputTensor",
                                    "InputTensor=",
                                    "InputTensor=FLOAT32",
                                    "InputTensor={2,3}",
                                    "InputTensor=FLOAT31{2}",
                                    "InputTensor=float32{2}",
                                    "InputTensor=FLOAT32{2",
                                    "InputTensor=FLOAT32{2}x",
                                    "InputTensor=FLOAT32{2}/",
                                    "InputTensor=FLOAT32{2}/1",
                                    "InputTensor=FLOAT32{2}/{1}/{1}",
                                    "InputTensor=FLOAT32{2}@",
                                    "InputTensor=FLOAT32{2}@-8",
                                    "InputTensor=FLOAT32{2}@8@8",
                                    "InputTensor=FLOAT32{2}@8/{1}",
                                    "InputTensor=FLOAT32{2}{3}",
                                    "InputTensor=INT8{1} InputTensor=INT8{1}",
                                    "UpdatesTensor=INT8{1}",
                                    "ARGMIN"};
  for (const std::string_view word : words) {
    INFO(word);
    CHECK(outcome_of<argmin_desc>("ARGMIN " + std::string(word)) == "M10");
  }
  for (const std::string_view line :
       {"", " ", "ARGMAX", "REDUCE", "argmin", "DML_OPERATOR_ARGMIN", "SCATTER_ND", "seed=1 ARGMIN"})
    CHECK(outcome_of<argmin_desc>(line) == "M10");
  CHECK(outcome_of<argmin_desc>(std::string_view("ARGMIN\0", 7)) == "M10");

  for (const std::string_view value :
       {"", "7", "FLOAT32", "FLOAT32:", "FLOAT32:0x", "FLOAT32:1", "FLOAT32:0X1", "FLOAT32:0xG", "FLOAT32:0x-1",
        "FLOAT32:0x100000000", "INT8:0x100", "UNKNOWN:0x0", "UINT4:0x1", "FLOAT31:0x0", ":0x0", "NONE"}) {
    INFO(value);
    CHECK(outcome_of<diagonal_matrix1_desc>("DIAGONAL_MATRIX1 Value=" + std::string(value)) == "M10");
  }
  for (const std::string_view word : {"in_place=1", "in_place=", "DiagonalFillEnd=2147483648", "DiagonalFillEnd=1e2"})
    CHECK(outcome_of<diagonal_matrix1_desc>("DIAGONAL_MATRIX1 " + std::string(word)) == "M10");
  CHECK(outcome_of<scatter_nd_desc>("SCATTER_ND InputDimensionCount=-1") == "M10");

  // The ScaleBias of a fused activation: two numbers, and of CLIP alone.
  const auto fused = [](const std::string& word) { return outcome_of<gemm_desc>("GEMM FusedActivation=" + word); };
  CHECK(fused("ELEMENT_WISE_CLIP{0,1}+scale_bias{2,3}") == "parsed");
  for (const char* wrong : {"ELEMENT_WISE_CLIP{0,1}+scale_bias{2}", "ELEMENT_WISE_CLIP{0,1}+scale_bias{2,3,4}",
                            "ELEMENT_WISE_CLIP{0,1}+scale_bias{2,x}", "ACTIVATION_RELU+scale_bias{2,3}"})
    CHECK(fused(wrong) == "M10");

  CHECK(outcome_of<argmin_desc>("ARGMIN Axes=\n  {1} seed= 7") == "parsed");
  CHECK(outcome_of<argmin_desc>("ARGMIN InputTensor=FLOAT32{}/{}@0") ==
        "parsed");  // check() refuses it, not the reader
}

TEST_CASE("37.7: a line that Catch2 has wrapped is read back", "[oracle]") {
  // Catch2 2 and 3 wrap at blanks, before and after these signs, and indent what follows.
  constexpr std::string_view before = "[({<|", after = "])}>.,:;*+-=&/\\";
  goldml_test::for_every_operator([&](const oracle::any_operator& op) {
    for (std::uint64_t number = 0; number < 3; ++number) {
      oracle::test_case<any_desc> drawn = oracle::sample_case(op, all_classes(1), number);
      if (number == 2) drawn = oracle::shrink(op, drawn, [](const auto&) { return true; }, {.most_runs = 1}).text;
      const std::string line = to_string(drawn);
      std::string everywhere;
      for (std::size_t i = 0; i < line.size(); ++i) {
        const bool breaks = i > 0 && (line[i] == ' ' || before.find(line[i]) != std::string_view::npos ||
                                      after.find(line[i - 1]) != std::string_view::npos);
        if (breaks) {
          const std::string wrapped = line.substr(0, i) + "\n  " + line.substr(i + (line[i] == ' ' ? 1 : 0));
          if (to_string(parse_case(*op.description, wrapped)) != line) FAIL_CHECK(wrapped);
          everywhere += "\n  ";
        }
        if (!breaks || line[i] != ' ') everywhere += line[i];
      }
      CHECK(to_string(parse_case(*op.description, everywhere)) == line);
    }
  });
  // A missing comma is no wrap.
  CHECK(outcome_of<argmin_desc>("ARGMIN Axes={1 2}") == "M10");
  CHECK(outcome_of<argmin_desc>("ARGMIN Axes={1,\n  2}") == "parsed");
  CHECK(outcome_of<argmin_desc>("ARGMIN Axes = { 1, 2 }\n  seed= 7") == "parsed");
  CHECK(outcome_of<argmin_desc>("ARGMIN data=ti es") == "M10");
  CHECK(outcome_of<argmin_desc>("ARGMIN InputTensor=FLOAT32{2} foo") == "M10");
}

TEST_CASE("case: a refusal has the actual and the wanted text", "[oracle]") {
  try {
    parse_case<argmin_desc>("ARGMIN Axes={1,x}");
    FAIL_CHECK("was not refused");
  } catch (const error& refusal) {
    CHECK(std::string(refusal.what()) == "case M10: word is 'x', wanted an integer in range (Axes of ARGMIN)");
  }
  for (const auto& [element, type, wanted] : {std::tuple("8", "INT4", "an INT4, -8 to 7"),
                                              {"-9", "INT4", "an INT4, -8 to 7"},
                                              {"16", "UINT4", "a UINT4, 0 to 15"},
                                              {"-1", "UINT4", "a UINT4, 0 to 15"},
                                              {"300", "UINT4", "a UINT4, 0 to 15"}})
    try {
      parse_case<dequantize_desc>(fmt::format("DEQUANTIZE InputTensor={}{{1}}:{{{}}}", type, element));
      FAIL_CHECK("was not refused");
    } catch (const error& refusal) {
      CHECK(std::string(refusal.what()) ==
            fmt::format("case M10: word is '{}', wanted {} (InputTensor of DEQUANTIZE)", element, wanted));
    }
}

TEST_CASE("case: a corrupted line is either read or refused", "[oracle]") {
  std::uint64_t tried = 0, read = 0;
  for (const oracle::any_operator* each : goldml_test::visited_operators()) {
    const oracle::any_operator& op = *each;
    INFO(op.name());
    constexpr std::string_view signs("={},/@: \n0x9-FINT_a\0\xFF", 21);
    oracle::random_source random(9);
    std::uint64_t refused = 0;
    const std::uint64_t count = goldml_test::share_of_each(80'000);
    for (std::uint64_t number = 0; number < count; ++number) {
      std::string line = to_string(oracle::sample_case(op, all_classes(1), number));
      for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
        const std::size_t at = random.below(line.size());
        const char sign = signs[random.below(signs.size())];
        switch (random.below(4)) {
          case 0:
            line[at] = sign;
            break;
          case 1:
            line.insert(at, 1, sign);
            break;
          case 2:
            line.erase(at, 1 + random.below(8));
            break;
          default:
            line.insert(at, line.substr(random.below(line.size()), 12));
        }
      }
      const std::string outcome = outcome_of(line, *op.description);
      if (outcome == "parsed")
        ++read;
      else if (outcome == "M10")
        ++refused;
      else
        FAIL_CHECK(outcome << ": " << line);
    }
    CHECK(10 * refused > count);
    tried += count;
  }
  // Few lines remain legal: of one operator too few to count, where lines are long and tries few.
  CHECK((!goldml_test::visits_every_operator() || 100 * read > tried));
}

TEST_CASE("case: elements of inputs, as numbers or bits", "[oracle]") {
  const std::string line =
      "ARGMIN InputTensor=FLOAT32{2,3}/{1,2}:{1,-0.5,0x7FC00000,-0,inf,1e-45} OutputTensor=UINT32{2,1} Axes={1} "
      "AxisDirection=INCREASING nan_policy=skip empty_axes=allow same_resource=refuse feature_level=6_4 data=uniform "
      "seed=0";
  const auto c = parse_case<argmin_desc>(line);
  CHECK(to_string(c) == line);
  REQUIRE(c.elements.size() == 2);
  const auto made = oracle::make_case(c);
  const auto input = made.inputs[0].ref().as<float>();
  CHECK((input[{0, 0}] == 1 && input[{0, 1}] == -0.5F && input[{0, 2}] != input[{0, 2}]));
  CHECK((std::bit_cast<std::uint32_t>(input[{1, 0}]) == 0x8000'0000 && input[{1, 1}] == INFINITY));
  CHECK(std::bit_cast<std::uint32_t>(input[{1, 2}]) == 1);
  const auto golden = made.expected.answers[0][0].values.ref().as<std::uint32_t>();
  CHECK((golden[{0, 0}] == 1 && golden[{1, 0}] == 0));

  // Of every type, and for only one input.
  const auto scatter = parse_case<scatter_nd_desc>(
      "SCATTER_ND InputTensor=FLOAT16{2}:{0.25,0xFC00} IndicesTensor=INT64{1}:{-1} UpdatesTensor=FLOAT16{1} "
      "OutputTensor=FLOAT16{2} InputDimensionCount=1 IndicesDimensionCount=1 data=dense seed=3");
  CHECK(scatter.elements[2].empty());
  CHECK(scatter.elements[0][1] == scalar::from_bits(data_type::float16, 0xFC00));
  CHECK(same_case(parse_case<scatter_nd_desc>(to_string(scatter)), scatter));
  const auto moved = oracle::make_case(scatter);
  CHECK(moved.inputs[1].ref().as<std::int64_t>()[{0}] == -1);
  CHECK(moved.expected.answers[0][0].values.ref().as<float16>()[{1}] == moved.inputs[2].ref().as<float16>()[{0}]);

  const auto refused = [](std::string_view tensors) {
    return outcome_of<argmin_desc>("ARGMIN " + std::string(tensors) + " Axes={0}");
  };
  CHECK(refused("InputTensor=INT8{2}:{-128,0x7F} OutputTensor=UINT32{1}") == "parsed");
  for (const char* wrong : {"InputTensor=INT8{2}:{128,0}", "InputTensor=INT8{2}:{1}", "InputTensor=INT8{2}:{1,2,3}",
                            "InputTensor=INT8{2}:", "InputTensor=INT8{2}:{}", "InputTensor=INT8{2}:{1,0x100}",
                            "InputTensor=INT8{2}:{1,1.5}", "InputTensor=UNKNOWN{1}:{1}", "InputTensor=FLOAT32{1}:{x}",
                            "OutputTensor=INT32{1}:{1}", "InputTensor=INT8{2}:{1,2", "InputTensor=INT8{2}:1,2"})
    CHECK(refused(wrong) == "M10");
}

TEST_CASE("case: what is not legal, or has elements that are not the tensor's, is not made", "[oracle]") {
  const auto c = parse_case<argmin_desc>("ARGMIN InputTensor=FLOAT32{2}:{1,2} OutputTensor=UINT32{1} Axes={0}");
  CHECK(oracle::make_case(c).expected.answers.size() == 1);
  auto changed = c;
  changed.elements[0].pop_back();
  CHECK_THROWS_AS(oracle::make_case(changed), std::invalid_argument);
  changed = c;
  changed.elements[0][1] = scalar(std::int32_t{2});
  CHECK_THROWS_AS(oracle::make_case(changed), std::invalid_argument);
  changed = c;
  changed.desc.axes = {1};
  CHECK(refusal_of([&] { oracle::make_case(changed); }) == "A4");
}
