#!/usr/bin/env bash
# expect_output.sh EXPECTED COMMAND...: runs the command and fails unless its standard output is the file EXPECTED.
set -euo pipefail
expected=$1
shift
diff -u --label expected --label actual "$expected" <("$@")
echo "as expected: $(basename "$expected")"
