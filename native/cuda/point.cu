// Pixels one by one: a thread a pixel.
#include "cuda/point.h"

#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/light.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kThreadsX = 64;
constexpr int kThreadsY = 4;

template <int C>
__global__ void __launch_bounds__(kThreadsX* kThreadsY) PointKernel(const __grid_constant__ PointJob job) {
  const int x = job.target.x0 + static_cast<int>(blockIdx.x) * kThreadsX + static_cast<int>(threadIdx.x);
  if (x >= job.target.x1) return;
  const int colours = job.alpha ? C - 1 : C;
  for (int y = job.target.y0 + static_cast<int>(blockIdx.y) * kThreadsY + static_cast<int>(threadIdx.y);
       y < job.target.y1; y += static_cast<int>(gridDim.y) * kThreadsY) {
    float value[C];
    LoadOwn<C>(job.source, x, y, value);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      if (c >= colours) continue;
      if (job.light == PointLight::kDecode) value[c] = Linear(job.curve, value[c] / job.full_scale) * job.full_scale;
      if (job.light == PointLight::kEncode) value[c] = Encoded(job.curve, value[c] / job.full_scale) * job.full_scale;
    }
    FinishSamples<C, C>(job.finish, value, nullptr);
    WritePixel<C>(job.target, x, y, value);
  }
}

template <int C>
void Launch(const PointJob& job, cudaStream_t stream) {
  const int rows = (job.target.y1 - job.target.y0 + kThreadsY - 1) / kThreadsY;
  const dim3 grid((job.target.x1 - job.target.x0 + kThreadsX - 1) / kThreadsX, rows < 65535 ? rows : 65535);
  PointKernel<C><<<grid, dim3(kThreadsX, kThreadsY), 0, stream>>>(job);
  Check(cudaGetLastError(), "point");
}

}  // namespace

PointCurve PointCurveOf(const ToneCurve& curve, const double* samples) {
  if (curve.parameters() == nullptr) return {0, 0, 0, 0, 0, 0, 0, 0, samples, static_cast<int>(curve.samples().size())};
  const CurveParameters& p = *curve.parameters();
  const auto single = [](double value) { return static_cast<float>(value); };
  return {single(p.gamma),  single(p.scale),
          single(p.offset), single(p.slope),
          single(p.knee),   single(p.above),
          single(p.below),  single(p.slope * p.knee + p.below),
          nullptr,          0};
}

void LaunchPoint(const PointJob& job, int channels, cudaStream_t stream) {
  WithChannels(channels, [&](auto c) { Launch<c()>(job, stream); });
}

}  // namespace convolve::cuda
