// The one inner loop of every linear kernel: weighted sums over rows, several output rows and vectors in registers at
// once, each input vector loaded once for all output rows and each weight broadcast once for all vectors.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/sum_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "cpu/kernel_tables.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

/// Sums for R output rows and V vectors from `x` on. Input row r holds row r - q of the kernel for output row q, so the
/// first and last R - 1 input rows serve only some of the output rows: AddRow<Q0, Q1> is the part from Q0 to Q1.
template <typename T, int R, int V>
struct Block {
  using D = hn::ScalableTag<T>;
  using Vec = hn::Vec<D>;

  template <int Q0, int Q1>
  static HWY_INLINE void AddRow(const SumJob<T>& job, const T* HWY_RESTRICT input, const T* HWY_RESTRICT weights,
                                Vec (&sums)[R][V]) {
    const D d;
    const size_t lanes = hn::Lanes(d);
    const size_t stride = job.weight_stride;
    const size_t columns = job.kernel_columns;
    for (size_t i = 0; i < columns; ++i, input += job.step) {
      Vec samples[V];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) samples[v] = hn::LoadU(d, input + static_cast<size_t>(v) * lanes);
#pragma GCC unroll 8
      for (int q = Q0; q <= Q1; ++q) {
        const Vec weight = hn::Set(d, weights[i - static_cast<size_t>(q) * stride]);
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) sums[q][v] = hn::MulAdd(weight, samples[v], sums[q][v]);
      }
    }
  }

  template <int E>
  static HWY_INLINE void AddFirstRows(const SumJob<T>& job, size_t at, Vec (&sums)[R][V]) {
    if constexpr (E < R - 1) {
      AddRow<0, E>(job, job.rows[E] + at, job.weights + E * job.weight_stride, sums);
      AddFirstRows<E + 1>(job, at, sums);
    }
  }

  template <int E>
  static HWY_INLINE void AddLastRows(const SumJob<T>& job, size_t at, Vec (&sums)[R][V]) {
    if constexpr (E < R - 1) {
      const size_t r = job.kernel_rows + E;
      AddRow<E + 1, R - 1>(job, job.rows[r] + at, job.weights + r * job.weight_stride, sums);
      AddLastRows<E + 1>(job, at, sums);
    }
  }

  static HWY_INLINE void Store(const SumJob<T>& job, size_t x, const Vec (&sums)[R][V]) {
    const D d;
    const size_t lanes = hn::Lanes(d);
#pragma GCC unroll 8
    for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        T* HWY_RESTRICT output = job.output[q] + x + static_cast<size_t>(v) * lanes;
        switch (job.mode) {
          case SumMode::kStore:
            hn::StoreU(sums[q][v], d, output);
            break;
          case SumMode::kAdd:
            hn::StoreU(hn::Add(hn::LoadU(d, output), sums[q][v]), d, output);
            break;
          case SumMode::kCompensatedStore: {
            hn::StoreU(sums[q][v], d, output);
            hn::StoreU(hn::Zero(d), d, job.lost[q] + x + static_cast<size_t>(v) * lanes);
            break;
          }
          case SumMode::kCompensatedAdd: {
            T* HWY_RESTRICT lost = job.lost[q] + x + static_cast<size_t>(v) * lanes;
            const Vec before = hn::LoadU(d, output);
            const Vec term = hn::Sub(sums[q][v], hn::LoadU(d, lost));
            const Vec after = hn::Add(before, term);
            hn::StoreU(hn::Sub(hn::Sub(after, before), term), d, lost);
            hn::StoreU(after, d, output);
            break;
          }
        }
      }
    }
  }

  static HWY_INLINE void Run(const SumJob<T>& job, size_t x) {
    const D d;
    Vec sums[R][V];
#pragma GCC unroll 8
    for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) sums[q][v] = hn::Zero(d);
    }
    const size_t at = job.offset + x;
    AddFirstRows<0>(job, at, sums);
    for (size_t r = R - 1; r < job.kernel_rows; ++r) {
      AddRow<0, R - 1>(job, job.rows[r] + at, job.weights + r * job.weight_stride, sums);
    }
    AddLastRows<0>(job, at, sums);
    Store(job, x, sums);
  }
};

template <typename T, int R, int V>
HWY_NOINLINE void SumRows(const SumJob<T>& job) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  size_t x = job.begin;
  for (; x + V * lanes <= job.end; x += V * lanes) Block<T, R, V>::Run(job, x);
  for (; x < job.end; x += lanes) Block<T, R, 1>::Run(job, x);
}

// 32 registers on AVX-512 and NEON, 16 on the others: R * V sums, V samples and a weight must fit.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr int kVectors4 = 4;
inline constexpr int kVectors2 = 4;
#else
inline constexpr int kVectors4 = 2;
inline constexpr int kVectors2 = 4;
#endif
inline constexpr int kVectors1 = 8;

template <typename T>
void Sum(const SumJob<T>& job, int outputs) {
  switch (outputs) {
    case 4:
      return SumRows<T, 4, kVectors4>(job);
    case 2:
      return SumRows<T, 2, kVectors2>(job);
    default:
      return SumRows<T, 1, kVectors1>(job);
  }
}

}  // namespace

template <typename T>
void FillSum(Kernels<T>& kernels) {
  kernels.lanes = hn::Lanes(hn::ScalableTag<T>());
  kernels.sum = &Sum<T>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillSumKernels(int64_t target, Kernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillSum<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillSumKernels<float>(int64_t, Kernels<float>&);
template void FillSumKernels<double>(int64_t, Kernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
