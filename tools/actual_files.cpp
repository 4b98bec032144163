#include "actual_files.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/tensor_rules.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/npy.hpp>
#include <goldml/io/safe_path.hpp>

namespace goldml::tool::detail {

actual_layout layout_of(const actual_content& content, const model_write& write, const io::model& m) {
  const tensor_desc& wanted = *write.wanted;
  const std::uint64_t addressed = addressed_size_in_bytes(wanted.data_type, wanted.sizes, effective_strides(wanted));
  const std::uint64_t packed = size_in_bytes_of(wanted.data_type, element_count(wanted.sizes));
  // An array that holds two elements a byte may have, by chance, the sizes of the tensor.
  const bool same_shape =
      content.type && (!is_4_bit(wanted.data_type) || content.size == packed) &&
      std::equal(content.shape.begin(), content.shape.end(), wanted.sizes.begin(), wanted.sizes.end());
  if (!same_shape && content.may_be_buffer &&
      (content.size == m.resources[write.resource].bytes.size() || content.size >= write.begin + addressed))
    return actual_layout::buffer;
  return content.size == packed && (same_shape || content.may_be_buffer) ? actual_layout::packed
                                                                         : actual_layout::mismatch;
}

written_shapes written_shapes_of(const io::model& m) {
  written_shapes shapes;
  for (const io::model_command& command : m.commands)
    if (const auto* write = std::get_if<io::write_file_command>(&command))
      shapes.emplace(write->resource, write->dimensions);
  return shapes;
}

namespace {

// Whether an array of this shape can be the buffer of the resource: it is flat, or the model itself writes this shape.
bool is_buffer_shape(const std::vector<std::uint64_t>& shape, const written_shapes& written, std::size_t resource) {
  const auto [begin, end] = written.equal_range(resource);
  return shape.size() < 2 || std::any_of(begin, end, [&](const auto& entry) {
           return std::equal(shape.begin(), shape.end(), entry.second.begin(), entry.second.end());
         });
}

}  // namespace

actual_content read_actual(const actual_file& file, std::span<const model_write> writes, const io::model& m,
                           const written_shapes& written, std::uint64_t budget) {
  const std::string where = "resource " + io::in_quotes(file.resource);
  const std::size_t resource = writes.front().resource;
  actual_content content;
  const auto is_wanted = [&] {
    return std::any_of(writes.begin(), writes.end(), [&](const model_write& write) {
      return layout_of(content, write, m) != actual_layout::mismatch;
    });
  };
  if (io::is_npy_extension(file.place.name.extension())) {
    io::npy_array array =
        io::read_npy(file.place, budget, [&](data_type type, const std::vector<std::uint64_t>& shape) {
          content.size = io::detail::npy_data_size(shape, type);
          content.type = type;
          content.shape = shape;
          content.may_be_buffer = is_buffer_shape(shape, written, resource);
          return is_wanted();
        });
    content.bytes = std::move(array.bytes);
    return content;
  }
  const std::string name = io::path_in_quotes(file.place.path());
  io::input_file stream(file.place);
  if (!stream.is_open())
    io::refuse("M9", "actual", name, "a file that can be read", fmt::format("{}; {}", stream.problem(), where));
  content.size = stream.size();
  if (!is_wanted()) return content;
  const std::uint64_t size = std::min<std::uint64_t>(content.size, m.resources[resource].bytes.size());
  if (size > budget)
    io::refuse("M8", "actual", fmt::format("{} bytes", size), fmt::format("at most {}", budget),
               "what --max-memory leaves; " + where);
  content.bytes.resize(static_cast<std::size_t>(size));
  if (!stream.read_all(content.bytes))
    io::refuse("M9", "actual", name, "a file that can be read", fmt::format("{}; {}", stream.problem(), where));
  return content;
}

const_tensor_ref to_actual_tensor(const actual_content& content, const model_write& write, const io::model& m) {
  const tensor_desc& wanted = *write.wanted;
  const actual_layout layout = layout_of(content, write, m);
  tensor_desc desc{.data_type = content.type.value_or(wanted.data_type), .sizes = wanted.sizes};
  // Files hold tensors of 4 bits as bytes, two elements each.
  if (layout != actual_layout::mismatch && is_4_bit(wanted.data_type) && content.type == data_type::uint8)
    desc.data_type = wanted.data_type;
  if (layout == actual_layout::buffer) {
    desc.strides = wanted.strides;
    return {desc, content.bytes.data() + write.begin, content.bytes.size() - write.begin};
  }
  if (layout == actual_layout::packed) return {desc, content.bytes.data(), content.bytes.size()};
  static constexpr std::byte not_read{};
  desc.sizes = {};
  for (const std::uint64_t size : content.type ? content.shape : std::vector<std::uint64_t>{content.size})
    desc.sizes.push_back(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(size, (std::numeric_limits<std::uint32_t>::max)())));
  if (!content.type) desc.data_type = data_type::uint8;
  return {desc, content.size == 0 ? nullptr : &not_read, 0};
}

}  // namespace goldml::tool::detail
