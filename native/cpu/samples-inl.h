// Vectors of working values from samples of an image's type, and back: conversion, rounding, clamping.
#if defined(CONVOLVE_CPU_SAMPLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOLVE_CPU_SAMPLES_INL_H_
#undef CONVOLVE_CPU_SAMPLES_INL_H_
#else
#define CONVOLVE_CPU_SAMPLES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
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

/// One vector rounded half away from zero and clamped to what To holds, before the fraction is cut off; not-a-number
/// becomes 0.
template <typename To, class D>
HWY_INLINE hn::Vec<D> BeforeCut(D d, hn::Vec<D> value) {
  using T = hn::TFromD<D>;
  // floor(v + h) with h the number just below a half rounds a half up and everything below it down, exactly.
  const auto below_half = hn::Set(d, static_cast<T>(0.5) - std::numeric_limits<T>::epsilon() / 4);
  const auto most = hn::Set(d, static_cast<T>(std::numeric_limits<To>::max()));
  value = hn::IfThenElse(hn::Gt(value, hn::Zero(d)), value, hn::Zero(d));
  return hn::Add(hn::Min(value, most), below_half);
}

/// Whole numbers of type To from one vector, rounded and clamped like that.
template <typename To, class D>
HWY_INLINE hn::Vec<hn::Rebind<To, D>> Rounded(D d, hn::Vec<D> value) {
  using T = hn::TFromD<D>;
  value = BeforeCut<To>(d, value);
  const hn::Rebind<int32_t, D> d_int;
  const hn::Rebind<To, D> d_to;
  if constexpr (sizeof(T) == 4) {
    const auto integers = hn::ConvertTo(d_int, value);
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(To) == 1 && hn::MaxLanes(D()) == 16) {
      return hn::Vec<decltype(d_to)>{_mm512_cvtepi32_epi8(integers.raw)};
    }
#endif
    return hn::DemoteTo(d_to, integers);
  } else {
    return hn::DemoteTo(d_to, hn::DemoteTo(d_int, value));
  }
}

/// Writes one vector of working values, scaled to the destination, as samples of type To.
template <typename T, typename To, class D>
HWY_INLINE void StoreVector(D d, hn::Vec<D> value, To* to) {
  if constexpr (std::is_integral_v<To>) {
    hn::StoreU(Rounded<To>(d, value), hn::Rebind<To, D>(), to);
  } else if constexpr (std::is_same_v<T, To>) {
    hn::StoreU(value, d, to);
  } else if constexpr (sizeof(To) > sizeof(T)) {
    const hn::Rebind<To, D> d_to;
    hn::StoreU(hn::PromoteTo(d_to, value), d_to, to);
  } else {
    hn::StoreU(ToSingle(d, value), hn::Rebind<To, D>(), to);
  }
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
