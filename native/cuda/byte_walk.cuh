// What both byte walks share on the device: products of bytes, rows of bytes turned into words, what a launch is told,
// and how the picture is cut into blocks.
#pragma once

#include <algorithm>

#include "cuda/byte_walk.h"
#include "cuda/check.h"
#include "cuda/launch.cuh"
#include "cuda/strips.h"
#include "cuda/walk_fill.cuh"
#include "cuda/walk_store.cuh"

namespace convolve::cuda {

/// How sums become samples.
enum class ByteFinish {
  kAny,    // every step, in float32
  kShift,  // dense: whole numbers times 2^-shift, rounded, to bytes
  kRoot,   // a magnitude whose divisors are the same power of two, to bytes
  kGap,    // the same where the first kernel's middle column is empty
  kFloat,  // separable: float32 times a constant, rounded, to bytes
};

struct ByteWalkParameters {
  SourceParameters source;
  TargetParameters target;
  FinishParameters finish;
  int first_sample;  // of the first thread's group, from the buffer's first sample; a multiple of kWalkSector
  int strip;         // output rows that a block walks down
  int shift;
  float scale;         // 2^-shift
  uint32_t words[32];  // weights as the kernel wants them, two or four to a word
  float column[15];    // from its last row to its first
};

/// Adds the products of two 16-bit weights, the first in the low half, and bytes 2 * kHalf and 2 * kHalf + 1.
template <int kHalf>
__device__ __forceinline__ int AddTwo(uint32_t weights, uint32_t bytes, int sum) {
  int more;
  if constexpr (kHalf == 0) {
    asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(more) : "r"(weights), "r"(bytes), "r"(sum));
  } else {
    asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(more) : "r"(weights), "r"(bytes), "r"(sum));
  }
  return more;
}
/// Adds the products of four 8-bit weights and four bytes.
__device__ __forceinline__ int AddFour(uint32_t weights, uint32_t bytes, int sum) {
  int more;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(more) : "r"(bytes), "r"(weights), "r"(sum));
  return more;
}

/// Four words of four bytes each, turned: word i gets byte i of each.
__device__ __forceinline__ void Turn(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t (&to)[4]) {
  const uint32_t ab = __byte_perm(a, b, 0x5140);
  const uint32_t cd = __byte_perm(c, d, 0x5140);
  const uint32_t ab_high = __byte_perm(a, b, 0x7362);
  const uint32_t cd_high = __byte_perm(c, d, 0x7362);
  to[0] = __byte_perm(ab, cd, 0x5410);
  to[1] = __byte_perm(ab, cd, 0x7632);
  to[2] = __byte_perm(ab_high, cd_high, 0x5410);
  to[3] = __byte_perm(ab_high, cd_high, 0x7632);
}

/// Four whole numbers as bytes, limited to 0 ... 255, the first in the lowest.
__device__ __forceinline__ uint32_t PackWhole(int a, int b, int c, int d) {
  uint32_t high;
  uint32_t all;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(d), "r"(c));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(b), "r"(a), "r"(high));
  return all;
}

/// Four values times a power of two as bytes, rounded as PackBytes does.
__device__ __forceinline__ uint32_t PackScaled(const float* v, float scale) {
  int whole[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) whole[i] = __float2int_rz(__fmaf_rz(v[i], scale, 0.5f));
  return PackWhole(whole[0], whole[1], whole[2], whole[3]);
}

/// Finished bytes of a row: all of them at once where they are wanted and lie aligned.
template <int kWords>
__device__ __forceinline__ void WritePacked(const WalkStore& store, const uint32_t (&packed)[kWords]) {
  if (store.vector) {
    if constexpr (kWords == 4) {
      *reinterpret_cast<uint4*>(store.row) = make_uint4(packed[0], packed[1], packed[2], packed[3]);
    } else {
      *reinterpret_cast<uint2*>(store.row) = make_uint2(packed[0], packed[1]);
    }
    return;
  }
#pragma unroll
  for (int s = 0; s < 4 * kWords; ++s) {
    if (s >= store.before && s < store.wanted) store.row[s] = static_cast<char>(packed[s / 4] >> (s % 4 * 8));
  }
}

/// Pairs of consecutive weights from position `first` of a line of `count`, where those outside are 0.
inline uint32_t PairOfWeights(const int16_t* line, int stride, int count, int first) {
  const auto at = [&](int i) {
    return i < 0 || i >= count ? uint32_t{0} : static_cast<uint32_t>(static_cast<uint16_t>(line[i * stride]));
  };
  return at(first) | at(first + 1) << 16;
}

/// Starts `kernel`, whose threads own kSamples samples.
template <int kSamples, typename Kernel>
void LaunchBytes(Kernel kernel, const ByteWalkJob& job, int rows_before, int most_strip, ByteWalkParameters* p) {
  const int channels = job.channels;
  const int begin = (p->target.x0 - p->source.left) * channels;
  const int end = (p->target.x1 - p->source.left) * channels;
  p->first_sample = begin / kWalkSector * kWalkSector;
  constexpr int kBlockSamples = kWalkThreads * kSamples;
  const int across = (end - p->first_sample + kBlockSamples - 1) / kBlockSamples;
  int resident = 0;
  Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kWalkThreads, 0), "walk occupancy");
  const int rows = p->target.y1 - p->target.y0;
  const int slots = job.multiprocessors * std::max(1, resident);
  p->strip = StripRows(rows, across, slots, rows_before + kWalkGroup, kWalkGroup, most_strip);
  // All of them as tall, where the last would be shorter.
  const int strips = (rows + p->strip - 1) / p->strip;
  p->strip = (rows + strips - 1) / strips;
  const dim3 grid(across, (rows + p->strip - 1) / p->strip);
  LaunchNext(kernel, grid, kWalkThreads, 0, job.stream, *p, "walk");
}

}  // namespace convolve::cuda
