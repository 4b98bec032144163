#!/usr/bin/env bash
# run_under_wine.sh [FOLDER]: the Windows side without Windows: builds the tests of d3d12 with mingw-w64 in FOLDER
# (build-wine) and runs them under Wine, on whatever Vulkan driver Wine finds. Debian: g++-mingw-w64-x86-64-posix,
# wine64, xvfb, xauth. Wine 8 has no descriptor tables and compiles no compute shaders: root descriptors and bytecode
# only.
set -euo pipefail
source_dir=$(realpath "$(dirname "$0")/../..")
folder=${1:-$source_dir/build-wine}
mkdir -p "$folder/include"
for library in fmt catch2 eigen3/Eigen; do  # these alone: the others in that folder are Linux's
  ln -sfn "/usr/include/$library" "$folder/include/$(basename "$library")"
done
cd "$folder"

compile() {  # compile FILE
  x86_64-w64-mingw32-g++-posix -std=c++20 -O1 -Wa,-mbig-obj -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow \
    -Wpedantic -Werror -Wno-restrict -DFMT_HEADER_ONLY -I "$source_dir/include" -I "$source_dir/tests" \
    -I "$source_dir/tests/d3d12" -isystem include -c "$1" -o "$(basename "$1" .cpp).o"
}
[ -f catch_main.o ] || compile "$source_dir/tests/catch_main.cpp"
for file in "$source_dir"/tests/d3d12/*.cpp; do compile "$file"; done
# Catch2 2.13 makes ld warn of a section that two units have in different sizes.
x86_64-w64-mingw32-g++-posix -static ./*.o -o test_d3d12.exe -ld3d12 -ldxgi -ld3dcompiler -ldxguid 2>link.log ||
  { cat link.log; exit 1; }

export WINEPREFIX=$PWD/prefix WINEDEBUG=-all GOLDML_D3D12_WINE=1
wine=$(command -v /usr/lib/wine/wine64 wine64 | head -n 1)
xvfb-run -a "$wine" wineboot -i
xvfb-run -a "$wine" test_d3d12.exe '~[tables]'
