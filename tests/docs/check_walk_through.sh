#!/usr/bin/env bash
# check_walk_through.sh COMPILER SOURCE_DIR: does what docs/adding-an-operator.md says, on a copy of the headers: writes
# its files, makes its edits, builds the tool and plays its model. Fails unless the model prints what the page says.
set -euo pipefail
compiler=$1
source_dir=$2
page=$source_dir/docs/adding-an-operator.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source_dir/include" "$work/include"

# The body of the fenced block whose opening line is exactly ```$1.
block() {
  awk -v opening="\`\`\`$1" '$0 == opening { inside = 1; next } inside && /^```/ { exit } inside' "$page"
}

grep -oE '^```(cpp|sed) file=[^ ]+' "$page" | while read -r kind target; do
  kind=${kind#\`\`\`}
  file=$work/include/goldml/${target#file=}
  if [ "$kind" = cpp ]; then
    block "$kind $target" >"$file"
  else
    block "$kind $target" >"$work/edit.sed"
    cp "$file" "$work/before"
    sed -i -f "$work/edit.sed" "$file"
    if cmp -s "$file" "$work/before"; then
      echo "the edit of ${target#file=} changed nothing"
      exit 1
    fi
  fi
  echo "done: ${target#file=}"
done

block "json model" >"$work/model.json"
"$compiler" -std=c++20 -Wall -Wextra -I"$work/include" -isystem /usr/include/eigen3 \
  "$source_dir/tools/main.cpp" "$source_dir/tools/backends.cpp" -o "$work/goldml" -lfmt
for backend in cpu reference; do
  diff -u <(block "text model") <("$work/goldml" run "$work/model.json" --backend "$backend")
done
"$work/goldml" list | grep -q FILL_VALUE_CONSTANT
if message=$(sed 's/"Sizes": \[2, 2\]/"Sizes": [2, 0]/' "$work/model.json" >"$work/bad.json"; "$work/goldml" run "$work/bad.json" 2>&1); then
  echo "a size of 0 was accepted"
  exit 1
fi
grep -q '^FILL_VALUE_CONSTANT T5: OutputTensor.Sizes\[1\] is 0' <<<"$message"
explained=$("$work/goldml" run --explain "$work/model.json")
grep -q DML_FILL_VALUE_CONSTANT_OPERATOR_DESC <<<"$explained"
echo "the walk-through works: 1 passed, 0 failed"
