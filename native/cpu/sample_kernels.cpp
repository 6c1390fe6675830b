// Samples of an image become working values, and working values become samples of a destination: conversion, scaling,
// rounding half away from zero, clamping. Exactly the given number of samples is read and written on the image's side.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/sample_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/kernel_tables.h"
#include "cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

/// One vector of working values from samples of type From.
template <typename From, typename T, class D>
HWY_INLINE hn::Vec<D> LoadVector(D d, const From* from) {
  if constexpr (std::is_same_v<From, T>) {
    return hn::LoadU(d, from);
  } else if constexpr (std::is_integral_v<From>) {
    const hn::Rebind<From, D> d_from;
    const hn::Rebind<int32_t, D> d_int;
    const auto integers = hn::PromoteTo(d_int, hn::LoadU(d_from, from));
    if constexpr (sizeof(T) == 4) {
      return hn::ConvertTo(d, integers);
    } else {
      return hn::PromoteTo(d, integers);
    }
  } else if constexpr (sizeof(From) < sizeof(T)) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<From, D>(), from));
  } else {
    const hn::Rebind<From, D> d_from;
    return ToSingle(d_from, hn::LoadU(d_from, from));
  }
}

template <typename From, typename T>
struct LoadTag {
  // Tags count lanes by the wider type, so that neither side needs more than one vector.
  using Wide = std::conditional_t<(sizeof(From) > sizeof(T)), From, T>;
  using D = hn::Rebind<T, hn::ScalableTag<Wide>>;
};

template <typename From, typename T>
void Load(const void* source, size_t samples, T* row) {
  const typename LoadTag<From, T>::D d;
  const size_t lanes = hn::Lanes(d);
  const From* from = static_cast<const From*>(source);
  size_t i = 0;
  for (; i + lanes <= samples; i += lanes) hn::StoreU(LoadVector<From, T>(d, from + i), d, row + i);
  if (i == samples) return;
  From rest[64] = {};
  std::memcpy(rest, from + i, (samples - i) * sizeof(From));
  hn::StoreU(LoadVector<From, T>(d, rest), d, row + i);
}

/// Writes one vector of working values, scaled to the destination, as samples of type To.
template <typename T, typename To, class D>
HWY_INLINE void StoreVector(D d, hn::Vec<D> value, To* to) {
  if constexpr (std::is_integral_v<To>) {
    // floor(v + h) with h the number just below a half rounds a half up and everything below it down, exactly.
    const auto below_half = hn::Set(d, static_cast<T>(0.5) - std::numeric_limits<T>::epsilon() / 4);
    const auto most = hn::Set(d, static_cast<T>(std::numeric_limits<To>::max()));
    value = hn::IfThenElse(hn::Gt(value, hn::Zero(d)), value, hn::Zero(d));  // not-a-number becomes 0
    value = hn::Add(hn::Min(value, most), below_half);
    const hn::Rebind<int32_t, D> d_int;
    const hn::Rebind<To, D> d_to;
    if constexpr (sizeof(T) == 4) {
      hn::StoreU(hn::DemoteTo(d_to, hn::ConvertTo(d_int, value)), d_to, to);
    } else {
      hn::StoreU(hn::DemoteTo(d_to, hn::DemoteTo(d_int, value)), d_to, to);
    }
  } else if constexpr (std::is_same_v<T, To>) {
    hn::StoreU(value, d, to);
  } else if constexpr (sizeof(To) > sizeof(T)) {
    const hn::Rebind<To, D> d_to;
    hn::StoreU(hn::PromoteTo(d_to, value), d_to, to);
  } else {
    hn::StoreU(ToSingle(d, value), hn::Rebind<To, D>(), to);
  }
}

template <typename T, typename To>
void Store(const StoreJob<T>& job) {
  const typename LoadTag<To, T>::D d;
  const size_t lanes = hn::Lanes(d);
  To* to = static_cast<To*>(job.destination);
  const auto multiplier = hn::Set(d, job.multiplier);
  const auto divisor = hn::Set(d, job.divisor);
  const auto full = hn::Set(d, static_cast<T>(job.destination_full_scale));
  const size_t channels = job.opaque_channels;
  HWY_ALIGN T pattern[64 / sizeof(T) + 4];
  for (size_t i = 0; channels != 0 && i < 64 / sizeof(T) + 4; ++i) {
    pattern[i] = i % channels == channels - 1 ? T{1} : T{0};
  }
  for (size_t i = 0; i < job.samples; i += lanes) {
    auto value = hn::LoadU(d, job.row + i);
    if (job.multiplier != 1) value = hn::Mul(value, multiplier);
    if (job.divisor != 1) value = hn::Div(value, divisor);
    if (channels != 0) {
      value = hn::IfThenElse(hn::Gt(hn::LoadU(d, pattern + i % channels), hn::Zero(d)), full, value);
    }
    if (i + lanes <= job.samples) {
      StoreVector<T, To>(d, value, to + i);
    } else {
      To rest[64];
      StoreVector<T, To>(d, value, rest);
      std::memcpy(to + i, rest, (job.samples - i) * sizeof(To));
    }
  }
}

}  // namespace

template <typename T>
void FillSamples(Kernels<T>& kernels) {
  const auto at = [](SampleType type) { return static_cast<size_t>(type); };
  if constexpr (sizeof(T) == 4) kernels.load[at(SampleType::kU8)] = &Load<uint8_t, T>;
  if constexpr (sizeof(T) == 8) kernels.load[at(SampleType::kU16)] = &Load<uint16_t, T>;
  if constexpr (sizeof(T) == 4) kernels.load[at(SampleType::kF32)] = &Load<float, T>;
  kernels.load[at(SampleType::kF64)] = &Load<double, T>;
  kernels.store[at(SampleType::kU8)] = &Store<T, uint8_t>;
  kernels.store[at(SampleType::kU16)] = &Store<T, uint16_t>;
  kernels.store[at(SampleType::kF32)] = &Store<T, float>;
  kernels.store[at(SampleType::kF64)] = &Store<T, double>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillSampleKernels(int64_t target, Kernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillSamples<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillSampleKernels<float>(int64_t, Kernels<float>&);
template void FillSampleKernels<double>(int64_t, Kernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
