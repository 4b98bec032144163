#!/usr/bin/env bash
# with_wine.sh COMMAND...: runs the command with an X server and a persistent Wine. CTest waits until a program's output is
# closed, and the services of a Wine started by a test would keep it open for seconds.
set -euo pipefail
if [ -z "${DISPLAY:-}" ]; then exec xvfb-run -a "$0" "$@"; fi
PATH=$PATH:/usr/lib/wine  # its location on Debian
wine=$(command -v wine64 || command -v wine)
"$wine" wineboot --init
exec {session}> >("$wine" cmd >/dev/null 2>&1)  # waits for a line to read
status=0
"$@" {session}>&- || status=$?
exec {session}>&-
wineserver --wait  # it needs the X server to close its windows
exit $status
