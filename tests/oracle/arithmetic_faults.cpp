// Interval verdicts tell wrong kernels from right ones: kernels in every legal order of evaluation are accepted, and
// wrong ones that a tolerance passes are noticed. docs/verdicts.md has the figures.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/tolerance.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "arithmetic_products.hpp"
#include "arithmetic_series.hpp"

using namespace trial;

namespace {

// The long run: GOLDML_VERDICTS is the file that the figures of docs/verdicts.md are written to
// (benchmarks/verdicts.py).
const char* figures_file() { return std::getenv("GOLDML_VERDICTS"); }
bool is_long() { return figures_file() != nullptr; }
using goldml_test::is_slow;
void note(const std::string& line) {
  fmt::print("verdicts: {}\n", line);
  if (const char* name = figures_file()) {
    static std::FILE* const file = std::fopen(name, "w");
    REQUIRE(file != nullptr);
    fmt::print(file, "{}\n", line);
    std::fflush(file);
  }
}

template <class T>
interval_place place(const oracle::golden& golden, std::size_t element, T got,
                     const oracle::compare_options& options = {}) {
  const oracle::golden_output& output = golden.answers.at(0).at(0);
  const T expected = output.values.ref().template as<T>()[coordinate_at(output.values.desc().sizes, element)];
  return oracle::place_of<T>(output, element, expected, got, options);
}

struct score {
  std::uint64_t outputs = 0;
  std::uint64_t outside = 0;
  std::uint64_t suspicious = 0;
  std::uint64_t toward_zero = 0;
  std::string first = {};  // of those outside
};

// A legal kernel of that order.
method drawn_method(random_source& random, order o, accumulation mode, steps how, bool has_sums) {
  return {.order = o,
          .steps = how,
          .cuts = mode != accumulation::half && random.chance(30),
          .scales_first = random.chance(30),
          .seed = random.bits(),
          .cuts_products = has_sums && random.chance(30),
          .reciprocal = random.chance(30) ? (random.chance(50) ? rcp_error : -rcp_error) : 0,
          .root = random.chance(30) ? (random.chance(50) ? rsq_error : -rsq_error) : 0};
}

// Runs every legal kernel of a call.
template <class T>
void add_legal(const call<T>& c, random_source& random, std::map<std::string, score>& scores, std::string_view name) {
  // Those are judged as half with half_products that round more than products of elements.
  const bool has_sums = name != "CUMULATIVE_PRODUCT" && name != "UPSAMPLE_2D" && name != "RNN" && name != "DIVIDE";
  for (const auto& [mode, text, how] : {std::tuple(accumulation::single, "", steps::single),
                                        std::tuple(accumulation::half_products, " half_products", steps::half_products),
                                        std::tuple(accumulation::half, " half", steps::half)}) {
    const oracle::golden golden = c.expect(mode);
    score& s = scores[fmt::format("{} {}{}", name, name_of(data_type_of<T>), text)];
    for (const order o : orders) {
      const method k = drawn_method(random, o, mode, how, has_sums);
      for (const std::size_t element : c.elements) {
        const T got = c.result(element, fault::none, k);
        const interval_place where = place(golden, element, got);
        ++s.outputs;
        if (where == interval_place::outside) {
          if (++s.outside == 1)
            s.first = fmt::format("order {}{}: {} for {}", static_cast<int>(o), k.scales_first ? ", scales first" : "",
                                  static_cast<float>(got), c.value(element, fault::none, {.steps = steps::real}));
        }
        if (where == interval_place::suspicious) ++s.suspicious;
        if (where == interval_place::toward_zero) ++s.toward_zero;
      }
    }
  }
}

// Whether verdicts on integers are exact: always, or if n is a power of two, or never.
enum class exactness { always, powers_of_two, never };

// The calls under test. n is the number of terms of an output element.
template <class T>
struct maker {
  std::string_view name;
  std::function<call<T>(random_source&, data, std::size_t n)> make;
  exactness exact;

  bool is_exact(std::size_t n) const {
    return exact == exactness::always || (exact == exactness::powers_of_two && std::has_single_bit(n));
  }
};

template <class T>
std::vector<maker<T>> makers() {
  using enum exactness;
  std::vector<maker<T>> result;
  const auto add_reduction = [&](std::string_view name, reduce_function f, exactness exact) {
    const auto make = [f](random_source& random, data kind, std::size_t n) {
      return reduction<T>(random, kind, f, 8, n);
    };
    result.push_back({name, make, exact});
  };
  add_reduction("SUM", reduce_function::sum, always);
  add_reduction("AVERAGE", reduce_function::average, powers_of_two);
  add_reduction("L1", reduce_function::l1, always);
  add_reduction("SUM_SQUARE", reduce_function::sum_square, always);
  add_reduction("L2", reduce_function::l2, never);
  result.push_back({"GEMM", product<T>, always});
  result.push_back({"CONVOLUTION", convolution_call<T>, always});
  result.push_back({"CUMULATIVE_SUMMATION", cumulative<T, cumulative_summation_desc>, always});
  result.push_back({"CUMULATIVE_PRODUCT", cumulative<T, cumulative_product_desc>, always});
  result.push_back({"UPSAMPLE_2D", upsampling<T>, always});
  result.push_back({"SOFTMAX1", softmax<T>, never});
  result.push_back({"RNN", recurrent<T>, never});
  result.push_back({"DIVIDE", division<T>, never});
  return result;
}

template <class T>
bool is_changed(T got, double right) {
  return got != stored<T>(right, false) && got != stored<T>(right, true);
}

// How results of a kernel are judged.
struct rate {
  std::uint64_t outside = 0;
  std::uint64_t suspected = 0;  // outside or suspicious
  std::vector<double> errors;   // relative, of all

  std::size_t outputs() const { return errors.size(); }
  double percent(std::uint64_t count) const {
    return outputs() == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(outputs());
  }
  double percent_outside() const { return percent(outside); }
  double percent_suspected() const { return percent(suspected); }
  double percent_beyond(double tolerance) const {
    const auto beyond = [&](double error) { return !(error <= tolerance); };
    return percent(static_cast<std::uint64_t>(std::count_if(errors.begin(), errors.end(), beyond)));
  }
  double greatest_error() const { return errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end()); }
};

// Adds the results of a kernel, of a wrong one those whose real result is wrong.
template <class T>
void add_results(const call<T>& c, const oracle::golden& golden, fault f, const method& k, rate& r) {
  for (const std::size_t i : c.elements) {
    const double right = c.value(i, fault::none, {.steps = steps::real});
    if (f != fault::none && c.value(i, f, {.steps = steps::real}) == right) continue;
    const T got = c.result(i, f, k);
    const interval_place where = place(golden, i, got);
    if (where == interval_place::outside) ++r.outside;
    if (where <= interval_place::suspicious) ++r.suspected;
    const double error = std::abs(wide(got) - right);
    r.errors.push_back(error == 0 ? 0 : error / std::abs(right));
  }
}

const std::array<std::size_t, 5> lengths{16, 256, 1024, 4096, 20000};
// What legal kernels give for finite elements, and how many of them a tolerance and a tenth of it refuse.
template <class T>
void check_tolerance(const maker<T>& m, random_source& random, std::uint64_t& refused_by_a_tenth) {
  struct result {
    T golden, got;
  };
  std::vector<result> results;
  oracle::tolerance_search search;
  std::uint64_t infinite = 0;
  for (int i = 0; i < 4; ++i) {
    const auto kind = static_cast<data>(random.below(5));  // before the length, with every compiler
    const call<T> c = m.make(random, kind, 1 + random.below(40));
    const oracle::golden golden = c.expect(accumulation::single);
    search.add(golden);
    const auto values = golden.answers[0][0].values.ref().template as<T>();
    for (const order o : orders) {
      const method k = drawn_method(random, o, accumulation::single, steps::single, true);
      for (const std::size_t element : c.elements) {
        const result r{values[coordinate_at(values.sizes(), element)], c.result(element, fault::none, k)};
        if (std::isfinite(wide(r.golden)) && std::isfinite(wide(r.got)))
          results.push_back(r);
        else
          ++infinite;
      }
    }
  }
  const oracle::tolerance t = search.found().at(0);
  std::uint64_t refused = 0, tenth = 0;
  for (const result& r : results) {
    const double error = std::abs(wide(r.got) - wide(r.golden)), size = std::abs(wide(r.golden));
    if (!(error <= t.absolute + t.relative * size) || !(error <= t.absolute_alone) ||
        (std::isfinite(t.relative_alone) && !(error <= t.relative_alone * size)) ||
        *oracle::ulp_distance(r.golden, r.got) > t.ulp)
      ++refused;
    if (!(error <= (t.absolute + t.relative * size) / 10)) ++tenth;
  }
  note(fmt::format("tolerance\t{} {}\t{:.3g}\t{:.3g}\t{}\t{}\t{}", m.name, name_of(data_type_of<T>), t.absolute,
                   t.relative, t.ulp, results.size(), tenth));
  INFO(m.name);
  CHECK(refused == 0);
  CHECK(!results.empty());
  CHECK((infinite == 0 || t.open + t.nans + t.exact > 0));
  CHECK(t.width >= 1);
  refused_by_a_tenth += tenth;
}

// A legal method, by number.
method legal_method(std::uint64_t number) {
  return {.order = orders[number % orders.size()], .scales_first = number % 3 == 0, .seed = number};
}

template <class T>
void check_exact_data() {
  random_source random(2);
  for (const maker<T>& m : makers<T>())
    for (const std::size_t n : lengths) {
      if (is_slow && n > 1024) continue;
      if (!m.is_exact(n)) continue;
      std::map<fault, std::array<std::uint64_t, 3>> counts;
      const int calls = is_long() ? 40 : n <= 1024 ? 8 : 2;
      for (int i = 0; i < calls; ++i) {
        const call<T> c = m.make(random, data::integers, n);
        const oracle::golden golden = c.expect(accumulation::single);
        for (const fault f : c.faults) {
          const method k = legal_method(random.below(1000));
          for (const std::size_t element : c.elements) {
            const double right = c.value(element, fault::none, {.steps = steps::real});
            const T got = c.result(element, f, k);
            ++counts[f][0];
            if (!is_changed(got, right)) continue;
            ++counts[f][1];
            if (place(golden, element, got) == interval_place::outside) ++counts[f][2];
          }
        }
      }
      for (const auto& [f, count] : counts) {
        INFO(m.name << " " << name_of(data_type_of<T>) << " of " << n << ": " << text_of(f));
        note(fmt::format("exact\t{} {}\t{}\t{}\t{}\t{}\t{}", m.name, name_of(data_type_of<T>), text_of(f), n, count[0],
                         count[1], count[2]));
        CHECK(count[2] == count[1]);
        if (std::is_same_v<T, float>) CHECK(count[1] > 0);
      }
    }
}

}  // namespace

TEST_CASE("verdicts: no legal order of evaluation is called wrong", "[oracle]") {
  std::map<std::string, score> scores;
  random_source random(1);
  const auto add = [&]<class T>(const maker<T>& m) {
    const std::size_t n = 1 + random.below(random.chance(5) ? 3000 : 40);
    add_legal(m.make(random, static_cast<data>(random.below(5)), n), random, scores, m.name);
  };
  const std::uint64_t least = is_long() ? 3'000'000 : is_slow ? 40'000 : 200'000;
  for (std::uint64_t outputs = 0; outputs < least;) {
    for (const auto& m : makers<float>()) add(m);
    for (const auto& m : makers<float16>()) add(m);
    outputs = 0;
    for (const auto& [key, s] : scores) outputs += s.outputs;
  }
  for (const auto& [key, s] : scores) {
    note(fmt::format("legal\t{}\t{}\t{}\t{}\t{}", key, s.outputs, s.outside, s.suspicious, s.toward_zero));
    INFO(key << ": " << s.first);
    CHECK(s.outside == 0);
    CHECK(s.outputs > 0);
  }
}

namespace {

// Checks that the intervals of each precision lie within those of the next: single, half_products, half.
template <class T>
void check_nested_precisions() {
  random_source random(11);
  for (const maker<T>& m : makers<T>()) {
    // A FLOAT32 is rounded toward zero with half_products, which half does not: more if there are few roundings else.
    if (std::is_same_v<T, float> && (m.name == "CUMULATIVE_PRODUCT" || m.name == "SOFTMAX1")) continue;
    for (const data kind : {data::normal, data::one_sign, data::integers})
      for (const std::size_t n : {std::size_t{5}, std::size_t{64}, std::size_t{700}}) {
        const call<T> c = m.make(random, kind, n);
        const std::array all{c.expect(accumulation::single), c.expect(accumulation::half_products),
                             c.expect(accumulation::half)};
        for (const std::size_t element : c.elements) {
          const auto ends = [&](const oracle::golden& golden) {
            const oracle::golden_output& output = golden.answers.at(0).at(0);
            const interval* const allowed = output.verdicts.interval_of(element);
            const T value = output.values.ref().template as<T>()[coordinate_at(output.values.desc().sizes, element)];
            const auto number = static_cast<float>(wide(value));
            return allowed != nullptr ? std::pair(allowed->low, allowed->high) : std::pair(number, number);
          };
          const auto [single_low, single_high] = ends(all[0]);
          const auto [products_low, products_high] = ends(all[1]);
          const auto [half_low, half_high] = ends(all[2]);
          INFO(m.name << " " << name_of(data_type_of<T>) << " of " << n << ", element " << element);
          CHECK(half_low <= products_low);
          CHECK(products_low <= single_low);
          CHECK(single_high <= products_high);
          CHECK(products_high <= half_high);
        }
      }
  }
}

}  // namespace

TEST_CASE("T1: every legal kernel passes with the tolerance, and with a tenth of it some do not", "[oracle]") {
  random_source random(5);
  std::uint64_t tenth = 0, tenth_of_halves = 0;
  for (const auto& m : makers<float>()) check_tolerance(m, random, tenth);
  for (const auto& m : makers<float16>()) check_tolerance(m, random, tenth_of_halves);
  CHECK(tenth > 100);
  CHECK(tenth_of_halves > 100);
}

TEST_CASE("A3: the interval of half_products lies between those of single and half", "[oracle]") {
  check_nested_precisions<float>();
  check_nested_precisions<float16>();
}

TEST_CASE("A3: half accumulation is refused by half_products, and suspicious in REDUCE's half", "[oracle]") {
  random_source random(12);
  std::uint64_t changed = 0, refused = 0, suspicious = 0, refused_of_products = 0;
  for (int i = 0; i < 20; ++i) {
    const call<float16> c = reduction<float16>(random, data::counts, reduce_function::sum_square, 1, 2000);
    const method serial{.steps = steps::half}, products{.steps = steps::half_products, .cuts_products = i % 2 == 0};
    const float16 got = c.result(0, fault::none, serial);
    const oracle::golden half = c.expect(accumulation::half);
    if (is_changed(got, c.value(0, fault::none, {.steps = steps::real}))) {
      ++changed;
      if (place(c.expect(accumulation::half_products), 0, got) == interval_place::outside) ++refused;
      if (place(half, 0, got) == interval_place::suspicious) ++suspicious;
    }
    if (place(half, 0, c.result(0, fault::none, products)) <= interval_place::suspicious) ++refused_of_products;
  }
  CHECK(changed > 10);
  CHECK(refused == changed);
  CHECK(suspicious == changed);
  CHECK(refused_of_products == 0);
}

TEST_CASE("verdicts: every wrong term is noticed on integers", "[oracle]") {
  check_exact_data<float>();
  check_exact_data<float16>();
}

TEST_CASE("verdicts: accumulation in FLOAT16 is noticed where products need more bits, or sums grow", "[oracle]") {
  constexpr std::size_t n = 256;
  input<float16> a{std::vector<float16>(n), sizes_of(1, 1, 1, n)};
  input<float16> b{std::vector<float16>(n), sizes_of(1, 1, n, 1)};
  for (std::size_t i = 0; i < n; ++i) {  // 127 * 129 - 128 * 128 = -1
    a.elements[i] = held<float16>(i % 2 == 0 ? 127 : 128);
    b.elements[i] = held<float16>(i % 2 == 0 ? 129 : -128);
  }
  summation s;
  for (std::size_t i = 0; i < n; ++i) s.terms.push_back({a[i], b[i]});
  const oracle::golden products =
      expected<float16>(gemm_desc{}, accumulation::single, {a.ref(), b.ref(), {}}, sizes_of(1, 1, 1, 1));
  for (const order o : orders) {
    CAPTURE(static_cast<int>(o));
    CHECK(stored<float16>(value_of({.order = o}, s), false) == held<float16>(-128));
    CHECK(place(products, 0, held<float16>(-128)) == interval_place::usual);
    CHECK(place(products, 0, stored<float16>(value_of({.order = o, .steps = steps::half}, s), false)) ==
          interval_place::outside);
  }

  const input<float16> ones{std::vector<float16>(4096, held<float16>(1)), sizes_of(1, 4096)};
  const auto sum_of_ones = [&](accumulation mode) {
    return expected<float16>(reduce_desc{.function = reduce_function::sum, .axes = {1}}, mode, {ones.ref()}, {1, 1});
  };
  const summation counted{std::vector<term>(4096, term{1})};
  const auto serial = stored<float16>(value_of({.steps = steps::half}, counted), false);
  CHECK(serial == held<float16>(2048));
  CHECK(place(sum_of_ones(accumulation::single), 0, serial) == interval_place::outside);
  CHECK(place(sum_of_ones(accumulation::half), 0, serial) != interval_place::outside);
}

TEST_CASE("verdicts: a missing term of a long sum is within a tolerance of 1e-5, and noticed in integers", "[oracle]") {
  random_source random(6);
  constexpr std::size_t n = 1 << 20;
  const call<float> c = reduction<float>(random, data::counts, reduce_function::sum, is_slow ? 2 : 8, n);
  const oracle::golden golden = c.expect(accumulation::single);
  for (const fault f : {fault::none, fault::missing_last, fault::doubled, fault::off_by_one}) {
    rate r;
    add_results(c, golden, f, {.order = order::lanes}, r);
    note(fmt::format("long\t{}\t{}\t{}\t{:.0f}\t{:.0f}", f == fault::none ? "right" : text_of(f), n, r.outputs(),
                     r.percent_outside(), r.percent_beyond(1e-5)));
    CHECK(r.outputs() > 0);
    CHECK(r.percent_outside() == (f == fault::none ? 0 : 100));
    CHECK(r.percent_beyond(1e-5) == 0);
  }
}

namespace {

// Sums of subnormal numbers by accumulators that flush: how many of those that are not 0 are accepted.
template <class T>
std::uint64_t count_accepted(accumulation mode, const oracle::compare_options& options) {
  random_source random(4);
  std::uint64_t accepted = 0;
  const call<T> c = reduction<T>(random, data::subnormal, reduce_function::sum, 50, 20);
  const oracle::golden golden = c.expect(mode);
  for (const std::size_t i : c.elements) {
    if (c.value(i, fault::none, {.steps = steps::real}) == 0) continue;
    const T kept = c.result(i, fault::none, {.steps = std::is_same_v<T, float> ? steps::single : steps::half});
    CHECK(place(golden, i, kept, options) == interval_place::usual);
    const T flushed =
        c.result(i, fault::none, {.steps = std::is_same_v<T, float> ? steps::single : steps::half, .flushes = true});
    CHECK(wide(flushed) == 0);
    if (place(golden, i, flushed, options) != interval_place::outside) ++accepted;
  }
  return accepted;
}

}  // namespace

TEST_CASE("verdicts: flushed accumulators are noticed where flushing is not allowed", "[oracle]") {
  CHECK(count_accepted<float16>(accumulation::single, {}) == 0);
  CHECK(count_accepted<float16>(accumulation::half, {}) == 0);
  CHECK(count_accepted<float>(accumulation::single, oracle::compare_options::strict()) == 0);
  CHECK(count_accepted<float>(accumulation::single, {}) > 0);  // as Direct3D permits
}

namespace {

// The tolerance that is usual for the type.
template <class T>
constexpr double usual_tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-3;

// The rates of one operator, kind of data, and length, by what the kernel does.
template <class T>
std::map<std::string, rate> rates_of(const maker<T>& m, data kind, std::size_t n, std::size_t outputs) {
  std::map<std::string, rate> rates;
  random_source random(n);
  for (std::size_t done = 0; done < outputs;) {
    const call<T> c = m.make(random, kind, n);
    const oracle::golden golden = c.expect(accumulation::single);
    for (std::size_t i = 0; i < orders.size(); ++i)
      add_results(c, golden, fault::none, legal_method(i), rates["right"]);
    for (const fault f : c.faults)
      add_results(c, golden, f, legal_method(random.below(1000)), rates[std::string(text_of(f))]);
    add_results(c, golden, fault::none, {.steps = steps::half}, rates["FLOAT16 accumulation, serial"]);
    add_results(c, golden, fault::none, {.order = order::pairwise, .steps = steps::half},
                rates["FLOAT16 accumulation, pairwise"]);
    done += c.elements.size();
  }
  return rates;
}

template <class T>
void check_rates(const maker<T>& m, data kind, std::string_view kind_name, std::size_t n) {
  const std::size_t outputs = is_long() ? (n <= 1024 ? 2000 : 1000) : n > 1024 ? 32 : is_slow && n != 256 ? 80 : 200;
  const std::map<std::string, rate> rates = rates_of(m, kind, n, outputs);
  const double needed = rates.at("right").greatest_error();
  for (const auto& [what, r] : rates) {
    INFO(m.name << " " << name_of(data_type_of<T>) << " of " << n << " " << kind_name << ": " << what);
    note(fmt::format("rate\t{} {}\t{}\t{}\t{}\t{}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.3g}", m.name,
                     name_of(data_type_of<T>), kind_name, n, what, r.outputs(), r.percent_outside(),
                     r.percent_suspected(), r.percent_beyond(usual_tolerance<T>), r.percent_beyond(needed), needed));
    if (what == "right") CHECK(r.outside == 0);
    // Of FLOAT16, a term may be less than a unit in the last place of a large sum.
    const bool one_term = what == "last element missing" || what == "a term counted twice";
    const bool sums = m.name == "SUM" || m.name == "GEMM";
    // Terms of one sign saturate RNN's tanh, which may be off by 1e-5 (AR-R10, the option functions close).
    const bool saturates = m.name == "RNN" && kind == data::one_sign;
    if (n == 256 && one_term && (std::is_same_v<T, float> || sums))
      CHECK(r.percent_suspected() >= (sums ? 95 : saturates ? 50 : 90));
  }
}

}  // namespace

TEST_CASE("verdicts: rates at which wrong kernels are noticed on random data", "[oracle]") {
  const auto in_every_length = [](std::string_view name) { return name == "SUM" || name == "GEMM"; };
  for (const std::size_t n : lengths) {
    if (is_slow && n > 1024) continue;
    for (const auto& m : makers<float>()) {
      if (n != 256 && !in_every_length(m.name)) continue;
      check_rates(m, data::normal, "normal", n);
      check_rates(m, data::one_sign, "one sign", n);
    }
    for (const auto& m : makers<float16>())
      if (n == 256 || in_every_length(m.name)) check_rates(m, data::normal, "normal", n);
  }
}

namespace {

// The picture of docs/verdicts.md: how far the results of kernels are from the exact one, and what is allowed.
void draw_picture() {
  struct panel {
    std::string_view name;
    data kind;
  };
  for (const panel& each :
       {panel{"cancels", data::normal}, {"one sign", data::one_sign}, {"integers", data::integers}}) {
    const data kind = each.kind;
    random_source random(5);
    const call<float> c = reduction<float>(random, kind, reduce_function::sum, 200, 1024);
    const oracle::golden golden = c.expect(accumulation::single);
    // Of the sums that cancel, the one that is nearest to 0.01.
    const auto real = [&](std::size_t e, fault f) { return c.value(e, f, {.steps = steps::real}); };
    const std::size_t e = *std::min_element(c.elements.begin(), c.elements.end(), [&](std::size_t p, std::size_t q) {
      return kind == data::normal &&
             std::abs(std::abs(real(p, fault::none)) - 0.01) < std::abs(std::abs(real(q, fault::none)) - 0.01);
    });
    const double right = real(e, fault::none);
    const interval* allowed = golden.answers.at(0).at(0).verdicts.interval_of(e);
    const auto draw = [&](std::string_view what, double distance) {
      note(fmt::format("picture\t{}\t{}\t{:.9g}", each.name, what, distance));
    };
    draw("result", std::abs(right));
    draw("interval", allowed == nullptr ? 0 : (double{allowed->high} - double{allowed->low}) / 2);
    draw("usual", allowed == nullptr ? 0 : (double{allowed->usual_high} - double{allowed->usual_low}) / 2);
    for (const order o : orders) draw("right", std::abs(c.value(e, fault::none, {.order = o, .seed = 9}) - right));
    for (const fault f : {fault::missing_last, fault::doubled, fault::off_by_one, fault::missing_tile})
      draw(text_of(f), std::abs(c.value(e, f, {}) - right));
    draw("FLOAT16 accumulation", std::abs(c.value(e, fault::none, {.steps = steps::half}) - right));
  }
}

}  // namespace

TEST_CASE("verdicts: the figures of the picture", "[oracle]") {
  if (is_long()) draw_picture();
}

TEST_CASE("verdicts: the interval of a sum that cancels is far narrower than a tolerance", "[oracle]") {
  const std::size_t sums = is_long() ? 100'000 : 4000;
  for (const data kind : {data::normal, data::one_sign}) {
    random_source random(3);
    double needed = 0;      // the relative tolerance that passes all
    double magnitudes = 0;  // of the results
    double widths = 0;
    double usual_widths = 0;
    double greatest_share = 0;  // of the error in the bound
    double greatest_usual_share = 0;
    double errors = 0;
    for (std::size_t i = 0; i < sums; i += 100) {
      const call<float> c = reduction<float>(random, kind, reduce_function::sum, 100, 1024);
      const oracle::golden golden = c.expect(accumulation::single);
      for (const std::size_t e : c.elements) {
        const double right = c.value(e, fault::none, {.steps = steps::real});
        const interval* allowed = golden.answers.at(0).at(0).verdicts.interval_of(e);
        REQUIRE(allowed != nullptr);
        const double width = double{allowed->high} - double{allowed->low};
        const double usual = double{allowed->usual_high} - double{allowed->usual_low};
        widths += width;
        usual_widths += usual;
        magnitudes += std::abs(right);
        for (const order o : orders) {
          const double error = std::abs(c.value(e, fault::none, {.order = o, .seed = random.bits()}) - right);
          needed = (std::max)(needed, error / std::abs(right));
          greatest_share = (std::max)(greatest_share, error / (width / 2));
          greatest_usual_share = (std::max)(greatest_usual_share, error / (usual / 2));
          errors += error;
        }
      }
    }
    const auto count = static_cast<double>(sums);
    const double tolerance_width = 2 * needed * magnitudes / count;
    const double ratio = widths / count / tolerance_width;
    note(fmt::format("width\t{}\t{}\t{:.3g}\t{:.3g}\t{:.3g}\t{:.3g}\t{:.3g}\t{:.3g}\t{:.3g}\t{:.3g}",
                     kind == data::normal ? "normal" : "one sign", sums, needed, tolerance_width, widths / count,
                     usual_widths / count, ratio, greatest_share, greatest_usual_share,
                     errors / count / static_cast<double>(orders.size())));
    if (kind == data::normal) CHECK(ratio <= (is_long() ? 0.1 : 1));
    CHECK(greatest_usual_share < 1);
  }
}
