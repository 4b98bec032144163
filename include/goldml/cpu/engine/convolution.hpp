// CONVOLUTION with products of matrices of doubles. Where their error does not decide how an element is rounded, the
// element is computed exactly.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/factor_range.hpp>
#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/activations/functions.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/operators/convolution_blocks.hpp>

namespace goldml::detail {

template <class T>
class convolution_engine {
 public:
  convolution_engine(const tensor_view<const T>& input, const tensor_view<const T>& filter,
                     const std::optional<tensor_view<const T>>& bias, const tensor_view<T>& output,
                     const convolution_desc& desc)
      : desc_(desc),
        output_(output.data()),
        output_strides_(convolution_strides(output.strides())),
        bias_(bias),
        blocks_(convolution_shape_of(desc, input.sizes(), filter.sizes(), output.sizes())),
        operands_(blocks_.shape(), input, filter),
        input_(range_of(input)),
        filter_(range_of(filter)) {}

  void run(const cpu_backend& backend, std::uint64_t products) const {
    parallel_for(backend, products, blocks_.units(), [&](std::uint64_t begin, std::uint64_t end) {
      const ieee_arithmetic guard;
      matrices m;
      for (std::uint64_t unit = begin; unit < end; ++unit)
        blocks_.for_each_block(unit, [&](const convolution_block& block) { compute(block, m); });
    });
  }

 private:
  // Of one thread.
  struct matrices {
    convolution_block block{};  // the last one
    double_matrix filter, input, sum;
    // The squares of the Euclidean norms of the filter's rows, and the norms of the input's columns: the sum of the
    // magnitudes of an element's products is at most the product of the norms.
    Eigen::ArrayXd rows;
    Eigen::Array<double, 1, Eigen::Dynamic> columns;
    std::vector<char> special_rows, special_columns;
    std::vector<T*> places;  // of the positions, in channel 0
    std::array<number_bits_of<T>, convolution_blocks::most_positions> low, high;
  };

  // Infinities and NaN are left out of products of matrices.
  static double finite(T x) {
    const double number = exact_double(x);
    return is_finite_double(number) ? number : 0;
  }
  static double is_special(T x) { return is_finite_double(exact_double(x)) ? 0 : 1; }

  // The sums of the products of a block. Blocks with the same positions follow one another.
  void multiply(const convolution_block& block, matrices& m) const {
    const auto rows = static_cast<Eigen::Index>(block.channels);
    const auto columns = static_cast<Eigen::Index>(block.positions);
    const std::uint64_t terms = blocks_.shape().inputs * block.taps();
    const bool keeps = terms <= convolution_blocks::most_terms;
    const bool has_weights = keeps && m.filter.size() != 0 && block.has_weights_of(m.block);
    m.block = block;
    m.sum.setZero(rows, columns);
    if (!has_weights) {
      m.rows.setZero(rows);
      m.special_rows.assign(block.channels, 0);
    }
    if (block.first_channel == 0) {
      m.columns.setZero(columns);
      m.places.clear();
      for (std::uint64_t p = 0; p < block.positions; ++p) m.places.push_back(place_of(block, p));
      m.special_columns.assign(block.positions, 0);
    }
    for (std::uint64_t first = 0; first < terms; first += convolution_blocks::most_terms) {
      const auto count = static_cast<Eigen::Index>((std::min)(convolution_blocks::most_terms, terms - first));
      if (!has_weights) {
        m.filter.resize(rows, count);
        if (!filter_.all_finite()) {
          operands_.pack_filter(block, first, m.filter, is_special);
          for (Eigen::Index o = 0; o < rows; ++o)
            if (m.filter.row(o).any()) m.special_rows[static_cast<std::size_t>(o)] = 1;
        }
        operands_.pack_filter(block, first, m.filter, [](T w) { return finite(w); });
        m.rows += m.filter.rowwise().squaredNorm().array();
      }
      if (block.first_channel == 0 || !keeps) {
        m.input.resize(count, columns);
        if (!input_.all_finite()) {
          operands_.pack_input(block, first, m.input, is_special);
          for (Eigen::Index p = 0; p < columns; ++p)
            if (m.input.col(p).any()) m.special_columns[static_cast<std::size_t>(p)] = 1;
        }
        if (input_.all_finite() && !input_.has_subnormal())
          operands_.pack_input(block, first, m.input, [](T x) { return normal_double(x); });
        else
          operands_.pack_input(block, first, m.input, [](T x) { return finite(x); });
        if (block.first_channel == 0) m.columns += m.input.colwise().squaredNorm().array();
      }
      add_matrix_product(m.filter, m.input, m.sum);
    }
  }

  void compute(const convolution_block& block, matrices& m) const {
    multiply(block, m);
    if (block.first_channel == 0) m.columns = m.columns.sqrt();
    const convolution_shape& shape = blocks_.shape();
    const double unit = growth(static_cast<double>(shape.inputs * block.taps() + 4), 0x1p-53);
    for (std::uint64_t o = 0; o < block.channels; ++o) {
      const std::uint64_t channel = block.group * shape.outputs + block.first_channel + o;
      const double bias = bias_of(channel);
      factor_range of_bias;
      of_bias.add(bias);
      // Sums below this are multiples of the divisor, without any rounding.
      const int lowest = (std::min)(lowest_of_products(input_, filter_), of_bias.lowest());
      const double most_exact = std::ldexp(1.0, (std::min)(lowest, 900) + 53);
      const double norm = std::sqrt(m.rows(static_cast<Eigen::Index>(o))) * (1 + 0x1p-20);
      const bool special = m.special_rows[o] != 0;
      const double* const sums = m.sum.data() + o * block.positions;
      const bool decided = !desc_.fused_activation && !special;
      if (decided) round_sums(sums, bias, norm, unit, most_exact, block.positions, m);
      for (std::uint64_t p = 0; p < block.positions; ++p) {
        if (decided && m.low[p] == m.high[p] && number_bits<T>::magnitude(m.low[p]) != 0 && m.special_columns[p] == 0) {
          m.places[p][channel * output_strides_[1]] = std::bit_cast<T>(m.low[p]);
          continue;
        }
        const auto exact = [&] { return exactly(block, o, p, bias); };
        T& result = m.places[p][channel * output_strides_[1]];
        if (special || m.special_columns[p] != 0) {
          result = arithmetic::fused_rounded<T>(desc_.fused_activation, exact());
          continue;
        }
        const double magnitude = norm * m.columns(static_cast<Eigen::Index>(p)) + std::abs(bias);
        double sum = sums[p] + bias;
        const double error = magnitude <= most_exact ? 0 : unit * magnitude;
        if (error == 0 && is_zero(sum) && only_negative_zeros(block, o, p)) sum = -0.0;
        result = arithmetic::fused_rounded<T>(desc_.fused_activation, sum, error, exact);
      }
    }
  }

  // What both ends of the sums' errors round to, where nothing special is read.
  static void round_sums(const double* sums, double bias, double norm, double unit, double most_exact,
                         std::uint64_t count, matrices& m) {
    for (std::uint64_t p = 0; p < count; ++p) {
      const double sum = sums[p] + bias;
      const double magnitude = norm * m.columns(static_cast<Eigen::Index>(p)) + std::abs(bias);
      // More than what arithmetic::fused_rounded() takes.
      const double error = choose(magnitude <= most_exact, 0, 2 * unit * magnitude);
      m.low[p] = rounded_bits<T>(sum - error);
      m.high[p] = rounded_bits<T>(sum + error);
    }
  }

  double bias_of(std::uint64_t channel) const {
    return bias_ ? exact_double(bias_->data()[channel * bias_->strides()[1]]) : 0;
  }

  extended_sum exactly(const convolution_block& block, std::uint64_t channel, std::uint64_t position,
                       double bias) const {
    extended_sum sum;
    if (bias_) sum.add(bias);
    operands_.for_each_term(
        block, channel, position,
        [&](T x, T w) {
          sum.add(exact_double(x) * exact_double(w));
          return true;
        },
        [](T) {});
    return sum;
  }

  // Whether there are terms, and all are -0: only then the sum is.
  bool only_negative_zeros(const convolution_block& block, std::uint64_t channel, std::uint64_t position) const {
    bool any = false, all = true;
    const auto see = [&](double x) {
      any = true;
      return all = is_zero(x) && is_negative_double(x);
    };
    if (bias_ && !see(bias_of(block.group * blocks_.shape().outputs + block.first_channel + channel))) return false;
    operands_.for_each_term(
        block, channel, position, [&](T x, T w) { return see(exact_double(x) * exact_double(w)); }, [](T) {});
    return any && all;
  }

  // The place of a position in channel 0.
  T* place_of(const convolution_block& block, std::uint64_t position) const {
    const auto at = block.output(position);
    std::uint64_t offset = block.batch * output_strides_[0];
    for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * output_strides_[2 + i];
    return output_ + offset;
  }

  const convolution_desc& desc_;
  T* output_;
  std::array<std::uint64_t, 5> output_strides_;
  std::optional<tensor_view<const T>> bias_;
  convolution_blocks blocks_;
  convolution_operands<T> operands_;
  factor_range input_, filter_;
};

}  // namespace goldml::detail
