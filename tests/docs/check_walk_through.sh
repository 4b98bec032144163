#!/usr/bin/env bash
# check_walk_through.sh COMPILER SOURCE_DIR LIBRARY [DIRECTML_FOLDERS]: does what docs/adding-an-operator.md says, on a copy of the
# headers and of the tool: writes its files, makes its edits, builds the tool and plays its models on every backend that
# the tool has, and builds and runs walk_through.cpp, which generates cases of the operators. With the folders that
# DirectML.h needs, separated by colons, also their DirectML structures. Fails unless the models print what the page says.
# LIBRARY is goldml::compiled, which has the kernels of the other operators.
set -euo pipefail
compiler=$1
source_dir=$2
library=$3
directml=${4:-}
page=$source_dir/docs/adding-an-operator.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source_dir/include" "$source_dir/tools" "$work"
# The operator of the page is a row of the activations, which is taken out: its names, and its places in lists.
grep -rl activation_thresholded_relu "$work/include" | while read -r header; do
  sed -i -E 's/activation_thresholded_relu_desc, //; /activation_thresholded_relu/d' "$header"
done

# The body of the fenced block whose opening line is exactly ```$1.
block() {
  awk -v opening="\`\`\`$1" '$0 == opening { inside = 1; next } inside && /^```/ { exit } inside' "$page"
}

grep -oE '^```(cpp|sed) file=[^ ]+' "$page" | while read -r kind target; do
  kind=${kind#\`\`\`}
  file=$work/${target#file=}
  if [ "$kind" = cpp ]; then
    if [ -e "$file" ]; then
      echo "${target#file=} is there already"
      exit 1
    fi
    block "$kind $target" >"$file"
  else
    block "$kind $target" >"$work/edits"
    while read -r edit; do
      cp "$file" "$work/before"
      sed -i "$edit" "$file"
      if cmp -s "$file" "$work/before"; then
        echo "an edit of ${target#file=} changed nothing: $edit"
        exit 1
      fi
    done <"$work/edits"
  fi
  echo "done: ${target#file=}"
done

flags=(-std=c++20 -O0 -DGOLDML_COMPILED -Wall -Wextra -Werror -I"$work/include" -isystem /usr/include/eigen3)
directml_flags=()
if [ -n "$directml" ]; then
  IFS=: read -ra folders <<<"$directml"
  directml_flags=(-DGOLDML_WALK_THROUGH_DIRECTML)
  for folder in "${folders[@]}"; do
    [ "$folder" = /usr/include ] || directml_flags+=(-isystem "$folder")  # the compiler searches it anyway
  done
else
  echo "DirectML.h is not here: its structures are left out"
fi
"$compiler" "${flags[@]}" "${directml_flags[@]}" "$source_dir/tests/docs/walk_through.cpp" -o "$work/walk_through" "$library" -lfmt
"$work/walk_through"

# Files are compiled together, which takes half as long; those of backends that need a device are left out.
for file in "$work"/tools/*.cpp; do
  case $file in
    */backends.cpp | *_backend.cpp) ;;
    *) echo "#include \"$file\"" >>"$work/program.cpp" ;;
  esac
done
for unit in "$work/program.cpp" "$work/tools/backends.cpp"; do
  "$compiler" "${flags[@]}" -I"$work/tools" -c "$unit" -o "$work/$(basename "$unit" .cpp).o"
done
"$compiler" "$work/program.o" "$work/backends.o" -o "$work/goldml" "$library" -lfmt
played=0
for name in $(grep -oE '^```json model=[a-z0-9_]+' "$page" | sed 's/.*=//'); do
  model=$work/$name.json
  block "json model=$name" >"$model"
  for backend in cpu reference; do
    diff -u <(block "text model=$name") <("$work/goldml" run "$model" --backend "$backend")
  done
  type=$(sed -nE 's/.*"type": "DML_OPERATOR_([A-Z0-9_]+)".*/\1/p' "$model")
  grep -q " $type " <<<"$("$work/goldml" list)"
  explained=$("$work/goldml" run --explain "$model")
  grep -q "DML_${type}_OPERATOR_DESC" <<<"$explained"
  "$work/goldml" generate "$type" --count 5 --output-dir "$work/corpus_$name" >/dev/null
  if message=$(sed '/"OutputTensor": {/s/"Sizes": \[2, [0-9]*\]/"Sizes": [2, 0]/' "$model" >"$work/bad.json"; "$work/goldml" run "$work/bad.json" 2>&1); then
    echo "$type: a size of 0 was accepted"
    exit 1
  fi
  grep -q "$type T5: OutputTensor.Sizes\[1\] is 0" <<<"$message"
  echo "$type plays"
  played=$((played + 1))
done
[ "$played" -eq 1 ]
echo "the walk-through works: $played operator passed, 0 failed"
