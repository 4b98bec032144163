// The run of a case on a backend, for every test that compares backends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/core/evaluate.hpp>
#include <goldml/core/function_reference.hpp>
#include <goldml/oracle/generate.hpp>

namespace goldml_test {

// The outcome of a call: the outputs with their gaps, or the text of the violation.
struct ending {
  std::vector<goldml::host_tensor> outputs;
  std::string refused;

  friend bool operator==(const ending&, const ending&) = default;
};

// The run-time call of an operator on some backend, with a desc of the operator's type.
using run_time_call = goldml::function_reference<void(const void* desc, std::span<const goldml::const_tensor_ref>,
                                                      std::span<const goldml::tensor_ref>)>;

// The call of an operator on a backend that outlives it, as a run_time_call.
template <class Desc, class Backend>
auto call_on(const Backend& backend) {
  return [&backend](const void* desc, std::span<const goldml::const_tensor_ref> inputs,
                    std::span<const goldml::tensor_ref> outputs) {
    goldml::evaluate(backend, *static_cast<const Desc*>(desc), inputs, outputs);
  };
}

// Every byte of the outputs is 0x5A before the call, but for the elements of those that it reads, which follow the
// inputs. A missing tensor is passed as absent.
inline ending run_case(run_time_call call, const goldml::oracle::test_case<goldml::any_desc>& c,
                       const std::vector<goldml::host_tensor>& inputs) {
  using namespace goldml;
  ending result;
  std::vector<const_tensor_ref> input_refs;
  std::vector<tensor_ref> output_refs;
  const std::size_t input_count = c.desc.description().input_count(c.tensors.size());
  for (std::size_t i = 0; i < input_count; ++i)
    input_refs.push_back(c.tensors[i] ? inputs[i].ref() : const_tensor_ref());
  for (std::size_t i = input_count; i < c.tensors.size(); ++i)
    result.outputs.push_back(c.tensors[i] ? host_tensor(*c.tensors[i], std::byte{0x5A}) : host_tensor());
  for (std::size_t i = input_count; i < inputs.size(); ++i)
    if (!inputs[i].omitted()) oracle::detail::copy_all(inputs[i].ref(), result.outputs[i - input_count].ref());
  for (host_tensor& output : result.outputs) output_refs.push_back(output.ref());
  try {
    call(c.desc.get(), input_refs, output_refs);
  } catch (const error& e) {
    result.refused = e.what();
  }
  return result;
}
template <goldml::described Desc, class Backend>
ending run_case(const Backend& backend, const goldml::oracle::test_case<Desc>& c,
                const std::vector<goldml::host_tensor>& inputs) {
  return run_case(call_on<Desc>(backend), goldml::oracle::detail::to_any(c), inputs);
}

// The elements in row-major order, as bytes.
inline std::vector<std::byte> logical_bytes(const goldml::const_tensor_ref& tensor) {
  std::vector<std::byte> bytes;
  const goldml::readable_tensor readable(tensor);
  goldml::visit_data_type(goldml::all_types{}, readable.ref().desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto view = readable.ref().as<T>();
    for (const goldml::coordinate_tuple& c : goldml::coordinates_of(tensor.desc().sizes)) {
      const auto* first = reinterpret_cast<const std::byte*>(&view[c]);
      bytes.insert(bytes.end(), first, first + sizeof(T));
    }
  });
  return bytes;
}

inline std::vector<std::vector<std::byte>> logical_outputs(const ending& e) {
  std::vector<std::vector<std::byte>> result;
  for (const goldml::host_tensor& output : e.outputs) result.push_back(logical_bytes(output.ref()));
  return result;
}

// The same elements, packed.
inline goldml::host_tensor packed_twin(const goldml::host_tensor& tensor) {
  using namespace goldml;
  tensor_desc desc = tensor.ref().desc();
  desc.strides = {};
  desc.total_tensor_size_in_bytes = {};
  host_tensor result(desc);
  const readable_tensor readable(tensor.ref());
  const writable_tensor writable(result.ref());
  visit_data_type(all_types{}, readable.ref().desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto from = readable.ref().as<T>();
    const auto to = writable.ref().as<T>();
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) to[c] = from[c];
  });
  return result;
}

// The case with all tensors packed, and the inputs repacked.
template <class Desc>
goldml::oracle::test_case<Desc> packed_case(goldml::oracle::test_case<Desc> c) {
  for (auto& tensor : c.tensors)
    if (tensor) {
      tensor->strides = {};
      tensor->total_tensor_size_in_bytes = {};
    }
  return c;
}

}  // namespace goldml_test
