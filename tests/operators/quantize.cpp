// QUANTIZE and DEQUANTIZE: the examples of SPEC-quantised 3 and 4.10, blocks, tensors of 4 bits, what a device may
// answer, devices that compute them legally and never may be refused, and wrong ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/packed_elements.hpp>
#include <goldml/core/tensor.hpp>
#include <goldml/cpu/quantize.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/samplers/quantize.hpp>
#include <goldml/oracle/verdict.hpp>
#include <goldml/oracle/verdicts/quantize.hpp>
#include <goldml/oracle/watched_output.hpp>
#include <goldml/reference/quantize.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"

namespace {

using namespace goldml;
using numbers = std::vector<int>;

tensor_desc desc_of(data_type type, const dimensions& sizes, const dimensions& strides = {}) {
  return {.data_type = type, .sizes = sizes, .strides = strides};
}
// A tensor of integers of any quantised type.
host_tensor integers(data_type type, const dimensions& sizes, const numbers& elements, const dimensions& strides = {}) {
  host_tensor result(desc_of(type, sizes, strides));
  const writable_tensor bytes(result.ref());
  std::size_t i = 0;
  for (const coordinate_tuple& c : coordinates_of(sizes)) {
    auto* const first = static_cast<std::uint8_t*>(bytes.ref().data());
    first[offset_of(c, effective_strides(result.desc()))] = static_cast<std::uint8_t>(elements[i++]);
  }
  return result;
}
// The same where a reference is wanted.
const_tensor_ref held(host_tensor t) {
  static std::deque<host_tensor> all;
  if (all.size() == 64) all.pop_front();
  all.push_back(std::move(t));
  return std::as_const(all.back()).ref();
}
numbers numbers_of(const const_tensor_ref& t) {
  const readable_tensor bytes(t);
  numbers result;
  const bool is_signed = unpacked_type(t.desc().data_type) == data_type::int8;
  for (const coordinate_tuple& c : coordinates_of(t.desc().sizes))
    result.push_back(is_signed ? int{bytes.ref().as<std::int8_t>()[c]} : int{bytes.ref().as<std::uint8_t>()[c]});
  return result;
}
template <class T = float>
tensor<T> floats(const dimensions& sizes, const std::vector<float>& elements) {
  tensor<T> result(sizes);
  for (std::size_t i = 0; i < elements.size(); ++i) result.data()[i] = static_cast<T>(elements[i]);
  return result;
}

// The integers of QUANTIZE, the same on both backends.
template <class Zero>
numbers quantised(const tensor<float>& x, const tensor<float>& scale, const Zero& zero, data_type type,
                  const quantize_desc& desc = {}) {
  host_tensor y(desc_of(type, x.sizes())), fast(y.desc());
  if constexpr (std::is_same_v<Zero, std::nullopt_t>) {
    quantize(reference, x, scale, y.ref(), desc);
    quantize(cpu, x, scale, fast.ref(), desc);
  } else {
    quantize(reference, x, scale, zero.ref(), y.ref(), desc);
    quantize(cpu, x, scale, zero.ref(), fast.ref(), desc);
  }
  CHECK(y.bytes() == fast.bytes());
  return numbers_of(y.ref());
}
template <class Zero>
std::vector<float> dequantised(const host_tensor& q, const tensor<float>& scale, const Zero& zero,
                               const dequantize_desc& desc = {}) {
  tensor<float> y(q.desc().sizes), fast(q.desc().sizes);
  if constexpr (std::is_same_v<Zero, std::nullopt_t>) {
    dequantize(reference, q.ref(), scale, y, desc);
    dequantize(cpu, q.ref(), scale, fast, desc);
  } else {
    dequantize(reference, q.ref(), scale, zero.ref(), y, desc);
    dequantize(cpu, q.ref(), scale, zero.ref(), fast, desc);
  }
  const auto count = static_cast<std::ptrdiff_t>(element_count(y.sizes()));
  CHECK(std::equal(y.data(), y.data() + count, fast.data()));
  return {y.data(), y.data() + count};
}

std::vector<std::uint8_t> bytes_of(const host_tensor& t) {
  std::vector<std::uint8_t> result;
  for (const std::byte b : t.bytes()) result.push_back(std::to_integer<std::uint8_t>(b));
  return result;
}

constexpr std::array quantised_types{data_type::int8, data_type::uint8, data_type::int4, data_type::uint4};

}  // namespace

TEST_CASE("UINT4 and INT4: two elements a byte", "[quantize]") {
  CHECK(bytes_of(integers(data_type::uint4, {5}, {1, 2, 3, 4, 5})) == std::vector<std::uint8_t>{0x21, 0x43, 0x05, 0});
  CHECK(bytes_of(integers(data_type::int4, {3}, {-8, 7, -1})) == std::vector<std::uint8_t>{0x78, 0x0F, 0, 0});
  CHECK(numbers_of(held(integers(data_type::int4, {3}, {-8, 7, -1}))) == numbers{-8, 7, -1});
  // Rows run on; strides count elements. The last element of {3,5}/{6,1} is the 17th.
  CHECK(buffer_tensor_size_in_bytes(desc_of(data_type::uint4, {3, 5})) == 8);
  CHECK(buffer_tensor_size_in_bytes(desc_of(data_type::uint4, {3, 5}, {6, 1})) == 12);
  CHECK(addressed_size_in_bytes(data_type::int4, {3, 5}, {6, 1}) == 9);
  CHECK(bytes_of(integers(data_type::uint4, {2, 3}, {1, 2, 3, 4, 5, 6})) ==
        std::vector<std::uint8_t>{0x21, 0x43, 0x65, 0});
  CHECK(bytes_of(integers(data_type::uint4, {2, 2}, {1, 2, 3, 4}, {3, 1})) ==
        std::vector<std::uint8_t>{0x21, 0x30, 0x04, 0});
  // Only elements are written.
  host_tensor y(desc_of(data_type::uint4, {2, 2}, {3, 1}), std::byte{0xFF});
  quantize(reference, floats({2, 2}, {1, 2, 3, 4}), floats({1, 1}, {1}), held(integers(data_type::uint4, {1, 1}, {0})),
           y.ref());
  CHECK(bytes_of(y) == std::vector<std::uint8_t>{0x21, 0x3F, 0xF4, 0xFF});
  // T6 to T9, T12.
  const tensor_desc x = desc_of(data_type::float32, {2, 3}), one = desc_of(data_type::float32, {1, 1});
  const std::vector<tensor_desc> scale{one};
  const auto broken = [&](tensor_desc q) {
    const auto found = validate(quantize_desc{.quantization_type = quantization_type::scale}, x, scale, q);
    return found ? to_string(*found) : std::string("legal");
  };
  tensor_desc q = desc_of(data_type::uint4, {2, 3});
  q.guaranteed_base_offset_alignment = 1;
  CHECK(broken(q) == "legal");
  q.total_tensor_size_in_bytes = 3;
  CHECK(broken(q) ==
        "QUANTIZE T7: OutputTensor.TotalTensorSizeInBytes is 3, wanted at least 4 (UINT4 {2,3} strides {3,1})");
  q = desc_of(data_type::uint4, {2, 3}, {2, 1});
  CHECK(broken(q).starts_with("QUANTIZE T9"));
  CHECK(broken(desc_of(data_type::uint4, {2, 3}, {0xFFFF'FFFE, 1})).starts_with("QUANTIZE T6"));
  std::vector<std::uint8_t> memory(3);
  const auto call = [&](std::uint64_t size) {
    quantize(reference, floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({1, 1}, {1}),
             tensor_ref(desc_of(data_type::uint4, {2, 3}), memory.data(), size));
  };
  CHECK_NOTHROW(call(3));
  CHECK(memory == std::vector<std::uint8_t>{0xA9, 0xCB, 0xED});
  CHECK_THROWS_AS(call(2), error);
  // A byte is not shared between two tensors.
  const tensor_ref overlapping(desc_of(data_type::uint4, {1}), memory.data() + 1, 1);
  CHECK_THROWS_AS(quantize(reference, floats({1}, {1}), floats({1}, {1}),
                           const_tensor_ref(desc_of(data_type::uint4, {1}), memory.data() + 1, 1), overlapping),
                  error);
}

TEST_CASE("QUANTIZE: the examples", "[quantize]") {
  const auto x = floats({1, 6}, {0.9F, -4.2F, 1.75F, -0.375F, 0.625F, 1.5F}), scale = floats({1, 2}, {0.5F, 0.25F});
  const auto zero = integers(data_type::int4, {1, 2}, {1, -2});
  CHECK(quantised(x, scale, zero, data_type::int4) == numbers{3, -7, 5, -4, 0, 4});
  CHECK(quantised(x, scale, zero, data_type::int4, {.quantize_ties = quantize_ties::away}) ==
        numbers{3, -7, 5, -4, 1, 4});
  host_tensor y(desc_of(data_type::int4, {1, 6}));
  quantize(cpu, x, scale, zero.ref(), y.ref());
  CHECK(bytes_of(y) == std::vector<std::uint8_t>{0x93, 0xC5, 0x40, 0});
  // WPT's, {1,4,1} by {1,2,1}.
  const auto four = floats({1, 4, 1}, {-2.549168F, -4.794858F, 8.413617F, 6.108624F});
  CHECK(quantised(four, floats({1, 2, 1}, {0.28006873F, -4.617085F}), integers(data_type::uint8, {1, 2, 1}, {128, 189}),
                  data_type::uint8) == numbers{119, 111, 187, 188});
  // Absent zero points, and the limits of each type.
  const auto wide = floats({3}, {-1000, 1, 1000}), one = floats({1}, {1});
  CHECK(quantised(wide, one, std::nullopt, data_type::uint8) == numbers{0, 129, 255});
  CHECK(quantised(wide, one, std::nullopt, data_type::uint4) == numbers{0, 9, 15});
  CHECK(quantised(wide, one, std::nullopt, data_type::int8) == numbers{-128, 1, 127});
  CHECK(quantised(wide, one, std::nullopt, data_type::int4) == numbers{-8, 1, 7});
  const quantize_desc zeros{.absent_zero_point = absent_zero_point::zero};
  CHECK(quantised(wide, one, std::nullopt, data_type::uint8, zeros) == numbers{0, 1, 255});
  CHECK(quantised(wide, one, std::nullopt, data_type::uint4, zeros) == numbers{0, 1, 15});
  for (const data_type type : quantised_types) CHECK(quantised(wide, one, integers(type, {1}, {0}), type)[1] == 1);
}

TEST_CASE("DEQUANTIZE: the examples", "[quantize]") {
  const auto with = [](data_type type, const dequantize_desc& desc = {}) {
    host_tensor q(desc_of(type, {1, 6}));
    q.bytes() = {std::byte{0xA3}, std::byte{0x7F}, std::byte{0x08}, std::byte{0}};
    return dequantised(q, floats({1, 2}, {0.5F, 2}), std::nullopt, desc);
  };
  using results = std::vector<float>;
  CHECK(with(data_type::uint4) == results{-2.5F, 1, 3.5F, -2, 0, -16});
  CHECK(with(data_type::uint4, {.absent_zero_point = absent_zero_point::zero}) == results{1.5F, 5, 7.5F, 14, 16, 0});
  CHECK(with(data_type::int4) == results{1.5F, -3, -0.5F, 14, -16, 0});
  CHECK(dequantised(integers(data_type::int8, {8}, {10, 20, 30, 40, 50, 60, 70, 80}), floats({2}, {0.5F, 2}),
                    integers(data_type::int8, {2}, {0, 10})) == results{5, 10, 15, 20, 80, 100, 120, 140});
  CHECK(dequantised(integers(data_type::uint8, {2}, {0, 255}), floats({1}, {1}), std::nullopt) == results{-128, 127});
  // Blocks on two axes, odd sizes, a permuted input.
  const auto q = integers(data_type::uint4, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2});
  CHECK(dequantised(q, floats({2, 2}, {1, 10, 100, 1000}), integers(data_type::uint4, {2, 2}, {0, 1, 2, 3})) ==
        results{1, 2, 20, 30, 300, 400, 4000, 5000});
  tensor<float16> half({3});
  dequantize(cpu, held(integers(data_type::int4, {3}, {-8, 0, 7})), floats<float16>({1}, {0.1F}), half);
  CHECK(static_cast<float>(half.data()[0]) == -0.79980469F);
}

TEST_CASE("QUANTIZE and DEQUANTIZE: what a device may answer", "[quantize]") {
  using oracle::compare;
  const std::vector<float> x{2.5F, 3, 1};  // 2.5 / 1 is a tie, 3 / 0.039215686 = 76.499997, a scale of 0
  const std::vector<float> scales{1, 0.039215686F, 0};
  const auto input = floats({3}, x), scale = floats({3}, scales);
  const auto golden_of = [&](data_type type) {
    const auto zero = integers(type, {3}, {0, 0, 0});
    const std::vector<const_tensor_ref> inputs{input.view(), scale.view(), zero.ref()};
    return oracle::expect(quantize_desc{}, std::span<const const_tensor_ref>(inputs), std::array{desc_of(type, {3})});
  };
  const auto accepts = [&](const oracle::golden& golden, data_type type, const numbers& values) {
    return compare(golden, std::array<const_tensor_ref, 1>{held(integers(type, {3}, values))}).tolerated();
  };
  const auto bytes = golden_of(data_type::uint8);
  CHECK(accepts(bytes, data_type::uint8, {2, 76, 9}));
  CHECK(accepts(bytes, data_type::uint8, {2, 77, 255}));
  CHECK_FALSE(accepts(bytes, data_type::uint8, {3, 76, 0}));
  CHECK_FALSE(accepts(bytes, data_type::uint8, {2, 75, 0}));
  const auto nibbles = golden_of(data_type::int4);
  CHECK(accepts(nibbles, data_type::int4, {2, 7, -8}));  // only the third is not defined
  CHECK_FALSE(accepts(nibbles, data_type::int4, {3, 7, 0}));
  CHECK_FALSE(accepts(nibbles, data_type::int4, {2, 6, 0}));
  const auto judged =
      compare(nibbles, std::array<const_tensor_ref, 1>{held(integers(data_type::int4, {3}, {3, -8, 0}))});
  CHECK(judged.result.outputs[0].differing == 2);
  CHECK(judged.result.outputs[0].ignored == 1);
  CHECK_FALSE(accepts(nibbles, data_type::uint4, {2, 7, 0}));  // another type
  // The other half of a byte is nobody's.
  host_tensor odd = integers(data_type::int4, {3}, {2, 7, 0});
  odd.bytes()[1] |= std::byte{0xF0};
  CHECK(compare(nibbles, std::array<const_tensor_ref, 1>{std::as_const(odd).ref()}).tolerated());
  // Bytes without elements are watched.
  const auto gaps = [&](const numbers& changed) {
    const tensor_desc desc = desc_of(data_type::int4, {2, 1}, {6, 1});
    const auto two = floats({2, 1}, {1, 2}), one = floats({1, 1}, {1});
    const std::vector<const_tensor_ref> inputs{two.view(), one.view()};
    const auto golden = oracle::expect(quantize_desc{.quantization_type = quantization_type::scale},
                                       std::span<const const_tensor_ref>(inputs), std::array{desc});
    oracle::watched_output y(desc);
    quantize(cpu, two, one, y.ref());
    for (const int at : changed)
      y.bytes()[static_cast<std::size_t>(y.offset_in_bytes()) + static_cast<std::size_t>(at)] ^= std::byte{0xF0};
    const auto result = compare(golden, y);
    CHECK(result.tolerated());
    return result.result.outputs[0].memory.gaps;
  };
  CHECK(gaps({}) == 0);
  CHECK(gaps({0, 3}) == 0);
  CHECK(gaps({1, 2}) == 2);
  // DEQUANTIZE is exact: the difference of two products is refused.
  const auto q = integers(data_type::uint8, {1}, {200}), z = integers(data_type::uint8, {1}, {128});
  const auto tenth = floats({1}, {0.1F}), right = floats({1}, {7.2000003F}), folded = floats({1}, {7.2F});
  const std::vector<const_tensor_ref> inputs{q.ref(), tenth.view(), z.ref()};
  const auto exact = oracle::expect(dequantize_desc{}, std::span<const const_tensor_ref>(inputs),
                                    std::array{desc_of(data_type::float32, {1})});
  CHECK(compare(exact, std::array<const_tensor_ref, 1>{right.view()}).tolerated());
  CHECK_FALSE(compare(exact, std::array<const_tensor_ref, 1>{folded.view()}).tolerated());
}

TEST_CASE("QUANTIZE and DEQUANTIZE: legal devices are never refused, wrong ones are noticed", "[quantize]") {
  std::mt19937 random(173);
  const int cases = goldml_test::is_long_run() ? 20'000 : goldml_test::is_slow ? 400 : 4'000;
  std::map<std::string_view, std::array<int, 2>> found;  // noticed, of
  int refused = 0;
  for (int i = 0; i < cases; ++i) {
    const data_type type = quantised_types[static_cast<std::size_t>(i % 4)];
    const bool is_4 = is_4_bit(type), is_signed = type == data_type::int8 || type == data_type::int4;
    const int least = !is_signed ? 0 : is_4 ? -8 : -128, most = least + (is_4 ? 15 : 255);
    const bool exact = i % 3 == 0;
    const auto block = static_cast<std::uint32_t>(1 + random() % 3),
               count = static_cast<std::uint32_t>(2 + random() % 2);
    const std::uint32_t size = block * count;
    std::vector<float> s, x;
    numbers z, q;
    for (std::uint32_t k = 0; k < count; ++k) {
      s.push_back(exact ? std::ldexp(1.0F, static_cast<int>(random() % 5) - 2)
                        : 0.01F + static_cast<float>(random() % 65536) * 0x1p-17F);
      z.push_back(least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)));
    }
    for (std::uint32_t k = 0; k < size; ++k) {
      const float unit = s[k / block];
      x.push_back(exact ? static_cast<float>(static_cast<int>(random() % 40) - 20) * unit / 2
                        : (static_cast<float>(random() % 65536) * 0x1p-15F - 1) * unit * static_cast<float>(most));
      q.push_back(least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)));
    }
    const auto input = floats({size}, x), scale = floats({count}, s);
    const auto zero = integers(type, {count}, z), given = integers(type, {size}, q);
    const std::vector<const_tensor_ref> to{input.view(), scale.view(), zero.ref()},
        back{given.ref(), scale.view(), zero.ref()};
    const auto golden =
        oracle::expect(quantize_desc{}, std::span<const const_tensor_ref>(to), std::array{desc_of(type, {size})});
    const auto exact_golden = oracle::expect(dequantize_desc{}, std::span<const const_tensor_ref>(back),
                                             std::array{desc_of(data_type::float32, {size})});
    const auto answer = [&](const auto& f) {
      numbers y;
      for (std::uint32_t k = 0; k < size; ++k) y.push_back(f(k));
      return y;
    };
    const auto accepted = [&](const numbers& y) {
      return oracle::compare(golden, std::array<const_tensor_ref, 1>{held(integers(type, {size}, y))}).tolerated();
    };
    const auto clamped = [&](double k) { return static_cast<int>(std::clamp(k, double(least), double(most))); };
    const auto stored = [&](float v, int zero_point) {
      return clamped(std::nearbyint(static_cast<double>(v)) + zero_point);
    };
    refused += !accepted(answer([&](std::uint32_t k) { return stored(x[k] / s[k / block], z[k / block]); }));
    for (const double by : {0.0, 0.99 * 0x1p-21, -0.99 * 0x1p-21}) {
      if (exact && by != 0) continue;
      refused += !accepted(answer([&](std::uint32_t k) {
        return stored(x[k] * static_cast<float>((1 + by) / static_cast<double>(s[k / block])), z[k / block]);
      }));
    }
    const auto wrong = [&](std::string_view name, const numbers& y) {
      ++found[name][1];
      found[name][0] += !accepted(y);
    };
    const auto at = [&](std::uint32_t k) { return static_cast<double>(x[k]) / static_cast<double>(s[k / block]); };
    wrong("truncation", answer([&](std::uint32_t k) { return clamped(std::trunc(at(k)) + z[k / block]); }));
    wrong("no zero point", answer([&](std::uint32_t k) { return clamped(std::nearbyint(at(k))); }));
    if (exact) wrong("halves away", answer([&](std::uint32_t k) { return clamped(std::round(at(k)) + z[k / block]); }));
    if (block > 1)
      wrong("block c mod n", answer([&](std::uint32_t k) {
              return clamped(std::nearbyint(static_cast<double>(x[k]) / static_cast<double>(s[k % count])) +
                             z[k % count]);
            }));
    if (is_4) {
      host_tensor swapped =
          integers(type, {size}, answer([&](std::uint32_t k) { return stored(x[k] / s[k / block], z[k / block]); }));
      for (std::byte& b : swapped.bytes()) b = b << 4 | b >> 4;
      ++found["nibbles swapped"][1];
      found["nibbles swapped"][0] +=
          !oracle::compare(golden, std::array<const_tensor_ref, 1>{std::as_const(swapped).ref()}).tolerated();
    }
    const auto accepted_back = [&](const auto& f) {
      std::vector<float> y;
      for (std::uint32_t k = 0; k < size; ++k) y.push_back(f(k));
      const auto t = floats({size}, y);
      return oracle::compare(exact_golden, std::array<const_tensor_ref, 1>{t.view()}).tolerated();
    };
    refused += !accepted_back([&](std::uint32_t k) { return static_cast<float>(q[k] - z[k / block]) * s[k / block]; });
    const auto wrong_back = [&](std::string_view name, const auto& f) {
      ++found[name][1];
      found[name][0] += !accepted_back(f);
    };
    if (!exact)
      wrong_back("back: two products", [&](std::uint32_t k) {
        return static_cast<float>(q[k]) * s[k / block] - static_cast<float>(z[k / block]) * s[k / block];
      });
    wrong_back("back: no zero point", [&](std::uint32_t k) { return static_cast<float>(q[k]) * s[k / block]; });
    if (is_4 && is_signed)
      wrong_back("back: no sign",
                 [&](std::uint32_t k) { return static_cast<float>((q[k] & 15) - (z[k / block] & 15)) * s[k / block]; });
  }
  CHECK(refused == 0);
  for (const auto& [name, counts] : found) {
    INFO(name << ": " << counts[0] << " of " << counts[1]);
    CHECK(counts[0] * 100 > counts[1] * (name == "nibbles swapped" || name == "truncation" ? 60 : 30));
  }
}
