#!/usr/bin/env bash
# check_links.sh SOURCE_DIR: every relative link in README.md and docs points to a file, and its #anchor to a heading; every
# "ledger N" in the headers is an entry of docs/ledger.md; no page contains a path of a machine.
set -euo pipefail
cd "$1"
checked=0
failed=0
complain() {
  echo "$1"
  failed=$((failed + 1))
}

# GitHub's anchor of a heading: lower case, punctuation dropped, spaces to hyphens.
anchors_of() {
  sed -nE '/^```/,/^```/d; s/^#+ +//p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
  sed -nE 's/.*<a (id|name)="([^"]+)".*/\2/p' "$1"
}

for page in README.md $(find docs -name '*.md' | sort); do
  folder=$(dirname "$page")
  while read -r link; do
    [ -n "$link" ] || continue
    checked=$((checked + 1))
    target=${link%%#*}
    file=$([ -n "$target" ] && echo "$folder/$target" || echo "$page")
    if [ ! -e "$file" ]; then
      complain "$page: no $target"
    elif [[ $link == *#* ]] && ! anchors_of "$file" | grep -qxF "${link#*#}"; then
      complain "$page: no heading #${link#*#} in $file"
    fi
  done < <(sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^)]+\)' | sed -E 's/^\]\(|\)$//g' | grep -vE '^[a-z]+:' || true)
done

while read -r entry; do
  checked=$((checked + 1))
  grep -qE "^#+ $entry([a-z .:]|$)" docs/ledger.md || complain "headers speak of ledger $entry, which docs/ledger.md lacks"
done < <(grep -rhoE '\(?[Ll]edger [0-9L][0-9.a-z]*(, [0-9]+\.[0-9a-z]+)*' include | grep -oE 'L[0-9]+|[0-9]+\.[0-9]+[a-z]?' | sort -u)

echo "$checked links and ledger entries checked, $failed broken"
[ "$failed" -eq 0 ]
