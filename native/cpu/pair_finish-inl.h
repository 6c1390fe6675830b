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
    for (size_t i = 0; i < kLanes + 4; ++i) {
      alpha_[i] = job.opaque && i % job.channels == job.channels - 1 ? T{1} : T{0};
    }
  }

  /// Row q of the square that starts at `sample`, divided already.
  HWY_INLINE void Put(size_t sample, Vec (&rows)[kLanes]) const {
    const D d;
    // What is stored may lie anywhere, as far as the compiler knows: everything is read before.
    const Vec full = hn::Set(d, job_.full_scale);
    if (!std::is_integral_v<To> && job_.clamp) {
#pragma GCC unroll 16
      for (size_t q = 0; q < kLanes; ++q) {
        rows[q] = hn::IfThenElse(hn::Lt(rows[q], hn::Zero(d)), hn::Zero(d), rows[q]);
        rows[q] = hn::IfThenElse(hn::Gt(rows[q], full), full, rows[q]);
      }
    }
    if (job_.opaque) {
      const auto is_alpha = hn::Gt(hn::LoadU(d, alpha_ + sample % job_.channels), hn::Zero(d));
#pragma GCC unroll 16
      for (size_t q = 0; q < kLanes; ++q) rows[q] = hn::IfThenElse(is_alpha, full, rows[q]);
    }
    void* const* const output = job_.output;
    if (HWY_LIKELY(job_.rows == kLanes && sample + kLanes <= samples_)) {
      const hn::Rebind<To, D> d_to;
      if (job_.stream) {
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
      PutPart(sample, rows);
    }
  }

 private:
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
  HWY_ALIGN T alpha_[kLanes + 4];
};

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
