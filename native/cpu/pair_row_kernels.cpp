// The second half of a separable pass: summed columns are summed across, turned back into rows, divided, rounded and
// stored as samples of the destination.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pair_row_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "cpu/pair_finish-inl.h"
#include "cpu/pair_kernels.h"
#include "cpu/pair_taps-inl.h"
#include "engine/view.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

/// Sums one pair for kPairLanes pixels from `pixel` on into job.turned, or adds it to what is there.
template <typename T, class Taps>
HWY_NOINLINE void SumPixels(const PairRowsJob<T>& job, size_t pair, size_t pixel) {
  const PairTag<T> d;
  constexpr size_t kLanes = kPairLanes<T>;
  const size_t channels = job.channels;
  const size_t step = channels * kLanes;
  for (size_t c = 0; c < channels; ++c) {
    const T* HWY_RESTRICT input = job.inputs[pair] + (pixel * channels + c) * kLanes;
    T* HWY_RESTRICT turned = job.turned + c * kLanes;
    PairVec<T> sums[kLanes];
    Taps::SumAll(
        job.taps[pair], [&](size_t i) HWY_ATTR { return hn::Load(d, input + i * step); }, sums);
    if (pair == 0) {
#pragma GCC unroll 16
      for (size_t i = 0; i < kLanes; ++i) hn::Store(sums[i], d, turned + i * step);
    } else {
#pragma GCC unroll 16
      for (size_t i = 0; i < kLanes; ++i)
        hn::Store(hn::Add(hn::Load(d, turned + i * step), sums[i]), d, turned + i * step);
    }
  }
}

template <typename To, typename T>
void Rows(const PairRowsJob<T>& job) {
  const PairTag<T> d;
  constexpr size_t kLanes = kPairLanes<T>;
  const Finisher<To, PairTag<T>, kLanes> finisher(job);
  for (size_t pixel = 0; pixel < job.pixels; pixel += kLanes) {
    for (size_t pair = 0; pair < job.pairs; ++pair) {
      WithTaps(job.taps[pair], [&](auto taps) HWY_ATTR { SumPixels<T, decltype(taps)>(job, pair, pixel); });
    }
    for (size_t part = 0; part < job.channels; ++part) {
      PairVec<T> sums[kLanes];
#pragma GCC unroll 16
      for (size_t i = 0; i < kLanes; ++i) sums[i] = hn::Load(d, job.turned + (part * kLanes + i) * kLanes);
      if (job.divisor != 1) {
        const PairVec<T> divisor = hn::Set(d, job.divisor);
#pragma GCC unroll 16
        for (size_t i = 0; i < kLanes; ++i) sums[i] = hn::Div(sums[i], divisor);
      }
      Turn<T>(sums);
      finisher.Put(pixel * job.channels + part * kLanes, sums);
    }
  }
}

}  // namespace

template <typename T>
void FillRows(PairKernels<T>& kernels) {
  const auto at = [](SampleType type) { return static_cast<size_t>(type); };
  if constexpr (sizeof(T) == 4) {
    kernels.rows[at(SampleType::kU8)] = &Rows<uint8_t, T>;
    kernels.rows[at(SampleType::kF32)] = &Rows<float, T>;
  } else {
    kernels.rows[at(SampleType::kU16)] = &Rows<uint16_t, T>;
    kernels.rows[at(SampleType::kF64)] = &Rows<double, T>;
  }
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillPairRows(int64_t target, PairKernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillRows<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillPairRows<float>(int64_t, PairKernels<float>&);
template void FillPairRows<double>(int64_t, PairKernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
