# Shared by the checks of the goldml program. Sourced by check_*.sh TOOL SOURCE_DIR. Everything is done in a folder that is
# removed at the end; the tool's files are in its subfolder box. GOLDML_WINE=1: lines of the tool end as on Windows.
tool=$(realpath "$1")
source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
passed=0
failed=0

# The system's reasons in messages, as patterns. Windows says of both that there is no such file.
too_long='File name too long'
not_a_folder='Not a directory'
if [[ -n ${GOLDML_WINE:-} ]]; then too_long='No such file or directory' not_a_folder='No such file or directory'; fi

report() {  # report NAME PROBLEM: passes if PROBLEM is empty
  if [[ -z $2 ]]; then
    passed=$((passed + 1))
    echo "ok: $1"
  else
    failed=$((failed + 1))
    echo "FAILED: $1: $2"
    sed 's/^/  out: /' "$work/out" | head -n 20
    sed 's/^/  err: /' "$work/err" | head -n 20
  fi
}

fits() {  # fits PATTERN FILE: "" an empty file, "=..." exactly this text, "~..." a regular expression that matches
  local text
  text=$(cat "$2"; echo .)
  text=${text%.}
  case $1 in
    '') [[ -z $text ]] ;;
    =*) [[ $text == "${1#=}"$'\n' ]] ;;
    *) [[ $text =~ ${1#\~} ]] ;;
  esac
}

place='[^:]+:[0-9]+:[0-9]+: ([^:]+: )?'  # FILE:LINE:COLUMN: PATH: before the text of a refusal, in patterns

run_in=box
expect() {  # expect NAME STATUS OUT ERR ARGUMENTS...: runs the tool in the folder $run_in
  local name=$1 status=$2 out=$3 err=$4 got=0 problem=''
  shift 4
  (cd "$run_in" && exec "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null) || got=$?
  [[ -z ${GOLDML_WINE:-} ]] || sed -i 's/\r$//' "$work/out" "$work/err"
  [[ $got == "$status" ]] || problem="status $got, wanted $status"
  fits "$out" "$work/out" || problem+=" standard output is not $out"
  fits "$err" "$work/err" || problem+=" standard error is not $err"
  report "$name" "$problem"
}

full_disk() {  # full_disk NAME ERR ARGUMENTS...: status 2 if files are limited to 8 KiB, as on a full disk
  local got=0 problem=''
  (cd box && ulimit -f 8 && trap '' XFSZ && exec "$tool" "${@:3}" >"$work/out" 2>"$work/err" </dev/null) || got=$?
  [[ $got == 2 ]] || problem="status $got, wanted 2"
  fits "$2" "$work/err" || problem+=" standard error is not $2"
  report "$1" "$problem"
}

refused() {  # refused NAME ERR ARGUMENTS...: status 2, nothing on standard output, no file written or changed
  local name=$1 before after
  before=$(find box -type f -exec cksum {} + -o -print | sort)
  expect "$name" 2 '' "$2" "${@:3}"
  after=$(find box -type f -exec cksum {} + -o -print | sort)
  [[ $before == "$after" ]] && report "$name: no file touched" '' || report "$name: no file touched" "$after"
}

model() {  # model FILE RESOURCES DISPATCHABLES COMMANDS
  printf '{ "resources": { %s },\n  "dispatchables": { %s },\n  "commands": [ %s ] }\n' "$2" "$3" "$4" >"box/$1"
}

summary() {  # the last line, and the script's exit status
  echo "$passed passed, $failed failed"
  [[ $failed == 0 ]]
}
