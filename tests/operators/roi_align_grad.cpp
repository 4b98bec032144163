// ROI_ALIGN_GRAD: results, what a device may answer, and the rules, by hand from SPEC-windows 8, 9, 13 and the ledger
// (RG-R1, RG-R2, RA-R1 to RA-R7).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/cpu/roi_align_grad.hpp>
#include <goldml/operators/roi_align_grad.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/roi_align_grad.hpp>
#include <goldml/reference/roi_align.hpp>
#include <goldml/reference/roi_align_grad.hpp>

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

// A call: g has height x width elements for each region and channel.
template <class T = float>
struct gradient_case {
  dimensions sizes;
  std::vector<T> x, g, regions;
  std::uint32_t height = 1, width = 1;
  roi_align_grad_desc desc;
  std::vector<std::uint32_t> images = {};

  std::uint32_t count() const { return static_cast<std::uint32_t>(regions.size() / 4); }
  dimensions given() const { return {count(), sizes[1], height, width}; }
  std::vector<std::uint32_t> batches() const {
    auto result = images;
    result.resize(count());
    return result;
  }
};
template <class T>
struct gradients {
  std::vector<T> elements, corners;
};

// Without an input also the gradient of regions is left out.
template <class T>
gradients<T> made(const gradient_case<T>& c) {
  const tensor<T> g(c.given(), c.g), roi({c.count(), 4}, c.regions);
  const tensor<std::uint32_t> batches({c.count()}, c.batches());
  const auto on = [&](const auto& backend) {
    tensor<T> elements(c.sizes), corners(roi.sizes());
    if (c.x.empty()) {
      roi_align_grad(backend, const_tensor_ref(), g, roi, batches, elements, tensor_ref(), c.desc);
    } else {
      const tensor<T> x(c.sizes, c.x);
      roi_align_grad(backend, x, g, roi, batches, elements, corners, c.desc);
      tensor<T> again(c.sizes), alone(roi.sizes());  // each output without the other one
      roi_align_grad(backend, x, g, roi, batches, again, tensor_ref(), c.desc);
      roi_align_grad(backend, x, g, roi, batches, tensor_ref(), alone, c.desc);
      CHECK(again.elements() == elements.elements());
      CHECK(alone.elements() == corners.elements());
    }
    return gradients<T>{elements.elements(), corners.elements()};
  };
  const gradients<T> one = on(reference), other = on(cpu);
  CHECK(one.elements == other.elements);
  CHECK(one.corners == other.corners);
  return one;
}

// Of elements and of corners.
template <class T>
std::array<std::string, 2> judged(const gradient_case<T>& c, const gradients<T>& answer) {
  const auto of = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type_of<T>, .sizes = sizes}; };
  const tensor_desc image = of(c.sizes), given = of(c.given()), roi = of({c.count(), 4}),
                    batches{.data_type = data_type::uint32, .sizes = {c.count()}};
  const auto list = c.batches();
  const std::array inputs{
      c.x.empty() ? const_tensor_ref() : const_tensor_ref(image, c.x.data(), c.x.size() * sizeof(T)),
      const_tensor_ref(given, c.g.data(), c.g.size() * sizeof(T)),
      const_tensor_ref(roi, c.regions.data(), c.regions.size() * sizeof(T)),
      const_tensor_ref(batches, list.data(), list.size() * sizeof(std::uint32_t))};
  std::array<std::string, 2> result;
  for (const std::size_t i : {0U, 1U}) {
    const std::vector<T>& y = i == 0 ? answer.elements : answer.corners;
    if (y.empty()) continue;
    const std::array outputs{i == 0 ? image : tensor_desc(), i == 1 ? roi : tensor_desc()};
    const oracle::golden golden =
        oracle::expect(c.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
    std::array<const_tensor_ref, 2> actual;
    actual[i] = const_tensor_ref(i == 0 ? image : roi, y.data(), y.size() * sizeof(T));
    result[i] = goldml_test::judged(golden, actual);
  }
  return result;
}
std::string judged_elements(const gradient_case<float>& c, const numbers& answer) {
  return judged(c, gradients<float>{answer, {}})[0];
}
std::string judged_corners(const gradient_case<float>& c, const numbers& answer) {
  return judged(c, gradients<float>{{}, answer})[1];
}

// 4x4: columns 0 10 20 30, rows + 0 1 2 3.
numbers tens() {
  numbers result;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) result.push_back(static_cast<float>(10 * column + row));
  return result;
}
roi_align_grad_desc with(reduce_function function, std::uint32_t least = 1, std::uint32_t most = 1, float ip = 0.5F,
                         float op = -0.5F) {
  return {.reduction_function = function,
          .interpolation_mode = linear,
          .input_pixel_offset = ip,
          .output_pixel_offset = op,
          .minimum_samples_per_output = least,
          .maximum_samples_per_output = most};
}

}  // namespace

TEST_CASE("ROI_ALIGN_GRAD: documented and simple regions", "[roi_align_grad]") {
  const dimensions four{1, 1, 4, 4};
  gradient_case<float> page{.sizes = four,
                            .x = {},
                            .g = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                            .regions = {0, 0, 2, 2, 2, 0, 4, 2, 0, 2, 2, 4, 2, 2, 4, 4},
                            .width = 3,
                            .desc = {.reduction_function = average}};
  const numbers wanted{3, 3, 9, 6, 0, 0, 0, 0, 15, 9, 21, 12, 0, 0, 0, 0};
  CHECK(made(page).elements == wanted);
  page.x = numbers(16, 1);
  CHECK(made(page).elements == wanted);
  CHECK(made(page).corners == numbers(16));  // NEAREST: no slope

  // t = 0.75 1.75; 1.5.
  gradient_case<float> ours{
      .sizes = four, .x = tens(), .g = {1, 2}, .regions = {0.75F, 1, 2.75F, 3}, .width = 2, .desc = with(average)};
  for (const auto function : {average, greatest}) {
    ours.desc.reduction_function = function;
    const auto [elements, corners] = made(ours);
    CHECK(elements == numbers{0, 0, 0, 0, 0.125F, 0.625F, 0.75F, 0, 0.125F, 0.625F, 0.75F, 0, 0, 0, 0, 0});
    CHECK(corners == numbers{12.5F, 1.5F, 17.5F, 1.5F});
  }
  // Scales: half the region, twice the slope.
  ours.regions = {0.375F, 0.5F, 1.375F, 1.5F};
  ours.desc.spatial_scale_x = ours.desc.spatial_scale_y = 2;
  CHECK(made(ours).corners == numbers{25, 3, 35, 3});
  // As the page has it: by W - t and t, and without scales: 10 * (1 * 3.25 + 2 * 2.25), 10 * (0.75 + 2 * 1.75).
  ours.desc.roi_gradient = roi_gradient::page;
  CHECK(made(ours).corners == numbers{77.5F, 7.5F, 42.5F, 4.5F});

  // MAX of 2 x 3 samples: t = 0.375 1.125 | 1.875 2.625; 1 2 3. The greatest are at 1.125, 3 and 2.625, 3, where the
  // last row has no slope.
  gradient_case<float> most{
      .sizes = four, .x = tens(), .g = {1, 2}, .regions = {0.5F, 1, 3.5F, 4}, .width = 2, .desc = with(greatest, 1, 9)};
  CHECK(made(most).elements == numbers{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.875F, 0.875F, 1.25F});
  CHECK(made(most).corners == numbers{8.75F, 0, 21.25F, 0});
  // AVERAGE: of each output 1/6 for 2 x 3 samples.
  most.desc.reduction_function = average;
  most.g = {6, 0};
  CHECK(made(most).elements ==
        numbers{0, 0, 0, 0, 0.625F, 1.25F, 0.125F, 0, 0.625F, 1.25F, 0.125F, 0, 0.625F, 1.25F, 0.125F, 0});
  // dx: 3 * 10 * (0.875 + 0.625), 3 * 10 * (0.125 + 0.375). dy: rows 1 and 2, (1 - r) = 5/6, 1/2, r = 1/6, 1/2.
  CHECK(made(most).corners == numbers{45, 8 / 3.0F, 15, 4 / 3.0F});
  // Equals: the first, X outer: t = 0 and 1 have 5 each, at rows 0 and 1.
  const gradient_case<float> equals{
      .sizes = {1, 1, 2, 2}, .x = {1, 5, 5, 5}, .g = {1}, .regions = {0, 0, 2, 2}, .desc = with(greatest, 2, 2)};
  CHECK(made(equals).elements == numbers{0, 0, 1, 0});
  // NaN is passed over; of nothing but NaN the first is taken. A sample outside is none.
  gradient_case<float> nan = equals;
  nan.x[2] = not_a_number;
  CHECK(made(nan).elements == numbers{0, 1, 0, 0});
  nan.x = numbers(4, not_a_number);
  CHECK(made(nan).elements == numbers{1, 0, 0, 0});
  nan.regions = {-9, -9, -3, -3};
  CHECK(made(nan).elements == numbers(4));

  // t = 2 3 4 5: the image ends at 4, and beyond 3 is the last element.
  const gradient_case<float> end{
      .sizes = four, .x = tens(), .g = {1, 2, 3, 4}, .regions = {2, 0, 6, 2}, .width = 4, .desc = with(average)};
  CHECK(made(end).elements == numbers{0, 0, 0.5F, 2.5F, 0, 0, 0.5F, 2.5F, 0, 0, 0, 0, 0, 0, 0, 0});
  // At 2 the slope is that to the right, at 3 and after it 0: r = 1/8. dy: (1 + 2 + 3) / 2.
  CHECK(made(end).corners == numbers{8.75F, 3, 1.25F, 3});

  // Corners: t = 0 0.5 1; one output in the middle; regions add; a mirrored one.
  gradient_case<float> corners{.sizes = {1, 1, 2, 2},
                               .x = {1, 2, 3, 4},
                               .g = {1, 2, 3, 4, 5, 6, 7, 8, 9},
                               .regions = {0, 0, 1, 1},
                               .height = 3,
                               .width = 3,
                               .desc = with(average, 1, 1, 0, 0)};
  corners.desc.align_regions_to_corners = true;
  // The middle goes half to each side: columns 2 4 / 6.5 8.5 / 11 13, and these rows.
  CHECK(made(corners).elements == numbers{5.25F, 8.25F, 14.25F, 17.25F});
  // Only samples between the elements have slopes: g 2 5 8 by 1, g 4 5 6 by 2, r = 1/2.
  CHECK(made(corners).corners == numbers{7.5F, 15, 7.5F, 15});
  corners.height = corners.width = 1;
  corners.g = {4};
  CHECK(made(corners).elements == numbers{1, 1, 1, 1});
  CHECK(made(corners).corners == numbers{2, 4, 2, 4});
  corners.g = {4, 8};
  corners.regions = {0, 0, 1, 1, 1, 1, 0, 0};
  CHECK(made(corners).elements == numbers{3, 3, 3, 3});

  // Regions that are nowhere; channels; images in any order.
  const gradient_case<float> nowhere{.sizes = {1, 1, 1, 2},
                                     .x = {1, 2},
                                     .g = {1, 1, 1},
                                     .regions = {not_a_number, 0, 1, 0, 0, -infinity, 1, 0, 1e30F, 0, 1e30F, 0},
                                     .desc = with(average)};
  CHECK(made(nowhere).elements == numbers(2));
  CHECK(made(nowhere).corners == numbers(12));
  const gradient_case<float> images{.sizes = {2, 2, 1, 1},
                                    .x = {1, 2, 3, 4},
                                    .g = {1, 10, 100, 1000, 1e4F, 1e5F},
                                    .regions = numbers(12),
                                    .desc = with(average, 1, 1, 0, 0),
                                    .images = {1, 0, 1}};
  CHECK(made(images).elements == numbers{100, 1000, 10001, 100010});
  // Of 3 and of 5 samples two are in the image: sums of thirds and fifths, exactly between two numbers or above.
  gradient_case<float> tie{.sizes = {1, 1, 1, 1},
                           .x = {},
                           .g = {1.5F * 0x1p24F, 2.5F},
                           .regions = {0, 0, 3, 0, 0, 0, 5, 0},
                           .desc = with(average, 1, 9, 0, 0)};
  CHECK(made(tie).elements == numbers{0x1p24F});
  tie.g[1] = std::nextafter(2.5F, 3.0F);
  CHECK(made(tie).elements == numbers{0x1p24F + 2});
  tie.g = {3, -5};
  CHECK(made(tie).elements == numbers{0});
}

namespace {

// The forward operator and its derivatives in long double, for regions whose samples all lie in the image.
long double forward(const gradient_case<float>& c, const std::vector<long double>& corners, std::size_t r,
                    std::uint32_t channel, std::uint32_t oy, std::uint32_t ox, std::uint32_t count) {
  const auto places = [&](std::size_t i, std::uint32_t outputs, std::uint32_t o) {
    std::vector<long double> result;
    const long double scale = i == 0 ? c.desc.spatial_scale_x : c.desc.spatial_scale_y;
    const long double from = corners[4 * r + i] * scale, to = corners[4 * r + i + 2] * scale;
    const long double all = static_cast<long double>(outputs) * count;
    for (std::uint32_t j = 0; j < count; ++j) {
      const long double k = static_cast<long double>(o) * count + j - c.desc.output_pixel_offset;
      result.push_back(c.desc.align_regions_to_corners && all == 1
                           ? (from + to) / 2 - c.desc.input_pixel_offset
                           : from + k * (to - from) / (all - (c.desc.align_regions_to_corners ? 1 : 0)) -
                                 c.desc.input_pixel_offset);
    }
    return result;
  };
  const auto at = [&](long double y, long double x) {
    const long double h = c.sizes[2] - 1, w = c.sizes[3] - 1;
    y = std::clamp(y, 0.0L, h), x = std::clamp(x, 0.0L, w);
    long double result = 0;
    for (std::uint32_t i = 0; i < c.sizes[2]; ++i)
      for (std::uint32_t j = 0; j < c.sizes[3]; ++j) {
        const long double weight = std::max(0.0L, 1 - std::abs(y - i)) * std::max(0.0L, 1 - std::abs(x - j));
        result += weight * c.x[((c.images[r] * c.sizes[1] + channel) * c.sizes[2] + i) * c.sizes[3] + j];
      }
    return result;
  };
  long double sum = 0, most = -1e30L;
  for (const long double x : places(0, c.width, ox))
    for (const long double y : places(1, c.height, oy)) {
      sum += at(y, x);
      most = std::max(most, at(y, x));
    }
  return c.desc.reduction_function == greatest ? most : sum / (count * count);
}

gradient_case<float> random_case(std::mt19937& random, bool whole) {
  gradient_case<float> c{.sizes = {2, 2, 5, 6}, .x = {}, .g = {}, .regions = {}, .desc = with(average)};
  const auto uniform = [&](float low, float high) {
    const float x = low + (high - low) * static_cast<float>(random() % 100003) / 100003.0F;
    return whole ? std::nearbyint(4 * x) / 4 : x;
  };
  c.height = static_cast<std::uint32_t>(1 + random() % 3);
  c.width = static_cast<std::uint32_t>(1 + random() % 3);
  if (whole && c.height == 3) c.height = 4;
  if (whole && c.width == 3) c.width = 2;
  const auto samples = static_cast<std::uint32_t>(1 + random() % (whole ? 2 : 3));
  c.desc.minimum_samples_per_output = c.desc.maximum_samples_per_output = samples;
  if (random() % 2 == 0) c.desc.reduction_function = greatest;
  if (!whole && random() % 3 == 0) {
    c.desc.align_regions_to_corners = true;
    c.desc.output_pixel_offset = 0;
  }
  if (random() % 2 == 0) c.desc.input_pixel_offset = 0;
  c.desc.spatial_scale_x = whole ? 0.5F : 0.3F;
  c.desc.spatial_scale_y = 2;
  for (std::uint64_t i = 0; i < element_count(c.sizes); ++i) c.x.push_back(uniform(-9, 9));
  for (int r = 0; r < 3; ++r) {
    const float x1 = uniform(0.5F, 4), y1 = uniform(0.5F, 3);
    const float x2 = uniform(0.5F, 4), y2 = random() % 4 == 0 ? y1 : uniform(0.5F, 3);  // some mirrored or empty
    for (const float each : {x1, y1, x2, y2})
      c.regions.push_back(each / (c.regions.size() % 2 == 0 ? c.desc.spatial_scale_x : c.desc.spatial_scale_y));
    c.images.push_back(static_cast<std::uint32_t>(random() % 2));
  }
  for (std::uint64_t i = 0; i < element_count(c.given()); ++i) c.g.push_back(uniform(-5, 5));
  return c;
}

}  // namespace

TEST_CASE("ROI_ALIGN_GRAD: the adjoint, where doubles have everything exactly", "[roi_align_grad]") {
  std::mt19937 random(5);
  for (int run = 0; run < 200; ++run) {
    gradient_case<float> c = random_case(random, true);
    const roi_align_grad_desc& d = c.desc;
    if (run % 4 == 0) c.desc.interpolation_mode = nearest;
    const roi_align1_desc of{.reduction_function = d.reduction_function,
                             .interpolation_mode = d.interpolation_mode,
                             .spatial_scale_x = d.spatial_scale_x,
                             .spatial_scale_y = d.spatial_scale_y,
                             .input_pixel_offset = d.input_pixel_offset,
                             .output_pixel_offset = d.output_pixel_offset,
                             .minimum_samples_per_output = d.minimum_samples_per_output,
                             .maximum_samples_per_output = d.maximum_samples_per_output};
    tensor<float> y(c.given());
    roi_align1(reference, tensor<float>(c.sizes, c.x), tensor<float>({c.count(), 4}, c.regions),
               tensor<std::uint32_t>({c.count()}, c.batches()), y, of);
    const auto product = [](const numbers& a, const numbers& b) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
      return sum;
    };
    INFO("run " << run);
    CHECK(product(c.g, y.elements()) == product(c.x, made(c).elements));
  }
}

TEST_CASE("ROI_ALIGN_GRAD: quotients of differences", "[roi_align_grad]") {
  std::mt19937 random(6);
  int near_kinks = 0;
  for (int run = 0; run < 60; ++run) {
    const gradient_case<float> c = random_case(random, false);
    const gradients<float> y = made(c);
    const std::vector<long double> corners(c.regions.begin(), c.regions.end());
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto value = [&](long double by) {
        std::vector<long double> moved = corners;
        moved[i] += by;
        long double sum = 0;
        std::size_t n = i / 4 * (c.g.size() / c.count());
        for (std::uint32_t channel = 0; channel < c.sizes[1]; ++channel)
          for (std::uint32_t oy = 0; oy < c.height; ++oy)
            for (std::uint32_t ox = 0; ox < c.width; ++ox)
              sum += c.g[n++] * forward(c, moved, i / 4, channel, oy, ox, c.desc.maximum_samples_per_output);
        return sum;
      };
      constexpr long double h = 0x1p-20L;
      const long double before = (value(0) - value(-h)) / h, after = (value(h) - value(0)) / h;
      if (std::abs(before - after) > 1e-3L) {
        ++near_kinks;
        continue;
      }
      INFO("run " << run << ", corner " << i);
      CHECK(std::abs(static_cast<long double>(y.corners[i]) - (before + after) / 2) < 2e-3L);
    }
  }
  CHECK(near_kinks < 36);
}

TEST_CASE("ROI_ALIGN_GRAD: what a device may answer", "[roi_align_grad]") {
  const dimensions four{1, 1, 4, 4};
  const gradient_case<float> ours{
      .sizes = four, .x = tens(), .g = {1, 2}, .regions = {0.75F, 1, 2.75F, 3}, .width = 2, .desc = with(average)};
  // Places that a device has exactly leave nothing open.
  const numbers right{0, 0, 0, 0, 0.125F, 0.625F, 0.75F, 0, 0.125F, 0.625F, 0.75F, 0, 0, 0, 0, 0};
  CHECK(judged_elements(ours, right) == "aa");
  CHECK(judged_corners(ours, {12.5F, 1.5F, 17.5F, 1.5F}) == "aa");
  for (std::size_t i = 0; i < right.size(); ++i) {
    numbers wrong = right;
    wrong[i] = std::nextafter(wrong[i], 9.0F);
    CHECK(judged_elements(ours, wrong) == "rr");
  }
  CHECK(judged_corners(ours, {std::nextafter(12.5F, 0.0F), 1.5F, 17.5F, 1.5F}) == "rr");
  CHECK(judged_corners(ours, {17.5F, 1.5F, 12.5F, 1.5F}) == "rr");

  // Exactly at the end of the image a sample may be outside: one of two sums.
  gradient_case<float> end{
      .sizes = four, .x = tens(), .g = {1, 2, 3, 4}, .regions = {2, 0, 6, 2}, .width = 4, .desc = with(average)};
  const auto of_end = [&](float last) {
    return judged_elements(end, {0, 0, 0.5F, last, 0, 0, 0.5F, last, 0, 0, 0, 0, 0, 0, 0, 0});
  };
  CHECK(of_end(2.5F) == "aa");
  CHECK(of_end(1) == "aa");
  CHECK(of_end(2) == "rr");
  CHECK(of_end(4.5F) == "rr");
  // At an element the slope is that of either side, or 0 as floor and ceil give it.
  const auto slopes = [&](float first, float last) { return judged_corners(end, {first, 3, last, 3})[0]; };
  CHECK(slopes(8.75F, 1.25F) == 'a');
  CHECK(slopes(0, 0) != 'r');
  CHECK(slopes(8.75F + 12.5F, 1.25F + 7.5F) != 'r');  // 2 * 10 at 3, with r = 3/8
  CHECK(slopes(60, 1.25F) == 'r');
  end.x[15] = 1000;  // another slope before 3 than after it
  CHECK(judged_corners(end, {8.75F, 3, 1.25F, 3})[0] == 'a');

  // One sample of 1.5 elements, or two: a reading holds for all regions.
  gradient_case<float> counts{.sizes = {1, 1, 1, 4},
                              .x = {},
                              .g = {4, 8, 4, 8},
                              .regions = {0.5F, 0, 3.5F, 0, 0.5F, 0, 3.5F, 0},
                              .width = 2,
                              .desc = with(average, 1, 9)};
  // t = 0.375 1.125 1.875 2.625, or 0.75 2.25.
  const numbers two{1.25F * 2, 3 * 2, 4.75F * 2 - 0.25F * 2, 2.5F * 2}, one{1 * 2, 3 * 2, 6 * 2, 2 * 2};
  CHECK(made(counts).elements == numbers{2.5F, 6, 10.5F, 5});
  CHECK(judged_elements(counts, {2.5F, 6, 10.5F, 5}) == "aa");
  CHECK(judged_elements(counts, {2, 6, 12, 4}) == "aa");
  CHECK(judged_elements(counts, {2.5F, 6, 12, 4}) == "rr");
  CHECK(judged_elements(counts, {2.25F, 6, 11.25F, 4.5F}) == "rr");  // one region each
  // Two elements for each of three outputs: FLOAT32 has not 1/3, so two samples or three.
  gradient_case<float> thirds{
      .sizes = {1, 1, 1, 8}, .x = {}, .g = {6, 0, 0}, .regions = {0, 0, 6, 0}, .width = 3, .desc = with(average, 1, 9)};
  CHECK(judged_elements(thirds, {3, 3, 0, 0, 0, 0, 0, 0})[0] == 'a');
  CHECK(judged_elements(thirds, {7 / 3.0F, 10 / 3.0F, 1 / 3.0F, 0, 0, 0, 0, 0})[0] == 'a');  // t = -1/6 1/2 7/6
  CHECK(judged_elements(thirds, {3, 3, 0, 9, 0, 0, 0, 0})[0] == 'r');

  // Corners with one output: the middle, or the first corner.
  gradient_case<float> corners{
      .sizes = {1, 1, 2, 2}, .x = {1, 2, 3, 4}, .g = {4}, .regions = {0, 0, 1, 1}, .desc = with(average, 1, 1, 0, 0)};
  corners.desc.align_regions_to_corners = true;
  CHECK(judged_elements(corners, {1, 1, 1, 1}) == "aa");
  CHECK(judged_elements(corners, {4, 0, 0, 0}) == "aa");
  CHECK(judged_elements(corners, {2, 2, 0, 0}) == "rr");
  CHECK(judged_corners(corners, {2, 4, 2, 4}) == "aa");
  CHECK(judged_corners(corners, {4, 8, 0, 0})[0] != 'r');  // all by the first corner, at an element
  CHECK(judged_corners(corners, {2, 8, 2, 0}) == "rr");

  // NEAREST: of two at the same distance either, which sum to g; corners are undefined.
  gradient_case<float> tie{.sizes = {1, 1, 1, 3},
                           .x = {5, 5, 5},
                           .g = {3},
                           .regions = {0.5F, 0, 0.5F, 0},
                           .desc = with(average, 1, 1, 0, 0)};
  tie.desc.interpolation_mode = nearest;
  CHECK(made(tie).elements == numbers{3, 0, 0});
  CHECK(judged_elements(tie, {3, 0, 0}) == "aa");
  CHECK(judged_elements(tie, {0, 3, 0}) == "aa");
  CHECK(judged_elements(tie, {1.5F, 1.5F, 0}) == "rr");
  CHECK(judged_elements(tie, {0, 0, 3}) == "rr");
  CHECK(judged_corners(tie, {7, 7, 7, 7})[0] == 'u');
  // MAX: a sample that is as great as the first.
  gradient_case<float> equals{
      .sizes = {1, 1, 2, 2}, .x = {1, 5, 5, 4}, .g = {1}, .regions = {0, 0, 2, 2}, .desc = with(greatest, 2, 2)};
  CHECK(judged_elements(equals, {0, 0, 1, 0}) == "aa");
  CHECK(judged_elements(equals, {0, 1, 0, 0}) == "aa");
  CHECK(judged_elements(equals, {0, 0, 0, 1}) == "rr");
  CHECK(judged_elements(equals, {1, 0, 0, 0}) == "rr");
  equals.x = {0, 1e-40F, 0, 0};  // flushed, it is no greater
  CHECK(judged_elements(equals, {0, 1, 0, 0}) == "aa");
  CHECK(judged_elements(equals, {1, 0, 0, 0})[0] == 'a');

  // Undefined: images and regions that are nobody's; what is not finite near a sample.
  gradient_case<float> undefined = ours;
  undefined.images = {1};
  CHECK(judged(undefined, {numbers(16, 9), numbers(4, 9)}) == std::array<std::string, 2>{"uu", "uu"});
  undefined = ours;
  undefined.regions[2] = not_a_number;
  CHECK(judged(undefined, {numbers(16, 9), numbers(4, 9)}) == std::array<std::string, 2>{"uu", "uu"});
  undefined = ours;
  undefined.x[12] = infinity;  // below the rows between which the samples are
  CHECK(judged_corners(undefined, numbers(4, 9)) == "uu");
  CHECK(judged_elements(undefined, right) == "aa");
  undefined.g[0] = infinity;
  CHECK(judged_elements(undefined, numbers{0, 0, 0, 0, infinity, infinity, 0.75F, 0, infinity, infinity, 0.75F, 0, 0, 0,
                                           0, 0}) == "aa");
  CHECK(judged_elements(undefined, right) == "rr");
}

namespace {

enum class fault {
  none,
  exchanged,    // the corners' factors
  overwritten,  // regions do not add
  undivided,
  swapped,  // X and Y
  unscaled,
  other_offset,
  one_more,
  no_batch,
  clamped  // samples outside are limited to the image
};
struct kernel_form {
  int place = 0, order = 0, slope = 0;
};

// By how much an approximate reciprocal is off.
float pushed(float x) {
  int exponent = 0;
  return std::frexp(x, &exponent) == 0.5F ? 0 : 0x1p-22F;
}

// A device that computes in FLOAT32, by scattering.
gradients<float> device(const gradient_case<float>& c, const kernel_form& form, fault wrong) {
  const roi_align_grad_desc& desc = c.desc;
  const float ip = desc.input_pixel_offset + (wrong == fault::other_offset ? 0.5F : 0);
  const std::uint32_t channels = c.sizes[1], rows = c.sizes[2], columns = c.sizes[3];
  gradients<float> y{numbers(c.x.size()), numbers(c.regions.size())};
  struct sample {
    float t, r;
  };
  struct one_axis {
    std::uint32_t count;
    std::vector<std::vector<sample>> of;  // of each output
  };
  for (std::uint32_t turn = 0; turn < c.count(); ++turn) {
    const std::uint32_t region = form.order == 1 ? c.count() - 1 - turn : turn;
    const auto axis = [&](std::size_t i, float scale, std::uint32_t outputs) {
      if (wrong == fault::swapped) i = 1 - i;
      const float first = c.regions[4 * region + i] * scale, last = c.regions[4 * region + i + 2] * scale;
      const float length = last - first, n = static_cast<float>(outputs);
      one_axis a{std::max(1U, static_cast<std::uint32_t>(
                                  std::clamp(std::ceil(length / n), static_cast<float>(desc.minimum_samples_per_output),
                                             static_cast<float>(desc.maximum_samples_per_output)))),
                 {}};
      if (wrong == fault::one_more) ++a.count;
      const std::uint32_t all = outputs * a.count;
      const float steps = static_cast<float>(all - (desc.align_regions_to_corners ? 1 : 0));
      const float off = pushed(steps);
      for (std::uint32_t o = 0; o < outputs; ++o) {
        a.of.emplace_back();
        for (std::uint32_t j = 0; j < a.count; ++j) {
          const float k = static_cast<float>(o * a.count + j) - desc.output_pixel_offset;
          sample s{};
          if (desc.align_regions_to_corners && all == 1)
            s = {(first + last) / 2 - ip, 0.5F};
          else if (form.place == 0)
            s = {k * (length / steps) + first - ip, k / steps};
          else if (form.place == 1)
            s = {std::fma(k, length * (1 / steps), first - ip), k * (1 / steps)};
          else if (form.place == 2)
            s = {(1 - k / steps) * first + k / steps * last - ip, k / steps};
          else
            s = {first + k * (length * (1 / steps * (1 + off))) - ip, k * (1 / steps * (1 - off))};
          a.of.back().push_back(s);
        }
      }
      return a;
    };
    const one_axis across = axis(0, desc.spatial_scale_x, c.width), down = axis(1, desc.spatial_scale_y, c.height);
    const std::uint32_t image = wrong == fault::no_batch ? 0 : c.images[region];
    for (std::uint32_t channel = 0; channel < channels; ++channel)
      for (std::uint32_t oy = 0; oy < c.height; ++oy)
        for (std::uint32_t ox = 0; ox < c.width; ++ox) {
          const auto number = [&](float i, float j) {
            return ((std::size_t{image} * channels + channel) * rows + static_cast<std::uint32_t>(i)) * columns +
                   static_cast<std::uint32_t>(j);
          };
          const float h = static_cast<float>(rows) - 1, w = static_cast<float>(columns) - 1;
          const auto at = [&](float i, float j) { return c.x[number(std::min(i, h), std::min(j, w))]; };
          struct pair {
            sample x, y;
          };
          std::vector<pair> samples;
          float most = -infinity;
          for (const sample& x : across.of[ox])
            for (const sample& s : down.of[oy]) {
              const bool inside = x.t >= -1 && x.t <= w + 1 && s.t >= -1 && s.t <= h + 1;
              if (!inside && wrong != fault::clamped) continue;
              const float px = std::clamp(x.t, 0.0F, w), py = std::clamp(s.t, 0.0F, h);
              if (desc.reduction_function == average) {
                samples.push_back({x, s});
                continue;
              }
              const float i = std::floor(py), j = std::floor(px), fy = py - i, fx = px - j;
              float v = 0;
              if (desc.interpolation_mode == nearest)
                v = at(std::ceil(py - 0.5F), std::ceil(px - 0.5F));
              else
                v = (1 - fy) * ((1 - fx) * at(i, j) + fx * at(i, j + 1)) +
                    fy * ((1 - fx) * at(i + 1, j) + fx * at(i + 1, j + 1));
              if (!samples.empty() && !(v > most)) continue;
              most = v;
              samples.assign(1, {x, s});
            }
          float g = c.g[((std::size_t{region} * channels + channel) * c.height + oy) * c.width + ox];
          const float n = static_cast<float>(across.count * down.count);
          if (desc.reduction_function == average && wrong != fault::undivided)
            g = form.order == 2 ? g * (1 / n * (1 + pushed(n))) : g / n;
          if (form.order == 1) std::reverse(samples.begin(), samples.end());
          for (const pair& s : samples) {
            const float px = std::clamp(s.x.t, 0.0F, w), py = std::clamp(s.y.t, 0.0F, h);
            const auto add = [&](float i, float j, float weight) {
              if (i > h || j > w) return;
              float& to = y.elements[number(i, j)];
              to = wrong == fault::overwritten ? weight * g : to + weight * g;
            };
            if (desc.interpolation_mode == nearest) {
              add(std::ceil(py - 0.5F), std::ceil(px - 0.5F), 1);
              continue;
            }
            const float i = std::floor(py), j = std::floor(px), fy = py - i, fx = px - j;
            add(i, j, (1 - fy) * (1 - fx));
            add(i, j + 1, (1 - fy) * fx);
            add(i + 1, j, fy * (1 - fx));
            add(i + 1, j + 1, fy * fx);
            float slope_x = 0, slope_y = 0;
            // By floor and ceil, between which nothing is at an element; or the element after floor.
            const float right = form.slope == 0 ? std::ceil(px) : std::min(j + 1, w);
            const float below = form.slope == 0 ? std::ceil(py) : std::min(i + 1, h);
            if (s.x.t > 0 && s.x.t < w)
              slope_x = (1 - fy) * (at(i, right) - at(i, j)) + fy * (at(i + 1, right) - at(i + 1, j));
            if (s.y.t > 0 && s.y.t < h)
              slope_y = form.slope == 2
                            ? (1 - fx) * at(below, j) + fx * at(below, j + 1) - (1 - fx) * at(i, j) - fx * at(i, j + 1)
                            : (1 - fx) * (at(below, j) - at(i, j)) + fx * (at(below, j + 1) - at(i, j + 1));
            float* corner = &y.corners[4 * std::size_t{region}];
            const float sx = wrong == fault::unscaled ? 1 : desc.spatial_scale_x,
                        sy = wrong == fault::unscaled ? 1 : desc.spatial_scale_y;
            const int one = wrong == fault::exchanged ? 2 : 0, two = 2 - one;
            corner[one] += g * slope_x * sx * (1 - s.x.r);
            corner[one + 1] += g * slope_y * sy * (1 - s.y.r);
            corner[two] += g * slope_x * sx * s.x.r;
            corner[two + 1] += g * slope_y * sy * s.y.r;
          }
        }
  }
  return y;
}

}  // namespace

TEST_CASE("ROI_ALIGN_GRAD: right devices are accepted, wrong ones noticed", "[roi_align_grad]") {
  std::mt19937 random(7);
  std::array<std::array<int, 2>, 10> noticed{};
  for (int run = 0; run < 150; ++run) {
    gradient_case<float> c = random_case(random, run % 3 == 0);
    if (run % 5 == 0) c.desc.interpolation_mode = nearest;
    if (run % 4 == 0) c.desc.maximum_samples_per_output += 2;
    for (float& x : c.x) x += 10;  // and sums do not cancel
    for (float& g : c.g) g = std::abs(g) + 1;
    if (run % 2 == 0) c.regions[0] -= 5 / c.desc.spatial_scale_x;  // some samples are outside
    const auto judge = [&](const gradients<float>& y) { return judged(c, y); };
    for (int i = 0; i < 3; ++i) {
      const kernel_form form{static_cast<int>(random() % 4), static_cast<int>(random() % 3),
                             static_cast<int>(random() % 3)};
      INFO("run " << run << ", form " << form.place << form.order << form.slope);
      for (const std::string& letters : judge(device(c, form, fault::none))) CHECK(letters[0] != 'r');
    }
    const gradients<float> right = device(c, {.slope = 1}, fault::none);
    for (std::size_t i = 1; i < noticed.size(); ++i) {
      const gradients<float> y = device(c, {.slope = 1}, static_cast<fault>(i));
      float most = 0;
      for (std::size_t n = 0; n < y.elements.size(); ++n)
        most = std::max(most, std::abs(y.elements[n] - right.elements[n]));
      for (std::size_t n = 0; n < y.corners.size() && run % 3 != 0; ++n)  // on quarters many are at elements
        most = std::max(most, std::abs(y.corners[n] - right.corners[n]));
      if (!(most > 0.01F)) continue;
      ++noticed[i][0];
      const auto letters = judge(y);
      if (letters[0][0] == 'r' || letters[1][0] == 'r') ++noticed[i][1];
    }
  }
  for (std::size_t i = 1; i < noticed.size(); ++i) {
    INFO("fault " << i << ": " << noticed[i][1] << " of " << noticed[i][0]);
    CHECK(noticed[i][0] > 15);
    CHECK(noticed[i][1] * 20 >= noticed[i][0] * 18);
  }
}

TEST_CASE("ROI_ALIGN_GRAD: devices that compute in half precision", "[roi_align_grad]") {
  std::mt19937 random(9);
  const auto h = [](float x) { return static_cast<float16>(x); };
  const auto r = [](float x) { return static_cast<float>(static_cast<float16>(x)); };  // each operation is rounded
  int close = 0;
  for (int run = 0; run < 100; ++run) {
    gradient_case<float16> c{
        .sizes = {1, 1, 1, 4}, .x = {}, .g = {}, .regions = {}, .width = 2, .desc = with(average, 2, 2)};
    for (int i = 0; i < 4; ++i) c.x.push_back(h(1 + static_cast<float>(random() % 1000) / 125));
    for (int i = 0; i < 2; ++i) c.g.push_back(h(1 + static_cast<float>(random() % 1000) / 125));
    const float x1 = r(0.6F + static_cast<float>(random() % 100) / 100),
                x2 = r(x1 + 0.3F + static_cast<float>(random() % 100) / 100);
    c.regions = {h(x1), h(0), h(x2), h(0)};
    c.desc.spatial_scale_y = 0;
    numbers y(4), corner(4);
    for (int k = 0; k < 4; ++k) {
      const float share = (static_cast<float>(k) + 0.5F) / 4, t = x1 - 0.5F + share * (x2 - x1);
      const auto j = static_cast<std::size_t>(t);
      const float f = r(t - std::floor(t)), g = r(static_cast<float>(c.g[static_cast<std::size_t>(k) / 2]) / 4);
      for (int row = 0; row < 2; ++row) {  // both at the only one
        y[j] = r(y[j] + r(r(1 - f) * g));
        y[j + 1] = r(y[j + 1] + r(f * g));
        const float slope = r(static_cast<float>(c.x[j + 1]) - static_cast<float>(c.x[j]));
        corner[0] = r(corner[0] + r(r(g * slope) * r(1 - share)));
        corner[2] = r(corner[2] + r(r(g * slope) * r(share)));
      }
    }
    gradients<float16> answer;
    for (const float each : y) answer.elements.push_back(h(each));
    for (const float each : corner) answer.corners.push_back(h(each));
    if (judged(c, answer)[0][0] == 'r') ++close;  // in single precision some of them are wrong
    c.desc.accumulation = accumulation::half;
    for (const std::string& letters : judged(c, answer)) CHECK(letters[0] != 'r');
    answer.elements[1] = h(static_cast<float>(answer.elements[1]) + 1);
    answer.corners[0] = h(static_cast<float>(answer.corners[0]) + 16);
    for (const std::string& letters : judged(c, answer)) CHECK(letters[0] == 'r');
  }
  CHECK(close > 10);
}

TEST_CASE("RG1 to RG12: tensors, sizes, numbers", "[roi_align_grad]") {
  const auto f32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float32, .sizes = sizes}; };
  const auto f16 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float16, .sizes = sizes}; };
  const auto u32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::uint32, .sizes = sizes}; };
  using given = std::optional<tensor_desc>;
  using tensors = std::array<given, 6>;
  const tensors all{f32({2, 3, 4, 4}), f32({5, 3, 2, 2}), f32({1, 5, 4}),
                    u32({1, 1, 5}),    f32({2, 3, 4, 4}), f32({1, 5, 4})};
  const roi_align_grad_desc mean{.reduction_function = average};
  const auto broken = [](const roi_align_grad_desc& desc, const tensors& t) {
    std::string result;
    for (const violation& each : goldml_test::violations_of(desc, t))
      result += (result.empty() ? "" : "; ") + to_string(each).substr(15);
    return result;
  };
  const auto but = [&](std::size_t i, const given& t) {
    tensors result = all;
    result[i] = t;
    return result;
  };
  CHECK(broken(mean, all) == "");
  CHECK(broken(mean, but(4, {})) == "");
  CHECK(broken(mean, but(5, {})) == "");
  CHECK(goldml_test::refused(
            512, mean,
            [&](const auto& x, const auto& g, const auto& roi, const auto& batches, const auto& y,
                const auto& corners) { roi_align_grad(reference, x, g, roi, batches, y, corners, mean); },
            *all[0], *all[1], f16({1, 5, 4}), *all[3], *all[4], *all[5]) == "RG1");
  CHECK(broken(mean, but(2, f16({1, 5, 4}))) ==
        "RG1: ROITensor.DataType is FLOAT16, wanted FLOAT32 (InputGradientTensor's)");
  for (const std::size_t i : {0U, 4U, 5U}) CHECK(broken(mean, but(i, f16(all[i]->sizes))).starts_with("RG1: "));
  CHECK(broken(mean, but(1, f16({4, 3, 2, 2}))).find("RG4") == std::string::npos);
  tensors no_outputs = but(4, {});
  no_outputs[5].reset();
  CHECK(broken(mean, no_outputs) == "RG2: OutputGradientTensor is null, wanted a tensor (or OutputROIGradientTensor)");
  CHECK(broken(mean, but(0, {})) == "RG3: InputTensor is null, wanted a tensor (for OutputROIGradientTensor)");
  tensors no_input = but(0, {});
  no_input[5].reset();
  CHECK(broken(mean, no_input) == "");
  roi_align_grad_desc most = mean;
  most.reduction_function = greatest;
  CHECK(broken(most, no_input) == "RG3: InputTensor is null, wanted a tensor (of MAX)");
  CHECK(broken(mean, but(1, f32({4, 3, 2, 2}))) ==
        "RG4: InputGradientTensor.Sizes[0] is 4, wanted 5 (regions, channels, any, any)");
  CHECK(broken(mean, but(1, f32({5, 2, 2, 2}))) ==
        "RG4: InputGradientTensor.Sizes[1] is 2, wanted 3 (regions, channels, any, any)");
  no_input[4] = f32({2, 4, 4, 4});
  CHECK(broken(mean, no_input) == "RG4: InputGradientTensor.Sizes[1] is 3, wanted 4 (regions, channels, any, any)");
  CHECK(broken(mean, but(4, f32({2, 3, 4, 5}))) ==
        "RG4: OutputGradientTensor.Sizes is {2,3,4,5}, wanted {2,3,4,4} (the input's)");
  CHECK(broken(mean, but(2, f32({2, 5, 4}))) ==
        "RG5: ROITensor.Sizes[0] is 2, wanted 1 ({R,4} with leading ones has R regions); RG5: "
        "OutputROIGradientTensor.Sizes is {1,5,4}, wanted {2,5,4} (ROITensor's)");
  CHECK(broken(mean, but(5, f32({5, 4}))) ==
        "RG5: OutputROIGradientTensor.DimensionCount is 2, wanted 3 (ROITensor's)");
  CHECK(broken(mean, but(5, f32({1, 4, 4}))) ==
        "RG5: OutputROIGradientTensor.Sizes is {1,4,4}, wanted {1,5,4} (ROITensor's)");
  CHECK(broken(mean, but(3, u32({2, 5}))) ==
        "RG6: BatchIndicesTensor.Sizes[0] is 2, wanted 1 ({R} with leading ones, for R regions)");
  CHECK(broken(mean, but(3, u32({4}))) ==
        "RG6: BatchIndicesTensor.Sizes[0] is 4, wanted 5 ({R} with leading ones, for R regions)");
  roi_align_grad_desc bad = mean;
  bad.reduction_function = reduce_function::sum;
  CHECK(broken(bad, all) == "RG7: ReductionFunction is 10, wanted 2 (AVERAGE) or 7 (MAX)");
  bad = mean;
  bad.interpolation_mode = static_cast<interpolation_mode>(2);
  CHECK(broken(bad, all) == "RG8: InterpolationMode is 2, wanted 0 or 1");
  for (const auto& [least, many] : {std::pair(0U, 0U), std::pair(1U, 0U), std::pair(3U, 2U)}) {
    bad = mean;
    bad.minimum_samples_per_output = least;
    bad.maximum_samples_per_output = many;
    CHECK(broken(bad, all).starts_with("RG9: MaximumSamplesPerOutput is"));
  }
  for (const auto member : {&roi_align_grad_desc::spatial_scale_x, &roi_align_grad_desc::spatial_scale_y,
                            &roi_align_grad_desc::input_pixel_offset, &roi_align_grad_desc::output_pixel_offset}) {
    bad = mean;
    bad.*member = infinity;
    CHECK(broken(bad, all).starts_with("RG10: "));
  }
  // At execution, before anything is written.
  const tensor<float> x({2, 1, 1, 1}, {1, 2}), g({2, 1, 1, 1}, {3, 4}), roi({2, 4}, numbers(8));
  tensor<float> y({2, 1, 1, 1}, {7, 7}), corners({2, 4}, numbers(8, 7));
  const auto refusal = [&](const std::vector<std::uint32_t>& list, const roi_align_grad_desc& desc) {
    const tensor<std::uint32_t> images({2}, list);
    const auto on = [&](const auto& backend) {
      return refusal_of([&] { roi_align_grad(backend, x, g, roi, images, y, corners, desc); });
    };
    CHECK(on(reference) == on(cpu));
    return on(cpu);
  };
  CHECK(refusal({1, 2}, mean) == "RG11");
  most.minimum_samples_per_output = most.maximum_samples_per_output = 4097;
  CHECK(refusal({1, 0}, most) == "RG12");
  CHECK(y.elements() == numbers{7, 7});
  CHECK(corners.elements() == numbers(8, 7));
  roi_align_grad_desc clamped = mean;
  clamped.range_policy = range_policy::clamp;
  CHECK(refusal({1, 2}, clamped) == "none");
  CHECK(y.elements() == numbers{0, 7});
}
