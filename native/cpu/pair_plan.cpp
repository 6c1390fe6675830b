// Scales by powers of two change no digit, so that every column's weights are brought to a sum near one: what lies
// between the two directions then has the size of the picture's samples.
#include "cpu/pair_plan.h"

#include <algorithm>
#include <cmath>

namespace convolve::cpu {
namespace {

/// Weights that are multiples of 2^-10 below 2^15 keep sums of 8-bit samples exact in 24 bits for small kernels, and
/// sums of 16-bit samples in 53 bits for all.
constexpr double kGrain = 1024;
constexpr double kMostWhole = 32768;

bool AreWhole(const std::vector<double>& weights) {
  return std::all_of(weights.begin(), weights.end(), [](double weight) {
    return std::abs(weight) <= kMostWhole && std::floor(weight * kGrain) == weight * kGrain;
  });
}

bool IsPowerOfTwo(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5;
}

TapFold FoldOf(const std::vector<double>& weights) {
  const size_t count = weights.size();
  bool even = count > 1;
  bool odd = count > 1;
  for (size_t i = 0; i < count; ++i) {
    even = even && weights[i] == weights[count - 1 - i];
    odd = odd && weights[i] == -weights[count - 1 - i];
  }
  return even ? TapFold::kEven : odd ? TapFold::kOdd : TapFold::kNone;
}

template <typename T>
PreparedTaps<T> TapsOf(const std::vector<double>& weights, double scale, int exponent) {
  PreparedTaps<T> taps;
  taps.fold = FoldOf(weights);
  for (const double weight : weights) taps.weights.push_back(static_cast<T>(std::ldexp(weight / scale, exponent)));
  return taps;
}

double AbsoluteSum(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

}  // namespace

template <typename T>
PreparedPairs<T> PreparePairs(const SeparableWeights& separable, bool whole) {
  const bool divide = whole && !IsPowerOfTwo(separable.divisor) &&
                      std::all_of(separable.pairs.begin(), separable.pairs.end(),
                                  [](const RankPair& pair) { return AreWhole(pair.column) && AreWhole(pair.row); });
  PreparedPairs<T> prepared;
  prepared.divisor = divide ? static_cast<T>(separable.divisor) : T{1};
  const double scale = divide ? 1 : separable.divisor;
  for (const RankPair& pair : separable.pairs) {
    const double sum = AbsoluteSum(pair.column);
    const int exponent = sum > 0 && std::isfinite(sum) ? std::ilogb(sum) : 0;
    prepared.columns.push_back(TapsOf<T>(pair.column, 1, -exponent));
    prepared.rows.push_back(TapsOf<T>(pair.row, scale, exponent));
  }
  return prepared;
}

template PreparedPairs<float> PreparePairs<float>(const SeparableWeights&, bool);
template PreparedPairs<double> PreparePairs<double>(const SeparableWeights&, bool);

}  // namespace convolve::cpu
