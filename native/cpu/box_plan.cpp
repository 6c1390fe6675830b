// The grid's step is a power of two, chosen so that the largest sum is below 2^52 steps.
#include "cpu/box_plan.h"

#include <algorithm>
#include <cmath>

namespace convolve::cpu {
namespace {

constexpr double kMostByte = 255;
constexpr double kMostInteger = 16777216;
/// Beyond this a sum no longer fits the working type.
constexpr double kMostSummand = 1e30;

}  // namespace

template <typename T>
PreparedBox<T> PrepareBox(const BoxWeights& box, double largest) {
  if (!(largest <= kMostSummand)) return {};
  const double cells = static_cast<double>(box.width) * box.height;
  int exponent = 0;
  std::frexp(cells * std::max(largest, 1e-30), &exponent);
  PreparedBox<T> prepared{box.width, box.height, static_cast<T>(box.divisor), 0, false};
  prepared.magic = std::ldexp(1.5, exponent);  // 1.5 * 2^52 steps of 2^(exponent - 52)
  prepared.integers = cells * kMostByte <= kMostInteger;
  return prepared;
}

template PreparedBox<float> PrepareBox<float>(const BoxWeights&, double);
template PreparedBox<double> PrepareBox<double>(const BoxWeights&, double);

}  // namespace convolve::cpu
