// Flows between neighbouring pixels, a vector of pixels at a time, each channel in vectors of its own.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/diffusion_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "cpu/kernel_tables.h"
#include "cpu/pixels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

/// Numbers of a vector's pixels, one vector for each of C channels.
template <typename T, size_t C>
struct PixelVectors {
  // Written out: GCC makes the implicit one for the baseline of 64-bit Arm and not for this target.
  HWY_ATTR PixelVectors() {}
  Vec<T> channel[C];
};

template <typename T, size_t C>
HWY_INLINE PixelVectors<T, C> LoadPixels(const T* row) {
  const Tag<T> d;
  PixelVectors<T, C> pixels;
  if constexpr (C == 1) {
    pixels.channel[0] = hn::LoadU(d, row);
  } else if constexpr (C == 2) {
    hn::LoadInterleaved2(d, row, pixels.channel[0], pixels.channel[1]);
  } else if constexpr (C == 3) {
    hn::LoadInterleaved3(d, row, pixels.channel[0], pixels.channel[1], pixels.channel[2]);
  } else {
    hn::LoadInterleaved4(d, row, pixels.channel[0], pixels.channel[1], pixels.channel[2], pixels.channel[3]);
  }
  return pixels;
}

template <typename T, size_t C>
HWY_INLINE void StorePixels(const PixelVectors<T, C>& pixels, T* row) {
  const Tag<T> d;
  if constexpr (C == 1) {
    hn::StoreU(pixels.channel[0], d, row);
  } else if constexpr (C == 2) {
    hn::StoreInterleaved2(pixels.channel[0], pixels.channel[1], d, row);
  } else if constexpr (C == 3) {
    hn::StoreInterleaved3(pixels.channel[0], pixels.channel[1], pixels.channel[2], d, row);
  } else {
    hn::StoreInterleaved4(pixels.channel[0], pixels.channel[1], pixels.channel[2], pixels.channel[3], d, row);
  }
}

template <typename T>
HWY_INLINE Vec<T> Stopping(EdgeStopping stopping, Vec<T> ratio) {
  const Tag<T> d;
  if (stopping == EdgeStopping::kRational) return hn::Div(hn::Set(d, T{1}), hn::Add(hn::Set(d, T{1}), ratio));
  // So little flows beyond this that it counts as nothing: numbers below the smallest normal one are slow.
  const auto some = hn::Le(ratio, hn::Set(d, T{60}));
  const Vec<T> share = hn::IfThenElseZero(some, hn::Exp(d, hn::Neg(ratio)));
  // Highway's makes 0 of what is not a number.
  return hn::IfThenElse(hn::IsNaN(ratio), ratio, share);
}

template <typename T, size_t C>
HWY_INLINE void Flow(const Diffusion<T>& diffusion, const FlowJob<T>& job) {
  const Tag<T> d;
  Vec<T> scales[C];
  for (size_t c = 0; c < C; ++c) {
    scales[c] = hn::Set(d, c < diffusion.colours ? diffusion.per_colour : diffusion.per_alpha);
  }
  const bool all = diffusion.colours == C || diffusion.per_alpha != 0;
  for (size_t i = 0; i < job.pixels; i += hn::Lanes(d)) {
    const PixelVectors<T, C> from = LoadPixels<T, C>(job.from + i * C);
    PixelVectors<T, C> flow = LoadPixels<T, C>(job.to + i * C);
    Vec<T> ratio = hn::Zero(d);
#pragma GCC unroll 4
    for (size_t c = 0; c < C; ++c) {
      flow.channel[c] = hn::Sub(flow.channel[c], from.channel[c]);
      const Vec<T> scaled = hn::Mul(flow.channel[c], scales[c]);
      if (c + 1 < C || all) ratio = hn::MulAdd(scaled, scaled, ratio);
    }
    const Vec<T> share = Stopping<T>(diffusion.stopping, ratio);
#pragma GCC unroll 4
    for (size_t c = 0; c < C; ++c) flow.channel[c] = hn::Mul(flow.channel[c], share);
    StorePixels<T, C>(flow, job.flow + i * C);
  }
}

template <typename T>
void FlowOf(const Diffusion<T>& diffusion, const FlowJob<T>& job) {
  switch (diffusion.channels) {
    case 1:
      return Flow<T, 1>(diffusion, job);
    case 2:
      return Flow<T, 2>(diffusion, job);
    case 3:
      return Flow<T, 3>(diffusion, job);
    default:
      return Flow<T, 4>(diffusion, job);
  }
}

template <typename T>
void Move(const Diffusion<T>& diffusion, const MoveJob<T>& job) {
  const Tag<T> d;
  const Vec<T> rate = hn::Set(d, diffusion.rate);
  for (size_t i = 0; i < job.samples; i += hn::Lanes(d)) {
    const Vec<T> across = hn::Sub(hn::LoadU(d, job.right + i), hn::LoadU(d, job.left + i));
    const Vec<T> down = hn::Sub(hn::LoadU(d, job.down + i), hn::LoadU(d, job.up + i));
    hn::StoreU(hn::MulAdd(rate, hn::Add(down, across), hn::LoadU(d, job.pixel + i)), d, job.result + i);
  }
}

}  // namespace

template <typename T>
void FillDiffusion(Kernels<T>& kernels) {
  kernels.diffusion = {&FlowOf<T>, &Move<T>};
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillDiffusionKernels(int64_t target, Kernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillDiffusion<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillDiffusionKernels<float>(int64_t, Kernels<float>&);
template void FillDiffusionKernels<double>(int64_t, Kernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
