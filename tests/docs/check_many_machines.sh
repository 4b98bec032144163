#!/usr/bin/env bash
# check_many_machines.sh TOOL SOURCE_DIR: the commands for GNU parallel in docs/many-machines.md print the table of one check of
# the whole corpus. Exits with 77, for "skipped", if GNU parallel is not installed.
set -euo pipefail
tool=$(realpath "$1")
page=$(realpath "$2")/docs/many-machines.md
parallel --version 2>/dev/null | grep -q '^GNU parallel' || { echo "SKIPPED: GNU parallel is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$tool" "$work/bin/goldml"
export PATH="$work/bin:$PATH" HOME="$work"
cd "$work"
awk '/^## GNU parallel/ { inside = 1 } inside && /^```sh/ { code = 1; next } /^```/ { if (code) exit } code' "$page" >commands.sh
[ "$(wc -l <commands.sh)" -ge 5 ] || { echo "the page has no commands"; exit 1; }
bash -euo pipefail commands.sh >merged
goldml generate ARGMIN --count 40 --output-dir whole
cmp <(cd corpus && sha256sum argmin_*) <(cd whole && sha256sum argmin_*)
goldml check whole --actual-dir actual >wanted
diff -u wanted merged
grep -qE '^ARGMIN +40 +0 ' merged
echo "4 shards: the corpus and the table of one machine"
