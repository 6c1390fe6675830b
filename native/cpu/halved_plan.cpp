#include "cpu/halved_plan.h"

#include <cmath>
#include <cstddef>

namespace convolve::cpu {
namespace {

constexpr int kMostChain = 96;
constexpr double kMostSample = 16;  // times full scale
constexpr double kMostGain = 256;
constexpr double kMostSum = 1e30;  // times samples and of two of them it stays within float

}  // namespace

bool IsHalvedSize(int width, int height) {
  const bool tall = height >= kLeastHalvedHeight && height <= kMostHalvedHeight;
  return tall && (height + 1) / 2 * width <= kMostChain;
}

bool AreHalvedSamples(double largest, double full_scale) { return largest <= kMostSample * full_scale; }

bool AreHalvedWeights(const std::vector<float>& weights, double divisor) {
  double sum = 0;
  for (const float weight : weights) sum += std::abs(double{weight});
  return sum <= kMostSum && sum <= kMostGain * std::abs(divisor);
}

std::vector<float> HalvedWeightsOf(const std::vector<float>& weights, int width, int height) {
  std::vector<float> halved;
  const auto at = [&](int row, int column) { return weights[static_cast<size_t>(row * width + column)]; };
  for (int column = 0; column < width; ++column) {
    for (int row = 0; row < height; row += 2) {
      const float u = at(row, column);
      const float v = row + 1 < height ? at(row + 1, column) : 0.0f;
      const float both = row + 1 < height ? static_cast<float>(double{u} + double{v}) : 0.0f;
      halved.insert(halved.end(), {u, both, v});
    }
  }
  return halved;
}

}  // namespace convolve::cpu
