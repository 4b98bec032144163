#!/bin/sh
# check_shaders.sh FOLDER: for each folder NAME in FOLDER, the generated header FOLDER/NAME.dxbc.hpp embeds NAME/*.hlsl
# as they are now: the same shaders, the same texts (by their SHA-256), and each text's hash beside its bytecode. There
# is no further generated header. After a change of a shader: tools/d3d12/regenerate.sh
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A file with its #includes replaced, as compile_shaders.cpp does it.
expand() (
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '#include "'*) file=${line#*\"}; expand "$(dirname "$1")/${file%\"}" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done <"$1"
)

stale() {
  echo "check_shaders.sh: $1: run tools/d3d12/regenerate.sh" >&2
  exit 1
}

# check FOLDER HEADER
check() {
  header=$2
  rm -f "$work"/*
  [ -f "$header" ] || stale "there is no $header"
  for file in "$1"/*.hlsl; do
    name=$(basename "$file" .hlsl)
    expand "$file" >"$work/$name"
    echo "$name $(sha256sum <"$work/$name" | cut -d ' ' -f 1)"
  done >"$work/wanted.list"

  # The hashes, and the texts themselves: between R"hlsl( and )hlsl".
  awk -v work="$work" '
    !inside && /^struct [a-z0-9_]+ \{$/ { name = $2 }
    !inside && /^  static constexpr std::string_view hash = "/ { split($0, part, "\""); print name, part[2] }
    /\)hlsl"/ { sub(/\)hlsl".*/, ""); inside = 0 }
    inside { print >(work "/text." name) }
    /R"hlsl\(/ { sub(/.*R"hlsl\(/, ""); print >(work "/text." name); inside = 1 }
  ' "$header" >"$work/found.list"
  diff -u "$work/wanted.list" "$work/found.list" || stale "$header is stale"
  while read -r name hash; do
    cmp "$work/$name" "$work/text.$name" || stale "$header embeds another $name"
  done <"$work/wanted.list"
  echo "$(wc -l <"$work/wanted.list") shaders of $1 are embedded as they are"
}

checked=0
for folder in "$1"/*/; do
  folder=${folder%/}
  check "$folder" "$folder.dxbc.hpp"
  checked=$((checked + 1))
done
[ "$checked" -eq "$(ls "$1"/*.dxbc.hpp | wc -l)" ] || stale "$1 has a generated header without a folder"
