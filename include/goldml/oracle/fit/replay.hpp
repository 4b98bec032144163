// A sum in the arithmetic of the base model, in twelve orders: how large its errors are for these data.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <goldml/oracle/fit/model.hpp>
#include <goldml/oracle/fit/sums.hpp>

namespace goldml::oracle {

inline constexpr std::size_t fit_orders = 12;
inline constexpr std::size_t fit_together = std::size_t{1}
                                            << 18;  // the most terms of 16 elements that are replayed at once

// What the orders gave for one element, before any narrowing.
struct fit_replay {
  std::array<double, fit_orders> results{};
  double most_variance = 0;  // the greatest variance that their partial sums give
};

// One element to be replayed.
struct fit_task {
  std::span<const float> left, right;  // `right` empty: the terms are numbers
  fit_facts facts;
};

namespace detail {

// A sum and the sum of the squares of its partial sums, for several elements at once.
template <std::size_t Width>
struct fit_accumulator {
  std::array<float, Width> sum{}, squares{};

  template <bool Half>
  void add(const std::array<float, Width>& x) {
    for (std::size_t w = 0; w < Width; ++w) {
      sum[w] += x[w];
      if constexpr (Half) sum[w] = fit_half(sum[w]);
      squares[w] += sum[w] * sum[w];
    }
  }
};

// Replays elements of equal length. Numbers are scaled by a power of two, so that no square overflows.
template <std::size_t Width, bool Half>
class fit_replayer {
 public:
  using batch = std::array<float, Width>;
  using accumulator = fit_accumulator<Width>;

  void replay(const fit_model& model, double alpha, std::span<const fit_task> tasks, std::span<fit_replay> results) {
    const std::size_t n = tasks[0].left.size();
    terms_.resize(n);
    std::array<double, Width> scale{};
    batch addend{};
    std::array<const float*, Width> left{}, right{};
    for (std::size_t w = 0; w < Width; ++w) {
      const fit_task& task = tasks[(std::min)(w, tasks.size() - 1)];
      const double size = task.facts.magnitude + std::abs(task.facts.addend);
      scale[w] = Half ? 1 : std::ldexp(1.0, -std::ilogb(size) - 1);
      addend[w] = rounded_to_step(task.facts.addend * scale[w]);
      left[w] = task.left.data();
      right[w] = task.right.empty() ? nullptr : task.right.data();
    }
    const bool products = right[0] != nullptr;
    const bool rounds_inputs = model.float32 && (Half || model.half_products);
    accumulator fused;
    if (model.has_addend) fused.sum = addend;
    // Sees term k of all elements. Forward, with fused multiply-add.
    const auto see = [&](std::size_t k, const std::array<double, Width>& term) {
      for (std::size_t w = 0; w < Width; ++w) {
        terms_[k][w] = rounded_to_step(term[w]);
        fused.sum[w] = rounded_to_step(term[w] + double{fused.sum[w]});
        fused.squares[w] += fused.sum[w] * fused.sum[w];
      }
    };
    std::array<double, Width> term{};
    if (products && alpha == 1 && !rounds_inputs && !model.half_products) {
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t w = 0; w < Width; ++w) term[w] = double{left[w][k]} * double{right[w][k]} * scale[w];
        see(k, term);
      }
    } else {
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t w = 0; w < Width; ++w) {
          float a = left[w][k], b = products ? right[w][k] : 1;
          if (rounds_inputs) a = fit_half(a), b = fit_half(b);
          const double p = alpha * double{a} * double{b};
          term[w] = scale[w] * (model.half_products && products ? double{fit_half(static_cast<float>(p))} : p);
        }
        see(k, term);
      }
    }
    std::array<accumulator, fit_orders> orders;
    if (model.has_addend) orders[0].sum = addend;
    for (std::size_t k = 0; k < n; ++k) {
      orders[0].template add<Half>(terms_[k]);
      orders[1].template add<Half>(terms_[n - 1 - k]);
    }
    orders[2] = lanes<2>();
    orders[3] = lanes<4>();
    orders[4] = lanes<8>();
    orders[5] = lanes<32>();
    const std::array<std::size_t, 5> blocks{32, 128, (n + 1) / 2, (n + 3) / 4, (n + 15) / 16};
    for (std::size_t i = 0; i < blocks.size(); ++i) orders[6 + i] = in_blocks(blocks[i]);
    if (model.has_addend)
      for (std::size_t f = 1; f < 11; ++f) orders[f].template add<Half>(addend);
    orders[11] = fused;
    for (std::size_t w = 0; w < (std::min)(Width, tasks.size()); ++w) {
      float partial = 0;
      for (std::size_t f = 0; f < fit_orders; ++f) {
        results[w].results[f] = finished(model, double{orders[f].sum[w]} / scale[w], n);
        partial = (std::max)(partial, orders[f].squares[w]);
      }
      results[w].most_variance = model.variance_with(tasks[w].facts, double{partial} / scale[w] / scale[w]);
    }
  }

 private:
  static float rounded_to_step(double x) {
    if constexpr (Half) return static_cast<float>(rounded<float16>(x));
    return static_cast<float>(x);
  }
  static double finished(const fit_model& model, double sum, std::size_t n) {
    if (model.finish == fit_finish::average)
      return double{rounded_to_step(double{static_cast<float>(sum)} / static_cast<double>(n))};
    return model.finish == fit_finish::root ? double{rounded_to_step(std::sqrt(sum))} : sum;
  }

  template <std::size_t Lanes>
  accumulator lanes() const {
    const std::size_t n = terms_.size();
    std::array<batch, Lanes> each{};
    accumulator all;
    for (std::size_t k = 0; k < n; ++k) {
      all.sum = each[k % Lanes];
      all.template add<Half>(terms_[k]);
      each[k % Lanes] = all.sum;
    }
    all.sum = each[0];
    for (std::size_t l = 1; l < (std::min)(Lanes, n); ++l) all.template add<Half>(each[l]);
    return all;
  }
  accumulator in_blocks(std::size_t length) const {
    accumulator all, block;
    for (std::size_t k = 0; k < terms_.size(); k += length) {
      block.sum = {};
      for (std::size_t i = k; i < (std::min)(terms_.size(), k + length); ++i) block.template add<Half>(terms_[i]);
      if (k == 0)
        all.sum = block.sum;
      else
        all.template add<Half>(block.sum);
    }
    for (std::size_t w = 0; w < Width; ++w) all.squares[w] += block.squares[w];
    return all;
  }

  std::vector<batch> terms_;
};

}  // namespace detail

// Replays elements, in runs of equal length.
inline std::vector<fit_replay> fit_replays(const fit_model& model, double alpha, std::span<const fit_task> tasks) {
  constexpr std::size_t width = 16, few = 4;
  std::vector<fit_replay> results(tasks.size());
  detail::fit_replayer<width, false> several;
  detail::fit_replayer<width, true> several_half;
  detail::fit_replayer<few, false> some_only;
  detail::fit_replayer<few, true> some_only_half;
  for (std::size_t first = 0, end = 0; first < tasks.size(); first = end) {
    const std::size_t n = tasks[first].left.size(), most = n > fit_together ? few : width;
    for (end = first + 1; end < tasks.size() && end - first < most && tasks[end].left.size() == n;) ++end;
    const std::span<const fit_task> some = tasks.subspan(first, end - first);
    const std::span<fit_replay> to = std::span<fit_replay>(results).subspan(first, end - first);
    if (some.size() > few)
      model.half ? several_half.replay(model, alpha, some, to) : several.replay(model, alpha, some, to);
    else
      model.half ? some_only_half.replay(model, alpha, some, to) : some_only.replay(model, alpha, some, to);
  }
  return results;
}

}  // namespace goldml::oracle
