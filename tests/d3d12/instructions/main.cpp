// Measures an adapter's own instructions, and functions as compilers expand them, by the bounds that judge operators,
// and prints the tables of docs/verdicts.md. Status 1: a result is outside of a bound; 77: no driver.
//   test_d3d12_instructions [COUNT]   of FLOAT32 arguments beside all of FLOAT16, in steps of 65536, which is the
//   default
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <goldml/arithmetic/elementary_bounds.hpp>
#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/d3d12/runtime/dispatch.hpp>
#include <goldml/oracle/verdicts/cast.hpp>
#include <goldml/oracle/verdicts/element_wise_pairs.hpp>
#include <goldml/oracle/verdicts/element_wise_values.hpp>

#include "../gpu.hpp"
#include "../shaders/instructions.dxbc.hpp"

namespace {

using namespace goldml;
using arithmetic::elementary, arithmetic::granted, formula::device_number, formula::possible;
using goldml::detail::cast_freedom, goldml::detail::cast_source, goldml::detail::widened;

constexpr std::uint32_t chunk = 65536;
using mode = const arithmetic_mode&;
constexpr arithmetic_mode keeping{}, flushing{.flushes = true};  // of FLOAT32 subnormals

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
float zero_of(float x) { return goldml::detail::flushed(x); }
bool is_subnormal(float x) { return !is_zero(x) && is_zero(zero_of(x)); }
bool is_number(double x) { return goldml::detail::is_finite_double(x); }
bool same(float a, float b) {
  return is_nan(a) ? is_nan(b) : std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// The arguments: all of FLOAT16; pairs of special numbers; then bits of any exponent and of 2^-24 to 2^24 in turn.
using words = std::array<std::uint32_t, 3>;
words arguments(std::uint64_t i) {
  static constexpr std::uint32_t specials[] = {
      0,          1,          2,          255,        256,        257,        0x7FFFFF,   0x800000,   0x800001,
      0x1000000,  0x33000000, 0x33000001, 0x33800000, 0x387FE000, 0x38800000, 0x3EAAAAAB, 0x3F000000, 0x3F7FFFFF,
      0x3F800000, 0x3F800001, 0x3FC90FDB, 0x40000000, 0x40400000, 0x40490FDB, 0x41200000, 0x42B17218, 0x439D1463,
      0x45001000, 0x477FE000, 0x477FEFFF, 0x477FF000, 0x4B800001, 0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF, 0x4F800000,
      0x5F000000, 0x7E800000, 0x7EFFFFFF, 0x7F7FFFFF, 0x7F800000, 0x7FC00000};
  constexpr std::uint64_t count = 2 * std::size(specials);  // of either sign
  const auto special = [&](std::uint64_t k) {
    return specials[k % count / 2] | static_cast<std::uint32_t>(k % 2) << 31;
  };
  const auto half = [](std::uint64_t k) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<float16>(static_cast<std::uint16_t>(k))));
  };
  if (i < chunk) return {half(i), half(i * 40503 + 12345), half(i * 30011 + 999)};
  if (i -= chunk; i < count * count) return {special(i), special(i / count), special(i * 7)};
  std::uint64_t mixed = i * 0x9E37'79B9'7F4A'7C15;
  mixed = (mixed ^ mixed >> 29) * 0xBF58'476D'1CE4'E5B9;
  words result{static_cast<std::uint32_t>(i * 0x9E37'79B1), static_cast<std::uint32_t>(mixed),
               static_cast<std::uint32_t>(mixed >> 32)};
  if (i % 2 == 1)
    for (std::uint32_t& bits : result) bits = (bits & 0x807F'FFFF) | (103 + (bits >> 23) % 48) << 23;
  if (i % 8 == 1) result[2] = std::bit_cast<std::uint32_t>(-as_float(result[0]) * as_float(result[1]));
  return result;
}

// Results that are known to be outside of a bound.
struct exception {
  std::string_view text = {};
  bool (*is)(float a, float got) = [](float, float) { return false; };
  bool of_llvmpipe = true;  // Mesa's software adapter, and no other
};
constexpr exception subnormal_logarithm{"-127 and the bits", [](float a, float) { return is_subnormal(a); }};
constexpr exception powers{"0 of NaN and of 0^-b, logarithms of subnormals", [](float a, float got) {
                             return is_subnormal(a) || ((is_nan(a) || is_zero(a)) && is_zero(got));
                           }};
// The greater power is an infinity, or its reciprocal is flushed.
constexpr exception great_powers{"NaN from 88.7 on, 0 from 87.3 to there",
                                 [](float a, float got) {
                                   return is_nan(got) ? std::abs(a) > 88.7F
                                                      : is_zero(got) && std::abs(a) > 87.3F && std::abs(a) < 88.73F;
                                 },
                                 false};

// A function to within an error.
struct operands {
  double a, b, c;
};
struct function {
  std::string_view name, text;
  double (*exact)(const operands&);
  // What a device may have of it; of several sets the one with `got`.
  possible (*set)(const operands&, mode, granted, float got);
  exception except = {};
};

bool holds(const possible& set, float value) {
  const interval allowed = formula::interval_of<float>(device_number(set, keeping)).allowed;
  return place_in(allowed, value) != interval_place::outside;
}

template <elementary F>
constexpr function of_operator(std::string_view name, std::string_view text, const exception& except = {}) {
  return {name, text, [](const operands& o) { return arithmetic::elementary_value(F, o.a).value; },
          [](const operands& o, mode m, granted what, float) {
            return arithmetic::elementary_bounds(F, m, what).over(possible::of(o.a));
          },
          except};
}

// A formula of operations that Direct3D bounds, of doubles and of a device's numbers.
template <class F>
constexpr function of_steps(std::string_view name, std::string_view text, F) {
  return {name, text, [](const operands& o) { return F{}(o.a, o.b, o.c); },
          [](const operands& o, mode m, granted what, float) {
            return F{}(device_number(o.a, m), device_number(o.b, m), device_number(o.c, m)).of(what);
          }};
}

double log2_exactly(double x) { return arithmetic::elementary_value(elementary::log, x).value / arithmetic::ln2; }
double exp2_exactly(double x) { return arithmetic::exp(x * arithmetic::ln2); }

// As Direct3D bounds them: 2^-21, relatively, and of logarithms within 1 absolutely.
possible exp2_of(const possible& element, mode m) {
  const auto own = [&](double x, double y) { return is_zero(x) ? 0 : y * arithmetic::error_of_exp(0, m); };
  possible y = formula::increasing(formula::read_element(element, m), exp2_exactly, own);
  if (!y.none()) y.low = (std::max)(y.low, 0.0);
  return formula::settled(y, m);
}
possible log2_of(const possible& element, mode m) {
  const possible x = formula::read_element(element, m);
  possible y = formula::log_of(x, m);  // NaN and infinities
  const auto end = [&](double v, double sign) {
    const double l = log2_exactly(v);
    return l + sign * (std::max)(1.0, std::abs(l)) * arithmetic::error_of_exp(0, m);
  };
  if (y.none()) return y;
  y.low = x.low > 0 ? end(x.low, -1) : -formula::infinity;
  y.high = end(x.high, 1);
  return y;
}

// The first cases of instructions.hlsl.
constexpr function functions[] = {
    of_steps("add", "a + b", [](auto a, auto b, auto) { return a + b; }),
    of_steps("mul", "a * b", [](auto a, auto b, auto) { return a * b; }),
    of_steps("mad", "a * b + c", [](auto a, auto b, auto c) { return a * b + c; }),
    of_steps("div", "a / b", [](auto a, auto b, auto) { return a / b; }),
    of_operator<elementary::recip>("rcp", "1 / a"),
    of_operator<elementary::sqrt>("sqrt", "root of a"),
    {"rsq", "1 / root of a", [](const operands& o) { return 1 / std::sqrt(o.a); },
     [](const operands& o, mode m, granted what, float) {
       possible y = rsqrt(device_number(o.a, m)).of(what);
       y.flag(interval_also::negative_infinity,
              std::signbit(o.a) && (is_zero(o.a) || (m.flushes && std::abs(o.a) < 0x1p-126)));
       return y;
     }},
    {"exp", "2^a", [](const operands& o) { return exp2_exactly(o.a); },
     [](const operands& o, mode m, granted, float) { return exp2_of(possible::of(o.a), m); }},
    {"log", "log2 a", [](const operands& o) { return log2_exactly(o.a); },
     [](const operands& o, mode m, granted, float) { return log2_of(possible::of(o.a), m); }, subnormal_logarithm},
    of_operator<elementary::sin>("sincos", "sine"),
    of_operator<elementary::cos>("sincos", "cosine"),
    of_operator<elementary::exp>("EXP", "2^(a log2 e)"),
    of_operator<elementary::log>("LOG", "log2 a * ln 2", subnormal_logarithm),
    of_operator<elementary::tan>("TAN", "sin a / cos a"),
    of_operator<elementary::asin>("ASIN", "pi/2 - acos"),
    of_operator<elementary::acos>("ACOS", "root of (1 - a) * cubic"),
    of_operator<elementary::atan>("ATAN", "polynomial of a or 1/a"),
    {"ATAN_YX", "ATAN of a / b, and quadrant", [](const operands& o) { return arithmetic::angle_double(o.a, o.b); },
     [](const operands& o, mode m, granted what, float got) {
       const auto sets = goldml::detail::pair_bounds<element_wise_op::atan_yx, float>(m, what).of(o.a, o.b);
       const auto found = std::find_if(sets.begin(), sets.end(), [&](const possible& p) { return holds(p, got); });
       return found == sets.end() ? sets[0] : *found;
     }},
    of_operator<elementary::sinh>("SINH", "(e^a - e^-a) / 2"),
    of_operator<elementary::cosh>("COSH", "(e^a + e^-a) / 2"),
    of_operator<elementary::tanh>("TANH", "1 - 2 / (e^2a + 1)"),
    of_operator<elementary::tanh>("TANH", "(e^a - e^-a) / (e^a + e^-a)", great_powers),
    {"POW", "2^(b log2 |a|)", [](const operands& o) { return exp2_exactly(o.b * log2_exactly(std::abs(o.a))); },
     [](const operands& o, mode m, granted, float) {
       const possible w =
           formula::product_of(formula::read_element(possible::of(o.b), m), log2_of(possible::of(std::abs(o.a)), m));
       return exp2_of(formula::stepped(w, m), m);
     },
     powers},
    of_operator<elementary::asinh>("ASINH", "ln(a + root of (a^2 + 1))"),
    of_operator<elementary::acosh>("ACOSH", "ln(a + root of (a - 1)(a + 1))"),
    of_operator<elementary::atanh>("ATANH", "ln((1 + a) / (1 - a)) / 2"),
};

// The greatest shares of E and of Es, each with the last rounding, of FLOAT16 and of FLOAT32 arguments; and how many
// results need more, or less.
struct measured {
  std::array<std::array<double, 2>, 2> share{};
  std::uint64_t suspicious = 0, outside = 0, excepted = 0, kept = 0, flushed = 0;
  std::string example = {};

  void add(const function& f, const words& bits, bool is_half, bool is_llvmpipe, float got) {
    const std::array x{as_float(bits[0]), as_float(bits[1]), as_float(bits[2])};
    const operands o{widened(x[0]), widened(x[1]), widened(x[2])};
    const double y = f.exact(o), off = widened(got) - y;
    const float golden = rounded<float>(y);
    const possible all = f.set(o, keeping, granted::possible, got), close = f.set(o, keeping, granted::close, got);
    const bool is_kept = holds(all, got);
    const auto may_be = [&](granted what) { return holds(f.set(o, flushing, what, got), got); };
    if (!is_kept && !may_be(granted::possible)) {
      if (f.except.is(x[0], got) && (is_llvmpipe || !f.except.of_llvmpipe)) return void(++excepted);
      if (outside++ == 0)
        example = fmt::format("{}, {}: of {:a}, {:a}, {:a} {:a} instead of {:a}", f.name, f.text, o.a, o.b, o.c,
                              widened(got), y);
      return;
    }
    if (!is_kept) ++flushed;
    if (!holds(close, got) && !may_be(granted::close)) ++suspicious;
    if (is_kept && (is_subnormal(golden) || std::any_of(x.begin(), x.end(), is_subnormal))) {
      const operands zeros{widened(zero_of(x[0])), widened(zero_of(x[1])), widened(zero_of(x[2]))};
      if (!holds(all, zero_of(rounded<float>(f.exact(zeros))))) ++kept;
    }
    if (!is_kept || same(got, golden) || !is_number(widened(got)) || !is_number(y)) return;
    for (const std::size_t grade : {0U, 1U}) {
      const possible& set = grade == 0 ? all : close;
      double& greatest = share[is_half ? 0 : 1][grade];
      const double most = (std::max)(set.high - y, y - set.low) + std::abs(y) * 0x1p-24 + 0x1p-149;
      const bool says_little = most > (std::max)(1.0, std::abs(y)) || y < set.low || y > set.high;
      if (!says_little) greatest = (std::max)(greatest, std::abs(off) / most);
    }
  }
};

// What an instruction makes of operands where texts leave or differ in a choice: a word for it, "" where there is none.
constexpr std::string_view wrong = "WRONG";
using choice_of = std::string_view (*)(const words& bits, std::uint64_t i, std::uint32_t got);

template <bool Greater>
std::string_view extreme(const words& bits, std::uint64_t, std::uint32_t got_bits) {
  const float a = as_float(bits[0]), b = as_float(bits[1]), got = as_float(got_bits);
  if (is_nan(a) && is_nan(b)) return is_nan(got) ? "" : wrong;
  const bool has_nan = is_nan(a) || is_nan(b);
  if (is_nan(got)) return has_nan ? "NaN of NaN and a number" : wrong;
  const auto is_offered = [&](bool flushes, auto change) {
    bool found = false;
    goldml::detail::offer_extreme(a, b, Greater, flushes, [&](float y) { found = found || same(got, change(y)); });
    return found;
  };
  const auto itself = [](float y) { return y; };
  if (is_offered(false, itself)) {
    if (has_nan) return "the number of NaN and a number";
    if (is_zero(a) && is_zero(b) && bits[0] != bits[1])
      return got_bits == bits[0] ? "zeros: the first" : "zeros: the second";
    return is_subnormal(got) ? "subnormals kept" : "";
  }
  if (is_offered(true, zero_of)) return has_nan ? "the number of NaN and a number, flushed" : "subnormals flushed";
  return is_offered(true, itself) ? "subnormals compared as zeros" : wrong;
}

template <class T>
std::string_view to_integer(const words& bits, std::uint64_t, std::uint32_t got) {
  const float a = as_float(bits[0]);
  constexpr auto saturate = value_conversion::saturate;
  const bool same_bits =
      got == static_cast<std::uint32_t>(*goldml::detail::to_integer_bits(a, 32, std::is_signed_v<T>, saturate));
  if (goldml::detail::truncates_into<T>(widened(a))) return same_bits ? "" : wrong;
  if (is_nan(a)) return same_bits ? "NaN: 0" : got == 0x8000'0000 ? "NaN: 0x80000000" : "NaN: another number";
  const std::string_view below = same_bits ? "below: saturates" : "below: another number";
  return a < 0 ? below : same_bits ? "above: saturates" : "above: another number";
}

template <class To>
std::string_view rounding_of(const cast_source& x, To golden, To got) {
  if (is_nan(golden)) return is_nan(got) ? "" : wrong;
  const bool is_golden = got == golden;
  if (goldml::detail::freedom_of(x, golden) != cast_freedom::toward_zero) return is_golden ? "" : wrong;
  const To other = goldml::detail::other_cast(x, golden, cast_freedom::toward_zero);
  if (!is_golden && got != other) return wrong;
  if (std::abs(widened(golden)) > (std::numeric_limits<float>::max)())
    return is_golden ? "above: infinity" : "above: 65504";
  return is_golden ? "to nearest" : "toward zero";
}

template <class T>
std::string_view to_float(const words& bits, std::uint64_t, std::uint32_t got) {
  const T x = static_cast<T>(bits[0]);
  return rounding_of(cast_source(x), rounded<float>(static_cast<double>(x)), as_float(got));
}

std::string_view to_half(const words& bits, std::uint64_t, std::uint32_t got) {
  const double x = widened(as_float(bits[0]));
  return rounding_of(cast_source(as_float(bits[0])), rounded<float16>(x),
                     std::bit_cast<float16>(static_cast<std::uint16_t>(got)));
}

std::string_view from_half(const words&, std::uint64_t i, std::uint32_t got) {
  const float x = static_cast<float>(std::bit_cast<float16>(static_cast<std::uint16_t>(i)));
  return same(x, as_float(got)) ? "" : wrong;
}

std::string_view to_byte(const words& bits, std::uint64_t, std::uint32_t got) {
  if (bits[0] < 256) return got == bits[0] ? "" : wrong;
  return got == 255 ? "above: saturates" : got == bits[0] % 256 ? "above: low bits" : wrong;
}

struct choice {
  std::string_view name, text;
  choice_of of;
};
// The other cases of instructions.hlsl, and the stores of typed_stores.hlsl.
constexpr choice choices[] = {{"min", "lesser of a, b", extreme<false>},
                              {"max", "greater of a, b", extreme<true>},
                              {"ftoi", "FLOAT32 to INT32", to_integer<std::int32_t>},
                              {"ftou", "FLOAT32 to UINT32", to_integer<std::uint32_t>},
                              {"itof", "INT32 to FLOAT32", to_float<std::int32_t>},
                              {"utof", "UINT32 to FLOAT32", to_float<std::uint32_t>},
                              {"f32tof16", "FLOAT32 to FLOAT16", to_half},
                              {"f16tof32", "FLOAT16 to FLOAT32", from_half},
                              {"store_uav_typed", "FLOAT32 to FLOAT16", to_half},
                              {"store_uav_typed", "UINT32 to UINT8", to_byte}};

constexpr std::size_t function_count = std::size(functions), row_count = function_count + std::size(choices),
                      case_count = row_count - 2;

// The results of each case, and the stored halves and bytes, one after the other.
std::vector<std::uint32_t> results_of(const d3d12::device& gpu, const std::vector<words>& x) {
  d3d12::command_list list = gpu.take_list();
  d3d12::recorder work(gpu, list.list.get());
  constexpr std::uint64_t read = chunk * sizeof(words), each = chunk * 4, written = case_count * each;
  const d3d12::buffer staging(gpu.memory(), d3d12::heap::upload, read);
  staging.map([&](std::byte* to) { std::memcpy(to, x.data(), read); });
  const d3d12::buffer_range input = work.scratch(read), output = work.scratch(written), halves = work.scratch(each / 2),
                            bytes = work.scratch(each / 4);
  work.copy(staging.range(), input);
  const auto dispatch = [&](d3d12::pass p, std::vector<d3d12::view> writes) {
    p.reads = {d3d12::raw(input)};
    p.writes = std::move(writes);
    work.dispatch(p);
  };
  for (std::uint32_t which = 0; which < case_count; ++which)
    dispatch(d3d12::pass_of<probes::instructions>({chunk / 64, 1, 1}, {.which = which, .count = chunk}),
             {d3d12::structured(output.part(which * each, each))});
  dispatch(d3d12::pass_of<probes::typed_stores>({chunk / 64, 1, 1}, {.count = chunk}),
           {{halves, d3d12::view_kind::halves}, {bytes, d3d12::view_kind::bytes}});
  const d3d12::buffer back(gpu.memory(), d3d12::heap::readback, written + each);
  work.copy(output, back.range().part(0, written));
  work.copy(halves, back.range().part(written, each / 2));
  work.copy(bytes, back.range().part(written + each / 2, each / 4));
  work.close();
  gpu.run(std::move(list));
  std::vector<std::uint32_t> result(row_count * chunk);
  back.map([&](const std::byte* from) {
    std::memcpy(result.data(), from, written);
    for (std::uint32_t i = 0; i < chunk; ++i) {
      std::memcpy(&result[case_count * chunk + i], from + written + 2 * i, 2);
      std::memcpy(&result[(case_count + 1) * chunk + i], from + written + each / 2 + i, 1);
    }
  });
  return result;
}

struct table_row {
  measured of_function;
  std::map<std::string_view, std::uint64_t> of_choice;
};

// Adds the arguments from `first` on.
void measure(const d3d12::device& gpu, std::uint64_t first, std::span<table_row> rows) {
  std::vector<words> x(chunk);
  for (std::uint32_t i = 0; i < chunk; ++i) x[i] = arguments(first + i);
  const std::vector<std::uint32_t> results = results_of(gpu, x);
  std::atomic<std::size_t> next = 0;
  const bool is_llvmpipe = gpu.adapter().name.starts_with("llvmpipe");
  const auto judge = [&] {
    for (std::size_t r = next++; r < rows.size(); r = next++)
      for (std::uint32_t i = 0; i < chunk; ++i) {
        const std::uint32_t got = results[r * chunk + i];
        if (r < function_count)
          rows[r].of_function.add(functions[r], x[i], first == 0, is_llvmpipe, as_float(got));
        else
          ++rows[r].of_choice[choices[r - function_count].of(x[i], i, got)];
      }
  };
  std::vector<std::thread> threads((std::max)(1U, std::thread::hardware_concurrency()));
  for (std::thread& each : threads) each = std::thread(judge);
  for (std::thread& each : threads) each.join();
}

// Returns how many results are wrong.
std::uint64_t print(std::span<const table_row> rows) {
  std::uint64_t failures = 0;
  std::string examples;
  fmt::print("| | | of FLOAT16: E | Es | of FLOAT32: E | Es | beyond Es | flushed | excepted |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t r = 0; r < function_count; ++r) {
    const measured& m = rows[r].of_function;
    const std::string tiny = m.kept + m.flushed == 0 ? "-" : fmt::format("{} of {}", m.flushed, m.kept + m.flushed);
    fmt::print("| {} | {} |", functions[r].name, functions[r].text);
    for (const auto& type : m.share)
      for (const double share : type) fmt::print(" {} |", is_zero(share) ? "rounded" : fmt::format("{:.3g}", share));
    const std::string excepted = m.excepted == 0 ? "" : fmt::format("{}: {}", m.excepted, functions[r].except.text);
    fmt::print(" {} | {} | {} |\n", m.suspicious, tiny, excepted);
    failures += m.outside;
    if (m.outside != 0) examples += fmt::format("WRONG: {} results, as {}\n", m.outside, m.example);
  }
  fmt::print("\n| | | |\n|---|---|---|\n");
  for (std::size_t r = function_count; r < row_count; ++r) {
    std::string found;
    for (const auto& [word, count] : rows[r].of_choice)
      if (!word.empty()) found += fmt::format("{}{} ({})", found.empty() ? "" : "; ", word, count);
    const choice& c = choices[r - function_count];
    fmt::print("| {} | {} | {} |\n", c.name, c.text, found.empty() ? "exact" : found);
    if (const auto bad = rows[r].of_choice.find(wrong); bad != rows[r].of_choice.end()) failures += bad->second;
  }
  fmt::print("{}", examples);
  return failures;
}

}  // namespace

int main(int argc, char** argv) try {
  if (const std::string why = gpus::missing_driver(); !why.empty()) {
    fmt::print("nothing is measured: {}\n", why);
    return gpus::variable("GOLDML_REQUIRE_GPU") == "1" ? 1 : 77;
  }
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : chunk;
  const d3d12::device gpu = gpus::open();
  fmt::print("{}: all of FLOAT16, and {} of FLOAT32\n\n", gpu.adapter().name, count);
  std::vector<table_row> rows(row_count);
  for (std::uint64_t first = 0; first < chunk + count; first += chunk) measure(gpu, first, rows);
  return print(rows) == 0 ? 0 : 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
