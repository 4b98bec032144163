// Adapters: lists them, chooses one, and creates its Direct3D 12 device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/d3d12/runtime/com_ptr.hpp>
#include <goldml/d3d12/runtime/error.hpp>

namespace goldml::d3d12 {

struct adapter {
  std::string name;       // from the driver, UTF-8
  bool software = false;  // runs on the CPU: lavapipe, WARP
};

// Among the adapters whose names contain `name_part`, ignoring case: the first hardware adapter, or the first one if
// there is no hardware adapter. Empty if no name matches.
inline std::optional<std::size_t> choose_adapter(std::span<const adapter> adapters, std::string_view name_part) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const auto same_letter = [&](char a, char b) { return lower(a) == lower(b); };
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    const std::string& name = adapters[i].name;
    const auto part = std::search(name.begin(), name.end(), name_part.begin(), name_part.end(), same_letter);
    const bool matches = name_part.empty() || part != name.end();
    if (matches && (!chosen || (adapters[*chosen].software && !adapters[i].software))) chosen = i;
  }
  return chosen;
}

#ifdef _WIN32

// The adapters that DXGI enumerates. Handles are valid as long as this object.
class adapter_list {
 public:
  adapter_list() {
    com_ptr<IDXGIFactory1> factory;
    check_result(CreateDXGIFactory1(iid_of<IDXGIFactory1>(), factory.put_void()), "CreateDXGIFactory1");
    com_ptr<IDXGIAdapter1> next;
    for (UINT i = 0; factory->EnumAdapters1(i, next.put()) == S_OK; ++i) {
      DXGI_ADAPTER_DESC1 desc;
      check_result(next->GetDesc1(&desc), "IDXGIAdapter1::GetDesc1");
      adapters_.push_back({utf8(desc.Description), (desc.Flags & DXGI_ADAPTER_FLAG_SOFTWARE) != 0});
      handles_.push_back(next);
    }
  }

  const std::vector<adapter>& adapters() const { return adapters_; }

  com_ptr<ID3D12Device> create_device(std::size_t index) const {
    com_ptr<ID3D12Device> result;
    check_result(D3D12CreateDevice(handles_[index].get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(),
                                   result.put_void()),
                 fmt::format("D3D12CreateDevice({})", adapters_[index].name));
    return result;
  }

 private:
  static std::string utf8(const WCHAR* text) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
    std::string result(size > 0 ? static_cast<std::size_t>(size) : 1, '\0');
    WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), size, nullptr, nullptr);
    result.pop_back();  // the terminating zero
    return result;
  }

  std::vector<adapter> adapters_;
  std::vector<com_ptr<IDXGIAdapter1>> handles_;
};

#else

// The adapters that Vulkan enumerates. Handles are valid as long as this object.
class adapter_list {
 public:
  adapter_list() {
    vkd3d_application_info application{};
    application.type = VKD3D_STRUCTURE_TYPE_APPLICATION_INFO;
    application.application_name = "goldml";
    application.api_version = VKD3D_API_VERSION_1_2;
    vkd3d_instance_create_info info{};
    info.type = VKD3D_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.next = &application;
    info.pfn_signal_event = vkd3d_signal_event;
    info.wchar_size = sizeof(WCHAR);
    if (const HRESULT result = vkd3d_create_instance(&info, &instance_); FAILED(result))
      throw device_error(result, "vkd3d_create_instance", "is there a Vulkan driver?");
    // Keeps the driver loaded: some drivers leak memory each time they are loaded, and NVIDIA's fails after about
    // thirty loads. A pointer to what is kept, so that LeakSanitizer does not report it.
    static const vkd3d_instance* const kept = (vkd3d_instance_incref(instance_), instance_);
    (void)kept;
    const VkInstance vulkan = vkd3d_instance_get_vk_instance(instance_);
    std::uint32_t count = 0;
    if (vkEnumeratePhysicalDevices(vulkan, &count, nullptr) < 0) count = 0;
    handles_.resize(count);
    if (count != 0 && vkEnumeratePhysicalDevices(vulkan, &count, handles_.data()) < 0) count = 0;
    handles_.resize(count);
    for (const VkPhysicalDevice handle : handles_) {
      VkPhysicalDeviceProperties properties;
      vkGetPhysicalDeviceProperties(handle, &properties);
      adapters_.push_back({properties.deviceName, properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU});
    }
  }
  ~adapter_list() { vkd3d_instance_decref(instance_); }
  adapter_list(const adapter_list&) = delete;
  adapter_list& operator=(const adapter_list&) = delete;

  const std::vector<adapter>& adapters() const { return adapters_; }

  com_ptr<ID3D12Device> create_device(std::size_t index) const {
    vkd3d_device_create_info info{};
    info.type = VKD3D_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.minimum_feature_level = D3D_FEATURE_LEVEL_11_0;
    info.instance = instance_;
    info.vk_physical_device = handles_[index];
    com_ptr<ID3D12Device> result;
    check_result(vkd3d_create_device(&info, iid_of<ID3D12Device>(), result.put_void()),
                 fmt::format("vkd3d_create_device({})", adapters_[index].name));
    return result;
  }

 private:
  vkd3d_instance* instance_ = nullptr;
  std::vector<adapter> adapters_;
  std::vector<VkPhysicalDevice> handles_;
};

#endif

// All adapters, in the system's order. Throws device_error if there is no driver.
inline std::vector<adapter> adapters() { return adapter_list().adapters(); }

}  // namespace goldml::d3d12
