// Kernels of any size for tests of the cpu backend.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "cpu_cases.h"
#include "engine/pass.h"
#include "pictures.h"

namespace convolve::test {

/// A Gaussian that ends at four times its deviation on both sides; its sum is 1.
inline std::vector<double> Bell(int taps) {
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < taps; ++i) {
    const double x = (i - taps / 2) * 8.0 / taps;
    sum += weights.emplace_back(std::exp(-x * x / 2));
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// The same pair of bells several times, over their number.
inline SeparableWeights Gaussian(int taps, int pairs = 1) {
  const RankPair pair{Bell(taps), Bell(taps)};
  return {taps, taps, taps / 2, taps / 2, std::vector<RankPair>(static_cast<size_t>(pairs), pair), double(pairs)};
}

/// The mean of a square.
inline BoxWeights Running(int side) { return {side, side, side / 2, side / 2, static_cast<double>(side) * side}; }

/// Random weights of 0 to 1 over their sum.
inline DenseWeights RandomMean(Dice& dice, int width, int height) {
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < width * height; ++i) sum += weights.emplace_back(dice.Share());
  return Kernel(width, height, std::move(weights), sum);
}

}  // namespace convolve::test
