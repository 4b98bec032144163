// device_error: a Direct3D 12 call that failed, with the call and its HRESULT.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/d3d12/runtime/headers.hpp>

namespace goldml::d3d12 {

// Names of the common error codes of DXGI and COM. vkd3d's headers have only some of them.
inline std::string_view result_name(HRESULT result) {
  switch (static_cast<std::uint32_t>(result)) {
    case 0x80004001: return "E_NOTIMPL";
    case 0x80004002: return "E_NOINTERFACE";
    case 0x80004005: return "E_FAIL";
    case 0x8007000E: return "E_OUTOFMEMORY";
    case 0x80070057: return "E_INVALIDARG";
    case 0x887A0001: return "DXGI_ERROR_INVALID_CALL";
    case 0x887A0002: return "DXGI_ERROR_NOT_FOUND";
    case 0x887A0004: return "DXGI_ERROR_UNSUPPORTED";
    case 0x887A0005: return "DXGI_ERROR_DEVICE_REMOVED";
    case 0x887A0006: return "DXGI_ERROR_DEVICE_HUNG";
    case 0x887A0007: return "DXGI_ERROR_DEVICE_RESET";
    case 0x887A0020: return "DXGI_ERROR_DRIVER_INTERNAL_ERROR";
    default: return "";
  }
}

// The code and its name, for example "0x8007000E E_OUTOFMEMORY".
inline std::string result_text(HRESULT result) {
  const std::string_view name = result_name(result);
  return fmt::format("{:#010x}{}{}", static_cast<std::uint32_t>(result), name.empty() ? "" : " ", name);
}

// An error that does not depend on the arguments of a call: no adapter, out of memory, a driver failure, a removed
// device.
class device_error : public std::runtime_error {
 public:
  device_error(HRESULT result, std::string_view call, std::string_view why = {})
      : std::runtime_error(fmt::format("d3d12: {} failed: {}{}{}", call, result_text(result), why.empty() ? "" : ", ",
                                       why)),
        result_(result),
        call_(call) {}

  HRESULT result() const { return result_; }
  const std::string& call() const { return call_; }

 private:
  HRESULT result_;
  std::string call_;
};

// The error of a failed call. `removed` is the device's GetDeviceRemovedReason(), S_OK unless it was removed.
inline device_error failed_call(HRESULT result, std::string_view call, HRESULT removed) {
  if (!FAILED(removed)) return device_error(result, call);
  return device_error(result, call, fmt::format("the device was removed: {}", result_text(removed)));
}

// Throws device_error unless the call succeeded.
inline void check_result(HRESULT result, std::string_view call, ID3D12Device* device = nullptr) {
  if (FAILED(result)) throw failed_call(result, call, device == nullptr ? S_OK : device->GetDeviceRemovedReason());
}

}  // namespace goldml::d3d12
