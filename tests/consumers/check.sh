#!/usr/bin/env bash
# check.sh COMPILER SOURCE_DIR LIBRARY: uses goldml in each supported way: installed and found by CMake or pkg-config, as
# a subdirectory, as a single header, and with -I alone. LIBRARY is goldml::compiled as the build of the tests has made it,
# which takes minutes; the installation of it gets this file.
set -euo pipefail
compiler=$1
source_dir=$2
library=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

consume() {  # NAME CMAKE_ARGUMENTS...
  local name=$1
  shift
  cmake -S "$source_dir/tests/consumers/$name" -B "$work/$name" -DCMAKE_CXX_COMPILER="$compiler" "$@" >"$work/log" 2>&1 &&
    cmake --build "$work/$name" --parallel 2 >>"$work/log" 2>&1 && "$work/$name/consumer" || { cat "$work/log"; exit 1; }
  echo "$name: works"
  passed=$((passed + 1))
  if [ -e "$work/$name/compiled_consumer" ]; then
    "$work/$name/compiled_consumer"
    echo "$name with goldml::compiled: works"
    passed=$((passed + 1))
  fi
}

# With the options of README.md, and installed without a build, to another prefix than the configured one.
options=$(sed -n 's/^cmake -S \. -B build-install //p' "$source_dir/README.md")
[ -n "$options" ] || { echo "37.10: README.md does not say how to install"; exit 1; }
read -ra options <<<"$options"
cmake -S "$source_dir" -B "$work/goldml" -DCMAKE_CXX_COMPILER="$compiler" "${options[@]}" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_INSTALL_PREFIX="$work/configured" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --install "$work/goldml" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ ! -e "$work/configured" ] || { echo "37.3: something was installed to the configured prefix"; exit 1; }
echo "37.10: README.md's installation needs no build: works"
consume find_package -DCMAKE_PREFIX_PATH="$work/prefix"
rm -r "$work/find_package"

# goldml::compiled exists if it was requested, and only then.
if cmake -S "$source_dir/tests/consumers/find_package" -B "$work/refused" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DWITH_COMPILED=ON >"$work/log" 2>&1; then
  echo "find_package found a component that was not installed"
  exit 1
fi
cmake -S "$source_dir" -B "$work/goldml" -DGOLDML_INSTALL_COMPILED=ON >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cp "$library" "$work/goldml"
cmake --install "$work/goldml" --prefix "$work/prefix" >/dev/null
consume find_package -DCMAKE_PREFIX_PATH="$work/prefix" -DWITH_COMPILED=ON
[ "$passed" -eq 3 ] || { echo "a program that links goldml::compiled was not built"; exit 1; }
consume add_subdirectory -DGOLDML_SOURCE_DIR="$source_dir"

# What goldml needs may have been made by the surrounding project, which gets no install rules of goldml's.
consume own_targets -DGOLDML_SOURCE_DIR="$source_dir" -DCMAKE_INSTALL_PREFIX="$work/own"
cmake --install "$work/own_targets" >/dev/null
[ ! -e "$work/own/include/goldml" ] || { echo "goldml installed itself with the surrounding project"; exit 1; }

# A component that does not exist is named, with those that do.
if cmake -S "$source_dir/tests/consumers/find_package" -B "$work/refused" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DWITH_COMPILED=ON -DMORE_COMPONENTS=cuda >"$work/log" 2>&1; then
  echo "find_package found a component that does not exist"
  exit 1
fi
tr -s '\n ' ' ' <"$work/log" | grep -q "goldml has no component cuda; it has d3d12, directml and compiled"

for file in share/doc/goldml/LICENSE share/pkgconfig/goldml.pc; do
  [ -e "$work/prefix/$file" ] || { echo "$file was not installed"; exit 1; }
done
# The prefix may also be moved later.
mv "$work/prefix" "$work/moved"
read -ra flags < <(PKG_CONFIG_PATH=$work/moved/share/pkgconfig pkg-config --cflags --libs 'goldml >= 0.2' | sed 's/-I\([^ ]*eigen3\)/-isystem \1/')
"$compiler" -std=c++20 "$source_dir/tests/consumers/main.cpp" "${flags[@]}" -MD -MF "$work/read" -o "$work/by_pkg_config"
grep -q "$work/moved/.*/goldml/goldml.hpp" "$work/read" || { echo "37.3: pkg-config: ${flags[*]}"; exit 1; }
"$work/by_pkg_config"
echo "37.3: pkg-config, elsewhere than configured: works"

mkdir "$work/single"
"$source_dir/tools/packaging/single_header.sh" >"$work/single/goldml_single.hpp"
sed 's,<goldml/goldml.hpp>,<goldml_single.hpp>,' "$source_dir/tests/consumers/main.cpp" >"$work/single/main.cpp"
echo 'using goldml::oracle::judge;  // 37.10: judge.hpp is in it' >>"$work/single/main.cpp"
"$compiler" -std=c++20 -Wall -Wextra -I"$work/single" -isystem /usr/include/eigen3 "$work/single/main.cpp" \
  -o "$work/single/main" -lfmt
"$work/single/main"
echo "single header: works"

python3 -m json.tool "$source_dir/tools/packaging/vcpkg/goldml/vcpkg.json" >/dev/null
python3 -m json.tool "$source_dir/CMakePresets.json" >/dev/null
python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$source_dir/tools/packaging/conan/conanfile.py"
version=$(sed -nE 's/^#define GOLDML_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$source_dir/include/goldml/version.hpp" | paste -sd.)
grep -q "\"version\": \"$version\"" "$source_dir/tools/packaging/vcpkg/goldml/vcpkg.json"
grep -q "^## $version" "$source_dir/CHANGELOG.md"
(cd "$source_dir" && cmake --list-presets >/dev/null)
echo "vcpkg port, Conan recipe, presets and CHANGELOG.md: can be read, and name version $version"

"$compiler" -std=c++20 -I"$source_dir/include" -isystem /usr/include/eigen3 "$source_dir/tests/consumers/main.cpp" \
  -o "$work/bare" -lfmt
"$work/bare"
echo "bare: works"
echo "$((passed + 4)) passed, 0 failed"
