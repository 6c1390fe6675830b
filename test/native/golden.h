// The golden set: its manifests, its arrays, and a golden case's words as the engine's.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "array.h"
#include "engine/backend.h"

namespace convolve::test {

/// A manifest of test/golden, such as "u8_manifest.json".
nlohmann::json GoldenManifest(const std::string& name);

/// An array of test/golden, such as "inputs/t_1x1.npy"; read once.
const Array& GoldenArray(const std::string& file);

/// The array as an image of its own sample type; `alpha` says that the last channel is alpha.
std::shared_ptr<const Image> GoldenImage(const std::string& file, bool alpha = false);

/// The case's kernel, correlation-oriented: a convolution case has kernel and anchor turned by 180 degrees.
DenseWeights GoldenKernel(const nlohmann::json& golden);

/// The work with the case's border (or `valid`); the range is float, everything else plain.
Pass GoldenPass(const nlohmann::json& golden, Work work);

/// Largest absolute difference between scale x got and expected; infinite where lengths differ or a value is no number.
template <typename T>
double LargestDifference(const std::vector<T>& got, const std::vector<double>& expected, double scale = 1) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (got.size() != expected.size()) return kInfinite;
  double largest = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double difference = std::abs(scale * static_cast<double>(got[i]) - expected[i]);
    if (std::isnan(difference)) return kInfinite;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace convolve::test
