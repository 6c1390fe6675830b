// A block first copies the pixels that it needs into shared memory, then sums from there: each pixel is read from
// global memory once for the block, not once for each cell of the kernel. The pixels around the block's own, the halo,
// are read by two or more blocks. shared1d keeps a piece of one row and goes through the kernel's rows; shared2d keeps
// a tile with a halo on all sides, the textbook's tiled convolution. The loader resolves the border, so that the sums
// need no test. D. B. Kirk, W. W. Hwu, "Programming Massively Parallel Processors", chapter "Convolution": tiled
// convolution with halo.
#include "cuda/variants/pixels.cuh"

namespace convolve::cuda {
namespace {

/// Halos of this kernel fit 48 KiB with four channels.
constexpr int kSide = 31;
constexpr int kLine = 256;      // pixels of a shared1d block
constexpr int kTileWidth = 32;  // pixels of a shared2d block
constexpr int kTileHeight = 8;

template <int C>
__global__ void Shared1dKernel(SourceParameters source, OutputParameters output, DeviceKernel kernel) {
  __shared__ VariantPixel<C> line[kLine + kSide - 1];
  const int first = output.target.x0 + static_cast<int>(blockIdx.x) * kLine;
  const int x = first + static_cast<int>(threadIdx.x);
  const int y = output.target.y0 + static_cast<int>(blockIdx.y);
  VariantPixel<C> sum = {};
  for (int j = 0; j < kernel.height; ++j) {
    __syncthreads();  // nobody reads the line before any more
    for (int i = static_cast<int>(threadIdx.x); i < kLine + kernel.width - 1; i += kLine) {
      line[i] = PixelAt<C>(source, first + i - kernel.anchor_x, y + j - kernel.anchor_y);
    }
    __syncthreads();
    for (int i = 0; i < kernel.width; ++i) {
      Add(kernel.weights[j * kernel.width + i], line[static_cast<int>(threadIdx.x) + i], &sum);
    }
  }
  StoreSums(output, x, y, sum);
}

template <int C>
__global__ void Shared2dKernel(SourceParameters source, OutputParameters output, DeviceKernel kernel) {
  __shared__ VariantPixel<C> tile[kTileHeight + kSide - 1][kTileWidth + kSide - 1];
  const int first_x = output.target.x0 + static_cast<int>(blockIdx.x) * kTileWidth;
  const int first_y = output.target.y0 + static_cast<int>(blockIdx.y) * kTileHeight;
  const int thread_x = static_cast<int>(threadIdx.x);
  const int thread_y = static_cast<int>(threadIdx.y);
  for (int j = thread_y; j < kTileHeight + kernel.height - 1; j += kTileHeight) {
    for (int i = thread_x; i < kTileWidth + kernel.width - 1; i += kTileWidth) {
      tile[j][i] = PixelAt<C>(source, first_x + i - kernel.anchor_x, first_y + j - kernel.anchor_y);
    }
  }
  __syncthreads();
  VariantPixel<C> sum = {};
  for (int j = 0; j < kernel.height; ++j) {
    for (int i = 0; i < kernel.width; ++i) {
      Add(kernel.weights[j * kernel.width + i], tile[thread_y + j][thread_x + i], &sum);
    }
  }
  StoreSums(output, first_x + thread_x, first_y + thread_y, sum);
}

std::vector<float> Prepare1d(const DenseWeights& dense, double taken) {
  RequireSides("shared1d", dense, kSide);
  return PlainWeights(dense, taken);
}

std::vector<float> Prepare2d(const DenseWeights& dense, double taken) {
  RequireSides("shared2d", dense, kSide);
  return PlainWeights(dense, taken);
}

void Launch1d(const VariantJob& job, int channels) {
  ForBands(job, 1, [&](const VariantJob& band) {
    const dim3 blocks(Blocks(band.width(), kLine), static_cast<unsigned>(band.height()));
    WithChannels(channels, [&](auto c) {
      Shared1dKernel<decltype(c)::value><<<blocks, kLine, 0, band.stream>>>(band.source, band.output, band.kernel);
    });
  });
}

void Launch2d(const VariantJob& job, int channels) {
  const dim3 block(kTileWidth, kTileHeight);
  ForBands(job, kTileHeight, [&](const VariantJob& band) {
    const dim3 blocks(Blocks(band.width(), kTileWidth), Blocks(band.height(), kTileHeight));
    WithChannels(channels, [&](auto c) {
      Shared2dKernel<decltype(c)::value><<<blocks, block, 0, band.stream>>>(band.source, band.output, band.kernel);
    });
  });
}

constexpr const char* kOrigin =
    "D. B. Kirk, W. W. Hwu, Programming Massively Parallel Processors, chapter Convolution: tiles with halo";

}  // namespace

Variant Shared1d() {
  return {VariantName::kShared1d,
          "shared1d",
          "a piece of a row with its halo in shared memory",
          kOrigin,
          1e-5,
          false,
          Prepare1d,
          Launch1d};
}

Variant Shared2d() {
  return {VariantName::kShared2d,
          "shared2d",
          "a tile with its halo in shared memory",
          kOrigin,
          1e-5,
          false,
          Prepare2d,
          Launch2d};
}

}  // namespace convolve::cuda
