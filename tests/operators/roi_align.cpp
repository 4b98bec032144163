// ROI_ALIGN and ROI_ALIGN1: results, what a device may answer, and the rules, by hand from SPEC-windows 8, 13 and the
// ledger (RA-R1 to RA-R7).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/roi_align.hpp>
#include <goldml/operators/roi_align.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/roi_align.hpp>
#include <goldml/reference/roi_align.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using numbers = std::vector<float>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr auto average = reduce_function::average, greatest = reduce_function::max;
constexpr auto linear = interpolation_mode::linear, nearest = interpolation_mode::nearest_neighbor;

// An image of `from`, one region of it for each four numbers.
template <class T = float, class Desc>
std::vector<T> aligned(const std::vector<std::type_identity_t<T>>& x, const dimensions& from,
                       const std::vector<std::type_identity_t<T>>& regions, std::uint32_t height, std::uint32_t width,
                       const Desc& desc, std::vector<std::uint32_t> images = {}) {
  const auto count = static_cast<std::uint32_t>(regions.size() / 4);
  images.resize(count);
  const tensor<T> input(from, x), roi({count, 4}, regions);
  const tensor<std::uint32_t> batches({count}, images);
  tensor<T> one({count, from[1], height, width}), other(one.sizes());
  const detail::roi_align_call<Desc> call;
  call(reference, input, roi, batches, one, desc);
  call(cpu, input, roi, batches, other, desc);
  CHECK(one.elements() == other.elements());
  return one.elements();
}

template <class T = float, class Desc>
std::string judged(const std::vector<std::type_identity_t<T>>& x, const dimensions& from,
                   const std::vector<std::type_identity_t<T>>& regions, std::uint32_t height, std::uint32_t width,
                   const Desc& desc, const std::vector<std::type_identity_t<T>>& answer,
                   std::vector<std::uint32_t> images = {}) {
  const auto count = static_cast<std::uint32_t>(regions.size() / 4);
  images.resize(count);
  const tensor_desc input{.data_type = data_type_of<T>, .sizes = from},
      roi{.data_type = data_type_of<T>, .sizes = {count, 4}}, batches{.data_type = data_type::uint32, .sizes = {count}},
      output{.data_type = data_type_of<T>, .sizes = {count, from[1], height, width}};
  const std::array inputs{const_tensor_ref(input, x.data(), x.size() * sizeof(T)),
                          const_tensor_ref(roi, regions.data(), regions.size() * sizeof(T)),
                          const_tensor_ref(batches, images.data(), images.size() * sizeof(std::uint32_t))};
  const std::array outputs{output};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::array actual{const_tensor_ref(output, answer.data(), answer.size() * sizeof(T))};
  return goldml_test::judged(golden, actual);
}

numbers counted(int from, int count, float step = 1) {
  numbers result;
  for (int i = 0; i < count; ++i) result.push_back(static_cast<float>(from + i) * step);
  return result;
}
// 4x4: columns 0 10 20 30, rows + 0 1 2 3.
numbers tens() {
  numbers result;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) result.push_back(static_cast<float>(10 * column + row));
  return result;
}
roi_align1_desc with(reduce_function function, float ip, float op, std::uint32_t least, std::uint32_t most,
                     float outside = 0) {
  return {.reduction_function = function,
          .interpolation_mode = linear,
          .input_pixel_offset = ip,
          .output_pixel_offset = op,
          .out_of_bounds_input_value = outside,
          .minimum_samples_per_output = least,
          .maximum_samples_per_output = most};
}

}  // namespace

TEST_CASE("ROI_ALIGN: documented and simple regions", "[roi_align]") {
  // Regions (7,5), (-15,-15), (-10,21), (13,8), (-14,19) of no size, recorded from DirectML's answers.
  const numbers x = counted(0, 75),
                regions{7, 5, 7, 5, -15, -15, -15, -15, -10, 21, -10, 21, 13, 8, 13, 8, -14, 19, -14, 19};
  const auto of_regions = [&](float ip, float outside, const std::vector<numbers>& wanted) {
    for (const reduce_function function : {average, greatest}) {
      roi_align1_desc desc = with(function, ip, -0.5F, 2, 2, outside);
      desc.spatial_scale_x = desc.spatial_scale_y = 0.0625F;
      const numbers y = aligned(x, {1, 3, 5, 5}, regions, 3, 4, desc);
      for (std::size_t i = 0; i < y.size(); ++i) {
        INFO("region " << i / 36 << ", channel " << i / 12 % 3);
        CHECK(y[i] == wanted[i / 36][i / 12 % 3]);
      }
      CHECK(judged(x, {1, 3, 5, 5}, regions, 3, 4, desc, y) == "aa");
    }
  };
  of_regions(0, -3,
             {{2, 27, 52},
              {0, 25, 50},
              {6.5625F, 31.5625F, 56.5625F},
              {3.3125F, 28.3125F, 53.3125F},
              {5.9375F, 30.9375F, 55.9375F}});
  of_regions(0.5F, -3, {{0, 25, 50}, {-3, -3, -3}, {-3, -3, -3}, {0.3125F, 25.3125F, 50.3125F}, {-3, -3, -3}});

  // 0 to 99 as 10x10, region 1,1,3,3.
  const numbers first_row{8.25F, 8.75F, 9.25F, 9.75F};
  numbers y = aligned<float, roi_align_desc>(counted(0, 100), {1, 1, 10, 10}, {1, 1, 3, 3}, 4, 4,
                                             {.reduction_function = average, .interpolation_mode = linear});
  CHECK(numbers(y.begin(), y.begin() + 4) == first_row);
  CHECK(y[4] == 13.25F);
  y = aligned(counted(0, 100), {1, 1, 10, 10}, {1, 1, 3, 3}, 4, 4, with(average, 0, -0.5F, 1, 1));
  CHECK(numbers(y.begin(), y.begin() + 2) == numbers{13.75F, 14.25F});

  // Two samples on one axis, three on the other.
  const dimensions four{1, 1, 4, 4};
  const roi_align1_desc some = with(average, 0.5F, -0.5F, 1, 9);
  CHECK(aligned(tens(), four, {0.5F, 1, 3.5F, 4}, 1, 2, some) == numbers{9.5F, 24.5F});
  CHECK(aligned(tens(), four, {0.5F, 1, 3.5F, 4}, 1, 2, with(greatest, 0.5F, -0.5F, 1, 9)) == numbers{14.25F, 29.25F});
  CHECK(aligned(tens(), four, {3.5F, 1, 0.5F, 4}, 1, 2, with(average, 0.5F, -0.5F, 2, 2)) == numbers{24.5F, 9.5F});
  // t = 2 3 4 5: the image ends at 4, included.
  CHECK(aligned(tens(), four, {2, 0, 6, 2}, 1, 4, with(average, 0.5F, -0.5F, 1, 1, -7)) ==
        numbers{20.5F, 30.5F, 30.5F, -7});

  // Corners.
  roi_align1_desc corners = with(average, 0, 0, 1, 1);
  corners.align_regions_to_corners = true;
  CHECK(aligned({1, 2, 3, 4}, {1, 1, 2, 2}, {0, 0, 1, 1}, 3, 3, corners) ==
        numbers{1, 1.5F, 2, 2, 2.5F, 3, 3, 3.5F, 4});
  CHECK(aligned({1, 2, 3, 4}, {1, 1, 2, 2}, {1, 1, 0, 0}, 3, 3, corners) ==
        numbers{4, 3.5F, 3, 3, 2.5F, 2, 2, 1.5F, 1});
  CHECK(aligned({1, 2, 3, 4}, {1, 1, 2, 2}, {0, 0, 1, 1}, 1, 1, corners) == numbers{2.5F});

  // The page of the gradient: NEAREST, of two at the same distance the lower one.
  CHECK(aligned<float, roi_align_desc>(counted(1, 16), four, {0, 0, 2, 2, 2, 0, 4, 2, 0, 2, 2, 4, 2, 2, 4, 4}, 1, 3,
                                       {.reduction_function = average}) ==
        numbers{1, 1, 2, 3, 3, 4, 9, 9, 10, 11, 11, 12});
  // MAX of a sample outside and one in the image; NaN is passed over.
  const roi_align1_desc top = with(greatest, 0, -0.5F, 2, 2, 5);
  CHECK(aligned({1, 2}, {1, 1, 1, 2}, {-3, 0, 1, 0}, 1, 1, top) == numbers{5});
  CHECK(aligned({1, not_a_number}, {1, 1, 1, 2}, {-0.5F, 0, 1.5F, 0}, 1, 1, top) == numbers{1});
  // Regions that are nobody's, channels, images in any order.
  CHECK(aligned({1, 2}, {1, 1, 1, 2}, {not_a_number, 0, 1, 0, 0, -infinity, 1, 0, 1e30F, 0, 1e30F, 0}, 1, 1, top) ==
        numbers{5, 5, 5});
  CHECK(aligned({1, 2, 3, 4}, {2, 2, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1, 1, with(average, 0, 0, 1, 1),
                {1, 0, 1}) == numbers{3, 4, 1, 2, 3, 4});
  // FLOAT16: the mean is rounded once, and the outside value is an element.
  const auto h = [](float v) { return static_cast<float16>(v); };
  CHECK(aligned<float16>({h(1), h(1.0009765625F)}, {1, 1, 1, 2}, {h(0), h(0), h(1), h(0)}, 1, 1,
                         with(average, 0, 0, 2, 2)) == std::vector{h(1)});
  // The samples of another reading.
  roi_align1_desc other = with(average, 0.5F, -0.5F, 1, 9);
  const numbers squares{0, 1, 4, 9}, wide{0.5F, 0, 3.5F, 0};  // 1.5 elements for each output
  CHECK(aligned(squares, {1, 1, 1, 4}, wide, 1, 2, other) == numbers{0.875F, 5.375F});
  other.roi_samples = roi_samples::nearest;
  CHECK(aligned(squares, {1, 1, 1, 4}, wide, 1, 2, other) == numbers{0.875F, 5.375F});
  other.roi_samples = roi_samples::floor;
  CHECK(aligned(squares, {1, 1, 1, 4}, wide, 1, 2, other) == numbers{0.75F, 5.25F});
}

TEST_CASE("ROI_ALIGN: what a device may answer", "[roi_align]") {
  const dimensions four{1, 1, 4, 4};
  const auto one = [&](const numbers& region, std::uint32_t width, const roi_align1_desc& desc, const numbers& answer) {
    return judged(tens(), four, region, 1, width, desc, answer);
  };
  const roi_align1_desc some = with(average, 0.5F, -0.5F, 1, 9);
  // 1.5 elements for each of two outputs, exactly: two samples, or one in another reading, which holds for the whole
  // region.
  CHECK(one({0.5F, 1, 3.5F, 4}, 2, some, {9.5F, 24.5F}) == "aa");
  const auto squares = [&](const numbers& region, const numbers& answer) {
    return judged({0, 1, 4, 9}, {1, 1, 1, 4}, region, 1, 2, some, answer);
  };
  CHECK(squares({0.5F, 0, 3.5F, 0}, {0.875F, 5.375F}) == "aa");
  CHECK(squares({0.5F, 0, 3.5F, 0}, {0.75F, 5.25F}) == "aa");
  CHECK(squares({0.5F, 0, 3.5F, 0}, {0.75F, 5.375F}) == "rr");
  CHECK(squares({0.5F, 0, 3.5F, 0}, {0.875F, 5.25F}) == "rr");
  CHECK(squares({0.5F, 0, 3.5F, 0}, {0.8F, 5.3F}) == "rr");
  CHECK(squares({0.5F, 0, 3.5F, 0, 0.5F, 0, 3.5F, 0}, {0.75F, 5.25F, 0.875F, 5.375F}) == "aa");  // each region
  // Of a mirrored region by its magnitude, or the least number, 1.
  CHECK(squares({3.5F, 0, 0.5F, 0}, {5.25F, 0.75F}) == "aa");
  CHECK(squares({3.5F, 0, 0.5F, 0}, {5.375F, 0.875F}) == "aa");
  CHECK(squares({3.5F, 0, 0.5F, 0}, {5.375F, 0.75F}) == "rr");
  // Exactly at the end of the image the outside value is right, too.
  const roi_align1_desc end = with(average, 0.5F, -0.5F, 1, 1, -7);
  CHECK(one({2, 0, 6, 2}, 4, end, {20.5F, 30.5F, 30.5F, -7}) == "aa");
  CHECK(one({2, 0, 6, 2}, 4, end, {20.5F, 30.5F, -7, -7}) == "aa");
  CHECK(one({2, 0, 6, 2}, 4, end, {20.5F, 30.5F, -8, -7}) == "rr");
  CHECK(one({2, 0, 6, 2}, 4, end, {20.5F, 30.5F, 30.5F, 30.5F}) == "rr");
  CHECK(one({2, 0, 6, 2}, 4, end, {20.5F, -7, 30.5F, -7}) == "rr");
  // Corners with one output: the middle, or the first corner.
  roi_align1_desc corners = with(average, 0, 0, 1, 1);
  corners.align_regions_to_corners = true;
  const auto middle = [&](float answer) {
    return judged<float>({1, 2, 3, 4}, {1, 1, 2, 2}, {0, 0, 1, 1}, 1, 1, corners, {answer});
  };
  CHECK(middle(2.5F) == "aa");
  CHECK(middle(1)[0] == 'a');
  CHECK(middle(2) == "rr");
  // NEAREST: of two at the same distance either; elements are moved.
  const auto pick = [&](float x, reduce_function function, float answer) {
    roi_align1_desc desc = with(function, 0, 0, 1, 1);
    desc.interpolation_mode = nearest;
    return judged<float>({1e-40F, 3, not_a_number, -0.0F}, {1, 1, 1, 4}, {x, 0, x, 0}, 1, 1, desc, {answer});
  };
  CHECK(pick(0.5F, greatest, 1e-40F) == "aa");
  CHECK(pick(0.5F, greatest, 0) == "ar");
  CHECK(pick(0.5F, greatest, 3) == "aa");
  CHECK(pick(0.5F, greatest, 2) == "rr");
  CHECK(pick(1, greatest, 3) == "aa");
  CHECK(pick(1, greatest, not_a_number) == "rr");
  CHECK(pick(2, greatest, not_a_number) == "aa");
  CHECK(pick(3, greatest, 0) == "aa");
  CHECK(pick(0, greatest, 0) == "ar");
  CHECK(pick(0.5F, average, 1) == "aa");  // between
  CHECK(pick(0.5F, average, 3.5F) == "rr");
  // Places that a device has exactly leave nothing open.
  CHECK(one({0.5F, 0.5F, 2.5F, 0.5F}, 2, with(average, 0.5F, -0.5F, 1, 1), {5, 15}) == "aa");
  CHECK(one({0.5F, 0.5F, 2.5F, 0.5F}, 2, with(average, 0.5F, -0.5F, 1, 1), {5, std::nextafter(15.0F, 0.0F)}) == "rr");
  // Undefined: images and regions that are nobody's.
  CHECK(judged<float>({1, 2}, {1, 1, 1, 2}, {0, 0, 1, 0}, 1, 1, with(average, 0, 0, 1, 1), {7}, {1})[0] == 'u');
  CHECK(judged<float>({1, 2}, {1, 1, 1, 2}, {0, 0, not_a_number, 0}, 1, 1, with(average, 0, 0, 1, 1), {7})[0] == 'u');
  CHECK(judged<float>({1, 2}, {1, 1, 1, 2}, {0, 0, 2e9F, 0}, 1, 1, with(average, 0, 0, 1, 1), {7})[0] == 'u');
  CHECK(judged<float>({1, 2}, {1, 1, 1, 2}, {0, 0, 3e6F, 0}, 1, 3, with(average, 0, 0, 1, 1), {7, 7, 7})[0] == 'u');
  CHECK(judged<float>({1, 2}, {1, 1, 1, 2}, {0, 0, 1e6F, 0}, 1, 3, with(average, 0, 0, 1, 1), {7, 7, 7})[0] == 'r');
  // Infinities: of what is read with a weight, and of what is not.
  for (const reduce_function function : {average, greatest}) {
    const auto beside = [&](float x, float answer) {
      return judged<float>({1, infinity}, {1, 1, 1, 2}, {x, 0, x, 0}, 1, 1, with(function, 0, 0, 1, 1), {answer});
    };
    for (const float right : {1.0F, not_a_number, infinity}) CHECK(beside(0, right) == "aa");  // weight 0
    for (const float wrong : {2.0F, -infinity}) CHECK(beside(0, wrong) == "rr");
    CHECK(beside(0.5F, infinity) == "aa");
    CHECK(beside(0.5F, 1) == "rr");
    CHECK(beside(-0.5F, 1) == "aa");
    CHECK(beside(-0.5F, not_a_number) == "aa");
  }
  // The outside value of FLOAT16 tensors, as FLOAT32 or as FLOAT16; MAX has it beside the samples.
  const auto h = [](float v) { return static_cast<float16>(v); };
  const roi_align1_desc odd = with(average, 0, -0.5F, 2, 2, 1.0004F);
  const auto half = [&](float answer) {
    return judged<float16>({h(1.0009765625F), h(1.0009765625F)}, {1, 1, 1, 2}, {h(-4), h(0), h(1), h(0)}, 1, 1, odd,
                           {h(answer)});
  };
  CHECK(half(1)[0] == 'a');
  CHECK(half(1.0009765625F)[0] == 'a');
  CHECK(half(1.001953125F) == "rr");
}

namespace {

enum class fault {
  none,
  extra_sample,
  one_more,
  other_offset,
  other_corners,
  swapped,
  minimum_size,
  average_for_max,
  clamped,
  no_batch
};
struct kernel_form {
  int place = 0, weights = 0, mean = 0;
};

struct kernel_case {
  dimensions sizes{2, 2, 6, 8};
  numbers x, regions;
  std::vector<std::uint32_t> images;
  std::uint32_t height = 2, width = 3;
  roi_align1_desc desc;
};

// A device that computes in FLOAT32.
numbers device(const kernel_case& c, const kernel_form& form, fault wrong) {
  const roi_align1_desc& desc = c.desc;
  const bool corners = desc.align_regions_to_corners != (wrong == fault::other_corners);
  const float ip = desc.input_pixel_offset + (wrong == fault::other_offset ? 0.5F : 0);
  numbers y;
  struct one_axis {
    std::uint32_t count;
    std::vector<std::vector<float>> places;  // of each output
  };
  for (std::size_t r = 0; r < c.images.size(); ++r) {
    const auto axis = [&](std::size_t i, float scale, std::uint32_t outputs) {
      if (wrong == fault::swapped) i = 1 - i;
      const float first = c.regions[4 * r + i] * scale;
      float last = c.regions[4 * r + i + 2] * scale;
      if (wrong == fault::minimum_size) last = std::max(last, first + 1);
      const float length = last - first, n = static_cast<float>(outputs);
      one_axis a{std::max(1U, static_cast<std::uint32_t>(
                                  std::clamp(std::ceil(length / n), static_cast<float>(desc.minimum_samples_per_output),
                                             static_cast<float>(desc.maximum_samples_per_output)))),
                 {}};
      if (wrong == fault::one_more) ++a.count;
      const std::uint32_t all = outputs * a.count;
      const float steps = static_cast<float>(all - (corners ? 1 : 0));
      for (std::uint32_t o = 0; o < outputs; ++o) {
        a.places.emplace_back();
        const std::uint32_t end = a.count + (wrong == fault::extra_sample ? 1 : 0);
        for (std::uint32_t j = 0; j < end; ++j) {
          const float k = static_cast<float>(o * a.count + j) - desc.output_pixel_offset;
          float t = 0;
          if (corners && all == 1)
            t = (first + last) / 2 - ip;
          else if (form.place == 0)
            t = k * (length / steps) + first - ip;
          else if (form.place == 1)
            t = k * length * (1 / steps) + (first - ip);
          else if (form.place == 2)
            t = std::fma(k, length / steps, first) - ip;
          else if (form.place == 3)
            t = (1 - k / steps) * first + k / steps * last - ip;
          else if (form.place == 4)
            t = first + k * (length * (1 / steps * (1 + 0x1p-22F))) - ip;
          else if (corners)
            t = (k * length) / steps + first - ip;
          else  // the size of an output, then that of a sample
            t = k * ((length / n) / static_cast<float>(a.count)) + (first - ip);
          a.places.back().push_back(t);
        }
      }
      return a;
    };
    const one_axis across = axis(0, desc.spatial_scale_x, c.width), down = axis(1, desc.spatial_scale_y, c.height);
    for (std::uint32_t channel = 0; channel < c.sizes[1]; ++channel)
      for (std::uint32_t oy = 0; oy < c.height; ++oy)
        for (std::uint32_t ox = 0; ox < c.width; ++ox) {
          const float samples = static_cast<float>(across.count * down.count);
          float sum = 0, most = -infinity;
          for (const float tx : across.places[ox])
            for (const float ty : down.places[oy]) {
              const float w = static_cast<float>(c.sizes[3]), h = static_cast<float>(c.sizes[2]);
              float v = desc.out_of_bounds_input_value;
              if (wrong == fault::clamped || (tx >= -1 && tx <= w && ty >= -1 && ty <= h)) {
                const float px = std::clamp(tx, 0.0F, w - 1), py = std::clamp(ty, 0.0F, h - 1);
                const auto at = [&](float row, float column) {
                  const auto i = static_cast<std::uint32_t>(std::clamp(row, 0.0F, h - 1));
                  const auto j = static_cast<std::uint32_t>(std::clamp(column, 0.0F, w - 1));
                  const std::uint32_t image = wrong == fault::no_batch ? 0 : c.images[r];
                  return c.x[((image * c.sizes[1] + channel) * c.sizes[2] + i) * c.sizes[3] + j];
                };
                const float i = std::floor(py), j = std::floor(px), fy = py - i, fx = px - j;
                if (desc.interpolation_mode == nearest)
                  v = at(std::ceil(py - 0.5F), std::ceil(px - 0.5F));
                else if (form.weights == 0)
                  v = (1 - fy) * (1 - fx) * at(i, j) + (1 - fy) * fx * at(i, j + 1) + fy * (1 - fx) * at(i + 1, j) +
                      fy * fx * at(i + 1, j + 1);
                else {
                  const float top = at(i, j) + fx * (at(i, j + 1) - at(i, j));
                  const float bottom = at(i + 1, j) + fx * (at(i + 1, j + 1) - at(i + 1, j));
                  v = top + fy * (bottom - top);
                }
              }
              sum += form.mean == 2 ? v / samples : v;
              most = std::max(most, v);
            }
          const bool is_max = desc.reduction_function == greatest && wrong != fault::average_for_max;
          y.push_back(is_max ? most : form.mean == 0 ? sum / samples : form.mean == 1 ? sum * (1 / samples) : sum);
        }
  }
  return y;
}

kernel_case random_case(std::mt19937& random) {
  kernel_case c;
  const auto uniform = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() % 100003) / 100003.0F;
  };
  for (std::uint64_t i = 0; i < element_count(c.sizes); ++i) c.x.push_back(uniform(1, 9));
  const float scale = random() % 2 == 0 ? 0.25F : 1;
  c.desc = with(random() % 2 == 0 ? average : greatest, random() % 2 == 0 ? 0.5F : 0, -0.5F, 1, 3, -20);
  c.desc.spatial_scale_x = c.desc.spatial_scale_y = scale;
  if (random() % 3 == 0) {
    c.desc.align_regions_to_corners = true;
    c.desc.output_pixel_offset = 0;
  }
  if (random() % 4 == 0) c.desc.minimum_samples_per_output = c.desc.maximum_samples_per_output = 2;
  c.height = static_cast<std::uint32_t>(1 + random() % 3);
  c.width = static_cast<std::uint32_t>(1 + random() % 4);
  for (int r = 0; r < 3; ++r) {
    const float x1 = uniform(-1.5F, 6), y1 = uniform(-1.5F, 4);
    const bool mirrored = random() % 8 == 0, empty = random() % 8 == 0;
    const float x2 = x1 + (empty ? 0 : uniform(0.1F, 5)), y2 = y1 + (empty ? 0 : uniform(0.1F, 4));
    for (const float each : {mirrored ? x2 : x1, y1, mirrored ? x1 : x2, y2}) c.regions.push_back(each / scale);
    c.images.push_back(static_cast<std::uint32_t>(random() % 2));
  }
  return c;
}

}  // namespace

TEST_CASE("ROI_ALIGN: right devices are accepted, wrong ones noticed", "[roi_align]") {
  std::mt19937 random(7);
  std::array<std::array<int, 2>, 10> noticed{};
  for (int run = 0; run < 150; ++run) {
    kernel_case c = random_case(random);
    if (run % 5 == 0) c.desc.interpolation_mode = nearest;
    const auto judge = [&](const numbers& y) {
      return judged(c.x, c.sizes, c.regions, c.height, c.width, c.desc, y, c.images)[0];
    };
    for (int form = 0; form < 3; ++form) {
      const kernel_form some{static_cast<int>(random() % 6), static_cast<int>(random() % 2),
                             static_cast<int>(random() % 3)};
      INFO("run " << run << ", form " << some.place << some.weights << some.mean);
      const char letter = judge(device(c, some, fault::none));
      CHECK((letter == 'a' || letter == 's'));
    }
    const numbers right = device(c, {}, fault::none);
    for (std::size_t i = 1; i < noticed.size(); ++i) {
      const numbers y = device(c, {}, static_cast<fault>(i));
      float most = 0;
      for (std::size_t n = 0; n < y.size(); ++n) most = std::max(most, std::abs(y[n] - right[n]));
      if (!(most > 0.01F)) continue;
      ++noticed[i][0];
      if (judge(y) == 'r') ++noticed[i][1];
    }
  }
  for (std::size_t i = 1; i < noticed.size(); ++i) {
    INFO("fault " << i << ": " << noticed[i][1] << " of " << noticed[i][0]);
    CHECK(noticed[i][0] > 15);
    CHECK(noticed[i][1] * 20 >= noticed[i][0] * 19);
  }
}

TEST_CASE("ROI_ALIGN: devices that compute in half precision", "[roi_align]") {
  std::mt19937 random(9);
  const auto h = [](float x) { return static_cast<float16>(x); };
  const auto r = [](float x) { return static_cast<float>(static_cast<float16>(x)); };  // each operation is rounded
  int close = 0;
  for (int run = 0; run < 100; ++run) {
    std::vector<float16> x, regions;
    for (int i = 0; i < 12; ++i) x.push_back(h(1 + static_cast<float>(random() % 1000) / 125));
    const float x1 = r(static_cast<float>(random() % 100) / 50), x2 = r(x1 + static_cast<float>(random() % 200) / 100);
    regions = {h(x1), h(0), h(x2), h(2)};
    roi_align1_desc desc = with(run % 3 == 0 ? greatest : average, 0.5F, -0.5F, 2, 2);
    std::vector<float16> y;
    for (int output = 0; output < 2; ++output) {
      float sum = 0, most = 0;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const float tx = (static_cast<float>(2 * output + i) + 0.5F) * (x2 - x1) / 4 + x1 - 0.5F;
          const float ty = static_cast<float>(j);  // rows 0 and 1
          const float px = std::clamp(tx, 0.0F, 3.0F), first = std::floor(px), f = r(px - first);
          const auto at = [&](float column) {
            return static_cast<float>(x[static_cast<std::size_t>(4 * ty + std::min(column, 3.0F))]);
          };
          const float v = r(r(r(1 - f) * at(first)) + r(f * at(first + 1)));
          sum = r(sum + v);
          most = std::max(most, v);
        }
      y.push_back(h(run % 3 == 0 ? most : r(sum * 0.25F)));
    }
    const auto judge = [&] { return judged<float16>(x, {1, 1, 3, 4}, regions, 1, 2, desc, y)[0]; };
    if (judge() == 'r') ++close;  // in single precision some of them are wrong
    desc.accumulation = accumulation::half;
    CHECK(judge() != 'r');
    y[1] = h(static_cast<float>(y[1]) + 0.3F);
    CHECK(judge() == 'r');
  }
  CHECK(close > 10);
}

TEST_CASE("RA1 to RA10: regions, sizes, numbers", "[roi_align]") {
  const auto f32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float32, .sizes = sizes}; };
  const auto f16 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float16, .sizes = sizes}; };
  const auto u32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::uint32, .sizes = sizes}; };
  const tensor_desc input = f32({2, 3, 4, 4}), regions = f32({1, 5, 4}), batches = u32({1, 1, 5}),
                    output = f32({5, 3, 2, 2});
  const auto broken = [](const auto& desc, const auto&... t) {
    return to_string(goldml_test::only_violation(desc, t...));
  };
  const roi_align_desc mean{.reduction_function = average};
  const roi_align1_desc mean1{.reduction_function = average};
  CHECK(goldml_test::refused(
            512, mean, [&](const auto&... each) { roi_align(reference, each..., mean); }, input, regions, batches,
            f16({5, 3, 2, 2})) == "RA1");
  CHECK(broken(mean, input, f16({1, 5, 4}), batches, output) ==
        "ROI_ALIGN RA1: ROITensor.DataType is FLOAT16, wanted FLOAT32 (the input's)");
  CHECK(broken(mean1, input, regions, batches, f16({5, 3, 2, 2})) ==
        "ROI_ALIGN1 RA1: OutputTensor.DataType is FLOAT16, wanted FLOAT32 (the input's)");
  CHECK(broken(mean, input, f32({1, 5, 5}), batches, output) ==
        "ROI_ALIGN RA2: ROITensor.Sizes[2] is 5, wanted 4 ({R,4} with leading ones has R regions)");
  CHECK(broken(mean, input, f32({2, 5, 4}), batches, output) ==
        "ROI_ALIGN RA2: ROITensor.Sizes[0] is 2, wanted 1 ({R,4} with leading ones has R regions)");
  CHECK(broken(mean, input, regions, u32({1, 2, 5}), output) ==
        "ROI_ALIGN RA3: BatchIndicesTensor.Sizes[1] is 2, wanted 1 ({R} with leading ones, for R regions)");
  CHECK(broken(mean, input, regions, u32({4}), output) ==
        "ROI_ALIGN RA3: BatchIndicesTensor.Sizes[0] is 4, wanted 5 ({R} with leading ones, for R regions)");
  CHECK(broken(mean, input, regions, batches, f32({4, 3, 2, 2})) ==
        "ROI_ALIGN RA4: OutputTensor.Sizes[0] is 4, wanted 5 (regions, channels, any, any)");
  CHECK(broken(mean, input, regions, batches, f32({5, 2, 2, 2})) ==
        "ROI_ALIGN RA4: OutputTensor.Sizes[1] is 2, wanted 3 (regions, channels, any, any)");
  CHECK(broken(roi_align_desc{.reduction_function = reduce_function::sum}, input, regions, batches, output) ==
        "ROI_ALIGN RA5: ReductionFunction is 10, wanted 2 (AVERAGE) or 7 (MAX)");
  roi_align1_desc bad = mean1;
  bad.interpolation_mode = static_cast<interpolation_mode>(2);
  CHECK(broken(bad, input, regions, batches, output) == "ROI_ALIGN1 RA6: InterpolationMode is 2, wanted 0 or 1");
  for (const auto& [least, most] : {std::pair(0U, 0U), std::pair(1U, 0U), std::pair(3U, 2U)}) {
    bad = mean1;
    bad.minimum_samples_per_output = least;
    bad.maximum_samples_per_output = most;
    CHECK(broken(bad, input, regions, batches, output).starts_with("ROI_ALIGN1 RA7: MaximumSamplesPerOutput is"));
  }
  for (const auto member : {&roi_align1_desc::spatial_scale_x, &roi_align1_desc::spatial_scale_y,
                            &roi_align1_desc::input_pixel_offset, &roi_align1_desc::output_pixel_offset}) {
    bad = mean1;
    bad.*member = infinity;
    CHECK(broken(bad, input, regions, batches, output).starts_with("ROI_ALIGN1 RA8: "));
  }
  roi_align_desc least_zero = mean;
  least_zero.minimum_samples_per_output = 0;
  least_zero.out_of_bounds_input_value = not_a_number;  // any number
  CHECK(!validate(least_zero, input, regions, batches, output));
  // At execution, before anything is written.
  const tensor<float> x({2, 1, 1, 1}, {1, 2}), roi({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0});
  tensor<float> y({2, 1, 1, 1}, {7, 7});
  const tensor<std::uint32_t> images({2}, {1, 2});
  CHECK(refusal_of([&] { roi_align(reference, x, roi, images, y, mean); }) == "RA9");
  CHECK(refusal_of([&] { roi_align(cpu, x, roi, images, y, mean); }) == "RA9");
  const tensor<std::uint64_t> wide({2}, {1, (std::uint64_t{1} << 32) + 1});
  CHECK(refusal_of([&] { roi_align(reference, x, roi, wide, y, mean); }) == "RA9");
  roi_align_desc many{
      .reduction_function = greatest, .minimum_samples_per_output = 4097, .maximum_samples_per_output = 4097};
  const tensor<std::uint32_t> zeros({2}, {0, 0});
  CHECK(refusal_of([&] { roi_align(reference, x, roi, zeros, y, many); }) == "RA10");
  CHECK(refusal_of([&] { roi_align(cpu, x, roi, zeros, y, many); }) == "RA10");
  CHECK(y.elements() == numbers{7, 7});
  roi_align_desc clamped = mean;
  clamped.range_policy = range_policy::clamp;
  roi_align(cpu, x, roi, images, y, clamped);
  CHECK(y.elements() == numbers{2, 2});
}
