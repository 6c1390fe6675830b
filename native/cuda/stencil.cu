// Temporal blocking by streaming: a block walks down a strip of columns with one row of every step in flight. While row
// r of the input arrives, row r - 2 of the first step's result, r - 4 of the second's ... are read by the steps after
// them, so that a row passes all steps without leaving the multiprocessor. Each thread owns a column of pixels: what it
// computed stays in its registers, its two neighbours' values come from shared memory. The strip loses a column at each
// side with every step; those columns are computed twice, by neighbouring blocks.
// Streaming temporal blocking ("2.5D" blocking): A. Nguyen, N. Satish, J. Chhugani, C. Kim, P. Dubey, "3.5-D Blocking
// Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010.
#include "cuda/border.cuh"
#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/stencil.h"
#include "cuda/store_pixel.cuh"
#include "cuda/strips.h"
#include "engine/error.h"

namespace convolve::cuda {
namespace {

constexpr int kThreads = 128;
/// Blocks of a multiprocessor that the registers must suffice for.
constexpr int kBlocks = 4;
/// A row in shared memory: the threads' pixels and one that lies outside the picture.
constexpr int kRow = kThreads + 1;

template <int C>
struct Pixel {
  float v[C];
};

template <int C>
__device__ __forceinline__ Pixel<C> ReadShared(const float* from) {
  Pixel<C> pixel;
  if constexpr (C == 4) {
    const float4 all = *reinterpret_cast<const float4*>(from);
    pixel.v[0] = all.x;
    pixel.v[1] = all.y;
    pixel.v[2] = all.z;
    pixel.v[3] = all.w;
  } else if constexpr (C == 2) {
    const float2 both = *reinterpret_cast<const float2*>(from);
    pixel.v[0] = both.x;
    pixel.v[1] = both.y;
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) pixel.v[c] = from[c];
  }
  return pixel;
}

template <int C>
__device__ __forceinline__ void WriteShared(float* to, const Pixel<C>& pixel) {
  if constexpr (C == 4) {
    *reinterpret_cast<float4*>(to) = make_float4(pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3]);
  } else if constexpr (C == 2) {
    *reinterpret_cast<float2*>(to) = make_float2(pixel.v[0], pixel.v[1]);
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) to[c] = pixel.v[c];
  }
}

/// to + w[0] * left + w[1] * own + w[2] * right: one row of a kernel.
template <int C>
__device__ __forceinline__ Pixel<C> AddRow(const float* w, const Pixel<C>& left, const Pixel<C>& own,
                                           const Pixel<C>& right, Pixel<C> to) {
#pragma unroll
  for (int c = 0; c < C; ++c) {
    to.v[c] = __fmaf_rn(w[2], right.v[c], __fmaf_rn(w[1], own.v[c], __fmaf_rn(w[0], left.v[c], to.v[c])));
  }
  return to;
}

/// The sums of one step that are under way at a column: of the row before the one that arrives, which only lacks that
/// one, and of its own row, which holds the row before.
template <int C>
struct Sums {
  Pixel<C> before;
  Pixel<C> own;
};

/// Takes in a row of pixels; returns the finished sum of the row before it.
template <int C>
__device__ __forceinline__ Pixel<C> TakeRow(const float* w, const Pixel<C>& left, const Pixel<C>& own,
                                            const Pixel<C>& right, Sums<C>* sums) {
  const Pixel<C> done = AddRow(w + 6, left, own, right, sums->before);
  sums->before = AddRow(w + 3, left, own, right, sums->own);
  sums->own = AddRow(w, left, own, right, Pixel<C>{});
  return done;
}

/// The same for any row number, where the picture begins or ends near it: rows outside are the border's. Where they are
/// copies of rows inside, those rows are added twice; `outside` stands for a constant one.
template <int C>
__device__ __forceinline__ Pixel<C> TakeEdgeRow(const StencilJob& job, int row, const Pixel<C>& left,
                                                const Pixel<C>& own, const Pixel<C>& right, const Pixel<C>& outside,
                                                Sums<C>* sums) {
  const float* w = job.weights;
  const int height = job.source.height;
  const BorderKind border = job.source.border;
  const bool constant = border == BorderKind::kZero || border == BorderKind::kConstant;
  const bool mirror = border == BorderKind::kMirror && height > 1;
  if (row < 0 || row > height) return {};
  if (row == height) return constant ? AddRow(w + 6, outside, outside, outside, sums->before) : sums->before;
  if (row == 0) {
    sums->own = Pixel<C>{};
    if (constant) sums->own = AddRow(w, outside, outside, outside, sums->own);
    if (!constant && !mirror) sums->own = AddRow(w, left, own, right, sums->own);
  }
  Pixel<C> done = AddRow(w + 6, left, own, right, sums->before);
  if (mirror && row == 1) done = AddRow(w, left, own, right, done);
  sums->before = AddRow(w + 3, left, own, right, sums->own);
  if (!constant && !mirror && row == height - 1) sums->before = AddRow(w + 6, left, own, right, sums->before);
  sums->own = AddRow(w, left, own, right, Pixel<C>{});
  if (mirror && row == height - 2) sums->own = AddRow(w + 6, left, own, right, sums->own);
  return done;
}

/// Where a thread finds the pixel at `x`: its place in a row of shared memory.
__device__ __forceinline__ int PlaceOf(const SourceParameters& source, bool bordered, int x, int first) {
  const int mapped = bordered ? MapPosition(source.border, x, source.width) : x;
  return bordered && mapped < 0 ? kThreads : min(max(mapped - first, 0), kThreads - 1);
}

template <int C>
__device__ __forceinline__ Pixel<C> LoadRow(const SourceParameters& source, int x, int row) {
  const int mapped = source.bordered && source.border == BorderKind::kWrap ? Modulo(row, source.height) : row;
  Pixel<C> pixel;
  LoadOwn<C>(source, x, min(max(mapped, source.top), source.top + source.rows - 1), pixel.v);
  return pixel;
}

/// What a block works with for all its turns.
template <int C>
struct Strip {
  int first_y;      // row of the picture that arrives in turn 0
  int y0, y1;       // rows to store
  int x;            // the thread's column
  bool stores;      // whether that column is stored
  int left, right;  // where the neighbours lie in a row of shared memory, in floats
  Pixel<C> outside;
};

/// One row further in every step. `from`, `to`: the rows that the steps read and that they make; `arrived`: the
/// thread's own pixel of each row that is read. kSteps 0: as many steps as the job says, else so many; kEdge: the
/// picture may end near one of the rows.
template <int C, int kSteps, bool kEdge>
__device__ __forceinline__ void TakeTurn(const StencilJob& job, const Strip<C>& strip, bool bounded, int turn,
                                         const float* from, float* to, Pixel<C>* arrived, Sums<C>* sums) {
  constexpr int kStepFloats = kRow * C;
  constexpr int kMost = kSteps > 0 ? kSteps : kStencilSteps;
  const int steps = kSteps > 0 ? kSteps : job.steps;
#pragma unroll
  for (int t = kMost - 1; t >= 0; --t) {
    if (t >= steps) continue;
    const Pixel<C> left = ReadShared<C>(from + t * kStepFloats + strip.left);
    const Pixel<C> right = ReadShared<C>(from + t * kStepFloats + strip.right);
    const int row = strip.first_y + turn - 2 * t;
    Pixel<C> done = kEdge ? TakeEdgeRow(job, row, left, arrived[t], right, strip.outside, &sums[t])
                          : TakeRow(job.weights, left, arrived[t], right, &sums[t]);
    if (bounded) {
#pragma unroll
      for (int c = 0; c < C; ++c) done.v[c] = Bounded(done.v[c], 0.0f, job.full_scale);
    }
    if constexpr (C == 2 || C == 4) done.v[C - 1] = job.opaque ? job.full_scale : done.v[C - 1];
    if (t == steps - 1) {
      if (strip.stores && row - 1 >= strip.y0 && row - 1 < strip.y1) {
        FinishSamples<C, C>(job.finish, done.v, nullptr);
        WritePixel<C>(job.target, strip.x, row - 1, done.v);
      }
    } else if (t + 1 < kMost) {
      arrived[t + 1] = done;
      WriteShared(to + (t + 1) * kStepFloats, done);
    }
  }
}

template <int C, int kSteps, bool kBounded>
__global__ void __launch_bounds__(kThreads, kBlocks)
    StencilKernel(const __grid_constant__ StencilJob job, int strip_rows) {
  extern __shared__ float4 shared_memory[];
  float* const shared = reinterpret_cast<float*>(shared_memory);  // [2][kStencilSteps][kRow][C]
  constexpr int kStepFloats = kRow * C;
  constexpr int kHalfFloats = kStencilSteps * kStepFloats;
  const SourceParameters& source = job.source;
  const int steps = kSteps > 0 ? kSteps : job.steps;
  const bool bounded = kSteps > 0 ? kBounded : job.bounded;
  const int thread = static_cast<int>(threadIdx.x);
  const int first_x = job.target.x0 + static_cast<int>(blockIdx.x) * (kThreads - 2 * steps) - steps;
  // A border that repeats pixels is resolved between steps; wrapped pixels are simply computed again.
  const bool bordered = source.bordered && source.border != BorderKind::kWrap;
  Strip<C> strip;
  strip.x = first_x + thread;
  strip.y0 = job.target.y0 + static_cast<int>(blockIdx.y) * strip_rows;
  strip.y1 = min(strip.y0 + strip_rows, job.target.y1);
  strip.first_y = strip.y0 - steps;
  strip.stores = thread >= steps && thread < kThreads - steps && strip.x < job.target.x1;
  strip.left = PlaceOf(source, bordered, strip.x - 1, first_x) * C;
  strip.right = PlaceOf(source, bordered, strip.x + 1, first_x) * C;
#pragma unroll
  for (int c = 0; c < C; ++c) strip.outside.v[c] = source.outside[c];
  const int mapped_x = source.bordered ? max(MapPosition(source.border, strip.x, source.width), 0) : strip.x;
  const int load_x = min(max(mapped_x, source.left), source.left + source.columns - 1);
  for (int i = thread; i < 2 * kStencilSteps; i += kThreads) {
    WriteShared(shared + i * kStepFloats + kThreads * C, strip.outside);
  }

  Sums<C> sums[kStencilSteps] = {};
  Pixel<C> arrived[kStencilSteps] = {};
  arrived[0] = LoadRow<C>(source, load_x, strip.first_y);
#pragma unroll
  for (int t = 0; t < kStencilSteps; ++t) WriteShared(shared + t * kStepFloats + thread * C, arrived[t]);
  Pixel<C> next = LoadRow<C>(source, load_x, strip.first_y + 1);
  __syncthreads();

  const int turns = strip.y1 - strip.y0 + 3 * steps - 1;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
    const float* const from = shared + (turn & 1) * kHalfFloats;
    float* const to = shared + (~turn & 1) * kHalfFloats + thread * C;
    const int newest = strip.first_y + turn;
    const bool edge = bordered && (newest - 2 * (steps - 1) <= 1 || newest >= source.height - 2);
    if (edge) {
      TakeTurn<C, kSteps, true>(job, strip, bounded, turn, from, to, arrived, sums);
    } else {
      TakeTurn<C, kSteps, false>(job, strip, bounded, turn, from, to, arrived, sums);
    }
    arrived[0] = next;
    WriteShared(to, next);
    next = LoadRow<C>(source, load_x, newest + 2);
    __syncthreads();
  }
}

template <int C, int kSteps, bool kBounded>
void LaunchAs(const StencilJob& job, int multiprocessors, cudaStream_t stream) {
  constexpr int kShared = 2 * kStencilSteps * kRow * C * static_cast<int>(sizeof(float));
  static const int blocks = [] {
    int count = 0;
    Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, StencilKernel<C, kSteps, kBounded>, kThreads, kShared),
          "stencil");
    return count < 1 ? 1 : count;
  }();
  const int width = job.target.x1 - job.target.x0;
  const int height = job.target.y1 - job.target.y0;
  const int across = (width + kThreads - 2 * job.steps - 1) / (kThreads - 2 * job.steps);
  constexpr int kStep = 8;
  const int strip = StripRows(height, across, blocks * multiprocessors, 3 * job.steps - 1, kStep, 1 << 20);
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>((height + strip - 1) / strip));
  StencilKernel<C, kSteps, kBounded><<<grid, kThreads, kShared, stream>>>(job, strip);
  Check(cudaGetLastError(), "stencil");
}

/// Trips of the most steps, which long runs consist of, have code of their own: without a test between the steps the
/// reads of one go on while another computes.
template <int C>
void Launch(const StencilJob& job, int multiprocessors, cudaStream_t stream) {
  if (job.steps < kStencilSteps) return LaunchAs<C, 0, false>(job, multiprocessors, stream);
  if (job.bounded) return LaunchAs<C, kStencilSteps, true>(job, multiprocessors, stream);
  LaunchAs<C, kStencilSteps, false>(job, multiprocessors, stream);
}

}  // namespace

void LaunchStencil(const StencilJob& job, int channels, int multiprocessors, cudaStream_t stream) {
  if (job.steps < 1 || job.steps > kStencilSteps) throw Error(ErrorCode::kInternal, "cuda: stencil steps");
  WithChannels(channels, [&](auto c) { Launch<c()>(job, multiprocessors, stream); });
}

}  // namespace convolve::cuda
