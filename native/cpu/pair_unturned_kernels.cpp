// Pixels of four floats, without turning columns to lanes and back: four pixels fill a vector. Few taps across need no
// more than the vectors of neighbouring pixels, each of which is put together once. For others a row is spread in
// quarters, so that neighbouring vectors hold neighbouring pixels of each quarter, and summed as turned columns are.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pair_unturned_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "cpu/pair_kernels.h"
#include "cpu/pair_taps-inl.h"
#include "cpu/pixels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of neighbouring pixels and weights stay in registers, of which others have too few.
#if HWY_TARGET <= HWY_AVX3

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr size_t kLanes = hn::MaxLanes(D());
constexpr int kRowsTogether = 8;

/// The order of a sum is that of FewTaps in pair_taps-inl.h, or the same picture would come out otherwise where it is
/// turned.
template <int kTaps>
HWY_INLINE V Sum(const V* HWY_RESTRICT inputs, const V* HWY_RESTRICT weights) {
  constexpr int kHalf = kTaps / 2;
  V sum = hn::Mul(weights[0], hn::Add(inputs[0], inputs[kTaps - 1]));
#pragma GCC unroll 16
  for (int k = 1; k < kHalf; ++k) {
    sum = hn::MulAdd(weights[k], hn::Add(inputs[k], inputs[kTaps - 1 - k]), sum);
  }
  return hn::MulAdd(weights[kHalf], inputs[kHalf], sum);
}

template <int kTaps>
HWY_INLINE void LoadWeights(const PairTaps<float>& taps, V* HWY_RESTRICT weights) {
#pragma GCC unroll 16
  for (int k = 0; k <= kTaps / 2; ++k) weights[k] = hn::Set(D(), taps.weights[k]);
}

template <int kTaps>
HWY_NOINLINE void ColumnsWith(const PairColumnsJob<float>& job) {
  constexpr int kInputs = kRowsTogether + kTaps - 1;
  const D d;
  V weights[kTaps / 2 + 1];
  LoadWeights<kTaps>(job.taps, weights);
  for (size_t x = 0; x < job.samples; x += kLanes) {
    const size_t at = std::min(x, job.samples - kLanes);
    for (size_t first = 0; first < kLanes; first += kRowsTogether) {
      V inputs[kInputs];
#pragma GCC unroll 32
      for (int i = 0; i < kInputs; ++i) {
        const auto* const row = static_cast<const float*>(job.rows[first + static_cast<size_t>(i)]);
        inputs[i] = hn::LoadU(d, row + job.begin + at);
      }
#pragma GCC unroll 8
      for (int q = 0; q < kRowsTogether; ++q) {
        hn::StoreU(Sum<kTaps>(inputs + q, weights), d,
                   job.output + (first + static_cast<size_t>(q)) * job.output_stride + at);
      }
    }
  }
}

/// The second-level cache has it when the next group of rows begins: in the first one it would be in the way.
HWY_INLINE void FetchForNextGroup(const void* row, size_t at) {
#if defined(__GNUC__)
  __builtin_prefetch(static_cast<const float*>(row) + at, 0, 2);
#endif
}

/// Samples `begin` to `end` of a row, whose results lie on whole vectors from there on or come in part of one.
template <int kTaps>
HWY_INLINE void PartWith(const PairUnturnedJob& job, size_t row, size_t begin, size_t end,
                         const V* HWY_RESTRICT weights) {
  constexpr int kVectors = (kTaps + 2) / 4;  // that taps reach into behind a vector
  const D d;
  const hn::RebindToUnsigned<D> d_bits;
  const float* HWY_RESTRICT input = job.input + row * job.input_stride;
  float* HWY_RESTRICT output = static_cast<float*>(job.output[row]);
  const V low = hn::Set(d, job.low);
  const V high = hn::Set(d, job.high);
  const V alpha = hn::Set(d, job.full_scale);
  const auto channel = hn::And(hn::Iota(d_bits, static_cast<uint32_t>(begin)), hn::Set(d_bits, 3));
  const auto is_alpha = hn::MaskFromVec(hn::BitCast(d, hn::VecFromMask(d_bits, hn::Eq(channel, hn::Set(d_bits, 3)))));
  // inputs[i] begins i pixels behind x.
  V inputs[4 * kVectors + 4];
  const auto put_together = [&](int i, V first, V second) HWY_ATTR {
    const auto a = hn::BitCast(d_bits, first).raw;
    const auto b = hn::BitCast(d_bits, second).raw;
    const auto joined = [d](__m512i bits) HWY_ATTR { return hn::BitCast(d, hn::Vec<hn::RebindToUnsigned<D>>{bits}); };
    inputs[i] = first;
    inputs[i + 1] = joined(_mm512_alignr_epi32(b, a, 4));
    inputs[i + 2] = joined(_mm512_alignr_epi32(b, a, 8));
    inputs[i + 3] = joined(_mm512_alignr_epi32(b, a, 12));
  };
  V last = hn::LoadU(d, input + begin);
#pragma GCC unroll 8
  for (int i = 0; i < kVectors; ++i) {
    const V next = hn::LoadU(d, input + begin + static_cast<size_t>(i + 1) * kLanes);
    put_together(4 * i, last, next);
    last = next;
  }
#pragma GCC unroll 1
  for (size_t x = begin; x < end; x += kLanes) {
    const V next = hn::LoadU(d, input + x + (kVectors + 1) * kLanes);
    put_together(4 * kVectors, last, next);
    last = next;
    V sum = Clamped<float>(Sum<kTaps>(inputs, weights), low, high);
    if (job.opaque) sum = hn::IfThenElse(is_alpha, alpha, sum);
    FetchForNextGroup(job.ahead[row], x);
    if (HWY_UNLIKELY(x + kLanes > end)) {
      hn::BlendedStore(sum, hn::FirstN(d, end - x), d, output + x);
    } else if (job.stream) {
      hn::Stream(sum, d, output + x);
    } else {
      hn::StoreU(sum, d, output + x);
    }
#pragma GCC unroll 32
    for (int i = 0; i < 4 * kVectors; ++i) inputs[i] = inputs[i + 4];
  }
}

/// One row: past the caches it begins with as much as memory needs to whole vectors.
template <int kTaps>
HWY_INLINE void RowWith(const PairUnturnedJob& job, size_t row, const V* HWY_RESTRICT weights) {
  const size_t beyond = reinterpret_cast<uintptr_t>(job.output[row]) / sizeof(float) % kLanes;
  const size_t before = job.stream ? std::min((kLanes - beyond) % kLanes, job.samples) : 0;
  for (size_t begin = 0, end = before > 0 ? before : job.samples; begin < job.samples; begin = end, end = job.samples) {
    PartWith<kTaps>(job, row, begin, end, weights);
  }
}

template <int kTaps>
HWY_NOINLINE void RowsWith(const PairUnturnedJob& job) {
  V weights[kTaps / 2 + 1];
  LoadWeights<kTaps>(job.taps, weights);
  for (size_t row = 0; row < job.rows; ++row) RowWith<kTaps>(job, row, weights);
}

/// Calls run(an integral constant) with the number of taps.
template <class Run, int... kIndex>
void WithCount(size_t count, const Run& run, std::integer_sequence<int, kIndex...> /*sizes*/) {
  ((count == 2 * kIndex + 3 ? run(std::integral_constant<int, 2 * kIndex + 3>()) : void()), ...);
}
constexpr auto kCounts = std::make_integer_sequence<int, (kMostFewTaps - 1) / 2>();

void Columns(const PairColumnsJob<float>& job) {
  WithCount(
      job.taps.count, [&](auto taps) { ColumnsWith<taps()>(job); }, kCounts);
}

/// A row of pixels in quarters: spread[p] holds the pixels p of all four of them.
HWY_INLINE void Spread(const PairUnturnedJob& job, const float* HWY_RESTRICT input, size_t quarter) {
  const D d;
  for (size_t p = 0; p < quarter + job.taps.count - 1; p += 4) {
    V pixels[4];
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; ++j) pixels[j] = hn::LoadU(d, input + 4 * (j * quarter + p));
    TurnBlocks<float, 4>(pixels, 1);
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; ++j) hn::Store(pixels[j], d, job.spread + (p + j) * kLanes);
  }
}

template <class Taps>
HWY_NOINLINE void SpreadRow(const PairUnturnedJob& job, size_t row) {
  const D d;
  const hn::RebindToUnsigned<D> d_bits;
  const size_t quarter = SpreadPixels(job.samples / 4);
  Spread(job, job.input + row * job.input_stride, quarter);
  float* HWY_RESTRICT output = static_cast<float*>(job.output[row]);
  const bool stream = job.stream && reinterpret_cast<uintptr_t>(output) % sizeof(V) == 0;
  const V low = hn::Set(d, job.low);
  const V high = hn::Set(d, job.high);
  const V alpha = hn::Set(d, job.full_scale);
  const auto channel = hn::And(hn::Iota(d_bits, 0), hn::Set(d_bits, 3));
  const auto is_alpha = hn::MaskFromVec(hn::BitCast(d, hn::VecFromMask(d_bits, hn::Eq(channel, hn::Set(d_bits, 3)))));
  for (size_t p = 0; p < quarter; p += kLanes) {
    V sums[kLanes];
    const float* HWY_RESTRICT inputs = job.spread + p * kLanes;
    Taps::SumAll(
        job.taps, [&](size_t i) HWY_ATTR { return hn::Load(d, inputs + i * kLanes); }, sums);
#pragma GCC unroll 4
    for (size_t g = 0; g < kLanes; g += 4) {
      TurnBlocks<float, 4>(sums + g, 1);
#pragma GCC unroll 4
      for (size_t j = 0; j < 4; ++j) {
        const size_t x = 4 * (j * quarter + p + g);
        if (HWY_UNLIKELY(x >= job.samples)) break;
        V sum = Clamped<float>(sums[g + j], low, high);
        if (job.opaque) sum = hn::IfThenElse(is_alpha, alpha, sum);
        FetchForNextGroup(job.ahead[row], x);
        if (HWY_UNLIKELY(x + kLanes > job.samples)) {
          hn::BlendedStore(sum, hn::FirstN(d, job.samples - x), d, output + x);
        } else if (stream) {
          hn::Stream(sum, d, output + x);
        } else {
          hn::StoreU(sum, d, output + x);
        }
      }
    }
  }
}

void Rows(const PairUnturnedJob& job) {
  if (!AreFew(job.taps)) {
    return WithTaps(job.taps, [&](auto taps) HWY_ATTR {
      for (size_t row = 0; row < job.rows; ++row) SpreadRow<decltype(taps)>(job, row);
    });
  }
  WithCount(
      job.taps.count, [&](auto taps) { RowsWith<taps()>(job); }, kCounts);
}

#endif

}  // namespace

void FillUnturned([[maybe_unused]] PairKernels<float>& kernels) {
#if HWY_TARGET <= HWY_AVX3
  kernels.few_columns = &Columns;
  kernels.unturned_rows = &Rows;
#endif
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <>
void FillPairUnturned<float>(int64_t target, PairKernels<float>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillUnturned(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template <>
void FillPairUnturned<double>(int64_t /*target*/, PairKernels<double>& /*kernels*/) {}

}  // namespace convolve::cpu
#endif  // HWY_ONCE
