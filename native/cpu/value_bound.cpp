// Sums grow by the weights' magnitudes at most. What may leave the range of float counts as unbounded.
#include "cpu/value_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "engine/plan.h"

namespace convolve::cpu {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
/// Intermediate values beyond this might leave the range of float.
constexpr double kMostValue = 1e30;

double Magnitude(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

/// Sum of the weights' magnitudes, and the divisor.
struct Growth {
  double sum = 0;
  double divisor = 1;
};

struct GrowthOf {
  Growth operator()(const DenseWeights& dense) const { return {Magnitude(dense.weights), dense.divisor}; }
  Growth operator()(const BoxWeights& box) const { return {static_cast<double>(box.width) * box.height, box.divisor}; }
  Growth operator()(const SeparableWeights& separable) const {
    double sum = 0;
    for (const RankPair& pair : separable.pairs) sum += Magnitude(pair.column) * Magnitude(pair.row);
    return {sum, separable.divisor};
  }
  /// No result lies beyond the input.
  Growth operator()(const DiffusionStep& /*step*/) const { return {1, 1}; }
  Growth operator()(const MagnitudeWeights& both) const {
    const Growth x = (*this)(both.x);
    const Growth y = (*this)(both.y);
    return {x.sum / std::abs(x.divisor) + y.sum / std::abs(y.divisor), 1};
  }
};

}  // namespace

double LargestSummand(const Pass& pass, bool premultiplied, double full_scale, const ToneCurve& curve, double largest) {
  if (pass.border.kind == BorderKind::kConstant) largest = std::max(largest, std::abs(pass.border.value) * full_scale);
  // The curve grows beyond 1.
  if (pass.light == LightMode::kLinear) {
    if (largest > full_scale) return kUnknown;
    largest = std::max(largest, curve.Linear(largest / full_scale) * full_scale);
  }
  return premultiplied ? largest * std::max(largest, 1.0) : largest;
}

double LargestAfter(const Pass& pass, AlphaWork alpha, double full_scale, const ToneCurve& curve, double largest) {
  const bool weighted = alpha == AlphaWork::kUnmultiplyByResult || alpha == AlphaWork::kUnmultiplyByInput;
  const double summand = LargestSummand(pass, weighted, full_scale, curve, largest);
  const Growth growth = std::visit(GrowthOf{}, pass.work);
  const double sum = growth.sum * summand;
  const double filtered = std::abs(pass.epilogue.result) * sum / std::abs(growth.divisor);
  double value = filtered + std::abs(pass.epilogue.input) * summand;
  value += std::abs(pass.epilogue.offset) * full_scale;
  // Sums come before their division.
  if (!(std::max(sum, value) <= kMostValue)) return kUnknown;
  if (alpha == AlphaWork::kInput || weighted) value = std::max(value, largest);
  if (alpha == AlphaWork::kOpaque) value = std::max(value, full_scale);
  switch (pass.range.kind) {
    case RangeKind::kClamp:
    case RangeKind::kAbsolute:
    case RangeKind::kSigned:
      return full_scale;
    case RangeKind::kRescale: {
      const double span = std::abs(pass.range.maximum - pass.range.minimum);
      if (span > 0) value = std::max(value, (value + std::abs(pass.range.minimum) * full_scale) / span);
      break;
    }
    case RangeKind::kFloat:
      break;
  }
  // Colour was divided by alpha: what it can be at most says nothing about what it is.
  if (weighted) return kUnknown;
  if (pass.light == LightMode::kLinear) value *= curve.SteepestBack();
  return value <= kMostValue ? value : kUnknown;
}

}  // namespace convolve::cpu
