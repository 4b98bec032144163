// Samples of the elements of large outputs: which elements are drawn, and that the golden values and verdicts of each
// are those of the whole call.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/interval.hpp>
#include <goldml/core/tensor.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/judge.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"

using namespace goldml;
using oracle::sampled_elements;

namespace {

// What an element may be: the golden value, and everything that the verdicts allow, also where subnormals are flushed.
struct allowed_answers {
  bool undefined = false;
  std::uint64_t golden = 0;                               // bits
  std::map<std::uint64_t, std::optional<double>> values;  // by their bits; of a NaN none
  std::uint64_t any_index_below = 0;
  std::vector<basic_interval<double>> intervals;

  bool operator==(const allowed_answers&) const = default;
};

template <class T>
void add_to(allowed_answers& all, const output_verdicts& verdicts, std::size_t element, T value) {
  const auto add_value = [&](T v) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof v);
    all.values.emplace(bits, is_nan(v) ? std::nullopt : std::optional(static_cast<double>(v)));
  };
  const auto add_interval = [&](const auto* i) {
    if (i == nullptr) return;
    const basic_interval<double> one{i->low, i->high, i->usual_low, i->usual_high, i->also};
    if (std::find(all.intervals.begin(), all.intervals.end(), one) == all.intervals.end()) all.intervals.push_back(one);
  };
  add_value(value);
  const alternatives others = verdicts.alternatives_of(element);
  for (const scalar& other : others.values) add_value(other.as<T>());
  all.any_index_below = (std::max)(all.any_index_below, others.any_index_below);
  add_interval(verdicts.interval_of<float>(element));
  add_interval(verdicts.interval_of<double>(element));
}

// Of each element of an output, by number.
std::vector<allowed_answers> allowed_in(const oracle::golden_output& output) {
  std::vector<allowed_answers> result;
  if (output.values.omitted()) return result;
  visit_data_type(all_types{}, output.values.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto values = output.values.ref().as<T>();
    oracle::detail::for_each_judged(output, [&](const coordinate_tuple& c, std::size_t element) {
      const coordinate_tuple at = output.coordinate_of(c, element);
      allowed_answers& all = result.emplace_back();
      all.undefined = output.verdicts[element] == verdict::undefined;
      if (all.undefined) return;
      add_to<T>(all, output.verdicts, element, values[at]);
      const T golden = values[at];
      std::memcpy(&all.golden, &golden, sizeof golden);
      const T flushed = output.flushed ? T(output.flushed->ref().as<T>()[at]) : T(values[at]);
      if (output.flushed_verdicts) add_to<T>(all, *output.flushed_verdicts, element, flushed);
      if (output.flushed) add_to<T>(all, output_verdicts(1), 0, flushed);
    });
  });
  return result;
}

// Whether everything that `some` allows is allowed by `all`.
bool is_within(const allowed_answers& some, const allowed_answers& all) {
  const auto holds = [](const basic_interval<double>& outer, const basic_interval<double>& i) {
    return (i.also & ~outer.also & interval_also::specials) == 0 &&
           (i.low > i.high || (outer.low <= i.low && i.high <= outer.high));
  };
  return some.undefined == all.undefined && some.golden == all.golden && some.any_index_below == all.any_index_below &&
         std::all_of(
             some.values.begin(), some.values.end(),
             [&](const auto& value) {
               return all.values.contains(value.first) ||
                      (value.second && std::any_of(all.intervals.begin(), all.intervals.end(), [&](const auto& outer) {
                         return holds(outer, {*value.second, *value.second});
                       }));
             }) &&
         std::all_of(some.intervals.begin(), some.intervals.end(), [&](const auto& i) {
           return std::any_of(all.intervals.begin(), all.intervals.end(),
                              [&](const auto& outer) { return holds(outer, i); });
         });
}

std::string text_of(const allowed_answers& all) {
  std::string text =
      all.undefined ? "undefined" : fmt::format("golden {:x}, below {}", all.golden, all.any_index_below);
  for (const auto& value : all.values) text += fmt::format(", {:x}", value.first);
  for (const auto& i : all.intervals)
    text += fmt::format(", [{}, {}] usually [{}, {}] also {}", i.low, i.high, i.usual_low, i.usual_high, i.also);
  return text;
}

}  // namespace

TEST_CASE("B: a sample has the corners, edges of tiles, last rows and columns, and others", "[oracle]") {
  const dimensions sizes{3, 4097, 1000};
  const std::vector<std::uint64_t> numbers = sampled_elements(sizes, 2000);
  CHECK(numbers.size() == 2000);
  CHECK(std::is_sorted(numbers.begin(), numbers.end()));
  CHECK(std::set(numbers.begin(), numbers.end()).size() == 2000);
  CHECK(numbers == sampled_elements(sizes, 2000));
  std::size_t corners = 0, edges = 0, last_rows = 0, last_columns = 0, others = 0;
  const auto at_edge = [](std::uint32_t i, std::uint32_t size) { return i % 16 == 0 || i % 16 == 15 || i + 1 == size; };
  for (const std::uint64_t number : numbers) {
    const coordinate_tuple c = coordinate_at(sizes, number);
    const bool corner = c[0] != 1 && (c[1] == 0 || c[1] == 4096) && (c[2] == 0 || c[2] == 999);
    corners += corner ? 1 : 0;
    edges += at_edge(c[1], 4097) && at_edge(c[2], 1000) ? 1U : 0U;
    last_rows += c[1] == 4096 ? 1U : 0U;
    last_columns += c[2] == 999 ? 1U : 0U;
    others += !at_edge(c[1], 4097) && !at_edge(c[2], 1000) ? 1U : 0U;
  }
  fmt::print(
      "B: of 2,000 elements of {}: {} corners, {} at edges of tiles, {} in the last rows, {} in the last columns, "
      "{} at no edge\n",
      sizes, corners, edges, last_rows, last_columns, others);
  CHECK(corners == 8);
  CHECK(edges > 400);
  CHECK(last_rows > 100);
  CHECK(last_columns > 100);
  CHECK(others > 500);

  for (const dimensions& small : {dimensions{1}, dimensions{7}, dimensions{3, 5}, dimensions{2, 1, 2, 1, 2, 1, 2, 2}})
    for (std::uint64_t count = 1; count <= 20; ++count) {
      const auto some = sampled_elements(small, count);
      CHECK(some.size() == (std::min)(count, element_count(small)));
      CHECK(std::set(some.begin(), some.end()).size() == some.size());
      CHECK(some.back() < element_count(small));
    }
  CHECK(sampled_elements({65'535, 65'535}, 50).size() == 50);
}

TEST_CASE("B: the verdicts of a sample are those of the whole call, element by element", "[oracle]") {
  goldml_test::for_every_operator([&](const oracle::any_operator& op) {
    const bool by_parts = op.golden->sampled == oracle::sampling::parts;
    const std::uint64_t count = goldml_test::is_of_family(op) || !by_parts ? 20 : 200;
    std::uint64_t elements = 0, narrower = 0;
    for (std::uint64_t number = 0; number < count; ++number) {
      auto text =
          oracle::sample_case(op, {.seed = 61, .most_elements = 60, .data = oracle::all_data_classes()}, number);
      if (number % 3 == 0 && op.golden->to_half != nullptr) op.golden->to_half(text.desc.get());
      const auto c = oracle::make_case(op, text);
      const auto inputs = c.input_refs();
      oracle::detail::sample_numbers numbers;  // by parts of all elements, otherwise of some
      for (const tensor_desc& output : c.outputs)
        numbers.push_back(output.sizes.empty() ? std::vector<std::uint64_t>()
                                               : sampled_elements(output.sizes, by_parts ? ~0ULL : 4));
      const oracle::golden got =
          by_parts ? oracle::detail::sampled_answers(*op.golden, c.text.desc.get(), inputs, c.outputs, numbers)
                   : oracle::detail::sampled(*op.golden, c.expected, numbers);
      INFO(c.line());
      REQUIRE(got.answers.size() == c.expected.answers.size());
      for (std::size_t a = 0; a < got.answers.size(); ++a)
        for (std::size_t i = 0; i < got.answers[a].size(); ++i) {
          const oracle::golden_output &some = got.answers[a][i], &all = c.expected.answers[a][i];
          CHECK((some.from_golden == all.from_golden && some.exact_nans == all.exact_nans &&
                 some.counted_by == all.counted_by));
          const auto sampled = allowed_in(some), whole = allowed_in(all);
          REQUIRE(sampled.size() == numbers[i].size());
          for (std::size_t n = 0; n < sampled.size(); ++n) {
            const allowed_answers& wanted = whole[static_cast<std::size_t>(numbers[i][n])];
            ++elements;
            if (sampled[n] == wanted) continue;
            ++narrower;
            INFO("answer " << a << ", output " << i << ", element " << numbers[i][n]);
            INFO("alone: " << text_of(sampled[n]) << "; in the whole call: " << text_of(wanted));
            CHECK(op.name() == "CONVOLUTION");  // what it knows of the whole input, it knows better of a part
            CHECK(is_within(sampled[n], wanted));
          }
        }
    }
    if (by_parts && !goldml_test::is_of_family(op))
      fmt::print("B: {}: alone, {} elements have the verdicts of the whole call, and {} narrower ones\n", op.name(),
                 elements - narrower, narrower);
  });
}

TEST_CASE("B: a large GEMM is judged by a sample, within the default work, in seconds", "[oracle]") {
  constexpr std::uint32_t n = 4096;
  // Small integers, whose sums are exact: every element is known. A is f(i + k), B is g(k + j), of period 16.
  std::vector<float> f(2 * n), g(2 * n);
  for (std::uint32_t i = 0; i < 2 * n; ++i) {
    f[i] = static_cast<float>(static_cast<int>(i % 16 * 7 % 11) - 5);
    g[i] = static_cast<float>(static_cast<int>(i % 16 * 5 % 7) - 3);
  }
  std::array<std::array<float, 16>, 16> sums{};
  for (std::uint32_t i = 0; i < 16; ++i)
    for (std::uint32_t j = 0; j < 16; ++j)
      for (std::uint32_t k = 0; k < n; ++k) sums[i][j] += f[i + k] * g[k + j];
  tensor<float> output({n, n});
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) output.data()[std::size_t{i} * n + j] = sums[i % 16][j % 16];

  const tensor_desc overlapping{.data_type = data_type::float32, .sizes = {n, n}, .strides = {1, 1}};
  const std::vector<const_tensor_ref> inputs{
      {overlapping, f.data(), f.size() * sizeof(float)}, {overlapping, g.data(), g.size() * sizeof(float)}, {}};
  const tensor_desc desc{.data_type = data_type::float32, .sizes = {n, n}};
  const std::vector<tensor_desc> outputs{desc};
  const oracle::sample_options options{.elements = 2000};
  const std::vector<operand> operands{to_operand(desc), to_operand(desc), operand(), to_operand(desc)};
  CHECK(nanoseconds_of(oracle::work_of_elements(gemm_desc(), operands, options), work_rates_of_check) < 10'000'000'000);
  CHECK(oracle::memory_of_elements(gemm_desc(), operands, options) < 64'000'000);
  const oracle::golden expected = oracle::expect(gemm_desc(), inputs, outputs, {.elements = 300});
  const auto right_one = oracle::judge<gemm_desc>(expected, output);
  CHECK(right_one.outcome() == oracle::outcome::agrees);
  CHECK(right_one.judged.result.compared() == 300);
  CHECK(right_one.report ==
        "GEMM: agrees\nOutputTensor FLOAT32 {4096,4096}: 300 of 16777216 elements: 300 compared, 0 ignored, 0 "
        "differ\n");

  // The last column was not written.
  for (std::uint32_t i = 0; i < n; ++i) output.data()[std::size_t{i} * n + n - 1] = 1000;
  const auto wrong = oracle::judge<gemm_desc>(expected, output);
  CHECK(wrong.outcome() == oracle::outcome::differs);
  CHECK(wrong.judged.result.differing() > 15);
  INFO(wrong.report);
  CHECK(wrong.report.find("  {0,4095}: expected ") != std::string::npos);
}

TEST_CASE("B: operators whose elements depend on each other are refused, or judged whole if they are small",
          "[oracle]") {
  const auto c = oracle::make_case<rnn_desc>(oracle::parse_case<rnn_desc>(
      "RNN InputTensor=FLOAT32{1,3,2,2} WeightTensor=FLOAT32{1,1,2,2} RecurrenceTensor=FLOAT32{1,1,2,2} "
      "OutputSequenceTensor=FLOAT32{3,1,2,2} ActivationDescs={ACTIVATION_RELU} Direction=FORWARD data=ties seed=1"));
  const auto inputs = c.input_refs();
  CHECK(oracle::expect(c.text.desc, inputs, c.outputs, {.elements = 12}).answers.size() == c.expected.answers.size());
  std::string refusal = "none";
  try {
    oracle::expect(c.text.desc, inputs, c.outputs, {.elements = 11});
  } catch (const error& e) {
    refusal = e.what();
  }
  CHECK(refusal == "RNN M24: elements is a sample, wanted all of them (each depends on most others)");
}
