// The convolution as products of matrices, on tensor cores. Textbook im2col makes a matrix with a row of pixels for
// each result and multiplies it with the column of weights; with one kernel that second matrix has one column, and
// fifteen sixteenths of a tensor core would idle. So the results are taken 16 beside each other and the weights of each
// kernel row become a banded (Toeplitz) matrix: for results x ... x + 15 of rows y ... y + 15,
//   D (16 results x 16 rows) = sum over kernel rows j of  T_j (16 x (16 + width - 1)) * P_j ((16 + width - 1) x 16),
//   T_j[m][u] = weights[j][u - m],   P_j[u][n] = pixel(x + u - anchor, y + n + j - anchor),
// and P_j is nothing but the tile of pixels in shared memory, read from row j on: im2col without a copy. Of T_j only
// width / (16 + width - 1) is not zero: large kernels use the tensor cores better.
// Pixels and weights are rounded to TF32, 11 significant bits; products and sums are float32. Error: at most 2^-10 of
// the sum of |weight * pixel|, in practice a tenth of that; the engine itself never uses TF32. K. Chellapilla, S. Puri,
// P. Simard, "High Performance Convolutional Neural Networks for Document Processing", 2006 (im2col); NVIDIA, CUDA C++
// Programming Guide, "Warp Matrix Functions".
#include <mma.h>

#include "cuda/variants/pixels.cuh"
#include "engine/error.h"

namespace convolve::cuda {
namespace {

constexpr int kSide = 31;
constexpr int kSquare = 16;          // results of a warp, each way
constexpr int kBlock = 2 * kSquare;  // results of a block, each way: four warps
constexpr int kThreads = 128;
constexpr int kStep = 8;  // depth of one tensor product in TF32

/// Columns of T_j, a multiple of the depth.
__host__ __device__ constexpr int Depth(int width) { return (kSquare + width - 1 + kStep - 1) / kStep * kStep; }
/// Pixels of a row of the tile; the padding spreads rows over the banks.
__host__ __device__ constexpr int TilePitch(int width) { return kSquare + Depth(width) + 4; }
__host__ __device__ constexpr int TileFloats(int width, int height) { return (kBlock + height - 1) * TilePitch(width); }
/// Shared memory: a tile for each channel (afterwards the results), and T_j.
constexpr int SharedFloats(int channels, int width, int height) {
  const int tiles = channels * TileFloats(width, height);
  const int results = channels * kBlock * kBlock;
  return (tiles > results ? tiles : results) + kSquare * Depth(width);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <int C>
__device__ void Multiply(const SourceParameters& source, const OutputParameters& output, const DeviceKernel& kernel,
                         float* shared) {
  namespace wmma = nvcuda::wmma;
  const int thread = static_cast<int>(threadIdx.x);
  const int warp_x = thread / 32 % 2 * kSquare;
  const int warp_y = thread / 64 * kSquare;
  const int first_x = output.target.x0 + static_cast<int>(blockIdx.x) * kBlock;
  const int first_y = output.target.y0 + static_cast<int>(blockIdx.y) * kBlock;
  const int depth = Depth(kernel.width);
  const int pitch = TilePitch(kernel.width);
  const int tile = TileFloats(kernel.width, kernel.height);
  const int held = C * max(tile, kBlock * kBlock);
  float* const toeplitz = shared + held;

  for (int i = thread; i < tile; i += kThreads) {
    const int u = i % pitch;
    const VariantPixel<C> pixel =
        PixelAt<C>(source, first_x + u - kernel.anchor_x, first_y + i / pitch - kernel.anchor_y);
#pragma unroll
    for (int c = 0; c < C; ++c) shared[c * tile + i] = wmma::__float_to_tf32(pixel.v[c]);
  }
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sums[C];
#pragma unroll
  for (int c = 0; c < C; ++c) wmma::fill_fragment(sums[c], 0.0f);
  for (int j = 0; j < kernel.height; ++j) {
    __syncthreads();  // the tile is there; nobody reads the matrix before any more
    for (int i = thread; i < kSquare * depth; i += kThreads) {
      const int tap = i % depth - i / depth;
      const bool inside = tap >= 0 && tap < kernel.width;
      toeplitz[i] = inside ? wmma::__float_to_tf32(kernel.weights[j * kernel.width + tap]) : 0.0f;
    }
    __syncthreads();
    for (int u = 0; u < depth; u += kStep) {
      wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> weights;
      wmma::load_matrix_sync(weights, toeplitz + u, static_cast<unsigned>(depth));
#pragma unroll
      for (int c = 0; c < C; ++c) {
        wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> pixels;
        wmma::load_matrix_sync(pixels, shared + c * tile + (warp_y + j) * pitch + warp_x + u,
                               static_cast<unsigned>(pitch));
        wmma::mma_sync(sums[c], weights, pixels, sums[c]);
      }
    }
  }
  __syncthreads();  // the results take the tile's place
#pragma unroll
  for (int c = 0; c < C; ++c) {
    // Column n of the product is row n of the results.
    wmma::store_matrix_sync(shared + c * kBlock * kBlock + warp_y * kBlock + warp_x, sums[c], kBlock,
                            wmma::mem_col_major);
  }
  __syncthreads();
  for (int i = thread; i < kBlock * kBlock; i += kThreads) {
    VariantPixel<C> pixel;
#pragma unroll
    for (int c = 0; c < C; ++c) pixel.v[c] = shared[c * kBlock * kBlock + i];
    StoreSums(output, first_x + i % kBlock, first_y + i / kBlock, pixel);
  }
}
#endif

template <int C>
__global__ void TensorKernel(SourceParameters source, OutputParameters output, DeviceKernel kernel) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  extern __shared__ float4 tensor_memory[];
  Multiply<C>(source, output, kernel, reinterpret_cast<float*>(tensor_memory));
#endif
}

std::vector<float> Prepare(const DenseWeights& dense, double taken) {
  RequireSides("tensor", dense, kSide);
  return PlainWeights(dense, taken);
}

template <int C>
void LaunchAs(const VariantJob& job) {
  // The code of older devices does nothing: they have no TF32.
  cudaFuncAttributes attributes;
  Check(cudaFuncGetAttributes(&attributes, TensorKernel<C>), "tensor");
  constexpr int kAmpere = 80;
  if (attributes.ptxVersion < kAmpere) {
    throw Error(ErrorCode::kUnsupported, "variant tensor", "a build and a device of compute capability 8.0 or later",
                std::to_string(attributes.ptxVersion / 10) + "." + std::to_string(attributes.ptxVersion % 10));
  }
  const int bytes = SharedFloats(C, job.kernel.width, job.kernel.height) * static_cast<int>(sizeof(float));
  if (bytes > job.device->traits().block_shared_bytes) {
    throw Error(ErrorCode::kUnsupported, "variant tensor", "a kernel that fits the device's shared memory",
                std::to_string(job.kernel.width) + " x " + std::to_string(job.kernel.height));
  }
  Check(cudaFuncSetAttribute(TensorKernel<C>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "tensor");
  ForBands(job, kBlock, [&](const VariantJob& band) {
    const dim3 blocks(Blocks(band.width(), kBlock), Blocks(band.height(), kBlock));
    TensorKernel<C><<<blocks, kThreads, bytes, band.stream>>>(band.source, band.output, band.kernel);
  });
}

void Launch(const VariantJob& job, int channels) {
  WithChannels(channels, [&](auto c) { LaunchAs<decltype(c)::value>(job); });
}

}  // namespace

Variant TensorCores() {
  return {VariantName::kTensor,
          "tensor",
          "kernel rows as banded matrices times the tile of pixels, on tensor cores in TF32",
          "K. Chellapilla, S. Puri, P. Simard, High Performance Convolutional Neural Networks for Document Processing, "
          "2006",
          1e-3,
          false,
          Prepare,
          Launch};
}

}  // namespace convolve::cuda
