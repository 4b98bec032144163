// Random cases of NONZERO_COORDINATES.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/core/number.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<nonzero_coordinates_desc> {
  static sampled_case<nonzero_coordinates_desc> sample(random_source& random, goldml::feature_level level) {
    const bool any_rank = level >= feature_level::level_4_0;
    const tensor_desc input{.data_type = random.pick(data_types_a8),
                            .sizes = random.sizes(any_rank ? 1 : 4, any_rank ? 8 : 5)};
    const std::size_t rank = input.sizes.size();
    const std::size_t fewest = std::max<std::size_t>(1, effective_rank(input.sizes));
    const dimensions matrix{element_count(input.sizes), fewest + random.below(rank - fewest + 1)};
    const std::size_t count_rank = any_rank ? 1 + random.below(8) : rank;
    const std::size_t rows_rank = any_rank ? 2 + random.below(7) : rank;
    return {{},
            {input, tensor_desc{.data_type = data_type::uint32, .sizes = dimensions::filled(count_rank, 1)},
             tensor_desc{.data_type = data_type::uint32, .sizes = left_pad(matrix, rows_rank, 1)}}};
  }

  static std::string_view break_rule(random_source& random, sampled_case<nonzero_coordinates_desc>& c) {
    dimensions& rows = c.tensors[2]->sizes;
    const std::size_t last = rows.size() - 1;
    switch (random.below(5)) {
      case 0:
        c.tensors[1]->sizes[random.below(c.tensors[1]->sizes.size())] = 2;
        return "N1";
      case 1:
        rows[last - 1] += 1;
        return "N3";
      case 2:
        rows[last] = static_cast<std::uint32_t>(c.tensors[0]->sizes.size()) + 1;
        return "N4";
      case 3:
        if (c.desc.feature_level >= feature_level::level_4_0) return "";
        c.tensors[1]->sizes = dimensions::filled(9 - c.tensors[1]->sizes.size(), 1);  // 5 for 4, 4 for 5
        return "N6";
      default:
        if (rows.size() == 2) rows = concatenate({1}, rows);
        rows[0] = 2;
        return "N5";
    }
  }

  static constexpr sampler_options<nonzero_coordinates_desc> options{};
};

}  // namespace goldml::oracle
