// Vector pieces of what happens to working values besides sums: range modes and the length of two results.
#if defined(CONVOLVE_CPU_PIXELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOLVE_CPU_PIXELS_INL_H_
#undef CONVOLVE_CPU_PIXELS_INL_H_
#else
#define CONVOLVE_CPU_PIXELS_INL_H_
#endif

#include <hwy/highway.h>

#include "cpu/kernels.h"
#include "cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::ScalableTag<T>;
template <typename T>
using Vec = hn::Vec<hn::ScalableTag<T>>;

/// Clamped to low...high; not-a-number stays what it is on every instruction set.
template <typename T>
HWY_INLINE Vec<T> Clamped(Vec<T> value, Vec<T> low, Vec<T> high) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  return hn::Min(high, hn::Max(low, value));  // x86 returns the second operand where one is not a number
#else
  value = hn::IfThenElse(hn::Lt(value, low), low, value);
  return hn::IfThenElse(hn::Gt(value, high), high, value);
#endif
}

/// The range modes on code values.
template <typename T>
struct InRange {
  explicit HWY_INLINE InRange(const FinishJob<T>& job)
      : kind(job.range),
        zero(hn::Zero(Tag<T>())),
        full(hn::Set(Tag<T>(), job.full_scale)),
        half_full(hn::Set(Tag<T>(), job.full_scale / 2)),
        minimum(hn::Set(Tag<T>(), job.range_minimum)),
        span(hn::Set(Tag<T>(), job.range_span)),
        flat(job.range_span == 0) {}

  RangeKind kind;
  Vec<T> zero, full, half_full, minimum, span;
  bool flat;

  HWY_INLINE Vec<T> operator()(Vec<T> value) const {
    const Tag<T> d;
    switch (kind) {
      case RangeKind::kClamp:
        return Clamped<T>(value, zero, full);
      case RangeKind::kAbsolute:
        return Clamped<T>(hn::Abs(value), zero, full);
      case RangeKind::kSigned:
        return Clamped<T>(hn::MulAdd(value, hn::Set(d, T(0.5)), half_full), zero, full);
      case RangeKind::kRescale:
        return flat ? zero : hn::Div(hn::Sub(value, minimum), span);
      case RangeKind::kFloat:
        return value;
    }
    return value;
  }
};

/// sqrt(x^2 + y^2), without overflow on the way.
template <typename T>
HWY_INLINE Vec<T> Length(Vec<T> x, Vec<T> y) {
  const Tag<T> d;
  const Vec<T> square = hn::MulAdd(x, x, hn::Mul(y, y));
  const auto safe = hn::And(hn::Ge(square, hn::Set(d, sizeof(T) == 4 ? T(4e-30) : T(4e-280))),
                            hn::Le(square, hn::Set(d, sizeof(T) == 4 ? T(1e36) : T(1e300))));
  if (HWY_LIKELY(hn::AllTrue(d, safe))) return hn::Sqrt(square);
  // Flat areas, alpha that is full everywhere.
  if (hn::AllTrue(d, hn::Or(safe, hn::Eq(hn::Max(hn::Abs(x), hn::Abs(y)), hn::Zero(d))))) return hn::Sqrt(square);
  // Squares of values in small...large neither overflow nor lose digits.
  const Vec<T> large = hn::Set(d, sizeof(T) == 4 ? T(1e18) : T(1e150));
  const Vec<T> small = hn::Set(d, sizeof(T) == 4 ? T(1e-15) : T(1e-140));
  x = hn::Abs(x);
  y = hn::Abs(y);
  Vec<T> length = hn::Sqrt(square);
  const Vec<T> more = hn::IfThenElse(hn::Lt(x, y), y, x);
  const auto extreme = hn::And(hn::Or(hn::Gt(more, large), hn::Lt(more, small)),
                               hn::And(hn::Gt(more, hn::Zero(d)), hn::Lt(more, hn::Inf(d))));
  if (HWY_UNLIKELY(!hn::AllFalse(d, extreme))) {
    const Vec<T> ratio = hn::Div(hn::IfThenElse(hn::Lt(x, y), x, y), more);
    const Vec<T> scaled = hn::Mul(more, hn::Sqrt(hn::MulAdd(ratio, ratio, hn::Set(d, T(1)))));
    length = hn::IfThenElse(extreme, scaled, length);
  }
  return length;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
