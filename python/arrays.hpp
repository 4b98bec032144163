// NumPy arrays as tensors, without copies, and the reverse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/data_type.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/tensor_ref.hpp>

namespace goldml::python {

namespace py = pybind11;

// Throws TypeError for a type that DirectML does not have. bool is UINT8.
inline data_type type_of(const py::dtype& type) {
  const char kind = type.kind();
  const auto size = type.itemsize();
  const char order = py::str(type.attr("byteorder")).cast<std::string>()[0];
  const bool native = order == '=' || order == '|';
  if (native && kind == 'f' && size == 2) return data_type::float16;
  if (native && kind == 'f' && size == 4) return data_type::float32;
  if (native && kind == 'f' && size == 8) return data_type::float64;
  const bool is_signed = kind == 'i';
  if (native && (is_signed || kind == 'u' || kind == 'b')) {
    if (size == 1) return is_signed ? data_type::int8 : data_type::uint8;
    if (size == 2) return is_signed ? data_type::int16 : data_type::uint16;
    if (size == 4) return is_signed ? data_type::int32 : data_type::uint32;
    if (size == 8) return is_signed ? data_type::int64 : data_type::uint64;
  }
  throw py::type_error("DirectML has no data type for dtype " + py::str(py::handle(type)).cast<std::string>());
}

inline py::dtype dtype_of(data_type type) {
  const std::string_view name = name_of(type);
  const char kind = name.starts_with("FLOAT") ? 'f' : name.starts_with("UINT") ? 'u' : 'i';
  return py::dtype(fmt::format("{}{}", kind, element_size_in_bytes(type)));
}

// An array as a tensor. Holds a reference to the array.
struct array_tensor {
  py::array array;
  tensor_desc desc;

  // Throws TypeError for what is not an array, and ValueError for one that no tensor can describe: negative strides,
  // strides that are not whole elements, or elements that are not aligned.
  explicit array_tensor(const py::object& object) {
    if (!py::isinstance<py::array>(object))
      throw py::type_error("wanted a NumPy array, got " +
                           py::str(py::handle(py::type::of(object))).cast<std::string>());
    array = py::reinterpret_borrow<py::array>(object);
    desc.data_type = type_of(array.dtype());
    const auto item = array.itemsize();
    if (!(array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_))
      throw py::value_error("the array is not aligned: copy it");
    for (py::ssize_t i = 0; i < array.ndim(); ++i) {
      const py::ssize_t size = array.shape(i);
      const py::ssize_t stride = size == 1 ? item : array.strides(i);  // that of a single element has no effect
      if (stride < 0) throw py::value_error("the array has a negative stride, which tensors do not have: copy it");
      if (stride % item != 0)
        throw py::value_error("the array has a stride that is not a whole number of elements: copy it");
      if (size > most || stride / item > most) throw py::value_error("the array has a size or stride above 2^32 - 1");
      desc.sizes.push_back(static_cast<std::uint32_t>(size));
      desc.strides.push_back(static_cast<std::uint32_t>(stride / item));
    }
    if (array.ndim() == 0) desc.sizes.push_back(1);
    if (array.flags() & py::array::c_style) desc.strides = {};
  }

  const_tensor_ref input() const { return {desc, array.data()}; }

  // Throws ValueError for an array that cannot be written.
  tensor_ref output() const {
    if (!array.writeable()) throw py::value_error("an output array cannot be written");
    return {desc, py::array(array).mutable_data()};
  }

 private:
  static constexpr py::ssize_t most = (std::numeric_limits<std::uint32_t>::max)();
};

inline std::vector<py::ssize_t> shape_of(const tensor_desc& desc) { return {desc.sizes.begin(), desc.sizes.end()}; }

inline std::vector<py::ssize_t> strides_of(const tensor_desc& desc) {
  std::vector<py::ssize_t> strides;
  for (const std::uint32_t stride : effective_strides(desc))
    strides.push_back(static_cast<py::ssize_t>(std::uint64_t{stride} * element_size_in_bytes(desc.data_type)));
  return strides;
}

// A copy of a tensor, in C order, with elements of 4 bits as bytes; None for an operand that is absent.
inline py::object to_array(const host_tensor& tensor) {
  if (tensor.bytes().empty()) return py::none();
  if (is_4_bit(tensor.desc().data_type)) return to_array(unpacked(tensor.ref()));
  return py::array(dtype_of(tensor.desc().data_type), shape_of(tensor.desc()), strides_of(tensor.desc()),
                   tensor.bytes().data());
}

// A read-only view of a tensor that `owner` keeps, or a copy, read-only too, if its elements have 4 bits; None for an
// operand that is absent.
inline py::object view_of(const host_tensor& tensor, const py::object& owner) {
  if (tensor.bytes().empty()) return py::none();
  py::object view = is_4_bit(tensor.desc().data_type)
                        ? to_array(tensor)
                        : py::array(dtype_of(tensor.desc().data_type), shape_of(tensor.desc()),
                                    strides_of(tensor.desc()), tensor.bytes().data(), owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

// The elements of a buffer, in one dimension.
inline py::array to_array(data_type type, std::span<const std::byte> bytes) {
  return py::array(dtype_of(type), {static_cast<py::ssize_t>(bytes.size() / element_size_in_bytes(type))},
                   bytes.data());
}

// None for an operand that is absent.
inline py::object zeros(const tensor_desc& desc) {
  if (desc.sizes.empty()) return py::none();
  return py::module_::import("numpy").attr("zeros")(py::cast(shape_of(desc)), dtype_of(unpacked_type(desc.data_type)));
}

}  // namespace goldml::python
