#!/usr/bin/env bash
# run.sh [SECONDS [NAME...]]: builds all fuzzers, or the named ones, with clang++ and runs each for the given time (60 s),
# one after the other. They start from the example models and fuzz/corpus. A crash, a hang or too much memory is a failure;
# the input is then stored in the current folder as NAME-crash-..., NAME-timeout-... or NAME-oom-...
set -euo pipefail
seconds=${1:-60}
names=("${@:2}")
[[ ${#names[@]} -gt 0 ]] || names=(model npy json kernels judge case_text played_model)
here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
artifacts=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/folder" "$work/seeds_model" "$work/seeds_npy"
cp "$source"/examples/models/*.npy "$work/folder"  # the folder that the models read files from
cp "$source"/examples/models/*.json "$work/seeds_model"
cp "$source"/examples/models/*.npy "$work/seeds_npy"
ln -s seeds_model "$work/seeds_json"
for name in kernels judge case_text played_model; do ln -s "$here/corpus/$name" "$work/seeds_$name"; done

# The dictionary for mutations: the words of the examples, and other words of the format.
{
  grep -hoE '"[A-Za-z0-9_]+"' "$source"/examples/models/*.json | sort -u | sed 's/"//g; s/.*/"\\"&\\""/'
  for word in Desc Type Strides Flags DimensionCount TotalTensorSizeInBytes GuaranteedBaseOffsetAlignment valueStart \
    valueDelta sizeInBytes initialValuesOffsetInBytes UNKNOWN name value elementCount elementSizeInBytes elementOffset \
    verbose nan -inf FLOAT64 UINT4 UINT16 INT8 OWNED_BY_DML executionFlags ALLOW_HALF_PRECISION_COMPUTATION \
    FusedActivation ActivationDescs ACTIVATION_ELU ACTIVATION_SOFTMAX ScaleBias Scale Bias hlsl x.npy x.bin ../x.bin \
    Float32 UInt16; do
    echo "\"\\\"$word\\\"\""
  done
  printf '"%s"\n' 18446744073709551615 4294967295 -0.0 1e39 NaN null true // '/*' '*/' '\\u0000'
} >"$work/model.dict"
cp "$work/model.dict" "$work/json.dict"
for name in kernels judge case_text played_model; do echo "# no words; libFuzzer refuses an empty file" >"$work/$name.dict"; done
printf '"%s"\n' descr fortran_order shape True "'<f4'" "'|b1'" "'>i8'" '(2, 3)' '\x93NUMPY' >"$work/npy.dict"

status=0
for name in "${names[@]}"; do
  "${CXX:-clang++}" -std=c++20 -O1 -g -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wpedantic -Werror \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -fsanitize-ignorelist="$source/tests/support/not_ours.txt" \
    -I"$source/include" -isystem "${EIGEN3_INCLUDE_DIR:-/usr/include/eigen3}" "$here/$name.cpp" -lfmt -o "$work/$name"
  mkdir "$work/corpus_$name"
  longest=4096
  [[ ! -d $here/corpus/$name ]] || longest=512  # bytes are choices
  (cd "$work/folder" && "$work/$name" -max_total_time="$seconds" -max_len="$longest" -timeout=20 -rss_limit_mb=1024 \
    -dict="$work/$name.dict" -artifact_prefix="$artifacts/$name-" -print_final_stats=1 "$work/corpus_$name" \
    "$work/seeds_$name") >"$work/log" 2>&1 || status=1
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
  echo "$name: ${executions:-no} executions, $(find "$work/corpus_$name" -type f | wc -l) inputs that cover something new"
  sed -n 's/^[0-9]* executions, \(.*reached a kernel.*\)/  \1/p' "$work/log"
  grep -vE '^(#|[0-9]+ executions|INFO|Dictionary|stat::|\s*(NEW_FUNC|---|Done))' "$work/log" | grep -v '^"' | tail -n 40 || true
done
exit $status
