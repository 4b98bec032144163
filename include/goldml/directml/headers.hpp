// Includes <DirectML.h>; no other file does. The header is the Windows SDK's, the redistributable's or
// DirectX-Headers', on top of the Direct3D 12 of goldml/d3d12/runtime/headers.hpp. DirectML is not linked: it is loaded
// at run time if needed.
#pragma once

// Must follow <windows.h> with its macros, and precede DirectML.h, which includes "d3d12.h" itself.
#include <goldml/d3d12/runtime/headers.hpp>

// Enables everything in the header for every target version of Windows: goldml checks the feature level that the caller
// chooses.
#if !defined(DML_TARGET_VERSION) && !defined(DML_TARGET_VERSION_USE_LATEST)
#define DML_TARGET_VERSION_USE_LATEST
#endif

#ifdef _WIN32

// An annotation of Microsoft's that mingw-w64 lacks.
#ifndef _Maybenull_
#define _Maybenull_
#endif
#include <DirectML.h>

#else

// What DirectML.h expects from <windows.h> but vkd3d's headers do not have. Most of it is visible only to DirectML.h.
using DOUBLE = double;
using PCWSTR = const WCHAR*;
#define interface struct
#define WINAPI_FAMILY_PARTITION(partitions) 1
#define DML_DECLARE_INTERFACE(iid)
#define IFACEMETHOD(method) virtual HRESULT STDMETHODCALLTYPE method
#define IFACEMETHOD_(type, method) virtual type STDMETHODCALLTYPE method
#define STDMETHOD_(type, method) virtual type STDMETHODCALLTYPE method
#define STDAPI EXTERN_C HRESULT STDMETHODCALLTYPE
#define _COM_Outptr_
#define _COM_Outptr_opt_
#define _Field_size_(size)
#define _Field_size_bytes_(size)
#define _Field_size_opt_(size)
#define _Field_z_
#define _In_opt_
#define _In_reads_(size)
#define _In_reads_bytes_opt_(size)
#define _In_reads_opt_(size)
#define _Inexpressible_(size)
#define _Inout_
#define _Maybenull_
#define _Out_writes_bytes_(size)
#define _Out_writes_bytes_opt_(size)
#include <DirectML.h>
// Must follow DirectML.h.
#undef interface
#undef WINAPI_FAMILY_PARTITION
#undef IFACEMETHOD
#undef IFACEMETHOD_
#undef STDMETHOD_
#undef STDAPI
#undef _COM_Outptr_
#undef _COM_Outptr_opt_
#undef _Field_size_
#undef _Field_size_bytes_
#undef _Field_size_opt_
#undef _Field_z_
#undef _In_opt_
#undef _In_reads_
#undef _In_reads_bytes_opt_
#undef _In_reads_opt_
#undef _Inexpressible_
#undef _Inout_
#undef _Maybenull_
#undef _Out_writes_bytes_
#undef _Out_writes_bytes_opt_

#endif

#if !defined(DML_TARGET_VERSION) || DML_TARGET_VERSION < 0x5100
#error \
    "goldml: DirectML.h of feature level 5_1 or later is needed, for DML_DIAGONAL_MATRIX1_OPERATOR_DESC. Take a later Windows SDK, or Microsoft.AI.DirectML or DirectX-Headers before it on the include path; where DML_TARGET_VERSION is set, or DirectML.h included before goldml, raise it to 0x5100."
#endif

// Identifiers of the interfaces, for d3d12::iid_of(). Microsoft's compiler and Clang on Windows find them in
// DirectML.h.
#if defined(DIRECTML_H) && !defined(_MSC_VER)
__CRT_UUID_DECL(IDMLObject, 0xc8263aac, 0x9e0c, 0x4a2d, 0x9b, 0x8e, 0x00, 0x75, 0x21, 0xa3, 0x31, 0x7c)
__CRT_UUID_DECL(IDMLDevice, 0x6dbd6437, 0x96fd, 0x423f, 0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f)
__CRT_UUID_DECL(IDMLDeviceChild, 0x27e83142, 0x8165, 0x49e3, 0x97, 0x4e, 0x2f, 0xd6, 0x6e, 0x4c, 0xb6, 0x9d)
__CRT_UUID_DECL(IDMLPageable, 0xb1ab0825, 0x4542, 0x4a4b, 0x86, 0x17, 0x6d, 0xde, 0x6e, 0x8f, 0x62, 0x01)
__CRT_UUID_DECL(IDMLOperator, 0x26caae7a, 0x3081, 0x4633, 0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d)
__CRT_UUID_DECL(IDMLDispatchable, 0xdcb821a8, 0x1039, 0x441e, 0x9f, 0x1c, 0xb1, 0x75, 0x9c, 0x2f, 0x3c, 0xec)
__CRT_UUID_DECL(IDMLCompiledOperator, 0x6b15e56a, 0xbf5c, 0x4902, 0x92, 0xd8, 0xda, 0x3a, 0x65, 0x0a, 0xfe, 0xa4)
__CRT_UUID_DECL(IDMLOperatorInitializer, 0x427c1113, 0x435c, 0x469c, 0x86, 0x76, 0x4d, 0x5d, 0xd0, 0x72, 0xf8, 0x13)
__CRT_UUID_DECL(IDMLBindingTable, 0x29c687dc, 0xde74, 0x4e3b, 0xab, 0x00, 0x11, 0x68, 0xf2, 0xfc, 0x3c, 0xfc)
__CRT_UUID_DECL(IDMLCommandRecorder, 0xe6857a76, 0x2e3e, 0x4fdd, 0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53)
__CRT_UUID_DECL(IDMLDebugDevice, 0x7d6f3ac9, 0x394a, 0x4ac3, 0x92, 0xa7, 0x39, 0x0c, 0xc5, 0x7a, 0x82, 0x17)
__CRT_UUID_DECL(IDMLDevice1, 0xa0884f9a, 0xd2be, 0x4355, 0xaa, 0x5d, 0x59, 0x01, 0x28, 0x1a, 0xd1, 0xd2)
#endif
