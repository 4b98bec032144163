#!/usr/bin/env bash
# collect.sh TOOL MODEL...: what `TOOL run --explain` prints of the models, as the source that explained.cpp includes:
# each desc is handed on where the printed source says that an operator may be created from it.
set -euo pipefail
tool=$1
shift
for model in "$@"; do
  # A refused model is explained too.
  explanation=$("$tool" run --explain "$model" 2>/dev/null) || [[ $? == 2 ]]
  printf '{\nexplained_model model(R"(%s)");\n' "$model"
  sed 's|^  // device->CreateOperator(.*|  model.compare(operatorDesc);|' <<<"$explanation"
  printf 'model.expect_no_more();\n}\n'
done
