// A picture's curve on rows of working values, both ways, in float64 vectors: accurate to a few units in the last place
// of float64, extended above 1 and mirrored below 0. engine/tone_curve.h is the same for one value, and does curves of
// samples.
#include <cmath>
#include <type_traits>

#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/light_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "cpu/kernel_tables.h"
#include "cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

/// base^exponent for base > 0.
HWY_INLINE V Power(D d, V base, double exponent) { return hn::Exp(d, hn::Mul(hn::Log(d, base), hn::Set(d, exponent))); }

/// What powers are taken of at least: their logarithm is finite, and what they give of less is as good as 0.
constexpr double kLeastBase = 1e-200;

/// Both parts of the curve apply to |share|; infinities and not-a-number pass through.
struct ToLinear {
  const CurveParameters& p;
  HWY_INLINE V operator()(D d, V share) const {
    const V size = hn::Abs(share);
    const V line = hn::MulAdd(size, hn::Set(d, p.slope), hn::Set(d, p.below));
    const V base = hn::MulAdd(size, hn::Set(d, p.scale), hn::Set(d, p.offset));
    const V curve = hn::Add(Power(d, hn::Max(base, hn::Set(d, kLeastBase)), p.gamma), hn::Set(d, p.above));
    const V light = hn::IfThenElse(hn::Gt(size, hn::Set(d, p.knee)), curve, line);
    return hn::IfThenElse(hn::IsFinite(share), hn::CopySign(light, share), share);
  }
};

struct ToEncoded {
  const CurveParameters& p;
  double per_slope = p.slope > 0 ? 1 / p.slope : 0;
  double per_gamma = 1 / p.gamma;
  double per_scale = 1 / p.scale;
  HWY_INLINE V operator()(D d, V share) const {
    const V size = hn::Abs(share);
    const V line = hn::Max(hn::Mul(hn::Sub(size, hn::Set(d, p.below)), hn::Set(d, per_slope)), hn::Zero(d));
    const V power = Power(d, hn::Max(hn::Sub(size, hn::Set(d, p.above)), hn::Set(d, kLeastBase)), per_gamma);
    const V back = hn::Mul(hn::Sub(power, hn::Set(d, p.offset)), hn::Set(d, per_scale));
    const V curve = hn::Max(back, hn::Set(d, p.knee));
    const V value = hn::IfThenElse(hn::Gt(size, hn::Set(d, p.slope * p.knee + p.below)), curve, line);
    return hn::IfThenElse(hn::IsFinite(share), hn::CopySign(value, share), share);
  }
};

template <typename Curve>
double OneValue(const ToneCurve& curve, double share) {
  return std::is_same_v<Curve, ToLinear> ? curve.Linear(share) : curve.Encoded(share);
}

/// Curves of samples, one value after another.
template <typename Curve, typename T>
void ConvertEach(T* row, size_t samples, size_t channels, bool alpha, T full_scale, const ToneCurve& curve) {
  for (size_t i = 0; i < samples; ++i) {
    if (alpha && i % channels == channels - 1) continue;
    const double share = static_cast<double>(row[i]) / static_cast<double>(full_scale);
    if (!std::isfinite(share)) continue;
    row[i] = static_cast<T>(OneValue<Curve>(curve, share) * static_cast<double>(full_scale));
  }
}

HWY_INLINE V LoadDouble(D d, const double* from) { return hn::LoadU(d, from); }
HWY_INLINE V LoadDouble(D d, const float* from) { return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from)); }
HWY_INLINE void StoreDouble(D d, V value, double* to) { hn::StoreU(value, d, to); }
HWY_INLINE void StoreDouble(D d, V value, float* to) { hn::StoreU(ToSingle(d, value), hn::Rebind<float, D>(), to); }

template <typename Curve, typename T>
void Convert(T* row, size_t samples, size_t channels, bool alpha, T full_scale, const ToneCurve& tone) {
  if (tone.parameters() == nullptr) return ConvertEach<Curve>(row, samples, channels, alpha, full_scale, tone);
  const Curve curve{*tone.parameters()};
  const D d;
  const size_t lanes = hn::Lanes(d);
  HWY_ALIGN double pattern[8 + 4];
  for (size_t i = 0; i < 8 + 4; ++i) pattern[i] = alpha && i % channels == channels - 1 ? 1.0 : 0.0;
  const V full = hn::Set(d, static_cast<double>(full_scale));
  const size_t period = alpha ? channels : 1;
  for (size_t i = 0; i < samples; i += lanes) {
    const V code = LoadDouble(d, row + i);
    const V share = hn::Div(code, full);
    const V converted = hn::Mul(curve(d, share), full);
    const auto keep = hn::Gt(hn::LoadU(d, pattern + i % period), hn::Zero(d));
    StoreDouble(d, hn::IfThenElse(keep, code, converted), row + i);
  }
}

}  // namespace

template <typename T>
void FillLight(Kernels<T>& kernels) {
  kernels.to_linear = &Convert<ToLinear, T>;
  kernels.to_encoded = &Convert<ToEncoded, T>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillLightKernels(int64_t target, Kernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillLight<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillLightKernels<float>(int64_t, Kernels<float>&);
template void FillLightKernels<double>(int64_t, Kernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
