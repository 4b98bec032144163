// Random cases of FOLD and UNFOLD.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/fold.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/samplers/windows.hpp>
#include <goldml/reference/fold.hpp>

namespace goldml::oracle {

template <goldml::detail::fold_operator Desc>
struct sampler<Desc> {
  using case_type = sampled_case<Desc>;
  static constexpr std::size_t image = Desc::unfolds ? 0 : 1, columns = 1 - image;

  static case_type sample(random_source& random, goldml::feature_level level) {
    tensor_desc of_image = random_tensor(random, operator_traits<Desc>::operands[0].limits, level);
    if (random.chance(2)) of_image.sizes = dimensions::filled(of_image.sizes.size(), 1);
    case_type result;
    goldml::detail::window_lists lists;
    dimensions padded = of_image.sizes;
    for (std::size_t i = 2; i < padded.size(); ++i) padded[i] += 6;
    const detail::window_choice choice{
        .rounds_up = false, .is_padded = element_count(of_image.sizes) > 1, .most_taps = room_to_grow(random, padded)};
    const dimensions counts = detail::sample_windows(random, of_image.sizes, choice, lists);
    result.desc.window_sizes = lists.windows;
    result.desc.strides = lists.strides;
    result.desc.dilations = lists.dilations;
    result.desc.start_padding = lists.start_padding;
    result.desc.end_padding = lists.end_padding;
    tensor_desc of_columns = of_image;
    of_columns.sizes = {of_image.sizes[0], of_image.sizes[1] * element_count(lists.windows),
                        element_count(counts.slice(2, counts.size()))};
    if (random.chance(40)) of_columns.sizes = left_pad(of_columns.sizes, of_image.sizes.size(), 1);
    result.tensors = {of_image, of_columns};
    if constexpr (!Desc::unfolds) std::swap(result.tensors[0], result.tensors[1]);
    return result;
  }

  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    Desc& desc = c.desc;
    dimensions &sizes = c.tensors[image]->sizes, &matrix = c.tensors[columns]->sizes;
    const std::size_t last = matrix.size() - 1, axis = random.below(desc.strides.size());
    switch (random.below(6)) {
      case 0:
        for (dimensions* list :
             {&desc.window_sizes, &desc.strides, &desc.dilations, &desc.start_padding, &desc.end_padding})
          *list = {};
        return "FO2";
      case 1:
        if (sizes.size() == dimensions::capacity) return "";
        sizes.push_back(1);
        return "FO5";
      case 2:
        ++matrix[last - 2];
        return "FO6";
      case 3:
        desc.window_sizes[axis] = sizes[2 + axis] + desc.start_padding[axis] + desc.end_padding[axis] + 1;
        return "FO7";
      case 4:
        ++matrix[last - 1];
        return "FO8";
      default:
        ++matrix[last];
        return "FO9";
    }
  }

  static constexpr sampler_options<Desc> options = [] {
    sampler_options<Desc> all;
    if (!Desc::unfolds) all.fill = &fill, all.main_tensor = 1;
    return all;
  }();
};

}  // namespace goldml::oracle
