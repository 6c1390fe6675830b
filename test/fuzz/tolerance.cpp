// The bound on rounding that the tests of the cpu backend use (test/native/error_bound.h), and where it is not enough.
#include "tolerance.h"

#include <algorithm>
#include <cmath>

#include "../native/error_bound.h"
#include "engine/plan.h"

namespace convolve::fuzz {
namespace {

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
         !(spec.alpha && pass.alpha == AlphaMode::kWeighted) && pass.border != BorderKind::kConstant && !pass.mix.there;
}

}  // namespace

Tolerance ToleranceOf(const CaseSpec& spec, const BuiltCase& built) {
  test::Bound bound{0, spec.content == Content::kBright ? 6 : 1.0};
  for (const Pass* pass : StepsOf(built.plan)) {
    const bool weighted = spec.alpha && pass->alpha == AlphaMode::kWeighted;
    // A constant border may be brighter than everything in the picture; times its own alpha where that weighs.
    if (pass->border.kind == BorderKind::kConstant) {
      const double outside = std::abs(pass->border.value);
      bound.most = std::max(bound.most, weighted ? outside * std::max(outside, 1.0) : outside);
    }
    bound = test::After(*pass, bound);
    // Weighted alpha is the filtered alpha over the gain, which may be small.
    const double alpha_gain = weighted ? std::abs(AlphaGain(*pass)) : 0;
    if (alpha_gain != 0) bound.error /= std::min(alpha_gain, 1.0);
  }
  Tolerance tolerance{bound.error + test::kSingle, false, IsExact(spec)};
  if (!spec.passes.empty()) {
    const PassSpec& last = spec.passes.back();
    const bool positive = last.work.drawn == Drawn::kPositive || last.work.drawn == Drawn::kDyadic;
    const bool weighted = spec.alpha && last.alpha == AlphaMode::kWeighted;
    const bool cancels = last.input < 0 || (last.border == BorderKind::kConstant && last.border_value < 0);
    tolerance.quotient_of_rests = weighted && (!positive || cancels || last.work.kind == WorkKind::kMagnitude);
  }
  return tolerance;
}

}  // namespace convolve::fuzz
