#!/usr/bin/env bash
# Installs what is missing, builds the goldml program, and plays the example models: what each gave against what its
# page says. Ends with status 0 when all agree.
set -euo pipefail
cd "$(dirname "$0")"
source cmake/prepare.sh
prepare "${goldml_packages[@]}"

cmake -S . -B build -DCMAKE_BUILD_TYPE=Release >build.log 2>&1 || { cat build.log; exit 1; }
grep '^-- goldml' build.log || true
echo "Building (several minutes)..."
cmake --build build --target goldml_tool --parallel "$(nproc)" >>build.log 2>&1 || { cat build.log; exit 1; }
rm -f build.log

passed=0
failed=0
for model in examples/models/*.json; do
  expected=${model%.json}.expected
  echo
  echo "$(basename "$model"): $(sed -n '1s,^// ,,p' "$model")"
  got=$(build/goldml run "$model" --output-dir build/model_outputs --overwrite) || true
  if [ "$got" = "$(cat "$expected")" ]; then
    sed 's/^/  agrees: /' <<<"$got"
    passed=$((passed + 1))
  else
    sed 's/^/  got:    /' <<<"$got"
    sed 's/^/  wanted: /' "$expected"
    failed=$((failed + 1))
  fi
done
echo
echo "example models: $passed agree with their pages, $failed differ. Next: build/goldml --help, and examples/*.cpp"
[ "$failed" -eq 0 ]
