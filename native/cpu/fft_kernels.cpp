// Transforms of strips down and of rows across. Across, as many rows as a vector has lanes are transposed in registers
// into a scratch array that stays in the first-level cache; there they are transformed, multiplied and transformed
// back.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/fft_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "cpu/fft_kernel_tables.h"
#include "cpu/fft_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

template <typename F>
void Forward(F* strip, const FftLength<F>& length) {
  ForwardSteps(strip, length);
}

template <typename F>
void Inverse(F* strip, const FftLength<F>& length) {
  InverseSteps(strip, length);
}

template <typename F>
void Down(F* strip, const FftLength<F>& length, const F* line) {
  FilterFrom<F, true>(strip, static_cast<size_t>(length.size), length, 0, line);
}

/// Lanes of a 128-bit block of this type, and blocks of a vector.
template <typename F>
inline constexpr size_t kBlockLanes = hn::MaxLanes(hn::ScalableTag<F>()) < 16 / sizeof(F)
                                          ? hn::MaxLanes(hn::ScalableTag<F>())
                                          : 16 / sizeof(F);
template <typename F>
inline constexpr size_t kBlocks = hn::MaxLanes(hn::ScalableTag<F>()) / kBlockLanes<F>;

/// Four vectors of four blocks each, or two of two: block b of vector i becomes block i of vector b.
template <typename F>
HWY_INLINE void TransposeBlocks(FftVec<F>& a, FftVec<F>& b, FftVec<F>& c, FftVec<F>& e) {
#if HWY_TARGET == HWY_AVX3 && HWY_ARCH_X86
  if constexpr (sizeof(F) == 4) {
    const __m512 t0 = _mm512_shuffle_f32x4(a.raw, b.raw, 0x88);
    const __m512 t1 = _mm512_shuffle_f32x4(a.raw, b.raw, 0xDD);
    const __m512 t2 = _mm512_shuffle_f32x4(c.raw, e.raw, 0x88);
    const __m512 t3 = _mm512_shuffle_f32x4(c.raw, e.raw, 0xDD);
    a = FftVec<F>{_mm512_shuffle_f32x4(t0, t2, 0x88)};
    b = FftVec<F>{_mm512_shuffle_f32x4(t1, t3, 0x88)};
    c = FftVec<F>{_mm512_shuffle_f32x4(t0, t2, 0xDD)};
    e = FftVec<F>{_mm512_shuffle_f32x4(t1, t3, 0xDD)};
  } else {
    const __m512d t0 = _mm512_shuffle_f64x2(a.raw, b.raw, 0x88);
    const __m512d t1 = _mm512_shuffle_f64x2(a.raw, b.raw, 0xDD);
    const __m512d t2 = _mm512_shuffle_f64x2(c.raw, e.raw, 0x88);
    const __m512d t3 = _mm512_shuffle_f64x2(c.raw, e.raw, 0xDD);
    a = FftVec<F>{_mm512_shuffle_f64x2(t0, t2, 0x88)};
    b = FftVec<F>{_mm512_shuffle_f64x2(t1, t3, 0x88)};
    c = FftVec<F>{_mm512_shuffle_f64x2(t0, t2, 0xDD)};
    e = FftVec<F>{_mm512_shuffle_f64x2(t1, t3, 0xDD)};
  }
#elif HWY_TARGET != HWY_SCALAR
  const FftTag<F> d;
  const FftVec<F> t0 = hn::ConcatLowerLower(d, c, a);
  const FftVec<F> t1 = hn::ConcatLowerLower(d, e, b);
  const FftVec<F> t2 = hn::ConcatUpperUpper(d, c, a);
  const FftVec<F> t3 = hn::ConcatUpperUpper(d, e, b);
  a = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(t1), t0);
  b = hn::OddEvenBlocks(t1, hn::SwapAdjacentBlocks(t0));
  c = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(t3), t2);
  e = hn::OddEvenBlocks(t3, hn::SwapAdjacentBlocks(t2));
#else
  (void)a, (void)b, (void)c, (void)e;
#endif
}

/// A square of as many vectors as a vector has lanes: row r at from + r * step becomes column r of the square at `to`.
template <typename F>
HWY_INLINE void Transpose(const F* HWY_RESTRICT from, F* HWY_RESTRICT to, size_t step) {
  const FftTag<F> d;
  constexpr size_t kLanes = hn::MaxLanes(FftTag<F>());
  [[maybe_unused]] constexpr size_t kSmall = kBlockLanes<F>;
  FftVec<F> rows[kLanes];
#pragma GCC unroll 16
  for (size_t r = 0; r < kLanes; ++r) rows[r] = hn::Load(d, from + r * step);
#if HWY_TARGET != HWY_SCALAR
  // Within each 128-bit block.
  if constexpr (kSmall == 2) {
#pragma GCC unroll 16
    for (size_t r = 0; r < kLanes; r += 2) {
      const FftVec<F> low = hn::InterleaveLower(d, rows[r], rows[r + 1]);
      rows[r + 1] = hn::InterleaveUpper(d, rows[r], rows[r + 1]);
      rows[r] = low;
    }
  } else if constexpr (kSmall == 4) {
    const hn::Repartition<double, FftTag<F>> wide;
#pragma GCC unroll 16
    for (size_t r = 0; r < kLanes; r += 4) {
      const auto t0 = hn::BitCast(wide, hn::InterleaveLower(d, rows[r], rows[r + 1]));
      const auto t1 = hn::BitCast(wide, hn::InterleaveUpper(d, rows[r], rows[r + 1]));
      const auto t2 = hn::BitCast(wide, hn::InterleaveLower(d, rows[r + 2], rows[r + 3]));
      const auto t3 = hn::BitCast(wide, hn::InterleaveUpper(d, rows[r + 2], rows[r + 3]));
      rows[r] = hn::BitCast(d, hn::InterleaveLower(wide, t0, t2));
      rows[r + 1] = hn::BitCast(d, hn::InterleaveUpper(wide, t0, t2));
      rows[r + 2] = hn::BitCast(d, hn::InterleaveLower(wide, t1, t3));
      rows[r + 3] = hn::BitCast(d, hn::InterleaveUpper(wide, t1, t3));
    }
  }
  // rows[i * kSmall + c] now holds, in block b, what belongs into block i of column b * kSmall + c.
  if constexpr (kBlocks<F> == 2) {
#pragma GCC unroll 16
    for (size_t c = 0; c < kSmall; ++c) {
      const FftVec<F> low = hn::ConcatLowerLower(d, rows[kSmall + c], rows[c]);
      rows[kSmall + c] = hn::ConcatUpperUpper(d, rows[kSmall + c], rows[c]);
      rows[c] = low;
    }
  } else if constexpr (kBlocks<F> == 4) {
#pragma GCC unroll 16
    for (size_t c = 0; c < kSmall; ++c) {
      TransposeBlocks<F>(rows[c], rows[kSmall + c], rows[2 * kSmall + c], rows[3 * kSmall + c]);
    }
  }
#endif
#pragma GCC unroll 16
  for (size_t r = 0; r < kLanes; ++r) hn::Store(rows[r], d, to + r * step);
}

template <typename F>
void Across(const FftAcrossJob<F>& job) {
  const size_t lanes = hn::Lanes(FftTag<F>());
  const size_t cell = 2 * lanes;
  const FftLength<F>& length = *job.length;
  const size_t strips = static_cast<size_t>(length.size) / lanes;
  for (size_t s = 0; s < strips; ++s) {
    const F* from = job.plane.data + s * job.plane.strip_stride;
    F* to = job.scratch + s * lanes * cell;
    Transpose<F>(from, to, cell);
    Transpose<F>(from + lanes, to + lanes, cell);
  }
  if (job.line != nullptr) {
    FilterFrom<F, true>(job.scratch, static_cast<size_t>(length.size), length, 0, job.line);
  } else if (job.spectrum != nullptr) {
    FilterFrom<F, false>(job.scratch, static_cast<size_t>(length.size), length, 0, job.spectrum);
  } else {
    return ForwardSteps(job.scratch, length);
  }
  for (size_t s = 0; s < job.strips_back; ++s) {
    const F* from = job.scratch + s * lanes * cell;
    F* to = job.plane.data + s * job.plane.strip_stride;
    Transpose<F>(from, to, cell);
    Transpose<F>(from + lanes, to + lanes, cell);
  }
}

}  // namespace

template <typename F>
void FillFftTransforms(FftKernels<F>& kernels) {
  kernels.lanes = hn::Lanes(hn::ScalableTag<F>());
  kernels.forward = &Forward<F>;
  kernels.inverse = &Inverse<F>;
  kernels.down = &Down<F>;
  kernels.across = &Across<F>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename F>
void FillFftTransformKernels(int64_t target, FftKernels<F>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillFftTransforms<F>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillFftTransformKernels<float>(int64_t, FftKernels<float>&);
template void FillFftTransformKernels<double>(int64_t, FftKernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
