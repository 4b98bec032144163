#!/usr/bin/env bash
# check_console.sh TOOL SOURCE_DIR: every command of a ```console block in README.md and docs ("$ goldml ...") is run in
# SOURCE_DIR's place and prints, on standard output and standard error, what the page says.
set -euo pipefail
tool=$(realpath "$1")
source_dir=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/place"
ln -s "$source_dir/docs" "$source_dir/examples" "$work/place"  # commands write beside them

for page in "$source_dir"/README.md $(find "$source_dir/docs" -name '*.md' | sort); do
  awk -v stem="$work/$(basename "$page" .md)" '
    /^```console$/ { inside = 1; file = "/dev/null"; next }
    /^```/ { inside = 0 }
    inside && /^\$ goldml / { n++; file = stem "." n ".expected"; printf "" > file; print substr($0, 10) > (stem "." n ".command"); next }
    inside { print > file }
  ' "$page"
done

passed=0
failed=0
for command in $(find "$work" -name '*.command' | sort -V); do
  read -r arguments <"$command"
  # The arguments are words without quotes.
  (cd "$work/place" && "$tool" $arguments >"$work/out" 2>&1 </dev/null) || true
  [[ -z ${GOLDML_WINE:-} ]] || sed -i 's/\r$//' "$work/out"
  if diff -u --label page --label goldml "${command%.command}.expected" "$work/out"; then
    echo "$(basename "$command" .command): goldml $arguments: as the page says"
    passed=$((passed + 1))
  else
    echo "$(basename "$command" .command): goldml $arguments: differs from its page"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
