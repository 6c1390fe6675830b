// The second half of a separable pass: summed columns are summed across, turned back into rows, divided, rounded and
// stored as samples of the destination.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pair_row_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/lanes-inl.h"
#include "cpu/pair_kernels.h"
#include "cpu/pair_taps-inl.h"
#include "engine/view.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

/// Samples of type To from one vector: rounded half away from zero and clamped where To is an integer.
template <typename To, typename T>
HWY_INLINE hn::Vec<hn::Rebind<To, PairTag<T>>> Narrowed(PairVec<T> value) {
  const PairTag<T> d;
  if constexpr (std::is_same_v<To, T>) {
    return value;
  } else {
    // floor(v + h) with h the number just below a half rounds a half up and everything below it down, exactly.
    const auto below_half = hn::Set(d, static_cast<T>(0.5) - std::numeric_limits<T>::epsilon() / 4);
    const auto most = hn::Set(d, static_cast<T>(std::numeric_limits<To>::max()));
    value = hn::IfThenElse(hn::Gt(value, hn::Zero(d)), value, hn::Zero(d));  // not-a-number becomes 0
    value = hn::Add(hn::Min(value, most), below_half);
    const hn::Rebind<int32_t, PairTag<T>> d_int;
    const hn::Rebind<To, PairTag<T>> d_to;
    if constexpr (sizeof(T) == 4) {
      const auto integers = hn::ConvertTo(d_int, value);
#if HWY_TARGET <= HWY_AVX3
      if constexpr (sizeof(To) == 1) return hn::Vec<decltype(d_to)>{_mm512_cvtepi32_epi8(integers.raw)};
#endif
      return hn::DemoteTo(d_to, integers);
    } else {
      return hn::DemoteTo(d_to, hn::DemoteTo(d_int, value));
    }
  }
}

template <typename To, typename T>
HWY_INLINE void StoreRow(const PairRowsJob<T>& job, size_t row, size_t sample, size_t samples, PairVec<T> value) {
  constexpr size_t kLanes = kPairLanes<T>;
  const hn::Rebind<To, PairTag<T>> d_to;
  To* to = static_cast<To*>(job.output[row]) + sample;
  const auto narrow = Narrowed<To, T>(value);
  if (HWY_LIKELY(sample + kLanes <= samples)) {
    if (job.stream) {
      hn::Stream(narrow, d_to, to);
    } else {
      hn::StoreU(narrow, d_to, to);
    }
  } else if (sample < samples) {
    HWY_ALIGN To rest[kLanes];
    hn::Store(narrow, d_to, rest);
    std::memcpy(to, rest, (samples - sample) * sizeof(To));
  }
}

/// One square of sums, turned back: a vector of samples for each row.
template <typename To, typename T>
HWY_INLINE void Finish(const PairRowsJob<T>& job, const AlphaLanes<T>& alpha, size_t sample,
                       PairVec<T> (&sums)[kPairLanes<T>]) {
  const PairTag<T> d;
  constexpr size_t kLanes = kPairLanes<T>;
  const size_t samples = job.pixels * job.channels;
  const PairVec<T> full = hn::Set(d, job.full_scale);
  if (job.divisor != 1) {
    const PairVec<T> divisor = hn::Set(d, job.divisor);
#pragma GCC unroll 16
    for (size_t q = 0; q < kLanes; ++q) sums[q] = hn::Div(sums[q], divisor);
  }
  Turn<T>(sums);
  if (!std::is_integral_v<To> && job.clamp) {
#pragma GCC unroll 16
    for (size_t q = 0; q < kLanes; ++q) {
      sums[q] = hn::IfThenElse(hn::Lt(sums[q], hn::Zero(d)), hn::Zero(d), sums[q]);
      sums[q] = hn::IfThenElse(hn::Gt(sums[q], full), full, sums[q]);
    }
  }
  if (job.opaque) {
    const auto is_alpha = alpha.At(sample);
#pragma GCC unroll 16
    for (size_t q = 0; q < kLanes; ++q) sums[q] = hn::IfThenElse(is_alpha, full, sums[q]);
  }
  if (HWY_LIKELY(job.rows == kLanes)) {
#pragma GCC unroll 16
    for (size_t q = 0; q < kLanes; ++q) StoreRow<To, T>(job, q, sample, samples, sums[q]);
  } else {
    for (size_t q = 0; q < job.rows; ++q) StoreRow<To, T>(job, q, sample, samples, sums[q]);
  }
}

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
  const AlphaLanes<T> alpha(job.opaque ? job.channels : 2);
  for (size_t pixel = 0; pixel < job.pixels; pixel += kLanes) {
    for (size_t pair = 0; pair < job.pairs; ++pair) {
      WithTaps(job.taps[pair], [&](auto taps) HWY_ATTR { SumPixels<T, decltype(taps)>(job, pair, pixel); });
    }
    for (size_t part = 0; part < job.channels; ++part) {
      PairVec<T> sums[kLanes];
#pragma GCC unroll 16
      for (size_t i = 0; i < kLanes; ++i) sums[i] = hn::Load(d, job.turned + (part * kLanes + i) * kLanes);
      Finish<To, T>(job, alpha, pixel * job.channels + part * kLanes, sums);
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
