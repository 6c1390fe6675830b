// The taps of a sparse kernel: its weights that are not 0, in the order in which they are summed.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu/sparse_kernels.h"

namespace convolve::cpu {

/// Neighbouring cells of one kernel row whose weight is 0, begin ... end - 1.
struct ZeroRun {
  int row = 0;
  int begin = 0;
  int end = 0;
};

template <typename T>
struct SparsePlan {
  std::vector<SparseTap<T>> taps;  // row after row
  std::vector<ZeroRun> zeros;      // row after row
  int64_t target = 0;              // the instruction set
};

/// Longest chain of one sum, as for dense kernels: rounding grows with its length.
inline constexpr size_t kSparseChain = 49;
/// More chains than this are added with compensation.
inline constexpr size_t kPlainSparseChains = 32;

/// `weights`: width * height, row after row, of the working type.
template <typename T>
SparsePlan<T> PlanSparse(int width, int height, const std::vector<T>& weights, size_t channels) {
  SparsePlan<T> plan;
  for (int j = 0; j < height; ++j) {
    int zeros = 0;
    for (int i = 0; i <= width; ++i) {
      const T weight = i < width ? weights[static_cast<size_t>(j) * static_cast<size_t>(width) + i] : T{1};
      if (weight == 0) {
        ++zeros;
        continue;
      }
      if (zeros > 0) plan.zeros.push_back({j, i - zeros, i});
      zeros = 0;
      if (i < width) plan.taps.push_back({static_cast<size_t>(j), static_cast<size_t>(i) * channels, weight});
    }
  }
  return plan;
}

}  // namespace convolve::cpu
