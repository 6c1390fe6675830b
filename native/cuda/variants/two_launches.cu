// A kernel that is a column times a row, as two one-dimensional ones: a launch sums along the rows into a picture of
// its own, a second sums that down the columns. Width plus height multiply-adds a pixel instead of width times height,
// for one more trip through memory. Both keep what they read in shared memory: a piece of a row, and a tile of columns.
// V. Podlozhnyuk, "Image Convolution with CUDA", NVIDIA, 2007.
#include <cmath>

#include "cuda/variants/pixels.cuh"
#include "engine/error.h"

namespace convolve::cuda {
namespace {

constexpr int kSide = 127;
constexpr int kLine = 128;  // pixels of a block of the row launch
constexpr int kTileWidth = 16;
constexpr int kTileHeight = 64;  // 16 threads down, four pixels each

template <int C>
__global__ void RowKernel(SourceParameters source, const float* weights, int taps, int anchor,
                          TargetParameters target) {
  __shared__ VariantPixel<C> line[kLine + kSide - 1];
  const int first = target.x0 + static_cast<int>(blockIdx.x) * kLine;
  const int y = target.y0 + static_cast<int>(blockIdx.y);
  for (int i = static_cast<int>(threadIdx.x); i < kLine + taps - 1; i += kLine) {
    line[i] = PixelAt<C>(source, first + i - anchor, y);
  }
  __syncthreads();
  VariantPixel<C> sum = {};
  for (int i = 0; i < taps; ++i) Add(weights[i], line[static_cast<int>(threadIdx.x) + i], &sum);
  const int x = first + static_cast<int>(threadIdx.x);
  if (x < target.x1) WritePixel<C>(target, x, y, sum.v);
}

template <int C>
__global__ void ColumnKernel(SourceParameters across, const float* weights, int taps, int anchor,
                             OutputParameters output) {
  __shared__ VariantPixel<C> tile[kTileHeight + kSide - 1][kTileWidth];
  const int x = output.target.x0 + static_cast<int>(blockIdx.x) * kTileWidth + static_cast<int>(threadIdx.x);
  const int first_y = output.target.y0 + static_cast<int>(blockIdx.y) * kTileHeight;
  for (int j = static_cast<int>(threadIdx.y); j < kTileHeight + taps - 1; j += static_cast<int>(blockDim.y)) {
    tile[j][threadIdx.x] = PixelAt<C>(across, x, first_y + j - anchor);
  }
  __syncthreads();
  for (int row = static_cast<int>(threadIdx.y); row < kTileHeight; row += static_cast<int>(blockDim.y)) {
    VariantPixel<C> sum = {};
    for (int j = 0; j < taps; ++j) Add(weights[j], tile[row + j][threadIdx.x], &sum);
    StoreSums(output, x, first_y + row, sum);
  }
}

/// The row, then the column, that the kernel is the product of. Found from the largest weight: its row, and its column
/// over it.
std::vector<float> Prepare(const DenseWeights& dense, double taken) {
  RequireSides("separable", dense, kSide);
  const auto at = [&](int j, int i) { return dense.weights[static_cast<size_t>(j) * dense.width + i]; };
  int largest_j = 0;
  int largest_i = 0;
  double sum = 0;
  for (int j = 0; j < dense.height; ++j) {
    for (int i = 0; i < dense.width; ++i) {
      sum += std::abs(at(j, i));
      if (std::abs(at(j, i)) > std::abs(at(largest_j, largest_i))) {
        largest_j = j;
        largest_i = i;
      }
    }
  }
  const double largest = at(largest_j, largest_i);
  std::vector<float> weights;
  for (int i = 0; i < dense.width; ++i) weights.push_back(static_cast<float>(at(largest_j, i) / taken));
  for (int j = 0; j < dense.height; ++j) {
    weights.push_back(largest == 0 ? 0.0f : static_cast<float>(at(j, largest_i) / largest));
  }
  constexpr double kExact = 1e-7;
  double error = 0;
  for (int j = 0; j < dense.height; ++j) {
    for (int i = 0; i < dense.width && largest != 0; ++i) {
      error += std::abs(at(j, i) - at(j, largest_i) / largest * at(largest_j, i));
    }
  }
  if (error > kExact * sum) {
    throw Error(ErrorCode::kUnsupported, "variant separable", "a kernel that is a column times a row",
                "another kernel");
  }
  return weights;
}

/// Rows of the intermediate picture: those that the columns of the wanted part read. Each is summed from the row that
/// the border leads to, so that the columns need no border.
void Launch(const VariantJob& job, int channels) {
  const DeviceKernel& kernel = job.kernel;
  const TargetParameters& target = job.output.target;
  const Region rows{target.x0, target.y0 - kernel.anchor_y, job.width(), job.height() + kernel.height - 1};
  const DevicePicture picture = job.device->AllocatePicture(SampleType::kF32, channels, rows, job.stream);
  VariantJob first = job;
  first.output.target = {picture.view.data,
                         static_cast<int>(picture.view.pitch),
                         rows.x,
                         rows.y,
                         rows.x,
                         rows.y,
                         rows.x + rows.width,
                         rows.y + rows.height,
                         SampleType::kF32,
                         false};
  ForBands(first, 1, [&](const VariantJob& band) {
    const dim3 blocks(Blocks(band.width(), kLine), static_cast<unsigned>(band.height()));
    WithChannels(channels, [&](auto c) {
      RowKernel<decltype(c)::value><<<blocks, kLine, 0, band.stream>>>(band.source, kernel.weights, kernel.width,
                                                                       kernel.anchor_x, band.output.target);
    });
  });
  SourceParameters across = job.source;
  across.data = picture.view.data;
  across.pitch = static_cast<int>(picture.view.pitch);
  across.left = rows.x;
  across.top = rows.y;
  across.columns = rows.width;
  across.rows = rows.height;
  across.type = SampleType::kF32;
  across.bordered = false;
  across.premultiply = false;
  ForBands(job, kTileHeight, [&](const VariantJob& band) {
    const dim3 block(kTileWidth, 16);
    const dim3 blocks(Blocks(band.width(), kTileWidth), Blocks(band.height(), kTileHeight));
    WithChannels(channels, [&](auto c) {
      ColumnKernel<decltype(c)::value><<<blocks, block, 0, band.stream>>>(across, kernel.weights + kernel.width,
                                                                          kernel.height, kernel.anchor_y, band.output);
    });
  });
}

}  // namespace

Variant TwoLaunches() {
  return {VariantName::kSeparable,
          "separable",
          "a launch along the rows, a launch down the columns",
          "V. Podlozhnyuk, Image Convolution with CUDA, NVIDIA, 2007",
          1e-5,
          false,
          Prepare,
          Launch};
}

}  // namespace convolve::cuda
