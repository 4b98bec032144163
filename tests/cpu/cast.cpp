// CAST on `cpu` gives the bytes of `reference` for all pairs of data types: every FLOAT16, numbers around every
// exponent and every integer type's ends, on every instruction set, under all policies, in all layouts.
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
