// Sums over the taps of a sparse kernel: the seam to their vector code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/kernels.h"

namespace convolve::cpu {

/// A weight that is not 0 and where it lies: its row, and its column in samples.
template <typename T>
struct SparseTap {
  size_t row = 0;
  size_t offset = 0;
  T weight = 0;
};

/// Weighted sums of one chain of taps for `outputs` neighbouring result rows:
///   output[q][x] = sum over taps of weight * rows[q + tap.row][offset + tap.offset + x]
/// Each sum runs over the taps in their order, whatever `outputs` and `samples` are.
template <typename T>
struct SparseJob {
  const T* const* rows = nullptr;
  size_t offset = 0;
  const SparseTap<T>* taps = nullptr;
  size_t tap_count = 0;
  T* const* output = nullptr;
  T* const* lost = nullptr;  // compensated modes only, as in SumJob
  size_t samples = 0;
  SumMode mode = SumMode::kStore;
};

template <typename T>
struct SparseKernels {
  /// `outputs` is 1, 2 or 4.
  void (*sum)(const SparseJob<T>& job, int outputs) = nullptr;
  /// Whether no sample is infinite or not a number.
  bool (*finite)(const T* row, size_t samples) = nullptr;
};

/// The table of an instruction set (see KernelsFor in cpu/kernels.h).
template <typename T>
const SparseKernels<T>& SparseKernelsFor(int64_t target);

}  // namespace convolve::cpu
