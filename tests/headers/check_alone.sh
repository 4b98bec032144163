#!/usr/bin/env bash
# check_alone.sh COMPILER SOURCE_DIR JOBS D3D12_FOLDERS DIRECTML_FOLDERS: each public header compiles alone, without
# warnings. The folders, separated by colons, are those of the system headers that the headers of d3d12/ and directml/ need;
# where they are empty, these headers are left out, with a message. Headers that include Eigen and fmt, as most do, take
# both from one precompiled header; the others compile without it. oracle/catch2.hpp and
# oracle/googletest.hpp are left out: they are usable after their frameworks only.
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

# Lines HEADER both|other: whether it includes Eigen and fmt, directly or through other headers of goldml.
find goldml -name '*.hpp' ! -name catch2.hpp ! -name googletest.hpp | LC_ALL=C sort | xargs awk '
  FNR == 1 { files[++count] = FILENAME }
  /^#include </ { includes[FILENAME] = includes[FILENAME] " " substr($2, 2, length($2) - 2) }
  function visit(file,   i, n, list) {
    if (file in seen) return
    seen[file] = 1
    if (file ~ /^Eigen\//) eigen = 1
    if (file ~ /^fmt\//) fmt = 1
    n = split(includes[file], list, " ")
    for (i = 1; i <= n; ++i) visit(list[i])
  }
  END {
    for (f = 1; f <= count; ++f) {
      split("", seen)
      eigen = fmt = 0
      visit(files[f])
      print files[f], eigen && fmt ? "both" : "other"
    }
  }' >"$work/headers"
for part in "${left_out[@]}"; do
  echo "$part: left out, its system headers are not here"
  grep -v "^$part/" "$work/headers" >"$work/rest"
  mv "$work/rest" "$work/headers"
done

printf '#include <Eigen/Core>\n#include <fmt/format.h>\n' >"$work/both.hpp"
$compiler $flags -x c++-header "$work/both.hpp" -o "$work/both.hpp.gch"
export compiler flags work
check_one() {  # HEADER both|other
  local unit precompiled=()
  unit=$work/$(tr / _ <<<"$1").cpp
  echo "#include <$1>" >"$unit"
  if [ "$2" = both ]; then precompiled=(-include "$work/both.hpp"); fi
  if $compiler $flags -fsyntax-only "${precompiled[@]}" "$unit" 2>"$unit.log"; then
    echo "$1" >>"$work/passed"
  else
    echo "$1 does not compile alone:"
    head -n 5 "$unit.log"
  fi
}
export -f check_one
: >"$work/passed"
xargs -P "$jobs" -L 1 bash -c 'check_one "$@"' check <"$work/headers"
passed=$(wc -l <"$work/passed")
wanted=$(wc -l <"$work/headers")
echo "$passed passed, $((wanted - passed)) failed"
[ "$passed" -eq "$wanted" ] && [ "$passed" -gt 0 ]
