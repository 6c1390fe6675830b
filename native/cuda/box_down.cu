// The box's way down: a thread keeps the sums of a few samples beside each other over the box's height; for each row it
// adds the row that comes in and takes off the row that goes out. Sums of floats are float64. Numbers that are not
// finite would stay in a running sum for ever: there they count as 0, and the thread that met one goes down its strip
// once more, sums each result by itself and stores what is not finite.
#include <algorithm>

#include "cuda/border.cuh"
#include "cuda/box_launch.h"
#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kBatch = 4;  // rows read before the first is used

/// Pixels of a thread.
constexpr int PixelsOf(int channels) { return channels == 1 ? 4 : (channels == 2 ? 2 : 1); }

/// What is the same for all pixels: how a sum becomes a value, and the sums of a row that lies outside.
struct DownLaunch {
  BoxLaunch box;
  int first_column;  // of the first thread, in the sums
  int first_strip;
  double outside[4];
};

template <int C, BoxSums kSums>
struct Columns {
  static constexpr bool kIntegers = kSums != BoxSums::kFloats;
  static constexpr int kPixels = PixelsOf(C);
  static constexpr int kSamples = C * kPixels;
  using Sum = std::conditional_t<kIntegers, uint32_t, double>;
  using Stored = RowSum<kSums>;
  const DownLaunch& launch;
  const Stored* sums;  // of buffer row 0, at the thread's first sample
  int first_sample;    // that one in a row

  struct Row {
    Stored v[kSamples];
  };

  __device__ __forceinline__ static void ReadRow(const Stored* from, Row* to) {
    if constexpr (kSamples == 4) {
      if constexpr (sizeof(Stored) == 2) {
        const uint2 bits = *reinterpret_cast<const uint2*>(from);
        memcpy(to->v, &bits, sizeof bits);
      } else {
        const uint4 bits = *reinterpret_cast<const uint4*>(from);
        memcpy(to->v, &bits, sizeof bits);
      }
    } else {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) to->v[s] = from[s];
    }
  }

  /// N rows from picture row y on, which may lie outside. Rows inside the buffer are read without a branch between
  /// them.
  template <int N>
  __device__ __forceinline__ void Read(int y, Row (&rows)[N]) const {
    const SourceParameters& source = launch.box.job.source;
    const int pitch = launch.box.sums_pitch;
    if (y >= source.top && y + N <= source.top + source.rows) {
      const Stored* from = sums + int64_t{y - source.top} * pitch;
#pragma unroll
      for (int r = 0; r < N; ++r) {
        ReadRow(from, &rows[r]);
        from += pitch;
      }
      return;
    }
#pragma unroll 1
    for (int r = 0; r < N; ++r) {
      const int mapped = MapPosition(source.border, y + r, source.height);
      Row row;
      ReadRow(sums + int64_t{min(max(mapped - source.top, 0), source.rows - 1)} * pitch, &row);
      if (mapped < 0) {
#pragma unroll
        for (int s = 0; s < kSamples; ++s) row.v[s] = static_cast<Stored>(launch.outside[s % C]);
      }
#pragma unroll
      for (int k = 0; k < N; ++k) {
        if (k == r) rows[k] = row;
      }
    }
  }

  /// What is not finite becomes 0, and is noted.
  __device__ __forceinline__ static void Settle(Row* row, bool* broken) {
    if constexpr (!kIntegers) {
      float none = __fmul_rn(row->v[0], 0.0f);
#pragma unroll
      for (int s = 1; s < kSamples; ++s) none = __fmaf_rn(row->v[s], 0.0f, none);
      if (none == 0.0f) return;
      *broken = true;
#pragma unroll
      for (int s = 0; s < kSamples; ++s) row->v[s] = fabsf(row->v[s]) <= 3.4028235e38f ? row->v[s] : 0.0f;
    }
  }

  template <bool kSettle>
  __device__ __forceinline__ void AddRows(int first, int count, Sum (&sum)[kSamples], bool* broken) const {
    const auto add = [&](Row& row) {
      if (kSettle) Settle(&row, broken);
#pragma unroll
      for (int s = 0; s < kSamples; ++s) sum[s] += row.v[s];
    };
    int y = first;
#pragma unroll 1
    for (; y + kBatch <= first + count; y += kBatch) {
      Row rows[kBatch];
      Read(y, rows);
#pragma unroll
      for (int r = 0; r < kBatch; ++r) add(rows[r]);
    }
#pragma unroll 1
    for (; y < first + count; ++y) {
      Row row[1];
      Read(y, row);
      add(row[0]);
    }
  }

  /// The rows of a strip's first sum, by whole bands where they lie inside the picture.
  __device__ __forceinline__ void AddFirstRows(int first, int count, Sum (&sum)[kSamples], bool* broken) const {
    const int begin = max((max(first, 0) + kBoxBand - 1) / kBoxBand, launch.box.first_band);
    const int last = min(max(first + count, 0) / kBoxBand, launch.box.last_band);
    if (launch.box.bands == nullptr || begin >= last) return AddRows<true>(first, count, sum, broken);
    AddRows<true>(first, begin * kBoxBand - first, sum, broken);
    using Band = std::conditional_t<kIntegers, uint32_t, float>;
    const Band* from = static_cast<const Band*>(launch.box.bands) +
                       int64_t{begin - launch.box.first_band} * launch.box.sums_pitch + first_sample;
#pragma unroll 2
    for (int band = begin; band < last; ++band) {
      bool finite = true;
#pragma unroll
      for (int s = 0; s < kSamples; ++s) finite = finite && (kIntegers || isfinite(static_cast<float>(from[s])));
      if (finite) {
#pragma unroll
        for (int s = 0; s < kSamples; ++s) sum[s] += from[s];
      } else {
        AddRows<true>(band * kBoxBand, kBoxBand, sum, broken);
      }
      from += launch.box.sums_pitch;
    }
    AddRows<true>(last * kBoxBand, first + count - last * kBoxBand, sum, broken);
  }

  __device__ __forceinline__ float ValueOf(Sum sum) const {
    if (launch.box.job.divisor == 0) return static_cast<float>(sum);
    const auto exact = static_cast<double>(sum);
    const double quotient = exact * launch.box.inverse;
    // Cut off, not rounded: a value just below a half must not become one.
    return __double2float_rz(fma(fma(-quotient, launch.box.job.divisor, exact), launch.box.inverse, quotient));
  }

  /// kBroken: only pixels with a value that is not finite.
  template <bool kBroken>
  __device__ __forceinline__ void Store(int x, int y, const Sum (&sum)[kSamples]) const {
    const TargetParameters& target = launch.box.job.output.target;
#pragma unroll
    for (int p = 0; p < kPixels; ++p) {
      float values[1][C];
      bool finite = true;
#pragma unroll
      for (int c = 0; c < C; ++c) {
        values[0][c] = ValueOf(sum[p * C + c]);
        finite = finite && isfinite(values[0][c]);
      }
      if (x + p < target.x0 || x + p >= target.x1 || (kBroken && finite)) continue;
      const float none[1][C] = {};
      StoreColumn<C, 1, false>(launch.box.job.output, x + p, y, 0, 1, values, none);
    }
  }

  /// By `multiplier` straight to bytes.
  __device__ __forceinline__ void StoreBytes(int x, char* to, const Sum (&sum)[kSamples]) const {
    const TargetParameters& target = launch.box.job.output.target;
    uint32_t bytes[kSamples];
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
      bytes[s] = __umulhi(static_cast<uint32_t>(sum[s]) + launch.box.half, launch.box.multiplier) >> launch.box.shift;
    }
    if constexpr (kSamples == 4) {
      const bool whole = x >= target.x0 && x + kPixels <= target.x1;
      if (whole && (C == 4 || (reinterpret_cast<uintptr_t>(to) & 3) == 0)) {
        const uint32_t low = __byte_perm(bytes[0], bytes[1], 0x0040);
        const uint32_t high = __byte_perm(bytes[2], bytes[3], 0x0040);
        *reinterpret_cast<uint32_t*>(to) = __byte_perm(low, high, 0x5410);
        return;
      }
    }
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
      if (x + s / C >= target.x0 && x + s / C < target.x1) to[s] = static_cast<char>(bytes[s]);
    }
  }
};

template <int C, BoxSums kSums>
__global__ void __launch_bounds__(kThreads) DownKernel(const __grid_constant__ DownLaunch launch) {
  using Own = Columns<C, kSums>;
  using Row = typename Own::Row;
  constexpr int kSamples = Own::kSamples;
  const BoxJob& job = launch.box.job;
  const TargetParameters& target = job.output.target;
  const int column =
      launch.first_column + (static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x)) * Own::kPixels;
  const int x = launch.box.first_x + column;
  if (x >= target.x1) return;
  const int strip = (launch.first_strip + static_cast<int>(blockIdx.y)) * kBoxStrip;
  const int end = min(strip + kBoxStrip, target.y1);
  const Own own{launch, static_cast<const typename Own::Stored*>(launch.box.sums) + int64_t{column} * C, column * C};
  bool broken = false;
  typename Own::Sum sum[kSamples] = {};
  own.AddFirstRows(strip - job.anchor_y, job.height - 1, sum, &broken);
  const bool bytes = Own::kIntegers && launch.box.multiplier != 0;
  char* to =
      static_cast<char*>(target.data) + int64_t{strip - target.top} * target.pitch + int64_t{x - target.left} * C;
#pragma unroll 1
  for (int y = strip; y < end; y += kBatch) {
    Row in[kBatch];
    Row out[kBatch];
    own.Read(y - job.anchor_y + job.height - 1, in);
    own.Read(y - job.anchor_y, out);
#pragma unroll
    for (int r = 0; r < kBatch; ++r) {
      Own::Settle(&in[r], &broken);
#pragma unroll
      for (int s = 0; s < kSamples; ++s) sum[s] += in[r].v[s];
      if (y + r >= target.y0 && y + r < end) {
        if (bytes) {
          own.StoreBytes(x, to, sum);
        } else {
          own.template Store<false>(x, y + r, sum);
        }
      }
      to += target.pitch;
      Own::Settle(&out[r], &broken);
#pragma unroll
      for (int s = 0; s < kSamples; ++s) sum[s] -= out[r].v[s];
    }
  }
  if (!broken) return;
#pragma unroll 1
  for (int y = max(strip, target.y0); y < end; ++y) {
    typename Own::Sum whole[kSamples] = {};
    own.template AddRows<false>(y - job.anchor_y, job.height, whole, &broken);
    own.template Store<true>(x, y, whole);
  }
}

/// Four samples of a band, of rows of any channels: rows of sums are as long as whole quads.
template <BoxSums kSums>
__global__ void __launch_bounds__(kThreads) BandsKernel(const __grid_constant__ BoxLaunch launch) {
  using Stored = RowSum<kSums>;
  constexpr bool kIntegers = kSums != BoxSums::kFloats;
  const int first = (static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x)) * 4;
  if (first >= launch.sums_pitch) return;
  const int row = (launch.first_band + static_cast<int>(blockIdx.y)) * kBoxBand - launch.job.source.top;
  const Stored* from = static_cast<const Stored*>(launch.sums) + int64_t{row} * launch.sums_pitch + first;
  std::conditional_t<kIntegers, uint32_t, double> sum[4] = {};
#pragma unroll 8
  for (int r = 0; r < kBoxBand; ++r) {
    Stored v[4];
    if constexpr (sizeof(Stored) == 2) {
      const uint2 bits = *reinterpret_cast<const uint2*>(from);
      memcpy(v, &bits, sizeof bits);
    } else {
      const uint4 bits = *reinterpret_cast<const uint4*>(from);
      memcpy(v, &bits, sizeof bits);
    }
#pragma unroll
    for (int s = 0; s < 4; ++s) sum[s] += v[s];
    from += launch.sums_pitch;
  }
  using Band = std::conditional_t<kIntegers, uint32_t, float>;
  Band* const to = static_cast<Band*>(launch.bands) + int64_t{blockIdx.y} * launch.sums_pitch + first;
#pragma unroll
  for (int s = 0; s < 4; ++s) to[s] = static_cast<Band>(sum[s]);
}

template <int C, BoxSums kSums>
void Launch(DownLaunch launch, cudaStream_t stream) {
  const TargetParameters& target = launch.box.job.output.target;
  constexpr int kPixels = PixelsOf(C);
  launch.first_column = (target.x0 - launch.box.first_x) / kPixels * kPixels;
  const int threads = (target.x1 - launch.box.first_x - launch.first_column + kPixels - 1) / kPixels;

  const int last = (target.y1 - 1) / kBoxStrip;
  for (int strip = target.y0 / kBoxStrip; strip <= last; strip += 65535) {
    launch.first_strip = strip;
    const dim3 grid((threads + kThreads - 1) / kThreads, std::min(65535, last - strip + 1));
    DownKernel<C, kSums><<<grid, kThreads, 0, stream>>>(launch);
    Check(cudaGetLastError(), "box");
  }
}

template <int C>
void LaunchChannels(const DownLaunch& launch, BoxSums sums, cudaStream_t stream) {
  switch (sums) {
    case BoxSums::kWords:
      return Launch<C, BoxSums::kWords>(launch, stream);
    case BoxSums::kIntegers:
      return Launch<C, BoxSums::kIntegers>(launch, stream);
    case BoxSums::kFloats:
      return Launch<C, BoxSums::kFloats>(launch, stream);
  }
}

}  // namespace

void LaunchBoxBands(const BoxLaunch& launch, BoxSums sums, cudaStream_t stream) {
  const dim3 grid((launch.sums_pitch / 4 + kThreads - 1) / kThreads, launch.last_band - launch.first_band);
  switch (sums) {
    case BoxSums::kWords:
      BandsKernel<BoxSums::kWords><<<grid, kThreads, 0, stream>>>(launch);
      break;
    case BoxSums::kIntegers:
      BandsKernel<BoxSums::kIntegers><<<grid, kThreads, 0, stream>>>(launch);
      break;
    case BoxSums::kFloats:
      BandsKernel<BoxSums::kFloats><<<grid, kThreads, 0, stream>>>(launch);
      break;
  }
  Check(cudaGetLastError(), "box");
}

void LaunchBoxDown(const BoxLaunch& box, BoxSums sums, int channels, cudaStream_t stream) {
  DownLaunch launch = {};
  launch.box = box;
  const SourceParameters& source = box.job.source;
  const float alpha = source.outside[channels - 1] * source.alpha_scale;
  for (int c = 0; c < channels; ++c) {
    const bool colour = source.premultiply && c + 1 < channels;
    launch.outside[c] = static_cast<double>(colour ? source.outside[c] * alpha : source.outside[c]) * box.job.width;
  }
  WithChannels(channels, [&](auto c) { LaunchChannels<c()>(launch, sums, stream); });
}

}  // namespace convolve::cuda
