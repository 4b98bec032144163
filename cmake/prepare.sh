# Sourced by quickstart.sh and test.sh: installs missing packages on Debian and Ubuntu, and says what to install elsewhere.

# prepare PACKAGE...: makes sure that these Debian packages are installed.
prepare() {
  local missing=()
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is no Debian: make sure that these, under your system's names, are installed: $*" >&2
    return 0
  fi
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "Installing: ${missing[*]}" >&2
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# download_from_suite SUITE FOLDER PACKAGE...: downloads the packages into FOLDER from a suite of Debian that need not be
# among apt's sources, from the configured mirror. Does not change apt's configuration.
download_from_suite() {
  local suite=$1 folder=$2 mirror work status=0
  shift 2
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
    sed -nE 's#^(URIs:|deb( +\[[^]]*\])?) +([^ ]+/debian)/?( .*)?$#\3#p' || true)
  mirror=${mirror%%$'\n'*}
  [ -n "$mirror" ] || { echo "There is no mirror of Debian in apt's sources." >&2; return 1; }
  work=$(mktemp -d)
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$work/sources.list"
  local apt=(apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/nonexistent
    -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root
    -o Acquire::Check-Valid-Until=false)
  { "${apt[@]}" update && (cd "$folder" && "${apt[@]}" download "${@/%//$suite}"); } >&2 || status=$?
  rm -rf "$work"
  return $status
}

# prepare_directml_headers: installs a DirectML.h that has DIAGONAL_MATRIX1. Debian 12 has it in its backports, from which
# only this package is taken. If there is none, prints a message and continues; CMake then reports what is off.
prepare_directml_headers() {
  local package=directx-headers-dev wanted=1.614 version
  command -v dpkg-query >/dev/null 2>&1 || { echo "Not on Debian: DirectML.h of DirectX-Headers $wanted" >&2; return 0; }
  version=$(dpkg-query -W -f='${Version}' "$package" 2>/dev/null || true)
  if [ -n "$version" ] && dpkg --compare-versions "$version" ge "$wanted"; then return 0; fi

  local as_root=() folder suite
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  folder=$(mktemp -d)
  suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  if download_from_suite "$suite-backports" "$folder" "$package" || download_from_suite "$suite" "$folder" "$package"; then
    echo "Installing: $package" >&2
    "${as_root[@]}" dpkg --install "$folder"/*.deb >&2
  else
    echo "$package $wanted, which has DirectML.h, is not to be had here" >&2
  fi
  rm -rf "$folder"
}

# prepare_newest_clang: installs the newest Clang that Debian has here, for `import goldml;`.
prepare_newest_clang() {
  local newest
  command -v apt-cache >/dev/null 2>&1 || { echo "Not on Debian: a Clang of version 22 or newer" >&2; return 0; }
  newest=$(apt-cache pkgnames clang- | grep -E '^clang-[0-9]+$' | sort -t- -k2 -n | tail -n 1)
  prepare "$newest"
}

goldml_packages=(g++ cmake make libeigen3-dev libfmt-dev libcli11-dev rapidjson-dev)
