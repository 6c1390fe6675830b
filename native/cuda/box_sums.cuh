// Running sums of a box across a row, as both kinds of boxes take them: a warp sums a row that lies in shared memory. A
// lane owns kRun results beside each other of one channel and finds each from the one before,
//
//   sum(x) = sum(x - 1) + sample(x + width - 1) - sample(x - 1)
//
// from 0 on; a scan over the lanes then says what each begins with. kRun is odd, so that lanes use different banks.
// Floats are summed with what rounding takes off, because running sums lose what they once rounded away.
#pragma once

#include <cstdint>
#include <type_traits>

namespace convolve::cuda {

inline constexpr int kRun = 15;
constexpr int RunsOf(int channels) { return 32 / channels; }
constexpr int ChunkOf(int channels) { return RunsOf(channels) * kRun; }  // results that a warp finds at once

/// A running sum, with what rounding took off where it is a float.
template <bool kIntegers>
struct Carry {
  using Sum = std::conditional_t<kIntegers, uint32_t, float>;
  Sum sum = 0;
  Sum rest = 0;

  __device__ __forceinline__ Sum With(Sum value) const { return sum + (rest + value); }
  __device__ __forceinline__ void Add(Sum value) {
    if constexpr (kIntegers) {
      sum += value;
    } else {
      const float more = __fadd_rn(rest, value);
      const float next = __fadd_rn(sum, more);
      const float taken = __fsub_rn(next, sum);
      rest = __fadd_rn(__fsub_rn(sum, __fsub_rn(next, taken)), __fsub_rn(more, taken));
      sum = next;
    }
  }
};

/// What the lanes of a channel add up.
template <int C, typename S>
__device__ __forceinline__ S SumOfRuns(S value) {
  if constexpr (32 % C == 0) {
#pragma unroll
    for (int step = 16; step >= C; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
    return value;
  } else {
    const int channel = static_cast<int>(threadIdx.x) % 32 % C;
    S sum = 0;
#pragma unroll
    for (int run = 0; run < RunsOf(C); ++run) sum += __shfl_sync(0xffffffffu, value, run * C + channel);
    return sum;
  }
}

/// Sums `width` samples for each of `results` pixels. Each sum, as `stored` makes it, lies in `staged`, a chunk of them
/// in order, when take(first pixel, count) is called by the whole warp.
template <int C, bool kIntegers, typename E, typename Staged, typename Stored, typename Take>
__device__ __forceinline__ void SumAcross(const E* samples, int width, int results, Staged* staged,
                                          const Stored& stored, const Take& take) {
  using Sum = typename Carry<kIntegers>::Sum;
  constexpr bool kIdle = 32 % C != 0;  // some lanes have no channel
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int run = kIdle ? min(lane / C, RunsOf(C) - 1) : lane / C;
  const int channel = lane % C;
  const bool idle = kIdle && lane >= RunsOf(C) * C;
  Carry<kIntegers> carry;
  {
    std::conditional_t<kIntegers, uint32_t, double> sum = 0;
    for (int i = run; i < width - 1; i += RunsOf(C)) sum += idle ? E{0} : samples[i * C + channel];
    sum = SumOfRuns<C>(sum);
    carry.sum = static_cast<Sum>(sum);
    if constexpr (!kIntegers) carry.rest = static_cast<float>(sum - static_cast<double>(carry.sum));
  }
#pragma unroll 1
  for (int first = 0; first < results; first += ChunkOf(C)) {
    const int own = first + run * kRun;
    const E* const in = samples + (own + width - 1) * C + channel;
    const E* const out = samples + (own - 1) * C + channel;
    Sum share[kRun];
    share[0] = static_cast<Sum>(in[0]) - (own > 0 ? static_cast<Sum>(out[0]) : Sum{0});
#pragma unroll
    for (int j = 1; j < kRun; ++j) {
      share[j] = share[j - 1] + (static_cast<Sum>(in[j * C]) - static_cast<Sum>(out[j * C]));
    }
    Sum total = share[kRun - 1];
#pragma unroll
    for (int step = C; step < 32; step *= 2) {
      const Sum before = __shfl_up_sync(0xffffffffu, total, step);
      total += lane >= step ? before : Sum{0};
    }
    Sum before = __shfl_up_sync(0xffffffffu, total, C);
    if (run == 0) before = 0;
    Staged* const place = staged + run * kRun * C + channel;
    if constexpr (kIntegers) before += carry.sum;
#pragma unroll
    for (int j = 0; j < kRun; ++j) {
      const Sum sum = kIntegers ? before + share[j] : carry.With(before + share[j]);
      if (!idle) place[j * C] = stored(sum);
    }
    __syncwarp();
    take(first, min(ChunkOf(C), results - first));
    __syncwarp();
    carry.Add(__shfl_sync(0xffffffffu, total, (RunsOf(C) - 1) * C + channel));
  }
}

}  // namespace convolve::cuda
