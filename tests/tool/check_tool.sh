#!/usr/bin/env bash
# check_tool.sh TOOL SOURCE_DIR: what the goldml program answers: exit status, standard output, standard error and files.
set -euo pipefail
source "$(dirname "$0")/functions.sh"

ints='"r": { "initialValuesDataType": "INT32", "initialValues": [1, -2, 3] }'
print='{ "type": "print", "resource": "r" }'
write='{ "type": "writeFile", "resource": "r", "targetPath": "r.bin" }'
mkdir -p box box/folder.json box/folder.bin
model print.json "$ints" '' "$print"
model write.json "$ints" '' "$print, $write"

# Usage.
expect 'no arguments' 2 '' '~subcommand'
expect 'an unknown subcommand' 2 '' '~.' play print.json
expect 'run without a model' 2 '' '~MODEL' run
expect 'an unknown option' 2 '' '~.' run print.json --fast
expect 'an option without its value' 2 '' '~.' run print.json --output-dir
expect 'two models' 2 '' '~.' run print.json print.json
refused 'a level that does not exist' '~feature-level' run print.json --feature-level 9_9
refused 'a backend that does not exist' '~backend' run print.json --backend gpu
expect 'validate has no backend' 2 '' '~backend' validate print.json --backend reference
for size in 1XB -1 lots 1.5GB 99999999999999999999 ''; do
  refused "--max-memory '$size'" '~max-memory' run print.json --max-memory "$size"
done
expect '--help' 0 '~validate' '' --help
expect 'run --help' 0 '~--max-memory' '' run --help
expect '--version' 0 '~^goldml [0-9]+\.[0-9]+\.[0-9]+' '' --version
expect 'list' 0 '~ARGMIN .3_0.*SCATTER_ND .2_1.*DIAGONAL_MATRIX1 .5_1.*6_4.*reference' '' list

# Files that are not there, or are none.
refused 'a missing model' "~^model M9: file is 'none.json', wanted a model that can be read" run none.json
refused 'a missing model, validated' '~^model M9' validate none.json
refused 'a folder as model' '~^model M9' run folder.json
read_from() { printf '"r": { "initialValuesDataType": "INT8", "initialValues": { "sourcePath": "%s" } }' "$1"; }
model read.json "$(read_from none.bin)" '' "$print"
refused 'a missing source' "~^model M9: sourcePath is 'none.bin'" run read.json
model read.json "$(read_from folder.bin)" '' "$print"
refused 'a folder as source' '~^model M9: sourcePath' run read.json
model target.json "$ints" '' "$print, ${write/r.bin/folder.bin}"
refused 'a folder as target' '~^model M9: targetPath' run target.json
expect 'an output folder that is a file' 2 '=Resource '"'r'"': 1, -2, 3' '~^model M9: targetPath' run write.json \
  --output-dir print.json

# The model itself.
printf '{ "resources": {},\n  "dispatchables": {}\r\n  "commands": [] }' >box/bad.json
refused 'malformed JSON, its line and column' '~^model M1: .*\(line 3, column 3\)'$'\n$' run bad.json
printf '{ "resources": {' >box/bad.json
refused 'JSON cut off' '~^model M1: .*\(line 1, column 17\)'$'\n$' run bad.json
: >box/bad.json
refused 'an empty file' '~^model M1: .*\(line 1, column 1\)'$'\n$' validate bad.json
model bad.json '' '"\u001b[31mred": { "type": "NONE\u001b[31m" }' ''
refused 'no control characters reach a terminal' \
  "=model M5: type is 'NONE?[31m', wanted an operator that 'goldml list' names (dispatchable '?[31mred')" run bad.json
model bad.json "$ints" '' "$print, { \"type\": \"print\", \"resource\": \"s\" }"
refused 'a name that is not there' "=model M3: resource is 's', wanted the name of a resource (command 1)" run bad.json

# Rules of the operators: nothing runs, not even what comes before.
scatter() {  # scatter UPDATES_SIZES INDEX
  model scatter.json "$ints, $(printf '"%s": { "initialValuesDataType": "INT32", "initialValues": { "valueCount": 16, "value": %s } }, ' \
    a 0 i "$2" u 0 o 0) \"last\": { \"initialValuesDataType\": \"INT8\", \"initialValues\": [0] }" \
    "\"op\": { \"type\": \"SCATTER_ND\", \"desc\": { \"InputTensor\": { \"DataType\": \"INT32\", \"Sizes\": [4, 4] },
    \"IndicesTensor\": { \"DataType\": \"INT32\", \"Sizes\": [4, 1] }, \"UpdatesTensor\": { \"DataType\": \"INT32\", \"Sizes\": $1 },
    \"OutputTensor\": { \"DataType\": \"INT32\", \"Sizes\": [4, 4] }, \"InputDimensionCount\": 2, \"IndicesDimensionCount\": 2 } }" \
    "$print, $write, { \"type\": \"dispatch\", \"dispatchable\": \"op\", \"bindings\":
    { \"InputTensor\": \"a\", \"IndicesTensor\": \"i\", \"UpdatesTensor\": \"u\", \"OutputTensor\": \"o\" } }, $print"
}
s7='SCATTER_ND S7: UpdatesTensor.Sizes is {4,3}, wanted {4,4} (tuples {4} ++ input slice {4})'
scatter '[4, 3]' 0
refused 'S7, word for word' "=$s7" run scatter.json
refused 'S7, validated' "='op': $s7" validate scatter.json
refused 'T11: no such operator at the level' '~^SCATTER_ND T11: feature level is 2_0' run scatter.json --feature-level 2_0
refused 'T3: no such data type at the level' '~SCATTER_ND T3: IndicesTensor.DataType is INT32, wanted UINT32 .at feature level 2_1' \
  validate scatter.json --feature-level 2_1
model level.json '' '"op": { "type": "NONZERO_COORDINATES", "InputTensor": { "DataType": "INT8", "Sizes": [4, 4] },
  "OutputCountTensor": { "DataType": "UINT32", "Sizes": [1, 1, 1, 1] },
  "OutputCoordinatesTensor": { "DataType": "UINT32", "Sizes": [1, 1, 16, 2] } }' ''
refused 'T4: not so few dimensions at the level' \
  '~T4: InputTensor.DimensionCount is 2, wanted 4 to 5 .at feature level 3_1' run level.json --feature-level 3_1
expect 'legal at the latest level' 0 '=legal: level.json' '' validate level.json
model many.json '' '"op": { "type": "ARGMIN", "InputTensor": { "DataType": "FLOAT64", "Sizes": [2, 2] },
  "OutputTensor": { "DataType": "UINT32", "Sizes": [2, 2], "Flags": 4 }, "Axes": [1, 1], "AxisDirection": 3 }' ''
refused 'validate names every rule' '~op.: ARGMIN T3.*ARGMIN T10.*ARGMIN A3.*ARGMIN A5.*ARGMIN A8' validate many.json
refused 'run names the first' '~^ARGMIN T3:[^'$'\n'']*'$'\n$' run many.json
scatter '[4, 4]' 4
expect 'legal but for its data' 0 '=legal: scatter.json' '' validate scatter.json
expect 'S10 comes at its dispatch' 2 "=Resource 'r': 1, -2, 3" '~^SCATTER_ND S10: ' run scatter.json
[[ -s box/r.bin ]] && report 'S10: earlier commands have run' '' || report 'S10: earlier commands have run' 'no r.bin'
rm -f box/r.bin
expect '--policy' 0 "=Resource 'r': 1, -2, 3"$'\n'"Resource 'r': 1, -2, 3" '' run scatter.json --policy range_policy=clamp \
  --policy duplicates=last_wins
rm -f box/r.bin
refused 'a policy that does not exist' "~^model M3: --policy is 'fast=1'" run scatter.json --policy fast=1
refused 'a policy without that value' "~^model M2: duplicates is 'first'" run scatter.json --policy duplicates=first

# Memory.
model large.json '"r": { "initialValuesDataType": "INT8", "initialValues": [1], "sizeInBytes": 2147483648 }' '' "$print"
refused '--max-memory 1GB' '~^model M8: sizeInBytes is 2147483648, wanted at most 1073741824 ' run large.json --max-memory 1GB
refused '--max-memory 64kb' '~wanted at most 65536 ' run large.json --max-memory 64kb
refused '--max-memory 1K' '~^model M8: file is [0-9]+ bytes, wanted at most 32 ' validate print.json --max-memory 1K
expect '--max-memory 65536' 0 "=Resource 'r': 1, -2, 3" '' run print.json --max-memory 65536
model large.json '"r": { "initialValuesDataType": "INT8", "initialValues": { "valueCount": 10000000000000000000, "value": 1 } }' '' ''
refused 'more than any memory' '~^model M8' run large.json --max-memory 18446744073709551615

# Paths.
expect 'writeFile in the current folder' 0 "=Resource 'r': 1, -2, 3" '' run write.json
[[ $(od -An -tx1 box/r.bin | tr -d ' \n') == 01000000feffffff03000000 ]] &&
  report 'its bytes' '' || report 'its bytes' 'other'
rm box/r.bin
expect '--output-dir is made' 0 "=Resource 'r': 1, -2, 3" '' run write.json --output-dir new/folder
[[ -s box/new/folder/r.bin && ! -e box/r.bin ]] && report 'the file is there' '' || report 'the file is there' 'no'
expect 'validate with a file to write' 0 '=legal: write.json' '' validate write.json
[[ ! -e box/r.bin ]] && report 'validate writes no file' '' || report 'validate writes no file' 'r.bin'
scatter '[4, 3]' 0
refused 'a refused model makes no output folder' "=$s7" run scatter.json --output-dir none
model outside.json "$ints" '' "${write/r.bin/..\/outside.bin}"
refused "'..' is refused" "~^model M7: targetPath is '../outside.bin'" run outside.json
expect '--allow-outside' 0 '' '' run outside.json --allow-outside
[[ -s outside.bin ]] && report 'the file outside' '' || report 'the file outside' 'missing'
mkdir -p 'box/a folder'
cp box/print.json 'box/a folder/a model.json'
expect 'a path with spaces' 0 "=Resource 'r': 1, -2, 3" '' run 'a folder/a model.json'
expect 'a file beside its model' 0 "~^Resource 'in': 21.5, " '' run "$source/examples/models/argmin_npy.json" --output-dir npy
cmp -s box/npy/argmin_npy_out.npy "$source/examples/models/argmin_npy_out.expected.npy" &&
  report 'the .npy file' '' || report 'the .npy file' 'differs'

# Standard output and error.
model verbose.json "$ints" '' '{ "type": "print", "resource": "r", "verbose": true }'
expect 'a verbose print' 0 $'=Resource \'r\':\n[0] 1 (0x00000001)\n[1] -2 (0xFFFFFFFE)\n[2] 3 (0x00000003)' '' run verbose.json
model warn.json "${ints/'"initialValues"'/'"hint": 1, "initialValues"'}" '' "$print"
expect 'a warning' 0 "=Resource 'r': 1, -2, 3" "=warning: 'hint' of resource 'r' means nothing to goldml and is ignored" run warn.json
expect 'a warning, validated' 0 '=legal: warn.json' '~^warning: ' validate warn.json
unwritable() {  # unwritable NAME REDIRECTION ARGUMENTS...
  local got=0
  : >out
  (cd box && if [[ $2 == closed ]]; then exec >&-; else exec >"$2"; fi && exec "$tool" "${@:3}" 2>"$work/err") || got=$?
  if [[ $got == 2 ]] && fits '~model M9: standard output is closed or full' err; then report "$1" ''; else report "$1" "status $got"; fi
}
for output in closed /dev/full; do
  [[ $output == closed || -e $output ]] || continue
  unwritable "run, standard output $output" "$output" run print.json
  unwritable "validate, standard output $output" "$output" validate print.json
  unwritable "list, standard output $output" "$output" list
  unwritable "--version, standard output $output" "$output" --version
  unwritable "--help, standard output $output" "$output" --help
done

summary
