// The length of a gradient from integers to integers, rounded exactly. Differences and smoothed samples are whole
// numbers; a root that is at most 1 off is set right by what its square leaves, modulo 2^32.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/gradient_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu/kernel_tables.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

template <typename Wide>
using Tag = hn::ScalableTag<Wide>;
template <typename Wide>
using Vec = hn::Vec<hn::ScalableTag<Wide>>;

/// Bytes are differenced as int16, 16-bit samples as int32. Without vectors there is no more than one lane.
template <typename From>
using WideOf = std::conditional_t<sizeof(From) == 1 && HWY_TARGET != HWY_SCALAR, int16_t, int32_t>;

/// Lengths of int32 differences, rounded.
HWY_INLINE Vec<int32_t> Length(Vec<int32_t> x, Vec<int32_t> y) {
  const Tag<int32_t> d;
  const hn::RebindToUnsigned<Tag<int32_t>> du;
  const hn::RebindToFloat<Tag<int32_t>> df;
  const auto fx = hn::ConvertTo(df, x);
  const auto fy = hn::ConvertTo(df, y);
  const auto root = hn::Sqrt(hn::MulAdd(fx, fx, hn::Mul(fy, fy)));
  // The lowest bits of a float of 2^23 and more are a whole number.
  const Vec<int32_t> near = hn::Sub(hn::BitCast(d, hn::Add(root, hn::Set(df, 8388608.0f))), hn::Set(d, 0x4B000000));
  const auto square = [&](Vec<int32_t> value) HWY_ATTR {
    const auto bits = hn::BitCast(du, value);
    return hn::Mul(bits, bits);
  };
  const Vec<int32_t> rest = hn::BitCast(d, hn::Sub(hn::Add(square(x), square(y)), square(near)));
  // n is right where n^2 - n < x^2 + y^2 <= n^2 + n.
  const Vec<int32_t> more = hn::VecFromMask(d, hn::Gt(rest, near));  // -1
  const Vec<int32_t> enough = hn::VecFromMask(d, hn::Gt(hn::Add(rest, near), hn::Zero(d)));
  return hn::Sub(hn::Sub(hn::Sub(near, hn::Set(d, 1)), enough), more);
}

#if HWY_TARGET != HWY_SCALAR
/// The square root of a positive float, within 2^-17 of it.
template <class D>
HWY_INLINE hn::Vec<D> NearRoot([[maybe_unused]] D d, hn::Vec<D> square) {
#if HWY_TARGET <= HWY_SSE4
  const auto inverse = hn::ApproximateReciprocalSqrt(square);
  const auto root = hn::Mul(square, inverse);
  const auto rest = hn::NegMulAdd(root, root, square);
  return hn::MulAdd(hn::Mul(rest, inverse), hn::Set(d, 0.5f), root);
#else
  return hn::Sqrt(square);
#endif
}

/// Lengths of int16 differences, rounded: no length is nearer to a half than 1 / 1020.
HWY_INLINE Vec<int16_t> Length(Vec<int16_t> x, Vec<int16_t> y) {
  const Tag<int16_t> d;
  const Tag<int32_t> d_wide;
  const hn::RebindToFloat<Tag<int32_t>> df;
  const auto rounded = [&](Vec<int32_t> square) HWY_ATTR {
    // The reciprocal of no root is infinite.
    const auto positive = hn::Max(hn::ConvertTo(df, square), hn::Set(df, 1e-12f));
    const auto value = hn::Add(NearRoot(df, positive), hn::Set(df, 0.5f));
#if HWY_TARGET <= HWY_AVX3
    return Vec<int32_t>{_mm512_cvttps_epi32(value.raw)};
#else
    return hn::ConvertTo(d_wide, value);
#endif
  };
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  const auto low = hn::InterleaveLower(d, x, y);
  const auto high = hn::InterleaveUpper(d, x, y);
  Vec<int32_t> none = hn::Zero(d_wide);
  const auto square_low = hn::ReorderWidenMulAccumulate(d_wide, low, low, hn::Zero(d_wide), none);
  const auto square_high = hn::ReorderWidenMulAccumulate(d_wide, high, high, hn::Zero(d_wide), none);
  return hn::ReorderDemote2To(d, rounded(square_low), rounded(square_high));
#else
  const hn::Half<Tag<int16_t>> d_half;
  const auto square = [&](hn::Vec<hn::Half<Tag<int16_t>>> a, hn::Vec<hn::Half<Tag<int16_t>>> b) HWY_ATTR {
    const auto wide_a = hn::PromoteTo(d_wide, a);
    const auto wide_b = hn::PromoteTo(d_wide, b);
    return hn::Add(hn::Mul(wide_a, wide_a), hn::Mul(wide_b, wide_b));
  };
  const auto low = hn::DemoteTo(d_half, rounded(square(hn::LowerHalf(d_half, x), hn::LowerHalf(d_half, y))));
  const auto high = hn::DemoteTo(d_half, rounded(square(hn::UpperHalf(d_half, x), hn::UpperHalf(d_half, y))));
  return hn::Combine(d, high, low);
#endif
}
#endif

template <typename From, int R, bool kSobel>
struct Rows {
  using Wide = WideOf<From>;
  using V = Vec<Wide>;

  static HWY_INLINE V Load(const From* from) {
    return hn::PromoteTo(Tag<Wide>(), hn::LoadU(hn::Rebind<From, Tag<Wide>>(), from));
  }

  /// a * outer + b * middle; Sobel's are 1 and 2.
  static HWY_INLINE V Smooth(V a, V outer, V b, V middle) {
    if constexpr (kSobel) return hn::Add(outer, hn::Add(middle, middle));
    return hn::Add(hn::Mul(a, outer), hn::Mul(b, middle));
  }

  template <typename T>
  static HWY_NOINLINE void Run(const DirectJob<T>& job) {
    const Tag<Wide> d;
    const hn::Rebind<From, Tag<Wide>> d_from;
    const size_t lanes = hn::Lanes(d);
    const Gradient& gradient = *job.gradient;
    const V a = hn::Set(d, static_cast<Wide>(gradient.across[0]));
    const V b = hn::Set(d, static_cast<Wide>(gradient.across[1]));
    const V c = hn::Set(d, static_cast<Wide>(gradient.down[0]));
    const V e = hn::Set(d, static_cast<Wide>(gradient.down[1]));
    const size_t first = job.kernels[0].row;
    const size_t offset = job.kernels[0].offset;
    const AlphaWork alpha = job.finish.alpha;
    const bool fills = alpha == AlphaWork::kOpaque || alpha == AlphaWork::kInput;
    HWY_ALIGN From pattern[hn::MaxLanes(d) + 4];
    for (size_t i = 0; i < lanes + 4; ++i) pattern[i] = i % job.step == job.step - 1 ? 1 : 0;
    for (size_t x = 0; x < job.samples; x += lanes) {
      if (!job.padded && x + lanes > job.samples) x = job.samples - lanes;  // some samples twice: the same again
      V difference[R + 2];
      V smooth[R + 2];
#pragma GCC unroll 8
      for (int r = 0; r < R + 2; ++r) {
        const From* row = reinterpret_cast<const From*>(job.rows[first + static_cast<size_t>(r)]) + offset + x;
        const V left = Load(row);
        const V right = Load(row + 2 * job.step);
        difference[r] = hn::Sub(right, left);
        smooth[r] = Smooth(c, hn::Add(left, right), e, Load(row + job.step));
        if (r < 2) continue;
        const size_t q = static_cast<size_t>(r - 2);
        const V across = Smooth(a, hn::Add(difference[r - 2], difference[r]), b, difference[r - 1]);
        auto length = hn::DemoteTo(d_from, Length(across, hn::Sub(smooth[r], smooth[r - 2])));
        if (fills) {
          const auto is_alpha = hn::Gt(hn::LoadU(d_from, pattern + x % job.step), hn::Zero(d_from));
          const From* own = reinterpret_cast<const From*>(job.rows[job.input_row + q]) + job.input_offset + x;
          const auto full = hn::Set(d_from, std::numeric_limits<From>::max());
          length = hn::IfThenElse(is_alpha, alpha == AlphaWork::kInput ? hn::LoadU(d_from, own) : full, length);
        }
        hn::StoreU(length, d_from, reinterpret_cast<From*>(job.output[q]) + x);
      }
    }
  }
};

template <typename From, typename T>
void GradientRows(const DirectJob<T>& job, int outputs) {
  const Gradient& gradient = *job.gradient;
  const bool sobel =
      gradient.across[0] == 1 && gradient.across[1] == 2 && gradient.down[0] == 1 && gradient.down[1] == 2;
  if (outputs == 4) return sobel ? Rows<From, 4, true>::Run(job) : Rows<From, 4, false>::Run(job);
  return sobel ? Rows<From, 1, true>::Run(job) : Rows<From, 1, false>::Run(job);
}

}  // namespace

template <typename T>
void FillGradient(Kernels<T>& kernels) {
  kernels.gradient = &GradientRows<std::conditional_t<sizeof(T) == 4, uint8_t, uint16_t>, T>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillGradientKernels(int64_t target, Kernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillGradient<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillGradientKernels<float>(int64_t, Kernels<float>&);
template void FillGradientKernels<double>(int64_t, Kernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
