#!/usr/bin/env bash
# check_module.sh SOURCE_DIR: a program that imports the module goldml, built by the newest Clang that is installed; and, in
# the same program, a unit that includes the headers. Skipped (77) where there is no Clang 22 or newer: Clang 19 does
# not find the intrinsics that inline functions of `cpu` use.
set -euo pipefail
source_dir=$1
compiler=
for path in $(compgen -c clang++- | grep -E '^clang\+\+-[0-9]+$' | sort -t- -k2 -n); do
  if [ "${path#clang++-}" -ge 22 ]; then compiler=$path; fi
done
if [ -z "$compiler" ]; then
  echo "SKIPPED consumers.module: no Clang 22 or newer is installed"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++20 -O1 -I "$source_dir/include" -isystem "${EIGEN3_INCLUDE_DIR:-/usr/include/eigen3}")

# The commands of docs/module.md. Headers are included in the module's purview on purpose, and inline functions use the
# processor's intrinsics, which are static functions.
"$compiler" "${flags[@]}" -Wno-include-angled-in-module-purview -Wno-unknown-warning-option -Wno-TU-local-entity-exposure \
  --precompile "$source_dir/include/goldml/goldml.cppm" -o "$work/goldml.pcm"
"$compiler" "${flags[@]}" -fmodule-file=goldml="$work/goldml.pcm" -c "$source_dir/tests/consumers/module.cpp" -o "$work/module.o"
"$compiler" "${flags[@]}" -Dmain=with_headers -c "$source_dir/tests/consumers/main.cpp" -o "$work/headers.o"
"$compiler" -O1 -c "$work/goldml.pcm" -o "$work/goldml.o"
"$compiler" "$work"/*.o -o "$work/program" -lfmt -lpthread
"$work/program" >"$work/printed"
diff "$work/printed" - <<'END'
0 1 0
ARGMIN A3: OutputTensor.Sizes[1] is 3, wanted 1 (Sizes {3,3}, wanted {3,1}: 1 on a reduced axis)
END
echo "1 passed, 0 failed: import goldml; with $("$compiler" --version | head -n 1)"
