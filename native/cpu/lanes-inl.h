// Vector pieces shared by the per-target files: which lanes are alpha, and each pixel's alpha in all of its lanes.
#if defined(CONVOLVE_CPU_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOLVE_CPU_LANES_INL_H_
#undef CONVOLVE_CPU_LANES_INL_H_
#else
#define CONVOLVE_CPU_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// float64 to float32; infinity stays infinity (without vector instructions, Highway's DemoteTo makes it the largest
/// finite number).
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> ToSingle(D /*d*/, hn::Vec<D> value) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Vec<hn::Rebind<float, D>>(static_cast<float>(value.raw));
#elif HWY_TARGET == HWY_EMU128
  hn::Vec<hn::Rebind<float, D>> single = hn::Zero(hn::Rebind<float, D>());
  for (size_t i = 0; i < hn::MaxLanes(D()); ++i) single.raw[i] = static_cast<float>(value.raw[i]);
  return single;
#else
  return hn::DemoteTo(hn::Rebind<float, D>(), value);
#endif
}

/// Masks of the alpha lanes for vectors that start at a multiple of the lane count. `channels` is 2 or 4 (lane counts
/// are powers of two, so that a vector holds whole pixels or a part of one).
template <typename T>
class AlphaLanes {
 public:
  using D = hn::ScalableTag<T>;

  explicit AlphaLanes(size_t channels) : channels_(channels) {
    for (size_t i = 0; i < kPattern; ++i) pattern_[i] = i % channels == channels - 1 ? T{1} : T{0};
  }

  /// Alpha lanes of the vector that starts at sample `at`.
  HWY_INLINE hn::Mask<D> At(size_t at) const {
    const D d;
    return hn::Gt(hn::LoadU(d, pattern_ + at % channels_), hn::Zero(d));
  }

 private:
  static constexpr size_t kPattern = 64 / sizeof(T) + 4;
  size_t channels_;
  HWY_ALIGN T pattern_[kPattern];
};

/// The alpha of each pixel in all of its lanes, for the vector at row[at]; `at` is a multiple of the lane count.
template <typename T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> PixelAlpha(const T* HWY_RESTRICT row, size_t at, size_t channels) {
  const hn::ScalableTag<T> d;
#if HWY_TARGET != HWY_SCALAR
  const size_t lanes = hn::Lanes(d);
  if (channels == 2 && lanes >= 2) return hn::DupOdd(hn::LoadU(d, row + at));
  if constexpr (sizeof(T) == 4) {
    if (channels == 4 && lanes >= 4) return hn::Broadcast<3>(hn::LoadU(d, row + at));
  } else if constexpr (hn::MaxLanes(hn::ScalableTag<T>()) >= 4) {
    if (channels == 4 && lanes >= 4) {
      using TI = hwy::MakeSigned<T>;
      const hn::Rebind<TI, hn::ScalableTag<T>> di;
      const auto last = hn::Or(hn::Iota(di, 0), hn::Set(di, 3));
      return hn::TableLookupLanes(hn::LoadU(d, row + at), hn::IndicesFromVec(d, last));
    }
  }
#endif
  HWY_ALIGN T alpha[64 / sizeof(T)];
  for (size_t i = 0; i < hn::Lanes(d); ++i) alpha[i] = row[(at + i) / channels * channels + channels - 1];
  return hn::Load(d, alpha);
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
