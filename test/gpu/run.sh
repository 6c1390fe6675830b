#!/usr/bin/env bash
# Everything that needs a device, in one call: builds the native part for this machine's device and runs the C++ tests, the
# tools of compute-sanitizer, random plans against the reference, the measurements, and the profiler's counts. Needs CMake,
# Ninja, a CUDA compiler and a device; no Node, no Highway. Nothing else may use the device meanwhile.
#   test/gpu/run.sh RESULTS [LIBRARIES]
# RESULTS    folder for the JSON files and logs
# LIBRARIES  prefix folder with doctest and nlohmann-json (include/, lib/cmake/, share/cmake/), where they are not installed
# Environment:
#   STEPS      which of these, in this order; all where it is not set:
#     test       the C++ tests on reference and cuda, the whole golden set among them
#     loss       a device that is really lost, in a process of its own
#     soak       SOAK_CASES (10000) random plans against the reference by test/fuzz, with the memory in use before and after
#     memory     SOAK_CASES random plans in one process, and what they leave behind
#     memcheck, synccheck  over cases that together touch every kernel, border and edge
#     bench, bench24       passes of the engine at 12 and 24 megapixels
#     npp        the same by NVIDIA's NPP, where that library is
#     variants   the teaching variants beside the engine
#     stencil    steps of 3 x 3 kernels
#     spread     one device and all of them
#     roofline   what ncu counts for each row
#     racecheck  over fewer cases, because it is slow
#   CUDA_ARCH  the device's compute capability (90)
#   CUFFT      ON builds the variant that needs cuFFT (ON where that library is found)
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
results=${1:?usage: test/gpu/run.sh RESULTS [LIBRARIES]}
libraries=${2:-}
arch=${CUDA_ARCH:-90}
steps=${STEPS:-test loss soak memory memcheck synccheck bench bench24 npp variants stencil spread roofline racecheck}
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
# A step that is one of the measurements; prints what it printed.
measure() {
  local name=$1
  step "$name" || return 0
  shift
  run "$name" "$@"
  cat "$results/$name.log"
}

toolkit=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
cufft=${CUFFT:-$([ -e "$toolkit/include/cufft.h" ] || [ -e "$toolkit/targets/x86_64-linux/include/cufft.h" ] && echo ON || echo OFF)}
configure=(cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCONVOLVE_CPU=OFF -DCONVOLVE_CUDA=ON
  # GCC 13 and later see dangling references where there are none.
  -DCMAKE_CXX_FLAGS=-Wno-dangling-reference -DCONVOLVE_TEST_CUDA=ON -DCONVOLVE_GPU_BENCH=ON
  "-DCONVOLVE_CUFFT=$cufft" "-DCONVOLVE_CUDA_ARCHITECTURES=$arch-real")
[ -z "$libraries" ] || configure+=("-DCMAKE_PREFIX_PATH=$(cd "$libraries" && pwd)")
run configure "${configure[@]}" || { tail -30 "$results/configure.log"; exit 1; }
run build cmake --build "$build" || { grep -E "error|FAILED" "$results/build.log" | head -40; exit 1; }

tests=$build/test/native/native_tests
programs=$build/test/gpu
if step test; then
  run test "$tests" || grep -E "ERROR|TEST CASE|seed|CAPTURE|values|logged" "$results/test.log" | head -${TEST_LINES:-60}
  grep -E "unequal|test cases|assertions" "$results/test.log" | tail -8
fi

measure loss "$build/test/native/cuda_loss"

# Random plans in several processes, each with seeds of its own; the memory that they hold is noted every second, on the
# host in KiB and on the device in MiB, so that growth can be seen.
soak() {
  local processes=${SOAK_PROCESSES:-8} cases=${SOAK_CASES:-10000} status=0 pids=() i
  for ((i = 0; i < processes; i++)); do
    "$build/test/fuzz/plan_fuzz" --target cuda --cases $((cases / processes)) --seed $((${SOAK_SEED:-1} + i * 1000000)) \
      --failures 3 >"$results/soak-$i.log" 2>&1 &
    pids+=($!)
  done
  while kill -0 "${pids[@]}" 2>"$results/soak-ended.log"; do
    echo "$(ps -o rss= -p "$(IFS=,; echo "${pids[*]}")" | awk '{ sum += $1 } END { print sum }')" \
      "$(nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits | head -1)" >>"$results/soak-memory.txt"
    sleep 1
  done
  for i in "${!pids[@]}"; do wait "${pids[$i]}" || status=1; done
  cat "$results"/soak-[0-9]*.log
  echo "host KiB and device MiB, in the middle and at the end of the time that all ran:"
  sed -n "$(($(wc -l <"$results/soak-memory.txt") / 2))p" "$results/soak-memory.txt"
  tail -2 "$results/soak-memory.txt" | head -1
  return $status
}
if step soak; then
  rm -f "$results/soak-memory.txt"
  run corpus "$build/test/fuzz/plan_fuzz" --target cuda --corpus "$root/test/fuzz/corpus.jsonl"
  tail -5 "$results/corpus.log"
  run soak soak
  grep -E "FAILED|^  |cases passed|rounded|host KiB|^[0-9]+ [0-9]+$" "$results/soak.log" | cut -c1-400 | head -${SOAK_LINES:-60}
fi

measure memory "$programs/memory_soak" "${SOAK_CASES:-10000}"

# Tools of compute-sanitizer over the cases that together touch every kernel, border and edge.
checked="*any tiling*cuda*,*dyadic*,*8-bit within*,*wider than a block*,*stencil of integers*,*variants are whole*"
checked+=",*boxes divided*,*boxes keep*,*pairs of bytes*,*small kernels of bytes*,*FFT of integers*,*byte walks*"
check() {
  local tool=$1 cases=$2
  run $tool compute-sanitizer --tool $tool --error-exitcode 9 "$tests" -tc="$cases" || tail -30 "$results/$tool.log"
  grep -E "SUMMARY|test cases" "$results/$tool.log" | tail -3
}
for tool in memcheck synccheck; do
  if step $tool; then check $tool "$checked"; fi
done

measure bench "$programs/gpu_bench" "$results/h200-12mp.json" 12
if step bench24; then
  run bench24 "$programs/gpu_bench" "$results/h200-24mp.json" 24
  grep -E "x4" "$results/bench24.log"
fi
if step npp; then
  if run npp-build cmake --build "$build" --target npp_bench; then
    measure npp "$programs/npp_bench" "$results/npp-12mp.json"
  else
    grep -E "error" "$results/npp-build.log" | head -20
  fi
fi
measure variants "$programs/variant_bench" "$results/variants-12mp.json"
measure stencil "$programs/stencil_bench" "$results/stencil-12mp.json"
measure spread "$programs/spread_bench" "$results/spread-24mp.json"
if step roofline; then
  metrics=gpu__time_duration.sum,dram__bytes.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed
  metrics+=,sm__throughput.avg.pct_of_peak_sustained_elapsed,smsp__issue_active.avg.pct_of_peak_sustained_active
  metrics+=,smsp__sass_thread_inst_executed_op_ffma_pred_on.sum,smsp__sass_thread_inst_executed_op_fadd_pred_on.sum
  metrics+=,smsp__sass_thread_inst_executed_op_fmul_pred_on.sum
  metrics+=,sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active
  metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed
  run roofline ncu --clock-control none --profile-from-start off --nvtx --print-nvtx-rename kernel --csv --page raw \
    --metrics "$metrics" --log-file "$results/roofline.csv" "$programs/roofline" || tail -20 "$results/roofline.log"
  grep -v "^==" "$results/roofline.csv" | cut -c1-160 | head -${ROOFLINE_LINES:-6}
fi
# Last, because it is slow, and nothing else may run beside the measurements.
raced="*dyadic*,*stencil of integers*,*boxes divided*,*boxes keep*,*pairs of bytes*,*FFT of integers*"
raced+=",*byte walks of magnitudes*,*byte walks keep*"
if step racecheck; then check racecheck "$raced"; fi
exit $failed
