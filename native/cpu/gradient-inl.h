// The length of a gradient in floating point: each row of samples is differenced and smoothed across once, for the
// three rows of results that it belongs to.
#if defined(CONVOLVE_CPU_GRADIENT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOLVE_CPU_GRADIENT_INL_H_
#undef CONVOLVE_CPU_GRADIENT_INL_H_
#else
#define CONVOLVE_CPU_GRADIENT_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <limits>

#include "cpu/direct-inl.h"
#include "cpu/pixels-inl.h"
#include "cpu/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether colours are a length that is clamped, or not even that, whatever alpha is.
template <typename T>
bool IsClampedLength(const DirectJob<T>& job) {
  const RangeKind range = job.finish.range;
  const bool clamps = range == RangeKind::kClamp || range == RangeKind::kAbsolute || range == RangeKind::kFloat;
  return clamps && job.finish.offset == 0 && !job.needs_epilogue && job.kernels[0].divisor == 1 &&
         job.kernels[1].divisor == 1 && !job.to_integers;
}

/// kClamps: as IsClampedLength says.
template <typename T, typename From, bool kClamps>
class GradientRow {
  using D = hn::ScalableTag<T>;
  using Vec = hn::Vec<D>;

 public:
  explicit HWY_INLINE GradientRow(const Ending<T>& ending)
      : ending_(ending),
        job_(ending.job),
        a_(Weight(job_.gradient->across[0])),
        b_(Weight(job_.gradient->across[1])),
        c_(Weight(job_.gradient->down[0])),
        m_(Weight(job_.gradient->down[1])),
        clamps_(job_.needs_finish && job_.finish.range != RangeKind::kFloat),
        low_(hn::Set(D(), clamps_ ? T{0} : -kInfinity)),
        high_(hn::Set(D(), clamps_ ? job_.finish.full_scale : kInfinity)),
        alpha_(job_.finish.alpha),
        is_alpha_(ending.lanes.At(0)) {}

  /// R output rows and V vectors from sample `x` on.
  template <int R, int V>
  HWY_INLINE void Run(size_t x, bool stream) const {
    const D d;
    const std::byte* const* const rows = job_.rows + job_.kernels[0].row;
    Vec difference[R + 2][V];
    Vec smooth[R + 2][V];
    [[maybe_unused]] typename Direct<T, From, R, V>::Sums lengths;
#pragma GCC unroll 8
    for (int r = 0; r < R + 2; ++r) {
      const From* row = reinterpret_cast<const From*>(rows[r]) + job_.kernels[0].offset + x;
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v, row += hn::Lanes(d)) {
        Vec left = LoadVector<From, T>(d, row);
        Vec right = LoadVector<From, T>(d, row + 2 * job_.step);
        KeepInRegister(left);
        KeepInRegister(right);
        difference[r][v] = hn::Sub(right, left);
        smooth[r][v] = hn::MulAdd(c_, hn::Add(left, right), hn::Mul(m_, LoadVector<From, T>(d, row + job_.step)));
        if (r < 2) continue;
        const Vec outer = hn::Add(difference[r - 2][v], difference[r][v]);
        const Vec across = hn::MulAdd(a_, outer, hn::Mul(b_, difference[r - 1][v]));
        const Vec down = hn::Sub(smooth[r][v], smooth[r - 2][v]);
        if constexpr (kClamps) {
          Put(r - 2, x + static_cast<size_t>(v) * hn::Lanes(d), stream, Length<T>(across, down));
        } else {
          const DirectKernel<T>* const kernels = job_.kernels;
          lengths[r - 2][v] = Length<T>(Divided(across, kernels[0].divisor), Divided(down, kernels[1].divisor));
        }
      }
    }
    if constexpr (!kClamps) Direct<T, From, R, V>::End(ending_, x, stream, lengths);
  }

 private:
  static constexpr T kInfinity = std::numeric_limits<T>::infinity();

  static HWY_INLINE Vec Weight(double weight) { return hn::Set(D(), static_cast<T>(weight)); }

  HWY_INLINE Vec Divided(Vec value, T divisor) const {
    return divisor == 1 ? value : hn::Div(value, hn::Set(D(), divisor));
  }

  /// Vectors begin with a pixel, so that those of whole pixels are all alike.
  HWY_INLINE hn::Mask<D> IsAlpha(size_t x) const {
    if constexpr (hn::MaxLanes(D()) >= 4) return is_alpha_;
    return ending_.lanes.At(x);
  }

  HWY_INLINE void Put(int q, size_t x, bool stream, Vec length) const {
    const D d;
    if (alpha_ == AlphaWork::kInput) {
      length = hn::IfThenElse(IsAlpha(x), Direct<T, From, 1, 1>::Input(job_, q, x), length);
    }
    length = Clamped<T>(length, low_, high_);
    if (alpha_ == AlphaWork::kOpaque) length = hn::IfThenElse(IsAlpha(x), ending_.in_range.full, length);
    T* const to = reinterpret_cast<T*>(job_.output[q]) + x;
    stream ? hn::Stream(length, d, to) : hn::StoreU(length, d, to);
  }

  const Ending<T>& ending_;
  const DirectJob<T>& job_;
  Vec a_, b_, c_, m_;
  bool clamps_;
  Vec low_, high_;
  AlphaWork alpha_;
  hn::Mask<D> is_alpha_;
};

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
