// Winograd's minimal filtering F(2 x 2, 3 x 3): four neighbouring results of a 3 x 3 kernel from 16 multiplications
// instead of 36. Pixels d (4 x 4) and weights g go to another basis, are multiplied there one by one, and come back:
//   Y = A' [ (G g G') * (B' d B) ] A
//        | 1  0 -1  0 |        | 1    0   0  |
//   B' = | 0  1  1  0 |    G = | 1/2  1/2 1/2|    A' = | 1  1  1  0 |
//        | 0 -1  1  0 |        | 1/2 -1/2 1/2|         | 0  1 -1 -1 |
//        | 0  1  0 -1 |        | 0    0   1  |
// Neural networks gain from it because the ways there and back are shared by hundreds of channels. Here every channel
// is its own picture: 16 multiplications and 56 additions stand against 36 multiply-adds, each of which costs what an
// addition does.
// A. Lavin, S. Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016; S. Winograd, "Arithmetic
// Complexity of Computations", SIAM, 1980.
#include <string>

#include "cuda/variants/pixels.cuh"
#include "engine/error.h"

namespace convolve::cuda {
namespace {

/// B' d for one column of d; with rows and columns exchanged, d B for one row.
__device__ __forceinline__ void ToBasis(const float (&d)[4], float (&to)[4]) {
  to[0] = d[0] - d[2];
  to[1] = d[1] + d[2];
  to[2] = d[2] - d[1];
  to[3] = d[1] - d[3];
}

/// A' m for one column of m, likewise.
__device__ __forceinline__ void FromBasis(const float (&m)[4], float (&to)[2]) {
  to[0] = m[0] + m[1] + m[2];
  to[1] = m[1] - m[2] - m[3];
}

/// One channel: the 4 x 4 values around a square of 2 x 2 results, and the transformed weights.
__device__ __forceinline__ void FourResults(const float (&d)[4][4], const float* weights, float (&results)[2][2]) {
  float half[4][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float column[4] = {d[0][i], d[1][i], d[2][i], d[3][i]};
    float to[4];
    ToBasis(column, to);
#pragma unroll
    for (int j = 0; j < 4; ++j) half[j][i] = to[j];
  }
  float back[4][2];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    float row[4];
    ToBasis(half[j], row);
#pragma unroll
    for (int i = 0; i < 4; ++i) row[i] *= weights[j * 4 + i];
    FromBasis(row, back[j]);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float column[4] = {back[0][i], back[1][i], back[2][i], back[3][i]};
    float to[2];
    FromBasis(column, to);
    results[0][i] = to[0];
    results[1][i] = to[1];
  }
}

template <int C>
__global__ void WinogradKernel(SourceParameters source, OutputParameters output, DeviceKernel kernel) {
  const int x = output.target.x0 + 2 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = output.target.y0 + 2 * static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= output.target.x1 || y >= output.target.y1) return;
  float d[C][4][4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const VariantPixel<C> pixel = PixelAt<C>(source, x + i - kernel.anchor_x, y + j - kernel.anchor_y);
#pragma unroll
      for (int c = 0; c < C; ++c) d[c][j][i] = pixel.v[c];
    }
  }
  VariantPixel<C> sums[2][2];
#pragma unroll
  for (int c = 0; c < C; ++c) {
    float results[2][2];
    FourResults(d[c], kernel.weights, results);
#pragma unroll
    for (int j = 0; j < 2; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) sums[j][i].v[c] = results[j][i];
    }
  }
#pragma unroll
  for (int j = 0; j < 2; ++j) {
#pragma unroll
    for (int i = 0; i < 2; ++i) StoreSums(output, x + i, y + j, sums[j][i]);
  }
}

/// G g G', 4 x 4, row-major.
std::vector<float> Prepare(const DenseWeights& dense, double taken) {
  if (dense.width != 3 || dense.height != 3) {
    throw Error(ErrorCode::kUnsupported, "variant winograd", "a kernel of 3 x 3 cells",
                std::to_string(dense.width) + " x " + std::to_string(dense.height));
  }
  constexpr double kG[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  std::vector<float> weights;
  for (const auto& row : kG) {
    for (const auto& column : kG) {
      double weight = 0;
      for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) weight += row[j] * dense.weights[static_cast<size_t>(3 * j + i)] * column[i];
      }
      weights.push_back(static_cast<float>(weight / taken));
    }
  }
  return weights;
}

void Launch(const VariantJob& job, int channels) {
  const dim3 block(32, 4);
  ForBands(job, 8, [&](const VariantJob& band) {
    const dim3 blocks(Blocks(band.width(), 64), Blocks(band.height(), 8));
    WithChannels(channels, [&](auto c) {
      WinogradKernel<decltype(c)::value><<<blocks, block, 0, band.stream>>>(band.source, band.output, band.kernel);
    });
  });
}

}  // namespace

Variant Winograd() {
  return {VariantName::kWinograd,
          "winograd",
          "F(2 x 2, 3 x 3): 16 multiplications for four results instead of 36",
          "A. Lavin, S. Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016",
          1e-5,
          false,
          Prepare,
          Launch};
}

}  // namespace convolve::cuda
