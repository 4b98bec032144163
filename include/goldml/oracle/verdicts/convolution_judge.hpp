// How far a device may be from the sums of CONVOLUTION (ledger AR-R1, CV-R1 to CV-R3).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/factor_range.hpp>
#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/convolution_blocks.hpp>
#include <goldml/operators/convolution_desc.hpp>
#include <goldml/oracle/verdicts/convolution_sums.hpp>
#include <goldml/oracle/verdicts/convolution_transform.hpp>

namespace goldml::detail {

template <class T>
class convolution_judge {
 public:
  convolution_judge(const convolution_desc& desc, std::span<const const_tensor_ref> inputs, const tensor_ref& golden,
                    bool flushes, output_verdicts& result)
      : desc_(desc),
        golden_(golden.as<T>()),
        blocks_(convolution_shape_of(desc, inputs[0].desc().sizes, inputs[1].desc().sizes, golden.desc().sizes)),
        operands_(blocks_.shape(), inputs[0].as<T>(), inputs[1].as<T>()),
        mode_{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation},
        result_(result) {
    if (desc.fused_activation) result.range.width = arithmetic::range_width(*desc.fused_activation);
    input_ = range_of(inputs[0].as<T>());
    filter_ = range_of(inputs[1].as<T>());
    if (inputs[2].present()) {
      const auto bias = inputs[2].as<T>();
      for (std::uint64_t o = 0; o < bias.sizes()[1]; ++o)
        bias_.push_back(exact_double(bias.data()[o * bias.strides()[1]]));
    }
    const convolution_shape& shape = blocks_.shape();
    if (desc.transform == transform::accept && shape.taps() > 1)
      transforms_.emplace(shape, inputs[0].as<T>(), inputs[1].as<T>(), mode_);
    if (has_special(filter_))
      for (std::uint64_t o = 0; o < shape.groups * shape.outputs; ++o) {
        bool any = false;
        std::uint64_t not_finite = 0;
        operands_.for_each_weight(o / shape.outputs, o % shape.outputs, [&](T w) {
          any = any || is_special(w);
          if (!is_finite_double(exact_double(w))) ++not_finite;
        });
        special_channels_.push_back(any ? 1 : 0);
        not_finite_weights_.push_back(not_finite);
      }
  }

  void run() {
    for (std::uint64_t unit = 0; unit < blocks_.units(); ++unit)
      blocks_.for_each_block(unit, [&](const convolution_block& block) { judge(block); });
  }

 private:
  // Elements that no product of matrices takes: infinities, NaN, and what half precision may read as an infinity.
  bool is_special(double x) const {
    return !is_finite_double(x) || (mode_.rounds_to_half() && std::abs(x) > half_precision.greatest);
  }
  bool is_special(T x) const { return is_special(exact_double(x)); }
  bool has_special(const factor_range& range) const {
    return !range.all_finite() || (mode_.rounds_to_half() && range.greatest() > half_precision.greatest);
  }
  double number(T x) const { return is_special(x) ? 0 : exact_double(x); }
  static bool is_subnormal(double x) { return !is_zero(x) && std::abs(x) < single_precision.least; }

  // The totals of a block, each with a row for each channel and a column for each position.
  struct totals {
    double_matrix sum, magnitude, subnormal, weights;  // weights: the sum of those that meet an element
    std::vector<double> inputs;                        // the sums of the magnitudes of the elements
    std::vector<char> special;                         // whether a position reads a special element
  };

  const totals& totals_of(const convolution_block& block) {
    const auto rows = static_cast<Eigen::Index>(block.channels);
    const auto columns = static_cast<Eigen::Index>(block.positions);
    const bool subnormals = mode_.float32 && mode_.flushes && (input_.has_subnormal() || filter_.has_subnormal());
    totals& t = totals_;
    t.sum.setZero(rows, columns);
    t.magnitude.setZero(rows, columns);
    if (subnormals) t.subnormal.setZero(rows, columns);
    if (mode_.rounds_to_half()) t.weights.setZero(rows, columns);
    t.inputs.assign(mode_.rounds_to_half() ? block.positions : 0, 0.0);
    t.special.assign(block.positions, 0);
    const std::uint64_t terms = blocks_.shape().inputs * block.taps();
    double_matrix &w = filter_part_, &x = input_part_;
    const bool has_weights =
        terms <= convolution_blocks::most_terms && weights_.size() != 0 && block.has_weights_of(last_block_);
    last_block_ = block;
    for (std::uint64_t first = 0; first < terms; first += convolution_blocks::most_terms) {
      const auto count = static_cast<Eigen::Index>((std::min)(convolution_blocks::most_terms, terms - first));
      w.resize(rows, count);
      x.resize(count, columns);
      const auto pack = [&](double_matrix& to, const auto& value) {
        if (&to == &w)
          operands_.pack_filter(block, first, to, value);
        else
          operands_.pack_input(block, first, to, value);
      };
      if (!has_weights) {
        weights_.resize(rows, count);
        operands_.pack_filter(block, first, weights_, [&](T v) { return number(v); });
        magnitudes_ = weights_.cwiseAbs();
      }
      if (has_special(input_) || input_.has_subnormal())
        pack(x, [&](T v) { return number(v); });
      else
        pack(x, [](T v) { return normal_double(v); });
      add_matrix_product(weights_, x, t.sum);
      x = x.cwiseAbs();
      add_matrix_product(magnitudes_, x, t.magnitude);
      if (mode_.rounds_to_half())
        for (Eigen::Index p = 0; p < columns; ++p) t.inputs[static_cast<std::size_t>(p)] += x.col(p).sum();
      if (subnormals) {
        pack(x, [&](T v) { return is_subnormal(number(v)) ? std::abs(number(v)) : 0; });
        add_matrix_product(magnitudes_, x, t.subnormal);
        pack(w, [&](T v) { return is_subnormal(number(v)) ? std::abs(number(v)) : 0; });
        pack(x, [&](T v) { return is_subnormal(number(v)) ? 0 : std::abs(number(v)); });
        add_matrix_product(w, x, t.subnormal);
      }
      if (mode_.rounds_to_half()) {
        pack(x, [](T) { return 1.0; });
        add_matrix_product(magnitudes_, x, t.weights);
      }
      if (has_special(input_)) {
        pack(x, [&](T v) { return is_special(v) ? 1.0 : 0.0; });
        for (Eigen::Index p = 0; p < columns; ++p)
          if (x.col(p).any()) t.special[static_cast<std::size_t>(p)] = 1;
      }
    }
    return t;
  }

  void judge(const convolution_block& block) {
    const totals& t = totals_of(block);
    if (transforms_) transforms_->see(block);
    const convolution_shape& shape = blocks_.shape();
    const bool halves = input_.are_halves() && filter_.are_halves();
    const std::vector<const sum_growth*> growths = growths_of(block);
    const std::vector<place> places = places_of(block);
    const std::uint64_t channel_elements = shape.axes[0].output * shape.axes[1].output * shape.axes[2].output;
    const std::uint64_t channel_stride = golden_.strides()[1];
    for (std::uint64_t o = 0; o < block.channels; ++o) {
      const std::uint64_t channel = block.group * shape.outputs + block.first_channel + o;
      const double bias = bias_.empty() ? 0 : bias_[channel];
      factor_range of_bias;
      of_bias.add(bias);
      const bool special = is_special(bias) || (!special_channels_.empty() && special_channels_[channel] != 0);
      for (std::uint64_t p = 0; p < block.positions; ++p) {
        const auto element = static_cast<std::size_t>(places[p].number + channel * channel_elements);
        if (places[p].open) {
          result_.make_undefined(element);
          continue;
        }
        const auto row = static_cast<Eigen::Index>(o), column = static_cast<Eigen::Index>(p);
        const sum_growth& by = *growths[p];
        const double magnitude = t.magnitude(row, column) + std::abs(bias);
        bound b;
        const bool exceeds_half = mode_.half_products() && magnitude > half_precision.greatest / 2;
        if (special || t.special[p] != 0 || exceeds_half || magnitude * by.in_double > mode_.of().greatest * 0x1p-38) {
          b = bound_of_terms(block, o, p, bias, by);
        } else {
          sum_totals all{.sum = t.sum(row, column) + bias,
                         .magnitude = magnitude,
                         .lowest = (std::min)(lowest_at(by), of_bias.lowest()),
                         .factors_are_halves = halves && of_bias.are_halves(),
                         .greatest_product = input_.greatest() * filter_.greatest()};
          if (t.subnormal.size() != 0) all.subnormal = t.subnormal(row, column);
          if (is_subnormal(bias)) all.subnormal += std::abs(bias);
          if (mode_.rounds_to_half()) all.factors = t.inputs[p] + t.weights(row, column) + std::abs(bias);
          b = sum_terms(by.count, all).bound_with(by, mode_);
        }
        if (transforms_) transforms_->widen(o, p, b);
        judge_element(element, b, golden_.data()[places[p].offset + channel * channel_stride]);
      }
    }
  }

  void judge_element(std::size_t element, const bound& b, T golden) {
    if (desc_.fused_activation) {
      result_.allow_interval_beside(element, arithmetic::fused_interval<T>(desc_.fused_activation, b, mode_), golden);
    } else if (!allows_only(b, golden)) {
      result_.allow_interval(element, interval_of<T>(b));
    }
  }

  // One by one, where terms are not finite or the sums of positive and negative terms must be known apart.
  bound bound_of_terms(const convolution_block& block, std::uint64_t channel, std::uint64_t position, double bias,
                       const sum_growth& by) const {
    sum_terms terms;
    bool open = false;  // a weight that is not finite meets padding, where a device may multiply by 0
    operands_.for_each_term(
        block, channel, position,
        [&](T x, T w) {
          terms.add_product(exact_double(x), exact_double(w));
          return true;
        },
        [&](T w) { open = open || !is_finite_double(exact_double(w)); });
    if (!bias_.empty()) terms.add(bias);
    terms.widen(by.count, lowest_at(by), input_.are_halves() && filter_.are_halves());
    bound b = terms.bound_with(by, mode_);
    b.add(interval_also::nan, open || has_special_weight_elsewhere(block, channel));
    return b;
  }
  // BACKWARD: a weight of another phase, which a device may multiply by a 0 between the elements of the input.
  bool has_special_weight_elsewhere(const convolution_block& block, std::uint64_t channel) const {
    if (!blocks_.shape().backward || filter_.all_finite()) return false;
    std::uint64_t here = 0;
    const auto count = [&](T w) { return is_finite_double(exact_double(w)) || ++here != 0; };  // true: go on
    operands_.for_each_term(
        block, channel, 0, [&](T, T w) { return count(w); }, [&](T w) { count(w); });
    return here != not_finite_weights_[block.group * blocks_.shape().outputs + block.first_channel + channel];
  }

  // 2^result divides the products of an element, if it has any. With transforms no sum of products is exact.
  int lowest_at(const sum_growth& by) const {
    if (transforms_) return (std::numeric_limits<int>::min)() / 2;
    if (by.count == (bias_.empty() ? 0 : 1)) return (std::numeric_limits<int>::max)();
    return lowest_of_products(input_, filter_);
  }

  // For each position. FORWARD all taps count as terms, BACKWARD those that read an element.
  std::vector<const sum_growth*> growths_of(const convolution_block& block) {
    const convolution_shape& shape = blocks_.shape();
    for (std::size_t i = 0; i < taps_.size() && shape.backward; ++i)
      if (taps_[i].empty() || !block.phases[i].has_outputs_of(last_phases_[i]))
        taps_[i] = taps_inside(block.phases[i], shape.axes[i].input);
    last_phases_ = block.phases;
    if (growths_.size() > most_growths) growths_.clear();
    std::vector<const sum_growth*> result;
    for (std::uint64_t p = 0; p < block.positions; ++p) {
      std::uint64_t terms = shape.terms();
      if (shape.backward) {
        const auto [z, y, x] = block.place(p);
        terms = shape.inputs * taps_[0][z] * taps_[1][y] * taps_[2][x];
      }
      if (!bias_.empty()) ++terms;
      const auto n = static_cast<double>(terms);
      result.push_back(&growths_.try_emplace(terms, n, n, roundings_to_half(true, mode_), mode_).first->second);
    }
    return result;
  }

  // Where the output has a position, in channel 0; and whether anything is allowed there.
  struct place {
    std::uint64_t number, offset;
    bool open;
  };
  std::vector<place> places_of(const convolution_block& block) const {
    const convolution_shape& shape = blocks_.shape();
    const auto strides = convolution_strides(golden_.strides());
    std::vector<place> result;
    for (std::uint64_t p = 0; p < block.positions; ++p) {
      const auto at = block.output(p);
      place one{block.batch * shape.groups * shape.outputs, block.batch * strides[0],
                is_open_place(desc_, blocks_.shape(), at)};
      for (std::size_t i = 0; i < at.size(); ++i) {
        one.number = one.number * shape.axes[i].output + at[i];
        one.offset += at[i] * strides[2 + i];
      }
      result.push_back(one);
    }
    return result;
  }

  const convolution_desc& desc_;
  tensor_view<T> golden_;
  convolution_blocks blocks_;
  convolution_operands<T> operands_;
  arithmetic_mode mode_;
  output_verdicts& result_;
  factor_range input_, filter_;
  std::optional<convolution_transforms<T>> transforms_;
  std::vector<double> bias_;
  std::vector<char> special_channels_;
  std::vector<std::uint64_t> not_finite_weights_;  // their number, of each output channel; empty if all are finite
  totals totals_;                                  // kept from block to block, like what follows
  double_matrix weights_, magnitudes_, filter_part_, input_part_;
  convolution_block last_block_{};
  std::array<convolution_phase, 3> last_phases_;
  std::array<std::vector<std::uint64_t>, 3> taps_;   // taps_inside() of them
  static constexpr std::size_t most_growths = 4096;  // that are kept, about
  std::map<std::uint64_t, sum_growth> growths_;      // by the number of terms
};

}  // namespace goldml::detail
