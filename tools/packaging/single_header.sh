#!/usr/bin/env bash
# single_header.sh [HEADER...] >goldml_single.hpp: combines headers and all headers of goldml that they include into one
# header; by default goldml.hpp, the oracle and io/npy.hpp. Eigen and fmt are still included. Each header is pasted once,
# in the order in which a compiler would read it.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- goldml/goldml.hpp goldml/oracle/{generate,generate_illegal,judge,report,shrink,tally,watched_output}.hpp goldml/io/npy.hpp
version=$(sed -nE 's/^#define GOLDML_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$source_dir/include/goldml/version.hpp" | paste -sd.)
printf '// goldml %s as one header, written by tools/packaging/single_header.sh.\n//\n' "$version"
sed 's,^,// ,; s, *$,,' "$source_dir/LICENSE"
printf '#pragma once\n\n'
printf '%s\n' "$@" | awk -v folder="$source_dir/include/" '
  function paste(name,   line, status) {
    if (name in done) return
    done[name] = 1
    printf "// <%s>\n", name
    while ((status = (getline line < (folder name))) > 0) {
      if (line ~ /^#pragma once/) continue
      if (match(line, /^#include <goldml\/[^>]*>/)) {
        sub(/^#include </, "", line)
        sub(/>.*/, "", line)
        paste(line)
      } else {
        print line
      }
    }
    if (status < 0) {
      print folder name ": no such header" > "/dev/stderr"
      exit 1
    }
    close(folder name)
  }
  { paste($1) }'
