#!/usr/bin/env bash
# check_oracle.sh TOOL SOURCE_DIR: the files of `goldml generate`, and the exit status and report of `goldml check`.
set -euo pipefail
source "$(dirname "$0")/functions.sh"

truth() {  # truth NAME COMMAND...: the command succeeds
  if "${@:2}" >"$work/out" 2>"$work/err"; then report "$1" ''; else report "$1" "${*:2}"; fi
}

bytes() {  # bytes WIDTH VALUE...: integers as little-endian bytes
  local width=$1 value i
  shift
  for value; do
    for ((i = 0; i < width; ++i)); do printf "\\x$(printf %02x $((value >> (8 * i) & 255)))"; done
  done
}

npy() {  # npy FILE DESCR SHAPE: its data from standard input
  local header="{'descr': '$2', 'fortran_order': False, 'shape': $3, }" padding
  padding=$(((64 - (11 + ${#header}) % 64) % 64))
  {
    printf '\x93NUMPY\x01\x00'
    bytes 2 $((${#header} + padding + 1))
    printf '%s%*s\n' "$header" $padding ''
    cat
  } >"box/$1"
}

flip() {  # flip FILE OFFSET: the lowest bit of one byte
  local value
  value=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf "\\x$(printf %02x $((value ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

hashes() {  # of a corpus's files, without the manifests
  (cd "box/$1" && sha256sum $(ls | grep -v '^manifest') | sort)
}

mkdir -p box
operators=(ARGMIN NONZERO_COORDINATES SCATTER_ND DIAGONAL_MATRIX1)
count=40

# A corpus, played and judged.
for operator in "${operators[@]}"; do
  expect "generate $operator, silently in a pipe" 0 '' '' generate "$operator" --count $count --output-dir corpus --append
done
truth 'four manifests' test "$(ls box/corpus/manifest_* | wc -l)" == 4
for path in box/corpus/[a-z]*_0*.json; do
  (cd box && "$tool" run "corpus/${path##*/}" --output-dir actual >"$work/out" 2>"$work/err") ||
    report "run ${path##*/}" failed
done
before=$(find box -type f -exec cksum {} + | sort)
expect 'a corpus agrees with its own goldens' 0 \
  '~^operator +agree +differ +missing +refused +flagged +undefined +depend +elements'$'\n''ARGMIN +40 +0 +0 +0 +0 +0 +0 +[1-9][0-9]*'$'\n''DIAGONAL_MATRIX1 +40 +0 +0 +0 +0 +0 +0 +[1-9][0-9]*'$'\n''NONZERO_COORDINATES +40 +0 +0 +0 +0 +0 +0 +[1-9][0-9]*'$'\n''SCATTER_ND +40 +0 +0 +0 +0 +0 +0 +[1-9][0-9]*'$'\n''$' \
  '' check corpus --actual-dir actual
truth 'check writes nothing' test "$before" == "$(find box -type f -exec cksum {} + | sort)"
truth 'generate writes the same goldens as run' \
  cmp box/corpus/nonzero_coordinates_000003.OutputCountTensor.golden.npy box/actual/nonzero_coordinates_000003.OutputCountTensor.npy

# One bit, the first of the first element, in one file of each operator. The data follows 128 bytes of header.
for file in argmin_000001.OutputTensor diagonal_matrix1_000002.OutputTensor nonzero_coordinates_000003.OutputCountTensor \
  scatter_nd_000004.OutputTensor; do
  flip box/actual/$file.npy 128
  expect "a bit flipped in $file" 1 \
    "~^${file%.*}.json: [A-Z0-9_]+: differs.*expected .* got .*case: [A-Z0-9_]+ .* seed=[0-9]+.* 39 +1 +0 " '' \
    check corpus --actual-dir actual
  flip box/actual/$file.npy 128
done
mv box/actual/argmin_000005.OutputTensor.npy box/kept.npy
expect '37.6: a missing file is counted, and the path is named' 1 \
  "~^argmin_000005.json: missing: 'actual/argmin_000005.OutputTensor.npy'"$'\n''operator .*ARGMIN +39 +0 +1 .*SCATTER_ND +40 +0 +0 ' \
  '' check corpus --actual-dir actual
cp box/actual/argmin_000001.OutputTensor.npy box/actual/argmin_000005.OutputTensor.npy
expect "another case's file" 1 '~ARGMIN +39 +1 +0 ' '' check corpus --actual-dir actual
mv box/kept.npy box/actual/argmin_000005.OutputTensor.npy
expect 'everything restored' 0 '~ARGMIN +40 +0 +0 ' '' check corpus --actual-dir actual
for path in box/actual/argmin_*; do flip "$path" 128; done
expect 'ten reports at most' 1 '~ARGMIN +[0-9]+ +[2-9][0-9] +0 ' '' check corpus --actual-dir actual
truth 'ten reports at most, counted' test "$(grep -c '^case: ' "$work/out")" == 10
mkdir -p box/mixed box/mixed_actual
cp box/corpus/argmin_00000[2-4].* box/corpus/scatter_nd_000007.* box/mixed
cp box/actual/argmin_00000[2-4].* box/actual/scatter_nd_000007.* box/mixed_actual
for path in box/mixed_actual/argmin_*; do flip "$path" 128; done  # restores them
expect 'four models' 0 '~ARGMIN +3 +0 +0 +0 .*SCATTER_ND +1 +0 +0 +0 ' '' check --unverified mixed --actual-dir mixed_actual
head -c 100 box/corpus/argmin_000002.json >box/mixed/argmin_000002.json
head -c 20 box/actual/scatter_nd_000007.OutputTensor.npy >box/mixed_actual/scatter_nd_000007.OutputTensor.npy
expect 'refused files do not stop the others, and are reported' 2 \
  '~^operator .*ARGMIN +2 +0 +0 +0 +0 +0 +0 +[1-9].*SCATTER_ND +0 +0 +0 +1 +0.*not read +0 +0 +0 +1 +0' \
  '~^mixed/argmin_000002.json:[0-9]+:[0-9]+: model M1: .*'$'\n''scatter_nd_000007.json: npy M20: ' check --unverified mixed --actual-dir mixed_actual
flip box/mixed_actual/argmin_000003.OutputTensor.npy 128
expect 'a refusal takes precedence over a difference' 2 '~ARGMIN +1 +1 +0 +0 ' '~M1' check --unverified mixed --actual-dir mixed_actual
if [[ -z ${GOLDML_WINE:-} ]]; then  # Wine follows Linux's links itself, and Windows has no such names
  ln -s ../corpus/argmin_000005.json box/mixed/argmin_000005.json
  rm box/mixed_actual/argmin_000004.OutputTensor.npy
  ln -s ../actual/argmin_000004.OutputTensor.npy box/mixed_actual/argmin_000004.OutputTensor.npy
  expect 'links are refused' 2 '~ARGMIN +0 +1 +0 +0 .*not read +0 +0 +0 +3 +0' \
    "~mixed/argmin_000004.json:[0-9]+:[0-9]+: commands.[0-9]+..targetPath: model M7: targetPath is .*argmin_000005.json: model M7: file is 'mixed/argmin_000005.json', wanted a model that is not a link" \
    check --unverified mixed --actual-dir mixed_actual
  hostile=$'\e[31m\nx\u202e'
  mkdir "box/$hostile"
  cp box/mixed/argmin_000003.* "box/$hostile"
  mv "box/$hostile/argmin_000003.json" "box/$hostile/$hostile.json"
  sed -i 1d "box/$hostile/$hostile.json"  # the line of its case, which the report would have instead of the model
  cp box/mixed/argmin_000002.json "box/$hostile/bad$hostile.json"
  expect 'hostile names' 2 '~^\?\[31m\?x\?.json: ARGMIN: differs.*case: goldml run .\?\[31m\?x\?/\?\[31m\?x\?.json.' \
    '~bad\?\[31m\?x\?.json:[0-9]+:[0-9]+: model M1' check --unverified "$hostile" --actual-dir mixed_actual
  truth 'hostile names are printed safely' bash -c "! LC_ALL=C grep -P '\\x1b|\\xe2\\x80' '$work/out' '$work/err'"
  command='$(touch pwned)`touch pwned`;touch pwned'
  mkdir "box/$command"
  cp "box/$hostile/$hostile.json" "box/$command/it's.json"
  cp box/mixed/argmin_000003.*.npy "box/$command"
  (cd box && "$tool" check --unverified "$command" --actual-dir mixed_actual) >out 2>/dev/null || true
  line=$(sed -n 's/^case: goldml //p' out)
  (cd box && eval "\"$tool\" $line --output-dir pasted" >/dev/null 2>&1) || line=
  truth 'C5: the line "case: goldml run FILE" is pasted into a shell' test -n "$line" -a ! -e box/pwned
  ln -s loop box/loop
  refused 'a folder whose name is too long' '~^model M9: folder is .aaa.*File name too long' \
    check "$(printf 'a%.0s' {1..5000})" --actual-dir actual
  refused 'a model with --actual-dir' '~^model M9: folder is .corpus/argmin_000000.json., wanted a folder that can be read .Not a dir' \
    check corpus/argmin_000000.json --actual-dir actual
  refused 'a folder that cannot be opened' '~^model M9: folder is .loop.*Too many levels' check loop --actual-dir actual
fi
mkdir box/nothing
expect 'all files are missing' 1 '~ARGMIN +0 +0 +40 +0' '' check corpus --actual-dir nothing
truth '37.6: ten missing files are named' test "$(grep -c ": missing: 'nothing/" "$work/out")" == 10
refused '37.6: --actual-dir does not exist' \
  "~^model M9: --actual-dir is 'nothere', wanted a folder that exists .No such file" check corpus --actual-dir nothere
refused '37.6: --actual-dir is a file' "~^model M9: --actual-dir is 'corpus/argmin_000000.json', wanted a folder that exists" \
  check corpus --actual-dir corpus/argmin_000000.json
mkdir box/empty
refused 'a folder without models' '~M9: folder is .empty., wanted a folder with models' check empty --actual-dir actual
refused 'a folder without --actual-dir' '~M2: --actual-dir is missing' check corpus
refused '--actual with a folder' '~M2: --actual is with a folder' check corpus --actual-dir actual --actual o=kept.npy

# The same seed gives the same bytes; the shards together are the whole corpus; the manifest is correct.
expect 'the same again' 0 '' '' generate SCATTER_ND --count 50 --seed 7 --output-dir whole
expect 'the same again' 0 '' '' generate SCATTER_ND --count 50 --seed 7 --output-dir again
expect 'another seed' 0 '' '' generate SCATTER_ND --count 50 --seed 8 --output-dir other
for shard in 0 1 2; do
  expect "shard $shard of 3" 0 '' '' generate SCATTER_ND --count 50 --seed 7 --shard $shard/3 --output-dir shards --append
done
truth 'one seed, the same bytes' diff -r box/whole box/again
truth 'another seed, other bytes' test "$(hashes whole)" != "$(hashes other)"
truth 'the shards together are the whole corpus' test "$(hashes whole)" == "$(hashes shards)"
truth 'a manifest for each shard' test "$(ls box/shards | grep -c '^manifest_scatter_nd_[012]_of_3.json$')" == 3
for folder in whole shards; do
  (cd box/$folder && cat manifest* | grep -o '"[^"]*": "[0-9a-f]\{64\}"' | sed 's/"\(.*\)": "\(.*\)"/\2  \1/' >../sums)
  truth "the SHA-256s of $folder" bash -c "cd box/$folder && sha256sum --check --quiet --strict ../sums"
  truth "the SHA-256 of each file of $folder" test "$(ls box/$folder | grep -vc '^manifest')" == "$(wc -l <box/sums)"
done
expect 'fewer cases than shards' 0 '' '' generate ARGMIN --count 2 --shard 3/4 --output-dir none
expect 'the maximum number of shards' 0 '' '' generate ARGMIN --count 3 --shard 1/18446744073709551615 --output-dir one
truth 'the maximum number of shards, one case' test "$(ls box/one | grep -c '^argmin_000001.json$')/$(ls box/one | grep -c '^argmin_.*json$')" == 1/1
truth 'fewer cases than shards, no case' test "$(ls box/none)" == manifest_argmin_3_of_4.json
for shard in '' 1 / 1/ /2 2/2 0/0 -1/2 a/b 1/2/3 1/2x ' 0/1'; do
  refused "--shard '$shard'" '~M2: --shard is ' generate ARGMIN --output-dir none --shard "$shard"
done
for number in -1 x 1.5 99999999999999999999; do
  refused "--count $number" '~--count' generate ARGMIN --output-dir none --count $number
  refused "--seed $number" '~--seed' generate ARGMIN --output-dir none --seed $number
  refused "--most-elements $number" '~--most-elements' generate ARGMIN --output-dir none --most-elements $number
done
refused 'no elements' '~--most-elements' generate ARGMIN --output-dir none --most-elements 0
refused 'an unknown operator' "~M5: operator is 'ROI_ALIGN_GRAE', .*did you mean 'ROI_ALIGN_GRAD'" generate ROI_ALIGN_GRAE --output-dir none
refused 'an operator that does not exist at the level' '~M4: --feature-level is 2_0, wanted at least 3_0' \
  generate ARGMIN --output-dir none --feature-level 2_0
refused 'no folder' '~--output-dir' generate ARGMIN
refused 'a file as folder' "~M9: folder is 'sums', wanted a new or empty folder .Not a dir" generate ARGMIN --output-dir sums
if [[ -z ${GOLDML_WINE:-} ]]; then
  for name in argmin_000000.json argmin_000000.InputTensor.npy argmin_000000.OutputTensor.golden.npy manifest_argmin.json; do
    mkdir -p box/linked
    echo mine >box/config
    ln -s ../config "box/linked/$name"
    refused "generate: $name is a link" "~^model M9: folder is 'linked', wanted a new or empty folder" \
      generate ARGMIN --count 1 --output-dir linked
    expect "generate: $name is a link --append" 2 '' "~^model M7: file is 'linked/$name', wanted a file that is not a link" \
      generate ARGMIN --count 1 --output-dir linked --append
    truth 'the target of the link is unchanged' test "$(cat box/config)" == mine
    rm -r box/linked
  done
  full_disk 'generate: a full disk' '~File too large' generate ARGMIN --count 200 --most-elements 16384 --output-dir filled
  truth 'generate on a full disk leaves no partial file' test -z "$(find box/filled -name '.goldml*' -o -size 8k)"
  refused 'generate on a full disk leaves a folder that check refuses' '~^manifest_argmin.json: model M12: manifest is of an unfinished corpus' \
    check filled --actual-dir actual
fi
for level in 2_1 3_0 4_0 4_1 5_1; do
  expect "SCATTER_ND at $level" 0 '' '' generate DML_OPERATOR_SCATTER_ND --count 5 --feature-level $level --output-dir level_$level
  for path in box/level_$level/scatter*.json; do
    expect "legal at $level" 0 '~^legal' '' validate "level_$level/${path##*/}" --feature-level $level
  done
done

# One model: its output has gaps. {{1,2},{3,4}} with strides {4,1} in 32 bytes.
matrix='"InputTensor": { "DataType": "INT32", "Sizes": [2, 2] }'
output='"OutputTensor": { "DataType": "INT32", "Sizes": [2, 2], "Strides": [4, 1] }'
copy='"type": "DIAGONAL_MATRIX1", "desc": { %s, %s, "ValueDataType": "INT32", "Value": 0, "DiagonalFillBegin": 0, "DiagonalFillEnd": 0 }'
copy=$(printf "\"op\": { $copy }" "$matrix" "$output")
resources='"in": { "initialValuesDataType": "INT32", "initialValues": [1, 2, 3, 4] },
  "out": { "initialValuesDataType": "INT32", "initialValues": { "valueCount": 8, "value": 0 } }'
dispatch='{ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "in", "OutputTensor": "out" } }'
model copy.json "$resources" "$copy" "$dispatch"
right='~^DIAGONAL_MATRIX1: agrees'$'\n''OutputTensor INT32 .2,2.: 4 compared, 0 ignored, 0 differ'$'\n''case: goldml run .copy.json.'$'\n''$'
agrees() {  # agrees NAME FILE
  expect "$1" 0 "$right" '' check copy.json --actual "out=$2"
}
mismatched() {  # mismatched NAME FILE TEXT
  expect "$1" 1 "~^DIAGONAL_MATRIX1: cannot be compared"$'\n'"OutputTensor: $3" '' check copy.json --actual "out=$2"
}
bytes 4 1 2 0 0 3 4 0 0 >box/buffer.bin
bytes 4 1 2 3 4 >box/packed.bin
npy buffer.npy '<i4' '(8,)' <box/buffer.bin
head -c 24 box/buffer.bin | npy enough.npy '<i4' '(6,)'
npy shaped.npy '<i4' '(2, 2)' <box/packed.bin
npy packed.npy '<i4' '(4,)' <box/packed.bin
head -c 24 box/buffer.bin >box/enough.bin
for form in buffer.npy enough.npy shaped.npy packed.npy buffer.bin enough.bin packed.bin; do agrees "$form" $form; done
bytes 4 1 2 99 98 3 4 0 0 >box/gaps.bin
npy gaps.npy '<i4' '(8,)' <box/gaps.bin
bytes 4 1 2 0 0 3 4 0 96 >box/outside.bin
npy outside.npy '<i4' '(8,)' <box/outside.bin
for form in bin npy; do
  expect "changed gaps are a note: $form" 0 \
    "~^DIAGONAL_MATRIX1: agrees.*resource 'out': note: wrote into padding or gaps: byte 8 is 0x63, was 0x00; 2 bytes changed" \
    '' check copy.json --actual out=gaps.$form
  expect "with --keep-gaps they are a difference: $form" 1 "~resource 'out': wrote into padding or gaps: byte 8 is 0x63" '' \
    check copy.json --actual out=gaps.$form --keep-gaps
  expect "a byte past TotalTensorSizeInBytes: $form" 1 \
    "~^DIAGONAL_MATRIX1: agrees.*resource 'out': wrote outside its tensors: byte 28 is 0x60, was 0x00; 1 byte changed" \
    '' check copy.json --actual out=outside.$form
done
# The half of a byte that no element of 4 bits has is free, also for who reads the byte.
half='"quantize": { "type": "QUANTIZE", "desc": { "InputTensor": { "DataType": "FLOAT32", "Sizes": [1, 1] }, "QuantizationType": "SCALE",
  "QuantizationTensorCount": 1, "QuantizationTensors": [{ "DataType": "FLOAT32", "Sizes": [1, 1] }], "OutputTensor": { "DataType": "INT4", "Sizes": [1, 1] } } },
  "read": { "type": "ELEMENT_WISE_IDENTITY", "desc": { "InputTensor": { "DataType": "UINT8", "Sizes": [1] }, "OutputTensor": { "DataType": "UINT8", "Sizes": [1] } } }'
half_resources='"x": { "initialValuesDataType": "FLOAT32", "initialValues": [2] }, "one": { "initialValuesDataType": "FLOAT32", "initialValues": [1] },
  "half": { "initialValuesDataType": "UINT8", "initialValues": { "valueCount": 4, "value": 0 } },
  "out": { "initialValuesDataType": "UINT8", "initialValues": { "valueCount": 4, "value": 0 } }'
model half.json "$half_resources" "$half" \
  '{ "type": "dispatch", "dispatchable": "quantize", "bindings": { "InputTensor": "x", "QuantizationTensors": ["one"], "OutputTensor": "half" } },
  { "type": "dispatch", "dispatchable": "read", "bindings": { "InputTensor": "half", "OutputTensor": "out" } }'
printf '\x72\x00\x00\x00' >box/garbage.bin
expect 'a free half byte that another operator reads' 3 '~depend' '' check half.json --actual out=garbage.bin
expect 'a free half byte of what is given' 3 "~ELEMENT_WISE_IDENTITY: cannot be judged in full.*  not known: bytes of 'half', or halves of bytes, that hold no element; --keep-gaps" \
  '' check half.json --actual half=garbage.bin --actual out=garbage.bin
truth 'it is not said to be missing' bash -c '! grep -q "not given" out'
expect 'with --keep-gaps it is known' 1 '~ELEMENT_WISE_IDENTITY: differs' '' check half.json --actual out=garbage.bin --keep-gaps
npy wide.npy '<i4' '(2, 4)' <box/buffer.bin
npy deep.npy '<i4' '(1, 2, 2)' <box/packed.bin
npy tall.npy '<i4' '(4, 1)' <box/packed.bin
npy float.npy '<f4' '(2, 2)' <box/packed.bin
npy unsigned.npy '<u4' '(8,)' <box/buffer.bin
bytes 8 1 2 3 4 | npy long.npy '<i8' '(2, 2)'
bytes 4 1 2 3 | npy short.npy '<i4' '(3,)'
npy none.npy '<i4' '(1099511627776, 0)' </dev/null
head -c 20 box/buffer.bin >box/between.bin
head -c 15 box/packed.bin >box/short.bin
: >box/none.bin
wanted=', wanted INT32 .2,2.'
mismatched 'a buffer in another shape' wide.npy "it is INT32 .2,4.$wanted"
mismatched 'a shape with one dimension more' deep.npy "it is INT32 .1,2,2.$wanted"
mismatched 'a column' tall.npy "it is INT32 .4,1.$wanted"
mismatched 'another type' float.npy "it is FLOAT32 .2,2.$wanted"
mismatched 'another type of a buffer' unsigned.npy "it is UINT32 .2,2.$wanted"
mismatched 'a wider type' long.npy "it is INT64 .2,2.$wanted"
mismatched 'too few elements' short.npy "it is INT32 .3.$wanted"
mismatched 'no elements' none.npy 'there is no output'
mismatched 'raw, neither packed nor the buffer' between.bin "it is UINT8 .20.$wanted"
mismatched 'raw, too short' short.bin "it is UINT8 .15.$wanted"
mismatched 'raw, empty' none.bin 'there is no output'
model named.json "$resources" "$copy" "$dispatch, { \"type\": \"writeFile\", \"resource\": \"out\", \"targetPath\": \"o.npy\", \"dimensions\": [2, 4] }"
expect 'a buffer in the shape that the model gives it' 0 '~agrees' '' check named.json --actual out=wide.npy
bytes 4 1 3 2 4 | npy transposed.npy '<i4' '(2, 2)'
expect 'transposed' 1 \
  $'=DIAGONAL_MATRIX1: differs\nOutputTensor INT32 {2,2}: 4 compared, 0 ignored, 2 differ\n  {0,1}: expected 2 (0x00000002), got 3 (0x00000003), off by +1\n    expected: 1 [2] 3 4\n    got:      1 [3] 2 4\n    input:    diagonal 1 is not filled: it is the input\'s element\n  {1,0}: expected 3 (0x00000003), got 2 (0x00000002), off by -1\n    expected: 1 2 [3] 4\n    got:      1 3 [2] 4\n    input:    diagonal -1 is not filled: it is the input\'s element\n  where it differs, 1 by 1 elements a character:\n    .X\n    X.\ncase: goldml run \'copy.json\'' \
  '' check copy.json --actual out=transposed.npy
# C5: a model whose name begins like an option, and a resource.
cp box/copy.json box/-x.json
expect 'C5: a name like an option' 1 "~case: goldml run './-x.json'"$'\n''$' '' check --actual out=transposed.npy --keep-gaps -- -x.json
line=$(sed -n 's/^case: goldml //p' "$work/out")
got=0
(cd box && eval "\"$tool\" $line" >"$work/out" 2>"$work/err") || got=$?
truth 'C5: a name like an option can be pasted' test $got == 0
sed 's/"out"/"-r"/' box/copy.json >box/-r.json
expect 'C5: a resource like an option' 1 '~differs' '' check --actual=-r=transposed.npy --report dashes -- -r.json
line=$(sed -n 's,^<pre>goldml \(.*\)</pre>$,\1,p' box/dashes/index.html)
got=0
(cd box && eval "\"$tool\" $line" >"$work/out" 2>"$work/err") || got=$?
truth "C5: the page's command of it can be pasted" test "$got $line" == "1 check './-r.json' --actual='-r=transposed.npy'"
rm box/-x.json box/-r.json
refused 'an unknown resource' "~M3: --actual is 'none'" check copy.json --actual none=packed.bin
refused 'a resource that no dispatch writes' "~M3: --actual is 'in', wanted a resource that a dispatch writes" \
  check copy.json --actual in=packed.bin
for actual in '' out = =packed.bin out=; do
  refused "--actual '$actual'" '~--actual' check copy.json --actual "$actual"
done
refused 'one resource twice' "~M2: --actual is 'out' again" check copy.json --actual out=packed.bin --actual out=transposed.npy
refused 'nothing to judge' '~M2: --actual is missing' check copy.json
refused 'a missing file' '~M9: actual is ' check copy.json --actual out=nowhere.bin
refused 'a missing .npy file' '~M22: ' check copy.json --actual out=nowhere.npy
head -c 140 box/shaped.npy >box/cut.npy
refused 'a truncated .npy file' '~M20: ' check copy.json --actual out=cut.npy
refused 'a file beyond --max-memory' '~M8: ' check copy.json --actual out=packed.bin --max-memory 15
refused 'a missing model' '~M9' check nowhere.json --actual out=packed.bin

# Unsorted Axes: the least of {{5,4,9},{1,7,3}} is number 3 in row-major order, 1 in column-major order.
model unsorted.json '"x": { "initialValuesDataType": "INT32", "initialValues": [5, 4, 9, 1, 7, 3] }, "y": { "initialValuesDataType": "UINT32", "initialValues": [9] }' \
  '"op": { "type": "ARGMIN", "desc": { "InputTensor": { "DataType": "INT32", "Sizes": [2, 3] }, "OutputTensor": { "DataType": "UINT32", "Sizes": [1, 1] }, "Axes": [1, 0], "AxisDirection": 0 } }' \
  '{ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "x", "OutputTensor": "y" } }'
for index in 1 2 3; do bytes 4 $index >box/$index.bin; done
expect 'unsorted Axes, in ascending order' 0 '~^ARGMIN: agrees' '' check unsorted.json --actual y=3.bin
expect 'unsorted Axes, in the order of the list' 0 '~^ARGMIN: tolerated and flagged: ' '' check unsorted.json --actual y=1.bin
expect 'unsorted Axes, in the order of the list, --strict' 1 '~^ARGMIN: differs' '' check unsorted.json --actual y=1.bin --strict
expect 'unsorted Axes, in neither order' 1 '~^ARGMIN: differs' '' check unsorted.json --actual y=2.bin

# Several dispatches: each output is judged if it was not overwritten; gaps keep their contents.
second='{ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "in", "OutputTensor": { "name": "out", "elementOffset": 8 } } }'
model two.json "${resources/8, \"value\": 0/16, \"value\": 7}" "$copy" "$dispatch, $second"
bytes 4 1 2 7 7 3 4 7 7 1 2 7 7 3 4 7 7 >box/both.bin
expect 'two outputs in one buffer' 0 '~agrees.*agrees' '' check two.json --actual out=both.bin
bytes 4 1 2 7 7 9 4 7 7 1 2 7 7 3 4 7 7 >box/both.bin
expect 'the first of two is wrong' 1 '~differs.*agrees' '' check two.json --actual out=both.bin
bytes 4 1 2 7 7 3 4 7 7 1 9 7 7 3 4 7 7 >box/both.bin
expect 'the second of two is wrong' 1 '~agrees.*differs' '' check two.json --actual out=both.bin
whole=$(printf "\"whole\": { ${copy#*\{ }" | sed 's/\[2, 2\], "Strides": \[4, 1\]/[2, 4]/; s/\[2, 2\]/[2, 4]/')
model chain.json "${resources/8, \"value\": 0/8, \"value\": 7}, \"last\": { \"initialValuesDataType\": \"INT32\", \"initialValues\": { \"valueCount\": 8, \"value\": 0 } }" \
  "$copy, $whole" "$dispatch, { \"type\": \"dispatch\", \"dispatchable\": \"whole\", \"bindings\": { \"InputTensor\": \"out\", \"OutputTensor\": \"last\" } }, { \"type\": \"writeFile\", \"resource\": \"last\", \"targetPath\": \"last.bin\" }"
expect 'a chain' 0 '' '' run chain.json --output-dir .
expect 'a chain that reads gaps, which a device may change' 3 '~6 compared, 0 ignored, 0 differ.*2 not judged: they depend on' '' check chain.json --actual last=last.bin
truth 'gaps keep their bytes' cmp box/last.bin <(bytes 4 1 2 7 7 3 4 7 7)

# Collisions: run refuses them, check accepts any of the updates.
scatter='"op": { "type": "SCATTER_ND", "desc": { "InputTensor": { "DataType": "INT32", "Sizes": [4] }, "IndicesTensor": { "DataType": "INT32", "Sizes": [3, 1] },
  "UpdatesTensor": { "DataType": "INT32", "Sizes": [3] }, "OutputTensor": { "DataType": "INT32", "Sizes": [4] }, "InputDimensionCount": 1, "IndicesDimensionCount": 2 } }'
scatter=${scatter//\"Sizes\": \[4\]/\"Sizes\": [1, 4]}
scatter=${scatter/\"Sizes\": \[3\]/\"Sizes\": [1, 3]}
scatter_resources='"x": { "initialValuesDataType": "INT32", "initialValues": [1, 2, 3, 4] }, "i": { "initialValuesDataType": "INT32", "initialValues": [1, 0, -3] },
  "u": { "initialValuesDataType": "INT32", "initialValues": [10, 20, 30] }, "y": { "initialValuesDataType": "INT32", "initialValues": [0, 0, 0, 0] }'
bindings='{ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "x", "IndicesTensor": "i", "UpdatesTensor": "u", "OutputTensor": "y" } }, { "type": "print", "resource": "y" }'
model collide.json "$scatter_resources" "$scatter" "$bindings"
refused 'collisions are not run' '~SCATTER_ND S11' run collide.json
bytes 4 20 10 3 4 >box/first.bin
bytes 4 20 30 3 4 >box/last.bin
bytes 4 20 2 3 4 >box/neither.bin
expect 'the first wins' 0 '~agrees' '' check collide.json --actual y=first.bin
expect 'the last wins' 0 '~agrees' '' check collide.json --actual y=last.bin
expect 'none of the updates' 1 '~expected 30 .0x0000001E. or 10 .0x0000000A., got 2 ' '' check collide.json --actual y=neither.bin
expect 'last_wins is run' 0 "=Resource 'y': 20, 30, 3, 4" '' run collide.json --policy duplicates=last_wins
expect 'last_wins: the last' 0 '~agrees' '' check collide.json --actual y=last.bin --policy duplicates=last_wins
expect 'last_wins: the first' 1 '~differs' '' check collide.json --actual y=first.bin --policy duplicates=last_wins
model outside.json "${scatter_resources/-3/4}" "$scatter" "$bindings"
refused 'an index out of range is not run' '~SCATTER_ND S10' run outside.json
expect 'an index out of range leaves nothing to compare' 3 \
  '~^SCATTER_ND: tolerated, nothing to compare: no element is defined'$'\n''OutputTensor INT32 .1,4.: 0 compared, 4 ignored, 0 differ' '' \
  check outside.json --actual y=last.bin
bytes 4 1 2 3 >box/short.bin
expect 'an output of another size is not tolerated' 1 '~cannot be compared' '' check outside.json --actual y=short.bin
mkdir -p box/open box/open_actual
write=', { "type": "writeFile", "resource": "y", "targetPath": "%s.bin" }'
model open/outside.json "${scatter_resources/-3/4}" "$scatter" "$bindings$(printf "$write" outside)"
cp box/last.bin box/open_actual/outside.bin
expect 'a corpus without a defined element' 3 '~SCATTER_ND +0 +0 +0 +0 +0 +1 +0' '' check open --actual-dir open_actual --unverified
model open/collide.json "$scatter_resources" "$scatter" "$bindings$(printf "$write" collide)"
cp box/last.bin box/open_actual/collide.bin
expect 'with outputs that agree, it is counted and reported' 0 '~SCATTER_ND +1 +0 +0 +0 +0 +1 +0 +4' '' \
  check open --actual-dir open_actual --unverified
cp box/neither.bin box/open_actual/collide.bin
expect 'a difference takes precedence' 1 '~SCATTER_ND +0 +1 +0 +0 +0 +1 +0 +4' '' check open --actual-dir open_actual --unverified
expect 'and so does a missing file' 1 '~SCATTER_ND +0 +0 +2 +0 +0 +0 +0' '' check open --actual-dir nothing --unverified
expect 'clamped' 0 "=Resource 'y': 20, 10, 3, 30" '' run outside.json --policy range_policy=clamp
expect 'dropped' 0 "=Resource 'y': 20, 10, 3, 4" '' run outside.json --policy range_policy=drop --policy in_place=false
bytes 4 20 10 3 30 >box/clamped.bin
expect 'clamped, judged' 0 '~agrees' '' check outside.json --actual y=clamped.bin --policy range_policy=clamp
expect 'dropped, judged' 1 '~differs' '' check outside.json --actual y=clamped.bin --policy range_policy=drop

# 16384 tuples that all select one slice of 8192 elements: 134 million candidates, read from 24575 integers.
integers() {  # integers NAME COUNT DELTA: a resource with 0, DELTA, 2 DELTA, ...
  printf '"%s": { "initialValuesDataType": "INT32", "initialValues": { "valueCount": %s, "valueStart": 0, "valueDelta": %s } }' "$@"
}
row='{ "DataType": "INT32", "Sizes": [1, 8192] }'
model attack.json "$(integers x 8192 0), $(integers i 1 0), $(integers u 24575 1), $(integers y 8192 0)" \
  "\"op\": { \"type\": \"SCATTER_ND\", \"desc\": { \"InputTensor\": $row, \"OutputTensor\": $row,
  \"IndicesTensor\": { \"DataType\": \"INT32\", \"Sizes\": [16384, 1], \"Strides\": [0, 1] },
  \"UpdatesTensor\": { \"DataType\": \"INT32\", \"Sizes\": [16384, 8192], \"Strides\": [1, 1] },
  \"InputDimensionCount\": 2, \"IndicesDimensionCount\": 2 } }" "${bindings%%, \{ \"type\": \"print\"*}"
model first_wins.json "$(integers x 8192 1)" '' '{ "type": "writeFile", "resource": "x", "targetPath": "first_wins.bin" }'
expect 'the updates of the first tuple' 0 '' '' run first_wins.json --output-dir .
# Limits the address space to little more than the program needs, if the system supports it.
bounded=$tool
if [[ -z ${GOLDML_WINE:-} ]] && (ulimit -v 262144 && "$tool" --version) >"$work/out" 2>"$work/err"; then
  bounded=$work/bounded
  printf '#!/bin/sh\nulimit -v 262144\nexec "%s" "$@"\n' "$tool" >"$bounded"
  chmod +x "$bounded"
  echo 'address space is bounded: 256 MiB'
fi
tool_before=$tool
tool=$bounded
expect 'many candidates, the first wins' 0 '~8192 compared, 0 ignored, 0 differ' '' check attack.json --actual y=first_wins.bin \
  --max-memory 64mb
expect 'many candidates, little memory' 0 '~8192 compared, 0 ignored, 0 differ' '' check attack.json --actual y=first_wins.bin \
  --max-memory 512kb
refused 'many candidates, too little memory' '~^model M8: check is [0-9]+ bytes for the golden answer, wanted at most' \
  check attack.json --actual y=first_wins.bin --max-memory 256kb
refused 'more work than allowed' '~^model M11: commands is 16110064520 units of work, wanted at most 16110064519' \
  check attack.json --actual y=first_wins.bin --max-work 16110064519
tool=$tool_before

# NaN, subnormals, zeros and distances.
argmin='"op": { "type": "ARGMIN", "desc": { "InputTensor": { "DataType": "FLOAT32", "Sizes": [3] }, "OutputTensor": { "DataType": "UINT32", "Sizes": [1] }, "Axes": [0], "AxisDirection": 0 } }'
argmin_model() {  # argmin_model FILE VALUES
  model "$1" "\"x\": { \"initialValuesDataType\": \"FLOAT32\", \"initialValues\": $2 }, \"y\": { \"initialValuesDataType\": \"UINT32\", \"initialValues\": [9] }" \
    "$argmin" '{ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "x", "OutputTensor": "y" } }, { "type": "print", "resource": "y" }'
}
argmin_model nan.json '[4, "nan", 3]'
argmin_model all_nan.json '["nan", "nan", "-nan"]'
argmin_model least.json '[0, -1e-45, 1]'
for index in 0 1 2 3; do bytes 4 $index >box/$index.bin; done
expect 'NaN is skipped' 0 "=Resource 'y': 2" '' run nan.json
expect 'NaN propagates' 0 "=Resource 'y': 1" '' run nan.json --policy nan_policy=propagate
expect 'NaN is skipped, judged' 1 '~differs' '' check nan.json --actual y=1.bin
expect 'NaN propagates, judged' 0 '~agrees' '' check nan.json --actual y=1.bin --policy nan_policy=propagate
for index in 0 1 2; do expect "NaN only: $index" 0 '~agrees' '' check all_nan.json --actual y=$index.bin; done
expect 'NaN only: 3' 1 '~or any index from 0 to 2, got 3' '' check all_nan.json --actual y=3.bin
expect 'a subnormal is less than zero' 0 '~agrees' '' check least.json --actual y=1.bin
expect 'flushed in a comparison, by default' 0 '~agrees' '' check least.json --actual y=0.bin
expect 'flushed, --strict' 1 '~differs' '' check least.json --actual y=0.bin --strict
expect 'not flushed, --strict' 0 '~agrees' '' check least.json --actual y=1.bin --strict
expect 'wrong in either case' 1 '~expected 1 .0x00000001. or 0 .0x00000000. where subnormals are flushed, got 2' '' check least.json --actual y=2.bin
for policy in nan nan_policy nan_policy= nan_policy=skipped nan_policy=SKIP =skip '' skip nan_policy:skip; do
  refused "--policy '$policy'" '~policy' run nan.json --policy "$policy"
done
refused 'a policy that is true or false' '~in_place' run collide.json --policy in_place=1
copy=${copy//INT32/FLOAT32}
model floats.json "${resources//INT32/FLOAT32}" "$copy" "$dispatch"
sed -i 's/\[1, 2, 3, 4\]/[0, 1, "nan", 2]/' box/floats.json
bytes 4 $((0x80000000)) $((0x3F800001)) $((0xFF800001)) $((0x40000000)) >box/floats.bin
judge() {  # judge NAME STATUS OPTIONS...
  expect "$1" "$2" '~DIAGONAL_MATRIX1' '' check floats.json --actual out=floats.bin "${@:3}"
}
judge 'floats by bits' 1
judge 'either zero' 1 --either-zero
judge 'either zero, one ULP' 0 --either-zero --ulp 1
judge 'either zero, one ULP, NaN judged strictly' 1 --either-zero --ulp 1 --strict
judge 'one ULP' 1 --ulp 1
judge 'a tolerance' 0 --either-zero --absolute 1e-6
judge 'a smaller tolerance' 1 --either-zero --absolute 1e-8
judge 'a relative tolerance' 0 --either-zero --relative 1e-6
# 2048 + 1.5 in FLOAT16, whose numbers there are 2 apart: 2050 (0x6801) to nearest, 2048 (0x6800) toward zero.
cat >box/halves.json <<'END'
{
  "resources": {
    "a": { "initialValuesDataType": "FLOAT16", "initialValues": [2048, 0] },
    "b": { "initialValuesDataType": "FLOAT16", "initialValues": [1.5, 0] },
    "out": { "initialValuesDataType": "FLOAT16", "initialValues": [0, 0] }
  },
  "dispatchables": {
    "op": {
      "type": "ELEMENT_WISE_ADD",
      "desc": {
        "ATensor": { "DataType": "FLOAT16", "Sizes": [2] },
        "BTensor": { "DataType": "FLOAT16", "Sizes": [2] },
        "OutputTensor": { "DataType": "FLOAT16", "Sizes": [2] }
      }
    }
  },
  "commands": [
    { "type": "dispatch", "dispatchable": "op", "bindings": { "ATensor": "a", "BTensor": "b", "OutputTensor": "out" } },
    { "type": "print", "resource": "out" }
  ]
}
END
expect 'FLOAT16 to nearest' 0 "=Resource 'out': 2050, 0" '' run halves.json
bytes 2 $((0x6800)) 0 >box/halves.bin
expect 'FLOAT16 toward zero' 0 '~agrees' '' check halves.json --actual out=halves.bin
expect 'FLOAT16 toward zero, --nearest-even' 1 '~differs' '' check halves.json --actual out=halves.bin --nearest-even
bytes 2 $((0x6801)) 0 >box/halves.bin
expect 'FLOAT16 to nearest, --nearest-even' 0 '~agrees' '' check halves.json --actual out=halves.bin --nearest-even
sed 's/FLOAT16/FLOAT32/; s/ELEMENT_WISE_ADD/ELEMENT_WISE_DIVIDE/; s/\[2048, 0\]/[3, 1]/; s/\[1.5, 0\]/[3, 1]/' box/halves.json >box/quotients.json
bytes 4 $((0x3F7FFFF8)) $((0x3F800000)) >box/quotients.bin  # 3/3 is 0.9999995
expect 'A3: an approximate reciprocal' 0 '~1 suspicious' '' check quotients.json --actual out=quotients.bin
expect 'A3: an approximate reciprocal, --rcp refuse' 1 '~differs' '' check quotients.json --actual out=quotients.bin --rcp refuse
expect 'A3: --functions close is about functions' 0 '~1 suspicious' '' check quotients.json --actual out=quotients.bin --functions close
bytes 4 0 $((0x3F800000)) $((0xFF800001)) $((0x40000000)) >box/floats.bin
judge 'another NaN, moved' 0
judge 'another NaN, moved, judged strictly' 1 --strict
sed -i 's/\[0, 1, "nan", 2\]/[1e-45, 1, "nan", 2]/' box/floats.json
judge 'a subnormal that is only moved is not flushed' 1
for distance in -1 x 99999999999999999999 1.5; do
  refused "--ulp $distance" '~--ulp' check floats.json --actual out=floats.bin --ulp $distance
done
for tolerance in -1 nan inf 1e999 x; do
  refused "--absolute $tolerance" '~--absolute' check floats.json --actual out=floats.bin --absolute $tolerance
  refused "--relative $tolerance" '~--relative' check floats.json --actual out=floats.bin --relative $tolerance
done
refused '--ulp and --absolute' '~excludes' check floats.json --actual out=floats.bin --ulp 1 --absolute 1

# F5: the fit of a product, right and coarse, in the report, as JSON, as a page, merged, and with --fit.
python3 - <<'END'
import json, random, struct
random.seed(1)
m, k = 16, 64
a, b = ([struct.unpack("f", struct.pack("f", random.gauss(0, 1)))[0] for _ in range(m * k)] for _ in range(2))
y = [sum(a[i * k + l] * b[l * m + j] for l in range(k)) for i in range(m) for j in range(m)]
tensor = lambda *sizes: {"DataType": "FLOAT32", "Sizes": [1, 1, *sizes]}
open("box/product.json", "w").write(json.dumps({
    "resources": {name: {"initialValuesDataType": "FLOAT32", "initialValues": values}
                  for name, values in (("a", a), ("b", b), ("out", [0] * m * m))},
    "dispatchables": {"op": {"type": "DML_OPERATOR_GEMM", "desc": {
        "ATensor": tensor(m, k), "BTensor": tensor(k, m), "CTensor": None, "OutputTensor": tensor(m, m),
        "TransA": "NONE", "TransB": "NONE", "Alpha": 1, "Beta": 1, "FusedActivation": None}}},
    "commands": [{"type": "dispatch", "dispatchable": "op",
                  "bindings": {"ATensor": "a", "BTensor": "b", "OutputTensor": "out"}}]}))
for name, factor in (("right", 1), ("coarse", 1 + 2**-18)):
    open(f"box/{name}.bin", "wb").write(struct.pack(f"{m * m}f", *(x * factor for x in y)))
END
for options in '' --fit; do
  expect "F5: a right product $options" 0 '~fit: 0.* of FLOAT32 \(RMS over 256 of 256 elements, largest ' '' \
    check product.json --actual out=right.bin $options
done
coarse='~; coarser, and no known arithmetic explains it'
expect 'F5: a coarse product' 0 "$coarse" '' check product.json --actual out=coarse.bin --report coarse
truth 'F5: the page of a coarse product has the histogram' \
  bash -c "grep -q 'GEMM: [0-9.]* of FLOAT32 (RMS over 1 output); 1 does not fit' box/coarse/index.html && grep -q '<table class=.histogram.>' box/coarse/index.html"
expect 'F5: a coarse product, --fit' 1 "$coarse" '' check product.json --actual out=coarse.bin --fit
(cd box && "$tool" check product.json --actual out=coarse.bin --json >coarse.out)
expect 'F5: a coarse product, as JSON' 0 '~"fit":\[\{"output":"OutputTensor","outcome":"coarser","rms":' '' merge coarse.out --json
expect 'F5: a coarse product, merged' 0 '~fit of GEMM: [0-9.]* of FLOAT32 \(RMS over 1 output\); 1 does not fit' '' merge coarse.out

# A4, A9: what overflows on the way, and what is hardly tested, in the report, as JSON, as a page and merged.
powers='REDUCE InputTensor=FLOAT32{1}:{100} OutputTensor=FLOAT32{1} Function=LOG_SUM_EXP Axes={0}'
bytes 4 $((0x7F800000)) >box/infinite.bin
overflow='overflowed on the way to a finite result \(ledger RE-R2\)'
check_powers=(check --case "$powers" --actual OutputTensor=infinite.bin)
expect 'A4: an overflow on the way is counted' 0 "~^REDUCE: agrees.* 0 differ"$'\n'"  note: 1 $overflow"$'\n' '' "${check_powers[@]}"
for option in --stable --strict; do
  expect "A4: an overflow on the way, $option" 1 '~^REDUCE: differs.*expected 100 .*got inf' '' "${check_powers[@]}" $option
done
expect 'A4: the same as JSON' 0 '~"outcome":"agrees","compared":1,"differing":0,"overflowed":1' '' "${check_powers[@]}" --json
cp "$work/out" box/overflow.json
expect 'A4: the same, merged' 0 "~elements that $overflow: 1" '' merge overflow.json
expect 'A4: the same as JSON, --stable' 1 '~"outcome":"differs","compared":1,"differing":1,"report"' '' "${check_powers[@]}" --json --stable
expect 'A4: the same, as a page' 0 '~agrees' '' "${check_powers[@]}" --report overflow_page
truth 'A4: the page counts it' grep -qE "^<p>elements that $overflow: 1</p>" box/overflow_page/index.html
expect 'A4: a page, --stable' 1 '~differs' '' "${check_powers[@]}" --report stable_page --stable
truth 'A4: the page, --stable, has the difference and no count' \
  bash -c "grep -q 'got inf' box/stable_page/index.html && ! grep -q overflowed box/stable_page/index.html"
bytes 4 $((0x42C80000)) >box/hundred.bin
expect 'A4: the finite result, --stable' 0 '=REDUCE: agrees'$'\n''OutputTensor FLOAT32 {1}: 1 compared, 0 ignored, 0 differ'$'\n'"case: $powers" \
  '' check --case "$powers" --actual OutputTensor=hundred.bin --stable
sum='REDUCE InputTensor=FLOAT32{3}:{1e8,1,-1e8} OutputTensor=FLOAT32{1} Function=SUM Axes={0}'
bytes 4 $((0x3F800000)) >box/one.bin
hardly='hardly tested: the accepted interval is too wide to find most faults'
check_sum=(check --case "$sum" --actual OutputTensor=one.bin)
expect 'A9: what is hardly tested is counted' 0 "~^REDUCE: agrees.* 0 differ"$'\n'"  note: 1 $hardly"$'\n' '' "${check_sum[@]}"
expect 'A9: the same as JSON' 0 '~"differing":0,"hardly_tested":1' '' "${check_sum[@]}" --json
cp "$work/out" box/hardly.json
expect 'A9: the same, merged' 0 "~elements $hardly: 1" '' merge hardly.json
expect 'A9: the same, as a page' 0 '~agrees' '' "${check_sum[@]}" --report hardly_page
truth 'A9: the page counts it' grep -q "^<p>elements $hardly: 1</p>" box/hardly_page/index.html
bytes 4 $((0x4D3EBC20)) >box/two.bin
mkdir -p box/second
cp box/two.bin box/second/two.bin
again=(check --case "${sum/-1e8/1e8}" --actual OutputTensor=two.bin --again second)
expect 'MV-R3: two runs that agree' 0 '~^REDUCE: agrees' '' "${again[@]}"
bytes 4 $((0x4D3EBC21)) >box/second/two.bin
race='two runs differ in 1 of 1 elements, first at \{0\}: a race, not rounding'
expect 'MV-R3: two runs that differ' 1 "~OutputTensor: $race" '' "${again[@]}"
expect 'MV-R3: the same as JSON' 1 '~"outcome":"differs","compared":1,"differing":0,"racing":1' '' "${again[@]}" --json
cp "$work/out" box/racing.json
expect 'MV-R3: the same, merged' 1 '~elements that differ between two runs: a race, not rounding \(ledger MV-R3\): 1' '' merge racing.json
expect 'MV-R3: no folder' 2 '' "~M9: --again is 'third', wanted a folder that exists" check --case "$sum" --actual OutputTensor=two.bin --again third
expect 'A9: a sum that does not cancel' 0 '~^REDUCE: agrees.* 0 differ'$'\n''  fit: [^:]*'$'\n''case' '' \
  check --case "${sum/-1e8/1e8}" --actual OutputTensor=two.bin

# A cache that a function has written is known to a device's own numbers only; written by hand it is known exactly.
float() { printf '{ "initialValuesDataType": "FLOAT32", "initialValues": [%s] }' "$1"; }
cache() { printf '{ "DataType": "FLOAT32", "Sizes": %s }' "$1"; }
model cache.json "\"q\": $(float 1), \"k\": $(float 2), \"v\": $(float 3), \"x\": $(float '0.5, 0'), \"keys\": $(float '0, 0'),
  \"values\": $(float '8, 0'), \"out\": $(float 0), \"length\": { \"initialValuesDataType\": \"INT32\", \"initialValues\": [1] }" \
  "\"exp\": { \"type\": \"DML_OPERATOR_ELEMENT_WISE_EXP\", \"desc\": { \"InputTensor\": $(cache '[1,1,2,1]'), \"OutputTensor\": $(cache '[1,1,2,1]') } },
  \"attention\": { \"type\": \"DML_OPERATOR_MULTIHEAD_ATTENTION1\", \"desc\": { \"QueryTensor\": $(cache '[1,1,1]'), \"KeyTensor\": $(cache '[1,1,1]'),
    \"ValueTensor\": $(cache '[1,1,1]'), \"PastSequenceLengthsTensor\": { \"DataType\": \"INT32\", \"Sizes\": [1] }, \"OutputTensor\": $(cache '[1,1,1]'),
    \"OutputPresentKeyTensor\": $(cache '[1,1,2,1]'), \"OutputPresentValueTensor\": $(cache '[1,1,2,1]'), \"Scale\": 1, \"MaskFilterValue\": -10000,
    \"QueryHeadCount\": 1, \"KeyValueHeadCount\": 1, \"MaskType\": \"DML_MULTIHEAD_ATTENTION_MASK_TYPE_NONE\" } }" \
  '{ "type": "dispatch", "dispatchable": "exp", "bindings": { "InputTensor": "x", "OutputTensor": "keys" } },
   { "type": "dispatch", "dispatchable": "attention", "bindings": { "QueryTensor": "q", "KeyTensor": "k", "ValueTensor": "v",
     "PastSequenceLengthsTensor": "length", "OutputTensor": "out", "OutputPresentKeyTensor": "keys", "OutputPresentValueTensor": "values" } },
   { "type": "writeFile", "resource": "out", "targetPath": "out.npy" }'
(cd box && "$tool" run cache.json --output-dir cache >/dev/null)
refused 'M24: a cache that a function wrote, and that is not given' \
  "~M24: --actual is none for what OutputPresentKeyTensor contains before command 1, wanted --actual for each intermediate" \
  check cache.json --actual out=cache/out.npy

summary
