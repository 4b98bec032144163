#!/usr/bin/env bash
# collect.sh TOOL MODEL...: the output of `TOOL run --explain` for the models, as the source that explained.cpp includes.
# Where the printed source has a comment on creating the operator, the desc is passed on.
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
