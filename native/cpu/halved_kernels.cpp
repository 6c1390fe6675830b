// Grids of floats by three quarters of the multiplications: neighbouring rows of results share their work, after Mou
// and Duhamel, Short-Length FIR Filters and Their Use in Fast Nonrecursive Filtering, 1991. With two rows of weights u
// and v and three rows of samples x:
//   y[0] = u x[0] + v x[1] = u (x[0] - x[1]) + (u + v) x[1]
//   y[1] = u x[1] + v x[2] = (u + v) x[1] - v (x[1] - x[2])
// A last row u alone is u x[0] and u x[0] - u (x[0] - x[1]). Either result sees the samples of its own window and no
// others, so that it does not matter which rows are computed together, only which of them are pairs: direct_block.cpp
// pairs rows of the result from the first one on.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/halved_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <utility>

#include "cpu/direct-inl.h"
#include "cpu/halved_plan.h"
#include "cpu/kernel_tables.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

// Twelve sums and the weights of a column stay in registers, of which others have too few.
#if HWY_TARGET <= HWY_AVX3

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

/// A vector of kPairs pairs of rows under a kernel of kRows rows.
template <int kRows, int kPairs>
struct Halved {
  static constexpr int kTaps = (kRows + 1) / 2;  // pairs of rows of weights
  static constexpr int kWindow = 2 * kPairs + kRows - 1;
  using Rows = Direct<float, float, 2 * kPairs, 1>;

  struct Sums {
    V first[kPairs];   // u (x[0] - x[1])
    V both[kPairs];    // (u + v) x[1]
    V second[kPairs];  // v (x[1] - x[2])
  };

  static HWY_INLINE V Row(const std::byte* const* rows, size_t at, int row) {
    if (row >= kWindow) return hn::Zero(D());
    V samples = hn::LoadU(D(), reinterpret_cast<const float*>(rows[row]) + at);
    KeepInRegister(samples);
    return samples;
  }

  /// Adds the window's rows from 2 * kRow on, of which x0 is the first, times one column of weights.
  template <int kRow>
  static HWY_INLINE void AddRows(const std::byte* const* rows, size_t at, const float* weights, V x0, Sums& sums) {
    if constexpr (kRow < kPairs + kTaps - 1) {
      const D d;
      const V x1 = Row(rows, at, 2 * kRow + 1);
      const V x2 = Row(rows, at, 2 * kRow + 2);
      const V first = hn::Sub(x0, x1);
      const V second = hn::Sub(x1, x2);
#pragma GCC unroll 8
      for (int pair = 0; pair < kPairs; ++pair) {
        const int tap = kRow - pair;
        if (tap < 0 || tap >= kTaps) continue;
        const V u = hn::Set(d, weights[3 * tap]);
        if (2 * tap + 1 == kRows) {
          sums.both[pair] = hn::MulAdd(u, x0, sums.both[pair]);
          sums.second[pair] = hn::MulAdd(u, first, sums.second[pair]);
          continue;
        }
        sums.first[pair] = hn::MulAdd(u, first, sums.first[pair]);
        sums.both[pair] = hn::MulAdd(hn::Set(d, weights[3 * tap + 1]), x1, sums.both[pair]);
        sums.second[pair] = hn::MulAdd(hn::Set(d, weights[3 * tap + 2]), second, sums.second[pair]);
      }
      AddRows<kRow + 1>(rows, at, weights, x2, sums);
    }
  }

  /// kClamps: nothing but a clamp happens to the sums.
  template <bool kClamps>
  static HWY_INLINE void Run(const Ending<float>& ending, size_t x, bool stream) {
    const DirectJob<float>& job = ending.job;
    const D d;
    Sums sums;
#pragma GCC unroll 8
    for (int pair = 0; pair < kPairs; ++pair) sums.first[pair] = sums.both[pair] = sums.second[pair] = hn::Zero(d);
    size_t at = x;
    const float* weights = job.halved.weights;
    for (size_t column = 0; column < job.halved.columns; ++column, at += job.step, weights += 3 * kTaps) {
      AddRows<0>(job.rows, at, weights, Row(job.rows, at, 0), sums);
    }
    typename Rows::Sums results;
#pragma GCC unroll 8
    for (int pair = 0; pair < kPairs; ++pair) {
      results[2 * pair][0] = hn::Add(sums.first[pair], sums.both[pair]);
      results[2 * pair + 1][0] = hn::Sub(sums.both[pair], sums.second[pair]);
    }
    if constexpr (kClamps) {
#pragma GCC unroll 8
      for (int q = 0; q < 2 * kPairs; ++q) {
        results[q][0] = Clamped<float>(results[q][0], ending.in_range.zero, ending.in_range.full);
      }
    } else {
      if (job.needs_epilogue) Rows::AddInput(job, x, results);
      Rows::FinishAll(ending, x, results);
    }
    Put(job, x, stream, results);
  }

  static HWY_INLINE void Put(const DirectJob<float>& job, size_t x, bool stream, const typename Rows::Sums& results) {
    std::byte* const* const output = job.output;
    const auto at = [&](int q) HWY_ATTR { return reinterpret_cast<float*>(output[q]) + x; };
    if (stream) {
#pragma GCC unroll 8
      for (int q = 0; q < 2 * kPairs; ++q) hn::Stream(results[q][0], D(), at(q));
    } else {
#pragma GCC unroll 8
      for (int q = 0; q < 2 * kPairs; ++q) hn::StoreU(results[q][0], D(), at(q));
    }
  }
};

template <int kRows, int kPairs, bool kClamps>
HWY_NOINLINE void HalvedRows(const Ending<float>& ending) {
  const DirectJob<float>& job = ending.job;
  const size_t lanes = hn::Lanes(D());
  using Block = Halved<kRows, kPairs>;
  const ptrdiff_t missing = job.stream && job.samples >= 2 * lanes ? SamplesToAlignment(job, 2 * kPairs) : -1;
  if (missing > 0) Block::template Run<kClamps>(ending, 0, false);
  size_t x = missing > 0 ? static_cast<size_t>(missing) : 0;
  for (; x + lanes <= job.samples; x += lanes) Block::template Run<kClamps>(ending, x, missing >= 0);
  if (x == job.samples) return;
  if (!job.padded) x = job.samples - lanes;  // some samples twice: the same again
  Block::template Run<kClamps>(ending, x, false);
}

template <int... kIndex>
void HalvedRowsOf(const DirectJob<float>& job, int outputs, std::integer_sequence<int, kIndex...> /*sizes*/) {
  const Ending<float> ending(job);
  const bool opaque = job.finish.alpha == AlphaWork::kOpaque;
  const bool clamps = !job.needs_epilogue && job.needs_finish && ending.plain && !opaque;
  const auto run = [&](auto size) HWY_ATTR {
    if (job.halved.rows != size()) return;
    if (outputs != kHalvedAtOnce) return HalvedRows<size(), 1, false>(ending);
    clamps ? HalvedRows<size(), kHalvedAtOnce / 2, true>(ending) : HalvedRows<size(), kHalvedAtOnce / 2, false>(ending);
  };
  (run(std::integral_constant<int, kLeastHalvedHeight + kIndex>()), ...);
}

void RowsOf(const DirectJob<float>& job, int outputs) {
  HalvedRowsOf(job, outputs, std::make_integer_sequence<int, kMostHalvedHeight - kLeastHalvedHeight + 1>());
}

#endif

}  // namespace

void FillHalved([[maybe_unused]] Kernels<float>& kernels) {
#if HWY_TARGET <= HWY_AVX3
  kernels.halved = &RowsOf;
#endif
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <>
void FillHalvedKernels<float>(int64_t target, Kernels<float>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillHalved(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template <>
void FillHalvedKernels<double>(int64_t /*target*/, Kernels<double>& /*kernels*/) {}

}  // namespace convolve::cpu
#endif  // HWY_ONCE
