# Toolchain file: 64-bit Windows programs by mingw-w64, which need no DLL of its own. Libraries are looked for below
# CMAKE_FIND_ROOT_PATH alone. With wine64 installed CTest runs the programs. tests/windows/run_under_wine.sh uses it.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_CXX_FLAGS_INIT -Wa,-mbig-obj)  # more sections in an object file than Windows first counted on
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Debian keeps wine64 outside PATH.
find_program(GOLDML_WINE NAMES wine64 wine PATHS /usr/lib/wine)
mark_as_advanced(GOLDML_WINE)
if(GOLDML_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${GOLDML_WINE})
endif()
