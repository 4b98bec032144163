// The intervals of formulas beside the closed bounds that verdicts are made of: on the average not wider in any mode.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <goldml/arithmetic/reductions.hpp>
#include <goldml/arithmetic/softmax_bounds.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/oracle/verdicts/rnn.hpp>
#include <goldml/reference/rnn.hpp>

#include "../catch.hpp"
#include "formula_data.hpp"

namespace {

using namespace formula_test;
using intervals = std::vector<interval>;

struct ratios {
  double sum = 0, greatest = 0;
  int count = 0, wider_flags = 0, only_open = 0;

  void add(const interval& ours, const interval& theirs) {
    const auto flags = [](const interval& a) {
      unsigned all = a.also & goldml::interval_also::specials;
      if (a.low <= a.high && std::isinf(a.high)) all |= goldml::interval_also::positive_infinity;
      if (a.low <= a.high && std::isinf(a.low)) all |= goldml::interval_also::negative_infinity;
      return all;
    };
    wider_flags += (flags(ours) & ~flags(theirs)) != 0;
    const auto width = [](const interval& a) { return static_cast<double>(a.high) - static_cast<double>(a.low); };
    if (!std::isfinite(width(ours)) && std::isfinite(width(theirs))) ++only_open;
    if (!(width(ours) > 0) || !(width(theirs) > 0) || std::isinf(width(ours)) || std::isinf(width(theirs))) return;
    const double ratio = width(ours) / width(theirs);
    sum += ratio;
    greatest = std::max(greatest, ratio);
    ++count;
  }
  double mean() const { return count == 0 ? 0 : sum / count; }
};

// Elements that are within one value, or open on either side, are in no mean.
template <class F, class Closed>
ratios measured(const char* name, const arithmetic_mode& mode, F f, Closed closed, std::size_t least, std::size_t most,
                double scale, int range, int cases) {
  drawn draws(11);
  ratios result;
  for (const data kind : all_data)
    for (int n = 0; n < cases; ++n) {
      const numbers x = draws.list(least + draws.bits() % (most - least + 1), kind, mode.float32, scale, range);
      const auto ours = f(device_numbers(x, mode));
      const intervals theirs = closed(x, mode);
      for (std::size_t i = 0; i < theirs.size(); ++i) result.add(answer_of(ours[i]).allowed, theirs[i]);
    }
  WARN(name << ", " << name_of(mode) << ": width " << result.mean() << " of the closed bound's, at most "
            << result.greatest << " (" << result.count << " elements; more answers that are no numbers: "
            << result.wider_flags << ", open only by the formula: " << result.only_open << ")");
  return result;
}

goldml::bound closed_bound(goldml::reduce_function function, const numbers& x, const arithmetic_mode& mode) {
  using goldml::reduce_function;
  const auto n = static_cast<double>(x.size());
  goldml::sum_terms terms;
  for (const double each : x)
    if (function == reduce_function::l2 || function == reduce_function::sum_square)
      terms.add_product(each, each);
    else
      terms.add(function == reduce_function::l1 ? std::abs(each) : each);
  switch (function) {
    case reduce_function::l2:
      return goldml::bound_of_root(terms, mode);
    case reduce_function::log_sum:
      return goldml::bound_of_logarithm(terms, mode);
    case reduce_function::log_sum_exp:
      return goldml::bound_of_log_sum_exp(x, mode);
    case reduce_function::average:
      return bound_of_average(terms, goldml::roundings_of_average(box_of(x.size())), mode);
    default:
      return terms.bound_with(function == reduce_function::sum_square ? n : n - 1, mode);
  }
}
auto closed_reduction(goldml::reduce_function function) {
  return [function](const numbers& x, const arithmetic_mode& mode) -> intervals {
    using goldml::reduce_function;
    const bool from_zero =
        function == reduce_function::l1 || function == reduce_function::l2 || function == reduce_function::sum_square;
    const goldml::bound b = closed_bound(function, x, mode);
    interval all = mode.float32 ? goldml::graded_interval_of<float>(b, from_zero).allowed
                                : goldml::graded_interval_of<float16>(b, from_zero).allowed;
    if (goldml::is_nan(b.value)) all.also |= goldml::interval_also::nan;  // the golden value
    return {all};
  };
}
intervals closed_softmax(const numbers& x, const arithmetic_mode& mode) {
  const goldml::arithmetic::softmax_of softmax(x);
  const goldml::arithmetic::softmax_bounds bounds(softmax, mode);
  intervals result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.push_back(mode.float32 ? bounds.of<float>(i).allowed : bounds.of<float16>(i).allowed);
    if (softmax.undefined()) result.back().also |= goldml::interval_also::nan;
  }
  return result;
}

template <class T>
intervals verdicts_of_states(const layer& l, const numbers& x, const arithmetic_mode& mode) {
  std::size_t at = 0;
  const auto take = [&](const dimensions& sizes) {
    std::vector<T> elements;
    for (std::uint64_t i = 0; i < element_count(sizes); ++i) elements.push_back(T(static_cast<float>(x[at++])));
    return goldml::tensor<T>(sizes, elements);
  };
  const auto s = static_cast<std::uint32_t>(l.steps), n = static_cast<std::uint32_t>(l.inputs),
             h = static_cast<std::uint32_t>(l.hidden);
  const auto in = take({1, s, 1, n}), w = take({1, 1, h, n}), r = take({1, 1, h, h}), b = take({1, 1, 1, 2 * h}),
             first = take({1, 1, 1, h});
  goldml::rnn_desc desc{.activation_descs = {l.f}};
  desc.accumulation = mode.accumulation;
  const std::vector<goldml::const_tensor_ref> inputs{in.view(), w.view(), r.view(), b.view(), first.view(), {}};
  goldml::tensor<T> states({s, 1, 1, h});
  const std::vector<goldml::tensor_ref> outputs{states.view(), {}};
  evaluate(goldml::reference, desc, inputs, outputs);
  std::vector<goldml::output_verdicts> verdicts{goldml::output_verdicts(l.steps * l.hidden),
                                                goldml::output_verdicts(0)};
  goldml::oracle::verdict_traits<goldml::rnn_desc>::add_verdicts(desc, inputs, outputs, mode.flushes && mode.float32,
                                                                 verdicts);
  intervals result;
  for (std::size_t i = 0; i < l.steps * l.hidden; ++i) {
    const auto golden = static_cast<float>(states.elements()[i]);
    const interval* given = verdicts[0].interval_of(i);
    interval all = given != nullptr ? *given : interval{};
    verdicts[0].for_each_other(i, [&](const interval& other) { goldml::detail::extend(all, other); });
    if (std::isnan(golden))
      all.also |= goldml::interval_also::nan;
    else
      goldml::detail::extend(all, interval{golden, golden, golden, golden, 0});
    result.push_back(all);
  }
  return result;
}

}  // namespace

TEST_CASE("A5: formulas of REDUCE and SOFTMAX are not wider than the closed bounds", "[formula]") {
  using goldml::reduce_function;
  for (const arithmetic_mode& mode : modes) {
    const auto compare = [&](const char* name, auto f, auto closed, double scale, int cases) {
      const ratios r = measured(name, mode, f, closed, 1, 40, scale, 8, cases);
      CHECK(r.mean() <= 1.05);
      CHECK(r.only_open == 0);
    };
    compare("SUM", sum, closed_reduction(reduce_function::sum), 1, 40);
    compare("L1", l1, closed_reduction(reduce_function::l1), 1, 40);
    compare("SUM_SQUARE", sum_square, closed_reduction(reduce_function::sum_square), 1, 40);
    compare("AVERAGE", average, closed_reduction(reduce_function::average), 1, 40);
    compare("L2", l2, closed_reduction(reduce_function::l2), 1, 40);
    compare("LOG_SUM", log_sum, closed_reduction(reduce_function::log_sum), 1, 40);
    // With half_products e^x may be 65504 where it is greater, which the closed bound of LOG_SUM_EXP leaves out.
    if (!mode.half_products())
      compare("LOG_SUM_EXP", log_sum_exp, closed_reduction(reduce_function::log_sum_exp), 3, 40);
    else
      measured("LOG_SUM_EXP", mode, log_sum_exp, closed_reduction(reduce_function::log_sum_exp), 1, 40, 3, 8, 40);
    compare("SOFTMAX", softmax, closed_softmax, 3, 8);
  }
}

TEST_CASE("A5: the formula of RNN is not wider than the verdicts", "[formula]") {
  for (const auto& [name, f] :
       {std::pair{"TANH", goldml::activation{51}}, std::pair{"SIGMOID", goldml::activation{47}},
        std::pair{"RELU", goldml::activation{44}}, std::pair{"LINEAR", goldml::activation{40, {0.5F, 0.25F}}}})
    for (const arithmetic_mode& mode : modes) {
      layer l;
      l.f = f;
      const auto closed = [&](const numbers& x, const arithmetic_mode& m) {
        return m.float32 ? verdicts_of_states<float>(l, x, m) : verdicts_of_states<float16>(l, x, m);
      };
      CHECK(measured((std::string("RNN ") + name).c_str(), mode, l, closed, l.size(), l.size(), 0.7, 2, 5).mean() <=
            1.05);
    }
}
