#!/usr/bin/env bash
# Everything for docs/performance.md in one run: builds, measures goldml and its peers in turn, and writes the table and
# the chart into docs. Installs peers with Debian's packages and npm if possible; missing peers are skipped with a message.
#   benchmarks/run.sh [--rounds N] [NAME...]     only workloads whose names contain a NAME: into build/, not into docs
set -euo pipefail
cd "$(dirname "$0")/.."
source cmake/prepare.sh
prepare "${goldml_packages[@]}" catch2
prepare python3 python3-numpy python3-torch libxtensor-dev || echo "run.sh: not all peers can be installed" >&2

rounds=9
if [ "${1:-}" = --rounds ]; then
  rounds=$2
  shift 2
fi

onnxruntime=build/peers
if ! compgen -G "$onnxruntime/node_modules/onnxruntime-node/bin/*" >/dev/null; then
  # --ignore-scripts: the script of this package downloads CUDA support, which is not used here.
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$onnxruntime" onnxruntime-node@1.30.0 ||
    echo "run.sh: npm cannot bring ONNX Runtime" >&2
fi

# Builds with all processors before anything is measured.
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DGOLDML_BUILD_BENCHMARKS=ON >/dev/null
cmake --build build --target goldml_benchmark_table --parallel "$(nproc)"
program=$(find build -name goldml_benchmark_table -type f)

load=$(cut -d' ' -f1 /proc/loadavg)
if awk "BEGIN { exit !($load > 1.0) }"; then
  echo "run.sh: load average $load (the build is part of it): close what else runs, or the figures are noise" >&2
fi
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' build/CMakeCache.txt)
results=build/benchmarks.jsonl
printf '{"machine":{"model":"%s","cores":%s,"instruction_set":"%s","compiler":"%s","load":"%s","date":"%s"}}\n' \
  "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$("$program" --instruction-set)" \
  "$("$compiler" --version | head -n 1)" "$load" "$(date +%F)" >"$results"

# The Python with the most of the peers.
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import numpy, torch' 2>/dev/null; then python=$candidate && break; fi
  if [ -z "$python" ] && "$candidate" -c 'import numpy' 2>/dev/null; then python=$candidate; fi
done
if [ -n "$python" ]; then
  "$python" benchmarks/peers.py "$program" "$results" --rounds "$rounds" --onnxruntime "$onnxruntime" "$@"
else
  echo "run.sh: no Python with NumPy: only the peers in C++ are measured" >&2
  "$program" --rounds "$rounds" --json build/benchmarks.table.jsonl "$@"
  cat build/benchmarks.table.jsonl >>"$results"
fi

if [ $# -gt 0 ]; then
  cp docs/performance.md build/performance.md
  python3 benchmarks/page.py "$results" build/performance.md
  python3 benchmarks/chart.py "$results" build/performance.svg
else
  echo "compiling one operator at a time"
  benchmarks/compile_time.sh "$compiler" >build/compile_time.md
  python3 benchmarks/page.py "$results" docs/performance.md build/compile_time.md
  python3 benchmarks/chart.py "$results" docs/performance.svg
fi
echo "run.sh: the table and the chart are written; the figures are in $results"
