#!/usr/bin/env bash
# check.sh COMPILER SOURCE_DIR: uses goldml in each supported way: installed and found, as a subdirectory, and with -I alone.
set -euo pipefail
compiler=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

consume() {  # NAME CMAKE_ARGUMENTS...
  local name=$1
  shift
  cmake -S "$source_dir/tests/consumers/$name" -B "$work/$name" -DCMAKE_CXX_COMPILER="$compiler" "$@" >"$work/log" 2>&1 &&
    cmake --build "$work/$name" >>"$work/log" 2>&1 && "$work/$name/consumer" || { cat "$work/log"; exit 1; }
  echo "$name: works"
  passed=$((passed + 1))
  if [ -e "$work/$name/compiled_consumer" ]; then
    "$work/$name/compiled_consumer"
    echo "$name with goldml::compiled: works"
    passed=$((passed + 1))
  fi
}

cmake -S "$source_dir" -B "$work/goldml" -DCMAKE_CXX_COMPILER="$compiler" -DGOLDML_BUILD_TOOL=OFF \
  -DGOLDML_BUILD_TESTS=OFF -DGOLDML_BUILD_EXAMPLES=OFF -DGOLDML_BUILD_BENCHMARKS=OFF -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_INSTALL_PREFIX="$work/prefix" >"$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
cmake --install "$work/goldml" >/dev/null
consume find_package -DCMAKE_PREFIX_PATH="$work/prefix"
rm -r "$work/find_package"

# goldml::compiled exists if it was requested, and only then.
if cmake -S "$source_dir/tests/consumers/find_package" -B "$work/refused" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DWITH_COMPILED=ON >"$work/log" 2>&1; then
  echo "find_package found a component that was not installed"
  exit 1
fi
cmake -S "$source_dir" -B "$work/goldml" -DGOLDML_INSTALL_COMPILED=ON >"$work/log" 2>&1 &&
  cmake --build "$work/goldml" --target goldml_compiled --parallel 2 >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --install "$work/goldml" >/dev/null
consume find_package -DCMAKE_PREFIX_PATH="$work/prefix" -DWITH_COMPILED=ON
consume add_subdirectory -DGOLDML_SOURCE_DIR="$source_dir" -DWITH_COMPILED=ON
[ "$passed" -eq 5 ] || { echo "a program that links goldml::compiled was not built"; exit 1; }

"$compiler" -std=c++20 -I"$source_dir/include" -isystem /usr/include/eigen3 "$source_dir/tests/consumers/main.cpp" \
  -o "$work/bare" -lfmt
"$work/bare"
echo "bare: works"
echo "$((passed + 1)) passed, 0 failed"
