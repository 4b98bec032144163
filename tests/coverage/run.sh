#!/usr/bin/env bash
# run.sh [FOLDER]: builds the Catch2 tests with clang's coverage of source code in FOLDER (build-coverage), runs them and
# prints what they cover of include/: lines, and branches, which are the two ways that each condition can go, in any
# instantiation of a template; and the lines and branches that are not covered, but for those that explained.txt names.
# Installs what is missing (Debian, Ubuntu). GOLDML_JOBS is how many units are compiled at once (all processors).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(realpath "$here/../..")
folder=$(realpath -m "${1:-$source_dir/build-coverage}")
jobs=${GOLDML_JOBS:-$(nproc)}
source "$source_dir/cmake/prepare.sh"
prepare "${goldml_packages[@]}" catch2 clang-14 libclang-rt-14-dev llvm-14

# Without the program and the examples, which would cover lines that no test checks; and without precompiled headers, of
# whose functions clang records nothing.
cmake -S "$source_dir" -B "$folder" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_CXX_FLAGS="-fprofile-instr-generate -fcoverage-mapping" -DGOLDML_BUILD_TOOL=OFF -DGOLDML_BUILD_EXAMPLES=OFF \
  -DGOLDML_BUILD_BENCHMARKS=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DGOLDML_UNITE_TESTS=ON | grep -- '-- goldml'
cmake --build "$folder" --target catch_tests --parallel "$jobs"

rm -f "$folder"/*.profraw "$folder"/*.lines "$folder"/*.branches
for program in "$folder"/tests/test_*; do
  [[ -f $program && -x $program ]] || continue
  name=$folder/$(basename "$program")
  status=0
  LLVM_PROFILE_FILE=$name.profraw GOLDML_D3D12_CASES=300 "$program" >"$name.log" 2>&1 || status=$?
  if [[ $status -ne 0 && $status -ne 77 ]]; then  # 77: skipped, there is no adapter
    tail -n 30 "$name.log"
    exit "$status"
  fi
  # One program at a time: functions of the same name differ between programs.
  llvm-profdata-14 merge --sparse --output "$name.profile" "$name.profraw"
  llvm-cov-14 export --format=lcov --instr-profile "$name.profile" "$program" >"$name.lines"
  llvm-cov-14 export --format=text --instr-profile "$name.profile" "$program" --skip-functions \
    --skip-expansions >"$name.branches"
done
"$here/report.py" "$source_dir" "$folder"
