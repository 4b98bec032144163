// MAX_UNPOOLING on the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/core/cold.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/index_reader.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/max_unpooling.hpp>

namespace goldml {

namespace detail {

// Throws the error for indices of which the policy refuses one.
template <class Index>
[[noreturn]] GOLDML_COLD void refuse_indices(const max_unpooling_desc& desc, const host_input& indices,
                                             std::uint64_t places) {
  const tensor_view<const Index> view(reinterpret_cast<const Index*>(indices.data), indices.sizes, indices.strides);
  throw error(check_indices(desc, view, places).value());
}

// The elements of the input with their places, in row-major order.
class unpooling_walk {
 public:
  unpooling_walk(const host_input& input, const host_input& indices, data_type index_type, std::size_t element_size)
      : reader_(indices, index_type) {
    for (std::size_t i = 0; i < input.sizes.size(); ++i)
      loops_.add(input.sizes[i],
                 {std::uint64_t{indices.strides[i]} * reader_.width(), std::uint64_t{input.strides[i]} * element_size});
    loops_.merge();
    run_ = loops_.take_innermost();
    count_ = loops_.iterations() * run_.size;
  }

  std::uint64_t count() const { return count_; }

  // Calls f(place, offset in the input in bytes) for the elements whose places are in [begin, end).
  template <class F>
  void for_places(std::uint64_t begin, std::uint64_t end, const F& f) const {
    loops_.for_each([&](const auto& offset) {
      for (std::uint64_t i = 0; i < run_.size; ++i) {
        const std::uint64_t place = reader_.position(offset[0] + i * run_.stride[0], 0);  // unsigned: the element
        if (place - begin < end - begin) f(place, offset[1] + i * run_.stride[1]);
      }
    });
  }

 private:
  index_reader reader_;
  loop_nest<2> loops_;  // strides {indices, input}, in bytes
  loop<2> run_{};
  std::uint64_t count_ = 0;
};

// Whether no two elements have one of these places. Each part of the places reads all indices.
inline bool places_are_distinct(const cpu_backend& backend, const unpooling_walk& walk, std::uint64_t places) {
  const std::uint64_t words = (places + 63) / 64;
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(words));
  std::atomic<bool> distinct = true;
  const std::uint64_t parts = part_count(backend, walk.count() * sizeof(std::uint64_t), words);
  parallel_for_parts(backend, parts, words, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t again = 0;
    walk.for_places(begin * 64, (std::min)(end * 64, places), [&](std::uint64_t place, std::uint64_t) {
      std::uint64_t& word = bits[static_cast<std::size_t>(place / 64)];
      const std::uint64_t bit = std::uint64_t{1} << place % 64;
      again |= word & bit;
      word |= bit;
    });
    if (again != 0) distinct = false;
  });
  return distinct;
}

}  // namespace detail

// Fills the output with zeros, then writes the elements. Each thread writes its own part of the output, in the order of
// the input, so that the last element of a place remains.
template <>
struct kernel<max_unpooling_desc, cpu_backend> {
  template <class T, class Index>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input,
                  const tensor_view<const Index>& indices, const tensor_view<T>& output,
                  const max_unpooling_desc& desc) {
    unpool<sizeof(T)>(backend, detail::host_input(input), detail::host_input(indices), data_type_of<Index>,
                      detail::host_output(output), desc);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const max_unpooling_desc& desc) {
    const detail::host_input input(inputs[0]), indices(inputs[1]);
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      unpool<Size>(backend, input, indices, inputs[1].desc().data_type, output, desc);
    });
  }

 private:
  template <std::size_t Size>
  static void unpool(const cpu_backend& backend, const detail::host_input& input, const detail::host_input& indices,
                     data_type index_type, const detail::host_output& output, const max_unpooling_desc& desc) {
    const std::uint64_t places = element_count(output.sizes);
    const detail::unpooling_walk walk(input, indices, index_type, Size);
    if (desc.duplicates == duplicates::refuse && !detail::places_are_distinct(backend, walk, places)) {
      if (index_type == data_type::uint64) detail::refuse_indices<std::uint64_t>(desc, indices, places);
      detail::refuse_indices<std::uint32_t>(desc, indices, places);
    }

    detail::fill_elements<Size>(backend, detail::loops_of_copy(output.sizes, output.strides, output.strides, Size),
                                output.data, std::array<std::byte, 8>{});

    detail::loop_nest<1> loops;  // over the output in row-major order
    for (std::size_t i = 0; i < output.sizes.size(); ++i)
      loops.add(output.sizes[i], {std::uint64_t{output.strides[i]} * Size});
    loops.merge();
    const std::uint64_t bytes = walk.count() * (Size + sizeof(std::uint64_t));
    const std::uint64_t parts = detail::part_count(backend, bytes, places);  // each part reads all indices
    detail::parallel_for_parts(backend, parts, places, [&](std::uint64_t begin, std::uint64_t end) {
      if (loops.size() == 1)
        walk.for_places(begin, end, [&, step = loops[0].stride[0]](std::uint64_t place, std::uint64_t from) {
          std::memcpy(output.data + place * step, input.data + from, Size);
        });
      else
        walk.for_places(begin, end, [&](std::uint64_t place, std::uint64_t from) {
          std::memcpy(output.data + detail::offsets_at(loops, place)[0], input.data + from, Size);
        });
    });
  }
};

}  // namespace goldml
