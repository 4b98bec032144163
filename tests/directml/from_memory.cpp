// The memory passed to directml::evaluate(): at least TotalTensorSizeInBytes, aligned, one buffer per tensor; and
// backends that lack an operator.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "from_backends.hpp"
#include "from_plain.hpp"

using namespace directml_tests;

namespace {

using uints = std::vector<std::uint32_t>;

plain_operator least_of_three() {
  return plain(argmin_desc{.axes = {0}}, {tensor_desc{.data_type = data_type::uint8, .sizes = {3}},
                                          tensor_desc{.data_type = data_type::uint32, .sizes = {1}}});
}

// A third-party backend with one operator.
struct one_operator {};

}  // namespace

namespace goldml {
template <>
struct kernel<argmin_desc, one_operator> {
  static void run(const one_operator&, const const_tensor_ref&, const tensor_ref& output, const argmin_desc&) {
    *static_cast<std::uint32_t*>(output.data()) = 42;
  }
};
}  // namespace goldml

TEST_CASE("directml memory: types accepted as buffers") {
  using directml::input_buffer, directml::output_buffer;
  STATIC_REQUIRE(std::is_convertible_v<const std::vector<float>&, input_buffer>);
  STATIC_REQUIRE(std::is_convertible_v<std::vector<float>&, output_buffer>);
  STATIC_REQUIRE(std::is_convertible_v<std::array<std::byte, 4>&, output_buffer>);
  STATIC_REQUIRE(std::is_convertible_v<std::span<float16>, output_buffer>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<const std::vector<float>&, output_buffer>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::vector<float>, output_buffer>);  // a temporary
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::vector<std::string>&, input_buffer>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::vector<input_buffer>&, input_buffer>);
  CHECK_FALSE(input_buffer().present());
  const std::array<std::uint16_t, 3> three{};
  CHECK(input_buffer(three).size_in_bytes() == 6);
  CHECK(input_buffer(three).data() == three.data());
}

TEST_CASE("directml memory: T12 and T1") {
  const dml_operator op(least_of_three());  // TotalTensorSizeInBytes is 4, of which 3 are read
  const std::vector<std::uint8_t> x{5, 3, 4, 0}, x3{5, 3, 4};
  uints y{77};
  alignas(8) std::array<std::byte, 12> odd{};
  const auto none = directml::output_buffer();
  for (const auto call : {on_reference, on_cpu}) {
    const auto refusal = [&](const std::vector<directml::input_buffer>& in,
                             const std::vector<directml::output_buffer>& out) {
      std::string text = "none";
      try {
        call(op, in, out, {});
      } catch (const error& e) {
        text = e.what();
      }
      CHECK(y[0] == 77);
      return text;
    };
    CHECK(refusal({x3}, {y}) == "ARGMIN T12: InputTensor.memory is 3 bytes, wanted at least 4 (UINT8 {3} strides {1})");
    CHECK(refusal({x}, {none}).starts_with("ARGMIN T12: OutputTensor.memory is 0 bytes, wanted at least 4"));
    CHECK(refusal({directml::input_buffer()}, {y}).starts_with("ARGMIN T12: InputTensor.memory is 0 bytes"));
    CHECK(refusal({directml::input_buffer(nullptr, 4)}, {y}).starts_with("ARGMIN T1: InputTensor.data is null"));
    CHECK(refusal({x}, {directml::output_buffer(odd.data() + 2, 8)}).starts_with("ARGMIN T12: OutputTensor.address"));
    CHECK(refusal({directml::input_buffer(y.data(), 4)}, {y}).starts_with("ARGMIN T12: OutputTensor.memory"));
    CHECK_THROWS_WITH(call(op, {x, x}, {y}, {}), "goldml: ARGMIN takes 1 inputs, 2 were passed");
    CHECK_THROWS_WITH(call(op, {x}, {}, {}), "goldml: ARGMIN takes 1 outputs, 0 were passed");
    CHECK_THROWS_AS(call(op, {x}, {y}, {.feature_level = static_cast<feature_level>(1)}), std::invalid_argument);
    CHECK(y[0] == 77);
    call(op, {x}, {y}, {});
    CHECK(y[0] == 1);
    y[0] = 77;
  }

  // Memory for a tensor that is null: probably a forgotten pointer.
  const tensor_desc matrix{.data_type = data_type::float32, .sizes = {1, 1}};
  const dml_operator without(plain(diagonal_matrix1_desc{.value = 1.0f}, {std::nullopt, matrix}));
  const std::vector<float> input{3};
  std::vector<float> output{7};
  CHECK(refusal_of([&] { on_cpu(without, {input}, {output}); }) == "T12");
  CHECK(refusal_of([&] { on_cpu(without, {directml::input_buffer(nullptr, 4)}, {output}); }) == "T12");
  CHECK(output[0] == 7);
  on_cpu(without, {}, {output});
  CHECK(output[0] == 0);
}

TEST_CASE("directml memory: a backend that lacks the operator says so") {
  const std::vector<std::uint8_t> x{5, 3, 4, 0};
  uints y{77};
  directml::evaluate(one_operator{}, dml_operator(least_of_three()), {x}, {y});
  CHECK(y[0] == 42);
  const tensor_desc matrix{.data_type = data_type::float32, .sizes = {1, 1}};
  const dml_operator other(plain(diagonal_matrix1_desc{.value = 1.0f}, {std::nullopt, matrix}));
  CHECK_THROWS_WITH(directml::evaluate(one_operator{}, other, {}, {y}),
                    "DIAGONAL_MATRIX1 T11: backend is without this operator, wanted one that has it (or its header was "
                    "not included; there is no fallback on another)");
}
