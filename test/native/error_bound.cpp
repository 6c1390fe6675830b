// Light modes and ranges change the error as their steepest slope does.
#include "error_bound.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "engine/tone_curve.h"

namespace convolve::test {
namespace {

double Absolute(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

/// Sum of |weight| over |divisor|.
struct AbsoluteGain {
  double operator()(const DenseWeights& dense) const { return Absolute(dense.weights) / std::abs(dense.divisor); }
  double operator()(const BoxWeights& box) const {
    return static_cast<double>(box.width) * box.height / std::abs(box.divisor);
  }
  double operator()(const MagnitudeWeights& both) const { return (*this)(both.x) + (*this)(both.y); }
  double operator()(const SeparableWeights& separable) const {
    double sum = 0;
    for (const RankPair& pair : separable.pairs) sum += Absolute(pair.column) * Absolute(pair.row);
    return sum / std::abs(separable.divisor);
  }
};

}  // namespace

Bound After(const Pass& pass, Bound in) {
  if (pass.light == LightMode::kLinear) {
    const double above = std::max(in.most, 1.0);
    in.error *= 2.4 / 1.055 * std::pow((above + 0.055) / 1.055, 1.4);  // the curve's steepest slope up to there
    in.most = std::max(1.0, SrgbCurve()->Linear(in.most));
  }
  const double gain =
      std::abs(pass.epilogue.result) * std::visit(AbsoluteGain{}, pass.work) + std::abs(pass.epilogue.input);
  Bound out{in.error * gain + kSingle * (1 + gain * in.most), gain * in.most + std::abs(pass.epilogue.offset)};
  switch (pass.range.kind) {
    case RangeKind::kFloat:
      break;
    case RangeKind::kRescale: {
      const double span = std::max(pass.range.maximum - pass.range.minimum, 1e-9);
      out = {out.error / span, (out.most + std::abs(pass.range.minimum)) / span};
      break;
    }
    default:
      out.most = 1;
  }
  if (pass.light == LightMode::kLinear) {
    out.error *= 12.92;
    out.most = std::max(1.0, SrgbCurve()->Encoded(out.most));
  }
  return out;
}

}  // namespace convolve::test
