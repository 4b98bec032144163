#!/usr/bin/env bash
# expect_output.sh EXPECTED COMMAND...: runs the command and fails unless its standard output is the file EXPECTED. If
# GOLDML_WINE is set, lines end as on Windows.
set -euo pipefail
expected=$1
shift
diff -u ${GOLDML_WINE:+--strip-trailing-cr} --label expected --label actual "$expected" <("$@")
echo "as expected: $(basename "$expected")"
