// Sums over a list of taps: several output rows and vectors in registers, each tap's weight broadcast once for all of
// them. The work is one multiply-add for each tap and vector, whatever the size of the kernel that the taps lie in.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/sparse_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <map>

#include "cpu/sparse_kernels.h"
#include "cpu/targets.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

/// Adds the sums of a chain to what the output row holds already.
template <typename T>
HWY_INLINE void StoreSum(const SparseJob<T>& job, int q, size_t x, hn::Vec<hn::ScalableTag<T>> sum) {
  const hn::ScalableTag<T> d;
  T* HWY_RESTRICT output = job.output[q] + x;
  switch (job.mode) {
    case SumMode::kStore:
      return hn::StoreU(sum, d, output);
    case SumMode::kAdd:
      return hn::StoreU(hn::Add(hn::LoadU(d, output), sum), d, output);
    case SumMode::kCompensatedStore:
      hn::StoreU(sum, d, output);
      return hn::StoreU(hn::Zero(d), d, job.lost[q] + x);
    case SumMode::kCompensatedAdd: {
      T* HWY_RESTRICT lost = job.lost[q] + x;
      const auto before = hn::LoadU(d, output);
      const auto term = hn::Sub(sum, hn::LoadU(d, lost));
      const auto after = hn::Add(before, term);
      hn::StoreU(hn::Sub(hn::Sub(after, before), term), d, lost);
      return hn::StoreU(after, d, output);
    }
  }
}

template <typename T, int R, int V>
HWY_INLINE void SumBlock(const SparseJob<T>& job, size_t x) {
  using D = hn::ScalableTag<T>;
  const D d;
  const size_t lanes = hn::Lanes(d);
  hn::Vec<D> sums[R][V];
#pragma GCC unroll 8
  for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) sums[q][v] = hn::Zero(d);
  }
  for (size_t t = 0; t < job.tap_count; ++t) {
    const SparseTap<T>& tap = job.taps[t];
    const hn::Vec<D> weight = hn::Set(d, tap.weight);
    const size_t at = tap.offset + job.offset + x;
#pragma GCC unroll 8
    for (int q = 0; q < R; ++q) {
      const T* HWY_RESTRICT input = job.rows[tap.row + static_cast<size_t>(q)] + at;
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        sums[q][v] = hn::MulAdd(weight, hn::LoadU(d, input + static_cast<size_t>(v) * lanes), sums[q][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) StoreSum<T>(job, q, x + static_cast<size_t>(v) * lanes, sums[q][v]);
  }
}

template <typename T, int R, int V>
HWY_NOINLINE void SumRows(const SparseJob<T>& job) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  size_t x = 0;
  for (; x + V * lanes <= job.samples; x += V * lanes) SumBlock<T, R, V>(job, x);
  for (; x < job.samples; x += lanes) SumBlock<T, R, 1>(job, x);
}

// R * V sums and a weight must fit into 32 registers on AVX-512 and NEON, 16 on the others.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr int kVectors4 = 4;
#else
inline constexpr int kVectors4 = 2;
#endif

template <typename T>
void Sum(const SparseJob<T>& job, int outputs) {
  switch (outputs) {
    case 4:
      return SumRows<T, 4, kVectors4>(job);
    case 2:
      return SumRows<T, 2, 4>(job);
    default:
      return SumRows<T, 1, 8>(job);
  }
}

template <typename T>
bool Finite(const T* row, size_t samples) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  hn::Vec<hn::ScalableTag<T>> sum = hn::Zero(d);
  size_t i = 0;
  for (; i + lanes <= samples; i += lanes) sum = hn::MulAdd(hn::LoadU(d, row + i), hn::Zero(d), sum);
  for (; i < samples; ++i) {
    if (row[i] * 0 != 0) return false;
  }
  return hn::AllTrue(d, hn::Eq(sum, hn::Zero(d)));
}

}  // namespace

template <typename T>
void FillSparse(SparseKernels<T>& kernels) {
  kernels.sum = &Sum<T>;
  kernels.finite = &Finite<T>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

namespace {

template <typename T>
std::map<int64_t, SparseKernels<T>> MakeSparseTables() {
  std::map<int64_t, SparseKernels<T>> tables;
  for (const Target& target : AvailableTargets()) {
    SparseKernels<T>& table = tables[target.bit];
    switch (target.bit) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    space::FillSparse<T>(table);  \
    break;
      CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
    }
  }
  return tables;
}

}  // namespace

template <typename T>
const SparseKernels<T>& SparseKernelsFor(int64_t target) {
  static const std::map<int64_t, SparseKernels<T>> tables = MakeSparseTables<T>();
  return tables.at(target);
}

template const SparseKernels<float>& SparseKernelsFor<float>(int64_t);
template const SparseKernels<double>& SparseKernelsFor<double>(int64_t);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
