// CAST on `cpu` gives the bytes of `reference` for all pairs of data types: every FLOAT16, numbers around every
// exponent and every integer type's ends, on every instruction set, under all policies, in all layouts, and with large
// outputs, which are written past the caches.
#include <array>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/core/host_tensor.hpp>
#include <goldml/cpu/cast.hpp>
#include <goldml/reference/cast.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;
using layouts::from_bits;

// All exponents and signs, with fractions at which a rounding to a narrower format changes.
template <class T>
std::vector<T> numbers_of_every_exponent() {
  using format = detail::reference_cast::format<T>;
  constexpr int fraction = format::precision - 1;
  constexpr std::uint64_t mask = (std::uint64_t{1} << fraction) - 1;
  std::vector<std::uint64_t> fractions{0, 1, 2, mask, mask - 1, mask / 2, mask / 2 + 1, 0x5555'5555'5555'5555 & mask};
  for (const int kept : {7, 8, 9, 10, 11, 23, 24})
    if (kept < fraction) {
      const std::uint64_t half = std::uint64_t{1} << (fraction - kept - 1);
      for (const std::uint64_t even : {std::uint64_t{0}, 2 * half, mask & ~(2 * half - 1)})
        for (const std::uint64_t x : {half - 1, half, half + 1}) fractions.push_back((even + x) & mask);
    }
  std::vector<T> result;
  constexpr int exponent_bits = static_cast<int>(8 * sizeof(T)) - format::precision;
  for (std::uint64_t top = 0; top < std::uint64_t{2} << exponent_bits; ++top)
    for (const std::uint64_t x : fractions) result.push_back(from_bits<T>(top << fraction | x));
  return result;
}

// Integers at the ends of every integer type and around every power of two, where roundings to floats change.
template <class T>
std::vector<T> integers_around_powers() {
  std::vector<T> result;
  for (int power = 0; power < 64; ++power)
    for (int lower = -1; lower < power; ++lower)
      for (std::uint64_t less = 0; less < 4; ++less) {
        const std::uint64_t x =
            (std::uint64_t{1} << power) + (lower < 0 ? 0 : std::uint64_t{1} << lower) - std::uint64_t{1} + less;
        result.push_back(static_cast<T>(x));
        result.push_back(static_cast<T>(std::uint64_t{0} - x));
      }
  return result;
}

template <class T>
std::vector<T> interesting() {
  std::vector<T> result;
  if constexpr (sizeof(T) <= 2) {
    for (std::uint32_t pattern = 0; pattern < std::uint32_t{1} << (8 * sizeof(T)); ++pattern)
      result.push_back(from_bits<T>(pattern));
  } else if constexpr (std::is_integral_v<T>) {
    result = integers_around_powers<T>();
  } else {
    result = numbers_of_every_exponent<T>();
  }
  // Floats next to the ends of the integer types.
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
    for (const int power : {7, 8, 15, 16, 31, 32, 63, 64})
      for (int step = -3; step <= 3; ++step)
        for (const bool negative : {false, true}) {
          const detail::reference_cast::exact_number end{negative, 1, power};
          result.push_back(from_bits<T>(bits(detail::reference_cast::encode<T>(end)) +
                                        static_cast<std::uint64_t>(static_cast<std::int64_t>(step))));
        }
  return result;
}

constexpr std::array policies{
    cast_desc{}, cast_desc{.cast_overflow = cast_overflow::wrap, .integer_narrowing = integer_narrowing::clamp}};

host_tensor converted(const auto& backend, const const_tensor_ref& input, data_type to, const cast_desc& desc) {
  host_tensor output({.data_type = to, .sizes = input.desc().sizes}, std::byte{0x5A});
  cast(backend, input, output.ref(), desc);
  return output;
}

template <class F>
void for_every_type(const F& f) {
  for (const data_type type :
       {data_type::float32, data_type::float16, data_type::int32, data_type::int16, data_type::int8, data_type::uint32,
        data_type::uint16, data_type::uint8, data_type::float64, data_type::int64, data_type::uint64})
    f(type);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("CAST on cpu: to every data type, on every instruction set", "[cpu][cast]", a11_types) {
  const auto elements = interesting<TestType>();
  const tensor_view<const TestType> x(elements, {static_cast<std::uint32_t>(elements.size())});
  for_every_type([&](data_type to) {
    for (const cast_desc& desc : policies) {
      CAPTURE(name_of(to), static_cast<int>(desc.cast_overflow));
      const host_tensor wanted = converted(reference, x, to, desc);
      for (const instruction_set set : all_instruction_sets)
        if (is_supported(set)) CHECK((converted(cpu.with(set), x, to, desc) == wanted));
    }
  });
}

// The numbers at which the results of all instruction sets may differ: each FLOAT16, halfway to the next one, and the
// FLOAT32 next to these; NaNs with each single bit of the payload, and with all.
TEST_CASE("CAST on cpu: FLOAT32 around every FLOAT16 and every boundary between two", "[cpu][cast]") {
  std::vector<float> x;
  for (std::uint32_t half = 0; half < 0x7C01; ++half) {
    // The magnitude of `half` in units of 2^-25; from 65520 on, 0x7C00 stands for 65536.
    const std::uint32_t exponent = half >> 10 == 0 ? 1 : half >> 10;
    const std::uint64_t significand = (half & 0x3FF) | (half >> 10 == 0 ? 0 : 0x400);
    const std::uint64_t number = significand << exponent;
    for (const std::uint64_t place : {number, number + (std::uint64_t{1} << (exponent - 1))}) {
      const auto pattern = bits(static_cast<float>(static_cast<std::int64_t>(place)) * 0x1p-25f);
      for (std::int64_t step = -2; step <= 2; ++step)
        for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{0x8000'0000}})
          if (static_cast<std::int64_t>(pattern) + step >= 0)
            x.push_back(from_bits<float>(static_cast<std::uint64_t>(static_cast<std::int64_t>(pattern) + step) | sign));
    }
  }
  for (const std::uint64_t infinity : {std::uint64_t{0x7F80'0000}, std::uint64_t{0xFF80'0000}}) {
    for (int bit = 0; bit < 23; ++bit) x.push_back(from_bits<float>(infinity | std::uint64_t{1} << bit));
    x.push_back(from_bits<float>(infinity));
    x.push_back(from_bits<float>(infinity | 0x007F'FFFF));
  }
  const tensor_view view(x, {static_cast<std::uint32_t>(x.size())});
  const host_tensor wanted = converted(reference, view, data_type::float16, {});
  for (const instruction_set set : all_instruction_sets)
    if (is_supported(set)) CHECK((converted(cpu.with(set), view, data_type::float16, {}) == wanted));
}

TEST_CASE("CAST on cpu: outputs that are streamed, at every place in a cache line", "[cpu][cast]") {
  const auto check = [](auto from, auto to) {
    using input = decltype(from);
    using output = decltype(to);
    for (const instruction_set set : all_instruction_sets) {
      if (!is_supported(set)) continue;
      const cpu_backend streaming = cpu.with(set).with(cpu_tuning{.streaming_from_bytes = 0});
      for (std::uint32_t count : {1u, 40u, 64u, 129u, 255u, 256u, 400u, 1000u})
        for (std::size_t place = 0; place <= 64 / sizeof(output); ++place) {
          std::vector<input> x(count);
          for (std::uint32_t i = 0; i < count; ++i) x[i] = static_cast<input>(static_cast<float>(i * 37 % 101));
          std::vector<output> wanted(count), memory(count + 200, static_cast<output>(77));
          cast(reference, x, wanted);
          cast(streaming, x, std::span(memory).subspan(place, count));
          for (std::size_t i = 0; i < memory.size(); ++i)
            if (bits(memory[i]) !=
                bits(i >= place && i < place + count ? wanted[i - place] : static_cast<output>(77)))
              FAIL(sizeof(output) << " bytes, place " << place << ", " << count << " elements, at " << i);
        }
    }
  };
  check(float{}, float16{});
  check(float16{}, float{});
  check(float{}, std::uint8_t{});
  check(std::uint8_t{}, double{});
  check(std::int64_t{}, std::int32_t{});
}

TEST_CASE("CAST on cpu: outputs of more than 4 MiB, on one and on two threads", "[cpu][cast]") {
  Eigen::ThreadPool pool(2);
  const std::uint32_t count = (5u << 20) + 13;
  std::vector<float> x(count);
  for (std::uint32_t i = 0; i < count; ++i) x[i] = from_bits<float>(std::uint64_t{i} * 2654435761u & 0xFFFF'FFFF);
  const tensor_view view(x, {count});
  for (const data_type to : {data_type::float16, data_type::uint8, data_type::float64}) {
    const host_tensor wanted = converted(reference, view, to, {});
    CHECK((converted(cpu, view, to, {}) == wanted));
    CHECK((converted(cpu.on(pool), view, to, {}) == wanted));
  }
}

TEST_CASE("CAST on cpu: flushing and other roundings of the processor change nothing", "[cpu][cast]") {
  const auto check = [](const auto& elements) {
    const tensor_view x(elements, {static_cast<std::uint32_t>(elements.size())});
    for_every_type([&](data_type to) {
      const host_tensor wanted = converted(reference, x, to, {});
      {
        const flush_subnormals flushing;
        CHECK((converted(cpu, x, to, {}) == wanted));
      }
      for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        const host_tensor got = converted(cpu, x, to, {});
        std::fesetround(FE_TONEAREST);
        CHECK((got == wanted));
      }
    });
  };
  check(interesting<float16>());
  check(interesting<float>());
  check(interesting<double>());
  check(interesting<std::int64_t>());
}

TEST_CASE("CAST on cpu: every layout, on two threads", "[cpu][cast]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend two_threads = cpu.on(pool).with(cpu_tuning{0, 0});
  const dimensions sizes{3, 5, 37};
  const auto check = [&]<class From, class To>(From, To) {
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts) {
        auto x = filled<From>(sizes, of_input, 0);
        auto wanted = filled<To>(sizes, of_output, 1);
        cast(reference, x.view(), wanted.view());
        for (const cpu_backend& backend : {cpu_backend(cpu), two_threads}) {
          auto y = filled<To>(sizes, of_output, 2);
          cast(backend, x.view(), y.view());
          CHECK(bits(y.elements()) == bits(wanted.elements()));
          CHECK(y.gaps_untouched());
        }
      }
  };
  check(float{}, float16{});
  check(float16{}, double{});
  check(double{}, std::uint8_t{});
  check(std::int8_t{}, float{});
  check(std::uint64_t{}, std::int16_t{});
  check(float{}, float{});
  check(std::uint8_t{}, std::uint8_t{});
}

TEST_CASE("CAST on cpu: every length around a block; a broadcast input", "[cpu][cast]") {
  for (std::uint32_t length = 1; length < 200; ++length) {
    std::vector<std::int16_t> x(length);
    for (std::uint32_t i = 0; i < length; ++i) x[i] = static_cast<std::int16_t>(7 * i - 300);
    CHECK((converted(cpu, tensor_view{x, {length}}, data_type::float16, {}) ==
           converted(reference, tensor_view{x, {length}}, data_type::float16, {})));
    CHECK((converted(cpu, tensor_view{x, {3, length}, {0, 1}}, data_type::uint8, {}) ==
           converted(reference, tensor_view{x, {3, length}, {0, 1}}, data_type::uint8, {})));
    CHECK((converted(cpu, tensor_view{x, {length, 3}, {0, 0}}, data_type::float64, {}) ==
           converted(reference, tensor_view{x, {length, 3}, {0, 0}}, data_type::float64, {})));
  }
}

TEST_CASE("CAST on cpu: refusals leave the output unchanged", "[cpu][cast]") {
  std::vector<float> memory(4, 1);
  const std::vector<std::int8_t> x(3, 2);
  CHECK(refusal_of([&] { cast(cpu, x, memory); }) == "CA3");
  CHECK(memory == std::vector<float>(4, 1));
}
