// Copies of boxes of elements, and fills with one value: by strided_copy_vectors.hlsl where rows of whole vectors of 16
// bytes lie together in both tensors, by strided_copy_tiles.hlsl where words lie together along different dimensions,
// otherwise by strided_copy.hlsl. The operators that only move elements consist of these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <goldml/core/scalar.hpp>
#include <goldml/d3d12/runtime/tensor_layout.hpp>
#include <goldml/d3d12/shaders/strided_copy.dxbc.hpp>

namespace goldml::d3d12 {

// How a dimension of the output that is longer than the input's continues it on either side.
struct extension {
  std::uint32_t input_size;
  std::uint32_t start;                       // coordinates of the output before the input's first
  std::optional<std::uint32_t> period = {};  // without one, the first and the last element are repeated
  std::uint32_t mirror = 0;                  // position p of the period, if past the input, is position mirror - p
};

// A dimension of a box: steps in elements.
struct copied_dimension {
  std::uint32_t size;
  std::int64_t input_step;
  std::uint64_t output_step;
  std::optional<extension> extended = {};
};

// The elements of two tensors that correspond; offsets of the element with all coordinates 0.
struct copied_box {
  std::vector<copied_dimension> dimensions;  // in any order, at most 16; if one is extended, at most 8
  std::int64_t input_first = 0;
  std::uint64_t output_first = 0;
};

namespace detail {

class strided_recording {
 public:
  // Without an input (default-constructed), a fill with `bits`: the value, repeated to fill 64 bits.
  strided_recording(recorder& work, const buffer_tensor& output, const buffer_tensor& input, std::uint64_t bits)
      : work_(work), output_(output), input_(input), bits_(bits) {}

  void record(const copied_box& given) {
    box b;
    std::int64_t input_first = given.input_first;
    b.output_first = given.output_first;
    for (const copied_dimension& dimension : given.dimensions) {
      if (dimension.size == 1 && !dimension.extended)
        continue;  // its steps are unused and may be larger than any tensor
      const bool reversed = dimension.input_step < 0;
      const std::int64_t step = reversed ? -dimension.input_step : dimension.input_step;
      if (reversed) input_first -= (std::int64_t{dimension.size} - 1) * step;
      extended_ = extended_ || dimension.extended.has_value();
      b.rows.add({dimension.size,
                  {narrow(static_cast<std::uint64_t>(step)), narrow(dimension.output_step), reversed ? 1u : 0u}});
      if (dimension.extended) extend(b.rows[b.rows.count() - 1], b.rows.count() - 1, *dimension.extended);
    }
    b.input_first = static_cast<std::uint64_t>(input_first);
    if (!extended_) {
      b.rows.sort_by(1);
      b.rows.merge();
      if (widen(b) || record_tiles(b)) return;
    }
    record_box(b);
  }

 private:
  struct box {
    dimension_rows rows;  // steps: of the input, of the output, and the shader's `indexing`
    std::uint64_t input_first = 0;
    std::uint64_t output_first = 0;
  };

  static std::uint32_t narrow(std::uint64_t step) {
    if (step > 0xFFFF'FFFF) throw std::length_error("goldml: d3d12: elements of a tensor are 2^32 or more apart");
    return static_cast<std::uint32_t>(step);
  }

  void extend(dimension_row& row, std::size_t number, const extension& e) {
    row.steps[2] = e.period ? 3 : 2;
    constant_row& constants = extensions_.at(number);
    constants = {e.input_size, e.start, 0, e.mirror};
    if (e.period) constants[1] = (*e.period - e.start % *e.period) % *e.period, constants[2] = *e.period;
    input_reach_ += std::uint64_t{e.input_size - 1} * row.steps[0];
  }

  bool has_input() const { return input_.present(); }

  // Whether all elements form pairs that are whole in both tensors.
  bool forms_pairs(const box& b) const {
    const dimension_row& inner = b.rows[0];
    bool result = inner.size % 2 == 0 && inner.steps[1] == 1 && b.output_first % 2 == 0;
    if (has_input()) result = result && inner.steps[0] == 1 && inner.steps[2] == 0 && b.input_first % 2 == 0;
    for (std::size_t i = 1; i < b.rows.count(); ++i)
      result = result && b.rows[i].steps[1] % 2 == 0 && b.rows[i].steps[0] % 2 == 0;
    return result;
  }

  // The same box of elements of twice the size.
  static box of_pairs(box b) {
    b.rows[0].size /= 2;
    for (std::size_t i = 1; i < b.rows.count(); ++i) {
      b.rows[i].steps[0] /= 2;
      b.rows[i].steps[1] /= 2;
    }
    b.input_first /= 2;
    b.output_first /= 2;
    return b;
  }

  // Moves neighbouring small elements together, up to 8 bytes; returns whether vectors of 16 bytes were moved instead.
  bool widen(box& b) {
    constexpr std::array<data_type, 4> unsigned_types{data_type::uint8, data_type::uint16, data_type::uint32,
                                                      data_type::uint64};
    for (std::uint32_t size = size_log2(output_.desc.data_type); size < 3; ++size) {
      if (!forms_pairs(b)) return false;
      b = of_pairs(b);
      output_.desc.data_type = unsigned_types.at(size + 1);
      if (has_input()) input_.desc.data_type = output_.desc.data_type;
    }
    if (!work_.may_use_tables() || !forms_pairs(b) || !fits(vectors(output_.range)) ||
        (has_input() && !fits(vectors(input_.range))))
      return false;
    record_vectors(of_pairs(b));
    return true;
  }

  void record_vectors(const box& b) const {
    const std::uint32_t count = b.rows.elements();
    const group_counts groups = grid(divide_up(count, 256));
    pass p = pass_of<shaders::strided_copy_vectors>(groups,
                                                    {.vectors = count,
                                                     .dimension_count = static_cast<std::uint32_t>(b.rows.count()),
                                                     .has_input = has_input() ? 1u : 0u,
                                                     .value_low = static_cast<std::uint32_t>(bits_),
                                                     .value_high = static_cast<std::uint32_t>(bits_ >> 32),
                                                     .input_first = static_cast<std::uint32_t>(b.input_first),
                                                     .output_first = static_cast<std::uint32_t>(b.output_first),
                                                     .groups_x = groups[0]},
                                                    {.dimension = b.rows.constants<16>()});
    if (has_input()) p.reads = {vectors(input_.range)};
    p.writes = {vectors(output_.range)};
    work_.dispatch(p);
  }

  // Divides the box in two until every part fits into views.
  void record_box(const box& b) {
    const std::uint64_t most = window_elements(output_.desc, view_kind::raw);
    const std::uint64_t input_reach = !has_input() ? 0 : extended_ ? reach_of_extended(b) : b.rows.reach(0);
    if (extended_ && (input_reach >= most || b.rows.reach(1) >= most))
      throw std::length_error("goldml: d3d12: a tensor of more than 512 MiB is padded with its own elements");
    if (input_reach >= most || b.rows.reach(1) >= most) {
      const std::size_t row = b.rows.longest(input_reach >= most ? 0 : 1);
      const std::uint32_t half = b.rows[row].size / 2;
      box first = b, second = b;
      first.rows[row].size = half;
      second.rows[row].size -= half;
      const bool reversed = b.rows[row].steps[2] == 1;
      (reversed ? first : second).input_first +=
          std::uint64_t{reversed ? second.rows[row].size : half} * b.rows[row].steps[0];
      second.output_first += std::uint64_t{half} * b.rows[row].steps[1];
      record_box(first);
      record_box(second);
      return;
    }
    window from{};
    if (has_input()) from = window_of(input_, b.input_first, input_reach);
    const window to = window_of(output_, b.output_first, b.rows.reach(1));
    const std::uint32_t elements = b.rows.elements();
    const group_counts groups = grid(divide_up(elements, 256));
    pass p = pass_of<shaders::strided_copy>(groups,
                                            {.elements = elements,
                                             .dimension_count = static_cast<std::uint32_t>(b.rows.count()),
                                             .size_log2 = size_log2(output_.desc.data_type),
                                             .has_input = has_input() ? 1u : 0u,
                                             .value_low = static_cast<std::uint32_t>(bits_),
                                             .value_high = static_cast<std::uint32_t>(bits_ >> 32),
                                             .input_first = from.first,
                                             .output_first = to.first,
                                             .groups_x = groups[0]},
                                            {.dimension = b.rows.constants<16>(), .extension = extensions_});
    if (has_input()) p.reads = {raw(from.range)};
    p.writes = {structured(to.range)};
    dispatch_raw(work_, std::move(p));
  }

  // Tiles, if words lie together along one dimension of the output and along another of the input, and whole vectors of
  // them in both. Returns whether they do.
  bool record_tiles(const box& b) const {
    constexpr std::uint32_t tile = 64, vector = 4;  // in words
    if (!has_input() || size_log2(output_.desc.data_type) != 2 || !work_.may_use_tables() ||
        !fits(vectors(input_.range)) || !fits(vectors(output_.range)))
      return false;
    const dimension_row& inner = b.rows[0];  // they are sorted by the steps of the output
    if (inner.steps[1] != 1 || inner.size < tile / 2) return false;
    std::size_t other = 0;
    for (std::size_t i = 1; i < b.rows.count(); ++i)
      if (b.rows[i].steps[0] == 1 && b.rows[i].size >= tile / 2) other = i;
    if (other == 0) return false;
    const dimension_row& outer = b.rows[other];
    bool whole = inner.size % vector == 0 && outer.size % vector == 0 && b.input_first % vector == 0 &&
                 b.output_first % vector == 0;
    dimension_rows rest;
    for (std::size_t i = 0; i < b.rows.count(); ++i) {
      const dimension_row& row = b.rows[i];
      whole = whole && row.steps[2] == 0 && (i == other || row.steps[0] % vector == 0) &&
              (i == 0 || row.steps[1] % vector == 0);
      if (i != 0 && i != other) rest.add(row);
    }
    if (!whole) return false;
    const auto to_tiles = static_cast<std::uint32_t>(divide_up(inner.size, tile));
    const auto from_tiles = static_cast<std::uint32_t>(divide_up(outer.size, tile));
    const std::uint64_t tiles = std::uint64_t{to_tiles} * from_tiles * rest.elements();
    const group_counts groups = grid(tiles);
    pass p = pass_of<shaders::strided_copy_tiles>(groups,
                                                  {.tiles = static_cast<std::uint32_t>(tiles),
                                                   .dimension_count = static_cast<std::uint32_t>(rest.count()),
                                                   .to_size = inner.size,
                                                   .to_step = inner.steps[0],
                                                   .to_tiles = to_tiles,
                                                   .from_size = outer.size,
                                                   .from_step = outer.steps[1],
                                                   .from_tiles = from_tiles,
                                                   .input_first = static_cast<std::uint32_t>(b.input_first),
                                                   .output_first = static_cast<std::uint32_t>(b.output_first),
                                                   .groups_x = groups[0]},
                                                  {.dimension = rest.constants<16>()});
    p.reads = {vectors(input_.range)};
    p.writes = {vectors(output_.range)};
    work_.dispatch(p);
    return true;
  }

  // The input is shorter than the output where it is extended.
  std::uint64_t reach_of_extended(const box& b) const {
    std::uint64_t result = input_reach_;
    for (std::size_t i = 0; i < b.rows.count(); ++i)
      if (b.rows[i].steps[2] < 2) result += std::uint64_t{b.rows[i].size - 1} * b.rows[i].steps[0];
    return result;
  }

  recorder& work_;
  buffer_tensor output_;
  buffer_tensor input_;
  std::uint64_t bits_;
  bool extended_ = false;
  std::uint64_t input_reach_ = 0;  // of the extended dimensions
  std::array<constant_row, 8> extensions_{};
};

}  // namespace detail

// Records the copy of a box. Input and output have the same data type and are not in one resource. Throws
// std::length_error for tensors that are too large for the shader.
inline void record_copy(recorder& work, const buffer_tensor& output, const buffer_tensor& input,
                        const copied_box& box) {
  detail::strided_recording(work, output, input, 0).record(box);
}

// The same for a box with as many dimensions and the same sizes as `sizes`, which begins at these elements.
inline void record_copy(recorder& work, const buffer_tensor& output, const buffer_tensor& input,
                        const dimensions& sizes, std::uint64_t output_first = 0, std::uint64_t input_first = 0) {
  const dimensions to = effective_strides(output.desc), from = effective_strides(input.desc);
  copied_box box{{}, static_cast<std::int64_t>(input_first), output_first};
  for (std::size_t i = 0; i < sizes.size(); ++i) box.dimensions.push_back({sizes[i], from[i], to[i]});
  record_copy(work, output, input, box);
}

// Records that every element of the output becomes the value, which has the output's data type; if omitted, zero.
inline void record_fill(recorder& work, const buffer_tensor& output, const scalar& value) {
  const dimensions to = effective_strides(output.desc);
  copied_box box;
  for (std::size_t i = 0; i < to.size(); ++i) box.dimensions.push_back({output.desc.sizes[i], 0, to[i]});
  detail::strided_recording(work, output, {}, repeated_bits(value, output.desc.data_type)).record(box);
}

}  // namespace goldml::d3d12
