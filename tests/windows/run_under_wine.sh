#!/usr/bin/env bash
# run_under_wine.sh [--all] [FOLDER]: tests for Windows without Windows. Installs what is missing (Debian, Ubuntu), builds
# goldml's program, examples and tests with mingw-w64 in FOLDER (build-wine) and runs them under Wine, d3d12 on whatever
# Vulkan driver Wine finds. --all adds slow tests: those in $long, and the headers: all of them
# after <windows.h>, and alone those that have code for Windows.
set -euo pipefail
long='cpu|oracle'
source_dir=$(realpath "$(dirname "$0")/../..")
all=
if [ "${1:-}" = --all ]; then
  all=1
  shift
fi
folder=$(realpath -m "${1:-$source_dir/build-wine}")
source "$source_dir/cmake/prepare.sh"
prepare cmake make g++-mingw-w64-x86-64-posix wine64 xvfb xauth mesa-vulkan-drivers catch2 doctest-dev "${goldml_packages[@]}"
prepare_directml_headers

# The libraries are header-only, these folders alone: all else in there is Linux's. Their CMake packages are too, or
# lead to /usr/include: so these.
libraries=$folder/libraries
mkdir -p "$libraries/include/directx"
for headers in fmt catch2 doctest rapidjson CLI eigen3/Eigen eigen3/unsupported directx/DirectML.h; do
  ln -sfn "/usr/include/$headers" "$libraries/include/${headers#eigen3/}"
done
library() {  # library NAME TARGET DEBIAN_PACKAGE [DEFINITION]
  local version config=$libraries/lib/cmake/$1/$1
  version=$(dpkg-query -W -f='${Version}' "$3")
  mkdir -p "$(dirname "$config")"
  cat >"${config}Config.cmake" <<END
add_library($2 INTERFACE IMPORTED)
target_include_directories($2 INTERFACE "$libraries/include")
target_compile_definitions($2 INTERFACE ${4:-})
END
  cat >"${config}ConfigVersion.cmake" <<END
set(PACKAGE_VERSION ${version%%[+-]*})
if(NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
END
}
library Eigen3 Eigen3::Eigen libeigen3-dev
library fmt fmt::fmt libfmt-dev FMT_HEADER_ONLY
library CLI11 CLI11::CLI11 libcli11-dev
library Catch2 Catch2::Catch2 catch2
library doctest doctest::doctest doctest-dev

# -O1: without it the object files are so large that ld takes minutes for a program. Without precompiled headers, so that
# each test is seen to include what it uses.
cmake -S "$source_dir" -B "$folder" -DCMAKE_TOOLCHAIN_FILE="$source_dir/cmake/mingw-w64.cmake" \
  -DCMAKE_FIND_ROOT_PATH="$libraries" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DGOLDML_BUILD_BENCHMARKS=OFF | grep -- '-- goldml'

targets=(all)
left_out=
if [ -z "$all" ]; then
  left_out=$long
  echo "left out without --all: $long"
  mapfile -t targets < <(cmake --build "$folder" --target help |
    sed -nE 's/^\.\.\. (goldml_tool|goldml_verify_\w+|example_\w+|test_\w+)$/\1/p' | grep -vE "^test_($long)$")
fi

export WINEPREFIX=$folder/prefix WINEDEBUG=-all GOLDML_WINE=1
with_wine=$source_dir/tests/windows/with_wine.sh
"$with_wine" cmake --build "$folder" --target "${targets[@]}" --parallel "$(nproc)"
"$with_wine" ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "$(nproc)" -E "^($left_out)$"
[ -n "$all" ] || exit 0

# No header uses a name that <windows.h> defines as a macro. Those for test frameworks come first, as they need these.
# GoogleTest is not among the libraries.
headers=(goldml/oracle/catch2.hpp goldml/oracle/doctest.hpp)
cd "$source_dir/include"
for header in $(find goldml -name '*.hpp' | LC_ALL=C sort); do
  if [[ $header == goldml/directml/* && ! -d $folder/goldml-directml ]]; then
    echo "$header: left out, there is no DirectML.h"
  elif [[ $header != goldml/oracle/googletest.hpp && " ${headers[*]} " != *" $header "* ]]; then
    headers+=("$header")
  fi
done
compile() {  # HEADER...
  printf '#include <%s>\n' "$@" |
    x86_64-w64-mingw32-g++-posix -std=c++20 -fsyntax-only -x c++ -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow \
      -Wpedantic -Werror -I . -isystem "$libraries/include" -isystem "$folder/goldml-directml" -
}
compile catch2/catch.hpp doctest/doctest.h windows.h "${headers[@]}"
echo "${#headers[@]} headers compile after <windows.h>"

alone=0
for header in "${headers[@]}"; do
  if grep -q '^#.*_WIN32' "$header"; then
    compile "$header"
    alone=$((alone + 1))
  fi
done
echo "$alone headers with code for Windows compile alone"
[ "$alone" -gt 0 ]
