// The fit names the arithmetic of simulated devices, and nothing where the device is right.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <goldml/oracle/fit/fit.hpp>

#include "../catch.hpp"
#include "fit_devices.hpp"

using namespace goldml;

namespace {

oracle::fit_result fit_named(const fit_test::problem& p, const fit_test::numbers& output) {
  const oracle::fit_sums sums = p.sums();
  return oracle::fit_of(sums, [&](std::uint64_t i) { return double{output[static_cast<std::size_t>(i)]}; });
}

fit_test::problem rounded_problem(fit_test::problem p, oracle::fit_input input) {
  for (auto* lines : {&p.a, &p.b})
    for (fit_test::numbers& line : *lines)
      for (float& x : line) x = oracle::fit_rounded(input, x);
  return p;
}

float in_tiles(std::span<const float> a, std::span<const float> b) { return fit_test::in_blocks(a, b, 32, false); }

bool explains(const oracle::fit_result& fit, const std::string& words) {
  UNSCOPED_INFO(oracle::name_of(fit.outcome) << " Z " << fit.rms << ": " << fit.explained_by << ", rest " << fit.rest);
  return fit.explained_by.find(words) != std::string::npos;
}

// Whether a name has these words as a whole: "TF32 inputs" are not "TF32 inputs that are cut". "TF32 or FLOAT16 inputs"
// has "TF32 inputs".
bool is_named(std::string text, const std::string& words) {
  const std::string inputs = " inputs";
  if (words.ends_with(inputs))
    for (std::size_t at = text.find(" or "); at != std::string::npos; at = text.find(" or ", at + 4 + inputs.size()))
      if (at < inputs.size() || text.compare(at - inputs.size(), inputs.size(), inputs) != 0) text.insert(at, inputs);
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    const std::string rest = text.substr(at + words.size());
    const bool begins = at == 0 || text.compare(0, at, "a ") == 0 || text.substr(0, at).ends_with(" or ") ||
                        text.substr(0, at).ends_with(", and ") || text.substr(0, at).ends_with(", and a ");
    if (begins && (rest.empty() || rest.starts_with(" or ") || rest.starts_with(", and "))) return true;
  }
  return false;
}

// The share of outputs of 16 x 16 that are named so, for both tensor types where they apply.
int named_outputs(const std::string& words, std::size_t k, const std::string& data, bool float16, int outputs,
                  const std::function<fit_test::numbers(const fit_test::problem&)>& output,
                  fit_test::generator& random) {
  int result = 0;
  std::map<std::string, int> others;
  for (int i = 0; i < outputs; ++i) {
    const fit_test::problem p(16, 16, k, data, random, float16);
    const oracle::fit_result fit = fit_named(p, output(p));
    if (is_named(fit.explained_by, words))
      ++result;
    else
      ++others[std::string(oracle::name_of(fit.outcome)) + " " + fit.explained_by];
  }
  for (const auto& [name, count] : others)
    WARN("not named \"" << words << "\", K = " << k << ", " << data << (float16 ? ", FLOAT16" : "") << ": \"" << name
                        << "\" " << count << " of " << outputs);
  return result;
}

}  // namespace

TEST_CASE("F4: inputs as formats of fewer bits have them, by hand") {
  using oracle::fit_input;
  const float tie = 1 + 0x1p-11F, above = 1 + 3 * 0x1p-11F;
  CHECK(oracle::fit_rounded(fit_input::tf32, tie) == 1);
  CHECK(oracle::fit_rounded(fit_input::tf32_away, -tie) == -1 - 0x1p-10F);
  CHECK(oracle::fit_rounded(fit_input::tf32, above) == 1 + 0x1p-9F);
  CHECK(oracle::fit_rounded(fit_input::tf32_cut, above) == 1 + 0x1p-10F);
  CHECK(oracle::fit_rounded(fit_input::bfloat16, 1 + 0x1p-8F) == 1);
  CHECK(oracle::fit_rounded(fit_input::e4m3, 500.0F) == 448);
  CHECK(oracle::fit_rounded(fit_input::e4m3, -0x1.1p-7F) == -0x1p-7F);
  CHECK(oracle::fit_rounded(fit_input::e5m2, 1.2F) == 1.25F);
  CHECK(oracle::fit_rounded(fit_input::flushed, 0x1.8p-15F) == 0);
  CHECK(oracle::fit_rounded(fit_input::flushed, 0x1p-14F) == 0x1p-14F);
}

TEST_CASE("F4: inputs are named") {
  using oracle::fit_input;
  fit_test::generator random(11);
  for (const fit_input input : {fit_input::tf32, fit_input::tf32_cut, fit_input::bfloat16, fit_input::float16,
                                fit_input::e4m3, fit_input::e5m2})
    for (const std::size_t k : {std::size_t{32}, std::size_t{256}})
      CHECK(named_outputs(
                std::string(oracle::name_of(input)), k, "normal", false, 3,
                [&](const fit_test::problem& p) { return fit_test::output_of(rounded_problem(p, input), in_tiles); },
                random) == 3);
  CHECK(named_outputs(
            "BFLOAT16 inputs", 64, "normal", true, 3,
            [&](const fit_test::problem& p) {
              return fit_test::output_of(rounded_problem(p, oracle::fit_input::bfloat16), in_tiles);
            },
            random) == 3);
}

TEST_CASE("F4: accumulators are named, also beside inputs") {
  fit_test::generator random(12);
  const auto with = [](const oracle::fit_summation& sum, bool half_inputs) {
    return [=](const fit_test::problem& p) {
      fit_test::numbers y = fit_test::output_of(half_inputs ? rounded_problem(p, oracle::fit_input::float16) : p, sum);
      return y;
    };
  };
  namespace d = oracle::detail;
  for (const bool float16 : {false, true}) {
    CHECK(named_outputs("FLOAT16 sums", 128, "normal", float16, 3, with(d::half_sums(8, false, false), true), random) ==
          3);
    CHECK(named_outputs(float16 ? "FLOAT16 sums" : "FLOAT16 sums in blocks", 256, "normal", float16, 3,
                        with(d::half_blocks(64, true), true), random) == 3);
    CHECK(named_outputs("FLOAT16 products", 128, "normal", float16, 3, with(d::half_products(1), true), random) == 3);
  }
  CHECK(named_outputs("truncating accumulator", 256, "positive", false, 3, with(d::cut_sums(8, 2), false), random) ==
        3);
  CHECK(named_outputs("truncating accumulator", 256, "positive", false, 3, with(d::cut_sums(4, 0), false), random) ==
        3);
  const auto cut_tf32 = [](const fit_test::problem& p) {
    return fit_test::output_of(rounded_problem(p, oracle::fit_input::tf32_cut), d::cut_sums(8, 1));
  };
  CHECK(named_outputs("TF32 inputs that are cut, and a truncating accumulator", 256, "positive", false, 3, cut_tf32,
                      random) == 3);
}

TEST_CASE("F4: narrowing and scaling are named") {
  fit_test::generator random(13);
  fit_test::problem p(16, 16, 64, "normal", random, true);
  for (std::size_t j = 0; j < p.n; ++j) p.c.push_back(oracle::fit_half(static_cast<float>(2 * random.normal())));
  fit_test::numbers before, cut;
  for (std::size_t i = 0; i < p.m; ++i)
    for (std::size_t j = 0; j < p.n; ++j) {
      const float sum = in_tiles(p.a[i], p.b[j]);
      before.push_back(oracle::fit_half(oracle::fit_half(sum) + p.c[j]));
      cut.push_back(static_cast<float>(oracle::fit_half_of(double{sum + p.c[j]}, rounding::toward_zero)));
    }
  CHECK(explains(fit_named(p, before), "narrowed before C"));
  CHECK(explains(fit_named(p, cut), "narrowing toward zero"));
  CHECK(fit_named(p, fit_test::output_of(p, in_tiles)).explained_by.empty());
  fit_test::problem q(16, 16, 64, "normal", random);
  fit_test::numbers half = fit_test::output_of(q, in_tiles), more = half;
  for (float& x : half) x *= 0.5F;
  for (float& x : more) x *= 1.001F;
  CHECK(explains(fit_named(q, half), "scaled by 0.5"));
  // Within 2 % of a power of two it is no factor, but noticed.
  CHECK(fit_named(q, more).outcome == oracle::fit_outcome::coarser);
  CHECK(fit_named(q, more).explained_by.empty());
}

TEST_CASE("F4: faults of terms are named with their place") {
  fit_test::generator random(14);
  const fit_test::problem p(16, 16, 96, "normal", random);
  const auto from = [&](std::size_t first, std::size_t count, float factor) {
    fit_test::numbers y = fit_test::output_of(p, in_tiles);
    for (std::size_t e = 0; e < y.size(); ++e)
      for (std::size_t k = first; k < first + count; ++k) y[e] += factor * p.a[e / p.n][k] * p.b[e % p.n][k];
    return fit_named(p, y);
  };
  CHECK(explains(from(41, 1, -1), "term 41 is missing"));
  CHECK(explains(from(41, 1, 1), "term 41 is added twice"));
  CHECK(explains(from(0, 8, 1), "the terms up to 7 are added twice"));
  CHECK(explains(from(0, 8, -1), "the terms up to 7 are missing"));
  CHECK(explains(from(90, 6, -1), "the terms from 90 on are missing"));
  CHECK(from(90, 6, -1).is_fault);
}

TEST_CASE("F4: right devices are not named") {
  fit_test::generator random(15);
  int outputs = 0, wrong = 0;
  for (const std::string& data : fit_test::data_classes)
    for (const bool float16 : {false, true}) {
      const fit_test::problem p(8, 8, 48, data, random, float16);
      for (const auto& [name, add] : fit_test::right_devices()) {
        const oracle::fit_result fit = fit_named(p, fit_test::output_of(p, add));
        ++outputs;
        if (fit.explained_by.empty()) continue;
        ++wrong;
        UNSCOPED_INFO(data << " " << float16 << " " << name << ": " << fit.explained_by);
      }
    }
  INFO(outputs << " outputs");
  CHECK(wrong == 0);
}

// What docs/verdicts.md prints of the names, as rows of its table: minutes at -O2.
TEST_CASE("F6: how often an arithmetic is named, at length", "[.simulation]") {
  namespace d = oracle::detail;
  using oracle::fit_input;
  struct arithmetic {
    std::string name;
    fit_input input;
    fit_test::device sum;
    bool float32, float16;  // the tensors that it is tried with
  };
  std::vector<arithmetic> all;
  for (const fit_input input : {fit_input::tf32, fit_input::tf32_cut, fit_input::bfloat16, fit_input::float16,
                                fit_input::e4m3, fit_input::e5m2})
    all.push_back({std::string(oracle::name_of(input)), input, in_tiles, true, input == fit_input::bfloat16});
  all.push_back({"FLOAT16 sums", fit_input::float16, d::half_sums(8, false, false), true, true});
  all.push_back({"FLOAT16 sums in blocks", fit_input::float16, d::half_blocks(64, true), true, false});
  all.push_back({"FLOAT16 sums", fit_input::float16, d::half_blocks(64, true), false, true});
  all.push_back({"FLOAT16 products", fit_input::float16, d::half_products(1), true, true});
  all.push_back({"truncating accumulator", fit_input::as_it_is, d::cut_sums(8, 1), true, false});
  std::string table;
  for (const std::string data : {"normal", "positive"})
    for (const bool float16 : {false, true})
      for (const arithmetic& a : all) {
        if (float16 ? !a.float16 : !a.float32) continue;
        table += "\n| " + a.name + (float16 ? ", FLOAT16" : ", FLOAT32") + ", " + data + " |";
        for (const std::size_t k :
             {std::size_t{32}, std::size_t{256}, std::size_t{1024}, std::size_t{4096}, std::size_t{16384}}) {
          fit_test::generator random(1000 + k);
          const int outputs = k > 1024 ? 4 : 20;
          const int count = named_outputs(
              a.name, k, data, float16, outputs,
              [&](const fit_test::problem& p) { return fit_test::output_of(rounded_problem(p, a.input), a.sum); },
              random);
          table += " " + std::to_string(count) + " of " + std::to_string(outputs) + " |";
        }
      }
  WARN("named, of outputs of 16 x 16, K = 32, 256, 1024, 4096, 16384:" << table);
}
