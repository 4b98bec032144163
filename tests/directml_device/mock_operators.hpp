// The mock's operators, compiled operators and initializers. An operator is the result of from_directml.hpp for its
// desc, and is computed by the shaders of goldml::d3d12.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/d3d12/d3d12.hpp>

#include "mock_world.hpp"

namespace directml_mock {

class operation {
 public:
  virtual ~operation() = default;
  // Records it into the list, on ranges whose resource may be null.
  virtual void record(d3d12::recording& work, std::span<const DML_BUFFER_BINDING> inputs,
                      std::span<const DML_BUFFER_BINDING> outputs) const = 0;

  std::string_view name;
  std::vector<std::optional<tensor_desc>> inputs, outputs;
};

// Operators that goldml::d3d12 has no shaders for, by copies of single elements. Tensors are in state UNORDERED_ACCESS.
class element_copies {
 public:
  element_copies(d3d12::recording& work, const d3d12::resident_tensor& to) : passes_(&work.passes()), to_(&to) {
    passes_->use(to.resource, to.state);
  }
  ~element_copies() { passes_->close(); }
  element_copies(const element_copies&) = delete;
  element_copies& operator=(const element_copies&) = delete;

  d3d12::recorder& passes() const { return *passes_; }

  // To element c of the output, from a place in bytes.
  void copy(ID3D12Resource* from, std::uint64_t offset, const coordinate_tuple& c) const {
    const std::uint64_t size = element_size_in_bytes(to_->desc.data_type);
    passes_->copy({from, offset, size}, {to_->resource, place_in(*to_, c), size});
  }

  static std::uint64_t place_in(const d3d12::resident_tensor& t, const coordinate_tuple& c) {
    return t.offset_in_bytes + offset_of(c, effective_strides(t.desc)) * element_size_in_bytes(t.desc.data_type);
  }

 private:
  d3d12::recorder* passes_;
  const d3d12::resident_tensor* to_;
};

// Value is written to one element by a shader that fills diagonals.
inline void record_copies(d3d12::recording& work, const fill_value_constant_desc& desc,
                          std::span<const d3d12::resident_tensor>, std::span<const d3d12::resident_tensor> outputs) {
  const element_copies out(work, outputs[0]);
  const tensor_desc one{.data_type = outputs[0].desc.data_type, .sizes = {1, 1}};
  const d3d12::buffer_range value = out.passes().scratch(16);
  const d3d12::buffer_tensor none{}, to{one, value.part(0, buffer_tensor_size_in_bytes(one))};
  d3d12::program<diagonal_matrix1_desc>::record(out.passes(), {.value = desc.value, .diagonal_fill_end = 1},
                                                std::span(&none, 1), std::span(&to, 1));
  for (const coordinate_tuple& c : coordinates_of(outputs[0].desc.sizes)) out.copy(value.resource, value.offset, c);
}

inline void record_copies(d3d12::recording& work, const slice1_desc& desc,
                          std::span<const d3d12::resident_tensor> inputs,
                          std::span<const d3d12::resident_tensor> outputs) {
  const element_copies out(work, outputs[0]);
  out.passes().use(inputs[0].resource, inputs[0].state);
  for (const coordinate_tuple& c : coordinates_of(outputs[0].desc.sizes)) {
    coordinate_tuple from;
    for (std::size_t i = 0; i < c.size(); ++i) from.push_back(slice1_position(desc, i, c[i]));
    out.copy(inputs[0].resource, element_copies::place_in(inputs[0], from), c);
  }
}

template <class Desc>
class operation_of : public operation {
 public:
  explicit operation_of(const DML_OPERATOR_DESC& op) {
    const auto& c = *static_cast<const typename directml::structure<Desc>::type*>(op.Desc);
    desc_ = directml::from_directml<Desc>(c);
    // DirectML guarantees no result here; the mock does anything.
    if constexpr (requires { desc_.range_policy; }) {
      desc_.range_policy = range_policy::clamp;
      desc_.duplicates = duplicates::last_wins;
    }
    name = operator_traits<Desc>::name;
    std::vector<std::optional<tensor_desc>> all;
    directml::detail::read_operands(&c, directml::structure<Desc>::operands, operator_traits<Desc>::operands,
                                    [&](const operand& t) { all.push_back(t.desc); });
    const auto first_output = all.begin() + static_cast<std::ptrdiff_t>(input_tensor_count<Desc>(all.size()));
    inputs.assign(all.begin(), first_output);
    outputs.assign(first_output, all.end());
  }

  void record(d3d12::recording& work, std::span<const DML_BUFFER_BINDING> in,
              std::span<const DML_BUFFER_BINDING> out) const override {
    const std::vector<d3d12::resident_tensor> from = residents(inputs, in), to = residents(outputs, out);
    if constexpr (requires { sizeof(d3d12::program<Desc>); })
      work.add(desc_, std::span<const d3d12::resident_tensor>(from), std::span<const d3d12::resident_tensor>(to));
    else  // a new operator without shaders: write its record_copies()
      record_copies(work, desc_, from, to);
  }

 private:
  static std::vector<d3d12::resident_tensor> residents(const std::vector<std::optional<tensor_desc>>& descs,
                                                       std::span<const DML_BUFFER_BINDING> ranges) {
    std::vector<d3d12::resident_tensor> result;
    for (std::size_t i = 0; i < descs.size(); ++i)
      result.push_back(descs[i] ? d3d12::resident_tensor{ranges[i].Buffer, ranges[i].Offset, *descs[i]}
                                : d3d12::resident_tensor{});
    return result;
  }

  Desc desc_;
};

class mock_operator : public child<IDMLOperator> {
 public:
  mock_operator(world& of, std::shared_ptr<const operation> op) : child(of), op_(std::move(op)) {}
  const std::shared_ptr<const operation>& what() const { return op_; }

 private:
  std::shared_ptr<const operation> op_;
};

// Both kinds of dispatchable, distinguished by what the binding table needs.
struct dispatchable {
  virtual ~dispatchable() = default;
  virtual DML_BINDING_PROPERTIES needs() const = 0;
};

class mock_compiled : public child<directml::dispatchable_interface>, public dispatchable {
 public:
  mock_compiled(world& of, std::shared_ptr<const operation> op) : child(of), op_(std::move(op)) {}

  DML_BINDING_PROPERTIES* STDMETHODCALLTYPE GetBindingProperties(DML_BINDING_PROPERTIES* result) override {
    ++w().found.calls;
    *result = needs();
    return result;
  }
  DML_BINDING_PROPERTIES needs() const override { return w().set.executing; }

  const operation& what() const { return *op_; }
  bool initialized = false;
  DML_BUFFER_BINDING persistent{};  // as passed to the initializer

 private:
  std::shared_ptr<const operation> op_;
};

// IDMLOperatorInitializer over dispatchable_interface.
struct initializer_interface : directml::dispatchable_interface {
  virtual HRESULT STDMETHODCALLTYPE Reset(UINT count, IDMLCompiledOperator* const* operators) = 0;
};

class mock_initializer : public child<initializer_interface>, public dispatchable {
 public:
  mock_initializer(world& of, std::vector<mock_compiled*> targets) : child(of), operators_(std::move(targets)) {}

  DML_BINDING_PROPERTIES* STDMETHODCALLTYPE GetBindingProperties(DML_BINDING_PROPERTIES* result) override {
    ++w().found.calls;
    *result = needs();
    return result;
  }
  HRESULT STDMETHODCALLTYPE Reset(UINT, IDMLCompiledOperator* const*) override {
    expect(false, "IDMLOperatorInitializer::Reset: no need of it");
    return E_NOTIMPL;
  }
  DML_BINDING_PROPERTIES needs() const override { return w().set.initializing; }

  std::span<mock_compiled* const> operators() const { return operators_; }

 private:
  std::vector<mock_compiled*> operators_;
};

// The object behind an interface that mock_directml.hpp has handed out.
inline mock_compiled* mock_of(IDMLCompiledOperator* object) {
  return static_cast<mock_compiled*>(reinterpret_cast<directml::dispatchable_interface*>(object));
}
inline dispatchable* mock_of(IDMLDispatchable* object) {
  return dynamic_cast<dispatchable*>(reinterpret_cast<directml::dispatchable_interface*>(object));
}

}  // namespace directml_mock
