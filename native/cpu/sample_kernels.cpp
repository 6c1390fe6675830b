// Samples of an image become working values, and working values become samples of a destination: conversion, scaling,
// rounding half away from zero, clamping. Exactly the given number of samples is read and written on the image's side.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/sample_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <cstring>
#include <type_traits>

#include "cpu/kernel_tables.h"
#include "cpu/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

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
