#!/usr/bin/env bash
# check_tool.sh TOOL SOURCE_DIR: exit status, standard output, standard error and files of the goldml program.
set -euo pipefail
source "$(dirname "$0")/functions.sh"

ints='"r": { "initialValuesDataType": "INT32", "initialValues": [1, -2, 3] }'
print='{ "type": "print", "resource": "r" }'
write='{ "type": "writeFile", "resource": "r", "targetPath": "r.bin" }'
mkdir -p box box/folder.json box/folder.bin
model print.json "$ints" '' "$print"
model write.json "$ints" '' "$print, $write"
model empty.json '' '' ''

# Usage.
expect 'no arguments' 2 '' '~subcommand'
expect 'an unknown subcommand' 2 '' "=model M3: subcommand is 'play', wanted run, validate, check, generate, merge, tolerance, list, completion" play print.json
expect 'a misspelt subcommand' 2 '' \
  "=model M3: subcommand is 'rn', wanted run, validate, check, generate, merge, tolerance, list, completion (did you mean 'run'?)" rn print.json
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
expect 'list' 0 '~ARGMIN .3_0.: cpu, reference.*SCATTER_ND .2_1.*DIAGONAL_MATRIX1 .5_1.*ONE_HOT .2_0.*6_4.*reference' '' list
operators=$(grep -cE '^  [A-Z0-9_]+ \([0-9]_[0-9]\): ' "$work/out")
report 'README.md and docs/roadmap.md count the operators' \
  "$(grep -L -E "(with|computes) $operators( |\.)" "$source/README.md" "$source/docs/roadmap.md")"

# One operator.
gemm=$'operands, and what they take from a feature level on:
  ATensor: input
    1_0: FLOAT32, FLOAT16; 4 dimensions
    4_0: FLOAT32, FLOAT16; 2 to 4 dimensions
  BTensor: input; DataType as ATensor .GM1.; DimensionCount as ATensor .GM2.
    1_0: FLOAT32, FLOAT16; 4 dimensions
    4_0: FLOAT32, FLOAT16; 2 to 4 dimensions
  CTensor: input, optional; DataType as ATensor .GM1.; DimensionCount as ATensor .GM2.
    1_0: FLOAT32, FLOAT16; 4 dimensions
    4_0: FLOAT32, FLOAT16; 2 to 4 dimensions
  OutputTensor: output; DataType as ATensor .GM1.; DimensionCount as ATensor .GM2.
    1_0: FLOAT32, FLOAT16; 4 dimensions
    4_0: FLOAT32, FLOAT16; 2 to 4 dimensions
attributes, with the defaults of C.., Python and case lines:
  TransA: DML_MATRIX_TRANSFORM NONE, TRANSPOSE; default NONE
  TransB: DML_MATRIX_TRANSFORM NONE, TRANSPOSE; default NONE
  Alpha: FLOAT; default 1
  Beta: FLOAT; default 1
  FusedActivation: activation, optional
policies of goldml:
'
expect '37.6: list of one operator' 0 "~^GEMM .1_0.: cpu, reference[^"$'\n'"]*"$'\n'"$gemm" '' list GEMM
expect '37.6: list of two' 0 '~^ARGMIN .3_0.*Axes: list of UINT, with AxisCount; default ..'$'\n''.*SLICE1 .2_1.*WindowOffsets' '' list DML_OPERATOR_ARGMIN SLICE1
refused '37.6: list of what is none' "=model M5: operator is 'Gem', wanted an operator that 'goldml list' names (did you mean 'GEMM'?)" list Gem
refused '37.6: generate what is none' "~did you mean 'REDUCE' with Function LOG_SUM_EXP" generate LOGSUMEXP --output-dir none

# Missing files, and folders instead of files.
refused 'a missing model' "~^model M9: file is 'none.json', wanted a model that can be read" run none.json
refused 'a missing model, validated' '~^model M9' validate none.json
refused 'a folder as model' '~^model M9' run folder.json
read_from() { printf '"r": { "initialValuesDataType": "INT8", "initialValues": { "sourcePath": "%s" } }' "$1"; }
model read.json "$(read_from none.bin)" '' "$print"
refused 'a missing source' "~^${place}model M9: sourcePath is 'none.bin'" run read.json
model read.json "$(read_from folder.bin)" '' "$print"
refused 'a folder as source' '~^'"$place"'model M9: sourcePath' run read.json
model target.json "$ints" '' "$print, ${write/r.bin/folder.bin}"
refused 'a folder as target' '~^'"$place"'model M9: targetPath' run target.json --output-dir .
expect 'an output folder that is a file' 2 '=Resource '"'r'"': 1, -2, 3' '~^'"$place"'model M9: targetPath' run write.json \
  --output-dir print.json

# The model itself.
printf '{ "resources": {},\n  "dispatchables": {}\r\n  "commands": [] }' >box/bad.json
refused 'malformed JSON, its line and column' '~^bad.json:3:3: model M1: .*'$'\n$' run bad.json
printf '{ "resources": {' >box/bad.json
refused 'truncated JSON' '~^bad.json:1:17: model M1: .*'$'\n$' run bad.json
: >box/bad.json
refused 'an empty file' '~^bad.json:1:1: model M1: .*'$'\n$' validate bad.json
model bad.json '' '"\u001b[31mred": { "type": "NONE\u001b[31m" }' ''
refused 'no control characters reach a terminal' \
  "=bad.json:2:49: dispatchables['?[31mred'].type: model M5: type is 'NONE?[31m', wanted an operator that 'goldml list' names (dispatchable '?[31mred')" run bad.json
model bad.json "$ints" '' "$print, { \"type\": \"print\", \"resource\": \"s\" }"
refused 'an unknown name' "=bad.json:3:86: commands[1].resource: model M3: resource is 's', wanted the name of a resource (command 1)" run bad.json

# Rules of the operators: if one is broken, no command runs, not even an earlier one.
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
s7_at="=scatter.json:3:113: dispatchables.op.desc.UpdatesTensor.Sizes: $s7"
refused 'S7, word for word' "$s7_at" run scatter.json
refused 'S7, validated' "$s7_at" validate scatter.json
refused 'T11: the operator does not exist at the level' '~^'"$place"'SCATTER_ND T11: feature level is 2_0' run scatter.json --feature-level 2_0
refused 'T3: a data type that is not allowed at the level' '~SCATTER_ND T3: IndicesTensor.DataType is INT32, wanted UINT32 .at feature level 2_1' \
  validate scatter.json --feature-level 2_1
model level.json '' '"op": { "type": "NONZERO_COORDINATES", "InputTensor": { "DataType": "INT8", "Sizes": [4, 4] },
  "OutputCountTensor": { "DataType": "UINT32", "Sizes": [1, 1, 1, 1] },
  "OutputCoordinatesTensor": { "DataType": "UINT32", "Sizes": [1, 1, 16, 2] } }' ''
refused 'T4: too few dimensions for the level' \
  '~T4: InputTensor.DimensionCount is 2, wanted 4 to 5 .at feature level 3_1' run level.json --feature-level 3_1
expect 'legal at the latest level' 0 '=legal: level.json' '' validate level.json
model many.json '' '"op": { "type": "ARGMIN", "InputTensor": { "DataType": "FLOAT64", "Sizes": [2, 2] },
  "OutputTensor": { "DataType": "UINT32", "Sizes": [2, 2], "Flags": 4 }, "Axes": [1, 1], "AxisDirection": 3 }' ''
refused 'validate reports every rule' '~op.InputTensor.DataType: ARGMIN T3.*ARGMIN T10.*ARGMIN A5.*ARGMIN A8' validate many.json
refused 'run reports the first' '~^'"$place"'ARGMIN T3:[^'$'\n'']*'$'\n$' run many.json
scatter '[4, 4]' 4
expect 'legal except for its data' 0 '=legal: scatter.json' '' validate scatter.json
expect 'S10 is detected when its dispatch runs' 2 "=Resource 'r': 1, -2, 3" '~^'"$place"'SCATTER_ND S10: ' run scatter.json
[[ -s box/goldml-outputs/r.bin ]] && report 'S10: earlier commands have run' '' || report 'S10: earlier commands have run' 'no r.bin'
rm -r box/goldml-outputs
expect '--policy' 0 "=Resource 'r': 1, -2, 3"$'\n'"Resource 'r': 1, -2, 3" '' run scatter.json --policy range_policy=clamp \
  --policy duplicates=last_wins
rm -r box/goldml-outputs
refused 'a policy that does not exist' "~^model M3: --policy is 'fast=1', wanted NAME=VALUE, NAME of " run scatter.json --policy fast=1
refused 'a policy without that value' "~^model M2: duplicates is 'first'" run scatter.json --policy duplicates=first

# What happened to a user of DirectML beyond its documentation.
gemm_of() {  # gemm_of A B OUTPUT: sizes
  model gemm.json '' "\"op\": { \"type\": \"GEMM\", \"TransA\": \"NONE\", \"TransB\": \"NONE\", \"Alpha\": 1, \"Beta\": 0,
    \"ATensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [$1] }, \"BTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [$2] },
    \"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [$3] } }" ''
}
for leading in '' '1, '; do
  gemm_of "${leading}65536, 1, 4" "${leading}65536, 4, 1" "${leading}65536, 1, 1"
  expect "37: GEMM with more than 65,535 channels: a note, no violation" 0 '=legal: gemm.json' \
    "=note: 'op': ATensor has 65536 channels; a user of DirectML got E_INVALIDARG for a GEMM of more than 65535 (microsoft/DirectML issue 650), which its documentation does not say" \
    validate gemm.json
  gemm_of "${leading}65535, 1, 4" "${leading}65535, 4, 1" "${leading}65535, 1, 1"
  expect '37: GEMM with 65,535 channels' 0 '=legal: gemm.json' '' validate gemm.json
done
gemm_of '65536, 4' '4, 1' '65536, 1'
expect '37: GEMM without channels' 0 '=legal: gemm.json' '' validate gemm.json

# What DxDispatch would refuse.
model portable.json "$ints" '"op": { "type": "ARGMIN", "InputTensor": { "DataType": "INT32", "Sizes": [3] },
  "OutputTensor": { "DataType": "UINT32", "Sizes": [1] }, "Axes": [0], "AxisDirection": "INCREASING" }' "$print"
expect 'legal without --portable' 0 '=legal: portable.json' '' validate portable.json
refused '--portable' "=portable.json:2:28: dispatchables.op: model M15: AxisCount is missing, wanted a number (DxDispatch; dispatchable 'op')" \
  validate --portable portable.json
expect 'portable' 0 '=legal: print.json' '' validate --portable print.json
model portable.json "$ints" '"op": { "type": "ARGMIN", "InputTensor": { "DataType": "INT32", "Sizes": [3] },
  "OutputTensor": { "DataType": "UINT32", "Sizes": [2] }, "Axes": [0], "AxisDirection": "INCREASING" }' "$print"
refused '--portable, and a broken rule' "~^${place}model M15: AxisCount [^"$'\n'"]*"$'\n'"portable.json:3:53: dispatchables.op.OutputTensor.Sizes.0.: ARGMIN A3: [^"$'\n'"]*"$'\n'"$" \
  validate --portable portable.json

# Memory.
model large.json '"r": { "initialValuesDataType": "INT8", "initialValues": [1], "sizeInBytes": 2147483648 }' '' "$print"
refused '--max-memory 1GB' '~^'"$place"'model M8: sizeInBytes is 2147483648, wanted at most 1073741824 ' run large.json --max-memory 1GB
refused '--max-memory 64kb' '~wanted at most 65536 ' run large.json --max-memory 64kb
refused '--max-memory 1K' '~^model M8: file is [0-9]+ bytes, wanted at most 32 ' validate print.json --max-memory 1K
expect '--max-memory 65536' 0 "=Resource 'r': 1, -2, 3" '' run print.json --max-memory 65536
model large.json '"r": { "initialValuesDataType": "INT8", "initialValues": { "valueCount": 10000000000000000000, "value": 1 } }' '' ''
refused 'more than the available memory' '~^'"$place"'model M8' run large.json --max-memory 18446744073709551615
expect 'validate allocates no buffers' 0 '=legal: large.json' '' validate large.json
model large.json '' '"op": { "type": "ARGMIN", "InputTensor": { "DataType": "INT8", "Sizes": [65536, 65536] },
  "OutputTensor": { "DataType": "UINT32", "Sizes": [65536, 1] }, "Axes": [1], "AxisDirection": 0 }' ''
refused 'no limit on memory hides T6' '~ARGMIN T6: InputTensor.Sizes is .65536,65536.' validate large.json --max-memory 64kb
refused 'run: the tensors need more than the allowed memory' '~^'"$place"'model M8: tensors is' run large.json --max-memory 64kb

# Time: the work of all commands is limited before the first one runs.
model wide.json "$ints, \"o\": { \"initialValuesDataType\": \"UINT32\", \"initialValues\": [9] }" '"op": { "type": "ARGMIN", "desc": {
  "InputTensor": { "DataType": "INT32", "Sizes": [65535, 65536], "Strides": [0, 0] },
  "OutputTensor": { "DataType": "UINT32", "Sizes": [1, 1] }, "Axes": [0, 1], "AxisDirection": 0 } }' \
  "$print, $write, $(for i in 1 2 3; do printf '{ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "r", "OutputTensor": "o" } }, '; done)
  { \"type\": \"print\", \"resource\": \"o\" }"
# Three times 65535 * 65536 + 1, at 5 on cpu and 25 on reference; prints of 3 and 1 elements at 250, a file of 12 bytes, and
# 5000 for each of six commands.
m11='~^model M11: commands is 64423557427 units of work, wanted at most'
refused 'M11: many elements in few bytes' '~^model M11: commands is 322117663087 units of work, wanted at most 100000000000 .all commands together; --max-work' run wide.json --backend reference
refused 'M11: one unit too many' "$m11 64423557426 " run wide.json --max-work 64423557426
expect 'exactly the allowed work' 0 $'=Resource \'r\': 1, -2, 3\nResource \'o\': 0' '' run wide.json --max-work 64423557427
rm -f box/r.bin
expect 'validate needs no limit on work' 0 '=legal: wide.json' '' validate wide.json
expect '--explain needs no limit on work' 0 '~^// dispatch 0' '' run wide.json --explain
expect 'validate has no --max-work' 2 '' '~max-work' validate wide.json --max-work 1
for limit in -1 x 1.5 99999999999999999999 ''; do
  refused "--max-work '$limit'" '~max-work' run print.json --max-work "$limit"
done
expect 'no work, no command' 0 '' '' run empty.json --max-work 0

# At most a hundred violations are printed.
bad() {  # bad COUNT: that many dispatchables, each of which breaks one rule
  local i list=''
  for ((i = 0; i < $1; ++i)); do
    list+="${list:+, }\"op$i\": { \"type\": \"ARGMIN\", \"InputTensor\": { \"DataType\": \"FLOAT64\", \"Sizes\": [2] },
      \"OutputTensor\": { \"DataType\": \"UINT32\", \"Sizes\": [1] }, \"Axes\": [0], \"AxisDirection\": 0 }"
  done
  model bad.json '' "$list" ''
}
bad 100
refused 'a hundred violations' "~op0.InputTensor.DataType: ARGMIN T3.*op99.InputTensor.DataType: ARGMIN T3[^"$'\n'']*'$'\n$' validate bad.json
report 'a hundred lines' "$([[ $(wc -l <err) == 100 ]] || echo other)"
bad 101
refused 'one more' $'~op99.InputTensor.DataType: ARGMIN T3[^\n]*\nand 1 more violation\n$' validate bad.json
bad 350
refused 'many more' $'~op99.InputTensor.DataType: ARGMIN T3[^\n]*\nand 250 more violations\n$' validate bad.json
report 'a hundred and one lines' "$([[ $(wc -l <err) == 101 ]] || echo other)"

# Paths.
expect 'writeFile in the default folder' 0 "=Resource 'r': 1, -2, 3" '' run write.json
[[ $(od -An -tx1 box/goldml-outputs/r.bin | tr -d ' \n') == 01000000feffffff03000000 ]] &&
  report 'its bytes' '' || report 'its bytes' 'other'
expect 'in the default folder a file is replaced' 0 "=Resource 'r': 1, -2, 3" '' run write.json
rm -r box/goldml-outputs
expect 'beside the model' 0 "=Resource 'r': 1, -2, 3" '' run ../box/write.json --beside-model
[[ -s box/goldml-outputs/r.bin ]] && report 'it is beside the model' '' || report 'it is beside the model' 'no'
rm -r box/goldml-outputs
mkdir -p box/elsewhere
run_in=box/elsewhere expect 'beside the model, from another folder' 0 "=Resource 'r': 1, -2, 3" '' run ../write.json --beside-model
[[ -s box/goldml-outputs/r.bin && ! -e box/elsewhere/goldml-outputs ]] && report 'it is beside the model only' '' || report 'it is beside the model only' 'no'
rm -r box/goldml-outputs
expect 'beside the model and in a folder' 2 '' '~excludes' run write.json --beside-model --output-dir new
echo mine >box/r.bin
refused 'in other folders no file is replaced' \
  "=write.json:3:109: commands[1].targetPath: model M9: targetPath is './r.bin', wanted the name of a new file (--overwrite replaces what is there) (command 1)" \
  run write.json --output-dir .
expect 'except with --overwrite' 0 "=Resource 'r': 1, -2, 3" '' run write.json --output-dir . --overwrite
[[ $(od -An -tx1 box/r.bin | tr -d ' \n') == 01000000feffffff03000000 ]] &&
  report 'its new bytes' '' || report 'its new bytes' 'other'
rm box/r.bin
expect '--output-dir is created' 0 "=Resource 'r': 1, -2, 3" '' run write.json --output-dir new/folder
[[ -s box/new/folder/r.bin && ! -e box/r.bin ]] && report 'the file is there' '' || report 'the file is there' 'no'
expect 'validate with a file to write' 0 '=legal: write.json' '' validate write.json
[[ ! -e box/r.bin && ! -e box/goldml-outputs ]] && report 'validate writes no file' '' || report 'validate writes no file' 'r.bin'
scatter '[4, 3]' 0
refused 'a refused model creates no output folder' "$s7_at" run scatter.json --output-dir none
model outside.json "$ints" '' "${write/r.bin/..\/outside.bin}"
refused "'..' is refused" "~^${place}model M7: targetPath is '../outside.bin'" run outside.json
expect '--allow-outside' 0 '' '' run outside.json --allow-outside --output-dir .
[[ -s outside.bin ]] && report 'the file outside' '' || report 'the file outside' 'missing'
mkdir -p 'box/a folder'
cp box/print.json 'box/a folder/a model.json'
expect 'a path with spaces' 0 "=Resource 'r': 1, -2, 3" '' run 'a folder/a model.json'
expect 'a file beside its model' 0 "~^Resource 'in': 21.5, " '' run "$source/examples/models/argmin_npy.json" --output-dir npy
cmp -s box/npy/argmin_npy_out.npy "$source/examples/models/argmin_npy_out.expected.npy" &&
  report 'the .npy file' '' || report 'the .npy file' 'differs'

# A path that the system does not accept is refused with the system's reason.
long=$(printf 'a%.0s' {1..5000})
refused 'too long a name of a model' '~^model M9: file is .aaa.*, wanted a model that can be read .'"$too_long" run "$long"
refused 'too long a name, judged' '~^model M9: .*'"$too_long" check "$long" --actual r=r.bin
model long.json "$(read_from "$long.bin")" '' "$print"
refused 'too long a name of a source' '~^'"$place"'model M9: sourcePath is .*'"$too_long" run long.json
expect 'too long a name of an output folder' 2 "=Resource 'r': 1, -2, 3" '~^'"$place"'model M9: targetPath is .*'"$too_long" \
  run write.json --output-dir "$long"
refused 'a model below a file' '~^model M9: file is .*'"$not_a_folder" run print.json/below.json

# A repository has a link out.bin to its configuration and a model that writes out.bin; the next `git status` would run what
# the new configuration says. Another model prints the target of a link k.bin. (Wine follows Linux's links itself.)
if [[ -z ${GOLDML_WINE:-} ]]; then
  repository=home/src/repository
  mkdir -p box/$repository/.git box/home/.ssh
  echo '[core]' >box/$repository/.git/config
  echo 'a secret key' >box/home/.ssh/id_rsa
  ln -s .git/config box/$repository/out.bin
  ln -s .git/config box/$repository/out.npy
  ln -s ../../.ssh/id_rsa box/$repository/k.bin
  ln -s ../../.ssh box/$repository/keys
  for target in out.bin out.npy; do
    model $repository/attack.json "$ints" '' "$print, ${write/r.bin/$target}"
    for options in '' --overwrite; do
      run_in=box/$repository refused "$target, a link to .git/config, is not written $options" \
        "=attack.json:3:109: commands[1].targetPath: model M7: targetPath is '$target', wanted a path without links (--allow-outside allows any) (command 1)" \
        run attack.json --output-dir . $options
    done
    run_in=box/$repository expect "in goldml's own folder $target is not a link" 0 "=Resource 'r': 1, -2, 3" '' run attack.json
    rm -r box/$repository/goldml-outputs
  done
  run_in=box/$repository refused 'a link to what has another extension' '~^'"$place"'model M5: targetPath is .out.npy' \
    run attack.json --output-dir . --allow-outside --overwrite
  ln -s .git box/$repository/goldml-outputs
  run_in=box/$repository refused 'an output folder of its own that is a link' \
    "=attack.json:3:109: commands[1].targetPath: model M7: targetPath is 'out.npy', wanted an output folder that is not a link ('goldml-outputs' is one; command 1)" run attack.json
  refused 'beside the model as well' '~^'"$place"'model M7: targetPath is .out.npy., wanted an output folder that is not a link' \
    run $repository/attack.json --beside-model
  for source_file in k.bin keys/id_rsa; do
    model $repository/read.json "$(read_from $source_file)" '' "$print"
    for folder in box box/home box/$repository; do
      model=$(realpath --relative-to=$folder box/$repository/read.json)
      run_in=$folder refused "$source_file, a link to a key, is not read from $folder" "~^${place}model M7: sourcePath is '$source_file'" \
        run "$model"
    done
  done
  # The same path in the current folder does not matter.
  model $repository/read.json "$(read_from .ssh/id_rsa.bin)" '' "$print"
  cp box/home/.ssh/id_rsa box/home/.ssh/id_rsa.bin
  run_in=box/home refused 'no file of the current folder is read' "~^${place}model M9: sourcePath is '.ssh/id_rsa.bin'" run src/repository/read.json
fi

# A full disk (simulated by a limit of 8 KiB), or killing the program while it writes, leaves the old content.
if [[ -z ${GOLDML_WINE:-} ]]; then
  wide='"r": { "initialValuesDataType": "INT32", "initialValues": { "valueCount": 10000, "value": 7 } }'
  mkdir -p box/full
  for target in old.bin old.npy; do
    echo old >box/full/$target
    model full.json "$wide" '' "${write/r.bin/$target}"
    [[ $target == old.bin ]] && want='~^'"$place"'model M9: targetPath is .*File too large' || want='~^'"$place"'npy M22: file is not written.*File too large'
    full_disk "$target: a full disk" "$want" run full.json --output-dir full --overwrite
    [[ $(cat box/full/$target) == old && $(ls -A box/full | wc -l) == 1 ]] && report "$target: the old content" '' ||
      report "$target: the old content" "$(ls -A box/full)"
    got=0
    (cd box && ulimit -c 0 -f 8 && exec "$tool" run full.json --output-dir full --overwrite) >out 2>err </dev/null || got=$?
    [[ $got -gt 128 && $(cat box/full/$target) == old ]] && report "$target: killed while it writes" '' ||
      report "$target: killed while it writes" "status $got"
    rm -r box/full
    mkdir box/full
  done
fi

# Standard output and error.
model verbose.json "$ints" '' '{ "type": "print", "resource": "r", "verbose": true }'
expect 'a verbose print' 0 $'=Resource \'r\':\n[0] 1 (0x00000001)\n[1] -2 (0xFFFFFFFE)\n[2] 3 (0x00000003)' '' run verbose.json

# DxDispatch's own format, as its Executor.cpp prints it (commit 674540f).
values() { printf '"%s": { "initialValuesDataType": "%s", "initialValues": %s }' "$@"; }
model dx.json "$(values f FLOAT32 '[0.1, 16777216, 1e-5, -0.0, "nan", "-inf"]'), $(values h FLOAT16 '[65504, 0.1, 3]'),
  $(values b INT8 '[72, 105, 33]'), $(values z UINT8 '[65, 0, 66]'), $(values w INT64 '[-5]'),
  $(values v UINT16 '{ "valueCount": 10, "value": 10 }')" '' \
  "$(for r in f h b z w; do printf '{ "type": "print", "resource": "%s" }, ' $r; done) { \"type\": \"print\", \"resource\": \"v\", \"verbose\": true }"
columns=$(for i in {0..9}; do echo "[ $i] 10 (0x   A)"; done)
expect '37: --dxdispatch-format' 0 "=Resource 'f': 0.1, 1.67772e+07, 1e-05, -0, nan, -inf
Resource 'h': 65504, 0.0999756, 3
Resource 'b': H, i, !
Resource 'z': A, "$'\n'"Resource 'w': -5
Resource 'v':
$columns
" '' run dx.json --dxdispatch-format
expect '37: without it' 0 "~^Resource 'f': 0.1, 16777216, 1e-05, -0, nan, -inf"$'\n'"Resource 'h': 65500, 0.1, 3, 0"$'\n'"Resource 'b': 72, 105, 33, 0"$'\n' '' \
  run dx.json
expect '37: --dxdispatch-format and --json' 2 '' '~excludes' run dx.json --dxdispatch-format --json
expect '37: --dxdispatch-format and --case' 2 '' '~excludes' run --dxdispatch-format --case x

model warn.json "${ints/'"initialValues"'/'"hint": 1, "initialValues"'}" '' "$print"
expect 'a warning' 0 "=Resource 'r': 1, -2, 3" "=warning: unknown member 'hint' of resource 'r' is ignored" run warn.json
many=$(for i in {1..150}; do printf '"hint%d": 1, ' "$i"; done)
model warn_often.json "${ints/'"initialValues"'/"$many\"initialValues\""}" '' "$print"
expect 'C6: at most 100 warnings' 0 "=Resource 'r': 1, -2, 3" '~^(warning: unknown member .hint[0-9]+. of resource .r. is ignored'$'\n''){100}warning: more warnings are not printed'$'\n''$' run warn_often.json
expect 'a warning, validated' 0 '=legal: warn.json' '~^warning: ' validate warn.json
hostile=$'\e[31m\nx\u202e\u0085\xff'  # ESC, newline, a bidirectional control, a C1 control, no UTF-8
harmless() {  # harmless NAME LINES: standard output and error have that many lines, and no control characters
  if [[ $(cat out err | wc -l) != "$2" ]]; then report "$1" "$(cat out err | wc -l) lines"
  elif LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xc2[\x80-\x9f]|\xff' out err; then report "$1" 'raw text'
  else report "$1" ''; fi
}
if [[ -z ${GOLDML_WINE:-} ]]; then  # Windows has no such names
  cp box/print.json "box/$hostile.json"
  expect 'a hostile name of a model' 0 '=legal: ?[31m?x???.json' '' validate "$hostile.json"
  harmless 'a hostile name of a model' 1
  expect 'a hostile name of a model that is missing' 2 '' "~^model M9: file is '\?\[31m\?x\?\?\?.none'" run "$hostile.none"
  harmless 'a hostile name of a model that is missing' 1
  for argument in "$hostile" "--$hostile"; do
    expect "a hostile argument" 2 '' '~\?\[31m\?x\?\?\?' run print.json "$argument"
    harmless 'a hostile argument' 2
  done
  expect 'a hostile subcommand' 2 '' '~\?\[31m\?x\?\?\?' "$hostile"
  harmless 'a hostile subcommand' 1
  for option in --max-memory --feature-level --backend; do
    expect "a hostile $option" 2 '' '~\?\[31m\?x\?\?\?' run print.json $option "5$hostile"
    harmless "a hostile $option" 2
  done
  for option in --policy --adapter; do
    expect "a hostile $option" 2 '' '~\?\[31m\?x\?\?\?' run print.json $option "$hostile"
    harmless "a hostile $option" 1
  done
  expect 'a hostile --output-dir' 2 '~^Resource' '~\?\[31m\?x\?\?\?' run write.json --output-dir "print.json/$hostile"
  harmless 'a hostile --output-dir' 2
  GOLDML_ISA=$hostile expect 'a hostile instruction set' 2 '' '~\?\[31m\?x\?\?\?' run print.json
  harmless 'a hostile instruction set' 1
  escaped='\u001b[31m\nx\u202e\u0085'
  model hostile.json "\"$escaped\": { \"initialValuesDataType\": \"INT8\", \"initialValues\": [1], \"$escaped\": 1 }" '' \
    "{ \"type\": \"print\", \"resource\": \"$escaped\" }"
  expect 'hostile names in a model' 0 "=Resource '?[31m?x??': 1, 0, 0, 0" \
    "=warning: unknown member '?[31m?x??' of resource '?[31m?x??' is ignored" run hostile.json
  harmless 'hostile names in a model' 2
  model hostile.json "$(read_from "$escaped.npy")" '' "$print"
  expect 'a hostile source' 2 '' "~^${place}model M9: sourcePath is '\?\[31m\?x\?\?.npy'" run hostile.json
  harmless 'a hostile source' 1
  echo none >box/$'\e[31m\nx\u202e\u0085.npy'
  expect 'a hostile source that is not a .npy file' 2 '' "~^${place}npy M20: .*\?\[31m\?x\?\?.npy" run hostile.json
  harmless 'a hostile source that is none' 1
fi
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
