// Chains of dispatches in `goldml check`: intermediates that are given, and those of which only ranges are known.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../../tools/model_judge.hpp"
#include "models.hpp"

using namespace models;
using oracle::outcome;

namespace {

std::string resource(std::string_view name, std::string_view values, std::string_view type = "FLOAT32") {
  return fmt::format(R"("{}": {{ "initialValuesDataType": "{}", "initialValues": [{}] }})", name, type, values);
}

std::string tensor_text(std::string_view sizes, std::string_view type = "FLOAT32") {
  return fmt::format(R"({{ "DataType": "{}", "Sizes": [{}] }})", type, sizes);
}

// A model that grows: each dispatch has its own dispatchable.
struct chain {
  std::string resources;
  std::string dispatchables = {};
  std::string commands = {};
  int count = 0;

  // `desc`: the members of the desc; `bindings`: those of the bindings.
  chain& then(std::string_view type, std::string_view desc, std::string_view bindings) {
    const std::string_view comma = count == 0 ? "" : ", ";
    dispatchables += fmt::format(R"({}"op{}": {{ "type": "{}", "desc": {{ {} }} }})", comma, count, type, desc);
    commands += fmt::format(R"({}{{ "type": "dispatch", "dispatchable": "op{}", "bindings": {{ {} }} }})", comma, count,
                            bindings);
    ++count;
    return *this;
  }
  // Element-wise operators of FLOAT32 tensors of these sizes.
  chain& unary(std::string_view type, std::string_view x, std::string_view y, std::string_view sizes = "1") {
    return then(type, fmt::format(R"("InputTensor": {0}, "OutputTensor": {0})", tensor_text(sizes)),
                fmt::format(R"("InputTensor": "{}", "OutputTensor": "{}")", x, y));
  }
  chain& binary(std::string_view type, std::string_view a, std::string_view b, std::string_view y,
                std::string_view sizes = "1") {
    return then(type, fmt::format(R"("ATensor": {0}, "BTensor": {0}, "OutputTensor": {0})", tensor_text(sizes)),
                fmt::format(R"("ATensor": "{}", "BTensor": "{}", "OutputTensor": "{}")", a, b, y));
  }
  // y = a * b of matrices {1,1,2,2}.
  chain& gemm(std::string_view a, std::string_view b, std::string_view y) {
    return then("GEMM",
                fmt::format(R"("ATensor": {0}, "BTensor": {0}, "OutputTensor": {0},
                              "TransA": "NONE", "TransB": "NONE", "Alpha": 1, "Beta": 0)",
                            tensor_text("1, 1, 2, 2")),
                fmt::format(R"("ATensor": "{}", "BTensor": "{}", "OutputTensor": "{}")", a, b, y));
  }

  std::string text() const { return model_text(resources, dispatchables, commands); }
};

// The judgement of a device that has written these.
tool::model_judgement judge(const chain& c, const std::map<std::string, std::vector<float>>& actual,
                            const oracle::compare_options& options = {}, std::uint64_t max_work = saturated) {
  const temporary_folder folder;
  std::vector<tool::actual_file> files;
  for (const auto& [name, values] : actual) {
    std::string bytes(values.size() * 4, '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    folder.write(name + ".bin", bytes);
    files.push_back({name, io::place_of(folder / (name + ".bin"))});
  }
  io::model model = read(c.text(), options_in(folder), folder.path()).model;
  return tool::judge_model(model, files, options, {std::uint64_t{1} << 28, max_work}, "");
}
outcome outcome_of(const chain& c, const std::map<std::string, std::vector<float>>& actual) {
  return judge(c, actual).dispatches.all();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr float above_one = 1.00000012F;  // the next number

// q = x / y, out = ceil(q), of 15 / 15.
chain quotient_and_ceil() {
  return chain{resource("x", "15") + "," + resource("y", "15") + "," + resource("q", "0") + "," + resource("out", "0")}
      .binary("ELEMENT_WISE_DIVIDE", "x", "y", "q")
      .unary("ELEMENT_WISE_CEIL", "q", "out");
}

}  // namespace

TEST_CASE("A2: CEIL of a quotient is judged from the device's own quotient if that is given", "[judge]") {
  const chain c = quotient_and_ceil();
  CHECK(outcome_of(c, {{"q", {above_one}}, {"out", {2}}}) == outcome::agrees);
  CHECK(outcome_of(c, {{"q", {1}}, {"out", {1}}}) == outcome::agrees);
  CHECK(outcome_of(c, {{"q", {above_one}}, {"out", {1}}}) == outcome::differs);
  CHECK(outcome_of(c, {{"q", {1}}, {"out", {2}}}) == outcome::differs);
  // A quotient that is wrong is said to be, and the second dispatch is judged from it.
  const tool::model_judgement wrong = judge(c, {{"q", {1.5}}, {"out", {2}}});
  INFO(wrong.report);
  CHECK(wrong.dispatches.all() == outcome::differs);
  CHECK(wrong.differing == 1);
  CHECK(has(wrong.report, "ELEMENT_WISE_CEIL: agrees\n  judged from the device's own 'q', which differs\n"));
  CHECK_FALSE(has(judge(c, {{"q", {above_one}}, {"out", {1}}}).report, "judged from"));
}

TEST_CASE("A2: CEIL of a quotient is judged from the range of the quotient if that is not given", "[judge]") {
  const chain c = quotient_and_ceil();
  CHECK(outcome_of(c, {{"out", {1}}}) == outcome::agrees);
  CHECK(outcome_of(c, {{"out", {2}}}) == outcome::agrees);
  for (const float wrong : {0.0F, 1.5F, 3.0F, -1.0F}) CHECK(outcome_of(c, {{"out", {wrong}}}) == outcome::differs);
  // A file of another size gives no quotient, and differs.
  const tool::model_judgement longer = judge(c, {{"q", {1, 1, 1}}, {"out", {2}}});
  CHECK(longer.dispatches.differing == 1);
  CHECK(longer.dispatches.agreeing == 1);
  CHECK_FALSE(has(longer.report, "judged from"));
}

TEST_CASE("A2: the range of an intermediate goes through a mover, three dispatches and a diamond", "[judge]") {
  const std::string start = resource("x", "15, 7, 15, 9") + "," + resource("y", "15, 2, 15, 3") + "," +
                            resource("q", "0, 0, 0, 0") + "," + resource("m", "0, 0, 0, 0") + "," +
                            resource("a", "0, 0, 0, 0") + "," + resource("b", "0, 0, 0, 0") + "," +
                            resource("out", "0, 0, 0, 0");
  chain moved{start};
  moved.binary("ELEMENT_WISE_DIVIDE", "x", "y", "q", "4")
      .then("SLICE1",
            fmt::format(R"("InputTensor": {0}, "OutputTensor": {0}, "InputWindowOffsets": [0],
                          "InputWindowSizes": [4], "InputWindowStrides": [-1])",
                        tensor_text("4")),
            R"("InputTensor": "q", "OutputTensor": "m")")
      .unary("ELEMENT_WISE_CEIL", "m", "out", "4");
  CHECK(outcome_of(moved, {{"out", {3, 1, 4, 1}}}) == outcome::agrees);
  CHECK(outcome_of(moved, {{"out", {4, 2, 4, 2}}}) == outcome::agrees);
  CHECK(outcome_of(moved, {{"out", {3, 1, 5, 1}}}) == outcome::differs);
  CHECK(outcome_of(moved, {{"out", {1, 4, 1, 3}}}) == outcome::differs);  // not moved
  CHECK(outcome_of(moved, {{"m", {3, 1, 3.5, above_one}}, {"out", {3, 1, 4, 2}}}) == outcome::agrees);
  CHECK(outcome_of(moved, {{"m", {3, 1, 3.5, above_one}}, {"out", {3, 1, 4, 1}}}) == outcome::differs);
  // Each number of the mover must be one that the quotient may have.
  CHECK(outcome_of(moved, {{"m", {3, 1, 3.5, 1.01F}}, {"out", {3, 1, 4, 2}}}) == outcome::differs);

  chain diamond{start};
  diamond.binary("ELEMENT_WISE_DIVIDE", "x", "y", "q", "4")
      .unary("ELEMENT_WISE_CEIL", "q", "a", "4")
      .unary("ELEMENT_WISE_FLOOR", "q", "b", "4")
      .binary("ELEMENT_WISE_SUBTRACT", "a", "b", "out", "4");
  CHECK(outcome_of(diamond, {{"out", {0, 1, 0, 0}}}) == outcome::agrees);
  CHECK(outcome_of(diamond, {{"out", {1, 1, 1, 1}}}) == outcome::agrees);
  CHECK(outcome_of(diamond, {{"out", {0, 0, 0, 0}}}) == outcome::differs);
  CHECK(outcome_of(diamond, {{"out", {3, 1, 0, 0}}}) == outcome::differs);
  CHECK(outcome_of(diamond, {{"out", {0, 1, 0, -1}}}) == outcome::differs);
  CHECK(outcome_of(diamond, {{"q", {1, 3.5, above_one, 3}}, {"out", {0, 1, 1, 0}}}) == outcome::agrees);
  CHECK(outcome_of(diamond, {{"q", {1, 3.5, above_one, 3}}, {"out", {0, 1, 0, 0}}}) == outcome::differs);
  CHECK(outcome_of(diamond, {{"a", {1, 4, 2, 3}}, {"b", {1, 3, 1, 3}}, {"out", {0, 1, 1, 1}}}) == outcome::differs);
}

TEST_CASE("A2: GEMM after GEMM depends on the first if that rounds, and is judged as before if it is exact",
          "[judge]") {
  const auto twice = [](std::string_view a) {
    return chain{resource("a", a) + "," + resource("b", "1, 2, 3, 4") + "," + resource("p", "0, 0, 0, 0") + "," +
                 resource("out", "0, 0, 0, 0")}
        .gemm("a", "b", "p")
        .gemm("p", "b", "out");
  };
  const chain exact = twice("1, 0, 0, 1");  // p = b
  CHECK(outcome_of(exact, {{"out", {7, 10, 15, 22}}}) == outcome::agrees);
  CHECK(outcome_of(exact, {{"out", {7, 10, 15, 23}}}) == outcome::differs);

  const chain rounded = twice("0.1, 0.7, 0.3, 0.9");
  const tool::model_judgement open = judge(rounded, {{"out", {0, 0, 0, 0}}});
  INFO(open.report);
  CHECK(open.dispatches.all() == outcome::depends);
  CHECK(open.dispatches.exit_status() == 3);
  CHECK(open.depending == 4);
  CHECK(open.compared == 0);
  CHECK(open.give == std::vector<std::string>{"p"});
  CHECK(has(open.report, "not given: 'p'; add --actual p=FILE\n"));
  CHECK(has(open.report, "note: 4 not judged: they depend on what is not known of an intermediate\n"));
  // p, and p times b of the device's own p.
  const float p[4] = {0.1F * 1 + 0.7F * 3, 0.1F * 2 + 0.7F * 4, 0.3F * 1 + 0.9F * 3, 0.3F * 2 + 0.9F * 4};
  std::vector<float> out{p[0] * 1 + p[1] * 3, p[0] * 2 + p[1] * 4, p[2] * 1 + p[3] * 3, p[2] * 2 + p[3] * 4};
  const std::vector<float> own(p, p + 4);
  CHECK(outcome_of(rounded, {{"p", own}, {"out", out}}) == outcome::agrees);
  out[3] += 0.001F;
  const tool::model_judgement wrong = judge(rounded, {{"p", own}, {"out", out}});
  CHECK(wrong.dispatches.all() == outcome::differs);
  CHECK(wrong.dispatches.exit_status() == 1);
  CHECK(wrong.differing == 1);
  // Of several outputs one that differs decides.
  CHECK(judge(rounded, {{"p", {0, 0, 0, 0}}, {"out", {0, 0, 0, 0}}}).dispatches.exit_status() == 1);
}

TEST_CASE("A2: an output that is not computed from an uncertain input is judged as before", "[judge]") {
  chain c{resource("x", "15") + "," + resource("y", "15") + "," + resource("q", "0") + "," + resource("p", "0") + "," +
          resource("out", "0")};
  c.binary("ELEMENT_WISE_DIVIDE", "x", "y", "q").binary("ELEMENT_WISE_ADD", "x", "y", "p");
  c.unary("ELEMENT_WISE_CEIL", "p", "out");
  CHECK(outcome_of(c, {{"out", {30}}}) == outcome::agrees);
  CHECK(outcome_of(c, {{"out", {31}}}) == outcome::differs);
}

TEST_CASE("A2: in-place and overwritten intermediates are carried, not taken from the file of the last write",
          "[judge]") {
  const std::string start =
      resource("x", "15") + "," + resource("y", "15") + "," + resource("q", "0") + "," + resource("out", "0");
  chain in_place{start};
  in_place.binary("ELEMENT_WISE_DIVIDE", "x", "y", "q").unary("ELEMENT_WISE_CEIL", "q", "q");
  CHECK(outcome_of(in_place, {{"q", {1}}}) == outcome::agrees);
  CHECK(outcome_of(in_place, {{"q", {2}}}) == outcome::agrees);
  CHECK(outcome_of(in_place, {{"q", {3}}}) == outcome::differs);
  in_place.binary("ELEMENT_WISE_ADD", "q", "x", "out");
  CHECK(outcome_of(in_place, {{"out", {17}}}) == outcome::agrees);
  CHECK(outcome_of(in_place, {{"q", {2}}, {"out", {17}}}) == outcome::agrees);
  CHECK(outcome_of(in_place, {{"q", {1}}, {"out", {17}}}) == outcome::differs);

  // ADD reads the quotient, and a later dispatch overwrites it: the file has the later value.
  chain overwritten{start};
  overwritten.binary("ELEMENT_WISE_DIVIDE", "x", "y", "q")
      .unary("ELEMENT_WISE_CEIL", "q", "out")
      .unary("ELEMENT_WISE_IDENTITY", "x", "q");
  CHECK(outcome_of(overwritten, {{"q", {15}}, {"out", {2}}}) == outcome::agrees);
  CHECK(outcome_of(overwritten, {{"q", {15}}, {"out", {15}}}) == outcome::differs);
  chain not_carried{start};
  not_carried.binary("ELEMENT_WISE_DIVIDE", "x", "y", "q")
      .then("REDUCE",
            fmt::format(R"("Function": "SUM", "InputTensor": {0}, "OutputTensor": {0}, "Axes": [0])", tensor_text("1")),
            R"("InputTensor": "q", "OutputTensor": "out")")
      .unary("ELEMENT_WISE_IDENTITY", "x", "q");
  const tool::model_judgement open = judge(not_carried, {{"q", {15}}, {"out", {1}}});
  INFO(open.report);
  CHECK(open.dispatches.all() == outcome::depends);
  CHECK(open.give.empty());
  CHECK(has(open.report, "not given: 'q', which a later command overwrites; write it to a resource of its own\n"));
}

TEST_CASE("A2: what an intermediate has between its elements is not known, even if it is given", "[judge]") {
  chain c{resource("x", "5, 6") + "," + resource("p", "0, 0, 0") + "," + resource("out", "0, 0, 0")};
  c.then("ELEMENT_WISE_IDENTITY",
         fmt::format(R"("InputTensor": {}, "OutputTensor": {{ "DataType": "FLOAT32", "Sizes": [2], "Strides": [2] }})",
                     tensor_text("2")),
         R"("InputTensor": "x", "OutputTensor": "p")");
  c.unary("ELEMENT_WISE_IDENTITY", "p", "out", "3");
  const std::string asked = "not given: 'p'; add --actual p=FILE\n", unknown = "not known: bytes of 'p', or halves of";
  const tool::model_judgement not_given = judge(c, {{"out", {5, 7, 6}}});
  CHECK(not_given.dispatches.all() == outcome::depends);
  CHECK(has(not_given.report, asked));
  CHECK_FALSE(has(not_given.report, unknown));
  const tool::model_judgement given = judge(c, {{"p", {5, 7, 6}}, {"out", {5, 7, 6}}});
  INFO(given.report);
  CHECK(given.dispatches.all() == outcome::depends);
  CHECK(given.depending == 1);
  CHECK(given.give.empty());
  CHECK_FALSE(has(given.report, asked));
  CHECK(has(given.report, unknown));
}

TEST_CASE("A2: parts of one resource are as certain as what wrote them", "[judge]") {
  const auto part = [](std::string_view name, int offset) {
    return fmt::format(R"({{ "name": "{}", "elementCount": 4, "elementSizeInBytes": 4, "elementOffset": {} }})", name,
                       offset);
  };
  const std::string four = tensor_text("4");
  chain c{resource("x", "15, 15, 15, 15") + "," + resource("y", "15, 3, 15, 5") + "," +
          resource("q", "0, 0, 0, 0, 0, 0, 0, 0") + "," + resource("low", "0, 0, 0, 0") + "," +
          resource("high", "0, 0, 0, 0") + "," + resource("bits", "0, 0, 0, 0", "UINT32")};
  const auto to_part = [&](std::string_view type, int offset) {
    c.then(type, fmt::format(R"("ATensor": {0}, "BTensor": {0}, "OutputTensor": {0})", four),
           fmt::format(R"("ATensor": "x", "BTensor": "y", "OutputTensor": {})", part("q", offset)));
  };
  const auto from_part = [&](int offset, std::string_view y) {
    c.then("ELEMENT_WISE_FLOOR", fmt::format(R"("InputTensor": {0}, "OutputTensor": {0})", four),
           fmt::format(R"("InputTensor": {}, "OutputTensor": "{}")", part("q", offset), y));
  };
  to_part("ELEMENT_WISE_DIVIDE", 0);
  to_part("ELEMENT_WISE_ADD", 4);
  from_part(0, "low");
  from_part(4, "high");
  CHECK(outcome_of(c, {{"low", {0, 4, 1, 3}}, {"high", {30, 18, 30, 20}}}) == outcome::agrees);
  CHECK(outcome_of(c, {{"low", {0, 3, 1, 3}}, {"high", {30, 18, 30, 20}}}) == outcome::differs);
  CHECK(outcome_of(c, {{"low", {0, 4, 1, 3}}, {"high", {30, 18, 30, 21}}}) == outcome::differs);
  // The bits of a quotient, read as integers.
  c.then("ELEMENT_WISE_IDENTITY", fmt::format(R"("InputTensor": {0}, "OutputTensor": {0})", tensor_text("4", "UINT32")),
         fmt::format(R"("InputTensor": {}, "OutputTensor": "bits")", part("q", 0)));
  CHECK(outcome_of(c, {{"bits", {1, 5, 1, 3}}}) == outcome::depends);
  CHECK(outcome_of(c, {{"bits", {1, 5, 1, 3}}, {"low", {0, 4, 1, 9}}}) == outcome::differs);
  const std::vector<float> q{1, 5, above_one, 3, 30, 18, 30, 20};
  CHECK(outcome_of(c, {{"q", q}, {"bits", {1, 5, above_one, 3}}}) == outcome::agrees);
  CHECK(outcome_of(c, {{"q", q}, {"bits", {1, 5, 1, 3}}}) == outcome::differs);
}

TEST_CASE("A2: quotients that may be NaN, or undefined elements, are not carried", "[judge]") {
  // 0/0 is NaN on each device; MAX takes the number.
  chain nan{resource("x", "0") + "," + resource("y", "0") + "," + resource("one", "1") + "," + resource("q", "0") +
            "," + resource("out", "0")};
  nan.binary("ELEMENT_WISE_DIVIDE", "x", "y", "q").binary("ELEMENT_WISE_MAX", "q", "one", "out");
  CHECK(outcome_of(nan, {{"out", {1}}}) == outcome::agrees);
  CHECK(outcome_of(nan, {{"out", {2}}}) == outcome::differs);
  // The rows of NONZERO_COORDINATES past the count may hold anything.
  chain rows{resource("x", "0, 5, 0") + "," + resource("count", "0", "UINT32") + "," +
             resource("at", "0, 0, 0", "UINT32") + "," + resource("out", "0, 0, 0", "UINT32")};
  rows.then("NONZERO_COORDINATES",
            fmt::format(R"("InputTensor": {}, "OutputCountTensor": {}, "OutputCoordinatesTensor": {})",
                        tensor_text("3"), tensor_text("1", "UINT32"), tensor_text("3, 1", "UINT32")),
            R"("InputTensor": "x", "OutputCountTensor": "count", "OutputCoordinatesTensor": "at")")
      .then("ELEMENT_WISE_IDENTITY",
            fmt::format(R"("InputTensor": {0}, "OutputTensor": {0})", tensor_text("3, 1", "UINT32")),
            R"("InputTensor": "at", "OutputTensor": "out")");
  const auto bits = [](std::uint32_t i) {
    float f;
    std::memcpy(&f, &i, 4);
    return f;
  };
  CHECK(outcome_of(rows, {{"out", {bits(1), bits(7), bits(9)}}}) == outcome::depends);
  CHECK(judge(rows, {{"out", {bits(1), bits(7), bits(9)}}}).depending == 2);
  CHECK(outcome_of(rows, {{"out", {bits(2), bits(7), bits(9)}}}) == outcome::differs);
  CHECK(outcome_of(rows, {{"at", {bits(1), bits(7), bits(9)}}, {"out", {bits(1), bits(7), bits(9)}}}) ==
        outcome::agrees);
  CHECK(outcome_of(rows, {{"at", {bits(1), bits(7), bits(9)}}, {"out", {bits(1), bits(7), bits(8)}}}) ==
        outcome::differs);
}

TEST_CASE("A2: bytes between the elements of an output may hold anything", "[judge]") {
  const auto wide = [](bool change) {
    chain c{resource("x", "1, 2") + "," + resource("q", "5, 6, 7, 8") + "," + resource("out", "0, 0, 0, 0")};
    if (change)
      c.then(
          "ELEMENT_WISE_IDENTITY",
          fmt::format(R"("InputTensor": {}, "OutputTensor": {{ "DataType": "FLOAT32", "Sizes": [2], "Strides": [2] }})",
                      tensor_text("2")),
          R"("InputTensor": "x", "OutputTensor": "q")");
    return c.unary("ELEMENT_WISE_IDENTITY", "q", "out", "4");
  };
  CHECK(outcome_of(wide(false), {{"out", {5, 6, 7, 8}}}) == outcome::agrees);
  const tool::model_judgement open = judge(wide(true), {{"out", {1, 0, 2, 8}}});
  CHECK(open.dispatches.all() == outcome::depends);
  CHECK(open.depending == 1);  // the last number is past the tensor
  CHECK(outcome_of(wide(true), {{"out", {1, 0, 3, 8}}}) == outcome::differs);
  CHECK(judge(wide(true), {{"out", {1, 6, 2, 8}}}, {.gaps = oracle::gap_bytes::must_survive}).dispatches.all() ==
        outcome::agrees);
  CHECK(judge(wide(true), {{"out", {1, 0, 2, 8}}}, {.gaps = oracle::gap_bytes::must_survive}).dispatches.all() ==
        outcome::differs);
}

TEST_CASE("A2: what carrying would cost beyond the limit of work depends instead", "[judge]") {
  const chain c = quotient_and_ceil();
  const std::uint64_t work = io::work_of(read(c.text()).model, work_rates_of_check);
  CHECK(judge(c, {{"out", {2}}}, {}, work).dispatches.all() == outcome::depends);
  CHECK(judge(c, {{"out", {2}}}, {}, 20 * work).dispatches.all() == outcome::agrees);
}
