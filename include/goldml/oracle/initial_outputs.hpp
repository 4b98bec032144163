// What outputs contain before a call that reads them before it writes them, such as attention with caches in place.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/tensor_ref.hpp>

namespace goldml::oracle::detail {

inline std::vector<const_tensor_ref> refs_of(const std::vector<host_tensor>& tensors) {
  std::vector<const_tensor_ref> refs;
  for (const host_tensor& tensor : tensors) refs.push_back(tensor.ref());
  return refs;
}

// Copies the elements to a tensor of the same data type, of whole bytes, and sizes.
inline void copy_all(const const_tensor_ref& from, const tensor_ref& to) {
  const dimensions from_strides = effective_strides(from.desc()), to_strides = effective_strides(to.desc());
  const std::size_t size = element_size_in_bytes(from.desc().data_type);
  for (const coordinate_tuple& c : coordinates_of(from.desc().sizes))
    std::memcpy(static_cast<std::byte*>(to.data()) + offset_of(c, to_strides) * size,
                static_cast<const std::byte*>(from.data()) + offset_of(c, from_strides) * size, size);
}

// An output before the call.
inline host_tensor before_call(const tensor_desc& output, const const_tensor_ref& initial) {
  host_tensor result(output);
  if (initial.present()) copy_all(initial, result.ref());
  return result;
}

// Throws std::invalid_argument unless `initial` has each output that the call reads, in its shape.
inline void check_initial(const operator_description& op, std::span<const const_tensor_ref> inputs,
                          std::span<const tensor_desc> outputs, std::span<const const_tensor_ref> initial) {
  const auto is_given = [&](std::size_t k) {
    return k < inputs.size() ? inputs[k].present() : !outputs[k - inputs.size()].sizes.empty();
  };
  const std::size_t tensors = inputs.size() + outputs.size();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool given = i < initial.size() && initial[i].present();
    const bool reads = op.reads_output(inputs.size() + i, tensors, is_given);
    if (given ? reads && initial[i].desc().data_type == outputs[i].data_type &&
                    initial[i].desc().sizes == outputs[i].sizes
              : !reads)
      continue;
    std::string text = "goldml: ";
    text.append(op.name).append(": ").append(op.info_of(inputs.size() + i, tensors).name);
    throw std::invalid_argument(text.append(reads
                                                ? " is read before it is written: wanted what it contains, in its data "
                                                  "type and sizes"
                                                : " is not read: wanted no contents of it"));
  }
}

}  // namespace goldml::oracle::detail
