#!/usr/bin/env bash
# with_wine.sh COMMAND...: runs it beside an X server and a Wine that lasts. CTest waits until a program's output is
# closed, and a Wine that a test has started keeps it open, with its services, for seconds.
set -euo pipefail
if [ -z "${DISPLAY:-}" ]; then exec xvfb-run -a "$0" "$@"; fi
PATH=$PATH:/usr/lib/wine  # where Debian has it
wine=$(command -v wine64 || command -v wine)
"$wine" wineboot --init
exec {session}> >("$wine" cmd >/dev/null 2>&1)  # waits for a line to read
status=0
"$@" {session}>&- || status=$?
exec {session}>&-
wineserver --wait  # it closes its windows while there is an X server
exit $status
