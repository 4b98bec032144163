// The mock's operators, compiled operators and initializers. An operator is the result of conversions.hpp for its
// desc. It is computed by the shaders of goldml::d3d12; without shaders, it gives the answer of
// world::expect_dispatch().
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../d3d12/recorder.hpp"
#include "mock_world.hpp"

namespace directml_mock {

// What an IDMLOperator is: a desc with the descs of its tensors.
struct operation {
  any_desc desc;
  std::vector<std::optional<tensor_desc>> inputs, outputs;

  // DirectML guarantees no result for indices that are out of range or collide; the mock does anything.
  operation(const directml::structure_description& structure, const DML_OPERATOR_DESC& op) : desc(*structure.op) {
    directml::detail::read_desc(structure, op.Desc,
                                {.range_policy = range_policy::clamp, .duplicates = duplicates::last_wins}, desc.get());
    std::vector<operand> all(directml::detail::tensor_count(structure, op.Desc));
    directml::detail::read_operands(structure, op.Desc, all);
    const std::size_t input_count = structure.op->input_count(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) (i < input_count ? inputs : outputs).push_back(all[i].desc);
  }

  std::string_view name() const { return desc.description().name; }

  // Records it into the list, on ranges whose resource may be null.
  void record(world& w, ID3D12GraphicsCommandList* list, std::span<const DML_BUFFER_BINDING> in,
              std::span<const DML_BUFFER_BINDING> out) const {
    w.expect_inputs(list, in, out);
    w.spoil(list, out);
    const gpu_cases::recorder add = gpu_cases::recorder_of(desc);
    if (add == nullptr) return w.give_answer(list, out);
    add(w.new_recording(list), desc.get(), residents(inputs, in), residents(outputs, out));
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
