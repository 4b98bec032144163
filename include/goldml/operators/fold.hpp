// UNFOLD: the windows on an image as columns of a matrix; and FOLD, its adjoint, which adds them up in an image.
// Feature level 6_4. Pages: DML_UNFOLD_OPERATOR_DESC, DML_FOLD_OPERATOR_DESC. Rules: FO1 to FO9. Rulings: ledger FO-R1,
// FO-R2, AR-R1.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/window_rules.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml {

// Each list has one entry for each spatial axis of the image. The calls take empty lists for ones (strides, dilations)
// or zeros (padding).
struct fold_desc {
  static constexpr bool unfolds = false;
  dimensions window_sizes = {};
  dimensions strides = {};
  dimensions dilations = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
struct unfold_desc {
  static constexpr bool unfolds = true;
  dimensions window_sizes = {};
  dimensions strides = {};
  dimensions dilations = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept fold_operator = std::same_as<Desc, fold_desc> || std::same_as<Desc, unfold_desc>;

template <class Desc>
window_lists fold_lists_of(const Desc& desc) {
  return {desc.window_sizes, desc.strides, desc.dilations, desc.start_padding, desc.end_padding};
}

// How the elements of an image and of its columns belong together. The columns are {N, C * K, L}, K the elements of a
// window and L the windows, or have ones before.
class fold_shape {
 public:
  template <class Desc>
  fold_shape(const Desc& desc, const dimensions& image)
      : taps_(desc.window_sizes),
        counts_(*window_sizes_of(fold_lists_of(desc), image, false)),
        windows_(fold_lists_of(desc), image, counts_) {}

  const image_windows& windows() const { return windows_; }
  const dimensions& counts() const { return counts_; }
  const dimensions& taps() const { return taps_; }
  std::uint64_t window() const { return element_count(taps_); }

  // Where the element c of the columns is in the image; none in the padding.
  std::optional<coordinate_tuple> place_of(const coordinate_tuple& c) const {
    const std::size_t last = c.size() - 1;
    const coordinate_tuple tap = coordinate_at(taps_, c[last - 1] % window());
    const coordinate_tuple block = coordinate_at(counts_.slice(2, counts_.size()), c[last]);
    coordinate_tuple place = windows_.image();
    place[0] = c[last - 2];
    place[1] = static_cast<std::uint32_t>(c[last - 1] / window());
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      const window_axis& axis = windows_[i];
      const std::uint64_t at = block[i] * axis.stride + tap[i] * axis.dilation;
      if (at < axis.start || at - axis.start >= axis.input) return std::nullopt;
      place[2 + i] = static_cast<std::uint32_t>(at - axis.start);
    }
    return place;
  }
  // The element of columns of `rank` dimensions for a window and a tap, as image_windows gives them.
  coordinate_tuple column_of(const coordinate_tuple& o, const coordinate_tuple& tap, std::size_t rank) const {
    coordinate_tuple c = dimensions::filled(rank, 0);
    std::uint64_t row = o[1], column = 0;
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      row = row * taps_[i] + tap[2 + i];
      column = column * counts_[2 + i] + o[2 + i];
    }
    c[rank - 3] = o[0];
    c[rank - 2] = static_cast<std::uint32_t>(row);
    c[rank - 1] = static_cast<std::uint32_t>(column);
    return c;
  }

 private:
  dimensions taps_, counts_;
  image_windows windows_;
};

// FO2 to FO9.
template <class Desc>
void check_fold(const Desc& desc, std::span<const attribute> rows, const operand& image, const operand& columns,
                const rule_report& report) {
  const window_lists lists = fold_lists_of(desc);
  const std::size_t axes = desc.window_sizes.size();
  for (const attribute& row : rows)
    if (list_of(row, &desc).is_null())
      return report("FO3", "", row.name, violation_text("null"), violation_text("a pointer"));
  for (const attribute& row : rows) {
    const dimensions& list = list_of(row, &desc);
    if (list.overlong() || list.empty() || list.size() > image_windows::most_axes || list.size() != axes)
      return report("FO2", "", "DimensionCount", violation_text("{}", list.given()),
                    list.size() == axes || axes == 0 || axes > image_windows::most_axes ? violation_text("1 to 6")
                                                                                        : violation_text("{}", axes),
                    violation_text("the entries of {}", row.name));
  }
  bool sound = true;
  for (const attribute& row : rows)
    if (!row.rule(value_domain::at_least_1).empty())
      sound = check_at_least_1(row, list_of(row, &desc), report) && sound;
  const bool fits = image.legal && image.desc->sizes.size() == axes + 2;
  if (image.legal && !fits)
    report("FO5", Desc::unfolds ? "InputTensor" : "OutputTensor", "DimensionCount",
           violation_text("{}", image.desc->sizes.size()), violation_text("{}", axes + 2),
           violation_text("{} spatial axes, the batch and the channel", axes));
  if (!columns.legal) return;
  const dimensions& got = columns.desc->sizes;
  constexpr std::string_view name = Desc::unfolds ? "OutputTensor" : "InputTensor";
  bool leading_ones = got.size() == axes + 2;
  for (std::size_t i = 0; i + 3 < got.size(); ++i) leading_ones = leading_ones && got[i] == 1;
  if (got.size() != 3 && !leading_ones)
    return report("FO5", name, "Sizes", violation_text("{}", got),
                  violation_text("3 dimensions, or {} with leading ones", axes + 2));
  if (!fits || image.desc->data_type != columns.desc->data_type) return;
  const dimensions& sizes = image.desc->sizes;
  const std::size_t last = got.size() - 1;
  if (got[last - 2] != sizes[0])
    report("FO6", name, "Sizes", violation_text("{}", got[last - 2]), violation_text("{}", sizes[0]),
           violation_text("the batch size of the image"), last - 2);
  std::uint64_t rows_wanted = sizes[1], length = 1;
  for (std::size_t i = 0; i < axes; ++i) {
    if (lists.windows[i] == 0 || lists.strides[i] == 0 || lists.dilations[i] == 0) continue;
    const std::uint64_t padded = std::uint64_t{sizes[2 + i]} + lists.start_padding[i] + lists.end_padding[i];
    const std::uint64_t count =
        window_count(padded, extent_of_window(lists.windows[i], lists.dilations[i]), lists.strides[i]);
    rows_wanted = saturating_multiply(rows_wanted, lists.windows[i]);
    length = saturating_multiply(length, count);
    if (count != 0 && padded <= (std::numeric_limits<std::uint32_t>::max)()) continue;
    sound = false;
    report("FO7", "", "WindowSizes", violation_text("{}", lists.windows[i]),
           violation_text("a window inside the padded image of less than 2^32"),
           violation_text("padded size {}, dilation {}", padded, lists.dilations[i]), i);
  }
  if (!sound) return;
  if (got[last - 1] != rows_wanted)
    report("FO8", name, "Sizes", violation_text("{}", got[last - 1]), violation_text("{}", rows_wanted),
           violation_text("{} channels, windows of {}", sizes[1], lists.windows), last - 1);
  if (got[last] != length)
    report("FO9", name, "Sizes", violation_text("{}", got[last]), violation_text("{}", length),
           violation_text("windows on the image {}", sizes), last);
}

}  // namespace detail

template <detail::fold_operator Desc>
struct operator_traits<Desc> {
  static constexpr std::string_view name = Desc::unfolds ? "UNFOLD" : "FOLD";
  static constexpr std::uint32_t enumerator = Desc::unfolds ? 177 : 176;

  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_6_4, data_types_a11, 3, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor", .role = operand_role::output, .limits = limits, .same_data_type_as = {"FO1", 0}}}};

  static constexpr std::array attributes{row<&Desc::window_sizes>("WindowSizes", "DimensionCount").at_least_1("FO4"),
                                         row<&Desc::strides>("Strides", "DimensionCount").at_least_1("FO4"),
                                         row<&Desc::dilations>("Dilations", "DimensionCount").at_least_1("FO4"),
                                         row<&Desc::start_padding>("StartPadding", "DimensionCount"),
                                         row<&Desc::end_padding>("EndPadding", "DimensionCount")};
  static constexpr auto policies = [] {
    const attribute resource = row<&Desc::same_resource>("same_resource");
    if constexpr (Desc::unfolds)
      return std::array{resource};
    else
      return std::array{row<&Desc::accumulation>("accumulation"), resource};
  }();

  static void check_rules(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    detail::check_fold(desc, attributes, t[Desc::unfolds ? 0 : 1], t[Desc::unfolds ? 1 : 0], report);
  }

  static work_counts work(const Desc&, const std::array<operand, 2>& t) {
    work_counts result{.elements = element_count_of(t)};
    const data_type type = t[0].desc->data_type;
    if (Desc::unfolds || (type != data_type::float32 && type != data_type::float16 && type != data_type::float64))
      return result;
    result.terms = element_count(t[0].desc->sizes);
    result.results = result.judged = element_count(t[1].desc->sizes);
    return result;
  }
  // On a thread of cpu FOLD has rows of the image and of windows.
  static scratch_memory scratch(const Desc& desc, const std::array<operand, 2>& t) {
    if (Desc::unfolds) return {};
    const dimensions& image = t[1].desc->sizes;
    const auto counts = detail::window_sizes_of(detail::fold_lists_of(desc), image, false);
    return {.cpu_thread = 56 * std::uint64_t{image.back()} + 24 * std::uint64_t{counts ? counts->back() : 1}};
  }

  static constexpr operator_options<Desc> options{
      .check_rules = &check_rules, .work = &work, .scratch = &scratch, .moves = Desc::unfolds};
};

namespace detail {

template <class Desc>
Desc with_default_fold(Desc desc) {
  const auto give = [&](dimensions& list, std::uint32_t value) {
    if (list.size() == 0 && !list.is_null()) list = dimensions::filled(desc.window_sizes.size(), value);
  };
  give(desc.strides, 1);
  give(desc.dilations, 1);
  give(desc.start_padding, 0);
  give(desc.end_padding, 0);
  return desc;
}

}  // namespace detail

// With an image {N, C, ...} and the windows that are inside the padded image, numbered in row-major order as the
// elements of a window are: K elements, L windows.
//   columns  {N, C * K, L}, or with ones before as many dimensions as the image has; any type, the image's
// UNFOLD: columns[n, c * K + k, l] = the image's element [n, c, ...] at element k of window l, 0 in the padding.
// FOLD: the image's element = the sum of columns[n, c * K + k, l] over all k and l there; of floats rounded once, of
// integers modulo 2^bits. What is in the padding is dropped. Throws error (T1..T12, FO1..FO9), with the output
// unchanged.
template <class Backend, input_argument Input, output_argument Output>
void fold(const Backend& backend, const Input& input, Output&& output, const fold_desc& desc) {
  static_assert(detail::alike_types<fold_desc, input_view<Input>, output_view<Output>>,
                "goldml FOLD FO1: the tensors have the same data type");
  detail::call(backend, detail::with_default_fold(desc), std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}
template <class Backend, input_argument Input, output_argument Output>
void unfold(const Backend& backend, const Input& input, Output&& output, const unfold_desc& desc) {
  static_assert(detail::alike_types<unfold_desc, input_view<Input>, output_view<Output>>,
                "goldml UNFOLD FO1: the tensors have the same data type");
  detail::call(backend, detail::with_default_fold(desc), std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output: an image of these sizes, or columns of three dimensions.
template <class Backend, class T>
[[nodiscard]] tensor<T> fold(const Backend& backend, const tensor<T>& columns, const dimensions& sizes,
                             const fold_desc& desc) {
  tensor<T> output = detail::new_output_of<T>(sizes, detail::with_default_fold(desc), columns);
  fold(backend, columns, output, desc);
  return output;
}
template <class Backend, class T>
[[nodiscard]] tensor<T> unfold(const Backend& backend, const tensor<T>& image, const unfold_desc& given) {
  const unfold_desc desc = detail::with_default_fold(given);
  dimensions sizes{1, 1, 1};
  if (const auto counts = detail::window_sizes_of(detail::fold_lists_of(desc), image.sizes(), false))
    sizes = {image.sizes()[0], clamped_size(saturating_multiply(image.sizes()[1], element_count(desc.window_sizes))),
             clamped_size(element_count(counts->slice(2, counts->size())))};
  tensor<T> output = detail::new_output_of<T>(sizes, desc, image);
  unfold(backend, image, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(fold_desc);
GOLDML_COMPILED_OPERATOR(unfold_desc);
