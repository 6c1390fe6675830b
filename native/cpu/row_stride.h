// How far rows lie apart in scratch memory.
#pragma once

#include <cstddef>

namespace convolve::cpu {

inline constexpr size_t kCacheLine = 64;  // bytes

/// Bytes from row to row for rows of this many: whole cache lines, an odd number of them, as rows a power of two apart
/// would compete for the same places of the cache.
constexpr size_t RowStride(size_t bytes) { return ((bytes + kCacheLine - 1) / kCacheLine | 1) * kCacheLine; }

}  // namespace convolve::cpu
