// Vector pieces of the separable passes: sums of taps for neighbouring results whose inputs are whole vectors, and
// turning a square of lanes. The order of a sum is the same everywhere: from the outer taps to the middle.
#if defined(CONVOLVE_CPU_PAIR_TAPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOLVE_CPU_PAIR_TAPS_INL_H_
#undef CONVOLVE_CPU_PAIR_TAPS_INL_H_
#else
#define CONVOLVE_CPU_PAIR_TAPS_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "cpu/pair_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using PairTag = hn::ScalableTag<T>;
template <typename T>
using PairVec = hn::Vec<hn::ScalableTag<T>>;
/// Vectors here have as many lanes as the type allows.
template <typename T>
inline constexpr size_t kPairLanes = hn::MaxLanes(hn::ScalableTag<T>());

// Results that are summed together: each has a sum and two inputs in registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON || HWY_TARGET == HWY_NEON_WITHOUT_AES
inline constexpr size_t kMostTogether = 8;
#else
inline constexpr size_t kMostTogether = 4;
#endif
template <typename T>
inline constexpr size_t kTogether = kPairLanes<T> < kMostTogether ? kPairLanes<T> : kMostTogether;

/// Longest chain of additions: rounding grows with it, so that longer sums are several chains, added with compensation.
inline constexpr size_t kTapChain = 32;

/// Taps `begin` ... `end` of a folded sum (pairs of taps) for R neighbours: result r reads inputs r ... r + count - 1.
/// Each step needs one new input on either side; which register holds which input rotates with the steps.
template <typename T, int kSign, size_t R, class Load>
HWY_INLINE void AddFolded(const PairTaps<T>& taps, size_t begin, size_t end, const Load& load, PairVec<T> (&sums)[R]) {
  const PairTag<T> d;
  const auto pair = [](PairVec<T> a, PairVec<T> b) HWY_ATTR { return kSign > 0 ? hn::Add(a, b) : hn::Sub(a, b); };
  PairVec<T> near[R];
  PairVec<T> far[R];
  const size_t last = taps.count - 1;
#pragma GCC unroll 16
  for (size_t r = 0; r < R; ++r) {
    near[r] = load(begin + r);
    far[r] = load(last - begin + r);
  }
  size_t k = begin;
  for (; k + R <= end; k += R) {
#pragma GCC unroll 16
    for (size_t u = 0; u < R; ++u) {
      const PairVec<T> weight = hn::Set(d, taps.weights[k + u]);
#pragma GCC unroll 16
      for (size_t r = 0; r < R; ++r) {
        sums[r] = hn::MulAdd(weight, pair(near[(r + u) % R], far[(r + R - u) % R]), sums[r]);
      }
      near[u] = load(k + u + R);
      far[R - 1 - u] = load(last - (k + u) - 1);
    }
  }
#pragma GCC unroll 16
  for (size_t u = 0; u < R; ++u) {
    if (k + u >= end) break;
    const PairVec<T> weight = hn::Set(d, taps.weights[k + u]);
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) {
      sums[r] = hn::MulAdd(weight, pair(near[(r + u) % R], far[(r + R - u) % R]), sums[r]);
    }
    near[u] = load(k + u + R);
    far[R - 1 - u] = load(last - (k + u) - 1);
  }
}

/// The same for taps that share no weight.
template <typename T, size_t R, class Load>
HWY_INLINE void AddPlain(const PairTaps<T>& taps, size_t begin, size_t end, const Load& load, PairVec<T> (&sums)[R]) {
  const PairTag<T> d;
  PairVec<T> near[R];
#pragma GCC unroll 16
  for (size_t r = 0; r + 1 < R; ++r) near[r] = load(begin + r);
  size_t k = begin;
  for (; k + R <= end; k += R) {
#pragma GCC unroll 16
    for (size_t u = 0; u < R; ++u) {
      near[(u + R - 1) % R] = load(k + u + R - 1);
      const PairVec<T> weight = hn::Set(d, taps.weights[k + u]);
#pragma GCC unroll 16
      for (size_t r = 0; r < R; ++r) sums[r] = hn::MulAdd(weight, near[(r + u) % R], sums[r]);
    }
  }
#pragma GCC unroll 16
  for (size_t u = 0; u < R; ++u) {
    if (k + u >= end) break;
    near[(u + R - 1) % R] = load(k + u + R - 1);
    const PairVec<T> weight = hn::Set(d, taps.weights[k + u]);
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) sums[r] = hn::MulAdd(weight, near[(r + u) % R], sums[r]);
  }
}

/// Rows side by side are as many streams: beyond some two dozen the processor no longer fetches them ahead by itself.
/// For a vector of samples of each row from `at` on.
template <typename From>
HWY_INLINE void FetchAhead(const void* const* rows, size_t count, size_t at) {
  constexpr size_t kFewRows = 24;
  constexpr size_t kLineSamples = 64 / sizeof(From);
  constexpr size_t kLinesAhead = 2;
  if (count <= kFewRows || at % kLineSamples != 0) return;
  for (size_t i = 0; i < count; ++i) {
    hwy::Prefetch(static_cast<const From*>(rows[i]) + at + kLinesAhead * kLineSamples);
  }
}

/// Sums of any number of taps.
template <typename T, TapFold kFold>
struct AnyTaps {
  static size_t Steps(const PairTaps<T>& taps) { return kFold == TapFold::kNone ? taps.count : taps.count / 2; }

  template <size_t R, class Load>
  static HWY_INLINE void Chain(const PairTaps<T>& taps, size_t begin, size_t end, const Load& load,
                               PairVec<T> (&sums)[R]) {
    const PairTag<T> d;
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) sums[r] = hn::Zero(d);
    if constexpr (kFold == TapFold::kNone) {
      AddPlain<T, R>(taps, begin, end, load, sums);
    } else {
      AddFolded<T, kFold == TapFold::kEven ? 1 : -1, R>(taps, begin, end, load, sums);
    }
  }

  template <size_t R, class Load>
  static HWY_INLINE void Sum(const PairTaps<T>& taps, const Load& load, PairVec<T>* HWY_RESTRICT output) {
    const PairTag<T> d;
    const size_t steps = Steps(taps);
    PairVec<T> sums[R];
    Chain<R>(taps, 0, std::min(steps, kTapChain), load, sums);
    if (steps > kTapChain) {
      PairVec<T> lost[R];
#pragma GCC unroll 16
      for (size_t r = 0; r < R; ++r) {
        output[r] = sums[r];
        lost[r] = hn::Zero(d);
      }
      for (size_t begin = kTapChain; begin < steps; begin += kTapChain) {
        Chain<R>(taps, begin, std::min(steps, begin + kTapChain), load, sums);
#pragma GCC unroll 16
        for (size_t r = 0; r < R; ++r) {
          const PairVec<T> term = hn::Sub(sums[r], lost[r]);
          const PairVec<T> after = hn::Add(output[r], term);
          lost[r] = hn::Sub(hn::Sub(after, output[r]), term);
          output[r] = after;
        }
      }
#pragma GCC unroll 16
      for (size_t r = 0; r < R; ++r) sums[r] = output[r];
    }
    if (kFold == TapFold::kEven && taps.count % 2 == 1) {
      const PairVec<T> weight = hn::Set(d, taps.weights[steps]);
#pragma GCC unroll 16
      for (size_t r = 0; r < R; ++r) sums[r] = hn::MulAdd(weight, load(steps + r), sums[r]);
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) output[r] = sums[r];
  }

  /// Results 0 ... kPairLanes - 1.
  template <class Load>
  static HWY_INLINE void SumAll(const PairTaps<T>& taps, const Load& load, PairVec<T>* HWY_RESTRICT output) {
    for (size_t first = 0; first < kPairLanes<T>; first += kTogether<T>) {
      Sum<kTogether<T>>(
          taps, [&](size_t i) HWY_ATTR { return load(first + i); }, output + first);
    }
  }
};

/// An even sum of a small odd number of taps, all of whose inputs stay in registers: each is loaded once.
template <typename T, size_t kTaps>
struct FewTaps {
  template <class Load>
  static HWY_INLINE void SumAll(const PairTaps<T>& taps, const Load& load, PairVec<T>* HWY_RESTRICT output) {
    const PairTag<T> d;
    constexpr size_t kHalf = kTaps / 2;
    PairVec<T> inputs[kPairLanes<T> + kTaps - 1];
#pragma GCC unroll 32
    for (size_t i = 0; i + 1 < kTaps; ++i) inputs[i] = load(i);
#pragma GCC unroll 16
    for (size_t r = 0; r < kPairLanes<T>; ++r) {
      inputs[r + kTaps - 1] = load(r + kTaps - 1);
      PairVec<T> sum = hn::Mul(hn::Set(d, taps.weights[0]), hn::Add(inputs[r], inputs[r + kTaps - 1]));
#pragma GCC unroll 16
      for (size_t k = 1; k < kHalf; ++k) {
        sum = hn::MulAdd(hn::Set(d, taps.weights[k]), hn::Add(inputs[r + k], inputs[r + kTaps - 1 - k]), sum);
      }
      output[r] = hn::MulAdd(hn::Set(d, taps.weights[kHalf]), inputs[r + kHalf], sum);
    }
  }
};

/// Calls run(policy) with the way to sum these taps.
template <typename T, class Run>
HWY_INLINE void WithTaps(const PairTaps<T>& taps, const Run& run) {
  switch (taps.fold) {
    case TapFold::kNone:
      return run(AnyTaps<T, TapFold::kNone>());
    case TapFold::kOdd:
      return run(AnyTaps<T, TapFold::kOdd>());
    case TapFold::kEven:
      break;
  }
  switch (taps.count) {
    case 3:
      return run(FewTaps<T, 3>());
    case 5:
      return run(FewTaps<T, 5>());
    case 7:
      return run(FewTaps<T, 7>());
    case 9:
      return run(FewTaps<T, 9>());
    case 11:
      return run(FewTaps<T, 11>());
    case 13:
      return run(FewTaps<T, 13>());
    case 15:
      return run(FewTaps<T, 15>());
    default:
      return run(AnyTaps<T, TapFold::kEven>());
  }
}

/// Turns a square of whole blocks: block g of vector k becomes block k of vector g. `step` is from one vector to the
/// next.
template <typename T, size_t kBlocks>
HWY_INLINE void TurnBlocks([[maybe_unused]] PairVec<T>* HWY_RESTRICT v, [[maybe_unused]] size_t step) {
#if HWY_TARGET != HWY_SCALAR
  const PairTag<T> d;
  if constexpr (kBlocks == 2) {
    const PairVec<T> a = v[0];
    const PairVec<T> b = v[step];
    v[0] = hn::ConcatLowerLower(d, b, a);
    v[step] = hn::ConcatUpperUpper(d, b, a);
  }
#if HWY_TARGET <= HWY_AVX3
  if constexpr (kBlocks == 4) {
    const hn::Repartition<float, decltype(d)> df;
    const auto as = [&](PairVec<T> x) HWY_ATTR { return hn::BitCast(df, x).raw; };
    const auto back = [&](__m512 x) HWY_ATTR { return hn::BitCast(d, hn::Vec<decltype(df)>{x}); };
    const __m512 a = as(v[0]);
    const __m512 b = as(v[step]);
    const __m512 c = as(v[2 * step]);
    const __m512 e = as(v[3 * step]);
    const __m512 ab_low = _mm512_shuffle_f32x4(a, b, 0x44);
    const __m512 ab_high = _mm512_shuffle_f32x4(a, b, 0xEE);
    const __m512 ce_low = _mm512_shuffle_f32x4(c, e, 0x44);
    const __m512 ce_high = _mm512_shuffle_f32x4(c, e, 0xEE);
    v[0] = back(_mm512_shuffle_f32x4(ab_low, ce_low, 0x88));
    v[step] = back(_mm512_shuffle_f32x4(ab_low, ce_low, 0xDD));
    v[2 * step] = back(_mm512_shuffle_f32x4(ab_high, ce_high, 0x88));
    v[3 * step] = back(_mm512_shuffle_f32x4(ab_high, ce_high, 0xDD));
  }
#endif
#endif
}

/// Turns a square of lanes: lane g of vector k becomes lane k of vector g.
template <typename T>
HWY_INLINE void Turn([[maybe_unused]] PairVec<T> (&v)[kPairLanes<T>]) {
#if HWY_TARGET != HWY_SCALAR
  const PairTag<T> d;
  constexpr size_t kLanes = kPairLanes<T>;
  constexpr size_t kBlockLanes = 16 / sizeof(T);
  if constexpr (sizeof(T) == 4) {
    const hn::Repartition<double, decltype(d)> dd;
#pragma GCC unroll 4
    for (size_t g = 0; g < kLanes; g += 4) {
      const auto ab_low = hn::BitCast(dd, hn::InterleaveLower(d, v[g], v[g + 1]));
      const auto ab_high = hn::BitCast(dd, hn::InterleaveUpper(d, v[g], v[g + 1]));
      const auto ce_low = hn::BitCast(dd, hn::InterleaveLower(d, v[g + 2], v[g + 3]));
      const auto ce_high = hn::BitCast(dd, hn::InterleaveUpper(d, v[g + 2], v[g + 3]));
      v[g] = hn::BitCast(d, hn::InterleaveLower(dd, ab_low, ce_low));
      v[g + 1] = hn::BitCast(d, hn::InterleaveUpper(dd, ab_low, ce_low));
      v[g + 2] = hn::BitCast(d, hn::InterleaveLower(dd, ab_high, ce_high));
      v[g + 3] = hn::BitCast(d, hn::InterleaveUpper(dd, ab_high, ce_high));
    }
  } else {
#pragma GCC unroll 4
    for (size_t g = 0; g < kLanes; g += 2) {
      const PairVec<T> low = hn::InterleaveLower(d, v[g], v[g + 1]);
      v[g + 1] = hn::InterleaveUpper(d, v[g], v[g + 1]);
      v[g] = low;
    }
  }
#pragma GCC unroll 4
  for (size_t j = 0; j < kBlockLanes; ++j) TurnBlocks<T, kLanes / kBlockLanes>(v + j, kBlockLanes);
#endif
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
