#!/usr/bin/env bash
# Compiles the HLSL files again and writes the headers that embed them. For a Debian machine: fetches vkd3d 2.1 or
# newer, whose shader compiler Debian 12 does not have, from a newer suite of the machine's own mirror.
# It installs nothing. Needed only after a change of a shader; builds and tests use the headers as they are.
#   tools/d3d12/regenerate.sh [SUITE]
set -euo pipefail
cd "$(dirname "$0")/../.."
source cmake/prepare.sh
suite=${1:-forky}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/packages"
download_from_suite "$suite" "$work/packages" libvkd3d-dev libvkd3d-headers
for package in "$work"/packages/*.deb; do dpkg -x "$package" "$work/root"; done

library=$(find "$work/root" -name libvkd3d-shader.a)
cc -c tools/d3d12/isoc23.c -o "$work/isoc23.o"
c++ -std=c++20 -O1 -isystem "$work/root/usr/include/vkd3d" tools/d3d12/compile_shaders.cpp "$work/isoc23.o" "$library" \
  -lfmt -lm -lpthread -o "$work/compile_shaders"

# The compiler may need exponential time for a shader: it is stopped then.
timeout 120 "$work/compile_shaders" include/goldml/d3d12/shaders goldml::d3d12::shaders
timeout 120 "$work/compile_shaders" tests/d3d12/shaders probes
