// The first half of a separable pass: columns of the source's own samples, widened in registers, summed down for a
// group of rows and turned, so that the second half finds one vector for each column.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pair_column_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <type_traits>

#include "cpu/pair_kernels.h"
#include "cpu/pair_taps-inl.h"
#include "engine/view.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

template <typename From, typename T>
HWY_INLINE PairVec<T> Widened(const From* from) {
  const PairTag<T> d;
  if constexpr (std::is_same_v<From, T>) {
    return hn::LoadU(d, from);
  } else {
    const auto integers =
        hn::PromoteTo(hn::Rebind<int32_t, PairTag<T>>(), hn::LoadU(hn::Rebind<From, PairTag<T>>(), from));
    if constexpr (sizeof(T) == 4) {
      return hn::ConvertTo(d, integers);
    } else {
      return hn::PromoteTo(d, integers);
    }
  }
}

template <typename From, typename T, class Taps>
HWY_NOINLINE void ColumnsWith(const PairColumnsJob<T>& job) {
  const PairTag<T> d;
  constexpr size_t kLanes = kPairLanes<T>;
  const void* const* const rows = job.rows;
  for (size_t x = 0; x < job.samples; x += kLanes) {
    const size_t at = std::min(x, job.samples - kLanes);
    PairVec<T> sums[kLanes];
    const size_t from = job.begin + at;
    FetchAhead<From>(rows, job.taps.count + kLanes - 1, x);
    Taps::SumAll(
        job.taps, [&](size_t i) HWY_ATTR { return Widened<From, T>(static_cast<const From*>(rows[i]) + from); }, sums);
    if (job.output_stride != 0) {
#pragma GCC unroll 16
      for (size_t q = 0; q < kLanes; ++q) hn::StoreU(sums[q], d, job.output + q * job.output_stride + at);
      continue;
    }
    Turn<T>(sums);
    T* HWY_RESTRICT output = job.output + at * kLanes;
#pragma GCC unroll 16
    for (size_t i = 0; i < kLanes; ++i) hn::Store(sums[i], d, output + i * kLanes);
  }
}

template <typename From, typename T>
void Columns(const PairColumnsJob<T>& job) {
  WithTaps(job.taps, [&](auto taps) HWY_ATTR { ColumnsWith<From, T, decltype(taps)>(job); });
}

}  // namespace

template <typename T>
void FillColumns(PairKernels<T>& kernels) {
  const auto at = [](SampleType type) { return static_cast<size_t>(type); };
  kernels.lanes = kPairLanes<T>;
  if constexpr (sizeof(T) == 4) {
    kernels.columns[at(SampleType::kU8)] = &Columns<uint8_t, T>;
    kernels.columns[at(SampleType::kF32)] = &Columns<float, T>;
  } else {
    kernels.columns[at(SampleType::kU16)] = &Columns<uint16_t, T>;
    kernels.columns[at(SampleType::kF64)] = &Columns<double, T>;
  }
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillPairColumns(int64_t target, PairKernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillColumns<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillPairColumns<float>(int64_t, PairKernels<float>&);
template void FillPairColumns<double>(int64_t, PairKernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
