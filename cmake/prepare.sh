# Sourced by quickstart.sh and test.sh: installs what is missing on Debian and Ubuntu, says what to install elsewhere.

# prepare PACKAGE...: Debian packages that must be there.
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

goldml_packages=(g++ cmake make libeigen3-dev libfmt-dev libcli11-dev rapidjson-dev)
