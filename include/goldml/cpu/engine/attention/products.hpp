// Products of matrices of doubles, of which the right one is stored as panels of eight columns.
#pragma once

#include <algorithm>
#include <cstddef>

#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

// The lanes of a vector of a set.
template <class Set>
inline constexpr std::size_t product_lanes = Set::value == instruction_set::avx512 ? 8
                                                                                   : Set::vector_bytes / sizeof(double);

// Column c of a panel's row k is element 8 k + c of the panel.
inline constexpr std::size_t panel_columns = 8;
constexpr std::size_t panels_of(std::size_t columns) { return (columns + panel_columns - 1) / panel_columns; }

// What is multiplied: a(i, k) = a[i * a_step + k], after whose last element eight more are readable, b(k, c) in panels
// that are b_step apart, and where the result is added: to[i * to_step + c].
struct panel_product {
  const double* a;
  std::size_t rows, a_step;
  const double* b;
  std::size_t panels, b_step;
  std::size_t depth;
  double* to;
  std::size_t to_step;
};

// Adds a product: for each k of a part, for each panel, for each row; the terms of a part are added in chunks, and then
// the chunks. So a result is off by depth / chunk + chunk roundings of the sum of the magnitudes of its terms, and by
// that of each product.
struct add_panel_product {
  // `Rows` rows and `Vectors` times the lanes of a vector, so many that the sums are kept in registers.
  template <std::size_t Lanes, std::size_t Rows, std::size_t Vectors>
  GOLDML_INLINE static void add_tile(const panel_product& x, std::size_t row, std::size_t panel, std::size_t first,
                                     std::size_t last) {
    const double* const a = x.a + row * x.a_step;
    const double* const b = x.b + panel * x.b_step;
    const auto column = [](std::size_t v) GOLDML_INLINE_LAMBDA { return v * Lanes % panel_columns; };
    const auto panel_of = [](std::size_t v) GOLDML_INLINE_LAMBDA { return v * Lanes / panel_columns; };
    simd::vector<double, Lanes> sums[Rows][Vectors], factor, columns[Vectors];
    simd::unrolled<Rows>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
      simd::unrolled<Vectors>([&](std::size_t v) GOLDML_INLINE_LAMBDA { simd::splat(sums[i][v], 0.0); });
    });
    for (std::size_t k = first; k < last; ++k) {
      simd::unrolled<Vectors>([&](std::size_t v) GOLDML_INLINE_LAMBDA {
        simd::load(columns[v], b + panel_of(v) * x.b_step + panel_columns * k + column(v));
      });
      simd::unrolled<Rows>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
        simd::spread(factor, a + i * x.a_step + k);
        simd::unrolled<Vectors>([&](std::size_t v)
                                    GOLDML_INLINE_LAMBDA { sums[i][v] = sums[i][v] + factor * columns[v]; });
      });
    }
    simd::unrolled<Rows>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
      simd::unrolled<Vectors>([&](std::size_t v) GOLDML_INLINE_LAMBDA {
        double* const to = x.to + (row + i) * x.to_step + panel_columns * panel + v * Lanes;
        simd::load(factor, to);
        factor = factor + sums[i][v];
        simd::store(to, factor);
      });
    });
  }
  template <std::size_t Lanes, std::size_t Rows, std::size_t Panels>
  GOLDML_INLINE static void add_rows(const panel_product& x, std::size_t panel, std::size_t first, std::size_t last,
                                     std::size_t chunk) {
    constexpr std::size_t vectors = Panels * panel_columns / Lanes;
    std::size_t row = 0;
    for (; row + Rows <= x.rows; row += Rows)
      for (std::size_t k = first; k < last; k += chunk)
        add_tile<Lanes, Rows, vectors>(x, row, panel, k, (std::min)(k + chunk, last));
    for (; row < x.rows; ++row)
      for (std::size_t k = first; k < last; k += chunk)
        add_tile<Lanes, 1, vectors>(x, row, panel, k, (std::min)(k + chunk, last));
  }

  template <class Set>
  GOLDML_INLINE static void run(Set, const panel_product& x, std::size_t part, std::size_t chunk) {
    constexpr std::size_t lanes = product_lanes<Set>, rows = lanes == 2 ? 2 : 4, panels = lanes == 8 ? 4 : 1;
    for (std::size_t first = 0; first < x.depth; first += part) {
      const std::size_t last = (std::min)(first + part, x.depth);
      std::size_t panel = 0;
      for (; panel + panels <= x.panels; panel += panels) add_rows<lanes, rows, panels>(x, panel, first, last, chunk);
      for (; panel < x.panels; ++panel) add_rows<lanes, rows, 1>(x, panel, first, last, chunk);
    }
  }
};

}  // namespace goldml::detail
