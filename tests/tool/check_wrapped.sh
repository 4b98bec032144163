#!/usr/bin/env bash
# check_wrapped.sh TOOL TEST_ORACLE: 37.7: a case line, pasted as Catch2 has wrapped it at 80 columns, is the same case.
set -euo pipefail
tool=$1
test_oracle=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$test_oracle" '[wrapped]' >printed || true
line=$(sed -n 's/^line: //p' printed)
wrapped=$(sed -n '/^ *case: /,/^$/p' printed | sed '1s/^ *case: //')
[ "$(wc -l <<<"$wrapped")" -gt 3 ] || { cat printed; echo "Catch2 has not wrapped the line"; exit 1; }
"$tool" run --case "$line" >wanted
"$tool" run --case "$wrapped" >got
cmp wanted got
[ -s wanted ]
echo "$wrapped"
