// What all variants share: a pixel from anywhere, also outside the picture, and a pixel's sums to where they belong.
#pragma once

#include "cuda/border.cuh"
#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/store_pixel.cuh"
#include "cuda/variants/variants.h"

namespace convolve::cuda {

template <int C>
struct VariantPixel {
  float v[C];
};

/// The pixel at (x, y) of the picture; outside of it what the border says. Positions that no wanted result needs may
/// lead out of the buffer and give any pixel of it.
template <int C>
__device__ __forceinline__ VariantPixel<C> PixelAt(const SourceParameters& source, int x, int y) {
  VariantPixel<C> pixel;
  if (source.bordered) {
    x = MapPosition(source.border, x, source.width);
    y = MapPosition(source.border, y, source.height);
    if (x < 0 || y < 0) {
#pragma unroll
      for (int c = 0; c < C; ++c) pixel.v[c] = source.outside[c];
      if constexpr (C == 2 || C == 4) {
        if (source.premultiply) Premultiply<C>(pixel.v, source.alpha_scale);
      }
      return pixel;
    }
  }
  x = min(max(x, source.left), source.left + source.columns - 1);
  y = min(max(y, source.top), source.top + source.rows - 1);
  LoadOwn<C>(source, x, y, pixel.v);
  return pixel;
}

/// sum + weight * pixel.
template <int C>
__device__ __forceinline__ void Add(float weight, const VariantPixel<C>& pixel, VariantPixel<C>* sum) {
#pragma unroll
  for (int c = 0; c < C; ++c) sum->v[c] = fmaf(weight, pixel.v[c], sum->v[c]);
}

/// Divides, finishes and stores the sums of the result pixel at (x, y), unless it lies outside what is wanted.
template <int C>
__device__ __forceinline__ void StoreSums(const OutputParameters& output, int x, int y, VariantPixel<C> sums) {
  if (x >= output.target.x1 || y >= output.target.y1) return;
  StoreAnyPixel<C, false>(output, x, y, sums.v, nullptr);
}

/// Calls `work` for bands of rows that a grid of blocks `block_rows` high can reach; all rows at once but in the
/// tallest pictures.
template <typename Work>
void ForBands(const VariantJob& job, int block_rows, const Work& work) {
  const int most = 65535 * block_rows;
  VariantJob band = job;
  for (int y = job.output.target.y0; y < job.output.target.y1; y += most) {
    band.output.target.y0 = y;
    band.output.target.y1 = y + most < job.output.target.y1 ? y + most : job.output.target.y1;
    job.between();
    work(band);
    Check(cudaGetLastError(), "variant");
  }
}

inline unsigned Blocks(int length, int block) { return static_cast<unsigned>((length + block - 1) / block); }

}  // namespace convolve::cuda
