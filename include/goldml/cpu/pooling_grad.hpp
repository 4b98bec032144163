// AVERAGE_POOLING_GRAD and MAX_POOLING_GRAD on the CPU: sums in double, and again exactly where these do not decide how
// the result is rounded.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/pooling.hpp>
#include <goldml/operators/pooling_grad.hpp>

namespace goldml {

template <detail::pooling_grad_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      if constexpr (Desc::of_max)
        of_greatest<T>(backend, inputs[0].as<T>(), inputs[1].as<T>(), outputs[0].as<T>(), desc);
      else
        of_average<T>(backend, inputs[0].as<T>(), outputs[0].as<T>(), desc);
    });
  }

 private:
  // Row by row of the output.
  template <class T>
  static void of_average(const cpu_backend& backend, const tensor_view<const T>& gradient, const tensor_view<T>& output,
                         const Desc& desc) {
    const dimensions& sizes = output.sizes();
    const detail::image_windows windows(detail::window_lists_of(desc), sizes, gradient.sizes());
    const std::size_t width = sizes.back(), count = gradient.sizes().back(), last = sizes.size() - 1;
    double most = 1;  // terms of a sum
    for (std::size_t i = 0; i < windows.size(); ++i)
      most *= static_cast<double>((std::min)(windows[i].window, windows[i].output));
    const detail::window_axis& axis = windows[windows.size() - 1];
    const std::vector<double> along = detail::divisors_along(desc, axis), ones(width, 1);
    // The divisor of all windows over a column; 0 where they differ.
    std::vector<double> common(width);
    for (std::size_t i = 0; i < width; ++i) {
      const detail::window_axis::hits hits = axis.hits_of(i);
      for (std::uint64_t k = 0; k < hits.count; ++k) {
        const double each = along[static_cast<std::size_t>(hits.window + k * hits.window_step)];
        common[i] = k == 0 || common[i] == each ? each : 0;
        if (is_zero(common[i])) break;
      }
    }
    const instruction_set set = backend.instruction_set();
    const auto exactly = [&](const coordinate_tuple& c) {
      detail::quotient_sum sum;
      windows.for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple&) {
        sum.add(exact_double(T(gradient[o])), detail::divisors_of(desc, windows, o));
      });
      return rounded<T>(sum.value());
    };
    const std::uint64_t bytes = sizeof(T) * detail::taps_of_windows(desc.window_size, sizes, gradient.sizes());
    detail::for_window_rows(backend, bytes, sizes, [&] {
      return [&, terms = detail::row_of_sums(count), columns = detail::row_of_sums(count),
              sums = detail::row_of_sums(width),
              results = detail::rounded_row<T, detail::window_loops::finish::terms>(width),
              quotients = detail::rounded_row<T, detail::window_loops::finish::quotient>(width)](
                 const coordinate_tuple& c) mutable {
        const auto add_up = [&](bool divides) {
          columns.clear();
          windows.for_hits(c, windows.size() - 1, [&](const coordinate_tuple& o, const coordinate_tuple&) {
            terms.read(set, gradient.data() + offset_of(o, gradient.strides()), gradient.strides().back(), count,
                       detail::divisor_across(desc, windows, o), divides ? along.data() : nullptr);
            columns.add(set, 0, 1, terms, 0, 1, count);
          });
          sums.clear();
          detail::for_columns(  // of a window without taps nothing is added
              axis,
              [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
                sums.add(set, at, step, columns, q, 1, n);
              },
              [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
                for (std::uint64_t i = 0; i < n; ++i) sums.add_one(at + i * step, columns, q);
              });
        };
        add_up(true);
        results.round(set, sums, ones, ones, most, 1);
        // Where that is in doubt and all windows have one divisor: the sum of the numerators, divided once.
        std::optional<double> across;
        bool is_one = true;
        windows.for_hits(c, windows.size() - 1, [&](const coordinate_tuple& o, const coordinate_tuple&) {
          const double each = detail::divisor_across(desc, windows, o);
          is_one = is_one && (!across || *across == each);
          across = each;
        });
        bool has_quotients = false;
        results.store(output.data() + offset_of(c, output.strides()), output.strides()[last], [&](std::size_t i) {
          if (is_one && across && common[i] > 0) {
            if (!has_quotients) {
              add_up(false);
              quotients.round(set, sums, ones, common, most, *across);
              has_quotients = true;
            }
            if (quotients.doubt()[i] == 0 && !is_zero(quotients.results()[i])) return quotients.results()[i];
          }
          coordinate_tuple at = c;
          at[last] = static_cast<std::uint32_t>(i);
          return exactly(at);
        });
      };
    });
  }

  // Plane by plane: each window adds to the sum of its greatest tap.
  template <class T>
  static void of_greatest(const cpu_backend& backend, const tensor_view<const T>& x,
                          const tensor_view<const T>& gradient, const tensor_view<T>& output, const Desc& desc) {
    const dimensions& sizes = output.sizes();
    const dimensions counts = gradient.sizes();
    const detail::image_windows windows(detail::window_lists_of(desc), sizes, counts);
    const std::uint64_t planes = std::uint64_t{sizes[0]} * sizes[1], plane = element_count(sizes) / planes;
    const std::uint64_t bytes = sizeof(T) * detail::taps_of_windows(desc.window_size, sizes, counts);
    const bool is_packed = output.strides() == packed_strides(sizes);
    dimensions rows = counts;
    rows[0] = rows[1] = rows[rows.size() - 1] = 1;
    detail::parallel_for(backend, bytes, planes, [&](std::uint64_t begin, std::uint64_t end) {
      const detail::ieee_arithmetic mode;
      detail::greatest_row<T> row(backend.instruction_set(), x, windows, counts.back(), desc.nan_policy, true);
      std::vector<cell> sums(static_cast<std::size_t>(plane));
      std::vector<std::uint32_t> terms(sums.size());
      for (std::uint64_t number = begin; number < end; ++number) {
        std::fill(sums.begin(), sums.end(), cell{});
        std::fill(terms.begin(), terms.end(), 0);
        for (coordinate_tuple o : coordinates_of(rows)) {
          o[0] = static_cast<std::uint32_t>(number / sizes[1]);
          o[1] = static_cast<std::uint32_t>(number % sizes[1]);
          row.find(o);
          const T* from = gradient.data() + offset_of(o, gradient.strides());
          for (std::uint32_t q = 0; q < counts.back(); ++q, from += gradient.strides().back()) {
            if (row.index(q) == detail::greatest_row<T>::none) continue;
            const auto place = static_cast<std::size_t>(row.index(q) - number * plane);
            sums[place].add(exact_double(*from));
            ++terms[place];
          }
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
          const bool is_simple = terms[i] < 2 && is_finite_sum(sums[i]);
          if (is_simple && is_packed) {
            output.data()[number * plane + i] = terms[i] == 0 ? T(0) : rounded<T>(sums[i].sum);
            continue;
          }
          const coordinate_tuple c = coordinate_at(sizes, number * plane + i);
          if (is_simple) {
            output[c] = terms[i] == 0 ? T(0) : rounded<T>(sums[i].sum);
            continue;
          }
          // Terms have 24 bits, so that no sum of so many rounds.
          const bool exact =
              std::is_same_v<T, float16> ? terms[i] <= 4096 : sums[i].magnitude <= sums[i].least * 0x1p28;
          output[c] = result_of<T>(sums[i], exact ? 0 : growth(terms[i] + 3.0, 0x1p-53) * sums[i].magnitude, [&] {
            detail::extended_sum sum;
            windows.for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple&) {
              if (detail::greatest_tap(x, windows.taps_of(o), desc.nan_policy) == c)
                sum.add(exact_double(T(gradient[o])));
            });
            return sum.value();
          });
        }
      }
    });
  }

  struct cell {
    double sum = -0.0, magnitude = 0, least = detail::infinite_double;  // of the magnitudes other than 0

    void add(double x) {
      const double size = std::abs(x);
      sum += x;
      magnitude += size;
      if (size > 0) least = (std::min)(least, size);
    }
  };
  static bool is_finite_sum(const cell& sums) { return detail::is_finite_double(sums.magnitude); }
  // `exact` gives the exact sum, rounded to odd.
  template <class T, class Exact>
  static T result_of(const cell& sums, double error, const Exact& exact) {
    if (is_zero(sums.magnitude) && !detail::is_negative_double(sums.sum)) return T(0);
    if (const auto result = detail::certain<T>({sums.sum, error})) return *result;
    return rounded<T>(exact());
  }
};

}  // namespace goldml
