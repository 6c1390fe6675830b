#!/usr/bin/env bash
# Builds the native part for this machine's device and runs, in this order: the C++ tests on reference and cuda, the tools
# of compute-sanitizer over a reduced set, the measurements at 12 and 24 megapixels, the same by NPP. Needs CMake, Ninja, a
# CUDA compiler and a device; no Node, no Highway. Nothing else may use the device meanwhile.
#   test/gpu/run.sh RESULTS [LIBRARIES]
# RESULTS    folder for the JSON files and logs
# LIBRARIES  prefix folder with doctest and nlohmann-json (include/, lib/cmake/, share/cmake/), where they are not installed
# Environment: CUDA_ARCH (default 90), STEPS (default "test memcheck synccheck bench bench24 npp racecheck")
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
results=${1:?usage: test/gpu/run.sh RESULTS [LIBRARIES]}
libraries=${2:-}
arch=${CUDA_ARCH:-90}
steps=${STEPS:-test memcheck synccheck bench bench24 npp racecheck}
build=$root/build/gpu
mkdir -p "$results" && results=$(cd "$results" && pwd)
failed=0
step() { case " $steps " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
# Runs a step, keeps its log, says how it ended.
run() {
  local name=$1
  shift
  local begin=$SECONDS
  "$@" >"$results/$name.log" 2>&1
  local status=$?
  [ $status -eq 0 ] || failed=1
  echo "== $name: exit $status, $((SECONDS - begin)) s"
  return $status
}

configure=(cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCONVOLVE_CPU=OFF -DCONVOLVE_CUDA=ON
  # GCC 13 and later see dangling references where there are none.
  -DCMAKE_CXX_FLAGS=-Wno-dangling-reference -DCONVOLVE_TEST_CUDA=ON -DCONVOLVE_GPU_BENCH=ON "-DCONVOLVE_CUDA_ARCHITECTURES=$arch-real")
[ -z "$libraries" ] || configure+=("-DCMAKE_PREFIX_PATH=$(cd "$libraries" && pwd)")
run configure "${configure[@]}" || { tail -30 "$results/configure.log"; exit 1; }
run build cmake --build "$build" || { grep -E "error|FAILED" "$results/build.log" | head -40; exit 1; }

tests=$build/test/native/native_tests
if step test; then
  run test "$tests" || grep -E "ERROR|TEST CASE|seed|CAPTURE|values|logged" "$results/test.log" | head -${TEST_LINES:-60}
  grep -E "unequal|test cases|assertions" "$results/test.log" | tail -8
fi
# Tools of compute-sanitizer over the cases that together touch every kernel, border and edge.
checked="*any tiling*cuda*,*dyadic*,*8-bit within*,*wider than a block*"
check() {
  local tool=$1 cases=$2
  run $tool compute-sanitizer --tool $tool --error-exitcode 9 "$tests" -tc="$cases" || tail -30 "$results/$tool.log"
  grep -E "SUMMARY|test cases" "$results/$tool.log" | tail -3
}
for tool in memcheck synccheck; do
  if step $tool; then check $tool "$checked"; fi
done
if step bench; then
  run bench "$build/test/gpu/gpu_bench" "$results/h200-12mp.json" 12
  cat "$results/bench.log"
fi
if step bench24; then
  run bench24 "$build/test/gpu/gpu_bench" "$results/h200-24mp.json" 24
  grep -E "x4" "$results/bench24.log"
fi
if step npp; then
  if run npp-build cmake --build "$build" --target npp_bench; then
    run npp "$build/test/gpu/npp_bench" "$results/npp-12mp.json"
    cat "$results/npp.log"
  else
    grep -E "error" "$results/npp-build.log" | head -20
  fi
fi
# Last, because it is slow, and nothing else may run beside the measurements.
if step racecheck; then check racecheck "*dyadic*"; fi
exit $failed
