#!/usr/bin/env bash
# check.sh COMPILER SOURCE_DIR: each file here compiles, but not with -DMUST_NOT_COMPILE, and the compiler's error then
# contains the words after "// says:". A file with several cases has a line "// says N:" for each, compiled with
# -DMUST_NOT_COMPILE=N. To save time, files take goldml/goldml.hpp, or fmt if they do not include it,
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
  name=$(basename "$file")
  cases=$(sed -n 's,^// says: ,: ,p; s,^// says \([0-9]*:\) ,\1 ,p' "$file")
  if ! output=$(compile "$file"); then
    echo "$name: the legal twin does not compile"
    echo "$output" | head -n 5
    failed=$((failed + 1))
    continue
  fi
  while IFS=' ' read -r number words; do
    number=${number%:}
    if output=$(compile -DMUST_NOT_COMPILE"${number:+=$number}" "$file"); then
      echo "$name $number: compiles, and must not"
      failed=$((failed + 1))
    elif ! grep -qF -- "$words" <<<"$output"; then
      echo "$name $number: does not say: $words"
      echo "$output" | head -n 5
      failed=$((failed + 1))
    else
      echo "$name${number:+ $number}: $words"
      passed=$((passed + 1))
    fi
  done <<<"${cases:-: a line // says:}"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
