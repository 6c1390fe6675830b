// Samples on their way in and out: quads (four consecutive samples of a row) from u8, u16 or f32 to working values, and
// working values to stored samples, with the widest memory accesses that the alignment allows.
#pragma once

#include <cstdint>

#include "cuda/parameters.h"

namespace convolve::cuda {

/// Four consecutive samples as they lie in memory.
template <typename T>
struct RawQuad;
template <>
struct RawQuad<uint8_t> {
  uint32_t bits;
};
template <>
struct RawQuad<uint16_t> {
  uint2 bits;
};
template <>
struct RawQuad<float> {
  float4 bits;
};

template <typename T>
__device__ __forceinline__ RawQuad<T> ReadQuad(const T* from) {
  return {*reinterpret_cast<const decltype(RawQuad<T>::bits)*>(from)};
}

/// N quads from an address aligned to all N of them (N = 1, 2, 4) or to one.
template <int N, typename T>
__device__ __forceinline__ void ReadQuads(const T* from, RawQuad<T>* to) {
  if constexpr (N == 4 && sizeof(T) == 1) {
    const uint4 all = *reinterpret_cast<const uint4*>(from);
    to[0].bits = all.x;
    to[1].bits = all.y;
    to[2].bits = all.z;
    to[3].bits = all.w;
  } else if constexpr (N % 2 == 0 && sizeof(T) == 1) {
#pragma unroll
    for (int i = 0; i < N; i += 2) {
      const uint2 pair = *reinterpret_cast<const uint2*>(from + 4 * i);
      to[i].bits = pair.x;
      to[i + 1].bits = pair.y;
    }
  } else if constexpr (N % 2 == 0 && sizeof(T) == 2) {
#pragma unroll
    for (int i = 0; i < N; i += 2) {
      const uint4 pair = *reinterpret_cast<const uint4*>(from + 4 * i);
      to[i].bits = make_uint2(pair.x, pair.y);
      to[i + 1].bits = make_uint2(pair.z, pair.w);
    }
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) to[i] = ReadQuad(from + 4 * i);
  }
}

/// Integers become floats by their bits: 0x4b000000 | n is 2^23 + n. Two ordinary instructions; the conversion
/// instruction runs at an eighth of their rate.
template <unsigned kSelect>
__device__ __forceinline__ float FloatOfBytes(uint32_t bits) {
  return __fadd_rn(__uint_as_float(__byte_perm(bits, 0x4b000000u, kSelect)), -8388608.0f);
}
__device__ __forceinline__ void Unpack(const RawQuad<uint8_t>& raw, float* to) {
  to[0] = FloatOfBytes<0x7540>(raw.bits);
  to[1] = FloatOfBytes<0x7541>(raw.bits);
  to[2] = FloatOfBytes<0x7542>(raw.bits);
  to[3] = FloatOfBytes<0x7543>(raw.bits);
}
__device__ __forceinline__ void Unpack(const RawQuad<uint16_t>& raw, float* to) {
  to[0] = FloatOfBytes<0x7510>(raw.bits.x);
  to[1] = FloatOfBytes<0x7532>(raw.bits.x);
  to[2] = FloatOfBytes<0x7510>(raw.bits.y);
  to[3] = FloatOfBytes<0x7532>(raw.bits.y);
}
__device__ __forceinline__ void Unpack(const RawQuad<float>& raw, float* to) {
  to[0] = raw.bits.x;
  to[1] = raw.bits.y;
  to[2] = raw.bits.z;
  to[3] = raw.bits.w;
}

/// Half away from zero, clamped to 0 ... most; not-a-number becomes 0. The sum is rounded towards zero, so that a value
/// just below a half cannot reach the next integer.
__device__ __forceinline__ int RoundedSample(float value, int most) {
  return min(max(__float2int_rz(__fadd_rz(value, 0.5f)), 0), most);
}

/// Four bytes of rounded samples, the first in the lowest.
__device__ __forceinline__ uint32_t PackBytes(const float* v) {
  const int a = __float2int_rz(__fadd_rz(v[0], 0.5f));
  const int b = __float2int_rz(__fadd_rz(v[1], 0.5f));
  const int c = __float2int_rz(__fadd_rz(v[2], 0.5f));
  const int d = __float2int_rz(__fadd_rz(v[3], 0.5f));
  uint32_t high;
  uint32_t all;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(d), "r"(c));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(b), "r"(a), "r"(high));
  return all;
}

__device__ __forceinline__ uint32_t PackWords(float low, float high) {
  return static_cast<uint32_t>(RoundedSample(low, 65535)) | static_cast<uint32_t>(RoundedSample(high, 65535)) << 16;
}

/// Writes N quads whose first sample lies at `to`, aligned for all of them (or for one where N is 3).
template <int N>
__device__ __forceinline__ void WriteQuads(void* to, SampleType type, const float* v) {
  if (type == SampleType::kU8) {
    uint32_t packed[N];
#pragma unroll
    for (int q = 0; q < N; ++q) packed[q] = PackBytes(v + 4 * q);
    if constexpr (N == 4) {
      *static_cast<uint4*>(to) = make_uint4(packed[0], packed[1], packed[2], packed[3]);
    } else if constexpr (N == 2) {
      *static_cast<uint2*>(to) = make_uint2(packed[0], packed[1]);
    } else {
#pragma unroll
      for (int q = 0; q < N; ++q) static_cast<uint32_t*>(to)[q] = packed[q];
    }
  } else if (type == SampleType::kU16) {
#pragma unroll
    for (int q = 0; q < N; ++q) {
      static_cast<uint2*>(to)[q] = make_uint2(PackWords(v[4 * q], v[4 * q + 1]), PackWords(v[4 * q + 2], v[4 * q + 3]));
    }
  } else {
#pragma unroll
    for (int q = 0; q < N; ++q) {
      static_cast<float4*>(to)[q] = make_float4(v[4 * q], v[4 * q + 1], v[4 * q + 2], v[4 * q + 3]);
    }
  }
}

__device__ __forceinline__ void WriteSample(void* row, int64_t sample, SampleType type, float value) {
  if (type == SampleType::kU8) {
    static_cast<uint8_t*>(row)[sample] = static_cast<uint8_t>(RoundedSample(value, 255));
  } else if (type == SampleType::kU16) {
    static_cast<uint16_t*>(row)[sample] = static_cast<uint16_t>(RoundedSample(value, 65535));
  } else {
    static_cast<float*>(row)[sample] = value;
  }
}

/// The C samples of one pixel, as working values without premultiplication.
template <int C, typename T>
__device__ __forceinline__ void ReadPixel(const T* from, float* to) {
  if constexpr (C == 4) {
    Unpack(ReadQuad(from), to);
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) to[c] = static_cast<float>(from[c]);
  }
}

/// Colour x alpha, in place, for samples that begin at a pixel's first. C = 2 or 4.
template <int C>
__device__ __forceinline__ void Premultiply(float* pixel, float alpha_scale) {
  const float alpha = __fmul_rn(pixel[C - 1], alpha_scale);
#pragma unroll
  for (int c = 0; c < C - 1; ++c) pixel[c] = __fmul_rn(pixel[c], alpha);
}

/// A pixel of the picture (position inside it) as the kernels see it.
template <int C>
__device__ __forceinline__ void LoadOwn(const SourceParameters& source, int x, int y, float* to) {
  const char* row = static_cast<const char*>(source.data) + int64_t{y - source.top} * source.pitch;
  const int64_t sample = int64_t{x - source.left} * C;
  if (source.type == SampleType::kU8) {
    ReadPixel<C>(reinterpret_cast<const uint8_t*>(row) + sample, to);
  } else if (source.type == SampleType::kU16) {
    ReadPixel<C>(reinterpret_cast<const uint16_t*>(row) + sample, to);
  } else {
    ReadPixel<C>(reinterpret_cast<const float*>(row) + sample, to);
  }
  if constexpr (C == 2 || C == 4) {
    if (source.premultiply) Premultiply<C>(to, source.alpha_scale);
  }
}

}  // namespace convolve::cuda
