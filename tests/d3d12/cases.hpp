// Generated cases on a device and on `reference`: outputs must have the same bytes, including gaps and undefined rows,
// and violations the same text. In host memory and in buffer resources.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/operators/any_call.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/reference/reference.hpp>

#include "../support/run_case.hpp"
#include "recorder.hpp"

namespace gpu_cases {

using namespace goldml;

// The outcome of a call.
struct outcome {
  std::vector<std::vector<std::byte>> outputs;  // all bytes of the buffers, which are initially 0xA5
  std::string refusal;                          // the text, or empty
};

using any_case = oracle::test_case<any_desc>;

inline std::size_t input_count(const any_case& c) { return c.desc.description().input_count(c.tensors.size()); }

// The operands of an illegal case in inaccessible memory: an illegal call reads and writes nothing.
class untouchable_operands {
 public:
  explicit untouchable_operands(const any_case& c) : desc_(c.desc) {
    for (std::size_t i = 0; i < c.tensors.size(); ++i) {
      void* const nowhere = reinterpret_cast<void*>((i + 1) << 48);
      if (i < input_count(c))
        inputs_.push_back(c.tensors[i] ? const_tensor_ref(*c.tensors[i], nowhere) : const_tensor_ref());
      else
        outputs_.push_back(c.tensors[i] ? tensor_ref(*c.tensors[i], nowhere) : tensor_ref());
    }
  }

  template <class Backend>
  void evaluate_by(const Backend& backend) const {
    call_of<Backend>(desc_.description())(backend, desc_.get(), inputs_, outputs_);
  }

 private:
  any_desc desc_;
  std::vector<const_tensor_ref> inputs_;
  std::vector<tensor_ref> outputs_;
};

// A case with policies chosen by its number; the generator leaves the defaults.
inline any_case sample(const oracle::any_operator& op, oracle::generate_options options, std::uint64_t number) {
  options.data = oracle::all_data_classes();
  any_case c = oracle::sample_case(op, options, number);
  for (const attribute& policy : op.policies()) {
    const auto choose = [&](std::uint64_t value) {
      store_enumerator(policy.address(c.desc.get()), policy.names.rows[value].value);
    };
    if (policy.name == "nan_policy") choose(number % 2);
    if (policy.name == "range_policy") choose(number % 3);
    if (policy.name == "duplicates") choose(number / 3 % 2);
  }
  return c;
}

// Without a byte for an output that is omitted.
inline std::vector<host_tensor> blank_outputs(const any_case& c) {
  std::vector<host_tensor> outputs;
  for (std::size_t i = input_count(c); i < c.tensors.size(); ++i)
    outputs.push_back(c.tensors[i] ? host_tensor(*c.tensors[i], std::byte{0xA5}) : host_tensor());
  return outputs;
}

inline outcome outcome_of(const std::vector<host_tensor>& outputs, std::string refusal) {
  outcome result{{}, std::move(refusal)};
  for (const host_tensor& output : outputs) result.outputs.push_back(output.bytes());
  return result;
}

// The outputs as tensors.
inline std::vector<host_tensor> tensors_of(const any_case& c, const outcome& o) {
  std::vector<host_tensor> outputs = blank_outputs(c);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].bytes() = o.outputs[i];
  return outputs;
}

// Through evaluate(), on host memory. What outputs contain that the case reads follows the inputs.
inline outcome outcome_by(goldml_test::run_time_call evaluate_by, const any_case& c,
                          const std::vector<host_tensor>& inputs) {
  std::vector<host_tensor> outputs = blank_outputs(c);
  std::vector<const_tensor_ref> input_refs;
  std::vector<tensor_ref> output_refs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (i < input_count(c))
      input_refs.push_back(inputs[i].ref());
    else if (!inputs[i].omitted())
      oracle::detail::copy_all(inputs[i].ref(), outputs[i - input_count(c)].ref());
  for (host_tensor& output : outputs) output_refs.push_back(output.ref());
  try {
    evaluate_by(c.desc.get(), input_refs, output_refs);
  } catch (const error& refusal) {
    return outcome_of(outputs, refusal.what());
  }
  return outcome_of(outputs, "");
}
template <class Backend>
outcome call(const Backend& backend, const any_case& c, const std::vector<host_tensor>& inputs) {
  const backend_call<Backend> run = call_of<Backend>(c.desc.description());
  return outcome_by([&](const void* desc, std::span<const const_tensor_ref> from,
                        std::span<const tensor_ref> to) { run(backend, desc, from, to); },
                    c, inputs);
}

// A buffer resource with known contents.
class known_resource {
 public:
  // `size` bytes exactly, a multiple of 4.
  known_resource(const d3d12::device& gpu, std::uint64_t size)
      : gpu_(&gpu), resource_(gpu.memory().take({d3d12::heap::device, size})), bytes_(size) {
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<std::byte>(i * 7 + 1);
  }

  ID3D12Resource* get() const { return resource_.get(); }
  std::vector<std::byte>& bytes() { return bytes_; }

  // Records the upload of bytes() to the resource, which is then in state UNORDERED_ACCESS.
  void fill(ID3D12GraphicsCommandList* list) {
    staging_ = d3d12::buffer(gpu_->memory(), d3d12::heap::upload, bytes_.size());
    staging_.map([&](std::byte* data) { std::memcpy(data, bytes_.data(), bytes_.size()); });
    transition(list, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST);
    list->CopyBufferRegion(get(), 0, staging_.resource(), 0, bytes_.size());
    transition(list, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  }

  // Records the download; after it has run, fetch() gives the contents of the resource.
  void read_back(ID3D12GraphicsCommandList* list) {
    staging_ = d3d12::buffer(gpu_->memory(), d3d12::heap::readback, bytes_.size());
    transition(list, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list->CopyBufferRegion(staging_.resource(), 0, get(), 0, bytes_.size());
  }
  std::vector<std::byte> fetch() const {
    std::vector<std::byte> result(bytes_.size());
    staging_.map([&](const std::byte* data) { std::memcpy(result.data(), data, result.size()); });
    return result;
  }

 private:
  void transition(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES from, D3D12_RESOURCE_STATES to) const {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition = {get(), D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, from, to};
    list->ResourceBarrier(1, &barrier);
  }

  const d3d12::device* gpu_;
  d3d12::com_ptr<ID3D12Resource> resource_;
  d3d12::buffer staging_;
  std::vector<std::byte> bytes_;
};

// The location of each operand of a resident call: the number of its resource, and the offset in it.
struct place {
  std::size_t resource = 0;
  std::uint64_t offset = 0;
};

// Inputs in separate resources or in one, outputs likewise, as `number` selects. Resources end directly after their
// last tensor or later.
inline std::vector<place> places_of(const any_case& c, std::uint64_t number, std::vector<std::uint64_t>& sizes) {
  const std::size_t inputs = input_count(c);
  std::vector<place> places(c.tensors.size());
  sizes.clear();
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (!c.tensors[i]) continue;
    const bool first_of_role = i == 0 || i == inputs || sizes.empty();
    if (first_of_role || number % 3 != 0) sizes.push_back(number % 5 * 16);
    const std::uint64_t offset = (sizes.back() + 15) / 16 * 16;
    places[i] = {sizes.size() - 1, offset};
    sizes.back() = offset + round_up_to_4(total_tensor_size_in_bytes(*c.tensors[i]));
  }
  if (number % 2 == 0)
    for (std::uint64_t& size : sizes) size += 64;
  return places;
}

// Runs the case on buffer resources. Output bytes are those inside the tensors; `spilled` is set if any other byte
// changed.
inline outcome call_resident(const d3d12::device& gpu, const any_case& c, const std::vector<host_tensor>& inputs,
                             const std::vector<place>& places, const std::vector<std::uint64_t>& sizes, bool& spilled) {
  std::vector<host_tensor> outputs = blank_outputs(c);
  std::vector<known_resource> resources;
  for (const std::uint64_t size : sizes) resources.emplace_back(gpu, size);
  const auto tensor_at = [&](std::size_t i) -> const host_tensor& {
    return i < inputs.size() ? inputs[i] : outputs[i - inputs.size()];
  };
  std::vector<d3d12::resident_tensor> tensors(c.tensors.size());
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (!c.tensors[i]) continue;
    const std::vector<std::byte>& bytes = tensor_at(i).bytes();
    const auto at = static_cast<std::ptrdiff_t>(places[i].offset);
    const bool in_place = i > 0 && i >= inputs.size() && c.tensors[0] && places[i].resource == places[0].resource;
    if (!in_place) std::copy(bytes.begin(), bytes.end(), resources[places[i].resource].bytes().begin() + at);
    tensors[i] = {resources[places[i].resource].get(), places[i].offset, *c.tensors[i]};
  }

  d3d12::command_list list = gpu.take_list();
  for (known_resource& r : resources) r.fill(list.list.get());
  d3d12::recording work(gpu, list.list.get());
  std::string refusal;
  try {
    recorder_of(c.desc)(work, c.desc.get(), std::span(tensors).first(inputs.size()),
                                      std::span(tensors).subspan(inputs.size()));
  } catch (const error& problem) {
    refusal = problem.what();
  }
  for (known_resource& r : resources) r.read_back(list.list.get());
  gpu.run(std::move(list));
  try {
    work.finish();
  } catch (const error& problem) {
    refusal = problem.what();
  }

  spilled = false;
  outcome result{{}, refusal};
  std::vector<std::vector<std::byte>> after;
  for (const known_resource& r : resources) after.push_back(r.fetch());
  for (std::size_t i = inputs.size(); i < c.tensors.size(); ++i) {
    auto& bytes = after[places[i].resource];
    auto& before = resources[places[i].resource].bytes();
    const std::uint64_t implied = buffer_tensor_size_in_bytes(*c.tensors[i]);
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(places[i].offset);
    result.outputs.emplace_back(first, first + static_cast<std::ptrdiff_t>(total_tensor_size_in_bytes(*c.tensors[i])));
    // Compared; all other bytes must be unchanged.
    std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(places[i].offset), implied, first);
  }
  for (std::size_t i = 0; i < resources.size(); ++i) spilled = spilled || after[i] != resources[i].bytes();
  return result;
}

// The first difference between outcomes, or "". With `free_padding`, padding in the last word of a bound tensor is
// ignored, because DirectML allows any value and shaders write words.
inline std::string difference(const any_case& c, const outcome& got, const outcome& wanted, bool free_padding) {
  if (got.refusal != wanted.refusal) return fmt::format("refusal '{}', wanted '{}'", got.refusal, wanted.refusal);
  for (std::size_t i = 0; i < wanted.outputs.size(); ++i) {
    if (!c.tensors[input_count(c) + i]) continue;  // omitted
    const tensor_desc& desc = *c.tensors[input_count(c) + i];
    const std::uint64_t addressed = addressed_size_in_bytes(desc.data_type, desc.sizes, effective_strides(desc));
    for (std::size_t at = 0; at < wanted.outputs[i].size(); ++at) {
      if (free_padding && at >= addressed && at < round_up_to_4(addressed)) continue;
      if (got.outputs[i][at] != wanted.outputs[i][at])
        return fmt::format("output {} byte {} (element at {} from the start): {:#04x}, wanted {:#04x}", i, at,
                           8 * at / element_size_in_bits(desc.data_type), static_cast<unsigned>(got.outputs[i][at]),
                           static_cast<unsigned>(wanted.outputs[i][at]));
    }
  }
  return "";
}

}  // namespace gpu_cases
