// The fused loop of linear kernels and magnitudes: rows of samples in, rows of a result out, everything in between in
// registers.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/direct_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <type_traits>

#include "cpu/direct-inl.h"
#include "cpu/gradient-inl.h"
#include "cpu/kernel_tables.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

template <typename T, typename From, int R, int V, bool kMagnitude>
HWY_NOINLINE void DirectRows(const DirectJob<T>& job) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const Ending<T> ending(job);
  const bool stream = job.stream && !job.to_integers && job.samples >= 2 * V * lanes;
  const ptrdiff_t missing = stream ? SamplesToAlignment(job, R) : -1;
  if (missing > 0) Direct<T, From, R, 1>::template Run<kMagnitude>(ending, 0, false);
  size_t x = missing > 0 ? static_cast<size_t>(missing) : 0;
  for (; x + V * lanes <= job.samples; x += V * lanes) {
    Direct<T, From, R, V>::template Run<kMagnitude>(ending, x, missing >= 0);
  }
  for (; x < job.samples; x += lanes) {
    if (!job.padded && x + lanes > job.samples) x = job.samples - lanes;  // some samples twice: the same again
    Direct<T, From, R, 1>::template Run<kMagnitude>(ending, x, false);
  }
}

template <typename T, typename From, int R, int V, bool kClamps>
HWY_NOINLINE void GradientRows(const Ending<T>& ending) {
  const DirectJob<T>& job = ending.job;
  const size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const GradientRow<T, From, kClamps> row(ending);
  const bool stream = job.stream && !job.to_integers && job.samples >= 2 * V * lanes;
  const ptrdiff_t missing = stream ? SamplesToAlignment(job, R) : -1;
  if (missing > 0) row.template Run<R, 1>(0, false);
  size_t x = missing > 0 ? static_cast<size_t>(missing) : 0;
  for (; x + V * lanes <= job.samples; x += V * lanes) row.template Run<R, V>(x, missing >= 0);
  for (; x < job.samples; x += lanes) {
    if (!job.padded && x + lanes > job.samples) x = job.samples - lanes;  // some samples twice: the same again
    row.template Run<R, 1>(x, false);
  }
}

template <typename T, typename From, int R>
void Gradients(const DirectJob<T>& job) {
  const Ending<T> ending(job);
  IsClampedLength(job) ? GradientRows<T, From, R, 2, true>(ending) : GradientRows<T, From, R, 1, false>(ending);
}

// 32 registers on AVX-512 and NEON, 16 on the others: sums, V samples and a weight must fit.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr int kVectors = 4;
#else
inline constexpr int kVectors = 2;
#endif

template <typename T, typename From>
void DirectRowsOf(const DirectJob<T>& job, int outputs) {
  if (job.gradient) return outputs == 4 ? Gradients<T, From, 4>(job) : Gradients<T, From, 1>(job);
  if (job.magnitude) {
    if (outputs == 4) return DirectRows<T, From, 4, kVectors / 2, true>(job);
    return DirectRows<T, From, 1, kVectors, true>(job);
  }
  if (outputs == 4) return DirectRows<T, From, 4, kVectors, false>(job);
  return DirectRows<T, From, 1, 2 * kVectors, false>(job);
}

}  // namespace

template <typename T>
void FillDirect(Kernels<T>& kernels) {
  using Integer = std::conditional_t<sizeof(T) == 4, uint8_t, uint16_t>;
  kernels.direct[0] = &DirectRowsOf<T, T>;
  kernels.direct[1] = &DirectRowsOf<T, Integer>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillDirectKernels(int64_t target, Kernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillDirect<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillDirectKernels<float>(int64_t, Kernels<float>&);
template void FillDirectKernels<double>(int64_t, Kernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
