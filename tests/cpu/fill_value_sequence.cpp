// FILL_VALUE_SEQUENCE on `cpu` gives the bytes of `reference`, with threads too.
#include <cstdint>
#include <limits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <goldml/cpu/fill_value_sequence.hpp>
#include <goldml/reference/fill_value_sequence.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"
#include "moving.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::filled;

using integer_types = type_list<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                std::int64_t, std::uint64_t>;

template <class T>
void check(const cpu_backend& backend, const dimensions& sizes) {
  constexpr T least = (std::numeric_limits<T>::min)();
  constexpr T most = (std::numeric_limits<T>::max)();
  for (const auto& [start, delta] :
       {std::pair<T, T>{T(3), T(5)}, {most, most}, {least, T(-1)}, {T(7), T(most / 2 + 1)}})
    for (const auto each : all_layouts) {
      const fill_value_sequence_desc desc{.value_start = start, .value_delta = delta};
      auto wanted = filled<T>(sizes, each, 2);
      auto y = filled<T>(sizes, each, 3);
      fill_value_sequence(reference, wanted.view(), desc);
      fill_value_sequence(backend, y.view(), desc);
      CHECK(y.elements() == wanted.elements());
      CHECK(y.gaps_untouched());
    }
}

}  // namespace

TEST_CASE("FILL_VALUE_SEQUENCE on cpu: every layout and integer type", "[cpu][fill_value_sequence]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  goldml_test::for_each_type(integer_types{}, [&]<class T>(std::type_identity<T>) {
    for (const dimensions& sizes : {dimensions{1}, dimensions{300}, dimensions{4, 3, 5}, dimensions{2, 1, 3, 2, 2}}) {
      check<T>(cpu, sizes);
      check<T>(threads, sizes);
    }
  });
}

TEST_CASE("FILL_VALUE_SEQUENCE on cpu: floats", "[cpu][fill_value_sequence]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  constexpr float inf = std::numeric_limits<float>::infinity();
  const auto check = [&]<class T>(std::type_identity<T>, float start, float delta, const dimensions& sizes) {
    for (const auto policy : {sequence::multiply, sequence::accumulate})
      for (const auto each : all_layouts) {
        const fill_value_sequence_desc desc{
            .value_start = static_cast<T>(start), .value_delta = static_cast<T>(delta), .sequence = policy};
        auto wanted = filled<T>(sizes, each, 2);
        auto y = filled<T>(sizes, each, 3);
        auto z = filled<T>(sizes, each, 4);
        fill_value_sequence(reference, wanted.view(), desc);
        fill_value_sequence(cpu, y.view(), desc);
        fill_value_sequence(threads, tensor_ref(z.view()), desc);
        INFO(start << " + g * " << delta);
        CHECK(layouts::bits(y.elements()) == layouts::bits(wanted.elements()));
        CHECK(layouts::bits(z.elements()) == layouts::bits(wanted.elements()));
        CHECK((y.gaps_untouched() && z.gaps_untouched()));
      }
  };
  for (const auto& [start, delta] : std::vector<std::pair<float, float>>{
           {3, 2}, {0, 0.1F}, {-0.0F, -0.0F}, {-0.0F, 0.0F}, {1, -inf}, {inf, -inf}, {16777216, 1}, {16777215, 0.5F},
           {0x1p-100F, 5592405.5F}, {-0x1p-100F, 5592405.5F}, {-0.3F, 0.1F}, {0x1p-149F, 0x1p-149F}, {3e38F, 1e37F},
           {-1, 0x1p-60F}, {60000, 17.3F}, {0x1p-24F, 0x1p-24F}})
    for (const dimensions& sizes : {dimensions{300}, dimensions{4, 3, 5}}) {
      check(std::type_identity<float>{}, start, delta, sizes);
      check(std::type_identity<float16>{}, start, delta, sizes);
    }
  // Numbers of more than 16 bits.
  check(std::type_identity<float>{}, 0.37F, 1.2345678F, {70000});
  check(std::type_identity<float>{}, -40000, 0.61803399F, {70000});
}

TEST_CASE("FILL_VALUE_SEQUENCE on cpu: a run-time call", "[cpu][fill_value_sequence]") {
  std::vector<std::int16_t> y(4);
  fill_value_sequence(cpu, tensor_ref(tensor_view{y, {2, 2}}),
                      {.value_start = std::int16_t{10}, .value_delta = std::int16_t{-20000}});
  CHECK(y == std::vector<std::int16_t>{10, -19990, 25546, 5546});
}
