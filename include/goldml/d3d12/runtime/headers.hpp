// Includes Direct3D 12; no other file does. The headers are the Windows SDK's or mingw-w64's, or vkd3d's on Linux.
#pragma once

// g++ and the COM interfaces use different calling conventions for member functions that return small structures.
// mingw-w64's and vkd3d's headers have a switch for that, which must be set before their first inclusion.
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
// Must follow <windows.h>.
#include <d3d12.h>
#include <d3dcompiler.h>
#include <dxgi1_6.h>

#else

#include <vulkan/vulkan.h>
// Must follow Vulkan's header.
#include <vkd3d.h>
#include <vkd3d_utils.h>
// This macro is needed by <windows.h> only.
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
