// Where a position outside the picture finds its sample, on the device: engine/border.cpp in 32-bit arithmetic (a
// picture's side is at most 2^20 pixels and a kernel's 511, so nothing overflows).
#pragma once

#include "cuda/parameters.h"

namespace convolve::cuda {

__device__ __forceinline__ int Modulo(int value, int period) {
  const int remainder = value % period;
  return remainder < 0 ? remainder + period : remainder;
}

/// Index in 0...size-1, or -1 where the border's constant applies.
__device__ __forceinline__ int MapPosition(BorderKind border, int position, int size) {
  if (static_cast<unsigned>(position) < static_cast<unsigned>(size)) return position;
  switch (border) {
    case BorderKind::kReplicate:
      return min(max(position, 0), size - 1);
    case BorderKind::kReflect: {
      const int q = Modulo(position, 2 * size);
      return q < size ? q : 2 * size - 1 - q;
    }
    case BorderKind::kMirror: {
      if (size == 1) return 0;
      const int q = Modulo(position, 2 * size - 2);
      return q < size ? q : 2 * size - 2 - q;
    }
    case BorderKind::kWrap:
      return Modulo(position, size);
    default:
      return -1;
  }
}

/// For `count` positions from `first` on, the row or column of the buffer (which holds `held` of them from `held_first`
/// on), or -1. A position that no wanted pixel reads may lead out of the buffer; it is held inside. Called by all
/// threads of a block; not inlined, because it is long and used once at a kernel's start.
__device__ __noinline__ inline void FillBorderTable(int* table, int count, BorderKind border, bool bordered, int first,
                                                    int size, int held_first, int held) {
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const int mapped = bordered ? MapPosition(border, first + i, size) : first + i;
    table[i] = bordered && mapped < 0 ? -1 : min(max(mapped - held_first, 0), held - 1);
  }
}

__device__ __forceinline__ void FillRowTable(const SourceParameters& source, int* table, int first, int count) {
  FillBorderTable(table, count, source.border, source.bordered, first, source.height, source.top, source.rows);
}

__device__ __forceinline__ void FillColumnTable(const SourceParameters& source, int* table, int first, int count) {
  FillBorderTable(table, count, source.border, source.bordered, first, source.width, source.left, source.columns);
}

}  // namespace convolve::cuda
