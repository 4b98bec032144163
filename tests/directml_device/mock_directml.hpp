// A mock of DirectML on a real Direct3D 12 device. It records its calls and complains about those that DirectML's
// documentation forbids. Operators compute their results from the bound inputs to the bound outputs.
//   world w(gpu, settings);
//   const directml::device dml = over_mock(w);      w.found.complaints must stay empty
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <goldml/directml/directml.hpp>

#include "mock_table.hpp"

namespace directml_mock {

class mock_device : public object<IDMLDevice> {
 public:
  using object::object;

  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DML_FEATURE feature, UINT query_size, const void* query, UINT size,
                                                void* answer) override {
    const HRESULT result = w().call("IDMLDevice::CheckFeatureSupport");
    if (FAILED(result)) return result;
    if (feature == DML_FEATURE_FEATURE_LEVELS) {
      if (!w().set.knows_levels) return directml::unsupported;
      expect(query_size == sizeof(DML_FEATURE_QUERY_FEATURE_LEVELS) && size == sizeof(DML_FEATURE_DATA_FEATURE_LEVELS),
             "CheckFeatureSupport: wrong sizes");
      const auto& levels = *static_cast<const DML_FEATURE_QUERY_FEATURE_LEVELS*>(query);
      auto& best = *static_cast<DML_FEATURE_DATA_FEATURE_LEVELS*>(answer);
      best.MaxSupportedFeatureLevel = DML_FEATURE_LEVEL_1_0;
      for (UINT i = 0; i < levels.RequestedFeatureLevelCount; ++i) {
        const DML_FEATURE_LEVEL level = levels.RequestedFeatureLevels[i];
        if (directml::from_directml(level) <= w().set.level && level > best.MaxSupportedFeatureLevel)
          best.MaxSupportedFeatureLevel = level;
      }
      return S_OK;
    }
    expect(feature == DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT &&
               query_size == sizeof(DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT) &&
               size == sizeof(DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT),
           "CheckFeatureSupport: wrong sizes");
    const auto type = static_cast<const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT*>(query)->DataType;
    static_cast<DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT*>(answer)->IsSupported =
        static_cast<data_type>(type) != w().set.unsupported_type;
    return S_OK;
  }

  HRESULT STDMETHODCALLTYPE CreateOperator(const DML_OPERATOR_DESC* desc, REFIID iid, void** result) override {
    const HRESULT status = begin<IDMLOperator>("IDMLDevice::CreateOperator", iid, result);
    if (FAILED(status)) return status;
    const auto* const structure = directml::find_structure(directml::detail::raw(desc->Type));
    if (structure == nullptr) return E_INVALIDARG;
    const auto broken = directml::validate(*desc, w().set.level);
    std::shared_ptr<const operation> op;  // null for an illegal desc, which a DirectML may accept
    if (!broken) op = std::make_shared<operation>(*structure, *desc);
    if (!broken) check_descs(*op);
    const bool refuses = broken ? !w().set.accepts || !w().set.accepts(broken->rule)
                                : w().set.refuses && w().set.refuses(structure->op->name);
    if (refuses) return E_INVALIDARG;
    return give<IDMLOperator>(new mock_operator(w(), std::move(op)), result);
  }

  HRESULT STDMETHODCALLTYPE CompileOperator(IDMLOperator* op, DML_EXECUTION_FLAGS flags, REFIID iid,
                                            void** result) override {
    const HRESULT status = begin<IDMLCompiledOperator>("IDMLDevice::CompileOperator", iid, result);
    if (FAILED(status)) return status;
    expect(flags == DML_EXECUTION_FLAG_NONE, "CompileOperator: flags");
    auto* const compiled = new mock_compiled(w(), static_cast<mock_operator*>(op)->what());
    return give<directml::dispatchable_interface>(compiled, result);
  }

  HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT count, IDMLCompiledOperator* const* operators, REFIID iid,
                                                      void** result) override {
    const HRESULT status = begin<IDMLOperatorInitializer>("IDMLDevice::CreateOperatorInitializer", iid, result);
    if (FAILED(status)) return status;
    std::vector<mock_compiled*> compiled;
    for (UINT i = 0; i < count; ++i) compiled.push_back(mock_of(operators[i]));
    return give<initializer_interface>(new mock_initializer(w(), std::move(compiled)), result);
  }

  HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID iid, void** result) override {
    const HRESULT status = begin<IDMLCommandRecorder>("IDMLDevice::CreateCommandRecorder", iid, result);
    return FAILED(status) ? status : give<IDMLCommandRecorder>(new mock_recorder(w()), result);
  }

  HRESULT STDMETHODCALLTYPE CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID iid, void** result) override {
    const HRESULT status = begin<IDMLBindingTable>("IDMLDevice::CreateBindingTable", iid, result);
    return FAILED(status) ? status : give<IDMLBindingTable>(new mock_table(w(), *desc), result);
  }

  HRESULT STDMETHODCALLTYPE Evict(UINT, IDMLPageable* const*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE MakeResident(UINT, IDMLPageable* const*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override {
    ++w().found.calls;
    return w().removed;
  }
  HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID, void** result) override {
    *result = nullptr;
    return E_NOTIMPL;
  }

 private:
  template <class Interface>
  HRESULT begin(const char* name, const GUID& iid, void** result) {
    *result = nullptr;
    expect(same(iid, d3d12::iid_of<Interface>()), std::string(name) + ": another interface");
    return w().call(name);
  }

  template <class Interface>
  static HRESULT give(Interface* made, void** result) {
    *result = made;
    return S_OK;
  }

  // Records the descs. Besides the rules, checks that no flag is set: this backend sets none.
  void check_descs(const operation& op) const {
    w().described = op.inputs;
    w().described.insert(w().described.end(), op.outputs.begin(), op.outputs.end());
    for (const auto* tensors : {&op.inputs, &op.outputs})
      for (const auto& t : *tensors) expect(!t || t->flags == tensor_flags::none, "DirectML is to own a tensor");
  }
};

// The device is the mock's only reference to `w`.
inline directml::device over_mock(world& w) {
  directml::com_ptr<IDMLDevice> native;
  *native.put() = new mock_device(w);
  return directml::device(d3d12::device(w.gpu.native(), w.gpu.queue(), w.gpu.options()), std::move(native));
}

}  // namespace directml_mock
