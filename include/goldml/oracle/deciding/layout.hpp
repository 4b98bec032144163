// The layout operators, DIAGONAL_MATRIX1 and CAST: the element that is copied or converted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <goldml/operators/cast.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/operators/join.hpp>
#include <goldml/oracle/deciding/deciding.hpp>
#include <goldml/reference/padding.hpp>
#include <goldml/reference/slice.hpp>
#include <goldml/reference/slice1.hpp>
#include <goldml/reference/slice_grad.hpp>
#include <goldml/reference/space_depth.hpp>
#include <goldml/reference/tile.hpp>

namespace goldml::oracle {

namespace detail {

inline std::string copied_from(const coordinate_tuple& from) {
  return fmt::format("    input:    it is the input's element at {}\n", from);
}

}  // namespace detail

template <>
struct deciding<join_desc> {
  static std::string text(const join_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output&, const coordinate_tuple& where, const const_tensor_ref&) {
    coordinate_tuple from = where;
    std::size_t part = 0;
    for (; from[desc.axis] >= inputs[part].desc().sizes[desc.axis]; ++part)
      from[desc.axis] -= inputs[part].desc().sizes[desc.axis];
    return fmt::format("    input:    it is the element at {} of InputTensors[{}]\n", from, part);
  }
};

template <has_origin Desc>
struct deciding<Desc> {
  static std::string text(const Desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output& expected, const coordinate_tuple& where, const const_tensor_ref& got) {
    if (const auto from = origin_of(desc, inputs[0].desc().sizes, expected.values.desc().sizes, where)) {
      if constexpr (requires { desc.padding_value; })
        if (is_padding_value(desc, got, where))
          return fmt::format("    input:    it is the input's element at {}, and PaddingValue was got\n", *from);
      return detail::copied_from(*from);
    }
    if constexpr (requires { desc.padding_value; })
      return "    input:    it is PaddingValue\n";
    else
      return "    input:    no element of the input is put there: it is zero\n";
  }

 private:
  static bool is_padding_value(const Desc& desc, const const_tensor_ref& got, const coordinate_tuple& where) {
    if (desc.padding_mode != padding_mode::constant) return false;
    bool is = false;
    visit_data_type(all_types{}, got.desc().data_type, [&]<class T>(std::type_identity<T>) {
      is = scalar(got.as<T>()[where]) == scalar(goldml::detail::padding_value_as<T>(desc.padding_value));
    });
    return is;
  }
};

template <>
struct deciding<diagonal_matrix1_desc> {
  static std::string text(const diagonal_matrix1_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output&, const coordinate_tuple& where, const const_tensor_ref&) {
    const std::int64_t diagonal = std::int64_t{where.back()} - std::int64_t{where[where.size() - 2]};
    const bool filled = diagonal_is_filled(diagonal, desc.diagonal_fill_begin, desc.diagonal_fill_end);
    return fmt::format("    input:    diagonal {} is {}\n", diagonal,
                       filled                ? "filled: it is Value"
                       : inputs[0].present() ? "not filled: it is the input's element"
                                             : "not filled: it is zero");
  }
};

template <>
struct deciding<cast_desc> {
  static std::string text(const cast_desc&, std::span<const const_tensor_ref> inputs, std::size_t, const golden_output&,
                          const coordinate_tuple& where, const const_tensor_ref&) {
    return fmt::format("    input:    {}\n", detail::element_text(inputs[0], where));
  }
};

}  // namespace goldml::oracle
