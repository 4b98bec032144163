#!/bin/sh
# Compiles the HLSL files again and writes the headers that embed them. For a Debian machine: fetches vkd3d 2.1 or
# newer, whose shader compiler Debian 12 does not have, from a newer suite of the machine's own mirror.
# It installs nothing.
# Needed only after a change of a shader; builds and tests use the headers as they are.
#   tools/d3d12/regenerate.sh [SUITE]
set -eu
cd "$(dirname "$0")/../.."
suite=${1:-forky}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
  sed -nE 's/^(URIs:|deb( +\[[^]]*\])?) +([^ ]+).*/\3/p' | grep -E '/debian/?$' | head -n 1)
[ -n "$mirror" ] || { echo "regenerate.sh: no Debian mirror in apt's sources" >&2; exit 1; }
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keyring] $mirror $suite main" >"$work/sources.list"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/packages"
apt="apt-get -qq -o Dir::Etc::sourcelist=$work/sources.list -o Dir::Etc::sourceparts=/nonexistent
  -o Dir::State::lists=$work/lists -o Dir::Cache=$work/cache
  -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false"
$apt update
(cd "$work/packages" && $apt download libvkd3d-dev libvkd3d-headers)
for package in "$work"/packages/*.deb; do dpkg -x "$package" "$work/root"; done

library=$(find "$work/root" -name libvkd3d-shader.a)
cc -c tools/d3d12/isoc23.c -o "$work/isoc23.o"
c++ -std=c++20 -O1 -isystem "$work/root/usr/include/vkd3d" tools/d3d12/compile_shaders.cpp "$work/isoc23.o" "$library" \
  -lfmt -lm -lpthread -o "$work/compile_shaders"

# A compiler that explodes over a shader is stopped.
timeout 120 "$work/compile_shaders" include/goldml/d3d12/shaders include/goldml/d3d12/shaders.hpp goldml::d3d12::shaders
timeout 120 "$work/compile_shaders" tests/d3d12/shaders tests/d3d12/probe_shaders.hpp probes
