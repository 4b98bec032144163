// NumPy's .npy files: reading versions 1.0, 2.0 and 3.0, writing 1.0.
// Source: "NPY format" on NumPy's page numpy.lib.format.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/function_reference.hpp>
#include <goldml/core/violation.hpp>
#include <goldml/io/files.hpp>
#include <goldml/io/npy_header.hpp>
#include <goldml/io/quotes.hpp>

// Refusals are goldml::error with the operator name "npy" and one of these rules. All sizes are checked before memory
// is allocated.
//   M20  the file is malformed, truncated or oversized, or an array to write does not fit its shape
//   M21  the element type is not one of goldml's eleven
//   M22  the file cannot be opened, read or written
//   M23  more memory is needed than the caller, or npy_header_limit_in_bytes, allows
// The message has the byte offset in the file, and the file's name if it is known.
namespace goldml::io {

// An array in memory. bytes: the elements in C (row-major) order without gaps, each in the host's byte order, aligned
// for every element type. shape: outermost dimension first; {} is one element (0-D); sizes may be 0; at most 64 sizes.
struct npy_array {
  data_type type = data_type::unknown;
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;

  friend bool operator==(const npy_array&, const npy_array&) = default;
};

// A function that decides by type and shape whether the elements of an array are read. Refers to a function object.
using npy_filter = function_reference<bool(data_type, const std::vector<std::uint64_t>&)>;

namespace detail {

// Converts elements from one byte order to the other, in place.
inline void convert_byte_order(std::span<std::byte> bytes, std::size_t element_size, std::endian from, std::endian to) {
  if (from == to) return;
  for (std::size_t i = 0; i < bytes.size(); i += element_size)
    std::reverse(bytes.data() + i, bytes.data() + i + element_size);
}

// The bytes of one array from the first index fastest to the last index fastest.
inline std::vector<std::byte> from_fortran_order(std::span<const std::byte> bytes, std::span<const std::uint64_t> shape,
                                                 std::size_t element_size) {
  std::vector<std::byte> result(bytes.size());
  std::vector<std::uint64_t> place(shape.size(), 0);
  std::vector<std::uint64_t> strides(shape.size(), element_size);
  for (std::size_t i = 1; i < shape.size(); ++i) strides[i] = strides[i - 1] * shape[i - 1];
  std::uint64_t source = 0;
  for (std::size_t target = 0; target < bytes.size(); target += element_size) {
    std::copy_n(bytes.data() + source, element_size, result.data() + target);
    for (std::size_t i = shape.size(); i-- > 0;) {
      source += strides[i];
      if (++place[i] < shape[i]) break;
      source -= strides[i] * shape[i];
      place[i] = 0;
    }
  }
  return result;
}

// In bytes; `saturated` if 64 bits are too few.
inline std::uint64_t npy_data_size(std::span<const std::uint64_t> shape, data_type type) {
  std::uint64_t size = element_size_in_bytes(type);
  for (const std::uint64_t value : shape) size = saturating_multiply(size, value);
  return size;
}

// Reads the elements of every array.
inline constexpr auto every_array = [](data_type, const std::vector<std::uint64_t>&) { return true; };

// read(std::span<std::byte>) fills the span with the file's next bytes or throws. If wanted(type, shape) is false, the
// elements are not read and take no memory.
inline npy_array read_npy_with(const function_reference<void(std::span<std::byte>)>& read, std::uint64_t file_size,
                               std::uint64_t max_bytes, const npy_filter& wanted) {
  const auto require = [&](std::uint64_t size) {
    if (file_size < size)
      refuse_npy("M20", "file", violation_text("{} bytes long", file_size), violation_text("at least {}", size),
                 violation_text("truncated"));
  };
  std::array<std::byte, 12> start{};
  require(10);
  read(std::span(start).first(10));
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  if (!text.starts_with(npy_magic))
    refuse_npy("M20", "magic", violation_text("\"{}\" at byte 0", printable(text.substr(0, npy_magic.size()))),
               violation_text("\"{}\"", printable(npy_magic)), violation_text("no .npy file"));
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(start[i]); };
  if (at(6) < 1 || at(6) > 3 || at(7) != 0)
    refuse_npy("M20", "version", violation_text("{}.{} at byte 6", at(6), at(7)), violation_text("1.0, 2.0 or 3.0"));
  const std::uint64_t header_offset = at(6) == 1 ? 10 : 12;
  require(header_offset);
  read(std::span(start).subspan(10, header_offset - 10));
  const std::uint64_t header_size = at(8) | at(9) << 8 | at(10) << 16 | at(11) << 24;
  if (header_size > file_size - header_offset)
    refuse_npy("M20", "header", violation_text("{} bytes long by the length at byte 8", header_size),
               violation_text("at most the {} that are left", file_size - header_offset),
               violation_text("truncated or malformed"));
  if (header_size > npy_header_limit_in_bytes)
    refuse_npy("M23", "header", violation_text("{} bytes long by the length at byte 8", header_size),
               violation_text("at most {}", npy_header_limit_in_bytes));
  std::string header_text(static_cast<std::size_t>(header_size), ' ');
  read(std::as_writable_bytes(std::span(header_text)));
  npy_header header = npy_header_parser(header_text, header_offset).parse();

  const std::uint64_t data_offset = header_offset + header_size;
  const std::uint64_t available = file_size - data_offset;
  const std::uint64_t size = npy_data_size(header.shape, header.type);
  if (size != available)
    refuse_npy("M20", "data", violation_text("{} bytes long from byte {}", available, data_offset),
               size == saturated ? violation_text("more than 2^64-2") : violation_text("{}", size),
               violation_text("{}: shape {} of {}", available < size ? "truncated" : "oversized",
                              tuple_text(header.shape), name_of(header.type)));
  if (!wanted(header.type, header.shape)) return {header.type, std::move(header.shape), {}};
  const bool reorder = header.fortran_order && header.shape.size() > 1;
  const std::uint64_t limit = std::min<std::uint64_t>(max_bytes, PTRDIFF_MAX);
  if (saturating_multiply(size, reorder ? 2 : 1) > limit)
    refuse_npy("M23", "data",
               violation_text("{} bytes long{}", size, reorder ? ", and needed twice to leave Fortran order" : ""),
               violation_text("at most {} together", limit));

  npy_array array{header.type, std::move(header.shape), std::vector<std::byte>(static_cast<std::size_t>(size))};
  read(std::span(array.bytes));
  if (header.boolean)
    for (std::size_t i = 0; i < array.bytes.size(); ++i)
      if (array.bytes[i] > std::byte{1})
        refuse_npy("M20", "data",
                   violation_text("{} at byte {}", std::to_integer<int>(array.bytes[i]), data_offset + i),
                   violation_text("0 or 1"), violation_text("descr is b1"));
  const std::size_t element_size = element_size_in_bytes(header.type);
  convert_byte_order(array.bytes, element_size, header.byte_order, std::endian::native);
  if (reorder) array.bytes = from_fortran_order(array.bytes, array.shape, element_size);
  return array;
}

}  // namespace detail

// The array in a whole .npy file. bool is read as UINT8. Throws M20, M21, M23.
inline npy_array parse_npy(std::span<const std::byte> file) {
  std::size_t at = 0;
  const auto read = [&](std::span<std::byte> to) {
    std::copy_n(file.data() + at, to.size(), to.data());
    at += to.size();
  };
  return detail::read_npy_with(read, file.size(), saturated, detail::every_array);
}

// The same from a binary stream that has file_size_in_bytes more bytes; exactly these are read. max_bytes: the maximum
// size of the data in memory; Fortran order of more than one dimension takes twice the data's size. Throws M20..M23. If
// wanted(type, shape) is false, `bytes` stays empty and the elements are not read.
inline npy_array read_npy(std::istream& stream, std::uint64_t file_size_in_bytes, std::uint64_t max_bytes,
                          const npy_filter& wanted) {
  std::uint64_t at = 0;
  const auto read = [&](std::span<std::byte> to) {
    if (to.empty()) return;
    stream.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size()));
    const auto got = static_cast<std::uint64_t>(stream.gcount());
    at += got;
    if (got == to.size()) return;
    if (stream.eof() && !stream.bad())
      detail::refuse_npy("M20", "file", violation_text("{} bytes long", at), violation_text("{}", file_size_in_bytes),
                         violation_text("truncated"));
    detail::refuse_npy("M22", "file", violation_text("unreadable from byte {}", at), violation_text("readable"));
  };
  return detail::read_npy_with(read, file_size_in_bytes, max_bytes, wanted);
}
inline npy_array read_npy(std::istream& stream, std::uint64_t file_size_in_bytes, std::uint64_t max_bytes) {
  return read_npy(stream, file_size_in_bytes, max_bytes, detail::every_array);
}

// The same from a regular file. Every refusal names the file.
inline npy_array read_npy(const file_place& place, std::uint64_t max_bytes, const npy_filter& wanted) {
  try {
    input_file file(place);
    if (!file.is_open())
      detail::refuse_npy("M22", "file", violation_text("unreadable"), violation_text("a regular file"),
                         violation_text("{}", file.problem()));
    std::uint64_t at = 0;
    const auto read = [&](std::span<std::byte> to) {
      const std::size_t got = file.read(to);
      at += got;
      if (got == to.size()) return;
      if (file.is_open())
        detail::refuse_npy("M20", "file", violation_text("{} bytes long", at), violation_text("{}", file.size()),
                           violation_text("truncated"));
      detail::refuse_npy("M22", "file", violation_text("unreadable from byte {}", at), violation_text("readable"),
                         violation_text("{}", file.problem()));
    };
    return detail::read_npy_with(read, file.size(), max_bytes, wanted);
  } catch (const error& refusal) {
    violation named = refusal.violation();
    const std::string_view why = named.why.view();
    named.why = violation_text("{}{}{}", path_in_quotes(place.path()), why.empty() ? "" : ": ", why);
    throw error(named);
  }
}
inline npy_array read_npy(const file_place& place, std::uint64_t max_bytes) {
  return read_npy(place, max_bytes, detail::every_array);
}
inline npy_array read_npy(const std::filesystem::path& path, std::uint64_t max_bytes) {
  return read_npy(place_of(path), max_bytes, detail::every_array);
}

namespace detail {

// What a version 1.0 file has before its data, which starts at a multiple of 64 bytes. (64 sizes, the most that NumPy
// reads, need less than 2 KiB of header, so version 2.0's longer headers never occur.)
inline std::string npy_start(data_type type, std::span<const std::uint64_t> shape, std::span<const std::byte> bytes) {
  const std::string_view code = npy_code(type);
  if (code.empty())
    refuse_npy("M21", "descr", violation_text("{}", name_of(type)), violation_text("a type with elements"));
  if (shape.size() > npy_dimension_count_limit)
    refuse_npy("M20", "shape", violation_text("{} sizes", shape.size()),
               violation_text("at most {}", npy_dimension_count_limit));
  if (npy_data_size(shape, type) != bytes.size())
    refuse_npy("M20", "data", violation_text("{} bytes long", bytes.size()),
               violation_text("{}", npy_data_size(shape, type)),
               violation_text("shape {} of {}", tuple_text(shape), name_of(type)));
  const std::size_t element_size = element_size_in_bytes(type);
  std::string text = element_size == 1 ? "{'descr': '|" : "{'descr': '<";
  text.append(code).append("', 'fortran_order': False, 'shape': ").append(tuple_text(shape)).append(", }");
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string start(npy_magic);
  start += {'\x01', '\0', static_cast<char>(text.size() % 256), static_cast<char>(text.size() / 256)};
  start += text;
  return start;
}

}  // namespace detail

// A whole file. bytes: C order, host byte order, as many as type and shape require. Throws M20 if the sizes do not
// match, M21 if the type is not one of the eleven.
inline std::vector<std::byte> format_npy(data_type type, std::span<const std::uint64_t> shape,
                                         std::span<const std::byte> bytes) {
  const std::string start = detail::npy_start(type, shape, bytes);
  std::vector<std::byte> file(start.size() + bytes.size());
  std::copy_n(reinterpret_cast<const std::byte*>(start.data()), start.size(), file.data());
  std::copy_n(bytes.data(), bytes.size(), file.data() + start.size());
  detail::convert_byte_order(std::span(file).subspan(start.size()), element_size_in_bytes(type), std::endian::native,
                             std::endian::little);
  return file;
}

// Writes that file. An existing file is replaced only after the new one is complete. A failure (M22) changes nothing.
inline void write_npy(const file_place& place, data_type type, std::span<const std::uint64_t> shape,
                      std::span<const std::byte> bytes) {
  std::vector<std::byte> swapped;  // a copy is made only where the byte order of the file is another one
  std::string start = detail::npy_start(type, shape, bytes);
  if constexpr (std::endian::native != std::endian::little) {
    swapped = format_npy(type, shape, bytes);
    bytes = swapped;
    start.clear();
  }
  if (const std::string problem = replace_file(place, bytes, std::as_bytes(std::span(start))); !problem.empty())
    detail::refuse_npy("M22", "file", violation_text("not written"),
                       violation_text("writable, with {} bytes of space", start.size() + bytes.size()),
                       violation_text("{}: {}", path_in_quotes(place.path()), problem));
}
inline void write_npy(const std::filesystem::path& path, data_type type, std::span<const std::uint64_t> shape,
                      std::span<const std::byte> bytes) {
  write_npy(place_of(path), type, shape, bytes);
}

}  // namespace goldml::io
