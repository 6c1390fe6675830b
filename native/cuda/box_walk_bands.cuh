// Bands: sums of kWalkBand rows of each column, made by a launch of their own, so that the strips of a tall box need
// not read all rows of their first box. A box's first row lies at the same place of a band in every strip that begins
// at a multiple of kWalkBand; mirrored rows are bands too where they happen to be whole ones.
#pragma once

#include "cuda/box_walk_sums.cuh"
#include "cuda/launch.cuh"

namespace convolve::cuda {

/// Where band 0 begins: an input row of a strip's first box that lies at a multiple of kWalkBand from it begins a band.
__host__ __device__ inline int BandOrigin(int anchor_y) { return (kWalkBand - anchor_y % kWalkBand) % kWalkBand; }

/// The band that rows `i` ... `i + kWalkBand - 1` of a strip are, in whichever order, or -1.
__device__ __forceinline__ int BandAt(const BoxLaunch& box, const int* table, int i, int rows) {
  if (i + kWalkBand > rows) return -1;
  const int first = table[i];
  const int last = table[i + kWalkBand - 1];
  if (min(first, last) < 0 || abs(last - first) != kWalkBand - 1) return -1;
  const int place = min(first, last) + box.job.source.top - BandOrigin(box.job.anchor_y);
  return place % kWalkBand == 0 ? place / kWalkBand - box.first_band : -1;
}

/// Adds all rows of a strip's first box but its last, and the first one again, to the sums of a thread's columns.
template <int C, int kWords, int kGroups, typename Load, typename Sum>
__device__ __forceinline__ void AddBands(const BoxLaunch& box, const int* table, const Load& load,
                                         const uint32_t (&column)[kGroups], const bool (&outside)[kGroups],
                                         Sum (&own)[kGroups]) {
  constexpr int kBatch = 4;
  const SourceParameters& source = box.job.source;
  const int rows = box.job.height - 1;
  const int pixel_bytes = C * (source.type == SampleType::kU8 ? 1 : 4);
  const auto* const bands = static_cast<const uint32_t*>(box.bands);
#pragma unroll 1
  for (int i = 0; i < rows;) {
    // Each a row, or -1 - a band.
    int item[kBatch];
    int count = 0;
#pragma unroll
    for (int r = 0; r < kBatch; ++r) {
      if (i >= rows) continue;
      const int band = BandAt(box, table, i, rows);
      item[r] = band >= 0 ? -1 - band : i;
      i += band >= 0 ? kWalkBand : 1;
      ++count;
    }
    uint32_t words[kGroups][kBatch][kWords > sizeof(load(0, 0)) / 4 ? kWords : sizeof(load(0, 0)) / 4];
#pragma unroll
    for (int r = 0; r < kBatch; ++r) {
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        if (r >= count) continue;
        if (item[r] >= 0 || outside[g]) {
          const auto raw = load(g, max(item[r], 0));
          memcpy(words[g][r], &raw, sizeof raw);
        } else {
          const int64_t place = int64_t{-1 - item[r]} * source.columns + column[g] / pixel_bytes;
          uint32_t sums[kWords];
          ReadSums<kWords>(bands + place * kWords, sums);
          memcpy(words[g][r], sums, sizeof sums);
        }
      }
    }
#pragma unroll
    for (int r = 0; r < kBatch; ++r) {
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        if (r >= count) continue;
        if (item[r] >= 0 || outside[g]) {
          auto raw = load(g, 0);
          memcpy(&raw, words[g][r], sizeof raw);
#pragma unroll 1
          for (int k = item[r] >= 0 ? 1 : kWalkBand; k > 0; --k) own[g].Add(raw, source.alpha_scale);
        } else {
          own[g].AddSums(words[g][r]);
        }
      }
    }
  }
#pragma unroll
  for (int g = 0; g < kGroups; ++g) own[g].Add(load(g, 0), source.alpha_scale);
}

/// A thread sums a column of pixels of a band.
template <int C, typename T, typename Sum>
__global__ void __launch_bounds__(256) BandKernel(const __grid_constant__ BoxLaunch box) {
  using Raw = RawPixel<C, T>;
  LetNextPrepare();
  const SourceParameters& source = box.job.source;
  const int pixel = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  if (pixel >= source.columns) return;
  const int band = static_cast<int>(blockIdx.x);
  const int row = (box.first_band + band) * kWalkBand + BandOrigin(box.job.anchor_y) - source.top;
  const char* from = static_cast<const char*>(source.data) + int64_t{row} * source.pitch + int64_t{pixel} * sizeof(Raw);
  AwaitWork();
  Raw raw[kWalkBand];
#pragma unroll
  for (int r = 0; r < kWalkBand; ++r) raw[r] = *reinterpret_cast<const Raw*>(from + int64_t{r} * source.pitch);
  Sum sum = {};
#pragma unroll
  for (int r = 0; r < kWalkBand; ++r) sum.Add(raw[r], source.alpha_scale);
  constexpr int kWords = sizeof(sum.sum) / 4;
  uint32_t words[kWords];
  memcpy(words, sum.sum, sizeof words);
  WriteSums<kWords>(static_cast<uint32_t*>(box.bands) + (int64_t{band} * source.columns + pixel) * kWords, words);
}

}  // namespace convolve::cuda
