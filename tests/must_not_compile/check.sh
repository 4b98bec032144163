#!/usr/bin/env bash
# check.sh COMPILER SOURCE_DIR: each file here compiles, but not with -DMUST_NOT_COMPILE, and the compiler's error then
# contains the words after "// says:". To save time, files take goldml/goldml.hpp, or fmt if they do not include it,
# from a precompiled header.
set -euo pipefail
compiler=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

flags=(-std=c++20 -isystem /usr/include/eigen3 -I"$source_dir/include")
printf '#include <fmt/core.h>\n' >"$work/libraries.hpp"
printf '#include <goldml/goldml.hpp>\n' >"$work/goldml.hpp"
for header in libraries goldml; do
  "$compiler" "${flags[@]}" -x c++-header "$work/$header.hpp" -o "$work/$header.hpp.gch"
done
compile() {  # FLAGS... FILE
  local header=libraries
  if grep -qF '#include <goldml/goldml.hpp>' "${@: -1}"; then header=goldml; fi
  "$compiler" "${flags[@]}" -fsyntax-only -include "$work/$header.hpp" "$@" 2>&1
}

for file in "$source_dir"/tests/must_not_compile/*.cpp; do
  words=$(sed -n 's,^// says: ,,p' "$file")
  if ! output=$(compile "$file"); then
    echo "$(basename "$file"): the legal twin does not compile"
    echo "$output" | head -n 5
    failed=$((failed + 1))
  elif output=$(compile -DMUST_NOT_COMPILE "$file"); then
    echo "$(basename "$file"): compiles, and must not"
    failed=$((failed + 1))
  elif ! grep -qF "$words" <<<"$output"; then
    echo "$(basename "$file"): does not say: $words"
    echo "$output" | head -n 5
    failed=$((failed + 1))
  else
    echo "$(basename "$file"): $words"
    passed=$((passed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
