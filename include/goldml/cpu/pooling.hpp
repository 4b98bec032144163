// Pooling on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/greatest_row.hpp>
#include <goldml/cpu/engine/pooling.hpp>
#include <goldml/operators/pooling.hpp>

namespace goldml {

template <detail::pooling_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    using types = std::conditional_t<Desc::function == pooling_function::max, a10_types, type_list<float, float16>>;
    visit_data_type(types{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      pool<T>(backend, inputs[0].as<T>(), outputs[0].as<T>(), outputs.size() > 1 ? outputs[1] : tensor_ref(), desc);
    });
  }

 private:
  template <class T>
  static void pool(const cpu_backend& backend, const tensor_view<const T>& x, const tensor_view<T>& y,
                   const tensor_ref& indices, const Desc& desc) {
    const dimensions& counts = y.sizes();
    const detail::image_windows windows(detail::window_lists_of(desc), x.sizes(), counts);
    const std::uint64_t bytes =
        sizeof(T) * detail::taps_of_windows(desc.window_size, x.sizes(), counts);  // all that is read, again and again
    if constexpr (Desc::function == pooling_function::max) {
      std::optional<tensor_view<std::uint32_t>> narrow;
      std::optional<tensor_view<std::uint64_t>> wide;
      if (indices.present() && indices.desc().data_type == data_type::uint32) narrow = indices.as<std::uint32_t>();
      if (indices.present() && indices.desc().data_type == data_type::uint64) wide = indices.as<std::uint64_t>();
      const auto parts = indices.present() ? detail::greatest_parts::both : detail::greatest_parts::values;
      detail::for_window_rows(backend, bytes, counts, [&] {
        return [&, row = detail::greatest_row<T>(backend.instruction_set(), x, windows, counts.back(), desc.nan_policy,
                                                 parts)](const coordinate_tuple& o) mutable {
          row.find(o);
          const auto store = [&](const auto& to, const auto& value_of) {
            auto* at = to.data() + offset_of(o, to.strides());
            for (std::size_t q = 0; q < counts.back(); ++q, at += to.strides().back()) *at = value_of(q);
          };
          store(y, [&](std::size_t q) { return row.value(q); });
          if (narrow) store(*narrow, [&](std::size_t q) { return static_cast<std::uint32_t>(row.number(q)); });
          if (wide)
            store(*wide, [&](std::size_t q) { return row.number(q) == row.none ? ~std::uint64_t{0} : row.number(q); });
        };
      });
    } else {
      if constexpr (Desc::function == pooling_function::lp) {
        if (desc.p == 2) return sum<T, true>(backend, bytes, x, y, windows, desc);
        if (desc.p > 2)
          return detail::for_window_rows(backend, 8 * bytes, counts, [&] {
            return [&](coordinate_tuple o) {
              for (std::uint32_t q = 0; q < counts.back(); ++q) {
                o[o.size() - 1] = q;
                y[o] = detail::exactly_pooled(x, windows.taps_of(o), {}, desc);
              }
            };
          });
      }
      sum<T, false>(backend, bytes, x, y, windows, desc);
    }
  }

  template <class T, bool Squares>
  static void sum(const cpu_backend& backend, std::uint64_t bytes, const tensor_view<const T>& x,
                  const tensor_view<T>& y, const detail::image_windows& windows, const Desc& desc) {
    detail::for_window_rows(backend, bytes, y.sizes(), [&] {
      return detail::summed_row<T, Desc, Squares>(backend.instruction_set(), x, y, windows, desc);
    });
  }
};

}  // namespace goldml
