// The seam between the portable part of the FFT path and its vector code. A plane holds one complex tile in strips: a
// strip is as many neighbouring columns as a vector has lanes, all rows of it one below the other, and a cell is one
// row of a strip: a vector of real parts, then a vector of imaginary parts. Two real pictures share a plane, one in
// each part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/fft_length.h"

namespace convolve::cpu {

/// A plane of strips; `strip_stride` counts values from a strip to the next.
template <typename F>
struct FftPlane {
  F* data = nullptr;
  size_t strip_stride = 0;
};

/// One row of up to four interleaved channels becomes a row of cells. `to[c]` is where channel c goes in the first
/// strip (its row and part), or null for a channel that is not needed.
template <typename From, typename F>
struct FftSplitJob {
  const From* row = nullptr;  // strips * lanes pixels, and kFftRowSlack samples that may be read
  int channels = 0;
  F* to[4] = {};
  size_t strip_stride = 0;
  size_t strips = 0;
  F middle = 0;       // subtracted from every sample
  F* seen = nullptr;  // two vectors, updated: largest magnitude of all samples seen; not 0 once one was not finite
};

/// The reverse: cells become a row of pixels: value + added, rounded to a multiple of `quantum` where that is not 0,
/// over the divisor, clamped to low ... high.
template <typename T, typename F>
struct FftJoinJob {
  T* row = nullptr;  // strips * lanes pixels are written
  int channels = 0;
  const F* from[4] = {};  // null: the channel is written as `empty`
  size_t strip_stride = 0;
  size_t strips = 0;
  F added = 0;
  F quantum = 0;
  T divisor = 1;
  T low = 0;
  T high = 0;
  T empty = 0;               // of the channels that are not filtered
  uint8_t* bytes = nullptr;  // rounded to bytes here, and not to `row`: of 1 or 4 channels, T and F are float
};

/// Transforms `lanes` neighbouring rows across, multiplies by the kernel's spectrum, and transforms back. Without
/// either spectrum the transform stays in `scratch`.
template <typename F>
struct FftAcrossJob {
  FftPlane<F> plane;  // its data starts at the first of the rows
  const FftLength<F>* length = nullptr;
  const F* spectrum = nullptr;  // length cells of these rows,
  const F* line = nullptr;      // or, of a kernel that is one row, a complex factor for each column
  F* scratch = nullptr;         // length cells
  size_t strips_back = 0;       // only these first strips are transformed back
};

/// Samples beyond the end of a row that a split may read.
inline constexpr size_t kFftRowSlack = 64;

/// Functions of one instruction set; F is the type that is transformed in.
template <typename F>
struct FftKernels {
  size_t lanes = 0;
  /// Transforms a strip of cells down its rows, in place; the inverse is not divided by the length.
  void (*forward)(F* strip, const FftLength<F>& length) = nullptr;
  void (*inverse)(F* strip, const FftLength<F>& length) = nullptr;
  /// Forward, times a complex factor for each row, and back: of a kernel that is one column.
  void (*down)(F* strip, const FftLength<F>& length, const F* line) = nullptr;
  void (*across)(const FftAcrossJob<F>& job) = nullptr;
  /// Samples that need no look: at most 255. Of 1 or 4 channels, and F is float.
  void (*split_bytes)(const FftSplitJob<uint8_t, F>& job) = nullptr;
  void (*split_single)(const FftSplitJob<float, F>& job) = nullptr;
  void (*split_double)(const FftSplitJob<double, F>& job) = nullptr;
  void (*join_single)(const FftJoinJob<float, F>& job) = nullptr;
  void (*join_double)(const FftJoinJob<double, F>& job) = nullptr;
};

/// The table of an instruction set (see KernelsFor in cpu/kernels.h).
template <typename F>
const FftKernels<F>& FftKernelsFor(int64_t target);

}  // namespace convolve::cpu
