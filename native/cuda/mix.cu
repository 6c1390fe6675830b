// The mix: a thread a pixel. What reference/mix.cpp does, in float32.
#include "cuda/mix.h"

#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/light.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kThreadsX = 64;
constexpr int kThreadsY = 4;

/// `full`: what stands for 1, here and below.
__device__ float Screen(float b, float s, float full) { return b + s - b * s / full; }

/// In shares of full scale.
__device__ float SoftLight(float b, float s) {
  if (s <= 0.5f) return b - (1 - 2 * s) * b * (1 - b);
  const float d = b <= 0.25f ? ((16 * b - 12) * b + 4) * b : sqrtf(b);
  return b + (2 * s - 1) * (d - b);
}

/// Separable modes: `b` below, `s` on top.
__device__ float Blended(const MixParameters& mix, float b, float s) {
  const float full = mix.full_scale;
  switch (mix.blend) {
    case BlendMode::kNormal:
    case BlendMode::kLuminosity:
      return s;
    case BlendMode::kMultiply:
      return b * s / full;
    case BlendMode::kScreen:
      return Screen(b, s, full);
    case BlendMode::kOverlay:
      return b <= full / 2 ? 2 * b * s / full : Screen(s, 2 * b - full, full);
    case BlendMode::kSoftLight:
      return SoftLight(b / full, s / full) * full;
    // Comparisons that leave what is not a number where it is, as those of the reference.
    case BlendMode::kLighten:
      return b < s ? s : b;
    case BlendMode::kDarken:
      return s < b ? s : b;
    case BlendMode::kDifference:
      return fabsf(b - s);
    case BlendMode::kAddition:
      return mix.cut && full < b + s ? full : b + s;
  }
  return s;
}

__device__ float Lum(const float* c) { return 0.3f * c[0] + 0.59f * c[1] + 0.11f * c[2]; }

/// The colour `b` with the luminance of `s`, in the place of `s`.
__device__ void SetLuminance(const MixParameters& mix, const float* b, float* s) {
  const float full = mix.full_scale;
  float luminance = Lum(s);
  if (mix.cut) luminance = luminance < 0 ? 0 : (full < luminance ? full : luminance);
  const float move = luminance - Lum(b);
  for (int c = 0; c < 3; ++c) s[c] = b[c] + move;
  if (!mix.cut) return;
  const float l = Lum(s);
  const float least = fminf(fminf(s[0], s[1]), s[2]);
  const float most = fmaxf(fmaxf(s[0], s[1]), s[2]);
  // A grey that rounding alone has put beyond the range has no chroma to divide by.
  for (int c = 0; c < 3; ++c) {
    if (least < 0) s[c] = l > least ? l + (s[c] - l) * l / (l - least) : 0;
    if (most > full) s[c] = most > l ? l + (s[c] - l) * (full - l) / (most - l) : full;
  }
}

__device__ float InRange(const FinishParameters& f, float v) {
  if (f.steps & kStepAbsolute) v = fabsf(v);
  if (f.steps & kStepStretch) v = __fmaf_rn(v, f.stretch, f.shift);
  if (f.steps & kStepFlat) v = 0;
  return f.steps & kStepBound ? Bounded(v, 0, f.full_scale) : v;
}

/// The filtered pixel in its range, with the channels of `below` from which it differed too little before that.
template <int C>
__device__ void KeepBelow(const MixJob& job, const float* below, float* filtered) {
  const MixParameters& mix = job.mix;
  const bool hidden = mix.weighted && fabsf(below[C - 1]) < mix.transparent;
#pragma unroll
  for (int c = 0; c < C; ++c) {
    const bool is_alpha = job.alpha && c == C - 1;
    const bool kept = fabsf(filtered[c] - below[c]) < mix.threshold && (is_alpha || !hidden);
    if (!is_alpha) {
      filtered[c] = InRange(job.range, filtered[c]);
    } else if (job.range.steps & kStepBoundAlpha) {
      filtered[c] = Bounded(filtered[c], 0, mix.full_scale);
    }
    if (kept) filtered[c] = below[c];
  }
}

/// `below` mixed with `filtered`, both in the pass's light, into `mixed`. `amount` is not 0.
template <int C>
__device__ void Mixed(const MixJob& job, float amount, const float* below, const float* filtered, float* mixed) {
  const MixParameters& mix = job.mix;
  const int colours = job.alpha ? C - 1 : C;
  const bool luminance = colours == 3 && (mix.blend == BlendMode::kLuminosity || mix.channels.luminance);
  float blended[C];
#pragma unroll
  for (int c = 0; c < C; ++c) blended[c] = Blended(mix, below[c], filtered[c]);
  if constexpr (C >= 3) {
    if (luminance) SetLuminance(mix, below, blended);
  }
  const bool replaced = amount == 1 && mix.blend == BlendMode::kNormal && !luminance;
  const float own = job.alpha ? below[C - 1] : mix.full_scale;
  const float other = job.alpha ? filtered[C - 1] : mix.full_scale;
  const float alpha = own + (other - own) * amount;
  const bool changes[] = {colours == 1 || mix.channels.red, mix.channels.green, mix.channels.blue, true};
#pragma unroll
  for (int c = 0; c < C; ++c) {
    mixed[c] = below[c];
    if (c >= colours || !changes[c]) continue;
    if (replaced) {
      mixed[c] = filtered[c];
    } else if (!mix.weighted) {
      mixed[c] = below[c] + (blended[c] - below[c]) * amount;
    } else if (fabsf(alpha) < mix.transparent) {
      mixed[c] = 0;
    } else if (fabsf(own) < mix.transparent) {
      mixed[c] = filtered[c];
    } else {
      const float there = own / mix.full_scale;
      const float seen = (1 - there) * filtered[c] + there * blended[c];
      mixed[c] = below[c] + (seen - below[c]) * (other * amount / alpha);
    }
  }
  if (job.alpha && mix.channels.alpha) mixed[C - 1] = replaced ? other : alpha;
}

template <int C>
__global__ void __launch_bounds__(kThreadsX* kThreadsY) MixKernel(const __grid_constant__ MixJob job) {
  const int x = job.target.x0 + static_cast<int>(blockIdx.x) * kThreadsX + static_cast<int>(threadIdx.x);
  if (x >= job.target.x1) return;
  const MixParameters& mix = job.mix;
  const int colours = job.alpha ? C - 1 : C;
  for (int y = job.target.y0 + static_cast<int>(blockIdx.y) * kThreadsY + static_cast<int>(threadIdx.y);
       y < job.target.y1; y += static_cast<int>(gridDim.y) * kThreadsY) {
    float value[C];
    LoadOwn<C>(job.input, x + job.input_x, y + job.input_y, value);
    if (mix.input_factor != 1) {
#pragma unroll
      for (int c = 0; c < C; ++c) value[c] *= mix.input_factor;
    }
    float amount = mix.opacity;
    if (job.mask.data != nullptr) {
      float share = 0;
      LoadOwn<1>(job.mask, x + job.input_x, y + job.input_y, &share);
      amount = amount * share / 65535;
    }
    // Else the pixel of the input stays as it is stored.
    if (amount != 0) {
      float filtered[C];
      LoadOwn<C>(job.filtered, x, y, filtered);
      float below[C];
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const bool decoded = job.linear && c < colours;
        below[c] = decoded ? Linear(job.curve, value[c] / mix.full_scale) * mix.full_scale : value[c];
      }
      if (mix.threshold > 0) KeepBelow<C>(job, below, filtered);
      Mixed<C>(job, amount, below, filtered, value);
#pragma unroll
      for (int c = 0; c < C; ++c) {
        if (job.linear && c < colours) value[c] = Encoded(job.curve, value[c] / mix.full_scale) * mix.full_scale;
      }
    }
    FinishSamples<C, C>(job.finish, value, nullptr);
    WritePixel<C>(job.target, x, y, value);
  }
}

template <int C>
void Launch(const MixJob& job, cudaStream_t stream) {
  const int rows = (job.target.y1 - job.target.y0 + kThreadsY - 1) / kThreadsY;
  const dim3 grid((job.target.x1 - job.target.x0 + kThreadsX - 1) / kThreadsX, rows < 65535 ? rows : 65535);
  MixKernel<C><<<grid, dim3(kThreadsX, kThreadsY), 0, stream>>>(job);
  Check(cudaGetLastError(), "mix");
}

}  // namespace

void LaunchMix(const MixJob& job, int channels, cudaStream_t stream) {
  WithChannels(channels, [&](auto c) { Launch<c()>(job, stream); });
}

}  // namespace convolve::cuda
