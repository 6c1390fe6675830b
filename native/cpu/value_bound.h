// How large values can become from pass to pass: running sums are exact only below a bound, and one sample that is not
// a number would stay in them for good.
#pragma once

#include "cpu/kernels.h"
#include "engine/pass.h"
#include "engine/tone_curve.h"

namespace convolve::cpu {

/// A bound on what a pass sums, where its input's code values are within `largest`; infinity where none is known.
double LargestSummand(const Pass& pass, bool premultiplied, double full_scale, const ToneCurve& curve, double largest);

/// A bound on what the pass leaves, in code values. Infinity where none is known: then the result may hold what is not
/// a number, and every range keeps that.
double LargestAfter(const Pass& pass, AlphaWork alpha, double full_scale, const ToneCurve& curve, double largest);

}  // namespace convolve::cpu
