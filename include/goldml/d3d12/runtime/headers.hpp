// The one place that includes Direct3D 12: the Windows SDK's or mingw-w64's headers, or vkd3d's on Linux.
#pragma once

// g++ returns small structures from member functions by another calling convention than the interfaces. mingw-w64's and
// vkd3d's headers have a switch for that, which must be set before they are first included.
#if defined(__GNUC__) && !defined(WIDL_EXPLICIT_AGGREGATE_RETURNS)
#define WIDL_EXPLICIT_AGGREGATE_RETURNS
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif

#ifdef _WIN32

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// After <windows.h>.
#include <d3d12.h>
#include <d3dcompiler.h>
#include <dxgi1_6.h>

#else

#include <vulkan/vulkan.h>
// After Vulkan's.
#include <vkd3d.h>
#include <vkd3d_utils.h>
// A macro that only <windows.h> needs.
#undef interface

#endif

namespace goldml::d3d12 {

// The identifier of a COM interface.
template <class Interface>
const GUID& iid_of() {
#ifdef _WIN32
  return __uuidof(Interface);
#else
  return __vkd3d_uuidof<Interface>();
#endif
}

}  // namespace goldml::d3d12
