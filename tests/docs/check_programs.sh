#!/usr/bin/env bash
# check_programs.sh COMPILER SOURCE_DIR LIBRARY QUICK_COMPILER: every complete program in README.md and docs (a ```cpp block
# with "int main", followed by a ```text block) is compiled, run, and compared with that text. README's programs use the
# headers alone and COMPILER, as a user compiles them. To save time, the others are compiled by QUICK_COMPILER, which may be
# Clang, link LIBRARY, which is goldml::compiled, and take goldml/goldml.hpp, or fmt if they do not include it, from a
# precompiled header. A ```cuda block before a program is linked with it, compiled as C++ by tests/docs/cuda/cuda_runtime.h.
set -euo pipefail
compiler=$1
source_dir=$2
library=$3
quick_compiler=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Writes NAME.cpp and NAME.expected for each pair.
for page in "$source_dir"/README.md $(find "$source_dir/docs" -name '*.md' | sort); do
  name=$(basename "$page" .md)
  awk -v stem="$work/$name" '
    /^```cpp$/ { n++; program = ""; inside = 1; next }
    /^```cuda$/ { cuda = ""; kernel = 1; next }
    /^```text$/ && program ~ /int main/ {
      file = stem "." n
      printf "%s", program > (file ".cpp")
      printf "%s", cuda > (file ".cu")
      program = cuda = ""
      text = 1
      printf "" > (file ".expected")
      next
    }
    /^```/ { inside = text = kernel = 0; next }
    kernel { cuda = cuda $0 "\n"; next }
    inside { program = program $0 "\n"; next }
    text { print > (file ".expected"); next }
    NF { program = "" }
  ' "$page"
done

# A ```cpp block without main must occur literally in a source file that the tests compile.
awk -v stem="$work/part" '
  /^```cpp$/ { n++; block = ""; inside = 1; next }
  /^```/ && inside { inside = 0; if (block !~ /int main/) printf "%s", block > (stem "." n ".snippet"); next }
  inside { block = block $0 "\n" }
' "$source_dir"/README.md $(find "$source_dir/docs" -name '*.md' | sort)

passed=0
failed=0
for snippet in "$work"/*.snippet; do
  [ -e "$snippet" ] || continue
  found=
  for source in "$source_dir"/examples/*.cpp "$source_dir"/tests/docs/*.cpp; do
    if [[ $(cat "$source") == *"$(cat "$snippet")"* ]]; then found=$source; fi
  done
  if [ -n "$found" ]; then
    echo "a part of $(basename "$found"): as the page says"
    passed=$((passed + 1))
  else
    echo "in no source that the tests compile:"
    cat "$snippet"
    failed=$((failed + 1))
  fi
done
flags=(-std=c++20 -Wall -Wextra -Werror -isystem /usr/include/eigen3 -I"$source_dir/include")
printf '#include <fmt/core.h>\n' >"$work/libraries.hpp"
printf '#include <goldml/goldml.hpp>\n' >"$work/goldml.hpp"
compiled=(-DGOLDML_COMPILED)
if grep -q clang <<<"$("$quick_compiler" --version)"; then compiled+=(-fpch-instantiate-templates); fi
for header in libraries goldml; do
  "$quick_compiler" "${flags[@]}" "${compiled[@]}" -x c++-header "$work/$header.hpp" -o "$work/$header.hpp.gch"
done
for program in "$work"/*.cpp; do
  stem=${program%.cpp}
  header=libraries
  if grep -qF '#include <goldml/goldml.hpp>' "$program"; then header=goldml; fi
  with=("$quick_compiler" "${compiled[@]}" -include "$work/$header.hpp" "$program" "$library" -lpthread)
  if [[ $program == */README.* ]]; then with=("$compiler" "$program"); fi
  if [ -s "$stem.cu" ]; then
    sed -E 's/(\w+)<<<(.*)>>>\(/launch(\1, \2, /' "$stem.cu" >"$stem.cu.cc"
    with+=("$stem.cu.cc" -I"$source_dir/tests/docs/cuda")
  fi
  if "${with[@]}" "${flags[@]}" -o "$stem.out" -lfmt && diff -u "$stem.expected" <("$stem.out"); then
    echo "$(basename "$stem"): as the page says"
    passed=$((passed + 1))
  else
    echo "$(basename "$stem"): differs from its page"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
