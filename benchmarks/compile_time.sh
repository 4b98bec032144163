#!/usr/bin/env bash
# The time to compile a translation unit that calls one operator, as a multiple of the floor, with its bar: a table for
# docs/performance.md. Times are processor time in user mode, which other programs affect least, the best of all rounds;
# each round compiles every unit once.
#   [ROUNDS=N] [BEFORE=FOLDER] benchmarks/compile_time.sh [COMPILER [FLAGS...]]
# g++ -O2 and 3 rounds unless said. BEFORE: the folder include/ of another version, measured in the same rounds.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
compiler=${1:-g++}
[ $# -gt 0 ] && shift
flags=("${@:--O2}")
rounds=${ROUNDS:-3}
before=${BEFORE:-}
eigen=$(pkg-config --cflags-only-I eigen3 2>/dev/null || echo -I/usr/include/eigen3)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

operators=(argmin argmax nonzero_coordinates scatter_nd diagonal_matrix1 diagonal_matrix fill_value_constant slice1)
# Calls of each operator for FLOAT32: with types known at compile time, and with types known at run time.
declare -A typed=(
  [argmin]='argmin(cpu, tensor_view{x, {4, 4}}, tensor_view{y, {4, 1}}, {.axes = {1}});'
  [argmax]='argmax(cpu, tensor_view{x, {4, 4}}, tensor_view{y, {4, 1}}, {.axes = {1}});'
  [nonzero_coordinates]='nonzero_coordinates(cpu, tensor_view{x, {4, 4}}, tensor_view{y, {1}}, tensor_view{y, {16, 2}});'
  [scatter_nd]='scatter_nd(cpu, tensor_view{x, {4, 4}}, tensor_view{y, {2, 1}}, tensor_view{x, {2, 4}}, tensor_view{z, {4, 4}}, {.input_dimension_count = 2, .indices_dimension_count = 2});'
  [diagonal_matrix1]='diagonal_matrix1(cpu, tensor_view{x, {4, 4}}, tensor_view{z, {4, 4}}, {.diagonal_fill_end = 1});'
  [diagonal_matrix]='diagonal_matrix(cpu, tensor_view{z, {4, 4}}, {});'
  [fill_value_constant]='fill_value_constant(cpu, tensor_view{z, {4, 4}}, {.value = 1.0f});'
  [slice1]='slice1(cpu, tensor_view{x, {4, 4}}, tensor_view{z, {2, 4}}, {.input_window_offsets = {0, 0}, .input_window_sizes = {2, 4}, .input_window_strides = {1, 1}});'
)
declare -A run_time=(
  [argmin]='argmin(cpu, in[0], out[0], {.axes = {1}});'
  [argmax]='argmax(cpu, in[0], out[0], {.axes = {1}});'
  [nonzero_coordinates]='nonzero_coordinates(cpu, in[0], out[0], out[1]);'
  [scatter_nd]='scatter_nd(cpu, in[0], in[1], in[2], out[0], {.input_dimension_count = 2, .indices_dimension_count = 2});'
  [diagonal_matrix1]='diagonal_matrix1(cpu, in[0], out[0], {.diagonal_fill_end = 1});'
  [diagonal_matrix]='diagonal_matrix(cpu, out[0], {});'
  [fill_value_constant]='fill_value_constant(cpu, out[0], {.value = 1.0f});'
  [slice1]='slice1(cpu, in[0], out[0], {.input_window_offsets = {0, 0}, .input_window_sizes = {2, 4}, .input_window_strides = {1, 1}});'
)
declare -A bar=([argmin]=3.6 [argmax]=3.6)  # of the typed header-only call; 3.0 for the others

# Each unit is $work/NAME.cpp.
unit() {  # NAME TEXT
  printf '%s\n' "$2" >"$work/$1.cpp"
}
# As many further operators as DirectML has of the kind of SLICE1, to measure what each adds to goldml.hpp.
copies=8
copy_headers() {
  local part header text='#include <goldml/goldml.hpp>'
  for part in operators reference cpu; do
    mkdir -p "$work/include/goldml/$part"
    for ((i = 0; i < copies; ++i)); do
      header=goldml/$part/slice1_$i.hpp
      # The operator's names alone: what slice_windows.hpp defines, such as slice1_position, is not copied.
      sed "s/\bslice1\b/slice1_$i/g; s/\bslice1_desc\b/slice1_${i}_desc/g; s/\bSLICE1\b/SLICE1_$i/g" \
        "include/goldml/$part/slice1.hpp" >"$work/include/$header"
      text+=$'\n'"#include <$header>"
    done
  done
  unit copies "$text"
}

unit floor $'#include <Eigen/Core>\n#include <fmt/format.h>'
unit all '#include <goldml/goldml.hpp>'
copy_headers
for operator in "${operators[@]}"; do
  include="#include <goldml/cpu/$operator.hpp>"
  unit "typed_$operator" "$include
void call(float* x, unsigned* y, float* z) { using namespace goldml; (void)x, (void)y, (void)z; ${typed[$operator]} }"
  unit "run_time_$operator" "$include
void call(const goldml::const_tensor_ref* in, const goldml::tensor_ref* out) {
  using namespace goldml; (void)in, (void)out; ${run_time[$operator]} }"
done

declare -A best
compile() {  # KEY NAME INCLUDE [FLAG...]
  local key=$1 name=$2 include=$3 time
  shift 3
  # shellcheck disable=SC2086
  time=$({ TIMEFORMAT=%U; time "$compiler" -std=c++20 "${flags[@]}" "$@" -I "$include" -I "$work/include" $eigen \
    -c "$work/$name.cpp" -o "$work/$key.o" 2>"$work/errors"; } 2>&1) || { cat "$work/errors" >&2; return 1; }
  best[$key]=$(awk -v a="$time" -v b="${best[$key]:-$time}" 'BEGIN { print a < b ? a : b }')
}
for ((round = 0; round < rounds; ++round)); do
  for name in floor all copies; do compile $name $name include; done
  [ -z "$before" ] || compile before_all all "$before"
  for operator in "${operators[@]}"; do
    compile "typed_$operator" "typed_$operator" include
    [ -z "$before" ] || compile "before_$operator" "typed_$operator" "$before"
    compile "compiled_$operator" "typed_$operator" include -DGOLDML_COMPILED
    compile "run_time_$operator" "run_time_$operator" include -DGOLDML_COMPILED
  done
done

ratio() {  # KEY
  [ -n "${best[$1]:-}" ] || { printf -- '-'; return; }
  awk -v a="${best[$1]}" -v b="${best[floor]}" 'BEGIN { printf "%.2f x", a / b }'
}
size_of() {  # KEY
  size "$work/$1.o" | awk 'NR == 2 { printf "%d KiB", ($1 + $2) / 1024 }'
}
row() {  # WHAT KEY BEFORE BAR
  echo "| $1 | $(ratio "$3") | $(ratio "$2") | $4 x | $(size_of "$2") |"
}
echo "\`$("$compiler" --version | head -n 1)\`, \`${flags[*]}\`, best of $rounds. Floor: a unit that includes only Eigen/Core and fmt/format.h, ${best[floor]} s."
echo
echo "| a unit with | before | now | bar | code |"
echo "|---|---|---|---|---|"
unit count '#include <goldml/operators/operators.hpp>
#include <cstdio>
int main() { std::printf("%zu", goldml::operator_descriptions().size()); }'
# shellcheck disable=SC2086
"$compiler" -std=c++20 -I include $eigen "$work/count.cpp" -o "$work/count" -lfmt
listed=$("$work/count")
# 1.9 with eight operators, and 0.01 for each further one.
row "\`goldml.hpp\` alone, with $listed operators" all before_all "$(awk -v n="$listed" 'BEGIN { print 1.9 + (n - 8) / 100 }')"
awk -v a="${best[copies]}" -v b="${best[all]}" -v n=$copies -v floor="${best[floor]}" \
  'BEGIN { printf "| each further operator in it (%d copies of SLICE1) | - | %.3f x | 0.01 x | |\n", n, (a - b) / n / floor }'
for operator in "${operators[@]}"; do
  row "one typed \`cpu\` $operator" "typed_$operator" "before_$operator" "${bar[$operator]:-3.0}"
done
for operator in "${operators[@]}"; do
  row "the same with \`goldml::compiled\`: $operator" "compiled_$operator" - 2.4
done
for operator in "${operators[@]}"; do
  row "one run-time call with \`goldml::compiled\`: $operator" "run_time_$operator" - 3.4
done
