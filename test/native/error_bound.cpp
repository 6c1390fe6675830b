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

/// How many times larger a result can be than what it is of, and its error than theirs.
struct Gain {
  double most = 0;
  double error = 0;
};

struct GainOf {
  /// Sum of |weight| over |divisor|.
  static Gain Linear(double sum, double divisor) { return {sum / std::abs(divisor), sum / std::abs(divisor)}; }

  Gain operator()(const DenseWeights& dense) const { return Linear(Absolute(dense.weights), dense.divisor); }
  Gain operator()(const BoxWeights& box) const {
    return Linear(static_cast<double>(box.width) * box.height, box.divisor);
  }
  Gain operator()(const MagnitudeWeights& both) const {
    const double sum = (*this)(both.x).most + (*this)(both.y).most;
    return {sum, sum};
  }
  Gain operator()(const SeparableWeights& separable) const {
    double sum = 0;
    for (const RankPair& pair : separable.pairs) sum += Absolute(pair.column) * Absolute(pair.row);
    return Linear(sum, separable.divisor);
  }
  /// A result is a mean of five pixels. Of a difference that is 2 off, the flow is off by 2 (g + |s g'(s)| r) at most,
  /// where |s g'(s)| <= 2 / e and r, a channel's difference over s, is at most 2, the root of the channels.
  Gain operator()(const DiffusionStep& step) const { return {1, 1 + 4 * step.rate * 2 * (2 / std::exp(1.0)) * 2}; }
};

}  // namespace

Bound After(const Pass& pass, Bound in) {
  if (pass.light == LightMode::kLinear) {
    const double above = std::max(in.most, 1.0);
    in.error *= 2.4 / 1.055 * std::pow((above + 0.055) / 1.055, 1.4);  // the curve's steepest slope up to there
    in.most = std::max(1.0, SrgbCurve()->Linear(in.most));
  }
  const Gain work = std::visit(GainOf{}, pass.work);
  const double gain = std::abs(pass.epilogue.result) * work.most + std::abs(pass.epilogue.input);
  const double growth = std::abs(pass.epilogue.result) * work.error + std::abs(pass.epilogue.input);
  Bound out{in.error * growth + kSingle * (1 + gain * in.most), gain * in.most + std::abs(pass.epilogue.offset)};
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
