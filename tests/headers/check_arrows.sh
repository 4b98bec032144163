#!/usr/bin/env bash
# check_arrows.sh SOURCE_DIR: headers include only folders that the arrows allow:
#   core <- arithmetic <- operators <- reference, cpu, d3d12, each alone;  directml includes d3d12;  oracle may include reference;  io includes core and operators;  goldml.hpp includes all that is not optional.
# Also checks which headers include which libraries, that each header has #pragma once, and that its first line says what it contains.
set -euo pipefail
cd "$1/include/goldml"
failed=0
checked=0

complain() {
  echo "$1"
  failed=$((failed + 1))
}

# The folders that each folder may include.
allowed() {
  case $1 in
    core) echo "core" ;;
    arithmetic) echo "core arithmetic" ;;
    operators) echo "core arithmetic operators" ;;
    reference | cpu) echo "core arithmetic operators $1" ;;
    d3d12) echo "core operators d3d12" ;;
    directml) echo "core operators d3d12 directml" ;;
    oracle) echo "core operators reference oracle" ;;
    io) echo "core operators io" ;;
    *) return 1 ;;
  esac
}

for header in $(find . -name '*.hpp' | sed 's,^\./,,' | sort); do
  checked=$((checked + 1))
  folder=.
  [[ $header == */* ]] && folder=${header%%/*}
  [ "$(head -c 3 "$header")" = "// " ] || complain "$header: the first line does not say what lives here"
  grep -q '^#pragma once$' "$header" || complain "$header: no #pragma once"
  # Shaders' headers are generated from .hlsl files: they may be of any length. Lines `extern template` are not read by people.
  lines=$(grep -vc '^extern template' "$header")
  [[ $header == d3d12/shaders/*.dxbc.hpp ]] || [ "$lines" -le 300 ] || complain "$header: $lines lines, wanted at most 300"
  while read -r library; do
    case $library in
      Eigen/* | fmt/*) ;;
      rapidjson/*) [[ $header == io/* ]] || complain "$header includes $library" ;;
      fcntl.h | sys/stat.h | unistd.h) [ "$header" = io/files.hpp ] || complain "$header includes $library" ;;
      cpuid.h | immintrin.h) [ "$header" = cpu/engine/cast/halves.hpp ] || complain "$header includes $library" ;;
      emmintrin.h) [ "$header" = cpu/engine/base/simd.hpp ] || complain "$header includes $library" ;;
      windows.h | d3d12.h | d3dcompiler.h | dxgi1_6.h | vulkan/vulkan.h | vkd3d.h | vkd3d_utils.h)
        [ "$header" = d3d12/runtime/headers.hpp ] || complain "$header includes $library" ;;
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
