#!/usr/bin/env bash
# What it costs to compile a translation unit that calls one operator (processor seconds, which other programs disturb
# little), and how large its code is: a table for docs/performance.md.
#   benchmarks/compile_time.sh [COMPILER [FLAGS...]]     g++ -O2 unless said
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
compiler=${1:-g++}
[ $# -gt 0 ] && shift
flags=("${@:--O2}")
eigen=$(pkg-config --cflags-only-I eigen3 2>/dev/null || echo -I/usr/include/eigen3)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Calls of each operator over FLOAT32: with types known when compiling, then with types known when running.
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

# measure SOURCE: seconds, KiB of code and constants
measure() {
  local seconds
  # shellcheck disable=SC2086
  seconds=$({ TIMEFORMAT='%U %S'; time "$compiler" -std=c++20 "${flags[@]}" -I include $eigen -c "$1" \
    -o "$work/object.o" 2>"$work/errors"; } 2>&1) || { cat "$work/errors" >&2; return 1; }
  awk -v seconds="$seconds" 'NR == 2 { split(seconds, s, " "); printf "%.1f s, %d KiB", s[1] + s[2], ($1 + $2) / 1024 }' \
    < <(size "$work/object.o")
}

# unit OPERATOR BACKEND PARAMETERS CALL
unit() {
  printf '#include <goldml/%s/%s.hpp>\nvoid call(%s) { using namespace goldml; %s }\n' "$2" "$1" "$3" "${4//BACKEND/$2}" \
    >"$work/unit.cpp"
  measure "$work/unit.cpp"
}

echo "\`$("$compiler" --version | head -n 1)\`, \`${flags[*]}\`"
echo
echo "| operator | \`cpu\`, one type | \`cpu\`, types known at run time | \`reference\`, one type | \`reference\`, at run time |"
echo "|---|---|---|---|---|"
for operator in argmin nonzero_coordinates scatter_nd diagonal_matrix1; do
  row="| $operator |"
  for backend in cpu reference; do
    row+=" $(unit "$operator" "$backend" 'float* x, unsigned* y, float* z' \
      "(void)x, (void)y, (void)z; ${typed[$operator]}") |"
    row+=" $(unit "$operator" "$backend" 'const goldml::const_tensor_ref* in, const goldml::tensor_ref* out' \
      "${run_time[$operator]}") |"
  done
  echo "$row"
done
echo '#include <goldml/goldml.hpp>' >"$work/unit.cpp"
echo "| \`goldml.hpp\` alone | $(measure "$work/unit.cpp") | | | |"
