#!/usr/bin/env bash
# check.sh PROGRAM SOURCE_DIR: runs goldml_benchmark_table with small sizes, alone and in lockstep, and makes a page and a
# chart of the results. A test of the scripts behind docs/performance.md, not a measurement.
set -euo pipefail
program=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" --quick --rounds 1 --json "$work/table"
[ "$(printf '\n\n' | "$program" --quick --lockstep argmin_16x16 | wc -l)" -eq 3 ]
if "$program" --quick no_such_workload 2>/dev/null; then exit 1; fi

{
  echo '{"machine":{"model":"a <machine>","cores":1,"instruction_set":"any","compiler":"any","load":"0","date":"today"}}'
  cat "$work/table"
} >"$work/results"
cp "$source/docs/performance.md" "$work/page"
echo "a table" >"$work/compiled"
python3 "$source/benchmarks/page.py" "$work/results" "$work/page" "$work/compiled"
python3 "$source/benchmarks/chart.py" "$work/results" "$work/chart"
python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$work/chart"
workloads=$("$program" --list | wc -l)
rows=$(sed -n '/<!-- measured/,/<!-- end of what was measured/p' "$work/page" | grep -cE '^\| [a-z]')
rows=$((rows - 1))  # the heading
[ "$rows" -eq "$workloads" ] || { echo "the page has $rows rows for $workloads workloads"; exit 1; }
echo "benchmarks: $workloads workloads verified, table, page and chart written"
