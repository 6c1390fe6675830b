// The seam of separable passes: jobs over a group of rows that lie side by side in the lanes of vectors, so that both
// directions are weighted sums of whole, aligned vectors. One table of functions for each instruction set.
//
// A group is as many result rows as a vector has lanes. First each column is summed down, straight from the samples of
// the source, and turned: one vector for each column, which holds that column's sums for the rows of the group. Then
// these vectors are summed across, turned back and stored as samples of the destination.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/pass.h"

namespace convolve::cpu {

/// Which taps share a weight: none, those that mirror each other, or those that do with the opposite sign.
enum class TapFold { kNone, kEven, kOdd };

/// A sum of `count` taps. Folded: the first count / 2 weights, then, of an odd count, the one in the middle.
template <typename T>
struct PairTaps {
  const T* weights = nullptr;
  size_t count = 0;
  TapFold fold = TapFold::kNone;
};

/// output[x * lanes + q] = sum over j of weights[j] * rows[q + j][begin + x], x = 0 ... samples - 1; or, where sums are
/// not turned, output[q * output_stride + x].
template <typename T>
struct PairColumnsJob {
  const void* const* rows = nullptr;  // taps.count + lanes - 1 rows of the source's type
  size_t begin = 0;
  size_t samples = 0;  // whole vectors, or at least one vector (the last two then overlap)
  PairTaps<T> taps;
  T* output = nullptr;
  size_t output_stride = 0;  // 0: sums are turned
};

/// Odd numbers of taps up to this one, folded evenly, are few: they have kernels of their own where columns are not
/// turned to lanes.
inline constexpr size_t kMostFewTaps = 15;

template <typename T>
constexpr bool AreFew(const PairTaps<T>& taps) {
  return taps.fold == TapFold::kEven && taps.count % 2 == 1 && taps.count >= 3 && taps.count <= kMostFewTaps;
}

/// Rows of other taps are spread in quarters: pixels p, p + s, p + 2s and p + 3s of a row fill a vector, so that the
/// vectors of neighbouring pixels are the inputs of a sum. A quarter has s pixels, whole groups of results.
constexpr size_t SpreadPixels(size_t pixels) { return (pixels + 63) / 64 * 16; }
/// Floats of scratch for a row of so many pixels.
constexpr size_t SpreadFloats(size_t pixels, size_t taps) { return (SpreadPixels(pixels) + taps + 3) * 16; }

/// Rows of pixels of four floats from rows of summed columns: output[q][x] = sum over i of
/// weights[i] * input[q * input_stride + x + 4 * i], from `low` to `high`.
struct PairUnturnedJob {
  const float* input = nullptr;  // three vectors more than a row needs may be read; spread, to whole 64 pixels more
  size_t input_stride = 0;
  PairTaps<float> taps;
  size_t samples = 0;
  float low = 0;
  float high = 0;
  bool opaque = false;  // the last channel becomes full_scale
  float full_scale = 1;
  void* const* output = nullptr;
  size_t rows = 0;
  bool stream = false;                 // past the caches: few taps wherever rows begin, others where vectors do
  float* spread = nullptr;             // scratch, where taps are not few
  const void* const* ahead = nullptr;  // for each row one that the next group will read, to be fetched
};

/// The rows of a group from its summed columns: output[q][x] = sum over pairs and i of
/// weights[i] * inputs[(x + i * channels) * lanes + q], then the division and what needs no other pixel: the epilogue,
/// offset and range, alpha that becomes full scale. The same operations in the same order as of rows (kernels.h).
template <typename T>
struct PairRowsJob {
  const T* const* inputs = nullptr;  // for each pair; whole multiples of `lanes` pixels may be read
  const PairTaps<T>* taps = nullptr;
  size_t pairs = 0;
  size_t channels = 0;
  size_t pixels = 0;
  T divisor = 1;
  T result = 1;
  T input_factor = 0;
  const void* const* own = nullptr;  // where input_factor is not 0: the pixels themselves, a row for each lane,
  bool own_integers = false;         // as the integers that work as T, or as T
  T offset = 0;
  RangeKind range = RangeKind::kFloat;  // all but kRescale; integer destinations clamp anyway
  bool opaque = false;                  // the last channel becomes full_scale
  T full_scale = 1;
  void* const* output = nullptr;  // one row for each lane
  size_t rows = 0;                // how many of them are wanted
  bool stream = false;            // past the caches: all rows begin cache lines
  bool padded = false;            // a vector may be written behind the last pixel
  T* turned = nullptr;            // scratch: lanes * lanes * channels
};

template <typename T>
struct PairKernels {
  size_t lanes = 0;
  /// By sample type of the source and of the destination; null where that type is not summed as T.
  void (*columns[4])(const PairColumnsJob<T>& job) = {};
  void (*rows[4])(const PairRowsJob<T>& job) = {};
  /// Few columns that are not turned, and rows of such columns; null where the instruction set has none.
  void (*few_columns)(const PairColumnsJob<T>& job) = nullptr;
  void (*unturned_rows)(const PairUnturnedJob& job) = nullptr;
};

template <typename T>
void FillPairColumns(int64_t target, PairKernels<T>& kernels);
template <typename T>
void FillPairRows(int64_t target, PairKernels<T>& kernels);
template <typename T>
void FillPairUnturned(int64_t target, PairKernels<T>& kernels);
template <>
void FillPairUnturned<float>(int64_t target, PairKernels<float>& kernels);
template <>
void FillPairUnturned<double>(int64_t target, PairKernels<double>& kernels);

}  // namespace convolve::cpu
