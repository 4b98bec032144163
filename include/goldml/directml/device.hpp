// The backend directml::device: DirectML itself, on any Direct3D 12 adapter of Windows.
//   const directml::device dml;                     the first hardware adapter
//   argmin(dml, input, output, {.axes = {1}});      as with any backend
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <goldml/core/data_type.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/d3d12/runtime/device.hpp>
#include <goldml/directml/load.hpp>

namespace goldml::directml {

struct device_options {
  std::string adapter = {};  // a part of its name; if empty, the first hardware adapter, or else a software one
  bool debug_layer = false;  // DirectML reports errors in the debugger; needs the Graphics Tools of Windows
};

// Owns a d3d12::device and a DirectML device on it. Thread-safe. Must be destroyed before main() returns.
class device {
 public:
  // Throws device_error if there is no DirectML, no such adapter, or no driver.
  explicit device(const device_options& options = {}) : device(library(), options) {}

  // Uses the caller's device and queue (direct or compute).
  device(ID3D12Device* native, ID3D12CommandQueue* queue, const device_options& options = {})
      : device(d3d12::device(native, queue, {.adapter = options.adapter}),
               library().create_device(native, flags_of(options))) {}

  // Uses a DirectML device that the caller created for gpu.native().
  device(d3d12::device gpu, com_ptr<IDMLDevice> dml)
      : gpu_(std::move(gpu)), dml_(std::move(dml)), feature_level_(highest_level()) {}

  device(device&&) = default;
  device& operator=(device&&) = default;

  const d3d12::device& gpu() const { return gpu_; }
  IDMLDevice* native() const { return dml_.get(); }

  // The highest level that this DirectML supports.
  goldml::feature_level feature_level() const { return feature_level_; }

  // Whether DirectML supports the data type on this adapter.
  bool supports(data_type type) const {
    const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query{static_cast<DML_TENSOR_DATA_TYPE>(type)};
    DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT answer{};
    check(dml_->CheckFeatureSupport(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, sizeof query, &query, sizeof answer, &answer),
          fmt::format("IDMLDevice::CheckFeatureSupport(TENSOR_DATA_TYPE_SUPPORT, {})", name_of(type)));
    return answer.IsSupported != 0;
  }

  // Throws device_error unless the call succeeded. If DirectML removed the device, the error has the reason.
  void check(HRESULT result, std::string_view call) const {
    if (FAILED(result)) throw d3d12::failed_call(result, call, dml_->GetDeviceRemovedReason());
  }

  // For calls without a result: if their arguments are wrong, DirectML removes the device.
  void check_alive(std::string_view call) const {
    const HRESULT removed = dml_->GetDeviceRemovedReason();
    if (FAILED(removed)) throw d3d12::failed_call(removed, call, removed);
  }

 private:
  device(const library& dll, const device_options& options)
      : gpu_({.adapter = options.adapter}),
        dml_(dll.create_device(gpu_.native(), flags_of(options))),
        feature_level_(highest_level()) {}

  static DML_CREATE_DEVICE_FLAGS flags_of(const device_options& options) {
    return options.debug_layer ? DML_CREATE_DEVICE_FLAG_DEBUG : DML_CREATE_DEVICE_FLAG_NONE;
  }

  goldml::feature_level highest_level() const {
    std::array<DML_FEATURE_LEVEL, feature_levels.size()> levels{};
    for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = static_cast<DML_FEATURE_LEVEL>(feature_levels[i].value);
    const DML_FEATURE_QUERY_FEATURE_LEVELS query{static_cast<UINT>(levels.size()), levels.data()};
    DML_FEATURE_DATA_FEATURE_LEVELS answer{};
    const HRESULT result =
        dml_->CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS, sizeof query, &query, sizeof answer, &answer);
    if (result == unsupported) return goldml::feature_level::level_1_0;  // the first DirectML has no levels
    check(result, "IDMLDevice::CheckFeatureSupport(FEATURE_LEVELS)");
    return static_cast<goldml::feature_level>(answer.MaxSupportedFeatureLevel);
  }

  d3d12::device gpu_;
  com_ptr<IDMLDevice> dml_;  // released before the device that it uses
  goldml::feature_level feature_level_;
};

}  // namespace goldml::directml
