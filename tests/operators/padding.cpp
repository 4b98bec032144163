// PADDING and PADDING1: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/padding.hpp>
#include <goldml/reference/padding.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using enum padding_mode;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

// The pages' input: four rows, 1 2 3 4 and 5 6 7 8 in turn.
tensor<float> page_input() { return tensor<float>({1, 1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}); }

// The rows of a {1,1,8,10} output, each element one digit.
std::vector<std::string> page_rows(padding_mode mode) {
  const tensor<float> y =
      padding(reference, page_input(),
              {.padding_mode = mode, .padding_value = 9, .start_padding = {0, 0, 1, 2}, .end_padding = {0, 0, 3, 4}});
  CHECK(
      padding1(
          reference, page_input(),
          {.padding_mode = mode, .padding_value = 9.0f, .start_padding = {0, 0, 1, 2}, .end_padding = {0, 0, 3, 4}}) ==
      y);
  CHECK(y.sizes() == dimensions{1, 1, 8, 10});
  std::vector<std::string> rows(8);
  for (std::size_t i = 0; i < 80; ++i) rows[i / 10] += static_cast<char>('0' + static_cast<int>(y.elements()[i]));
  return rows;
}

// 1 to n, padded.
std::string line(padding_mode mode, std::uint32_t n, std::uint32_t start, std::uint32_t end) {
  tensor<float> x({n});
  for (std::uint32_t i = 0; i < n; ++i) x.data()[i] = static_cast<float>(i + 1);
  const tensor<float> y = padding(reference, x, {.padding_mode = mode, .start_padding = {start}, .end_padding = {end}});
  std::string digits;
  for (const float each : y.elements()) digits += static_cast<char>('0' + static_cast<int>(each));
  return digits;
}

// One element of T and one of padding. The padding's bits.
template <class T>
std::uint64_t value_of(float value) {
  return bits(padding(reference, tensor<T>({1}), {.padding_value = value, .start_padding = {0}, .end_padding = {1}})
                  .elements()[1]);
}

// {1,1,2,3} to {1,1,4,6}. Valid; each test changes it.
template <class Desc>
struct padded {
  Desc desc{.start_padding = {0, 0, 1, 2}, .end_padding = {0, 0, 1, 1}};
  tensor_desc input{.data_type = data_type::float32, .sizes = {1, 1, 2, 3}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {1, 1, 4, 6}};
};

std::string refused(const padded<padding_desc>& s) {
  return goldml_test::refused(
      512, s.desc, [&](const auto&... t) { padding(reference, t..., s.desc); }, s.input, s.output);
}
template <class Desc>
std::string message(const padded<Desc>& s) {
  return to_string(goldml_test::only_violation(s.desc, s.input, s.output));
}

}  // namespace

TEST_CASE("PADDING, PADDING1: the pages' examples", "[padding]") {
  using rows = std::vector<std::string>;
  CHECK(page_rows(constant) == rows{"9999999999", "9912349999", "9956789999", "9912349999", "9956789999", "9999999999",
                                    "9999999999", "9999999999"});
  CHECK(page_rows(edge) == rows{"1112344444", "1112344444", "5556788888", "1112344444", "5556788888", "5556788888",
                                "5556788888", "5556788888"});
  CHECK(page_rows(reflection) == rows{"7656787656", "3212343212", "7656787656", "3212343212", "7656787656",
                                      "3212343212", "7656787656", "3212343212"});
  CHECK(page_rows(symmetric) == rows{"2112344321", "2112344321", "6556788765", "2112344321", "6556788765", "6556788765",
                                     "2112344321", "6556788765"});
}

TEST_CASE("PADDING: padding longer than the tensor folds periodically", "[padding]") {
  CHECK(line(reflection, 3, 5, 5) == "2123212321232");
  CHECK(line(symmetric, 3, 5, 5) == "2332112332112");
  CHECK(line(wrap, 3, 5, 5) == "2312312312312");
  CHECK(line(edge, 3, 5, 5) == "1111112333333");
  CHECK(line(constant, 3, 5, 5) == "0000012300000");
  // Padded once from each side, and several times from one.
  CHECK(line(reflection, 3, 1, 8) == "212321232123");
  CHECK(line(symmetric, 2, 1, 8) == "11221122112");
  CHECK(line(wrap, 2, 1, 3) == "212121");
  CHECK(line(reflection, 4, 0, 8) == "123432123432");
}

TEST_CASE("PADDING: a dimension of one element", "[padding]") {
  for (const padding_mode mode : {edge, reflection, symmetric, wrap}) CHECK(line(mode, 1, 2, 3) == "111111");
  CHECK(line(constant, 1, 2, 3) == "001000");
  CHECK(line(reflection, 2, 2, 3) == "1212121");
}

TEST_CASE("PADDING: no padding is a copy", "[padding]") {
  for (const padding_mode mode : {constant, edge, reflection, symmetric, wrap}) CHECK(line(mode, 3, 0, 0) == "123");
}

TEST_CASE("PADDING: CONSTANT pads where any dimension is outside", "[padding]") {
  CHECK(padding(reference, tensor<float>({2, 2}, {1, 2, 3, 4}),
                {.padding_value = 7, .start_padding = {1, 0}, .end_padding = {0, 1}}) ==
        tensor<float>({3, 3}, {7, 7, 7, 1, 2, 7, 3, 4, 7}));
}

TEST_CASE("PADDING: the value is converted to the tensors' data type", "[padding]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float nan = from_bits<float>(0x7FC1'2345);
  CHECK(value_of<float>(nan) == 0x7FC1'2345);
  CHECK(value_of<float>(-0.0f) == 0x8000'0000);
  CHECK(value_of<double>(0.1f) == bits(0.10000000149011612));
  CHECK(value_of<float16>(65519.0f) == 0x7BFF);
  CHECK(value_of<float16>(65520.0f) == 0x7C00);
  CHECK(value_of<float16>(1.00048828125f) == 0x3C00);  // 1 + 2^-11: halfway, to even
  CHECK(value_of<std::int32_t>(10.6f) == 10);
  CHECK(value_of<std::int8_t>(-2.9f) == 0xFE);
  CHECK(value_of<std::int8_t>(200.0f) == 0x7F);
  CHECK(value_of<std::int8_t>(-200.0f) == 0x80);
  CHECK(value_of<std::uint8_t>(-0.9f) == 0);
  CHECK(value_of<std::uint8_t>(-5.0f) == 0);
  CHECK(value_of<std::uint16_t>(infinity) == 0xFFFF);
  CHECK(value_of<std::int64_t>(-infinity) == 0x8000'0000'0000'0000);
  CHECK(value_of<std::int32_t>(nan) == 0);
  CHECK(value_of<std::uint64_t>(16777216.0f) == 16777216);
}

TEMPLATE_LIST_TEST_CASE("PADDING1: all data types, typed and at run time, moved bit by bit", "[padding]", a11_types) {
  const auto data = different_elements<TestType>(4, 0);
  const tensor<TestType> x({1, 3}, {data[0], data[1], data[2]});
  const padding1_desc desc{.padding_value = data[3], .start_padding = {0, 1}, .end_padding = {0, 2}};
  const auto b = bits(data);
  const std::vector<std::uint64_t> wanted{b[3], b[0], b[1], b[2], b[3], b[3]};
  CHECK(bits(padding1(reference, x, desc).elements()) == wanted);
  tensor<TestType> y({1, 6});
  padding1(reference, const_tensor_ref(x.view()), tensor_ref(y.view()), desc);
  CHECK(bits(y.elements()) == wanted);
  padding(reference, x, y, {.padding_mode = wrap, .start_padding = {0, 1}, .end_padding = {0, 2}});
  CHECK(bits(y.elements()) == std::vector<std::uint64_t>{b[2], b[0], b[1], b[2], b[0], b[1]});
  padding1(reference, x, y, {.start_padding = {0, 1}, .end_padding = {0, 2}});  // omitted: positive zero
  CHECK(bits(y.elements()) == std::vector<std::uint64_t>{0, b[0], b[1], b[2], 0, 0});
}

TEST_CASE("PADDING1: NaN payloads, -0.0 and subnormals are moved bit by bit", "[padding]") {
  for (const std::uint64_t pattern : {0x7FC1'2345u, 0x7F81'2345u, 0xFFBF'FFFFu, 0x8000'0000u, 1u, 0x807F'FFFFu}) {
    const auto value = from_bits<float>(pattern);
    const tensor<float> x({1}, {value});
    CHECK(bits(padding1(reference, x, {.padding_value = value, .start_padding = {1}, .end_padding = {0}}).elements()) ==
          std::vector<std::uint64_t>{pattern, pattern});
  }
}

TEST_CASE("PADDING: one to eight dimensions, in all layouts; gaps are unchanged", "[padding]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    // One element before the first of dimension 0, and one after the last of the last dimension.
    dimensions sizes = dimensions::filled(rank, 1);
    sizes[rank - 1] = 3;
    dimensions start = dimensions::filled(rank, 0);
    dimensions end = dimensions::filled(rank, 0);
    start[0] = 1;
    end[rank - 1] = 1;
    dimensions out = sizes;
    for (std::size_t i = 0; i < rank; ++i) out[i] += start[i] + end[i];
    const auto data = different_elements<std::uint16_t>(3, 0);
    const std::vector<std::uint16_t> row{data[0], data[1], data[2], 7};
    std::vector<std::uint16_t> wanted = rank == 1 ? std::vector<std::uint16_t>{7} : std::vector<std::uint16_t>(4, 7);
    wanted.insert(wanted.end(), row.begin(), row.end());
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts) {
        laid_out<std::uint16_t> x(sizes, strides_of(of_input, sizes), data);
        laid_out<std::uint16_t> y(out, strides_of(of_output, out), std::vector<std::uint16_t>(wanted.size()));
        padding(reference, x.view(), y.view(), {.padding_value = 7, .start_padding = start, .end_padding = end});
        CHECK(y.elements() == wanted);
        CHECK((x.gaps_untouched() && y.gaps_untouched()));
      }
  }
}

TEST_CASE("37: PA3 points to SLICE1 where a padding was negative", "[padding]") {
  padded<padding_desc> s;
  s.desc.start_padding = {0, 0, 1, static_cast<std::uint32_t>(-1)};
  s.output.sizes = {1, 1, 4, 3};
  CHECK(refused(s).starts_with("PA3"));
  CHECK(message(s).find("; SLICE1 removes elements)") != std::string::npos);
  s.desc.start_padding = {0, 0, 1, 0x7FFF'FFFF};
  CHECK(message(s).find("SLICE1") == std::string::npos);
}

TEST_CASE("PADDING: memory, and the call that returns the output", "[padding]") {
  floats memory(6, 1);
  const tensor_view x{memory, {3}};
  CHECK(refusal_of([&] {
          padding(reference, x, tensor_view{memory, {3}}, {.start_padding = {0}, .end_padding = {0}});
        }) == "T12");
  CHECK(memory == floats(6, 1));
  const auto rule = [&](const dimensions& start, const dimensions& end) {
    return refusal_of([&] {
      static_cast<void>(padding(reference, tensor<float>({2, 2}), {.start_padding = start, .end_padding = end}));
    });
  };
  CHECK(rule({1, 1}, {0, 0}) == "none");
  CHECK(rule({1}, {0, 0}) == "PA4");
  CHECK(rule({1, 1}, {0}) == "PA4");
  CHECK(rule({1, 1}, {0, 0, 0}) == "PA4");
  CHECK(rule({0, 0xFFFF'FFFF}, {0, 0xFFFF'FFFF}) == "T6");
}
