#!/bin/sh
# The generated headers embed the HLSL files as they are now: the same shaders, the same texts (by their SHA-256), and
# each text's hash beside its bytecode. After a change of a shader: tools/d3d12/regenerate.sh
#   check_shaders.sh FOLDER HEADER
set -eu
folder=$1 header=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A file with its #includes replaced, as compile_shaders.cpp does it.
expand() (
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '#include "'*) file=${line#*\"}; expand "$folder/${file%\"}" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done <"$1"
)

for file in "$folder"/*.hlsl; do
  name=$(basename "$file" .hlsl)
  expand "$file" >"$work/$name"
  echo "$name $(sha256sum <"$work/$name" | cut -d ' ' -f 1)"
done >"$work/wanted"
awk -F '"' '/^ *\.name = "/ { name = $2 } /^ *\.hash = "/ { print name, $2 }' "$header" >"$work/found"
stale() {
  echo "check_shaders.sh: $header $1: run tools/d3d12/regenerate.sh" >&2
  exit 1
}
diff -u "$work/wanted" "$work/found" || stale "is stale"

# The texts themselves: between R"hlsl( and )hlsl".
awk -v work="$work" '
  /^ *\.name = "/ { split($0, part, "\""); name = part[2] }
  /\)hlsl"/ { sub(/\)hlsl".*/, ""); inside = 0 }
  inside { print >(work "/text." name) }
  /R"hlsl\(/ { sub(/.*R"hlsl\(/, ""); print >(work "/text." name); inside = 1 }
' "$header"
while read -r name hash; do
  cmp "$work/$name" "$work/text.$name" || stale "embeds another $name"
done <"$work/wanted"
echo "$(wc -l <"$work/wanted") shaders of $folder are embedded as they are"
