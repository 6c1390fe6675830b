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

/// What blending b, off by at most e_b and not above B in size, with s, off by e_s and not above S, makes of both: the
/// largest slopes of blend(b, s) (engine/pass.h has the formulas) times the errors.
/// - Multiply b s: S e_b + B e_s. Screen b + s - b s: (1 + S) e_b + (1 + B) e_s.
/// - Overlay is continuous at b = 1/2, where both of its branches are s: the larger slopes, 2 S and 2 + 2 S along b,
///   2 B and 2 + 2 B along s.
/// - Soft light below s = 1/2 has the slopes 1 + (1 + 2 S)(1 + 2 B) along b and 2 B (1 + B) along s; above it, with
///   |d(b)| <= 16 B^3 + 12 B^2 + 4 B and |d'(b)| <= 48 B^2 + 24 B + 4, which b below 0 reaches, (1 + 2 S)(|d'| + 1) + 1
///   and 2 (|d| + B). Both are b at s = 1/2.
/// - Lighten and darken are one of both. Difference and addition add the errors.
/// - A luminance that is set adds l - Lum(b) to each channel: 2 e_b + e_s, where e_s is that of the blended colour. Its
///   ClipColor, of n < 0 the smallest channel: v becomes l + q l with q = (v - l) / (l - n). As Lum weighs each channel
///   by at least 0.11, l - n >= 0.11 (x - n), so that |q| <= 1 / 0.11 < 9.1, and l <= l - n. What e does to q l is at
///   most |q| e + 2 e + 2 |q| e, to v then 1 + 2 + 3 * 9.1 < 31 times e; above full scale it is the same with the
///   largest channel. Both may happen to one colour: the second clips values that are up to 31 e off, its own l, n and
///   x are e off: 31 + 31.
Bound Blended(BlendMode mode, const Bound& b, const Bound& s) {
  const double both = b.most * s.most;
  switch (mode) {
    case BlendMode::kNormal:
    case BlendMode::kLuminosity:
      return s;
    case BlendMode::kMultiply:
      return {s.most * b.error + b.most * s.error, both};
    case BlendMode::kScreen:
      return {(1 + s.most) * b.error + (1 + b.most) * s.error, b.most + s.most + both};
    case BlendMode::kOverlay:
      return {2 * (1 + s.most) * b.error + 2 * (1 + b.most) * s.error, 2 * b.most + 1 + 2 * s.most + 2 * both};
    case BlendMode::kSoftLight: {
      const double d = ((16 * b.most + 12) * b.most + 4) * b.most;
      const double slope = 48 * b.most * b.most + 24 * b.most + 4;
      const double along_b = 1 + (1 + 2 * s.most) * (slope + 1);
      const double along_s = 2 * (d + b.most * (1 + b.most));
      return {along_b * b.error + along_s * s.error, b.most + (1 + 2 * s.most) * (d + b.most * (1 + b.most))};
    }
    case BlendMode::kLighten:
    case BlendMode::kDarken:
      return {std::max(b.error, s.error), std::max(b.most, s.most)};
    case BlendMode::kDifference:
    case BlendMode::kAddition:
      return {b.error + s.error, b.most + s.most};
  }
  return s;
}

/// b + (blend - b) m is between both, and off by no more than both together: alpha's weights are shares too, and of the
/// blended colour it takes a part of s itself. `cut`: colours end at 0 and full scale.
Bound Mixed(const Mix& mix, bool cut, const Bound& b, const Bound& s) {
  constexpr double kClipColour = 62;
  Bound f = Blended(mix.blend, b, s);
  const bool sets = mix.channels.luminance || mix.blend == BlendMode::kLuminosity;
  if (sets) f = {2 * b.error + f.error, 2 * b.most + f.most};
  // Each of some ten operations rounds.
  f.error += 10 * kSingle * (1 + f.most);
  if (sets && cut) f.error *= kClipColour;
  return {b.error + s.error + f.error + kSingle * (1 + b.most + f.most), std::max({b.most, s.most, f.most})};
}

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
  if (pass.mix) {
    // Another picture is exact, but for the way into linear light.
    const Bound below = pass.mix->input == nullptr ? in : Bound{4 * kSingle, 1};
    out = Mixed(*pass.mix, pass.range.kind != RangeKind::kFloat, below, out);
  }
  if (pass.light == LightMode::kLinear) {
    out.error *= 12.92;
    out.most = std::max(1.0, SrgbCurve()->Encoded(out.most));
  }
  return out;
}

}  // namespace convolve::test
