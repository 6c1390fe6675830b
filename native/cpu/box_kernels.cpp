// Running sums: down each column straight from the source's samples, then across the turned columns.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/box_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "cpu/box_kernels.h"
#include "cpu/lanes-inl.h"
#include "cpu/pair_finish-inl.h"
#include "cpu/pair_taps-inl.h"
#include "engine/view.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

template <typename Sum>
using SumTag = hn::ScalableTag<Sum>;
template <typename Sum>
using SumVec = hn::Vec<hn::ScalableTag<Sum>>;
template <typename Sum>
inline constexpr size_t kSumLanes = hn::MaxLanes(hn::ScalableTag<Sum>());

/// Floating point is rounded to a grid: to whole numbers of steps, `by` of them for 1, or as float64 by adding and
/// taking away a number so large that no digit below the grid's step is left.
template <typename Sum>
struct Grid {
  explicit HWY_INLINE Grid(const BoxColumnsJob& job)
      : magic(hn::Set(SumTag<Sum>(), static_cast<Sum>(std::is_same_v<Sum, double> ? job.magic : 0))),
        by(hn::Set(hn::Rebind<float, SumTag<Sum>>(), job.by)) {}
  SumVec<Sum> magic;
  hn::Vec<hn::Rebind<float, SumTag<Sum>>> by;
};

/// Samples as what they are summed in.
template <typename Sum, typename From>
HWY_INLINE SumVec<Sum> Summand(const From* from, [[maybe_unused]] const Grid<Sum>& grid) {
  const SumTag<Sum> d;
  const hn::Rebind<From, SumTag<Sum>> d_from;
  if constexpr (std::is_same_v<Sum, int32_t> && std::is_same_v<From, float>) {
    return hn::NearestInt(hn::Mul(hn::LoadU(d_from, from), grid.by));
  } else if constexpr (std::is_same_v<Sum, int32_t>) {
    return hn::PromoteTo(d, hn::LoadU(d_from, from));
  } else if constexpr (std::is_integral_v<From>) {
    return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<int32_t, SumTag<Sum>>(), hn::LoadU(d_from, from)));
  } else if constexpr (std::is_same_v<From, Sum>) {
    return hn::Sub(hn::Add(hn::LoadU(d, from), grid.magic), grid.magic);
  } else {
    return hn::Sub(hn::Add(hn::PromoteTo(d, hn::LoadU(d_from, from)), grid.magic), grid.magic);
  }
}

/// The last `count` rows of a group are followed by as many that the next group reads: the second-level cache has them
/// then. Where rows do not lie side by side nothing is lost but the attempt.
template <typename From>
HWY_INLINE void FetchForNextGroup([[maybe_unused]] const void* const* rows, [[maybe_unused]] size_t count,
                                  [[maybe_unused]] size_t at) {
#if defined(__GNUC__)
  constexpr size_t kLineSamples = 64 / sizeof(From);
  if (count < 2 || at % kLineSamples >= count) return;
  const auto address = [&](size_t row) { return reinterpret_cast<intptr_t>(rows[row]); };
  const intptr_t pitch = address(count - 1) - address(count - 2);
  intptr_t next = address(count - 1) + static_cast<intptr_t>(at * sizeof(From));
  for (size_t i = 0; i < count; ++i) __builtin_prefetch(reinterpret_cast<const void*>(next += pitch), 0, 2);
#endif
}

template <typename Sum, typename From>
void Columns(const BoxColumnsJob& job) {
  const SumTag<Sum> d;
  constexpr size_t kLanes = kSumLanes<Sum>;
  const Grid<Sum> grid(job);
  const size_t last = job.count - 1;
  for (size_t x = 0; x < job.samples; x += kLanes) {
    const size_t at = std::min(x, job.samples - kLanes);  // the last two vectors may overlap, each with sums of its own
    const auto load = [&](size_t row)
                          HWY_ATTR { return Summand<Sum>(static_cast<const From*>(job.rows[row]) + at, grid); };
    Sum* HWY_RESTRICT kept = static_cast<Sum*>(job.sums) + x;
    SumVec<Sum> sum = hn::Zero(d);
    if (job.first) {
      for (size_t j = 0; j < last; ++j) sum = hn::Add(sum, load(j));
    } else {
      sum = hn::LoadU(d, kept);
    }
    FetchForNextGroup<From>(job.rows + last, kLanes, at);
    SumVec<Sum> sums[kLanes];
#pragma GCC unroll 16
    for (size_t q = 0; q < kLanes; ++q) {
      sums[q] = hn::Add(sum, load(q + last));
      sum = hn::Sub(sums[q], load(q));
    }
    hn::StoreU(sum, d, kept);
    Turn<Sum>(sums);
    Sum* HWY_RESTRICT output = static_cast<Sum*>(job.output) + at * kLanes;
#pragma GCC unroll 16
    for (size_t i = 0; i < kLanes; ++i) hn::Store(sums[i], d, output + i * kLanes);
  }
}

/// Sums of a kind over the divisor, as working values. A float64 sum times the reciprocal, rounded to float, is the
/// same float as a true division's: quotients of integers below 2^24 come no nearer to the middle of two floats than
/// 2^-49. `multiply`: where sums are no whole numbers of the picture's own, the reciprocal is as good.
template <typename T, typename Sum>
HWY_INLINE hn::Vec<hn::Rebind<T, SumTag<Sum>>> Quotient(SumVec<Sum> sum, T divisor, [[maybe_unused]] bool multiply) {
  const SumTag<Sum> d_sum;
  const hn::Rebind<T, SumTag<Sum>> d;
  if constexpr (std::is_same_v<T, Sum>) {
    return hn::Div(sum, hn::Set(d, divisor));
  } else if constexpr (std::is_same_v<Sum, int32_t>) {
    if (multiply) return hn::Mul(hn::ConvertTo(d, sum), hn::Set(d, 1 / divisor));
    return hn::Div(hn::ConvertTo(d, sum), hn::Set(d, divisor));
  } else {
    return ToSingle(d_sum, hn::Mul(sum, hn::Set(d_sum, 1.0 / static_cast<double>(divisor))));
  }
}

/// Sums of one channel of kSumLanes pixels into job.rows.turned, which holds sums here; `running` is the sum of all
/// columns of the window but the last.
template <typename T, typename Sum>
HWY_INLINE void SumPixels(const BoxRowsJob<T>& job, size_t pixel, size_t channel, Sum* HWY_RESTRICT running) {
  const SumTag<Sum> d;
  constexpr size_t kLanes = kSumLanes<Sum>;
  const size_t step = job.rows.channels * kLanes;
  const Sum* HWY_RESTRICT out = static_cast<const Sum*>(job.input) + pixel * step + channel * kLanes;
  const Sum* HWY_RESTRICT in = out + (job.count - 1) * step;
  Sum* HWY_RESTRICT turned = reinterpret_cast<Sum*>(job.rows.turned) + channel * kLanes;
  SumVec<Sum> sum = hn::Load(d, running);
#pragma GCC unroll 16
  for (size_t i = 0; i < kLanes; ++i) {
    const SumVec<Sum> whole = hn::Add(sum, hn::Load(d, in + i * step));
    hn::Store(whole, d, turned + i * step);
    sum = hn::Sub(whole, hn::Load(d, out + i * step));
  }
  hn::Store(sum, d, running);
}

template <typename To, typename T, typename Sum>
void Rows(const BoxRowsJob<T>& job) {
  const SumTag<Sum> d;
  constexpr size_t kLanes = kSumLanes<Sum>;
  using DWork = hn::Rebind<T, SumTag<Sum>>;
  const size_t channels = job.rows.channels;
  const Finisher<To, DWork, kLanes> finisher(job.rows);
  const T divisor = job.rows.divisor;
  HWY_ALIGN Sum running[4 * kLanes];
  for (size_t c = 0; c < channels; ++c) {
    SumVec<Sum> sum = hn::Zero(d);
    for (size_t i = 0; i + 1 < job.count; ++i) {
      sum = hn::Add(sum, hn::Load(d, static_cast<const Sum*>(job.input) + (i * channels + c) * kLanes));
    }
    hn::Store(sum, d, running + c * kLanes);
  }
  for (size_t pixel = 0; pixel < job.rows.pixels; pixel += kLanes) {
    for (size_t c = 0; c < channels; ++c) SumPixels<T, Sum>(job, pixel, c, running + c * kLanes);
    for (size_t part = 0; part < channels; ++part) {
      SumVec<Sum> sums[kLanes];
#pragma GCC unroll 16
      for (size_t i = 0; i < kLanes; ++i) {
        sums[i] = hn::Load(d, reinterpret_cast<const Sum*>(job.rows.turned) + (part * kLanes + i) * kLanes);
      }
      Turn<Sum>(sums);
      hn::Vec<DWork> rows[kLanes];
#pragma GCC unroll 16
      for (size_t q = 0; q < kLanes; ++q) rows[q] = Quotient<T, Sum>(sums[q], divisor, job.multiply);
      finisher.Put(pixel * channels + part * kLanes, rows);
    }
  }
}

}  // namespace

template <typename T>
void FillBox(BoxKernels<T>& kernels) {
  const auto at = [](SampleType type) { return static_cast<size_t>(type); };
  constexpr size_t kIntegers = static_cast<size_t>(BoxSum::kInteger);
  constexpr size_t kDoubles = static_cast<size_t>(BoxSum::kDouble);
  kernels.lanes[kIntegers] = kSumLanes<int32_t>;
  kernels.lanes[kDoubles] = kSumLanes<double>;
  if constexpr (sizeof(T) == 4) {
    kernels.columns[kIntegers][at(SampleType::kU8)] = &Columns<int32_t, uint8_t>;
    kernels.columns[kIntegers][at(SampleType::kF32)] = &Columns<int32_t, float>;
    kernels.columns[kDoubles][at(SampleType::kU8)] = &Columns<double, uint8_t>;
    kernels.columns[kDoubles][at(SampleType::kF32)] = &Columns<double, float>;
    kernels.rows[kIntegers][at(SampleType::kU8)] = &Rows<uint8_t, T, int32_t>;
    kernels.rows[kIntegers][at(SampleType::kF32)] = &Rows<float, T, int32_t>;
    kernels.rows[kDoubles][at(SampleType::kU8)] = &Rows<uint8_t, T, double>;
    kernels.rows[kDoubles][at(SampleType::kF32)] = &Rows<float, T, double>;
  } else {
    kernels.columns[kIntegers][at(SampleType::kU16)] = &Columns<int32_t, uint16_t>;
    kernels.columns[kDoubles][at(SampleType::kU16)] = &Columns<double, uint16_t>;
    kernels.columns[kDoubles][at(SampleType::kF64)] = &Columns<double, double>;
    kernels.rows[kDoubles][at(SampleType::kU16)] = &Rows<uint16_t, T, double>;
    kernels.rows[kDoubles][at(SampleType::kF64)] = &Rows<double, T, double>;
  }
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillBoxKernels(int64_t target, BoxKernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillBox<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillBoxKernels<float>(int64_t, BoxKernels<float>&);
template void FillBoxKernels<double>(int64_t, BoxKernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
