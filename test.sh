#!/usr/bin/env bash
# The same set-up as quickstart.sh, then tests, of one leg for each call:
#   test.sh                every test, built by g++ in Release
#   test.sh --sanitizers   the Catch2 tests, the tool and the fuzzers' inputs, built by clang++, with ASan and UBSan
#   test.sh --long         what takes long: the tool, examples and fuzzers, built by clang++, with their tests; random
#                          cases in full number (10,000 an operator for cpu); what a unit of work takes; g++ with ASan
#                          and all of UBSan; cpu with TSan; valgrind; some 900 faults put into the headers,
#                          which tests must notice (build-mutation keeps the results, and a second run goes on from
#                          there); what the Catch2 tests cover of include/, by lines and branches
#                          (tests/coverage/run.sh); the C++ module by the newest Clang; the Python module, and the
#                          headers' comments by Doxygen; fuzzing (GOLDML_FUZZ_SECONDS for each target, 300 by default);
#                          and everything as Windows programs under Wine
set -euo pipefail
cd "$(dirname "$0")"
leg=${1:-}
case $leg in
  "" | --sanitizers | --long) ;;
  *)
    echo "test.sh: '$leg' is not a leg; the legs are: none, --sanitizers, --long" >&2
    exit 2
    ;;
esac
source cmake/prepare.sh
prepare "${goldml_packages[@]}" catch2 doctest-dev libgtest-dev clang libmpfr-dev libvkd3d-dev libvulkan-dev mesa-vulkan-drivers \
  parallel pkgconf python3 python3-numpy
prepare_directml_headers

# The tests of d3d12 run on a GPU or on lavapipe, which has just been installed: where they cannot, that is a failure.
export GOLDML_REQUIRE_GPU=1

jobs=$(nproc)
# All Catch2 tests (CMake's target catch_tests), by their names in CTest.
catch_tests='^(arithmetic|core|operators|registry|oracle|io|published|docs|cpu|d3d12|directml|directml_device)$'

# build_and_test FOLDER TARGET TESTS CMAKE_ARGUMENTS...: TARGET is CMake's, TESTS are CTest's -R.
build_and_test() {
  local folder=$1 target=$2 tests=$3
  shift 3
  echo "== $folder: building"
  cmake -S . -B "$folder" "$@" >/dev/null
  cmake --build "$folder" --target "$target" --parallel "$jobs"
  echo "== $folder: testing"
  ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "$jobs" -R "$tests"
  # What the tests counted, from CTest's own log.
  grep -hE '^(published vectors|fault injection|large tensors|large buffers|cpu against reference|d3d12 differential|d3d12: the tests run|directml: [0-9]+ random descs|directml mock|SKIPPED)' "$folder/Testing/Temporary/LastTest.log" || true
}

if [ -z "$leg" ]; then
  ./quickstart.sh
  build_and_test build all . -DCMAKE_BUILD_TYPE=Release -DGOLDML_UNITE_TESTS=ON
fi
if [ "$leg" = --sanitizers ]; then
  # By clang++, unoptimised, which takes a third of g++'s time here; kernels are compiled once, in goldml::compiled. Of UBSan
  # without the checks of pointers that cost most and that ASan makes too, or that only --long makes (alignment, vptr).
  prepare libclang-rt-14-dev
  checks=bool,builtin,enum,array-bounds,function,integer-divide-by-zero,nonnull-attribute
  checks+=,pointer-overflow,return,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound
  # Cases enough for each way through the code; results are the other leg's matter, which has them in full number.
  GOLDML_D3D12_CASES=60 GOLDML_DIRECTML_CASES=80 GOLDML_STEPS=4 build_and_test build-sanitize sanitized_programs \
    "$catch_tests|^(model|fuzz)\.|^tool(\.(case|corpus|explain))?$" \
    -DGOLDML_UNITE_TESTS=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-g1 -DGOLDML_SANITIZE=address,$checks \
    -DCMAKE_CXX_COMPILER=clang++ -DGOLDML_BUILD_BENCHMARKS=OFF -DGOLDML_BUILD_EXAMPLES=OFF -DGOLDML_TEST_HEADERS_ALONE=OFF
fi
if [ "$leg" = --long ]; then
  prepare libclang-rt-14-dev valgrind
  build_and_test build-clang other_programs \
    '^(tool$|tool.(oracle|json|explain|case|corpus)|model|example|fuzz|headers.two|headers.must|docs.(doctest|googletest)|directml.verify|d3d12.benchmark)' \
    -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-gdwarf-4 -g1" -DCMAKE_CXX_COMPILER=clang++ \
    -DGOLDML_BUILD_BENCHMARKS=OFF  # lines for valgrind, whose version 3.19 cannot read clang's DWARF 5
  GOLDML_LONG=1 build_and_test build catch_tests '^(registry|oracle|d3d12|headers.self_sufficient)$' -DCMAKE_BUILD_TYPE=Release \
    -DGOLDML_UNITE_TESTS=ON
  GOLDML_D3D12_CASES=300 GOLDML_STEPS=4 build_and_test build-gcc-sanitize catch_tests "$catch_tests" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-g1 -DGOLDML_SANITIZE=address,undefined \
    -DGOLDML_BUILD_BENCHMARKS=OFF
  build_and_test build-clang-threads threaded_tests '^(cpu|registry)$' -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=-O1 \
    -DGOLDML_SANITIZE=thread -DCMAKE_CXX_COMPILER=clang++ -DGOLDML_BUILD_BENCHMARKS=OFF
  tests/tool/limits.py build/goldml work
  for model in examples/models/*.json; do
    valgrind --error-exitcode=1 --quiet build-clang/goldml run "$model" --output-dir build/model_outputs --overwrite >/dev/null
  done
  echo "valgrind: the example models are clean"
  prepare_newest_clang
  ctest --test-dir build-clang --output-on-failure --no-tests=error -R '^consumers.module$'
  prepare pybind11-dev python3-dev python3-pytest python3-pip doxygen
  build_and_test build-python goldml_python '^(python|docs.api)$' -DCMAKE_BUILD_TYPE=Debug -DGOLDML_BUILD_PYTHON=ON \
    -DPython_EXECUTABLE=/usr/bin/python3 -DGOLDML_BUILD_BENCHMARKS=OFF
  tests/mutation/run.py
  tests/coverage/run.sh
  fuzz/run.sh "${GOLDML_FUZZ_SECONDS:-300}"
  tests/windows/run_under_wine.sh --all
fi
echo "all tests passed"
