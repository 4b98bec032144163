#!/usr/bin/env bash
# check_d3d12.sh TOOL SOURCE_DIR: the goldml program with --backend d3d12. Status 77, skipped, without an adapter.
set -euo pipefail
source "$(dirname "$0")/functions.sh"
mkdir box

list=$("$tool" list 2>/dev/null)  # once; besides, `grep -q` in a pipe would end it early, which `pipefail` takes for a failure
no_adapter=$(grep -m1 '^  d3d12: no adapter' <<<"$list" || true)
if [[ -n $no_adapter && ${GOLDML_REQUIRE_GPU:-0} != 1 ]]; then
  echo "SKIPPED: the program has no adapter to run on: $no_adapter"
  exit 77
fi
adapter=$(sed -nE 's/^  d3d12: (.*)/\1/p' <<<"$list" | head -n 1)
adapter=${adapter% (software)}
echo "the program's first adapter is $adapter"
expect 'list names the adapter' 0 "~backends:.*reference.*d3d12: $(printf '%.8s' "$adapter")" '' list

model=$source/examples/models/scatter_nd_elements.json
expect 'an adapter by a part of its name' 0 '~.' '' run "$model" --backend d3d12 --adapter "$(printf '%.4s' "$adapter")"
refused 'an unknown adapter' \
  '~^d3d12: choosing an adapter failed: 0x887a0002 .*none is called .no such one.; there are: ' \
  run "$model" --backend d3d12 --adapter 'no such one'
refused 'an adapter of a backend without adapters' "~^model M2: --adapter is 'x', wanted --backend d3d12" \
  run "$model" --adapter x

# No driver at all.
export VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
refused 'no driver' '~^d3d12: vkd3d_create_instance failed: 0x80004005 E_FAIL, is there a Vulkan driver' \
  run "$model" --backend d3d12
expect 'list without a driver' 0 '~d3d12: no adapter: d3d12: vkd3d_create_instance failed' '' list
unset VK_DRIVER_FILES VK_ICD_FILENAMES

# Every example gives the same output as on a CPU; a software adapter is reported on standard error.
for example in "$source"/examples/models/*.json; do
  type=$(sed -nE 's/.*"type": "(DML_OPERATOR_)?([A-Z0-9_]+)".*/\2/p' "$example" | head -n 1)
  function=$(sed -nE 's/.*"Function": "(DML_REDUCE_FUNCTION_)?([A-Z0-9_]+)".*/\2/p' "$example" | head -n 1)
  missing=$type  # what the message says that this backend lacks; empty: nothing
  if grep -qE "^  $type .*d3d12" <<<"$list"; then
    missing=
    if [[ $type == FILL_VALUE_SEQUENCE ]] && grep -q '"ValueDataType": "FLOAT' "$example"; then
      missing='FILL_VALUE_SEQUENCE of floats, which is not implemented'
    fi
    if grep -q '"ScaleBias"' "$example"; then missing="$type with ScaleBias, which is not implemented"; fi
    case $function in
      '' | ARGMIN | ARGMAX) ;;
      *) missing="REDUCE with the function $function, which is not implemented" ;;
    esac
  fi
  if [[ -z $missing ]]; then
    expect "$(basename "$example")" 0 "=$(cat "${example%.json}.expected")" '' run "$example" --backend d3d12 \
      --adapter "$adapter" --output-dir .
  else  # no kernel, or not of this function, and no fallback to another backend
    refused "$(basename "$example") on d3d12" "~M5: type is $missing, wanted an operator that this backend has" \
      run "$example" --backend d3d12 --adapter "$adapter" --output-dir .
  fi
done
if grep -q '(software)' <<<"$list" && ! grep '^  d3d12:' <<<"$list" | grep -v '(software)' >/dev/null; then
  expect 'a software adapter that was not requested is reported' 0 '~.' "=d3d12: no hardware adapter, using $adapter" \
    run "$model" --backend d3d12
fi

# Refusals are the same as on a CPU.
for bad in "$source"/docs/models/argmin_wrong.json "$source"/docs/models/scatter_nd_out_of_range.json; do
  want=$("$tool" run "$bad" 2>&1 >/dev/null) || true
  refused "$(basename "$bad") is refused with the same message" "=$want" run "$bad" --backend d3d12 --adapter "$adapter"
done
summary
