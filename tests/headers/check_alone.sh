#!/usr/bin/env bash
# check_alone.sh COMPILER SOURCE_DIR JOBS D3D12_FOLDERS DIRECTML_FOLDERS: each public header compiles alone, without
# warnings. The folders, separated by colons, are those of the system headers that the headers of d3d12/ and directml/ need;
# where they are empty, these headers are left out, with a message. To save time, a header that includes one of `bases` below,
# directly or through other headers of goldml, takes it from a precompiled header. That hides nothing: a header's includes
# come before its declarations, so these see what the base includes in either case. oracle/catch2.hpp,
# oracle/doctest.hpp and oracle/googletest.hpp are left out: they are usable after their frameworks only.
set -euo pipefail
compiler=$1
source_dir=$2
jobs=$3
d3d12=$4
directml=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source_dir/include"

flags="-std=c++20 -Wall -Wextra -Werror -I. -isystem /usr/include/eigen3"
add_folders() {  # FOLDERS
  local folder
  for folder in ${1//:/ }; do
    case " $flags " in *" $folder "*) continue ;; esac
    [ "$folder" = /usr/include ] || flags+=" -isystem $folder"  # the compiler searches it anyway
  done
}
add_folders "$d3d12"
add_folders "$directml"

left_out=()
if [ -z "$directml" ]; then left_out+=(goldml/directml); fi
if [ -z "$d3d12" ]; then left_out+=(goldml/d3d12 goldml/directml); fi

# Headers that many others include, those that include most first. The last is Eigen and fmt.
bases=(goldml/oracle/any_operator.hpp goldml/reference/reference.hpp goldml/operators/operators.hpp)
if [ -n "$directml" ]; then bases+=(goldml/directml/structure.hpp); fi
if [ -n "$d3d12" ]; then bases+=(goldml/d3d12/runtime/dispatch.hpp); fi
bases+=(goldml/core/evaluate.hpp goldml/core/attributes.hpp libraries)

# Lines HEADER BASE, where BASE is the first base that the header includes, or "none".
find goldml -name '*.hpp' ! -name catch2.hpp ! -name doctest.hpp ! -name googletest.hpp | LC_ALL=C sort | xargs awk -v bases="${bases[*]}" '
  FNR == 1 { files[++count] = FILENAME }
  /^#include </ { includes[FILENAME] = includes[FILENAME] " " substr($2, 2, length($2) - 2) }
  function visit(file,   i, n, list) {
    if (file in seen) return
    seen[file] = 1
    if (file ~ /^Eigen\//) seen["Eigen"] = 1
    if (file ~ /^fmt\//) seen["fmt"] = 1
    n = split(includes[file], list, " ")
    for (i = 1; i <= n; ++i) visit(list[i])
  }
  END {
    base_count = split(bases, base, " ")
    for (f = 1; f <= count; ++f) {
      split("", seen)
      visit(files[f])
      if (("Eigen" in seen) && ("fmt" in seen)) seen["libraries"] = 1
      delete seen[files[f]]
      for (b = 1; b <= base_count && !(base[b] in seen); ++b) continue
      print files[f], b <= base_count ? base[b] : "none"
    }
  }' >"$work/headers"
for part in "${left_out[@]}"; do
  echo "$part: left out, its system headers are not here"
  grep -v "^$part/" "$work/headers" >"$work/rest"
  mv "$work/rest" "$work/headers"
done

export compiler flags work
precompile() {  # BASE
  local header=$work/$(tr / _ <<<"$1")
  if [ "$1" = libraries ]; then
    printf '#include <Eigen/Core>\n#include <fmt/format.h>\n'
  else
    echo "#include <$1>"
  fi >"$header"
  $compiler $flags -x c++-header "$header" -o "$header.gch"
}
check_one() {  # HEADER BASE
  local unit precompiled=()
  unit=$work/$(tr / _ <<<"$1").cpp
  echo "#include <$1>" >"$unit"
  if [ "$2" != none ]; then precompiled=(-include "$work/$(tr / _ <<<"$2")"); fi
  if $compiler $flags -Winvalid-pch -fsyntax-only "${precompiled[@]}" "$unit" 2>"$unit.log"; then
    echo "$1" >>"$work/passed"
  else
    echo "$1 does not compile alone:"
    head -n 5 "$unit.log"
  fi
}
export -f precompile check_one
printf '%s\n' "${bases[@]}" | xargs -P "$jobs" -I '{}' bash -c 'precompile {}'
: >"$work/passed"
xargs -P "$jobs" -L 1 bash -c 'check_one "$@"' check <"$work/headers"
passed=$(wc -l <"$work/passed")
wanted=$(wc -l <"$work/headers")
echo "$passed passed, $((wanted - passed)) failed"
[ "$passed" -eq "$wanted" ] && [ "$passed" -gt 0 ]
