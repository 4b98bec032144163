// Root signatures and pipelines of a device. They are created at the first use of a shader and then kept.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/d3d12/runtime/com_ptr.hpp>
#include <goldml/d3d12/runtime/error.hpp>
#include <goldml/d3d12/runtime/shader.hpp>

namespace goldml::d3d12 {

// Which form of the shaders is used.
enum class shader_code : std::uint8_t {
  system,    // on Windows, the HLSL text, compiled by the system's D3DCompile; elsewhere, the bytecode
  bytecode,  // the DXBC in goldml's headers
};

// Root parameters, in the order of the root signatures below.
struct root_parameter {
  static constexpr UINT constants = 0;    // b0
  static constexpr UINT block = 1;        // b1
  static constexpr UINT table = 2;        // binding_model::table: t0..t3, u0..u3
  static constexpr UINT first_read = 2;   // binding_model::root: t0..t3
  static constexpr UINT first_write = 2 + static_cast<UINT>(most_views);  // u0..u3
};

class pipelines {
 public:
  pipelines(com_ptr<ID3D12Device> device, shader_code code) : device_(std::move(device)), code_(code) {
    for (const binding_model binding : {binding_model::root, binding_model::table})
      signatures_[static_cast<std::size_t>(binding)] = make_signature(binding);
  }

  ID3D12RootSignature* signature(binding_model binding) const {
    return signatures_[static_cast<std::size_t>(binding)].get();
  }

  ID3D12PipelineState* pipeline(const shader& code) {
    const std::lock_guard lock(mutex_);
    auto found = pipelines_.find(code.name);
    if (found == pipelines_.end()) found = pipelines_.emplace(std::string(code.name), make_pipeline(code)).first;
    return found->second.get();
  }

 private:
  com_ptr<ID3D12RootSignature> make_signature(binding_model binding) const {
    std::array<D3D12_ROOT_PARAMETER, 2 + 2 * most_views> parameters{};
    for (D3D12_ROOT_PARAMETER& p : parameters) p.ShaderVisibility = D3D12_SHADER_VISIBILITY_ALL;
    parameters[root_parameter::constants].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
    parameters[root_parameter::constants].Constants = {0, 0, static_cast<UINT>(most_constants)};
    parameters[root_parameter::block].ParameterType = D3D12_ROOT_PARAMETER_TYPE_CBV;
    parameters[root_parameter::block].Descriptor = {1, 0};
    constexpr UINT views = static_cast<UINT>(most_views);
    const std::array<D3D12_DESCRIPTOR_RANGE, 2> ranges{{{D3D12_DESCRIPTOR_RANGE_TYPE_SRV, views, 0, 0, 0},
                                                        {D3D12_DESCRIPTOR_RANGE_TYPE_UAV, views, 0, 0, views}}};
    UINT count = static_cast<UINT>(parameters.size());
    if (binding == binding_model::table) {
      parameters[root_parameter::table].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
      parameters[root_parameter::table].DescriptorTable = {static_cast<UINT>(ranges.size()), ranges.data()};
      count = root_parameter::table + 1;
    } else {
      for (UINT i = 0; i < views; ++i) {
        parameters[root_parameter::first_read + i].ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV;
        parameters[root_parameter::first_read + i].Descriptor = {i, 0};
        parameters[root_parameter::first_write + i].ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV;
        parameters[root_parameter::first_write + i].Descriptor = {i, 0};
      }
    }
    const D3D12_ROOT_SIGNATURE_DESC desc{count, parameters.data(), 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE};
    com_ptr<ID3DBlob> blob, problem;
    check_result(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, blob.put(), problem.put()),
                 "D3D12SerializeRootSignature");
    com_ptr<ID3D12RootSignature> result;
    check_result(device_->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(),
                                              iid_of<ID3D12RootSignature>(), result.put_void()),
                 "ID3D12Device::CreateRootSignature", device_.get());
    return result;
  }

  com_ptr<ID3D12PipelineState> make_pipeline(const shader& code) const {
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.pRootSignature = signature(code.binding);
    desc.CS = {code.bytecode.data(), code.bytecode.size_bytes()};
#ifdef _WIN32
    com_ptr<ID3DBlob> compiled;
    if (code_ == shader_code::system) {
      compiled = compile(code);
      desc.CS = {compiled->GetBufferPointer(), compiled->GetBufferSize()};
    }
#endif
    com_ptr<ID3D12PipelineState> result;
    check_result(
        device_->CreateComputePipelineState(&desc, iid_of<ID3D12PipelineState>(), result.put_void()),
        fmt::format("ID3D12Device::CreateComputePipelineState of {}", code.name), device_.get());
    return result;
  }

#ifdef _WIN32
  static com_ptr<ID3DBlob> compile(const shader& code) {
    com_ptr<ID3DBlob> blob, problem;
    const HRESULT result =
        D3DCompile(code.hlsl.data(), code.hlsl.size(), std::string(code.name).c_str(), nullptr, nullptr, "main",
                   "cs_5_0", D3DCOMPILE_OPTIMIZATION_LEVEL3, 0, blob.put(), problem.put());
    const std::string_view text =
        problem ? std::string_view(static_cast<const char*>(problem->GetBufferPointer()), problem->GetBufferSize())
                : std::string_view();
    if (FAILED(result)) throw device_error(result, fmt::format("D3DCompile of {}", code.name), text);
    return blob;
  }
#endif

  com_ptr<ID3D12Device> device_;
  [[maybe_unused]] shader_code code_;
  std::array<com_ptr<ID3D12RootSignature>, 2> signatures_;
  std::mutex mutex_;
  std::map<std::string, com_ptr<ID3D12PipelineState>, std::less<>> pipelines_;
};

}  // namespace goldml::d3d12
