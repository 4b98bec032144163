// AVERAGE_POOLING_GRAD and MAX_POOLING_GRAD on the CPU: sums in double, and again exactly where these do not decide how
// the result is rounded.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/greatest_row.hpp>
#include <goldml/cpu/engine/pooling.hpp>
#include <goldml/cpu/engine/row_of_sums.hpp>
#include <goldml/cpu/engine/tap_gradients.hpp>
#include <goldml/cpu/engine/windows.hpp>
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
  // Row by row of the output. Where the least common multiple of the divisors is below 2^24, terms are multiplied by
  // what their divisors lack of it, which is exact, and sums are divided by it; otherwise terms are quotients.
  template <class T>
  static void of_average(const cpu_backend& backend, const tensor_view<const T>& gradient, const tensor_view<T>& output,
                         const Desc& desc) {
    const dimensions& sizes = output.sizes();
    const detail::image_windows windows(detail::window_lists_of(desc), sizes, gradient.sizes());
    const std::size_t width = sizes.back(), count = gradient.sizes().back(), last = windows.size() - 1;
    std::array<std::uint64_t, detail::image_windows::most_axes> multiples{};
    std::uint64_t multiple = 1, most_weight = 1;
    for (std::size_t i = 0; i <= last && multiple != 0; ++i) {
      const auto [common, least] = multiple_of_divisors(desc, windows[i]);
      multiples[i] = common;
      multiple = common * multiple < 1U << 24 ? common * multiple : 0;
      most_weight *= common / least;
    }
    // What terms are multiplied by, of a window on an axis.
    const auto factor = [&](std::size_t i, std::uint64_t q) {
      const auto divisor = static_cast<double>(detail::divisor_on(desc, windows[i], q));
      return divisor > 0 ? static_cast<double>(multiple == 0 ? 1 : multiples[i]) / divisor : 0;
    };
    const detail::window_axis& axis = windows[last];
    std::vector<double> factors, hits;
    for (std::uint64_t q = 0; q < count; ++q) factors.push_back(factor(last, q));
    for (std::uint64_t i = 0; i < width; ++i) hits.push_back(static_cast<double>(axis.hits_of(i).count));
    factors = detail::numbers_of_row(factors);
    hits = detail::numbers_of_row(hits);
    const std::vector<double> ones(hits.size(), 1);
    const instruction_set set = backend.instruction_set();
    const std::uint64_t bytes = sizeof(T) * detail::taps_of_windows(desc.window_size, sizes, gradient.sizes());
    detail::for_window_rows(backend, bytes, sizes, [&] {
      return [&, columns = detail::row_of_sums(count), sums = detail::row_of_sums(width),
              terms = detail::rounded_row<T, detail::window_loops::finish::terms>(width),
              quotients = detail::rounded_row<T, detail::window_loops::finish::quotient>(width)](
                 const coordinate_tuple& c) mutable {
        columns.clear(set);
        double rows = 0;
        windows.for_hits(c, last, [&](const coordinate_tuple& o, const coordinate_tuple&) {
          double across = 1;
          for (std::size_t i = 0; i < last; ++i) across *= factor(i, o[2 + i]);
          columns.add_numbers(set, 0, gradient.data() + offset_of(o, gradient.strides()), gradient.strides().back(),
                              count, across, factors.data());
          ++rows;
        });
        sums.clear(set);
        detail::for_columns(  // of a window without taps nothing is added
            axis,
            [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
              sums.add(set, at, step, columns, q, 1, n);
            },
            [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
              for (std::uint64_t i = 0; i < n; ++i) sums.add_one(at + i * step, columns, q);
            });
        const auto store = [&](const auto& results) {
          results.store(output.data() + offset_of(c, output.strides()), output.strides().back(), [&](std::size_t i) {
            coordinate_tuple at = c;
            at[at.size() - 1] = static_cast<std::uint32_t>(i);
            detail::quotient_sum sum;
            windows.for_hits(at, [&](const coordinate_tuple& o, const coordinate_tuple&) {
              sum.add(exact_double(T(gradient[o])), detail::divisors_of(desc, windows, o));
            });
            return rounded<T>(sum.value());
          });
        };
        if (multiple == 0) {
          terms.round(set, sums, hits, ones, rows, 1);
          return store(terms);
        }
        quotients.round(set, sums, hits, ones, rows, static_cast<double>(multiple),
                        0x1p28 / static_cast<double>(most_weight));
        store(quotients);
      };
    });
  }
  // The least common multiple of the divisors on an axis, 2^24 if it is more, and the least of them.
  static std::array<std::uint64_t, 2> multiple_of_divisors(const Desc& desc, const detail::window_axis& axis) {
    std::uint64_t multiple = 1, least = 1U << 24;
    for (std::uint64_t q = 0; q < axis.output; ++q) {
      const std::uint64_t each = detail::divisor_on(desc, axis, q);
      if (each == 0) continue;
      least = (std::min)(least, each);
      multiple = each < 1U << 24 ? (std::min)(std::lcm(multiple, each), std::uint64_t{1} << 24) : 1U << 24;
      if (multiple == 1U << 24) break;
    }
    return {multiple, least};
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
    double terms = 1;
    for (std::size_t i = 0; i < windows.size(); ++i)
      terms *= static_cast<double>((std::min)(windows[i].window, windows[i].output));
    dimensions rows = counts, output_rows = sizes;
    rows[0] = rows[1] = rows[rows.size() - 1] = 1;
    output_rows[0] = output_rows[1] = output_rows[sizes.size() - 1] = 1;
    const auto exactly = [&](const coordinate_tuple& c) {
      detail::extended_sum sum;
      windows.for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple&) {
        if (detail::greatest_tap(x, windows.taps_of(o), desc.nan_policy) == c) sum.add(exact_double(T(gradient[o])));
      });
      return rounded<T>(sum.value());
    };
    detail::parallel_for(backend, bytes, planes, [&](std::uint64_t begin, std::uint64_t end) {
      const detail::ieee_arithmetic mode;
      detail::greatest_row<T> row(backend.instruction_set(), x, windows, counts.back(), desc.nan_policy,
                                  detail::greatest_parts::numbers);
      detail::tap_gradients<T> sums(backend.instruction_set(), plane, sizes.back());
      for (std::uint64_t number = begin; number < end; ++number) {
        const auto for_rows = [&](const dimensions& of, const auto& f) {
          for (coordinate_tuple c : coordinates_of(of)) {
            c[0] = static_cast<std::uint32_t>(number / sizes[1]);
            c[1] = static_cast<std::uint32_t>(number % sizes[1]);
            f(c);
          }
        };
        const std::uint64_t step = gradient.strides().back();
        const auto from = [&](const coordinate_tuple& o) { return gradient.data() + offset_of(o, gradient.strides()); };
        sums.clear();
        for_rows(rows, [&](const coordinate_tuple& o) { sums.show(from(o), step, counts.back()); });
        sums.begin(terms);
        for_rows(rows, [&](const coordinate_tuple& o) {
          row.find(o);
          sums.add(from(o), step, counts.back(), row.numbers(), static_cast<std::uint32_t>(number * plane), row.none);
        });
        for_rows(output_rows, [&](coordinate_tuple c) {
          sums.store(detail::number_of(c, sizes) - number * plane, output.data() + offset_of(c, output.strides()),
                     output.strides().back(), [&](std::size_t i) {
                       c[c.size() - 1] = static_cast<std::uint32_t>(i);
                       return exactly(c);
                     });
        });
      }
    });
  }
};

}  // namespace goldml
