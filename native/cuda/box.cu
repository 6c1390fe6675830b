// The box, on the device. A block owns 512 columns of a strip of 128 rows. Each thread keeps one column's sum over the
// box's height: for each row it adds the row that comes in and takes off the row that goes out. Eight rows of such sums
// lie in shared memory; warps then sum them across in the same way, 32 differences at a time:
//
//   sum(x) = sum(x - 1) + column(x + width - 1) - column(x - 1)
//
// Wide boxes keep the column sums in device memory instead. Bytes are summed in 32-bit integers; all others down in
// float64, rounded to float32, then across in float64, because running sums lose what they once rounded away.
// Numbers that are not finite would stay in a running sum for ever: there they count as 0, and a second launch sums the
// boxes that hold one of them directly, where there is one at all.
#include "cuda/box.h"

#include <algorithm>
#include <type_traits>

#include "cuda/border.cuh"
#include "cuda/check.h"
#include "cuda/device.h"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kRows = 8;  // rows between two barriers
/// Rows read before the first is used: as many as leave room in the registers.
constexpr int BatchOf(int channels) { return channels >= 3 ? 2 : 4; }
constexpr int kBlockRows = 32;  // rows that are summed once for all strips
constexpr int kAcrossWarps = 8;
constexpr int64_t kScratchBytes = int64_t{1} << 30;

struct BoxLaunch {
  BoxJob job;
  double inverse;          // of job.divisor
  int block_x, block_y;    // of the first block's first result
  int y0, y1;              // result rows of this launch
  bool direct;             // sum directly, and store only what is not finite
  uint32_t* broken;        // 1 where a number is not finite; null where none can be
  const void* block_sums;  // [block][buffer column][channel] of kBlockRows rows each; null: none
  int first_block;
  void* columns;      // [result row][column][channel], where the directions do not share a launch
  int columns_pitch;  // elements from row to row
};

/// The type of running sums and that of column sums, which have the same size for both kinds of arithmetic.
template <bool kIntegers>
using Running = std::conditional_t<kIntegers, uint32_t, double>;
template <bool kIntegers>
using Column = std::conditional_t<kIntegers, uint32_t, float>;

/// One pixel's column sums, 16 bytes at once where there are four.
template <int C, typename S>
__device__ __forceinline__ void ReadColumns(const S* from, S* to) {
  if constexpr (C == 4) {
    const uint4 bits = *reinterpret_cast<const uint4*>(from);
    memcpy(to, &bits, sizeof bits);
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) to[c] = from[c];
  }
}
template <int C, typename S>
__device__ __forceinline__ void WriteColumns(S* to, const S* from) {
  if constexpr (C == 4) {
    uint4 bits;
    memcpy(&bits, from, sizeof bits);
    *reinterpret_cast<uint4*>(to) = bits;
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) to[c] = from[c];
  }
}

template <int C, typename T, bool kIntegers>
__device__ __forceinline__ void ReadBox(const SourceParameters& source, const T* from, Column<kIntegers>* pixel) {
  if constexpr (kIntegers) {
    if constexpr (C == 4) {
      const uint32_t bits = *reinterpret_cast<const uint32_t*>(from);
#pragma unroll
      for (int c = 0; c < C; ++c) pixel[c] = bits >> 8 * c & 255;
    } else {
#pragma unroll
      for (int c = 0; c < C; ++c) pixel[c] = static_cast<uint32_t>(from[c]);
    }
    if constexpr (C % 2 == 0) {
      if (source.premultiply) {
#pragma unroll
        for (int c = 0; c + 1 < C; ++c) pixel[c] *= pixel[C - 1];
      }
    }
  } else {
    ReadPixel<C>(from, pixel);
    if constexpr (C % 2 == 0) {
      if (source.premultiply) Premultiply<C>(pixel, source.alpha_scale);
    }
  }
}

/// One column of the picture: the pixels of the thread.
template <int C, typename T, bool kIntegers>
struct BoxColumn {
  using Sample = Column<kIntegers>;
  static constexpr int kBatch = BatchOf(C);
  const BoxLaunch& launch;
  int column;  // of the buffer; -1: outside
  bool broken = false;
  Sample outside[C];

  __device__ __forceinline__ BoxColumn(const BoxLaunch& launch, int x) : launch(launch) {
    const SourceParameters& source = launch.job.source;
    const int mapped = MapPosition(source.border, x, source.width);
    column = mapped < 0 ? -1 : min(max(mapped - source.left, 0), source.columns - 1);
    float pixel[C];
#pragma unroll
    for (int c = 0; c < C; ++c) pixel[c] = source.outside[c];
    if constexpr (C % 2 == 0) {
      if (source.premultiply) Premultiply<C>(pixel, source.alpha_scale);
    }
#pragma unroll
    for (int c = 0; c < C; ++c) outside[c] = static_cast<Sample>(pixel[c]);
  }

  /// N pixels below each other, from picture row y on, which may lie outside. Numbers that are not finite become 0
  /// unless `direct`. Rows inside the buffer are read without a branch between them, so that all are under way at once.
  template <int N>
  __device__ __forceinline__ void Read(int y, Sample (&pixels)[N][C]) {
    const SourceParameters& source = launch.job.source;
    const int held = max(column, 0) * C;
    if (y >= source.top && y + N <= source.top + source.rows) {
      const char* from = static_cast<const char*>(source.data) + int64_t{y - source.top} * source.pitch;
#pragma unroll
      for (int r = 0; r < N; ++r) {
        ReadBox<C, T, kIntegers>(source, reinterpret_cast<const T*>(from) + held, pixels[r]);
        from += source.pitch;
      }
#pragma unroll
      for (int r = 0; r < N; ++r) Settle(column < 0, pixels[r]);
      return;
    }
#pragma unroll 1
    for (int r = 0; r < N; ++r) {
      const int mapped = MapPosition(source.border, y + r, source.height);
      const int row = min(max(mapped - source.top, 0), source.rows - 1);
      const char* from = static_cast<const char*>(source.data) + int64_t{row} * source.pitch;
      Sample pixel[C];
      ReadBox<C, T, kIntegers>(source, reinterpret_cast<const T*>(from) + held, pixel);
      Settle(mapped < 0 || column < 0, pixel);
#pragma unroll
      for (int k = 0; k < N; ++k) {
#pragma unroll
        for (int c = 0; c < C; ++c) pixels[k][c] = k == r ? pixel[c] : pixels[k][c];
      }
    }
  }

  __device__ __forceinline__ void Settle(bool is_outside, Sample* pixel) {
#pragma unroll
    for (int c = 0; c < C; ++c) {
      if constexpr (sizeof(T) == 4) {
        const bool finite = fabsf(pixel[c]) <= 3.4028235e38f;
        broken = broken || !finite;
        pixel[c] = finite || launch.direct ? pixel[c] : 0.0f;
      }
      pixel[c] = is_outside ? outside[c] : pixel[c];
    }
  }

  /// sum += rows first ... end - 1.
  __device__ __forceinline__ void AddRows(int first, int end, Running<kIntegers>* sum) {
    int y = first;
    for (; y + kBatch <= end; y += kBatch) {
      Sample pixel[kBatch][C];
      Read(y, pixel);
#pragma unroll
      for (int r = 0; r < kBatch; ++r) {
#pragma unroll
        for (int c = 0; c < C; ++c) sum[c] += pixel[r][c];
      }
    }
    for (; y < end; ++y) {
      Sample pixel[1][C];
      Read(y, pixel);
#pragma unroll
      for (int c = 0; c < C; ++c) sum[c] += pixel[0][c];
    }
  }

  /// The same, by the sums of whole blocks where they lie inside the picture.
  __device__ __forceinline__ void AddManyRows(int first, int end, Running<kIntegers>* sum) {
    const SourceParameters& source = launch.job.source;
    const int block = (max(first, 0) + kBlockRows - 1) / kBlockRows;
    const int last = max(min(end, source.height), 0) / kBlockRows;
    if (launch.block_sums == nullptr || launch.direct || block >= last || column < 0) {
      AddRows(first, end, sum);
      return;
    }
    AddRows(first, block * kBlockRows, sum);
    const Sample* from = static_cast<const Sample*>(launch.block_sums) +
                         (int64_t{block - launch.first_block} * source.columns + column) * C;
#pragma unroll 4
    for (int i = block; i < last; ++i) {
#pragma unroll
      for (int c = 0; c < C; ++c) sum[c] += from[c];
      from += int64_t{source.columns} * C;
    }
    AddRows(last * kBlockRows, end, sum);
  }
};

/// Sums of blocks of kBlockRows rows, for every column of the buffer.
template <int C, typename T, bool kIntegers>
__global__ void __launch_bounds__(256) BlockSumsKernel(const __grid_constant__ BoxLaunch launch, void* to) {
  const SourceParameters& source = launch.job.source;
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= source.columns) return;
  BoxColumn<C, T, kIntegers> pixels(launch, source.left + column);
  Running<kIntegers> sum[C] = {};
  const int first = (launch.first_block + static_cast<int>(blockIdx.y)) * kBlockRows;
  pixels.AddRows(first, first + kBlockRows, sum);
  auto* sums = static_cast<Column<kIntegers>*>(to) + (int64_t{blockIdx.y} * source.columns + column) * C;
#pragma unroll
  for (int c = 0; c < C; ++c) sums[c] = static_cast<Column<kIntegers>>(sum[c]);
}

/// A running sum across. Floats: with what rounding took off, so that it stays good to float64.
template <bool kIntegers>
struct Carry {
  Column<kIntegers> sum = 0;
  Column<kIntegers> rest = 0;

  /// The sum with a lane's share added, exactly. An integer share may be negative, modulo 2^32.
  __device__ __forceinline__ double With(Column<kIntegers> value) const {
    if constexpr (kIntegers) return static_cast<double>(sum + value);
    return static_cast<double>(sum) + (static_cast<double>(rest) + static_cast<double>(value));
  }
  __device__ __forceinline__ void Add(Column<kIntegers> value) {
    if constexpr (kIntegers) {
      sum += value;
    } else {
      const float more = __fadd_rn(rest, value);
      const float next = __fadd_rn(sum, more);
      const float taken = __fsub_rn(next, sum);
      rest = __fadd_rn(__fsub_rn(sum, __fsub_rn(next, taken)), __fsub_rn(more, taken));
      sum = next;
    }
  }
};

/// A warp's results `begin` ... `end` - 1 of one row of column sums; result i reads columns i ... i + width - 1. `x` is
/// the position of result 0.
template <int C, bool kIntegers>
__device__ __forceinline__ void SumAcross(const BoxLaunch& launch, const Column<kIntegers>* columns, int begin, int end,
                                          int x, int y) {
  using Sum = Column<kIntegers>;
  const BoxJob& job = launch.job;
  const TargetParameters& target = job.output.target;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Carry<kIntegers> carry[C];
  if (!launch.direct) {
    Running<kIntegers> sum[C] = {};
    for (int i = begin + lane; i < begin + job.width - 1; i += 32) {
#pragma unroll
      for (int c = 0; c < C; ++c) sum[c] += columns[i * C + c];
    }
#pragma unroll
    for (int c = 0; c < C; ++c) {
#pragma unroll
      for (int step = 16; step > 0; step /= 2) sum[c] += __shfl_xor_sync(0xffffffffu, sum[c], step);
      carry[c].sum = static_cast<Sum>(sum[c]);
      if constexpr (!kIntegers) carry[c].rest = static_cast<float>(sum[c] - static_cast<double>(carry[c].sum));
    }
  }
#pragma unroll 1
  for (int first = begin; first < end; first += 32) {
    const int i = first + lane;
    Sum sum[C] = {};
    if (launch.direct) {
      for (int k = 0; k < job.width && i < end; ++k) {
#pragma unroll
        for (int c = 0; c < C; ++c) sum[c] += columns[(i + k) * C + c];
      }
    } else {
      if (i < end) {
        Sum in[C];
        Sum out[C] = {};
        ReadColumns<C>(columns + (i + job.width - 1) * C, in);
        if (i > begin) ReadColumns<C>(columns + (i - 1) * C, out);
#pragma unroll
        for (int c = 0; c < C; ++c) sum[c] = in[c] - out[c];
      }
#pragma unroll
      for (int step = 1; step < 32; step *= 2) {
#pragma unroll
        for (int c = 0; c < C; ++c) {
          const Sum before = __shfl_up_sync(0xffffffffu, sum[c], step);
          sum[c] += lane >= step ? before : Sum{0};
        }
      }
    }
    float values[1][C];
    bool finite = true;
#pragma unroll
    for (int c = 0; c < C; ++c) {
      if (job.divisor != 0) {
        const double exact = carry[c].With(sum[c]);
        const double quotient = exact * launch.inverse;
        // Cut off, not rounded: a value just below a half must not become one.
        values[0][c] = __double2float_rz(fma(fma(-quotient, job.divisor, exact), launch.inverse, quotient));
      } else {
        values[0][c] = static_cast<float>(carry[c].sum + (carry[c].rest + sum[c]));
      }
      finite = finite && isfinite(values[0][c]);
      if (!launch.direct) carry[c].Add(__shfl_sync(0xffffffffu, sum[c], 31));
    }
    if (i >= end || x + i < target.x0 || x + i >= target.x1 || (launch.direct && finite)) continue;
    const float none[1][C] = {};
    StoreColumn<C, 1, false>(job.output, x + i, y, 0, 1, values, none);
  }
}

template <int C, typename T, bool kIntegers, bool kFused>
__global__ void __launch_bounds__(kBoxColumns, 2) BoxKernel(const __grid_constant__ BoxLaunch launch) {
  using Sample = Column<kIntegers>;
  extern __shared__ float4 shared[];
  auto* const columns = reinterpret_cast<Sample*>(shared);
  const BoxJob& job = launch.job;
  const int step_x = kFused ? kBoxColumns - (job.width - 1) : kBoxColumns;
  const int x = launch.block_x + static_cast<int>(blockIdx.x) * step_x;
  const int strip = launch.block_y + static_cast<int>(blockIdx.y) * kBoxStrip;
  uint32_t* const broken =
      launch.broken == nullptr ? nullptr : launch.broken + (kFused ? blockIdx.y * gridDim.x + blockIdx.x : 0);
  if (launch.direct && *broken == 0) return;
  const int thread = static_cast<int>(threadIdx.x);
  constexpr int kBatch = BatchOf(C);
  BoxColumn<C, T, kIntegers> pixels(launch, x - job.anchor_x + thread);
  Running<kIntegers> sum[C] = {};
  if (!launch.direct) pixels.AddManyRows(strip - job.anchor_y, strip - job.anchor_y + job.height - 1, sum);
  const int end = min(strip + kBoxStrip, launch.y1);
#pragma unroll 1
  for (int y = strip; y < end; y += kRows) {
    if (launch.direct) {
      for (int r = 0; r < kRows; ++r) {
        Running<kIntegers> whole[C] = {};
        pixels.AddRows(y + r - job.anchor_y, y + r - job.anchor_y + job.height, whole);
#pragma unroll
        for (int c = 0; c < C; ++c) {
          if constexpr (kFused) {
            columns[(r * kBoxColumns + thread) * C + c] = static_cast<Sample>(whole[c]);
          } else if (y + r >= launch.y0 && y + r < launch.y1 &&
                     x - launch.block_x + thread < launch.columns_pitch / C) {
            static_cast<Sample*>(launch.columns)[int64_t{y + r - launch.y0} * launch.columns_pitch +
                                                 (x - launch.block_x + thread) * C + c] = static_cast<Sample>(whole[c]);
          }
        }
      }
    } else {
#pragma unroll 1
      for (int batch = 0; batch < kRows; batch += kBatch) {
        Sample in[kBatch][C];
        Sample out[kBatch][C];
        const int first = y + batch - job.anchor_y;
        pixels.Read(first + job.height - 1, in);
        pixels.Read(first, out);
#pragma unroll
        for (int r = 0; r < kBatch; ++r) {
          Sample row[C];
#pragma unroll
          for (int c = 0; c < C; ++c) {
            sum[c] += in[r][c];
            row[c] = static_cast<Sample>(sum[c]);
            sum[c] -= out[r][c];
          }
          const int at = y + batch + r;
          if constexpr (kFused) {
            WriteColumns<C>(columns + ((batch + r) * kBoxColumns + thread) * C, row);
          } else if (at >= launch.y0 && at < launch.y1 && x - launch.block_x + thread < launch.columns_pitch / C) {
            WriteColumns<C>(static_cast<Sample*>(launch.columns) + int64_t{at - launch.y0} * launch.columns_pitch +
                                (x - launch.block_x + thread) * C,
                            row);
          }
        }
      }
    }
    if constexpr (kFused) {
      __syncthreads();
      // Two warps a row.
      const int row = thread / 64;
      if (y + row >= launch.y0 && y + row < end) {
        const int half = (step_x + 63) / 64 * 32;
        const int begin = thread / 32 % 2 * half;
        SumAcross<C, kIntegers>(launch, columns + row * kBoxColumns * C, begin, min(begin + half, step_x), x, y + row);
      }
      __syncthreads();
    }
  }
  if (broken != nullptr && pixels.broken) *broken = 1;
}

template <int C, bool kIntegers>
__global__ void __launch_bounds__(32 * kAcrossWarps) AcrossKernel(const __grid_constant__ BoxLaunch launch) {
  if (launch.direct && *launch.broken == 0) return;
  const int y = launch.y0 + static_cast<int>(blockIdx.y) * kAcrossWarps + static_cast<int>(threadIdx.x) / 32;
  if (y >= launch.y1) return;
  const auto* columns =
      static_cast<const Column<kIntegers>*>(launch.columns) + int64_t{y - launch.y0} * launch.columns_pitch;
  const int begin = static_cast<int>(blockIdx.x) * kBoxAcrossStrip;
  SumAcross<C, kIntegers>(launch, columns, begin, begin + kBoxAcrossStrip, launch.block_x, y);
}

int CeilDivide(int value, int divisor) { return (value + divisor - 1) / divisor; }

/// Launches over the whole target.
template <int C, typename T, bool kIntegers>
class BoxRun {
 public:
  BoxRun(const BoxJob& job, const Device& device, cudaStream_t stream, const std::function<void()>& between)
      : device_(device), stream_(stream), between_(between) {
    launch_.job = job;
    launch_.inverse = job.divisor != 0 ? 1 / job.divisor : 0;
    const TargetParameters& target = job.output.target;
    const int step = BoxStepX(job.width);
    launch_.block_x = target.x0 / step * step;
    across_ = CeilDivide(target.x1 - launch_.block_x, step);
  }

  void Run() {
    const BoxJob& job = launch_.job;
    const TargetParameters& target = job.output.target;
    SumBlocks();
    const int top = target.y0 / kBoxStrip * kBoxStrip;
    const bool fused = job.width <= kBoxFusedWidth;
    int strips = std::min(CeilDivide(target.y1 - top, kBoxStrip), 65535);
    if (!fused) {
      launch_.columns_pitch = (across_ * kBoxAcrossStrip + job.width - 1) * C;
      const int64_t strip_bytes = int64_t{launch_.columns_pitch} * kBoxStrip * 4;
      strips = static_cast<int>(std::clamp<int64_t>(kScratchBytes / strip_bytes, 1, strips));
      columns_ = device_.Allocate(static_cast<size_t>(strip_bytes * strips), stream_);
      launch_.columns = columns_.get();
    }
    const size_t flags = fused ? static_cast<size_t>(across_) * static_cast<size_t>(strips) : 1;
    if (sizeof(T) == 4) broken_ = device_.Allocate(flags * sizeof(uint32_t), stream_);
    launch_.broken = static_cast<uint32_t*>(broken_.get());
    for (int y = top; y < target.y1; y += strips * kBoxStrip) {
      launch_.block_y = y;
      launch_.y0 = std::max(y, target.y0);
      launch_.y1 = std::min(y + strips * kBoxStrip, target.y1);
      between_();
      if (launch_.broken != nullptr) {
        Check(cudaMemsetAsync(launch_.broken, 0, flags * sizeof(uint32_t), stream_), "box");
      }
      launch_.direct = false;
      Start(fused);
      if (launch_.broken == nullptr) continue;
      launch_.direct = true;
      Start(fused);
    }
  }

 private:
  /// Block sums pay where a strip's first sum has many rows.
  void SumBlocks() {
    const SourceParameters& source = launch_.job.source;
    if (launch_.job.height < 4 * kBlockRows) return;
    launch_.first_block = CeilDivide(source.top, kBlockRows);
    const int blocks = (source.top + source.rows) / kBlockRows - launch_.first_block;
    if (blocks <= 0 || blocks > 65535) return;
    blocks_ =
        device_.Allocate(size_t{4} * C * static_cast<size_t>(source.columns) * static_cast<size_t>(blocks), stream_);
    BlockSumsKernel<C, T, kIntegers>
        <<<dim3(CeilDivide(source.columns, 256), blocks), 256, 0, stream_>>>(launch_, blocks_.get());
    Check(cudaGetLastError(), "box");
    launch_.block_sums = blocks_.get();
  }

  void Start(bool fused) {
    const int down = CeilDivide(launch_.y1 - launch_.block_y, kBoxStrip);
    if (fused) {
      constexpr int kBytes = kRows * kBoxColumns * C * 4;
      const auto kernel = BoxKernel<C, T, kIntegers, true>;
      Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
            "shared memory of a box");
      kernel<<<dim3(across_, down), kBoxColumns, kBytes, stream_>>>(launch_);
    } else {
      BoxKernel<C, T, kIntegers, false>
          <<<dim3(CeilDivide(launch_.columns_pitch / C, kBoxColumns), down), kBoxColumns, 0, stream_>>>(launch_);
      const dim3 grid(across_, CeilDivide(launch_.y1 - launch_.y0, kAcrossWarps));
      AcrossKernel<C, kIntegers><<<grid, 32 * kAcrossWarps, 0, stream_>>>(launch_);
    }
    Check(cudaGetLastError(), "box");
  }

  const Device& device_;
  cudaStream_t stream_;
  const std::function<void()>& between_;
  BoxLaunch launch_ = {};
  int across_ = 0;
  DeviceMemory blocks_, columns_, broken_;
};

template <int C>
void Launch(const BoxJob& job, const Device& device, cudaStream_t stream, const std::function<void()>& between) {
  switch (job.source.type) {
    case SampleType::kU8:
      if (job.integers) return BoxRun<C, uint8_t, true>(job, device, stream, between).Run();
      return BoxRun<C, uint8_t, false>(job, device, stream, between).Run();
    case SampleType::kU16:
      return BoxRun<C, uint16_t, false>(job, device, stream, between).Run();
    default:
      return BoxRun<C, float, false>(job, device, stream, between).Run();
  }
}

}  // namespace

void LaunchBox(const BoxJob& job, int channels, const Device& device, cudaStream_t stream,
               const std::function<void()>& between) {
  switch (channels) {
    case 1:
      return Launch<1>(job, device, stream, between);
    case 2:
      return Launch<2>(job, device, stream, between);
    case 3:
      return Launch<3>(job, device, stream, between);
    default:
      return Launch<4>(job, device, stream, between);
  }
}

}  // namespace convolve::cuda
