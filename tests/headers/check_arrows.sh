#!/usr/bin/env bash
# check_arrows.sh SOURCE_DIR: headers include only what the arrows between folders allow:
#   core <- operators <- reference, cpu, d3d12, each alone;  directml stands on d3d12;  oracle may see reference;  io sees core and operators;  goldml.hpp sees all that is not optional.
# Also: who may include which library, and that every header is guarded and says in its first line what lives in it.
set -euo pipefail
cd "$1/include/goldml"
failed=0
checked=0

complain() {
  echo "$1"
  failed=$((failed + 1))
}

# Folders that a folder may include from, beside itself.
allowed() {
  case $1 in
    core) echo "core" ;;
    operators) echo "core operators" ;;
    reference | cpu | d3d12) echo "core operators $1" ;;
    directml) echo "core operators d3d12 directml" ;;
    oracle) echo "core operators reference oracle" ;;
    io) echo "core operators io" ;;
    *) return 1 ;;
  esac
}

for header in $(find . -name '*.hpp' | sed 's,^\./,,' | sort); do
  checked=$((checked + 1))
  folder=$(dirname "$header")
  [ "$(head -c 3 "$header")" = "// " ] || complain "$header: the first line does not say what lives here"
  grep -q '^#pragma once$' "$header" || complain "$header: no #pragma once"
  # Generated from the .hlsl files beside it.
  [ "$header" = d3d12/shaders.hpp ] || [ "$(wc -l <"$header")" -le 300 ] || complain "$header: $(wc -l <"$header") lines, wanted at most 300"
  while read -r library; do
    case $library in
      Eigen/* | fmt/*) ;;
      rapidjson/*) [[ $header == io/* ]] || complain "$header includes $library" ;;
      emmintrin.h) [ "$header" = cpu/simd.hpp ] || complain "$header includes $library" ;;
      immintrin.h) [[ $header == cpu/nonzero_@(masks|places).hpp ]] || complain "$header includes $library" ;;
      windows.h | d3d12.h | d3dcompiler.h | dxgi1_6.h | vulkan/vulkan.h | vkd3d.h | vkd3d_utils.h)
        [ "$header" = d3d12/headers.hpp ] || complain "$header includes $library" ;;
      DirectML.h) [ "$header" = directml/headers.hpp ] || complain "$header includes $library" ;;
      *) complain "$header includes $library" ;;
    esac
  done < <(sed -nE 's,^#include <([^>]*/[^>]*|[^>]*\.h(pp)?)>.*,\1,p' "$header" | grep -v '^goldml/' || true)
  [ "$folder" = . ] && continue
  folders=$(allowed "$folder") || complain "$header: $folder is in no arrow"
  while read -r target; do
    case " $folders " in
      *" $target "*) ;;
      *) complain "$header includes goldml/$target: $folder may see: $folders" ;;
    esac
  done < <(sed -nE 's,^#include <goldml/([a-z0-9_]+)/.*,\1,p' "$header")
done

for optional in io/dxdispatch io/json io/model d3d12 directml; do
  if grep -q "<goldml/$optional" goldml.hpp; then complain "goldml.hpp includes what is optional: $optional"; fi
done
echo "$checked headers checked, $failed complaints"
[ "$failed" -eq 0 ]
