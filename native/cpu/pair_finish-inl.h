// Squares of sums, turned back into rows, become samples: divided, clamped, rounded, alpha filled in, stored.
#if defined(CONVOLVE_CPU_PAIR_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOLVE_CPU_PAIR_FINISH_INL_H_
#undef CONVOLVE_CPU_PAIR_FINISH_INL_H_
#else
#define CONVOLVE_CPU_PAIR_FINISH_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/pair_kernels.h"
#include "cpu/samples-inl.h"
#include "engine/pass.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Samples of type To from one vector: rounded half away from zero and clamped where To is an integer.
template <typename To, class D>
HWY_INLINE hn::Vec<hn::Rebind<To, D>> Narrowed(D d, hn::Vec<D> value) {
  using T = hn::TFromD<D>;
  if constexpr (std::is_same_v<To, T>) {
    return value;
  } else {
    return Rounded<To>(d, value);
  }
}

/// Finishes squares of kLanes rows and as many samples, all of a job.
template <typename To, class D, size_t kLanes>
class Finisher {
 public:
  using T = hn::TFromD<D>;
  using Vec = hn::Vec<D>;

  explicit Finisher(const PairRowsJob<T>& job) : job_(job), samples_(job.pixels * job.channels) {
    const bool in_place = job.result == 1 && job.input_factor == 0 && job.offset == 0;
    const bool clamped = job.range == RangeKind::kClamp;
    plain_ = in_place && (job.range == RangeKind::kFloat || (clamped && std::is_integral_v<To>));
    clamps_only_ = in_place && clamped && !std::is_integral_v<To>;
    for (size_t i = 0; i < kLanes + 4; ++i) {
      alpha_[i] = job.opaque && i % job.channels == job.channels - 1 ? T{1} : T{0};
    }
  }

  /// Row q of the square that starts at `sample`, divided already.
  HWY_INLINE void Put(size_t sample, Vec (&rows)[kLanes]) const {
    const D d;
    if (clamps_only_) {
      const Vec full = hn::Set(d, job_.full_scale);
#pragma GCC unroll 16
      for (size_t q = 0; q < kLanes; ++q) rows[q] = Clamped(rows[q], full);
    } else if (!plain_) {
      ByCopy(rows, [&](Vec(&copy)[kLanes]) HWY_ATTR { Finish(sample, copy); });
    }
    if (job_.opaque) {
      // What is stored may lie anywhere, as far as the compiler knows: everything is read before.
      const Vec full = hn::Set(d, job_.full_scale);
      const auto is_alpha = hn::Gt(hn::LoadU(d, alpha_ + sample % job_.channels), hn::Zero(d));
#pragma GCC unroll 16
      for (size_t q = 0; q < kLanes; ++q) rows[q] = hn::IfThenElse(is_alpha, full, rows[q]);
    }
    void* const* const output = job_.output;
    const size_t end = job_.padded ? (samples_ + kLanes - 1) / kLanes * kLanes : samples_;
    if (HWY_LIKELY(job_.rows == kLanes && sample + kLanes <= end)) {
      const hn::Rebind<To, D> d_to;
      // Half a vector of 128 bits cannot be written past the caches.
      constexpr bool kWhole = kLanes * sizeof(To) >= 16;
      if (kWhole && job_.stream) {
#pragma GCC unroll 16
        for (size_t q = 0; q < kLanes; ++q) {
          hn::Stream(Narrowed<To>(d, rows[q]), d_to, static_cast<To*>(output[q]) + sample);
        }
      } else {
#pragma GCC unroll 16
        for (size_t q = 0; q < kLanes; ++q) {
          hn::StoreU(Narrowed<To>(d, rows[q]), d_to, static_cast<To*>(output[q]) + sample);
        }
      }
    } else {
      ByCopy(rows, [&](Vec(&copy)[kLanes]) HWY_ATTR { PutPart(sample, copy); });
    }
  }

 private:
  /// The integers that work as T.
  using Integer = std::conditional_t<sizeof(T) == 4, uint8_t, uint16_t>;

  /// Calls work(a copy of the rows): whose address is taken lies in memory, and these had better stay in registers.
  template <class Work>
  static HWY_INLINE void ByCopy(Vec (&rows)[kLanes], const Work& work) {
    Vec copy[kLanes];
#pragma GCC unroll 16
    for (size_t q = 0; q < kLanes; ++q) copy[q] = rows[q];
    work(copy);
#pragma GCC unroll 16
    for (size_t q = 0; q < kLanes; ++q) rows[q] = copy[q];
  }

  HWY_INLINE Vec Clamped(Vec value, Vec full) const {
    const D d;
    value = hn::IfThenElse(hn::Lt(value, hn::Zero(d)), hn::Zero(d), value);
    return hn::IfThenElse(hn::Gt(value, full), full, value);
  }

  template <typename Own>
  HWY_INLINE Vec OwnOf(const void* row, size_t sample) const {
    const Own* const own = static_cast<const Own*>(row) + sample;
    if (HWY_LIKELY(sample + kLanes <= samples_)) return LoadVector<Own, T>(D(), own);
    HWY_ALIGN Own part[kLanes] = {};
    if (sample < samples_) std::memcpy(part, own, (samples_ - sample) * sizeof(Own));
    return LoadVector<Own, T>(D(), part);
  }

  /// Epilogue, offset and range.
  HWY_NOINLINE void Finish(size_t sample, Vec (&rows)[kLanes]) const {
    const D d;
    const Vec full = hn::Set(d, job_.full_scale);
    const Vec half = hn::Set(d, job_.full_scale / 2);
    const Vec result = hn::Set(d, job_.result);
    const Vec factor = hn::Set(d, job_.input_factor);
    const Vec offset = hn::Set(d, job_.offset);
    for (size_t q = 0; q < kLanes; ++q) {
      Vec value = rows[q];
      if (job_.result != 1) value = hn::Mul(value, result);
      if (job_.input_factor != 0 && q < job_.rows) {
        const Vec own = job_.own_integers ? OwnOf<Integer>(job_.own[q], sample) : OwnOf<T>(job_.own[q], sample);
        value = hn::MulAdd(factor, own, value);
      }
      if (job_.offset != 0) value = hn::Add(value, offset);
      switch (job_.range) {
        case RangeKind::kClamp:
          if constexpr (!std::is_integral_v<To>) value = Clamped(value, full);
          break;
        case RangeKind::kAbsolute:
          value = Clamped(hn::Abs(value), full);
          break;
        case RangeKind::kSigned:
          value = Clamped(hn::MulAdd(value, hn::Set(d, T(0.5)), half), full);
          break;
        case RangeKind::kFloat:
        case RangeKind::kRescale:
          break;
      }
      rows[q] = value;
    }
  }

  HWY_NOINLINE void PutPart(size_t sample, const Vec (&rows)[kLanes]) const {
    const D d;
    const hn::Rebind<To, D> d_to;
    const size_t count = sample < samples_ ? std::min(samples_ - sample, kLanes) : 0;
    const size_t row_count = job_.rows;
    HWY_ALIGN To part[kLanes];
    for (size_t q = 0; q < row_count; ++q) {
      hn::Store(Narrowed<To>(d, rows[q]), d_to, part);
      std::memcpy(static_cast<To*>(job_.output[q]) + sample, part, count * sizeof(To));
    }
  }

  const PairRowsJob<T>& job_;
  size_t samples_;
  bool plain_;        // stored as they are
  bool clamps_only_;  // or clamped before
  HWY_ALIGN T alpha_[kLanes + 4];
};

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
