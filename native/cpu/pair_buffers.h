// The memory of separable and box passes, and how wide their strips should be for it.
#pragma once

#include <cstddef>

#include "cpu/axis.h"
#include "cpu/kernels.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_stride.h"
#include "cpu/scratch.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Lanes of the widest vectors of T.
template <typename T>
inline constexpr size_t kMostLanes = kCacheLine / sizeof(T);
/// Rows of the tallest group: lanes of int32 and float.
inline constexpr size_t kMostGroupRows = 16;
/// Samples of a border's constant as a row.
inline constexpr size_t kOutsideSamples = 16;

/// Takes (or, with a counting carver, counts) the scratch memory of a block of at most this size.
template <typename T>
struct PairBuffers {
  PairBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height);

  size_t column_stride = 0;  // samples from one pair's summed columns to the next
  T* columns = nullptr;
  std::byte* sums = nullptr;  // a box's running sums down the columns
  bool ring = false;          // loaded rows stay for the groups below; else a few columns at a time are loaded
  int loaded_pixels = 0;      // of a loaded row
  size_t loaded_stride = 0;   // samples
  size_t loaded_rows = 0;
  T* loaded = nullptr;
  size_t row_stride = 0;  // samples
  T* rows = nullptr;      // finished rows that are not stored at once
  T* input = nullptr;     // a row of the pixels themselves
  T* turned = nullptr;
  T* spread = nullptr;               // a row of floats in quarters
  T* outside = nullptr;              // a border's constant: as a row, and summed down for each pair
  std::byte* outside_row = nullptr;  // as a row of the source's samples
  const T** inputs = nullptr;        // for each pair
  PairTaps<T>* taps = nullptr;
  const void** pointers = nullptr;
  AxisRun* runs = nullptr;
  AxisRun* own_runs = nullptr;
  int* places = nullptr;
  int* copies = nullptr;  // for positions outside the picture: the position that holds the same column, or -1
};

/// Bytes of RunningSums::sums for blocks of at most this width.
template <typename T>
size_t RunningSumsBytes(const PreparedPass<T>& pass, int channels, int width);

/// How many pixels wide a strip should be, so that what it keeps in use stays in the second-level cache.
template <typename T>
int PairStripPixels(const PreparedPass<T>& pass, int channels, SampleType source);

}  // namespace convolve::cpu
