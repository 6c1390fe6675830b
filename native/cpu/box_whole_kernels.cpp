// Running sums of integers across, straight to integers: divided in vectors that hold one sample of each row of a
// group, packed to words of neighbouring samples, and only then turned: a word of four bytes turns as quickly as a sum.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/box_whole_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "cpu/box_kernels.h"
#include "cpu/pair_taps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<int32_t>;
using Vec = hn::Vec<Tag>;
inline constexpr size_t kLanes = hn::MaxLanes(Tag());

/// A float of 2^23 and more holds a whole number in its lowest bits, below these.
inline constexpr int32_t kWholeBits = 0x4B000000;
inline constexpr float kWhole = 8388608.0f;

/// Sums over a divisor, rounded half up.
template <typename To>
class Quotient {
 public:
  HWY_INLINE explicit Quotient(int32_t divisor)
      : near_(sizeof(To) == 1 && divisor <= kMostNear),
        // A little too large, so that halves are rounded up: by 1.5 * 2^-23 at most, 4.6e-5 of a quotient of 255.5, and
        // a product that is rounded before it is added may become 2^-17 larger. Nothing else is that near to a half: at
        // least 1 / (2 * 9300) lies between. Or too small: then the quotient is right or 1 too small, which the
        // remainder tells.
        inverse_(hn::Set(hn::Rebind<float, Tag>(),
                         static_cast<float>((near_ ? 1 + 0x1p-23 : 1 - 0x1p-22) / static_cast<double>(divisor)))),
        divisor_(hn::Set(Tag(), divisor)),
        less_(hn::Set(Tag(), divisor - 1)),
        most_(hn::Set(Tag(), std::numeric_limits<To>::max())) {}

  bool near() const { return near_; }
  /// What sums begin with.
  int32_t begin(int32_t divisor) const { return near_ ? 0 : divisor / 2; }

  template <bool kNear>
  HWY_INLINE Vec Of(Vec sum) const {
    const Tag d;
    const hn::Rebind<float, Tag> df;
    const auto single = hn::ConvertTo(df, sum);
    const auto bits = hn::Set(d, kWholeBits);
    if constexpr (kNear) {
      const Vec whole = hn::BitCast(d, hn::MulAdd(single, inverse_, hn::Set(df, kWhole)));
      return hn::Min(hn::Sub(whole, bits), most_);
    } else {
      const Vec below = hn::Sub(hn::BitCast(d, hn::MulAdd(single, inverse_, hn::Set(df, kWhole - 0.5f))), bits);
      const Vec rest = hn::Sub(sum, hn::Mul(below, divisor_));
      const Vec one = hn::VecFromMask(d, hn::Gt(rest, less_));  // -1
      return hn::Min(hn::Sub(below, one), most_);
    }
  }

 private:
  static constexpr int32_t kMostNear = 9300;
  bool near_;
  hn::Vec<hn::Rebind<float, Tag>> inverse_;
  Vec divisor_;
  Vec less_;  // by 1
  Vec most_;
};

/// Rows of To of kChannels channels.
template <typename To, size_t kChannels, bool kNear>
struct Whole {
  static constexpr size_t kPerWord = 4 / sizeof(To);
  /// Samples after which words and channels begin anew together.
  static constexpr size_t kUnit = std::lcm(kChannels, kPerWord);
  static constexpr size_t kUnitWords = kUnit / kPerWord;
  static constexpr size_t kWords = std::lcm(kLanes, kUnitWords);
  static constexpr size_t kSamples = kWords * kPerWord;
  static_assert(kBoxPixels % (kSamples / kChannels) == 0 || kSamples / kChannels % kBoxPixels == 0);

  struct State {
    const int32_t* HWY_RESTRICT in;
    const int32_t* HWY_RESTRICT out;
    Vec sums[kChannels];
    Vec full[kUnitWords];  // all bits of what is opaque
  };

  template <size_t s>
  static HWY_INLINE void Steps(const Quotient<To>& quotient, State& state, Vec word, int32_t* HWY_RESTRICT words) {
    if constexpr (s < kUnit) {
      const Tag d;
      constexpr size_t c = s % kChannels;
      constexpr size_t kPlace = s % kPerWord;
      const Vec sum = hn::Add(state.sums[c], hn::Load(d, state.in + s * kLanes));
      state.sums[c] = hn::Sub(sum, hn::Load(d, state.out + s * kLanes));
      const Vec value = quotient.template Of<kNear>(sum);
      if constexpr (kPlace == 0) {
        word = hn::Or(state.full[s / kPerWord], value);
      } else {
        word = hn::Or(word, hn::ShiftLeft<static_cast<int>(8 * sizeof(To) * kPlace)>(value));
      }
      if constexpr (kPlace + 1 == kPerWord) hn::Store(word, d, words + s / kPerWord * kLanes);
      Steps<s + 1>(quotient, state, word, words);
    }
  }

  static HWY_INLINE void Put(const BoxWholeJob& job, size_t sample, Vec (&words)[kLanes]) {
    const Tag d;
    const size_t samples = job.pixels * kChannels;
    Turn<int32_t>(words);
    if (HWY_LIKELY(job.rows == kLanes && sample + kLanes * kPerWord <= samples)) {
      const auto at = [&](size_t q)
                          HWY_ATTR { return reinterpret_cast<int32_t*>(static_cast<To*>(job.output[q]) + sample); };
      if (job.stream) {
#pragma GCC unroll 16
        for (size_t q = 0; q < kLanes; ++q) hn::Stream(words[q], d, at(q));
      } else {
#pragma GCC unroll 16
        for (size_t q = 0; q < kLanes; ++q) hn::StoreU(words[q], d, at(q));
      }
      return;
    }
    const size_t count = sample < samples ? std::min(samples - sample, kLanes * kPerWord) : 0;
    HWY_ALIGN int32_t rows[kLanes * kLanes];
#pragma GCC unroll 16
    for (size_t q = 0; q < kLanes; ++q) hn::Store(words[q], d, rows + q * kLanes);
    for (size_t q = 0; q < job.rows; ++q) {
      std::memcpy(static_cast<To*>(job.output[q]) + sample, rows + q * kLanes, count * sizeof(To));
    }
  }

  static HWY_NOINLINE void Rows(const BoxWholeJob& job, const Quotient<To>& quotient) {
    const Tag d;
    State state{job.input + (job.count - 1) * kChannels * kLanes, job.input, {}, {}};
    for (size_t c = 0; c < kChannels; ++c) {
      state.sums[c] = hn::Set(d, quotient.begin(job.divisor));
      for (size_t i = 0; i + 1 < job.count; ++i) {
        state.sums[c] = hn::Add(state.sums[c], hn::Load(d, job.input + (i * kChannels + c) * kLanes));
      }
    }
    for (size_t w = 0; w < kUnitWords; ++w) {
      uint32_t full = 0;
      for (size_t s = w * kPerWord; s < (w + 1) * kPerWord && job.opaque; ++s) {
        const uint32_t sample = std::numeric_limits<To>::max();
        if (s % kChannels == kChannels - 1) full |= sample << (8 * sizeof(To) * (s % kPerWord));
      }
      state.full[w] = hn::Set(d, static_cast<int32_t>(full));
    }
    HWY_ALIGN int32_t words[kWords * kLanes];
    for (size_t sample = 0; sample < job.pixels * kChannels; sample += kSamples) {
      for (size_t w = 0; w < kWords; w += kUnitWords) {
        Steps<0>(quotient, state, hn::Zero(d), words + w * kLanes);
        state.in += kUnit * kLanes;
        state.out += kUnit * kLanes;
      }
      for (size_t part = 0; part < kWords; part += kLanes) {
        Vec turned[kLanes];
#pragma GCC unroll 16
        for (size_t i = 0; i < kLanes; ++i) turned[i] = hn::Load(d, words + (part + i) * kLanes);
        Put(job, sample + part * kPerWord, turned);
      }
    }
  }
};

template <typename To, bool kNear>
void RowsOf(const BoxWholeJob& job, const Quotient<To>& quotient) {
  switch (job.channels) {
    case 1:
      return Whole<To, 1, kNear>::Rows(job, quotient);
    case 2:
      return Whole<To, 2, kNear>::Rows(job, quotient);
    case 3:
      return Whole<To, 3, kNear>::Rows(job, quotient);
    default:
      return Whole<To, 4, kNear>::Rows(job, quotient);
  }
}

template <typename To>
void WholeRows(const BoxWholeJob& job) {
  const Quotient<To> quotient(job.divisor);
  if (quotient.near()) return RowsOf<To, sizeof(To) == 1>(job, quotient);
  RowsOf<To, false>(job, quotient);
}

}  // namespace

template <typename T>
void FillWhole(BoxKernels<T>& kernels) {
  kernels.whole = &WholeRows<std::conditional_t<sizeof(T) == 4, uint8_t, uint16_t>>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillBoxWhole(int64_t target, BoxKernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillWhole<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillBoxWhole<float>(int64_t, BoxKernels<float>&);
template void FillBoxWhole<double>(int64_t, BoxKernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
