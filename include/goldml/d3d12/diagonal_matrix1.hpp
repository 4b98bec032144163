// DIAGONAL_MATRIX1 by shaders: diagonal_matrix1_vectors.hlsl for packed tensors, diagonal_matrix1.hlsl for any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <goldml/d3d12/host_call.hpp>
#include <goldml/d3d12/shaders.hpp>
#include <goldml/d3d12/tensor_layout.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>

namespace goldml::d3d12 {

template <>
struct program<diagonal_matrix1_desc> {
  static void record(recorder& work, const diagonal_matrix1_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const buffer_tensor& input = inputs[0];
    const buffer_tensor& output = outputs[0];
    const bool in_place = input.present() && same_range(input.range, output.range);
    const auto elements = static_cast<std::uint32_t>(element_count(output.desc.sizes));
    std::uint32_t done = 0;
    if (work.may_use_tables() && !in_place && is_packed(output) && fits(vectors(output.range)) &&
        (!input.present() || (is_packed(input) && fits(vectors(input.range)))) &&
        (work.must_use_tables() || elements >= 4096))
      done = record_vectors(work, desc, input, output, elements);
    if (done == elements) return;
    box all;
    const dimensions to = effective_strides(output.desc);
    const dimensions from = input.present() ? effective_strides(input.desc) : dimensions::filled(to.size(), 0);
    for (std::size_t i = to.size(); i-- > 0;) all.rows.add({output.desc.sizes[i], {from[i], to[i], 0}});
    const unfilled rest = in_place ? unfilled::left : input.present() ? unfilled::input : unfilled::zero;
    const recording r{work, desc, input, output, rest};
    if (done != 0)
      r.record_tail(all, done, elements);
    else
      r.record_box(all);
  }

 private:
  enum class unfilled : std::uint32_t { zero = 0, input = 1, left = 2 };  // what becomes of it

  // Part of the tensors: its dimensions, x and y first, with the steps in input and output, and where it begins.
  struct box {
    dimension_rows rows;
    std::uint64_t input_first = 0;
    std::uint64_t output_first = 0;
    std::uint32_t x_first = 0;
    std::uint32_t y_first = 0;
  };

  static bool is_packed(const buffer_tensor& tensor) {
    return effective_strides(tensor.desc) == packed_strides(tensor.desc.sizes);
  }

  // The value's bits over and over, as 64 bits.
  static std::uint64_t value_of(const diagonal_matrix1_desc& desc, data_type type) {
    switch (element_size_in_bytes(type)) {
      case 1:
        return desc.value.as<std::uint8_t>() * 0x0101'0101'0101'0101u;
      case 2:
        return desc.value.as<std::uint16_t>() * 0x0001'0001'0001'0001u;
      case 4:
        return desc.value.as<std::uint32_t>() * 0x0000'0001'0000'0001u;
      default:
        return desc.value.as<std::uint64_t>();
    }
  }

  // Whole vectors of 16 bytes; returns how many elements that makes.
  static std::uint32_t record_vectors(recorder& work, const diagonal_matrix1_desc& desc, const buffer_tensor& input,
                                      const buffer_tensor& output, std::uint32_t elements) {
    const std::uint32_t vector = 16u >> size_log2(output.desc.data_type);  // in elements
    const std::uint32_t vector_count = elements / vector;
    if (vector_count == 0) return 0;
    const dimensions& sizes = output.desc.sizes;
    const std::uint32_t width = sizes[sizes.size() - 1];
    const std::uint32_t height = sizes[sizes.size() - 2];
    const std::uint32_t matrices = elements / width / height;
    // Groups of their own pay for rows that keep most of their threads busy.
    const std::uint64_t row_groups = divide_up(width / vector, 256);
    const bool by_row = width % vector == 0 && width / vector >= 192 && row_groups <= most_groups &&
                        height <= most_groups && matrices <= most_groups;
    const std::uint64_t value = value_of(desc, output.desc.data_type);
    pass p;
    p.code = &shaders::diagonal_matrix1_vectors;
    p.groups = grid(divide_up(vector_count, 256));
    if (by_row) p.groups = {static_cast<std::uint32_t>(row_groups), height, matrices};
    p.constants = {vector_count,
                   width,
                   height,
                   by_row ? 1u : 0u,
                   size_log2(output.desc.data_type),
                   static_cast<std::uint32_t>(value),
                   static_cast<std::uint32_t>(value >> 32),
                   static_cast<std::uint32_t>(desc.diagonal_fill_begin),
                   static_cast<std::uint32_t>(desc.diagonal_fill_end),
                   input.present() ? 1u : 0u,
                   p.groups[0]};
    if (input.present()) p.reads = {vectors(input.range)};
    p.writes = {vectors(output.range)};
    work.dispatch(p);
    return vector_count * vector;
  }

  struct recording {
    recorder& work;
    const diagonal_matrix1_desc& desc;
    const buffer_tensor& input;
    const buffer_tensor& output;
    unfilled rest;

    // Cut in two until every part fits into views.
    void record_box(const box& b) const {
      const std::uint64_t most = window_elements(output.desc, view_kind::raw);
      const bool cut_input = b.rows.reach(0) >= most;
      if (cut_input || b.rows.reach(1) >= most) {
        const std::size_t row = b.rows.longest(cut_input ? 0 : 1);
        const std::uint32_t half = b.rows[row].size / 2;
        box first = b, second = b;
        first.rows[row].size = half;
        second.rows[row].size -= half;
        second.input_first += std::uint64_t{half} * b.rows[row].steps[0];
        second.output_first += std::uint64_t{half} * b.rows[row].steps[1];
        if (row == 0) second.x_first += half;
        if (row == 1) second.y_first += half;
        record_box(first);
        record_box(second);
        return;
      }
      window from{};
      if (rest == unfilled::input) from = window_of(input, b.input_first, b.rows.reach(0));
      record_elements(b, 0, b.rows.elements(), from, window_of(output, b.output_first, b.rows.reach(1)));
    }

    // Elements done .. elements of packed tensors. The views begin there, so that element 0 lies before them.
    void record_tail(const box& all, std::uint32_t done, std::uint32_t elements) const {
      window from{};
      if (rest == unfilled::input) from = before_window(window_of(input, done, elements - done - 1), done);
      record_elements(all, done, elements - done, from,
                      before_window(window_of(output, done, elements - done - 1), done));
    }

    static window before_window(const window& w, std::uint32_t elements) { return {w.range, w.first - elements}; }

    void record_elements(const box& b, std::uint32_t first, std::uint32_t count, const window& from,
                         const window& to) const {
      const std::uint64_t value = value_of(desc, output.desc.data_type);
      pass p;
      p.groups = grid(divide_up(count, 256));
      p.constants = {first,
                     count,
                     static_cast<std::uint32_t>(b.rows.count()),
                     size_log2(output.desc.data_type),
                     static_cast<std::uint32_t>(value),
                     static_cast<std::uint32_t>(value >> 32),
                     static_cast<std::uint32_t>(desc.diagonal_fill_begin),
                     static_cast<std::uint32_t>(desc.diagonal_fill_end),
                     static_cast<std::uint32_t>(rest),
                     from.first,
                     to.first,
                     b.x_first,
                     b.y_first,
                     p.groups[0]};
      p.block = block_of({&b.rows});
      if (rest == unfilled::input) p.reads = {raw(from.range)};
      p.writes = {structured(to.range)};
      dispatch_raw(work, shaders::diagonal_matrix1, shaders::diagonal_matrix1_in_table, std::move(p));
    }
  };
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<diagonal_matrix1_desc, d3d12::device> {
  static void run(const d3d12::device& gpu, const const_tensor_ref& input, const tensor_ref& output,
                  const diagonal_matrix1_desc& desc) {
    d3d12::run_on_host_memory<diagonal_matrix1_desc>(gpu, desc, {input}, {output});
  }
};

}  // namespace goldml
