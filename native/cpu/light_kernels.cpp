// The sRGB curve (IEC 61966-2-1) on rows of working values, both ways, in float64 vectors: accurate to a few units in
// the last place of float64, extended above 1 and mirrored below 0. engine/light.h is the same for one value.
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

/// Both halves of the curve apply to |share|; infinities and not-a-number pass through.
struct ToLinear {
  HWY_INLINE V operator()(D d, V share) const {
    const V size = hn::Abs(share);
    const V line = hn::Div(size, hn::Set(d, 12.92));
    const V curve = Power(d, hn::Div(hn::Add(size, hn::Set(d, 0.055)), hn::Set(d, 1.055)), 2.4);
    const V light = hn::IfThenElse(hn::Gt(size, hn::Set(d, 0.04045)), curve, line);
    return hn::IfThenElse(hn::IsFinite(share), hn::CopySign(light, share), share);
  }
};

struct ToEncoded {
  HWY_INLINE V operator()(D d, V share) const {
    const V size = hn::Abs(share);
    const V knee = hn::Set(d, 0.0031308);
    const V line = hn::Mul(size, hn::Set(d, 12.92));
    const V power = Power(d, hn::Max(size, knee), 1.0 / 2.4);
    const V curve = hn::Sub(hn::Mul(hn::Set(d, 1.055), power), hn::Set(d, 0.055));
    const V value = hn::IfThenElse(hn::Gt(size, knee), curve, line);
    return hn::IfThenElse(hn::IsFinite(share), hn::CopySign(value, share), share);
  }
};

HWY_INLINE V LoadDouble(D d, const double* from) { return hn::LoadU(d, from); }
HWY_INLINE V LoadDouble(D d, const float* from) { return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from)); }
HWY_INLINE void StoreDouble(D d, V value, double* to) { hn::StoreU(value, d, to); }
HWY_INLINE void StoreDouble(D d, V value, float* to) { hn::StoreU(ToSingle(d, value), hn::Rebind<float, D>(), to); }

template <typename Curve, typename T>
void Convert(T* row, size_t samples, size_t channels, bool alpha, T full_scale) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  HWY_ALIGN double pattern[8 + 4];
  for (size_t i = 0; i < 8 + 4; ++i) pattern[i] = alpha && i % channels == channels - 1 ? 1.0 : 0.0;
  const V full = hn::Set(d, static_cast<double>(full_scale));
  const size_t period = alpha ? channels : 1;
  for (size_t i = 0; i < samples; i += lanes) {
    const V code = LoadDouble(d, row + i);
    const V share = hn::Div(code, full);
    const V converted = hn::Mul(Curve()(d, share), full);
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
