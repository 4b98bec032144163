// io/model_work.hpp and core/work.hpp: the work of calls and models, with hand-computed values, and the limit (M11).
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include <goldml/core/work.hpp>

#include "models.hpp"

using namespace models;

namespace {

template <class Desc, class... Tensors>
work_counts work(const Desc& desc, const Tensors&... tensors) {
  return work_of(desc, operands_of<Desc>{to_operand(tensors)...});
}

// What reading a model and asking for its work gives.
std::uint64_t model_work(std::string_view resources, std::string_view dispatchables, std::string_view commands) {
  return io::work_of(read(model_text(resources, dispatchables, commands)).model, work_rates_of_reference);
}

// 65535 by 65536 FLOAT32 in four bytes.
constexpr std::string_view wide_argmin = R"("op": { "type": "ARGMIN", "desc": {
    "InputTensor": { "DataType": "FLOAT32", "Sizes": [65535, 65536], "Strides": [0, 0] },
    "OutputTensor": { "DataType": "UINT32", "Sizes": [1, 1] }, "Axes": [0, 1], "AxisDirection": 0 } })";
constexpr std::string_view wide_resources = R"("in": { "initialValuesDataType": "FLOAT32", "initialValues": [1] },
    "out": { "initialValuesDataType": "UINT32", "initialValues": [7] })";
constexpr std::string_view wide_dispatch = R"({ "type": "dispatch", "dispatchable": "op", "bindings": {
    "InputTensor": "in", "OutputTensor": "out" } })";
constexpr std::uint64_t wide_elements = 65535ULL * 65536 + 1;
constexpr std::uint64_t wide_work = wide_elements * work_rates_of_reference.elements;
constexpr std::string_view print_out = R"({ "type": "print", "resource": "out" })";

}  // namespace

TEST_CASE("Work: the elements that each operator reads and writes", "[model_work]") {
  const tensor_desc input{.data_type = data_type::float32, .sizes = {3, 4}};
  CHECK(work(argmin_desc{.axes = {1}}, input, tensor_desc{.data_type = data_type::uint32, .sizes = {3, 1}}) ==
        work_counts{.elements = 15});
  CHECK(work(nonzero_coordinates_desc{}, input, tensor_desc{.data_type = data_type::uint32, .sizes = {1}},
             tensor_desc{.data_type = data_type::uint32, .sizes = {12, 2}}) == work_counts{.elements = 12 + 1 + 24});
  CHECK(work(diagonal_matrix1_desc{}, input, input) == work_counts{.elements = 24});
  operands_of<diagonal_matrix1_desc> output_only;
  output_only[1] = to_operand(input);
  CHECK(work_of(diagonal_matrix1_desc{}, output_only) == work_counts{.elements = 12});
  // Two tuples of one index, read three times; rows of four updates, read and written; input and output.
  CHECK(work(scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 2}, input,
             tensor_desc{.data_type = data_type::int32, .sizes = {2, 1}},
             tensor_desc{.data_type = data_type::float32, .sizes = {2, 4}},
             input) == work_counts{.elements = 3 * 2 + 2 * 8 + 2 * 12});
  // Each output element is moved with the reading of an index; the indices are read twice besides.
  const tensor_desc rows{.data_type = data_type::float32, .sizes = {2, 4}};
  CHECK(work(gather_desc{}, input, tensor_desc{.data_type = data_type::int32, .sizes = {1, 2}}, rows) ==
        work_counts{.elements = 3 * 8 + 2 * 2});
  CHECK(work(scatter_elements_desc{}, input, tensor_desc{.data_type = data_type::int32, .sizes = {2, 4}}, rows,
             input) == work_counts{.elements = 2 * 12 + 5 * 8});
  const tensor_desc best{.data_type = data_type::float32, .sizes = {3, 2}};
  CHECK(
      work(top_k_desc{.axis = 1, .k = 2}, input, best, tensor_desc{.data_type = data_type::uint32, .sizes = {3, 2}}) ==
      work_counts{.elements = 12 * (2 + 3)});  // 4 has 3 bits
  const tensor_desc small{.data_type = data_type::float32, .sizes = {1, 1, 2, 2}};
  const tensor_desc large{.data_type = data_type::float32, .sizes = {1, 1, 4, 4}};
  CHECK(work(upsample_2d_desc{.interpolation_mode = interpolation_mode::linear}, small, large) ==
        work_counts{.elements = 16, .terms = 4 * 16, .results = 3 * 16, .judged = 16});
  CHECK(work(upsample_2d_desc{.interpolation_mode = interpolation_mode::nearest_neighbor}, small, large) ==
        work_counts{.elements = 2 * 16});
}

TEST_CASE("C1: Work: the terms, results and functions of operators that compute", "[model_work]") {
  const tensor_desc tall{.data_type = data_type::float32, .sizes = {3, 4}};
  const tensor_desc wide{.data_type = data_type::float32, .sizes = {4, 3}};
  operands_of<gemm_desc> gemm{to_operand(tall),
                              to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {4, 2}}), operand(),
                              to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {3, 2}})};
  CHECK(work_of(gemm_desc{}, gemm) == work_counts{.elements = 12 + 8 + 6, .terms = 6 * 4, .results = 6});
  gemm[2] = gemm[3];
  CHECK(work_of(gemm_desc{}, gemm).elements == 12 + 8 + 6 + 6);
  gemm[0] = to_operand(wide);
  const gemm_desc transposed{.trans_a = matrix_transform::transpose};
  CHECK(work_of(transposed, gemm) == work_counts{.elements = 12 + 8 + 6 + 6, .terms = 6 * 4, .results = 6});
  // Each element of a fused activation is a second result: SIGMOID has an exponential, SOFTPLUS a logarithm of one
  // more.
  gemm_desc fused = transposed;
  fused.fused_activation = activations::sigmoid();
  CHECK(work_of(fused, gemm) ==
        work_counts{.elements = 32, .terms = 24, .results = 2 * 6, .functions = 6, .judged = 6});
  fused.fused_activation = activations::softplus(1);
  CHECK(work_of(fused, gemm).functions == 5 * 6);
  fused.fused_activation = activations::softmax();
  CHECK(work_of(fused, gemm).functions == 2 * 6);

  CHECK(work(activation_tanh_desc{}, tall, tall) ==
        work_counts{.elements = 24, .results = 12, .functions = 12, .judged = 12});
  CHECK(work(activation_identity_desc{}, tall, tall) == work_counts{.elements = 24});
  CHECK(work(activation_relu_desc{}, tall, tall) == work_counts{.elements = 24, .results = 12, .judged = 12});
  CHECK(work(activation_softmax1_desc{.axes = {1}}, tall, tall) ==
        work_counts{.elements = 24, .results = 12, .functions = 24, .judged = 12});
  CHECK(work(cumulative_summation_desc{}, tall, tall) ==
        work_counts{.elements = 24, .terms = 12, .results = 12, .judged = 12});
  CHECK(work(element_wise_add_desc{}, tall, tall, tall) == work_counts{.elements = 36});
  CHECK(work(element_wise_abs_desc{.scale_bias = scale_bias{2, 1}}, tall, tall) ==
        work_counts{.elements = 24, .judged = 24});
  CHECK(work(fill_value_sequence_desc{}, tall) == work_counts{.elements = 12, .terms = 12, .judged = 12});

  const tensor_desc rows{.data_type = data_type::float32, .sizes = {3, 1}};
  const auto reduced = [&](reduce_function f) { return work(reduce_desc{.function = f, .axes = {1}}, tall, rows); };
  CHECK(reduced(reduce_function::sum) == work_counts{.elements = 15, .terms = 12, .results = 3, .judged = 3});
  CHECK(reduced(reduce_function::average) == work_counts{.elements = 15, .terms = 12, .results = 9, .judged = 3});
  CHECK(reduced(reduce_function::multiply) == work_counts{.elements = 15, .terms = 24, .results = 3, .judged = 3});
  CHECK(reduced(reduce_function::max) == work_counts{.elements = 15, .judged = 6});
  CHECK(reduced(reduce_function::log_sum).functions == 3 * 4);
  CHECK(reduced(reduce_function::log_sum_exp).functions == 12 + 3 * 4);
  const tensor_desc integers{.data_type = data_type::int32, .sizes = {3, 4}};
  CHECK(work(reduce_desc{.function = reduce_function::argmax, .axes = {1}}, integers,
             tensor_desc{.data_type = data_type::int32, .sizes = {3, 1}}) == work_counts{.elements = 15});

  // Two steps of three sequences; each of four hidden numbers has five products of the input, and four of the state
  // which count as four each, and takes its function up to three times.
  operands_of<rnn_desc> rnn;
  rnn[0] = to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {1, 2, 3, 5}});
  rnn[1] = to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {1, 1, 4, 5}});
  const activation tanh = activations::tanh();
  const work_counts once{
      .elements = 30 + 20, .terms = 24 * (5 + 4 * 4), .results = 24 + 3 * 24, .functions = 3 * 24, .judged = 3 * 24};
  CHECK(work_of(rnn_desc{.activation_descs = {tanh}}, rnn) == once);
  const rnn_desc both{.activation_descs = {tanh, tanh}, .direction = recurrent_network_direction::bidirectional};
  CHECK(work_of(both, rnn).terms == 2 * once.terms);
  CHECK(work_of(both, rnn).functions == 2 * once.functions);
  // Of LSTM each number has that for each of four gates, and eight products of 128 bits more. f is taken up to four
  // times, g and h up to two. A device's products are judged one by one, of four gates, and four more for each gate.
  operands_of<lstm_desc> lstm;
  lstm[0] = rnn[0];
  lstm[1] = to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {1, 1, 16, 5}});
  CHECK(work_of(lstm_desc{.activation_descs = {tanh, tanh, tanh}}, lstm) ==
        work_counts{.elements = 30 + 80,
                    .terms = 24 * (4 * (5 + 4 * 4) + 32),
                    .results = 24 + (4 + 2 + 2) * 24,
                    .functions = 8 * 24,
                    .judged = 8 * 24 + 24 * 4 * (4 + 5 + 4)});
  operands_of<lstm_desc> with_peephole = lstm;
  with_peephole[7] = to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {1, 1, 1, 12}});
  CHECK(work_of(lstm_desc{.activation_descs = {tanh, tanh, tanh}}, with_peephole).judged ==
        8 * 24 + 2 * 24 * 4 * (4 + 5 + 4));  // of either peephole
  // Of GRU that of three gates; f is taken up to four times, g up to two.
  operands_of<gru_desc> gru;
  gru[0] = rnn[0];
  gru[1] = to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {1, 1, 12, 5}});
  CHECK(work_of(gru_desc{.activation_descs = {tanh, tanh}}, gru) ==
        work_counts{.elements = 30 + 60,
                    .terms = 24 * (3 * (5 + 4 * 4) + 32),
                    .results = 24 + (4 + 2) * 24,
                    .functions = 6 * 24,
                    .judged = 6 * 24 + 24 * 3 * (4 + 5 + 4)});
  // Of attention each of 2 * 4 * 3 rows has 5 past and 7 new keys: an exact score of 6 products, and a power.
  operands_of<multihead_attention_desc> attention;
  const auto floats = [](const dimensions& sizes) {
    return to_operand(tensor_desc{.data_type = data_type::float32, .sizes = sizes});
  };
  attention[0] = floats({2, 3, 24});
  attention[1] = floats({2, 7, 24});
  attention[2] = floats({2, 7, 8});
  attention[9] = floats({2, 4, 5, 6});
  attention[10] = floats({2, 4, 5, 2});
  attention[11] = floats({2, 3, 8});
  CHECK(work_of(multihead_attention_desc{.head_count = 4}, attention) ==
        work_counts{.elements = 144 + 336 + 112 + 240 + 80 + 48,
                    .terms = 24 * 12 * (4 * 6 + 2 + 2),
                    .results = 24 * 2,
                    .functions = 24 * 12,
                    .judged = 24 * 12 * (6 + 2)});
}

TEST_CASE("C1: Work: CONVOLUTION counts the taps that read a coordinate", "[model_work]") {
  const auto terms = [](convolution_direction direction, std::uint32_t stride, std::uint32_t in, std::uint32_t taps,
                        std::uint32_t out) {
    const convolution_desc desc{.direction = direction,
                                .strides = {1, stride},
                                .dilations = {1, 1},
                                .start_padding = {0, 0},
                                .end_padding = {0, 0},
                                .output_padding = {0, 0}};
    const auto image = [](std::uint32_t channels, std::uint32_t width) {
      return to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {1, channels, 1, width}});
    };
    return work_of(desc,
                   {image(2, in), to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {2, 2, 1, taps}}),
                    operand(), image(2, out)});
  };
  // Two channels, each of two: 6 places of 3 taps. BACKWARD the places of one tap are as far apart as the stride.
  const work_counts forward = terms(convolution_direction::forward, 1, 8, 3, 6);
  CHECK(forward == work_counts{.elements = 16 + 12 + 12, .terms = 4 * 6 * 3, .results = 12, .judged = 12});
  CHECK(terms(convolution_direction::backward, 300, 1, 300, 300).terms == 4 * 300);
  CHECK(terms(convolution_direction::backward, 2, 3, 2, 6).terms == 4 * 3 * 2);
}

TEST_CASE("Work: logical elements count even if they share bytes, and sums saturate", "[model_work]") {
  const tensor_desc wide{.data_type = data_type::float32, .sizes = {65535, 65536}, .strides = {0, 0}};
  const tensor_desc one{.data_type = data_type::uint32, .sizes = {1, 1}};
  CHECK(work(argmin_desc{.axes = {0, 1}}, wide, one).elements == wide_elements);
  const tensor_desc beyond{.data_type = data_type::float32, .sizes = {0xFFFF'FFFF, 0xFFFF'FFFF, 0xFFFF'FFFF}};
  CHECK(work(argmin_desc{.axes = {0}}, beyond, one).elements == saturated);
  CHECK(work(scatter_nd_desc{}, one, beyond, one, one).elements == saturated);
  CHECK(work(scatter_nd_desc{}, one, one, beyond, one).elements == saturated);
}

TEST_CASE("Work: that of a model is the sum over all commands", "[model_work]") {
  CHECK(model_work("", "", "") == 0);
  CHECK(model_work(wide_resources, wide_argmin, "") == 0);  // a dispatchable that is not dispatched needs no work
  const std::uint64_t once = wide_work + io::work_of_a_command;
  CHECK(model_work(wide_resources, wide_argmin, wide_dispatch) == once);
  CHECK(model_work(wide_resources, wide_argmin, fmt::format("{0}, {0}, {0}", wide_dispatch)) == 3 * once);
  // A print counts whole elements; a file counts bytes.
  constexpr std::string_view bytes = R"("out": { "initialValuesDataType": "INT64", "initialValues": [1, 2],
      "sizeInBytes": 20 })";
  CHECK(model_work(bytes, "", print_out) == 2 * io::work_of_printing + io::work_of_a_command);
  CHECK(model_work(bytes, "", R"({ "type": "writeFile", "resource": "out", "targetPath": "f.bin" })") ==
        20 + io::work_of_a_command);
}

TEST_CASE("M11: more work than allowed is refused before the first command runs", "[model_work]") {
  const std::string text = model_text(wide_resources, wide_argmin, fmt::format("{}, {}", print_out, wide_dispatch));
  const std::uint64_t all = wide_work + io::work_of_printing + 2 * io::work_of_a_command;
  io::model model = read(text).model;
  REQUIRE(io::work_of(model, work_rates_of_reference) == all);
  const auto before = model.resources[1].bytes;
  std::ostringstream out;
  CHECK(message_of([&] { io::play(reference, model, out, all - 1); }) ==
        fmt::format("model M11: commands is {} units of work, wanted at most {} (all commands together; --max-work)",
                    all, all - 1));
  CHECK(out.str().empty());
  CHECK(model.resources[1].bytes == before);
  CHECK(io::validate_model(model, [](std::string_view, const violation&) {}) == 0);  // it is legal

  // One element more or less decides.
  constexpr std::uint64_t print_work = io::work_of_printing + io::work_of_a_command;
  io::model small = read(model_text(wide_resources, "", print_out)).model;
  CHECK(message_of([&] { io::play(reference, small, out, print_work - 1); }).substr(0, 10) == "model M11:");
  CHECK(out.str().empty());
  io::play(reference, small, out, print_work);
  CHECK(out.str() == "Resource 'out': 7\n");
}

TEST_CASE("M11: work that saturates", "[model_work]") {
  const tensor_desc beyond{.data_type = data_type::float32, .sizes = {0xFFFF'FFFF, 0xFFFF'FFFF, 0xFFFF'FFFF}};
  io::model model;
  model.dispatchables.push_back({"op", any_desc(argmin_desc{.axes = {0}}), {beyond, beyond}, {}});
  model.commands.emplace_back(io::dispatch_command{0, {}});
  CHECK(message_of([&] { io::check_work(model, 7, work_rates_of_cpu); }) ==
        "model M11: commands is more than 2^64-2 units of work, wanted at most 7 (all commands together; --max-work)");
  io::check_work(model, saturated, work_rates_of_cpu);
}

TEST_CASE("M11: by default, too", "[model_work]") {
  const std::string text = model_text(wide_resources, wide_argmin, fmt::format("{0}, {0}", wide_dispatch));
  io::model model = read(text).model;
  std::ostringstream out;
  CHECK(refusal_of([&] { io::play(reference, model, out); }) == "M11");
  // Rules of operators are checked before the work is computed.
  std::string illegal = text;
  illegal.replace(illegal.find("\"Axes\": [0, 1]"), 14, "\"Axes\": [0, 2]");
  io::model broken = read(illegal).model;
  CHECK(refusal_of([&] { io::play(reference, broken, out); }) != "M11");
}

TEST_CASE("Names: each of many is found, in any order", "[model_work]") {
  std::string resources, commands, wanted;
  for (int i = 0; i < 300; ++i) {
    resources += fmt::format(R"("r{}": {{ "initialValuesDataType": "INT32", "initialValues": [{}] }}, )", i, i);
    commands += fmt::format(R"({{ "type": "print", "resource": "r{}" }}, )", 299 - i);
    wanted += fmt::format("Resource 'r{0}': {0}\n", 299 - i);
  }
  CHECK(played(model_text(resources, "", commands)) == wanted);
  CHECK(message_of([&] { read(model_text(resources, "", R"({ "type": "print", "resource": "r300" })")); }) ==
        "model M3: resource is 'r300', wanted the name of a resource (did you mean 'r100'?; command 0)");
  CHECK(message_of([&] { read(model_text(resources + R"("r7": 1)")); }).substr(0, 9) == "model M1:");
}
