// The byte walk of 3 x 3 kernels over four channels, dense or magnitudes. A thread owns four pixels of every row of a
// strip and reads each row, with the pixels beside them, from memory into registers, four rows ahead of those that it
// sums. No thread waits for another. Four rows are turned as in byte_grid.cuh; they complete four results, the first
// two together with the last two rows before them, of which words for two columns are kept:
//
//   kept | now       result 0: [w0 w1] | [w2  0]          result 2: [w0 w1] [w2  0]
//   2  3 | 0 1 2 3   result 1: [ 0 w0] | [w1 w2]          result 3: [ 0 w0] [w1 w2]
#include "cuda/border.cuh"
#include "cuda/byte_grid.cuh"

namespace convolve::cuda {
namespace {

constexpr int kPixels = kGridSamples / 4;  // of a thread
constexpr int kKept = 2 * (kPixels + 2);   // words
/// Rows of a strip at most: short strips, so that blocks begin and end in turn.
constexpr int kShortStrip = 16;

/// Rows of a strip, and buffer positions of those that do not follow each other inside the buffer.
template <typename S>
struct RowReader {
  const SourceParameters& source;
  const char* data;         // of the thread's first pixel in buffer row 0
  bool plain;               // all of the thread's columns lie in the buffer
  int first_row;            // of the strip, in the buffer, where all of them follow each other; else -1
  int total;                // rows of the strip
  const int* row_table;     // else
  const int* column_table;  // of the thread's first column; where it is not plain
  uint32_t outside;

  /// Four rows from row `first` of the strip on. What lies behind the strip's last row is as that row.
  __device__ __forceinline__ void Read(int first, uint32_t (&to)[kGridRows][S::kWords]) const {
    if (plain && first_row >= 0) {
#pragma unroll
      for (int r = 0; r < kGridRows; ++r) {
        const char* const row = data + int64_t{first_row + min(first + r, total - 1)} * source.pitch;
        ReadWords<S>(reinterpret_cast<const uint8_t*>(row), to[r]);
      }
      return;
    }
#pragma unroll
    for (int r = 0; r < kGridRows; ++r) {
      const int at = min(first + r, total - 1);
      const int row = first_row >= 0 ? first_row + at : row_table[at];
      const char* const begin = static_cast<const char*>(source.data) + int64_t{max(row, 0)} * source.pitch;
#pragma unroll
      for (int w = 0; w < S::kWords; ++w) {
        const int column = column_table[w];
        to[r][w] = outside;
        if (row >= 0 && column >= 0) to[r][w] = reinterpret_cast<const uint32_t*>(begin)[column];
      }
    }
  }
};

/// Result `kRow` of the four that the rows `now` complete, `kept` the two rows before them. Sums start at `begin`.
template <ByteFinish kHow, WalkKind kKind, int kRow>
__device__ __forceinline__ void SumRow3(const ByteWalkParameters& p, const uint32_t* weights, int begin,
                                        const uint32_t (&kept)[kKept], const Turned<GridShape<kKind, 4, 3>>& now,
                                        int (&sums)[kGridSamples], int (&others)[kGridSamples]) {
#pragma unroll
  for (int s = 0; s < kGridSamples; ++s) {
    sums[s] = begin;
    others[s] = begin;
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const int at = s + 4 * i;
      if constexpr (kKind == WalkKind::kMagnitude) {
        const uint32_t bytes =
            kRow < 2 ? __byte_perm(kept[at / 2], now.v[at], at % 2 == 0 ? 0x5410 : 0x5432) : now.v[at];
        if (kHow != ByteFinish::kGap || i != 1) sums[s] = AddFour(p.words[i * 4 + kRow % 2], bytes, sums[s]);
        others[s] = AddFour(p.words[i * 4 + 2 + kRow % 2], bytes, others[s]);
      } else {
        const uint32_t* const pair = weights + (i * 2 + kRow % 2) * 2;
        if (kRow < 2) {
          sums[s] = at % 2 == 0 ? AddTwo<0>(pair[0], kept[at / 2], sums[s]) : AddTwo<1>(pair[0], kept[at / 2], sums[s]);
          sums[s] = AddTwo<0>(pair[1], now.v[at], sums[s]);
        } else {
          sums[s] = AddTwo<0>(pair[0], now.v[at], sums[s]);
          sums[s] = AddTwo<1>(pair[1], now.v[at], sums[s]);
        }
      }
    }
  }
}

template <ByteFinish kHow, WalkKind kKind>
__global__ void __launch_bounds__(kWalkThreads, kKind == WalkKind::kMagnitude ? 5 : 6)
    RowsKernel(const __grid_constant__ ByteWalkParameters p) {
  using S = GridShape<kKind, 4, 3>;
  constexpr int kColumns = kWalkThreads * kPixels + 2;
  const SourceParameters& source = p.source;
  const TargetParameters& target = p.target;
  __shared__ int row_table[kShortStrip + 2];
  __shared__ int column_table[kColumns];
  LetNextPrepare();

  const int block_pixel = p.first_sample / 4 + static_cast<int>(blockIdx.x) * kWalkThreads * kPixels;
  const int pixel = block_pixel + static_cast<int>(threadIdx.x) * kPixels;  // from the buffer's first
  const int top = target.y0 + static_cast<int>(blockIdx.y) * p.strip;
  const int outputs = min(p.strip, target.y1 - top);
  const int total = outputs + 2;
  const bool follow = top - 1 >= source.top && top - 1 + total <= source.top + source.rows;
  const bool inside = block_pixel > 0 && block_pixel - 1 + kColumns <= source.columns;
  if (!follow || !inside) {
    FillRowTable(source, row_table, top - 1, total);
    FillColumnTable(source, column_table, source.left + block_pixel - 1, kColumns);
    __syncthreads();
  }
  const int begin = target.x0 - source.left;
  const int end = target.x1 - source.left;
  if (pixel >= end) return;

  WalkStore store(p.finish, target, kKind == WalkKind::kMagnitude);
  store.row = static_cast<char*>(target.data) + int64_t{top - 2 - target.top} * target.pitch +
              (pixel + int64_t{source.left - target.left}) * 4;
  store.before = (begin - pixel) * 4;
  store.wanted = (end - pixel) * 4;
  store.vector = target.vector && store.before <= 0 && store.wanted >= kGridSamples;
  uint32_t weights[S::kWeightWords];
  if constexpr (kKind == WalkKind::kDense) {
#pragma unroll
    for (int i = 0; i < S::kWeightWords; ++i) weights[i] = static_cast<uint32_t>(Pinned(static_cast<int>(p.words[i])));
  }
  const int begin_sum = kHow == ByteFinish::kShift ? Pinned((1 << p.shift) >> 1) : kFloatBits;
  uint32_t outside = 0;
#pragma unroll
  for (int c = 0; c < 4; ++c) outside |= static_cast<uint32_t>(source.outside[c]) << (8 * c);
  const RowReader<S> reader{source,
                            static_cast<const char*>(source.data) + int64_t{pixel} * 4,
                            pixel > 0 && pixel + kPixels < source.columns,
                            follow ? top - 1 - source.top : -1,
                            total,
                            row_table,
                            column_table + static_cast<int>(threadIdx.x) * kPixels,
                            outside};

  AwaitWork();
  uint32_t ahead[kGridRows][S::kWords];
  reader.Read(0, ahead);
  uint32_t kept[kKept] = {};
#pragma unroll 1
  for (int row = -2; row < outputs; row += kGridRows) {
    Turned<S> now;
    now.From(ahead);
    reader.Read(row + 2 + kGridRows, ahead);
    int sums[kGridSamples];
    int others[kGridSamples];
    const auto finish = [&] {
      StoreSums<kHow, kKind, 4>(p, store, 4 * pixel, 0, sums, others);
      store.row += store.pitch;
    };
    if (row >= 0) {
      SumRow3<kHow, kKind, 0>(p, weights, begin_sum, kept, now, sums, others);
      finish();
      if (row + 1 >= outputs) return;
      SumRow3<kHow, kKind, 1>(p, weights, begin_sum, kept, now, sums, others);
      finish();
      if (row + 2 >= outputs) return;
    } else {
      store.row += 2 * store.pitch;
    }
    SumRow3<kHow, kKind, 2>(p, weights, begin_sum, kept, now, sums, others);
    finish();
    if (row + 3 >= outputs) return;
    SumRow3<kHow, kKind, 3>(p, weights, begin_sum, kept, now, sums, others);
    finish();
#pragma unroll
    for (int k = 0; k < kKept; ++k) kept[k] = __byte_perm(now.v[2 * k], now.v[2 * k + 1], 0x7632);
  }
}

template <ByteFinish kHow, WalkKind kKind>
void Launch(const ByteWalkJob& job, ByteWalkParameters* p) {
  LaunchBytes<kGridSamples>(RowsKernel<kHow, kKind>, job, 2, kShortStrip, p);
}

}  // namespace

void LaunchByteRows(const ByteWalkJob& job, ByteFinish how, ByteWalkParameters* p) {
  if (job.weights->kind == WalkKind::kDense) return Launch<ByteFinish::kShift, WalkKind::kDense>(job, p);
  if (how == ByteFinish::kGap) return Launch<ByteFinish::kGap, WalkKind::kMagnitude>(job, p);
  Launch<ByteFinish::kRoot, WalkKind::kMagnitude>(job, p);
}

}  // namespace convolve::cuda
