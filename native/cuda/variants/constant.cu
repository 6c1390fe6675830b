// naive2d with the weights in constant memory. All threads of a warp read the same weight at the same time, and that is
// what constant memory is for: one read serves the warp, from a cache of its own, and pixels alone use the others.
// D. B. Kirk, W. W. Hwu, "Programming Massively Parallel Processors", chapter "Convolution": constant memory and
// caching.
#include "cuda/variants/pixels.cuh"
#include "cuda/variants/turn.h"

namespace convolve::cuda {
namespace {

/// Constant memory has 64 KiB: 127 x 127 weights.
constexpr int kSide = 127;
__constant__ float constant_weights[kSide * kSide];

template <int C>
__global__ void ConstantKernel(SourceParameters source, OutputParameters output, DeviceKernel kernel) {
  const int x = output.target.x0 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = output.target.y0 + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= output.target.x1 || y >= output.target.y1) return;
  VariantPixel<C> sum = {};
  for (int j = 0; j < kernel.height; ++j) {
    for (int i = 0; i < kernel.width; ++i) {
      Add(constant_weights[j * kernel.width + i], PixelAt<C>(source, x + i - kernel.anchor_x, y + j - kernel.anchor_y),
          &sum);
    }
  }
  StoreSums(output, x, y, sum);
}

std::vector<float> Prepare(const DenseWeights& dense, double taken) {
  RequireSides("constant", dense, kSide);
  return PlainWeights(dense, taken);
}

void Launch(const VariantJob& job, int channels) {
  static Turn turn;
  const dim3 block(16, 16);
  turn.Take(job.device->traits().index, job.stream, [&] {
    const size_t bytes = sizeof(float) * static_cast<size_t>(job.kernel.width) * static_cast<size_t>(job.kernel.height);
    Check(cudaMemcpyToSymbolAsync(constant_weights, job.kernel.weights, bytes, 0, cudaMemcpyDeviceToDevice, job.stream),
          "constant weights");
    ForBands(job, 16, [&](const VariantJob& band) {
      const dim3 blocks(Blocks(band.width(), 16), Blocks(band.height(), 16));
      WithChannels(channels, [&](auto c) {
        ConstantKernel<decltype(c)::value><<<blocks, block, 0, band.stream>>>(band.source, band.output, band.kernel);
      });
    });
  });
}

}  // namespace

Variant ConstantMemory() {
  return {VariantName::kConstant,
          "constant",
          "naive2d with the weights in constant memory",
          "D. B. Kirk, W. W. Hwu, Programming Massively Parallel Processors, chapter Convolution: constant memory",
          1e-5,
          false,
          Prepare,
          Launch};
}

}  // namespace convolve::cuda
