// Transform lengths: which radices a length is made of, in which order, and the twiddle factors of each step.
#pragma once

#include <cstddef>
#include <vector>

namespace convolve::cpu {

/// One step of a transform: blocks of radix * below cells become `radix` blocks of `below` cells each.
template <typename F>
struct FftStep {
  int radix = 0;
  size_t below = 0;
  /// For each k from 1 to below - 1 and each j from 1 to radix - 1: exp(-2 pi i j k / (radix * below)), real part then
  /// imaginary. (k = 0 has no entries: its factors are 1.)
  std::vector<F> twiddles;
};

/// A length and its steps from the whole to the last, which has below = 1. Frequencies come out in the order in which
/// the steps leave them; the inverse takes them in that order, so that nothing is ever sorted.
template <typename F>
struct FftLength {
  int size = 0;
  std::vector<FftStep<F>> steps;
  /// Arithmetic instructions for each cell and direction, the measure of the cost model.
  double instructions = 0;
};

/// The lengths that exist, rising: of transforms of lines,
const std::vector<int>& LineSizes();
/// and those of them that are a side of a tile.
const std::vector<int>& FftSizes();

/// `size` must be one of LineSizes().
template <typename F>
const FftLength<F>& FftLengthOf(int size);

}  // namespace convolve::cpu
