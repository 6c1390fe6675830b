// What the box's two launches are told. The first sums every row of the buffer across, the second those sums down.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/box.h"

namespace convolve::cuda {

/// Rows of a band: a strip's first sum takes whole bands where it can.
inline constexpr int kBoxBand = 32;

struct BoxLaunch {
  BoxJob job;
  int strip;            // of one launch: rows of a block
  int first_strip;      // of the picture
  void* sums;           // of rows, [buffer row][column][channel]: uint16_t, uint32_t or float
  int sums_pitch;       // elements
  int first_x;          // input position of their first column, a multiple of `segment`
  int segment;          // columns
  int segments;         // across
  void* bands;          // sums of kBoxBand rows of those, uint32_t or float, as wide; null: none
  int first_band;       // counted from picture row 0
  int last_band;        // one after the last
  double inverse;       // of job.divisor
  uint32_t multiplier;  // (sum + half) * multiplier >> 32 >> shift is the rounded quotient; 0: not to be used
  uint32_t half;
  int shift;  // 0, 8 or 16
};

/// What rows' sums are kept as: integers where all are whole, in 16 bits where they fit.
enum class BoxSums { kWords, kIntegers, kFloats };
template <BoxSums kSums>
using RowSum = std::conditional_t<kSums == BoxSums::kWords, uint16_t,
                                  std::conditional_t<kSums == BoxSums::kIntegers, uint32_t, float>>;

/// Whether one launch can do it, of which kind.
bool BoxRings(const BoxJob& job, int channels, int shared_bytes);
void LaunchBoxRing(const BoxLaunch& launch, int channels, cudaStream_t stream);
bool BoxWalks(const BoxJob& job, int channels, int shared_bytes);
/// `launch.bands`, where there is memory for them, is filled first.
void LaunchBoxWalk(const BoxLaunch& launch, int channels, cudaStream_t stream);
/// Sums of kWalkBand rows of the source, from which strips of tall boxes begin; whether they pay, and which of them lie
/// in the buffer. Each is as many numbers of 32 bits as a pixel has channels.
inline constexpr int kWalkBand = 16;
bool WalkBands(const BoxSize& box);
int WalkFirstBand(const BoxJob& job);
int WalkLastBand(const BoxJob& job);

void LaunchBoxAcross(const BoxLaunch& launch, BoxSums sums, int channels, cudaStream_t stream);
/// Fills `bands`.
void LaunchBoxBands(const BoxLaunch& launch, BoxSums sums, cudaStream_t stream);
void LaunchBoxDown(const BoxLaunch& launch, BoxSums sums, int channels, cudaStream_t stream);

}  // namespace convolve::cuda
