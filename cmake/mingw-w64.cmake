# Toolchain file for 64-bit Windows programs with mingw-w64, without DLLs of mingw-w64. Libraries are searched only below
# CMAKE_FIND_ROOT_PATH. If wine64 is installed, CTest runs the programs. Used by tests/windows/run_under_wine.sh.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_CXX_FLAGS_INIT -Wa,-mbig-obj)  # for object files with more than 2^16 sections
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# On Debian, wine64 is not in PATH.
find_program(GOLDML_WINE NAMES wine64 wine PATHS /usr/lib/wine)
mark_as_advanced(GOLDML_WINE)
if(GOLDML_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${GOLDML_WINE})
endif()
