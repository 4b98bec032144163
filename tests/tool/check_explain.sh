#!/usr/bin/env bash
# check_explain.sh TOOL SOURCE_DIR: the output of `goldml run --explain`. Expected values were derived by hand from the
# definitions (implied sizes, packed strides, effective rank, index tuple, slice), not from the program.
# explain/explained.cpp tests that the printed source compiles and means the same as the model.
set -euo pipefail
source "$(dirname "$0")/functions.sh"
explain=$source/tests/tool/explain
mkdir box

# Whole explanations.
for name in scatter_nd_pairs diagonal_matrix1_example_3; do
  expect "$name" 0 "=$(cat "$explain/$name.expected")" '' run --explain "$source/examples/models/$name.json"
done
block() { awk -v command="\$ goldml run $1" '$0 == command { inside = 1; next } /^```/ { inside = 0 } inside' "$source/docs/models.md"; }
page=$(block '--explain examples/models/argmin_axes_0_and_2.json')
[[ -n $page ]] && report 'the page has an example' '' || report 'the page has an example' 'not found'
expect 'the output on the page' 0 "=$page" '' run --explain "$source/examples/models/argmin_axes_0_and_2.json"

# explained MODEL OPTIONS...: keeps the output, without indentation, in the file "lines". says LINE: it has that line.
explained() {
  status=0
  (cd box && "$tool" run --explain "$@" >"$work/out" 2>"$work/err" </dev/null) || status=$?
  [[ -z ${GOLDML_WINE:-} ]] || sed -i 's/\r$//' out err
  sed 's/^ *//' out >lines
}
says() { grep -qxF -- "$1" lines && report "says: $1" '' || report "says: $1" 'no such line'; }

explained "$source/examples/models/nonzero_coordinates.json"
says '// M = 8, a row for each element of InputTensor'
says '// N = 2 to 4, a column for each coordinate: at least max(1, effective rank), at most DimensionCount'
says '// implied sizes of OutputCountTensor: {1,1,1,1}'
says '// implied sizes of OutputCoordinatesTensor: {1,1,8,N}, of which N is 3'
says '// InputTensor: FLOAT32 {1,1,2,4}, strides {8,8,4,1} (packed), effective rank 2, from feature level 3_0 on'
explained "$source/examples/models/nonzero_coordinates_one.json"
says '// N = 1 to 4, a column for each coordinate: at least max(1, effective rank), at most DimensionCount'
says '// TotalTensorSizeInBytes: the last element is at 0; (0 + 1) * 4 = 4 bytes'
explained "$source/examples/models/nonzero_coordinates_2d.json"
says '// the desc is legal from feature level 4_0 on (DML_TARGET_VERSION 0x4000)'
explained "$source/examples/models/scatter_nd_slices.json"
says '// 2 index tuples, shape {2}, of 1 coordinate each'
says '// a tuple points into {4} and replaces a slice of shape {4,4}, 16 elements'
says '// implied sizes of UpdatesTensor: {2,4,4}, tuples {2} ++ slice {4,4}'
explained "$source/examples/models/diagonal_matrix1_example_4.json"
says '// filled diagonals t = x - y: all but 0 <= t < 1; 7 of 8, which run from -3 to 4'
explained "$source/examples/models/diagonal_matrix1_example_2.json"
says '// filled diagonals t = x - y: 0 <= t < 3; 3 of 8, which run from -3 to 4'
says '// implied sizes of OutputTensor: any, as InputTensor is null: zero where nothing is filled'
says '// InputTensor: null, it is optional'
says 'desc.InputTensor = nullptr;'

# Values in DML_SCALAR_UNION.
explained "$explain/values.json"
[[ $status == 0 && ! -s err ]] && report 'values are legal' '' || report 'values are legal' "status $status"
for value in 'Float32 = 0.1f;' 'Float32 = 16777216.0f;' 'Float32 = -0.0f;' 'Float32 = 1e-45f;' 'Float32 = 3.4028235e+38f;' \
  'UInt32 = 0xFF800000;  // FLOAT32 -inf' 'UInt32 = 0x7FC00000;  // FLOAT32 nan' \
  'UInt16 = 0x3E00;  // FLOAT16 1.5, for which the union has no member' 'Float64 = 1.0;' \
  'UInt64 = 0x7FF0000000000000;  // FLOAT64 inf' 'Int64 = -9223372036854775807 - 1;' 'UInt64 = 18446744073709551615u;' \
  'UInt32 = 4294967295u;' 'Int8 = -128;' 'UInt8 = 255;' 'Int16 = -32768;' 'UInt16 = 65535;' 'Int32 = -2147483647 - 1;'; do
  says "desc.Value.$value"
done
says '// 6 matrices of height 2 and width 2'
says '// filled diagonals t = x - y: -2147483648 <= t < 2147483647; 3 of 3, which run from -1 to 1'
says '// filled diagonals t = x - y: 5 <= t < 9; 0 of 3, which run from -1 to 1'
says '// filled diagonals t = x - y: none; 0 of 3, which run from -1 to 1'
says '// filled diagonals t = x - y: all but -1 <= t < 1; 1 of 3, which run from -1 to 1'

# Strides, sizes, levels; dispatches before other dispatchables.
explained "$explain/layouts.json"
[[ $status == 0 && ! -s err ]] && report 'layouts are legal' '' || report 'layouts are legal' "status $status"
[[ $(grep -c '^// dispatch [01]: .dispatched twice., ARGMIN$' lines) == 2 ]] && report 'each dispatch' '' || report 'each dispatch' 'not two'
says "// not dispatched: 'never dispatched', ARGMIN"
says '// InputTensor: FLOAT16 {2,3}, strides {5,1} (packed would be {3,1}), effective rank 2, from feature level 3_0 on'
says '// TotalTensorSizeInBytes: the last element is at 1*5 + 2*1 = 7; (7 + 1) * 2 = 16 bytes; the model gives another size'
says 'InputTensorBuffer.TotalTensorSizeInBytes = 64;'
says 'const UINT OutputTensorStrides[] = {1, 1};'
says '// InputTensor: INT64 {3,1,2}, strides {0,7,1} (packed would be {2,2,1}), effective rank 3, from feature level 4_1 on'
says '// TotalTensorSizeInBytes: the last element is at 2*0 + 1*1 = 1; (1 + 1) * 8 = 16 bytes'
says 'InputTensorBuffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;'
says 'OutputTensorBuffer.GuaranteedBaseOffsetAlignment = 2147483648u;'
says '// the desc is legal from feature level 4_1 on (DML_TARGET_VERSION 0x4100)'
says '// 3 output elements: each the index, 0 to 1, of the least of 2 candidates in the box {1,1,2}'
says 'desc.AxisDirection = DML_AXIS_DIRECTION_DECREASING;'
says 'InputTensorBuffer.TotalTensorSizeInBytes = 4294967296u;'
says '// TotalTensorSizeInBytes: the last element is at 2*1 = 2; (2 + 1) * 1 = 3 bytes, rounded up to 4'
says '// implied sizes of OutputCoordinatesTensor: {1,3,N}, of which N is 2'

# A level at which the desc or the operator does not exist: the meaning does not depend on the level.
explained "$source/examples/models/scatter_nd_elements.json" --feature-level 2_1
says '// the desc is legal from feature level 3_0 on (DML_TARGET_VERSION 0x3000)'
says '// refused at 2_1: SCATTER_ND T4: InputTensor.DimensionCount is 2, wanted 4 (at feature level 2_1)'
says '// implied sizes of UpdatesTensor: {1,4}, tuples {4} ++ slice {}'
explained "$source/examples/models/argmin_axis_1.json" --feature-level 1_0
says '// refused at 1_0: ARGMIN T11: feature level is 1_0, wanted at least 3_0 (the operator does not exist below it)'
says '// implied sizes of OutputTensor: {3,1}, InputTensor'"'"'s with 1 on each axis of {1}'
explained "$source/examples/models/argmin_axis_1.json" --policy nan_policy=propagate
says "// policies, which are goldml's and not DirectML's: nan_policy=propagate empty_axes=allow same_resource=refuse"

# A refused model is explained, with each broken rule, and then refused as by run.
for model in "$source/docs/models/argmin_wrong.json" "$explain/refused.json"; do
  (cd box && "$tool" run "$model" >/dev/null 2>"$work/run_err" </dev/null) || true
  [[ -z ${GOLDML_WINE:-} ]] || sed -i 's/\r$//' run_err
  expect "$(basename "$model"): refused as by run" 2 '~refused at 6_4: ' "=$(cat run_err)" run --explain "$model"
done
explained "$source/docs/models/argmin_wrong.json"
for rule in 'A3: OutputTensor.Sizes' 'A8: AxisDirection' 'T12: OutputTensor.memory'; do
  grep -q "^// refused at 6_4: ARGMIN $rule" lines && report "names $rule" '' || report "names $rule" 'missing'
done
says '// implied sizes of OutputTensor: {2,1}, InputTensor'"'"'s with 1 on each axis of {1}'
explained "$explain/refused.json"
says 'const UINT InputTensorSizes[9] = {1, 1, 1, 1, 1, 1, 1, 1};  // the model has more than 8'
says 'desc.AxisDirection = static_cast<DML_AXIS_DIRECTION>(4294967295u);'
says 'OutputTensorBuffer.Flags = static_cast<DML_TENSOR_FLAGS>(3);'
says 'const DML_TENSOR_DESC InputTensor = {static_cast<DML_TENSOR_TYPE>(2), &InputTensorBuffer};'
says 'const DML_TENSOR_DESC OutputTensor = {DML_TENSOR_TYPE_INVALID, &OutputTensorBuffer};'
says 'const UINT InputTensorSizes[] = {4294967295u, 4294967295u};'
says 'UpdatesTensorBuffer.DataType = DML_TENSOR_DATA_TYPE_UNKNOWN;'
says 'desc.Axes = nullptr;'
says '// InputTensor: null'
says '// implied sizes of UpdatesTensor: none, tuples {3,3} ++ slice {2,2}'
# Names stay in their comments.
says "// dispatch 0: 'line?#error left the comment', ARGMIN"
says "// not dispatched: '*/ ?', ARGMIN"
says "// not dispatched: '????', SCATTER_ND"
LC_ALL=C grep -q '[^ -~]' out && report 'plain ASCII' "$(LC_ALL=C grep -m1 '[^ -~]' out)" || report 'plain ASCII' ''
grep -q '\\$' out && report 'no comment goes on' 'a backslash' || report 'no comment goes on' ''

# Nothing is played: no print, no file; indices are not read.
for model in "$source"/examples/models/*.json "$source/docs/models/scatter_nd_out_of_range.json"; do
  expect "$(basename "$model")" 0 '~^// dispatch 0: ' '' run --explain "$model" --output-dir new
  grep -q '^Resource' out && report 'plays nothing' 'prints' || report 'plays nothing' ''
done
[[ -z $(find box -mindepth 1) ]] && report 'no file' '' || report 'no file' "$(find box)"

# An invalid model is refused as by run; usage.
refused 'a missing model' "~^model M9: file is 'none.json'" run --explain none.json
printf '{' >box/bad.json
refused 'malformed JSON' '~^bad.json:[0-9]+:[0-9]+: model M1: ' run --explain bad.json
refused '--explain with a backend' '~--explain excludes --backend|--backend excludes --explain' run --explain bad.json --backend cpu
expect 'run --help' 0 '~--explain' '' run --help
printf '{ "resources": {}, "dispatchables": {}, "commands": [] }' >box/empty.json
expect 'nothing to explain' 0 '' '' run --explain empty.json
if [[ -e /dev/full ]]; then
  status=0
  "$tool" run --explain "$explain/values.json" >/dev/full 2>err || status=$?
  [[ $status == 2 ]] && fits '~model M9: standard output is closed or full' err && report 'a full disk' '' ||
    report 'a full disk' "status $status"
fi
summary
