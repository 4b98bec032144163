#!/usr/bin/env bash
# The tests and the benchmark of d3d12 on a machine with only an NVIDIA GPU and its driver, without a
# compiler or packages. Two steps; the first runs where goldml is built:
#   tests/d3d12/run_on_nvidia.sh [FOLDER]
#     builds the programs into FOLDER (build-nvidia), with the libraries they need: vkd3d, fmt, the Vulkan loader and
#     what NVIDIA's driver may ask for
#   FOLDER/run.sh [BENCHMARK_OPTIONS]
#     there: all cases (GOLDML_D3D12_CASES an operator, 2000 unless said), buffers of gigabytes, the GPU's instructions
#     with 10^8 FLOAT32 arguments (docs/verdicts.md), then the speed table, with PyTorch's times where python3 has it.
#     Ends with status 0 when every result is right. Copies its log to $OUT where that names a folder.
set -euo pipefail

if [ "$(basename "$0")" = run_on_nvidia.sh ]; then
  source_dir=$(realpath "$(dirname "$0")/../..")
  folder=$(realpath -m "${1:-$source_dir/build-nvidia}")
  mkdir -p "$folder/lib" "$folder/build"
  cmake -S "$source_dir" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DGOLDML_BUILD_TOOL=OFF \
    -DGOLDML_BUILD_EXAMPLES=OFF >/dev/null
  cmake --build "$folder/build" --target test_d3d12 test_d3d12_large test_d3d12_instructions goldml_benchmark_d3d12 \
    --parallel "$(nproc)"
  cp "$folder"/build/tests/{test_d3d12,test_d3d12_large,test_d3d12_instructions,goldml_benchmark_d3d12} "$folder"
  cp "$source_dir/benchmarks/d3d12_torch.py" "$folder"
  cp "$0" "$folder/run.sh"
  for program in test_d3d12 test_d3d12_large test_d3d12_instructions goldml_benchmark_d3d12; do
    # All except the C library, which is that of the machine.
    ldd "$folder/$program" | awk '$2 == "=>" && $1 !~ /^lib(c|m|dl|rt|pthread)\.so/ { print $3 }' |
      xargs cp -Lt "$folder/lib"
  done
  # The driver's library needs these.
  packages=(libegl1 libglvnd0 libopengl0 libgl1 libglx0 libgles2)
  (cd "$folder/build" && apt-get -o APT::Sandbox::User=root download -qq "${packages[@]}" &&
    for package in *.deb; do dpkg -x "$package" glvnd; done &&
    cp -Lt "$folder/lib" glvnd/usr/lib/*/*.so.?)
  rm -rf "$folder/build"
  du -sh "$folder"
  exit 0
fi

cd "$(dirname "$0")"
log=$PWD/d3d12.log
ours=(env "LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}")  # not for python3, which has its own
export GOLDML_REQUIRE_GPU=1 GOLDML_D3D12_ADAPTER=${GOLDML_D3D12_ADAPTER:-NVIDIA} GOLDML_LONG=1
# A driver in an unusual location.
if [ -z "${VK_DRIVER_FILES:-}" ] && ! compgen -G '/*/vulkan/icd.d/*' >/dev/null &&
  ! compgen -G '/usr/share/vulkan/icd.d/*' >/dev/null; then
  driver=$(find / \( -path /proc -o -path /sys \) -prune -o -name 'nvidia_icd*.json' -print -quit 2>/dev/null || true)
  [ -z "$driver" ] || export VK_DRIVER_FILES=$driver
fi

check_and_measure() {
  local status=0 peer=()
  for program in test_d3d12 test_d3d12_large "test_d3d12_instructions 100000000"; do
    "${ours[@]}" ./$program || { status=$?; echo "$program: status $status"; }
  done
  if python3 -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null && python3 d3d12_torch.py | tee torch.txt; then
    peer=(--peer torch.txt)
  else
    echo "no PyTorch with a GPU here: the table has no peer"
  fi
  "${ours[@]}" ./goldml_benchmark_d3d12 --adapter "$GOLDML_D3D12_ADAPTER" "${peer[@]}" "$@" ||
    { status=$?; echo "goldml_benchmark_d3d12: status $status"; }
  return "$status"
}

status=0
check_and_measure "$@" 2>&1 | tee "$log" || status=$?
if [ -d "${OUT:-}" ]; then cp "$log" "$OUT"; fi
exit "$status"
