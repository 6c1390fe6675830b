// The grid's step is a power of two, chosen so that the largest sum is below 2^52 steps.
#include "cpu/box_plan.h"

#include <algorithm>
#include <cmath>

namespace convolve::cpu {
namespace {

/// Sums of bytes also become floats, which hold whole numbers up to 2^24.
constexpr double kMostByteSum = 16777216;
constexpr double kMostSum = 2147483647;
constexpr double kMostDivisor = 4194304;
/// Largest error of a summand on the grid of int32 sums, as a share of full scale: less than half of what single
/// precision is allowed (6e-7).
constexpr double kMostGridError = 2.5e-7;
/// Beyond this a sum no longer fits the working type.
constexpr double kMostSummand = 1e30;

/// Steps of 1, a power of two, that keep the sum of `cells` summands in 32 bits; 0 where the grid would be too coarse.
double StepsOfOne(double cells, double largest, double full_scale) {
  const double fits = (kMostSum / cells - 1) / std::max(largest, full_scale);
  if (!(fits > 0)) return 0;
  const double steps = std::exp2(std::floor(std::log2(fits)));
  return 0.5 / steps <= kMostGridError * full_scale ? steps : 0;
}

}  // namespace

template <typename T>
PreparedBox<T> PrepareBox(const BoxWeights& box, double largest, double full_scale) {
  if (!(largest <= kMostSummand)) return {};
  const double cells = static_cast<double>(box.width) * box.height;
  int exponent = 0;
  std::frexp(cells * std::max(largest, 1e-30), &exponent);
  PreparedBox<T> prepared;
  prepared.width = box.width;
  prepared.height = box.height;
  prepared.divisor = static_cast<T>(box.divisor);
  prepared.magic = std::ldexp(1.5, exponent);  // 1.5 * 2^52 steps of 2^(exponent - 52)
  constexpr bool kBytes = sizeof(T) == sizeof(float);
  const double most = cells * (kBytes ? 255 : 65535);
  prepared.integers = most <= (kBytes ? kMostByteSum : kMostSum);
  const bool whole = box.divisor >= 1 && box.divisor <= kMostDivisor && std::floor(box.divisor) == box.divisor;
  if (prepared.integers && whole && most + box.divisor / 2 <= kMostSum) {
    prepared.whole = static_cast<int32_t>(box.divisor);
  }
  if (kBytes) prepared.by = static_cast<float>(StepsOfOne(cells, largest, full_scale));
  return prepared;
}

template PreparedBox<float> PrepareBox<float>(const BoxWeights&, double, double);
template PreparedBox<double> PrepareBox<double>(const BoxWeights&, double, double);

}  // namespace convolve::cpu
