// ROI_POOLING: results, what a device may answer, and the rules, by hand from SPEC-windows 5 and the ledger (RP-R1 to
// RP-R3).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/roi_pooling.hpp>
#include <goldml/operators/roi_pooling.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/roi_pooling.hpp>
#include <goldml/reference/roi_pooling.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using numbers = std::vector<float>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
const numbers sixteen{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};  // 4x4

numbers pooled(const numbers& x, const dimensions& sizes, const numbers& regions, const roi_pooling_desc& desc) {
  const tensor<float> input(sizes, x), roi({1, 1, static_cast<std::uint32_t>(regions.size() / 5), 5}, regions);
  const auto y = roi_pooling(reference, input, roi, desc);
  CHECK(roi_pooling(cpu, input, roi, desc).elements() == y.elements());
  return y.elements();
}

std::string judged(const numbers& x, const dimensions& sizes, const numbers& regions, const roi_pooling_desc& desc,
                   const numbers& answer) {
  const auto count = static_cast<std::uint32_t>(regions.size() / 5);
  const tensor_desc input{.data_type = data_type::float32, .sizes = sizes},
      roi{.data_type = data_type::float32, .sizes = {1, 1, count, 5}},
      output{.data_type = data_type::float32,
             .sizes = {count, sizes[1], desc.pooled_size.height, desc.pooled_size.width}};
  const std::array inputs{const_tensor_ref(input, x.data(), x.size() * sizeof(float)),
                          const_tensor_ref(roi, regions.data(), regions.size() * sizeof(float))};
  const std::array outputs{output};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::array actual{const_tensor_ref(output, answer.data(), answer.size() * sizeof(float))};
  return goldml_test::judged(golden, actual);
}

constexpr roi_pooling_desc two_by_two{.pooled_size = {2, 2}};

}  // namespace

TEST_CASE("ROI_POOLING: bins of regions", "[roi_pooling]") {
  CHECK(pooled(sixteen, {1, 1, 4, 4}, {0, 0, 0, 3, 3}, two_by_two) == numbers{6, 8, 14, 16});
  CHECK(pooled(sixteen, {1, 1, 4, 4}, {0, 0, 0, 2, 2}, two_by_two) == numbers{6, 7, 10, 11});  // bins overlap
  // Corners 0.5 and 3: halves away from zero.
  const roi_pooling_desc half{.spatial_scale = 0.5F, .pooled_size = {2, 2}};
  CHECK(pooled(sixteen, {1, 1, 4, 4}, {0, 1, 1, 6, 6}, half) == numbers{11, 12, 15, 16});
  // 6x6, 0 to 35 tenths.
  numbers tenths;
  for (int i = 0; i < 36; ++i) tenths.push_back(static_cast<float>(i) / 10);
  CHECK(pooled(tenths, {1, 1, 6, 6}, {0, 1, 1, 2, 3}, {}) == numbers{2});
  // Width and Height, in this order: three columns, one row.
  CHECK(pooled(sixteen, {1, 1, 4, 4}, {0, 0, 0, 2, 3}, {.pooled_size = {.width = 3, .height = 1}}) ==
        numbers{13, 14, 15});
  // Batches, channels, and regions in any order.
  CHECK(pooled({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 1, 2}, {1, 0, 0, 1, 0, 0, 0, 0, 0, 0}, {}) == numbers{6, 8, 1, 3});
  // Empty bins, malformed and endless regions.
  CHECK(pooled(sixteen, {1, 1, 4, 4}, {0, 9, 9, 12, 12}, two_by_two) == numbers{0, 0, 0, 0});
  CHECK(pooled(sixteen, {1, 1, 4, 4}, {0, 2, 2, 1, 1}, {}) == numbers{11});
  CHECK(pooled(sixteen, {1, 1, 4, 4}, {0, 0, 0, infinity, 1}, {}) == numbers{0});
  CHECK(pooled(sixteen, {1, 1, 4, 4}, {0, 0, not_a_number, 1, 1}, {}) == numbers{0});
}

TEST_CASE("ROI_POOLING: what a device may answer", "[roi_pooling]") {
  const dimensions sizes{1, 1, 4, 4};
  const auto with = [&](const numbers& region, const roi_pooling_desc& desc, const numbers& answer) {
    return judged(sixteen, sizes, region, desc, answer);
  };
  const roi_pooling_desc half{.spatial_scale = 0.5F, .pooled_size = {2, 2}};
  CHECK(with({0, 1, 1, 6, 6}, half, {11, 12, 15, 16}) == "aa");
  CHECK(with({0, 1, 1, 6, 6}, half, {6, 8, 14, 16}) == "aa");  // ties to even
  CHECK(with({0, 1, 1, 6, 6}, half, {1, 8, 14, 16}) == "rr");
  CHECK(with({0, 0, 0, 3, 3}, two_by_two, {6, 8, 14, 16}) == "aa");
  CHECK(with({0, 0, 0, 3, 3}, two_by_two, {6, 8, 14, 15}) == "rr");
  // Beyond 2^25 products in FLOAT32 are rounded: 0.3 * -1.7e9 + 0.3 * 1700003456 is about 1037, of which the first of
  // two bins ends at 512 or 518, and is then the ramp's 511 or 517 (limited to 999).
  numbers ramp;
  for (int i = 0; i < 1000; ++i) ramp.push_back(static_cast<float>(i));
  const roi_pooling_desc third{.spatial_scale = 0.3F, .pooled_size = {.width = 2, .height = 1}};
  const auto far_corners = [&](float first) {
    return judged(ramp, {1, 1, 1, 1000}, {0, -1.7e9F, 0, 1700003456, 0}, third, {first, 999});
  };
  const auto in_double = [](float corner) { return std::round(double{corner} * double{0.3F}); };
  const auto in_single = [](float corner) { return std::round(double{corner * 0.3F}); };
  const auto greatest = [](double left, double right) {  // the last column of the first bin
    return static_cast<float>(std::clamp(std::ceil((right - left + 1) / 2) + left, 0.0, 1000.0) - 1);
  };
  const float exactly = greatest(in_double(-1.7e9F), in_double(1700003456)),
              singly = greatest(in_single(-1.7e9F), in_single(1700003456));
  CHECK(exactly != singly);
  CHECK(far_corners(exactly) == "aa");
  CHECK(far_corners(singly) == "aa");
  CHECK(far_corners(exactly + 1) == "rr");
  CHECK(with({0, 9, 9, 12, 12}, {}, {7})[0] == 'u');
  CHECK(with({0, 2, 2, 1, 1}, {}, {7})[0] == 'u');
  CHECK(with({0, 0, 0, infinity, 1}, {}, {7})[0] == 'u');
  // NaN is passed over, or wins; zeros have either sign; subnormals may be flushed.
  const auto row = [&](const numbers& x, float answer) {
    return judged(x, {1, 1, 1, 2}, {0, 0, 0, 1, 0}, {}, {answer});
  };
  CHECK(pooled({not_a_number, 3}, {1, 1, 1, 2}, {0, 0, 0, 1, 0}, {}) == numbers{3});
  CHECK(row({not_a_number, 3}, 3) == "aa");
  CHECK(row({not_a_number, 3}, not_a_number) == "aa");
  CHECK(row({1, 3}, not_a_number) == "rr");
  CHECK(row({not_a_number, not_a_number}, not_a_number) == "aa");
  CHECK(row({-0.0F, -1}, 0) == "aa");
  CHECK(row({1e-40F, -1}, 0) == "ar");
  CHECK(row({1e-40F, 2e-40F}, 1e-40F) == "ar");
  CHECK(row({1e-40F, 1}, 0) == "rr");
  // Of many subnormals any, where the greatest is flushed; each is looked at once.
  numbers subnormal(300 * 300);
  for (std::size_t i = 0; i < subnormal.size(); ++i) subnormal[i] = 0x1p-149F * static_cast<float>(i + 1);
  const auto whole = [&](float answer) {
    return judged(subnormal, {1, 1, 300, 300}, {0, 0, 0, 299, 299}, {}, {answer});
  };
  CHECK(whole(subnormal.back()) == "aa");
  CHECK(whole(subnormal[7]) == "ar");
  CHECK(whole(1) == "rr");
}

TEST_CASE("ROI_POOLING: wrong devices are noticed", "[roi_pooling]") {
  std::mt19937 random(3);
  enum class fault { none, exclusive, no_overlap, swapped, no_batch, truncated };
  std::array<std::array<int, 2>, 6> noticed{};
  for (int run = 0; run < 300; ++run) {
    const dimensions sizes{3, 2, 5 + static_cast<std::uint32_t>(random() % 4), 9};
    numbers x;
    for (std::uint64_t i = 0; i < element_count(sizes); ++i) x.push_back(static_cast<float>(random() % 1000));
    const roi_pooling_desc desc{.spatial_scale = 0.25F, .pooled_size = {3, 2}};
    numbers regions;
    for (int i = 0; i < 2; ++i) {
      const auto place = [&](std::uint32_t low, std::uint32_t size) {
        // No halves: a quarter to either side of an element.
        return static_cast<float>(low + random() % (size - low)) * 4 + (random() % 2 == 0 ? 1.0F : 0.0F);
      };
      const float x1 = place(0, sizes[3]), y1 = place(0, sizes[2]);
      regions.insert(regions.end(),
                     {static_cast<float>(random() % 3), x1, y1, place(static_cast<std::uint32_t>(x1 / 4), sizes[3]),
                      place(static_cast<std::uint32_t>(y1 / 4), sizes[2])});
    }
    const auto device = [&](fault wrong) {
      numbers y;
      for (std::size_t r = 0; r < 2; ++r)
        for (std::uint32_t channel = 0; channel < 2; ++channel)
          for (int oy = 0; oy < 2; ++oy)
            for (int ox = 0; ox < 3; ++ox) {
              const auto corner = [&](std::size_t i) {
                const float scaled = regions[5 * r + i] * 0.25F;
                return static_cast<int>(wrong == fault::truncated ? std::ceil(scaled) : std::round(scaled));
              };
              int x1 = corner(1), y1 = corner(2), x2 = corner(3), y2 = corner(4);
              if (wrong == fault::swapped) std::swap(x1, y1), std::swap(x2, y2);
              const int extra = wrong == fault::exclusive ? 0 : 1;
              const int width = std::max(x2 - x1 + extra, 1), height = std::max(y2 - y1 + extra, 1);
              const auto end = [&](int bin, int extent, int bins) {
                return wrong == fault::no_overlap ? (bin + 1) * extent / bins : ((bin + 1) * extent + bins - 1) / bins;
              };
              float best = -1;
              for (int i = y1 + oy * height / 2; i < y1 + end(oy, height, 2); ++i)
                for (int j = x1 + ox * width / 3; j < x1 + end(ox, width, 3); ++j) {
                  if (i < 0 || j < 0 || i >= static_cast<int>(sizes[2]) || j >= 9) continue;
                  const auto batch = wrong == fault::no_batch ? 0U : static_cast<std::uint32_t>(regions[5 * r]);
                  best = std::max(best, x[((batch * 2 + channel) * sizes[2] + static_cast<std::uint32_t>(i)) * 9 +
                                          static_cast<std::uint32_t>(j)]);
                }
              y.push_back(best);
            }
      return y;
    };
    const numbers right = device(fault::none);
    CHECK(judged(x, sizes, regions, desc, right) == "aa");
    for (const fault wrong : {fault::exclusive, fault::no_overlap, fault::swapped, fault::no_batch, fault::truncated}) {
      const numbers y = device(wrong);
      if (y == right) continue;
      ++noticed[static_cast<std::size_t>(wrong)][0];
      if (judged(x, sizes, regions, desc, y) == "rr") ++noticed[static_cast<std::size_t>(wrong)][1];
    }
  }
  for (std::size_t i = 1; i < noticed.size(); ++i) {
    INFO("fault " << i);
    CHECK(noticed[i][0] > 100);
    CHECK(noticed[i][0] == noticed[i][1]);
  }
}

TEST_CASE("RP1 to RP6: regions, sizes, numbers", "[roi_pooling]") {
  const auto f32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float32, .sizes = sizes}; };
  const auto f16 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float16, .sizes = sizes}; };
  const tensor_desc input = f32({2, 3, 4, 4}), regions = f32({1, 1, 5, 5}), output = f32({5, 3, 2, 2});
  const auto refused = [&](const roi_pooling_desc& desc, const auto&... t) {
    return goldml_test::refused(
        512, desc, [&](const auto&... each) { roi_pooling(reference, each..., desc); }, t...);
  };
  const auto broken = [](const roi_pooling_desc& desc, const auto&... t) {
    return to_string(goldml_test::only_violation(desc, t...));
  };
  CHECK(broken(two_by_two, input, f16({1, 1, 5, 5}), output) ==
        "ROI_POOLING RP1: ROITensor.DataType is FLOAT16, wanted FLOAT32 (the input's)");
  CHECK(broken(two_by_two, input, regions, f16({5, 3, 2, 2})) ==
        "ROI_POOLING RP1: OutputTensor.DataType is FLOAT16, wanted FLOAT32 (the input's)");
  CHECK(broken(two_by_two, input, f32({1, 2, 5, 5}), output) ==
        "ROI_POOLING RP2: ROITensor.Sizes[1] is 2, wanted 1 ({1,1,R,5} has R regions)");
  CHECK(broken(two_by_two, input, f32({1, 1, 5, 4}), output) ==
        "ROI_POOLING RP2: ROITensor.Sizes[3] is 4, wanted 5 ({1,1,R,5} has R regions)");
  CHECK(broken({.pooled_size = {0, 2}}, input, regions, output) ==
        "ROI_POOLING RP3: PooledSize is Width 0, wanted at least 1");
  CHECK(broken({.pooled_size = {2, 3}}, input, regions, f32({5, 3, 2, 3})) ==  // fits only when swapped
        "ROI_POOLING RP4: OutputTensor.Sizes is {5,3,2,3}, wanted {5,3,3,2} (regions, channels, Height, Width)");
  CHECK(broken({.spatial_scale = 0, .pooled_size = {2, 2}}, input, regions, output) ==
        "ROI_POOLING RP5: SpatialScale is FLOAT32 0, wanted a finite number above 0");
  CHECK(broken({.spatial_scale = infinity, .pooled_size = {2, 2}}, input, regions, output) ==
        "ROI_POOLING RP5: SpatialScale is FLOAT32 inf, wanted a finite number above 0");
  CHECK(refused({.spatial_scale = -1, .pooled_size = {2, 2}}, input, regions, output) == "RP5");
  // At execution, before anything is written.
  for (const float batch : {-1.0F, 0.5F, 2.0F, not_a_number, infinity}) {
    const tensor<float> x({2, 1, 1, 1}, {1, 2}), roi({1, 1, 2, 5}, {1, 0, 0, 0, 0, batch, 0, 0, 0, 0});
    tensor<float> y({2, 1, 1, 1}, {7, 7});
    CHECK(refusal_of([&] { roi_pooling(reference, x, roi, y, {}); }) == "RP6");
    CHECK(refusal_of([&] { roi_pooling(cpu, x, roi, y, {}); }) == "RP6");
    CHECK(y.elements() == numbers{7, 7});
  }
}
