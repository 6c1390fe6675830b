// Each pass multiplies the error so far by its gain and adds its own: the golden set's tolerance for single precision,
// 6e-7 times 1 + the largest possible sum.
#include "tolerance.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "engine/light.h"
#include "engine/plan.h"

namespace convolve::fuzz {
namespace {

constexpr double kSingle = 6e-7;

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

/// Error and size of values, as shares of full scale.
struct Bound {
  double error = 0;
  double most = 1;
};

Bound After(const Pass& pass, Bound in) {
  if (pass.light == LightMode::kLinear) {
    const double above = std::max(in.most, 1.0);
    in.error *= 2.4 / 1.055 * std::pow((above + 0.055) / 1.055, 1.4);  // the curve's steepest slope up to there
    in.most = std::max(1.0, Linear(in.most));
  }
  const double outside = pass.border.kind == BorderKind::kConstant ? std::abs(pass.border.value) : 0;
  in.most = std::max(in.most, outside);
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
    out.most = std::max(1.0, Encoded(out.most));
  }
  return out;
}

/// One pass of whole numbers over a power of two on 8-bit samples, and nothing else: to 16 bits, the factor 257 rounds.
bool IsExact(const CaseSpec& spec) {
  if (spec.type != SampleType::kU8 || spec.destination != SampleType::kU8) return false;
  if (spec.passes.empty()) return true;
  if (spec.passes.size() > 1) return false;
  const PassSpec& pass = spec.passes.front();
  const double most = 255.0 * 9 * pass.work.pairs * pass.work.width * pass.work.height;
  const bool sum = pass.work.kind == WorkKind::kDense || pass.work.kind == WorkKind::kSparse ||
                   pass.work.kind == WorkKind::kSeparable || pass.work.kind == WorkKind::kBox;
  return sum && pass.work.drawn == Drawn::kDyadic && most < (1 << 24) && pass.repeat == 1 && !pass.linear &&
         pass.result == 1 && pass.input == 0 && pass.offset == 0 && pass.range != RangeKind::kRescale &&
         !(spec.alpha && pass.alpha == AlphaMode::kWeighted) && pass.border != BorderKind::kConstant;
}

}  // namespace

Tolerance ToleranceOf(const CaseSpec& spec, const BuiltCase& built) {
  Bound bound{0, spec.content == Content::kBright ? 6 : 1.0};
  for (const Pass* pass : StepsOf(built.plan)) {
    bound = After(*pass, bound);
    // Weighted alpha is the filtered alpha over the gain, which may be small.
    const double alpha_gain = spec.alpha && pass->alpha == AlphaMode::kWeighted ? std::abs(AlphaGain(*pass)) : 0;
    if (alpha_gain != 0) bound.error /= std::min(alpha_gain, 1.0);
  }
  Tolerance tolerance{bound.error + kSingle, false, IsExact(spec)};
  if (!spec.passes.empty()) {
    const PassSpec& last = spec.passes.back();
    const bool positive = last.work.drawn == Drawn::kPositive || last.work.drawn == Drawn::kDyadic;
    const bool weighted = spec.alpha && last.alpha == AlphaMode::kWeighted;
    tolerance.quotient_of_rests = weighted && (!positive || last.input < 0 || last.work.kind == WorkKind::kMagnitude);
  }
  return tolerance;
}

}  // namespace convolve::fuzz
