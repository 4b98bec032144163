// T3, T4 and T11 against the tables of the operators' pages, exhaustively: each operand of each operator of the list,
// at each feature level, with each data type and each number of dimensions from none to nine.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/any_call.hpp>
#include <goldml/operators/operators.hpp>

#include "../catch.hpp"
#include "../support/default_desc.hpp"
#include "../support/refusals.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;
using rules::missing_from;
using level = goldml::feature_level;
using words = std::vector<std::string_view>;

// The sets of the tables, written down by hand.
const words a8{"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"};
const words a6{"FLOAT32", "FLOAT16", "INT32", "INT16", "UINT32", "UINT16"};
const words s5{"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8"};
const words s6{"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "INT64"};
const words u3{"UINT32", "UINT16", "UINT8"};
const words u4{"UINT32", "UINT16", "UINT8", "UINT64"};
const words ux{"UINT32", "UINT64"};
const words u32_u8{"UINT32", "UINT8"};
const words only_u8{"UINT8"};
const words only_f16{"FLOAT16"};
const words before_cast_3_0{"FLOAT32", "FLOAT16", "INT16", "INT8", "UINT16", "UINT8"};  // printed so on CAST's page
const words a10{"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8", "INT64", "UINT64"};
const words a11{"FLOAT32", "FLOAT16", "INT32",   "INT16", "INT8",  "UINT32",
                "UINT16",  "UINT8",   "FLOAT64", "INT64", "UINT64"};
const words ix{"INT64", "INT32", "UINT64", "UINT32"};
const words u32{"UINT32"};
const words i32{"INT32"};
const words only_f32{"FLOAT32"};
const words i8{"INT8", "UINT8"};
const words i6{"INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"};
const words f32_i32{"FLOAT32", "INT32"};
const words f_i32{"FLOAT32", "FLOAT16", "INT32"};
const words f{"FLOAT32", "FLOAT16"};
const words f_i8{"FLOAT32", "FLOAT16", "INT8", "UINT8"};
const words f_i{"FLOAT32", "FLOAT16", "INT32", "UINT32"};
const words f_i_l{"FLOAT32", "FLOAT16", "INT32", "UINT32", "INT64", "UINT64"};

constexpr std::array<level, 15> all_levels{level::level_1_0, level::level_2_0, level::level_2_1, level::level_3_0,
                                           level::level_3_1, level::level_4_0, level::level_4_1, level::level_5_0,
                                           level::level_5_1, level::level_5_2, level::level_6_0, level::level_6_1,
                                           level::level_6_2, level::level_6_3, level::level_6_4};

// What an operand may be from a level on, until the next row.
struct row {
  level from;
  const words& types;
  std::size_t fewest;
  std::size_t most;
};
using table = std::vector<row>;

struct operand_table {
  std::string_view name;
  const table& rows;
};
struct operator_table {
  std::string_view name;
  std::vector<operand_table> operands;
};

using enum goldml::feature_level;

const table indices_3_0{{level_3_0, ix, 1, 8}};
const table indices_2_1{{level_2_1, u32, 4, 4}, {level_3_0, ix, 1, 8}};
const table indices_2_0{{level_2_0, u32, 4, 4}, {level_3_0, ix, 1, 8}};
const table arg_reduce{{level_3_0, a8, 1, 8}, {level_4_1, a10, 1, 8}};
const table nonzero_input{{level_3_0, a8, 4, 5}, {level_4_0, a8, 1, 8}};
const table nonzero_count{{level_3_0, u32, 4, 5}, {level_4_0, u32, 1, 8}};
const table nonzero_coordinates{{level_3_0, u32, 4, 5}, {level_4_0, u32, 2, 8}};
const table scatter{{level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table diagonal1{{level_5_1, a11, 2, 4}};
const table diagonal{{level_2_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_4_0, a8, 2, 4}, {level_5_1, a11, 2, 4}};
const table fill{{level_2_1, a8, 4, 4}, {level_4_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table slice1{{level_2_1, a8, 4, 5}, {level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table slice{{level_1_0, a6, 4, 5}, {level_2_1, a8, 4, 5}, {level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table slice_grad{{level_3_0, a8, 4, 5}, {level_3_1, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table split{{level_1_0, a6, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table join{
    {level_1_0, a6, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 4, 5}, {level_3_1, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table padding{{level_1_0, f, 4, 5}, {level_2_1, a8, 4, 5}, {level_3_1, a8, 1, 8}, {level_5_0, a11, 1, 8}};
const table padding1{{level_5_0, a11, 1, 8}};
const table tile{{level_1_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_1, a8, 1, 8}, {level_4_1, a10, 1, 8}};
const table space_depth{{level_1_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_5_0, a11, 4, 4}};
const table space_depth1{{level_2_1, a8, 4, 4}, {level_5_0, a11, 4, 4}};
const table cast{
    {level_1_0, before_cast_3_0, 4, 4}, {level_3_0, a10, 4, 4}, {level_3_1, a10, 1, 8}, {level_4_1, a11, 1, 8}};
const table top_k{{level_1_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_1, a8, 1, 8}, {level_5_0, a10, 1, 8}};
const table top_k_index{{level_1_0, u32, 4, 4}, {level_3_1, u32, 1, 8}, {level_5_0, ux, 1, 8}};
const table top_k1{{level_2_1, a8, 4, 4}, {level_3_1, a8, 1, 8}, {level_5_0, a10, 1, 8}};
const table top_k1_index{{level_2_1, u32, 4, 4}, {level_3_1, u32, 1, 8}, {level_5_0, ux, 1, 8}};
const table one_hot{{level_2_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table gather{{level_1_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table indices_1_0{{level_1_0, u32, 4, 4}, {level_3_0, ix, 1, 8}};
const table gather_elements{{level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table gather_nd1{{level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table reduce_input{{level_1_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_4_1, a10, 1, 8}};
const table reduce_floats{{level_1_0, f, 4, 4}, {level_3_0, f, 1, 8}};
const table reduce_magnitudes{{level_1_0, f, 4, 4}, {level_3_0, f, 1, 8}, {level_5_0, f_i_l, 1, 8}};
const table reduce_extremes{
    {level_1_0, f, 4, 4}, {level_2_1, f_i, 4, 4}, {level_3_0, a8, 1, 8}, {level_5_0, a10, 1, 8}};
const table reduce_sums{{level_1_0, f, 4, 4}, {level_2_1, f_i, 4, 4}, {level_3_0, f_i, 1, 8}, {level_5_0, f_i_l, 1, 8}};
const table cumulative_sum{{level_2_1, f_i, 4, 4}, {level_4_0, f_i, 1, 8}, {level_5_0, f_i_l, 1, 8}};
const table cumulative_product{{level_3_1, f_i, 4, 4}, {level_4_0, f_i, 1, 8}, {level_5_0, f_i_l, 1, 8}};
const table sequence{{level_2_1, a8, 4, 4}, {level_4_0, a8, 1, 8}, {level_5_0, a10, 1, 8}};
const table adam{{level_3_0, f, 4, 4}, {level_4_0, f, 1, 8}};
const table normalised{{level_1_0, f, 4, 4}};
const table normalised_by_axes{{level_2_1, f, 4, 4}, {level_3_1, f, 1, 8}};
const table normalised_of_any_mean{{level_6_3, f, 1, 8}};
const table batch_normalised{{level_1_0, f, 4, 4}, {level_3_1, f, 1, 8}};
const table batch_gradient{{level_3_1, f, 1, 8}};
const table batch_training{{level_4_1, f, 1, 8}};
const table response_gradient{{level_3_1, f, 4, 4}};
const table random_words{{level_3_0, u32, 4, 4}, {level_4_0, u32, 1, 8}};
const table reversed{{level_2_1, a8, 4, 4}, {level_3_0, a8, 4, 5}, {level_4_0, a8, 1, 8}, {level_5_0, a11, 1, 8}};
const table lengths{{level_2_1, u32, 4, 4}, {level_3_0, u32, 4, 5}, {level_4_0, u32, 1, 8}, {level_5_0, ux, 1, 8}};
const table unpooling{{level_2_0, f, 4, 4}, {level_5_0, a10, 4, 4}};
const table unpooling_indices{{level_2_0, u32, 4, 4}, {level_5_0, ux, 4, 4}};
const table convolution{{level_1_0, f, 4, 5}, {level_4_0, f, 3, 5}};
const table quantised_numbers{
    {level_1_0, only_f32, 4, 4}, {level_2_1, f32_i32, 4, 4}, {level_3_0, f32_i32, 1, 8}, {level_6_0, f_i32, 1, 8}};
const table quantised_scales{{level_1_0, only_f32, 4, 4}, {level_3_0, only_f32, 1, 8}, {level_6_0, f, 1, 8}};
const table quantised_bytes{{level_1_0, only_u8, 4, 4}, {level_2_1, i8, 4, 4}, {level_3_0, i8, 1, 8}};
const table quantised_integers{{level_1_0, only_u8, 4, 4}, {level_2_1, i6, 4, 4}, {level_3_0, i6, 1, 8}};
const table integer_matrix{{level_2_1, i8, 4, 4}, {level_4_0, i8, 2, 4}};
const table zero_of_a{{level_2_1, i8, 4, 4}, {level_4_0, i8, 1, 4}};
const table zero_of_b{{level_2_1, i8, 4, 4}, {level_4_0, i8, 2, 4}, {level_5_2, i8, 1, 4}};
const table integer_sums{{level_2_1, i32, 4, 4}, {level_4_0, i32, 2, 4}};
const table integer_images{{level_2_1, i8, 4, 4}, {level_4_0, i8, 3, 4}};
const table scale_of_lines{{level_2_1, only_f32, 4, 4}, {level_4_0, only_f32, 1, 4}};
const table scale_of_filter{{level_2_1, only_f32, 4, 4}, {level_4_0, only_f32, 3, 4}, {level_5_2, only_f32, 1, 4}};
const table scaled_integers{{level_6_2, i6, 2, 4}};
const table zeros_6_2{{level_6_2, i6, 1, 4}};
const words nibbles{"INT8", "UINT8", "INT4", "UINT4"},
    floats_and_nibbles{"FLOAT32", "FLOAT16", "INT8", "UINT8", "INT4", "UINT4"};
const table block_float{{level_6_3, f, 1, 8}}, block_integer{{level_6_3, nibbles, 1, 8}},
    block_parameter{{level_6_3, floats_and_nibbles, 1, 8}};
const table pooled_integers{{level_6_2, i8, 4, 5}}, pooled_scale{{level_6_2, only_f32, 1, 5}},
    pooled_zero{{level_6_2, i8, 1, 5}};
const table scales_6_2{{level_6_2, f, 1, 4}};
const table scaled_numbers{{level_6_2, f, 2, 4}};
const table dynamic_input{{level_4_0, f, 1, 8}};
const table added_bytes{{level_4_0, i8, 1, 8}};
const table added_scale{{level_4_0, only_f32, 1, 8}};
const table image_sums{{level_2_1, i32, 4, 4}, {level_4_0, i32, 3, 4}};
const table identity{{level_1_0, f, 4, 5}, {level_2_1, a8, 4, 5}, {level_3_0, a8, 1, 8}, {level_4_1, a11, 1, 8}};
const table abs{{level_1_0, f, 4, 4}, {level_2_1, s5, 4, 4}, {level_3_0, s5, 1, 8}, {level_4_1, s6, 1, 8}};
const table negate{{level_5_0, s6, 1, 8}};
const table sign{{level_2_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_4_1, a10, 1, 8}};
const table is_nan_input{{level_2_0, f, 4, 4}, {level_3_0, f, 1, 8}};
const table is_nan_output{{level_2_0, u32_u8, 4, 4}, {level_3_0, u32_u8, 1, 8}};
const table is_infinity_input{{level_2_1, f, 4, 4}, {level_3_0, f, 1, 8}};
const table is_infinity_output{{level_2_1, only_u8, 4, 4}, {level_3_0, only_u8, 1, 8}};
const table ceil_floor{{level_1_0, f, 4, 4}, {level_3_0, f, 1, 8}};
const table round{{level_2_1, f, 4, 4}, {level_3_0, f, 1, 8}};
const table min_max_clip{{level_1_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_5_0, a10, 1, 8}};
const table add{{level_1_0, f, 4, 5},
                {level_2_1, f_i, 4, 5},
                {level_3_0, f_i, 1, 8},
                {level_4_1, f_i_l, 1, 8},
                {level_5_1, a10, 1, 8}};
const table subtract{{level_1_0, f, 4, 4},
                     {level_2_1, f_i, 4, 4},
                     {level_3_0, f_i, 1, 8},
                     {level_4_1, f_i_l, 1, 8},
                     {level_5_1, a10, 1, 8}};
const table divide{{level_1_0, f, 4, 4},
                   {level_2_1, f_i, 4, 4},
                   {level_3_0, f_i, 1, 8},
                   {level_5_1, a8, 1, 8},
                   {level_6_0, a10, 1, 8}};
const table mean{{level_1_0, f, 4, 4}, {level_2_1, f_i, 4, 4}, {level_3_0, f_i, 1, 8}};
const table difference_square{{level_3_1, f_i, 1, 8}};
const table atan_yx{{level_3_1, f, 1, 8}};
const table power{{level_1_0, f, 4, 4}, {level_3_0, a8, 1, 8}};
const table modulus{{level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_6_0, a10, 1, 8}};
const table clip1{{level_5_0, a10, 1, 8}};
const table clip_grad{{level_3_1, a8, 1, 8}, {level_5_0, a10, 1, 8}};
const table relu_grad{{level_3_0, f, 1, 8}, {level_5_1, s5, 1, 8}};
const table threshold{{level_1_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}};
const table shrink{{level_2_0, f, 4, 5}, {level_3_0, f, 1, 8}, {level_5_1, a8, 1, 8}};
const table hard_swish{{level_6_2, f, 1, 8}};
const table gelu{{level_5_1, f, 1, 8}};
const table condition{{level_2_0, only_u8, 4, 4}, {level_3_0, only_u8, 1, 8}};
const table choice{{level_2_0, only_f16, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_5_0, a11, 1, 8}};
const table logical{{level_1_0, u32, 4, 4}, {level_2_0, u32_u8, 4, 4}, {level_3_0, u32_u8, 1, 8}};
const table compared{{level_1_0, f, 4, 4}, {level_2_1, a8, 4, 4}, {level_3_0, a8, 1, 8}, {level_4_1, a10, 1, 8}};
const table or_equal{{level_3_0, a8, 1, 8}, {level_4_1, a10, 1, 8}};
const table or_equal_output{{level_3_0, u32_u8, 1, 8}};
const table bit{{level_3_0, u3, 1, 8}, {level_4_1, a11, 1, 8}};
const table shift{{level_2_1, u3, 4, 4}, {level_3_0, u3, 1, 8}, {level_4_1, u4, 1, 8}};
const table add1{{level_2_0, f, 4, 5}, {level_3_0, f, 1, 8}};
const table softmax{{level_1_0, f, 4, 4}, {level_2_0, f, 4, 5}, {level_3_0, f, 1, 8}};
const table softmax1{{level_5_1, f, 1, 8}};
const table upsample{{level_1_0, f, 4, 5}};
const table average_pool{{level_1_0, f, 4, 5}}, average_pool1{{level_6_2, f, 4, 5}};
const words pooled_bytes{"FLOAT32", "FLOAT16", "INT8", "UINT8"};
const table max_pool{{level_1_0, f, 4, 5}, {level_3_0, pooled_bytes, 4, 5}, {level_5_0, a10, 4, 5}};
const table max_pool1{{level_2_0, f, 4, 5}, {level_3_0, pooled_bytes, 4, 5}, {level_5_0, a10, 4, 5}};
const table max_pool2{{level_2_1, f, 4, 5}, {level_3_0, pooled_bytes, 4, 5}, {level_5_0, a10, 4, 5}};
const table pool_index1{{level_2_0, u32, 4, 5}, {level_5_0, ux, 4, 5}};
const table pool_index2{{level_2_1, u32, 4, 5}, {level_5_0, ux, 4, 5}};
const table average_pool_grad{{level_3_0, f, 4, 5}}, max_pool_grad{{level_3_0, f, 4, 4}, {level_4_0, f, 4, 5}};
const table folded{{level_6_4, a11, 3, 8}};
const table value_scale{{level_1_0, f, 4, 4}};
const table resample{{level_2_0, f, 4, 4}, {level_5_1, f, 1, 4}, {level_6_2, f_i8, 1, 4}};
const table resample1{{level_2_1, f, 4, 4}, {level_5_1, f, 1, 4}, {level_6_2, f_i8, 1, 4}};
const table resample2{{level_5_1, f, 1, 4}, {level_6_2, f_i8, 1, 4}};
const table resample3{{level_6_4, f_i8, 1, 4}};
const table resample_grad{{level_3_0, f, 4, 4}, {level_5_1, f, 1, 4}};
const table resample_grad1{{level_5_1, f, 1, 4}};
const table roi_pooling{{level_1_0, f, 4, 4}};
const table roi_align{{level_3_0, f, 4, 4}};
const table roi_align_regions{{level_3_0, f, 2, 4}};
const table roi_align_batches{{level_3_0, u32, 1, 4}, {level_5_0, ux, 1, 4}};
const table roi_align1{{level_4_0, f, 4, 4}};
const table roi_align1_regions{{level_4_0, f, 2, 4}};
const table roi_align_grad{{level_4_1, f, 4, 4}};
const table roi_align_grad_regions{{level_4_1, f, 2, 4}};
const table roi_align_grad_batches{{level_4_1, u32, 1, 4}};
const table roi_align1_batches{{level_4_0, u32, 1, 4}, {level_5_0, ux, 1, 4}};
const table recurrent{{level_1_0, f, 4, 4}};
const table recurrent_lengths{{level_1_0, u32, 4, 4}};
const table activation{{level_1_0, f, 4, 4}, {level_2_0, f, 4, 5}, {level_3_0, f, 1, 8}};
const table relu{{level_1_0, f, 4, 4}, {level_2_0, f, 4, 5}, {level_3_0, f, 1, 8}, {level_5_1, s5, 1, 8}};
const table gemm{{level_1_0, f, 4, 4}, {level_4_0, f, 2, 4}};
const table celu{{level_3_0, f, 1, 8}};

std::vector<operand_table> one(const table& input, const table& output) {
  return {{"InputTensor", input}, {"OutputTensor", output}};
}
std::vector<operand_table> two(const table& input, const table& output) {
  return {{"ATensor", input}, {"BTensor", input}, {"OutputTensor", output}};
}

std::vector<operand_table> gradient(const table& rows) {
  return {{"InputTensor", rows}, {"InputGradientTensor", rows}, {"OutputGradientTensor", rows}};
}

// Tensors of three to five, of five, of one to five and of four to five dimensions, and masks.
struct attention_tables {
  table flat, stacked, bias, heads, mask;
};
attention_tables attention_from(level from) {
  return {{{from, f, 3, 5}}, {{from, f, 5, 5}}, {{from, f, 1, 5}}, {{from, f, 4, 5}}, {{from, i32, 1, 5}}};
}
const attention_tables attention_6_1 = attention_from(level_6_1), attention_6_3 = attention_from(level_6_3);
std::vector<operand_table> attention(const attention_tables& of, bool has_lengths) {
  std::vector<operand_table> result{{"QueryTensor", of.flat},
                                    {"KeyTensor", of.flat},
                                    {"ValueTensor", of.flat},
                                    {"StackedQueryKeyTensor", of.stacked},
                                    {"StackedKeyValueTensor", of.stacked},
                                    {"StackedQueryKeyValueTensor", of.stacked},
                                    {"BiasTensor", of.bias},
                                    {"MaskTensor", of.mask},
                                    {"RelativePositionBiasTensor", of.heads},
                                    {"PastKeyTensor", of.heads},
                                    {"PastValueTensor", of.heads}};
  if (has_lengths) result.push_back({"PastSequenceLengthsTensor", of.mask});
  result.push_back({"OutputTensor", of.flat});
  result.push_back({"OutputPresentKeyTensor", of.heads});
  result.push_back({"OutputPresentValueTensor", of.heads});
  return result;
}

// In the order of all_operators.
const std::vector<operator_table> pages{
    {"ARGMIN", one(arg_reduce, indices_3_0)},
    {"NONZERO_COORDINATES",
     {{"InputTensor", nonzero_input},
      {"OutputCountTensor", nonzero_count},
      {"OutputCoordinatesTensor", nonzero_coordinates}}},
    {"SCATTER_ND",
     {{"InputTensor", scatter}, {"IndicesTensor", indices_2_1}, {"UpdatesTensor", scatter}, {"OutputTensor", scatter}}},
    {"DIAGONAL_MATRIX1", one(diagonal1, diagonal1)},
    {"ARGMAX", one(arg_reduce, indices_3_0)},
    {"DIAGONAL_MATRIX", {{"OutputTensor", diagonal}}},
    {"FILL_VALUE_CONSTANT", {{"OutputTensor", fill}}},
    {"SLICE1", one(slice1, slice1)},
    {"SLICE", one(slice, slice)},
    {"SLICE_GRAD", {{"InputGradientTensor", slice_grad}, {"OutputGradientTensor", slice_grad}}},
    {"SPLIT", {{"InputTensor", split}, {"OutputTensors", split}}},
    {"JOIN", {{"InputTensors", join}, {"OutputTensor", join}}},
    {"PADDING", one(padding, padding)},
    {"PADDING1", one(padding1, padding1)},
    {"TILE", one(tile, tile)},
    {"SPACE_TO_DEPTH", one(space_depth, space_depth)},
    {"SPACE_TO_DEPTH1", one(space_depth1, space_depth1)},
    {"DEPTH_TO_SPACE", one(space_depth, space_depth)},
    {"DEPTH_TO_SPACE1", one(space_depth1, space_depth1)},
    {"CAST", one(cast, cast)},
    {"TOP_K", {{"InputTensor", top_k}, {"OutputValueTensor", top_k}, {"OutputIndexTensor", top_k_index}}},
    {"TOP_K1", {{"InputTensor", top_k1}, {"OutputValueTensor", top_k1}, {"OutputIndexTensor", top_k1_index}}},
    {"ONE_HOT", {{"IndicesTensor", indices_2_0}, {"ValuesTensor", one_hot}, {"OutputTensor", one_hot}}},
    {"GATHER", {{"InputTensor", gather}, {"IndicesTensor", indices_1_0}, {"OutputTensor", gather}}},
    {"GATHER_ELEMENTS",
     {{"InputTensor", gather_elements}, {"IndicesTensor", indices_2_1}, {"OutputTensor", gather_elements}}},
    {"GATHER_ND",
     {{"InputTensor", gather_elements}, {"IndicesTensor", indices_2_1}, {"OutputTensor", gather_elements}}},
    {"GATHER_ND1", {{"InputTensor", gather_nd1}, {"IndicesTensor", indices_3_0}, {"OutputTensor", gather_nd1}}},
    {"SCATTER_ELEMENTS",
     {{"InputTensor", one_hot}, {"IndicesTensor", indices_2_0}, {"UpdatesTensor", one_hot}, {"OutputTensor", one_hot}}},
    {"REDUCE", one(reduce_input, indices_1_0)},
    {"FILL_VALUE_SEQUENCE", {{"OutputTensor", sequence}}},
    {"REVERSE_SUBSEQUENCES",
     {{"InputTensor", reversed}, {"SequenceLengthsTensor", lengths}, {"OutputTensor", reversed}}},
    {"MAX_UNPOOLING", {{"InputTensor", unpooling}, {"IndicesTensor", unpooling_indices}, {"OutputTensor", unpooling}}},
    {"CUMULATIVE_SUMMATION", one(cumulative_sum, cumulative_sum)},
    {"CUMULATIVE_PRODUCT", one(cumulative_product, cumulative_product)},
    {"ACTIVATION_SOFTMAX", one(softmax, softmax)},
    {"ACTIVATION_SOFTMAX1", one(softmax1, softmax1)},
    {"ACTIVATION_LOG_SOFTMAX", one(softmax, softmax)},
    {"ACTIVATION_LOG_SOFTMAX1", one(softmax1, softmax1)},
    {"ACTIVATION_HARDMAX", one(softmax, softmax)},
    {"ACTIVATION_HARDMAX1", one(softmax1, softmax1)},
    {"CONVOLUTION",
     {{"InputTensor", convolution},
      {"FilterTensor", convolution},
      {"BiasTensor", convolution},
      {"OutputTensor", convolution}}},
    {"UPSAMPLE_2D", one(upsample, upsample)},
    {"VALUE_SCALE_2D", one(value_scale, value_scale)},
    {"RNN",
     {{"InputTensor", recurrent},
      {"WeightTensor", recurrent},
      {"RecurrenceTensor", recurrent},
      {"BiasTensor", recurrent},
      {"HiddenInitTensor", recurrent},
      {"SequenceLengthsTensor", recurrent_lengths},
      {"OutputSequenceTensor", recurrent},
      {"OutputSingleTensor", recurrent}}},
    {"LSTM",
     {{"InputTensor", recurrent},
      {"WeightTensor", recurrent},
      {"RecurrenceTensor", recurrent},
      {"BiasTensor", recurrent},
      {"HiddenInitTensor", recurrent},
      {"CellMemInitTensor", recurrent},
      {"SequenceLengthsTensor", recurrent_lengths},
      {"PeepholeTensor", recurrent},
      {"OutputSequenceTensor", recurrent},
      {"OutputSingleTensor", recurrent},
      {"OutputCellSingleTensor", recurrent}}},
    {"GRU",
     {{"InputTensor", recurrent},
      {"WeightTensor", recurrent},
      {"RecurrenceTensor", recurrent},
      {"BiasTensor", recurrent},
      {"HiddenInitTensor", recurrent},
      {"SequenceLengthsTensor", recurrent_lengths},
      {"OutputSequenceTensor", recurrent},
      {"OutputSingleTensor", recurrent}}},
    {"MULTIHEAD_ATTENTION", attention(attention_6_1, false)},
    {"MULTIHEAD_ATTENTION1", attention(attention_6_3, true)},
    {"GEMM", {{"ATensor", gemm}, {"BTensor", gemm}, {"CTensor", gemm}, {"OutputTensor", gemm}}},
    {"RANDOM_GENERATOR",
     {{"InputStateTensor", random_words}, {"OutputTensor", random_words}, {"OutputStateTensor", random_words}}},
    {"ADAM_OPTIMIZER",
     {{"InputParametersTensor", adam},
      {"InputFirstMomentTensor", adam},
      {"InputSecondMomentTensor", adam},
      {"GradientTensor", adam},
      {"TrainingStepTensor", random_words},
      {"OutputParametersTensor", adam},
      {"OutputFirstMomentTensor", adam},
      {"OutputSecondMomentTensor", adam}}},
    {"ELEMENT_WISE_QUANTIZE_LINEAR",
     {{"InputTensor", quantised_numbers},
      {"ScaleTensor", quantised_scales},
      {"ZeroPointTensor", quantised_bytes},
      {"OutputTensor", quantised_bytes}}},
    {"ELEMENT_WISE_DEQUANTIZE_LINEAR",
     {{"InputTensor", quantised_integers},
      {"ScaleTensor", quantised_scales},
      {"ZeroPointTensor", quantised_integers},
      {"OutputTensor", quantised_scales}}},
    {"MATRIX_MULTIPLY_INTEGER",
     {{"ATensor", integer_matrix},
      {"AZeroPointTensor", zero_of_a},
      {"BTensor", integer_matrix},
      {"BZeroPointTensor", zero_of_b},
      {"OutputTensor", integer_sums}}},
    {"CONVOLUTION_INTEGER",
     {{"InputTensor", integer_images},
      {"InputZeroPointTensor", zero_of_a},
      {"FilterTensor", integer_images},
      {"FilterZeroPointTensor", zero_of_a},
      {"OutputTensor", image_sums}}},
    {"AVERAGE_POOLING", one(average_pool, average_pool)},
    {"AVERAGE_POOLING1", one(average_pool1, average_pool1)},
    {"LP_POOLING", one(average_pool, average_pool)},
    {"LP_POOLING1", one(average_pool1, average_pool1)},
    {"MAX_POOLING", one(max_pool, max_pool)},
    {"MAX_POOLING1", {{"InputTensor", max_pool1}, {"OutputTensor", max_pool1}, {"OutputIndicesTensor", pool_index1}}},
    {"MAX_POOLING2", {{"InputTensor", max_pool2}, {"OutputTensor", max_pool2}, {"OutputIndicesTensor", pool_index2}}},
    {"AVERAGE_POOLING_GRAD", {{"InputGradientTensor", average_pool_grad}, {"OutputGradientTensor", average_pool_grad}}},
    {"MAX_POOLING_GRAD",
     {{"InputTensor", max_pool_grad}, {"InputGradientTensor", max_pool_grad}, {"OutputGradientTensor", max_pool_grad}}},
    {"FOLD", one(folded, folded)},
    {"UNFOLD", one(folded, folded)},
    {"RESAMPLE", one(resample, resample)},
    {"RESAMPLE1", one(resample1, resample1)},
    {"RESAMPLE2", one(resample2, resample2)},
    {"RESAMPLE3", one(resample3, resample3)},
    {"RESAMPLE_GRAD", {{"InputGradientTensor", resample_grad}, {"OutputGradientTensor", resample_grad}}},
    {"RESAMPLE_GRAD1", {{"InputGradientTensor", resample_grad1}, {"OutputGradientTensor", resample_grad1}}},
    {"MEAN_VARIANCE_NORMALIZATION",
     {{"InputTensor", normalised},
      {"ScaleTensor", normalised},
      {"BiasTensor", normalised},
      {"OutputTensor", normalised}}},
    {"MEAN_VARIANCE_NORMALIZATION1",
     {{"InputTensor", normalised_by_axes},
      {"ScaleTensor", normalised_by_axes},
      {"BiasTensor", normalised_by_axes},
      {"OutputTensor", normalised_by_axes}}},
    {"MEAN_VARIANCE_NORMALIZATION2",
     {{"InputTensor", normalised_of_any_mean},
      {"ScaleTensor", normalised_of_any_mean},
      {"BiasTensor", normalised_of_any_mean},
      {"OutputTensor", normalised_of_any_mean}}},
    {"BATCH_NORMALIZATION",
     {{"InputTensor", batch_normalised},
      {"MeanTensor", batch_normalised},
      {"VarianceTensor", batch_normalised},
      {"ScaleTensor", batch_normalised},
      {"BiasTensor", batch_normalised},
      {"OutputTensor", batch_normalised}}},
    {"BATCH_NORMALIZATION_TRAINING",
     {{"InputTensor", batch_training},
      {"ScaleTensor", batch_training},
      {"BiasTensor", batch_training},
      {"FusedAddTensor", batch_training},
      {"OutputTensor", batch_training},
      {"OutputMeanTensor", batch_training},
      {"OutputVarianceTensor", batch_training}}},
    {"LP_NORMALIZATION", one(batch_normalised, batch_normalised)},
    {"LOCAL_RESPONSE_NORMALIZATION", one(normalised, normalised)},
    {"LOCAL_RESPONSE_NORMALIZATION_GRAD",
     {{"InputTensor", response_gradient},
      {"InputGradientTensor", response_gradient},
      {"OutputGradientTensor", response_gradient}}},
    {"BATCH_NORMALIZATION_GRAD",
     {{"InputTensor", batch_gradient},
      {"InputGradientTensor", batch_gradient},
      {"MeanTensor", batch_gradient},
      {"VarianceTensor", batch_gradient},
      {"ScaleTensor", batch_gradient},
      {"OutputGradientTensor", batch_gradient},
      {"OutputScaleGradientTensor", batch_gradient},
      {"OutputBiasGradientTensor", batch_gradient}}},
    {"BATCH_NORMALIZATION_TRAINING_GRAD",
     {{"InputTensor", batch_training},
      {"InputGradientTensor", batch_training},
      {"MeanTensor", batch_training},
      {"VarianceTensor", batch_training},
      {"ScaleTensor", batch_training},
      {"OutputGradientTensor", batch_training},
      {"OutputScaleGradientTensor", batch_training},
      {"OutputBiasGradientTensor", batch_training}}},
    {"QUANTIZED_LINEAR_MATRIX_MULTIPLY",
     {{"ATensor", integer_matrix},
      {"AScaleTensor", scale_of_lines},
      {"AZeroPointTensor", zero_of_a},
      {"BTensor", integer_matrix},
      {"BScaleTensor", scale_of_lines},
      {"BZeroPointTensor", zero_of_a},
      {"OutputScaleTensor", scale_of_lines},
      {"OutputZeroPointTensor", zero_of_a},
      {"OutputTensor", integer_matrix}}},
    {"QUANTIZED_LINEAR_CONVOLUTION",
     {{"InputTensor", integer_images},
      {"InputScaleTensor", scale_of_lines},
      {"InputZeroPointTensor", zero_of_a},
      {"FilterTensor", integer_images},
      {"FilterScaleTensor", scale_of_filter},
      {"FilterZeroPointTensor", zero_of_a},
      {"BiasTensor", image_sums},
      {"OutputScaleTensor", scale_of_lines},
      {"OutputZeroPointTensor", zero_of_a},
      {"OutputTensor", integer_images}}},
    {"ELEMENT_WISE_QUANTIZED_LINEAR_ADD",
     {{"ATensor", added_bytes},
      {"AScaleTensor", added_scale},
      {"AZeroPointTensor", added_bytes},
      {"BTensor", added_bytes},
      {"BScaleTensor", added_scale},
      {"BZeroPointTensor", added_bytes},
      {"OutputScaleTensor", added_scale},
      {"OutputZeroPointTensor", added_bytes},
      {"OutputTensor", added_bytes}}},
    {"ROI_POOLING", {{"InputTensor", roi_pooling}, {"ROITensor", roi_pooling}, {"OutputTensor", roi_pooling}}},
    {"ROI_ALIGN",
     {{"InputTensor", roi_align},
      {"ROITensor", roi_align_regions},
      {"BatchIndicesTensor", roi_align_batches},
      {"OutputTensor", roi_align}}},
    {"ROI_ALIGN1",
     {{"InputTensor", roi_align1},
      {"ROITensor", roi_align1_regions},
      {"BatchIndicesTensor", roi_align1_batches},
      {"OutputTensor", roi_align1}}},
    {"ROI_ALIGN_GRAD",
     {{"InputTensor", roi_align_grad},
      {"InputGradientTensor", roi_align_grad},
      {"ROITensor", roi_align_grad_regions},
      {"BatchIndicesTensor", roi_align_grad_batches},
      {"OutputGradientTensor", roi_align_grad},
      {"OutputROIGradientTensor", roi_align_grad_regions}}},
    {"DYNAMIC_QUANTIZE_LINEAR",
     {{"InputTensor", dynamic_input},
      {"OutputTensor", added_bytes},
      {"OutputScaleTensor", added_scale},
      {"OutputZeroPointTensor", added_bytes}}},
    {"MATRIX_MULTIPLY_INTEGER_TO_FLOAT",
     {{"ATensor", scaled_integers},
      {"AScaleTensor", scales_6_2},
      {"AZeroPointTensor", zeros_6_2},
      {"BTensor", scaled_integers},
      {"BScaleTensor", scales_6_2},
      {"BZeroPointTensor", zeros_6_2},
      {"BiasTensor", scaled_numbers},
      {"OutputTensor", scaled_numbers}}},
    {"QUANTIZED_LINEAR_AVERAGE_POOLING",
     {{"InputTensor", pooled_integers},
      {"InputScaleTensor", pooled_scale},
      {"InputZeroPointTensor", pooled_zero},
      {"OutputScaleTensor", pooled_scale},
      {"OutputZeroPointTensor", pooled_zero},
      {"OutputTensor", pooled_integers}}},
    {"QUANTIZE",
     {{"InputTensor", block_float}, {"QuantizationTensors", block_parameter}, {"OutputTensor", block_integer}}},
    {"DEQUANTIZE",
     {{"InputTensor", block_integer}, {"QuantizationTensors", block_parameter}, {"OutputTensor", block_float}}},
    {"ELEMENT_WISE_IDENTITY", one(identity, identity)},
    {"ELEMENT_WISE_ABS", one(abs, abs)},
    {"ELEMENT_WISE_NEGATE", one(negate, negate)},
    {"ELEMENT_WISE_SIGN", one(sign, sign)},
    {"ELEMENT_WISE_IS_NAN", one(is_nan_input, is_nan_output)},
    {"ELEMENT_WISE_IS_INFINITY", one(is_infinity_input, is_infinity_output)},
    {"ELEMENT_WISE_CEIL", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_FLOOR", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_ROUND", one(round, round)},
    {"ELEMENT_WISE_CLIP", one(min_max_clip, min_max_clip)},
    {"ELEMENT_WISE_CLIP1", one(clip1, clip1)},
    {"ELEMENT_WISE_THRESHOLD", one(threshold, threshold)},
    {"ELEMENT_WISE_ACOS", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_ASIN", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_ATAN", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_COS", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_EXP", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_LOG", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_RECIP", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_SIN", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_SQRT", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_TAN", one(ceil_floor, ceil_floor)},
    {"ELEMENT_WISE_ERF", one(is_nan_input, is_nan_input)},
    {"ELEMENT_WISE_SINH", one(is_nan_input, is_nan_input)},
    {"ELEMENT_WISE_COSH", one(is_nan_input, is_nan_input)},
    {"ELEMENT_WISE_TANH", one(is_nan_input, is_nan_input)},
    {"ELEMENT_WISE_ASINH", one(is_nan_input, is_nan_input)},
    {"ELEMENT_WISE_ACOSH", one(is_nan_input, is_nan_input)},
    {"ELEMENT_WISE_ATANH", one(is_nan_input, is_nan_input)},
    {"ELEMENT_WISE_CONSTANT_POW", one(power, power)},
    {"ELEMENT_WISE_MIN", two(min_max_clip, min_max_clip)},
    {"ELEMENT_WISE_MAX", two(min_max_clip, min_max_clip)},
    {"ELEMENT_WISE_ADD", two(add, add)},
    {"ELEMENT_WISE_SUBTRACT", two(subtract, subtract)},
    {"ELEMENT_WISE_MULTIPLY", two(add, add)},
    {"ELEMENT_WISE_DIVIDE", two(divide, divide)},
    {"ELEMENT_WISE_ADD1", two(add1, add1)},
    {"ELEMENT_WISE_MEAN", two(mean, mean)},
    {"ELEMENT_WISE_DIFFERENCE_SQUARE", two(difference_square, difference_square)},
    {"ELEMENT_WISE_MODULUS_TRUNCATE", two(modulus, modulus)},
    {"ELEMENT_WISE_MODULUS_FLOOR", two(modulus, modulus)},
    {"ELEMENT_WISE_ATAN_YX", two(atan_yx, atan_yx)},
    {"ELEMENT_WISE_POW", {{"InputTensor", power}, {"ExponentTensor", power}, {"OutputTensor", power}}},
    {"ELEMENT_WISE_CLIP_GRAD", gradient(clip_grad)},
    {"ELEMENT_WISE_CLIP_GRAD1", gradient(clip1)},
    {"ACTIVATION_RELU_GRAD", gradient(relu_grad)},
    {"ACTIVATION_PARAMETERIZED_RELU", {{"InputTensor", relu}, {"SlopeTensor", relu}, {"OutputTensor", relu}}},
    {"ELEMENT_WISE_IF",
     {{"ConditionTensor", condition}, {"ATensor", choice}, {"BTensor", choice}, {"OutputTensor", choice}}},
    {"ELEMENT_WISE_LOGICAL_AND", two(logical, logical)},
    {"ELEMENT_WISE_LOGICAL_OR", two(logical, logical)},
    {"ELEMENT_WISE_LOGICAL_XOR", two(logical, logical)},
    {"ELEMENT_WISE_LOGICAL_NOT", one(logical, logical)},
    {"ELEMENT_WISE_LOGICAL_EQUALS", two(compared, logical)},
    {"ELEMENT_WISE_LOGICAL_GREATER_THAN", two(compared, logical)},
    {"ELEMENT_WISE_LOGICAL_LESS_THAN", two(compared, logical)},
    {"ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", two(or_equal, or_equal_output)},
    {"ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", two(or_equal, or_equal_output)},
    {"ELEMENT_WISE_BIT_AND", two(bit, bit)},
    {"ELEMENT_WISE_BIT_OR", two(bit, bit)},
    {"ELEMENT_WISE_BIT_XOR", two(bit, bit)},
    {"ELEMENT_WISE_BIT_NOT", one(bit, bit)},
    {"ELEMENT_WISE_BIT_COUNT", one(bit, or_equal_output)},
    {"ELEMENT_WISE_BIT_SHIFT_LEFT", two(shift, shift)},
    {"ELEMENT_WISE_BIT_SHIFT_RIGHT", two(shift, shift)},
    {"ACTIVATION_ELU", one(activation, activation)},
    {"ACTIVATION_HARD_SIGMOID", one(activation, activation)},
    {"ACTIVATION_IDENTITY", one(activation, activation)},
    {"ACTIVATION_LEAKY_RELU", one(activation, activation)},
    {"ACTIVATION_LINEAR", one(activation, activation)},
    {"ACTIVATION_PARAMETRIC_SOFTPLUS", one(activation, activation)},
    {"ACTIVATION_RELU", one(relu, relu)},
    {"ACTIVATION_SCALED_ELU", one(activation, activation)},
    {"ACTIVATION_SCALED_TANH", one(activation, activation)},
    {"ACTIVATION_SIGMOID", one(activation, activation)},
    {"ACTIVATION_SOFTPLUS", one(activation, activation)},
    {"ACTIVATION_SOFTSIGN", one(activation, activation)},
    {"ACTIVATION_TANH", one(activation, activation)},
    {"ACTIVATION_CELU", one(celu, celu)},
    {"ACTIVATION_THRESHOLDED_RELU", one(activation, activation)},
    {"ACTIVATION_SHRINK", one(shrink, shrink)},
    {"ACTIVATION_GELU", one(gelu, gelu)},
    {"ACTIVATION_SWISH", one(hard_swish, hard_swish)},
    {"ACTIVATION_HARD_SWISH", one(hard_swish, hard_swish)},
};

const row* row_at(const table& t, level l) {
  const row* found = nullptr;
  for (const row& r : t)
    if (r.from <= l) found = &r;
  return found;
}

// The names by DirectML's numbers, then numbers that are not data types.
constexpr std::array<std::string_view, 14> type_names{"UNKNOWN", "FLOAT32", "FLOAT16", "UINT32", "UINT16",
                                                      "UINT8",   "INT32",   "INT16",   "INT8",   "FLOAT64",
                                                      "UINT64",  "INT64",   "UINT4",   "INT4"};
constexpr std::array<std::uint32_t, 5> strange_types{14, 32, 33, 43, 0xFFFF'FFFF};

template <class Desc>
Desc at_level(level l) {
  Desc desc;
  desc.feature_level = l;
  return desc;
}

data_type type_named(std::string_view name) {
  return static_cast<data_type>(std::find(type_names.begin(), type_names.end(), name) - type_names.begin());
}

// A tensor that the table has at the level, in which all sizes are 1; anything if the table begins later.
tensor_desc legal(const table& t, level l) {
  const row* r = row_at(t, l);
  if (r == nullptr) return {.data_type = data_type::uint32, .sizes = {1, 1, 1, 1}};
  return {.data_type = type_named(r->types.front()), .sizes = dimensions::filled(r->fewest, 1)};
}

// The T codes among all violations, each with its operand. All sizes are 1, so that nothing else is wrong with a
// tensor.
std::string t_codes(const std::vector<violation>& all) {
  std::string codes;
  for (const violation& v : all)
    if (is_tensor_rule(v.rule)) codes += std::string(v.rule) + " " + std::string(v.operand) + "; ";
  return codes;
}

void check_operand(any_desc desc, const operator_table& page, std::size_t operand, level l) {
  desc.level() = l;
  const std::string name(page.operands[operand].name);
  const row* r = row_at(page.operands[operand].rows, l);
  std::vector<tensor_desc> tensors;  // operands that are arrays have one tensor each
  for (const operand_table& each : page.operands) tensors.push_back(legal(each.rows, l));
  for (std::size_t t = 0; t < type_names.size() + strange_types.size(); ++t)
    for (std::size_t count = 0; count <= 9; ++count) {
      const bool named = t < type_names.size();
      const auto value = named ? static_cast<std::uint32_t>(t) : strange_types[t - type_names.size()];
      tensors[operand].data_type = static_cast<data_type>(value);
      tensors[operand].sizes = dimensions(std::vector<int>(count, 1));

      std::string wanted;
      if (r == nullptr) {
        wanted = "T11 ; ";
      } else {
        const bool type_legal = named && std::count(r->types.begin(), r->types.end(), type_names[t]) == 1;
        if (!type_legal) wanted += "T3 " + name + "; ";
        if (count < r->fewest || count > r->most) wanted += "T4 " + name + "; ";
      }
      const std::string got = t_codes(
          goldml_test::violations_of(desc, std::vector<std::optional<tensor_desc>>(tensors.begin(), tensors.end())));
      if (got != wanted)
        FAIL_CHECK(page.name << " " << name << " at level " << name_of(l) << ", type " << value << ", " << count
                             << " dimensions: " << got << "wanted: " << wanted);
    }
}

}  // namespace

TEST_CASE("T3 T4 T11: the table of every operator's page", "[operator_limits]") {
  const auto all = operator_descriptions();
  REQUIRE(all.size() == pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const operator_description& op = *all[i];
    INFO(op.name);
    REQUIRE(op.name == pages[i].name);
    REQUIRE(op.operands.size() == pages[i].operands.size());
    for (std::size_t operand = 0; operand < op.operands.size(); ++operand) {
      REQUIRE(op.operands[operand].name == pages[i].operands[operand].name);
      for (const level l : all_levels) check_operand(goldml_test::default_desc_of(op), pages[i], operand, l);
    }
  }
}

TEST_CASE("T3 T4: the tables of the functions of REDUCE", "[operator_limits]") {
  const auto all = [](const table& t) { return one(t, t); };
  const std::vector<std::pair<reduce_function, operator_table>> functions{
      {reduce_function::argmax, {"REDUCE ARGMAX", one(reduce_input, indices_1_0)}},
      {reduce_function::argmin, {"REDUCE ARGMIN", one(reduce_input, indices_1_0)}},
      {reduce_function::average, {"REDUCE AVERAGE", all(reduce_floats)}},
      {reduce_function::l1, {"REDUCE L1", all(reduce_magnitudes)}},
      {reduce_function::l2, {"REDUCE L2", all(reduce_floats)}},
      {reduce_function::log_sum, {"REDUCE LOG_SUM", all(reduce_floats)}},
      {reduce_function::log_sum_exp, {"REDUCE LOG_SUM_EXP", all(reduce_floats)}},
      {reduce_function::max, {"REDUCE MAX", all(reduce_extremes)}},
      {reduce_function::min, {"REDUCE MIN", all(reduce_extremes)}},
      {reduce_function::multiply, {"REDUCE MULTIPLY", all(reduce_sums)}},
      {reduce_function::sum, {"REDUCE SUM", all(reduce_sums)}},
      {reduce_function::sum_square, {"REDUCE SUM_SQUARE", all(reduce_magnitudes)}}};
  REQUIRE(functions.size() == enumeration<reduce_function>::values.size());
  for (const auto& [function, page] : functions)
    for (std::size_t operand = 0; operand < 2; ++operand)
      for (const level l : all_levels) check_operand(reduce_desc{.function = function}, page, operand, l);
}

TEST_CASE("T3: the message gives the type, the allowed types and the level", "[operator_limits]") {
  const tensor_desc input{.data_type = data_type::float64, .sizes = {3, 4}};
  const auto v = validate(argmin_desc{.axes = {1}, .feature_level = level::level_3_0}, input, rules::uint_3_1);
  REQUIRE(rule_of(v) == "T3");
  CHECK(missing_from(*v, {"ARGMIN T3: InputTensor.DataType is FLOAT64", "FLOAT32", "FLOAT16", "INT32", "INT16", "INT8",
                          "UINT32", "UINT16", "UINT8", "level 3_0"}) == "");
  CHECK(to_string(*v).find("INT64") == std::string::npos);
  // The types of the largest set fit into the text.
  const tensor_desc unknown{.data_type = data_type::unknown, .sizes = {3, 4}};
  const auto widest = validate(diagonal_matrix1_desc{}, unknown);
  REQUIRE(widest);
  CHECK(missing_from(*widest, {"UNKNOWN", "FLOAT64", "UINT64", "INT64", "level 6_4"}) == "");
}

TEST_CASE("T4: the message gives the number of dimensions and the allowed numbers", "[operator_limits]") {
  const tensor_desc five{.data_type = data_type::float32, .sizes = {1, 1, 1, 1, 1}};
  const auto range = validate(diagonal_matrix1_desc{}, five);
  REQUIRE(rule_of(range) == "T4");
  CHECK(missing_from(*range, {"OutputTensor.DimensionCount is 5", "wanted 2 to 4", "level 6_4"}) == "");

  const tensor_desc index{.data_type = data_type::uint32, .sizes = {1, 1, 1, 1}};
  const auto exactly = validate(at_level<scatter_nd_desc>(level::level_2_1), five, index, index, index);
  REQUIRE(rule_of(exactly) == "T4");
  CHECK(missing_from(*exactly, {"InputTensor.DimensionCount is 5", "wanted 4 (", "level 2_1"}) == "");

  const tensor_desc nine{.data_type = data_type::float32, .sizes = dimensions(std::vector<int>(9, 1))};
  const auto overlong = validate(argmin_desc{.axes = {0}}, nine, index);
  REQUIRE(rule_of(overlong) == "T4");
  CHECK(missing_from(*overlong, {"InputTensor.DimensionCount is 9", "wanted 1 to 8"}) == "");
}

TEST_CASE("37: T4 says the number of dimensions that it got, however great", "[operator_limits]") {
  const tensor_desc many{.data_type = data_type::float32, .sizes = dimensions(std::vector<int>(1000, 1))};
  const auto refused = validate(argmin_desc{.axes = {0}}, many, rules::uint_3_1);
  REQUIRE(rule_of(refused) == "T4");
  CHECK(missing_from(*refused, {"InputTensor.DimensionCount is 1000, wanted 1 to 8"}) == "");
}

TEST_CASE("T4: as many strides as sizes", "[operator_limits]") {
  const auto rule = [](const dimensions& strides) {
    const tensor_desc input{.data_type = data_type::float32, .sizes = {3, 4}, .strides = strides};
    return rule_of(validate(argmin_desc{.axes = {1}}, input, rules::uint_3_1));
  };
  CHECK(rule({}) == "none");  // packed
  CHECK(rule({4, 1}) == "none");
  CHECK(rule({1}) == "T4");
  CHECK(rule({12, 4, 1}) == "T4");
  CHECK(rule(dimensions(std::vector<int>(9, 1))) == "T4");
  const tensor_desc eight{.data_type = data_type::float32,
                          .sizes = dimensions::filled(8, 1),
                          .strides = dimensions(std::vector<int>(9, 1))};
  const tensor_desc output{.data_type = data_type::uint32, .sizes = dimensions::filled(8, 1)};
  const auto v = validate(argmin_desc{.axes = {1}}, eight, output);
  REQUIRE(rule_of(v) == "T4");
  CHECK(missing_from(*v, {"InputTensor.Strides is {1,1,1,1,1,1,1,1,...}", "as many", "{1,1,1,1,1,1,1,1}"}) == "");
}

TEST_CASE("T11: the message gives the level and the first level of the operator", "[operator_limits]") {
  const tensor_desc one{.data_type = data_type::uint32, .sizes = {1, 1}};
  const auto v = validate(at_level<diagonal_matrix1_desc>(level::level_5_0), one);
  REQUIRE(rule_of(v) == "T11");
  CHECK(missing_from(*v, {"DIAGONAL_MATRIX1 T11: feature level is 5_0", "at least 5_1"}) == "");
  CHECK(rule_of(validate(at_level<argmin_desc>(level::level_2_1), one, one)) == "T11");
  CHECK(rule_of(validate(at_level<nonzero_coordinates_desc>(level::level_2_1), one, one, one)) == "T11");
  CHECK(rule_of(validate(at_level<scatter_nd_desc>(level::level_2_0), one, one, one, one)) == "T11");
  CHECK(rule_of(validate(at_level<argmax_desc>(level::level_2_1), one, one)) == "T11");
  CHECK(rule_of(validate(at_level<diagonal_matrix_desc>(level::level_1_0), one)) == "T11");
  CHECK(rule_of(validate(at_level<fill_value_constant_desc>(level::level_2_0), one)) == "T11");
  CHECK(rule_of(validate(at_level<slice1_desc>(level::level_2_0), one, one)) == "T11");
}
