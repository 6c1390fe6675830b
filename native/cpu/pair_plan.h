// The taps of a separable pass in the working type, decided once for each run: which of them share a weight, and where
// the divisor goes.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu/pair_kernels.h"
#include "engine/pass.h"

namespace convolve::cpu {

template <typename T>
struct PreparedTaps {
  std::vector<T> weights;
  TapFold fold = TapFold::kNone;

  PairTaps<T> view() const { return {weights.data(), weights.size(), fold}; }
};

template <typename T>
struct PreparedPairs {
  std::vector<PreparedTaps<T>> columns;  // summed first
  std::vector<PreparedTaps<T>> rows;
  T divisor = 1;  // what is left of it to divide by

  bool empty() const { return columns.empty(); }
};

/// `whole`: the picture's samples are integers. Their sums under whole weights are exact, and so they are divided: a
/// quotient that ends in a half then rounds as it should. All other divisors go into the weights.
template <typename T>
PreparedPairs<T> PreparePairs(const SeparableWeights& separable, bool whole);

}  // namespace convolve::cpu
