// Blend modes and opacity on rows of working values. Separable modes and weighting by alpha are vectors; what looks at
// three colours together goes pixel by pixel.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/mix_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <algorithm>

#include "cpu/kernel_tables.h"
#include "cpu/pixels-inl.h"
#include "engine/alpha.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

/// The separable modes on code values: b below, s on top.
template <typename T>
struct Blend {
  explicit HWY_INLINE Blend(const MixJob<T>& job)
      : mode(job.blend),
        cut(job.cut),
        full(hn::Set(Tag<T>(), job.full_scale)),
        half(hn::Set(Tag<T>(), job.full_scale / 2)) {}

  BlendMode mode;
  bool cut;
  Vec<T> full, half;

  HWY_INLINE Vec<T> Product(Vec<T> b, Vec<T> s) const { return hn::Div(hn::Mul(b, s), full); }
  HWY_INLINE Vec<T> Screen(Vec<T> b, Vec<T> s) const { return hn::Sub(hn::Add(b, s), Product(b, s)); }

  HWY_INLINE Vec<T> SoftLight(Vec<T> b, Vec<T> s) const {
    const Tag<T> d;
    const auto set = [&](double value) { return hn::Set(d, static_cast<T>(value)); };
    b = hn::Div(b, full);
    const Vec<T> two_s_less_1 = hn::Sub(hn::Div(hn::Add(s, s), full), set(1));
    const Vec<T> darker = hn::MulAdd(two_s_less_1, hn::Mul(b, hn::Sub(set(1), b)), b);
    const Vec<T> cubic = hn::Mul(hn::MulAdd(hn::MulSub(set(16), b, set(12)), b, set(4)), b);
    const Vec<T> curve = hn::IfThenElse(hn::Le(b, set(0.25)), cubic, hn::Sqrt(b));
    const Vec<T> lighter = hn::MulAdd(two_s_less_1, hn::Sub(curve, b), b);
    return hn::Mul(hn::IfThenElse(hn::Le(two_s_less_1, hn::Zero(d)), darker, lighter), full);
  }

  HWY_INLINE Vec<T> operator()(Vec<T> b, Vec<T> s) const {
    switch (mode) {
      case BlendMode::kNormal:
      case BlendMode::kLuminosity:
        return s;
      case BlendMode::kMultiply:
        return Product(b, s);
      case BlendMode::kScreen:
        return Screen(b, s);
      case BlendMode::kOverlay:
        return hn::IfThenElse(hn::Le(b, half), Product(hn::Add(b, b), s), Screen(s, hn::Sub(hn::Add(b, b), full)));
      case BlendMode::kSoftLight:
        return SoftLight(b, s);
      case BlendMode::kLighten:
        return hn::IfThenElse(hn::Lt(b, s), s, b);
      case BlendMode::kDarken:
        return hn::IfThenElse(hn::Lt(s, b), s, b);
      case BlendMode::kDifference:
        return hn::Abs(hn::Sub(b, s));
      case BlendMode::kAddition: {
        const Vec<T> sum = hn::Add(b, s);
        return cut ? hn::IfThenElse(hn::Gt(sum, full), full, sum) : sum;
      }
    }
    return s;
  }
};

template <typename T>
T Lum(const T* c) {
  return static_cast<T>(0.3) * c[0] + static_cast<T>(0.59) * c[1] + static_cast<T>(0.11) * c[2];
}

/// The colour `b` with the luminance of `s`, in the place of `s`.
template <typename T>
void SetLuminance(const T* b, T* s, T full, bool cut) {
  T luminance = Lum(s);
  if (cut) luminance = std::clamp(luminance, T{0}, full);
  const T move = luminance - Lum(b);
  for (int c = 0; c < 3; ++c) s[c] = b[c] + move;
  if (!cut) return;
  const T l = Lum(s);
  const T least = std::min({s[0], s[1], s[2]});
  const T most = std::max({s[0], s[1], s[2]});
  // A grey that rounding alone has put beyond the range has no chroma to divide by.
  for (int c = 0; c < 3 && least < 0; ++c) s[c] = l > least ? l + (s[c] - l) * l / (l - least) : T{0};
  for (int c = 0; c < 3 && most > full; ++c) s[c] = most > l ? l + (s[c] - l) * (full - l) / (most - l) : full;
}

/// The colours that are mixed in; where they are the filtered ones, those themselves.
template <typename T>
const T* Blended(const MixJob<T>& job) {
  if (job.blend == BlendMode::kNormal && !job.luminance) return job.filtered;
  const Tag<T> d;
  const Blend<T> blend(job);
  for (size_t i = 0; i < job.samples; i += hn::Lanes(d)) {
    hn::StoreU(blend(hn::LoadU(d, job.below + i), hn::LoadU(d, job.filtered + i)), d, job.blended + i);
  }
  for (size_t i = 0; i < job.samples && job.luminance; i += job.channels) {
    SetLuminance(job.below + i, job.blended + i, job.full_scale, job.cut);
  }
  return job.blended;
}

template <typename T>
void Threshold(const ThresholdJob<T>& job) {
  const Tag<T> d;
  const FinishJob<T>& range = job.range;
  const bool alpha = range.alpha != AlphaWork::kNone;
  const AlphaLanes<T> lanes(alpha ? range.channels : 2);
  const InRange<T> in_range(range);
  const Vec<T> zero = hn::Zero(d);
  const Vec<T> full = hn::Set(d, range.full_scale);
  const Vec<T> threshold = hn::Set(d, job.threshold);
  const Vec<T> transparent = hn::Set(d, static_cast<T>(kTransparent * range.full_scale));
  for (size_t i = 0; i < job.samples; i += hn::Lanes(d)) {
    const Vec<T> below = hn::LoadU(d, job.below + i);
    const Vec<T> value = hn::LoadU(d, job.filtered + i);
    Vec<T> ranged = in_range(value);
    auto kept = hn::Lt(hn::Abs(hn::Sub(value, below)), threshold);
    if (alpha) {
      const auto is_alpha = lanes.At(i);
      const Vec<T> clamped = range.range == RangeKind::kFloat ? value : Clamped<T>(value, zero, full);
      ranged = hn::IfThenElse(is_alpha, clamped, ranged);
      if (job.weighted) {
        const auto seen = hn::Ge(hn::Abs(PixelAlpha(job.below, i, range.channels)), transparent);
        kept = hn::And(kept, hn::Or(is_alpha, seen));
      }
    }
    hn::StoreU(hn::IfThenElse(kept, below, ranged), d, job.filtered + i);
  }
}

template <typename T>
void MixRows(const MixJob<T>& job) {
  const Tag<T> d;
  const T* const blended = Blended(job);
  const AlphaLanes<T> lanes(job.alpha ? job.channels : 2);
  const Vec<T> zero = hn::Zero(d);
  const Vec<T> one = hn::Set(d, T{1});
  const Vec<T> full = hn::Set(d, job.full_scale);
  const Vec<T> transparent = hn::Set(d, static_cast<T>(kTransparent * job.full_scale));
  for (size_t i = 0; i < job.samples; i += hn::Lanes(d)) {
    const Vec<T> below = hn::LoadU(d, job.below + i);
    const Vec<T> filtered = hn::LoadU(d, job.filtered + i);
    const Vec<T> amount = hn::LoadU(d, job.amount + i);
    const Vec<T> colour = hn::LoadU(d, blended + i);
    Vec<T> mixed = hn::MulAdd(hn::Sub(colour, below), amount, below);
    if (job.weighted) {
      const Vec<T> own = PixelAlpha(job.below, i, job.channels);
      const Vec<T> other = PixelAlpha(job.filtered, i, job.channels);
      const Vec<T> alpha = hn::MulAdd(hn::Sub(other, own), amount, own);
      const Vec<T> there = hn::Div(own, full);
      const Vec<T> seen = hn::Add(hn::Mul(hn::Sub(one, there), filtered), hn::Mul(there, colour));
      mixed = hn::MulAdd(hn::Sub(seen, below), hn::Div(hn::Mul(other, amount), alpha), below);
      mixed = hn::IfThenElse(hn::Lt(hn::Abs(own), transparent), filtered, mixed);
      mixed = hn::IfThenElse(hn::Lt(hn::Abs(alpha), transparent), zero, mixed);
    }
    if (job.alpha) {
      const Vec<T> alpha = hn::MulAdd(hn::Sub(filtered, below), amount, below);
      mixed = hn::IfThenElse(lanes.At(i), alpha, mixed);
    }
    if (job.replaces) mixed = hn::IfThenElse(hn::Eq(amount, one), filtered, mixed);
    mixed = hn::IfThenElse(hn::Eq(amount, zero), below, mixed);
    hn::StoreU(mixed, d, job.mixed + i);
  }
}

template <typename T>
void Keep(T* mixed, const T* below, const T* amount, size_t samples) {
  const Tag<T> d;
  for (size_t i = 0; i < samples; i += hn::Lanes(d)) {
    const auto kept = hn::Eq(hn::LoadU(d, amount + i), hn::Zero(d));
    hn::StoreU(hn::IfThenElse(kept, hn::LoadU(d, below + i), hn::LoadU(d, mixed + i)), d, mixed + i);
  }
}

}  // namespace

template <typename T>
void FillMix(Kernels<T>& kernels) {
  kernels.threshold = &Threshold<T>;
  kernels.mix = &MixRows<T>;
  kernels.keep = &Keep<T>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillMixKernels(int64_t target, Kernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillMix<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillMixKernels<float>(int64_t, Kernels<float>&);
template void FillMixKernels<double>(int64_t, Kernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
