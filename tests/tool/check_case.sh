#!/usr/bin/env bash
# check_case.sh TOOL SOURCE_DIR: selections of cases, commands with a case's line, and the line in reports that reproduces
# the case.
set -euo pipefail
source "$(dirname "$0")/functions.sh"

mkdir -p box
line='ARGMIN InputTensor=FLOAT32{2,3}:{3,1,2,0,5,0} OutputTensor=UINT32{2,1} Axes={1}'
expect 'run --case' 0 "=Resource 'OutputTensor': 1, 0" '' run --case "$line"
expect 'run --case on reference' 0 "=Resource 'OutputTensor': 1, 2" '' run --backend reference \
  --case "$line AxisDirection=DECREASING"
expect 'run --case of two outputs' 0 "=Resource 'OutputCountTensor': 2"$'\n'"Resource 'OutputCoordinatesTensor': 1, 2, 0" '' \
  run --case 'NONZERO_COORDINATES InputTensor=INT8{3}:{0,7,-1} OutputCountTensor=UINT32{1} OutputCoordinatesTensor=UINT32{3,1}'
expect 'run --case without its optional input' 0 "=Resource 'OutputTensor': 2, 0, 0, 2" '' run --case \
  'DIAGONAL_MATRIX1 OutputTensor=INT32{2,2} Value=INT32:0x2 DiagonalFillBegin=0 DiagonalFillEnd=1 data=ramp'
scatter='SCATTER_ND InputTensor=INT32{1,2}:{5,6} IndicesTensor=INT32{2,1}:{1,1} UpdatesTensor=INT32{1,2}:{8,9}
  OutputTensor=INT32{1,2} InputDimensionCount=1 IndicesDimensionCount=2'
refused 'colliding tuples without a policy' '~^SCATTER_ND S11: ' run --case "$scatter"
expect 'a policy in the line' 0 "=Resource 'OutputTensor': 5, 9" '' run --case "$scatter duplicates=last_wins"
expect 'run --explain --case' 0 '~DML_ARGMIN_OPERATOR_DESC' '' run --explain --case "$line"
expect 'validate --case' 0 "=legal: $line" '' validate --case "$line"
expect 'validate --case, every rule' 2 '' '~ARGMIN A2: .*ARGMIN A3: ' validate --case \
  'ARGMIN InputTensor=FLOAT32{2,3} OutputTensor=UINT32{4,2} Axes={1}'
expect 'validate --case allocates no memory' 0 '~^legal' '' validate --case \
  'ARGMIN InputTensor=FLOAT32{65535,65535} OutputTensor=UINT32{65535,1} Axes={1}'
refused 'run --case, illegal' '~^ARGMIN A2: ' run --case 'ARGMIN InputTensor=FLOAT32{2,3} OutputTensor=UINT32{4,1} Axes={1}'
refused 'run --case, too large' '~^model M8: tensors is [0-9]+ bytes together, wanted at most [0-9]+ .the case' run --case \
  'ARGMIN InputTensor=INT64{65535,65535} OutputTensor=UINT32{65535,1} Axes={1}'
refused 'an unknown operator' "~^model M5: operator is 'ARGMEAN', wanted an operator that 'goldml list' names" run --case 'ARGMEAN x=1'
refused 'not a case' "~^case M10: word is 'Axes=1'|^case M10: word is '1'" run --case "${line/\{1\}/1}"
refused 'a hostile line is printed safely' '~^model M5: operator is .\?\[31m.' run --case $'\e[31m'
refused 'elements that do not fit' "~^case M10: word is '.1,2.', wanted 3 elements" validate --case \
  'ARGMIN InputTensor=INT8{3}:{1,2} OutputTensor=UINT32{1} Axes={0}'
refused 'a model and a line' '~--case' run model.json --case "$line"
refused 'a level in addition to the line' '~--case' run --case "$line" --feature-level 5_0
refused 'a policy in addition to the line' '~--case' validate --case "$line" --policy nan_policy=skip
refused 'neither a model nor a line' '~^model M2: MODEL is missing, wanted a model.s file, or --case LINE' check --actual x=y

# C4: a line that claims much is refused at once, and explained without its inputs: here in 256 MiB of address space.
if [[ -z ${GOLDML_WINE:-} ]] && (ulimit -v 262144 && "$tool" --version) >"$work/out" 2>"$work/err"; then
  tool_before=$tool
  tool=$work/bounded
  printf '#!/bin/sh\nulimit -v 262144\nexec "%s" "$@"\n' "$tool_before" >"$tool"
  chmod +x "$tool"
  giant='ELEMENT_WISE_ADD ATensor=FLOAT32{16384,16384} BTensor=FLOAT32{16384,16384} OutputTensor=FLOAT32{16384,16384}'
  few='--max-memory 8gb --max-work 1000000000'
  refused 'C4: run --case, too much work' '~^model M11: commands is [0-9]+ units of work, wanted at most 1000000000 ' run --case "$giant" $few
  refused 'C4: check --case, too much work' '~^model M11: ' check --case "$giant" $few --actual OutputTensor=right.bin
  refused 'C4: with that work, memory is exhausted' '~^model M8: ' run --case "$giant" --max-memory 8gb --max-work 1000000000000
  expect 'C4: run --explain --case makes no inputs' 0 '~DML_ELEMENT_WISE_ADD_OPERATOR_DESC' '' run --explain --case "$giant" $few
  tool=$tool_before
fi
# 2^32 elements in one byte are drawn one by one, also for a slice of one.
slice='SLICE InputTensor=UINT8{65535,65535}/{0,0} OutputTensor=UINT8{1,1} Offsets={0,0} Sizes={1,1} Strides={1,1}'
refused 'C4: making inputs is work' '~^model M11: commands is 2[0-9]{11} units of work, wanted at most 100000000000 ' run --case "$slice"
expect 'C4: and not for --explain' 0 '~DML_SLICE_OPERATOR_DESC' '' run --explain --case "$slice"

# check with a line, and the line in reports.
printf '\x01\0\0\0\0\0\0\0' >box/right.bin
printf '\x02\0\0\0\0\0\0\0' >box/wrong.bin
expect 'check --case agrees' 0 '~^ARGMIN: agrees' '' check --case "$line" --actual OutputTensor=right.bin
expect 'check --case differs, and prints the line' 1 "~ARGMIN: differs.*case: ARGMIN InputTensor=FLOAT32.2,3.:.3,1,2,0,5,0. " '' \
  check --case "$line" --actual OutputTensor=wrong.bin
refused 'check --case of a folder' '~^model M2: --case is with --actual-dir' check --case "$line" --actual-dir .

# Selections of cases.
expect 'generate with a selection' 0 '' '' generate ARGMIN --count 20 --output-dir corpus --data-types FLOAT32,INT8 \
  --dimension-counts 3 --operand-types OutputTensor=INT32 --attribute 'Axes={1}' --attribute AxisDirection=DECREASING \
  --data ties,special --strides packed,interleaved
chosen=$(grep -c '"case": "ARGMIN InputTensor=\(FLOAT32\|INT8\){[0-9]*,[0-9]*,[0-9]*}[^ ]* OutputTensor=INT32.* Axes={1} AxisDirection=DECREASING .*data=\(ties\|special\) ' box/corpus/manifest_argmin.json)
[[ $chosen == 20 ]] && report 'every case is as wanted' '' || report 'every case is as wanted' "$chosen of 20"
expect 'sizes' 0 '' '' generate SLICE1 --count 4 --output-dir slices --sizes 4,5
[[ $(grep -c '"case": "SLICE1 InputTensor=[A-Z0-9]*{4,5}' box/slices/manifest_slice1.json) == 4 ]] &&
  report 'sizes, kept' '' || report 'sizes, kept' 'others'
# B: sizes of tiles, and check --elements. C6: --sizes heeds --most-elements.
expect 'B: sizes of tiles' 0 '' '' generate GEMM --count 3 --output-dir tiles --sizes-class tiles --most-elements 2000
[[ $(grep -c '"sizes_class": "tiles"' box/tiles/manifest_gemm.json) == 1 ]] &&
  report 'B: the class of sizes is in the manifest' '' || report 'B: the class of sizes is in the manifest' 'it is not'
expect 'B: sums of a known size' 0 '' '' generate ELEMENT_WISE_ADD --count 3 --output-dir sums --sizes 64,64
for path in box/sums/element_wise_add_0*.json; do
  (cd box && "$tool" run "sums/${path##*/}" --output-dir sampled >"$work/out" 2>"$work/err") || report "run ${path##*/}" failed
done
expect 'B: check --elements' 0 '~ELEMENT_WISE_ADD +3 +0 .* 300' '' check sums --actual-dir sampled --elements 100
expect 'B: check --elements --json' 0 '~"compared":100,"differing":0,"sampled_of":4096' '' \
  check sums --actual-dir sampled --elements 100 --json
expect 'B: check of more elements than there are' 0 '~ELEMENT_WISE_ADD +3 +0 .* 12288' '' \
  check sums --actual-dir sampled --elements 5000
refused 'B: check --elements 0' '~--elements' check sums --actual-dir sampled --elements 0
# B: a sample of a large GEMM: of ones, so that each element is K.
many='"initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 1048576, "value"'
square='{ "DataType": "FLOAT32", "Sizes": [1, 1, 1024, 1024] }'
model large.json "\"a\": { $many: 1 } }, \"b\": { $many: 1 } }, \"y\": { $many: 0 } }, \"k\": { $many: 1024 } }" \
  "\"op\": { \"type\": \"GEMM\", \"desc\": { \"ATensor\": $square, \"BTensor\": $square, \"OutputTensor\": $square, \"TransA\": \"NONE\",
  \"TransB\": \"NONE\", \"Alpha\": 1, \"Beta\": 0 } }" \
  '{ "type": "dispatch", "dispatchable": "op", "bindings": { "ATensor": "a", "BTensor": "b", "OutputTensor": "y" } }'
model right.json "\"k\": { $many: 1024 } }" '' '{ "type": "writeFile", "resource": "k", "targetPath": "ks.bin" }'
expect 'B: the right answer of a large GEMM' 0 '' '' run right.json --output-dir .
expect 'B: a sample of it' 0 '~^GEMM: agrees.*60 of 1048576 elements' '' check large.json --actual y=ks.bin --elements 60
for corner in 0 1023 $((1023 * 1024)) $((1024 * 1024 - 1)); do
  cp box/ks.bin box/wrong.bin
  printf '\x00\x40\x7f\x44' | dd of=box/wrong.bin bs=4 seek=$corner conv=notrunc status=none  # 1021
  at="[{]0,0,$((corner / 1024)),$((corner % 1024))[}]"
  expect "B: a wrong corner, element $corner" 1 "~^GEMM: differs.*60 of 1048576 elements.*60 compared, 0 ignored, 1 differs.* $at: expected 1024 .* got 1021 " \
    '' check large.json --actual y=wrong.bin --elements 60
done
generate=(generate ARGMIN --count 2 --output-dir none)
refused 'C6: sizes with more elements than are allowed' \
  '~^ARGMIN M13: selection is sizes=.4,5., wanted at most 19 elements of the main tensor' \
  "${generate[@]}" --sizes 4,5 --most-elements 19
refused 'B: an unknown class of sizes' "~^model M2: --sizes-class is 'tile', wanted mixed, small, tiles.*did you mean 'tiles'" \
  "${generate[@]}" --sizes-class tile
refused 'no legal case fulfils the selection' '~^ARGMIN M13: selection is sizes=.2,3. Axes=.2., wanted one that some legal case fulfils' \
  "${generate[@]}" --sizes 2,3 --attribute 'Axes={2}'
refused 'an unknown data type' "~^model M2: --data-types is 'FLOAT31', wanted UNKNOWN, FLOAT32, .*did you mean 'FLOAT32'" "${generate[@]}" --data-types FLOAT31
refused 'an unknown class of data' "~^model M2: --data is 'tie', wanted ramp, uniform, ties.*did you mean 'ties'" "${generate[@]}" --data tie
refused 'an unknown stride pattern' "~^model M2: --strides is 'x', wanted packed, permuted" "${generate[@]}" --strides x
refused 'an unknown attribute' "~^case M10: word is 'Axs=.1.', wanted NAME=VALUE, NAME of ARGMIN" "${generate[@]}" --attribute 'Axs={1}'
refused 'an unknown operand' "~^case M10: word is 'Input', wanted an operand" "${generate[@]}" --operand-types Input=INT8
refused 'an operand without types' "~^model M2: --operand-types is 'Input', wanted such as" "${generate[@]}" --operand-types Input
refused 'too many sizes' '~^model M2: --sizes is 9 sizes, wanted at most 8' "${generate[@]}" --sizes 1,1,1,1,1,1,1,1,1
[[ ! -e box/none ]] && report 'a selection that is refused makes no folder' '' || report 'a selection that is refused makes no folder' 'it is there'

# The report of a difference in a corpus has the case's line, which reproduces it.
for path in box/corpus/argmin_0*.json; do
  (cd box && "$tool" run "corpus/${path##*/}" --output-dir actual >"$work/out" 2>"$work/err") || report "run ${path##*/}" failed
done
expect 'the corpus agrees' 0 '~ARGMIN +20 +0 +0 +0' '' check corpus --actual-dir actual
file=box/actual/argmin_000007.OutputTensor.npy
printf '\x7f' | dd of="$file" bs=1 seek=128 conv=notrunc status=none
expect 'a report ends with the case' 1 '~argmin_000007.json: ARGMIN: differs.*case: ARGMIN InputTensor=' '' check corpus --actual-dir actual
wanted=$(grep -o '"argmin_000007", "case": "[^"]*"' box/corpus/manifest_argmin.json | sed 's/.*"case": "//; s/"$//')
got=$(sed -n 's/^case: //p' "$work/out")
[[ $got == "$wanted" ]] && report 'which is that of the manifest' '' || report 'which is that of the manifest' "$got"
expect 'the line reproduces the difference' 1 "~ARGMIN: differs.*case: ARGMIN" '' check --case "$got" \
  --actual OutputTensor="${file#box/}"
# A model that was edited is no longer that case.
mkdir box/hand
cp box/corpus/argmin_000007* box/hand
sed -i 's/"AxisDirection": [A-Z_"]*/"AxisDirection": "DML_AXIS_DIRECTION_INCREASING"/' box/hand/argmin_000007.json
expect 'an edited model' 1 '~case: goldml run .hand/argmin_000007.json.' '' check hand/argmin_000007.json \
  --actual OutputTensor="${file#box/}"
# The tolerance that accepts every right device: of a case, of generated ones, of a corpus.
cancelling='REDUCE InputTensor=FLOAT32{1,3}:{1e8,1,-1e8} OutputTensor=FLOAT32{1,1} Function=SUM Axes={1}'
expect 'T5: the tolerance of a case' 0 "=REDUCE FLOAT32, 1 case
  |got - golden| <= 23.9 + 0 * |golden|
  or one alone: absolute 23.9, relative 23.9, 2167847969 ULP
  about 1 times the error of a right device
  elements: 1 that right devices round differently
  lets through         outputs      pair       ULP    goldml  elements      pair       ULP    goldml
  a missing term             1       0 %     100 %       0 %         1       0 %     100 %       0 %
  FLOAT16 sums               1       0 %       0 %       0 %         1       0 %       0 %       0 %" '' \
  tolerance --case "$cancelling"
expect 'T5: of integers none is needed' 0 "~^ARGMIN UINT32, 3 cases
  no tolerance is needed
  elements: [0-9]+ of which only the golden value is right" '' tolerance ARGMIN --count 3 --attribute Axes={0} --operand-types OutputTensor=UINT32
third='ELEMENT_WISE_DIVIDE ATensor=FLOAT32{1}:{1} BTensor=FLOAT32{1}:{3} OutputTensor=FLOAT32{1}'
expect 'T5: of a quotient' 0 '~, 6 ULP' '' tolerance --case "$third"
expect 'T5: options that say what a device may do' 0 '~, 2 ULP' '' tolerance --rcp refuse --case "$third"
expect 'T5: where nothing is defined the status is 3' 3 '~elements: 1 undefined' '' \
  tolerance --case 'GATHER InputTensor=FLOAT32{2}:{1,2} IndicesTensor=UINT32{1}:{7} OutputTensor=FLOAT32{1} Axis=0 IndexDimensions=1'
expect 'T5: a corpus to search' 0 '' '' generate REDUCE TILE --count 3 --output-dir tolerances
expect 'T5: the tolerance of a corpus' 0 '~REDUCE .* cases?'$'\n''.*TILE .*no tolerance is needed' '' tolerance --corpus tolerances
refused 'T5: nothing to search' '=model M2: tolerance is nothing, wanted OPERATOR, or --case LINE, or --corpus FOLDER' tolerance
refused 'T5: two things to search' '~^model M2: tolerance is several of these' tolerance GEMM --case "$cancelling"
refused 'T5: an illegal case' '~^REDUCE R' tolerance --case "${cancelling/\{1,1\}/\{1,2\}}"
refused 'T5: a case that is none' '~^case M10' tolerance --case 'REDUCE nonsense'
refused 'T5: an unknown operator' "~M5: operator is 'REDUZE'" tolerance --case REDUZE
refused 'T5: too much work' '~M11' tolerance --max-work 1 --case "$cancelling"
refused 'T5: too much memory' '~M8' tolerance --max-memory 100 --case "$cancelling"
refused 'T5: a folder without a manifest' '~^model M12: folder is without a manifest' tolerance --corpus .
refused 'T5: a folder that is not there' '~^model M9: folder' tolerance --corpus nowhere
sed -i 's/Function=[A-Z0-9_]*/Function=NONE/' box/tolerances/manifest_reduce.json
refused 'T5: a corpus with a line that is no case' '~M10' tolerance --corpus tolerances

summary
