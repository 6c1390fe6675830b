// Pixels of bytes for the matrix units: a rectangle in shared memory, a plane for each of the four channels, one after
// the other; quad i of a plane lies at word i.
#pragma once

#include "cuda/border.cuh"
#include "cuda/samples.cuh"

namespace convolve::cuda {

/// Adds the products of 16 × 32 weights and 32 × 8 bytes, of which each thread of a warp holds its share. Before
/// compute capability 8.0 there are no such instructions; MatrixRuns() says so, and nothing starts the kernels.
__device__ __forceinline__ void MultiplyBytes(const uint4& weights, uint32_t low, uint32_t high, int (&sums)[4]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(weights.x), "r"(weights.y), "r"(weights.z), "r"(weights.w), "r"(low), "r"(high));
#else
  sums[0] += static_cast<int>(weights.x + low + high);
#endif
}

// Before compute capability 8.0 there is no such instruction; MatrixRuns() says so, and nothing starts the kernel.
__device__ __forceinline__ void LoadBytes(const uint8_t* row, uint32_t (&to)[4]) {
#if __CUDA_ARCH__ >= 800
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
#else
  to[0] = to[1] = to[2] = to[3] = *row;
#endif
}

/// Four pixels from (x, y) on, with borders; y as a row of the buffer, or -1.
__device__ __noinline__ inline uint4 EdgePixels(const SourceParameters& source, int x, int row) {
  uint32_t pixels[4];
  for (int i = 0; i < 4; ++i) {
    const int mapped = MapPosition(source.border, x + i, source.width);
    const int column = min(max(mapped - source.left, 0), source.columns - 1);
    if (row < 0 || mapped < 0) {
      pixels[i] = PackBytes(source.outside);
    } else {
      pixels[i] = reinterpret_cast<const uint32_t*>(static_cast<const char*>(source.data) +
                                                    int64_t{row} * source.pitch)[column];
    }
  }
  return make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]);
}

/// Four pixels into the four planes.
__device__ __forceinline__ void PutPixels(const uint4& p, uint32_t* to, int plane) {
  const uint32_t a = __byte_perm(p.x, p.y, 0x5140);
  const uint32_t b = __byte_perm(p.z, p.w, 0x5140);
  const uint32_t c = __byte_perm(p.x, p.y, 0x7362);
  const uint32_t d = __byte_perm(p.z, p.w, 0x7362);
  to[0] = __byte_perm(a, b, 0x5410);
  to[plane] = __byte_perm(a, b, 0x7632);
  to[2 * plane] = __byte_perm(c, d, 0x5410);
  to[3 * plane] = __byte_perm(c, d, 0x7632);
}

/// Fills rows of the four planes, kPitch pixels each, from picture position (x, y) on; x lies a multiple of four pixels
/// from the buffer's first.
template <int kPitch, int kThreads>
__device__ __forceinline__ void FillPlanes(const SourceParameters& source, int x, int y, int rows, uint8_t* planes) {
  static_assert(kPitch / 16 % 2 == 1);  // against bank conflicts
  constexpr int kQuads = kPitch / 4;
  constexpr int kBatch = 5;  // loads before the first is used
  const int count = rows * kQuads;
  const int plane = rows * kPitch / 4;  // words
  auto* const words = reinterpret_cast<uint32_t*>(planes);
  const bool inside = x >= source.left && x + kPitch <= source.left + source.columns && y >= source.top &&
                      y + rows <= source.top + source.rows;
  if (inside) {
    const char* const from =
        static_cast<const char*>(source.data) + int64_t{y - source.top} * source.pitch + (x - source.left) * 4;
#pragma unroll 1
    for (int first = static_cast<int>(threadIdx.x); first < count; first += kBatch * kThreads) {
      uint4 pixels[kBatch];
#pragma unroll
      for (int k = 0; k < kBatch; ++k) {
        const int i = min(first + k * kThreads, count - 1);
        const int row = i / kQuads;
        pixels[k] = __ldg(reinterpret_cast<const uint4*>(from + row * source.pitch + (i - row * kQuads) * 16));
      }
#pragma unroll
      for (int k = 0; k < kBatch; ++k) {
        const int i = first + k * kThreads;
        if (i < count) PutPixels(pixels[k], words + i, plane);
      }
    }
    return;
  }
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
    const int held = i / kQuads;
    const int mapped = MapPosition(source.border, y + held, source.height);
    const int row = mapped < 0 ? -1 : min(max(mapped - source.top, 0), source.rows - 1);
    PutPixels(EdgePixels(source, x + (i - held * kQuads) * 4, row), words + i, plane);
  }
}

}  // namespace convolve::cuda
