// The files that `goldml check` judges: compares their sizes and shapes with what the dispatches of a model write,
// before reading the elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/io/files.hpp>
#include <goldml/io/model.hpp>

namespace goldml::tool {

// A file with the content of a resource, written by another program.
struct actual_file {
  std::string resource;
  io::file_place place;                      // .npy, or raw bytes
  std::optional<io::file_place> again = {};  // of a second run
};

namespace detail {

// The output of a dispatch, as a range of bytes of its resource.
struct model_write {
  std::size_t command;
  std::size_t resource;
  std::uint64_t begin;
  std::uint64_t end;
  const tensor_desc* wanted;  // in the model
};

// The properties of an actual file that are known before its elements are read, and the elements.
struct actual_content {
  std::uint64_t size = 0;                 // of the elements, in bytes
  std::optional<data_type> type = {};     // of a .npy file
  std::vector<std::uint64_t> shape = {};  // likewise
  bool may_be_buffer = true;              // false for a .npy file with a shape that the buffer cannot have
  std::vector<std::byte> bytes = {};      // empty if they cannot match
};

// How the content of a file corresponds to the output of a dispatch.
enum class actual_layout {
  buffer,    // the buffer of the resource, with strides
  packed,    // the tensor without gaps
  mismatch,  // neither
};

// The packed tensor if it has the tensor's shape; the whole buffer if it is as large as the buffer or long enough;
// otherwise the packed tensor if it is raw or flat and of the same length.
actual_layout layout_of(const actual_content& content, const model_write& write, const io::model& m);

// The shapes in which the model itself writes each resource.
using written_shapes = std::multimap<std::size_t, std::vector<std::uint32_t>>;

written_shapes written_shapes_of(const io::model& m);

// The content of a file for a resource. Its elements are read only if their size matches one of the writes to it, and
// may then take `budget` bytes. The rest of a raw file that is longer than the resource is not read.
actual_content read_actual(const actual_file& file, std::span<const model_write> writes, const io::model& m,
                           const written_shapes& written, std::uint64_t budget);

// The content as the output of a dispatch. A mismatch is returned without elements, and the comparison reports it.
const_tensor_ref to_actual_tensor(const actual_content& content, const model_write& write, const io::model& m);

}  // namespace detail

}  // namespace goldml::tool
