# The target goldml::directml_platform, on which goldml::directml depends: DirectML.h of a Windows SDK, of Microsoft's
# redistributable or of DirectX-Headers, with the Direct3D 12 headers that goldml-d3d12.cmake (included before) has
# found. Headers only: nothing is linked. If they are missing, the target is empty, goldml_directml_FOUND is false,
# and goldml_directml_NOT_FOUND_MESSAGE says what was not found. Used by goldml's own build and by find_package(goldml).
# If CMake does not find it, set DIRECTML_INCLUDE_DIR to the folder of DirectML.h.
add_library(goldml::directml_platform INTERFACE IMPORTED GLOBAL)
set(goldml_directml_FOUND TRUE)
set(goldml_directml_NOT_FOUND_MESSAGE "")
find_path(DIRECTML_INCLUDE_DIR DirectML.h PATH_SUFFIXES directx)
mark_as_advanced(DIRECTML_INCLUDE_DIR)
set(goldml_directml_late_enough "")
if(EXISTS ${DIRECTML_INCLUDE_DIR}/DirectML.h)
  file(STRINGS ${DIRECTML_INCLUDE_DIR}/DirectML.h goldml_directml_late_enough
       REGEX "struct DML_DIAGONAL_MATRIX1_OPERATOR_DESC" LIMIT_COUNT 1)
endif()
if(NOT EXISTS ${DIRECTML_INCLUDE_DIR}/DirectML.h)
  set(goldml_directml_NOT_FOUND_MESSAGE "DirectML.h (directx-headers-dev 1.614, or a Windows SDK)")
elseif(NOT goldml_directml_late_enough)
  set(goldml_directml_NOT_FOUND_MESSAGE "DirectML.h of feature level 5_1 or later (only ${DIRECTML_INCLUDE_DIR})")
elseif(NOT WIN32 AND NOT VKD3D_INCLUDE_DIR)
  set(goldml_directml_NOT_FOUND_MESSAGE "vkd3d.h (libvkd3d-dev)")
elseif(NOT WIN32 AND NOT VULKAN_INCLUDE_DIR)
  set(goldml_directml_NOT_FOUND_MESSAGE "vulkan/vulkan.h (libvulkan-dev)")
else()
  # DirectML.h includes "d3d12.h", and the one in its folder may differ from the one that goldml uses. So it is copied alone.
  set(goldml_directml_folder ${CMAKE_CURRENT_BINARY_DIR}/goldml-directml)
  configure_file(${DIRECTML_INCLUDE_DIR}/DirectML.h ${goldml_directml_folder}/DirectML.h COPYONLY)
  target_include_directories(goldml::directml_platform SYSTEM INTERFACE ${goldml_directml_folder})
  if(NOT WIN32)
    file(CONFIGURE OUTPUT ${goldml_directml_folder}/d3d12.h CONTENT "#include <goldml/d3d12/runtime/headers.hpp>\n" @ONLY)
    target_include_directories(goldml::directml_platform SYSTEM INTERFACE ${VKD3D_INCLUDE_DIR} ${VULKAN_INCLUDE_DIR})
  endif()
endif()
if(goldml_directml_NOT_FOUND_MESSAGE)
  set(goldml_directml_FOUND FALSE)
endif()
