// MATRIX_MULTIPLY_INTEGER_TO_FLOAT, following its page and the ledger (QU-R10, QU-R17).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/arithmetic/integer_total.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/integer_operands.hpp>
#include <goldml/operators/matrix_multiply_integer_to_float.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<matrix_multiply_integer_to_float_desc, reference_backend> {
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const matrix_multiply_integer_to_float_desc&) {
    const dimensions& sizes = outputs[0].desc().sizes;
    const std::size_t column = sizes.size() - 1, row = column - 1;
    const dimensions left = effective_strides(inputs[0].desc()), right = effective_strides(inputs[3].desc());
    for (const coordinate_tuple& o : coordinates_of(sizes)) {
      const std::int64_t a_zero = detail::zero_point_at(inputs[2], o[row]);
      const std::int64_t b_zero = detail::zero_point_at(inputs[5], o[column]);
      arithmetic::integer_total total;
      coordinate_tuple a = o, b = o;
      for (std::uint32_t k = 0; k < inputs[0].desc().sizes[column]; ++k) {
        a[column] = b[row] = k;
        total.add_product(detail::integer_at(inputs[0], offset_of(a, left)) - a_zero,
                          detail::integer_at(inputs[3], offset_of(b, right)) - b_zero);
      }
      const double bias =
          inputs[6].present() ? detail::float_at(inputs[6], offset_of(o, effective_strides(inputs[6].desc()))) : 0;
      const double y = arithmetic::scaled_total(total, detail::scale_at(inputs[1], o[row]),
                                                detail::scale_at(inputs[4], o[column]), bias);
      visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type,
                      [&]<class T>(std::type_identity<T>) { outputs[0].as<T>()[o] = rounded<T>(y); });
    }
  }
};

}  // namespace goldml
