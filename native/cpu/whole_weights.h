// Real weights as whole numbers of a few bits, for sums of bytes that have to be rounded as exact ones are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace convolve::cpu {

/// Weights = scale * whole numbers, nearly.
struct WholeWeights {
  std::vector<int> weights;
  double scale = 1;
  /// What that costs sums of bytes: the expected share of samples, on noise, that are not rounded exactly, and the
  /// largest error before rounding, in code values.
  double share = 1;
  double largest = 1e9;
};

struct WholeLimits {
  int most_weight = 32767;  // 127 or 32767
  double most_sum = 0;      // of all magnitudes
  double most_share = 0;
  double good_share = 0;  // good enough to stop looking; up to 127 no other is taken
};

/// Of sums of bytes in which nothing is rounded on the way: no order of additions leaves 32 bits, and what rounding
/// then makes wrong is less than half of what may be.
constexpr WholeLimits ByteSumLimits(int most_weight) { return {most_weight, 2147000000.0 / 255, 0.0004, 0.0002}; }

/// Nothing where no whole numbers within the limits are near enough.
std::optional<WholeWeights> WholeWeightsOf(const std::vector<double>& weights, const WholeLimits& limits);

/// The whole numbers nearest to weights / scale whose sum is nearest to that of the weights / scale; nothing where they
/// have more than 16 bits.
std::optional<WholeWeights> WholeWeightsAt(const std::vector<double>& weights, double scale);

/// Results below this, in code values before they are cut to bytes, fit 32 bits with room for what floats err.
constexpr double kMostResult = 1e9;

/// Whether every sum of bytes with these weights, and `offset`, stays below that.
bool FitsResult(const std::vector<double>& weights, double offset);

/// Rows of weights as words: `bits` (8 or 16) for each weight, a row's last word filled with zeros.
std::vector<uint32_t> PackRows(const std::vector<int>& weights, int width, int bits);

/// Where all results of whole numbers times `scale` plus `offset` are multiples of 1 / (2 D), exact halves among them:
/// a quarter of that step, which is far more than float errs and less than the way to the next multiple. 0 where there
/// is no such step.
double AboveHalf(double scale, double offset);

}  // namespace convolve::cpu
