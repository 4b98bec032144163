#!/usr/bin/env bash
# The time to compile a translation unit that calls one operator, as a multiple of the floor, and the size of its code: a
# table for docs/performance.md.
#   [ROUNDS=N] benchmarks/compile_time.sh [COMPILER [FLAGS...]]     g++ -O2 unless said; best of 3 rounds
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
compiler=${1:-g++}
[ $# -gt 0 ] && shift
flags=("${@:--O2}")
eigen=$(pkg-config --cflags-only-I eigen3 2>/dev/null || echo -I/usr/include/eigen3)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Calls of each operator for FLOAT32: with types known at compile time, and with types known at run time.
declare -A typed=(
  [argmin]='argmin(BACKEND, tensor_view{x, {4, 4}}, tensor_view{y, {4, 1}}, {.axes = {1}});'
  [nonzero_coordinates]='nonzero_coordinates(BACKEND, tensor_view{x, {4, 4}}, tensor_view{y, {1}}, tensor_view{y, {16, 2}});'
  [scatter_nd]='scatter_nd(BACKEND, tensor_view{x, {4, 4}}, tensor_view{y, {2, 1}}, tensor_view{x, {2, 4}}, tensor_view{z, {4, 4}}, {.input_dimension_count = 2, .indices_dimension_count = 2});'
  [diagonal_matrix1]='diagonal_matrix1(BACKEND, tensor_view{x, {4, 4}}, tensor_view{z, {4, 4}}, {.diagonal_fill_end = 1});'
)
declare -A run_time=(
  [argmin]='argmin(BACKEND, in[0], out[0], {.axes = {1}});'
  [nonzero_coordinates]='nonzero_coordinates(BACKEND, in[0], out[0], out[1]);'
  [scatter_nd]='scatter_nd(BACKEND, in[0], in[1], in[2], out[0], {.input_dimension_count = 2, .indices_dimension_count = 2});'
  [diagonal_matrix1]='diagonal_matrix1(BACKEND, in[0], out[0], {.diagonal_fill_end = 1});'
)

# seconds SOURCE [FLAG...]: processor time in user mode, which other programs affect least; the object file is kept
seconds() {
  local source=$1 time
  shift
  # shellcheck disable=SC2086
  time=$({ TIMEFORMAT=%U; time "$compiler" -std=c++20 "${flags[@]}" "$@" -I include $eigen -c "$source" \
    -o "$work/object.o" 2>"$work/errors"; } 2>&1) || { cat "$work/errors" >&2; return 1; }
  echo "$time"
}

# measure SOURCE [FLAG...]: the best of several rounds, as a multiple of the floor (the time of a unit that includes only
# Eigen/Core and fmt/format.h, in the same rounds); seconds; KiB of code and constants
measure() {
  local of_floor=() of_unit=() round
  for ((round = 0; round < ${ROUNDS:-3}; ++round)); do
    of_floor+=("$(seconds "$work/floor.cpp")")
    of_unit+=("$(seconds "$@")")
  done
  awk -v floor="${of_floor[*]}" -v unit="${of_unit[*]}" '
    function best(text, all, n, i, least) {
      n = split(text, all, " ")
      least = all[1]
      for (i = 2; i <= n; ++i) if (all[i] < least) least = all[i]
      return least
    }
    NR == 2 { printf "%.2f x (%.1f s, %d KiB)", best(unit) / best(floor), best(unit), ($1 + $2) / 1024 }' \
    < <(size "$work/object.o")
}

# unit HEADER BACKEND PARAMETERS CALL [FLAG...]
unit() {
  local header=$1 backend=$2 parameters=$3 call=${4//BACKEND/$2}
  shift 4
  printf '#include <goldml/%s>\nvoid call(%s) { using namespace goldml; %s }\n' "$header" "$parameters" "$call" \
    >"$work/unit.cpp"
  measure "$work/unit.cpp" "$@"
}

typed_unit() {  # HEADER BACKEND OPERATOR [FLAG...]
  unit "$1" "$2" 'float* x, unsigned* y, float* z' "(void)x, (void)y, (void)z; ${typed[$3]}" "${@:4}"
}
run_time_unit() {  # HEADER BACKEND OPERATOR [FLAG...]
  unit "$1" "$2" 'const goldml::const_tensor_ref* in, const goldml::tensor_ref* out' "${run_time[$3]}" "${@:4}"
}

printf '#include <Eigen/Core>\n#include <fmt/format.h>\n' >"$work/floor.cpp"
echo '#include <goldml/goldml.hpp>' >"$work/all.cpp"
echo "\`$("$compiler" --version | head -n 1)\`, \`${flags[*]}\`. Floor: a unit that includes only Eigen/Core and fmt/format.h."
echo
echo "| a unit with | ratio to the floor (user seconds, code) |"
echo "|---|---|"
echo "| \`goldml.hpp\` alone | $(measure "$work/all.cpp") |"
echo "| one typed \`reference\` argmin | $(typed_unit reference/argmin.hpp reference argmin) |"
for operator in argmin nonzero_coordinates scatter_nd diagonal_matrix1; do
  echo "| one typed \`cpu\` $operator | $(typed_unit "cpu/$operator.hpp" cpu "$operator") |"
  echo "| the same by \`goldml.hpp\` | $(typed_unit goldml.hpp cpu "$operator") |"
  echo "| the same with \`goldml::compiled\` | $(typed_unit "cpu/$operator.hpp" cpu "$operator" -DGOLDML_COMPILED) |"
  echo "| one run-time \`cpu\` $operator | $(run_time_unit "cpu/$operator.hpp" cpu "$operator") |"
  echo "| the same with \`goldml::compiled\` | $(run_time_unit "cpu/$operator.hpp" cpu "$operator" -DGOLDML_COMPILED) |"
done
