#!/usr/bin/env bash
# check_corpus.sh TOOL SOURCE_DIR: `goldml generate` writes into a new or empty folder, except with --append, and
# `goldml check` compares a corpus with its manifests before it uses it.
set -euo pipefail
source "$(dirname "$0")/functions.sh"

mkdir -p box
expect 'a corpus' 0 '' '' generate ARGMIN --count 12 --output-dir corpus
expect 'another operator, appended' 0 '' '' generate SLICE1 --count 5 --output-dir corpus --append
for path in box/corpus/[a-ln-z]*_0*.json; do
  (cd box && "$tool" run "corpus/${path##*/}" --output-dir actual >"$work/out" 2>"$work/err") || report "run ${path##*/}" failed
done
verified='~^operator .*ARGMIN +12 +0 +0 +0 .*SLICE1 +5 +0 +0 +0 '
expect 'M12: a corpus of two operators matches its manifests' 0 "$verified" '' check corpus --actual-dir actual

# A folder that is not empty.
refused 'M12: generate refuses a folder that is not empty' \
  "~^model M9: folder is 'corpus', wanted a new or empty folder .--append adds to existing files and replaces none" \
  generate SCATTER_ND --count 5 --output-dir corpus
refused 'M12: --append replaces no corpus' "~^model M9: file is 'corpus/manifest_argmin.json', wanted the name of a new file" \
  generate ARGMIN --count 12 --output-dir corpus --append
mkdir box/bare
expect 'M12: an empty folder is accepted' 0 '' '' generate ARGMIN --count 2 --output-dir bare
mkdir box/nested box/nested/folder
refused 'M12: a folder that contains a folder is not empty' '~^model M9: folder is .nested.' generate ARGMIN --output-dir nested
refused 'generate has no --overwrite' '~--overwrite' generate ARGMIN --count 12 --output-dir corpus --overwrite

# Every file of a case: changed by one bit, missing; and an unlisted file.
for file in argmin_000003.json argmin_000004.InputTensor.npy slice1_000001.OutputTensor.golden.npy; do
  cp "box/corpus/$file" box/kept
  printf '\x01' | dd of="box/corpus/$file" bs=1 seek=90 conv=notrunc status=none
  refused "M12: $file changed" "=$file: model M12: file is changed, wanted the SHA-256 of the manifest" \
    check corpus --actual-dir actual
  rm "box/corpus/$file"
  refused "M12: $file missing" "=$file: model M12: file is missing, wanted every file of the manifest" \
    check corpus --actual-dir actual
  cp box/kept "box/corpus/$file"
done
for file in argmin_000099.json argmin_000003.OutputTensor.npy notes.txt; do
  cp box/corpus/argmin_000003.json "box/corpus/$file"
  refused "M12: $file added" "=$file: model M12: file is added, wanted only files of a manifest" check corpus --actual-dir actual
  rm "box/corpus/$file"
done
mv box/corpus/manifest_argmin.json box/kept
refused 'M12: a manifest missing: its files count as added' '~^argmin_000000.InputTensor.npy: model M12: file is added' \
  check corpus --actual-dir actual
sed '/"argmin_000007"/d' box/kept >box/corpus/manifest_argmin.json
refused 'M12: a case removed from the manifest' \
  '=manifest_argmin.json: model M12: cases is 11 of them, wanted 12 (by the manifest'"'s count)" check corpus --actual-dir actual
sed 's/"count": 12/"count": 13/' box/kept >box/corpus/manifest_argmin.json
refused 'M12: a count that is not the number of cases' '~^manifest_argmin.json: model M12: cases is 12 of them, wanted 13' \
  check corpus --actual-dir actual
mv box/kept box/corpus/manifest_argmin.json
expect 'M12: everything restored' 0 "$verified" '' check corpus --actual-dir actual

# Folders of models without a manifest.
mkdir box/plain
cp box/corpus/argmin_00000[0-3].* box/plain
refused 'M12: no manifest' '~^plain: model M12: manifest is missing' check plain --actual-dir actual
expect 'no manifest, --unverified' 0 '~ARGMIN +4 +0 +0 +0 ' '' check plain --actual-dir actual --unverified

# One shard of three is a corpus; the manifest has its number of cases.
mkdir box/nothing
for shard in 2 0; do
  expect "shard $shard" 0 '' '' generate ARGMIN --count 11 --shard $shard/3 --output-dir shards --append
  expect "shard $shard, verified" 1 '~ARGMIN +0 +0 +[37] +0' '' check shards --actual-dir nothing
done

# Several operators in one call.
expect '37.6: generate takes several operators' 0 '' '' generate ARGMIN SLICE1 --count 3 --output-dir several
expect '37.6: whose corpora are verified' 1 '~ARGMIN +0 +0 +3 .*SLICE1 +0 +0 +3 ' '' check several --actual-dir nothing
refused '37.6: an operator twice' "=model M2: operator is 'ARGMIN' again, wanted each operator once" \
  generate ARGMIN SLICE1 ARGMIN --output-dir twice
refused '37.6: a selection that only the first has' '~^case M10: .*NAME of SLICE1' generate ARGMIN SLICE1 --attribute Axes={0} --output-dir half
refused '37.6: a level that only the second has' "~M4: --feature-level is 2_1, wanted at least 3_0 .ARGMIN does not exist below it" \
  generate SLICE1 ARGMIN --feature-level 2_1 --output-dir half
for count in 0 -1 many 99999999999999999999; do
  refused "37.6: --count $count" '~--count: wanted at least one case' generate ARGMIN --count $count --output-dir half
done

# Interrupted by SIGKILL, in a separate folder and in one with a complete corpus.
interrupted() {  # interrupted FOLDER: `generate` is killed after it has written a case
  local first="box/$1/nonzero_coordinates_000000.json" try
  (cd box && exec "$tool" generate NONZERO_COORDINATES --count 1000000 --output-dir "$1" --append >"$work/out" 2>"$work/err") &
  for ((try = 0; try < 600; ++try)); do
    [[ -e $first ]] && break
    sleep 0.05
  done
  kill -KILL $!
  wait $! 2>/dev/null || true
  rm -f "box/$1"/.goldml*  # so that only the manifest shows the interruption
  refused "M12: an interrupted generate leaves a folder that check refuses: $1" \
    '=manifest_nonzero_coordinates.json: model M12: manifest is of an unfinished corpus, wanted one that '"'goldml generate' completed" \
    check "$1" --actual-dir actual
}
if [[ -z ${GOLDML_WINE:-} ]]; then  # the shell's child is Wine's loader there
  interrupted fresh
  interrupted corpus
fi

summary
