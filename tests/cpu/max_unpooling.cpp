// MAX_UNPOOLING on `cpu` gives the bytes of `reference`, or the same violation, with threads too.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/max_unpooling.hpp>
#include <goldml/reference/max_unpooling.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"
#include "moving.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;
using layouts::laid_out;
using layouts::strides_of;

// Distinct places, except that every `repeat`th is that of an earlier index; some out of range.
template <class Index>
std::vector<Index> indices_of(std::size_t count, std::size_t repeat) {
  std::vector<Index> result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = i % repeat == repeat - 1 ? i / 2 : i;
    result.push_back(static_cast<Index>(number * 7 % 211));  // distinct below 211
  }
  result[0] = (std::numeric_limits<Index>::max)();
  result[1] = static_cast<Index>((std::numeric_limits<Index>::max)() / 2 + 1);
  return result;
}

template <class T, class Index>
void check(const cpu_backend& backend, const dimensions& sizes, const dimensions& larger, std::size_t repeat) {
  const auto elements = indices_of<Index>(static_cast<std::size_t>(element_count(sizes)), repeat);
  for (const auto of_input : all_layouts)
    for (const auto of_output : all_layouts)
      for (const auto policy : {duplicates::refuse, duplicates::last_wins}) {
        const max_unpooling_desc desc{.duplicates = policy};
        auto input = filled<T>(sizes, of_input, 1);
        laid_out<Index> indices(sizes, strides_of(of_output, sizes), elements);
        auto wanted = filled<T>(larger, of_output, 2);
        auto y = filled<T>(larger, of_output, 2);
        const std::string refused =
            refusal_of([&] { max_unpooling(reference, input.view(), indices.view(), wanted.view(), desc); });
        CHECK(refusal_of([&] { max_unpooling(backend, input.view(), indices.view(), y.view(), desc); }) == refused);
        CHECK(refused == (policy == duplicates::refuse && repeat < elements.size() ? "MU4" : "none"));
        CHECK(bits(y.elements()) == bits(wanted.elements()));
        CHECK(y.gaps_untouched());
      }
}

}  // namespace

TEST_CASE("MAX_UNPOOLING on cpu: every layout and type of index, in each width", "[cpu][max_unpooling]") {
  Eigen::ThreadPool pool(2);
  const cpu_backend threads = cpu.with(cpu_tuning{0, 0}).on(pool);
  goldml_test::for_each_type(type_list<std::uint8_t, float16, float, std::int64_t>{}, [&]<class T>(
                                                                                          std::type_identity<T>) {
    goldml_test::for_each_type(type_list<std::uint32_t, std::uint64_t>{}, [&]<class Index>(std::type_identity<Index>) {
      for (const std::size_t repeat : {std::size_t{5}, std::size_t{1000}})
        for (const cpu_backend& backend : {cpu, threads}) {
          check<T, Index>(backend, {2, 3, 2, 2}, {2, 3, 3, 4}, repeat);
          check<T, Index>(backend, {1, 2, 5, 4}, {1, 2, 10, 12}, repeat);
          check<T, Index>(backend, {2, 3, 4, 2}, {1, 1, 1, 1}, 1000);
        }
    });
  });
}

TEST_CASE("MAX_UNPOOLING on cpu: a run-time call, and what is refused", "[cpu][max_unpooling]") {
  const std::vector<std::int64_t> input{1, 2, 3};
  const std::vector<std::uint64_t> indices{3, 0, 3};
  std::vector<std::int64_t> y(4, 9);
  const auto call = [&](const max_unpooling_desc& desc) {
    max_unpooling(cpu, const_tensor_ref(tensor_view{input, {1, 1, 1, 3}}),
                  const_tensor_ref(tensor_view{indices, {1, 1, 1, 3}}), tensor_ref(tensor_view{y, {1, 1, 2, 2}}), desc);
  };
  try {
    call({});
    FAIL("not refused");
  } catch (const error& refusal) {
    CHECK(refusal.violation().rule == "MU4");
    CHECK(refusal.violation().index == 2);
  }
  CHECK(y == std::vector<std::int64_t>(4, 9));
  call({.duplicates = duplicates::last_wins});
  CHECK(y == std::vector<std::int64_t>{2, 0, 0, 3});
}
