// Workloads that are run-time calls of one operator.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/host_tensor.hpp>
#include <goldml/cpu/cpu.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/reference/reference.hpp>

#include "workloads.hpp"

namespace benchmarks {

// How `reference` is asked about the beginning of the only output only: with a shorter first input and output.
struct golden_part {
  goldml::tensor_desc input, output;
};

// A run-time call. Inputs are random; a desc without sizes omits an operand.
template <class Desc>
class call_data {
 public:
  call_data(const Desc& desc, const std::vector<goldml::tensor_desc>& inputs,
            const std::vector<goldml::tensor_desc>& outputs)
      : desc_(desc) {
    for (const goldml::tensor_desc& input : inputs) inputs_.push_back(made(input));
    for (const goldml::tensor_desc& output : outputs) outputs_.push_back(made(output));
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (!inputs_[i].omitted()) fill(inputs_[i], i);
  }

  // The elements of an input, to be changed.
  template <class T>
  std::span<T> elements(std::size_t input) {
    std::vector<std::byte>& bytes = inputs_[input].bytes();
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  // Random integers below `below`.
  void fill_with_indices(std::size_t input, std::uint32_t below) {
    std::mt19937_64 engine(below);
    for (std::uint32_t& index : elements<std::uint32_t>(input)) index = static_cast<std::uint32_t>(engine() % below);
  }
  // Takes the sign from each FLOAT32 number.
  void take_magnitudes() {
    for (std::size_t input = 0; input < inputs_.size(); ++input)
      for (float& x : elements<float>(input)) x = std::abs(x);
  }
  void limit_reference_to(const golden_part& part) { part_ = part; }

  template <class Backend>
  void call(const Backend& backend) {
    std::vector<goldml::const_tensor_ref> inputs;
    std::vector<goldml::tensor_ref> outputs;
    for (const goldml::host_tensor& input : inputs_) inputs.push_back(input.ref());
    for (goldml::host_tensor& output : outputs_) outputs.push_back(output.ref());
    if (part_ && std::is_same_v<Backend, goldml::reference_backend>) {
      inputs[0] = {part_->input, inputs[0].data()};
      outputs[0] = {part_->output, outputs[0].data()};
    }
    evaluate(backend, desc_, std::span<const goldml::const_tensor_ref>(inputs),
             std::span<const goldml::tensor_ref>(outputs));
  }
  // The call, and the intervals of what a device may answer, also of one that flushes subnormals.
  void call_with_intervals() {
    call(goldml::cpu);
    std::vector<goldml::const_tensor_ref> inputs;
    std::vector<goldml::tensor_ref> outputs;
    for (const goldml::host_tensor& input : inputs_) inputs.push_back(input.ref());
    for (goldml::host_tensor& output : outputs_) outputs.push_back(output.ref());
    constexpr auto& options = goldml::oracle::verdict_traits<Desc>::options;
    for (const auto f : {options.verdicts, options.flushed_verdicts}) {
      std::vector<goldml::output_verdicts> verdicts;
      for (const goldml::tensor_ref& output : outputs)
        verdicts.emplace_back(output.present() ? element_count(output.desc().sizes) : 0);
      if (f != nullptr) f(desc_, inputs, outputs, verdicts);
    }
  }

  void spoil() {
    for (goldml::host_tensor& output : outputs_) std::memset(output.bytes().data(), 0xA5, output.bytes().size());
  }
  void keep_as_golden() {
    golden_.clear();
    for (const goldml::host_tensor& output : outputs_) golden_.push_back(output.bytes());
    if (part_) golden_[0].resize(static_cast<std::size_t>(total_tensor_size_in_bytes(part_->output)));
  }
  std::string difference() const {
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (!std::equal(golden_.at(i).begin(), golden_[i].end(), outputs_[i].bytes().begin()))
        return fmt::format("output {} differs from reference", i);
    return {};
  }

 private:
  static goldml::host_tensor made(const goldml::tensor_desc& desc) {
    return desc.sizes.empty() ? goldml::host_tensor() : goldml::host_tensor(desc);
  }
  static void fill(goldml::host_tensor& tensor, std::size_t seed) {
    std::mt19937_64 engine(seed + tensor.bytes().size());
    visit_data_type(goldml::type_list<float, goldml::float16, std::uint8_t, std::uint32_t>{}, tensor.desc().data_type,
                    [&]<class T>(std::type_identity<T>) {
                      auto* const elements = reinterpret_cast<T*>(tensor.bytes().data());
                      for (std::size_t i = 0; i < tensor.bytes().size() / sizeof(T); ++i) {
                        const auto bits = static_cast<std::int32_t>(engine() >> 32);
                        if constexpr (std::is_integral_v<T>)
                          elements[i] = static_cast<T>(bits & 1);
                        else
                          elements[i] = static_cast<T>(static_cast<float>(bits) * 0x1p-31f);
                      }
                    });
  }

  Desc desc_;
  std::vector<goldml::host_tensor> inputs_, outputs_;
  std::optional<golden_part> part_;
  std::vector<std::vector<std::byte>> golden_;
};

inline goldml::tensor_desc tensor(goldml::data_type type, const goldml::dimensions& sizes,
                                  const goldml::dimensions& strides = {}) {
  return {.data_type = type, .sizes = sizes, .strides = strides};
}
// Every element that is stored, once.
inline std::uint64_t bytes_of(const goldml::tensor_desc& t) {
  return t.sizes.empty() ? 0 : addressed_size_in_bytes(t.data_type, t.sizes, effective_strides(t));
}
inline traffic traffic_of(const std::vector<goldml::tensor_desc>& inputs,
                          const std::vector<goldml::tensor_desc>& outputs) {
  traffic least;
  for (const goldml::tensor_desc& t : inputs) least.read += bytes_of(t);
  for (const goldml::tensor_desc& t : outputs) least.written += bytes_of(t);
  return least;
}

// The least traffic is every element of the inputs and outputs, unless it is given. change(data) replaces random
// inputs.
template <class Desc, class Change>
workload call_workload(const std::string& name, const std::string& title, const bars& bar, const Desc& desc,
                       const std::vector<goldml::tensor_desc>& inputs, const std::vector<goldml::tensor_desc>& outputs,
                       const Change& change, traffic least = {}) {
  if (least.bytes() == 0) least = traffic_of(inputs, outputs);
  return {name, title, bar, [=] {
            const auto data = std::make_shared<call_data<Desc>>(desc, inputs, outputs);
            change(*data);
            return prepared_workload{least, goldml_contenders(data)};
          }};
}

}  // namespace benchmarks
