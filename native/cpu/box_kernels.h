// The seam of box passes: running sums over a group of rows that lie side by side in the lanes of vectors (the layout
// of pair_kernels.h), each step one sample in and one out, whatever the box's size. All sums are exact - integers, or
// floating point that was rounded to a grid coarse enough for it - so that their order, and with it any tiling, changes
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/pair_kernels.h"

namespace convolve::cpu {

/// What running sums are held in.
enum class BoxSum {
  kInteger,  // int32: of integers, or whole numbers of a grid's steps
  kDouble,   // float64, from anything else
};

/// Column sums of `count` rows for each row of a group, turned:
/// output[x * lanes + q] = sum over j < count of rows[q + j][x].
struct BoxColumnsJob {
  const void* const* rows = nullptr;  // count + lanes - 1 rows of the source's type
  size_t samples = 0;                 // at least one vector
  size_t count = 0;
  bool first = false;    // the group does not follow the one before: sums start anew
  double magic = 0;      // 1.5 * 2^52 times the grid's step (kDouble of floating point)
  float by = 1;          // 1 over the grid's step (kInteger of floating point)
  void* sums = nullptr;  // one for each sample of whole vectors: of the rows that the next group starts with
  void* output = nullptr;
};

/// output[q][x] = sum over i < count of input[(x + i * channels) * lanes + q], finished as rows.* says.
template <typename T>
struct BoxRowsJob {
  const void* input = nullptr;
  size_t count = 0;
  bool multiply = false;  // by the divisor's reciprocal: sums are steps of a grid
  PairRowsJob<T> rows;    // inputs, taps and pairs are not used
};

/// Integers from sums of integers that nothing else happens to: output[q][x] = sum over i < count of
/// input[(x + i * channels) * lanes + q], over the divisor, rounded half up and cut at full scale.
struct BoxWholeJob {
  const int32_t* input = nullptr;  // read to the next multiple of kBoxPixels
  size_t count = 0;
  size_t channels = 0;
  size_t pixels = 0;
  int32_t divisor = 1;            // at least 1; half of it is added to sums, which stay below 2^31
  bool opaque = false;            // the last of 2 or 4 channels becomes full scale
  void* const* output = nullptr;  // one row for each lane; exactly `pixels` are written
  size_t rows = 0;                // how many of them are wanted
  bool stream = false;            // past the caches, where rows are aligned for it
};

/// A box's summed columns may be read to the next multiple of so many pixels.
inline constexpr size_t kBoxPixels = 64;

template <typename T>
struct BoxKernels {
  size_t lanes[2] = {};  // rows of a group, by BoxSum
  /// By BoxSum and sample type of the source; null where there is no such sum.
  void (*columns[2][4])(const BoxColumnsJob& job) = {};
  /// By BoxSum and sample type of the destination.
  void (*rows[2][4])(const BoxRowsJob<T>& job) = {};
  /// From kInteger to the integers that work as T.
  void (*whole)(const BoxWholeJob& job) = nullptr;
};

template <typename T>
void FillBoxKernels(int64_t target, BoxKernels<T>& kernels);
template <typename T>
void FillBoxWhole(int64_t target, BoxKernels<T>& kernels);

}  // namespace convolve::cpu
