// The steps of a transform for one instruction set: every lane of a vector is a transform of its own, so that a step is
// loads, additions and multiplications of whole vectors. Forward steps are butterfly, then twiddle; inverse steps undo
// them in reverse. A cell is a vector of real parts and a vector of imaginary parts.
#if defined(CONVOLVE_CPU_FFT_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOLVE_CPU_FFT_STEPS_INL_H_
#undef CONVOLVE_CPU_FFT_STEPS_INL_H_
#else
#define CONVOLVE_CPU_FFT_STEPS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "cpu/fft_length.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename F>
using FftTag = hn::ScalableTag<F>;
template <typename F>
using FftVec = hn::Vec<hn::ScalableTag<F>>;

/// R complex vectors.
template <typename F, int R>
struct Cells {
  // Written out: GCC makes the implicit one for the baseline of 64-bit Arm and not for this target.
  HWY_ATTR Cells() {}
  FftVec<F> re[R];
  FftVec<F> im[R];
};

template <typename F, int R>
HWY_INLINE void LoadCells(const F* HWY_RESTRICT from, size_t apart, Cells<F, R>& cells) {
  const FftTag<F> d;
  const size_t lanes = hn::Lanes(d);
#pragma GCC unroll 8
  for (int j = 0; j < R; ++j) {
    cells.re[j] = hn::Load(d, from + static_cast<size_t>(j) * apart);
    cells.im[j] = hn::Load(d, from + static_cast<size_t>(j) * apart + lanes);
  }
}

template <typename F, int R>
HWY_INLINE void StoreCells(const Cells<F, R>& cells, size_t apart, F* HWY_RESTRICT to) {
  const FftTag<F> d;
  const size_t lanes = hn::Lanes(d);
#pragma GCC unroll 8
  for (int j = 0; j < R; ++j) {
    hn::Store(cells.re[j], d, to + static_cast<size_t>(j) * apart);
    hn::Store(cells.im[j], d, to + static_cast<size_t>(j) * apart + lanes);
  }
}

// Forward transforms of R values, in place, frequencies in their order. With real and imaginary parts exchanged the
// same additions are the inverse transform.

template <typename F>
HWY_INLINE void Butterfly3(FftVec<F> (&re)[3], FftVec<F> (&im)[3]) {
  const FftTag<F> d;
  const FftVec<F> half = hn::Set(d, F(0.5));
  const FftVec<F> root = hn::Set(d, F(0.86602540378443864676372317075294));
  const FftVec<F> sum_re = hn::Add(re[1], re[2]);
  const FftVec<F> sum_im = hn::Add(im[1], im[2]);
  const FftVec<F> off_re = hn::Sub(re[1], re[2]);
  const FftVec<F> off_im = hn::Sub(im[1], im[2]);
  const FftVec<F> mid_re = hn::NegMulAdd(half, sum_re, re[0]);
  const FftVec<F> mid_im = hn::NegMulAdd(half, sum_im, im[0]);
  re[0] = hn::Add(re[0], sum_re);
  im[0] = hn::Add(im[0], sum_im);
  re[1] = hn::MulAdd(root, off_im, mid_re);
  im[1] = hn::NegMulAdd(root, off_re, mid_im);
  re[2] = hn::NegMulAdd(root, off_im, mid_re);
  im[2] = hn::MulAdd(root, off_re, mid_im);
}

/// The four values are at places a, b, c, d of the arrays.
template <typename F, int R>
HWY_INLINE void Butterfly4At(FftVec<F> (&re)[R], FftVec<F> (&im)[R], int a, int b, int c, int e) {
  const FftVec<F> t0_re = hn::Add(re[a], re[c]);
  const FftVec<F> t0_im = hn::Add(im[a], im[c]);
  const FftVec<F> t1_re = hn::Sub(re[a], re[c]);
  const FftVec<F> t1_im = hn::Sub(im[a], im[c]);
  const FftVec<F> t2_re = hn::Add(re[b], re[e]);
  const FftVec<F> t2_im = hn::Add(im[b], im[e]);
  const FftVec<F> t3_re = hn::Sub(re[b], re[e]);
  const FftVec<F> t3_im = hn::Sub(im[b], im[e]);
  re[a] = hn::Add(t0_re, t2_re);
  im[a] = hn::Add(t0_im, t2_im);
  re[b] = hn::Add(t1_re, t3_im);
  im[b] = hn::Sub(t1_im, t3_re);
  re[c] = hn::Sub(t0_re, t2_re);
  im[c] = hn::Sub(t0_im, t2_im);
  re[e] = hn::Sub(t1_re, t3_im);
  im[e] = hn::Add(t1_im, t3_re);
}

template <typename F>
HWY_INLINE void Butterfly8(FftVec<F> (&re)[8], FftVec<F> (&im)[8]) {
  const FftTag<F> d;
  const FftVec<F> root = hn::Set(d, F(0.70710678118654752440084436210485));
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const FftVec<F> sum_re = hn::Add(re[j], re[j + 4]);
    const FftVec<F> sum_im = hn::Add(im[j], im[j + 4]);
    re[j + 4] = hn::Sub(re[j], re[j + 4]);
    im[j + 4] = hn::Sub(im[j], im[j + 4]);
    re[j] = sum_re;
    im[j] = sum_im;
  }
  // Odd frequencies: times the eighth roots of 1.
  const FftVec<F> b1_re = hn::Mul(root, hn::Add(re[5], im[5]));
  const FftVec<F> b1_im = hn::Mul(root, hn::Sub(im[5], re[5]));
  const FftVec<F> b2_re = im[6];
  const FftVec<F> b2_im = hn::Neg(re[6]);
  const FftVec<F> b3_re = hn::Mul(root, hn::Sub(im[7], re[7]));
  const FftVec<F> b3_im = hn::Neg(hn::Mul(root, hn::Add(im[7], re[7])));
  re[5] = b1_re;
  im[5] = b1_im;
  re[6] = b2_re;
  im[6] = b2_im;
  re[7] = b3_re;
  im[7] = b3_im;
  Butterfly4At<F, 8>(re, im, 0, 1, 2, 3);
  Butterfly4At<F, 8>(re, im, 4, 5, 6, 7);
  // 0 4 1 5 2 6 3 7 of the arrays are frequencies 0 ... 7.
  const FftVec<F> re1 = re[1], re2 = re[2], re3 = re[3], im1 = im[1], im2 = im[2], im3 = im[3];
  re[1] = re[4];
  im[1] = im[4];
  re[2] = re1;
  im[2] = im1;
  re[4] = re2;
  im[4] = im2;
  const FftVec<F> re5 = re[5], im5 = im[5];
  re[3] = re5;
  im[3] = im5;
  re[5] = re[6];
  im[5] = im[6];
  re[6] = re3;
  im[6] = im3;
}

template <typename F, int R>
HWY_INLINE void ForwardButterfly(Cells<F, R>& cells) {
  if constexpr (R == 3) Butterfly3<F>(cells.re, cells.im);
  if constexpr (R == 4) Butterfly4At<F, 4>(cells.re, cells.im, 0, 1, 2, 3);
  if constexpr (R == 8) Butterfly8<F>(cells.re, cells.im);
}

template <typename F, int R>
HWY_INLINE void InverseButterfly(Cells<F, R>& cells) {
  if constexpr (R == 3) Butterfly3<F>(cells.im, cells.re);
  if constexpr (R == 4) Butterfly4At<F, 4>(cells.im, cells.re, 0, 1, 2, 3);
  if constexpr (R == 8) Butterfly8<F>(cells.im, cells.re);
}

/// All but the first times their twiddle factors (kInverse: the conjugates).
template <typename F, int R, bool kInverse>
HWY_INLINE void Twiddle(const F* HWY_RESTRICT factors, Cells<F, R>& cells) {
  const FftTag<F> d;
#pragma GCC unroll 8
  for (int j = 1; j < R; ++j) {
    const FftVec<F> wr = hn::Set(d, factors[2 * (j - 1)]);
    const FftVec<F> wi = hn::Set(d, factors[2 * (j - 1) + 1]);
    const FftVec<F> re = cells.re[j];
    const FftVec<F> im = cells.im[j];
    if constexpr (kInverse) {
      cells.re[j] = hn::MulAdd(re, wr, hn::Mul(im, wi));
      cells.im[j] = hn::NegMulAdd(re, wi, hn::Mul(im, wr));
    } else {
      cells.re[j] = hn::NegMulAdd(im, wi, hn::Mul(re, wr));
      cells.im[j] = hn::MulAdd(re, wi, hn::Mul(im, wr));
    }
  }
}

/// One step over `blocks` neighbouring blocks.
template <typename F, int R, bool kInverse>
HWY_NOINLINE void RunStep(F* HWY_RESTRICT data, size_t blocks, size_t below, const F* HWY_RESTRICT twiddles) {
  const size_t cell = 2 * hn::Lanes(FftTag<F>());
  const size_t apart = below * cell;
  const size_t block = apart * R;
  Cells<F, R> cells;
  for (size_t b = 0; b < blocks; ++b) {
    F* const first = data + b * block;
    LoadCells<F, R>(first, apart, cells);
    if constexpr (kInverse) {
      InverseButterfly<F, R>(cells);
    } else {
      ForwardButterfly<F, R>(cells);
    }
    StoreCells<F, R>(cells, apart, first);
  }
  for (size_t k = 1; k < below; ++k, twiddles += 2 * (R - 1)) {
    F* at = data + k * cell;
    for (size_t b = 0; b < blocks; ++b, at += block) {
      LoadCells<F, R>(at, apart, cells);
      if constexpr (kInverse) {
        Twiddle<F, R, true>(twiddles, cells);
        InverseButterfly<F, R>(cells);
      } else {
        ForwardButterfly<F, R>(cells);
        Twiddle<F, R, false>(twiddles, cells);
      }
      StoreCells<F, R>(cells, apart, at);
    }
  }
}

template <typename F, bool kInverse>
HWY_INLINE void AnyStep(F* data, size_t blocks, const FftStep<F>& step) {
  switch (step.radix) {
    case 3:
      return RunStep<F, 3, kInverse>(data, blocks, step.below, step.twiddles.data());
    case 4:
      return RunStep<F, 4, kInverse>(data, blocks, step.below, step.twiddles.data());
    default:
      return RunStep<F, 8, kInverse>(data, blocks, step.below, step.twiddles.data());
  }
}

/// All steps of a whole length. After a first step that leaves the first-level cache, each of its blocks is finished
/// before the next one starts.
template <typename F>
HWY_INLINE void ForwardSteps(F* data, const FftLength<F>& length) {
  const size_t last = length.steps.size();
  const size_t cell = 2 * hn::Lanes(FftTag<F>());
  const auto from = [&](size_t first, F* at, size_t cells) {
    size_t blocks = 1;
    for (size_t s = first; s < last; ++s) {
      const FftStep<F>& step = length.steps[s];
      blocks = cells / (static_cast<size_t>(step.radix) * step.below);
      AnyStep<F, false>(at, blocks, step);
    }
  };
  const size_t cells = static_cast<size_t>(length.size);
  if (cells * cell * sizeof(F) <= 32 * 1024) return from(0, data, cells);
  const FftStep<F>& top = length.steps[0];
  AnyStep<F, false>(data, 1, top);
  for (int j = 0; j < top.radix; ++j) from(1, data + static_cast<size_t>(j) * top.below * cell, top.below);
}

template <typename F>
HWY_INLINE void InverseSteps(F* data, const FftLength<F>& length) {
  const size_t last = length.steps.size();
  const size_t cell = 2 * hn::Lanes(FftTag<F>());
  const auto from = [&](size_t first, F* at, size_t cells) {
    for (size_t s = last; s-- > first;) {
      const FftStep<F>& step = length.steps[s];
      AnyStep<F, true>(at, cells / (static_cast<size_t>(step.radix) * step.below), step);
    }
  };
  const size_t cells = static_cast<size_t>(length.size);
  if (cells * cell * sizeof(F) <= 32 * 1024) return from(0, data, cells);
  const FftStep<F>& top = length.steps[0];
  for (int j = 0; j < top.radix; ++j) from(1, data + static_cast<size_t>(j) * top.below * cell, top.below);
  AnyStep<F, true>(data, 1, top);
}

/// The last step forward, the product with the spectrum, and the first step back, in registers. kLine: the spectrum has
/// one factor for all lanes of a cell, real part then imaginary; else a cell.
template <typename F, int R, bool kLine>
HWY_NOINLINE void MultiplyBlocks(F* HWY_RESTRICT data, size_t blocks, const F* HWY_RESTRICT spectrum) {
  const FftTag<F> d;
  const size_t lanes = hn::Lanes(d);
  const size_t cell = 2 * lanes;
  Cells<F, R> cells;
  for (size_t b = 0; b < blocks; ++b, data += R * cell, spectrum += R * (kLine ? 2 : cell)) {
    LoadCells<F, R>(data, cell, cells);
    ForwardButterfly<F, R>(cells);
#pragma GCC unroll 8
    for (int j = 0; j < R; ++j) {
      const F* HWY_RESTRICT const factor = spectrum + static_cast<size_t>(j) * (kLine ? 2 : cell);
      const FftVec<F> wr = kLine ? hn::Set(d, factor[0]) : hn::Load(d, factor);
      const FftVec<F> wi = kLine ? hn::Set(d, factor[1]) : hn::Load(d, factor + lanes);
      const FftVec<F> re = cells.re[j];
      cells.re[j] = hn::NegMulAdd(cells.im[j], wi, hn::Mul(re, wr));
      cells.im[j] = hn::MulAdd(re, wi, hn::Mul(cells.im[j], wr));
    }
    InverseButterfly<F, R>(cells);
    StoreCells<F, R>(cells, cell, data);
  }
}

/// A block of `cells` cells that step number `step` begins with: forward, times its part of the spectrum, and back. Of
/// a block that leaves the first-level cache, each part is finished before the next one starts.
template <typename F, bool kLine>
HWY_NOINLINE void FilterFrom(F* data, size_t cells, const FftLength<F>& length, size_t step, const F* spectrum) {
  const size_t cell = 2 * hn::Lanes(FftTag<F>());
  const size_t last = length.steps.size() - 1;
  if (step < last && cells * cell * sizeof(F) > 32 * 1024) {
    const FftStep<F>& top = length.steps[step];
    AnyStep<F, false>(data, 1, top);
    for (size_t j = 0; j < static_cast<size_t>(top.radix); ++j) {
      const size_t at = j * top.below;
      FilterFrom<F, kLine>(data + at * cell, top.below, length, step + 1, spectrum + at * (kLine ? 2 : cell));
    }
    AnyStep<F, true>(data, 1, top);
    return;
  }
  const auto blocks = [&](const FftStep<F>& one) { return cells / (static_cast<size_t>(one.radix) * one.below); };
  for (size_t s = step; s < last; ++s) AnyStep<F, false>(data, blocks(length.steps[s]), length.steps[s]);
  if (length.steps[last].radix == 4) {
    MultiplyBlocks<F, 4, kLine>(data, cells / 4, spectrum);
  } else {
    MultiplyBlocks<F, 8, kLine>(data, cells / 8, spectrum);
  }
  for (size_t s = last; s-- > step;) AnyStep<F, true>(data, blocks(length.steps[s]), length.steps[s]);
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
