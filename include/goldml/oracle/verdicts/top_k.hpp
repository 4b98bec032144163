// What a device may answer to TOP_K and TOP_K1 besides the golden answer (ledger 7.4, L47).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/top_k.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

template <goldml::detail::top_k_operator Desc>
struct verdict_traits<Desc> {
  // A sequence that holds a NaN may be ordered in any way (ledger L47), unless the policy determines it.
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    if (desc.nan_policy != nan_policy::skip) return;
    const dimensions& sizes = golden[0].desc().sizes;
    const dimensions logical = packed_strides(sizes);
    dimensions sequences = sizes;
    sequences[desc.axis] = 1;
    visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const tensor_view<const T> x = inputs[0].as<T>();
      for (const coordinate_tuple& sequence : coordinates_of(sequences)) {
        bool has_nan = false;
        coordinate_tuple c = sequence;
        for (std::uint32_t i = 0; i < x.sizes()[desc.axis]; ++i) {
          c[desc.axis] = i;
          has_nan = has_nan || is_nan(x[c]);
        }
        for (std::uint32_t i = 0; has_nan && i < desc.k; ++i) {
          c[desc.axis] = i;
          for (output_verdicts& output : result) output.make_undefined(static_cast<std::size_t>(offset_of(c, logical)));
        }
      }
    });
  }

  // Elements are moved to the places of the flushed order, whether or not they are flushed there.
  static void flushed_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (inputs[0].desc().data_type != data_type::float32) return;
    const auto x = inputs[0].as<float>();
    const auto y = flushed[0].as<float>();
    auto moved = std::make_shared<std::vector<float>>();
    visit_data_type(type_list<std::uint32_t, std::uint64_t>{}, flushed[1].desc().data_type,
                    [&]<class Index>(std::type_identity<Index>) {
                      const auto index = flushed[1].as<Index>();
                      std::size_t element = 0;
                      for (coordinate_tuple c : coordinates_of(y.sizes())) {
                        const float answer = y[c];
                        c[desc.axis] = static_cast<std::uint32_t>(index[c]);
                        if (is_zero(answer) && !is_zero(x[c])) {
                          moved->resize(result[0].size());
                          (*moved)[element] = x[c];
                          result[0].allow_what_is_read(element);
                        }
                        ++element;
                      }
                    });
    if (!moved->empty())
      result[0].read_alternatives_with(
          [moved = std::move(moved)](std::size_t i, const auto& f) { f(scalar((*moved)[i])); });
  }

  // The elements that are moved in another order.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 3>& t) {
    if (t[0].desc->data_type != data_type::float32) return 0;
    return saturating_multiply(element_count(t[1].desc->sizes), sizeof(float));
  }

  // FLOAT32 subnormals may be flushed where they are compared (ledger 7.4), which may leave another order.
  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .flushed_verdicts = &flushed_verdicts,
                                                 .verdict_memory = &verdict_memory,
                                                 .flush_of = &flush_always<flushed_answer::per_element>};
};

}  // namespace goldml::oracle
