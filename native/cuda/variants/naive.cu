// The definition, a thread for each pixel of the result: for all cells of the kernel, weight times pixel. Every pixel
// is read from global memory as often as the kernel has cells; the caches catch most of it. In two layouts of threads:
// naive1d counts all pixels in one long row of blocks and finds x and y by a division; naive2d lays blocks over the
// picture like tiles, so that a warp reads 16-pixel pieces of two rows and neighbours share what the caches hold.
// D. B. Kirk, W. W. Hwu, "Programming Massively Parallel Processors", chapter "Convolution": the basic kernel.
#include "cuda/variants/pixels.cuh"

namespace convolve::cuda {
namespace {

template <int C>
__device__ VariantPixel<C> SumAround(const SourceParameters& source, const DeviceKernel& kernel, int x, int y) {
  VariantPixel<C> sum = {};
  for (int j = 0; j < kernel.height; ++j) {
    for (int i = 0; i < kernel.width; ++i) {
      const float weight = kernel.weights[j * kernel.width + i];
      Add(weight, PixelAt<C>(source, x + i - kernel.anchor_x, y + j - kernel.anchor_y), &sum);
    }
  }
  return sum;
}

template <int C>
__global__ void Naive1dKernel(SourceParameters source, OutputParameters output, DeviceKernel kernel) {
  const TargetParameters& target = output.target;
  const int width = target.x1 - target.x0;
  const int64_t pixel = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int x = target.x0 + static_cast<int>(pixel % width);
  const int y = target.y0 + static_cast<int>(pixel / width);
  if (y >= target.y1) return;
  StoreSums(output, x, y, SumAround<C>(source, kernel, x, y));
}

template <int C>
__global__ void Naive2dKernel(SourceParameters source, OutputParameters output, DeviceKernel kernel) {
  const int x = output.target.x0 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = output.target.y0 + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= output.target.x1 || y >= output.target.y1) return;
  StoreSums(output, x, y, SumAround<C>(source, kernel, x, y));
}

void Launch1d(const VariantJob& job, int channels) {
  constexpr int kThreads = 256;
  const int64_t pixels = int64_t{job.width()} * job.height();
  const auto blocks = static_cast<unsigned>((pixels + kThreads - 1) / kThreads);
  job.between();
  WithChannels(channels, [&](auto c) {
    Naive1dKernel<decltype(c)::value><<<blocks, kThreads, 0, job.stream>>>(job.source, job.output, job.kernel);
  });
  Check(cudaGetLastError(), "variant");
}

void Launch2d(const VariantJob& job, int channels) {
  const dim3 block(16, 16);
  ForBands(job, 16, [&](const VariantJob& band) {
    const dim3 blocks(Blocks(band.width(), 16), Blocks(band.height(), 16));
    WithChannels(channels, [&](auto c) {
      Naive2dKernel<decltype(c)::value><<<blocks, block, 0, band.stream>>>(band.source, band.output, band.kernel);
    });
  });
}

constexpr const char* kOrigin =
    "D. B. Kirk, W. W. Hwu, Programming Massively Parallel Processors, chapter Convolution: basic kernel";

}  // namespace

Variant Naive1d() {
  return {VariantName::kNaive1d, "naive1d", "a thread for each pixel, counted in one row", kOrigin, 1e-5, false,
          PlainWeights,          Launch1d};
}

Variant Naive2d() {
  return {
      VariantName::kNaive2d, "naive2d", "a thread for each pixel, blocks laid over the picture", kOrigin, 1e-5, false,
      PlainWeights,          Launch2d};
}

}  // namespace convolve::cuda
