// Loads DirectML.dll at run time. A program starts without it, and gets an error only if it uses DirectML.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/d3d12/runtime/com_ptr.hpp>
#include <goldml/d3d12/runtime/error.hpp>
#include <goldml/directml/headers.hpp>

namespace goldml::directml {

using d3d12::com_ptr;
using d3d12::device_error;

// DXGI_ERROR_UNSUPPORTED, which vkd3d's headers do not name: DirectML or the adapter does not support the request.
inline constexpr HRESULT unsupported = static_cast<HRESULT>(0x887A0004);

// Creates DirectML devices. Throws device_error if there is no DirectML.
class library {
 public:
#ifdef _WIN32
  // Loads the DirectML.dll in the folder of the program, or else that of Windows. It stays loaded until the process
  // ends.
  library() {
    const HMODULE dll = LoadLibraryExW(L"DirectML.dll", nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    if (dll == nullptr)
      throw device_error(HRESULT_FROM_WIN32(GetLastError()), "LoadLibrary(DirectML.dll)",
                         "it is part of Windows 10 1903 and later, and newer in the redistributable package "
                         "Microsoft.AI.DirectML: put the DirectML.dll from it beside the program");
    create1_ = function<decltype(create1_)>(dll, "DMLCreateDevice1");
    create_ = function<decltype(create_)>(dll, "DMLCreateDevice");
    if (create1_ == nullptr && create_ == nullptr)
      throw device_error(HRESULT_FROM_WIN32(GetLastError()), "GetProcAddress(DMLCreateDevice)",
                         "the DirectML.dll that was found is not DirectML");
  }

  // Requires no particular feature level; the class device queries the highest.
  com_ptr<IDMLDevice> create_device(ID3D12Device* native, DML_CREATE_DEVICE_FLAGS flags) const {
    com_ptr<IDMLDevice> result;
    if (create1_ != nullptr)
      d3d12::check_result(
          create1_(native, flags, DML_FEATURE_LEVEL_1_0, d3d12::iid_of<IDMLDevice>(), result.put_void()),
          "DMLCreateDevice1", native);
    else
      d3d12::check_result(create_(native, flags, d3d12::iid_of<IDMLDevice>(), result.put_void()), "DMLCreateDevice",
                          native);
    return result;
  }

 private:
  template <class Function>
  static Function function(HMODULE dll, const char* name) {
    return reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(dll, name)));
  }

  decltype(&DMLCreateDevice1) create1_ = nullptr;  // DirectML 1.1 and later
  decltype(&DMLCreateDevice) create_ = nullptr;
#else
  library() {
    throw device_error(E_NOTIMPL, "loading DirectML.dll",
                       "DirectML exists on Windows only; elsewhere a device stands on an IDMLDevice that is handed in");
  }
  // Never called: the constructor throws.
  com_ptr<IDMLDevice> create_device(ID3D12Device*, DML_CREATE_DEVICE_FLAGS) const { return {}; }
#endif
};

}  // namespace goldml::directml
